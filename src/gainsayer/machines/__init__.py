"""A machine's grades and people's labels in; what grades are worth, and scores that people would have given, out."""

from __future__ import annotations

from gainsayer.machines.check import MachineCheck, Verdict, check_machine
from gainsayer.machines.combination import bin_values, combine_machines, fit_logistic
from gainsayer.machines.composite import combine_scores
from gainsayer.machines.document_gains import DocumentGains, rank_weights, score_documents
from gainsayer.machines.drawing import FLOOR, choose_probabilities, draw_documents, guess_gains
from gainsayer.machines.effects import find_effects
from gainsayer.machines.favour import (
    LIKE_THE_JUDGE,
    compare_families,
    find_flattery,
    overrating,
    rank_like_judge,
)
from gainsayer.machines.grade_values import find_empty_grades, predict_by_grade, value_grades
from gainsayer.machines.ideal import expected_ideal, fit_shift
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
    "DocumentGains",
    "Estimate",
    "Evidence",
    "MachineCheck",
    "Opinions",
    "Prediction",
    "RectifiedScores",
    "Sample",
    "Step",
    "Verdict",
    "Worth",
    "check_machine",
    "choose_probabilities",
    "draw_documents",
    "predict",
    "rank_weights",
    "score_documents",
    "score_rectified",
    "weigh_topics",
]
