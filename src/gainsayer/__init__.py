"""Gainsayer turns assessor disagreement into gains.

Assessors disagree. From documents judged twice it counts who said what, estimates for each relevance level how likely a
random user is to find such a document relevant, and uses these probabilities as gains: the Predicted Relevance Model.

One function per command, with the command's word: `agree`, `fit`, `score`, `compare`, `plan`, `report`, `simulate`,
`export`, and `study.topics`, `study.amount`, `study.quality`, `study.robustness`, `study.gains`,
`machine.sample`, `machine.check`, `machine.score`, `machine.gains`. Each takes what you have (paths, folders, data
frames, dicts) and gives one result that prints, plots, and turns into a data frame.

>>> import gainsayer as gs
>>> judgments = gs.twenty_documents()
>>> gs.fit(judgments, threshold=2).predict().probability.round(4).tolist()
[0.0769, 0.2941, 0.4]

The steps between live in rooms, in the order in which the data flows; each has its public names in `__all__`.

    judgments -> counts -> disagreement -> gains ---+
         +----------+                               |
    runs ------> rankings ---------------------> measures -> comparison -> planning, machines, studies

>>> disagreement = gs.estimate_disagreement(gs.count_pairs(judgments))
>>> prediction = gs.predict_relevance(disagreement, judgments.levels.at_or_above("2"))
>>> gs.prm_gains(prediction).as_dict()
{'0': 0.07692307692307693, '1': 0.29411764705882354, '2': 0.4}
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gainsayer import version

if TYPE_CHECKING:
    from gainsayer.counts.pairing import count_pairs
    from gainsayer.datasets.collection import SimulatedCollection
    from gainsayer.datasets.paper import twenty_documents
    from gainsayer.disagreement.estimate import estimate_disagreement
    from gainsayer.disagreement.relevance import predict_relevance
    from gainsayer.errors import CallError, DataError, GainsayerError
    from gainsayer.evaluation import machine
    from gainsayer.evaluation import studies as study
    from gainsayer.evaluation.agreement import AgreementTable, agree
    from gainsayer.evaluation.comparisons import ComparisonTable, compare
    from gainsayer.evaluation.evaluators import Evaluator
    from gainsayer.evaluation.exports import Export, export
    from gainsayer.evaluation.models import Fit, SavedModel, read_model
    from gainsayer.evaluation.parameters import fit
    from gainsayer.evaluation.plans import PlanTable, plan
    from gainsayer.evaluation.provenance import Provenance
    from gainsayer.evaluation.scores import ScoreTable, score
    from gainsayer.evaluation.simulation import simulate
    from gainsayer.evaluation.sources import Reading
    from gainsayer.evaluation.studies import StudyTable
    from gainsayer.findings import Finding
    from gainsayer.gains.kinds import prm_gains
    from gainsayer.gains.values import Gains
    from gainsayer.judgments.files import read_judgments
    from gainsayer.judgments.table import Judgments
    from gainsayer.levels import Levels, Relevance
    from gainsayer.measures.catalogue import Measure
    from gainsayer.presentation.report import Report, report
    from gainsayer.rankings.resources import select_resources
    from gainsayer.runs.files import read_run
    from gainsayer.runs.run import Run

__version__ = version.VERSION

# Each public name and the module it lives in, imported when it is first used, so that `import gainsayer` and
# `gainsayer --help` wait for no tables and arrays.
_HOME = {
    "agree": "evaluation.agreement",
    "AgreementTable": "evaluation.agreement",
    "fit": "evaluation.parameters",
    "Fit": "evaluation.models",
    "score": "evaluation.scores",
    "ScoreTable": "evaluation.scores",
    "Evaluator": "evaluation.evaluators",
    "compare": "evaluation.comparisons",
    "ComparisonTable": "evaluation.comparisons",
    "StudyTable": "evaluation.studies",
    "plan": "evaluation.plans",
    "PlanTable": "evaluation.plans",
    "report": "presentation.report",
    "Report": "presentation.report",
    "simulate": "evaluation.simulation",
    "export": "evaluation.exports",
    "Export": "evaluation.exports",
    "read_judgments": "judgments.files",
    "Judgments": "judgments.table",
    "Reading": "evaluation.sources",
    "read_run": "runs.files",
    "Run": "runs.run",
    "select_resources": "rankings.resources",
    "read_model": "evaluation.models",
    "SavedModel": "evaluation.models",
    "Levels": "levels",
    "Relevance": "levels",
    "Measure": "measures.catalogue",
    "Gains": "gains.values",
    "twenty_documents": "datasets.paper",
    "SimulatedCollection": "datasets.collection",
    "count_pairs": "counts.pairing",
    "estimate_disagreement": "disagreement.estimate",
    "predict_relevance": "disagreement.relevance",
    "prm_gains": "gains.kinds",
    "Finding": "findings",
    "Provenance": "evaluation.provenance",
    "GainsayerError": "errors",
    "DataError": "errors",
    "CallError": "errors",
}
# Words that stand before several functions: `study.topics`, `machine.score`.
_FAMILIES = {"study": "evaluation.studies", "machine": "evaluation.machine"}
ROOMS = (
    "comparison",
    "counts",
    "datasets",
    "disagreement",
    "gains",
    "judgments",
    "machines",
    "measures",
    "planning",
    "rankings",
    "runs",
    "studies",
    "tables",
)

__all__ = [
    "AgreementTable",
    "CallError",
    "ComparisonTable",
    "DataError",
    "Evaluator",
    "Export",
    "Finding",
    "Fit",
    "Gains",
    "GainsayerError",
    "Judgments",
    "Levels",
    "Measure",
    "PlanTable",
    "Provenance",
    "Reading",
    "Relevance",
    "Report",
    "Run",
    "SavedModel",
    "ScoreTable",
    "SimulatedCollection",
    "StudyTable",
    "agree",
    "compare",
    "count_pairs",
    "estimate_disagreement",
    "export",
    "fit",
    "machine",
    "plan",
    "predict_relevance",
    "prm_gains",
    "read_judgments",
    "read_model",
    "read_run",
    "report",
    "score",
    "select_resources",
    "simulate",
    "study",
    "twenty_documents",
]


def __getattr__(name: str) -> Any:
    if name in _FAMILIES:
        return import_module(f"gainsayer.{_FAMILIES[name]}")
    if name in ROOMS:
        return import_module(f"gainsayer.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'gainsayer' has no attribute {name!r}")
    return getattr(import_module(f"gainsayer.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *ROOMS})
