"""The buckets engine against the embedded one: the same results and findings; and what is refused or chosen."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import gainsayer as gs
from gainsayer import Reading
from gainsayer.display import Displayed
from gainsayer.errors import CallError, DataError, FormatError, GainsayerError
from gainsayer.evaluation import engine_choice

MEASURES = ["nDCG@10", "P@5", "AP", "RBP(p=0.8)", "RR@10"]
FULL = os.environ.get("GAINSAYER_SLOW") == "1"
Make = Callable[..., Displayed]


def as_json(result: Any) -> Any:
    """All that a result says and noticed, less what was asked for."""
    said = json.loads(result.to_json())
    said["provenance"].pop("options")
    return said | {"noticed": [(found.code, found.message) for found in result.findings]}


def check_all(make: Make, *, counts: tuple[int, ...] = (1, 3, 8)) -> Any:
    """`make` gives the same with every number of buckets as embedded; what it gives is the answer."""
    expected = as_json(make(engine="embedded"))
    for buckets in counts:
        assert as_json(make(engine="buckets", buckets=buckets)) == expected
    return expected


@pytest.fixture(scope="module")
def files(simulated_files: Callable[..., Path]) -> Path:
    """A simulated collection of 25 topics; one run has a topic that nobody judged, another one lacks a judged one."""
    folder = simulated_files(topics=25, documents=20)
    runs = sorted((folder / "runs").iterdir())
    first, second = (run.read_text().splitlines() for run in runs[:2])
    runs[0].write_text("\n".join([*first, "zzz Q0 d1 1 1.0 " + first[0].split()[5]]) + "\n")
    lost = second[0].split()[0]
    runs[1].write_text("\n".join(line for line in second if line.split()[0] != lost) + "\n")
    return folder


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of nine people, one to seven of whom judged a document, in no order; some repeated, some missing."""
    rng = np.random.default_rng(3)
    rows = [
        f"q{t},d{d},w{who},{min(max(int(rng.integers(4)) + (who > 6), 0), 3)}"
        for t in range(30)
        for d in range(8)
        for who in rng.choice(9, size=rng.integers(1, 8), replace=False).tolist()
    ]
    rows += [*rows[:7], "q3,d1,x,-1", "q5,d2,x,-1"]
    rng.shuffle(rows)
    path = tmp_path_factory.mktemp("crowd") / "crowd.csv"
    path.write_text("\n".join(["topic,document,assessor,level", *rows]) + "\n")
    runs = path.parent / "runs"
    runs.mkdir()
    for name in ("one", "two"):
        lists = {t: rng.permutation(12).tolist() for t in rng.permutation(30).tolist()}
        lines = [f"q{t} Q0 d{d} {r} {10 - r} {name}" for t, found in lists.items() for r, d in enumerate(found)]
        (runs / f"{name}.run").write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"estimator": "one-sided", "threshold": 1},
        {"smooth": "eb-topics"},
        {"smooth": "uniform", "weighting": "document", "zero_lowest": True},
        {"sampled": "observed", "estimator": "one-sided"},
    ],
    ids=["plain", "one-sided", "topics", "smoothed", "sampled"],
)
def test_fit_is_the_same(files: Path, options: dict[str, Any]) -> None:
    """The model, its intervals and findings are those of the embedded engine."""
    check_all(lambda **engine: gs.fit(files / "first.qrels", files / "second.qrels", **options, **engine))


def test_fit_per_stratum_is_the_same(files: Path) -> None:
    """Strata are assigned after buckets are joined."""
    reading = Reading((files / "first.qrels", files / "second.qrels"), strata=files / "strata.tsv")
    said = check_all(lambda **engine: gs.fit(reading, **engine), counts=(3,))
    assert said["strata"]


@pytest.mark.parametrize("options", [{}, {"first": "w0,w1,w2", "second": "w3,w4,w5"}, {"weighting": "pair"}])
def test_a_crowd_is_the_same(crowd: Path, options: dict[str, Any]) -> None:
    """Parts of pairs add up to the same bits, whatever the order of rows; repeats and missing labels are counted."""
    reading = Reading((crowd,), missing=("-1",))
    said = check_all(lambda **engine: gs.fit(reading, **options, **engine))
    assert {"repeats-collapsed", "labels-missing"} <= {code for code, _ in said["noticed"]}


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_strata_and_weights_of_a_table_are_the_same(tmp_path: Path, ending: str) -> None:
    """Columns beside the labels travel through buckets: kinds of topics, and what a judgment weighs."""
    rng = np.random.default_rng(8)
    rows = [
        (f"q{t}", f"d{d}", who, int(rng.integers(3)), 1.0 + float(rng.integers(1, 9)) / 7, "nav" if t % 3 else "inf")
        for t in rng.permutation(20).tolist()
        for d in range(12)
        for who in ("ann", "bob")
    ]
    frame = pl.DataFrame(rows, ["topic", "document", "assessor", "level", "weight", "stratum"], orient="row")
    path = tmp_path / f"table.{ending}"
    frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)
    said = check_all(lambda **engine: gs.fit(path, **engine), counts=(1, 3))
    assert set(said["strata"]) == {"inf", "nav"}


@pytest.mark.parametrize("options", [{}, {"first": "w0,w1,w2", "second": "w3,w4,w5", "pairing": "all"}])
def test_agreement_of_a_crowd_is_the_same(crowd: Path, options: dict[str, Any]) -> None:
    """All coefficients and those of each pair of assessors are the same bits."""
    reading = Reading((crowd,), missing=("-1",))
    check_all(lambda **engine: gs.agree(reading, **options, **engine))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"gains": "binary", "topics": "common", "no_relevant": "skip"},
        {"unjudged": "condense", "labels": "second"},
        {"unjudged": "bounds", "gains": "prm"},
        {"ties": "rank", "labels": "mean"},
        {"ties": "input", "users": "band"},
    ],
    ids=["plain", "binary", "condensed", "bounds", "mean", "users"],
)
def test_scores_are_the_same(files: Path, options: dict[str, Any]) -> None:
    """Scores, shares of unjudged documents and findings are those of the embedded engine, under every policy."""
    judged = [files / "first.qrels", files / "second.qrels"]
    said = check_all(lambda **engine: gs.score(judged, files / "runs", MEASURES, **options, **engine))
    assert "topics-without-judgments" in {code for code, _ in said["noticed"]}


@pytest.mark.parametrize(
    ("measures", "options"),
    [
        (["P(judged_only=True)@5", "nDCG@3"], {}),
        (["AP@5", "RR@5", "ERR@5", "Q@5", "GAP@5", "F1@5", "Success@5"], {}),
        (["AP@5", "nDCG@5"], {"unjudged": 0.2}),
        (["nDCG@5", "P@5"], {"unjudged": 0.2, "users": "band"}),
    ],
    ids=["judged", "cut", "unjudged", "users"],
)
def test_nothing_that_a_measure_looks_at_is_cut_off(files: Path, measures: list[str], options: dict[str, Any]) -> None:
    """Lists are cut in buckets as deep as the measures look; where unjudged documents are left out, that is deeper."""
    judged = [files / "first.qrels", files / "second.qrels"]
    check_all(lambda **engine: gs.score(judged, files / "runs", measures, **options, **engine), counts=(3,))


@pytest.mark.parametrize("labels", ["majority", "mean", "w3,w1"])
def test_labels_of_a_crowd_score_the_same(crowd: Path, labels: str) -> None:
    """Every rule that makes one label of several makes the same one from joined buckets."""
    reading = Reading((crowd,), missing=("-1",))
    runs = crowd.parent / "runs"
    check_all(lambda **engine: gs.score(reading, runs, ["nDCG@5", "P@5"], labels=labels, **engine), counts=(3,))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"baseline": "best", "test": "t", "adjust": "holm"},
        {"gains": "prm,binary", "machine": "second", "users": "independent"},
        {"test": "randomisation", "permutations": 500, "margin": 0.01},
    ],
    ids=["plain", "baseline", "machine", "randomisation"],
)
def test_comparisons_are_the_same(files: Path, options: dict[str, Any]) -> None:
    """Intervals, p-values, ranks, tau and advice are the same bits."""
    judged = [files / "first.qrels", files / "second.qrels"]
    check_all(lambda **engine: gs.compare(judged, files / "runs", ["nDCG@10", "DCG@5"], **options, **engine))


def test_a_model_brings_its_levels(files: Path, tmp_path: Path) -> None:
    """Judgments of one side, scored with a model made elsewhere, are read with its levels in every bucket."""
    model = gs.fit(files / "first.qrels", files / "second.qrels")
    check_all(lambda **engine: gs.score(files / "first.qrels", files / "runs", "nDCG@10", model=model, **engine))


def test_names_for_levels_and_maps_are_the_same(files: Path) -> None:
    """Numbers become the levels named, and one assessor's labels another's, before anything is counted."""
    reading = Reading(
        (("U1", files / "first.qrels"), ("U2", files / "second.qrels")),
        levels="Non,Rel,Key",
        maps={"U2": {"2": "Key"}},
    )
    check_all(lambda **engine: gs.compare(reading, files / "runs", "nDCG@10", **engine), counts=(3,))


@pytest.mark.parametrize(
    "sources",
    [("nist", "umbrela-gpt4"), ("nist", "umbrela-gpt4", "umbrela-gpt4o", "binary-gpt4")],
    ids=["two", "four"],
)
def test_real_judgments_are_the_same(shared_data: Callable[[str], Path], sources: tuple[str, ...]) -> None:
    """TREC DL 2021, people beside machines: fit, agree, score and compare give the same in 1, 3 and 8 buckets."""
    folder = shared_data("dl21")
    judged = [folder / "assessors" / f"{name}.qrels" for name in sources]
    levels = "0,1,2,3"  # all had them before them
    runs = sorted((folder / "runs").iterdir())[:4]
    reading = Reading(tuple(judged), levels=levels)
    counts = (1, 3, 8) if FULL or len(sources) == 2 else (3,)
    check_all(lambda **engine: gs.fit(reading, **engine), counts=counts)
    check_all(lambda **engine: gs.agree(reading, **engine), counts=counts)
    check_all(lambda **engine: gs.score(reading, runs, MEASURES, labels="nist", **engine), counts=counts)
    check_all(lambda **engine: gs.compare(reading, runs, "nDCG@10", labels="nist", **engine), counts=counts)


def test_fixed_pairs_are_the_same(shared_data: Callable[[str], Path]) -> None:
    """TREC DL 2019, four fixed pairs of annotators: who pairs with whom is decided for all buckets together."""
    folder = shared_data("dl19/annotators")
    judged = sorted(folder.iterdir())
    sides = {side: [path.stem for path in judged if path.stem.endswith(side)] for side in ("first", "second")}
    check_all(lambda **engine: gs.fit(*judged, **sides, **engine))
    check_all(lambda **engine: gs.agree(*judged, **sides, **engine))


@pytest.mark.slow
def test_five_thousand_topics_are_the_same(tmp_path: Path) -> None:
    """Where comparisons go by sums over topics, fit, agree, score and compare give the same in 1, 3 and 8 buckets."""
    rng = np.random.default_rng(11)
    names = [f"q{t}" for t in rng.permutation(5000).tolist()]
    labels = {"first": rng.integers(3, size=(5000, 6)), "second": rng.integers(3, size=(5000, 6))}
    labels["second"] = np.where(rng.random((5000, 6)) < 0.6, labels["first"], labels["second"])
    for name, table in labels.items():
        lines = [
            f"{t} 0 d{d} {level}" for t, row in zip(names, table.tolist(), strict=True) for d, level in enumerate(row)
        ]
        (tmp_path / f"{name}.qrels").write_text("\n".join(lines) + "\n")
    (tmp_path / "runs").mkdir()
    for name in ("one", "two", "three"):
        found = rng.permuted(np.tile(np.arange(9), (5000, 1)), axis=1)[:, :6].tolist()
        lines = [
            f"{t} Q0 d{d} {r} {9 - r} {name}" for t, row in zip(names, found, strict=True) for r, d in enumerate(row)
        ]
        (tmp_path / "runs" / f"{name}.run").write_text("\n".join(lines) + "\n")
    files, runs = [tmp_path / "first.qrels", tmp_path / "second.qrels"], tmp_path / "runs"
    counts = (1, 3, 8) if FULL else (3,)
    check_all(lambda **engine: gs.fit(*files, **engine), counts=counts)
    check_all(lambda **engine: gs.agree(*files, **engine), counts=counts)
    check_all(lambda **engine: gs.score(files, runs, ["nDCG@5", "AP"], **engine), counts=counts)
    check_all(lambda **engine: gs.compare(files, runs, ["nDCG@5", "RR@5"], **engine), counts=counts)


def test_refusals_that_depend_on_the_whole_are_the_same(tmp_path: Path) -> None:
    """Labels that look shifted are refused in the same words, though no bucket alone has enough of them."""
    for name, shift in (("people", 1), ("machine", 0)):
        lines = [f"q{t} 0 d{d} {d % 4 + shift}" for t in range(12) for d in range(8)]
        (tmp_path / f"{name}.qrels").write_text("\n".join(lines) + "\n")
    files = [tmp_path / "people.qrels", tmp_path / "machine.qrels"]
    said = []
    for engine in ({"engine": "embedded"}, {"engine": "buckets", "buckets": 8}):
        with pytest.raises(GainsayerError) as refused:
            gs.fit(*files, **engine)  # type: ignore[arg-type]
        said.append((type(refused.value), str(refused.value)))
    assert said[0] == said[1]
    assert "Equal labels do not seem to mean the same here" in said[0][1]


def test_no_pairs_is_a_fault_of_the_whole(tmp_path: Path) -> None:
    """Two files without a common document are refused; buckets without one are not."""
    (tmp_path / "a.qrels").write_text("q1 0 d1 1\nq2 0 d1 0\nq3 0 d3 1\n")
    (tmp_path / "b.qrels").write_text("q1 0 d2 1\nq2 0 d1 1\n")
    found = gs.fit(tmp_path / "a.qrels", tmp_path / "b.qrels", engine="buckets", buckets=8)
    assert found.disagreement.counts.topics == ("q2",)
    (tmp_path / "b.qrels").write_text("q1 0 d2 1\nq2 0 d2 1\n")
    with pytest.raises(DataError, match=r"No document was judged by both sides: a judged 3 documents"):
        gs.fit(tmp_path / "a.qrels", tmp_path / "b.qrels", engine="buckets", buckets=8)


def test_faults_of_files_name_the_file_and_line(files: Path, tmp_path: Path) -> None:
    """A line that is no judgment is named as in the file that was given."""
    lines = (files / "first.qrels").read_text().splitlines()
    (tmp_path / "bad.qrels").write_text("\n".join([*lines[:16], "q1 0 d2", *lines[17:]]) + "\n")
    with pytest.raises(FormatError, match=r"bad\.qrels, line 17: expected 4 columns"):
        gs.fit(tmp_path / "bad.qrels", files / "second.qrels", engine="buckets", buckets=3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"engine": "dask"}, "The engine may be auto, embedded, buckets, spark, found 'dask'."),
        ({"master": "yarn"}, r"master=\.\.\. says where Spark is: use engine='spark' with it."),
        ({"engine": "embedded", "work": "x"}, r"use engine='buckets' with work=\.\.\."),
        ({"engine": "embedded", "buckets": 2}, r"use engine='buckets' with buckets=\.\.\."),
        ({"engine": "buckets", "buckets": 0}, "At least one bucket is needed, found buckets=0"),
        ({"engine": "buckets", "duplicates": "x"}, "The buckets engine does not serve groups of equal documents: use"),
        (
            {"engine": "buckets", "resources": gs.Resources()},
            "does not serve runs that rank resources: use engine='emb",
        ),
    ],
)
def test_what_is_not_served_is_refused(files: Path, options: dict[str, Any], words: str) -> None:
    """One sentence says what another engine does not serve, and which one does."""
    with pytest.raises(CallError, match=words):
        gs.score(files / "first.qrels", files / "runs", "P@5", **options)


def test_readings_that_are_not_served_are_refused(files: Path) -> None:
    """Data in memory, intents, opinions without names and plans are for the embedded engine."""
    path = files / "first.qrels"
    refused: list[tuple[str, Callable[[], object]]] = [
        ("judgments that are in memory", lambda: gs.fit({"q": {"d": 1}}, engine="buckets")),
        ("judgments that are in memory", lambda: gs.agree("-", path, engine="buckets")),
        ("intents", lambda: gs.fit(Reading((path,), diversity=True), engine="buckets")),
        ("repeated judgments as opinions", lambda: gs.fit(Reading((path,), repeats="as-assessors"), engine="buckets")),
        ("plans of second judgments", lambda: gs.fit(path, path, plan=path, engine="buckets")),
        ("runs that are in memory", lambda: gs.score(path, {"q": {"d": 1.0}}, "P@5", engine="buckets")),
    ]
    for words, call in refused:
        with pytest.raises(CallError, match=f"The buckets engine does not serve {words}.*: use engine='embedded'"):
            call()


def test_auto_takes_buckets_where_files_outgrow_memory(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files larger than half the free memory go by buckets, and a finding says so; smaller ones do not."""
    judged = [files / "first.qrels", files / "second.qrels"]
    size = sum(path.stat().st_size for path in [*judged, *(files / "runs").iterdir()])
    tables = {}
    for free in (2 * size, 2 * size - 2):
        monkeypatch.setattr(engine_choice, "free_memory", lambda free=free: free)
        tables[free] = gs.score(judged, files / "runs", "nDCG@10")
    codes = {free: [found.code for found in table.findings] for free, table in tables.items()}
    assert ["buckets-taken" in codes[free] for free in tables] == [False, True]
    taken, whole = as_json(tables[2 * size - 2]), as_json(tables[2 * size])
    for said in (taken["noticed"], taken["warnings"]):
        said[:] = [found for found in said if "buckets" not in str(found)]
    assert taken == whole


def test_auto_stays_embedded_where_nothing_else_serves(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What buckets do not serve is done in memory, however little is free."""
    monkeypatch.setattr(engine_choice, "free_memory", lambda: 0)
    run = {"q1": {"d1": 1.0}}
    assert gs.score({"q1": {"d1": 1, "d2": 0}}, run, "P@1").means() == {"P@1": 1.0}


def test_the_engine_is_part_of_what_was_asked_for(files: Path) -> None:
    """Provenance names the engine that was asked for; the default is not worth a word."""
    judged = [files / "first.qrels", files / "second.qrels"]
    asked = gs.fit(*judged, engine="buckets", buckets=2).provenance
    usual = gs.fit(*judged).provenance
    assert asked is not None
    assert usual is not None
    assert (asked.options["engine"], asked.options["buckets"]) == ("buckets", 2)
    assert not {"engine", "buckets", "work", "master"} & set(usual.options)
    assert asked.files == usual.files


def test_a_kept_work_folder_serves_again(files: Path, tmp_path: Path) -> None:
    """A second call takes what the first one left in the work folder, and gives the same."""
    judged = [files / "first.qrels", files / "second.qrels"]
    work = tmp_path / "work"

    def call() -> Any:
        return as_json(gs.compare(judged, files / "runs", "nDCG@10", engine="buckets", buckets=3, work=work))

    first = call()
    kept = {path: path.stat().st_mtime_ns for path in work.rglob("*") if path.is_file()}
    assert call() == first == as_json(gs.compare(judged, files / "runs", "nDCG@10", engine="embedded"))
    assert {path: path.stat().st_mtime_ns for path in work.rglob("*") if path.is_file()} == kept
