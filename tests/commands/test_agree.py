"""`agree`: coefficients beside scikit-learn's, over all topics and per stratum."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import gainsayer as gs
from gainsayer import Reading

FIRST = {f"q{t}": {f"d{n}": (n * t + n) % 3 for n in range(6)} for t in range(4)}
SECOND = {f"q{t}": {f"d{n}": (n * t + n + (n + t) % 4 // 3) % 3 for n in range(6)} for t in range(4)}
STRATA = {"q0": "nav", "q1": "nav", "q2": "inf", "q3": "inf"}


def pairs(topics: list[str]) -> tuple[list[int], list[int]]:
    """Both sides' labels of the same documents."""
    both = [(FIRST[topic][name], SECOND[topic][name]) for topic in topics for name in FIRST[topic]]
    return [one for one, _ in both], [two for _, two in both]


def test_kappas_are_those_of_scikit_learn() -> None:
    """Unweighted, linear and quadratic, of all topics and of each stratum."""
    table = gs.agree(Reading(({"U1": FIRST, "U2": SECOND},), strata=STRATA))
    parts = {None: list(FIRST), "nav": ["q0", "q1"], "inf": ["q2", "q3"]}
    for stratum, topics in parts.items():
        found = (table.agreement if stratum is None else table.strata[stratum]).coefficients
        for key, weights in (("cohen_kappa", None), ("weighted_kappa_linear", "linear")):
            assert found[key].value == pytest.approx(cohen_kappa_score(*pairs(topics), weights=weights))
        quadratic = cohen_kappa_score(*pairs(topics), weights="quadratic")
        assert found["weighted_kappa_quadratic"].value == pytest.approx(quadratic)
        assert found["percent"].value == pytest.approx(np.mean(np.equal(*pairs(topics))))


def test_findings_of_all_parts_once_and_provenance() -> None:
    """A stratum without pairs is said; what was asked for is recorded."""
    second = {topic: labels for topic, labels in SECOND.items() if topic < "q2"}
    table = gs.agree(Reading(({"U1": FIRST, "U2": second},), strata=STRATA), confidence=0.8)
    assert set(table.strata) == {"nav"}
    codes = [finding.code for finding in table.findings]
    assert codes.count("stratum-without-pairs") == 1
    assert len(table.findings) == len(set(table.findings))
    assert table.provenance is not None
    assert table.provenance.options["confidence"] == 0.8


def test_a_second_round_chosen_by_the_first_labels_is_said() -> None:
    """Kappa of the documents that were judged again is not that of all: `agree` warns as `fit` does."""
    rng = np.random.default_rng(2)
    first = {f"q{t}": {f"d{n}": int(rng.integers(0, 3)) for n in range(60)} for t in range(10)}
    again = {
        topic: {name: min(level + int(rng.random() < 0.2), 2) for name, level in labels.items() if level or name < "d2"}
        for topic, labels in first.items()
    }
    warned = {finding.code for finding in gs.agree({"a": first, "b": again}, first="a", second="b").findings}
    assert "biased-second-sample" in warned
    assert "biased-second-sample" in {finding.code for finding in gs.fit({"a": first}, {"b": again}).findings}
    fair = {topic: dict(list(labels.items())[:20]) for topic, labels in first.items()}
    even = gs.agree({"a": first, "b": fair}, first="a", second="b")
    assert "biased-second-sample" not in {finding.code for finding in even.findings}


def test_all_labels_may_be_named_before_some_are_merged() -> None:
    """Levels named from low to high, one of them merged into the next: its number goes there, too."""
    named = gs.agree([("a", FIRST), ("b", SECOND)], levels="Non,Rel,Key", merges={"Rel": "Key"})
    merged = gs.agree([("a", FIRST), ("b", SECOND)], merges={"1": "2"})
    assert named.agreement.levels.names == ("Non", "Key")
    assert named.agreement.counts.tolist() == merged.agreement.counts.tolist()
    coded = gs.agree([("a", FIRST), ("b", SECOND)], levels="Non=0,Rel=1,Key=2", merges={"Rel": "Key"})
    assert coded.agreement.counts.tolist() == merged.agreement.counts.tolist()
