"""A machine's grades and people's labels in; what grades are worth, and scores that people would have given, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.machines.check import MachineCheck as MachineCheck
    from gainsayer.machines.check import Verdict as Verdict
    from gainsayer.machines.check import check_machine as check_machine
    from gainsayer.machines.combination import combine_machines as combine_machines
    from gainsayer.machines.composite import Composite as Composite
    from gainsayer.machines.composite import combine_scores as combine_scores
    from gainsayer.machines.document_gains import DocumentGains as DocumentGains
    from gainsayer.machines.document_gains import rank_weights as rank_weights
    from gainsayer.machines.document_gains import score_documents as score_documents
    from gainsayer.machines.drawing import choose_probabilities as choose_probabilities
    from gainsayer.machines.drawing import draw_documents as draw_documents
    from gainsayer.machines.effects import Effect as Effect
    from gainsayer.machines.effects import find_effects as find_effects
    from gainsayer.machines.favour import Flattery as Flattery
    from gainsayer.machines.favour import find_flattery as find_flattery
    from gainsayer.machines.features import Feature as Feature
    from gainsayer.machines.features import FeatureValues as FeatureValues
    from gainsayer.machines.features import value_features as value_features
    from gainsayer.machines.grade_values import GradeValues as GradeValues
    from gainsayer.machines.grade_values import predict_by_grade as predict_by_grade
    from gainsayer.machines.grade_values import value_grades as value_grades
    from gainsayer.machines.ideal import TopicShift as TopicShift
    from gainsayer.machines.ideal import expected_ideal as expected_ideal
    from gainsayer.machines.ideal import fit_shift as fit_shift
    from gainsayer.machines.prediction import Opinions as Opinions
    from gainsayer.machines.prediction import Prediction as Prediction
    from gainsayer.machines.prediction import Worth as Worth
    from gainsayer.machines.prediction import predict as predict
    from gainsayer.machines.rectified import Estimate as Estimate
    from gainsayer.machines.rectified import TopicScores as TopicScores
    from gainsayer.machines.rectified import estimate_people_alone as estimate_people_alone
    from gainsayer.machines.rectified import estimate_scores as estimate_scores
    from gainsayer.machines.rectified import find_savings as find_savings
    from gainsayer.machines.rectified import rectify as rectify
    from gainsayer.machines.rectified import weigh_topics as weigh_topics
    from gainsayer.machines.sample import Sample as Sample
    from gainsayer.machines.scores import Evidence as Evidence
    from gainsayer.machines.scores import RectifiedScores as RectifiedScores
    from gainsayer.machines.scores import Step as Step
    from gainsayer.machines.scores import score_rectified as score_rectified
    from gainsayer.machines.tuned import estimate_tuned as estimate_tuned

_HOMES = {
    "Composite": "composite",
    "DocumentGains": "document_gains",
    "Effect": "effects",
    "Estimate": "rectified",
    "Evidence": "scores",
    "Feature": "features",
    "FeatureValues": "features",
    "Flattery": "favour",
    "GradeValues": "grade_values",
    "MachineCheck": "check",
    "Opinions": "prediction",
    "Prediction": "prediction",
    "RectifiedScores": "scores",
    "Sample": "sample",
    "Step": "scores",
    "TopicScores": "rectified",
    "TopicShift": "ideal",
    "Verdict": "check",
    "Worth": "prediction",
    "check_machine": "check",
    "choose_probabilities": "drawing",
    "combine_machines": "combination",
    "combine_scores": "composite",
    "draw_documents": "drawing",
    "estimate_people_alone": "rectified",
    "estimate_scores": "rectified",
    "estimate_tuned": "tuned",
    "expected_ideal": "ideal",
    "find_effects": "effects",
    "find_flattery": "favour",
    "find_savings": "rectified",
    "fit_shift": "ideal",
    "predict": "prediction",
    "predict_by_grade": "grade_values",
    "rank_weights": "document_gains",
    "rectify": "rectified",
    "score_documents": "document_gains",
    "score_rectified": "scores",
    "value_features": "features",
    "value_grades": "grade_values",
    "weigh_topics": "rectified",
}
__all__ = [
    "Composite",
    "DocumentGains",
    "Effect",
    "Estimate",
    "Evidence",
    "Feature",
    "FeatureValues",
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
    "estimate_tuned",
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
    "value_features",
    "value_grades",
    "weigh_topics",
]
# What the room's own tests use as well.
_INSIDE = {
    "FLOOR": "drawing",
    "LIKE_THE_JUDGE": "favour",
    "Target": "rectified",
    "bin_values": "combination",
    "check_sample": "sample_checks",
    "compare_families": "favour",
    "feature_of_number": "features",
    "find_empty_grades": "grade_values",
    "fit_logistic": "combination",
    "guess_gains": "drawing",
    "overrating": "favour",
    "rank_like_judge": "favour",
    "rate_prediction": "prediction",
    "take_number": "prediction",
    "tune_weights": "tuned",
    "whole_topics": "rectified",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
