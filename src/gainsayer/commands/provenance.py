"""What a result was made from: version, files with their SHA-256, options, seed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from gainsayer.commands.inputs import Reading, list_sources
from gainsayer.reading.files import STANDARD_INPUT, Fingerprints, call_file, show_name
from gainsayer.reading.objects import is_named_tuples
from gainsayer.table import Json
from gainsayer.version import VERSION

_PIECE: Final = 1 << 20
_OF_READING: Final = frozenset(one.name for one in fields(Reading))
_UNRECORDED: Final = ("sources", "judgments", "runs", "seed", "progress", "title", "command")


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from.

    Args:
        version: of Gainsayer.
        files: the files read, as they were named, and the SHA-256 of each; None for standard input.
        options: what held beside the files, as plain data, defaults included; what was left empty is not in it.
        seed: of everything that was drawn.
    """

    version: str
    files: tuple[tuple[str, str | None], ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0

    def as_dict(self) -> dict[str, Json]:
        """As plain data for JSON."""
        return {
            "version": self.version,
            "files": [{"file": name, "sha256": digest} for name, digest in self.files],
            "options": dict(self.options),
            "seed": self.seed,
        }


def hash_while_reading(sources: Sequence[object]) -> Fingerprints:
    """The digests of these files, from what is read of them while it is entered.

    Args:
        sources: as `record` takes them; folders and patterns of runs have been looked into.
    """
    return Fingerprints(path for source in sources for path in _paths(source))


def record(
    files: Sequence[object], options: Mapping[str, Any], *, seed: int = 0, digests: Fingerprints | None = None
) -> Provenance:
    """The provenance of a result made now from these files; things that are no files are left out.

    Args:
        files: sources of judgments and runs, as given; what a `Reading` asks for is recorded, too.
        options: what was asked for; files, seed and progress have their own places, None, False and empty ones none.
        seed: of everything that was drawn.
        digests: of the files, where they were hashed on the way.

    >>> record([{"q1": {"d1": 1}}], {"threshold": 2, "first": None}).options
    {'threshold': 2}
    """
    files = [one for source in files for one in list_sources(source)]  # type: ignore[arg-type]  # or other files
    named = dict.fromkeys(path for source in files for path in _paths(source))
    # How judgments are read stands in the reading, where anything was said of it.
    asked = {name: value for source in files if isinstance(source, Reading) for name, value in vars(source).items()}
    asked |= {name: value for name, value in options.items() if name not in _OF_READING}
    given = {name: _plain(value) for name, value in asked.items() if name not in _UNRECORDED}
    if given.get("engine") == "embedded":
        del given["engine"]
    heard = (lambda _: None) if digests is None else digests.of
    return Provenance(
        version=VERSION,
        files=tuple((call_file(path), heard(path) or _digest(path)) for path in named),
        options={name: value for name, value in given.items() if value not in (None, False, [], {}, "")},
        seed=seed,
    )


def _paths(source: object) -> list[str]:
    if isinstance(source, Reading):
        beside = (source.strata, source.intent_probabilities)
        return [path for one in (*source.sources, *beside) for path in _paths(one)]
    if isinstance(source, list) and not (source and isinstance(source[0], tuple) and is_named_tuples(source)):
        return [path for one in source for path in _paths(one)]
    if isinstance(source, tuple) and len(source) == 2:
        return _paths(source[1])
    return [os.fspath(source)] if isinstance(source, str | os.PathLike) else []


def _digest(path: str) -> str | None:
    if path == STANDARD_INPUT or not os.path.isfile(path):  # a Path refuses names that are too long
        return None
    total, buffer = hashlib.sha256(), bytearray(_PIECE)
    with open(path, "rb", buffering=0) as stream:
        while got := stream.readinto(buffer):
            total.update(memoryview(buffer)[:got])
    return total.hexdigest()


def _plain(value: Any) -> Any:
    """As JSON can hold it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(part) for part in value]
    if isinstance(value, str | os.PathLike):
        return show_name(os.fspath(value))
    return value if isinstance(value, int | float | bool) or value is None else str(value)
