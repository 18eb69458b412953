"""The paper's analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.studies.amount import AmountStudy as AmountStudy
    from gainsayer.studies.amount import study_amount as study_amount
    from gainsayer.studies.gain_schemes import GainStudy as GainStudy
    from gainsayer.studies.gain_schemes import study_gains as study_gains
    from gainsayer.studies.quality import QualityStudy as QualityStudy
    from gainsayer.studies.quality import study_quality as study_quality
    from gainsayer.studies.robustness import RobustnessStudy as RobustnessStudy
    from gainsayer.studies.robustness import study_robustness as study_robustness
    from gainsayer.studies.topics import TopicStudy as TopicStudy
    from gainsayer.studies.topics import study_topics as study_topics

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
__getattr__, __dir__ = late_names(__name__, _HOMES)
