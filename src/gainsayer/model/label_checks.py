"""What labels show of how they were given: whether all assessors use the same ones, and whether the lowest is missing.

Equal labels are taken to mean the same. People on a scale from 1 to 4 beside a machine on one from 0 to 3 break this
in silence: agreement falls, and p(R|i) is a number about nothing. What can be seen is who *never* gives a label that
others give to the same documents, again and again; and a pool that lists only documents that somebody found relevant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gainsayer.findings import Finding
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option

FEWEST_EXPECTED = 5.0
SURPRISE = 0.01
FEWEST_REFUSED = 20.0
LARGE_PANEL = 10
LEAST_SHARE = 0.05
_MOST_NAMED = 5
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LabelSet:
    """The labels of one assessor beside those of the others on the same documents.

    Args:
        assessor: who.
        used: the levels this assessor gave, by place.
        unused: those never given though others gave them to the same documents: place, and to how many of them (the
            share of the others' labels, summed over documents).
        shift: how many levels up this assessor's labels stand, where they look shifted; else 0.
        share: of all judgments that are compared.
    """

    assessor: str
    used: tuple[int, ...]
    unused: tuple[tuple[int, float], ...]
    shift: int
    share: float


@dataclass(frozen=True)
class LabelSets:
    """Who uses other labels than the others; what to say of it; and why equal labels may not be taken as equal."""

    different: tuple[LabelSet, ...] = ()
    findings: tuple[Finding, ...] = ()
    refusal: str = ""


def compare_label_sets(judgments: Judgments, rows: BoolArray | None = None) -> LabelSets:
    """Find assessors who never give labels that others give to the same documents.

    If somebody gave labels like the others, level i would be expected `E_i = sum_d n_di / k_d` times over the documents
    they judged, n_di of k_d being the others' labels. Never giving it is noticed where E_i is at least 5 and the
    chance `exp(-E_i)`, times the number of assessors and levels, below 1 in 100: who judged three documents and gave
    no top label is not noticed. It is *refused* where the E_i of such assessors reach 20, they gave at least 1 in 20 of
    the judgments, and their labels look shifted or coarser: two labels only, or at least two never given. A strict
    person who never gives the top label of four is noticed, not refused; so are one or two among ten people or more.
    Whoever declares the levels says that all had them.

    Args:
        judgments: who said what.
        rows: the judgments that count; all by default.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> people = {"q": {f"d{n}": 1 + n % 4 for n in range(100)}}
    >>> machine = {"q": {f"d{n}": n % 4 for n in range(100)}}
    >>> found = compare_label_sets(read_judgments({"people": people, "machine": machine}))
    >>> [(own.assessor, own.shift) for own in found.different]
    [('people', 1), ('machine', -1)]
    """
    size = len(judgments.levels)
    chosen = slice(None) if rows is None or bool(rows.all()) else np.flatnonzero(rows)
    assessor, level, item = judgments.assessor[chosen], judgments.level[chosen], judgments.item[chosen]
    cell = assessor.astype(np.int64) * size + level
    counts = np.bincount(cell, minlength=len(judgments.assessors) * size).reshape(-1, size)
    people = np.flatnonzero(counts.sum(axis=1))
    used = counts > 0
    suspects = [person for person in people.tolist() if (used.any(axis=0) & ~used[person]).any()]
    if len(people) < 2 or not suspects:
        return LabelSets()
    judged = np.bincount(item, minlength=judgments.items)
    limit = max(FEWEST_EXPECTED, math.log(len(people) * size / SURPRISE))
    held = [np.bincount(item[level == place], minlength=judgments.items) for place in range(size)]
    order = np.argsort(assessor, kind="stable")
    begins = np.searchsorted(assessor[order], np.arange(len(judgments.assessors) + 1))
    different = []
    for person in suspects:
        documents, times = np.unique(item[order[begins[person] : begins[person + 1]]], return_counts=True)
        others = judged[documents] - times
        documents, others = documents[others > 0], others[others > 0]
        expected = [float((held[place][documents] / others).sum()) for place in range(size)]
        unused = tuple((place, expected[place]) for place in range(size) if not used[person, place])
        notable = tuple((place, number) for place, number in unused if number >= limit)
        if notable:
            shift = _find_shift(judgments, counts, person)
            own = tuple(np.flatnonzero(used[person]).tolist())
            share = float(counts[person].sum() / counts.sum())
            different.append(LabelSet(judgments.assessors[person], own, notable, shift, share))
    if judgments.levels.ordered:
        different = _find_camps(different)
    return _describe(judgments, tuple(different), len(people))


def _find_camps(different: Sequence[LabelSet]) -> list[LabelSet]:
    """The same with shifts where two camps stand against each other: who never gives the lowest, who the highest label.

    Within a crowd nobody's labels are shifted against all others', as each camp is among the others of its members.
    """
    bottom = min((own.used[0] for own in different), default=0)
    top = max((own.used[-1] for own in different), default=0)
    raised = [own for own in different if own.used[0] > bottom and own.used[-1] == top]
    lowered = [own for own in different if own.used[-1] < top and own.used[0] == bottom]
    weights = [sum(number for own in camp for _, number in own.unused) for camp in (raised, lowered)]
    shares = [sum(own.share for own in camp) for camp in (raised, lowered)]
    if min(weights) < FEWEST_REFUSED or min(shares) < LEAST_SHARE:
        return list(different)
    shifts = {own.assessor: own.used[0] - bottom for own in raised}
    shifts |= {own.assessor: own.used[-1] - top for own in lowered}
    return [replace(own, shift=shifts.get(own.assessor, own.shift)) for own in different]


def _find_shift(judgments: Judgments, counts: npt.NDArray[np.int64], person: int) -> int:
    """How many levels higher somebody's labels begin and end than the others'; 0 unless both do, in one direction."""
    if not judgments.levels.ordered:
        return 0
    others = counts.sum(axis=0) - counts[person]
    own = np.flatnonzero(counts[person] * 1000 >= counts[person].sum())
    theirs = np.flatnonzero((others * 1000 >= others.sum()) & (others > 0))
    low, high = int(own[0] - theirs[0]), int(own[-1] - theirs[-1])
    return low if low and (low > 0) == (high > 0) and high else 0


def _describe(judgments: Judgments, different: tuple[LabelSet, ...], people: int) -> LabelSets:
    if not different:
        return LabelSets()
    names = judgments.levels.names
    said = [_say(own, names) for own in different[:_MOST_NAMED]]
    if len(different) > _MOST_NAMED:
        said.append(f"and {len(different) - _MOST_NAMED} more assessors use other labels than the rest")
    message = "; ".join(said) + "."
    findings = (Finding("label-sets-differ", message),)
    if judgments.declared or not judgments.levels.ordered:
        return LabelSets(different, findings)
    grave = [own for own in different if _is_grave(own, judgments)]
    missed = sum(number for own in grave for _, number in own.unused)
    if len(grave) <= 2 and people >= LARGE_PANEL:
        return LabelSets(different, findings)
    if missed < FEWEST_REFUSED or sum(own.share for own in grave) < LEAST_SHARE:
        return LabelSets(different, findings)
    refusal = f"Equal labels do not seem to mean the same here: {message} {_advise(judgments, grave, different)}"
    return LabelSets(different, findings, refusal)


def _is_grave(own: LabelSet, judgments: Judgments) -> bool:
    many = [number for _, number in own.unused if number >= FEWEST_REFUSED]
    coarse = len(many) >= 2 or (len(many) == 1 and len(own.used) <= 2 < len(judgments.levels))
    return coarse or own.shift != 0


def _say(own: LabelSet, names: Sequence[str]) -> str:
    gave = ", ".join(names[place] for place in own.used)
    never = " and ".join(
        f"{names[place]} (others: on {number:,.0f} of the same documents)" for place, number in own.unused
    )
    shifted = f"; the labels look shifted by {abs(own.shift)}" if own.shift else ""
    return f"{own.assessor} gave {gave}, and never {never}{shifted}"


def _advise(judgments: Judgments, grave: Sequence[LabelSet], different: Sequence[LabelSet]) -> str:
    names = judgments.levels.names
    every = f"If all of them had the same levels before them, name these: {option('levels', ','.join(names))}."
    raised = next((own for own in grave if own.shift > 0), None)
    if raised is not None:
        pairs = {names[place]: names[place - raised.shift] for place in raised.used}
        mapped = option("maps", {raised.assessor: pairs})
        return f"Map the labels of one onto those of the other, such as {mapped}. {every}"
    coarse = grave[0]
    among = {own.assessor for own in different}
    others = [name for name in judgments.assessors if name not in among]
    lost = [place for place in range(len(names)) if place not in coarse.used]
    if not others or not lost:
        return f"Map the labels of one onto those of the other: {option('maps', {'NAME': {'LABEL': 'LABEL'}})}. {every}"
    top = names[coarse.used[-1]]
    pairs = {names[place]: top if place > coarse.used[-1] else names[coarse.used[0]] for place in lost}
    each = "" if len(others) == 1 else f", and likewise for {', '.join(others[1:_MOST_NAMED])}"
    return (
        f"Map the others' labels onto those of {coarse.assessor} as they are meant, such as "
        f"{option('maps', {others[0]: pairs})}{each}. {every} The one-sided estimate needs no common labels: its "
        "relevance is by the second side's."
    )


def notice_missing_zeros(judgments: Judgments, rows: npt.NDArray[np.bool_] | slice) -> tuple[Finding, ...]:
    """A finding where no document has the lowest label from all who judged it, be it one or several.

    With a share q of lowest labels, assessors who agree by chance alone would all give it to `sum_d q^k_d` documents,
    k_d being the labels of document d; assessors who agree better to more. None at all where at least 5 are expected
    shows that documents were chosen by their labels: only those were listed that somebody found relevant. Then p(R|0)
    is too high and agreement too low, and no weights can mend it.

    Args:
        judgments: who said what.
        rows: the judgments that count.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> one, two = {f"d{n}": n % 2 for n in range(40)}, {f"d{n}": 1 - n % 2 for n in range(40)}
    >>> judgments = read_judgments({"ann": {"q": one}, "bob": {"q": two}})
    >>> notice_missing_zeros(judgments, slice(None))[0].code
    'zeros-missing'
    """
    if not judgments.levels.ordered:
        return ()
    item, above = judgments.item[rows], judgments.level[rows] > judgments.levels.lowest
    lifted = np.zeros(judgments.items, dtype=np.bool_)
    lifted[item[above]] = True
    if not lifted[item].all():
        return ()
    labels = np.bincount(item)
    labels = labels[labels > 0]
    share = float((~above).mean())
    expected = float((share**labels).sum())
    if expected < FEWEST_EXPECTED:
        return ()
    name = judgments.levels.names[judgments.levels.lowest]
    message = (
        f"Not one of {len(labels):,} documents has the label {name} from all who judged it, where even assessors who "
        f"agree by chance would give it to about {expected:,.0f}. Were only documents listed that somebody found "
        f"relevant? Then p(R|{name}) is too high and agreement too low. Add the documents that all judged {name}."
    )
    return (Finding("zeros-missing", message),)
