"""The whole flow on a simulated collection: ordinary files, a report on them, and the truth next to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gainsayer.commands.agree import agreement_tables
from gainsayer.commands.compare import ComparisonTable
from gainsayer.commands.compare_tables import comparison_tables
from gainsayer.commands.fit import fit_tables
from gainsayer.commands.inputs import Reading
from gainsayer.commands.ranked_runs import Progress
from gainsayer.commands.simulate import simulate
from gainsayer.datasets.checks import FloatArray
from gainsayer.datasets.simulation import SimulatedCollection
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.model.relevance import PredictedRelevance
from gainsayer.reading.files import FilePath
from gainsayer.reports.content import NamedTable, Section, is_report
from gainsayer.reports.page import is_report_page
from gainsayer.reports.report import Report, report
from gainsayer.table import Column, Table, stack
from gainsayer.words import Sentence, name_relevance

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
        """What was estimated next to what is true."""
        assert self.report.overview.fit is not None
        return truth_table(self.collection, self.report.overview.fit.predictions)

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


def truth_table(collection: SimulatedCollection, predictions: Sequence[PredictedRelevance]) -> Table:
    """What was estimated next to what is true, one row per threshold and level."""
    return stack([_truth_rows(collection, prediction) for prediction in predictions])


def _truth_rows(collection: SimulatedCollection, prediction: PredictedRelevance) -> Table:
    said = {True: "yes", False: "no", None: None}
    columns = (
        Column("relevant", name_relevance(prediction.relevance), "Relevant"),
        Column("level", prediction.levels.names, "Grade"),
        Column("truth", _true_worth(collection, prediction), "Truth"),
        Column("estimate", prediction.probability, "Estimate"),
        Column("interval", _known_ends(prediction), "95 % interval", keep=True),
        Column("covered", [said[held] for held in _held(collection, prediction)], "Truth inside", keep=True),
    )
    return Table("What was estimated, beside the truth it was drawn from", columns)


def _true_worth(collection: SimulatedCollection, prediction: PredictedRelevance) -> FloatArray:
    """The true p(R|i) that this estimate is of."""
    truth = collection.truth
    return (
        truth.symmetric if prediction.estimator == "symmetric" else truth.one_sided
    ) @ prediction.relevance.indicator


def _known_ends(prediction: PredictedRelevance) -> FloatArray:
    known = np.array([method is not None for method in prediction.interval.methods])
    return np.where(known[:, None], prediction.interval.ends, np.nan)


def _held(collection: SimulatedCollection, prediction: PredictedRelevance) -> list[bool | None]:
    """Whether the interval of each level holds the truth; None where there is no interval."""
    truth = _true_worth(collection, prediction).tolist()
    ends = _known_ends(prediction).tolist()
    return [
        None if lower != lower else lower <= value <= upper for value, (lower, upper) in zip(truth, ends, strict=True)
    ]


def truth_section(collection: SimulatedCollection, predictions: Sequence[PredictedRelevance]) -> Section:
    """How many of the intervals hold the truth, which a simulation knows."""
    known = [held for prediction in predictions for held in _held(collection, prediction) if held is not None]
    held = known.count(True)
    return Section(
        "truth",
        "How close is it to the truth?",
        Sentence(f"{held} of {len(known)} intervals hold the true worth of their grade.", f"{held} of {len(known)}"),
        ("The collection is simulated, so the truth is known. Of a hundred such intervals about 95 should hold it.",),
        tables=(NamedTable("truth-table", truth_table(collection, predictions).for_page()),),
        facts={"held": held, "intervals": len(known), "confidence": 0.95},
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
