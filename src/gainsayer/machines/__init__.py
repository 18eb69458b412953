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
    Prediction,
    find_empty_grades,
    measure_skill,
    predict,
    take_number,
    value_grades,
)
from gainsayer.machines.ndcg import estimate_ndcg, guess_worth, rectify_ndcg
from gainsayer.machines.properties import find_effects, fit_shift
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
from gainsayer.machines.scores import Evidence, RectifiedScores, compare_differences, score_rectified
from gainsayer.machines.verdict import Verdict, judge_favour, judge_machine, judge_order, rank_like_judge, weigh_runs

__all__ = [
    "DocumentGains",
    "Estimate",
    "Evidence",
    "MachineGrades",
    "Opinions",
    "Prediction",
    "RankWeights",
    "RectifiedScores",
    "Sample",
    "TopicScores",
    "Verdict",
    "add_chances",
    "check_sample",
    "choose_chances",
    "compare_differences",
    "document_keys",
    "estimate_ndcg",
    "estimate_people_alone",
    "estimate_scores",
    "find_effects",
    "find_empty_grades",
    "find_savings",
    "fit_shift",
    "guess_gains",
    "guess_worth",
    "judge_favour",
    "judge_machine",
    "judge_order",
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
