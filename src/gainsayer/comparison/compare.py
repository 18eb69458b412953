"""Which run is better, and how sure: every measure and scheme of gains, all runs on the same topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.differences import Differences, Progress, find_differences, flip_runs
from gainsayer.comparison.fixed_tests import (
    Adjustment,
    PairTests,
    Test,
    compare_pairs,
    discriminative_power,
    list_pairs,
    standardise,
)
from gainsayer.comparison.intervals import Quantities, ScoreErrors, highest_score, score_intervals
from gainsayer.comparison.ranks import (
    kendall_tau,
    letter_groups,
    possibly_best,
    rank_scores,
    rank_sets,
    tau_ap,
    tau_interval,
)
from gainsayer.comparison.replicates import (
    Replicates,
    TopicKinds,
    doubly_judged,
    gains_from_counts,
    leave_out_topics,
    prepare_runs,
    single_variance,
    sort_topics,
)
from gainsayer.comparison.results import (
    CompareOptions,
    Comparison,
    FamilyOf,
    Part,
    RankingAgreement,
    RunComparison,
    Standings,
    VarianceShares,
    list_parts,
    list_schemes,
)
from gainsayer.findings import Finding
from gainsayer.gains.schemes import Scheme
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scores import NoRelevant, Scores, TopicPolicy, narrowest, score_runs, without_relevant
from gainsayer.model.estimate import Disagreement
from gainsayer.model.people import GainPeople, Panel, Scorers, choose_panel, find_cuts, warn_of_few, weigh_people
from gainsayer.model.variance import share_of
from gainsayer.ranking.ranked import FloatArray, RankedLevels

FEW_TOPICS = 8
FEW_PAIRED = 5
# From so many runs on, simultaneous intervals of absolute differences covered less than they say in simulations.
MANY_RUNS = 20


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the intervals rest on.

    Args:
        paired: how many topics were judged twice.
        shared: how many of those are scored.
        moving: whether gains are estimated anew without each doubly judged topic.
        single: levels that a scored topic holds, and that were judged twice in one topic alone; shape [levels].
    """

    paired: int
    shared: int
    moving: bool
    single: npt.NDArray[np.bool_]


def notice_comparison(
    scores: Scores,
    evidence: Evidence,
    parts: Sequence[RunComparison],
    baseline: int | None,
    test: Test,
    adjust: Adjustment | None,
) -> list[Finding]:
    """What the intervals and tests of a comparison do not hold, or cannot."""
    found = [
        *_notice_topics(scores, evidence, parts),
        *_notice_levels(scores, evidence),
        *_notice_twins(scores, parts),
        *_notice_choice(scores, parts, baseline),
        *_notice_family(scores, parts, baseline),
    ]
    if test != "joint" and any(part.scheme.rule is not None or part.scheme.fitted is not None for part in parts):
        text = (
            f"The p-values of the {test} test hold the gains fixed: they decide which of two runs is better, not by "
            "how much. Intervals, verdicts and ranks are joint, and may decide fewer pairs."
        )
        found.append(Finding("gains-held-fixed", text))
    pairs = max((len(part.tests.a) for part in parts if part.tests is not None), default=0)
    tried = [part.tests.permutations for part in parts if part.tests is not None and part.tests.permutations]
    if test == "randomisation" and adjust == "holm" and tried and pairs / (min(tried) + 1) > 0.05:
        text = (
            f"With {min(tried):,} permutations no pair of {pairs:,} can have an adjusted p below "
            f"{pairs / (min(tried) + 1):.2g}. Adjust by maxt, compare with a baseline, or try more permutations."
        )
        found.append(Finding("too-few-permutations", text))
    return found


def _notice_topics(scores: Scores, evidence: Evidence, parts: Sequence[RunComparison]) -> list[Finding]:
    findings = []
    count = len(scores.topics)
    estimated = any(part.scheme.rule is not None for part in parts)
    if count < 2:
        text = "A single topic is scored, so there are no intervals and no tests: nothing tells how topics differ."
        findings.append(Finding("single-topic", text))
    elif estimated and not evidence.moving:  # two topics or more are scored, so one alone holds the pairs
        text = (
            "All pairs come from one topic, so the uncertainty about the gains is not in the intervals, which are over "
            "the scored topics alone."
        )
        findings.append(Finding("gains-taken-as-given", text))
    if evidence.moving and not evidence.shared:
        text = (
            f"None of the {count} scored topics was judged twice: the gains come from other topics, and hold here as "
            "far as assessors disagree about these in the same way."
        )
        findings.append(Finding("gains-from-other-topics", text))
    if 1 < count < FEW_TOPICS or (evidence.moving and evidence.paired < FEW_PAIRED):
        text = (
            f"Intervals rest on {count} scored topics"
            + (f" and {evidence.paired} judged twice" if evidence.moving else "")
            + ". With so few, intervals can miss the truth more often than they say, and all pairs together decide "
            "little."
        )
        findings.append(Finding("few-topics", text))
    return findings


def _notice_levels(scores: Scores, evidence: Evidence) -> list[Finding]:
    """Levels that are scored and judged twice in one topic alone."""
    if not evidence.single.any():
        return []
    names = [repr(name) for name, alone in zip(scores.gains[0].levels.names, evidence.single, strict=True) if alone]
    text = (
        f"Level {', '.join(names)} was judged twice in one topic only. How its gain varies over topics is not known, "
        "so it is not in the intervals, which are too narrow by that. Merge the level, or judge it twice in more of "
        "the topics."
    )
    return [Finding("level-in-one-topic", text)]


def _notice_twins(scores: Scores, parts: Sequence[RunComparison]) -> list[Finding]:
    """Groups of runs that score the same on every topic, by all measures and gains."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for run, name in enumerate(scores.runs):
        groups.setdefault(tuple(int(part.twin[run]) for part in parts), []).append(name)
    same = [" = ".join(names) for names in groups.values() if len(names) > 1]
    if not same:
        return []
    return [Finding("equal-runs", f"Runs that score the same on every topic: {'; '.join(same)}.")]


def _notice_choice(scores: Scores, parts: Sequence[RunComparison], baseline: int | None) -> list[Finding]:
    """The winner's curse, where the run that happens to score highest is what the others are held against."""
    compared = [part for part in parts if part.differences is not None]
    if not compared or len(scores.runs) < 3 or not compared[0].twin.any():  # all the same: nobody won
        return []
    best = int(np.argmax(compared[0].standings.value))
    if baseline is not None and baseline != best:
        return []
    whose = (
        "The baseline is the run that scores highest"
        if baseline is not None
        else "Runs are shown against the one that scores highest"
    )
    text = (
        f"{whose} ({scores.runs[best]}), which is partly luck: its score and its lead are on average too high (the "
        "winner's curse). Adjusted p-values, simultaneous intervals and possible ranks allow for it; the interval of a "
        "single score or difference does not."
    )
    return [Finding("winners-curse", text)]


def _notice_family(scores: Scores, parts: Sequence[RunComparison], baseline: int | None) -> list[Finding]:
    estimated = any(part.shares is not None and part.differences is not None for part in parts)
    if baseline is not None or not estimated or len(scores.runs) < MANY_RUNS:
        return []
    text = (
        f"With {len(scores.runs):,} runs the simultaneous intervals of differences are approximate: in simulations of "
        "61 runs all of them held in 68 to 97 % of the collections instead of 95 %, those of relative differences in "
        "78 to 93 %. Signs and rank sets held."
    )
    return [Finding("many-runs", text)]


# Runs are given letters up to this number; with more, a table of letters is no longer read.
MOST_LETTERED = 200


def conclude_part(
    part: Part,
    values: FloatArray,
    replicates: Replicates,
    scores: ScoreErrors | None,
    differences: Differences | None,
    tests: PairTests | None,
    options: CompareOptions,
) -> RunComparison:
    """Standings, ranks and tests by one measure and scheme.

    Args:
        part: the measure and scheme.
        values: the scores of every topic, shape [runs, topics].
        replicates: of the mean scores.
        scores: intervals of the scores; None for a single topic.
        differences: of pairs of runs; None for a single run or topic.
        tests: with the gains held fixed, where they were asked for.
        options: what was asked for.
    """
    value, (runs, topics) = replicates.estimate, values.shape
    rank = rank_scores(value)
    if scores is None:
        nothing, unknown = np.full((runs, 2), np.nan), np.full(runs, np.nan)
        standings = Standings(value, nothing, nothing, rank, nothing)
        return RunComparison(part.measure, part.scheme, values, unknown, standings)
    if differences is not None and tests is None:
        tests = _joint_test(differences, standardise(values, differences.a, differences.b))
    sets = np.ones((runs, 2), dtype=np.int64)
    if differences is not None:
        verdicts = differences.verdicts
        sets = rank_sets(runs, differences.a, differences.b, verdicts.better, verdicts.worse)
    compared = options.baseline is None
    level = 1 - options.confidence
    estimated = replicates.estimated
    return RunComparison(
        measure=part.measure,
        scheme=part.scheme,
        values=values,
        error=values.std(axis=1, ddof=1) / np.sqrt(topics),
        standings=Standings(
            value=value,
            interval=scores.interval,
            topic_interval=scores.topic_interval,
            rank=rank,
            rank_interval=sets.astype(np.float64) if compared else np.full((runs, 2), np.nan),
        ),
        shares=_share(scores.quantities) if estimated else None,
        pair_shares=None
        if differences is None or not estimated
        else VarianceShares(differences.topic_share, differences.parameter_share),
        differences=differences,
        tests=tests,
        possibly_best=tuple(possibly_best(sets).tolist()) if compared else None,
        groups=_group(tests, rank, level) if tests is not None and compared and runs <= MOST_LETTERED else (),
        power=None if tests is None else discriminative_power(np.nan_to_num(tests.p_adjusted, nan=1.0), level=level),
        replicates=replicates,
    )


def _joint_test(differences: Differences, effect: FloatArray) -> PairTests:
    return PairTests(
        a=differences.a,
        b=differences.b,
        difference=differences.difference,
        p=differences.p,
        p_adjusted=differences.p_adjusted,
        effect=effect,
        test="joint",
        adjustment="none" if differences.flips is None else "single-step",
        permutations=differences.flips,
    )


def _share(quantities: Quantities) -> VarianceShares:
    whole = quantities.spread.topics
    return VarianceShares(share_of(quantities.topics, whole), share_of(quantities.parameters, whole))


def _group(tests: PairTests, rank: npt.NDArray[np.int64], level: float) -> tuple[str, ...]:
    differs = np.zeros((len(rank), len(rank)), dtype=bool)
    apart = np.nan_to_num(tests.p_adjusted, nan=1.0) <= level
    differs[tests.a[apart], tests.b[apart]] = differs[tests.b[apart], tests.a[apart]] = True
    return tuple(letter_groups(np.argsort(rank, kind="stable").tolist(), differs))


def agree_schemes(
    parts: Sequence[RunComparison], replicates: Sequence[Replicates], options: CompareOptions
) -> tuple[RankingAgreement, ...]:
    """How far every two schemes agree; in each sample of their orders, a topic's sign is the same for both.

    Args:
        parts: by measure and scheme.
        replicates: of each part.
        options: what was asked for.
    """
    rows = max((len(one.joint) + len(one.root) for one in replicates), default=0)

    @cache
    def sample(at: int) -> FloatArray:
        return flip_runs(replicates[at], patterns=options.draws, seed=options.seed, rows=rows)

    found = []
    for one, other in combinations(range(len(parts)), 2):
        a, b = parts[one], parts[other]
        if a.measure != b.measure:
            continue
        tau = kendall_tau(a.standings.value, b.standings.value)
        interval, topics = None, len(replicates[one].topics)
        if tau.value is not None and abs(tau.value) < 1 and topics > 1:
            interval = tau_interval(tau.value, sample(one), sample(other), topics=topics, confidence=options.confidence)
        found.append(
            RankingAgreement(
                measure=a.measure,
                a=a.scheme.gains,
                b=b.scheme.gains,
                tau_b=tau,
                tau_ap=tau_ap(a.standings.value, b.standings.value),
                tau_interval=interval,
            )
        )
    return tuple(found)


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
    scorers: Scorers = "first",
    family: FamilyOf = "each",
    families: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Compare runs: scores with joint intervals, ranks, differences, verdicts, and tau between schemes of gains.

    One engine: each topic is left out in turn, p(R|i) estimated anew from the double judgments of the others, and all
    runs scored on them; each person who stands for users is left out as well, where they are enough to speak of others
    (`choose_panel`). Intervals of scores and differences, p-values, confidence sets of ranks and where the uncertainty
    comes from follow from these (`find_quantities`); all pairs of runs are one family. What another pool would change
    is not in it.

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
        draws: how many of the sign flips the interval of tau takes.
        permutations: sign flips; fewer where there are very many runs and topics.
        confidence: of the intervals; what differs "significantly" does so at the level 1 - confidence.
        seed: of sign flips and of people drawn.
        topics: all judged topics, or those that every run has.
        no_relevant: what topics without a relevant label count.
        unjudged_as_lowest: whether unjudged documents are worth what the lowest level is, whatever that comes to be.
        whole: the lists before they were condensed, for the share of unjudged documents.
        scorers: on which side of the double judgments those stand whose labels score.
        family: whether the pairs of `each` measure and kind of gains hold at once, or those of `all`.
        families: so many comparisons hold at once, such as those of strata, this being one of them.
        progress: called with the share that is done.

    Raises:
        CallError: no run, an unknown baseline, a measure that cannot take the gains, a margin that is none.
        DataError: no topic.

    >>> from gainsayer.gains.values import binary_gains
    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> levels = Levels(("0", "1"))
    >>> pool = {f"q{t}": [2, 2] for t in range(6)}
    >>> good = ranked_from_lists({topic: [1, 1] for topic in pool}, pool, levels=levels, name="good")
    >>> poor = ranked_from_lists({topic: [0, int(topic > "q3")] for topic in pool}, pool, levels=levels, name="poor")
    >>> scheme = Scheme(binary_gains(levels, levels.at_or_above("1")))
    >>> part = compare_runs([good, poor], [parse_measure("P@2")], [scheme]).parts[0]
    >>> part.standings.rank.tolist(), part.groups, part.differences.difference.round(3).tolist()
    ([1, 2], ('a', 'b'), [0.833])
    """
    options = CompareOptions(test, adjust, baseline, margin, draws, permutations, confidence, seed, family, families)
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

    behind = doubly_judged((part.scheme for part in wanted), len(scores.topics))
    kinds = sort_topics(scores.topics, () if behind is None else behind.counts.topics)
    panel, people = _find_people(behind, [part.scheme for part in wanted], scorers)
    replicates: list[Replicates] = []
    for part in wanted:
        runs = prepare_runs(
            ranked, part.measure, part.scheme.gains, scores.topics, unjudged_as_lowest=unjudged_as_lowest, zero=zero
        )
        values = scores.values[part.measure, part.gains.name]
        left = leave_out_topics(runs, part.scheme, values, kinds, people.get(part.scheme), moving=behind is not None)
        replicates.append(left)
    every_value = [scores.values[part.measure, part.gains.name] for part in wanted]
    found = _compare_parts(wanted, replicates, every_value, options, scores.runs, progress)
    evidence = _find_evidence(behind, kinds, needed)
    few = None if panel is None else warn_of_few(panel)
    noticed = notice_comparison(
        scores, evidence, found, options.find_baseline(scores.runs), options.test, options.adjust
    )
    return Comparison(
        runs=scores.runs,
        topics=scores.topics,
        paired_topics=evidence.paired,
        shared_topics=evidence.shared,
        parts=tuple(found),
        rankings=agree_schemes(found, replicates, options),
        scores=scores,
        confidence=confidence,
        draws=draws,
        baseline=baseline,
        margin=margin,
        seed=seed,
        findings=(*scores.findings, *([] if few is None else [few]), *noticed),
        panel=panel,
        family=family,
    )


def find_scorers(behind: Disagreement | None, names: Sequence[str]) -> Scorers:
    """On which side of the double judgments those stand whose labels score; the first where there are no sides."""
    if behind is None or not behind.counts.directed:
        return "first"
    first, second = (not set(names).isdisjoint(side) for side in (behind.counts.first, behind.counts.second))
    return "both" if first and second else "second" if second else "first"


def _find_people(
    behind: Disagreement | None, schemes: Sequence[Scheme], scorers: Scorers
) -> tuple[Panel | None, dict[Scheme, GainPeople]]:
    """Whom the intervals are for, and what people add to each scheme where they are for other people, too."""
    estimated = [scheme for scheme in dict.fromkeys(schemes) if scheme.rule is not None]
    if behind is None or not estimated:
        return None, {}
    cuts, n = find_cuts(behind, scorers)
    panel = choose_panel(behind, cuts, [single_variance(scheme) for scheme in estimated], scorers=scorers)
    if panel.over == "topics":
        return panel, {}
    return panel, {
        scheme: weigh_people(cuts, n, partial(gains_from_counts, scheme), single_variance(scheme))
        for scheme in estimated
    }


def _find_evidence(behind: Disagreement | None, kinds: TopicKinds, needed: npt.NDArray[np.bool_]) -> Evidence:
    """What the intervals rest on; the scored topics hold the levels `needed`."""
    single = np.zeros(len(needed), dtype=np.bool_)
    if behind is not None:
        single = ((behind.pairs.sum(axis=2) > 0).sum(axis=0) == 1) & needed
    return Evidence(len(kinds.places), kinds.shared, behind is not None, single)


def _compare_parts(
    parts: Sequence[Part],
    replicates: Sequence[Replicates],
    values: Sequence[FloatArray],
    options: CompareOptions,
    names: Sequence[str],
    progress: Progress | None,
) -> list[RunComparison]:
    """The runs by each measure and scheme."""
    runs, topics = values[0].shape
    highest = [
        highest_score(part.measure, part.scheme.gains, estimated=left.estimated)
        for part, left in zip(parts, replicates, strict=True)
    ]
    differences: list[Differences | None] = [None] * len(parts)
    baseline = options.find_baseline(names)
    if topics > 1 and runs > 1:
        every = range(len(parts))
        for family in [every] if options.family == "all" else [range(at, at + 1) for at in every]:
            differences[family.start : family.stop] = find_differences(
                [replicates[at] for at in family],
                *list_pairs(runs, baseline),
                confidence=options.confidence,
                highest=[highest[at] for at in family],
                margin=options.margin,
                patterns=options.permutations,
                families=options.families,
                seed=options.seed,
                progress=None if progress is None else _share_of(progress, family, len(parts)),
            )
    found = []
    for part, left, value, most, tested in zip(parts, replicates, values, highest, differences, strict=True):
        scores = None if topics < 2 else score_intervals(left, confidence=options.confidence, highest=most)
        tests = None
        if tested is not None and options.test != "joint":
            tests = compare_pairs(
                value,
                test=options.test,
                adjust=options.adjust,
                permutations=options.permutations,
                seed=options.seed,
                baseline=baseline,
            )
        found.append(conclude_part(part, value, left, scores, tested, tests, options))
    return found


def _share_of(progress: Progress, family: range, parts: int) -> Progress:
    return lambda share: progress((family.start + share * len(family)) / parts)
