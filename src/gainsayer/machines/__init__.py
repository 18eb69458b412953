"""A machine's grades and people's labels in; what grades are worth, and scores that people would have given, out."""

from __future__ import annotations

from gainsayer.machines.check import MachineCheck, Verdict, check_machine
from gainsayer.machines.combination import bin_values, combine_machines, fit_logistic
from gainsayer.machines.composite import Composite, combine_scores
from gainsayer.machines.document_gains import DocumentGains, rank_weights, score_documents
from gainsayer.machines.drawing import FLOOR, choose_probabilities, draw_documents, guess_gains
from gainsayer.machines.effects import Effect, find_effects
from gainsayer.machines.favour import (
    LIKE_THE_JUDGE,
    Flattery,
    compare_families,
    find_flattery,
    overrating,
    rank_like_judge,
)
from gainsayer.machines.grade_values import GradeValues, find_empty_grades, predict_by_grade, value_grades
from gainsayer.machines.ideal import TopicShift, expected_ideal, fit_shift
from gainsayer.machines.prediction import Opinions, Prediction, Worth, predict, rate_prediction, take_number
from gainsayer.machines.rectified import (
    Estimate,
    Target,
    TopicScores,
    estimate_people_alone,
    estimate_scores,
    find_savings,
    rectify,
    weigh_topics,
    whole_topics,
)
from gainsayer.machines.sample import Sample
from gainsayer.machines.sample_checks import check_sample
from gainsayer.machines.scores import Evidence, RectifiedScores, Step, score_rectified

__all__ = [
    "Composite",
    "DocumentGains",
    "Effect",
    "Estimate",
    "Evidence",
    "Flattery",
    "GradeValues",
    "MachineCheck",
    "Opinions",
    "Prediction",
    "RectifiedScores",
    "Sample",
    "Step",
    "TopicScores",
    "TopicShift",
    "Verdict",
    "Worth",
    "check_machine",
    "choose_probabilities",
    "combine_machines",
    "combine_scores",
    "draw_documents",
    "estimate_people_alone",
    "estimate_scores",
    "expected_ideal",
    "find_effects",
    "find_flattery",
    "find_savings",
    "fit_shift",
    "predict",
    "predict_by_grade",
    "rank_weights",
    "rectify",
    "score_documents",
    "score_rectified",
    "value_grades",
    "weigh_topics",
]
