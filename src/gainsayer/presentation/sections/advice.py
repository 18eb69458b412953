"""What should we judge next?"""

from __future__ import annotations

import numpy as np

from gainsayer.comparison.results import Comparison
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.presentation.comparison_records import middle_shares
from gainsayer.presentation.comparison_tables import advise
from gainsayer.presentation.content import NamedTable, Section
from gainsayer.presentation.figures.words import counted, name_relevance, quoted
from gainsayer.presentation.plain import number
from gainsayer.presentation.tables import Column, Table, show_number

ENOUGH_OPINIONS = 30
MUCH_UNJUDGED = 0.05


def advice_section(prediction: PredictedRelevance | None, comparison: Comparison | None) -> Section:
    """What the numbers lack most, and what would mend it."""
    advice = [
        *([] if prediction is not None else [NO_SECOND_OPINIONS]),
        *([] if prediction is None else _on_levels(prediction)),
        *([] if comparison is None else _on_runs(comparison)),
        *([] if comparison is not None else [NO_RUNS]),
    ]
    tables = [] if prediction is None else [NamedTable("precision", precision_table(prediction))]
    return Section("next", "What should we judge next?", tuple(advice), tables=tuple(tables))


NO_SECOND_OPINIONS = (
    "There are no second opinions yet, so nobody knows what a label is worth to another person. Have somebody else "
    "judge a random part of the documents of every level again, on as many topics as you can: ten documents on each of "
    "twenty topics say more than two hundred on one. Then report on both files together."
)
NO_RUNS = "No runs were given. With runs=... the report also compares systems, and says how sure that comparison is."


def precision_table(prediction: PredictedRelevance) -> Table:
    """How closely each level is known, and what would halve its interval."""
    columns = (
        Column("level", "level", align="left"),
        Column("probability", "p(R|level)", show_number(3)),
        Column("half_width", "± half the interval", show_number(3)),
        Column("judged_count", "second opinions", show_number(0)),
        Column("topics_to_halve", "doubly judged topics to halve it", show_number(0)),
    )
    rows = []
    for level, name in enumerate(prediction.levels.names):
        half = _half_width(prediction, level)
        rows.append(
            (
                name,
                number(prediction.probability[level]),
                number(half),
                number(prediction.judged_count[level], whole=True),
                None if not np.isfinite(half) else topics_to_halve(prediction.topics),
            )
        )
    title = (
        f"How closely p(R|level) is known from {counted(prediction.topics, 'doubly judged topic')}, "
        f"{name_relevance(prediction.relevance)} counting as relevant"
    )
    return Table(title, columns, tuple(rows))


def topics_to_halve(topics: int) -> int:
    """The smallest n for which t(n - 1) / sqrt(n) is half of what it is now, as a 95 % interval over topics goes.

    Four times the topics for many of them; fewer for few, as the t quantile shrinks, too.

    >>> topics_to_halve(43), topics_to_halve(5)
    (165, 13)
    """
    from scipy.stats import t

    many = np.arange(topics, 4 * topics + 1)
    width = t.ppf(0.975, np.maximum(many - 1, 1)) / np.sqrt(many)
    return int(many[np.argmax(width <= width[0] / 2)]) if (width <= width[0] / 2).any() else 4 * topics


def _on_levels(prediction: PredictedRelevance) -> list[str]:
    names = prediction.levels.names
    said = []
    empty = [quoted(name) for name, count in zip(names, prediction.judged_count, strict=True) if count == 0]
    thin = [
        f"{quoted(name)} ({count:,.0f})"
        for name, count in zip(names, prediction.judged_count, strict=True)
        if 0 < count < ENOUGH_OPINIONS
    ]
    if empty:
        said.append(f"Nobody gave a second opinion on level {', '.join(empty)}: judge some such documents again first.")
    if thin:
        said.append(f"Few second opinions are there on level {', '.join(thin)}: judge more such documents again.")
    widths = [(_half_width(prediction, level), level) for level in range(len(names))]
    known = [(width, level) for width, level in widths if np.isfinite(width)]
    if known:
        width, level = max(known)
        said.append(
            f"Least closely known is level {quoted(names[level])} (± {width:.2f}). Intervals over topics shrink mostly "
            f"with the number of topics: to halve it takes about {topics_to_halve(prediction.topics):,} doubly judged "
            f"topics like these {prediction.topics:,}. Spread second judgments over topics."
        )
    return said


def _on_runs(comparison: Comparison) -> list[str]:
    said = []
    for part in comparison.parts:
        found = middle_shares(part.pair_shares)
        if found is not None:
            said.append(
                f"To separate runs by {part.measure}: {advise(found[0], found[1])} (of the uncertainty of a "
                f"difference, topics bring {found[0] / (found[0] + found[1]):.0%}, second judgments the rest)."
            )
            break
    measure = comparison.parts[0].measure
    shares = comparison.scores.unjudged[measure]
    known = np.flatnonzero(np.nan_to_num(shares) > MUCH_UNJUDGED)
    if len(known):
        worst = int(known[np.argmax(shares[known])])
        said.append(
            f"{counted(len(known), 'run')} of {len(comparison.runs):,} have more than {MUCH_UNJUDGED:.0%} unjudged "
            f"documents down to the depth of {measure}, {quoted(comparison.runs[worst])} the most "
            f"({shares[worst]:.0%}). Judge these before you trust small differences."
        )
    return said


def _half_width(prediction: PredictedRelevance, level: int) -> float:
    if prediction.interval.methods[level] is None:
        return float("nan")
    low, high = prediction.interval.ends[level]
    return float(high - low) / 2
