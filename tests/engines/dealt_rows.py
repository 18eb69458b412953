"""A collection in memory, and its rows dealt out by topic as workers would have them."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
import polars as pl

from gainsayer.engines.waist import JUDGED, RANKED, Origin, Waist, join_waists, make_waist, pack, unpack
from gainsayer.reading import Judgments, Run, read_judgments, read_run

Labels = dict[str, dict[str, int]]


def draw_collection(topics: int = 40, seed: int = 5) -> tuple[Judgments, list[Run]]:
    """Two assessors on 12 documents a topic, the second on most of them; three runs that return others as well."""
    rng = np.random.default_rng(seed)
    names = [f"q{t}" for t in rng.permutation(topics).tolist()]
    first: Labels = {t: {f"d{d}": int(rng.integers(4)) for d in rng.permutation(12).tolist()} for t in names}
    second: Labels = {
        t: {d: int(np.clip(level + rng.integers(-1, 2), 0, 3)) for d, level in first[t].items() if rng.random() < 0.9}
        for t in reversed(names)
    }
    runs = [
        read_run(
            {t: {f"d{d}": float(rng.integers(9)) for d in rng.permutation(20)[:15].tolist()} for t in names}, name=name
        )
        for name in ("one", "two", "three")
    ]
    return read_judgments({"ann": first, "bob": second}), runs


def judged_rows(judgments: Judgments) -> tuple[pl.DataFrame, list[Origin]]:
    """The judgments as rows of one source per assessor, and these."""
    frame = judgments.frame().rename({"level": "label"})
    place = {name: number for number, name in enumerate(judgments.assessors)}
    return stand(frame, [place[name] for name in frame["assessor"]], JUDGED), [
        Origin(f"{name}.qrels", name) for name in judgments.assessors
    ]


def ranked_rows(runs: Sequence[Run]) -> tuple[pl.DataFrame, list[Origin]]:
    """Runs as rows of one source each, and these."""
    frames = [run.frame().with_columns(run=pl.lit(""), tag=pl.lit(run.name)) for run in runs]
    source = [number for number, frame in enumerate(frames) for _ in range(frame.height)]
    return stand(pl.concat(frames), source, RANKED), [Origin(f"{run.name}.run", run.name) for run in runs]


def stand(frame: pl.DataFrame, source: Sequence[int], schema: pl.Schema) -> pl.DataFrame:
    """Rows with where they stand, in a schema."""
    placed = frame.with_columns(
        source=pl.Series(source), file=pl.Series(source), start=pl.lit(0), number=pl.int_range(pl.len())
    )
    given = placed.select(name for name in schema if name in placed.columns)
    typed = given.cast({name: schema[name] for name in given.columns})
    return pl.concat([schema.to_frame(), typed], how="diagonal")


def deal(judged: pl.DataFrame, ranked: pl.DataFrame, names: Sequence[str], buckets: int, **options: object) -> Waist:
    """The waists of all buckets, made of shuffled rows, packed, unpacked and joined backwards."""
    waists = []
    for number in reversed(range(buckets)):
        parts = []
        for table in (judged, ranked):
            inside = [crc32(topic.encode()) % buckets == number for topic in table["topic"]]
            parts.append(table.filter(inside).sample(fraction=1, shuffle=True, seed=number))
        waists.append(unpack(pack(make_waist(*parts, names, **options))))  # type: ignore[arg-type]
    return join_waists(waists)
