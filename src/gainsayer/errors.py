"""What can go wrong, as one small tree.

    GainsayerError
    ├── DataError (ValueError)       the data is at fault; the command line exits with 1
    │   ├── FormatError              a file cannot be read; lists the first faults with their lines
    │   ├── RepeatError              one assessor gave one document several levels
    │   ├── PairingError             no two assessors judged a common document
    │   ├── BiasedSampleError        the symmetric estimate is wrong for this second round
    │   ├── LabelSetError            assessors use different sets of labels, so equal labels do not mean the same
    │   └── MissingParameterError    a level has no second opinions, so it has no probability
    └── CallError (ValueError)       the call is at fault; the command line exits with 2
        ├── SeveralLabelsError       documents have several labels, and nothing says which one scores them
        └── UnknownLevelError        a level is named that the data or the declaration lacks

A message says where, what was expected, what was found, and what to do next.
"""

from __future__ import annotations

from collections.abc import Sequence

from gainsayer.text import message

MOST_FAULTS = 10


class GainsayerError(Exception):
    """Any error that is not a bug of Gainsayer's own.

    Args:
        text: where, what was expected, what was found, what to do next. Names in it can steer nothing, and are cut.
    """

    def __init__(self, text: str) -> None:
        super().__init__(message(text))


class DataError(GainsayerError, ValueError):
    """The data is at fault."""


class CallError(GainsayerError, ValueError):
    """The call is at fault: an option or argument does not fit."""


class FormatError(DataError):
    """A file or table cannot be read as what it should be."""

    @classmethod
    def listing(cls, faults: Sequence[str], more: int = 0, advice: str = "") -> FormatError:
        """One error for many faults: the first ten, how many more, and what to do.

        >>> print(FormatError.listing(["a.qrels, line 3: expected 4 columns, found 3"], more=2))
        a.qrels, line 3: expected 4 columns, found 3
        ... and 2 more like these.
        """
        shown = list(faults[:MOST_FAULTS])
        more += len(faults) - len(shown)
        if more:
            shown.append(f"... and {more} more like these.")
        if advice:
            shown.append(advice)
        return cls("\n".join(shown))


class RepeatError(DataError):
    """One assessor judged one document several times, with different levels."""


class PairingError(DataError):
    """There is no document that two different assessors judged."""


class BiasedSampleError(DataError):
    """The second round was chosen by the first labels, which the symmetric estimate cannot bear."""


class LabelSetError(DataError):
    """Assessors use different sets of labels, so equal labels need not mean the same."""


class MissingParameterError(DataError):
    """A level has no second opinions, so nothing can be said of its probability."""


class SeveralLabelsError(CallError):
    """Documents have several labels, and nothing says which one scores them."""


class UnknownLevelError(CallError):
    """A level is asked for that is not among the levels."""
