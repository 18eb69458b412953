"""Reading and counting two million double judgments from two qrels files, beside pandas."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

import gainsayer as gs
from benchmarks.timing import Ratio, time_in_turns

DOCUMENTS = 2_000_000
TOPICS = 2_000
ROUNDS = 7


def write_qrels(folder: Path) -> tuple[Path, Path]:
    """Two assessors' qrels of the same documents: sorted by topic, documents of a topic in another order each time."""
    rng = np.random.default_rng(1)
    topic = pl.Series(np.sort(rng.integers(0, TOPICS, DOCUMENTS)) + 1000).cast(pl.String)
    table = pl.DataFrame(
        {
            "topic": topic,
            "iteration": np.zeros(DOCUMENTS, dtype=np.int64),
            "document": pl.Series(rng.permutation(DOCUMENTS)).cast(pl.String),
            "first": rng.integers(0, 4, DOCUMENTS),
            "second": rng.integers(0, 4, DOCUMENTS),
        }
    )
    table = table.with_columns(
        topic=pl.lit("q") + pl.col("topic"), document=pl.lit("msmarco_passage_") + pl.col("document")
    )
    paths = []
    for side in ("first", "second"):
        path = folder / f"{side}.qrels"
        table.select("topic", "iteration", "document", side).write_csv(path, separator=" ", include_header=False)
        table = table.sample(fraction=1, shuffle=True, seed=1).sort("topic", maintain_order=True)
        paths.append(path)
    return paths[0], paths[1]


def count_ours(first: Path, second: Path) -> np.ndarray:
    """The confusion matrix by gainsayer."""
    return gs.count_pairs(gs.read_judgments(first, second)).matrix


def count_pandas(first: Path, second: Path, *, guess: bool = False) -> np.ndarray:
    """The confusion matrix by pandas: read_csv, merge, crosstab.

    Topics and documents are names, so they are read as text ('001' is not '1'), and columns are separated by any number
    of blanks. With `guess`, pandas finds the types itself and splits at single blanks, which serves these files, too.
    """
    frames = [
        pd.read_csv(
            path,
            sep=" " if guess else r"\s+",
            header=None,
            names=["topic", "iteration", "document", "level"],
            dtype=None if guess else {"topic": str, "iteration": str, "document": str},
        )
        for path in (first, second)
    ]
    pairs = frames[0].merge(frames[1], on=["topic", "document"])
    return pd.crosstab(pairs["level_x"], pairs["level_y"]).to_numpy()


def measure(folder: Path) -> list[Ratio]:
    """The same job by both, seven times in turns, after each did it once; the fastest time of each.

    Both take hundreds of megabytes of fresh memory, which a busy machine hands out at very different speeds; the
    fastest time of each side is the one that was disturbed least.
    """
    first, second = write_qrels(folder)
    expected = count_pandas(first, second)
    assert (count_ours(first, second) == expected).all()
    assert (count_pandas(first, second, guess=True) == expected).all()
    results = []
    for name, guess in (("pandas", False), ("pandas, types guessed", True)):
        ours, peer = time_in_turns(
            lambda: count_ours(first, second),
            partial(count_pandas, first, second, guess=guess),
            rounds=ROUNDS,
            choose=min,
        )
        job, note = f"read and count {DOCUMENTS:,} double judgments", f"fastest of {ROUNDS}, in turns"
        results.append(Ratio(job, ours, name, peer, 3, note=note))
    return results
