"""A gate for continuous integration: shut where a run is worse than the one in production, surely enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.errors import CallError, DataError
from gainsayer.text import option
from gainsayer.words import counted


@dataclass(frozen=True)
class Gate:
    """What a gate says of one run.

    Args:
        run: the run.
        baseline: the run that it was compared with.
        confidence: at which it is worse than the baseline (by more than the margin), by the measure and gains that
            speak most against it: 1 less the p-value of a one-sided test.
        limit: the gate is shut above this confidence.
        measure: that measure.
        gains: those gains.
        difference: the run's mean score minus the baseline's, by these.
        margin: a smaller loss does not matter; None where every loss does.
    """

    run: str
    baseline: str
    confidence: float
    limit: float
    measure: str
    gains: str
    difference: float
    margin: float | None

    @property
    def shut(self) -> bool:
        """Whether the run is stopped."""
        return self.confidence > self.limit

    def __str__(self) -> str:
        """One sentence.

        >>> print(Gate("new", "prod", 0.973, 0.9, "nDCG@10", "prm", -0.0213, 0.01))
        new is stopped: worse than prod by more than 0.01 at 97 % confidence (limit 90 %; nDCG@10, prm gains: -0.0213).
        >>> print(Gate("new", "prod", 1.0, 0.9, "AP", "prm", -0.4, None))
        new is stopped: worse than prod at over 99.99 % confidence (limit 90 %; AP, prm gains: -0.4000).
        """
        by = "" if self.margin is None else f" by more than {self.margin:g}"
        shown = f"{self.confidence:.0%}" if 0.005 <= self.confidence <= 0.995 else f"{self.confidence:.2%}"
        if not 0.0001 <= self.confidence <= 0.9999:
            shown = "over 99.99%" if self.confidence > 0.5 else "under 0.01%"
        only = "" if self.shut or shown.startswith("under") else "only "
        what = f"worse than {self.baseline}{by} at {only}{shown.replace('%', ' %')} confidence"
        why = f"limit {100 * self.limit:g} %; {self.measure}, {self.gains} gains: {self.difference:+.4f}"
        return f"{self.run} {'is stopped' if self.shut else 'passes'}: {what} ({why})."


def open_gates(comparison: Comparison, limit: float, *, missing_as_zero: bool = False) -> tuple[Gate, ...]:
    """What a gate says of each run but the baseline, by all measures and kinds of gains together.

    The confidence is that of a one-sided test: 1 - p / 2 where the run is behind. It is *not* the probability that the
    run is worse, nor the chance that the gate is wrong: a run that is as good as the baseline is stopped in a share
    1 - limit of all comparisons, more often by several measures, and rarely with a margin.

    Args:
        comparison: with a baseline.
        limit: runs are stopped above this confidence, from 0.5 to 1.
        missing_as_zero: whether somebody said that topics which a run lacks count as 0.

    Raises:
        CallError: there is no baseline, or the limit is none.
        DataError: a difference has no interval, as from a single topic: nothing can be said then. Or a run lacks more
            than a tenth of the topics, and nobody said what they count.
    """
    check_gate(limit, comparison.baseline)
    if comparison.scores.short and not missing_as_zero:
        name, lacking = comparison.scores.short[0]
        raise DataError(
            f"The gate cannot decide: {name} lacks {lacking:,} of {counted(len(comparison.topics), 'topic')}, which "
            f"count as 0. Compare on the topics that every run has ({option('topics', 'common')}), or say that they "
            f"are meant to count as 0 ({option('topics', 'all')})."
        )
    gates = [gate for part in comparison.parts for gate in _of_part(comparison, part, limit)]
    worst: dict[str, Gate] = {}
    for gate in gates:
        if gate.run not in worst or gate.confidence > worst[gate.run].confidence:
            worst[gate.run] = gate
    return tuple(worst.values())


def check_gate(limit: float, baseline: str | None) -> None:
    """Refuse a gate that could not be opened, before anything long begins (CallError)."""
    if not 0.5 <= limit < 1:
        raise CallError(f"A gate is shut above a confidence from 0.5 to below 1, such as 0.9; found {limit:g}.")
    if baseline is None:
        raise CallError(f"A gate compares each run with the one in production: name that run with {option('baseline')}")


def _of_part(comparison: Comparison, part: RunComparison, limit: float) -> Iterator[Gate]:
    found = part.differences
    if found is None:
        raise DataError("A gate needs two runs and two topics at least: nothing can be said of a single one.")
    # Where both score 0 there is no test, and no loss.
    for at, (run, confidence) in enumerate(zip(found.a.tolist(), found.worse.tolist(), strict=True)):
        yield Gate(
            run=comparison.runs[run],
            baseline=comparison.baseline or "",
            confidence=0.0 if confidence != confidence else confidence,
            limit=limit,
            measure=str(part.measure),
            gains=part.scheme.name,
            difference=float(found.difference[at]),
            margin=comparison.margin,
        )
