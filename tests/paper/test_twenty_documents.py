"""The paper's example of twenty documents, judged by two assessors."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

import gainsayer as gs

FIRST = list("22101101211120101100")
SECOND = list("12112001220210120100")

# threshold, estimator, sides exchanged: p(R|2), p(R|1), p(R|0)
PARAMETERS = {
    ("2", "one-sided", False): ("2/4", "3/10", "1/6"),
    ("2", "one-sided", True): ("2/6", "2/7", "0/7"),
    ("2", "symmetric", False): ("4/10", "5/17", "1/13"),
    ("1", "one-sided", False): ("4/4", "7/10", "2/6"),
    ("1", "one-sided", True): ("5/6", "6/7", "3/7"),
    ("1", "symmetric", False): ("9/10", "13/17", "5/13"),
}
BINOMIAL = {"2": (0.154919, 0.110510, 0.073905), "1": (0.094868, 0.102879, 0.134932)}
PAIR = {"2": (0.195959, 0.120860, 0.075777), "1": (0.096954, 0.110076, 0.158774)}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The two assessors' qrels."""
    for name, labels in (("U1", FIRST), ("U2", SECOND)):
        lines = [f"q1 0 d{place:02} {label}\n" for place, label in enumerate(labels, start=1)]
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
    return tmp_path / "U1.qrels", tmp_path / "U2.qrels"


@pytest.mark.parametrize(("case", "expected"), PARAMETERS.items())
def test_fit_gives_the_fractions_of_the_paper(
    case: tuple[str, str, bool],
    expected: tuple[str, ...],
    files: tuple[Path, Path],
    run: Callable[..., Result],
) -> None:
    """`gainsayer fit` prints numerator and denominator of every parameter exactly as the paper counts them."""
    threshold, estimator, exchanged = case
    given = files[::-1] if exchanged else files
    result = run("fit", *given, "--threshold", threshold, "--estimator", estimator, "--format", "json", "--quiet")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    found = [
        (entry["relevant_count"], entry["judged_count"], entry["probability"]) for entry in document["levels"][::-1]
    ]
    for text, (relevant, judged, probability) in zip(expected, found, strict=True):
        assert f"{relevant}/{judged}" == text
        assert probability == float(Fraction(text))
    assert document["threshold"] == threshold
    assert document["estimator"] == estimator
    assert document["pairs"] == 20


def test_fit_prints_the_counts_of_the_paper(files: tuple[Path, Path], run: Callable[..., Result]) -> None:
    """Rows are the first assessor, columns the second (T1)."""
    document = json.loads(run("fit", *files, "--format", "json").stdout)
    assert document["counts"] == [[4, 1, 1], [3, 4, 3], [0, 2, 2]]
    assert document["threshold"] == "2", "the top level is the default"
    assert document["relevant"] == ["2"]


@pytest.mark.parametrize("threshold", ["2", "1"])
def test_errors_of_the_symmetric_estimate(threshold: str, files: tuple[Path, Path], run: Callable[..., Result]) -> None:
    """The binomial and the pair error have their known values to the sixth digit; one topic gives no topic error."""
    result = run("fit", *files, "--threshold", threshold, "--estimator", "symmetric", "--format", "json")
    document = json.loads(result.stdout)
    for entry, binomial, pair in zip(document["levels"][::-1], BINOMIAL[threshold], PAIR[threshold], strict=True):
        assert entry["standard_error"]["binomial"] == pytest.approx(binomial, abs=5e-7)
        assert entry["standard_error"]["pair"] == pytest.approx(pair, abs=5e-7)
        assert entry["standard_error"]["topic"] is None
        assert entry["interval"] is None
    assert "single-topic" in [warning["code"] for warning in document["warnings"]]


def test_pair_error_follows_equation_23() -> None:
    """For relevant levels the design effect is 1 + s(1-p)/p, for the others 1 + s p/(1-p), and 2 - p at the top."""
    disagreement = gs.estimate_disagreement(gs.count_pairs(gs.twenty_documents()))
    for threshold in ("1", "2"):
        relevance = disagreement.levels.at_or_above(threshold)
        prediction = gs.predict_relevance(disagreement, relevance)
        p, same = prediction.probability, np.diagonal(disagreement.matrix)
        effect = np.where(relevance.mask, 1 + same * (1 - p) / p, 1 + same * p / (1 - p))
        np.testing.assert_allclose(prediction.pair, prediction.binomial * np.sqrt(effect), rtol=1e-12)
        if threshold == "2":
            assert (prediction.pair[2] / prediction.binomial[2]) ** 2 == pytest.approx(2 - p[2])


def test_binary_collapse_is_scotts_pi() -> None:
    """Identity I6: merged to two levels at the threshold, p(R|R) - p(R|not R) is Scott's pi: 0.2 and 0.430199."""
    labels = gs.twenty_documents().frame()
    for threshold, pi in ((2, 0.2), (1, 0.430199)):
        frame = labels.with_columns(level=(labels["level"].cast(int) >= threshold).cast(int))
        binary = gs.read_judgments(frame)
        prediction = gs.predict_relevance(gs.estimate_disagreement(gs.count_pairs(binary)))
        assert prediction.probability[1] - prediction.probability[0] == pytest.approx(pi, abs=5e-7)


def test_utilities() -> None:
    """Linear and exponential gains corrected for disagreement, `P u`."""
    disagreement = gs.estimate_disagreement(gs.count_pairs(gs.twenty_documents()))
    linear = gs.gains.utility_gains(disagreement, np.array([0.0, 1, 2]))
    exponential = gs.gains.utility_gains(disagreement, {"0": 0, "1": 1, "2": 3})
    assert linear.values == pytest.approx([0.461538, 1.058824, 1.3], abs=5e-7)
    assert exponential.values == pytest.approx([0.538462, 1.352941, 1.7], abs=5e-7)
