"""What a person has, as judgments: the same whatever it comes in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import gainsayer as gs
from gainsayer import Reading
from gainsayer.commands.inputs import (
    SideChoice,
    choose_relevance,
    choose_side_names,
    for_each_stratum,
    join_second,
    split_assessors,
    take_judgments,
)
from gainsayer.errors import CallError, DataError, PairingError
from gainsayer.levels import Levels
from gainsayer.model import assign_strata
from gainsayer.reading import read_judgments

Make = Callable[..., gs.Judgments]
ROWS = [("q1", "d", name, "1") for name in ("A", "B", "Smith, J.", "C")] + [
    ("q2", "e", "A", "0"),
    ("q2", "e", "B", "1"),
]

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


def test_names_between_commas_unless_the_comma_belongs_to_the_name(judge: Make) -> None:
    """A whole name that exists is that assessor; else commas separate names; blanks and repeats do not count."""
    judgments = judge(ROWS)
    assert split_assessors(judgments, "A, B,A", "first") == ("A", "B")
    assert split_assessors(judgments, "Smith, J.", "first") == ("Smith, J.",)
    assert split_assessors(judgments, ["Smith, J.", "A,C"], "first") == ("Smith, J.", "A", "C")
    assert split_assessors(judgments, None, "first") is split_assessors(judgments, " , ", "first") is None


@pytest.mark.parametrize(("pairing", "matched"), [("auto", None), ("matched", True), ("all", False)])
def test_pairing_in_words(judge: Make, pairing: str, matched: bool | None) -> None:
    """Members pair one by one, all with all, or as the data has it."""
    chosen = choose_side_names(judge(ROWS), "A", ("B", "C"), pairing)  # type: ignore[arg-type]
    assert chosen == SideChoice(("A",), ("B", "C"), pairing)  # type: ignore[arg-type]
    assert chosen.matched is matched


def test_sides_count_their_pairs(judge: Make) -> None:
    """A against B: one pair on each of two documents, (1, 1) and (0, 1)."""
    assert SideChoice(("A",), ("B",)).count(judge(ROWS)).matrix.tolist() == [[0, 1], [0, 1]]


def test_strata_one_by_one(judge: Make) -> None:
    """A stratum without pairs is left out and said; any other fault names the stratum."""
    judgments = assign_strata(judge(ROWS), {"q1": "nav", "q2": "inf"})

    def count(part: gs.Judgments) -> int:
        if "q2" in {part.topics[place] for place in part.topic.tolist()}:
            raise PairingError("no pairs")
        return len(part)

    found, noticed = for_each_stratum(judgments, count)
    assert found == {"nav": 4}
    assert [(one.code, "'inf'" in one.message) for one in noticed] == [("stratum-without-pairs", True)]

    def fail(part: gs.Judgments) -> int:
        raise DataError("nothing left")

    with pytest.raises(DataError, match=r"^Stratum 'inf': nothing left$"):
        for_each_stratum(judgments, fail)
    assert for_each_stratum(judge(ROWS), fail) == ({}, [])
