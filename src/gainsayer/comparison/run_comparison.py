"""Which run is better, and how sure: every measure and scheme of gains, all runs on the same topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.caveats import Evidence, notice_comparison
from gainsayer.comparison.conclusions import agree_schemes, conclude_part
from gainsayer.comparison.differences import Progress, find_differences
from gainsayer.comparison.intervals import highest_score, score_intervals
from gainsayer.comparison.options import CompareOptions, Part, list_parts, list_schemes
from gainsayer.comparison.paired_tests import Adjustment, Test, compare_pairs, list_pairs
from gainsayer.comparison.replicates import (
    Replicates,
    TopicKinds,
    doubly_judged,
    gains_from_counts,
    leave_out_topics,
    prepare_runs,
    sort_topics,
    spread_of,
)
from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.gains.schemes import Scheme
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import NoRelevant, TopicPolicy, narrowest, score_runs, without_relevant
from gainsayer.model.estimate import Disagreement
from gainsayer.model.people import GainPeople, Panel, Scorers, choose_panel, find_cuts, warn_of_few, weigh_people
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
    scorers: Scorers = "first",
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

    behind = doubly_judged((part.scheme for part in wanted), len(scores.topics))
    kinds = sort_topics(scores.topics, () if behind is None else behind.counts.topics)
    panel, people = _find_people(behind, [part.scheme for part in wanted], scorers)
    found: list[RunComparison] = []
    replicates: list[Replicates] = []
    for step, part in enumerate(wanted):
        runs = prepare_runs(
            ranked, part.measure, part.scheme.gains, scores.topics, unjudged_as_lowest=unjudged_as_lowest, zero=zero
        )
        values = scores.values[part.measure, part.gains.name]
        left = leave_out_topics(runs, part.scheme, values, kinds, people.get(part.scheme), moving=behind is not None)
        reported = None if progress is None else _share_of(progress, step, len(wanted))
        found.append(_compare_part(part, left, values, options, scores.runs, reported))
        replicates.append(left)
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
    panel = choose_panel(behind, cuts, [spread_of(scheme) for scheme in estimated], scorers=scorers)
    if panel.over == "topics":
        return panel, {}
    return panel, {
        scheme: weigh_people(cuts, n, partial(gains_from_counts, scheme), spread_of(scheme)) for scheme in estimated
    }


def _find_evidence(behind: Disagreement | None, kinds: TopicKinds, needed: npt.NDArray[np.bool_]) -> Evidence:
    """What the intervals rest on; the scored topics hold the levels `needed`."""
    single = np.zeros(len(needed), dtype=np.bool_)
    if behind is not None:
        single = ((behind.pairs.sum(axis=2) > 0).sum(axis=0) == 1) & needed
    return Evidence(len(kinds.places), kinds.shared, behind is not None, single)


def _share_of(progress: Progress, step: int, steps: int) -> Progress:
    return lambda share: progress((step + share) / steps)


def _compare_part(
    part: Part,
    replicates: Replicates,
    values: FloatArray,
    options: CompareOptions,
    names: Sequence[str],
    progress: Progress | None,
) -> RunComparison:
    """The runs by one measure and scheme."""
    runs, topics = values.shape
    if topics < 2:
        return conclude_part(part, values, replicates, None, None, None, options)
    highest = highest_score(part.measure, part.scheme.gains, estimated=replicates.estimated)
    scores = score_intervals(replicates, confidence=options.confidence, highest=highest)
    if runs < 2:
        return conclude_part(part, values, replicates, scores, None, None, options)
    baseline = options.find_baseline(names)
    differences = find_differences(
        replicates,
        *list_pairs(runs, baseline),
        confidence=options.confidence,
        highest=highest,
        margin=options.margin,
        patterns=options.permutations,
        seed=options.seed,
        progress=progress,
    )
    tests = None
    if options.test != "joint":
        tests = compare_pairs(
            values,
            test=options.test,
            adjust=options.adjust,
            permutations=options.permutations,
            seed=options.seed,
            baseline=baseline,
        )
    return conclude_part(part, values, replicates, scores, differences, tests, options)
