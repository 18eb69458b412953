"""The compiled reader beside plain loops and beside the line reader: the same arrays, bit by bit, or None."""

from __future__ import annotations

import io
import re
import struct
import tracemalloc
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.formats.test_trec import OTHER, PLAIN_QRELS
from tests.readers import needs_kernel, without_kernel

from gainsayer.errors import GainsayerError
from gainsayer.levels import Levels
from gainsayer.ranking import make_pool, matching, rank_documents
from gainsayer.reading import (
    QRELS,
    RUN,
    Block,
    Names,
    Rows,
    Run,
    cut_blocks,
    find_kernel,
    map_trec,
    open_stream,
    read_block,
    read_judgments,
    trec,
)

pytestmark = needs_kernel
LEVELS = Levels(("0", "1"))
quick = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])

names = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=20)
digits = st.text("0123456789", min_size=1, max_size=12)
scores = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-100, 100).map(lambda number: f"{number:.6f}"),
    st.builds("{}{}.{}".format, st.sampled_from(["", "-"]), digits, digits),
    st.sampled_from(
        ["0", "-0", "-0.0", "5.", ".5", "1e3", "9007199254740993", "9007199254740993.5", "1e999", "1e-400"]
    ),
    st.integers(-(10**19), 10**19).map(str),
)
odd_scores = st.sampled_from(
    ["", ".", "-", "x", "nan", "inf", "+1", "1_0", "0x1", "1e", "1e+", "--1", "1.2.3", "9" * 70]
)
blanks = st.sampled_from([" ", " ", " ", "\t", "  ", " \t "])
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n"])
few = st.sampled_from(["q1", "q2", "a-long-topic"])


@st.composite
def run_lines(draw: st.DrawFn, *, odd: bool) -> bytes:
    """Lines of a run; with `odd`, some are not plain."""
    lines = []
    for _ in range(draw(st.integers(1, 12))):
        cells = [draw(few), "Q0", draw(names), draw(digits), draw(scores), draw(st.sampled_from(["tag", "another"]))]
        line = draw(blanks).join(cells) + draw(ends)
        if odd and draw(st.integers(0, 3)) == 0:
            cells[4] = draw(odd_scores)
            line = draw(
                st.sampled_from(
                    [" ".join(cells) + "\n", "\n", " ".join(cells[:5]) + "\n", line[:-1] + " x\n", line + "é", "\0\n"]
                )
            )
        lines.append(line)
    return "".join(lines).encode()


def by_hand(text: bytes) -> tuple[list[list[bytes]], list[float]] | None:
    """The cells of the lines by bytes.split(), and the scores by float(); None where a line is not plain."""
    if not text.endswith(b"\n") or re.search(rb"[^\t\n\r -\xff]", text):
        return None
    rows = [line.split() for line in text.removesuffix(b"\n").split(b"\n")]
    number = re.compile(rb"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
    if any(len(row) != 6 or not number.fullmatch(row[4]) or len(row[4]) > 63 for row in rows):
        return None
    return rows, [float(row[4]) for row in rows]


def split(text: bytes, columns: int) -> SimpleNamespace | None:
    """What the compiled reader makes of some lines, with other bytes behind them."""
    kernel = find_kernel()
    assert kernel is not None
    found = kernel.split_block(bytearray(text + b"x" * 8), len(text), columns)
    if found is None:
        return None
    start, length, number, head = found
    return SimpleNamespace(
        start=np.frombuffer(start, np.int32),
        length=np.frombuffer(length, np.int32),
        number=np.frombuffer(number, np.float64 if columns == 6 else np.int16),
        head=np.frombuffer(head, np.int32).reshape(-1, 3),
    )


@quick
@given(st.one_of(run_lines(odd=False), run_lines(odd=True), st.binary(max_size=60)))
@example(b"q Q0 d 1 1 t\n")
@example(b"q Q0 d 1 1 t")
@example(b"")
@example(b"q Q0 d 1 0.1234567890123456789 t\n")
@example(b"q Q0 d 1 123456789.012345678 t\nq Q0 e 2 9007199254740993 t\n")
@example(b"q Q0 d 1 0.00000000000000000000001 t\n")
def test_columns_of_a_run_are_those_of_a_plain_loop(text):
    """Documents, topics and the bits of scores are what bytes.split() and float() give; else None."""
    found, expected = split(text, 6), by_hand(text)
    if expected is None:
        assert found is None
        return
    assert found is not None
    rows, numbers = expected
    texts = [text[start : start + size] for start, size in zip(found.start, found.length, strict=True)]
    assert texts == [row[2] for row in rows]
    assert found.number.tobytes() == struct.pack(f"{len(numbers)}d", *numbers)
    heads = [place for place, row in enumerate(rows) if place == 0 or row[0] != rows[place - 1][0]]
    assert found.head[:, 0].tolist() == heads
    assert [text[at : at + size] for _, at, size in found.head.tolist()] == [rows[at][0] for at in heads]


def dotted(whole: int, decimals: int) -> str:
    """A whole number with a decimal point somewhere in it."""
    text = str(whole).rjust(decimals + 1, "0")
    return f"{text[: len(text) - decimals]}.{text[len(text) - decimals :]}"


@settings(max_examples=1500, deadline=None)
@given(st.one_of(scores, st.builds(dotted, st.integers(0, 10**19), st.integers(0, 25))))
@example("0.500000000000000166533453693773481063544750213623046875")
@example("9007199254740992.5")
@example("4503599627370497.5")
def test_every_number_is_the_nearest_float(text):
    """A score has the bits that Python's float() gives it, also with 17 and more digits."""
    found = split(f"q Q0 d 1 {text} t\n".encode(), 6)
    assert found is not None
    assert found.number.tobytes() == struct.pack("d", float(text))


levels = st.one_of(st.integers(-20, 20).map(str), st.sampled_from(["9999", "-9999"]))
odd_levels = st.sampled_from(["10000", "-0", "01", "+1", "1.0", "x", "-"])


@quick
@given(
    st.lists(st.tuples(few, names, st.one_of(levels, levels, levels, odd_levels), blanks, ends), min_size=1, max_size=9)
)
def test_columns_of_qrels_are_those_of_a_plain_loop(rows):
    """Documents, topics and levels are what bytes.split() and int() give; None where a level is not plain."""
    text = "".join(blank.join((topic, "0", name, level)) + end for topic, name, level, blank, end in rows).encode()
    found = split(text, 4)
    if not all(re.fullmatch("0|-?[1-9][0-9]{0,3}", level) for _, _, level, _, _ in rows):
        assert found is None
        return
    assert found is not None
    assert Names(np.frombuffer(text, np.uint8), found.start, found.length).texts() == [
        name for _, name, _, _, _ in rows
    ]
    assert found.number.tolist() == [int(level) for _, _, level, _, _ in rows]
    heads = [place for place, row in enumerate(rows) if place == 0 or row[0] != rows[place - 1][0]]
    assert found.head[:, 0].tolist() == heads


@quick
@given(st.one_of(run_lines(odd=False), run_lines(odd=True)), st.sampled_from([40, 1 << 20]))
def test_files_are_read_alike_by_both(text, size):
    """A run file gives the same batches, or the same words, with the compiled reader and without."""

    def read() -> object:
        try:
            batches = list(map_trec(lambda run: run, io.BytesIO(text), "a.run", size=size))
        except GainsayerError as fault:
            return type(fault), str(fault)
        arrays = [(run.topic, run.score.view(np.int64), np.array(run.line)) for run in batches]
        names = [(run.name, run.topics, run.document.encoded()) for run in batches]
        return names, [[part.tolist() for part in parts] for parts in arrays]

    with without_kernel():
        expected = read()
    assert read() == expected


@pytest.mark.parametrize("name", ["dl19", "dl21", "fedweb13", "trec_eval"])
def test_real_files_are_read_alike_by_both(name, shared_data):
    """Every block of real qrels, and of some real runs, gives the same rows with the compiled reader and without."""
    files = [path for path in sorted(shared_data(name).rglob("*")) if path.is_file() and path.suffix != ".csv"]
    packed = [path for path in files if path.suffix == ".gz"]
    taken = 0
    for path in [*(path for path in files if path not in packed), *packed[::8]]:
        for layout in (QRELS, RUN):
            with closing(open_stream(path)) as stream:
                for block in cut_blocks(stream, whole_topics=False):
                    taken += trec._read_compiled(block, layout) is not None
                    found = plain_rows(block, layout)
                    with without_kernel():
                        assert plain_rows(block, layout) == found
    assert taken


def plain_rows(block, layout) -> object:
    """The rows of a block as plain data, or what is wrong with it."""
    try:
        rows = read_block(block, layout, "file")
    except GainsayerError as fault:
        return str(fault)
    if not isinstance(rows, Rows):
        return rows
    number = rows.number if isinstance(rows.number, list) else (rows.number.dtype, rows.number.tobytes())
    return rows.topics, rows.document.encoded(), rows.sizes.tolist(), np.asarray(rows.line).tolist(), number


documents = st.sampled_from(
    ["a", "b", "B", "ab", "abcdefgh", "abcdefghi", "é", "a\0", "x" * 300, "x" * 301, "d1", "d2"]
)
tables = st.dictionaries(few, st.dictionaries(documents, st.sampled_from([0.0, -0.0, 1.0, 2.5, 1e300]), min_size=1))


@quick
@given(
    st.dictionaries(few, st.dictionaries(documents, st.sampled_from([0, 1]), min_size=1), min_size=1), tables, st.data()
)
def test_hits_are_those_of_plain_python(labels, table, data):
    """Ranks and entries of a run, with ties and in any order, are those that plain Python finds."""
    rows = [(topic, name, score) for topic, inner in table.items() for name, score in inner.items()]
    rows += data.draw(st.lists(st.sampled_from(rows), max_size=1)) if rows else []
    if not rows:
        return
    topics = sorted({topic for topic, _, _ in rows})
    run = Run(
        "r",
        tuple(topics),
        np.array([topics.index(topic) for topic, _, _ in rows], np.int32),
        Names.of([name for _, name, _ in rows]),
        np.array([score for _, _, score in rows]),
    )
    pool = make_pool(read_judgments({"U": labels}, levels=LEVELS))
    with without_kernel():
        expected = outcome(run, pool)
    assert outcome(run, pool) == expected


def outcome(run, pool) -> object:
    """What ranking gives, as plain data, or what it says."""
    try:
        found = rank_documents(run, pool)
    except GainsayerError as fault:
        return type(fault), str(fault)
    parts = (found.topic, found.rank, found.entry, found.later, found.retrieved, found.present)
    return [(part.dtype, part.tolist()) for part in parts], found.unscored, found.name


def test_arrays_that_do_not_fit_are_declined():
    """Places outside a buffer, bounds that fall, arrays of unequal length and unknown topics give None, not a crash."""
    rows, pool = Names.of(["a", "b"]), Names.of(["b", "c"])
    whole = lambda *numbers: np.array(numbers, np.int64)  # noqa: E731
    good = {
        "rows": rows, "score": np.array([2.0, 1.0]), "bounds": whole(0, 2), "codes": whole(0), "pool": pool,
        "starts": whole(0, 2),
    }  # fmt: skip

    def rank(rows: Names, score: object, bounds: object, codes: object, pool: Names, starts: np.ndarray) -> object:
        run = SimpleNamespace(document=rows, score=score)
        return matching._rank_compiled(run, bounds, codes, SimpleNamespace(document=pool, starts=starts))  # type: ignore[arg-type]

    assert rank(**good).tolist() == [[0, 2, 0]]
    bad = [
        {"rows": Names(rows.buffer, whole(0, 99), rows.length)},
        {"rows": Names(rows.buffer, whole(-1, 1), rows.length)},
        {"rows": Names(rows.buffer, rows.start, whole(1, -1))},
        {"rows": Names(rows.buffer, rows.start, whole(1, 1 << 40))},
        {"rows": Names(rows.buffer, rows.start.astype(np.int16), rows.length)},
        {"pool": Names(pool.buffer, whole(0, 99), pool.length)},
        {"score": np.array([2.0])},
        {"score": np.array([np.nan, 1.0])},
        {"bounds": whole(0, 1)},
        {"bounds": whole(2, 0)},
        {"bounds": whole(0, 3, 2), "codes": whole(0, 0)},
        {"codes": whole(1)},
        {"codes": whole(1 << 40)},
        {"starts": whole(0, 3)},
        {"starts": whole(2, 0)},
        {"starts": whole(-1, 2)},
    ]
    for changed in bad:
        assert rank(**{**good, **changed}) is None, changed
    kernel = find_kernel()
    numbered = (whole(0, 2), rows.buffer, rows.start, rows.length)
    assert kernel.number_names(*numbered)[1] == 2
    for place, wrong in ((0, whole(0, 3)), (0, whole(1, 2)), (0, whole(0, 2, 1)), (0, whole()), (2, whole(0, 99)),
                         (2, whole(0)), (3, whole(1, -1)), (3, rows.length.astype(np.int16))):  # fmt: skip
        assert kernel.number_names(*(wrong if at == place else given for at, given in enumerate(numbered))) is None


def test_many_documents_in_one_topic():
    """A hundred thousand rows of one topic, shuffled and with ties, are ranked as plain Python ranks them."""
    rng = np.random.default_rng(1)
    size = 100_000
    run = Run(
        "r", ("q",), np.zeros(size, np.int32), Names.of([f"d{n}" for n in rng.permutation(size)]),
        rng.integers(0, size // 3, size).astype(np.float64),
    )  # fmt: skip
    pool = make_pool(read_judgments({"U": {"q": {f"d{n}": n % 2 for n in range(0, 2 * size, 7)}}}))
    with without_kernel():
        expected = outcome(run, pool)
    assert outcome(run, pool) == expected


def test_nothing_is_left_behind():
    """Calls in a row, taken and declined, hold no more memory than one."""
    good, bad = b"q Q0 d 1 1e-5 t\n" * 2000, b"q Q0 d 1 1e-5 t\n" * 2000 + b"q Q0 d 1 x t\n"
    tracemalloc.start()
    try:
        for _ in range(3):
            split(good, 6), split(bad, 6)
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(200):
            split(good, 6), split(bad, 6)
        assert tracemalloc.get_traced_memory()[0] - before < 20_000
    finally:
        tracemalloc.stop()


def test_numbers_that_run_code_are_left_to_plain_python():
    """A score that derives from int is no plain number: its code may change the very dict that is being read."""

    class Growing(int):
        def __float__(self) -> float:
            scores.update({f"x{n}": 1.0 for n in range(1_000)})
            return 1.0

    scores = {"a": Growing(1), "b": 2.0}
    kernel = find_kernel()
    assert kernel is not None
    assert kernel.match_dict(scores, {"a": 0, "b": 1}) is None
    assert len(scores) == 2


@pytest.mark.parametrize("content", [*PLAIN_QRELS, *OTHER])
def test_what_is_plain_is_taken(content):
    """Control characters, blank lines and labels that are words are declined, and nothing else."""
    assert (trec._read_compiled(Block.of(content), QRELS) is None) == (content in OTHER)
