"""`gainsayer study`: five studies from files, in every format, and what it says when it cannot."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from gainsayer.cli.study import EXAMPLES

Run = Callable[..., Result]
STUDIES = tuple(EXAMPLES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated collection as files: 12 topics, all but two judged twice, four runs, two strata."""
    from click.testing import CliRunner

    from gainsayer.cli import gainsayer

    place = tmp_path_factory.mktemp("study") / "c"
    arguments = ("--topics", "12", "--documents", "40", "--second-topics", "10", "--strata", "inf=0.5,nav=0.5")
    made = CliRunner().invoke(gainsayer, ["simulate", "-o", str(place), *arguments, "--seed", "4", "--quiet"])
    assert made.exit_code == 0, made.output
    return place


def options(folder: Path, study: str) -> list[str | Path]:
    """What each study needs to run on the simulated collection."""
    files: list[str | Path] = ["--judgments", folder / "first.qrels", folder / "second.qrels"]
    files += ["--levels", "Non,Rel,HRel,Key", "--threshold", "HRel"]
    return files if study in ("topics", "amount") else [*files, "--runs", folder / "runs"]


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_runs_in_every_format(folder: Path, run: Run, study: str) -> None:
    """Table, JSON, CSV, Markdown and LaTeX; the seed stands in each of them."""
    for form in ("table", "json", "csv", "markdown", "latex"):
        result = run("study", study, *options(folder, study), "--seed", "7", "--format", form, "--quiet")
        assert result.exit_code == 0, result.output
        assert result.stderr == ""
        if form == "json":
            document = json.loads(result.stdout)
            assert (document["study"], document["seed"], document["provenance"]["seed"]) == (study, 7, 7)
            assert document["results"]
        elif form == "csv":
            rows = list(csv.DictReader(io.StringIO(result.stdout)))
            assert {row["seed"] for row in rows} == {"7"}
        else:
            assert "seed 7" in result.stdout
        assert not re.search(r"\bnan\b", result.stdout.lower())


@pytest.mark.parametrize("study", STUDIES)
def test_same_seed_same_output(folder: Path, run: Run, study: str) -> None:
    """Two calls print the same, to the byte."""
    one, two = (run("study", study, *options(folder, study), "--format", "json").stdout for _ in range(2))
    assert one == two


@pytest.mark.parametrize("study", STUDIES)
def test_strata_have_results_of_their_own(folder: Path, run: Run, study: str) -> None:
    """With --strata every study speaks of all topics and of each stratum."""
    arguments = (*options(folder, study), "--strata", folder / "strata.tsv", "--format", "json", "--quiet")
    result = run("study", study, *arguments)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    if study == "robustness":
        assert {row["stratum"] for row in document["results"][0]["rows"]} == {None, "inf", "nav"}
    else:
        assert set(document["strata"]) == {"inf", "nav"}


def test_every_study_ends_its_help_with_an_example(run: Run) -> None:
    """--help of the group lists the studies, that of a study ends with a command to copy."""
    listed = run("study", "--help").stdout
    assert all(f"  {name} " in listed for name in STUDIES)
    for name in STUDIES:
        text = run("study", name, "--help").stdout
        assert f"gainsayer study {name} first.qrels second.qrels " in text.partition("Example:")[2]


def test_unknown_study_is_refused(run: Run) -> None:
    """A name that is no study exits with 2."""
    result = run("study", "astrology")
    assert result.exit_code == 2
    assert "No such command 'astrology'" in result.stderr


def write(path: Path, rows: list[str]) -> Path:
    """A small file of lines."""
    path.write_text("".join(f"{row}\n" for row in rows))
    return path


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """One topic, judged by two assessors, and runs: two different ones, a copy, and one of another topic."""
    write(tmp_path / "a.qrels", ["q 0 x 1", "q 0 y 0", "q 0 z 2"])
    write(tmp_path / "b.qrels", ["q 0 x 2", "q 0 y 0", "q 0 z 1"])
    write(tmp_path / "far.qrels", ["w 0 x 2", "w 0 y 0"])
    write(tmp_path / "one.run", ["q Q0 x 1 3 one", "q Q0 y 2 2 one"])
    write(tmp_path / "two.run", ["q Q0 y 1 3 two", "q Q0 z 2 2 two"])
    write(tmp_path / "copy.run", ["q Q0 x 1 3 copy", "q Q0 y 2 2 copy"])
    write(tmp_path / "lost.run", ["r Q0 x 1 3 lost"])
    write(tmp_path / "empty.run", [])
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            "topics --judgments a.qrels b.qrels",
            1,
            "All 3 pairs come from one topic, 'q': drawing it again says nothing",
        ),
        ("topics --judgments a.qrels", 1, "come from one assessor"),
        ("topics --judgments a.qrels far.qrels", 1, "No document was judged by both sides"),
        ("amount --judgments a.qrels b.qrels --rounds 0", 2, "The number of rounds must lie between 1 and"),
        ("amount --judgments a.qrels b.qrels --sizes ten", 2, "needs whole numbers between commas"),
        (f"amount --judgments a.qrels b.qrels --sizes {10**30}", 2, "Numbers of pairs must lie between 1 and"),
        (f"amount --judgments a.qrels b.qrels --most {10**30}", 2, "pairs may be drawn, found"),
        (
            f"topics --judgments a.qrels b.qrels --draws {10**12}",
            2,
            "The number of draws must lie between 1 and 1,000,000",
        ),
        (
            f"quality --judgments a.qrels b.qrels --runs one.run --steps {10**30}",
            2,
            "Steps are whole numbers from 1 to",
        ),
        ("amount --judgments a.qrels b.qrels --sizes 5 --most 9", 2, "Give one of them"),
        (
            "quality --judgments a.qrels b.qrels",
            2,
            "Say how documents are ordered: by where runs put them (--by metarank or --by depth)",
        ),
        (
            "quality --judgments a.qrels b.qrels --by depth",
            2,
            "The order --by depth goes by where runs put a document",
        ),
        (
            "quality --judgments a.qrels b.qrels --by resources --runs one.run",
            2,
            "Runs go with --by metarank or --by depth",
        ),
        ("quality --judgments a.qrels b.qrels --runs lost.run", 1, "share no topic"),
        ("robustness --judgments a.qrels b.qrels --runs one.run", 2, "compared from two runs on, found 1"),
        ("robustness --judgments a.qrels b.qrels --runs one.run lost.run", 1, "share no topic"),
        ("robustness --judgments a.qrels b.qrels --runs one.run empty.run", 1, "empty.run"),
        ("robustness --judgments a.qrels b.qrels", 2, "Missing option '--runs'"),
        ("robustness --judgments a.qrels far.qrels --runs one.run two.run", 1, "No topic was judged by both sides"),
        ("gains --judgments a.qrels b.qrels --runs one.run", 2, "compared from two runs on, found 1"),
        ("gains --judgments a.qrels b.qrels --runs one.run two.run --gains prm", 2, "Two kinds of gains are needed"),
        ("gains --judgments a.qrels b.qrels --runs nowhere.run one.run", 2, "nowhere.run"),
        ("gains --judgments a.qrels b.qrels --runs one.run two.run -m Luck@3", 2, "Luck"),
    ],
)
def test_what_cannot_be_studied_is_said(
    tiny: Path, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: str, code: int, words: str
) -> None:
    """Degenerate input gives one clear statement and the right exit code, never a traceback or an empty table."""
    monkeypatch.chdir(tiny)
    result = run("study", *arguments.split())
    assert result.exit_code == code, result.output
    assert words in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("study", ["robustness", "gains"])
def test_identical_runs_have_a_note_instead_of_a_tau(
    tiny: Path, run: Run, monkeypatch: pytest.MonkeyPatch, study: str
) -> None:
    """A run and its copy are tied throughout: tau is null, and a warning says so."""
    monkeypatch.chdir(tiny)
    arguments = ("--judgments", "a.qrels", "b.qrels", "--runs", "one.run", "copy.run", "--threshold", "1")
    result = run("study", study, *arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    assert "undefined-correlation" in [warning["code"] for warning in json.loads(result.stdout)["warnings"]]
    assert '"tau_b": null' in result.stdout
    shown = run("study", study, *arguments)
    assert "undefined-correlation" in shown.stderr
    assert "nan" not in shown.stdout.lower()


POLICIES = (
    *("--labels", "first", "--unjudged", "level", "--ties", "trec9", "--topics", "common", "--no-relevant", "zero"),
    *("--duplicates", "equal.tsv"),
)


@pytest.mark.parametrize(
    ("study", "policies"),
    [
        ("gains", POLICIES),
        ("robustness", ("--labels", "majority", *POLICIES[2:])),
        ("robustness", ("--labels", "mean", *POLICIES[2:])),
        ("quality", ("--labels", "first", "--ties", "trec9", "--duplicates", "equal.tsv")),
    ],
)
def test_every_study_of_runs_takes_every_policy(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, study: str, policies: tuple[str, ...]
) -> None:
    """The policies of `score` are those of the studies that score runs; a curve takes those that are about ranks."""
    monkeypatch.chdir(folder)
    topic, _, document, _ = (folder / "first.qrels").read_text().splitlines()[0].split()
    (folder / "equal.tsv").write_text(f"{topic} {document} twin\n")
    result = run("study", study, *options(folder, study), *policies, "--format", "json", "--quiet")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["provenance"]["options"]["ties"] == "trec9"


@pytest.mark.parametrize("study", ["robustness", "gains"])
def test_what_is_no_order_of_runs_is_refused(folder: Path, run: Run, study: str) -> None:
    """Bounds make two scores of one."""
    bounds = run("study", study, *options(folder, study), "--unjudged", "bounds")
    assert (bounds.exit_code, "so they order no runs" in bounds.stderr) == (2, True)


def test_resources_bend_the_symmetric_curve_and_that_is_said(run: Run, tmp_path: Path) -> None:
    """Results ordered with their resource: the warning of T11 on standard error and in the JSON."""
    labels = [("e1-7-01", 0, 1), ("e1-7-02", 1, 0), ("e2-7-01", 1, 1), ("e2-7-02", 2, 1)]
    first = write(tmp_path / "a.qrels", [f"7 0 {name} {level}" for name, level, _ in labels])
    second = write(tmp_path / "b.qrels", [f"7 0 {name} {level}" for name, _, level in labels])
    rule = r"(?P<resource>.+)-\d+-(?P<rank>\d+)"
    arguments = ("quality", "--judgments", first, second, "--resource-rule", rule, "--threshold", "1")
    result = run("study", *arguments)
    assert result.exit_code == 0, result.output
    assert "Warning (selected-by-one-side): The labels of a decided which results come first" in result.stderr
    document = json.loads(run("study", *arguments, "--format", "json").stdout)
    assert document["results"][0]["selected_by_one_side"] is True
    assert [step["pairs"] for step in document["results"][0]["steps"]] == [2, 4]


def test_a_stratum_of_one_topic_is_left_out_of_the_bootstrap(folder: Path, run: Run, tmp_path: Path) -> None:
    """Strata with pairs in a single topic are named in a warning; the others are studied."""
    topics = sorted({line.split()[0] for line in (folder / "second.qrels").read_text().splitlines()})
    every = sorted({line.split()[0] for line in (folder / "first.qrels").read_text().splitlines()})
    strata = write(tmp_path / "s.tsv", [f"{topic}\t{'lone' if topic == topics[0] else 'rest'}" for topic in every])
    result = run("study", "topics", *options(folder, "topics"), "--strata", strata, "--format", "json")
    document = json.loads(result.stdout)
    assert "Stratum 'lone' has pairs in one topic only: there is nothing to draw from." in result.stderr
    assert (document["strata"]["lone"], len(document["strata"]["rest"])) == ([], 1)


@pytest.mark.parametrize("command", [("fit",), ("study", "amount", "--judgments")])
def test_fixed_pairs_may_judge_in_some_strata_only(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    """Sides named pair by pair, of which one pair judged in another stratum: each stratum uses those who were there."""
    labels = {"a1": "q1 q2", "a2": "q1 q2", "b1": "q3", "b2": "q3"}
    files = [
        write(tmp_path / f"{name}.qrels", [f"{q} 0 d{n} {(n + place) % 2}" for q in topics.split() for n in range(4)])
        for place, (name, topics) in enumerate(labels.items())
    ]
    strata = write(tmp_path / "s.tsv", ["q1\tx", "q2\tx", "q3\ty"])
    sides = ("--first", "a1,b1", "--second", "a2,b2", "--strata", strata, "--format", "json", "--quiet")
    result = run(*command, *files, *sides)
    assert result.exit_code == 0, result.output
    strata_found = json.loads(result.stdout)["strata"]
    pairs = {name: (part[0] if isinstance(part, list) else part)["pairs"] for name, part in strata_found.items()}
    assert pairs == {"x": 8, "y": 4}


def test_orders_use_the_gains_that_a_measure_can_take(run: Callable[..., Result], tmp_path: Path) -> None:
    """AP counts relevant documents, so by default it is studied with binary and PRM gains; Judged orders nothing."""
    folder = tmp_path / "twin"
    made = ("--topics", "8", "--second-topics", "6", "--documents", "30", "--runs", "3", "--quiet")
    assert run("simulate", "-o", folder, *made).exit_code == 0
    files = ("--judgments", folder / "first.qrels", folder / "second.qrels", "--runs", folder / "runs")
    done = run("study", "robustness", *files, "-m", "AP", "--threshold", "1", "--format", "json")
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)["results"][0]["rows"]
    assert {row["gains"] for row in rows} == {"binary", "prm"}
    refused = run("study", "robustness", *files, "-m", "Judged@10")
    assert refused.exit_code == 2
    assert "says nothing about relevance" in refused.stderr
