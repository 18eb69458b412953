"""The commands: every format says the same, files are written whole, messages go to standard error."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.cli import COMMANDS

Run = Callable[..., Result]
LEVELS = ["--levels", "Non,Rel,HRel,Key"]


@pytest.fixture(scope="session")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small simulated collection with strata, as files."""
    from click.testing import CliRunner

    from gainsayer.cli import gainsayer

    folder = tmp_path_factory.mktemp("twin") / "twin"
    options = ["--topics", "20", "--second-topics", "12", "--documents", "40", "--strata", "nav=0.5,inf=0.5"]
    result = CliRunner().invoke(gainsayer, ["simulate", "-o", str(folder), *options, "--seed", "3"])
    assert result.exit_code == 0, result.output
    return folder


def pair(twin: Path) -> tuple[Path, Path]:
    """The two assessors' files."""
    return twin / "first.qrels", twin / "second.qrels"


def test_json_of_fit_has_the_stable_keys(twin: Path, run: Run) -> None:
    """The model file has every key that scripts rely on, levels from low to high."""
    document = json.loads(run("fit", *pair(twin), *LEVELS, "--threshold", "HRel", "--format", "json").stdout)
    assert {"threshold", "relevant", "estimator", "topics", "pairs", "strata", "levels", "counts", "warnings"} <= set(
        document
    )
    assert document["threshold"] == "HRel"
    assert document["relevant"] == ["HRel", "Key"]
    assert document["strata"] is None
    assert [entry["level"] for entry in document["levels"]] == ["Non", "Rel", "HRel", "Key"]
    entry = document["levels"][0]
    assert set(entry) == {
        *("level", "probability", "relevant_count", "judged_count", "standard_error", "interval", "interval_method"),
        *("note", "one_sided", "effective_topics", "degrees_of_freedom"),
    }
    assert set(entry["standard_error"]) == {"binomial", "pair", "topic"}
    assert entry["interval"][0] < entry["probability"] < entry["interval"][1]
    provenance = document["provenance"]
    assert provenance["seed"] == 0
    assert [len(file["sha256"]) for file in provenance["files"]] == [64, 64]
    assert provenance["version"] == gs.__version__


def test_all_formats_show_the_same_numbers(twin: Path, run: Run) -> None:
    """CSV holds the exact numbers of the JSON; table, Markdown and LaTeX show them rounded."""
    arguments = ("fit", *pair(twin), *LEVELS, "--threshold", "Key")
    entries = json.loads(run(*arguments, "--format", "json").stdout)["levels"]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))
    assert [float(row["probability"]) for row in rows] == [entry["probability"] for entry in entries]
    assert [float(row["upper"]) for row in rows] == [entry["interval"][1] for entry in entries]
    shown = [f"{entry['probability']:.3f}" for entry in entries]
    for form in ("table", "markdown", "latex"):
        text = run(*arguments, "--format", form).stdout
        assert all(number in text for number in shown), form
    assert r"\toprule" in run(*arguments, "--format", "latex").stdout
    assert "| level | probability | 95 % interval |" in run(*arguments, "--format", "markdown").stdout


@pytest.mark.parametrize(
    ("name", "start"), [("m.json", "{"), ("m.csv", "stratum,"), ("m.md", "**"), ("m.tex", "\\begin{table}")]
)
def test_the_ending_of_the_output_chooses_the_format(
    name: str, start: str, twin: Path, tmp_path: Path, run: Run
) -> None:
    """-o writes the file and says so on standard error; nothing goes to standard output."""
    result = run("fit", *pair(twin), *LEVELS, "-o", tmp_path / name)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert f"Wrote {tmp_path / name}" in result.stderr
    assert (tmp_path / name).read_text().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name], "no temporary file is left"


def test_strata_have_estimates_of_their_own(twin: Path, run: Run) -> None:
    """With --strata each stratum has the same shape as the whole, and their pairs add up."""
    document = json.loads(run("fit", *pair(twin), *LEVELS, "--strata", twin / "strata.tsv", "--format", "json").stdout)
    assert set(document["strata"]) == {"nav", "inf"}
    assert sum(part["pairs"] for part in document["strata"].values()) == document["pairs"]
    assert set(document["strata"]["nav"]) == set(document) - {"schema_version", "provenance"}


@pytest.mark.parametrize("kind", ["uniform", "uniform:10", "marginal", "isotonic"])
def test_smoothing_is_named_in_the_output(kind: str, twin: Path, run: Run) -> None:
    """The output says what was smoothed, and probabilities stay probabilities."""
    arguments = ["fit", *pair(twin), *LEVELS, "--smooth", kind]
    document = json.loads(run(*arguments, "--format", "json").stdout)
    assert document["smoothing"]["kind"] == kind.split(":")[0]
    assert "smoothed" in [warning["code"] for warning in document["warnings"]]
    assert all(0 <= entry["probability"] <= 1 for entry in document["levels"])


def test_topics_get_parameters_of_their_own(twin: Path, run: Run) -> None:
    """Empirical Bayes gives one row per topic, and the spread between them."""
    arguments = ["fit", *pair(twin), *LEVELS, "--smooth", "eb-topics"]
    units = json.loads(run(*arguments, "--format", "json").stdout)["units"]
    assert units["kind"] == "topics"
    assert len(units["thresholds"][0]["probability"]) == len(units["names"]) == 12
    assert len(units["thresholds"][0]["between_units"]) == 4
    assert "sd between" in run(*arguments).stdout
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))
    assert len({row["unit"] for row in rows if row["unit"]}) == 12
    assert "units-shrunk" in run(*arguments).stderr


@pytest.mark.parametrize("command", ["fit", "agree"])
def test_pipes_links_and_odd_outputs(command: str, twin: Path, tmp_path: Path, run: Run) -> None:
    """A link keeps pointing to its file, a pipe stays a pipe, '-' is standard output, an unknown ending is refused."""
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    assert run(command, *pair(twin), *LEVELS, "-o", tmp_path / "link.json").exit_code == 0
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text().startswith("{")
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit((tmp_path / "pipe").read_text)
        assert run(command, *pair(twin), *LEVELS, "--format", "json", "-o", tmp_path / "pipe").exit_code == 0
        assert json.loads(reader.result())["pairs"] > 0
    assert (tmp_path / "pipe").is_fifo()
    assert "{" in run(command, *pair(twin), *LEVELS, "--format", "json", "-o", "-").stdout
    refused = run(command, *pair(twin), *LEVELS, "-o", tmp_path / "x.html")
    assert refused.exit_code == 2
    assert "'.html' is not known" in refused.stderr


def test_a_copy_of_the_first_side_is_noticed(twin: Path, run: Run) -> None:
    """The same file under two names agrees on everything, which is worth a warning."""
    assert "identical-sides" in run("fit", f"a={twin / 'second.qrels'}", f"b={twin / 'second.qrels'}", *LEVELS).stderr


def test_lowest_level_is_zero_only_on_request(twin: Path, run: Run) -> None:
    """p(R|Non) keeps its estimate by default and is 0, with a warning, when asked for."""
    arguments = ("fit", *pair(twin), *LEVELS, "--threshold", "Rel", "--format", "json")
    assert json.loads(run(*arguments).stdout)["levels"][0]["probability"] > 0
    document = json.loads(run(*arguments, "--zero-lowest").stdout)
    assert document["levels"][0]["probability"] == 0
    assert "zeroed-lowest" in [warning["code"] for warning in document["warnings"]]


def test_sampled_second_round(tmp_path: Path, run: Run) -> None:
    """A round by level is refused for the symmetric estimate, falls to one-sided, and is repaired by weights."""
    gs.simulate(tmp_path / "twin", second_by_level={"Non": 0.2}, topics=40, second_topics=40, leniency=0)
    truth = json.loads((tmp_path / "twin" / "truth.json").read_text())["truth"]["symmetric"]
    arguments = ["fit", *pair(tmp_path / "twin"), *LEVELS, "--threshold", "Key", "--format", "json"]
    refused = run(*arguments, "--estimator", "symmetric")
    assert refused.exit_code == 1
    assert "Non" in refused.stderr
    assert json.loads(run(*arguments).stdout)["estimator"] == "one-sided"
    for given in ("observed", "Non=0.2,Rel=1,HRel=1,Key=1"):
        document = json.loads(run(*arguments, "--sampled", given).stdout)
        assert document["estimator"] == "symmetric"
        assert document["weighted"] is True
        for entry, row in zip(document["levels"], truth, strict=True):
            assert entry["interval"][0] - 0.03 <= row[3] <= entry["interval"][1] + 0.03


def test_fit_draws_nothing(twin: Path, run: Run) -> None:
    """The intervals are formulas, so that another seed changes no number of the levels."""
    arguments = ("fit", *pair(twin), *LEVELS, "--format", "json")
    first, other = (json.loads(run(*arguments, "--seed", seed).stdout) for seed in ("1", "2"))
    assert first["thresholds"] == other["thresholds"]


def test_standard_input(twin: Path, run: Run) -> None:
    """'-' is standard input, which may be named."""
    content = (twin / "second.qrels").read_bytes()
    document = json.loads(
        run("fit", twin / "first.qrels", "machine=-", *LEVELS, "--format", "json", stdin=content).stdout
    )
    assert document["second"] == ["machine"]
    assert document["provenance"]["files"][1]["sha256"] is None


def test_tables_with_an_assessor_column(twin: Path, tmp_path: Path, run: Run) -> None:
    """CSV, JSON lines and Parquet of the same judgments give the same counts as the qrels."""
    judgments = gs.read_judgments(*pair(twin), levels=gs.levels.parse_levels("Non,Rel,HRel,Key"))
    frame = judgments.frame()
    frame.write_csv(tmp_path / "j.csv")
    frame.write_ndjson(tmp_path / "j.jsonl")
    frame.rename({"topic": "qid", "document": "docno", "assessor": "judge", "level": "grade"}).write_parquet(
        tmp_path / "j.parquet"
    )
    expected = json.loads(run("fit", *pair(twin), *LEVELS, "--format", "json").stdout)["counts"]
    for name in ("j.csv", "j.jsonl", "j.parquet"):
        sides = ("--first", "first", "--second", "second")
        result = run("fit", tmp_path / name, *LEVELS, *sides, "--format", "json")
        assert json.loads(result.stdout)["counts"] == expected, result.stderr


def test_agree_has_the_stable_keys(twin: Path, run: Run) -> None:
    """Counts, coefficients with value and interval, and each pair of assessors."""
    document = json.loads(run("agree", *pair(twin), *LEVELS, "--format", "json").stdout)
    assert {"pairs", "topics", "counts", "coefficients"} <= set(document)
    assert {
        *("percent", "cohen_kappa", "weighted_kappa_linear", "weighted_kappa_quadratic", "scott_pi", "gwet_ac1"),
        *("krippendorff_alpha_nominal", "krippendorff_alpha_ordinal", "krippendorff_alpha_interval", "gwet_ac2"),
    } <= set(document["coefficients"])
    kappa = document["coefficients"]["cohen_kappa"]
    assert kappa["interval"][0] < kappa["value"] < kappa["interval"][1]
    rows = list(csv.DictReader(io.StringIO(run("agree", *pair(twin), *LEVELS, "--format", "csv").stdout)))
    assert float(rows[1]["value"]) == kappa["value"]


def test_agree_per_stratum(twin: Path, run: Run) -> None:
    """With --strata the pairs of the strata add up to those of the whole, in JSON, CSV and the table."""
    arguments = ("agree", *pair(twin), *LEVELS, "--strata", twin / "strata.tsv")
    document = json.loads(run(*arguments, "--format", "json").stdout)
    assert sum(part["pairs"] for part in document["strata"].values()) == document["pairs"]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))
    assert {row["stratum"] for row in rows} == {"", "inf", "nav"}
    assert "Stratum nav. Levels of first" in run(*arguments).stdout


def test_a_stratum_without_pairs_is_named(twin: Path, tmp_path: Path, run: Run) -> None:
    """The other strata are estimated, and a warning says which one could not be."""
    once = sorted({line.split()[0] for line in (twin / "first.qrels").read_text().splitlines()})
    twice = {line.split()[0] for line in (twin / "second.qrels").read_text().splitlines()}
    lines = [f"{topic}\t{'both' if topic in twice else 'lonely'}\n" for topic in once]
    (tmp_path / "strata.tsv").write_text("".join(lines))
    for command in ("fit", "agree"):
        result = run(command, *pair(twin), *LEVELS, "--strata", tmp_path / "strata.tsv", "--format", "json")
        document = json.loads(result.stdout)
        assert list(document["strata"]) == ["both"]
        assert "stratum-without-pairs" in [warning["code"] for warning in document["warnings"]]
        assert "Stratum 'lonely'" in result.stderr


def test_sides_that_differ_show_the_one_sided_estimate(tmp_path: Path, run: Run) -> None:
    """Where the sides are not exchangeable, eq. (4) stands beside the symmetric estimate (T10)."""
    labels = {("0", "0"): 30, ("0", "1"): 30, ("1", "0"): 5, ("1", "1"): 35}
    for side in (0, 1):
        lines = [
            f"q{topic} 0 d{'-'.join(both)}-{copy} {both[side]}\n"
            for topic in range(10)
            for both, count in labels.items()
            for copy in range(count)
        ]
        (tmp_path / f"s{side}.qrels").write_text("".join(lines))
    arguments = ("fit", tmp_path / "s0.qrels", tmp_path / "s1.qrels")
    document = json.loads(run(*arguments, "--format", "json").stdout)
    assert document["estimator"] == "symmetric"
    assert [entry["one_sided"] for entry in document["levels"]] == [0.5, 0.875]
    assert "one-sided" in run(*arguments, "--quiet").stdout.splitlines()[2]


def test_intents_on_the_command_line(tmp_path: Path, run: Run) -> None:
    """Diversity qrels: all intents, or the most probable one by a side file."""
    (tmp_path / "a.qrels").write_text("q1 1 d1 1\nq1 2 d1 1\nq2 1 d1 1\nq2 0 d2 0\n")
    (tmp_path / "b.qrels").write_text("q1 1 d1 0\nq1 2 d1 1\nq2 1 d1 1\nq2 1 d2 1\n")
    (tmp_path / "p.tsv").write_text("topic\tintent\tprobability\nq1\t1\t0.2\nq1\t2\t0.8\nq2\t1\t1\n")
    files = (tmp_path / "a.qrels", tmp_path / "b.qrels", "--diversity", "--format", "json")
    assert json.loads(run("agree", *files).stdout)["pairs"] == 4
    top = run("agree", *files, "--intents", "top", "--intent-probabilities", tmp_path / "p.tsv")
    assert json.loads(top.stdout)["counts"] == [[0, 1], [0, 2]]


def test_simulate_writes_ordinary_files(twin: Path) -> None:
    """qrels with four columns, runs with six, strata with two, and the truth."""
    assert len((twin / "first.qrels").read_text().splitlines()) == 20 * 40
    run_line = next((twin / "runs").iterdir()).read_text().splitlines()[0].split()
    assert len(run_line) == 6
    assert pl.read_csv(twin / "strata.tsv", separator="\t").shape == (20, 2)
    assert json.loads((twin / "truth.json").read_text())["seed"] == 3


def test_simulate_refuses_to_overwrite(tmp_path: Path, run: Run) -> None:
    """A second call to the same folder is refused unless asked to overwrite."""
    arguments = ("simulate", "-o", tmp_path / "out", "--topics", "5")
    assert run(*arguments).exit_code == 0
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert "--overwrite" in refused.stderr
    assert run(*arguments, "--overwrite").exit_code == 0


def test_demo_shows_estimates_beside_the_truth(tmp_path: Path, run: Run) -> None:
    """The demo prints agreement, fit and comparison, and nearly all intervals hold the truth."""
    result = run("demo", "-o", tmp_path / "demo")
    assert result.exit_code == 0, result.stderr
    truth = result.stdout.partition("What was estimated, beside the truth")[2]
    covered = [line.split()[-1] for line in truth.splitlines() if line.endswith(("yes", "no"))]
    assert len(covered) == 12
    assert covered.count("yes") >= 9
    assert "gainsayer fit" in result.stderr
    assert run("demo", "-o", tmp_path / "demo").exit_code == 0


def test_the_lines_of_the_demo_work_when_pasted(tmp_path: Path) -> None:
    """In a shell that knows no gainsayer, the commands that the demo prints run as they are."""
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    shell = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), **kept}
    done = subprocess.run(
        [sys.executable, "-m", "gainsayer", "demo"], cwd=tmp_path, env=shell, capture_output=True, text=True, check=True
    )
    lines = [line for line in done.stderr.splitlines() if " agree " in line or " fit " in line]
    assert len(lines) == 2
    for line in lines:
        pasted = subprocess.run(line, shell=True, cwd=tmp_path, env=shell, capture_output=True, text=True)
        assert pasted.returncode == 0, pasted.stderr


def test_quiet_is_quiet(twin: Path, run: Run) -> None:
    """--quiet leaves standard error empty, whatever was found."""
    loud = run("fit", *pair(twin), *LEVELS, "--zero-lowest")
    assert "Notes: zeroed-lowest" in loud.stderr
    assert run("fit", *pair(twin), *LEVELS, "--zero-lowest", "--quiet").stderr == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_help_begins_and_ends_with_an_example_to_copy(command: str, run: Run) -> None:
    """An example stands before the options, and the last line is a command; all of it is one screen of 80 columns."""
    lines = run(command, "--help").stdout.rstrip().splitlines()
    assert lines[-1].startswith("    gainsayer ")
    first = next(place for place, line in enumerate(lines) if line.startswith("    gainsayer"))
    assert not any(line.startswith("  -") for line in lines[:first])
    assert len(lines) <= 46
    assert run("--help").stdout.rstrip().splitlines()[-1].startswith("    gainsayer ")
