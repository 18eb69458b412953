"""The twenty documents and printed results of the paper, and collections drawn from known parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.datasets.collection import SimulatedCollection
    from gainsayer.datasets.design import SecondRound
    from gainsayer.datasets.files import write_collection
    from gainsayer.datasets.joint import JointModel
    from gainsayer.datasets.latent import LatentModel
    from gainsayer.datasets.machine_judge import MachineJudge
    from gainsayer.datasets.paper import twenty_documents
    from gainsayer.datasets.simulated_runs import RunDesign
    from gainsayer.datasets.simulation import simulate_collection

_HOMES = {
    "JointModel": "joint",
    "LatentModel": "latent",
    "MachineJudge": "machine_judge",
    "RunDesign": "simulated_runs",
    "SecondRound": "design",
    "SimulatedCollection": "collection",
    "simulate_collection": "simulation",
    "twenty_documents": "paper",
    "write_collection": "files",
}
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
# What the room's own tests use as well.
_INSIDE = {
    "FEDWEB13_LEVELS": "paper",
    "FEDWEB13_PAGES": "paper",
    "FEDWEB13_PAGES_BOOTSTRAP": "paper",
    "FEDWEB13_SNIPPETS": "paper",
    "FEDWEB13_TOPICS": "paper",
    "RUN_TABLE": "paper",
    "RUN_TABLE_TAU": "paper",
    "Truth": "collection",
    "deal_topics": "design",
    "draw_grades": "machine_judge",
    "draw_pair_counts": "joint",
    "draw_runs": "simulated_runs",
    "draw_topic_matrices": "joint",
    "read_matrix": "joint",
    "rectangle_probabilities": "latent",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
