"""The figures of machines as assessors: their grades next to people's, and what people's labels do to scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from gainsayer.commands.study_figures import pick_some
from gainsayer.drawing.figure import Figure
from gainsayer.drawing.interval_lines import Arrow, Mark, PairRow, arrows, paired_lines
from gainsayer.ranking.ranked import FloatArray
from gainsayer.studies.machine_grades import NO_DIFFERENCE, WORTH_LESS, WORTH_MORE, WORTH_SAME, MachineStudy, Worth
from gainsayer.table import Column, Table
from gainsayer.words import counted, decimal, listed, shortened, signed, spanned, sure, times, user_span, users

MOST_DRAWN: Final = 16
FAR: Final = 1.35  # times the mean change: a bold name


def machine_grades(study: MachineStudy) -> Figure:
    """Users of a hundred who find a document relevant, by who gave it the grade; and how often a person repeats it.

    Both come from the same documents and topics, so that the difference has an interval of its own.
    """
    names, machine = study.levels.names, shortened(study.machine)
    order = range(len(names))[::-1]
    columns = (
        Column("level", names, "Grade", align="left"),
        *_ends("person", study.of_person.probability, study.of_person.interval, "Given by a person", study),
        *_ends("machine", study.of_machine.probability, study.of_machine.interval, f"Given by {machine}", study),
        *_ends("difference", study.difference, study.difference_interval, "Difference", study),
        Column("person_repeats", study.of_person.repeats, "A person's grade is repeated"),
        Column("machine_repeats", study.of_machine.repeats, "The machine's grade is repeated"),
        Column("verdict", study.verdicts, "Verdict", align="left"),
    )
    said = []
    for word in (WORTH_LESS, WORTH_MORE, NO_DIFFERENCE, WORTH_SAME):
        some = [shortened(name) for name, own in zip(names, study.verdicts, strict=True) if own == word]
        said += [f"{listed(some)} {word}"] if some else []
    return Figure(
        "machine-grades",
        "MachineGrades",
        f"Grade by grade: a person's word and {machine}'s",
        f"Users of 100 who find a document relevant. Circle: a person gave the grade. Diamond: {machine} gave it. "
        f"Line: the true number lies on it {times(study.confidence)}.",
        f"From {machine}: {'; '.join(said)}" if said else "No grade can be compared",
        Table("Share of users who find the document relevant, by who graded it", columns).take(order),
        paired_lines([_pair_row(study, level) for level in order]),
    )


def _ends(key: str, value: FloatArray, interval: FloatArray, heading: str, study: MachineStudy) -> list[Column]:
    return [
        Column(key, value, heading),
        Column(f"{key}_lower", interval[:, 0], f"From ({sure(study.confidence)})"),
        Column(f"{key}_upper", interval[:, 1], f"To ({sure(study.confidence)})"),
    ]


def _pair_row(study: MachineStudy, level: int) -> PairRow:
    name, verdict, difference = study.levels.names[level], study.verdicts[level], float(study.difference[level])
    low, high = study.difference_interval[level].tolist()
    ends = f" ({signed(100 * low, 0)} to {signed(100 * high, 0)})" if math.isfinite(low + high) else ""
    known = math.isfinite(difference)
    return PairRow(
        name,
        _mark(study.of_person, level, f"{shortened(name)} from a person"),
        _mark(study.of_machine, level, f"{shortened(name)} from {shortened(study.machine)}"),
        verdict if known else "",
        f"{signed(100 * difference, 0)}{ends}" if known else "",
        "orange" if verdict in (WORTH_LESS, WORTH_MORE) else "blue",
    )


def _mark(worth: Worth, level: int, who: str) -> Mark:
    share, (low, high) = float(worth.probability[level]), worth.interval[level].tolist()
    return Mark(share, low, high, f"{who}: {users(share)} of 100 users ({user_span(low, high)})")


def run_arrows(
    measure: str,
    runs: Sequence[str],
    machine: FloatArray,
    people: FloatArray,
    interval: FloatArray,
    *,
    labels: int,
    confidence: float = 0.95,
    marked: Sequence[int] = (),
    id: str = "machine-arrows",
) -> Figure:
    """Scores by the machine's grades alone, and what people would have given, with its interval.

    Args:
        measure: its name.
        runs: their names, in any order; the drawing has the highest score for people first.
        machine: scores by the machine's grades alone; NaN where unknown.
        people: scores that people would have given.
        interval: of these.
        labels: how many of people's labels they rest on.
        confidence: of the intervals.
        marked: runs that are drawn in any case, as the machine favours or slights them.
        id: name in anchors and files.

    >>> ends = np.array([[1.8, 2.2], [1.7, 2.1]])
    >>> run_arrows("DCG@10", ("a", "b"), np.array([2.5, 2.0]), np.array([2.0, 1.9]), ends, labels=300).title
    'The machine alone scores runs 0.30 too high on average, a by 0.50'
    """
    changes = people - machine
    order = np.argsort(-people, kind="stable")
    marked = [] if len(runs) <= MOST_DRAWN else marked[: MOST_DRAWN // 2]
    picked = set(order[pick_some(len(order), MOST_DRAWN - len(marked))].tolist()) | set(marked)
    drawn = [run for run in order.tolist() if run in picked]
    too = ", and those that the machine favours or slights" if marked else ""
    some = f"{len(drawn)} of {len(runs):,} runs, evenly picked{too}. " if len(runs) > MOST_DRAWN else ""
    grey = f" Grey: {sure(confidence)} interval." if np.isfinite(interval).any() else ""
    columns = (
        Column("run", runs, "Run", align="left"),
        Column("machine", machine, "Machine alone"),
        Column("people", people, "For people"),
        Column("lower", interval[:, 0], f"From ({sure(confidence)})"),
        Column("upper", interval[:, 1], f"To ({sure(confidence)})"),
        Column("change", changes, "Change"),
    )
    sizes = np.abs(changes[np.isfinite(changes)]).tolist()
    far = FAR * sum(sizes) / len(sizes) if sizes else 0.0
    rows = []
    for run in drawn:
        before, after, (lower, upper) = float(machine[run]), float(people[run]), interval[run].tolist()
        said = (
            f"{shortened(runs[run])}: {decimal(before)} by the machine alone, {decimal(after)} for people"
            f"{spanned(lower, upper)}"
        )
        rows.append(Arrow(runs[run], before, after, lower, upper, said, abs(changes[run]) >= far > 0))
    return Figure(
        id,
        "RunArrows",
        f"What people's labels do to the scores ({shortened(measure)})",
        f"{some}Hollow diamond: the machine alone. Circle: with {counted(labels, 'label')} of people.{grey} "
        f"Bold: the machine is farther off than for most runs.",
        _say_changes(runs, changes),
        Table(f"{shortened(measure)} by the machine alone, and for people", columns).take(order),
        arrows(rows),
    )


def _say_changes(runs: Sequence[str], changes: FloatArray) -> str:
    """How far the machine is off, on average and at most."""
    known = np.flatnonzero(np.isfinite(changes))
    if not len(known):
        return "No run has both scores"
    mean = float(changes[known].mean())
    said = f"The machine alone scores runs {abs(mean):.2f} too {'high' if mean <= 0 else 'low'} on average"
    most = int(known[np.argmax(np.abs(changes[known]))])
    return said if len(known) == 1 else f"{said}, {shortened(runs[most])} by {abs(changes[most]):.2f}"
