"""Mutated input for every reader: nothing but errors of ours, no process killed, no row misread.

    python tests/fuzz/fuzz.py --inputs 50000        (or: make fuzz N=50000; make fuzz SECONDS=3600)

Every input follows from its seed. They are read in a worker process, so that one that kills or hangs it is found, too.
Finds are kept in `.fuzz/` with their seed, their bytes and what happened; once mended, they belong into `examples/`.
"""

from __future__ import annotations

import argparse
import bz2
import contextlib
import gzip
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gainsayer.commands import model_file as models
from gainsayer.errors import GainsayerError
from gainsayer.exports import read_queries
from gainsayer.levels import canonical_label
from gainsayer.measures import parse_measure
from gainsayer.ranking import read_duplicates
from gainsayer.reading import Run, find_kernel, read_judgments, read_run, read_topic_table

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PATIENCE = 60
CHUNK = 5000
BLANKS = " \t\r\n\f\v"
TOKENS = [
    *(b" ", b"  ", b"\t", b"\n", b"\r\n", b"\r", b"\x0b", b"\x0c", b"\x1c", b"\x00", b"\xff", b"\xe9", b"\xc2\xa0"),
    *(
        "\u2003".encode(),
        "\u0085".encode(),
        "\u2028".encode(),
        "\ufeff".encode(),
        "٣".encode(),
        "é".encode(),
        b"\xed\xa0\x80",
    ),
    *(b"-1", b"2.0", b"+1", b"007", b"1e3", b"1e999", b"nan", b"inf", b"-", b"1_0", b"9" * 30, b"9" * 5000, b"0x1"),
    *(b"q1", b"d1", b"Q0", b'"', b'""', b"'", b",", b";", b"#", b"\\", b"{", b"}", b"[", b"]", b":", b"null", b"true"),
    *(b"topic", b"document", b"level", b"score", b"=", b"@", b"(", b")", b"users=", b"None", b"\\ud800", b"[" * 2000),
]
MEASURES = [
    *(
        "nDCG@10",
        "P@5",
        "RBP(p=0.8)",
        "AP(users='independent')",
        "nDCG(discount='zipf')@20",
        "ndcg_cut_10",
        "P_5",
        "map",
    ),
    *(
        "ERR@20",
        "AP(users=0.3,sample=100)",
        "Success@5",
        "R@100",
        "RR",
        "Q",
        "Rprec",
        "Judged@10",
        "NumRel@30",
        "Bpref",
    ),
]


class MisreadError(Exception):
    """A row is not what the reference says."""


@dataclass(frozen=True)
class Input:
    """One input: what it should be read as, and its bytes."""

    kind: str
    content: bytes


def draw(seed: int) -> Input:
    """The input of a seed."""
    rng = random.Random(seed)
    kind = rng.choice(list(READERS))
    content = _BASES[kind](rng)
    if kind == "packed":
        pack = rng.choice((gzip.compress, bz2.compress, zstd.compress))
        content = pack(mutate(rng, content, rng.choice((0, 0, 1, 3))))
        return Input(kind, mutate(rng, content, rng.choice((0, 0, 1, 2))))
    return Input(kind, mutate(rng, content, rng.choice((0, 1, 1, 2, 3, 6))))


def mutate(rng: random.Random, content: bytes, times: int) -> bytes:
    """The content with some bytes changed, put in, taken out, doubled or cut off."""
    for _ in range(times):
        low = rng.randrange(len(content) + 1)
        high = min(len(content), low + rng.choice((0, 1, 1, 2, 5, 20)))
        change = rng.randrange(7)
        if change == 0:
            content = content[:low] + rng.randbytes(rng.randint(1, 4)) + content[high:]
        elif change in (1, 2, 3):
            content = content[:low] + rng.choice(TOKENS) + content[high if change == 1 else low :]
        elif change == 4:
            content = content[:low] + content[high:]
        elif change == 5:
            content = content[:high] + content[low:]
        else:
            lines = content.split(b"\n")
            place = rng.randrange(len(lines))
            content = b"\n".join([*lines[:place], *([lines[place]] * rng.choice((0, 2))), *lines[place + 1 :]])
    return content


def _qrels(rng: random.Random) -> bytes:
    blank = rng.choice((" ", " ", "\t", "  ", " \t"))
    end = rng.choice(("\n", "\n", "\r\n"))
    rows = [
        (f"q{rng.randint(1, 3)}", "0", f"d{rng.randint(1, 30)}", str(rng.randint(0, 3)))
        for _ in range(rng.randint(2, 12))
    ]
    return "".join(blank.join(row) + end for row in rows).encode()


def _run(rng: random.Random) -> bytes:
    blank = rng.choice((" ", " ", "\t", "  "))
    rows = [
        (
            f"q{place // 4}",
            "Q0",
            f"d{rng.randint(1, 99)}",
            str(place),
            repr(round(rng.uniform(-20, 20), rng.randint(0, 17))),
            "tag",
        )
        for place in range(rng.randint(1, 12))
    ]
    return "".join(blank.join(row) + "\n" for row in rows).encode()


def _table(rng: random.Random, separator: str) -> bytes:
    quote = rng.choice(("", "", '"'))
    rows = [("topic", "document", "assessor", "level")]
    rows += [
        (f"q{rng.randint(1, 3)}", f"d{rng.randint(1, 30)}", f"U{rng.randint(1, 2)}", str(rng.randint(0, 3)))
        for _ in range(rng.randint(2, 8))
    ]
    return "".join(separator.join(quote + cell + quote for cell in row) + "\n" for row in rows).encode()


def _scores(rng: random.Random) -> bytes:
    rows = [(f"q{place // 3}", f"d{place}", repr(rng.uniform(-9, 9)), "tag") for place in range(rng.randint(1, 8))]
    if rng.random() < 0.5:
        titles = ("topic", "document", "score", "run")
        return "".join(json.dumps(dict(zip(titles, row, strict=True))) + "\n" for row in rows).encode()
    return "".join(",".join(row) + "\n" for row in [("topic", "document", "score", "run"), *rows]).encode()


def _jsonl(rng: random.Random) -> bytes:
    rows = [
        {
            "topic": f"q{rng.randint(1, 3)}",
            "document": f"d{rng.randint(1, 30)}",
            "assessor": "U1",
            "level": rng.randint(0, 3),
        }
        for _ in range(rng.randint(2, 8))
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _model(rng: random.Random) -> bytes:
    others = ("relevant_count", "judged_count", "standard_error", "interval", "interval_method", "note")
    levels = [{"level": str(place), "probability": rng.random(), **dict.fromkeys(others)} for place in range(3)]
    model = {
        "threshold": "2",
        "relevant": ["2"],
        "estimator": "symmetric",
        "topics": 5,
        "pairs": 9,
        "counts": [[1] * 3] * 3,
        "warnings": [],
        "levels": levels,
        "covariance": [[0.1] * 3] * 3,
        "thresholds": [
            {"threshold": "2", "relevant": ["2"], "levels": levels},
            {"threshold": "1", "relevant": ["1", "2"], "levels": levels},
        ],
        "level_scheme": {
            "names": ["0", "1", "2"],
            "codes": None,
            "merges": {"9": "2"},
            "missing": ["-1"],
            "ordered": True,
        },
        "strata": None,
    }
    return json.dumps(model).encode()


def _side(rng: random.Random) -> bytes:
    separator = rng.choice((" ", "\t", ",", "  "))
    rows = [(f"q{place}", f"s{place % 2}", str(rng.random())) for place in range(rng.randint(1, 8))]
    return "".join(separator.join(row) + "\n" for row in rows).encode()


def _groups(rng: random.Random) -> bytes:
    return "".join(f"0 d{place} e{place} f{place}\n" for place in range(rng.randint(1, 6))).encode()


def _measure(rng: random.Random) -> bytes:
    return rng.choice(MEASURES).encode()


_BASES: dict[str, Callable[[random.Random], bytes]] = {
    "qrels": _qrels,
    "run": _run,
    "csv": lambda rng: _table(rng, rng.choice((",", ";"))),
    "tsv": lambda rng: _table(rng, "\t"),
    "jsonl": _jsonl,
    "any": lambda rng: rng.choice((_qrels, _run, _jsonl, _side))(rng),
    "scores": _scores,
    "packed": lambda rng: rng.choice((_qrels, _run))(rng),
    "model": _model,
    "side": _side,
    "groups": _groups,
    "measure": _measure,
}


def split_plainly(content: bytes) -> list[list[str]]:
    """The reference: the cells of each line that is not blank, one mark at the beginning left out."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode()
    for blank in "\t\r\f\v":
        text = text.replace(blank, " ")
    lines = [[cell for cell in line.split(" ") if cell] for line in text.split("\n")]
    return [cells for cells in lines if cells]


def compare(found: object, expected: object) -> None:
    """Refuse what the reference does not say."""
    if found != expected:
        raise MisreadError(f"read {found!r}, expected {expected!r}")


def by_both(read: Callable[[], Any]) -> Any:
    """What the compiled reader gives, once the line reader gives the same: every array, or the same words."""
    before = os.environ.get("GAINSAYER_PURE", "")
    os.environ["GAINSAYER_PURE"] = "1"
    find_kernel.cache_clear()
    try:
        expected = describe(read)
    finally:
        os.environ["GAINSAYER_PURE"] = before
        find_kernel.cache_clear()
    compare(describe(read), expected)
    return read()


def describe(read: Callable[[], Any]) -> list[object]:
    """All that was read, as plain data, or what was said."""
    try:
        made = read()
    except GainsayerError as fault:
        return [type(fault), str(fault)]
    if isinstance(made, Run):
        line = made.line if isinstance(made.line, int) else made.line.tolist()
        return [made.name, made.topics, made.topic.tolist(), made.document.encoded(), made.score.tobytes(), line]
    arrays = [part.tolist() for part in (made.topic, made.assessor, made.level, made.item)]
    return [made.levels, made.topics, made.assessors, arrays, made.documents.encoded(), made.findings]


def read_qrels(path: Path, content: bytes) -> None:
    """Judgments in qrels; one row for each line of four columns."""
    judgments = by_both(lambda: read_judgments(path, format="qrels", repeats="all"))
    rows = split_plainly(content)
    expected = {(topic, document, canonical_label(level)) for topic, _, document, level in rows}
    compare(set(judgments.frame().select("topic", "document", "level").rows()), expected)


def read_trec(path: Path, content: bytes) -> None:
    """A TREC run; words after the tag mean nothing."""
    run = by_both(lambda: read_run(path, format="trec"))
    rows = split_plainly(content)
    expected = [(row[0], row[2], float(row[4])) for row in rows]
    compare(sorted(run.frame().rows()), sorted(expected))
    compare(run.name, rows[0][5])


def read_delimited(path: Path, content: bytes, separator: str | None = None) -> None:
    """Judgments in CSV or TSV; files with quotes are only read, as plain code cannot split them."""
    judgments = read_judgments(path, format="tsv" if separator else "csv", repeats="all")
    text = content.removeprefix(b"\xef\xbb\xbf").decode()
    if '"' in text or re.search("\r(?!\n)", text):
        return
    lines = [line for line in text.replace("\r\n", "\n").split("\n") if line.strip(BLANKS)]
    separator = separator or next((symbol for symbol in ",\t;" if symbol in lines[0]), ",")
    titles = [title.strip().lower() for title in lines[0].split(separator)]
    if sorted(titles) != ["assessor", "document", "level", "topic"]:
        return
    rows = [dict(zip(titles, line.split(separator), strict=True)) for line in lines[1:]]
    names = ("topic", "document", "assessor")
    expected = {(*(row[name].strip(BLANKS) for name in names), canonical_label(row["level"])) for row in rows}
    expected = {row for row in expected if row[-1]}  # an empty level is no judgment
    compare(set(judgments.frame().select(*names, "level").rows()), expected)


def read_lines(path: Path, content: bytes) -> None:
    """Judgments in JSON lines; only lines with plain values have a reference."""
    judgments = read_judgments(path, format="jsonl", repeats="all")
    lines = [line.strip(BLANKS) for line in content.removeprefix(b"\xef\xbb\xbf").decode().split("\n")]
    rows = [json.loads(line) for line in lines if line]
    names = ("topic", "document", "assessor")
    if any(set(row) != {*names, "level"} or not isinstance(row["level"], int | str) for row in rows):
        return
    if not all(isinstance(row[name], str) for row in rows for name in names):
        return
    levels = [str(int(row["level"])) if isinstance(row["level"], bool) else str(row["level"]) for row in rows]
    expected = {
        (*(row[name].strip(BLANKS) for name in names), canonical_label(level))
        for row, level in zip(rows, levels, strict=True)
        if canonical_label(level)  # an empty level is no judgment
    }
    compare(set(judgments.frame().select(*names, "level").rows()), expected)


def read_any(path: Path, content: bytes) -> None:
    """Whatever it is, as judgments and as a run."""
    for read in (read_judgments, read_run):
        try:
            read(path)
        except GainsayerError:
            continue


def read_scores(path: Path, content: bytes) -> None:
    """A run in CSV or JSON lines; lines with plain values have a reference."""
    run = read_run(path)
    text = content.removeprefix(b"\xef\xbb\xbf").decode()
    lines = [line for line in text.replace("\r\n", "\n").split("\n") if line.strip(BLANKS)]
    rows: list[dict[str, object]]
    if lines[0].strip(BLANKS).startswith("{"):
        rows = [json.loads(line.strip(BLANKS)) for line in lines]
        if not all(isinstance(value, str) for row in rows for value in row.values()):
            return
    elif '"' in text or "\r" in text.replace("\r\n", "") or lines[0] != "topic,document,score,run":
        return
    else:
        rows = [dict(zip(("topic", "document", "score"), line.split(","), strict=False)) for line in lines[1:]]
    names = ("topic", "document")
    if any(not {*names, "score"} <= set(row) for row in rows):
        return
    expected = [(*(str(row[name]).strip(BLANKS) for name in names), float(str(row["score"]))) for row in rows]
    compare(run.frame().select("topic", "document", "score").rows(), expected)


def read_packed(path: Path, content: bytes) -> None:
    """Compressed qrels or runs, beside the standard library where that can unpack them; else they are as they stand."""
    marks = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\x28\xb5\x2f\xfd": zstd.decompress}
    unpack = next((way for mark, way in marks.items() if content.startswith(mark)), bytes)
    try:
        plain = unpack(content)
    except Exception:
        plain = b""
    for read in (read_qrels, read_trec):
        try:
            read(path, plain)
        except GainsayerError:
            continue


def read_model(path: Path, content: bytes) -> None:
    """A model file, all that is read from one."""
    try:
        model = models.read_model(path)
    except GainsayerError:
        return
    for threshold in (None, "1", "2"):
        with contextlib.suppress(GainsayerError):
            values = model.at(threshold).probability.values()
            if not all(0 <= value <= 1 or math.isnan(value) for value in values):
                raise MisreadError(f"no probabilities: {values!r}")


def read_side(path: Path, content: bytes) -> None:
    """A side file, with and without numbers, and as queries."""
    with contextlib.suppress(GainsayerError):
        queries = read_queries(path)
        lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")  # a mark further in is text like any other
        if not queries.keys() <= {cell for line in lines for cell in _topics(line)}:
            raise MisreadError(f"no topics: {queries!r}")
    for columns, numbers in (
        (("topic", "stratum", "document"), ()),
        (("topic", "intent", "probability"), ("probability",)),
    ):
        try:
            table = read_topic_table(path, columns, numbers=numbers)
        except GainsayerError:
            continue
        rows = split_plainly(content)
        first = rows[0]
        if any("," in cell for cell in first) or b"\t" in content or first[0].lower() in ("topic", "query", "qid"):
            continue
        expected = {tuple(row[:2]) for row in rows}
        compare(set(table.select(columns[:2]).rows()), expected)


def _topics(line: bytes) -> tuple[str, ...]:
    """What may be the topic of a line: what stands before the first tab, or before the first blank."""
    text = line.decode().strip(BLANKS)
    word = text
    for blank in BLANKS:
        word = word.split(blank, 1)[0]
    return text.split("\t", 1)[0].strip(BLANKS), word


def read_groups(path: Path, content: bytes) -> None:
    """Groups of duplicates; all members are cells of the file."""
    found = read_duplicates(path)
    cells = {cell for row in split_plainly(content) for cell in row}
    if not set(found.document.texts()) <= cells:
        raise MisreadError(f"no cells: {set(found.document.texts()) - cells}")


def read_measure(path: Path, content: bytes) -> None:
    """A measure's name, which reads back the same."""
    measure = parse_measure(content.decode(errors="surrogateescape"))
    compare(str(parse_measure(str(measure))), str(measure))


READERS: dict[str, Callable[[Path, bytes], None]] = {
    "qrels": read_qrels,
    "run": read_trec,
    "csv": read_delimited,
    "tsv": lambda path, content: read_delimited(path, content, "\t"),
    "jsonl": read_lines,
    "any": read_any,
    "scores": read_scores,
    "packed": read_packed,
    "model": read_model,
    "side": read_side,
    "groups": read_groups,
    "measure": read_measure,
}


def try_input(case: Input, folder: Path) -> str | None:
    """What went wrong with an input; None if nothing did, '' if it was refused in words."""
    path = folder / "input"
    path.write_bytes(case.content)
    try:
        READERS[case.kind](path, case.content)
    except GainsayerError:
        return ""
    except Exception:
        return traceback.format_exc()
    return None


def work(first: int, count: int, progress: Path) -> None:
    """Try inputs one after another; a line for each, written before and completed after it."""
    with tempfile.TemporaryDirectory() as folder, progress.open("w", buffering=1) as log:
        for seed in range(first, first + count):
            case = draw(seed)
            log.write(f"{seed} {case.kind} ")
            if hasattr(signal, "alarm"):
                signal.alarm(PATIENCE)
            fault = try_input(case, Path(folder))
            log.write("read\n" if fault is None else "refused\n" if fault == "" else f"fault {json.dumps(fault)}\n")


def hunt(first: int, inputs: int, seconds: float, finds: Path) -> int:
    """Try inputs until there are enough or time is up; print what was found, and give the number of finds."""
    begun, seed, last = time.monotonic(), first, first + inputs
    tally: Counter[str] = Counter()
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        progress, noise = Path(folder, "progress"), Path(folder, "noise")
        while seed < last and time.monotonic() - begun < seconds:
            count = min(CHUNK, last - seed)
            with noise.open("wb") as stream:
                command = [
                    sys.executable,
                    __file__,
                    "--work",
                    str(progress),
                    "--seed",
                    str(seed),
                    "--inputs",
                    str(count),
                ]
                ended = subprocess.run(command, stderr=stream, check=False)
            tried = 0
            for number, kind, fault in _read_progress(progress, ended.returncode):
                tried += 1
                tally[f"{kind} {'find' if fault else 'done'}"] += 1
                if fault:
                    found += 1
                    finds.mkdir(exist_ok=True)
                    (finds / f"{number}-{kind}.bin").write_bytes(draw(number).content)
                    (finds / f"{number}-{kind}.txt").write_text(fault)
                    print(f"find: seed {number} ({kind}): {fault.strip().splitlines()[-1][:300]}", flush=True)
            if b"panicked" in noise.read_bytes():
                found += 1
                print(f"find: a panic was printed between seeds {seed} and {seed + tried}", flush=True)
            seed += max(tried, 1)
            print(f"{seed - first:,} inputs, {found} finds, {time.monotonic() - begun:.0f} s", flush=True)
    print(", ".join(f"{what}: {count:,}" for what, count in sorted(tally.items())))
    print(f"{seed - first:,} inputs from seed {first}: {found} finds" + (f", kept in {finds}" if found else ""))
    return found


def _read_progress(progress: Path, code: int) -> Iterator[tuple[int, str, str]]:
    """Each input tried: its seed, its kind, and its fault, empty where there was none."""
    for line in progress.read_text().splitlines():
        number, kind, result = [*line.split(" ", 2), ""][:3]
        if result.startswith("fault"):
            yield int(number), kind, str(json.loads(result.removeprefix("fault ")))
        else:
            yield int(number), kind, "" if result else f"the process ended with {code}"


def main() -> int:
    """Hunt, or work for one that hunts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=None, help="how many inputs; 10,000 unless told otherwise")
    parser.add_argument("--seconds", type=float, default=None, help="how long")
    parser.add_argument(
        "--seed", type=int, default=None, help="the first seed; a new one each time unless told otherwise"
    )
    parser.add_argument("--finds", type=Path, default=Path(".fuzz"), help="where finds are kept")
    parser.add_argument("--work", type=Path, default=None, help=argparse.SUPPRESS)
    given = parser.parse_args()
    seed = time.time_ns() // 1_000_000 if given.seed is None else given.seed
    if given.work is not None:
        work(seed, given.inputs, given.work)
        return 0
    inputs = given.inputs if given.inputs is not None else 10_000 if given.seconds is None else sys.maxsize - seed
    return int(hunt(seed, inputs, math.inf if given.seconds is None else given.seconds, given.finds) > 0)


if __name__ == "__main__":
    sys.exit(main())
