"""A waist as bytes: to be kept in a file, or sent from one machine to another. Reading it runs no code."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gainsayer.engines.waists import FoundRun, JudgedRows, Task, Waist
from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.levels import Levels

FORMAT: Final = "gainsayer waist 1"
_HEADER: Final = "header"
_JUDGED: Final = {"assessor": np.int32, "topic": np.int32, "rows": np.int64, "document": np.int32, "level": np.int16}
_RUN: Final = {"hits": np.int64, "rank": np.int32, "document": np.int32, "retrieved": np.int64, "present": np.bool_}


def pack(waist: Waist) -> bytes:
    """The waist as bytes: arrays of numbers as small as they fit (npz), and a header of text (JSON).

    >>> from gainsayer.judgments.files import read_judgments
    >>> from gainsayer.engines.waists import make_waist
    >>> judged = read_judgments({"ann": {"q1": {"a": 2, "b": 0}}})
    >>> unpack(pack(make_waist(judged, [], Task(judged.levels, judged.assessors)))).topics
    ('q1',)
    """
    arrays = {f"judged.{name}": getattr(waist.judged, name) for name in _JUDGED}
    if waist.judged.weight is not None:
        arrays["judged.weight"] = waist.judged.weight
    for place, run in enumerate(waist.runs):
        arrays |= {f"runs.{place}.{name}": getattr(run, name) for name in _RUN}
    header = {
        "format": FORMAT,
        "task": _plain(waist.task),
        "topics": waist.topics,
        "strata": dict(waist.strata),
        "findings": [asdict(found) for found in waist.findings],
        "runs": [
            {"name": run.name, "unscored": run.unscored, "findings": [asdict(found) for found in run.findings]}
            for run in waist.runs
        ],
    }
    stream = io.BytesIO()
    words = np.frombuffer(json.dumps(header).encode(), np.uint8)
    narrow = {name: _narrow(array) for name, array in arrays.items()}
    np.savez(stream, allow_pickle=False, documents=_narrow(waist.documents), **{_HEADER: words}, **narrow)
    return stream.getvalue()


def unpack(packed: bytes) -> Waist:
    """The waist that `pack` made bytes of.

    Raises:
        DataError: the bytes are damaged, or of another version.
    """
    try:
        with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
            header = json.loads(arrays[_HEADER].tobytes())
            if header["format"] != FORMAT:
                raise DataError(
                    f"These bytes are a {header['format']}, but this version reads a {FORMAT}. Make it again."
                )
            return _restore(header, arrays)
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, AttributeError, EOFError, OSError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            "These bytes are no whole waist of a bucket: they were damaged or cut off. Make it again."
        ) from None


def _restore(header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Waist:
    weight = arrays.get("judged.weight")
    return Waist(
        task=_task(header["task"]),
        topics=tuple(header["topics"]),
        documents=arrays["documents"].astype(np.int64),
        judged=JudgedRows(
            **{name: arrays[f"judged.{name}"].astype(kind) for name, kind in _JUDGED.items()}, weight=weight
        ),
        runs=tuple(
            FoundRun(
                name=run["name"],
                unscored=tuple(run["unscored"]),
                findings=_findings(run["findings"]),
                **{name: arrays[f"runs.{place}.{name}"].astype(kind) for name, kind in _RUN.items()},
            )
            for place, run in enumerate(header["runs"])
        ),
        strata=header["strata"],
        findings=_findings(header["findings"]),
    )


def _plain(task: Task) -> dict[str, Any]:
    levels = task.levels
    return vars(task) | {
        "levels": vars(levels) | {"merges": dict(levels.merges), "missing": sorted(levels.missing)},
        "findings": [asdict(found) for found in task.findings],
    }


def _task(plain: Mapping[str, Any]) -> Task:
    given = dict(plain["levels"])
    codes = given.pop("codes")
    levels = Levels(
        **given | {"names": tuple(given["names"]), "declared": tuple(given["declared"])},
        codes=None if codes is None else tuple(codes),
    )
    lists = {name: tuple(plain[name]) for name in ("assessors", "runs")}
    return Task(**dict(plain) | lists | {"levels": levels, "findings": _findings(plain["findings"])})


def _findings(plain: list[dict[str, str]]) -> tuple[Finding, ...]:
    return tuple(Finding(**found) for found in plain)


def _narrow(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers, none of which is negative, in as few bytes as they need."""
    return array.astype(np.min_scalar_type(int(array.max(initial=0)))) if array.dtype.kind == "i" else array
