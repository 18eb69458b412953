"""What a person has, as judgments: the same whatever it comes in."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from gainsayer.errors import CallError
from gainsayer.evaluation.sources import Reading, choose_relevance, join_second, take_judgments
from gainsayer.judgments.files import read_judgments
from gainsayer.levels import Levels

LABELS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}
THREE = Levels(("0", "1", "2"))


def test_files_frames_and_dicts_are_the_same_judgments(tmp_path: Path) -> None:
    """A qrels file, a data frame, a dict and judgments already read hold the same rows."""
    rows = [(topic, name, level) for topic, own in LABELS.items() for name, level in own.items()]
    path = tmp_path / "labels.qrels"
    path.write_text("".join(f"{topic} 0 {name} {level}\n" for topic, name, level in rows))
    frame = pd.DataFrame(rows, columns=["qid", "docno", "rel"])
    read = read_judgments(path)
    given = (LABELS, path, str(path), frame, Reading((path,)), read, [read])
    found = [sorted(take_judgments(one).frame().select("topic", "document", "level").rows()) for one in given]
    assert found == [sorted((topic, name, str(level)) for topic, name, level in rows)] * len(given)


def test_levels_of_a_model_hold_where_none_are_named() -> None:
    """Levels named in the reading come first; the model's stand where there are none."""
    wide = Levels(("0", "1", "2", "3"))
    assert take_judgments(LABELS, levels=wide).levels.names == wide.names
    assert take_judgments(Reading((LABELS,), levels=THREE), levels=wide).levels.names == THREE.names
    assert take_judgments(Reading((LABELS,), levels="0,1,2,9")).levels.names == ("0", "1", "2", "9")


def test_strata_and_intents_come_with_the_reading(tmp_path: Path) -> None:
    """Strata from a file or a dict; with the top intent alone, its probabilities are needed."""
    (tmp_path / "strata.tsv").write_text("q1\tnav\nq2\tinf\n")
    for strata in (tmp_path / "strata.tsv", {"q1": "nav", "q2": "inf"}):
        assert Reading((LABELS,), strata=strata).read().strata == {"q1": "nav", "q2": "inf"}
    path = tmp_path / "div.qrels"
    path.write_text("q1 1 a 1\nq1 2 a 0\nq1 2 b 1\nq1 1 b 0\n")
    with pytest.raises(CallError, match="the probability of each is needed"):
        Reading((path,), diversity=True, intents="top").read()
    (tmp_path / "p.txt").write_text("q1 1 0.2\nq1 2 0.8\n")
    asked = {("q1", "1"): 0.2, ("q1", "2"): 0.8}
    for probabilities in (asked, tmp_path / "p.txt"):
        kept = Reading((path,), diversity=True, intents="top", intent_probabilities=probabilities).read()
        assert sorted(kept.frame().select("document", "level").rows()) == [("a", "0"), ("b", "1")]


def test_a_second_side_is_a_name_or_judgments(tmp_path: Path) -> None:
    """A file that is there, a frame or a dict joins the judgments; anything else names assessors."""
    (tmp_path / "b.qrels").write_text("q1 0 d1 1\n")
    here = str(tmp_path / "b.qrels")
    assert join_second("a.qrels", "U2") == (["a.qrels"], "U2")
    assert join_second("a.qrels", ["U2", "U3"]) == (["a.qrels"], ["U2", "U3"])
    assert join_second(["a.qrels"], None) == (["a.qrels"], None)
    assert join_second("a.qrels", here) == (["a.qrels", here], None)
    assert join_second(["a.qrels"], LABELS) == (["a.qrels", LABELS], None)


def test_notions_of_relevance() -> None:
    """By threshold, by set, by several of either; each once; every threshold by default, the top level first."""
    assert [found.names for found in choose_relevance(THREE)] == [("2",), ("1", "2")]
    assert [found.names for found in choose_relevance(THREE, [1, "2", 1])] == [("1", "2"), ("2",)]
    assert [found.names for found in choose_relevance(THREE, None, ["0", "2"])] == [("0", "2")]
    assert [found.names for found in choose_relevance(THREE, 2, [["0"], ["1", "2"]])] == [("2",), ("0",), ("1", "2")]
    with pytest.raises(CallError, match=r"have no order\. Name them from low to high"):
        choose_relevance(Levels(("x", "y"), ordered=False))
