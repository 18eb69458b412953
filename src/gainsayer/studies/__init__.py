"""The paper's analyses."""

from __future__ import annotations

from gainsayer.studies.machine_grades import MachineStudy, judge_worth, study_machine
from gainsayer.studies.orders import (
    GainStudy,
    RobustnessStudy,
    choose_topics,
    describe_skipped,
    find_unjudged,
    label_sides,
    refuse_single,
    skip_topics,
    study_gains,
    study_robustness,
)
from gainsayer.studies.parameters import AmountStudy, TopicStudy, choose_sizes, make_boxes, study_amount, study_topics
from gainsayer.studies.quality import EntrySteps, QualityStudy, enter_by_resources, enter_by_runs, study_quality

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
