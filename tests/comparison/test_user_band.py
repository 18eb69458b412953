"""The band of expected values beside the plug-in one, and what users find."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from gainsayer.comparison import band_users
from gainsayer.datasets import LatentModel, RunDesign, simulate_collection, write_collection
from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.measures import ask_users, parse_measure
from gainsayer.ranking import ranked_from_lists

LEVELS = Levels(("0", "1", "2", "3"))
RANKED = ranked_from_lists({"q": [2, 0, 3, 0, 1]}, {"q": [3, 1, 2, 2]}, levels=LEVELS)
A = Gains(LEVELS, np.array([0.01, 0.04, 0.27, 0.53]), name="prm")


@pytest.mark.parametrize(
    ("measure", "plug_in", "independent", "comonotone"),
    [
        ("nDCG@5", 0.4960353600, 0.3496524891, 0.2435886139),
        ("AP", 0.3123163673, 0.2603648980, 0.1590166667),
    ],
)
def test_worked_example(measure: str, plug_in: float, independent: float, comonotone: float) -> None:
    """The numbers of spec 1.8.5: plug-in, expected for independent and for comonotone users."""
    band = band_users([RANKED], parse_measure(measure), A)
    assert list(band.values) == ["plug-in", "independent", "comonotone"]
    found = [float(values[0]) for values in band.values.values()]
    assert found == pytest.approx([plug_in, independent, comonotone], abs=1e-9)
    assert not band.exact


def test_linear_measures_have_one_value() -> None:
    """P@5 is 0.172 for every kind of users; its distribution differs, its mean does not."""
    band = band_users([RANKED], parse_measure("P@5"), A)
    assert band.exact
    assert {round(float(values[0]), 12) for values in band.values.values()} == {0.172}
    for spread in band.found.values():
        assert float(spread.mean[0]) == pytest.approx(0.86)
    assert float(band.found["independent"].nothing[0]) == pytest.approx(1 - 0.6771785824)
    assert float(band.found["comonotone"].nothing[0]) == pytest.approx(1 - 0.53)


def test_asking_users() -> None:
    """A linear measure answers for itself, GAP has no expected value, a parameter in the name stays."""
    assert ask_users(parse_measure("DCG@10"), "comonotone") is None
    asked = ask_users(parse_measure("nDCG(discount='zipf')@3"), 0.25)
    assert str(asked) == "nDCG(discount='zipf',users=0.25)@3"
    with pytest.raises(CallError, match="GAP has no expected value"):
        ask_users(parse_measure("GAP"), "independent")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated collection of two sides and three runs."""
    place = tmp_path_factory.mktemp("users") / "collection"
    collection = simulate_collection(
        LatentModel(shares=(0.5, 0.3, 0.2), leniency=0.0),
        topics=12,
        documents=40,
        runs=RunDesign(qualities=(0.9, 0.6, 0.3)),
        seed=2,
    )
    write_collection(collection, place)
    return place


def _files(folder: Path) -> tuple[str | Path, ...]:
    return ("--judgments", folder / "first.qrels", folder / "second.qrels", "--runs", folder / "runs")


def test_score_puts_expected_values_beside_plug_in_ones(run: Callable[..., Result], folder: Path) -> None:
    """--users band adds two measures under names of their own, none for P@5; binary gains have one user: everybody."""
    options = ("--threshold", "1", "--gains", "prm,binary,linear", "-m", "nDCG@5", "--users", "band")
    done = run("score", *_files(folder), *options, "--format", "json")
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    kinds = dict.fromkeys((row["measure"], row["gains"]) for row in rows)
    users = ["nDCG(users='independent')@5", "nDCG(users='comonotone')@5"]
    assert list(kinds) == [
        *(("nDCG@5", gains) for gains in ("prm", "binary", "linear")),
        *((name, gains) for name in users for gains in ("prm", "binary")),
    ]
    values = {(row["run"], row["measure"], row["gains"]): row["value"] for row in rows}
    first = rows[0]["run"]
    for name in users:
        assert values[first, name, "binary"] == pytest.approx(values[first, "nDCG@5", "binary"])
        assert values[first, name, "prm"] < values[first, "nDCG@5", "prm"]


def test_score_gives_the_distribution(run: Callable[..., Result], folder: Path) -> None:
    """Shares of users who find exactly m documents sum to 1, and their mean is NumRel@5."""
    options = ("--threshold", "1", "--gains", "prm", "-m", "NumRel@5", "--users", "band,0.4", "--format", "json")
    document = json.loads(run("score", *_files(folder), *options).stdout)
    means = {row["run"]: row["value"] for row in document["rows"]}
    assert {part["users"] for part in document["users"]} == {"independent", "comonotone", 0.4}
    for part in document["users"]:
        assert sum(part["probability"]) == pytest.approx(1)
        assert part["mean"] == pytest.approx(means[part["run"]])
        assert part["nothing"] == pytest.approx(part["probability"][0])


def test_compare_draws_expected_measures_jointly(run: Callable[..., Result], folder: Path) -> None:
    """Expected measures have joint intervals of their own; the band names runs, values and tau between the orders."""
    options = ("--threshold", "1", "-m", "AP", "--users", "band", "--resamples", "60", "--permutations", "60")
    done = run("compare", *_files(folder), *options, "--gains", "prm", "--format", "json")
    assert done.exit_code == 0, done.stderr
    document = json.loads(done.stdout)
    scores = document["runs"][0]["scores"]
    assert [score["measure"] for score in scores] == ["AP", "AP(users='independent')", "AP(users='comonotone')"]
    for score in scores:
        assert score["interval"][0] < score["value"] < score["interval"][1]
    (band,) = document["users"]
    assert band["values"][0]["independent"] == pytest.approx(scores[1]["value"])
    assert len(band["taus"]) == 3
    table = run("compare", *_files(folder), *options, "--gains", "prm")
    assert "expected, independent users" in table.stdout


@pytest.mark.parametrize("users", ["nobody", "1.5", "-0.1"])
def test_unknown_users_are_refused(run: Callable[..., Result], folder: Path, users: str) -> None:
    """Users that do not exist are a fault of the call."""
    done = run("score", *_files(folder), "--threshold", "1", "-m", "AP", f"--users={users}")
    assert done.exit_code == 2
    assert "independent" in done.stderr


def test_simulated_users_say_their_error(run: Callable[..., Result], folder: Path) -> None:
    """Bpref has no formula: its value for random users is simulated, and a warning gives the error that leaves."""
    options = ("--threshold", "1", "--gains", "prm", "-m", "Bpref(users='independent',sample=200)")
    done = run("score", *_files(folder), *options, "--format", "json")
    assert done.exit_code == 0, done.stderr
    (warning,) = [entry for entry in json.loads(done.stdout)["warnings"] if entry["code"] == "simulated-users"]
    error = float(warning["message"].split("at most ")[1].split(" ")[0])
    assert 0 < error < 0.02
