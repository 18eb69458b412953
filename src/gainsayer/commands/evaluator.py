"""`Evaluator`: judgments, measures and gains settled once, for run after run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import polars as pl

from gainsayer.commands.fit import Fit
from gainsayer.commands.inputs import JudgmentInput, Names
from gainsayer.commands.model_file import SavedModel
from gainsayer.commands.ranked_runs import MatchedRuns
from gainsayer.commands.requests import MeasureInput, ScoreRequest
from gainsayer.commands.score import ScoreTable, Scoring, settle_scoring
from gainsayer.disagreement.estimate import Estimator
from gainsayer.errors import CallError
from gainsayer.lines.opening import FilePath
from gainsayer.rankings.ranking import Rankable, Ties, rank_documents
from gainsayer.runs.files import RunSource, read_run
from gainsayer.runs.run import Run

Columns: TypeAlias = tuple[Sequence[object], Sequence[object], Sequence[object]]


@dataclass(frozen=True, eq=False)
class Evaluator:
    """Scores run after run with the same judgments, measures and gains: for training loops and notebooks.

    Labels are chosen, gains estimated and pools made when the evaluator is; `evaluate` then costs no more than the run.
    The numbers are those of `score`, bit by bit. It keeps nothing of a run, so threads may share it.

    It is *not* a test of differences: to compare runs, give all of them to `compare`.

    Args:
        judgments: files, data frames, dicts, or judgments already read; as `score` takes them.
        measures: such as "nDCG@10" or ["nDCG@10", "AP"]; names of ir_measures or trec_eval.
        gains: `prm`, `binary`, `linear`, `exponential`, `udm`, or a JSON file; by default as in `score`.
        second: assessors who stand for the users, or their judgments.
        first: assessors whose labels the evaluation uses.
        model: what `fit` gave, or the file it was written to.
        threshold: users are satisfied with this level or a higher one.
        relevant: users are satisfied with these levels.
        gain: level to gain, before all others.
        estimator: `symmetric` or `one-sided`; by default symmetric where it is valid.
        labels: whose labels score: assessors, `majority` or `mean`.
        unjudged: what an unjudged document is worth: `0`, `level`, a number, `condense` or `bounds`.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.

    Raises:
        GainsayerError: as `score` does; whatever is wrong with judgments, measures or gains is said at once.

    >>> evaluator = Evaluator({"q1": {"d1": 2, "d2": 0}}, ["nDCG@2", "RR"])
    >>> evaluator.evaluate({"q1": {"d2": 2.0, "d1": 1.0}}).means()
    {'nDCG@2': 0.6309297535714575, 'RR': 0.5}
    >>> evaluator.evaluate((["q1", "q1"], ["d1", "d2"], [2.0, 1.0])).means()
    {'nDCG@2': 1.0, 'RR': 1.0}
    """

    judgments: JudgmentInput | Sequence[JudgmentInput]
    measures: MeasureInput | None = None
    gains: str | Sequence[str] | None = None
    _: KW_ONLY
    second: Names | JudgmentInput = None
    first: Names = None
    model: Fit | SavedModel | FilePath | None = None
    threshold: object | None = None
    relevant: Sequence[object] | None = None
    gain: Mapping[str, float] | None = None
    estimator: Estimator | None = None
    labels: Names = None
    unjudged: str | float = "0"
    ties: Ties = "trec"

    def __post_init__(self) -> None:
        _ = self._scoring.pool  # what is wrong with the judgments is said now, not when the first run comes

    def __repr__(self) -> str:
        return f"Evaluator({', '.join(map(str, self._scoring.measures))}; {self._scoring.pool!r})"

    def evaluate(self, run: Run | RunSource | Columns, *, name: str | None = None) -> ScoreTable:
        """The scores of one run, as `score` gives them.

        Args:
            run: dicts {topic: {document: score}}, a data frame, a file, a `Run`, or three sequences of equal length:
                topics, documents and scores.
            name: what to call it; by default its tag, or "run".

        Raises:
            GainsayerError: the run cannot be read, or shares no topic with the judgments.
        """
        found = rank_documents(self._take(run), self._scoring.pool, ties=self.ties)
        if name is not None:
            found = replace(found, name=name)
        files = (os.fspath(run),) if isinstance(run, str | os.PathLike) else ()
        matched = MatchedRuns((found,), files, self._scoring.policies)
        return self._scoring.score(matched.label(self._scoring.labels, self._scoring.pool))

    def _take(self, run: Run | RunSource | Columns) -> Rankable:
        if isinstance(run, Run | str | os.PathLike | Mapping):
            return run
        return read_run(_join(run) if isinstance(run, tuple) else run, ranks=self.ties == "rank")

    @cached_property
    def _scoring(self) -> Scoring:
        return settle_scoring(ScoreRequest(runs={}, **vars(self)))


def _join(columns: Columns) -> RunSource:
    """Topics, documents and scores as a table."""
    sizes = [len(column) for column in columns]
    if len(sizes) != 3 or len(set(sizes)) > 1:
        found = " and ".join(f"{size:,}" for size in sizes)
        raise CallError(f"A run in columns has as many topics as documents and scores, found {found}.")
    # To polars, an array of Python objects, as pandas may keep text, is no text.
    plain = [list(column) if getattr(column, "dtype", None) == np.object_ else column for column in columns]
    return pl.DataFrame(dict(zip(("topic", "document", "score"), plain, strict=True)), strict=False)
