"""Agreement coefficients against other tools, and against plain loops over the rows."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable

import krippendorff
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from gainsayer.levels import Levels
from gainsayer.model import Agreement, count_pairs, measure_agreement
from gainsayer.reading import Judgments, collect_judgments, source_from_frame

Row = tuple[str, str, str, int]
SIZE = 4
LEVELS = Levels(("0", "1", "3", "7"))
VALUES = (0, 1, 3, 7)


def judgments_of(rows: Iterable[Row], levels: Levels = LEVELS) -> Judgments:
    """A table of judgments; the last entry of a row is the place of its level."""
    topic, document, assessor, level = zip(*rows, strict=True)
    label = [levels.names[place] for place in level]
    frame = pl.DataFrame({"topic": topic, "document": document, "assessor": assessor, "label": label})
    return collect_judgments([source_from_frame("test", frame)], levels=levels, repeats="all")


def draw_rows(seed: int, *, topics: int = 5, documents: int = 6, assessors: int = 4, kept: float = 0.6) -> list[Row]:
    """Noisy labels around a true level, a part of them missing."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for t, d in itertools.product(range(topics), range(documents)):
        truth = rng.integers(SIZE)
        for a in range(assessors):
            if rng.random() < kept:
                level = truth if rng.random() < 0.5 else rng.integers(SIZE)
                rows.append((f"t{t}", f"d{d}", f"a{a}", int(level)))
    return rows


def group(rows: Iterable[Row]) -> list[list[tuple[str, int]]]:
    """The judgments of each document that two different assessors judged."""
    found: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for topic, document, assessor, level in rows:
        found[topic, document].append((assessor, level))
    return [said for said in found.values() if len({assessor for assessor, _ in said}) > 1]


def weight_of(kind: str, i: int, j: int) -> float:
    """Agreement weight of two levels."""
    return {
        "nominal": float(i == j),
        "linear": 1 - abs(i - j) / (SIZE - 1),
        "quadratic": 1 - ((i - j) / (SIZE - 1)) ** 2,
    }[kind]


def ratio(observed: float, expected: float) -> float:
    """1 - observed / expected, or NaN."""
    return 1 - observed / expected if expected > 1e-9 else math.nan


def loop_many(rows: Iterable[Row]) -> dict[str, float]:
    """The definitions for many assessors, pair by pair."""
    documents = group(rows)
    agreed = {"nominal": 0.0, "quadratic": 0.0}
    prevalence = np.zeros(SIZE)
    o = np.zeros((SIZE, SIZE))
    joint: dict[tuple[str, str], np.ndarray] = defaultdict(lambda: np.zeros((SIZE, SIZE)))
    for said in documents:
        ordered = [(u, v) for u, v in itertools.permutations(said, 2) if u[0] != v[0]]
        for kind in agreed:
            agreed[kind] += np.mean([weight_of(kind, u[1], v[1]) for u, v in ordered])
        for u, v in ordered:
            prevalence[u[1]] += 1 / len(ordered)
            o[u[1], v[1]] += len(said) / len(ordered)
            if u[0] < v[0]:
                times = [sum(name == who for name, _ in said) for who in (u[0], v[0])]
                joint[u[0], v[0]][u[1], v[1]] += sum(times) / (2 * times[0] * times[1])
    pi = prevalence / len(documents)
    answer = {"percent": agreed["nominal"] / len(documents)}
    answer["fleiss_kappa"] = ratio(1 - answer["percent"], 1 - sum(pi**2))
    for name, kind in (("gwet_ac1", "nominal"), ("gwet_ac2", "quadratic")):
        total = sum(weight_of(kind, i, j) for i in range(SIZE) for j in range(SIZE))
        chance = total * sum(p * (1 - p) for p in pi) / (SIZE * (SIZE - 1))
        answer[name] = ratio(1 - agreed[kind] / len(documents), 1 - chance)
    answer |= loop_alpha(o)
    answer |= loop_pooled(list(joint.values()))
    return answer


def loop_pooled(tables: list[np.ndarray]) -> dict[str, float]:
    """1 - sum n Do / sum n De over confusion matrices."""
    answer = {}
    names = {"cohen_kappa": "nominal", "weighted_kappa_linear": "linear", "weighted_kappa_quadratic": "quadratic"}
    for name, kind in (*names.items(), ("scott_pi", "nominal")):
        observed = expected = 0.0
        for table in tables:
            n = table.sum()
            rows, columns = table.sum(axis=1) / n, table.sum(axis=0) / n
            if name == "scott_pi":
                rows = columns = (rows + columns) / 2
            for i, j in itertools.product(range(SIZE), repeat=2):
                observed += table[i, j] * (1 - weight_of(kind, i, j))
                expected += n * rows[i] * columns[j] * (1 - weight_of(kind, i, j))
        answer[name] = ratio(observed, expected)
    return answer


def loop_alpha(o: np.ndarray) -> dict[str, float]:
    """Krippendorff's own formulas on the coincidence matrix."""
    n_k, n = o.sum(axis=1), o.sum()
    distances = {
        "nominal": lambda i, j: float(i != j),
        "ordinal": lambda i, j: (n_k[min(i, j) : max(i, j) + 1].sum() - (n_k[i] + n_k[j]) / 2) ** 2,
        "interval": lambda i, j: float(VALUES[i] - VALUES[j]) ** 2,
    }
    answer = {}
    for kind, distance in distances.items():
        cells = list(itertools.product(range(SIZE), repeat=2))
        observed = sum(o[i, j] * distance(i, j) for i, j in cells) / n
        expected = sum(n_k[i] * n_k[j] * distance(i, j) for i, j in cells) / (n * (n - 1))
        answer[f"krippendorff_alpha_{kind}"] = ratio(observed, expected)
    return answer


def loop_jackknife(estimate: float, left_out: list[float], lowest: float) -> tuple[float, float] | None:
    """Estimate ± t se, by the book."""
    topics = len(left_out)
    if topics < 2 or any(map(math.isnan, left_out)):
        return None
    mean = sum(left_out) / topics
    error = math.sqrt((topics - 1) / topics * sum((value - mean) ** 2 for value in left_out))
    reach = stats.t.ppf(0.975, topics - 1) * error
    return max(estimate - reach, lowest), min(estimate + reach, 1.0)


def values_of(agreement: Agreement) -> dict[str, float]:
    """The coefficients' values."""
    return {name: found.value for name, found in agreement.coefficients.items()}


def check_intervals(agreement: Agreement, left_out: list[dict[str, float]]) -> None:
    """Each interval is the one a loop over topics gives."""
    for name, found in agreement.coefficients.items():
        lowest = 0.0 if name == "percent" else -1.0
        expected = loop_jackknife(found.value, [without[name] for without in left_out], lowest)
        if expected is None:
            assert found.interval is None
            assert found.note
        else:
            assert found.interval == pytest.approx(expected, abs=1e-9), name


def topics_with_pairs(rows: list[Row]) -> list[str]:
    """Topics that hold a document judged by two assessors."""
    return [topic for topic in sorted({row[0] for row in rows}) if group(row for row in rows if row[0] == topic)]


@pytest.mark.parametrize("seed", range(6))
def test_two_assessors_match_sklearn_and_statsmodels(seed: int) -> None:
    """Kappa, plain and weighted, of two assessors is what scikit-learn and statsmodels give, as sides or as a panel."""
    rows = draw_rows(seed, topics=3, documents=12, assessors=2, kept=1.0)
    agreement = measure_agreement(judgments_of(rows), first=["a0"], second=["a1"])
    assert values_of(measure_agreement(judgments_of(rows))) == pytest.approx(
        values_of(agreement), abs=1e-12, nan_ok=True
    )
    one, two = ([level for _, _, name, level in rows if name == assessor] for assessor in ("a0", "a1"))
    weights = {"cohen_kappa": None, "weighted_kappa_linear": "linear", "weighted_kappa_quadratic": "quadratic"}
    found = values_of(agreement)
    for name, kind in weights.items():
        expected = cohen_kappa_score(one, two, weights=kind, labels=range(SIZE))
        assert found[name] == pytest.approx(expected, abs=1e-12)
    table = inter_rater.to_table(np.column_stack([one, two]), bins=SIZE)[0]
    for name, wt in (
        ("cohen_kappa", None),
        ("weighted_kappa_linear", "linear"),
        ("weighted_kappa_quadratic", "quadratic"),
    ):
        expected = inter_rater.cohens_kappa(table, wt=wt, return_results=False)
        assert found[name] == pytest.approx(expected, abs=1e-12)
    assert found["scott_pi"] == pytest.approx(found["fleiss_kappa"], abs=1e-12)
    # The same numbers in another order of adding: equal but for the last digits, which depend on where arrays lie.
    for name, alone in agreement.assessor_pairs[0].coefficients.items():
        assert alone.value == pytest.approx(found[name], abs=1e-12)
        assert alone.interval == pytest.approx(agreement.coefficients[name].interval, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_fleiss_matches_statsmodels(seed: int) -> None:
    """Fleiss' kappa of assessors who judged everything is what statsmodels gives."""
    rows = draw_rows(seed, assessors=5, kept=1.0)
    labels = np.array([level for *_, level in rows]).reshape(-1, 5)
    table = inter_rater.aggregate_raters(labels, n_cat=SIZE)[0]
    found = values_of(measure_agreement(judgments_of(rows)))
    assert found["fleiss_kappa"] == pytest.approx(inter_rater.fleiss_kappa(table, method="fleiss"), abs=1e-12)


@pytest.mark.parametrize("assessors", [2, 3, 7])
@pytest.mark.parametrize("seed", range(4))
def test_alpha_matches_krippendorff_with_missing_labels(seed: int, assessors: int) -> None:
    """Alpha with any number of assessors and labels missing is what the krippendorff package gives."""
    rows = draw_rows(seed, assessors=assessors)
    units = {key: place for place, key in enumerate(sorted({row[:2] for row in rows}))}
    table = np.full((assessors, len(units)), np.nan)
    for topic, document, assessor, level in rows:
        table[int(assessor[1:]), units[topic, document]] = VALUES[level]
    found = values_of(measure_agreement(judgments_of(rows)))
    for kind in ("nominal", "ordinal", "interval"):
        expected = krippendorff.alpha(table, level_of_measurement=kind, value_domain=list(VALUES))
        assert found[f"krippendorff_alpha_{kind}"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_many_assessors_match_loops_with_their_intervals(seed: int) -> None:
    """With labels missing, every coefficient and interval is what loops over pairs and topics give."""
    rows = draw_rows(seed, assessors=3 + seed % 3)
    agreement = measure_agreement(judgments_of(rows))
    assert values_of(agreement) == pytest.approx(loop_many(rows), abs=1e-12)
    topics = topics_with_pairs(rows)
    assert agreement.topics == len(topics)
    check_intervals(agreement, [loop_many(row for row in rows if row[0] != topic) for topic in topics])
    for pair in agreement.assessor_pairs:
        alone = [row for row in rows if row[2] in (pair.first, pair.second)]
        expected = measure_agreement(judgments_of(alone), first=[pair.first])
        assert (pair.pairs, pair.topics) == (expected.pairs, expected.topics)
        assert repr(pair.coefficients) == repr(expected.coefficients)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["t1", "t2", "t3"]),
            st.sampled_from(["d1", "d2"]),
            st.sampled_from(["a", "b", "c", "d"]),
            st.integers(0, SIZE - 1),
        ),
        min_size=4,
        max_size=30,
    )
)
def test_one_assessors_repeats_never_pair(rows: list[Row]) -> None:
    """Whatever is missing or repeated, the answer is that of loops that skip pairs of one assessor."""
    if len({row[2] for row in rows}) < 3 or not group(rows):
        return
    judgments = judgments_of(rows)
    agreement = measure_agreement(judgments)
    assert values_of(agreement) == pytest.approx(loop_many(rows), abs=1e-9, nan_ok=True)
    pairs = sum(u[0] != v[0] for said in group(rows) for u, v in itertools.combinations(said, 2))
    assert agreement.pairs == pairs == sum(pair.pairs for pair in agreement.assessor_pairs)
    assert agreement.documents == len(group(rows))
    np.testing.assert_allclose(agreement.counts, count_pairs(judgments).matrix, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_sides_of_groups_come_from_one_matrix(seed: int) -> None:
    """Groups as sides are scored from J as two assessors are, with intervals over topics."""
    rows = draw_rows(seed, assessors=4)
    sides = {"first": ["a2", "a0"], "second": ["a1", "a3"]}
    judgments = judgments_of(rows)
    agreement = measure_agreement(judgments, **sides)
    counts = count_pairs(judgments, **sides)
    np.testing.assert_allclose(agreement.counts, counts.matrix, atol=1e-12)

    def loop_sides(matrix: np.ndarray) -> dict[str, float]:
        found = loop_pooled([matrix]) | loop_alpha(matrix + matrix.T)
        n, pi = matrix.sum(), (matrix.sum(axis=0) + matrix.sum(axis=1)) / (2 * matrix.sum())
        found |= {"percent": np.trace(matrix) / n, "fleiss_kappa": found["scott_pi"]}
        for name, kind in (("gwet_ac1", "nominal"), ("gwet_ac2", "quadratic")):
            weights = np.array([[weight_of(kind, i, j) for j in range(SIZE)] for i in range(SIZE)])
            chance = weights.sum() * (pi * (1 - pi)).sum() / (SIZE * (SIZE - 1))
            found[name] = ((weights * matrix).sum() / n - chance) / (1 - chance)
        return found

    assert values_of(agreement) == pytest.approx(loop_sides(counts.matrix), abs=1e-12)
    check_intervals(agreement, [loop_sides(counts.matrix - part) for part in counts.counts])
    names = sorted((pair.first, pair.second) for pair in agreement.assessor_pairs)
    assert names == [("a0", "a1"), ("a0", "a3"), ("a2", "a1"), ("a2", "a3")]
