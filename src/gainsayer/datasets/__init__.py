"""The twenty documents of the paper, and collections drawn from known parameters."""

from __future__ import annotations

from gainsayer.datasets.collection import SimulatedCollection, Truth
from gainsayer.datasets.design import SecondRound, deal_topics
from gainsayer.datasets.files import write_collection
from gainsayer.datasets.joint import JointModel, draw_pair_counts, draw_topic_matrices, read_matrix
from gainsayer.datasets.latent import LatentModel, rectangle_probabilities
from gainsayer.datasets.machine_judge import MachineJudge, draw_grades
from gainsayer.datasets.paper import (
    FEDWEB13_LEVELS,
    FEDWEB13_PAGES,
    FEDWEB13_SNIPPETS,
    twenty_documents,
)
from gainsayer.datasets.simulated_runs import RunDesign, draw_runs
from gainsayer.datasets.simulation import simulate_collection

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
