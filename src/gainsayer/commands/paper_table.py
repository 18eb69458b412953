"""A paper's table: runs by measures, the best in bold, superscripts for significant differences, one caption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gainsayer.commands.compare_tables import describe_test, name_kind, name_scheme, say_relevant
from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.errors import CallError
from gainsayer.gains.schemes import Scheme
from gainsayer.table import latex, markdown
from gainsayer.text import nearest
from gainsayer.words import counted, listed, sure

# Up to so many runs each has a letter, and superscripts name the runs that it beats; with more they would not be read.
MOST_LETTERED = 12
# More columns than these are set closer together.
MOST_ROOMY = 4
FIELDS = ("score", "interval", "ranks")


@dataclass(frozen=True)
class Entry:
    """A cell: what stands in it, its superscript, and whether it is the best of its column."""

    text: str
    mark: str = ""
    best: bool = False


@dataclass(frozen=True)
class PaperTable:
    """Runs by measures.

    Args:
        caption: whole sentences.
        marks: what the superscripts mean; empty where nothing was tested.
        groups: measures, and over how many columns each goes.
        columns: headings below them.
        runs: from best to worst by the first column, each with its letter, or none.
        cells: a row per run.
    """

    caption: tuple[str, ...]
    marks: str
    groups: tuple[tuple[str, int], ...]
    columns: tuple[str, ...]
    runs: tuple[tuple[str, str], ...]
    cells: tuple[tuple[Entry, ...], ...]


def paper_tables(
    parts: Sequence[tuple[str | None, Comparison]], columns: Sequence[str] | None = None, *, decimals: int = 3
) -> list[PaperTable]:
    """A table for each stratum, or for all topics where its name is None.

    Args:
        parts: the comparisons.
        columns: among score, interval and ranks; the score alone by default.
        decimals: after the point.

    Raises:
        CallError: there is no such column.
    """
    fields = FIELDS if columns is not None and list(columns) == ["all"] else columns or FIELDS[:1]
    for field in fields:
        if field not in FIELDS:
            raise CallError(
                f"There is no column {field!r} in the table of runs and measures.{nearest(field, FIELDS)} The columns "
                f"are: {', '.join(FIELDS)}. The runs table has more."
            )
    return [_make(part, fields, decimals, "" if name is None else f"Stratum {name}. ") for name, part in parts]


def _make(comparison: Comparison, fields: Sequence[str], decimals: int, before: str) -> PaperTable:
    parts = comparison.parts
    order = parts[0].order.tolist()
    lettered = comparison.baseline is None and 2 < len(comparison.runs) <= MOST_LETTERED
    letters = {at: chr(ord("a") + place) if lettered else "" for place, at in enumerate(order)}
    several = len({name_scheme(part.scheme) for part in parts}) > 1
    groups: dict[str, int] = {}
    for part in parts:
        groups[str(part.measure)] = groups.get(str(part.measure), 0) + len(fields)
    # What counts as relevant stands in the caption; in a heading only where columns differ in it.
    alike = len({part.scheme.threshold for part in parts if part.scheme.threshold is not None}) < 2
    headings = [_name(part.scheme, alike=alike) if several else "" for part in parts]
    columns = [
        heading if field == "score" else _heading(field, comparison.confidence)
        for heading in headings
        for field in fields
    ]
    cells = tuple(
        tuple(_cell(comparison, part, at, field, letters, decimals) for part in parts for field in fields)
        for at in order
    )
    runs = tuple((comparison.runs[at], letters[at]) for at in order)
    caption = _caption(comparison)
    marks = _explain_marks(comparison, lettered=lettered)
    return PaperTable(
        (f"{before}{caption[0]}", *caption[1:]), marks, tuple(groups.items()), tuple(columns), runs, cells
    )


def _name(scheme: Scheme, *, alike: bool) -> str:
    name = scheme.name if alike else name_scheme(scheme)
    return name.replace("prm", "PRM", 1) if name.startswith("prm") else name


def _heading(field: str, confidence: float) -> str:
    return f"{sure(confidence)} interval" if field == "interval" else "possible ranks"


def _cell(
    comparison: Comparison, part: RunComparison, at: int, field: str, letters: dict[int, str], decimals: int
) -> Entry:
    standings = part.standings
    if field == "interval":
        low, high = standings.interval[at].tolist()
        return Entry("-" if low != low else f"[{low:.{decimals}f}, {high:.{decimals}f}]")
    if field == "ranks":
        ranks = standings.rank_interval[at].tolist()
        if ranks[0] != ranks[0]:
            return Entry("-")
        return Entry(f"{ranks[0]:.0f}" if ranks[0] == ranks[1] else f"{ranks[0]:.0f} to {ranks[1]:.0f}")
    best = bool(standings.value[at] == standings.value.max()) and len(comparison.runs) > 1
    return Entry(f"{standings.value[at]:.{decimals}f}", _mark(comparison, part, at, letters), best)


def _mark(comparison: Comparison, part: RunComparison, at: int, letters: dict[int, str]) -> str:
    """The runs that this one beats significantly; with many runs a dagger below the best; + or - with a baseline."""
    tests = part.tests
    if tests is None:
        return ""
    apart = np.nan_to_num(tests.p_adjusted, nan=1.0) <= 1 - comparison.confidence
    lead = np.where(tests.a == at, tests.difference, -tests.difference)
    mine = apart & ((tests.a == at) | (tests.b == at))
    other = np.where(tests.a == at, tests.b, tests.a)
    if any(letters.values()):
        return _shorten(sorted(letters[int(one)] for one in other[mine & (lead > 0)]))
    first = comparison.reference(part)
    against = mine & (other == first)
    if at == first or not against.any():
        return ""
    higher = bool((lead[against] > 0).all())
    if comparison.baseline is None and len(comparison.runs) > 2:
        return "†" if not higher else ""
    return "+" if higher else "-"


def _shorten(letters: list[str]) -> str:
    """Letters, three or more in a row as `b-e`.

    >>> _shorten(list("bcdeg"))
    'b-eg'
    """
    text, at = "", 0
    while at < len(letters):
        end = at
        while end + 1 < len(letters) and ord(letters[end + 1]) == ord(letters[end]) + 1:
            end += 1
        text += "".join(letters[at : end + 1]) if end - at < 2 else f"{letters[at]}-{letters[end]}"
        at = end + 1
    return text


def _caption(comparison: Comparison) -> tuple[str, ...]:
    schemes = {name_scheme(part.scheme): part.scheme for part in comparison.parts}.values()
    relevant = list(dict.fromkeys(map(say_relevant, schemes)))
    if len(relevant) == 1:  # all mean the same by relevant: said once
        kinds = [f"{listed(list(dict.fromkeys(map(name_kind, schemes))))} gains{relevant[0]}"]
    else:
        kinds = [f"{name_kind(scheme)} gains{say_relevant(scheme)}" for scheme in schemes]
    said = [f"Mean over {counted(len(comparison.topics), 'topic')} with {listed(kinds)}."]
    if len(comparison.runs) > 1:
        said.append("The highest score of each column is bold.")
    return tuple(said)


def _explain_marks(comparison: Comparison, *, lettered: bool) -> str:
    tests = next((part.tests for part in comparison.parts if part.tests is not None), None)
    if tests is None:
        return ""
    if lettered:
        marks = "Superscripts name the runs that a run beats significantly"
    elif comparison.baseline is not None:
        marks = f"+ and - mark runs significantly above and below {comparison.baseline}"
    elif len(comparison.runs) == 2:
        marks = "- marks a score significantly below the other"
    else:
        marks = "† marks scores significantly below the highest"
    level = f"{1 - comparison.confidence:.3g}"
    estimated = any(part.shares is not None for part in comparison.parts)
    return f"{marks} ({describe_test(tests, estimated=estimated, family=comparison.held_at_once)}, at {level})."


def render_paper_latex(
    tables: Sequence[PaperTable], *, caption: str | None = None, label: str | None = None, bold: bool = True
) -> str:
    """For LaTeX with booktabs; no other package is needed. See `Result.to_latex` for the arguments."""
    return "\n".join(_render_latex(table, caption, label or "tab:runs", bold=bold) for table in tables)


def _render_latex(table: PaperTable, own: str | None, label: str, *, bold: bool) -> str:
    lettered = any(letter for _, letter in table.runs)
    # A number and its superscript are two columns without a gap: numbers stay below each other, marks have their room.
    marked = [any(row[at].mark for row in table.cells) for at in range(len(table.columns))]
    spans, rules, first, at = [], [], 3 if lettered else 2, 0
    for name, width in table.groups:
        taken = width + sum(marked[at : at + width])
        spans.append(_spread(latex(name), taken, "c"))
        rules.append(rf"\cmidrule(lr){{{first}-{first + taken - 1}}}" if width > 1 else "")
        first, at = first + taken, at + width
    heads = [
        _spread(latex(name), 1 + mark, "c" if mark else "r") for name, mark in zip(table.columns, marked, strict=True)
    ]
    empty = " & " if lettered else ""
    second = any(table.columns)
    caption = (*table.caption, table.marks) if table.marks else table.caption
    if own is not None:
        caption = (own,)
    lines = [
        r"\begin{table}",
        r"\centering",
        r"\setlength{\belowcaptionskip}{6pt}",
        rf"\caption{{{' '.join(map(_mathematical, caption))}}}",
        rf"\label{{{label}}}",
        *([r"\small", r"\setlength{\tabcolsep}{4pt}"] if len(table.columns) > MOST_ROOMY else []),
        rf"\begin{{tabular}}{{{'l' if lettered else ''}l{''.join('r@{}l' if mark else 'r' for mark in marked)}}}",
        r"\toprule",
        f"{empty}{'' if second else 'run'} & {' & '.join(spans)} \\\\",
        *([" ".join(rule for rule in rules if rule)] if second and any(rules) else []),
        *([f"{empty}run & {' & '.join(heads)} \\\\"] if second else []),
        r"\midrule",
    ]
    for (run, letter), cells in zip(table.runs, table.cells, strict=True):
        own = f"{letter} & " if lettered else ""
        shown = (_latex_entry(cell, marked=mark, bold=bold) for cell, mark in zip(cells, marked, strict=True))
        lines.append(f"{own}{latex(run)} & {' & '.join(shown)} \\\\")
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}", ""]
    return "\n".join(lines)


def _spread(text: str, columns: int, align: str) -> str:
    return text if columns == 1 else rf"\multicolumn{{{columns}}}{{{align}}}{{{text}}}"


def _latex_entry(entry: Entry, *, marked: bool, bold: bool) -> str:
    text = latex(entry.text)
    shown = rf"\textbf{{{text}}}" if entry.best and bold else text
    mark = (entry.mark.replace("-", "--") if len(entry.mark) > 1 else entry.mark).replace("†", r"\textdagger{}")
    return shown + (" & " if marked else "") + (rf"\textsuperscript{{{mark}}}" if mark else "")


def _mathematical(text: str) -> str:
    return latex(text).replace("†", r"\textdagger{}")


def render_paper_markdown(tables: Sequence[PaperTable]) -> str:
    """As GitHub's Markdown, without the superscripts."""
    return "\n".join(_render_markdown(table) for table in tables)


def _render_markdown(table: PaperTable) -> str:
    measures = [name for name, width in table.groups for _ in range(width)]
    heads = [f"{measure} {column}".strip() for measure, column in zip(measures, table.columns, strict=True)]
    lines = [
        f"| {' | '.join(['run', *map(markdown, heads)])} |",
        f"| {' | '.join(['---', *(['---:'] * len(heads))])} |",
    ]
    for (run, _), cells in zip(table.runs, table.cells, strict=True):
        shown = (f"**{cell.text}**" if cell.best else cell.text for cell in cells)
        lines.append(f"| {' | '.join([markdown(run), *shown])} |")
    return "\n".join([*lines, "", *map(markdown, table.caption), ""])
