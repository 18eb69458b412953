"""Gains on the command line: from a model file, from double judgments, by a rule, or by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gainsayer.errors import CallError, DataError, GainsayerError

if TYPE_CHECKING:
    from gainsayer.disagreement.estimate import Disagreement
    from gainsayer.findings import Finding
    from gainsayer.gains import Gains
    from gainsayer.judgments.table import Judgments
    from gainsayer.levels import Levels, Relevance
    from gainsayer.measures.catalogue import Measure

SCHEMES = ("prm", "binary", "linear", "exponential", "udm")


@dataclass(frozen=True)
class GainRequest:
    """What was asked for: schemes or a file, gains by hand, a model, a notion of relevance."""

    schemes: tuple[str, ...]
    by_hand: Mapping[str, float]
    model: str | None
    threshold: str | None
    relevant: str | None
    unjudged: str


@dataclass(frozen=True, eq=False)
class GainSource:
    """p(R|i) by level; the matrix behind it where it was estimated here, or a model's covariance and topics."""

    probability: Mapping[str, float] | None = None
    disagreement: Disagreement | None = None
    findings: tuple[Finding, ...] = ()
    covariance: tuple[list[list[float]], int] | None = None


def choose_relevance_for(levels: Levels, request: GainRequest) -> Relevance:
    """Which levels count as relevant: as asked for, else the top level for a model's sake, 1 and above without one."""
    from gainsayer.levels import Relevance, is_whole

    if request.relevant is not None:
        return levels.only(*(part.strip() for part in request.relevant.split(",")))
    if request.threshold is not None:
        return levels.at_or_above(request.threshold)
    if request.model is not None:
        from gainsayer.report.model_file import read_model_relevant

        relevant = read_model_relevant(request.model)
        if relevant:
            named = levels.only(*relevant)
            # A set that is a threshold goes by its name, as it does without a model.
            threshold = levels.at_or_above(named.names[0]) if levels.ordered else named
            return threshold if threshold.mask == named.mask else named
    if request.model is not None or any(name in ("prm", "udm") for name in request.schemes):
        return levels.at_or_above(levels.top)
    if all(is_whole(name) for name in levels.names):  # as trec_eval has it, whether or not there is a level 1
        chosen = tuple(name for name in levels.names if int(name) >= 1)
        return Relevance(",".join(chosen) or "none", chosen, tuple(int(name) >= 1 for name in levels.names), None)
    if not levels.ordered:  # gains by hand need no order; binary ones will ask for --relevant
        return Relevance("none", (), (False,) * len(levels), None)
    return levels.at_or_above(levels.names[levels.lowest + 1])


def make_gains(
    levels: Levels, measures: Sequence[Measure], request: GainRequest, source: GainSource, relevance: Relevance
) -> dict[Measure, list[Gains]]:
    """The gains of each measure: those asked for, else PRM where there is a model, else the classical ones."""
    from dataclasses import replace

    schemes = request.schemes or (("prm",) if source.probability is not None else ())
    if request.by_hand and not schemes:
        schemes = ("by hand",)
    if not levels.ordered and request.relevant is None and "binary" in schemes:
        levels.at_or_above(levels.names[-1])  # refuses, and says what to do
    made: dict[Measure, list[Gains]] = {}
    for measure in measures:
        names = schemes or (measure.classic,)
        kinds = [make_kind(levels, name, request, source, relevance) for name in names]
        if measure.users is not None:  # users have probabilities; where no gains are, the measure says so
            kinds = [kind for kind in kinds if kind.probabilities] or kinds
        made[measure] = [replace(kind, unjudged=gain_of_unjudged(kind, request.unjudged)) for kind in kinds]
        calls = [kind.name for kind in kinds]
        if len(set(calls)) < len(calls):
            raise CallError(f"Two kinds of gains have one name ({', '.join(calls)}). Rename a file, or leave one out.")
    return made


def make_kind(levels: Levels, name: str, request: GainRequest, source: GainSource, relevance: Relevance) -> Gains:
    """Gains of one kind: by its name, from a file, or by hand."""
    from gainsayer.gains import (
        binary_gains,
        complete_gains,
        custom_gains,
        exponential_gains,
        linear_gains,
        udm_gains,
    )
    from gainsayer.lines.opening import call_file

    if name == "prm":
        if source.probability is None:
            raise CallError(
                "PRM gains need a model: give --model model.json (from gainsayer fit), or judgments of two assessors."
            )
        lacking = [level for level in levels.names if level not in source.probability]
        if set(lacking) - set(request.by_hand):
            raise DataError(
                f"The judgments have level {', '.join(map(repr, lacking))}, which the model does not know; it has "
                f"{', '.join(source.probability)}. Fit it with these levels, or give its gain: --gain {lacking[0]}=0.5"
            )
        values = [source.probability.get(level, float("nan")) for level in levels.names]
        return complete_gains(levels, values, request.by_hand, name="prm")
    if name == "udm":
        if source.disagreement is None:
            raise CallError("UDM gains need judgments of two assessors, not a model file.")
        return udm_gains(source.disagreement)
    if name == "by hand":
        return custom_gains(levels, request.by_hand, name="custom")
    if name in ("binary", "linear", "exponential"):
        plain = {"linear": linear_gains, "exponential": exponential_gains}
        gains = binary_gains(levels, relevance) if name == "binary" else plain[name](levels)
        return complete_gains(levels, gains.values.tolist(), request.by_hand, name=name)
    return complete_gains(levels, _read_gains(name, levels), request.by_hand, name=Path(call_file(name)).stem)


def _read_gains(path: str, levels: Levels) -> list[float]:
    """Gains from a JSON file {level: gain}, as `gainsayer export gains` writes it."""
    from gainsayer.gains import custom_gains
    from gainsayer.lines.opening import as_text, call_file, read_content

    if not Path(path).exists() and "/" not in path and "." not in path:
        raise CallError(f"There are no gains {path!r}: choose among {', '.join(SCHEMES)}, or name a file.")
    file = call_file(path)
    try:
        table: Any = json.loads(as_text(read_content(path), file))
    except GainsayerError:
        raise
    except (ValueError, RecursionError) as fault:
        raise DataError(f'{file}: expected JSON such as {{"0": 0.1, "1": 0.5}}, found none ({fault}).') from None
    if not isinstance(table, dict) or not all(_is_number(value) for value in table.values()):
        raise DataError(f'{file}: expected an object of levels and numbers, such as {{"0": 0.1, "1": 0.5}}.')
    try:
        gains = custom_gains(levels, {str(level): float(value) for level, value in table.items()})
    except OverflowError:
        raise DataError(f"{file}: a gain is too large a number.") from None
    return [float(value) for value in gains.values]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def gain_of_unjudged(gains: Gains, policy: str) -> float:
    """The gain of unjudged documents: 0, that of the lowest level, or a number."""
    if policy in ("condense", "bounds"):
        return 0.0
    if policy == "level":
        return float(gains.values[gains.levels.lowest])
    try:
        return float(policy)
    except ValueError:
        raise CallError(f"--unjudged may be 0, level, condense, bounds or a number, found {policy!r}.") from None


def find_source(request: GainRequest, judgments: Judgments, estimate: dict[str, Any]) -> GainSource:
    """The model file's probabilities, or those estimated from the judgments on the way; empty where there are none."""
    import numpy as np

    from gainsayer.counts.pairing import count_pairs
    from gainsayer.disagreement.estimate import estimate_disagreement
    from gainsayer.disagreement.relevance import predict_relevance

    if request.model is not None:
        from gainsayer.findings import Finding
        from gainsayer.lines.opening import call_file
        from gainsayer.report.model_file import has_strata, read_model, read_model_covariance

        noted: tuple[Finding, ...] = ()
        if has_strata(request.model):
            text = f"{call_file(request.model)} has estimates per stratum; the one for all topics together was used."
            noted = (Finding("strata-pooled", text),)
        wanted = request.threshold
        if request.relevant is not None:  # in the model's order, whatever the order asked for
            wanted = ",".join(judgments.levels.only(*(part.strip() for part in request.relevant.split(","))).names)
        covariance = read_model_covariance(request.model, threshold=wanted)
        probability = read_model(request.model, threshold=wanted)
        behind = _find_behind(request, judgments, estimate, probability)
        return GainSource(probability, behind, noted, covariance)
    people = len(np.unique(judgments.assessor))
    asked = any(name in ("prm", "udm") for name in request.schemes)
    if people < 2 or (request.schemes and not asked):
        return GainSource()
    counts = count_pairs(judgments, first=estimate["first"], second=estimate["second"], matched=estimate["matched"])
    disagreement = estimate_disagreement(counts, estimator=estimate["estimator"], seed=estimate["seed"])
    prediction = predict_relevance(disagreement, choose_relevance_for(judgments.levels, ask_for_prm(request)))
    names = judgments.levels.names
    known = dict(zip(names, prediction.probability.tolist(), strict=True))
    return GainSource(known, disagreement, prediction.findings)


def _find_behind(
    request: GainRequest, judgments: Judgments, estimate: dict[str, Any], probability: Mapping[str, float]
) -> Disagreement | None:
    """The double judgments that a model was made of, where they are at hand: they give its probabilities again."""
    import numpy as np

    from gainsayer.counts.pairing import count_pairs
    from gainsayer.disagreement.estimate import estimate_disagreement
    from gainsayer.disagreement.relevance import predict_relevance
    from gainsayer.report.model_file import read_model_estimator

    assert request.model is not None
    names = judgments.levels.names
    if len(np.unique(judgments.assessor)) < 2 or list(probability) != list(names):
        return None
    try:
        counts = count_pairs(judgments, first=estimate["first"], second=estimate["second"], matched=estimate["matched"])
        estimator: Any = read_model_estimator(request.model)
        disagreement = estimate_disagreement(counts, estimator=estimator, seed=estimate["seed"])
        found = predict_relevance(disagreement, choose_relevance_for(judgments.levels, request)).probability
    except GainsayerError:
        return None
    same = np.allclose(found, [probability[name] for name in names], rtol=0, atol=1e-9, equal_nan=True)
    return disagreement if same else None


def ask_for_prm(request: GainRequest) -> GainRequest:
    """The same request with PRM gains, so that relevance is what a model would take by default."""
    from dataclasses import replace

    return replace(request, schemes=("prm",))
