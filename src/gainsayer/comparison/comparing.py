"""Which run is better, and how sure: every measure and scheme of gains, all runs on the same topics and draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.correlation import kendall_tau, rank_biased_overlap, tau_ap
from gainsayer.comparison.drawing import Drawing, draw_topics
from gainsayer.comparison.groups import letter_groups
from gainsayer.comparison.intervals import check_confidence, draw_intervals
from gainsayer.comparison.joint import Progress, ScoreDraws, resample_scores
from gainsayer.comparison.remarks import SIGNIFICANT, notice_comparison
from gainsayer.comparison.results import Comparison, RankingAgreement, RunComparison
from gainsayer.comparison.schemes import Scheme
from gainsayer.comparison.standing import EQUAL, Standings, VarianceShares, find_standings, share_variance
from gainsayer.comparison.testing import (
    Adjustment,
    PairTests,
    Test,
    compare_pairs,
    discriminative_power,
)
from gainsayer.disagreement.estimate import Disagreement
from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import NoRelevant, Scores, TopicPolicy, score_runs, without_relevant
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

# Pairs of runs whose variance is divided; the median needs no more.
MOST_SHARED = 200
FEWEST_DRAWS = 2


def compare_runs(
    ranked: Sequence[RankedLevels],
    measures: Sequence[Measure],
    schemes: Sequence[Scheme],
    *,
    disagreement: Disagreement | None = None,
    test: Test = "randomisation",
    adjust: Adjustment | None = None,
    baseline: str | None = None,
    draws: int = 10_000,
    permutations: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "keep",
    unjudged_as_lowest: bool = False,
    oracle: Callable[[Gains], RankedLevels] | None = None,
    whole: Sequence[RankedLevels] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare runs: scores with joint intervals, ranks, paired tests, groups, and tau between schemes of gains.

    Topics are drawn with replacement, p(R|i) is estimated anew from the double judgments of the drawn topics, and all
    runs are scored on them (spec 2.8). Intervals of scores, differences and ranks come from these draws. The p-values
    do *not*: they ask whether topics tell two runs apart, and take the gains as given. Topics are the only thing that
    is drawn: another assessor panel or another pool would bring doubt that no resampling of these data can show.

    Args:
        ranked: the runs, all against the same labels.
        measures: what to score by.
        schemes: the gains to score with.
        disagreement: the double judgments behind schemes that are estimated.
        test: sign flips over topics by default.
        adjust: for the number of pairs; by default `maxt` for the randomisation test, `holm` for others.
        baseline: name of the run that the others are tested against; None for all pairs.
        draws: resamples of topics.
        permutations: of the test.
        confidence: of the intervals.
        seed: of resamples and permutations.
        topics: all judged topics, or those that every run has.
        no_relevant: what topics without a relevant label count.
        unjudged_as_lowest: whether unjudged documents are worth what the lowest level is, in each draw.
        oracle: a further run that depends on the gains.
        whole: the lists before they were condensed, for the share of unjudged documents.
        progress: is told the share that is done.

    Raises:
        CallError: no run, an unknown baseline, a measure that cannot take the gains.
        DataError: no topic, or hardly any resample that holds all levels.

    >>> from gainsayer.gains import binary_gains
    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> levels = Levels(("0", "1"))
    >>> pool = {f"q{t}": [2, 2] for t in range(6)}
    >>> good = ranked_from_lists({topic: [1, 1] for topic in pool}, pool, levels=levels, name="good")
    >>> poor = ranked_from_lists({topic: [0, int(topic > "q3")] for topic in pool}, pool, levels=levels, name="poor")
    >>> scheme = Scheme(binary_gains(levels, levels.at_or_above("1")))
    >>> part = compare_runs([good, poor], [parse_measure("P@2")], [scheme], draws=200).parts[0]
    >>> part.standings.rank.tolist(), part.groups, part.tests.difference.round(3).tolist()
    ([1, 2], ('a', 'b'), [0.833])
    """
    check_confidence(confidence)
    if not schemes or not measures:
        raise CallError("Comparing needs at least one measure and one kind of gains.")
    if draws < FEWEST_DRAWS:
        raise CallError(f"Intervals need at least {FEWEST_DRAWS} resamples, found {draws}; 10,000 is usual.")
    labelled = [_label(scheme, schemes) for scheme in schemes]
    scores = _score(ranked, measures, labelled, topics, no_relevant, oracle, whole)
    at = None if baseline is None else _find_baseline(baseline, scores.runs)
    drawing = draw_topics(scores.topics, disagreement, schemes, _needed(ranked, scores), draws=draws, seed=seed)
    steps = len(measures) * len(schemes)
    parts = []
    for step, (measure, (scheme, label)) in enumerate(
        (measure, pair) for measure in measures for pair in zip(schemes, labelled, strict=True)
    ):
        if not _suits(measure, scheme, schemes):
            continue
        every = list(ranked) if oracle is None else [oracle(scheme.gains), *ranked]
        zero = without_relevant(ranked[0], scheme.relevance) if no_relevant == "zero" else None
        parts.append(
            _compare(
                every,
                measure,
                scheme,
                scores.values[measure, label.gains.name],
                drawing,
                options=_Options(test, adjust, at, permutations, confidence, seed, unjudged_as_lowest),
                zero=zero,
                progress=None if progress is None else _share_of(progress, step, steps),
            )
        )
    paired = drawing.resamples.paired
    return Comparison(
        runs=scores.runs,
        topics=scores.topics,
        paired_topics=len(paired),
        shared_topics=drawing.resamples.shared,
        parts=tuple(parts),
        rankings=_agree(parts),
        scores=scores,
        confidence=confidence,
        draws=draws,
        left_out=max((part.left_out for part in parts), default=0),
        baseline=baseline,
        seed=seed,
        findings=(*scores.findings, *notice_comparison(scores, drawing, parts, test, adjust, permutations)),
    )


@dataclass(frozen=True)
class _Options:
    test: Test
    adjust: Adjustment | None
    baseline: int | None
    permutations: int
    confidence: float
    seed: int
    unjudged_as_lowest: bool


def _label(scheme: Scheme, schemes: Sequence[Scheme]) -> Scheme:
    """The scheme with a name of its own, where several thresholds make the same kind of gains."""
    if sum(other.name == scheme.name for other in schemes) == 1:
        return scheme
    if sum((other.name, other.threshold) == (scheme.name, scheme.threshold) for other in schemes) > 1:
        raise CallError(f"The gains {scheme.name!r} were asked for twice.")
    return replace(scheme, gains=replace(scheme.gains, name=f"{scheme.name} ({scheme.threshold})"))


def _score(
    ranked: Sequence[RankedLevels],
    measures: Sequence[Measure],
    schemes: Sequence[Scheme],
    topics: TopicPolicy,
    no_relevant: NoRelevant,
    oracle: Callable[[Gains], RankedLevels] | None,
    whole: Sequence[RankedLevels] | None,
) -> Scores:
    """One table of scores; a topic without a relevant label for one scheme's users is left out for all schemes."""
    relevances = dict.fromkeys(scheme.relevance for scheme in schemes if scheme.relevance is not None)
    if no_relevant == "zero" and len(relevances) > 1:
        raise CallError("--no-relevant zero needs one notion of relevance. Ask for one threshold, or use skip.")
    kinds = {measure: [scheme.gains for scheme in schemes if _suits(measure, scheme, schemes)] for measure in measures}
    narrowest = min(relevances, key=lambda relevance: sum(relevance.mask), default=None)
    if any(not set(narrowest.names if narrowest else ()) <= set(other.names) for other in relevances):
        if no_relevant == "skip":
            raise CallError("--no-relevant skip needs notions of relevance that contain each other, as thresholds do.")
        narrowest = None
    return score_runs(
        ranked,
        measures,
        kinds,
        relevance=narrowest,
        topics=topics,
        no_relevant=no_relevant if narrowest is not None or no_relevant != "zero" else "keep",
        oracle=oracle,
        whole=whole,
    )


def _suits(measure: Measure, scheme: Scheme, schemes: Sequence[Scheme]) -> bool:
    """Whether to score with these gains: random users need probabilities, so they pass over others where there are any.

    Where there are none the measure refuses them in its own words.
    """
    if measure.users is None or scheme.gains.probabilities:
        return True
    return not any(other.gains.probabilities for other in schemes)


def _find_baseline(name: str, runs: Sequence[str]) -> int:
    if name not in runs:
        raise CallError(f"There is no run {name!r} to compare with: the runs are {', '.join(runs[:20])}.")
    return list(runs).index(name)


def _share_of(progress: Progress, step: int, steps: int) -> Progress:
    return lambda share: progress((step + share) / steps)


def _compare(
    ranked: Sequence[RankedLevels],
    measure: Measure,
    scheme: Scheme,
    values: FloatArray,
    drawing: Drawing,
    *,
    options: _Options,
    zero: npt.NDArray[np.bool_] | None,
    progress: Progress | None,
) -> RunComparison:
    gains, kept = drawing.draw_gains(scheme)
    drawn = resample_scores(
        ranked,
        measure,
        scheme.gains,
        drawing.resamples,
        drawn=gains,
        kept=kept,
        unjudged_as_lowest=options.unjudged_as_lowest,
        zero=zero,
        pairs_drawn=None if scheme.fitted is None else scheme.fitted.topics,
        progress=None if progress is None else lambda share: progress(0.7 * share),
    )
    standings = find_standings(drawn, confidence=options.confidence)
    runs, topics = values.shape
    nothing = np.empty((0, 2))
    error = values.std(axis=1, ddof=1) / np.sqrt(topics) if topics > 1 else np.full(runs, np.nan)
    if runs < 2 or topics < 2:
        return RunComparison(
            measure=measure,
            scheme=scheme,
            values=values,
            error=error,
            standings=standings,
            shares=share_variance(drawn),
            pair_shares=None,
            tests=None,
            pair_interval=nothing,
            probability_better=np.empty(0),
            groups=(),
            power=None,
            left_out=int((~kept).sum()),
        )
    tests = compare_pairs(
        values,
        test=options.test,
        adjust=options.adjust,
        permutations=options.permutations,
        seed=options.seed,
        baseline=options.baseline,
        progress=None if progress is None else lambda share: progress(0.7 + 0.3 * share),
    )
    pair_interval, better = _pair_draws(drawn, tests, options.confidence)
    return RunComparison(
        measure=measure,
        scheme=scheme,
        values=values,
        error=error,
        standings=standings,
        shares=share_variance(drawn),
        pair_shares=_share_pairs(drawn, tests),
        tests=tests,
        pair_interval=pair_interval,
        probability_better=better,
        groups=_group(tests, standings, runs) if options.baseline is None else (),
        power=discriminative_power(tests.p_adjusted, level=SIGNIFICANT),
        left_out=int((~kept).sum()),
    )


def _pair_draws(drawn: ScoreDraws, tests: PairTests, confidence: float) -> tuple[FloatArray, FloatArray]:
    """Intervals of the differences, and how often a is better than b; some pairs at a time."""
    pairs = len(tests.a)
    ends, better = np.empty((pairs, 2)), np.empty(pairs)
    step = max(1, (1 << 22) // max(1, len(drawn.joint)))
    for start in range(0, pairs, step):
        a, b = tests.a[start : start + step], tests.b[start : start + step]
        difference = drawn.joint[:, a] - drawn.joint[:, b]
        difference[np.abs(difference) <= EQUAL] = 0.0
        ends[start : start + step] = draw_intervals(
            difference, drawn.estimate[a] - drawn.estimate[b], topics=drawn.rests_on, confidence=confidence
        )
        better[start : start + step] = (difference > 0).mean(axis=0) + (difference == 0).mean(axis=0) / 2
    return ends, better


def _share_pairs(drawn: ScoreDraws, tests: PairTests) -> VarianceShares | None:
    """Where the doubt about differences comes from; of many pairs some, evenly spread."""
    if drawn.parameters is None:
        return None
    some = np.unique(np.linspace(0, len(tests.a) - 1, min(len(tests.a), MOST_SHARED)).astype(np.int64))
    a, b = tests.a[some], tests.b[some]
    return share_variance(
        replace(
            drawn,
            estimate=drawn.estimate[a] - drawn.estimate[b],
            joint=drawn.joint[:, a] - drawn.joint[:, b],
            topics=drawn.topics[:, a] - drawn.topics[:, b],
            parameters=drawn.parameters[:, a] - drawn.parameters[:, b],
        )
    )


def _needed(ranked: Sequence[RankedLevels], scores: Scores) -> npt.NDArray[np.bool_]:
    """Which levels a scored topic holds."""
    scored = set(scores.topics)
    first = ranked[0]
    kept = np.array([topic in scored for topic in first.topics], dtype=bool)
    needed = (first.pool[kept] > 0).any(axis=0)
    if first.choice_levels is not None and first.choice_topic is not None:
        needed |= first.choice_levels[kept[first.choice_topic]].any(axis=0)
    return np.asarray(needed)


def _group(tests: PairTests, standings: Standings, runs: int) -> tuple[str, ...]:
    differs = np.zeros((runs, runs), dtype=bool)
    apart = tests.p_adjusted < SIGNIFICANT
    differs[tests.a[apart], tests.b[apart]] = differs[tests.b[apart], tests.a[apart]] = True
    return tuple(letter_groups(np.argsort(standings.rank, kind="stable").tolist(), differs))


def _agree(parts: Sequence[RunComparison]) -> tuple[RankingAgreement, ...]:
    return tuple(
        RankingAgreement(
            measure=a.measure,
            a=a.scheme,
            b=b.scheme,
            tau_b=kendall_tau(a.standings.value, b.standings.value),
            tau_ap=tau_ap(a.standings.value, b.standings.value, variant="b"),
            rbo=rank_biased_overlap(a.standings.value, b.standings.value),
        )
        for a, b in combinations(parts, 2)
        if a.measure == b.measure
    )
