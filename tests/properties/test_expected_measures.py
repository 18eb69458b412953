"""Expected measures beside the sum over all ways in which a user may judge a short list, defined apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.measures import FAMILIES, distribute_found, parse_measure, share_of_served
from gainsayer.ranking import RankedLevels, ranked_from_lists

Views = list[bool]


@dataclass(frozen=True)
class Case:
    """One topic: how many documents of each level, the list (levels, None = unjudged, -1 = duplicate), and chances."""

    pool: tuple[int, ...]
    run: tuple[int | None, ...]
    chance: tuple[float, ...]
    unjudged: float

    @property
    def ranked(self) -> RankedLevels:
        """The list and its pool."""
        size = len(self.pool)
        run = [size if level == -1 else level for level in self.run]
        return ranked_from_lists({"q": run}, {"q": self.pool}, levels=Levels(tuple(map(str, range(size)))))

    @property
    def gains(self) -> Gains:
        """The chances as gains."""
        return Gains(self.ranked.levels, np.array(self.chance), self.unjudged, "prm")

    def users(self) -> Iterator[tuple[float, Views, int]]:
        """Each way to judge: its probability, what is relevant by rank, and how much is, in all."""
        documents = [level for level, count in enumerate(self.pool) for _ in range(count)]
        place: list[int | None] = []
        used: list[int] = []
        extra = len(documents)
        for level in self.run:
            if level is None:
                place.append(extra)
                extra += 1
            elif level == -1:
                place.append(None)
            else:
                free = [d for d, own in enumerate(documents) if own == level and d not in used]
                used.append(free[0])
                place.append(free[0])
        chances = [self.chance[level] for level in documents] + [self.unjudged] * (extra - len(documents))
        for views in product((False, True), repeat=extra):
            weight = float(np.prod([p if view else 1 - p for p, view in zip(chances, views, strict=True)]))
            if weight:
                yield weight, [at is not None and views[at] for at in place], sum(views)

    def thresholds(self) -> Iterator[tuple[float, Views, int]]:
        """The same for users with one threshold for all documents."""
        last = 0.0
        for level in sorted({*self.chance, self.unjudged}):
            seen = [
                (self.unjudged if own is None else 0.0 if own == -1 else self.chance[own]) >= level > 0 and own != -1
                for own in self.run
            ]
            everything = [*zip(self.pool, self.chance, strict=True), (self.run.count(None), self.unjudged)]
            yield level - last, seen, sum(n for n, p in everything if p >= level)
            last = level
        yield 1 - last, [False] * len(self.run), 0


def precision(seen: Views, rank: int) -> float:
    """Share of relevant documents down to a rank."""
    return sum(seen[:rank]) / rank


def ap(seen: Views, relevant: int, depth: int = 99) -> float:
    """Mean precision at the relevant documents."""
    return sum(precision(seen, r) for r, view in enumerate(seen[:depth], 1) if view) / relevant


def ndcg(seen: Views, relevant: int, depth: int = 99, *, discount: Callable[[int], float]) -> float:
    """Discounted count over that of the ideal list."""
    ideal = sum(discount(r) for r in range(1, min(relevant, depth) + 1))
    return sum(discount(r) for r, view in enumerate(seen[:depth], 1) if view) / ideal


def q(seen: Views, relevant: int, depth: int = 99, *, beta: float = 1.0) -> float:
    """Sakai's Q for relevance of two levels."""
    parts = [
        (1 + beta) * sum(seen[:r]) / (r + beta * min(r, relevant)) for r, view in enumerate(seen[:depth], 1) if view
    ]
    return sum(parts) / relevant


def log(rank: int) -> float:
    """1 / log2(r + 1)."""
    return 1 / log2(rank + 1)


PLAIN: dict[str, Callable[[Views, int], float]] = {
    "AP": ap,
    "AP@3": lambda seen, relevant: ap(seen, relevant, 3),
    "R@3": lambda seen, relevant: sum(seen[:3]) / relevant,
    "R": lambda seen, relevant: sum(seen) / relevant,
    "nDCG@3": lambda seen, relevant: ndcg(seen, relevant, 3, discount=log),
    "nDCG": lambda seen, relevant: ndcg(seen, relevant, discount=log),
    "nDCG@1": lambda seen, relevant: ndcg(seen, relevant, 1, discount=log),
    "nDCG@50": lambda seen, relevant: ndcg(seen, relevant, 50, discount=log),
    "nDCG(discount='zipf')@4": lambda seen, relevant: ndcg(seen, relevant, 4, discount=lambda r: 1 / r),
    "nDCG(discount='none')": lambda seen, relevant: ndcg(seen, relevant, discount=lambda r: 1.0),
    "Rprec": lambda seen, relevant: sum(seen[:relevant]) / relevant,
    "Q": q,
    "Q@3": lambda seen, relevant: q(seen, relevant, 3),
    "Q(beta=10.0)": lambda seen, relevant: q(seen, relevant, beta=10.0),
}
# These do not divide by what there is, so they speak about users to whom no judged document is relevant, too.
WITHOUT_R: dict[str, Callable[[Views, int], float]] = {
    "F1@4": lambda seen, relevant: 2 * sum(seen[:4]) / (4 + relevant),
    "RR": lambda seen, _: next((1 / r for r, view in enumerate(seen, 1) if view), 0.0),
    "RR@2": lambda seen, _: next((1 / r for r, view in enumerate(seen[:2], 1) if view), 0.0),
    "ERR@2": lambda seen, _: next((1 / r for r, view in enumerate(seen[:2], 1) if view), 0.0),
    "Success@3": lambda seen, _: float(any(seen[:3])),
    "P@3": lambda seen, _: sum(seen[:3]) / 3,
    "NumRel": lambda seen, _: sum(seen),
    "CG@2": lambda seen, _: sum(seen[:2]),
    "DCG": lambda seen, _: sum(log(r) for r, view in enumerate(seen, 1) if view),
    "RBP(p=0.7)@4": lambda seen, _: sum(0.3 * 0.7 ** (r - 1) for r, view in enumerate(seen[:4], 1) if view),
}


def measure_of(name: str, users: str) -> str:
    """AP@3 and users to AP(users=...)@3."""
    head, at, depth = name.partition("@")
    inner = head[head.index("(") + 1 : -1] + "," if "(" in head else ""
    return f"{head.partition('(')[0]}({inner}users={users}){at}{depth}"


@st.composite
def cases(draw: st.DrawFn, *, sure: bool = False) -> Case:
    """Short lists with equal, zero and one probabilities, unjudged documents and duplicates."""
    size = draw(st.integers(2, 4))
    pool = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    while sum(pool) > 7:
        pool[pool.index(max(pool))] -= 1
    chances = st.sampled_from([0.0, 1.0]) if sure else st.sampled_from([0.0, 1.0, 0.5, 0.25]) | st.floats(0, 1)
    judged = [level for level, count in enumerate(pool) for _ in range(count)]
    returned = draw(st.permutations(judged))[: draw(st.integers(0, len(judged)))]
    others = draw(st.lists(st.sampled_from([None, -1]), max_size=2))
    run = draw(st.permutations([*returned, *others]))
    unjudged = 0.0 if sure else draw(st.sampled_from([0.0, 0.3, 1.0]))
    return Case(tuple(pool), tuple(run), tuple(draw(st.lists(chances, min_size=size, max_size=size))), unjudged)


def mean_over(users: Iterator[tuple[float, Views, int]], name: str) -> float:
    """The mean of a measure over users; 0 for those to whom nothing is relevant."""
    if name in WITHOUT_R:
        return sum(weight * WITHOUT_R[name](seen, relevant) for weight, seen, relevant in users)
    return sum(weight * PLAIN[name](seen, relevant) for weight, seen, relevant in users if relevant)


@given(case=cases())
@settings(max_examples=150)
def test_independent_users_are_the_sum_over_all_users(case: Case) -> None:
    """The formulas give the mean over all 2^n ways to judge, to 1e-12, for every measure with an exact formula."""
    users = list(case.users())
    for name in (*PLAIN, *WITHOUT_R):
        found = parse_measure(measure_of(name, "'independent'")).score(case.ranked, case.gains)[0]
        assert found == pytest.approx(mean_over(iter(users), name), abs=1e-12), name
    pooled = sum(n * p for n, p in zip(case.pool, case.chance, strict=True))
    assert parse_measure("PoolRel(users='independent')").score(case.ranked, case.gains)[0] == pytest.approx(pooled)


@given(case=cases(), users=st.sampled_from(["'independent'", "'comonotone'", "0.4"]))
@settings(max_examples=60)
def test_no_expected_share_exceeds_one(case: Case, users: str) -> None:
    """A mean of numbers between 0 and 1 lies there, too, whatever gain unjudged documents have."""
    for name in (*PLAIN, "F1@4", "RR", "Success@3"):
        found = parse_measure(measure_of(name, users)).score(case.ranked, case.gains)[0]
        assert -1e-12 <= found <= 1 + 1e-9, name


@given(case=cases())
@settings(max_examples=100)
def test_comonotone_users_are_the_sum_over_all_thresholds(case: Case) -> None:
    """One threshold per user: the mean over the intervals between the probabilities, to 1e-12, for every measure."""
    for name in (*PLAIN, *WITHOUT_R):
        found = parse_measure(measure_of(name, "'comonotone'")).score(case.ranked, case.gains)[0]
        assert found == pytest.approx(mean_over(case.thresholds(), name), abs=1e-12), name


@given(case=cases(), depth=st.integers(1, 8))
@settings(max_examples=100)
def test_distribution_of_what_users_find(case: Case, depth: int) -> None:
    """P(exactly m relevant in the top k) is the sum over users who find m; the mean is the PRM count either way."""
    for users, every in (("independent", case.users()), ("comonotone", case.thresholds())):
        found = distribute_found(case.ranked, case.gains, depth=depth, users=users)  # type: ignore[arg-type]
        expected = np.zeros(found.probability.shape[-1])
        for weight, seen, _ in every:
            expected[sum(seen[:depth])] += weight
        np.testing.assert_allclose(found.probability[0], expected, atol=1e-12)
        number = parse_measure(f"NumRel@{depth}").score(case.ranked, case.gains)
        np.testing.assert_allclose(found.mean, number, atol=1e-12)
        for share in (0.1, 0.5, 0.9):
            most = int(found.quantile(share)[0])
            assert found.at_least(most)[0] >= share - 1e-12
            assert found.at_least(most + 1)[0] < share


@given(case=cases())
@settings(max_examples=60)
def test_leaving_out_users_without_relevant_documents(case: Case) -> None:
    """condition_on_relevant divides by the share of users to whom something in the pool is relevant."""
    judged = Case(case.pool, case.run, case.chance, 0.0)
    for users, every in (("'independent'", list(judged.users())), ("'comonotone'", list(judged.thresholds()))):
        served = sum(weight for weight, _, relevant in every if relevant)
        share = share_of_served(judged.ranked, judged.gains, users=users.strip("'"))[0]  # type: ignore[arg-type]
        assert share == pytest.approx(served, abs=1e-12)
        measure = parse_measure(f"AP(users={users},condition_on_relevant=True)")
        expected = mean_over(iter(every), "AP") / served if served > 1e-9 else None
        if expected is not None:
            assert measure.score(judged.ranked, judged.gains)[0] == pytest.approx(expected, abs=1e-11 / served)


@given(case=cases(sure=True), users=st.sampled_from(["'independent'", "'comonotone'", "0.3"]))
@settings(max_examples=150)
def test_without_disagreement_expected_is_binary(case: Case, users: str) -> None:
    """Probabilities of 0 and 1 give every binary measure, unjudged documents (worth 0) and duplicates included."""
    names = [
        *(family.example.replace("@10", "@3") for family in FAMILIES.values()),
        *("AP@2", "nDCG@3", "nDCG(discount='zipf')", "Q@4", "Q(beta=3.0)", "R@2", "RR@2"),
    ]
    for name in names:
        plain = parse_measure(name)
        if plain.family.for_users == "no":
            continue
        sample = ",sample=5" if plain.family.for_users == "simulated" else ""
        measure = parse_measure(measure_of(name, f"{users}{sample}"))
        expected = plain.score(case.ranked, case.gains)[0]
        assert measure.score(case.ranked, case.gains)[0] == pytest.approx(expected, abs=1e-12), name


@given(case=cases(), others=st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4), min_size=1, max_size=3))
@settings(max_examples=40)
def test_draws_on_the_first_axis_equal_one_by_one(case: Case, others: list[list[float]]) -> None:
    """A stack of probabilities gives the expected values of each of them."""
    levels = case.ranked.levels
    stack = np.array([case.chance, *(each[: len(levels)] for each in others)])
    for users in ("'independent'", "'comonotone'"):
        for name in PLAIN:
            measure = parse_measure(measure_of(name, users))
            together = measure.score(case.ranked, Gains(levels, stack, case.unjudged, "prm"))
            apart = [measure.score(case.ranked, Gains(levels, each, case.unjudged, "prm")) for each in stack]
            np.testing.assert_allclose(together, apart, atol=1e-12)


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.for_users != "no"])
def test_users_survive_printing_and_parsing(name: str) -> None:
    """A measure with users reads back as itself, and is another one than without."""
    depth = FAMILIES[name].example.removeprefix(name)
    for users in ("'independent'", "'comonotone'", "0.25", "0.3,sample=50", "'independent',condition_on_relevant=True"):
        measure = parse_measure(f"{name}(users={users}){depth}")
        assert parse_measure(str(measure)) == measure != parse_measure(f"{name}{depth}")
