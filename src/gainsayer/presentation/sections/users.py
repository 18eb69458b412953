"""What does one user get from the first run?"""

from __future__ import annotations

import numpy as np

from gainsayer.comparison.user_band import UserBand
from gainsayer.disagreement.user_correlation import UserCorrelation
from gainsayer.presentation.content import Section, Sentence
from gainsayer.presentation.records import Record, number
from gainsayer.presentation.words import shortened, users


def user_section(band: UserBand, correlation: UserCorrelation | None) -> Section:
    """How many relevant documents a user finds in the first run, and how many users find none."""
    best = int(np.argmax(band.values["plug-in"]))
    nothing = {name: float(spread.nothing[best]) for name, spread in band.found.items()}
    between = [name for name, spread in band.found.items() if isinstance(spread.users, float)]
    mean = float(next(iter(band.found.values())).mean[best])
    facts: Record = {
        "run": band.runs[best],
        "depth": band.depth,
        "mean": mean,
        **{f"nothing, {name}": share for name, share in nothing.items()},
    }
    low, high = min(nothing.values()), max(nothing.values())
    if between:
        none = f"about {users(nothing[between[0]])} of 100 users find none"
    elif users(low) == users(high):
        none = f"{users(low)} of 100 users find none"
    else:
        none = f"{users(low)} to {users(high)} of 100 users find none"
    paragraphs = []
    if between and correlation is not None and number(correlation.correlation) is not None:
        facts["correlation"] = float(correlation.correlation)
        paragraphs.append(
            "A strict user is strict with every document: the second judgments show how strongly one person's views "
            f"are correlated ({correlation.correlation:.2f}). If they were not correlated at all, "
            f"{users(low)} of 100 would find nothing; if a single strictness decided everything, {users(high)}."
        )
    elif users(low) != users(high):
        paragraphs.append(
            f"{users(low)} if each document is a new question to a user, {users(high)} if a strict user is strict with "
            "every document. Real users lie between."
        )
    return Section(
        "users",
        "What does one user get from the first run?",
        Sentence(
            f"On average {mean:.1f} relevant documents in the top {band.depth} of {shortened(band.runs[best])}; "
            f"{none}.",
            f"{mean:.1f} relevant documents",
        ),
        tuple(paragraphs),
        facts=facts,
    )
