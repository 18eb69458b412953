"""What does a random user get? Expected values beside the plug-in one, and how many documents users find."""

from __future__ import annotations

import numpy as np

from gainsayer.comparison.user_band import UserBand
from gainsayer.disagreement.user_correlation import UserCorrelation
from gainsayer.presentation.content import NamedTable, Section
from gainsayer.presentation.figures.words import quoted
from gainsayer.presentation.plain import number
from gainsayer.presentation.users import band_tables


def user_section(band: UserBand, correlation: UserCorrelation | None) -> Section:
    """The band of expected values, tau between the orders, and the distribution of what users find."""
    names = ("found",) if band.exact else ("band", "band-orders", "found")
    tables = [NamedTable(name, table) for name, table in zip(names, band_tables(band), strict=True)]
    return Section(
        id="users",
        title="What does a random user get?",
        paragraphs=tuple(
            text for text in (say_found(band), _say_band(band), say_correlation(correlation)) if text is not None
        ),
        tables=tuple(tables),
    )


def say_found(band: UserBand) -> str:
    """What half of the users find, and how many find nothing, in the best run."""
    best = int(np.argmax(band.values["plug-in"]))
    nothing = [float(spread.nothing[best]) for spread in band.found.values()]
    low, high = min(nothing), max(nothing)
    half = sorted({int(spread.quantile(0.5)[best]) for spread in band.found.values()})
    said = " to ".join(str(value) for value in half)
    return (
        f"In the top {band.depth} of {quoted(band.runs[best])} half of the users find at least {said} relevant "
        f"documents, and {low:.0%} (if their views of documents are independent) to {high:.0%} (if a strict user is "
        f"strict throughout) find nothing{_say_between(band, best)}."
    )


def _say_between(band: UserBand, best: int) -> str:
    """How many find nothing at the correlation that was estimated, where it was."""
    said = [
        f"; {spread.nothing[best]:.0%} at a correlation of {spread.users:.2f}"
        for spread in band.found.values()
        if isinstance(spread.users, float)
    ]
    return said[0] if said else ""


def say_correlation(correlation: UserCorrelation | None) -> str | None:
    """Where between the two ends the second side stands."""
    if correlation is None or number(correlation.correlation) is None:
        return None
    low, high = correlation.interval
    return (
        "How strongly one person's views of different documents are correlated can be estimated from the second "
        f"judgments: {correlation.correlation:.2f} ({low:.2f} to {high:.2f}), where 0 is independent and 1 is "
        "comonotone (a strict user is strict with every document)."
    )


def _say_band(band: UserBand) -> str | None:
    if band.exact:
        return f"{band.measure} is linear in relevance, so its plug-in value is the expected value of a random user."
    best = int(np.argmax(band.values["plug-in"]))
    ends = [values[best] for name, values in band.values.items() if name != "plug-in"]
    return (
        f"{band.measure} with probabilities put where the gain stands (plug-in) is {band.values['plug-in'][best]:.3f} "
        f"for {quoted(band.runs[best])}; the {band.measure} that a random user would compute is {min(ends):.3f} to "
        f"{max(ends):.3f} on average under the dependences tried, which are extremes, not bounds. The first compares "
        "expected gain with the best that labels allow, the second is each user's own score. Say which one you report."
    )
