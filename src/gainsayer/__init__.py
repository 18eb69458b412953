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

    reading -> model (pairs, p(R|i)) -> gains --+
       |                                        |
       +-----> ranking ----------------------> measures -> comparison -> planning, machines, studies

>>> disagreement = gs.estimate_disagreement(gs.count_pairs(judgments))
>>> prediction = gs.predict_relevance(disagreement, judgments.levels.at_or_above("2"))
>>> gs.prm_gains(prediction).as_dict()
{'0': 0.07692307692307693, '1': 0.29411764705882354, '2': 0.4}
"""

from importlib import import_module

from gainsayer import version

__version__ = version.VERSION

# The public names by the module they live in, imported when they are first used, so that `import gainsayer` and
# `gainsayer --help` wait for no tables and arrays. `__init__.pyi` tells type checkers the same.
_NAMES = {
    "model.pairs": ("count_pairs",),
    "datasets.simulation": ("SimulatedCollection",),
    "datasets.paper": ("twenty_documents",),
    "model.estimate": ("estimate_disagreement",),
    "model.relevance": ("predict_relevance",),
    "errors": (
        "CallError",
        "DataError",
        "GainsayerError",
    ),
    "commands.agree": (
        "AgreementTable",
        "agree",
    ),
    "commands.compare": (
        "ComparisonTable",
        "compare",
    ),
    "commands.export": (
        "Export",
        "export",
    ),
    "commands.fit": (
        "Fit",
        "fit",
    ),
    "commands.model_file": (
        "SavedModel",
        "read_model",
    ),
    "commands.plan": (
        "PlanTable",
        "plan",
    ),
    "commands.provenance": ("Provenance",),
    "commands.score": (
        "ScoreTable",
        "score",
        "Evaluator",
    ),
    "commands.simulate": ("simulate",),
    "commands.inputs": ("Reading",),
    "commands.study": ("StudyTable",),
    "findings": ("Finding",),
    "gains.kinds": ("prm_gains",),
    "gains.values": ("Gains",),
    "reading.judgment_sources": ("read_judgments",),
    "reading.judgments": ("Judgments",),
    "levels": (
        "Levels",
        "Relevance",
    ),
    "measures.catalogue": ("Measure",),
    "reports.report": (
        "Report",
        "report",
    ),
    "result": ("Result",),
    "ranking.resources": ("select_resources",),
    "reading.runs": ("read_run",),
    "reading.run": ("Run",),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}
# Words that stand before several functions: `study.topics`, `machine.score`.
_FAMILIES = {"study": "commands.study", "machine": "commands.machine"}
ROOMS = (
    "comparison",
    "datasets",
    "gains",
    "machines",
    "measures",
    "model",
    "planning",
    "ranking",
    "reading",
    "studies",
)

__all__ = sorted([*_HOME, *_FAMILIES])


def __getattr__(name: str) -> object:
    if name in _FAMILIES:
        return import_module(f"gainsayer.{_FAMILIES[name]}")
    if name in ROOMS:
        return import_module(f"gainsayer.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'gainsayer' has no attribute {name!r}")
    return getattr(import_module(f"gainsayer.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, *ROOMS, "__version__"]
