"""Pools, order, ties, duplicates and repeated documents."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.scoring.plain_lists import order, random_run

from gainsayer.errors import CallError, DataError, FormatError
from gainsayer.ranking import (
    TIES,
    group_duplicates,
    make_pool,
    matching,
    rank_levels,
    rank_rows,
    ranked_from_lists,
    read_duplicates,
)
from gainsayer.reading import map_run, read_judgments, read_run

LABELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}}


@pytest.fixture
def pool():
    """Two topics, three levels, one assessor."""
    return make_pool(read_judgments({"U1": LABELS}))


def test_hits_lengths_and_missing_topics(pool):
    """Judged documents are hits at their ranks; a topic the run lacks has an empty list; others are named."""
    ranked = rank_levels(read_run({"q1": {"x": 3, "a": 2, "y": 1, "b": 0}, "q9": {"a": 1}}), pool)
    assert (ranked.topic.tolist(), ranked.rank.tolist(), ranked.level.tolist()) == ([0, 0], [2, 4], [2, 0])
    assert ranked.retrieved.tolist() == [4, 0]
    assert ranked.present.tolist() == [True, False]
    assert ranked.pool.tolist() == [[1, 1, 1], [0, 1, 0]]
    assert ranked.unscored == ("q9",)


def test_ties_go_by_document_bytes_descending(pool):
    """Among equal scores the document with the greater bytes comes first, é after z."""
    pool = make_pool(read_judgments({"U1": {"q1": {"z": 1, "é": 2, "Z": 0}}}))
    ranked = rank_levels(read_run({"q1": {"Z": 1, "z": 1, "é": 1}}), pool)
    assert ranked.level.tolist() == [2, 1, 0]


def test_trec9_rounds_scores_first(pool):
    """16777217 and 16777216 are the same 32-bit float, so trec_eval 9 saw a tie."""
    run = read_run({"q1": {"a": 16777217.0, "b": 16777216.0}})
    assert rank_levels(run, pool).level.tolist() == [2, 0]
    assert rank_levels(run, pool, ties="trec9").level.tolist() == [0, 2]
    huge = read_run({"q1": {"a": 1e300, "b": 2e300}})
    assert rank_levels(huge, pool, ties="trec9").level.tolist() == [0, 2]


def test_rank_and_input_orders(pool, tmp_path):
    """By request the rank column or the order of lines decides."""
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 3 9 t\nq1 Q0 b 1 1 t\nq1 Q0 c 2 1 t\n")
    assert rank_levels(path, pool, ties="rank").level.tolist() == [0, 1, 2]
    assert rank_levels(path, pool, ties="input").level.tolist() == [2, 0, 1]
    assert rank_levels(path, pool).level.tolist() == [2, 1, 0]
    with pytest.raises(CallError, match=r"read_run\(\.\.\., ranks=True\)"):
        rank_levels(read_run(path), pool, ties="rank")
    path.write_text("q1 Q0 a 1 9 t\nq1 Q0 b 2 1 t\nq1 Q0 c 1 1 t\n")
    with pytest.raises(FormatError, match=r"a\.run, line 3: topic q1 has rank 1 already in .*a\.run, line 1\."):
        rank_levels(path, pool, ties="rank")
    path.write_text("q1 Q0 a one 9 t\n")
    assert rank_levels(path, pool).level.tolist() == [2]
    with pytest.raises(FormatError, match=r"line 1: expected a number as rank, found 'one'"):
        rank_levels(path, pool, ties="rank")


@pytest.mark.parametrize("between", ["", "q1 Q0 y 9 0 t\n", "\n", "q2 Q0 x 1 1 t\n"])
def test_a_repeated_document_is_refused_with_both_lines(pool, tmp_path, between):
    """Together, apart, after blank lines or after another topic: both places are named."""
    path = tmp_path / "a.run"
    path.write_text(f"q1 Q0 x 1 2 t\n{between}q1 Q0 x 2 1 t\n")
    second = 3 if between else 2
    with pytest.raises(
        FormatError, match=rf"a\.run, line {second}: document x of topic q1 is there already in .*line 1"
    ):
        rank_levels(path, pool)


def test_no_shared_topic_is_an_error_in_words(pool):
    """Topics of both sides are shown, since they are often written differently."""
    with pytest.raises(DataError, match=r"share no topic\. Topics of the run: 01; judged topics: q1, q2\."):
        rank_levels(read_run({"01": {"a": 1}}), pool)


def test_unknown_options_are_refused(pool):
    """Options that do not fit are faults of the call."""
    run = read_run({"q1": {"a": 1}})
    with pytest.raises(CallError, match="Ties may be broken by trec, trec9, rank, input"):
        rank_levels(run, pool, ties="random")


def test_pieces_of_a_large_run_are_ranked_like_the_whole(pool, monkeypatch, tmp_path):
    """Runs larger than a piece are cut at topics, grouped or not."""
    run = {"q1": {name: len(name) + ord(name[0]) for name in "abcxyz"}, "q2": {"a": 1, "b": 2}, "q3": {"a": 1}}
    expected = rank_levels(read_run(run), pool)
    monkeypatch.setattr(matching, "_PIECE_ROWS", 2)
    mixed = tmp_path / "mixed.run"
    lines = [f"{topic} Q0 {name} 1 {score} t\n" for topic, scored in run.items() for name, score in scored.items()]
    mixed.write_text("".join(lines[::2] + lines[1::2]))
    for again in (rank_levels(read_run(run), pool), rank_levels(mixed, pool), rank_levels(read_run(mixed), pool)):
        assert again.rank.tolist() == expected.rank.tolist()
        assert again.level.tolist() == expected.level.tolist()
        assert again.retrieved.tolist() == expected.retrieved.tolist()


def test_of_several_pieces_the_first_fault_is_named(pool, monkeypatch, tmp_path):
    """Threads may find the faults of later pieces first; what is said does not depend on it."""
    monkeypatch.setattr(matching, "_PIECE_ROWS", 2)
    mixed = tmp_path / "mixed.run"
    mixed.write_text("".join(f"q{topic} Q0 a 1 {place} t\n" for place in range(2) for topic in range(1, 9)))
    for _ in range(20):
        with pytest.raises(FormatError, match=r"line 9: document a of topic q1 is there already in .* line 1"):
            rank_levels(mixed, pool)


def test_a_pool_has_one_assessor(tmp_path):
    """By default the first one; topics only others judged are left out; unknown and repeated ones are refused."""
    judgments = read_judgments({"U1": {"q1": {"a": 1}}, "U2": {"q1": {"a": 0}, "q0": {"b": 1}}})
    assert make_pool(judgments).topics == ("q1",)
    assert make_pool(judgments, assessor="U2").counts.tolist() == [[0, 1], [1, 0]]
    with pytest.raises(CallError, match="There is no assessor 'U3': the assessors are U1, U2"):
        make_pool(judgments, assessor="U3")
    path = tmp_path / "U1.qrels"
    path.write_text("q1 0 a 1\nq1 0 a 0\nq1 0 b 0\n")
    with pytest.raises(DataError, match="U1 judged 1 documents several times, such as q1 a"):
        make_pool(read_judgments(path, repeats="all"))
    path.write_text("q1 1 a 1\nq1 2 a 0\n")
    with pytest.raises(DataError, match="Judgments by intent"):
        make_pool(read_judgments(path, diversity=True))


def test_later_duplicates_keep_their_rank_and_are_worth_nothing(pool):
    """The first returned of a group counts, judged or not; the pool has the group once, at its best level."""
    groups = group_duplicates([(None, ["a", "c"]), (None, ["x", "y"])])
    run = read_run({"q1": {"c": 9, "x": 8, "a": 7, "y": 6, "b": 5}})
    ranked = rank_levels(run, pool, duplicates=groups)
    assert ranked.rank.tolist() == [1, 3, 4, 5]
    assert ranked.level.tolist() == [1, ranked.duplicate, ranked.duplicate, 0]
    assert ranked.pool_by(np.array([2, 1, 0])).tolist() == [[1, 0, 1], [0, 1, 0]]
    assert ranked.pool_by(np.array([1, 2, 0])).tolist() == [[1, 1, 0], [0, 1, 0]], "where level 1 is worth more"


def test_duplicates_files(tmp_path, pool):
    """Lines are groups; a leading topic or digit is distinguished from documents."""
    path = tmp_path / "duplicates.txt"
    path.write_text("0\ta\tc\n\n1\tx y\n")
    found = read_duplicates(path)
    assert found.topic == (None, None)
    assert found.document.texts() == ["a", "c", "x", "y"]
    path.write_text("q2 a c\n0 x y\n")
    found = read_duplicates(path, topics=pool.topics)
    assert found.topic == ("q2", None)
    run = read_run({"q1": {"a": 2, "c": 1}, "q2": {"a": 2, "c": 1}})
    assert rank_levels(run, pool, duplicates=found).level.tolist() == [2, 1, 1, 3]
    path.write_text("a b\nc\n")
    with pytest.raises(FormatError, match=r"line 2: expected two or more equal documents, found 'c'"):
        read_duplicates(path)


def test_real_duplicates_are_read(shared_data):
    """The FedWeb file has 4,601 lines that all begin with a digit."""
    found = read_duplicates(shared_data("fedweb13/duplicates.txt"))
    assert set(found.topic) == {None}
    assert "0" not in found.document.texts()


def test_real_runs_are_ranked_in_batches_as_in_whole(shared_data, monkeypatch):
    """Batches of a real run give the ranked levels of the whole."""
    pool = make_pool(read_judgments(shared_data("dl19/nist.qrels")))
    path = sorted(shared_data("dl19/runs").iterdir())[0]
    whole = rank_levels(read_run(path), pool)
    monkeypatch.setattr(matching, "map_run", partial(map_run, size=20_000))
    other = rank_levels(path, pool)
    assert other.level.tolist() == whole.level.tolist()
    assert other.rank.tolist() == whole.rank.tolist()


def test_lists_by_hand_are_checked():
    """Levels and topics that are not there are refused."""
    with pytest.raises(CallError, match="The pool lacks the topics q2"):
        ranked_from_lists({"q2": [1]}, {"q1": [1, 1]})
    with pytest.raises(CallError, match="0 to 1"):
        ranked_from_lists({"q1": [3]}, {"q1": [1, 1]})


@pytest.mark.parametrize("seed", range(20))
def test_score_then_bytes(seed: int) -> None:
    """The ranks are the places in a list sorted by score, then by the bytes of the name, both descending."""
    lists = random_run(random.Random(seed))
    run = read_run(lists)
    for topic, name, rank in zip(run.topic.tolist(), run.document.texts(), rank_rows(run).tolist(), strict=True):
        assert order(lists[run.topics[topic]])[rank - 1] == name


@pytest.mark.parametrize("seed", range(10))
def test_trec9_sees_32_bits(seed: int) -> None:
    """Scores that are the same 32-bit float are tied; the others keep their order."""
    generator = random.Random(seed)
    scores = {f"d{n}": 1.0 + generator.randrange(6) * 2.0**-26 for n in range(8)}
    run = read_run({"q": scores})
    rounded = {name: float(np.float32(score)) for name, score in scores.items()}
    found = dict(zip(run.document.texts(), rank_rows(run, ties="trec9").tolist(), strict=True))
    assert sorted(found, key=found.__getitem__) == order(rounded)
    exact = dict(zip(run.document.texts(), rank_rows(run).tolist(), strict=True))
    assert sorted(exact, key=exact.__getitem__) == order(scores)


def test_by_rank_column_and_by_lines(tmp_path: Path) -> None:
    """`rank` sorts by the column whatever the gaps in it, `input` goes by the lines; neither looks at the scores."""
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 30 1 t\nq1 Q0 b 2 9 t\nq1 Q0 c 7 5 t\nq2 Q0 a 1 1 t\n")
    run = read_run(path, ranks=True)
    assert rank_rows(run, ties="rank").tolist() == [3, 1, 2, 1]
    assert rank_rows(run, ties="input").tolist() == [1, 2, 3, 1]
    assert TIES == ("trec", "trec9", "rank", "input")
    with pytest.raises(CallError, match="no rank column, or it was not read"):
        rank_rows(read_run(path), ties="rank")
