"""A simulated collection as ordinary files, written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from gainsayer.datasets.checks import check_names
from gainsayer.datasets.simulation import SimulatedCollection, Truth
from gainsayer.errors import CallError
from gainsayer.levels import Levels, is_whole
from gainsayer.output_files import follow, keep_owner_and_mode
from gainsayer.reading.judgments import Judgments
from gainsayer.result import SCHEMA_VERSION
from gainsayer.table import plain
from gainsayer.text import option

TRUTH_FILE: Final = "truth.json"
MARK: Final = "gainsayer_simulation"
_FORMAT: Final = 1


def write_collection(collection: SimulatedCollection, folder: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Write a collection into a folder of its own, and answer the folder.

    `first.qrels` and `second.qrels` (one file per assessor where there are more), a machine's grades under its name (a
    line per call), `runs/NAME.run` in TREC's six columns, `strata.tsv` when there are strata, and `truth.json`. Levels
    with names are written as whole numbers from 0, as TREC tools expect; name them again when reading. The same
    collection gives the same bytes.

    All files are written next to the folder first, which is then renamed: a stop half-way leaves nothing.

    Args:
        collection: what to write.
        folder: a folder that does not exist yet, or is empty.
        overwrite: replace an earlier simulation there. A folder with any other file in it is never replaced.

    Raises:
        CallError: the folder holds something, or a name is not fit for a file.

    >>> from gainsayer.datasets.simulation import simulate_collection
    >>> with tempfile.TemporaryDirectory() as where:
    ...     folder = write_collection(simulate_collection(topics=4, documents=10), Path(where, "collection"))
    ...     print((folder / "first.qrels").read_text().split()[:3])
    ...     print(sorted(path.name for path in folder.iterdir()))
    ['q01', '0', 'q01-d01']
    ['first.qrels', 'runs', 'second.qrels', 'truth.json']
    """
    check_names([name for part in _every_judgment(collection) for name in part.assessors], "Assessor")
    check_names(collection.runs, "Run")
    try:
        target, _ = follow(Path(os.path.abspath(folder)))  # "." too has a name
    except OSError as error:
        raise CallError(f"Cannot write {folder}: {error.strerror}. Choose another folder.") from error
    _check_target(target, overwrite)
    target.parent.mkdir(parents=True, exist_ok=True)
    _put(collection, target)
    return target


def _put(collection: SimulatedCollection, target: Path) -> None:
    """Write the files next to the folder, and rename; a folder that is replaced keeps its owner and permissions."""
    with tempfile.TemporaryDirectory(prefix=".gainsayer-", dir=target.parent) as near:
        new, old = Path(near, "new"), Path(near, "old")
        _write_files(collection, new)
        if target.exists():
            for path in (target, *target.rglob("*")):
                twin = new / path.relative_to(target)
                if twin.exists():
                    keep_owner_and_mode(twin, path.stat())
            target.rename(old)
        try:
            new.rename(target)
        except BaseException:  # also a stop by hand: what was there stays there
            if old.exists():
                old.rename(target)
            raise


def _check_target(target: Path, overwrite: bool) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise CallError(f"{target} is a file. Name a folder that does not exist yet.")
    if target == Path.cwd():
        raise CallError(f"{target} is the folder you are in, which cannot be replaced. Name a folder inside it.")
    if not any(target.iterdir()):
        return
    if not overwrite:
        raise CallError(
            f"{target} is not empty. Name another folder, or overwrite the simulation in it "
            f"({option('overwrite', True)})."
        )
    ours = _files_of_simulation(target / TRUTH_FILE)
    if ours is None:
        raise CallError(
            f"{target} holds no {TRUTH_FILE} of a simulation, so it is not overwritten. Name another folder."
        )
    every = {path.relative_to(target).as_posix(): path.is_symlink() for path in target.rglob("*")}
    others = sorted(name for name, link in every.items() if link or name not in ours | {"runs"})
    if others:
        raise CallError(
            f"{target} holds files that are not of the simulation, such as {others[0]}, so it is not overwritten. "
            "Move them away, or name another folder."
        )


def _files_of_simulation(path: Path) -> set[str] | None:
    """The files that an earlier simulation lists as its own; None where there is none."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(content, dict) or MARK not in content or not isinstance(content.get("files"), list):
        return None
    return {name for name in content["files"] if isinstance(name, str)}


def _write_files(collection: SimulatedCollection, folder: Path) -> None:
    (folder / "runs").mkdir(parents=True)
    for judgments in _every_judgment(collection):
        labels = pl.Series("level", _file_labels(collection.levels)).gather(judgments.level.astype(np.int64))
        frame = judgments.frame()
        for assessor in judgments.assessors:
            rows = frame["assessor"] == assessor
            qrels = frame.filter(rows).select("topic", pl.lit("0").alias("iteration"), "document")
            _write_columns(qrels.with_columns(labels.filter(rows)), folder / f"{assessor}.qrels")
    for name, run in collection.runs.items():
        columns = run.select("topic", pl.lit("Q0").alias("q0"), "document", "rank", "score", pl.lit(name).alias("tag"))
        _write_columns(columns, folder / "runs" / f"{name}.run")
    if collection.strata is not None:
        strata = pl.DataFrame(list(collection.strata.items()), schema=["topic", "stratum"], orient="row")
        (folder / "strata.tsv").write_bytes(strata.write_csv(separator="\t").encode())
    written = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    files = sorted([TRUTH_FILE, *written])
    content = json.dumps(_truth_content(collection, files), indent=1, allow_nan=False)
    (folder / TRUTH_FILE).write_bytes(content.encode() + b"\n")


def _every_judgment(collection: SimulatedCollection) -> list[Judgments]:
    return [collection.judgments, *(() if collection.machine is None else (collection.machine,))]


def _write_columns(frame: pl.DataFrame, path: Path) -> None:
    with path.open("wb") as stream:  # polars takes no path that is not UTF-8
        frame.write_csv(stream, separator=" ", include_header=False, quote_style="never", float_precision=6)


def _file_labels(levels: Levels) -> tuple[str, ...]:
    """What stands for each level in a qrels file: its code, its name if a whole number, else its index."""
    if levels.codes is not None:
        if any(len(code.split()) != 1 for code in levels.codes):
            raise CallError(f"Codes in a qrels file are single words, found {', '.join(levels.codes)!r}.")
        return levels.codes
    return levels.names if all(map(is_whole, levels.names)) else tuple(map(str, range(len(levels))))


def _truth_content(collection: SimulatedCollection, files: list[str]) -> dict[str, Any]:
    strata = collection.stratum_truth
    return {
        "schema_version": SCHEMA_VERSION,
        MARK: _FORMAT,
        "seed": collection.seed,
        "levels": list(collection.levels.names),
        "truth": _plain_truth(collection.truth),
        "stratum_truth": None if strata is None else {name: _plain_truth(truth) for name, truth in strata.items()},
        "second_topics": list(collection.second_topics),
        "inclusion": dict(collection.inclusion),
        "options": dict(collection.options),
        "files": files,
    }


def _plain_truth(truth: Truth) -> Mapping[str, Any]:
    return {"joint": plain(truth.joint), "one_sided": plain(truth.one_sided), "symmetric": plain(truth.symmetric)}
