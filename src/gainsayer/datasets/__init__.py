"""The twenty documents of the paper, and collections drawn from known parameters."""

from __future__ import annotations

from gainsayer.datasets.design import RunDesign, SecondRound, deal_topics, draw_runs
from gainsayer.datasets.label_models import (
    JointModel,
    LatentModel,
    draw_pair_counts,
    draw_topic_matrices,
    read_matrix,
    rectangle_probabilities,
)
from gainsayer.datasets.machine_judge import MachineJudge, draw_grades
from gainsayer.datasets.paper import FEDWEB13_LEVELS, FEDWEB13_PAGES, FEDWEB13_SNIPPETS, twenty_documents
from gainsayer.datasets.simulation import SimulatedCollection, Truth, simulate_collection
from gainsayer.datasets.write import write_collection

__all__ = [
    "JointModel",
    "LatentModel",
    "MachineJudge",
    "RunDesign",
    "SecondRound",
    "SimulatedCollection",
    "simulate_collection",
    "twenty_documents",
    "write_collection",
]
