"""How the estimates move when only the best results were judged twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.drawing.curves import Curve, Panel, draw_panels
from gainsayer.drawing.figure import Figure, Grid, as_grid, check_id, check_shape, known
from gainsayer.drawing.svg import Drawing
from gainsayer.studies.quality import QualityStudy
from gainsayer.table import Table
from gainsayer.words import shortened, users

# What a step of the curve counts.
STEPS = {
    "metarank": "mean rank over the runs",
    "depth": "best rank in any run",
    "resources": "number of best resources",
}


@dataclass(frozen=True, repr=False)
class QualityCurve(Figure):
    """p(R|level) from the doubly judged results up to step k, for growing k, by each estimator.

    A second round chosen by the first labels biases the symmetric estimate, not the one-sided one: the two panels show
    how far.

    Parameters:
        id: name in anchors and files.
        levels: names of the levels, from low to high.
        estimators: their names, as a rule ("symmetric", "one-sided").
        sources: the values of k, ascending.
        by: what k counts, in words.
        probability: estimates, `[estimator][level][k]`; None where unknown.

    >>> QualityCurve(
    ...     "quality", ("Key",), ("symmetric", "one-sided"), (1, 2), (((0.9, 0.6),), ((0.62, 0.6),))
    ... ).title
    'Among the best documents 90 of 100 users agree with grade Key, among all 60 (symmetric estimate)'
    """

    id: str
    levels: tuple[str, ...]
    estimators: tuple[str, ...]
    sources: tuple[int, ...]
    probability: tuple[Grid, ...]
    by: str = "rank"

    def __post_init__(self) -> None:
        check_id(self.id)
        check_shape("probability", self.probability, len(self.estimators), len(self.levels))
        for grid in self.probability:
            check_shape("probability", grid, len(self.levels), len(self.sources))

    @classmethod
    def of(
        cls,
        study: QualityStudy,
        *,
        id: str = "quality",
        estimators: tuple[str, ...] = ("symmetric", "one-sided"),
        chosen: Sequence[int] | None = None,
    ) -> QualityCurve:
        """p(R|level) among the first k results, for growing k: at all steps, or at those at these places."""
        steps = list(range(len(study.steps)) if chosen is None else chosen)
        values = [study.one_sided if name == "one-sided" else study.symmetric for name in estimators]
        return cls(
            id,
            study.levels.names,
            estimators,
            tuple(int(step) for step in study.steps[steps]),
            tuple(as_grid(one[steps].T) for one in values),
            STEPS.get(study.order, study.order),
        )

    @property
    def heading(self) -> str:
        """What the steps are."""
        return f"Users of 100 who find a document relevant, by {shortened(self.by)}"

    @property
    def caption(self) -> str:
        """What a line is."""
        return "One line per grade. Each step to the right takes in more documents, the best ones first."

    @property
    def title(self) -> str:
        """Which grade moves most between few documents and all of them."""
        moves = [
            (abs(found[-1][1] - found[0][1]), level, estimator, found)
            for estimator, grid in zip(self.estimators, self.probability, strict=True)
            for level, row in zip(self.levels, grid, strict=True)
            if (found := known(row))
        ]
        if not moves:
            return "No grade's worth is known at any step"
        _, level, estimator, found = max(moves)
        which = f" ({shortened(estimator)} estimate)" if len(self.estimators) > 1 else ""
        return (
            f"Among the best documents {users(found[0][1])} of 100 users agree with grade {shortened(level)}, among "
            f"all {users(found[-1][1])}{which}"
        )

    def table(self) -> Table:
        """One row per step: each level by each estimator."""
        columns = [Column("step", shortened(self.by[:1].upper() + self.by[1:]), show_number(0))]
        for estimator in self.estimators:
            which = f", {shortened(estimator)}" if len(self.estimators) > 1 else ""
            columns += [
                Column(f"{estimator} {level}", f"Worth of {shortened(level)}{which}", show_number(3))
                for level in self.levels
            ]
        rows = tuple(
            (step, *(row[place] for grid in self.probability for row in grid))
            for place, step in enumerate(self.sources)
        )
        return from_rows(f"Worth of each grade, by {shortened(self.by)}", tuple(columns), rows)

    def draw(self) -> Drawing:
        """A panel per estimator, a line per grade."""
        panels = [
            Panel(
                f"{shortened(estimator)} estimate" if len(self.estimators) > 1 else "",
                tuple(
                    Curve(level, tuple((self.sources[place], 100 * value) for place, value in known(row)))
                    for level, row in zip(self.levels, grid, strict=True)
                ),
            )
            for estimator, grid in zip(self.estimators, self.probability, strict=True)
        ]
        return draw_panels(panels, x=self.by, ends=(0.0, 100.0), logarithmic=True)
