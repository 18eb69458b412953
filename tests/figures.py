"""Figures from made-up numbers and any names: the results they are made of hold nothing else that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

import gainsayer as gs
from gainsayer.commands.agree import assessor_reliability, confusion_matrix
from gainsayer.commands.compare_figures import pair_figure, run_differences, run_forest, topic_differences
from gainsayer.commands.fit import parameter_chart, topic_spread
from gainsayer.commands.machine_figures import machine_grades, run_arrows
from gainsayer.commands.plan import plan_curve
from gainsayer.commands.study_figures import amount_curve, quality_curve, rank_slope, topic_boxplot
from gainsayer.commands.verdict import PairVerdict, Unjudged
from gainsayer.drawing.figure import Figure
from gainsayer.levels import Levels
from gainsayer.model.intervals import Interval
from gainsayer.model.relevance import PredictedRelevance
from gainsayer.studies.machine_grades import MachineStudy, Worth
from gainsayer.studies.parameters import AmountStudy, TopicStudy, make_boxes
from gainsayer.studies.quality import QualityStudy
from gainsayer.words import BELOW, FIRST

Numbers = npt.ArrayLike
NAN = float("nan")
OVER = "other topics and other assessors"


def confusion(levels: Sequence[str], counts: Numbers, first: str = "ann", second: str = "ben") -> Figure:
    """A confusion matrix of two assessors."""
    agreement = gs.agree(gs.datasets.twenty_documents()).agreement
    counted = np.asarray(counts, dtype=float)
    return confusion_matrix(
        replace(agreement, levels=Levels(tuple(levels)), counts=counted, sides=((first,), (second,)))
    )


def reliability(assessors: Sequence[str]) -> Figure:
    """How often each of these assessors is repeated, on documents of ten topics."""
    figure = assessor_reliability(gs.agree(_judge(assessors)).agreement)
    assert figure is not None
    return figure


def _judge(assessors: Sequence[str]) -> dict[str, dict[str, dict[str, int]]]:
    rng = np.random.default_rng(1)
    return {
        name: {f"t{topic}": {f"d{at}": int(rng.integers(0, 3)) for at in range(9)} for topic in range(10)}
        for name in assessors
    }


def prediction(
    levels: Sequence[str],
    threshold: int,
    probability: Numbers,
    ends: Numbers,
    relevant: Numbers,
    judged: Numbers,
    confidence: float = 0.95,
) -> PredictedRelevance:
    """What grades are worth at one threshold."""
    made, scale = gs.fit(gs.datasets.twenty_documents(), threshold=2).predictions[0], Levels(tuple(levels))
    return replace(
        made,
        levels=scale,
        relevance=scale.at_or_above(levels[threshold]),
        probability=np.asarray(probability, dtype=float),
        interval=Interval(np.asarray(ends, dtype=float), ("made up",) * len(levels)),
        relevant_count=np.asarray(relevant, dtype=float),
        judged_count=np.asarray(judged, dtype=float),
        confidence=confidence,
    )


def boxplot(levels: Sequence[str], draws: Numbers, estimate: Numbers, binomial: Numbers) -> Figure:
    """A study of topics."""
    drawn, scale, none = np.asarray(draws, dtype=float), Levels(tuple(levels)), np.zeros(len(levels))
    known = [column[np.isfinite(column)] for column in drawn.T]
    return topic_boxplot(
        TopicStudy(
            levels=scale,
            relevance=scale.at_or_above(levels[-1]),
            estimator="symmetric",
            estimate=np.asarray(estimate, dtype=float),
            mean=none,
            deviation=np.array([column.std(ddof=1) if len(column) > 1 else NAN for column in known]),
            boxes=make_boxes(drawn),
            binomial=np.asarray(binomial, dtype=float),
            pair=none,
            topic=none,
            draws=drawn,
            undefined=np.zeros(len(levels), dtype=np.int64),
            topics=9,
            pairs=99,
            notes=(None,) * len(levels),
            seed=0,
            findings=(),
        )
    )


def amount(levels: Sequence[str], sizes: Sequence[int], mean: Numbers, spread: Numbers, rounds: int = 50) -> Figure:
    """A study of the amount; means and deviations have the shape [levels, sizes]."""
    scale, none = Levels(tuple(levels)), np.zeros(len(levels))
    return amount_curve(
        AmountStudy(
            levels=scale,
            relevance=scale.at_or_above(levels[-1]),
            estimator="symmetric",
            estimate=none,
            sizes=np.array(sizes),
            mean=np.asarray(mean, dtype=float).T,
            deviation=np.asarray(spread, dtype=float).T,
            undefined=np.zeros((len(sizes), len(levels)), dtype=np.int64),
            draws=np.empty(0),
            rounds=rounds,
            pairs=99,
            seed=0,
            findings=(),
        )
    )


def quality(levels: Sequence[str], steps: Sequence[int], symmetric: Numbers, one_sided: Numbers) -> Figure:
    """A study of quality; estimates have the shape [levels, steps]."""
    scale, none = Levels(tuple(levels)), np.zeros((len(steps), len(levels)))
    return quality_curve(
        QualityStudy(
            levels=scale,
            relevance=scale.at_or_above(levels[-1]),
            order="rank",
            about="",
            steps=np.array(steps),
            symmetric=np.asarray(symmetric, dtype=float).T,
            one_sided=np.asarray(one_sided, dtype=float).T,
            symmetric_error=none,
            one_sided_error=none,
            pairs=np.zeros(len(steps)),
            topics=np.zeros(len(steps), dtype=np.int64),
            by_labels=False,
            seed=0,
            findings=(),
        )
    )


def pair_verdict(
    a: str,
    b: str,
    difference: float,
    interval: tuple[float, float] | None,
    *,
    verdict: str = "undecided",
    margin: float | None = None,
    inner: tuple[float, float] | None = None,
    measure: str = "P@5",
    topics: int = 43,
    confidence: float = 0.95,
    over: str = "other topics and assessors",
) -> PairVerdict:
    """What is decided about two runs, as far as their figure shows it."""
    return PairVerdict(
        measure=measure,
        topics=topics,
        confidence=confidence,
        a=a,
        b=b,
        score_a=0.5,
        score_b=0.5 - difference,
        difference=difference,
        interval=interval,
        inner_interval=inner,
        inner_confidence=0.9,
        margin=margin,
        over=over,
        p=None,
        verdict=verdict,
        is_same=False,
        is_better=False,
        is_equivalent=False,
        is_no_worse=False,
        won=None,
        lost=None,
        same=None,
        clearest_win=None,
        clearest_loss=None,
        without_clearest_win=None,
        shorter_with_exact_grades=None,
        depth=None,
        ranked=0,
        unjudged_a=0,
        unjudged_b=0,
        lowest_difference=None,
        highest_difference=None,
        topics_needed=(),
        unjudged=Unjudged(runs=2, runs_with_many=0, most=a, most_share=0.0),
        short=(),
    )


def machine_study(
    machine: str,
    levels: Sequence[str],
    person: tuple[Numbers, Numbers, Numbers],
    by_machine: tuple[Numbers, Numbers, Numbers],
    difference: tuple[Numbers, Numbers],
    verdicts: Sequence[str],
    confidence: float = 0.95,
) -> MachineStudy:
    """A machine's grades next to people's: of each the worth, its ends and how often a person repeats it."""
    scale, none = Levels(tuple(levels)), np.zeros(len(levels))
    worths = [
        Worth(*(np.asarray(part, dtype=float) for part in parts), judged=none, same=np.zeros(3))
        for parts in (person, by_machine)
    ]
    return MachineStudy(
        machine=machine,
        people=("ann", "ben"),
        levels=scale,
        relevance=scale.at_or_above(levels[-1]),
        of_person=worths[0],
        of_machine=worths[1],
        difference=np.asarray(difference[0], dtype=float),
        difference_interval=np.asarray(difference[1], dtype=float),
        verdicts=tuple(verdicts),
        documents=9,
        topics=9,
        margin=0.05,
        confidence=confidence,
    )


def make_every_kind(levels: Sequence[str] = ("lo", "hi"), runs: Sequence[str] = ("r1", "r2")) -> list[Figure]:
    """A figure of each kind, with these two levels and two runs."""
    low, high = np.array([[0.05, 0.41], [0.12, 0.53]]), np.array([[0.19, 0.63], [0.34, 0.75]])
    grid = np.array([[0.11, 0.52], [0.23, 0.64]])
    ends = np.stack((low, high), axis=2)
    worth = [
        prediction(levels, threshold, grid[at], ends[at], counts, (9, 8), 0.9)
        for at, (threshold, counts) in enumerate(((1, (1, 2)), (0, (3, 4))))
    ]
    scores = np.array([[0.2, 0.7], [0.5, 0.3]])
    gaps = np.array([0.12, -0.3]), np.array([[0.02, 0.22], [-0.5, -0.1]])
    study = machine_study(
        *("gpt", levels, (grid[0], ends[0], (0.3, 0.4)), (grid[1], ends[1], (0.5, 0.6)), gaps),
        *(("worth more", "worth less"), 0.9),
    )
    a, b = runs
    return [
        confusion(levels, ((7, 2), (3, 8))),
        parameter_chart(worth),
        reliability(("ann", "ben", levels[0])),
        boxplot(levels, np.linspace(low[0], high[1], 9), grid[0], (0.02, 0.03)),
        amount(levels, (10, 20), grid, ((0.3, 0.2), (0.4, 0.1))),
        plan_curve(gs.plan(_judge(("ann", "ben")), threshold=2, budget=30).plan),
        quality(levels, (1, 2), grid, low),
        run_forest(
            *("P@5", runs, grid[0], ends[0]),
            groups=(BELOW, FIRST),
            short=True,
            confidence=0.9,
            over="all",
        ),
        run_differences(
            "P@5", "r0", runs, grid[0], ends[0], clear=(True, False), p=np.array([0.01, 0.2]), pairs=3, confidence=0.9
        ),
        pair_figure(
            pair_verdict(a, b, 0.11, (0.05, 0.19), verdict="better", margin=0.02, inner=(0.07, 0.15), confidence=0.9)
        ),
        topic_differences("P@5", a, b, ("t1", "t2"), scores),
        topic_spread(levels[1], ("t1", "t2"), scores[0], np.array([9.0, 12]), least=8),
        machine_grades(study),
        run_arrows("P@5", runs, grid[0], grid[1], ends[1], labels=300, confidence=0.9),
        rank_slope("P@5", runs, ("prm", "binary"), np.array([[1.0, 2], [2, 1]]), id="slope"),
    ]
