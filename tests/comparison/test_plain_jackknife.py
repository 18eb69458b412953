"""The engine against a plain reading of its formulas: loops over topics, one number at a time."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import mean

import numpy as np
import pytest
from scipy.stats import t as student

from gainsayer.comparison import Comparison, compare_runs
from gainsayer.gains import Gains, prm_scheme, udm_scheme
from gainsayer.levels import Levels
from gainsayer.measures import Measure, parse_measure
from gainsayer.model import PairCounts, estimate_disagreement
from gainsayer.ranking import RankedLevels, keep_topics, ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
ONE = LEVELS.at_or_above("1")
TOP = LEVELS.at_or_above("2")
STEP = 1e-4


@dataclass
class World:
    """Runs on scored topics, and counts [level][level] of doubly judged topics, some of them scored."""

    topics: list[str]
    runs: list[RankedLevels]
    counts: dict[str, list[list[int]]]


def make_world(seed: int, *, scored: int, twice: int, elsewhere: int) -> World:
    """Random lists with unjudged documents, and a random number of pairs on `twice` of the topics and on others."""
    rng = np.random.default_rng(seed)
    topics = [f"q{place:02}" for place in range(scored)]
    pool = {topic: rng.integers(1, 5, 3).tolist() for topic in topics}
    runs = []
    for name in ("a", "b", "c"):
        lists: dict[str, list[int | None]] = {}
        for topic in topics:
            stock = [level for level, count in enumerate(pool[topic]) for _ in range(count)] + [None] * 3
            order = rng.permutation(len(stock))[: rng.integers(2, len(stock))]
            lists[topic] = [stock[place] for place in order]
        runs.append(ranked_from_lists(lists, pool, levels=LEVELS, name=name))
    names = [*topics[:twice], *(f"x{place:02}" for place in range(elsewhere))]
    counts = {name: rng.integers(0, 7, (3, 3)).tolist() for name in names}
    return World(topics, runs, counts)


class Plain:
    """The formulas of the engine, read aloud: every quantity is a function of three mean scores."""

    def __init__(self, world: World, measure: Measure, scheme: str, by_hand: dict[int, float]) -> None:
        self.world, self.measure, self.scheme, self.by_hand = world, measure, scheme, by_hand
        self.relevant = (1, 2) if scheme == "prm" else (2,)
        self.scored, self.paired = world.topics, list(world.counts)
        self.every = [*self.scored, *(name for name in self.paired if name not in self.scored)]
        self.single = {
            (at, topic): keep_topics(run, [topic]) for at, run in enumerate(world.runs) for topic in self.scored
        }
        twice = [name for name in self.scored if name in self.paired]
        once = [name for name in self.scored if name not in self.paired]
        away = [name for name in self.paired if name not in self.scored]
        kinds = [kind for kind in (twice, once, away) if kind]
        self.slopes: dict[tuple[int, str, int], float] = {}
        self.whole = self.probabilities()
        self.groups = [self.every] if any(len(kind) == 1 for kind in kinds) else kinds

    def probabilities(self, without: str | None = None) -> list[float]:
        """p(R|i), symmetric, without one topic's pairs."""
        found = []
        for level in range(3):
            relevant = judged = 0
            for name, cells in self.world.counts.items():
                if name == without:
                    continue
                for other in range(3):
                    both = cells[level][other] + cells[other][level]
                    judged += both
                    relevant += both if other in self.relevant else 0
            found.append(relevant / judged)
        return found

    def gains(self, probability: list[float]) -> list[float]:
        """PRM: p(R|i), or what was given by hand. UDM: 0, p(T|1), 1."""
        if self.scheme == "udm":
            return [0.0, probability[1], 1.0]
        return [self.by_hand.get(level, probability[level]) for level in range(3)]

    def scores(self, probability: list[float], without: str | None = None) -> list[float]:
        """The mean score of each run over the topics but one, to first order in the gains."""
        start, gains = self.gains(self.whole), self.gains(probability)
        kept = [topic for topic in self.scored if topic != without]
        found = []
        for at in range(len(self.world.runs)):
            values = []
            for topic in kept:
                value = self.score(at, topic, start)
                for level in range(3):
                    value += self.slope(at, topic, level) * (gains[level] - start[level])
                values.append(value)
            found.append(mean(values))
        return found

    def score(self, run: int, topic: str, gains: list[float]) -> float:
        """One list."""
        return float(self.measure.score(self.single[run, topic], Gains(LEVELS, np.array(gains)))[0])

    def slope(self, run: int, topic: str, level: int) -> float:
        """By how much a list's score rises with the gain of a level that is estimated."""
        key = run, topic, level
        if key not in self.slopes:
            sides = []
            for sign in (1, -1):
                gains = list(self.gains(self.whole))
                gains[level] += sign * STEP
                sides.append(self.score(run, topic, gains) if 0 <= gains[level] <= 1 else 0.0)
            self.slopes[key] = (sides[0] - sides[1]) / (2 * STEP) if 0 < self.gains(self.whole)[level] < 1 else 0.0
        return self.slopes[key]

    def replicates(self) -> None:
        """Everything a quantity needs: mean scores without each topic, and for gains a little higher and lower."""
        whole = self.whole
        self.estimate = self.scores(whole)
        self.joint = {
            name: self.scores(self.probabilities(name), name if name in self.scored else None) for name in self.every
        }
        self.alone = [self.scores(whole, name) for name in self.scored]
        self.moved = [self.scores(self.probabilities(name)) for name in self.paired]
        self.sides = []
        for level in range(3):
            both = []
            for sign in (1, -1):
                p = list(whole)
                p[level] += sign * STEP
                both.append(self.scores(p))
            self.sides.append(both)

    def engine(self, theta):  # type: ignore[no-untyped-def]
        """Influences by topic, s and df of one quantity."""
        influence = {}
        for group in self.groups:
            centre = mean(theta(self.joint[name]) for name in group)
            for name in group:
                influence[name] = -sqrt((len(group) - 1) / len(group)) * (theta(self.joint[name]) - centre)
        s = sqrt(sum(value**2 for value in influence.values()))
        variance = []
        for replicates in (self.alone, self.moved):
            values = [theta(x) for x in replicates]
            variance.append((len(values) - 1) / len(values) * sum((value - mean(values)) ** 2 for value in values))
        phi = variance[1] / (variance[0] + variance[1])
        v = []
        for name in self.paired:
            total = 0.0
            for level in range(3):
                slope = (theta(self.sides[level][0]) - theta(self.sides[level][1])) / (2 * STEP)
                own = sum(self.world.counts[name][level][j] + self.world.counts[name][j][level] for j in range(3))
                every = sum(c[level][j] + c[j][level] for c in self.world.counts.values() for j in range(3))
                total += (slope / every) ** 2 * self.whole[level] * (1 - self.whole[level]) * own
            v.append(total)
        squares = sum(value**2 for value in v)
        borne = squares**2 / sum(value**4 for value in v) if squares else len(self.paired)
        topics = len(self.scored)
        df = 1 / (phi**2 / max(borne - 1, 1) + (1 - phi) ** 2 / (topics - 1))
        return influence, s, min(max(df, 1), topics - 1)

    def score_interval(self, run: int) -> tuple[float, float]:
        """exp(log x ± t s)."""
        _, s, df = self.engine(lambda x: log(x[run]))
        half = student.ppf(0.975, df) * s
        return self.estimate[run] * exp(-half), self.estimate[run] * exp(half)

    def difference(self, a: int, b: int, confidence: float):  # type: ignore[no-untyped-def]
        """lower, upper, r, s_r, df_r, and the influences on r."""

        def relative(x):  # type: ignore[no-untyped-def]
            return (x[a] - x[b]) / ((x[a] + x[b]) / 2)

        i_r, s_r, df_r = self.engine(relative)
        i_m, s_m, df_m = self.engine(lambda x: log((x[a] + x[b]) / 2))
        m, r = (self.estimate[a] + self.estimate[b]) / 2, relative(self.estimate)
        rho = sum(i_r[name] * i_m[name] for name in i_r) / (s_r * s_m)
        tail = (1 + confidence) / 2
        size, sign = abs(r), 1 if r >= 0 else -1
        rho *= sign
        reach = m * student.ppf(tail, df_r) * s_r
        lo, hi = (m * exp(way * student.ppf(tail, df_m) * s_m) for way in (-1, 1))
        b_lo, b_hi = size * (m - lo), size * (hi - m)
        lower = size * m - sqrt(
            max(0, reach**2 + (b_lo**2 + 2 * rho * reach * b_lo) * max(0, 1 - (reach / (size * m)) ** 2))
        )
        upper = size * m + sqrt(max(0, reach**2 + b_hi**2 + 2 * rho * reach * b_hi))
        if reach < size * m and lower <= 0:
            lower = (size * m - reach) * lo / m
        return ((lower, upper) if sign > 0 else (-upper, -lower)), r, s_r, df_r, list(i_r.values())


def compare(world: World, measure: str, scheme: str, by_hand: dict[int, float], flips: int) -> Comparison:
    """The same by the package."""
    counts = PairCounts.from_matrix(LEVELS, list(world.counts.values()), topics=list(world.counts))
    model = estimate_disagreement(counts, estimator="symmetric")
    given = {str(level): gain for level, gain in by_hand.items()}
    made = udm_scheme(model) if scheme == "udm" else prm_scheme(model, ONE, overrides=given)
    return compare_runs(world.runs, [parse_measure(measure)], [made], permutations=flips, draws=2, seed=1)


WORLDS = [
    ("nDCG@3", "prm", {}, 9, 5, 0),
    ("P@4", "prm", {}, 8, 8, 0),
    ("DCG@3", "prm", {0: 0.05}, 7, 4, 3),
    ("NumRel", "udm", {}, 9, 6, 2),
    ("AP", "prm", {}, 8, 4, 0),
    ("RR", "prm", {}, 7, 7, 3),
    ("ERR@4", "udm", {}, 8, 8, 0),
    ("nDCG", "prm", {2: 1.0}, 10, 9, 0),
    ("Q", "prm", {}, 6, 0, 5),
]


@pytest.mark.parametrize(("measure", "scheme", "by_hand", "scored", "twice", "elsewhere"), WORLDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_engine_is_the_plain_reading(
    measure: str, scheme: str, by_hand: dict[int, float], scored: int, twice: int, elsewhere: int, seed: int
) -> None:
    """Intervals of scores and differences, p-values and degrees of freedom are those of loops over topics, to 1e-6."""
    world = make_world(seed, scored=scored, twice=twice, elsewhere=elsewhere)
    plain = Plain(world, parse_measure(measure), scheme, by_hand)
    plain.replicates()
    part = compare(world, measure, scheme, by_hand, 1000).parts[0]
    highest = {"P@4": 1.0, "nDCG@3": 1.0, "nDCG": 1.0, "AP": 1.0, "RR": 1.0, "ERR@4": 1.0, "Q": 1.0}.get(
        measure, np.inf
    )
    if measure == "DCG@3":
        highest = 1 + 1 / np.log2(3) + 1 / 2
    for run in range(3):
        expected = np.minimum(plain.score_interval(run), highest)
        assert part.standings.interval[run] == pytest.approx(expected, rel=1e-6)
    found = part.differences
    assert found is not None
    for at, (a, b) in enumerate(zip(found.a.tolist(), found.b.tolist(), strict=True)):
        ends, r, s, df, _ = plain.difference(a, b, 0.95)
        assert found.interval[at] == pytest.approx(np.clip(ends, -highest, highest), rel=1e-6, abs=1e-9)
        half = student.ppf(0.975, df) * s
        assert found.relative_interval[at] == pytest.approx(np.clip([r - half, r + half], -2, 2), rel=1e-6)
        # Here d theta / d g is a difference of two quantities over 1e-4, so that df has less digits.
        assert found.degrees[at] == pytest.approx(df, rel=1e-6)
        assert found.p[at] == pytest.approx(2 * student.sf(abs(r) / s, df), rel=1e-6)


@pytest.mark.parametrize("seed", [1, 2])
def test_all_pairs_are_the_plain_reading(seed: int) -> None:
    """With all 2^9 sign patterns, adjusted p-values and simultaneous intervals are those of loops over patterns."""
    world = make_world(seed, scored=9, twice=6, elsewhere=0)
    plain = Plain(world, parse_measure("nDCG@3"), "prm", {})
    plain.replicates()
    found = compare(world, "nDCG@3", "prm", {}, 512).parts[0].differences
    assert found is not None
    assert found.flips == 512
    pairs = [plain.difference(int(a), int(b), 0.95) for a, b in zip(found.a, found.b, strict=True)]
    largest = []
    for pattern in range(512):
        eps = [-1 if pattern >> place & 1 else 1 for place in range(9)]
        ratios = []
        for *_, influence in pairs:
            total = sum(sign * value for sign, value in zip(eps, influence, strict=True))
            square = sum(value**2 for value in influence)
            ratios.append(abs(total) / sqrt(9 / 8 * (square - total**2 / 9)))
        largest.append(max(ratios))
    # p <= .05 asks that at most k = floor(.05 x 513) - 1 patterns reach the pair's t: c is the next largest.
    critical = sorted(largest, reverse=True)[int(0.05 * 513) - 1]
    share = 2 * student.sf(critical, 8)
    for at, (_, r, s, df, _) in enumerate(pairs):
        own = student.isf(student.sf(abs(r) / s, df), 8)
        expected = (1 + sum(value >= own for value in largest)) / 513
        assert found.p_adjusted[at] == pytest.approx(expected, abs=1e-12)
        half = student.isf(share / 2, df) * s
        ends = np.clip([r - half, r + half], -2, 2)
        # The largest sums are kept in single precision.
        assert found.simultaneous_relative_interval[at] == pytest.approx(ends, rel=1e-5, abs=1e-6)
        absolute, *_ = plain.difference(int(found.a[at]), int(found.b[at]), 1 - share)
        assert found.simultaneous_interval[at] == pytest.approx(np.clip(absolute, -1, 1), rel=1e-5, abs=1e-6)
