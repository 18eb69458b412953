"""Model files: what is in one reads back, and what is none is refused in words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gainsayer as gs
from gainsayer import read_model
from gainsayer.errors import CallError, DataError

OTHERS = ("relevant_count", "judged_count", "standard_error", "interval", "interval_method", "note")
NOTHING = dict.fromkeys(("pairs", "strata", "warnings"))
COUNTS = [[3, 1], [1, 2]]


def levels(*probabilities: object) -> list[dict[str, object]]:
    """The entries of levels 0, 2, ... with these probabilities."""
    return [
        {"level": str(2 * place), "probability": value, **dict.fromkeys(OTHERS)}
        for place, value in enumerate(probabilities)
    ]


MODEL: dict[str, Any] = {
    "threshold": "2",
    "relevant": ["2"],
    "estimator": "one-sided",
    "topics": 24,
    "levels": levels(0.1, None),
    "counts": COUNTS,
    **NOTHING,
}
SCHEME = {"names": ["0", "2"], "codes": None, "merges": {"3": "2"}, "missing": ["-1"], "ordered": True}


def write(folder: Path, content: str) -> Path:
    """A model file with this content."""
    path = folder / "model.json"
    path.write_text(content)
    return path


def test_a_model_reads_back(tmp_path: Path) -> None:
    """Probabilities by level, NaN where unknown; any threshold of the model by its name; the levels as fitted."""
    both = [
        {"threshold": "2", "relevant": ["2"], "levels": levels(0.1, None)},
        {"threshold": "0", "relevant": ["0", "2"], "levels": levels(0.9, 1)},
    ]
    content = {"schema_version": 1, **MODEL, "strata": {"nav": {}}, "thresholds": both, "level_scheme": SCHEME}
    model = read_model(write(tmp_path, json.dumps(content)))
    probability = model.at().probability
    assert probability["0"] == 0.1
    assert np.isnan(probability["2"])
    assert model.at("2.0").probability["0"] == 0.1
    assert model.at("0,2").probability == model.at("0").probability == {"0": 0.9, "2": 1}
    assert (model.relevant, model.estimator, model.has_strata) == (["2"], "one-sided", True)
    assert model.levels.match(["3", "-1"]) == {"3": 1, "-1": -1}
    with pytest.raises(CallError, match=r"no threshold '1': it has 2, 0\. Fit it"):
        model.at("1")


def test_what_the_engine_adds_may_be_absent(tmp_path: Path) -> None:
    """The keys that every reader may rely on make a model: one threshold, levels by name, no covariance."""
    model = read_model(write(tmp_path, json.dumps(MODEL)))
    assert model.levels == gs.Levels(("0", "2"))
    assert (model.relevant, model.has_strata, model.at().covariance) == (["2"], False, None)


def test_covariance_and_topics_come_along(tmp_path: Path) -> None:
    """The uncertainty over topics is that of the threshold; null cells are NaN."""
    model = {**MODEL, "covariance": [[0.01, None], [None, 0.04]]}
    found = read_model(write(tmp_path, json.dumps(model))).at()
    assert found.topics == 24
    assert found.covariance is not None
    np.testing.assert_array_equal(found.covariance, [[0.01, np.nan], [np.nan, 0.04]])


@pytest.mark.parametrize("content", ["{", "[1]", "[]", "3", "null", "[" * 100_000, "q1 0 d1 1", "1" * 5000, "NaN"])
def test_a_file_that_is_no_model(content: str, tmp_path: Path) -> None:
    """The data is at fault, the file is named, and the way to make a model stands in the message."""
    with pytest.raises(DataError, match=r"model.json: not a model as `gainsayer fit -o` writes it: .* gainsayer fit"):
        read_model(write(tmp_path, content))


@pytest.mark.parametrize("key", MODEL)
def test_every_key_of_a_model_is_needed(key: str, tmp_path: Path) -> None:
    """A file without one of them is refused, and the message names it."""
    model = {name: value for name, value in MODEL.items() if name != key}
    with pytest.raises(DataError, match=f"not a model .*: no '{key}'"):
        read_model(write(tmp_path, json.dumps(model)))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"schema_version": 2}, "its schema_version is 2, and this version of Gainsayer reads 1"),
        ({"threshold": "0"}, "the threshold '0'"),
        ({"threshold": ["2"]}, "the threshold"),
        ({"relevant": []}, "at least one relevant level"),
        ({"relevant": ["7"]}, "no level '7'"),
        ({"relevant": 3}, ""),
        ({"relevant": "2"}, "'2' relevant, which does not fit 0, 2"),
        ({"relevant": [[[]]]}, ""),
        ({"estimator": "both"}, "the estimator 'both'"),
        ({"estimator": {}}, "the estimator {}"),
        ({"topics": 10**400}, "a whole number of 401 digits"),
        ({"topics": "24"}, "'24' topics"),
        ({"topics": True}, "True topics"),
        ({"strata": 3}, "the strata 3"),
        ({"levels": []}, "two levels"),
        ({"levels": 3}, ""),
        ({"levels": [3]}, "3"),
        ({"levels": levels(0.1)}, "two levels"),
        ({"levels": [*levels(0.1), *levels(0.2)]}, "the level '0', which needs a name of its own"),
        ({"levels": [{"level": "0", "probability": 0.1}]}, "no 'relevant_count', 'judged_count'"),
        ({"levels": [{**entry, "level": 3} for entry in levels(0.1, 0.2)]}, "the level 3"),
        ({"thresholds": 0.5}, ""),
        ({"thresholds": [3]}, "3"),
        ({"thresholds": {"1": 2}}, "'1'"),
        ({"thresholds": [{"threshold": "2"}]}, "no 'relevant', 'levels'"),
        ({"thresholds": [{"threshold": "2", "relevant": ["2"], "levels": levels(0.1, 0.2, 0.3)}]}, "does not fit"),
        ({"covariance": [[1, 0]]}, "the covariance"),
        ({"covariance": [[1, 0], [0]]}, ""),
        ({"covariance": [["1", "0"], ["0", "1"]]}, "the covariance"),
        ({"covariance": [[10**400, 0], [0, 1]]}, "a whole number of 401 digits"),
        ({"covariance": [[float("inf"), 0], [0, 1]]}, "the covariance"),
        ({"level_scheme": {"names": ["0", "2"]}}, "no 'codes'"),
        ({"level_scheme": {**SCHEME, "names": ["0", "1"]}}, "the level_scheme"),
        ({"level_scheme": {**SCHEME, "codes": ["1"]}}, "2 codes, found 1"),
        ({"level_scheme": {**SCHEME, "merges": {"3": "7"}}}, "Cannot merge '3' into '7'"),
        ({"level_scheme": {**SCHEME, "merges": [3]}}, ""),
        ({"level_scheme": {**SCHEME, "missing": [[]]}}, ""),
        ({"level_scheme": {**SCHEME, "ordered": "yes"}}, "the level_scheme"),
    ],
    ids=str,
)
def test_a_model_with_a_fault_is_refused(changed: dict[str, Any], words: str, tmp_path: Path) -> None:
    """Wrong types, shapes and values are no model, whatever they stand in."""
    path = write(tmp_path, json.dumps({**MODEL, **changed}))
    with pytest.raises(DataError, match=rf"model\.json: not a model .*{re.escape(words)}.*gainsayer fit"):
        read_model(path)


@pytest.mark.parametrize(
    "value", ["1" * 400, "1" * 5000, '"0.5"', "true", "[" * 500 + "]" * 500, "-0.1", "1e999", "NaN", "1.5", "{}"]
)
def test_a_probability_of_a_model_is_checked(tmp_path: Path, value: str) -> None:
    """A number of 400 or 5,000 digits, or no number at all, is no probability."""
    path = write(tmp_path, json.dumps({**MODEL, "levels": levels("?", 0.5)}).replace('"?"', value))
    with pytest.raises(DataError, match=r"model\.json: not a model"):
        read_model(path)


def test_a_model_in_memory_answers_as_its_file_does(tmp_path: Path) -> None:
    """Levels, what is relevant, strata and every threshold; scores with either are the same, and say the same."""
    first = {f"q{t}": {"a": 2, "b": t % 3, "c": 0, "d": 1} for t in range(6)}
    second = {f"q{t}": {"a": 2 - t % 2, "b": 1, "c": 0, "d": t % 3} for t in range(6)}
    strata = {topic: "nav" if topic < "q3" else "inf" for topic in first}
    fitted = gs.fit(gs.Reading((("U1", first), ("U2", second)), strata=strata))
    saved = read_model(write(tmp_path, fitted.to_json()))
    assert (fitted.levels, fitted.relevant) == (saved.levels, saved.relevant)
    assert fitted.has_strata
    assert saved.has_strata
    for asked in (None, "1", fitted.levels.at_or_above("2")):
        found, read = fitted.at(asked), saved.at(asked)
        assert (found.probability, found.topics) == (read.probability, read.topics)
        np.testing.assert_allclose(found.covariance, read.covariance)
    run = {topic: {"a": 1.0, "c": 3.0, "d": 2.0} for topic in first}
    tables = [gs.score(first, run, "nDCG@3", model=model) for model in (fitted, saved)]
    assert tables[0].means() == tables[1].means()
    warned = [[one.code for one in table.findings] for table in tables]
    assert warned[0] == warned[1]
    assert "strata-pooled" in warned[0]


def test_a_file_says_what_a_smoothed_model_says(tmp_path: Path) -> None:
    """Every number of a comparison, and every finding, that it was smoothed among them."""
    first = {f"q{t}": {"a": 2, "b": t % 3, "c": 0, "d": 1} for t in range(12)}
    second = {f"q{t}": {"a": 2 - t % 2, "b": 1, "c": 0, "d": (2 * t) % 3} for t in range(12)}
    runs = {
        name: {topic: {d: float("abcd".find(d)) ** n for d in "abcd"} for topic in first} for n, name in enumerate("xy")
    }
    for smooth in ("uniform", "marginal", "isotonic"):
        fitted = gs.fit({"U1": first}, {"U2": second}, threshold=1, smooth=smooth)
        models = (fitted, str(write(tmp_path, fitted.to_json())))
        told = [gs.compare(first, runs, "P@2", model=model).document() | {"provenance": None} for model in models]
        assert told[0] == told[1]
        assert "smoothed" in [warning["code"] for warning in told[0]["warnings"]]  # type: ignore[union-attr, index, call-overload]


def test_few_topics_and_gains_apart_have_one_set_of_signs(tmp_path: Path) -> None:
    """A model whose probabilities were rounded brings errors of its own; the interval of tau takes them along."""
    first = {f"q{t}": {"a": 2, "b": t % 3, "c": 0, "d": 1} for t in range(6)}
    second = {f"q{t}": {"a": 2 - t % 2, "b": 1, "c": 0, "d": t % 3} for t in range(6)}
    document = json.loads(gs.fit({"U1": first}, {"U2": second}, threshold=2).to_json())
    for level in document["levels"]:
        level["probability"] = round(level["probability"], 2)
    runs = {
        name: {topic: {d: float((n * step + int(topic[1])) % 5) for n, d in enumerate("abcd")} for topic in first}
        for name, step in (("x", 1), ("y", 2), ("z", 3), ("w", 4))
    }
    found = gs.compare(first, runs, "P@2", model=str(write(tmp_path, json.dumps(document)))).comparison
    assert any(ranking.tau_interval is not None for ranking in found.rankings)
