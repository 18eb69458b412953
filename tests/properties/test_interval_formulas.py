"""Intervals of p(R|i) against a second reading of their formulas: plain loops over topics, people and opinions."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import gainsayer as gs
from gainsayer.model import topic_intervals

Make = Callable[..., gs.Judgments]
# An opinion: topic, who was first and second of its pair, the label that is given, the one that is predicted, weight.
Opinion = tuple[str, str, str, int, int, float]
Ends = tuple[float, float] | None


def expit(x: float) -> float:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def clopper_pearson(a: list[list[float]], b: list[list[float]], level: int, confidence: float) -> Ends:
    """The ends where no topic changes the share: all (or no) opinions are relevant, or the same share in each topic."""
    topics = sum(1 for row in b if sum(row) > 0)
    total = sum(row[level] for row in b)
    effects = [0.0]
    for other in range(len(b[0])):
        amount = sum(row[other] for row in b)
        p = sum(row[other] for row in a) / amount if amount > 0 else 0
        if other != level and 0 < p < 1:
            squares = sum((x[other] - p * y[other]) ** 2 for x, y in zip(a, b, strict=True))
            variance = topics / (topics - 1) * squares / amount**2
            effects.append(variance / (p * (1 - p) / amount))
    n = min(total / max(1, *effects), 3 * total**2 / sum(row[level] ** 2 for row in b))
    tail = (1 - confidence) / 2
    share = sum(row[level] for row in a) / total
    if min(share, 1 - share) < 1e-12:
        return (0.0, 1 - tail ** (1 / n)) if share < 0.5 else (tail ** (1 / n), 1.0)
    x = n * share
    return float(stats.beta.ppf(tail, x, n - x + 1)), float(stats.beta.ppf(1 - tail, x + 1, n - x))


def over_topics(a: list[list[float]], b: list[list[float]], level: int, confidence: float) -> Ends:
    """The interval over topics of one level, `a` and `b` being lists of topics with a number for each level."""
    held = [row[level] for row in b]
    if sum(1 for x in held if x > 0) < 2:
        return None
    relevant = [row[level] for row in a]
    other = [y - x for x, y in zip(relevant, held, strict=True)]
    topics = sum(1 for row in b if sum(row) > 0)
    if sum(relevant) == 0 or sum(other) == 0:
        return clopper_pearson(a, b, level, confidence)

    def rest(values: list[float], left: int) -> float:
        return math.fsum(x for t, x in enumerate(values) if t != left)

    places = range(len(held))
    edge = any(rest(relevant, t) == 0 or rest(other, t) == 0 for t in places)
    add = 0.5 if edge else 0.0
    f = math.log((math.fsum(relevant) + add) / (math.fsum(other) + add))
    d = [math.log((rest(relevant, t) + add) / (rest(other, t) + add)) - f for t in places]
    h = [x / math.fsum(held) for x in held]
    s = math.sqrt(math.fsum((1 - h[t]) * d[t] ** 2 for t in places))
    if s < 1e-10:
        return clopper_pearson(a, b, level, confidence)
    psi = [-math.sqrt(1 - h[t]) * d[t] for t in places]
    k = 0.0 if edge else 0.75 * math.fsum(x**3 for x in psi) / math.fsum(x**2 for x in psi) ** 1.5
    effective = math.fsum(x**1.5 for x in held) ** 2 / math.fsum(x**3 for x in held)
    q = float(stats.t.ppf((1 + confidence) / 2, min(topics - 1, max(2, effective))))

    def g(x: float) -> float:
        if abs(k) < 1e-6:
            return x
        y = 1 + k * (x - k / 6)
        if y < 0:
            return -max(abs(x), 3 / abs(k)) if k > 0 else max(abs(x), 3 / abs(k))
        return 3 / k * (y ** (1 / 3) - 1)

    return expit(f - s * g(q)), expit(f - s * g(-q))


def compare(found: np.ndarray, expected: Ends) -> None:
    """Both ends to 1e-12, or none on either side."""
    if expected is None:
        assert np.isnan(found).all()
    else:
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@given(data=st.data(), confidence=st.sampled_from([0.8, 0.95, 0.99]))
@settings(max_examples=300)
def test_interval_over_topics_is_that_of_plain_loops(data: st.DataObject, confidence: float) -> None:
    """Part 1 with all its edges: empty topics, one topic with all events, estimates of 0 and 1, equal topics."""
    topics, levels = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 3))
    # Few different sizes, many zeros: the edges come up often.
    size = st.sampled_from([0, 0, 1, 2, 5, 40])
    scale = data.draw(st.sampled_from([1.0, 0.3, 7.7]))
    judged = [[data.draw(size) for _ in range(levels)] for _ in range(topics)]
    relevant = [[data.draw(st.integers(0, x)) for x in row] for row in judged]
    a = [[scale * x for x in row] for row in relevant]
    b = [
        [scale * x + scale * (y - x) for x, y in zip(*rows, strict=True)] for rows in zip(relevant, judged, strict=True)
    ]
    found = topic_intervals(np.array(a), np.array(b), confidence=confidence)
    for level in range(levels):
        compare(found.ends[level], over_topics(a, b, level, confidence))


def test_axes_in_front_are_carried_along() -> None:
    """Many repeats at once give what each gives alone."""
    rng = np.random.default_rng(4)
    judged = rng.integers(0, 6, (50, 3, 5, 2)).astype(float)
    relevant = rng.binomial(judged.astype(int), 0.3).astype(float)
    found = topic_intervals(relevant, judged).ends
    for place in np.ndindex(50, 3):
        np.testing.assert_array_equal(found[place], topic_intervals(relevant[place], judged[place]).ends)


def over_people(
    opinions: list[Opinion],
    relevant: set[int],
    level: int,
    kind: str,
    sides: tuple[set[str], set[str]],
    confidence: float,
) -> Ends:
    """The interval over people from single opinions, the given label being `level`."""
    levels = sorted({x for opinion in opinions for x in (opinion[3], opinion[4])})
    topics = sorted({opinion[0] for opinion in opinions})
    table = [[[x for x in opinions if x[0] == t and x[3] == i] for i in levels] for t in topics]
    b = [[math.fsum(x[5] for x in cell) for cell in row] for row in table]
    a = [[math.fsum(x[5] for x in cell if x[4] in relevant) for cell in row] for row in table]
    own = [x for x in opinions if x[3] == level]
    if len({x[0] for x in own}) < 2:
        return None

    def weigh(chosen: list[Opinion], add: float) -> tuple[float, float]:
        yes = math.fsum(x[5] for x in chosen if x[4] in relevant)
        return yes + add, math.fsum(x[5] for x in chosen if x[4] not in relevant) + add

    if 0.0 in weigh(own, 0.0):
        return clopper_pearson(a, b, levels.index(level), confidence)

    # Each cut: who gives a person's part, and which cell an opinion belongs to.
    cuts: list[tuple[Callable[[Opinion], tuple[str, ...]], Callable[[Opinion], object]]] = []
    if kind == "one team":
        cuts.append((lambda x: (x[1], x[2]), lambda x: (x[0], frozenset(x[1:3]))))
    for place in () if kind == "one team" else (2,) if kind == "one-sided" else (1, 2):
        if len({x[place] for x in opinions}) > 1:
            cuts.append((lambda x, at=place: (str(x[at]),), lambda x, at=place: (x[0], x[at])))  # type: ignore[misc]
    n = 2 if kind == "one team" else len(cuts)
    by_person = [{p: [x for x in own if p in who(x)] for x in opinions for p in who(x)} for who, _ in cuts]
    by_cell = [{cell(x): [y for y in own if cell(y) == cell(x)] for x in opinions} for _, cell in cuts]
    by_topic = {t: [x for x in own if x[0] == t] for t in topics}

    def rest(part: list[Opinion]) -> list[Opinion]:
        return [x for x in own if not any(x is y for y in part)]

    edge = any(0.0 in weigh(rest(part), 0.0) for group in (by_topic, *by_person) for part in group.values())
    add = 0.5 if edge else 0.0

    def logit(chosen: list[Opinion]) -> float:
        yes, no = weigh(chosen, add)
        return math.log(yes / no)

    def mass(part: list[Opinion]) -> float:
        return math.fsum(x[5] for x in part)

    def variance(group: dict[object, list[Opinion]], whole: float) -> float:
        found = 0.0
        for part in group.values():
            h = mass(part) / whole
            if h < 1 - 1e-9:
                found += (1 - h) * (logit(rest(part)) - f) ** 2
        return found

    total, f = mass(own), logit(own)
    held = [mass(part) for part in by_topic.values()]
    v = variance(dict(by_topic), total)
    if v < 1e-20:
        return clopper_pearson(a, b, levels.index(level), confidence)
    number = len({x[0] for x in opinions})
    t_star = sum(x**1.5 for x in held) ** 2 / sum(x**3 for x in held)
    q = float(stats.t.ppf((1 + confidence) / 2, min(number - 1, max(2.0, t_star))))
    noise, net = [], 0.0
    for people, cells in zip(by_person, by_cell, strict=True):
        weights = [mass(part) for part in people.values()]
        worth = sum(weights) ** 2 / sum(x**2 for x in weights)
        t = float(stats.t.ppf((1 + confidence) / 2, max(1.0, worth - 1)))
        noise.append(variance(dict(cells), total))
        net += t**2 * max(0.0, variance(dict(people), sum(weights)) - (1 - 1 / n) * noise[-1])
    reach = math.sqrt(max(q**2 * v, q**2 * max(0.0, v - sum(noise) / len(noise)) + net))
    return expit(f - reach), expit(f + reach)


@given(data=st.data(), kind=st.sampled_from(["one-sided", "teams", "one team"]))
@settings(max_examples=150)
def test_interval_over_people_is_that_of_plain_loops(judge: Make, data: st.DataObject, kind: str) -> None:
    """From single judgments: one side, two teams or one of two, and people who are on both sides."""
    sides = ({"A", "B", "C"}, {"U", "V", "W"})
    rows, opinions = [], []
    label = st.sampled_from([0, 0, 1, 2])
    for topic in range(data.draw(st.integers(2, 4))):
        for document in range(data.draw(st.integers(1, 5))):
            name = f"d{document}"
            if kind == "one team":
                number = data.draw(st.integers(2, 3))
                people = data.draw(st.permutations(["A", "B", "C", "D"]))[:number]
            else:
                people = [data.draw(st.sampled_from(sorted(side))) for side in sides]
            labels = [data.draw(label) for _ in people]
            rows += [(f"q{topic}", name, who, str(x)) for who, x in zip(people, labels, strict=True)]
            said = list(zip(people, labels, strict=True))
            for one, i in said:
                for two, j in said:
                    if one == two or (kind == "one-sided" and one != people[0]):
                        continue
                    pair = (one, two) if kind == "one team" else (people[0], people[1])
                    opinions.append((f"q{topic}", *pair, i, j, 1 / (len(people) - 1)))
    if len({row[2] for row in rows}) < 3:
        return
    judgments = judge(rows, levels=gs.Levels(("0", "1", "2")))
    named = [sorted(side & {row[2] for row in rows}) for side in sides]
    chosen = {} if kind == "one team" else {"first": named[0], "second": named[1], "matched": False}
    counts = gs.count_pairs(judgments, **chosen)
    disagreement = gs.model.Disagreement(
        counts, "one-sided" if kind == "one-sided" else "symmetric", np.full((3, 3), np.nan)
    )
    few = max(map(len, named)) if kind == "teams" else len({x[2] for x in opinions})
    relevance = judgments.levels.at_or_above(data.draw(st.sampled_from(["1", "2"])))
    if few < 2:
        with pytest.raises(gs.CallError, match="at least two named assessors"):
            gs.predict_relevance(disagreement, relevance, interval="people")
        return
    found = gs.predict_relevance(disagreement, relevance, interval="people")
    wanted = {int(name) for name in relevance.names}
    for level in range(3):
        compare(found.interval.ends[level], over_people(opinions, wanted, level, kind, sides, 0.95))
