"""The paper's analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.studies.amount import AmountStudy, study_amount
    from gainsayer.studies.gain_schemes import GainStudy, study_gains
    from gainsayer.studies.quality import QualityStudy, study_quality
    from gainsayer.studies.robustness import RobustnessStudy, study_robustness
    from gainsayer.studies.topics import TopicStudy, study_topics

_HOMES = {
    "AmountStudy": "amount",
    "GainStudy": "gain_schemes",
    "QualityStudy": "quality",
    "RobustnessStudy": "robustness",
    "TopicStudy": "topics",
    "study_amount": "amount",
    "study_gains": "gain_schemes",
    "study_quality": "quality",
    "study_robustness": "robustness",
    "study_topics": "topics",
}
__all__ = [
    "AmountStudy",
    "GainStudy",
    "QualityStudy",
    "RobustnessStudy",
    "TopicStudy",
    "study_amount",
    "study_gains",
    "study_quality",
    "study_robustness",
    "study_topics",
]
# What the room's own tests use as well.
_INSIDE = {
    "EntrySteps": "quality",
    "MachineStudy": "machine_grades",
    "choose_sizes": "amount",
    "choose_topics": "policies",
    "describe_skipped": "policies",
    "enter_by_resources": "quality",
    "enter_by_runs": "quality",
    "find_unjudged": "policies",
    "fit_matrices": "robustness",
    "judge_worth": "machine_grades",
    "label_sides": "side_labels",
    "make_boxes": "topics",
    "refuse_single": "policies",
    "skip_topics": "policies",
    "study_machine": "machine_grades",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
