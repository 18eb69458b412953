"""Wide tables: topic and document on each row, and a column of levels for each assessor, as in Quepid's books."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from gainsayer.errors import FormatError
from gainsayer.findings import Finding
from gainsayer.lines.faults import shorten
from gainsayer.tables.cells import Cells
from gainsayer.tables.columns import NoLevelError


@dataclass(frozen=True)
class Wide:
    """Which columns of a table hold one rater's levels each.

    Args:
        raters: their titles; none where nobody named them.
        every: every column that looks like levels, whatever else stands beside them.
    """

    raters: tuple[str, ...] = ()
    every: bool = False


NARROW: Final = Wide()
"""Nobody said that a table is wide; it may still be seen."""


def read_wide(read: Callable[..., Cells], name: str, wide: Wide = NARROW) -> Cells:
    r"""The cells of a table, with a column of levels for each rater where it has no other.

    A table with a topic, a document, several further columns of few numbers each and nothing else is wide: every
    further column is an assessor, and a finding says so. Where anything else stands there, `wide.every` is needed, or
    the raters by name.

    Args:
        read: reads the table, with `raters=` as it is told.
        name: what messages call it.
        wide: what is known of its columns.

    Raises:
        FormatError: as `read` does.

    >>> from functools import partial
    >>> from gainsayer.tables.files import read_cells
    >>> book = b"query,docid,Ann,Bob\nred dress,d1,3,2\nred dress,d2,,0\n"
    >>> cells = read_wide(partial(read_cells, book, "book.csv"), "book.csv")
    >>> cells.columns["rater Bob"].to_list(), cells.findings[0].code
    (['2', '0'], 'wide-table')
    """
    try:
        return read(raters=wide.raters)
    except NoLevelError as missing:
        raters = missing.candidates
        if wide.raters or not raters or not (missing.alone or wide.every):
            raise
    try:
        cells = read(raters=raters)
    except FormatError as fault:
        raise FormatError(f"{fault}\nIt was read as a wide table, with the raters {', '.join(raters)}.") from None
    left = [title for title in cells.titles if title.strip() not in {rater.strip() for rater in raters}]
    said = (
        f"{name} has no level column, so each of these columns was taken as an assessor: "
        f"{', '.join(map(shorten, raters[:20]))}{', ...' if len(raters) > 20 else ''}; the others are "
        f"{', '.join(map(shorten, left[:20]))}."
    )
    return replace(cells, findings=(*cells.findings, Finding("wide-table", said)))
