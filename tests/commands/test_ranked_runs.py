"""Runs as a person names them: the same whatever they come in, matched once, labelled often."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gainsayer as gs
from gainsayer.commands import ranked_runs
from gainsayer.commands.provenance import hash_while_reading
from gainsayer.commands.ranked_runs import Policies, match_runs
from gainsayer.errors import CallError, FormatError
from gainsayer.reading import read_judgments

TRUTH = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "c": 1}}
RUN = {"q1": {"a": 2.0, "x": 1.0}, "q2": {"c": 3.0, "y": 2.0, "a": 1.0}}
LINES = "".join(f"{t} Q0 {d} 1 {s} tag\n" for t, own in RUN.items() for d, s in own.items())


@pytest.fixture
def judgments() -> gs.Judgments:
    """Two topics, one assessor."""
    return read_judgments({"U": TRUTH})


def hits(found: gs.ranking.RankedLevels) -> list[tuple[str, int, str]]:
    """Topic, rank and level of each hit."""
    return [
        (found.topics[topic], rank, found.levels.names[level])
        for topic, rank, level in zip(found.topic.tolist(), found.rank.tolist(), found.level.tolist(), strict=True)
    ]


def test_files_folders_patterns_frames_and_dicts(judgments: gs.Judgments, tmp_path: Path) -> None:
    """One run in every form has the same hits; its name is its tag, the key of a dict, or its place in a list."""
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "a.run").write_text(LINES)
    frame = pd.DataFrame(
        [(t, d, s) for t, own in RUN.items() for d, s in own.items()], columns=["qid", "docno", "score"]
    )
    forms = {
        "tag": [folder, folder / "a.run", str(folder / "*.run"), [folder / "a.run"]],
        "mine": [{"mine": RUN}, {"mine": frame}],
        "run": [RUN, gs.read_run(RUN)],
    }
    expected = [("q1", 1, "1"), ("q2", 1, "1"), ("q2", 3, "0")]
    for name, every in forms.items():
        for runs in every:
            matched = match_runs(runs, judgments, Policies())
            assert [run.name for run in matched.runs] == [name]
            assert hits(matched.label(judgments).ranked[0]) == expected
            assert len(matched.files) == (name == "tag")
    assert [run.name for run in match_runs([RUN, frame], judgments, Policies()).runs] == ["run 1", "run 2"]
    with pytest.raises(CallError, match="No runs were given"):
        match_runs([], judgments, Policies())
    with pytest.raises(CallError, match="Two runs are called 'run'"):
        match_runs([gs.read_run(RUN), gs.read_run(RUN)], judgments, Policies())


def test_policies_of_lists(judgments: gs.Judgments) -> None:
    """Condensed lists close their ranks and remember what they were."""
    labelled = match_runs(RUN, judgments, Policies(unjudged="condense")).label(judgments)
    assert hits(labelled.ranked[0]) == [("q1", 1, "1"), ("q2", 1, "1"), ("q2", 2, "0")]
    assert labelled.whole[0].retrieved.tolist() == [2, 3]


def test_topics_that_do_not_fit_are_said(judgments: gs.Judgments) -> None:
    """Topics nobody judged, and judged topics that a run lacks."""
    labelled = match_runs({"one": {"q1": RUN["q1"], "q9": {"a": 1.0}}}, judgments, Policies()).label(judgments)
    words = {finding.code: finding.message for finding in labelled.findings}
    assert "one (1, such as q9)" in words["topics-without-judgments"]
    assert "one (1)" in words["topics-missing"]


def test_topics_of_a_part(judgments: gs.Judgments) -> None:
    """On the topics of some of the judgments there are only these; on all of them nothing changes."""
    labelled = match_runs(RUN, judgments, Policies()).label(judgments)
    part = judgments.rows(np.array([judgments.topics[place] == "q2" for place in judgments.topic.tolist()]))
    assert hits(labelled.on_topics_of(part).ranked[0]) == [("q2", 1, "1"), ("q2", 3, "0")]
    assert labelled.on_topics_of(part).whole[0].topics == ("q2",)
    assert labelled.on_topics_of(judgments) is labelled


def test_many_small_files_are_read_side_by_side(
    judgments: gs.Judgments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In their order, with the same hits and digests as one after the other; the first that is faulty is named."""
    files = [tmp_path / f"{place:02}.run" for place in range(30)]
    for place, file in enumerate(files):
        file.write_text("".join(f"q1 Q0 {name} 1 {(row * place) % 7} r{place}\n" for row, name in enumerate("xaybz")))
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    assert ranked_runs._are_small([str(file) for file in files])
    heard: list[float] = []
    digests = hash_while_reading(files)
    with digests:
        found = match_runs(files, judgments, Policies(), progress=lambda _, share: heard.append(share))
    assert heard == [pytest.approx(place / 30) for place in range(31)]
    for file in files:
        assert digests.of(str(file)) == hashlib.sha256(file.read_bytes()).hexdigest()
    assert [run.name for run in found.runs] == [f"r{place}" for place in range(30)]
    for file, run in zip(files, found.runs, strict=True):
        alone = match_runs(file, judgments, Policies()).runs[0]
        assert (run.rank.tolist(), run.entry.tolist()) == (alone.rank.tolist(), alone.entry.tolist())
    files[3].write_text("q1 Q0 d1 1\n")
    files[21].write_text("q1 Q0 d1\n")
    with pytest.raises(FormatError, match=re.escape("03.run, line 1: expected 6 columns")):
        match_runs(files, judgments, Policies())


def test_few_large_or_odd_files_are_read_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their blocks are shared instead; and a pipe may never end."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1}, raising=False)
    files = [tmp_path / f"{place}.run" for place in range(10)]
    for file in files:
        file.write_text("q1 Q0 d1 1 1 r\n")
    names = [str(file) for file in files]
    assert ranked_runs._are_small(names)
    assert not ranked_runs._are_small(names[:5])
    assert not ranked_runs._are_small([*names, "-"])
    with files[0].open("r+b") as large:
        large.truncate(ranked_runs._SMALL_FILE + 1)
    assert not ranked_runs._are_small(names)


def test_scores_that_single_precision_cannot_tell_apart_are_noted(tmp_path: Path) -> None:
    """Only within the depth that is scored, only where the list changes, and with the way to the other number."""
    truth = {topic: {"a": 0, "b": 1} for topic in ("q1", "q2", "q3")}
    apart, near = {"a": 0.30000000002, "b": 0.30000000001}, {"x": 3.0, "y": 2.0, "a": 0.30000000002, "b": 0.30000000001}
    files = {
        "near": {"q1": apart, "q2": apart, "q3": {"a": 0.4, "b": 0.3}},
        "deep": dict.fromkeys(truth, near),
        "same": {topic: {"b": 0.30000000002, "a": 0.30000000001} for topic in truth},  # b comes first either way
        "plain": {topic: {"a": 2.0, "b": 1.0} for topic in truth},
    }
    for name, run in files.items():
        rows = [f"{topic} Q0 {doc} 1 {score!r} {name}" for topic, found in run.items() for doc, score in found.items()]
        (tmp_path / f"{name}.run").write_text("\n".join(rows) + "\n")
    paths = [str(tmp_path / f"{name}.run") for name in files]

    def said(measure: str, **more: str) -> list[str]:
        found = gs.score(truth, paths, measure, **more)  # type: ignore[arg-type]
        return [finding.message for finding in found.findings if finding.code == "single-precision"]

    assert said("P@1") == [
        "Some scores differ only beyond single precision: near (2 topics). trec_eval 10 keeps them apart, and so do "
        "we; trec_eval 9, pytrec_eval and ir_measures take them for equal: ties='trec9' gives their numbers."
    ]
    assert "near (2 topics), deep (3 topics)." in said("AP")[0]
    assert said("P@1", ties="trec9") == []
    exact, single = (gs.score(truth, paths[0], "P@1", ties=ties).to_polars()["value"][0] for ties in ("trec", "trec9"))
    assert (exact, single) == (0.0, pytest.approx(2 / 3))
