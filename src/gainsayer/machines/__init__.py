"""A machine's grades and people's labels in; what grades are worth, and scores that people would have given, out."""

from gainsayer.machines.document_gains import DocumentGains, RankWeights, rank_weights, score_documents
from gainsayer.machines.drawing import (
    add_chances,
    choose_chances,
    document_keys,
    guess_gains,
    size_documents,
    size_for_suspects,
)
from gainsayer.machines.grades import (
    MachineGrades,
    find_empty_grades,
    measure_skill,
    predict,
    take_number,
    value_grades,
)
from gainsayer.machines.ndcg import estimate_ndcg, guess_worth, rectify_ndcg
from gainsayer.machines.properties import find_effects
from gainsayer.machines.rectified import (
    Estimate,
    TopicScores,
    estimate_people_alone,
    estimate_scores,
    find_savings,
    rectify,
    weigh_topics,
)
from gainsayer.machines.sample import Opinions, Sample, check_sample
from gainsayer.machines.scores import Evidence, score_rectified
from gainsayer.machines.verdict import judge_machine, rank_like_judge, weigh_runs

__all__ = [
    "DocumentGains",
    "Estimate",
    "Evidence",
    "MachineGrades",
    "Opinions",
    "RankWeights",
    "Sample",
    "TopicScores",
    "add_chances",
    "check_sample",
    "choose_chances",
    "document_keys",
    "estimate_ndcg",
    "estimate_people_alone",
    "estimate_scores",
    "find_effects",
    "find_empty_grades",
    "find_savings",
    "guess_gains",
    "guess_worth",
    "judge_machine",
    "measure_skill",
    "predict",
    "rank_like_judge",
    "rank_weights",
    "rectify",
    "rectify_ndcg",
    "score_documents",
    "score_rectified",
    "size_documents",
    "size_for_suspects",
    "take_number",
    "value_grades",
    "weigh_runs",
    "weigh_topics",
]
