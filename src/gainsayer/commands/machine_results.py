"""What the commands about machines give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainsayer.commands.machine_input import Material
from gainsayer.commands.provenance import Provenance
from gainsayer.comparison.paired_tests import PairTests
from gainsayer.display import Displayed
from gainsayer.findings import Finding
from gainsayer.machines.check import MachineCheck, Verdict
from gainsayer.machines.document_gains import DocumentGains
from gainsayer.machines.prediction import Prediction
from gainsayer.machines.rectified import Target
from gainsayer.machines.sample import BoolArray
from gainsayer.machines.scores import RectifiedScores
from gainsayer.measures.catalogue import Measure
from gainsayer.rankings.pool import DocumentPool
from gainsayer.rankings.ranked_levels import FloatArray


@dataclass(frozen=True, eq=False)
class SampleTable(Displayed):
    """Documents for people to judge, and the chance with which each was drawn.

    Args:
        pool: all documents.
        probability: of each; shape [documents].
        drawn: whether it was; shape [documents].
        seed: of the drawing, and of the order in which they stand.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    pool: DocumentPool
    probability: FloatArray
    drawn: BoolArray
    seed: int
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    def rows(self) -> list[tuple[str, str, float]]:
        """Topic, document and probability of what was drawn, shuffled; the machine's grade is not told."""
        place = np.random.default_rng([self.seed, 1]).permutation(np.flatnonzero(self.drawn))
        names = self.pool.document.rows(place).texts()
        topics = self.pool.topic[place].tolist()
        chances = self.probability[place].tolist()
        return [
            (self.pool.topics[topic], name, chance) for topic, name, chance in zip(topics, names, chances, strict=True)
        ]

    @property
    def text(self) -> str:
        """The same as lines of tab-separated values, with a header."""
        return _lines(("topic", "document", "probability"), self.rows())


@dataclass(frozen=True, eq=False)
class GainTable(Displayed):
    """Predicted gains of all documents.

    Args:
        gains: one per document.
        prediction: how they were made, and how good they are.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    gains: DocumentGains
    prediction: Prediction
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    @property
    def text(self) -> str:
        """Topic, document and gain as lines of tab-separated values, with a header."""
        return _lines(("topic", "document", "gain"), self.gains.rows())


@dataclass(frozen=True, eq=False)
class CheckTable(Displayed):
    """What is known of a machine.

    Args:
        verdict: in words; the rest is None or empty where no person judged anything.
        runs: their names.
        own: nDCG@10 of each run by the machine's own grades; shape [runs].
        check: effects, topics, runs, families, line.
        material: what was read.
        prediction: what the grades are worth.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    verdict: Verdict
    runs: tuple[str, ...]
    own: FloatArray
    material: Material
    check: MachineCheck | None = None
    prediction: Prediction | None = None
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None


@dataclass(frozen=True, eq=False)
class MeasureScores:
    """What one measure gives the runs.

    Args:
        measure: which one.
        raw: with the machine's grades taken as the truth; None where none of its grades is relevant; shape [runs].
        scores: what people would have given; None where nobody judged.
        tests: of differences, where asked for.
    """

    measure: Measure
    raw: FloatArray | None
    scores: RectifiedScores | None = None
    tests: PairTests | None = None


@dataclass(frozen=True, eq=False)
class RectifiedTable(Displayed):
    """Scores of runs that people would have given.

    Args:
        verdict: what the machine may be used for.
        runs: their names.
        parts: one per measure.
        material: what was read.
        target: topics like these, or these.
        confidence: of the intervals.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    verdict: Verdict
    runs: tuple[str, ...]
    parts: tuple[MeasureScores, ...]
    material: Material
    target: Target
    confidence: float
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None


def _lines(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in (header, *rows))
