"""trec_eval's own outputs, line by line, and those that others published for TREC runs."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import Result

from gainsayer.errors import CallError
from gainsayer.measures import parse_measure

Find = Callable[[str], Path]
Run = Callable[..., Result]

# output: judgments, run, further options
OWN = {
    "out.test": ("qrels.test", "results.test", ["--topics", "common"]),
    "out.test.a": ("qrels.test", "results.test", ["--topics", "common"]),
    "out.test.aq": ("qrels.test", "results.test", ["--topics", "common", "--per-topic"]),
    "out.test.aqc": ("qrels.test", "results.trunc", ["--topics", "all", "--per-topic"]),
    "out.test.aql": ("qrels.rel_level", "results.test", ["--topics", "common", "--per-topic", "--threshold", "2"]),
    "out.test.meas_params": ("qrels.test", "results.test", ["--topics", "common", "--per-topic"]),
}
# The measures of trec_eval that are compared, under its names: a measure that is lost from the catalogue fails here.
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
COMPARED = {
    *("num_ret", "num_rel", "num_rel_ret", "map", "Rprec", "bpref", "recip_rank", "infAP", "ndcg"),
    *("set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    *("success_1", "success_5", "success_10", "unj_5", "unj_10", "unj_20"),
    *(f"{name}_{depth}" for name in ("P", "recall", "ndcg_cut", "map_cut") for depth in CUTOFFS),
    *(f"iprec_at_recall_{share / 10:.2f}" for share in range(11)),
    "rbp",
}
WITH_PARAMETERS = {
    *("P_3", "P_5", "P_7", "recall_20", "recall_2000", "ndcg_cut_10", "ndcg_cut_20", "ndcg_cut_23"),
    *("success_2", "success_5", "success_20"),
    *(f"iprec_at_recall_{share:.2f}" for share in (0.1, 0.2, 0.25, 0.5, 0.75)),
}


def parse_lines(lines: Iterable[str]) -> dict[tuple[str, str], str]:
    """(measure, topic) to the value as printed."""
    cells = [line.split() for line in lines if line.strip()]
    return {(name, topic): value for name, topic, value in (row for row in cells if len(row) == 3)}


def is_known(name: str) -> bool:
    """Whether the catalogue has it, under trec_eval's own name."""
    try:
        return parse_measure(name).trec_name == name
    except CallError:
        return False


def test_compared_measures_are_in_the_catalogue() -> None:
    """68 of trec_eval's measures, and sixteen with other parameters."""
    assert len(COMPARED) == 68
    assert len(WITH_PARAMETERS) == 16
    assert [name for name in COMPARED | WITH_PARAMETERS if not is_known(name)] == []


def compare(run: Run, expected: dict[tuple[str, str], str], arguments: list[str | Path], pinned: set[str]) -> None:
    """Score and compare every value of every pinned measure, as printed; what else the catalogue has is pinned, too."""
    names = [name for name in dict.fromkeys(name for name, _ in expected) if name in pinned]
    assert {name for name, _ in expected if is_known(name)} == set(names)
    options = [option for name in names for option in ("-m", name)]
    result = run("score", *arguments, *options, "--format", "trec", "--quiet")
    assert result.exit_code == 0, result.stderr
    found = parse_lines(result.stdout.splitlines())
    wanted = {key: value for key, value in expected.items() if key[0] in names or key[0] == "num_q"}
    assert {key: found.get(key) for key in wanted} == wanted


@pytest.mark.parametrize("output", OWN)
def test_trec_evals_own_outputs(output: str, shared_data: Find, run: Run) -> None:
    """Every value of trec_eval's test outputs for the measures in the catalogue is printed just so."""
    qrels, results, options = OWN[output]
    expected = parse_lines(shared_data(f"trec_eval/{output}").read_text().splitlines())
    if output.startswith("out.test.a"):
        assert {name for name, _ in expected} >= COMPARED
    judgments = shared_data(f"trec_eval/{qrels}")
    arguments = ["--judgments", judgments, "--runs", shared_data(f"trec_eval/{results}"), *options]
    compare(run, expected, arguments, WITH_PARAMETERS if output.endswith("params") else COMPARED)


def read_expected(path: Path) -> dict[str, dict[str, str]]:
    """Run to topic to value, as published."""
    table: dict[str, dict[str, str]] = {}
    with path.open() as stream:
        for row in csv.DictReader(stream):
            topic = "all" if row["topic"] == "average" else row["topic"]
            table.setdefault(row["runid"], {})[topic] = row["ndcg_cut_10"]
    return table


def test_dl21_ndcg(shared_data: Find, run: Run) -> None:
    """All 63 runs by 53 topics and their means: nDCG@10 as published, scores compared as trec_eval 9 did."""
    expected = read_expected(shared_data("dl21/expected/ndcg_cut_10.csv"))
    arguments = [
        "--judgments",
        shared_data("dl21/assessors/nist.qrels"),
        "--runs",
        shared_data("dl21/runs"),
        "--ties",
        "trec9",
    ]
    result = run("score", *arguments, "-m", "nDCG@10", "--per-topic", "--format", "csv", "--quiet")
    assert result.exit_code == 0, result.stderr
    found: dict[str, dict[str, float]] = {}
    for row in csv.DictReader(result.stdout.splitlines()):
        found.setdefault(row["run"], {})[row["topic"]] = float(row["value"])
    assert len(found) == 63
    wrong = [
        (name, topic, value, found[name].get(topic))
        for name, topics in expected.items()
        for topic, value in topics.items()
        if f"{found[name].get(topic, -1):.4f}" != f"{float(value):.4f}"
    ]
    assert not wrong, wrong[:5]


def test_dl21_trec_eval(shared_data: Find, run: Run) -> None:
    """All shared measures, all topics, all runs of the published outputs; they are of trec_eval 9, as `IPrec@x` is."""
    folder = shared_data("dl21/expected/trec_eval")
    outputs = sorted(folder.glob("*.gz"))
    assert len(outputs) == 2 * 63
    for path in outputs:
        name = path.name.split(".")[0]
        with gzip.open(path, "rt") as stream:
            printed = parse_lines(stream)
        recalls = {key: value for key, value in printed.items() if key[0].startswith("iprec_at_recall_")}
        expected = {key: value for key, value in printed.items() if key not in recalls}
        [file] = [file for file in shared_data("dl21/runs").iterdir() if file.name.split(".")[0] == name]
        binary = path.name.endswith(".treceval.gz")
        options = ["--per-topic", "--topics", "common" if binary else "all"]
        arguments = [
            "--judgments",
            shared_data("dl21/assessors/nist.qrels"),
            "--runs",
            file,
            "--ties",
            "trec9",
            *options,
        ]
        compare(run, expected, arguments, COMPARED)
        if binary and name.startswith("F"):  # a few runs are enough for these
            measures = [part for share in range(11) for part in ("-m", f"IPrec@{share / 10:g}")]
            result = run("score", *arguments, *measures, "--format", "trec", "--quiet")
            found = parse_lines(result.stdout.splitlines())
            ours = {
                (f"iprec_at_recall_{float(key[6:]):.2f}", topic): value
                for (key, topic), value in found.items()
                if key.startswith("IPrec@")
            }
            assert ours.keys() == recalls.keys()
            # Where x R + 0.9 is nearly whole, compilers differ: that is no rule, and why version 10 has another.
            relevant = {topic: int(value) for (key, topic), value in printed.items() if key == "num_rel"}
            wanted = {key: float(key[0][-4:]) * relevant[key[1]] + 0.9 for key in recalls if key[1] != "all"}
            clear = [
                key for key, number in wanted.items() if abs(number - round(number)) > 1e-9 or key[0].endswith("00")
            ]
            assert len(clear) > 500
            assert {key: ours[key] for key in clear} == {key: recalls[key] for key in clear}


def test_dl19_ndcg_of_complete_runs(shared_data: Find, run: Run) -> None:
    """DL19: runs that hold ten documents for every topic have the published nDCG@10, per topic and in the mean."""
    expected = read_expected(shared_data("dl19/expected/ndcg_cut_10.csv"))
    arguments = ["--judgments", shared_data("dl19/nist.qrels"), "--runs", shared_data("dl19/runs"), "--ties", "trec9"]
    names = ["-m", "nDCG@10", "-m", "NumRet"]
    result = run("score", *arguments, *names, "--per-topic", "--format", "csv", "--quiet")
    assert result.exit_code == 0, result.stderr
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in csv.DictReader(result.stdout.splitlines()):
        found.setdefault((row["run"], row["measure"]), {})[row["topic"]] = float(row["value"])
    complete = [name for name in expected if min(found.get((name, "NumRet"), {"": 0}).values()) >= 10]
    assert len(complete) >= 20
    wrong = [
        (name, topic, value, found[name, "nDCG@10"].get(topic))
        for name in complete
        for topic, value in expected[name].items()
        if f"{found[name, 'nDCG@10'].get(topic, -1):.4f}" != f"{float(value):.4f}"
    ]
    assert not wrong, wrong[:5]
