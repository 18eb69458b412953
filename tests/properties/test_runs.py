"""Runs against plain loops: the fast way is the slow way, and garbage raises errors of ours."""

from __future__ import annotations

import io
import math
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gainsayer.errors import GainsayerError
from gainsayer.levels import Levels
from gainsayer.ranking import RankedLevels, condense, group_duplicates, make_pool, matching, rank_levels
from gainsayer.reading import (
    RUN,
    RUN_FORMATS,
    Block,
    Fault,
    InterleavedError,
    map_run,
    map_trec,
    read_judgments,
    read_lines,
    read_run,
    read_trec,
)

quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

TOPICS = ["q1", "q2", "10", "9", "01", "1", "é"]
DOCUMENTS = [
    "a",
    "b",
    "B",
    "ab",
    "abcdefgh",
    "abcdefghi",
    "abcdefgh1",
    "é",
    "z",
    "d10",
    "d9",
    "long-document-name-17",
    "zz",
]
LEVELS = Levels(("-1", "0", "1", "2"))
SCORES = [0.0, 1.0, 1.00000001, -1.0, 2.5, 1e-3, math.inf, 16777217.0, 16777216.0]

documents = st.sampled_from(DOCUMENTS)
judged = st.dictionaries(
    st.sampled_from(TOPICS), st.dictionaries(documents, st.sampled_from(LEVELS.names), min_size=1), min_size=1
)
runs = st.dictionaries(
    st.sampled_from(TOPICS), st.dictionaries(documents, st.sampled_from(SCORES), min_size=1), min_size=1
)
Plain = dict[str, list[int | None]]


def plain_order(scored: dict[str, float], ties: str) -> list[str]:
    """The documents in order, by Python's sort."""
    with np.errstate(over="ignore"):
        value = {name: float(np.float32(score)) if ties == "trec9" else score for name, score in scored.items()}
    return sorted(sorted(scored, key=str.encode, reverse=True), key=lambda name: -value[name])


def as_lists(ranked: RankedLevels) -> Plain:
    """The level at each rank of the topics that the run has."""
    lists: Plain = {
        topic: [None] * int(ranked.retrieved[place])
        for place, topic in enumerate(ranked.topics)
        if ranked.present[place]
    }
    for topic, rank, level in zip(ranked.topic.tolist(), ranked.rank.tolist(), ranked.level.tolist(), strict=True):
        lists[ranked.topics[topic]][rank - 1] = level
    return lists


def as_text(run: dict[str, dict[str, float]], *, blank: str = " ", end: str = "\n") -> str:
    """A run as a TREC file."""
    rows = [
        blank.join((topic, "Q0", document, str(rank), repr(score), "tag"))
        for topic, scored in run.items()
        for rank, (document, score) in enumerate(scored.items(), start=1)
    ]
    return end.join(rows)


@quick
@given(judged, runs, st.sampled_from(["trec", "trec9", "rank", "input"]), st.sampled_from([" ", "\t", "  ", " \t "]))
def test_ranked_levels_are_those_of_a_plain_loop(labels, run, ties, blank):
    """Levels by rank, lengths, present and unscored topics are what dictionaries and sorted() give."""
    pool = make_pool(read_judgments({"U1": labels}, levels=LEVELS))
    expected: Plain = {}
    for topic in sorted(set(labels) & set(run)):
        order = list(run[topic]) if ties in ("rank", "input") else plain_order(run[topic], ties)
        levels = [labels[topic].get(document) for document in order]
        expected[topic] = [None if level is None else LEVELS.index(level) for level in levels]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.run"
        path.write_text(as_text(run, blank=blank))
        if not expected:
            with pytest.raises(GainsayerError, match="share no topic"):
                rank_levels(path, pool, ties=ties)
            return
        ranked = rank_levels(path, pool, ties=ties)
        with patch.object(matching, "map_run", partial(map_run, size=40)):
            by_batches = rank_levels(path, pool, ties=ties)
    assert as_lists(ranked) == as_lists(by_batches) == expected
    assert ranked.topics == tuple(sorted(labels, key=str.encode))
    assert set(ranked.unscored) == set(run) - set(labels)
    assert ranked.pool.tolist() == [
        [sum(LEVELS.index(level) == place for level in labels[topic].values()) for place in range(len(LEVELS))]
        for topic in ranked.topics
    ]
    assert ranked.name == "tag"
    if ties in ("trec", "trec9"):
        assert as_lists(rank_levels(read_run(run), pool, ties=ties)) == expected
    short = {topic: [level for level in levels if level is not None] for topic, levels in expected.items()}
    assert as_lists(condense(ranked)) == short


@quick
@given(judged, runs, st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_matter(labels, run, random):
    """Shuffled lines, topics mixed, give the same ranked levels."""
    if not set(labels) & set(run):
        return
    pool = make_pool(read_judgments({"U1": labels}, levels=LEVELS))
    lines = as_text(run).split("\n")
    random.shuffle(lines)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.run"
        path.write_text("\n".join(lines))
        mixed = rank_levels(path, pool)
    assert as_lists(mixed) == as_lists(rank_levels(read_run(run), pool))


@quick
@given(judged, runs, st.lists(st.lists(documents, min_size=2, max_size=3, unique=True), min_size=1, max_size=4))
def test_duplicates_are_those_of_a_plain_loop(labels, run, lines):
    """Later members of a group are marked at their rank; the pool has one per group."""
    if not set(labels) & set(run):
        return
    groups: list[set[str]] = []
    for line in lines:
        touched = [group for group in groups if group & set(line)]
        groups = [group for group in groups if group not in touched] + [set(line).union(*touched)]
    group_of = {document: place for place, group in enumerate(groups) for document in group}
    pool = make_pool(read_judgments({"U1": labels}, levels=LEVELS))
    duplicates = group_duplicates([(None, line) for line in lines])
    ranked = rank_levels(read_run(run), pool, duplicates=duplicates)
    expected: Plain = {}
    for place, topic in enumerate(ranked.topics):
        entries = {document: LEVELS.index(level) for document, level in labels[topic].items()}
        best: dict[object, int] = {}
        for document, level in entries.items():
            key: object = group_of.get(document, document)
            best[key] = max(best.get(key, 0), level)
        by_level = ranked.pool_by(np.arange(len(LEVELS))[::-1])
        assert by_level[place].tolist() == [list(best.values()).count(level) for level in range(len(LEVELS))]
        order = plain_order(run[topic], "trec") if topic in run else []
        returned: dict[int, list[str]] = {}
        row: list[int | None] = []
        for document in order:
            members = returned.setdefault(group_of.get(document, -1), [])
            members.append(document)
            later = document in group_of and len(members) > 1
            row.append(len(LEVELS) if later else entries.get(document))
        if topic in run:
            expected[topic] = row
    assert as_lists(ranked) == expected


PIECES = ["q1", "q2", "Q0", "d1", "1", "2.5", "nan", "inf", "-1e3", "x", "é", "\x00", "\x1c", "\u2003", '"', ","]
PIECES += [" ", "  ", "\t", "\r", "\n", "\r\n", "\f", "\ufeff", "q1 Q0 d1 1 2.5 tag\n", "q1\tQ0\td2\t2\t.5\ttag\n"]
PIECES += [
    "topic,document,score\n",
    "q1,d1,2.5\n",
    '{"qid": 1, "doc": 2, "score": true}\n',
    "qid\tdocno\tscore\n",
    "PAR1",
]
near_runs = st.lists(st.sampled_from(PIECES), max_size=25).map(lambda pieces: "".join(pieces).encode())


@quick
@example(b"\xff\xfeq\x001\x00")
@example(b"q1 Q0 d1 1 2.5 tag\n" + b"\n" * 3_000_000)
@example(b"\n" * 3_000_000)
@given(near_runs | st.binary(max_size=60))
def test_garbage_is_read_or_refused_in_words(content):
    """Whatever a file holds, readers answer or raise an error of ours."""
    pool = make_pool(read_judgments({"U1": {"q1": {"d1": 1, "d2": 0}}}))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "garbage"
        path.write_bytes(content)
        for format in (None, *RUN_FORMATS):
            with suppress(GainsayerError):
                run = read_run(path, format=format)
                assert len(run)
                assert not np.isnan(run.score).any()
        with suppress(GainsayerError):
            rank_levels(path, pool)


@quick
@given(near_runs, st.integers(1, 60))
def test_batches_have_the_rows_of_the_whole_run(content, size):
    """Reading some topics at a time gives the same rows, places and faults as reading all at once."""

    def attempt(read):
        try:
            return read()
        except InterleavedError:
            return None
        except GainsayerError as fault:
            return str(fault)

    def places(run):
        return [(row, run.where(place)) for place, row in enumerate(run.frame().rows())]

    whole = attempt(lambda: places(read_trec(io.BytesIO(content), "a.run")))
    stream = io.BytesIO(content)
    batches = attempt(lambda: [row for run in map_trec(places, stream, "a.run", size=size) for row in run])
    plain = [line.split() for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.split()]
    if isinstance(whole, list):
        assert [(row[0].encode(), row[1].encode(), row[2]) for row, _ in whole] == [
            (row[0], row[2], float(row[4])) for row in plain
        ]
        assert batches is None or batches == whole
    elif not isinstance(batches, list):
        assert batches is None or batches == whole or "\x00" in str(content.decode(errors="replace"))


@quick
@given(
    st.lists(
        st.floats(allow_nan=False).map(repr)
        | st.decimals(allow_nan=False, allow_infinity=False, places=6).map(str)
        | st.text("0123456789.-+e", min_size=1, max_size=20),
        min_size=1,
    )
)
def test_scores_are_the_floats_nearest_to_their_text(texts):
    """Parsing scores gives what float() gives, to the last bit, and refuses what it refuses."""
    for text in texts:
        found = read_lines(Block.of(f"q Q0 d 1 {text} t\n".encode()), RUN, "a")
        try:
            expected = float(text)
        except ValueError:
            assert found == [Fault(1, f"expected a number as score, found {text!r}.")]
        else:
            [number] = found.number.tolist()
            assert (number, math.copysign(1, number)) == (expected, math.copysign(1, expected)), text
