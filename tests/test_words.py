"""Words that do not come back, in code, messages and docs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "gainsayer"
# Words that no IR researcher uses, and what to say instead.
WORDS = {
    "own_cut": "r_precision",
    "remembering|remembered": "cache",
    "entering": "entry",
    "strangers?": "unknown",
    "strays?": "across teams, lone",
    "has the word|have the word": "takes precedence",
    "hangs? together": "correlate",
    "whence": "where the uncertainty comes from",
    "doubts?": "uncertainty",
    "barren": "without relevant",
    "talk": "messages",
}
# Rooms that still hold such words, to be emptied.
STILL = ("reports",)


def test_words_do_not_come_back() -> None:
    """Neither in code and messages nor in the docs."""
    modules = [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] not in STILL]
    pages = [path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "reference"]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()!r}: say {instead}"
        for path in sorted((*modules, *pages, ROOT / "README.md"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        for words, instead in WORDS.items()
        if re.search(rf"(?<![a-z])(?:{words})(?![a-z])", line, re.IGNORECASE)
    ]
    assert found == []
