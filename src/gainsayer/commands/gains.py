"""Which gains are asked for, and what they are made from: double judgments, a model, or nothing but a rule."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gainsayer.commands.fit import Fit
from gainsayer.commands.inputs import SideChoice, choose_relevance
from gainsayer.commands.model_file import SavedModel, read_gains, read_model
from gainsayer.errors import BiasedSampleError, CallError, LabelSetError, PairingError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import KINDS, GainSource, Model, Scheme, make_scheme, with_unjudged
from gainsayer.gains.values import Gains, complete_gains, custom_gains
from gainsayer.levels import Levels, Patterns, Relevance, canonical_label, is_whole
from gainsayer.measures.catalogue import Measure
from gainsayer.model.estimate import Disagreement, Estimator, estimate_disagreement, part_relevant
from gainsayer.model.relevance import predict_relevance
from gainsayer.reading.faults import shorten
from gainsayer.reading.files import STANDARD_INPUT, FilePath, call_file
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option

# What is estimated is imported where double judgments are found: with one assessor nothing is.

BY_HAND = "by hand"
POSTERIOR = "posterior"
_ESTIMATED = ("prm", "udm")


@dataclass(frozen=True, eq=False)
class GainChoice:
    """The gains asked for.

    Args:
        kinds: by name, or JSON files of level and gain; empty for the usual ones.
        by_hand: gains of single levels.
        model: estimated elsewhere; None to estimate it from the judgments on the way, where they allow it.
        unjudged: what an unjudged document is worth: `0`, `level`, a number, `condense` or `bounds`.
    """

    kinds: tuple[str, ...] = ()
    by_hand: Mapping[str, float] = field(default_factory=dict)
    model: Fit | SavedModel | None = None
    unjudged: str = "0"

    @property
    def levels(self) -> Levels | None:
        """The levels that the model was fitted with, by which labels are then read."""
        return None if self.model is None else self.model.levels

    @property
    def estimated(self) -> bool:
        """Whether gains are asked for that are estimated."""
        return self.model is not None or any(kind in _ESTIMATED for kind in self.kinds)


def choose_gains(
    gains: str | Sequence[str] | None = None,
    gain: Mapping[str, float] | None = None,
    model: Fit | SavedModel | FilePath | None = None,
    unjudged: str | float = "0",
) -> GainChoice:
    """What was asked for, as one value.

    >>> choose_gains("prm, binary", {"Key": 0.5}).kinds
    ('prm', 'binary')
    """
    texts = [gains] if isinstance(gains, str) else gains or ()
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        raise CallError(f"Gains are names such as 'prm' or files, one or a list of them, found {gains!r}.")
    if model == STANDARD_INPUT:
        raise CallError("A model is read from a file: standard input can be read only once.")
    found = read_model(model) if isinstance(model, str | os.PathLike) else model
    if not isinstance(found, Fit | SavedModel | None):
        raise CallError(f"A model is what fit gives, or its file, found {shorten(repr(model))}.")
    by_hand = {} if gain is None else gain
    if not isinstance(by_hand, Mapping) or not all(isinstance(worth, int | float) for worth in by_hand.values()):
        given = shorten(repr(gain))
        raise CallError(f"Gains given by hand are numbers by level, such as {{'Key': 0.5}}, found {given}.")
    return GainChoice(
        kinds=tuple(part.strip() for text in texts for part in text.split(",")),
        by_hand={canonical_label(str(level)): float(value) for level, value in by_hand.items()},
        model=found,
        unjudged=f"{unjudged:g}" if isinstance(unjudged, int | float) else unjudged,
    )


def usual_relevance(levels: Levels, choice: GainChoice, *, estimated: bool) -> Relevance:
    """What is relevant where nobody says: the model's levels, the top level for a model's sake, else 1 and above.

    Args:
        levels: the levels.
        choice: the gains asked for.
        estimated: whether gains are estimated, be it unasked.
    """
    if choice.model is not None:
        named = levels.only(*choice.model.relevant)
        # A set that is a threshold goes by its name, as it does without a model.
        threshold = levels.at_or_above(named.names[0]) if levels.ordered else named
        return threshold if threshold.mask == named.mask else named
    if estimated or choice.estimated:
        return levels.at_or_above(levels.top)
    if all(is_whole(name) for name in levels.names):  # as trec_eval has it, whether or not there is a level 1
        chosen = tuple(name for name in levels.names if int(name) >= 1)
        return Relevance(",".join(chosen) or "none", chosen, tuple(int(name) >= 1 for name in levels.names), None)
    if not levels.ordered:  # gains by hand need no order; binary ones will ask for the relevant levels
        return Relevance("none", (), (False,) * len(levels), None)
    return levels.at_or_above(levels.names[levels.lowest + 1])


def name_relevances(
    levels: Levels, choice: GainChoice, threshold: object | Sequence[object] | None, relevant: Sequence[object] | None
) -> tuple[Relevance, ...] | None:
    """The notions of relevance asked for; None where nobody asked, for which see `usual_relevance`."""
    if threshold is None and relevant is None:
        return None
    found = choose_relevance(levels, threshold, relevant)
    if choice.model is not None and len(found) > 1:
        raise CallError("A model serves one threshold at a time. Ask for one, or give the judgments of both sides.")
    return found


def find_source(
    choice: GainChoice,
    judgments: Judgments,
    sides: SideChoice,
    relevances: Sequence[Relevance] | None = None,
    *,
    together: bool = False,
    estimator: Estimator | None = None,
    seed: int = 0,
) -> tuple[GainSource, tuple[Finding, ...]]:
    """What the gains are made from: the model, or an estimate from the judgments; nothing where there is neither.

    A model brings the pairs it was made of, so that its uncertainty belongs to their topics and people. Double
    judgments that bear no estimate are no fault where nobody asked for one: the measures have their own gains.

    Args:
        choice: the gains asked for.
        judgments: who said what.
        sides: who is compared with whom.
        relevances: the notions of relevance, where they were asked for.
        together: whether all labels of a document count together: then nothing is made from pairs.
        estimator: by default symmetric where it is valid.
        seed: of what is drawn for the estimate.
    """
    levels = judgments.levels
    if together:
        return GainSource(levels, by_hand=choice.by_hand), ()
    if choice.model is not None:
        asked = relevances[0] if relevances else None
        model = choice.model.at(asked)
        relevance = asked or usual_relevance(levels, choice, estimated=True)
        behind = _find_behind(choice.model.disagreement, model, relevance)
        text = f"{model.name} has estimates per stratum; the one for all topics together was used."
        noted: tuple[Finding, ...] = (Finding("strata-pooled", text),) if choice.model.has_strata else ()
        if behind is not None:
            noted += predict_relevance(behind, relevance).findings
        return GainSource(levels, behind, model, choice.by_hand), noted
    if judgments.voices < 2 or (choice.kinds and not choice.estimated):
        return GainSource(levels, by_hand=choice.by_hand), ()
    try:
        counts = sides.count(judgments)
    except PairingError:
        if choice.estimated or sides.first or sides.second:
            raise
        return GainSource(levels, by_hand=choice.by_hand), ()  # assessors shared the work
    try:
        disagreement = estimate_disagreement(counts, estimator=estimator, seed=seed)
    except (BiasedSampleError, LabelSetError) as refusal:
        if choice.estimated or estimator is not None or sides.first or sides.second:
            raise
        text = f"Scored with the usual gains of each measure, as these judgments give no PRM gains. {refusal}"
        return GainSource(levels, by_hand=choice.by_hand), (Finding("gains-not-estimated", text),)
    relevance = relevances[0] if relevances else usual_relevance(levels, choice, estimated=True)
    found = predict_relevance(disagreement, relevance).findings
    return GainSource(levels, disagreement, None, choice.by_hand), found


def make_schemes(
    choice: GainChoice,
    source: GainSource,
    relevances: Sequence[Relevance],
    measures: Sequence[Measure],
    *,
    beside: Sequence[str] = (),
    together: Callable[[Relevance], Gains] | None = None,
) -> dict[Measure, list[Scheme]]:
    """The gains of each measure, at each notion of relevance: the same name is the same number in every command.

    Those asked for; else PRM gains where there is a model or a second side; else gains by hand; else those that the
    measure is known with, as in ir_measures: the numbers of the levels for nDCG, 0 and 1 for P and AP. A measure that
    takes 0 and 1 only, such as Bpref, keeps them.

    Args:
        choice: the gains asked for.
        source: what they are made from.
        relevances: the notions of relevance, the first one first.
        measures: what is scored.
        beside: further kinds to show beside PRM gains that nobody asked for.
        together: the gains of all labels of a document together, which take the place of PRM gains.
    """
    levels = source.levels
    if together is not None and (choice.kinds or choice.by_hand or choice.model is not None):
        raise CallError(
            "What all labels of a document are worth together is estimated from these judgments: other gains, a model "
            f"or gains by hand have no place there. Take the mean of the labels' gains, {option('labels', 'mean')}."
        )
    made: dict[tuple[str, Relevance], Scheme] = {}

    def make(kind: str, relevance: Relevance) -> Scheme:
        if (kind, relevance) not in made:
            behind = source
            if choice.model is not None and source.disagreement is None and relevance not in relevances:
                behind = replace(source, model=choice.model.at(relevance))
            if kind == POSTERIOR and together is not None:
                scheme = Scheme(together(relevance), relevance)
            else:
                scheme = make_any(kind, behind, relevance)
            made[kind, relevance] = with_unjudged(scheme, gain_of_unjudged(scheme.gains, choice.unjudged))
        return made[kind, relevance]

    schemes: dict[Measure, list[Scheme]] = {}
    for measure in measures:
        own, named = measure.own_gains(levels), measure.relevance(levels)
        if own is not None:
            schemes[measure] = [with_unjudged(Scheme(own), gain_of_unjudged(own, choice.unjudged))]
            continue
        kinds = choice.kinds or _usual_kinds(choice, source, measure, beside)
        if together is not None:
            only_binary = measure.family.needs == "binary" and measure.users is None
            kinds = ("binary",) if only_binary else (POSTERIOR, *beside)
        if not levels.ordered and "binary" in kinds and not any(relevances[0].mask):
            levels.at_or_above(levels.names[-1])  # refuses, and says what to do
        found: dict[tuple[str, str | None], Scheme] = {}
        for relevance in relevances if named is None else (named,):
            again = [make(kind, relevance) for kind in kinds]
            calls = [scheme.name for scheme in again]
            if len(set(calls)) < len(calls):
                raise CallError(
                    f"Two kinds of gains have one name ({', '.join(calls)}). Rename a file, or leave one out."
                )
            for scheme in again:
                found.setdefault((scheme.name, scheme.threshold), scheme)
        every = list(found.values())
        if measure.users is not None:  # users have probabilities; where no gains are, the measure says so
            every = [scheme for scheme in every if scheme.gains.probabilities] or every
        schemes[measure] = every
    return schemes


def list_schemes(schemes: Mapping[Measure, Sequence[Scheme]]) -> list[Scheme]:
    """The schemes of all measures, each once."""
    return list({(scheme.name, scheme.threshold): scheme for some in schemes.values() for scheme in some}.values())


def _usual_kinds(choice: GainChoice, source: GainSource, measure: Measure, beside: Sequence[str]) -> Sequence[str]:
    if source.estimated:
        only_binary = measure.family.needs == "binary" and measure.users is None
        return ("binary",) if only_binary else ("prm", *beside)
    return (BY_HAND,) if choice.by_hand else (measure.classic,)


def make_any(kind: str, source: GainSource, relevance: Relevance) -> Scheme:
    """Gains by the name of their kind, from a file, or by hand."""
    if kind == BY_HAND:
        return Scheme(custom_gains(source.levels, source.by_hand, name="custom"))
    if kind in KINDS:
        return make_scheme(kind, source, relevance)
    name = os.path.splitext(os.path.basename(call_file(kind)))[0]
    return Scheme(complete_gains(source.levels, read_gains(kind, source.levels), source.by_hand, name=name))


def gain_of_unjudged(gains: Gains, policy: str) -> float:
    """The gain of unjudged documents: 0, that of the lowest level, or a number."""
    if policy in ("condense", "bounds"):
        return 0.0
    if policy == "level":
        return float(gains.values[gains.levels.lowest])
    try:
        return float(policy)
    except ValueError:
        raise CallError(
            f"What unjudged documents are worth may be 0, level, condense, bounds or a number, found {policy!r}."
        ) from None


def find_falls(levels: Levels, kinds: Sequence[Gains]) -> list[Finding]:
    """Gains that fall from one level to a higher one (T19): left as they are, and said."""
    plain = [kind for kind in kinds if levels.ordered and not isinstance(kind.levels, Patterns)]
    fallen = [kind.name for kind in plain if (kind.values[..., 1:] < kind.values[..., :-1]).any()]
    if not fallen:
        return []
    text = (
        f"{', '.join(fallen)} gains: a higher level is worth less than a lower one. Ideal lists go by gain, not level."
    )
    return [Finding("non-monotone", text)]


def notice_model(source: GainSource, schemes: Sequence[Scheme]) -> list[Finding]:
    """What a model without its topics can say about its own uncertainty."""
    model = source.model
    if model is None or source.disagreement is not None or all(scheme.name != "prm" for scheme in schemes):
        return []
    instead = "Fit it again, and leave its file as it is, to have both from the same topics."
    if any(scheme.fitted is not None for scheme in schemes):
        text = (
            f"{model.name} does not hold the pairs behind its probabilities: their uncertainty comes from their "
            f"covariance, as if its topics were none of those scored. If they are the same, the intervals may be too "
            f"narrow. {instead}"
        )
        return [Finding("gains-apart", text)]
    text = (
        f"{model.name} holds neither the pairs behind its probabilities nor their covariance, so that the intervals "
        f"take them as known. {instead}"
    )
    return [Finding("gains-taken-as-given", text)]


def _find_behind(disagreement: Disagreement | None, model: Model, relevance: Relevance) -> Disagreement | None:
    """The pairs a model was made of, where they give its probabilities again: not where these were changed by hand."""
    if disagreement is None or disagreement.levels.names != tuple(model.probability):
        return None
    found = part_relevant(disagreement.matrix, relevance.indicator)
    same = np.allclose(found, list(model.probability.values()), rtol=0, atol=1e-9, equal_nan=True)
    return disagreement if same else None
