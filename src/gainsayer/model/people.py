"""Who stands for users: whom to leave out one at a time, whether they are enough, and in which words that is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gainsayer.findings import Finding
from gainsayer.model.estimate import Disagreement
from gainsayer.model.pairs import Cells, FloatArray, IntArray
from gainsayer.model.variance import Cut, share_of
from gainsayer.table import Json
from gainsayer.text import option
from gainsayer.words import listed

# Three people can at most be worth three equal ones: more than that needs a fourth.
MOST_FEW = 3.0
Side = Literal["first", "second", "everybody"]
Role = Literal["either", "second"]
Scorers = Literal["first", "second", "both"]
Over = Literal["topics", "topics and people"]
Value = Callable[[FloatArray], FloatArray]  # counts [..., levels, levels] -> an estimate [..., levels]


@dataclass(frozen=True, eq=False)
class PeopleCut:
    """One way to leave people out, one at a time; counts have the shape [levels, levels] or [parts, levels, levels].

    Args:
        side: whose people.
        role: `either`: a person goes with every reading of their pairs; `second`: with those in which they are second,
            and the estimate is made of such readings alone, or for a whole team of all.
        names: the people.
        total: what the estimate is made of.
        people: each person's part of it. In a team, where either of a pair's people may go, they sum up to twice it.
        cells: its parts by topic and person, or by topic and pair of people.
        recurring: whether somebody judged in two topics. If nobody did, topics and people vary together.
    """

    side: Side
    role: Role
    names: tuple[str, ...]
    total: FloatArray
    people: FloatArray
    cells: FloatArray
    recurring: bool

    def cut(self, value: Value) -> tuple[Cut, Cut]:
        """The estimate without each person, and without each cell; what cannot be estimated then stays as it is."""
        judged = self.people.sum(axis=2)
        whole = value(self.total)

        def without(parts: FloatArray) -> FloatArray:
            left = value(np.maximum(self.total - parts, 0.0))
            return np.where(np.isfinite(left), left - whole, 0.0)

        return (
            Cut(without(self.people), share_of(judged, judged.sum(axis=0), empty=0.0)),
            Cut(without(self.cells), share_of(self.cells.sum(axis=2), self.total.sum(axis=1), empty=0.0)),
        )

    def effective(self, weight: FloatArray) -> float:
        """K*: how many equal people these are worth, `(sum w)² / sum w²` with w_k = sum_i weight_i b_ki."""
        each = self.people.sum(axis=2) @ weight
        if not each.any():
            return float(len(self.names))
        # Three equal people are worth three, and no rounding error more: from there on people count.
        return min(float(each.sum() ** 2 / (each**2).sum()), float(np.count_nonzero(each)))


@dataclass(frozen=True, eq=False)
class _Readings:
    """Cells as the estimate reads them: once, or once in each direction."""

    topic: IntArray
    first: IntArray
    second: IntArray
    pairs: FloatArray


def _read(cells: Cells, *, both: bool) -> _Readings:
    forward = _Readings(cells.topic, cells.first, cells.second, cells.pairs)
    if not both:
        return forward
    return _Readings(
        np.concatenate([cells.topic, cells.topic]),
        np.concatenate([cells.first, cells.second]),
        np.concatenate([cells.second, cells.first]),
        np.concatenate([cells.pairs, cells.pairs.transpose(0, 2, 1)]),
    )


def _group(pairs: FloatArray, *keys: IntArray) -> tuple[IntArray, FloatArray]:
    """The pairs summed up by what the keys say together: [parts], the first key of each part, and the sums."""
    order = np.lexsort(keys[::-1])
    changes = np.zeros(len(order), dtype=np.bool_)
    changes[:1] = True
    for key in keys:
        changes[1:] |= key[order][1:] != key[order][:-1]
    starts = np.flatnonzero(changes)
    return keys[0][order][starts], np.add.reduceat(pairs[order], starts, axis=0)


def find_cuts(disagreement: Disagreement, scorers: Scorers | None = None) -> tuple[tuple[PeopleCut, ...], int]:
    """Whom to leave out, and how many of a pair's two people that are; nobody where each side is one name.

    One-sided, the second side gives the opinions that are predicted. Symmetric, each side with several names is left
    out with both readings of its pairs, and a team in either role; but one who made every pair of a team, such as the
    one name of a qrels file, is a side: nothing is left without them. For scores the people who score have a second
    part: the role effects of a strict person cancel inside the gains, but the strictness of the labels that score
    remains. It is what they would be as second assessors, alone.

    Args:
        disagreement: the estimate.
        scorers: whose labels score runs; None for the estimate itself.
    """
    counts, cells = disagreement.counts, disagreement.counts.cells
    if cells is None:
        return (), 1
    symmetric = disagreement.estimator == "symmetric"
    readings = _read(cells, both=symmetric)
    if symmetric and (not counts.directed or scorers == "both"):
        others = _without_the_one(cells)
        if scorers is None and others is not None:
            return (_cut_side(cells, readings, others, "everybody", "either"),), 1
        team: tuple[Role, ...] = ("either",) if scorers is None else ("second", "either")
        return tuple(_cut_team(cells, readings, role) for role in team), 2
    sides = {"first": np.unique(cells.first), "second": np.unique(cells.second)}
    if not symmetric:
        sides.pop("first")
    named = [side for side, people in sides.items() if len(people) > 1]
    roles: list[tuple[Side, Role]] = [("first" if side == "first" else "second", "either") for side in named]
    if symmetric and scorers is not None:
        roles = [(side, "second" if side == scorers else "either") for side, _ in roles]
        roles.sort(key=lambda cut: cut[1] == "either")
    return tuple(_cut_side(cells, readings, sides[side], side, role) for side, role in roles), len(roles) or 1


def _without_the_one(cells: Cells) -> IntArray | None:
    """The others where one person made every pair; None where nobody did, or two people did."""
    people, pairs = np.unique(np.concatenate([cells.first, cells.second]), return_counts=True)
    others = people[pairs < len(cells.topic)]
    return others if len(others) == len(people) - 1 else None


def _cut_side(cells: Cells, readings: _Readings, people: IntArray, side: Side, role: Role) -> PeopleCut:
    """The people of one side, who are no part of the other."""
    is_second = np.isin(readings.second, people)
    person = np.where(is_second, readings.second, readings.first)
    topic, pairs = readings.topic, readings.pairs
    if role == "second":
        person, topic, pairs = person[is_second], topic[is_second], pairs[is_second]
    who, by_person = _group(pairs, person)
    _, by_cell = _group(pairs, person, topic)
    return _make(cells, side, role, who, pairs.sum(axis=0), by_person, by_cell)


def _cut_team(cells: Cells, readings: _Readings, role: Role) -> PeopleCut:
    """Everybody, each pair being read both ways."""
    total = readings.pairs.sum(axis=0)
    people, by_person = _group(readings.pairs, readings.second)
    if role == "second":
        _, by_cell = _group(readings.pairs, readings.second, readings.topic)
    else:
        by_person = by_person + _group(readings.pairs, readings.first)[1]
        low, high = np.minimum(readings.first, readings.second), np.maximum(readings.first, readings.second)
        _, by_cell = _group(readings.pairs, low, high, readings.topic)
    return _make(cells, "everybody", role, people, total, by_person, by_cell)


def _make(
    cells: Cells,
    side: Side,
    role: Role,
    people: IntArray,
    total: FloatArray,
    by_person: FloatArray,
    by_cell: FloatArray,
) -> PeopleCut:
    return PeopleCut(
        side, role, tuple(cells.names[at] for at in people), total, by_person, by_cell, _recurs(cells, people)
    )


def _recurs(cells: Cells, people: IntArray) -> bool:
    """Whether one of these people judged in two topics."""
    topic = np.concatenate([cells.topic, cells.topic])
    person = np.concatenate([cells.first, cells.second])
    chosen = np.isin(person, people)
    pairs = np.unique(np.stack([person[chosen], topic[chosen]]), axis=1)
    return bool((np.bincount(pairs[0]) > 1).any())


@dataclass(frozen=True, eq=False)
class GainPeople:
    """What people add to any quantity made of gains; a first axis of cuts.

    Args:
        people: M_P = sum_k u_k u_k', shape [cuts, levels, levels].
        noise: M_N = sum_c u_c u_c', over cells, likewise.
        overlap: H = sum_k h_k h_k', likewise.
        single_variance: p (1 - p), that of a single opinion; shape [levels].
        effective: K* of all second opinions of each cut, shape [cuts].
        names: how many people each cut has.
        n: how many of a pair's two people are cut.
        sides: whose people each cut leaves out.
    """

    people: FloatArray
    noise: FloatArray
    overlap: FloatArray
    single_variance: FloatArray
    effective: FloatArray
    names: tuple[int, ...]
    n: int
    sides: tuple[Side, ...]

    def along(self, slope: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """V_P = G' M_P G, V_N = G' M_N G and max(1, K* - 1) of quantities with slopes G [quantities, levels].

        K* = (sum_i w_i)² / (w' H w) with w = |G| p (1 - p); the number of people where all w are 0.

        Returns:
            Arrays of the shape [cuts, quantities].
        """
        people, noise = (np.einsum("ql,clm,qm->cq", slope, matrix, slope) for matrix in (self.people, self.noise))
        weight = np.abs(slope) * self.single_variance
        worth = share_of(weight.sum(axis=1) ** 2, np.einsum("ql,clm,qm->cq", weight, self.overlap, weight))
        worth = np.where(np.isnan(worth), np.array(self.names, dtype=np.float64)[:, None], worth)
        return people, noise, np.maximum(worth - 1, 1.0)

    def between(self, one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
        """C_P and C_N: covariances of two quantities each, over people and over cells; [cuts, quantities]."""
        people, noise = (np.einsum("ql,clm,qm->cq", one, matrix, other) for matrix in (self.people, self.noise))
        return people, noise


def weigh_people(cuts: Sequence[PeopleCut], n: int, value: Value, single_variance: FloatArray) -> GainPeople:
    """The matrices of these cuts for an estimate; `single_variance` is its p (1 - p), shape [levels]."""
    pairs = [cut.cut(value) for cut in cuts]
    return GainPeople(
        people=np.stack([people.covariance for people, _ in pairs]),
        noise=np.stack([cells.covariance for _, cells in pairs]),
        overlap=np.stack([people.share.T @ people.share for people, _ in pairs]),
        single_variance=single_variance,
        effective=np.array([cut.effective(single_variance) for cut in cuts]),
        names=tuple(len(cut.names) for cut in cuts),
        n=n,
        sides=tuple(cut.side for cut in cuts),
    )


@dataclass(frozen=True)
class Panel:
    """Who stands for users, and whom intervals are therefore for: decided once for a whole estimate or comparison.

    Args:
        over: what the intervals are over.
        sides: the names of each side that has pairs; one side where there are none. Empty names where nothing says who
            gave an opinion.
        effective: K* of each side; None for a side that is not left out.
        recurring: whether somebody of those left out judged in two topics.
        scored_by_one: the name whose labels score, where that is one name and the estimate is symmetric.
    """

    over: Over
    sides: tuple[tuple[str, ...], ...]
    effective: tuple[float | None, ...]
    recurring: bool
    scored_by_one: str | None = None

    def document(self) -> dict[str, Json]:
        """`over`, `people` and `effective_people`, one number a side, as plain data."""
        return {
            "over": self.over,
            "people": [len(side) for side in self.sides],
            "effective_people": list(self.effective),
        }

    @property
    def whom(self) -> str:
        """What the intervals speak about: "other topics and other people like these five"."""
        several = [len(side) for side, worth in zip(self.sides, self.effective, strict=True) if worth is not None]
        these = " and ".join(_number(count) for count in several)
        if self.over == "topics and people":
            whose = "people" if self.scored_by_one is None else "second opinions"
            return f"other topics and other {whose} like these {these}"
        if not self.recurring and several:
            return "other topics and assessors"
        return f"other topics, for these {these + ' ' if several else ''}assessors"

    @property
    def caveat(self) -> str | None:
        """What the intervals do not hold though they allow for other opinions; None where that is nothing."""
        if self.over == "topics" or self.scored_by_one is None:
            return None
        return (
            f"Strictness behind {self.scored_by_one}, whose labels score, is not in them (one name): "
            f"one-sided gains would allow for other people ({option('estimator', 'one-sided')})."
        )


def choose_panel(
    disagreement: Disagreement,
    cuts: Sequence[PeopleCut],
    weights: Sequence[FloatArray],
    *,
    scorers: Scorers | None = None,
    forced: bool = False,
) -> Panel:
    """People where somebody judged in two topics and each side that is left out is worth more than three; else topics.

    Args:
        disagreement: the estimate.
        cuts: whom it leaves out (`find_cuts`).
        weights: p (1 - p) by which K* weighs levels, for each notion of relevance; all of them must bear it.
        scorers: whose labels score; None for the estimate itself.
        forced: whether people were asked for, however few.
    """
    counts, cells = disagreement.counts, disagreement.counts.cells
    sides: tuple[tuple[str, ...], ...] = (counts.first, counts.second) if counts.directed else (counts.first,)
    if cells is None and max(len(counts.first), len(counts.second)) > 1:
        sides = ((),)
    elif cells is not None:
        sides = _sides(cells, counts.directed)
    least: dict[Side, float] = {}
    for cut in cuts:
        worth = min((cut.effective(weight) for weight in weights), default=float(len(cut.names)))
        least[cut.side] = min(worth, least.get(cut.side, np.inf))
    keys: tuple[Side, ...] = ("first", "second") if len(sides) == 2 else ("everybody",)
    if "everybody" in least:  # both sides' labels may score: one team; and not one who made every pair
        sides, keys = (cuts[0].names,), ("everybody",)
    effective = tuple(least.get(key) for key in keys)
    recurring = any(cut.recurring for cut in cuts) if cuts else len(counts.topics) > 1
    enough = bool(cuts) and recurring and min(least.values()) > MOST_FEW
    over: Over = "topics and people" if cuts and (enough or forced) else "topics"
    alone = None
    if scorers in ("first", "second") and disagreement.estimator == "symmetric" and len(sides) == 2:
        names = sides[0 if scorers == "first" else 1]
        alone = names[0] if len(names) == 1 else None
    return Panel(over, sides, effective, recurring, alone)


def _sides(cells: Cells, directed: bool) -> tuple[tuple[str, ...], ...]:
    if not directed:
        return (tuple(cells.names[at] for at in np.unique(np.concatenate([cells.first, cells.second]))),)
    return tuple(tuple(cells.names[at] for at in np.unique(side)) for side in (cells.first, cells.second))


def warn_of_few(panel: Panel) -> Finding | None:
    """The finding where several people who judged several topics each stand for users, and are too few to speak so."""
    several = [
        (side, worth)
        for side, worth in zip(panel.sides, panel.effective, strict=True)
        if worth is not None and worth <= MOST_FEW
    ]
    if panel.over != "topics" or not panel.recurring or not several:
        return None
    names = " and ".join(
        f"{len(side)} assessors ({listed(side[:3])}{', ...' if len(side) > 3 else ''}), worth {worth:.1f} equal ones"
        for side, worth in several
    )
    message = (
        f"Users are represented by {names}, some of whom judged several topics. The intervals are over topics, for "
        "these assessors: others may be stricter or more lenient. From four people on who share the work about "
        "equally, intervals allow for that."
    )
    return Finding("few-assessors", message)


def _number(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[count] if count < len(words) else f"{count:,}"
