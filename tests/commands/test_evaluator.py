"""An evaluator gives what `score` gives, run after run, whatever form a run has."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import pytrec_eval

import gainsayer as gs
from gainsayer.errors import CallError, GainsayerError

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1, "d": 0}, "q3": {"z": 1}}
RUN = {"q1": {"x": 3.0, "a": 2.0, "b": 2.0, "c": 0.5}, "q2": {"d": 1.0, "y": 0.25, "a": 0.5}, "q9": {"a": 1.0}}
MEASURES = ["nDCG@10", "AP", "P@2", "RR", "R@3", "Judged@2"]
ROWS = [(topic, document, score) for topic, inner in RUN.items() for document, score in inner.items()]
FORMS: dict[str, Callable[[Path], Any]] = {
    "dicts": lambda _: RUN,
    "run": lambda _: gs.read_run(RUN),
    "pandas": lambda _: pd.DataFrame(ROWS, columns=["qid", "docno", "score"]),
    "polars": lambda _: pl.DataFrame(ROWS, schema=["topic", "document", "score"], orient="row"),
    "lists": lambda _: tuple(map(list, zip(*ROWS, strict=True))),
    "arrays": lambda _: tuple(np.array(column) for column in zip(*ROWS, strict=True)),
    "objects": lambda _: tuple(np.array(column, object) for column in zip(*ROWS, strict=True)),
    "file": lambda folder: _write(folder / "some.run"),
}


def _write(path: Path) -> Path:
    path.write_text("".join(f"{topic} Q0 {name} 1 {score} bm25\n" for topic, name, score in ROWS))
    return path


def same(found: gs.ScoreTable, expected: gs.ScoreTable) -> None:
    """Every number has the same bits, and what is said is the same."""
    assert found.scores.topics == expected.scores.topics
    assert list(found.scores.values) == list(expected.scores.values)
    for key, values in expected.scores.values.items():
        assert found.scores.values[key].tobytes() == values.tobytes(), key
    for measure, shares in expected.scores.unjudged.items():
        assert found.scores.unjudged[measure].tobytes() == shares.tobytes()
    assert found.scores.counts == expected.scores.counts
    assert found.findings == expected.findings
    assert found.policies == expected.policies
    assert found.scores.runs == expected.scores.runs


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("options", [{}, {"gains": "binary,linear"}, {"unjudged": "condense"}, {"unjudged": "bounds"}])
def test_numbers_are_those_of_score(form: str, options: dict[str, Any], tmp_path: Path) -> None:
    """The same bits as score() gives, for runs in any form and under any policy on unjudged documents."""
    measures = ["nDCG@10", "CG@3"] if "gains" in options else MEASURES
    run = FORMS[form](tmp_path)
    as_score_takes_it = run if not isinstance(run, tuple) else RUN
    expected = gs.score(QRELS, as_score_takes_it, measures, **options)
    same(gs.Evaluator(QRELS, measures, **options).evaluate(run), expected)


def test_numbers_are_those_of_pytrec_eval() -> None:
    """Scores by topic are those of pytrec_eval's evaluator for topics that the run has, and 0 for those it lacks."""
    names = {"nDCG@10": "ndcg_cut_10", "AP": "map", "P@2": "P_2", "RR": "recip_rank"}
    theirs = pytrec_eval.RelevanceEvaluator(QRELS, {"ndcg_cut.10", "map", "P.2", "recip_rank"}).evaluate(RUN)
    ours = gs.Evaluator(QRELS, list(names)).evaluate(RUN).by_topic()
    assert ours.pop("q3") == dict.fromkeys(names, 0.0)
    for topic, row in ours.items():
        assert row == pytest.approx({name: theirs[topic][other] for name, other in names.items()}, abs=1e-12)


def test_estimated_gains_are_those_of_score() -> None:
    """PRM gains are estimated once, from two sides, and are those that score() estimates each time."""
    second = {"U2": {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 2, "d": 0}, "q3": {"z": 0}}}
    judgments = gs.read_judgments({"U1": QRELS, **second})
    evaluator = gs.Evaluator(judgments, "nDCG@10", "prm", first=["U1"], second=["U2"], threshold=2)
    expected = gs.score(judgments, RUN, "nDCG@10", gains="prm", first=["U1"], second=["U2"], threshold=2)
    same(evaluator.evaluate(RUN), expected)
    assert "nDCG@10" in repr(evaluator)


def test_a_run_leaves_nothing_behind() -> None:
    """Other runs in between, and other threads at the same time, change no number."""
    evaluator = gs.Evaluator(QRELS, MEASURES)
    runs = [{"q1": {"a": float(n), "b": 1.0, f"x{n}": 2.0}} for n in range(20)]
    expected = [gs.score(QRELS, run, MEASURES).means() for run in runs]
    assert [evaluator.evaluate(run).means() for run in runs] == expected
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda run: evaluator.evaluate(run).means(), runs)) == expected


def test_means_of_several_runs_need_a_name() -> None:
    """With several runs one must be named; with several gains the name of the measure says which."""
    table = gs.score(QRELS, {"one": RUN, "two": RUN}, "nDCG@10", gains="binary,linear")
    assert list(table.means("two")) == ["nDCG@10 binary", "nDCG@10 linear"]
    with pytest.raises(CallError, match="Name one of the runs one, two; found none"):
        table.means()
    with pytest.raises(CallError, match="found 'three'"):
        table.by_topic("three")
    assert gs.Evaluator(QRELS).evaluate(RUN, name="mine").scores.runs == ("mine",)


def test_faults_are_said_at_once_without_assertions() -> None:
    """Under `python -O`, too, what is wrong with the gains is said when the evaluator is made."""
    code = "import gainsayer as gs\ngs.Evaluator({'q': {'d': 1, 'e': 0}}, 'nDCG@5', gains='nosuch')"
    done = subprocess.run([sys.executable, "-O", "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "CallError" in done.stderr


def test_faults_are_said_at_once() -> None:
    """Unknown measures are refused when the evaluator is made; columns of unequal length when the run is given."""
    with pytest.raises(CallError, match="There is no measure 'nDGC@10'"):
        gs.Evaluator(QRELS, "nDGC@10")
    with pytest.raises(CallError, match="as many topics as documents and scores, found 1 and 1 and 2"):
        gs.Evaluator(QRELS).evaluate((["q1"], ["a"], [1.0, 2.0]))
    with pytest.raises(GainsayerError, match="mapping and the judgments share no topic"):
        gs.Evaluator(QRELS).evaluate({"q9": {"a": 1.0}})
