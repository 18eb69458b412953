"""Which run is better, and how sure: every measure and scheme of gains, all runs on the same topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.caveats import Evidence, notice_comparison
from gainsayer.comparison.correlation import kendall_tau, rank_biased_overlap, tau_ap, tau_interval
from gainsayer.comparison.differences import Differences, find_differences
from gainsayer.comparison.intervals import highest_score, score_intervals
from gainsayer.comparison.mean_scores import prepare_runs
from gainsayer.comparison.paired_tests import (
    Adjustment,
    PairTests,
    Test,
    compare_pairs,
    discriminative_power,
    list_pairs,
    standardise,
)
from gainsayer.comparison.ranks import letter_groups, possibly_best, rank_scores, rank_sets
from gainsayer.comparison.replicates import (
    Replicates,
    TopicKinds,
    draw_kinds,
    leave_out_pairs,
    leave_out_topics,
    redraw_scores,
    sort_topics,
)
from gainsayer.comparison.results import Comparison, RankingAgreement, RunComparison, Standings, VarianceShares
from gainsayer.comparison.sign_flips import Progress
from gainsayer.disagreement.intervals import check_confidence
from gainsayer.disagreement.resampling import check_draws
from gainsayer.errors import CallError
from gainsayer.gains.schemes import Scheme, tell_apart
from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import NoRelevant, Scores, TopicPolicy, narrowest, score_runs, without_relevant
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels
from gainsayer.text import nearest

# Runs are given letters up to this number; with more, a table of letters is no longer read.
MOST_LETTERED = 200


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
    oracle: Callable[[Gains], RankedLevels] | None = None,
    whole: Sequence[RankedLevels] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare runs: scores with joint intervals, ranks, differences, verdicts, and tau between schemes of gains.

    One engine: each topic is left out in turn, p(R|i) estimated anew from the double judgments of the others, and all
    runs scored on them (`find_influences`). Intervals of scores and differences, p-values, confidence sets of ranks
    and where the uncertainty comes from follow from these replicates; all pairs of runs are one family. Topics are all
    that varies: another assessor panel or another pool would bring uncertainty that these data cannot show.

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
        draws: samples of topics for the interval of tau, the only thing that needs any.
        permutations: sign flips; fewer where there are very many pairs.
        confidence: of the intervals; what differs "significantly" does so at the level 1 - confidence.
        seed: of samples and sign flips.
        topics: all judged topics, or those that every run has.
        no_relevant: what topics without a relevant label count.
        unjudged_as_lowest: whether unjudged documents are worth what the lowest level is, whatever that comes to be.
        oracle: a further run that depends on the gains.
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
    check_confidence(confidence)
    of_measure = schemes if isinstance(schemes, Mapping) else dict.fromkeys(measures, schemes)
    alike = () if isinstance(schemes, Mapping) else schemes
    every = list(alike or dict.fromkeys(scheme for measure in measures for scheme in of_measure[measure]))
    if not every or not measures:
        raise CallError("A comparison needs at least one measure and one kind of gains.")
    if margin is not None and not margin > 0:
        raise CallError(f"The margin is the smallest difference that matters, a number above 0; found {margin}.")
    check_draws(permutations, seed, what="permutations")
    if adjust is not None and test == "joint":
        raise CallError(
            "The joint test is adjusted for all pairs in one step, so that it agrees with the simultaneous intervals. "
            f"Other adjustments ({adjust!r}) go with a test that holds the gains fixed: randomisation, t or wilcoxon."
        )
    labels = {scheme: tell_apart(scheme, every).gains for scheme in every}
    wanted = [
        (measure, scheme)
        for measure in measures
        for scheme in of_measure[measure]
        if _suits(measure, scheme, of_measure[measure])
    ]
    notions = relevances or [scheme.relevance for scheme in every if scheme.relevance is not None]
    decides = narrowest(notions, no_relevant)
    scores = score_runs(
        ranked,
        measures,
        {measure: [labels[scheme] for one, scheme in wanted if one == measure] for measure in measures},
        relevance=decides,
        topics=topics,
        no_relevant=no_relevant if decides is not None or no_relevant != "zero" else "keep",
        oracle=oracle,
        whole=whole,
    )
    at = None if baseline is None else _find_baseline(baseline, scores.runs)
    evidence = _gather(scores, every, ranked[0].levels_in(np.isin(ranked[0].topics, scores.topics)))
    options = _Options(test, adjust, at, margin, permutations, confidence, seed)
    parts: list[RunComparison] = []
    replicates: list[Replicates] = []
    zero = without_relevant(ranked[0], decides) if no_relevant == "zero" else None
    for step, (measure, scheme) in enumerate(wanted):
        worth = pattern_gains(scheme.gains, ranked[0].levels)
        shown = list(ranked) if oracle is None else [oracle(worth), *ranked]
        prepared = prepare_runs(
            shown, measure, scheme.gains, scores.topics, unjudged_as_lowest=unjudged_as_lowest, zero=zero
        )
        values = scores.values[measure, labels[scheme].name]
        left = leave_out_topics(prepared, scheme, values, evidence.kinds, evidence.gains.get(scheme))
        reported = None if progress is None else _share_of(progress, step, len(wanted))
        parts.append(_compare(measure, scheme, values, left, options, reported))
        replicates.append(left)
    kinds = evidence.kinds
    return Comparison(
        runs=scores.runs,
        topics=scores.topics,
        paired_topics=len(kinds.paired),
        shared_topics=kinds.shared,
        parts=tuple(parts),
        rankings=_agree(parts, replicates, kinds, draws=draws, confidence=confidence, seed=seed),
        scores=scores,
        confidence=confidence,
        draws=draws,
        baseline=baseline,
        margin=margin,
        seed=seed,
        findings=(*scores.findings, *notice_comparison(scores, evidence, parts, options.baseline, test, adjust)),
    )


@dataclass(frozen=True)
class _Options:
    test: Test
    adjust: Adjustment | None
    baseline: int | None
    margin: float | None
    permutations: int
    confidence: float
    seed: int


def _gather(scores: Scores, schemes: Sequence[Scheme], needed: npt.NDArray[np.bool_]) -> Evidence:
    """The topics by kind, and the gains without each doubly judged one.

    Nothing is estimated anew where all pairs come from one topic, or where a single topic is scored.
    """
    estimated = [scheme for scheme in schemes if scheme.disagreement is not None]
    behind = {id(scheme.disagreement): scheme.disagreement.counts.topics for scheme in estimated if scheme.disagreement}
    if len(behind) > 1:
        raise CallError("Gains that are compared must rest on the same double judgments. Compare others one by one.")
    paired = next(iter(behind.values()), ())
    if min(len(paired), len(scores.topics)) < 2:
        return Evidence(sort_topics(scores.topics), {}, needed)
    gains = {scheme: leave_out_pairs(scheme) for scheme in estimated}
    return Evidence(sort_topics(scores.topics, paired), gains, needed)


def _suits(measure: Measure, scheme: Scheme, schemes: Sequence[Scheme]) -> bool:
    """Whether to score with these gains: random users need probabilities, so they pass over others where there are any.

    Where there are none the measure refuses them in its own words.
    """
    if measure.users is None or scheme.gains.probabilities:
        return True
    return not any(other.gains.probabilities for other in schemes)


def _find_baseline(name: str, runs: Sequence[str]) -> int:
    if name not in runs:
        raise CallError(
            f"There is no run {name!r} to compare with: the runs are {', '.join(runs[:20])}.{nearest(name, runs)}"
        )
    return list(runs).index(name)


def _share_of(progress: Progress, step: int, steps: int) -> Progress:
    return lambda share: progress((step + share) / steps)


def _compare(
    measure: Measure,
    scheme: Scheme,
    values: FloatArray,
    replicates: Replicates,
    options: _Options,
    progress: Progress | None,
) -> RunComparison:
    runs, topics = values.shape
    value = values.mean(axis=1)
    rank = rank_scores(value)
    if topics < 2:
        nothing = np.full((runs, 2), np.nan)
        unknown = np.full(runs, np.nan)
        standings = Standings(value, nothing, nothing, unknown, rank, nothing)
        return RunComparison(measure, scheme, values, unknown, standings, None, None, None, None, None, (), None)
    highest = highest_score(measure, scheme.gains, estimated=replicates.behind is not None)
    errors = score_intervals(replicates, confidence=options.confidence, highest=highest)
    found = errors.influences
    differences = None
    if runs > 1:
        differences = find_differences(
            replicates,
            *list_pairs(runs, options.baseline),
            confidence=options.confidence,
            highest=highest,
            margin=options.margin,
            flips=options.permutations,
            seed=options.seed,
            progress=progress,
        )
    tests = None if differences is None else _test(values, differences, options)
    sets = np.ones((runs, 2), dtype=np.int64)
    if differences is not None:
        verdicts = differences.verdicts
        sets = rank_sets(runs, differences.a, differences.b, verdicts.better, verdicts.worse)
    compared = options.baseline is None
    level = 1 - options.confidence
    return RunComparison(
        measure=measure,
        scheme=scheme,
        values=values,
        error=values.std(axis=1, ddof=1) / np.sqrt(topics),
        standings=Standings(
            value=value,
            interval=errors.interval,
            topic_interval=errors.topic_interval,
            error=errors.error,
            rank=rank,
            rank_interval=sets.astype(np.float64) if compared else np.full((runs, 2), np.nan),
        ),
        shares=_share(replicates, found.topics, found.parameters, found.error),
        pair_shares=None
        if differences is None or replicates.behind is None
        else VarianceShares(differences.topic_share, differences.parameter_share),
        differences=differences,
        tests=tests,
        possibly_best=tuple(possibly_best(sets).tolist()) if compared else None,
        groups=_group(tests, rank, level) if tests is not None and compared and runs <= MOST_LETTERED else (),
        power=None if tests is None else discriminative_power(np.nan_to_num(tests.p_adjusted, nan=1.0), level=level),
    )


def _test(values: FloatArray, differences: Differences, options: _Options) -> PairTests:
    """The p-values asked for: of the differences, or with the gains held fixed."""
    if options.test != "joint":
        return compare_pairs(
            values,
            test=options.test,
            adjust=options.adjust,
            permutations=options.permutations,
            seed=options.seed,
            baseline=options.baseline,
        )
    return PairTests(
        a=differences.a,
        b=differences.b,
        difference=differences.difference,
        p=differences.p,
        p_adjusted=differences.p_adjusted,
        effect=standardise(values, differences.a, differences.b),
        test="joint",
        adjustment="none" if differences.flips is None else "single-step",
        topics=values.shape[1],
        permutations=differences.flips,
        seed=None if differences.flips is None else options.seed,
    )


def _share(
    replicates: Replicates, topics: FloatArray, parameters: FloatArray, error: FloatArray
) -> VarianceShares | None:
    if replicates.behind is None:
        return None
    known = error > 0
    whole = np.where(known, error, 1.0) ** 2
    return VarianceShares(np.where(known, topics / whole, np.nan), np.where(known, parameters / whole, np.nan))


def _group(tests: PairTests, rank: npt.NDArray[np.int64], level: float) -> tuple[str, ...]:
    differs = np.zeros((len(rank), len(rank)), dtype=bool)
    apart = np.nan_to_num(tests.p_adjusted, nan=1.0) <= level
    differs[tests.a[apart], tests.b[apart]] = differs[tests.b[apart], tests.a[apart]] = True
    return tuple(letter_groups(np.argsort(rank, kind="stable").tolist(), differs))


def _agree(
    parts: Sequence[RunComparison],
    replicates: Sequence[Replicates],
    kinds: TopicKinds,
    *,
    draws: int,
    confidence: float,
    seed: int,
) -> tuple[RankingAgreement, ...]:
    """How far every two schemes agree; both orders of a sample come from the same topics and double judgments."""
    pairs = [
        (one, other) for one, other in combinations(range(len(parts)), 2) if parts[one].measure == parts[other].measure
    ]
    drawn = draw_kinds(kinds, draws=draws, seed=seed)
    samples: dict[int, FloatArray] = {}
    found = []
    for one, other in pairs:
        a, b = parts[one], parts[other]
        tau = kendall_tau(a.standings.value, b.standings.value)
        interval = None
        if tau.value is not None and abs(tau.value) < 1 and len(kinds.scored) > 1:
            for at in (one, other):
                if at not in samples:
                    part = parts[at]
                    samples[at] = redraw_scores(part.values, replicates[at].behind, part.scheme, drawn)
            interval = tau_interval(
                tau.value, samples[one], samples[other], topics=len(kinds.scored), confidence=confidence
            )
        found.append(
            RankingAgreement(
                measure=a.measure,
                a=a.scheme,
                b=b.scheme,
                tau_b=tau,
                tau_ap=tau_ap(a.standings.value, b.standings.value, variant="b"),
                rbo=rank_biased_overlap(a.standings.value, b.standings.value),
                tau_interval=interval,
            )
        )
    return tuple(found)
