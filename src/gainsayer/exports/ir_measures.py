"""Our measures as measures of ir_measures, with PRM gains: `PRM_nDCG(model='m')@10`.

Importing this module registers them, as ir_measures expects: from then on their names can be parsed, and they work next
to its own in `calc_aggregate`, `iter_calc`, `evaluator` and PyTerrier's `Experiment`. There is one for each family that
takes gains, with `PRM_` before its name here. `use_model` says what levels are worth. Lists are in the order that
pytrec_eval gives them, by scores of 32 bits (`ties='trec9'`): both kinds of measures see one ranking.

>>> import ir_measures
>>> from gainsayer.exports.ir_measures import PRM_nDCG, use_model
>>> use_model("dl19", {"0": 0.1, "1": 0.3, "2": 0.5})
>>> qrels, run = {"q1": {"d1": 2, "d2": 0, "d3": 1}}, {"q1": {"d2": 3.0, "d1": 2.0}}
>>> asked = [PRM_nDCG(model="dl19") @ 2, ir_measures.parse_measure("PRM_P(model='dl19')@2"), ir_measures.nDCG @ 2]
>>> found = ir_measures.calc_aggregate(asked, qrels, run)
>>> {str(measure): round(found[measure], 4) for measure in asked}
{"PRM_nDCG(model='dl19')@2": 0.6028, "PRM_P(model='dl19')@2": 0.3, 'nDCG@2': 0.4796}

It is *not* a comparison: ir_measures and PyTerrier test differences with the gains taken as given. Whether one system
serves users better is for `gainsayer.compare`, whose intervals include the uncertainty of the gains.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

try:
    from ir_measures import Metric, measures
    from ir_measures.measures import Measure as TheirMeasure
    from ir_measures.measures import ParamInfo
except ImportError as error:
    raise ImportError("ir_measures is not installed: pip install 'gainsayer[ir-measures]'") from error

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.gains.schemes import GainSource, make_scheme
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import Measure, parse_measure
from gainsayer.measures.families import FAMILIES, USER_PARAMETERS, Family
from gainsayer.ranking.matching import rank_levels
from gainsayer.ranking.pool import make_pool
from gainsayer.reading.files import FilePath
from gainsayer.reading.judgment_sources import read_judgments
from gainsayer.reading.runs import read_run
from gainsayer.text import nearest

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

PREFIX: Final = "PRM_"
GIVEN: Final = ("classic", "binary", "linear", "exponential")
"""Models that are always there; `classic` are the gains that a measure is known with: numbers are ir_measures' own."""

_MODELS: dict[str, Gains] = {}


def use_model(
    name: str,
    model: gs.Fit | gs.SavedModel | FilePath | Gains | Mapping[str, float],
    *,
    threshold: object | None = None,
) -> None:
    """Give gains a name, for `model=` of the measures here; from now on a known name means these.

    Args:
        name: what `model=` then says; `default` is what the measures mean without it.
        model: the file that `fit` wrote, or its result; or a gain for each level.
        threshold: which threshold of the model; its first by default.

    Raises:
        CallError: the name is taken by gains that are always there, the model lacks the threshold, or gains by hand
            are given one.
        DataError: it is not a model.
    """
    if not isinstance(name, str) or not name.isidentifier() or name in GIVEN:
        raise CallError(f"Call the model by a word other than {', '.join(GIVEN)}; found {name!r}.")
    # The commands stand above this room: an adapter takes the public function, as anybody else's would.
    if isinstance(model, Gains):
        _MODELS[name] = model
    elif isinstance(model, Mapping):
        _MODELS[name] = gs.export("gains", gain=model, threshold=threshold).gains
    else:
        _MODELS[name] = gs.export("gains", model=model, threshold=threshold).gains


class PRMMeasure(TheirMeasure):  # type: ignore[misc]  # ir_measures has no type hints
    """One of our measures as ir_measures knows them; a class for each family is made below."""

    family: Family

    def measure(self) -> Measure:
        """The measure as it is known here.

        Raises:
            CallError: a parameter is not allowed.
        """
        at = self.params.get(self.AT_PARAM)
        inside = ", ".join(
            f"{name}={value!r}" for name, value in self.params.items() if name not in ("model", self.AT_PARAM)
        )
        return parse_measure(f"{self.family.name}({inside}){'' if at is None else f'@{at}'}")

    def runtime_impl(self, qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[Metric]:
        """The score of each judged topic; called by ir_measures with data frames of labels and scores."""
        if len(run) == 0:
            return  # ir_measures gives each topic the default
        measure = self.measure()
        levels, gains = self._take_gains(qrels["relevance"].unique().tolist(), measure)
        labels = read_judgments(("qrels", qrels[["query_id", "doc_id", "relevance"]]), levels=levels)
        ranked = rank_levels(read_run(run[["query_id", "doc_id", "score"]]), make_pool(labels), ties="trec9")
        theirs = {str(topic): topic for topic in qrels["query_id"].unique().tolist()}
        for topic, value in zip(ranked.topics, measure.score(ranked, gains).tolist(), strict=True):
            yield Metric(theirs.get(topic, topic), self, value)

    def _take_gains(self, found: list[Any], measure: Measure) -> tuple[Levels, Gains]:
        """The levels of the labels, and what they are worth."""
        name = self["model"]
        if name in GIVEN:
            levels = Levels(tuple(str(level) for level in sorted({0, 1, *(int(label) for label in found)})))
            kind = measure.classic if name == "classic" else name
            return levels, make_scheme(kind, GainSource(levels), levels.at_or_above("1")).gains
        if name not in _MODELS:
            known = (*_MODELS, *GIVEN)
            raise CallError(
                f"{self}: there is no model {name!r}. Make it known: use_model({name!r}, 'model.json'). Known are "
                f"{', '.join(known)}.{nearest(name, known)}"
            )
        return _MODELS[name].levels, _MODELS[name]


def _make(family: Family) -> PRMMeasure:
    """The measures of a family, without parameters."""
    at = family.at or "cutoff"
    parameters = {
        "model": ParamInfo(dtype=str, default="default", desc="what levels are worth: a name given by use_model"),
        **{
            name: ParamInfo(default=parameter.default, required=name == family.at, desc=parameter.words)
            for name, parameter in family.all_parameters.items()
        },
    }
    if family.for_users != "no":
        said = "expected value over random users, and how it is found"
        parameters |= {name: ParamInfo(default=own.default, desc=said) for name, own in USER_PARAMETERS.items()}
    if family.depth != "no":
        parameters["cutoff"] = ParamInfo(dtype=int, required=family.depth == "must", desc="ranking cutoff threshold")
    name = PREFIX + family.name
    members = {
        "__name__": name,
        "NAME": name,
        "PRETTY_NAME": f"{family.name} with gains of the Predicted Relevance Model",
        "SHORT_DESC": family.about,
        "SUPPORTED_PARAMS": parameters,
        "AT_PARAM": at,
        "RUN_INPUTS": ["query_id", "doc_id", "score"],
        "QREL_INPUTS": ["query_id", "doc_id", "relevance"],
        "family": family,
        "__doc__": f"{family.name} ({family.about}) with PRM gains, as a measure of ir_measures.",
    }
    made: PRMMeasure = type(name, (PRMMeasure,), members)()
    return made


MEASURES: Final[dict[str, PRMMeasure]] = {
    made.NAME: made for made in (_make(family) for family in FAMILIES.values() if family.needs != "nothing")
}
"""Every measure that was registered, by its name."""

for _name, _measure in MEASURES.items():
    if _name not in measures.registry:
        measures.register(_measure)

PRM_nDCG, PRM_DCG, PRM_CG = MEASURES["PRM_nDCG"], MEASURES["PRM_DCG"], MEASURES["PRM_CG"]
PRM_P, PRM_R, PRM_AP, PRM_RR = MEASURES["PRM_P"], MEASURES["PRM_R"], MEASURES["PRM_AP"], MEASURES["PRM_RR"]
PRM_RBP, PRM_ERR, PRM_NumRel = MEASURES["PRM_RBP"], MEASURES["PRM_ERR"], MEASURES["PRM_NumRel"]
