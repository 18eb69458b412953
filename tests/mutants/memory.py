"""What takes long to find out is kept in a temporary folder, by content, between calls."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


def place_of(content: str | bytes) -> Path:
    """Where the answer about this content is kept."""
    folder = Path(tempfile.gettempdir()) / f"gainsayer-mutants-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()


def keep(place: Path, answer: object) -> None:
    """Write an answer (JSON) whole, or not at all."""
    part = place.with_suffix(".part")
    part.write_text(json.dumps(answer), encoding="utf-8")
    part.rename(place)


def remember(content: str | bytes, make: Callable[[], Any]) -> Any:
    """The answer about this content, as it was kept or as `make` gives it."""
    place = place_of(content)
    if not place.exists():
        keep(place, make())
    return json.loads(place.read_text(encoding="utf-8"))
