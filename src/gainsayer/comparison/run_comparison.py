"""Which run is better, and how sure: every measure and scheme of gains, all runs on the same topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.caveats import find_evidence
from gainsayer.comparison.conclusions import Measured, conclude, conclude_part
from gainsayer.comparison.differences import Progress, find_differences
from gainsayer.comparison.double_judgments import find_basis, hold_gains
from gainsayer.comparison.intervals import highest_score, score_intervals
from gainsayer.comparison.mean_scores import ScoredRuns, prepare_runs
from gainsayer.comparison.options import CompareOptions, Part, list_parts, list_schemes
from gainsayer.comparison.paired_tests import (
    Adjustment,
    PairTests,
    Test,
    compare_effects,
    compare_pairs,
    list_pairs,
    standardise,
)
from gainsayer.comparison.replicates import (
    GainReplicates,
    Replicates,
    draw_kinds,
    leave_out_pairs,
    leave_out_topics,
    redraw_scores,
    sort_topics,
)
from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.comparison.summed_errors import (
    RunMoments,
    find_moments,
    summed_differences,
    summed_effect,
    summed_intervals,
)
from gainsayer.comparison.topic_sums import MOST_LEFT_OUT, TopicSums, sum_part
from gainsayer.errors import CallError
from gainsayer.gains.schemes import Scheme
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import (
    NoRelevant,
    Scores,
    TopicPolicy,
    narrowest,
    score_runs,
    without_relevant,
)
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels


def compare_runs(
    ranked: Sequence[RankedLevels],
    measures: Sequence[Measure],
    schemes: Sequence[Scheme] | Mapping[Measure, Sequence[Scheme]],
    *,
    relevances: Sequence[Relevance] = (),
    test: Test = "joint",
    adjust: Adjustment | None = None,
    baseline: str | None = None,
    margin: float | None = None,
    draws: int = 1_000,
    permutations: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "keep",
    unjudged_as_lowest: bool = False,
    whole: Sequence[RankedLevels] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare runs: scores with joint intervals, ranks, differences, verdicts, and tau between schemes of gains.

    One engine: each topic is left out in turn, p(R|i) estimated anew from the double judgments of the others, and all
    runs scored on them (`find_influences`). Intervals of scores and differences, p-values, confidence sets of ranks
    and where the uncertainty comes from follow from these replicates; all pairs of runs are one family. Topics are all
    that varies: another assessor panel or another pool would bring uncertainty that these data cannot show.

    Above 4,096 scored topics the replicates are taken to first order, so that sums over topics are enough
    (`compare_sums`).

    Args:
        ranked: the runs, all against the same labels.
        measures: what to score by.
        schemes: the gains to score with, for all measures or for each; those that are estimated rest on the same double
            judgments.
        relevances: by which a topic has a relevant label or not; those of the schemes by default.
        test: whose p-values to give: `joint` holds topics and gains; `randomisation`, `t` and `wilcoxon` hold the gains
            fixed and decide signs only. Intervals, verdicts and ranks are joint in any case.
        adjust: of tests with the gains held fixed; by default `maxt` for randomisation, `holm` for others. The joint
            test is adjusted in a single step, so that it agrees with the simultaneous intervals.
        baseline: name of the run that the others are compared with; None for all pairs.
        margin: the smallest difference that matters, for verdicts of being equivalent or no worse.
        draws: samples of topics for the interval of tau, the only thing that needs any; of more than 4,096 topics at
            most 2,000 are drawn.
        permutations: sign flips; fewer where there are very many pairs or topics.
        confidence: of the intervals; what differs "significantly" does so at the level 1 - confidence.
        seed: of samples and sign flips.
        topics: all judged topics, or those that every run has.
        no_relevant: what topics without a relevant label count.
        unjudged_as_lowest: whether unjudged documents are worth what the lowest level is, whatever that comes to be.
        whole: the lists before they were condensed, for the share of unjudged documents.
        progress: called with the share that is done.

    Raises:
        CallError: no run, an unknown baseline, a measure that cannot take the gains, a margin that is none.
        DataError: no topic.

    >>> from gainsayer.gains.values import binary_gains
    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> levels = Levels(("0", "1"))
    >>> pool = {f"q{t}": [2, 2] for t in range(6)}
    >>> good = ranked_from_lists({topic: [1, 1] for topic in pool}, pool, levels=levels, name="good")
    >>> poor = ranked_from_lists({topic: [0, int(topic > "q3")] for topic in pool}, pool, levels=levels, name="poor")
    >>> scheme = Scheme(binary_gains(levels, levels.at_or_above("1")))
    >>> part = compare_runs([good, poor], [parse_measure("P@2")], [scheme]).parts[0]
    >>> part.standings.rank.tolist(), part.groups, part.differences.difference.round(3).tolist()
    ([1, 2], ('a', 'b'), [0.833])
    """
    options = CompareOptions(test, adjust, baseline, margin, draws, permutations, confidence, seed)
    wanted = list_parts(measures, schemes)
    every = list_schemes(measures, schemes)
    notions = relevances or [scheme.relevance for scheme in every if scheme.relevance is not None]
    decides = narrowest(notions, no_relevant)
    scores = score_runs(
        ranked,
        measures,
        {measure: [part.gains for part in wanted if part.measure == measure] for measure in measures},
        relevance=decides,
        topics=topics,
        no_relevant=no_relevant if decides is not None or no_relevant != "zero" else "keep",
        whole=whole,
    )
    options.find_baseline(scores.runs)
    needed = ranked[0].levels_in(np.isin(ranked[0].topics, scores.topics))
    zero = without_relevant(ranked[0], decides) if no_relevant == "zero" else None

    def prepare(part: Part) -> ScoredRuns:
        return prepare_runs(
            ranked, part.measure, part.scheme.gains, scores.topics, unjudged_as_lowest=unjudged_as_lowest, zero=zero
        )

    if len(scores.topics) > MOST_LEFT_OUT:
        basis = find_basis(every, len(scores.topics))
        plan = options.plan(wanted, len(scores.topics), len(scores.runs))
        sums = []
        for step, part in enumerate(wanted):
            values = scores.values[part.measure, part.gains.name]
            sums.append(sum_part(part.scheme, prepare(part), scores.topics, values, basis, plan))
            if progress is not None:
                progress((step + 1) / len(wanted))
        return compare_sums(scores, wanted, sums, options, needed=needed)
    return _leave_out(scores, wanted, prepare, options, needed, progress)


def compare_sums(
    scores: Scores,
    parts: Sequence[Part],
    sums: Sequence[TopicSums],
    options: CompareOptions,
    *,
    needed: npt.NDArray[np.bool_],
) -> Comparison:
    """Compare runs by sums over all topics: what `compare_runs` does above 4,096 topics, whoever summed them up.

    Args:
        scores: the runs, topics and shares of unjudged documents; `values` may lack, and with them go what needs every
            topic's score: randomisation and signed-rank tests.
        parts: measures and schemes.
        sums: for each of the parts.
        options: as given to `CompareOptions.plan`.
        needed: which levels a scored topic holds.

    Raises:
        CallError: topics were not summed up; or a test needs the scores of every topic, which are not at hand.
    """
    basis = find_basis((part.scheme for part in parts), len(scores.topics))
    moments = [
        find_moments(sum_, part.scheme if basis.topics or part.scheme.fitted else hold_gains(part.scheme))
        for part, sum_ in zip(parts, sums, strict=True)
    ]
    found = []
    for part, held in zip(parts, moments, strict=True):
        values = scores.values.get((part.measure, part.gains.name))
        measured = _measure_sums(part, held, values, options, scores.runs)
        found.append(conclude_part(part, values, measured, options))
    evidence = find_evidence(basis, moments[0].shared, needed)

    def draw() -> Callable[[int], FloatArray]:
        return lambda at: moments[at].drawn

    return conclude(scores, found, evidence, options, draw, moments[0].plan.draws or options.draws)


def _leave_out(
    scores: Scores,
    parts: Sequence[Part],
    prepare: Callable[[Part], ScoredRuns],
    options: CompareOptions,
    needed: npt.NDArray[np.bool_],
    progress: Progress | None,
) -> Comparison:
    """Compare runs by leaving out each topic in turn."""
    basis = find_basis((part.scheme for part in parts), len(scores.topics))
    kinds = sort_topics(scores.topics, basis.topics)
    gains: dict[Scheme, GainReplicates] = {}
    found: list[RunComparison] = []
    replicates: list[Replicates] = []
    for step, part in enumerate(parts):
        scheme = part.scheme
        if basis.topics and scheme.disagreement is not None and scheme not in gains:
            gains[scheme] = leave_out_pairs(scheme)
        values = scores.values[part.measure, part.gains.name]
        left = leave_out_topics(prepare(part), scheme, values, kinds, gains.get(scheme))
        reported = None if progress is None else _share_of(progress, step, len(parts))
        measured = _measure_replicates(part, left, values, options, scores.runs, reported)
        found.append(conclude_part(part, values, measured, options))
        replicates.append(left)

    def draw() -> Callable[[int], FloatArray]:
        drawn = draw_kinds(kinds, draws=options.draws, seed=options.seed)

        def redraw(at: int) -> FloatArray:
            values = scores.values[parts[at].measure, parts[at].gains.name]
            return redraw_scores(values, replicates[at].behind, parts[at].scheme, drawn)

        return redraw

    return conclude(scores, found, find_evidence(basis, kinds.shared, needed), options, draw, options.draws)


def _share_of(progress: Progress, step: int, steps: int) -> Progress:
    return lambda share: progress((step + share) / steps)


def _measure_replicates(
    part: Part,
    replicates: Replicates,
    values: FloatArray,
    options: CompareOptions,
    names: Sequence[str],
    progress: Progress | None,
) -> Measured:
    runs, topics = values.shape
    value, estimated = values.mean(axis=1), replicates.behind is not None
    nothing = np.empty(0)
    if topics < 2:
        return Measured(value, np.full(runs, np.nan), estimated, None, None, nothing, topics)
    highest = highest_score(part.measure, part.scheme.gains, estimated=estimated)
    scores = score_intervals(replicates, confidence=options.confidence, highest=highest)
    deviation = values.std(axis=1, ddof=1)
    if runs < 2:
        return Measured(value, deviation, estimated, scores, None, nothing, topics)
    a, b = list_pairs(runs, options.find_baseline(names))
    differences = find_differences(
        replicates,
        a,
        b,
        confidence=options.confidence,
        highest=highest,
        margin=options.margin,
        flips=options.permutations,
        seed=options.seed,
        progress=progress,
    )
    fixed = _test_fixed(values, options, names)
    return Measured(value, deviation, estimated, scores, differences, standardise(values, a, b), topics, fixed)


def _test_fixed(values: FloatArray, options: CompareOptions, names: Sequence[str]) -> PairTests | None:
    """The test with the gains held fixed, where one was asked for."""
    if options.test == "joint":
        return None
    return compare_pairs(
        values,
        test=options.test,
        adjust=options.adjust,
        permutations=options.permutations,
        seed=options.seed,
        baseline=options.find_baseline(names),
    )


def _measure_sums(
    part: Part, moments: RunMoments, values: FloatArray | None, options: CompareOptions, names: Sequence[str]
) -> Measured:
    highest = highest_score(part.measure, part.scheme.gains, estimated=moments.estimated)
    scores = summed_intervals(moments, confidence=options.confidence, highest=highest)
    differences, effect, fixed = None, np.empty(0), None
    if len(names) > 1:
        a, b = list_pairs(len(names), options.find_baseline(names))
        differences = summed_differences(
            moments, a, b, confidence=options.confidence, highest=highest, margin=options.margin
        )
        apart = differences.difference
        effect = summed_effect(moments, apart, a, b)
        if options.test == "t":
            fixed = compare_effects(a, b, apart, effect, topics=moments.scored, adjust=options.adjust)
        elif options.test != "joint":
            if values is None:
                raise CallError(
                    f"The {options.test} test needs the scores of every topic, which are not gathered here. The joint "
                    "test and the t-test need their sums alone."
                )
            fixed = _test_fixed(values, options, names)
    return Measured(
        moments.estimate, moments.deviation, moments.estimated, scores, differences, effect, moments.scored, fixed
    )
