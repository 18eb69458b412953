"""Other evaluators: they do with PRM gains what the page says, and scaled qrels bring them to the right value."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from gainsayer.exports import bound_error, write_ir_measures_gains, write_scaled_qrels, write_trec_eval_gains
from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.reading import Judgments, read_judgments

Table = Mapping[str, Mapping[str, float]]

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "other-evaluators.md").read_text("utf-8")
LEVELS = Levels(("0", "1", "2", "3"))
WORTH = (0.01, 0.04, 0.27, 0.53)
GAINS = Gains(LEVELS, np.array(WORTH))
LOWEST_FIRST = write_trec_eval_gains(GAINS).removeprefix("-m ")
# What carries the gains where it is not the qrels, by evaluator and what it is given.
MEASURES = {
    ("trec_eval", "gain map, lowest gain first"): LOWEST_FIRST,
    ("trec_eval", "gain map, highest gain first"): "ndcg.3=0.53,2=0.27,1=0.04,0=0.01",
    ("pytrec_eval", "gain map, lowest gain first"): LOWEST_FIRST,
    ("ir_measures", "gain map, lowest gain first"): "nDCG(gains={0:0.01,1:0.04,2:0.27,3:0.53})",
    ("ir_measures", "scaled gain map"): write_ir_measures_gains(GAINS),
}


def exact_ndcg(ranked: np.ndarray, pool: np.ndarray, depth: int | None) -> float:
    """nDCG of one topic in the plainest way, eq. (12): gains by rank, over those of the best list."""

    def total(gains: np.ndarray) -> float:
        return float(sum(gain / np.log2(rank + 1) for rank, gain in enumerate(gains[:depth], start=1)))

    return total(ranked) / total(np.sort(pool)[::-1])


def simulate(seed: int) -> tuple[Judgments, dict[str, dict[str, int]], dict[str, list[str]]]:
    """Labels of six topics, as judgments and as a mapping, and a run that holds some unjudged documents."""
    random = np.random.default_rng(seed)
    table = {
        f"q{topic}": {f"d{document:02}": int(level) for document, level in enumerate(random.integers(0, 4, 15))}
        for topic in range(6)
    }
    run = {
        topic: [str(name) for name in random.permutation([*list(pool)[:10], "u1", "u2", "u3"])]
        for topic, pool in table.items()
    }
    return read_judgments({"U1": table}, levels=LEVELS), table, run


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("thousandths", [True, False])
def test_scaled_qrels_through_pytrec_eval(seed: int, thousandths: bool) -> None:
    """ndcg and ndcg_cut on the scaled qrels lie within the bound; with exact thousandths they agree to 1e-9."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    labels, table, run = simulate(seed)
    values = np.random.default_rng(seed + 100).random(4)
    values = np.maximum(1, np.rint(1000 * values)) / 1000 if thousandths else values
    gains = Gains(LEVELS, values)
    qrels = pytrec_eval.parse_qrel(write_scaled_qrels(labels, gains).splitlines())
    assert {topic: set(pool) for topic, pool in qrels.items()} == {topic: set(pool) for topic, pool in table.items()}
    scores = {topic: {name: -float(rank) for rank, name in enumerate(names)} for topic, names in run.items()}
    found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg", "ndcg_cut.5,10"}).evaluate(scores)
    bound = bound_error(labels, gains).worst
    assert bound < (1e-12 if thousandths else 0.2)
    for topic, names in run.items():
        pool = values[list(table[topic].values())]
        ranked = np.array([values[table[topic][name]] if name in table[topic] else 0.0 for name in names])
        for measure, depth in (("ndcg", None), ("ndcg_cut_5", 5), ("ndcg_cut_10", 10)):
            assert found[topic][measure] == pytest.approx(exact_ndcg(ranked, pool, depth), abs=bound + 1e-9)


def read_rows() -> list[tuple[str, ...]]:
    """The rows of the page: evaluator, what it is given, what it does, nDCG of a perfect ranking."""
    cells = [tuple(map(str.strip, line.strip("|").split("|"))) for line in PAGE.splitlines() if line.startswith("| ")]
    return cells[1:]


def test_every_evaluator_has_its_rows() -> None:
    """The page says of each evaluator what becomes of gains as relevance and of scaled qrels."""
    rows = {(evaluator, given) for evaluator, given, *_ in read_rows()}
    assert rows >= {(evaluator, given) for evaluator in EVALUATORS for given in ("gains as relevance", "scaled qrels")}


@pytest.mark.parametrize(("evaluator", "given", "said", "perfect"), read_rows())
def test_the_table_is_what_an_evaluator_does(
    evaluator: str, given: str, said: str, perfect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is right, wrong, refuses or crashes as the page says, in the words that the page quotes."""
    monkeypatch.chdir(tmp_path)
    outcome, value = observe(evaluator, given)
    assert said.startswith(outcome)
    assert perfect == value


def observe(evaluator: str, given: str) -> tuple[str, str]:
    """What an evaluator does, and its nDCG of a perfect ranking, as the page says it."""
    labels, table, run = simulate(1)
    worth = {topic: {name: WORTH[level] for name, level in pool.items()} for topic, pool in table.items()}
    relevance: Table = worth if given == "gains as relevance" else table
    if given == "scaled qrels":
        rows = [line.split() for line in write_scaled_qrels(labels, GAINS).splitlines()]
        relevance = {topic: {row[2]: int(row[3]) for row in rows if row[0] == topic} for topic in table}
    best = {topic: sorted(pool, key=lambda name: -pool[name]) for topic, pool in table.items()}
    measure = MEASURES.get((evaluator, given), "nDCG" if evaluator == "ir_measures" else "ndcg")
    try:
        values = [EVALUATORS[evaluator](relevance, measure, rank(names)) for names in (best, run)]
    except TypeError as error:
        return f"refuses: `{error}`", "none"
    except subprocess.CalledProcessError:
        return "crashes", "none"
    exact = [
        exact_ndcg(np.array([pool.get(name, 0.0) for name in run[topic]]), np.array(list(pool.values())), None)
        for topic, pool in worth.items()
    ]
    right = values == pytest.approx([1, np.mean(exact)], abs=1e-4)
    return "right" if right else "wrong", "above 1" if values[0] > 1.0001 else f"{values[0]:g}"


def rank(names: Mapping[str, list[str]]) -> dict[str, dict[str, float]]:
    """Scores without ties for documents by rank."""
    return {topic: {name: float(-place) for place, name in enumerate(ranked)} for topic, ranked in names.items()}


def ask_trec_eval(relevance: Table, measure: str, run: Table) -> float:
    """By files in the current folder."""
    if shutil.which("trec_eval") is None:
        pytest.skip("trec_eval is not installed")
    qrels = [f"{topic} 0 {name} {value}\n" for topic, pool in relevance.items() for name, value in pool.items()]
    ranked = [f"{topic} Q0 {name} 0 {score} run\n" for topic, scores in run.items() for name, score in scores.items()]
    Path("qrels").write_text("".join(qrels))
    Path("run").write_text("".join(ranked))
    command = ["trec_eval", "-m", measure, "qrels", "run"]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1])


def ask_pytrec_eval(relevance: Table, measure: str, run: Table) -> float:
    """In this process; with a gain map in another one, as it would take the tests down."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    if "=" in measure:
        code = f"import pytrec_eval\npytrec_eval.RelevanceEvaluator({relevance}, {{{measure!r}}}).evaluate({run})"
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    found = pytrec_eval.RelevanceEvaluator(relevance, {measure}).evaluate(run)
    return float(np.mean([values[measure] for values in found.values()]))


def ask_ir_measures(relevance: Table, measure: str, run: Table) -> float:
    """In this process."""
    ir_measures = pytest.importorskip("ir_measures")
    asked = ir_measures.parse_measure(measure)
    return float(ir_measures.calc_aggregate([asked], relevance, run)[asked])


def ask_ranx(relevance: Table, measure: str, run: Table) -> float:
    """In this process; it compiles itself at its first use, which takes a minute."""
    ranx = pytest.importorskip("ranx")
    return float(ranx.evaluate(ranx.Qrels(relevance), ranx.Run(run), measure))


EVALUATORS: dict[str, Callable[[Table, str, Table], float]] = {
    "trec_eval": ask_trec_eval,
    "pytrec_eval": ask_pytrec_eval,
    "ir_measures": ask_ir_measures,
    "ranx": ask_ranx,
}
