"""Properties of documents as a person names them: votes, ranks, strata, or any column of a file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from gainsayer.commands.chances import KEY
from gainsayer.commands.machine_input import Material, best_ranks, places_of
from gainsayer.errors import DataError, FormatError
from gainsayer.judgments.side_files import read_topic_table
from gainsayer.lines.opening import FilePath
from gainsayer.rankings.ranked_levels import FloatArray

# Names, files, or {name: {topic: {document: number}}}.
EffectInput: TypeAlias = str | FilePath | Sequence[str] | Mapping[str, Mapping[str, Mapping[str, float]]] | None
ABOUT_RUNS = ("votes", "rank", "metarank")
UNSAID = "not said"


def read_properties(given: EffectInput, material: Material, depth: int | None) -> dict[str, FloatArray]:
    """Properties of the pool's documents as numbers, whose effects can be tested; a group is a number of 0 and 1.

    Args:
        given: `votes` (how many runs have it down to the depth), `rank` (log of its best rank), `metarank` (mean log
            rank over all runs, one below the last where a run lacks it); files of topic, document and a number or a
            group, or of topic and stratum; or mappings. Documents of which a file says nothing have its mean, or a
            group of their own.
        material: documents and runs.
        depth: of the measure.

    Raises:
        DataError: a file says nothing of any document.
    """
    if given is None:
        return {}
    names: list[Any] = [given] if isinstance(given, str | os.PathLike) else list(given)
    found: dict[str, FloatArray] = {}
    for name in names:
        if name in ABOUT_RUNS:
            found[name] = _from_runs(name, material, depth)
        elif isinstance(given, Mapping):
            rows = [(str(t), str(d), float(x)) for t, values in given[name].items() for d, x in values.items()]
            table = pl.DataFrame(rows, schema=["topic", "document", "value"], orient="row")
            found[str(name)] = _from_numbers(str(name), table, material)
        else:
            found |= _from_file(name, material)
    return found


def _from_runs(name: str, material: Material, depth: int | None) -> FloatArray:
    if name == "rank":
        best = best_ranks(material)
        assert best is not None
        worst = float(np.nanmax(best)) if np.isfinite(best).any() else 1.0
        return np.log2(np.where(np.isnan(best), worst + 1, best))
    ranks = np.stack([run.ranks() for run in material.runs])
    if name == "votes":
        return np.asarray(((ranks > 0) & (ranks <= (depth or np.inf))).sum(axis=0).astype(np.float64))
    last = ranks.max(axis=1, keepdims=True)
    return np.asarray(np.log(np.where(ranks > 0, ranks, last + 1)).mean(axis=0))


def _from_file(path: FilePath, material: Material) -> dict[str, FloatArray]:
    name = os.path.splitext(os.path.basename(str(path)))[0]
    where = places_of(material.pool)
    try:
        table = read_topic_table(path, (*KEY, "value"))
    except FormatError:
        strata = read_topic_table(path, ("topic", "stratum"))
        table = where.join(strata, on="topic", how="inner").select(*KEY, pl.col("stratum").alias("value"))
        return _from_groups(name, table, material)
    numbers = table["value"].cast(pl.Float64, strict=False)
    if numbers.null_count() == 0:
        return {name: _from_numbers(name, table.with_columns(numbers), material)}
    return _from_groups(name, table, material)


def _from_numbers(name: str, table: pl.DataFrame, material: Material) -> FloatArray:
    placed = _place(name, table, material)
    values = np.full(len(material.pool.document), float(placed["value"].to_numpy().mean()))
    values[placed["place"].to_numpy()] = placed["value"].to_numpy()
    return values


def _from_groups(name: str, table: pl.DataFrame, material: Material) -> dict[str, FloatArray]:
    placed = _place(name, table, material)
    names = sorted(set(placed["value"].to_list()))
    group = np.full(len(material.pool.document), len(names))
    group[placed["place"].to_numpy()] = np.searchsorted(names, placed["value"].to_list())
    called = tuple(names) if (group < len(names)).all() else (*names, UNSAID)
    return {f"{name}={one}": (group == place).astype(np.float64) for place, one in enumerate(called)}


def _place(name: str, table: pl.DataFrame, material: Material) -> pl.DataFrame:
    placed = table.join(places_of(material.pool), on=KEY, how="inner")
    if not len(placed):
        raise DataError(f"{name} says nothing of any document that the machine graded.")
    return placed
