"""The paper's analyses."""

from __future__ import annotations

from gainsayer.studies.amount import AmountStudy, choose_sizes, study_amount
from gainsayer.studies.gain_schemes import GainStudy, study_gains
from gainsayer.studies.machine_grades import MachineStudy, judge_worth, study_machine
from gainsayer.studies.policies import choose_topics, describe_skipped, find_unjudged, refuse_single, skip_topics
from gainsayer.studies.quality import EntrySteps, QualityStudy, enter_by_resources, enter_by_runs, study_quality
from gainsayer.studies.robustness import RobustnessStudy, study_robustness
from gainsayer.studies.side_labels import label_sides
from gainsayer.studies.topics import TopicStudy, make_boxes, study_topics

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
