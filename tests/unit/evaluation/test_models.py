"""Model files: what is in one reads back, and what is none is refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gainsayer as gs
from gainsayer import read_model
from gainsayer.errors import CallError, DataError

LEVELS = [{"level": "0", "probability": 0.1}, {"level": "1", "probability": 0.6}]
MODEL = {
    "threshold": "2",
    "relevant": ["2"],
    "estimator": "one-sided",
    "strata": {"nav": {}},
    "levels": [{"level": "0", "probability": 0.1}, {"level": "2", "probability": None}],
    "thresholds": [
        {"threshold": "2", "relevant": ["2"], "levels": [{"level": "0", "probability": 0.1}]},
        {"threshold": None, "relevant": ["0", "2"], "levels": [{"level": "0", "probability": 0.9}]},
    ],
    "level_scheme": {"names": ["0", "2"], "codes": None, "merges": {"3": "2"}, "missing": ["-1"], "ordered": True},
}


def write(folder: Path, content: str) -> Path:
    """A model file with this content."""
    path = folder / "model.json"
    path.write_text(content)
    return path


def test_a_model_reads_back(tmp_path: Path) -> None:
    """Probabilities by level, NaN where unknown; any threshold of the model by its name; the levels as fitted."""
    model = read_model(write(tmp_path, json.dumps(MODEL)))
    probability = model.at().probability
    assert probability["0"] == 0.1
    assert np.isnan(probability["2"])
    assert model.at("2.0").probability == {"0": 0.1}
    assert model.at("0,2").probability == {"0": 0.9}
    assert (model.relevant, model.estimator, model.has_strata) == (["2"], "one-sided", True)
    assert model.levels is not None
    assert model.levels.match(["3", "-1"]) == {"3": 1, "-1": -1}
    with pytest.raises(CallError, match=r"no threshold '1': it has 2, 0,2\. Fit it"):
        model.at("1")


def test_covariance_and_topics_come_along(tmp_path: Path) -> None:
    """The uncertainty over topics is that of the threshold; null cells are NaN."""
    model = {"levels": LEVELS, "topics": 24, "covariance": [[0.01, None], [None, 0.04]]}
    found = read_model(write(tmp_path, json.dumps(model))).at()
    assert found.topics == 24
    assert found.covariance is not None
    np.testing.assert_array_equal(found.covariance, [[0.01, np.nan], [np.nan, 0.04]])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "found no JSON"),
        ("[1]", r"expected a model file, found \[1\]"),
        ("{}", "expected a list of 'levels', found nothing"),
        ('{"levels": [3]}', "level 1 needs 'level' and 'probability', found 3"),
        ('{"levels": [{"level": "0", "probability": 1.5}]}', "from 0 to 1 for level '0', found 1.5"),
        ('{"levels": [{"level": "0", "probability": "x"}]}', "found 'x'"),
        ('{"levels": [{"level": 0, "probability": 1}, {"level": "0", "probability": 1}]}', "'0' stands there twice"),
        ("[" * 100_000, "found no JSON"),
        ("q1 0 d1 1", "found no JSON"),
    ],
)
def test_a_file_that_is_no_model(content: str, words: str, tmp_path: Path) -> None:
    """The data is at fault, the file is named, and the way to make a model stands in the message."""
    path = write(tmp_path, content)
    with pytest.raises(DataError, match=rf"model.json: .*{words}.*gainsayer fit"):
        read_model(path).at()


@pytest.mark.parametrize(
    "model",
    [
        {"levels": LEVELS, "thresholds": 0.5},
        {"levels": LEVELS, "thresholds": {"1": 2}, "relevant": 3},
        {"levels": LEVELS, "topics": 10**400, "covariance": [[1, 0], [0, 1]]},
        {"levels": LEVELS, "topics": 5, "covariance": [[10**400, 0], [0, 1]]},
        {"levels": LEVELS, "thresholds": [{"threshold": 10**400, "relevant": [[[]]]}]},
    ],
    ids=lambda model: ",".join(model),
)
def test_an_odd_model_is_read_as_far_as_it_goes(tmp_path: Path, model: dict[str, Any]) -> None:
    """Odd values beside the levels are left out; a threshold that is asked for is refused."""
    read = read_model(write(tmp_path, json.dumps(model)))
    assert read.at().probability == {"0": 0.1, "1": 0.6}
    assert read.at().covariance is None
    assert (read.relevant, read.levels) == ([], None)
    with pytest.raises(CallError, match="has no threshold '1'"):
        read.at("1")


@pytest.mark.parametrize("value", ["1" * 400, "1" * 5000, '"0.5"', "true", "[" * 500 + "]" * 500, "-0.1", "1e999"])
def test_a_probability_of_a_model_is_checked(tmp_path: Path, value: str) -> None:
    """A number of 400 or 5,000 digits, or no number at all, is no probability."""
    path = write(tmp_path, '{"levels": [{"level": "0", "probability": ' + value + "}]}")
    with pytest.raises(DataError, match=r"model\.json: expected a (probability|model file)"):
        read_model(path).at()


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
    assert [[one.code for one in table.findings] for table in tables] == [["strata-pooled"]] * 2
