"""`score`: what ir_measures and trec_eval give, and what the gains of two assessors add to it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import partial
from itertools import pairwise, product
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from scipy.stats import kendalltau, sem

import gainsayer as gs
from gainsayer import Reading
from gainsayer.commands.score import notice_simulation, trec_lines
from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.ranking import ranked_from_lists
from gainsayer.table import choose

LEVELS = Levels(("0", "1", "2"))
MODEL = {"0": 0.1, "1": 0.4, "2": 0.7}

MEASURES = ("nDCG@5", "P@5", "AP", "RR", "R@5", "Rprec")


def world(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Labels 0 to 2 and a run with unjudged documents, all topics in both."""
    generator = random.Random(seed)
    truth = {f"q{t}": {f"d{n}": generator.randrange(3) for n in range(12)} for t in range(6)}
    run = {t: {f"d{n}": generator.random() for n in generator.sample(range(20), 10)} for t in truth}
    return truth, run


@pytest.mark.parametrize("seed", range(5))
def test_numbers_are_those_of_ir_measures(seed: int) -> None:
    """With one assessor each measure has its classical gains, topic by topic and in the mean."""
    truth, run = world(seed)
    table = gs.score(truth, run, list(MEASURES))
    expected = {
        (str(one.measure), one.query_id): one.value
        for one in ir_measures.iter_calc([ir_measures.parse_measure(name) for name in MEASURES], truth, run)
    }
    for (measure, _), values in table.scores.values.items():
        assert values[0].tolist() == pytest.approx([expected[str(measure), topic] for topic in table.scores.topics])


def test_prm_gains_are_put_where_the_gain_is() -> None:
    """CG@2 with a second side is the sum of the p(R|i) that `fit` gives, of the labels of the first side."""
    truth, run = world(1)
    second = {topic: {name: min(level + 1, 2) for name, level in own.items()} for topic, own in truth.items()}
    judgments = {"U1": truth, "U2": second}
    asked = {"threshold": 2, "estimator": "one-sided", "first": "U1", "second": "U2"}
    model = gs.fit(judgments, **asked)  # type: ignore[arg-type]
    worth = dict(zip("012", model.predict().probability.tolist(), strict=True))
    expected = []
    for topic in sorted(truth):
        top = sorted(run[topic], key=lambda name: -run[topic][name])[:2]
        expected.append(sum(worth[str(truth[topic][name])] for name in top if name in truth[topic]))
    for table in (
        gs.score(judgments, run, "CG@2", gains="prm", **asked),  # type: ignore[arg-type]
        gs.score(truth, run, "CG@2", model=model),
    ):
        assert table.scores.values[table.scores.measures[0], "prm"][0].tolist() == pytest.approx(expected)


def test_bounds_are_the_two_ends() -> None:
    """Unjudged documents worth nothing, and worth as much as the best level: computed by putting them in the labels."""
    truth, run = world(2)
    table = gs.score(truth, run, "P@5", unjudged="bounds")
    measure = table.scores.measures[0]
    assert {name for _, name in table.scores.values} == {"binary lower", "binary upper"}
    for word, level in (("lower", 0), ("upper", 1)):
        filled = {t: {**dict.fromkeys(run[t], level), **truth[t]} for t in truth}
        other = gs.score(filled, run, "P@5")
        np.testing.assert_allclose(
            table.scores.values[measure, f"binary {word}"], other.scores.values[measure, "binary"]
        )


def test_what_it_was_made_from(tmp_path: Path) -> None:
    """Files of judgments, model and runs are recorded; strata are refused, as each needs a model of its own."""
    (tmp_path / "a.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 2 t\n")
    table = gs.score(tmp_path / "a.qrels", tmp_path / "a.run", "P@1", seed=5)
    assert table.provenance is not None
    assert [Path(name).name for name, _ in table.provenance.files] == ["a.qrels", "a.run"]
    assert table.policies["labels"] == ["a"]
    with pytest.raises(CallError, match="one model for all topics"):
        gs.score(Reading((tmp_path / "a.qrels",), strata={"q1": "nav"}), tmp_path / "a.run")


@pytest.mark.parametrize("kind", ["independent", "comonotone"])
def test_how_many_documents_users_find(kind: str) -> None:
    """The shares of users who find 0, 1 or 2 relevant documents in the top 2, over all users and topics."""
    truth = {"q1": {"a": 2, "b": 1}, "q2": {"a": 0, "b": 2}}
    run = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "x": 1.0}}
    table = gs.score(truth, run, "P@2", gain=MODEL, users=kind)
    expected = np.zeros(3)
    for chances in ([0.7, 0.4], [0.1]):
        if kind == "independent":
            for views in product((0, 1), repeat=len(chances)):
                expected[sum(views)] += np.prod([p if seen else 1 - p for p, seen in zip(chances, views, strict=True)])
        else:  # a user of strictness u finds relevant what has a probability above u
            edges = sorted({0.0, *chances, 1.0})
            for low, high in pairwise(edges):
                expected[sum(p >= high for p in chances)] += high - low
    (found,) = table.found
    assert (found.users, found.runs, found.gains) == (kind, ("run",), "custom")
    np.testing.assert_allclose(found.distribution.probability, [expected / 2], atol=1e-12)


def test_simulated_users_leave_an_error_that_is_said() -> None:
    """Only for measures without a formula, and as large as s / sqrt(users) over topics."""
    ranked = ranked_from_lists({"q": [2, 0, 1]}, {"q": [2, 2, 1]}, levels=LEVELS)
    gains = Gains(LEVELS, np.array(list(MODEL.values())))
    simulated, exact = parse_measure("Bpref(users='independent',sample=50)"), parse_measure("AP(users='independent')")
    (finding,) = notice_simulation([ranked], {simulated: [gains], exact: [gains]})
    error = simulated.score_users(ranked, gains).standard_error
    assert error is not None
    assert finding.code == "simulated-users"
    assert f"at most {float(error[0]):.2g} in a run's mean" in finding.message


def test_runs_that_rank_resources(tmp_path: Path) -> None:
    """Scores are those of the selected runs; the oracle is the best by the gains, and tau (scipy's) is without it."""
    draw = np.random.default_rng(4)
    names = [f"r{resource}-{rank}" for resource in range(4) for rank in (1, 2)]
    labels = {topic: dict(zip(names, draw.integers(0, 3, 8).tolist(), strict=True)) for topic in ("q1", "q2", "q3")}
    runs = {
        f"run{n}": {topic: {f"r{at}": float(draw.random()) for at in range(4)} for topic in labels} for n in range(6)
    }
    file = tmp_path / "returned.tsv"
    file.write_text("".join(f"{topic} {name[:2]} {name}\n" for topic in labels for name in names))
    score = partial(gs.score, labels, measures="CG@4", gains="exponential,binary", threshold=1)
    table = score(runs, resources=2, resource_file=file, oracle=True)
    by_rule = score(runs, resources=2, resource_rule=r"(?P<resource>r\d)-(?P<rank>\d)")
    plain = score({name: gs.select_resources(run, file, resources=2) for name, run in runs.items()})
    assert table.scores.runs == ("oracle", *runs)
    for key, values in plain.scores.values.items():
        assert np.array_equal(table.scores.values[key][1:], values)
        assert np.array_equal(by_rule.scores.values[key], values)
        worth = {"exponential": (0, 1, 3), "binary": (0, 1, 1)}[key[1]]
        best = [
            sum(sorted(worth[own[f"r{at}-1"]] + worth[own[f"r{at}-2"]] for at in range(4))[2:])
            for own in labels.values()
        ]
        assert table.scores.values[key][0].tolist() == best
    (ranking,) = table.rankings
    assert (ranking.a.name, ranking.b.name, ranking.tau_b.n) == ("exponential", "binary", 6)
    tau = kendalltau(*(values.mean(axis=1) for values in plain.scores.values.values())).statistic
    assert ranking.tau_b.value == pytest.approx(tau)
    assert tau < 1
    assert ([one.tau_b for one in by_rule.rankings], plain.rankings) == ([ranking.tau_b], ())


def test_plus_minus_is_the_error_of_the_mean() -> None:
    """In JSON, data frame and table: the mean, and scipy's standard error of the mean over topics."""
    truth, _ = world(1)
    table = gs.score(truth, {"a": world(2)[1], "b": world(3)[1]}, "nDCG@5")
    (values,) = table.scores.values.values()
    means, errors = values.mean(axis=1), sem(values, axis=1)
    for rows in (json.loads(table.to_json())["rows"], table.to_polars().to_dicts()):
        assert [row["value"] for row in rows] == pytest.approx(means)
        assert [row["standard_error"] for row in rows] == pytest.approx(errors)
    wide = table.to_polars("runs")
    assert wide["nDCG@5"].to_list() == pytest.approx(means)
    assert wide["nDCG@5 error"].to_list() == pytest.approx(errors)


def test_topics_follow_the_mean_without_errors() -> None:
    """One row per topic with its score behind the mean of each run; an error is a matter of many topics."""
    truth, run = world(1)
    table = gs.score(truth, {"a": world(2)[1], "b": run}, ["P@5", "RR"])
    rows = table.to_polars("per_topic").filter(run="b", measure="RR")
    assert rows["topic"].to_list() == ["all", *table.scores.topics]
    assert rows["value"].to_list() == [table.means("b")["RR"], *(one["RR"] for one in table.by_topic("b").values())]
    for key in ("standard_error", "topics", "unjudged_share"):
        assert [value is None for value in rows[key]] == [False] + [True] * len(truth)
    assert "per_topic" not in {shown.name for shown in choose(table.tables())}
    every = replace(table, per_topic=True)
    assert every.to_csv() == table.to_csv("per_topic")
    assert json.loads(every.to_json())["rows"] == table.table("per_topic").records()


def test_readers_see_the_best_run_first() -> None:
    """By the first measure, equal runs as given; JSON, CSV, data frames and trec_eval's lines keep the order given."""
    best, good, poor = {"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d2": 2.0, "d1": 1.0}}, {"q": {"d3": 1.0}}
    runs = {"poor": poor, "second": best, "worse": good, "first": best}
    table = gs.score({"q": {"d1": 1, "d2": 0, "d3": 0}}, runs, ["RR", "P@2"])
    given, sorted_runs = list(runs), ["second", "first", "worse", "poor"]
    for text in (table.to_text(), table.to_markdown(), table.to_latex(), table._repr_html_(), str(table.table("runs"))):
        assert sorted(runs, key=text.index) == sorted_runs
    for text in (table.to_json(), table.to_csv(), table.to_csv("runs"), trec_lines(table.scores)):
        assert sorted(runs, key=text.index) == given
    assert table.to_polars("runs")["run"].to_list() == table.to_csv("runs", columns=["run"]).split()[1:] == given


def test_users_stand_below_each_other_by_run() -> None:
    """A row for each run and kind of users, also where several depths are asked for as one data frame."""
    truth, run = world(1)
    table = gs.score(truth, {"a": run, "b": world(2)[1]}, ["P@2", "P@5"], gain=MODEL, users=("independent", 0.3))
    shown = [line.split()[:2] for line in table.to_text("users").splitlines() if line[:2] in ("a ", "b ")]
    assert shown == [["a", "independent"], ["a", "0.3"], ["b", "independent"], ["b", "0.3"]] * 2
    frame, listed = table.to_polars("users"), json.loads(table.to_json())["users"]
    keys = ("run", "depth", "gains", "mean", "nothing", "half_find_at_least")
    assert [[row[key] for key in keys] for row in frame.to_dicts()] == [[row[key] for key in keys] for row in listed]
    assert [row["users"] for row in listed] == ["independent", "independent", 0.3, 0.3] * 2
    for row in listed:
        assert np.arange(len(row["probability"])) @ row["probability"] == pytest.approx(row["mean"])
