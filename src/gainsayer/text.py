r"""Text from files, as it may be shown and written: nothing in it steers a terminal, and all of it can be encoded.

Names of topics, runs, assessors and files are data. They may hold what a terminal takes as a command (escapes) or what
turns the direction of writing, and, where a file's name is not UTF-8, halves of characters that no encoding has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from typing import Any, Final

# C0 but for tab and line feed, DEL, C1, what sets or turns the direction of writing, and two numbers that are no
# characters, which XML refuses; compiled where it is needed.
STEERING: Final = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufffe\uffff]"
MOST_INDENTED: Final = 500_000
_ENDLESS_WORD: Final = r"\S{501,}"
_RAW_BYTES: Final = "[\udc80-\udcff]+"
_ON_COMMAND_LINE: Final = ContextVar("on_command_line", default=False)
# Arguments of the functions whose option has another name.
_FLAGS: Final = {"format": "input", "merges": "merge", "maps": "map", "purpose": "for"}


def legible(text: str) -> str:
    r"""Text that can be encoded: bytes of a name as the characters they are in UTF-8, where they are not, in numbers.

    Python hands on file names with bytes that its locale cannot decode as lone surrogates. The numbers are those JSON
    knows, so that JSON stays JSON.

    >>> legible("caf\udcc3\udca9, \udcff")
    'café, \\udcff'
    """
    if text.isascii():
        return text
    known = re.sub(
        _RAW_BYTES, lambda found: found[0].encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape"), text
    )
    return known.encode("utf-8", "backslashreplace").decode("utf-8")


def printable(text: str) -> str:
    r"""Text that cannot steer a terminal: control and direction marks are shown, not sent.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    text = legible(text)
    return text if text.isprintable() else re.sub(STEERING, lambda found: ascii(found[0])[1:-1], text)


def message(text: str) -> str:
    """Text of a message: `printable`, and words of more than 500 characters, which are names from files, cut short.

    >>> message("no document '" + "x" * 1000 + "'")[-10:]
    'xxxxxxx...'
    """
    return re.sub(_ENDLESS_WORD, lambda found: f"{found[0][:200]}...", printable(text))


def nearest(text: str, known: Iterable[str]) -> str:
    """A question that names the most similar of the known names; empty where none is similar.

    >>> nearest("binray", ["prm", "binary"]), nearest("x", ["prm"])
    (' Did you mean binary?', '')
    """
    names = {name.lower(): name for name in known}
    close = get_close_matches(text.lower(), names, n=1, cutoff=0.5)
    return f" Did you mean {printable(names[close[0]])}?" if close else ""


def option(name: str, *values: object) -> str:
    """An argument, as a message names it: in Python's words, or as the option of the command line where that runs.

    Args:
        name: the argument of the functions.
        values: what to give it: nothing where the reader knows, True, a text, a dict, or words to choose from.

    >>> print(f"Use {option('estimator', 'one-sided')}, or name the sides with {option('first')}.")
    Use estimator='one-sided', or name the sides with first=....
    >>> with on_command_line():
    ...     print(f"Use {option('estimator', 'one-sided')}, or name the sides with {option('first')}.")
    ...     print(option("by_assessor", True), option("gain", {"Key": 0.5}), option("maps", {"ann": {"1": "0"}}))
    ...     print(option("repeats", "first", "last", "majority"))
    Use --estimator one-sided, or name the sides with --first.
    --by-assessor --gain Key=0.5 --map ann:1=0
    --repeats first, last or majority
    """
    if not is_on_command_line():
        return f"{name}={_choice(map(repr, values)) or '...'}"
    flag = "--" + _FLAGS.get(name, name).replace("_", "-")
    if values in ((), (True,)):
        return flag
    if isinstance(values[0], dict):
        return " ".join(f"{flag} {_assigned(left, right)}" for left, right in values[0].items())
    return f"{flag} {_choice(map(str, values))}"


@contextmanager
def on_command_line(there: bool = True) -> Iterator[None]:
    """Within it, `option` writes options of the command line."""
    token = _ON_COMMAND_LINE.set(there)
    try:
        yield
    finally:
        _ON_COMMAND_LINE.reset(token)


def is_on_command_line() -> bool:
    """Whether messages are for readers of the command line."""
    return _ON_COMMAND_LINE.get()


def _choice(words: Iterable[str]) -> str:
    *others, last = list(words) or [""]
    return f"{', '.join(others)} or {last}" if others else last


def _assigned(left: object, right: object) -> str:
    if isinstance(right, dict):
        return f"{left}:{','.join(f'{label}={level}' for label, level in right.items())}"
    return f"{left}={right}"


_NUMBERS = re.compile(r"\[\n\s+([\w.+-]+(?:,\n\s+[\w.+-]+)*)\n\s+\]")


def write_json(document: Any) -> str:
    r"""JSON for people and programs: two blanks a step, no NaN, other scripts as they are, but no steering marks.

    A list of numbers stands on one line, and so does the whole document where nobody reads it by eye, above
    `MOST_INDENTED` values: without indentation the standard library writes it in C, ten times as fast.

    >>> print(write_json({"run": "a\x9b31m é", "interval": [0.5, None]}).strip())
    {
      "run": "a\u009b31m é",
      "interval": [0.5, null]
    }
    """
    indent = 2 if _count(document, MOST_INDENTED) <= MOST_INDENTED else None
    text = json.dumps(document, indent=indent, ensure_ascii=False, allow_nan=False)
    # No string holds a line break as it is, so that this finds lists and nothing else.
    text = re.sub(_NUMBERS, lambda found: f"[{' '.join(found[1].split())}]", text)
    return re.sub(STEERING, lambda found: f"\\u{ord(found[0]):04x}", legible(text)) + "\n"


def _count(document: Any, most: int) -> int:
    """How many values a document holds; counting ends above `most`."""
    if not isinstance(document, dict | list | tuple):
        return 1
    found = 0
    for value in document.values() if isinstance(document, dict) else document:
        found += _count(value, most - found)
        if found > most:
            break
    return found
