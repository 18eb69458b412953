"""Errors that travel: as words from a worker, and as themselves again where all of them arrive."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from gainsayer import errors
from gainsayer.errors import FormatError, GainsayerError


def as_words(error: GainsayerError) -> tuple[str, str]:
    """An error as text: its kind and its words."""
    kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == errors.__name__)
    return kind, str(error)


def join_errors(faults: Iterable[tuple[str, str]]) -> GainsayerError:
    r"""The error for what several workers found: of faults in files the first ten, of others the first one.

    >>> print(join_errors([("FormatError", "b.run: no."), ("FormatError", "a.run: no.\n... and 2 more like these.")]))
    a.run: no.
    b.run: no.
    ... and 2 more like these.
    """
    every = sorted(set(faults))
    kind, words = next((fault for fault in every if fault[0] != "FormatError"), every[0])
    error: GainsayerError = getattr(errors, kind)(words)
    if kind != "FormatError" or len(every) == 1:
        return error
    lines = Counter(line for _, words in every for line in set(words.split("\n")))
    found = [line for _, words in every for line in words.split("\n") if lines[line] == 1]
    more = [line for line in found if line.startswith("... and ")]
    advice = " ".join(line for line, times in lines.items() if times > 1)
    count = sum(int(re.sub(r"\D", "", line)) for line in more)
    return FormatError.listing([line for line in found if line not in more], count, advice)
