"""The whole flow on a simulated collection: ordinary files, a report on them, and the truth beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gainsayer.commands.agree import agreement_tables
from gainsayer.commands.compare import ComparisonTable
from gainsayer.commands.compare_tables import comparison_tables
from gainsayer.commands.fit import fit_tables
from gainsayer.commands.inputs import Reading
from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.commands.ranked_runs import Progress
from gainsayer.commands.records import number
from gainsayer.commands.simulate import simulate
from gainsayer.commands.truth import or_higher
from gainsayer.datasets.collection import SimulatedCollection
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.lines.opening import FilePath
from gainsayer.reports.content import NamedTable, Section, is_report
from gainsayer.reports.page import is_report_page
from gainsayer.reports.report import Report, report
from gainsayer.table import Table
from gainsayer.words import Sentence

LEVELS = "Non,Rel,HRel,Key"
MEASURES = ("nDCG@10", "NumRel@10")
GAINS = ("prm", "binary")


@dataclass(frozen=True, eq=False)
class Demonstration:
    """A simulated collection and what is found in it.

    Args:
        collection: with the true parameters.
        report: on its files, with the truth as its last section.
        commands: what to type to have the same, step by step.
        page: where the report is.
    """

    collection: SimulatedCollection
    report: Report
    commands: tuple[str, ...]
    page: Path

    @property
    def truth(self) -> Table:
        """What was estimated beside what is true."""
        assert self.report.overview.fit is not None
        return comparison_table(self.collection, self.report.overview.fit.predictions)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the parameters and of the comparison, once each."""
        overview = self.report.overview
        assert overview.fit is not None
        assert overview.comparison is not None
        return tuple(dict.fromkeys((*overview.fit.findings, *overview.comparison.findings)))

    def tables(self) -> list[Table]:
        """The main tables, and the truth."""
        overview = self.report.overview
        assert overview.agreement is not None
        assert overview.fit is not None
        assert overview.comparison is not None
        return [
            *agreement_tables(overview.agreement),
            *fit_tables(overview.fit),
            *comparison_tables(overview.comparison),
            self.truth,
        ]

    def answer(self) -> list[str]:
        """What the comparison answers."""
        assert self.report.overview.comparison is not None
        return ComparisonTable(self.report.overview.comparison).answer()


def demonstrate(
    folder: FilePath = "demo",
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Demonstration:
    """Simulate a collection, write it as ordinary files, and report on these; an earlier demo there is replaced.

    50 topics, four levels, 24 topics judged twice, 12 runs, two kinds of topics.

    Args:
        folder: where the collection and the report go.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    Raises:
        CallError: the folder holds something else.
    """
    page, place = Path(folder) / "report.html", Path(folder) / "collection"
    for path, ours in ((page, is_report_page), (page.with_suffix(".json"), is_report)):
        if path.exists() and not ours(path):
            raise CallError(f"{path} is not of an earlier demo, so it is not replaced. Choose another folder.")
    # Without leniency the two assessors stand for all users, so the intervals should cover the truth.
    collection = simulate(
        place,
        overwrite=True,
        leniency=0.0,
        strata={"navigational": 0.4, "informational": 0.6},
        runs={f"run{number:02}": 0.95 - 0.06 * number for number in range(1, 13)},
        seed=seed,
    )
    commands = _say_commands(page, place, seed)
    made = report(
        Reading((f"{place}/first.qrels", f"{place}/second.qrels"), levels=LEVELS, strata=f"{place}/strata.tsv"),
        [f"{place}/runs"],
        MEASURES,
        gains=GAINS,
        seed=seed,
        title="A simulated collection",
        command=commands[-1],
        progress=progress,
    )
    assert made.overview.fit is not None
    truth = truth_section(collection, made.overview.fit.predictions)
    content = replace(made.content, sections=(*made.content.sections, truth))
    whole = replace(made, content=content)
    whole.save(page)
    return Demonstration(collection, whole, commands, page)


def comparison_table(collection: SimulatedCollection, predictions: Sequence[PredictedRelevance]) -> Table:
    """What was estimated beside what is true, one row per threshold and level."""
    columns = (
        Column("relevant", "Relevant", align="left"),
        Column("level", "Grade", align="left"),
        Column("truth", "Truth", show_number(3)),
        Column("estimate", "Estimate", show_number(3)),
        Column("interval", "95 % interval", align="left"),
        Column("covered", "Truth inside", align="left"),
    )
    rows: list[tuple[Cell, ...]] = []
    for prediction in predictions:
        matrix = collection.truth.symmetric if prediction.estimator == "symmetric" else collection.truth.one_sided
        truth = matrix @ prediction.relevance.indicator
        for level, name in enumerate(prediction.levels.names):
            low, high = prediction.interval.ends[level]
            known = prediction.interval.methods[level] is not None
            rows.append(
                (
                    or_higher(prediction.relevance.names),
                    name,
                    number(truth[level]),
                    number(prediction.probability[level]),
                    f"[{low:.3f}, {high:.3f}]" if known else "-",
                    "-" if not known else "yes" if low <= truth[level] <= high else "no",
                )
            )
    return from_rows("What was estimated, beside the truth it was drawn from", columns, tuple(rows))


def truth_section(collection: SimulatedCollection, predictions: Sequence[PredictedRelevance]) -> Section:
    """How many of the intervals hold the truth, which a simulation knows."""
    table = comparison_table(collection, predictions)
    inside = [row[-1] for row in table.cells() if row[-1] != "-"]
    held = inside.count("yes")
    return Section(
        "truth",
        "How close is it to the truth?",
        Sentence(f"{held} of {len(inside)} intervals hold the true worth of their grade.", f"{held} of {len(inside)}"),
        ("The collection is simulated, so the truth is known. Of a hundred such intervals about 95 should hold it.",),
        tables=(NamedTable("truth-table", table),),
        facts={"held": held, "intervals": len(inside), "confidence": 0.95},
    )


def _say_commands(page: Path, place: Path, seed: int) -> tuple[str, ...]:
    """The commands that do the same on the files, the last one writing the report."""
    judged = f"{place}/first.qrels {place}/second.qrels --levels {LEVELS}"
    measured = " ".join(f"-m {name}" for name in MEASURES)
    return (
        f"gainsayer agree {judged}",
        f"gainsayer fit {judged}",
        f"gainsayer compare {judged} --runs {place}/runs {measured}",
        f"gainsayer report {judged} --strata {place}/strata.tsv --runs {place}/runs {measured} "
        f"--gains {','.join(GAINS)} --seed {seed} -o {page}",
    )
