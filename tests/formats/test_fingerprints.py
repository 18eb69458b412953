"""Digests of what readers read, made from the very bytes that stand in their blocks."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gainsayer as gs
from gainsayer.reading import Fingerprints, cut_blocks, open_stream


def write_lines(path: Path, lines: int) -> Path:
    """Three topics, their rows one after another."""
    path.write_text("".join(f"q{line * 3 // lines} Q0 d{line} 1 {line} run\n" for line in range(lines)))
    return path


def test_many_blocks_have_the_digest_of_the_file(tmp_path: Path) -> None:
    """Many blocks, each dropped at once, give the SHA-256 of the file."""
    path = write_lines(tmp_path / "a.run", 5_000)
    with Fingerprints([str(path)]) as digests:
        stream = open_stream(path)
        assert sum(1 for _ in cut_blocks(stream, size=1_000, whole_topics=False)) > 100
        stream.close()
        assert digests.of(str(path)) == hashlib.sha256(path.read_bytes()).hexdigest()


def test_threads_that_score_files_at_once_are_not_in_each_others_way(tmp_path: Path) -> None:
    """Three threads score the same files over and over; each gets the digests of its files, and all end."""
    qrels = tmp_path / "a.qrels"
    qrels.write_text("".join(f"q{n % 3} 0 d{n} {n % 2}\n" for n in range(1_000)))
    run = write_lines(tmp_path / "a.run", 300_000)

    def score(_: int) -> tuple[tuple[str, str], ...]:
        made = gs.score(qrels, run, "P@5").provenance
        assert made is not None
        return made.files

    with ThreadPoolExecutor(3) as pool:
        found = set(pool.map(score, range(12)))
    assert found == {tuple((str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in (qrels, run))}
