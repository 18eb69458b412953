"""`compare`: which run is better, and how sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from gainsayer.commands.advice import Advice, advise_next, describe_advice, say_advice
from gainsayer.commands.compare_figures import forest, pair_figure
from gainsayer.commands.compare_tables import (
    comparison_tables,
    describe_comparison,
    pair_table,
    run_rows,
    topic_table,
)
from gainsayer.commands.gains import (
    GainChoice,
    find_falls,
    find_source,
    list_schemes,
    make_schemes,
    notice_model,
)
from gainsayer.commands.gates import Gate, open_gates
from gainsayer.commands.inputs import for_each_stratum
from gainsayer.commands.order_requests import CompareRequest, ComparisonOptions, refuse_plain
from gainsayer.commands.paper_table import paper_tables, render_paper_latex, render_paper_markdown
from gainsayer.commands.provenance import Provenance, hash_while_reading
from gainsayer.commands.ranked_runs import (
    MatchedRuns,
    Progress,
    RankedRuns,
    RunInput,
    find_depth,
    list_files,
    match_runs,
)
from gainsayer.commands.requests import (
    Engined,
    Ground,
    MeasureInput,
    arguments,
    expand_users,
    take_measures,
    take_users,
)
from gainsayer.commands.scored_labels import notice_machine
from gainsayer.commands.users import band_tables, describe_band
from gainsayer.commands.verdict import Verdict, decide, decide_pair
from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.comparison.run_comparison import compare_runs
from gainsayer.comparison.user_band import UserBand, band_users
from gainsayer.drawing.figure import Figure, panels
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.expected.users import Users
from gainsayer.rankings.pool import make_pool
from gainsayer.result import Result, describe_findings
from gainsayer.table import Json, Table, stack
from gainsayer.words import say_runs

# Measures whose expected value for correlated users takes seconds a run.
SLOW_FOR_CORRELATED = ("Q", "Rprec", "Bpref", "infAP")


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonTable(Result):
    """Runs compared, over all topics and per kind of topics.

    Args:
        comparison: over all topics.
        strata: per kind of topics, each with parameters of its own.
        users: what random users make of the runs, where users were asked for.
        noticed: what else a reader should know.
        policies: as plain data.
        provenance: where it comes from.
        advice: what to judge next; None where no gains were estimated.
        pairwise: whether the differences of all pairs are shown unasked.
    """

    comparison: Comparison
    strata: Mapping[str, Comparison] = field(default_factory=dict)
    users: tuple[UserBand, ...] = ()
    noticed: tuple[Finding, ...] = ()
    policies: Mapping[str, Json] = field(default_factory=dict)
    provenance: Provenance | None = None
    advice: Advice | None = None
    pairwise: bool = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order."""
        every = (self.comparison, *self.strata.values())
        return tuple(dict.fromkeys((*self.noticed, *(finding for part in every for finding in part.findings))))

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What it answers by each measure and its first kind of gains."""
        return tuple(decide(self.comparison, self.comparison.part(measure)) for measure in self.comparison.measures)

    def gates(self, fail_if_worse: float = 0.9) -> tuple[Gate, ...]:
        """Which runs are stopped, as they are probably worse than the baseline, over all topics; see `open_gates`.

        Args:
            fail_if_worse: a run is stopped above this probability.

        >>> truth = {f"q{t}": {"a": 1, "b": 0, "c": 0} for t in range(8)}
        >>> runs = {"new": {t: {"b": 2.0, "a": 1.0 + (t > "q5")} for t in truth}, "old": {t: {"a": 2.0} for t in truth}}
        >>> [gate] = compare(truth, runs, "P@1", baseline="old").gates(0.9)
        >>> gate.shut, gate.run
        (True, 'new')
        """
        return open_gates(self.comparison, fail_if_worse)

    def about(self) -> str:
        """Runs, measures and gains."""
        comparison = self.comparison
        measures = [str(part.measure) for part in comparison.parts]
        return say_runs(comparison.runs, measures, [part.scheme.name for part in comparison.parts], comparison.topics)

    def answer(self) -> list[str]:
        r"""The answer for each measure by its first kind of gains, and what to judge next where a pair is open.

        >>> truth = {f"q{t}": {"a": 1, "b": int(t > 6), "c": 0} for t in range(12)}
        >>> runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in truth}, "poor": {t: {"b": 2.0, "c": 1.0} for t in truth}}
        >>> print(compare(truth, runs, "P@1").answer()[0].replace(". With", ".\nWith"))
        good is better. It scores 0.583 higher than poor.
        With other topics the difference would lie between +0.155 and +0.898.
        """
        said = []
        for verdict in self.verdicts:
            sentences = [verdict.headline(), *(reason.text for reason in verdict.reasons())]
            if self.advice is None and (help := verdict.help()) is not None:
                sentences.append(help.text)
            by = f"{verdict.measure}: " if len(self.verdicts) > 1 else ""
            said.append(by + " ".join(sentences))
        tested = [part.differences for part in self.comparison.parts if part.differences is not None]
        if self.advice is not None and not all(found.verdicts.clear.all() for found in tested):
            said.append(f"What to judge next: {say_advice(self.advice)}")
        return said

    def tables(self) -> list[Table]:
        """The tables of all topics together, those of the strata, and what users make of the runs."""
        shown = [
            table
            for stratum, part in self._parts()
            for table in comparison_tables(part, pairwise=self.pairwise, stratum=stratum)
        ]
        # Measures of one depth share the table of what users find.
        of_users = {table.title: replace(table, name="users") for band in self.users for table in band_tables(band)}
        return [*shown, *of_users.values()]

    def rows(self) -> Table:
        """One row per stratum, run, measure and gains."""
        return stack([run_rows(part, stratum) for stratum, part in self._parts()])

    def table(self, name: str | None = None) -> Table:
        """One of the tables, whole.

        Args:
            name: `runs` (by default); `differences` of all pairs; `ranks`; `per_topic`; or `grades`, `rankings`,
                `power`, `uncertainty`, `users`.
        """
        parts = [(stratum, part, one) for stratum, part in self._parts() for one in part.parts]
        if name == "differences":
            tested = [pair_table(part, one, stratum=stratum) for stratum, part, one in parts if one.pairs is not None]
            return stack(tested) if tested else super().table(name)
        if name == "per_topic":
            return stack([topic_table(part, one, stratum) for stratum, part, one in parts])
        if name == "ranks":
            keys = ("stratum", "run", "measure", "gains", "threshold", "rank", "rank_interval", "group")
            return self.rows().keep(column for column in self.rows().columns if column.key in keys)
        return self.rows() if name == "runs" else super().table(name)

    def document(self) -> dict[str, Json]:
        """The comparison as plain data; with strata, each in the same shape."""
        return {
            **describe_comparison(self.comparison, describe_findings(self.comparison.findings)),
            "strata": {
                name: describe_comparison(part, describe_findings(part.findings)) for name, part in self.strata.items()
            }
            or None,
            "labels": self.comparison.scores.labels,
            "policies": dict(self.policies),
            "provenance": {} if self.provenance is None else self.provenance.as_dict(),
            **({} if self.advice is None else {"advice": describe_advice(self.advice)}),
            **({"users": [describe_band(band) for band in self.users]} if self.users else {}),
        }

    def to_markdown(self, table: str | None = None, *, columns: Sequence[str] | None = None) -> str:
        """Runs by measures, as a paper has them; or another table."""
        if table is not None:
            return super().to_markdown(table, columns=columns)
        return render_paper_markdown(paper_tables(self._parts(), columns))

    def to_latex(
        self,
        table: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        caption: str | None = None,
        label: str | None = None,
        decimals: int | None = None,
        bold: bool = True,
    ) -> str:
        r"""Runs by measures, as a paper has them, with superscripts for significant differences; or another table.

        Args:
            table: its name; by default the paper's.
            columns: of the paper's table score, interval, ranks; else keys or headings.
            caption: in place of our own; text, not commands.
            label: to refer to it; the paper's table has `tab:runs` by default.
            decimals: after the point.
            bold: whether the highest number of each column is bold.
        """
        if table is not None:
            return super().to_latex(table, columns=columns, caption=caption, label=label, decimals=decimals, bold=bold)
        papers = paper_tables(self._parts(), columns, decimals=3 if decimals is None else decimals)
        return render_paper_latex(papers, caption=caption, label=label, bold=bold)

    def figure(self) -> Figure:
        """The main figure of each measure: the difference of two runs, or all runs with intervals; strata below."""
        drawn = {}
        for stratum, comparison in self._parts():
            for measure in self.comparison.measures:
                words = [] if len(self.comparison.measures) == 1 else [str(measure)]
                words += [] if stratum is None else [f"{stratum} topics"]
                drawn[", ".join(words)] = _draw(comparison, comparison.part(measure))
        return panels("comparison", drawn)

    def _parts(self) -> list[tuple[str | None, Comparison]]:
        return [(None, self.comparison), *self.strata.items()]


def _draw(comparison: Comparison, part: RunComparison) -> Figure:
    if len(comparison.runs) == 2 and part.differences is not None:
        return pair_figure(decide_pair(comparison, part))
    return forest(comparison, part)


@dataclass(frozen=True, eq=False)
class Contest(Ground):
    """Everything that a comparison starts from: the ground, the runs as matched and as labelled, the measures."""

    matched: MatchedRuns
    runs: RankedRuns
    measures: tuple[Measure, ...]
    asked: ComparisonOptions

    def compare(self, judgments: Judgments, *, progress: Progress | None = None) -> Comparison:
        """Compare the runs on the topics of these judgments (all, or one stratum), with a model of these alone."""
        asked, policies = self.asked, self.matched.policies
        source, noted = self.source, self.noted
        if judgments is not self.judgments:
            source, noted = find_source(
                *(self.choice, judgments, self.sides, self.relevances),
                together=self.rule.together,
                estimator=asked.estimator,
                seed=asked.seed,
            )
        if self.choice.unjudged == "bounds":
            raise CallError(
                "Bounds on unjudged documents make two scores of one: score the runs, or use another policy."
            )
        schemes = make_schemes(
            self.choice, source, self.relevances, self.measures, beside=("binary",), together=self.together
        )
        every = list_schemes(schemes)
        runs = self.runs.on_topics_of(judgments)
        comparison = compare_runs(
            runs.ranked,
            self.measures,
            schemes,
            relevances=self.relevances,
            test=asked.test,
            adjust=asked.adjust,
            baseline=asked.baseline,
            margin=asked.margin,
            draws=asked.resamples,
            permutations=asked.permutations,
            confidence=asked.confidence,
            seed=asked.seed,
            topics=policies.topics,
            no_relevant=policies.no_relevant,
            unjudged_as_lowest=policies.unjudged == "level",
            whole=runs.whole,
            progress=None if progress is None else partial(progress, "Comparing runs"),
        )
        noticed = [*noted, *self.labels.findings, *self.runs.findings]
        noticed += find_falls(judgments.levels, [scheme.gains for scheme in every])
        noticed += notice_model(source, every)
        if judgments is self.judgments and judgments.strata is not None:
            text = "The run table of all topics uses one estimate for all of them; each stratum follows with its own."
            noticed.append(Finding("strata-pooled", text))
        return replace(comparison, findings=tuple(dict.fromkeys([*noticed, *comparison.findings])))

    def advise(self, comparison: Comparison) -> Advice | None:
        """What to judge next; None where gains were not estimated here."""
        estimated = self.source.disagreement
        if estimated is None:
            return None
        return advise_next(comparison, self.runs.ranked, estimated.counts, self.relevances)

    def band(
        self, comparison: Comparison, users: Sequence[Users], *, most: int | None = None, rho: float | None = None
    ) -> tuple[UserBand, ...]:
        """The plug-in measures beside their expected values for these users, with PRM gains.

        Args:
            comparison: whose topics are scored.
            users: the kinds of users.
            most: of how many measures; all by default.
            rho: also for users whose views have this correlation, where that is quickly computed.
        """
        scored = set(comparison.topics)
        chosen = np.array([topic in scored for topic in self.runs.ranked[0].topics], dtype=bool)
        if rho is not None and self.measures[0].family.name not in SLOW_FOR_CORRELATED:
            users = tuple(dict.fromkeys((*users[:1], round(rho, 2), *users[1:])))
        asked = [measure for measure in self.measures if measure.users is None and measure.family.for_users != "no"]
        return tuple(
            band_users(self.runs.ranked, measure, part.scheme.gains, users=users, chosen=chosen)
            for measure in asked[:most]
            for part in comparison.parts
            if users and part.scheme.name == "prm" and part.measure == measure
        )


def prepare_contest(
    asked: ComparisonOptions, runs: RunInput, measures: MeasureInput | None, choice: GainChoice, users: Sequence[Users]
) -> Contest:
    """Read the judgments, match and label the runs; refuse what cannot be asked for before anything long begins."""
    # Correlated users take too long to be left out topic by topic; their values stand in the band.
    wanted = expand_users(take_measures(measures), [kind for kind in users if isinstance(kind, str)])
    refuse_plain(wanted)
    # A report reads for itself: it shows more than an engine gathers.
    gathered = None
    if isinstance(asked, Engined):
        gathered = asked.gather(wanted, choice)
    ground = asked.settle(choice, gathered)
    if choice.model is not None and ground.judgments.strata is not None:
        raise CallError("With strata each has a model of its own: leave out the model, or compare each stratum alone.")
    pool = depth = None
    if gathered is not None:
        matched = gathered.match(asked.policies)
    else:
        if isinstance(asked, Engined):  # a report asks its runs for more
            covered = len(ground.labels) == ground.judgments.items
            pool = make_pool(ground.labels) if covered else None
            depth = None if users else find_depth(wanted, asked.policies)
        matched = match_runs(
            runs,
            ground.judgments,
            asked.policies,
            pool=pool,
            depth=depth,
            progress=asked.progress,
        )
    labelled = matched.label(ground.labels, pool)
    return Contest(**vars(ground), matched=matched, runs=labelled, measures=wanted, asked=asked)


@arguments(CompareRequest)
def compare(asked: CompareRequest) -> ComparisonTable:
    """Compare runs: scores with joint intervals, ranks, differences, verdicts, and tau between kinds of gains.

    The intervals allow for other topics and for other second judgments; see `compare_runs` for how.

    >>> truth = {f"q{t}": {"a": 1, "b": 0, "c": 0} for t in range(8)}
    >>> runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in truth}, "poor": {t: {"b": 2.0, "c": 1.0} for t in truth}}
    >>> table = compare(truth, runs, "P@1")
    >>> table.comparison.runs, table.comparison.parts[0].standings.rank.tolist()
    (('good', 'poor'), [1, 2])
    """
    users = take_users(asked.users)
    with hash_while_reading([*asked.sources, asked.model, *list_files(asked.runs)]) as digests:
        contest = prepare_contest(asked, asked.runs, asked.measures, asked.choose_gains(asked.model), users)
        warned = notice_machine(contest.judgments, asked.machine, contest.rule, contest.sides)
        contest = replace(contest, noted=(*warned, *contest.noted))
        whole = contest.compare(contest.judgments, progress=asked.progress)
        strata, noticed = for_each_stratum(
            contest.judgments, lambda part: contest.compare(part, progress=asked.progress)
        )
        return ComparisonTable(
            comparison=whole,
            strata=strata,
            users=contest.band(whole, users),
            noticed=tuple(noticed),
            policies=contest.matched.policies.describe(contest.relevances[0].names, contest.rule),
            provenance=asked.record(asked.model, *contest.matched.files, digests=digests),
            advice=contest.advise(whole),
        )
