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
from gainsayer.commands.engine import EngineName, EngineOptions
from gainsayer.commands.fit import Fit
from gainsayer.commands.gains import (
    choose_gains,
    find_falls,
    find_source,
    list_schemes,
    make_schemes,
    notice_model,
)
from gainsayer.commands.gates import Gate, open_gates
from gainsayer.commands.inputs import (
    JudgmentInput,
    LevelInput,
    Names,
    Pairing,
    choose_side_names,
    for_each_stratum,
    gather_sources,
    join_second,
    take_judgments,
)
from gainsayer.commands.model_file import SavedModel
from gainsayer.commands.paper_table import paper_tables, render_paper_latex, render_paper_markdown
from gainsayer.commands.plan_input import Weighed, weigh_by_plan
from gainsayer.commands.provenance import Provenance, hash_while_reading, record
from gainsayer.commands.ranked_runs import (
    MatchedRuns,
    Progress,
    RankedRuns,
    RunInput,
    find_depth,
    list_files,
    make_policies,
    match_runs,
)
from gainsayer.commands.scored_labels import notice_machine
from gainsayer.commands.setup import (
    MeasureInput,
    Request,
    Setup,
    UserInput,
    expand_users,
    refuse_plain,
    take_measures,
    take_users,
)
from gainsayer.commands.users import band_tables, describe_band
from gainsayer.commands.verdict import Verdict, decide, decide_pair
from gainsayer.comparison.compare import compare_runs, find_scorers
from gainsayer.comparison.fixed_tests import Adjustment, Test
from gainsayer.comparison.results import Comparison, FamilyOf, RunComparison
from gainsayer.comparison.users import UserBand, band_users
from gainsayer.drawing.figure import Figure, panels
from gainsayer.errors import CallError
from gainsayer.findings import Finding, name_findings
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.expected.users import Users
from gainsayer.measures.scores import NoRelevant, TopicPolicy
from gainsayer.model.estimate import Estimator
from gainsayer.planning.prospect import target_runs
from gainsayer.planning.sampling import PlanInput
from gainsayer.ranking.duplicates import Duplicates
from gainsayer.ranking.matching import Ties
from gainsayer.ranking.pool import make_pool
from gainsayer.reading.files import FilePath
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.labels import Repeats
from gainsayer.result import Result, describe_findings
from gainsayer.table import Json, Table, stack
from gainsayer.text import option
from gainsayer.words import say_runs

# Measures whose expected value for correlated users takes seconds a run.
SLOW_FOR_CORRELATED = ("Q", "Rprec", "Bpref", "infAP")


def compare(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput,
    measures: MeasureInput | None = None,
    *,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    labels: Names = None,
    gains: str | Sequence[str] | None = None,
    gain: Mapping[str, float] | None = None,
    model: Fit | SavedModel | FilePath | None = None,
    estimator: Estimator | None = None,
    plan: PlanInput | None = None,
    unjudged: str | float = "0",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "keep",
    users: UserInput = None,
    machine: Names = None,
    test: Test = "joint",
    adjust: Adjustment | None = None,
    baseline: str | None = None,
    margin: float | None = None,
    family: FamilyOf = "each",
    resamples: int = 1_000,
    permutations: int = 10_000,
    confidence: float = 0.95,
    engine: EngineName = "embedded",
    master: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> ComparisonTable:
    """Compare runs: scores with joint intervals, ranks, differences, verdicts, and tau between kinds of gains.

    The intervals allow for other topics and for other second judgments; see `compare_runs` for how.

    Args:
        judgments: files, data frames, dicts, judgments already read, or {name of an assessor: any of these};
            see `read_judgments`.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measures: such as "nDCG@10" or ["nDCG@10", "AP"]; names of ir_measures or trec_eval.
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        threshold: users are satisfied with this level (by name or number) or a higher one; several may be
            given. By default the top level for PRM gains, else 1 and above.
        relevant: users are satisfied with these levels.
        labels: whose labels score: assessors (the first who judged a document), `majority`, `mean`, or
            `posterior` (all of them together, learned where a document has a further opinion).
        gains: `prm`, `binary`, `linear`, `exponential`, `udm`, or a JSON file; several may be given. By default
            `prm` next to `binary` where there is a model or a second side, else what the measure has in
            ir_measures.
        gain: level to gain, before all others.
        model: what `fit` gave, or the file it was written to.
        estimator: `symmetric` or `one-sided`; by default the plan's where there is one, else symmetric where valid.
        plan: the plan by which second judgments were chosen, as `plan` gave or wrote it: they are weighed by it, and
            its rule says whether to stop.
        unjudged: what an unjudged document is worth: `0`, `level`, a number, `condense` or `bounds`.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        topics: all judged topics, or those that every run has (`common`).
        no_relevant: what topics without a relevant label count: `keep`, `zero` or `skip`.
        users: also the expected value over random users: `independent`, `comonotone` (a strict user is strict
            with every document), `band` (both), or a correlation.
        machine: the assessor that is a machine, or several: a warning where it takes a side.
        test: whose p-values: `joint` for topics and gains together; `randomisation`, `t` or `wilcoxon` hold the
            gains fixed.
        adjust: of tests with the gains held fixed: `maxt`, `holm`, `bh` or `none`.
        baseline: compare each run with this one only.
        margin: the smallest difference that matters.
        family: what simultaneous intervals, verdicts and ranks hold for at once: the pairs of `each` measure, kind
            of gains and stratum, or of `all` of them together.
        resamples: samples of topics for the interval of tau, the only thing that needs any.
        permutations: sign flips for all pairs at once.
        confidence: of the intervals.
        engine: `embedded` works on this machine, `spark` on a cluster. Both give the same result.
        master: where Spark is, such as `local[2]` or `yarn`.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    >>> truth = {f"q{t}": {"a": 1, "b": 0, "c": 0} for t in range(8)}
    >>> runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in truth}, "poor": {t: {"b": 2.0, "c": 1.0} for t in truth}}
    >>> table = compare(truth, runs, "P@1")
    >>> table.comparison.runs, table.comparison.parts[0].standings.rank.tolist()
    (('good', 'poor'), [1, 2])
    """
    options = dict(locals())
    given, named = join_second(judgments, second)
    sources: list[JudgmentInput] = gather_sources(given, levels, merges, missing, maps, repeats, raters, by_assessor)
    choice = choose_gains(gains, gain, model, unjudged)
    planned = None
    if plan is not None:
        if model is not None or engine != "embedded":
            raise CallError(
                f"A plan weighs second judgments that are at hand: leave out {option('model')} and {option('engine')}."
            )
        read = take_judgments(sources, levels=choice.levels)
        planned = weigh_by_plan(read, choose_side_names(read, first, named, pairing), plan, confidence=confidence)
        first, named = planned.sides.first, planned.sides.second
        estimator = planned.plan.estimator if estimator is None else estimator
        if threshold is None and relevant is None:
            relevant = planned.plan.relevant
    request = Request(
        sources=sources if planned is None else [planned.judgments],
        first=first,
        second=named,
        pairing=pairing,
        threshold=threshold,
        relevant=relevant,
        labels=labels,
        choice=choice,
        estimator=estimator,
        policies=make_policies(unjudged, ties, duplicates, topics, no_relevant),
        engine=EngineOptions(engine=engine, master=master),
        seed=seed,
        progress=progress,
    )
    tests = TestOptions(test, adjust, baseline, margin, family, resamples, permutations, confidence)
    kinds = take_users(users)
    if planned is not None and planned.rule.kind == "decision":
        begun = prepare_comparison(replace(request, sources=[planned.begun]), tests, runs, measures, ())
        planned = _fix_ratio(planned, begun)
    if planned is not None:
        tests = replace(tests, confidence=planned.rule.nominal)
    with hash_while_reading([*request.sources, model, *list_files(runs)]) as digests:
        prepared = prepare_comparison(request, tests, runs, measures, kinds)
        warned = notice_machine(prepared.judgments, machine, prepared.rule, prepared.sides)
        prepared = replace(prepared, noted=(*warned, *prepared.noted))
        whole = prepared.compare(prepared.judgments)
        strata, noticed = for_each_stratum(prepared.judgments, prepared.compare)
        return ComparisonTable(
            comparison=whole,
            strata=strata,
            users=prepared.band(whole, kinds),
            noticed=tuple(noticed),
            policies=prepared.matched.policies.describe(prepared.relevances[0].names, prepared.rule),
            provenance=record([*sources, plan, model, *prepared.matched.files], options, seed=seed, digests=digests),
            advice=prepared.advise(whole),
            planned=planned,
        )


def _find_pair(part: RunComparison, runs: Sequence[str], target: str) -> int | None:
    """The place of the pair that a plan is for, `a - b`, among those compared; None where it is not."""
    found = part.differences
    if found is None:
        return None
    for place, (a, b) in enumerate(zip(found.a.tolist(), found.b.tolist(), strict=True)):
        if target in (f"{runs[a]} - {runs[b]}", f"{runs[b]} - {runs[a]}"):
            return place
    return None


def _fix_ratio(planned: Weighed, begun: PreparedComparison) -> Weighed:
    """The plan with a multiplier by what its first batch shows of the two best runs."""
    found = begun.compare(begun.judgments)
    plan, disagreement = planned.plan, begun.source.disagreement
    part = next((part for part in found.parts if str(part.measure) == plan.measure), found.part())
    if disagreement is None or part.replicates is None or len(part.two_best) < 2:
        return planned
    pair, differences = _find_pair(part, found.runs, plan.targets[0]), part.differences
    places = part.two_best
    if pair is not None and differences is not None:
        places = [int(differences.a[pair]), int(differences.b[pair])]
    target = target_runs(part, found.runs, places, "difference", planned.rule.confidence)
    return planned.fix_ratio(target, disagreement, begun.relevances[0])


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
        planned: how far the plan has come by which documents were chosen; None without one.
    """

    comparison: Comparison
    strata: Mapping[str, Comparison] = field(default_factory=dict)
    users: tuple[UserBand, ...] = ()
    noticed: tuple[Finding, ...] = ()
    policies: Mapping[str, Json] = field(default_factory=dict)
    provenance: Provenance | None = None
    advice: Advice | None = None
    pairwise: bool = False
    planned: Weighed | None = None

    @property
    def met(self) -> bool | None:
        """Whether the plan's rule says stop; None without a plan, or where it is for p(R|i): ask `fit`."""
        if self.planned is None or self.planned.plan.purpose == "parameters":
            return None
        plan = self.planned.plan
        part = next((part for part in self.comparison.parts if str(part.measure) == plan.measure), None)
        if part is None:
            return None
        runs = self.comparison.runs
        if plan.purpose == "difference":
            pair = _find_pair(part, runs, plan.targets[0])
            if pair is None or part.differences is None:
                return None
            ends = part.differences.interval[pair]
            return self.planned.rule.met(half_width=float(ends[1] - ends[0]) / 2, p=float(part.differences.p[pair]))
        named = [run for run, name in enumerate(runs) if name in plan.targets]
        if len(named) < len(plan.targets):
            return None
        ends = part.standings.interval[named]
        return self.planned.rule.met(half_width=float((ends[:, 1] - ends[:, 0]).max() / 2))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order."""
        of_plan = () if self.planned is None else self.planned.findings
        here = (*of_plan, *self.noticed, *self.comparison.findings)
        return tuple(dict.fromkeys((*here, *name_findings(self.strata, here))))

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What it answers by each measure and its first kind of gains."""
        return tuple(decide(self.comparison, self.comparison.part(measure)) for measure in self.comparison.measures)

    def gates(self, fail_if_worse: float = 0.9, *, missing_as_zero: bool = False) -> tuple[Gate, ...]:
        """Which runs are stopped, being worse than the baseline over all topics, surely enough; see `open_gates`.

        Args:
            fail_if_worse: a run is stopped above this confidence.
            missing_as_zero: whether topics that a run lacks are meant to count as 0, where these are many.

        >>> truth = {f"q{t}": {"a": 1, "b": 0, "c": 0} for t in range(8)}
        >>> runs = {"new": {t: {"b": 2.0, "a": 1.0 + (t > "q5")} for t in truth}, "old": {t: {"a": 2.0} for t in truth}}
        >>> [gate] = compare(truth, runs, "P@1", baseline="old").gates(0.9)
        >>> gate.shut, gate.run
        (True, 'new')
        """
        return open_gates(self.comparison, fail_if_worse, missing_as_zero=missing_as_zero)

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
        tested = any(part.differences is not None for part in self.comparison.parts)
        if self.planned is not None and (stop := self.planned.say(self.met)) is not None:
            said.append(stop)
        if tested and self.advice is not None and not all(verdict.is_clear for verdict in self.verdicts):
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
            rows = self.rows()
            return rows.keep(column for column in rows.columns if column.key in keys)
        return self.rows() if name == "runs" else super().table(name)

    def document(self) -> dict[str, Json]:
        """The comparison as plain data; with strata, each in the same shape."""
        return {
            **describe_comparison(
                self.comparison,
                describe_findings(
                    (*(() if self.planned is None else self.planned.findings), *self.comparison.findings)
                ),
            ),
            "strata": {
                name: describe_comparison(part, describe_findings(part.findings)) for name, part in self.strata.items()
            }
            or None,
            "labels": self.comparison.scores.labels,
            "policies": dict(self.policies),
            **({} if self.planned is None else {"plan": self.planned.describe(self.met)}),
            "provenance": None if self.provenance is None else self.provenance.as_dict(),
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


@dataclass(frozen=True)
class TestOptions:
    """How runs are compared: tests, intervals, and what counts as a difference; see `compare` for each."""

    test: Test = "joint"
    adjust: Adjustment | None = None
    baseline: str | None = None
    margin: float | None = None
    family: FamilyOf = "each"
    resamples: int = 1_000
    permutations: int = 10_000
    confidence: float = 0.95


@dataclass(frozen=True, eq=False)
class PreparedComparison(Setup):
    """Everything that a comparison starts from: what was settled, the runs as matched and as labelled, the measures."""

    matched: MatchedRuns
    runs: RankedRuns
    measures: tuple[Measure, ...]
    tests: TestOptions

    def compare(self, judgments: Judgments) -> Comparison:
        """Compare the runs on the topics of these judgments (all, or one stratum), with a model of these alone."""
        request, tests, policies = self.request, self.tests, self.matched.policies
        source, noted = self.source, self.noted
        if judgments is not self.judgments:
            source, noted = find_source(
                *(request.choice, judgments, self.sides, self.relevances),
                together=self.rule.together,
                estimator=request.estimator,
                seed=request.seed,
            )
        if request.choice.unjudged == "bounds":
            raise CallError(
                "Bounds on unjudged documents make two scores of one: score the runs, or use another policy."
            )
        schemes = make_schemes(
            request.choice, source, self.relevances, self.measures, beside=("binary",), together=self.together
        )
        every = list_schemes(schemes)
        runs = self.runs.on_topics_of(judgments)
        comparison = compare_runs(
            runs.ranked,
            self.measures,
            schemes,
            relevances=self.relevances,
            test=tests.test,
            adjust=tests.adjust,
            baseline=tests.baseline,
            margin=tests.margin,
            draws=tests.resamples,
            permutations=tests.permutations,
            confidence=tests.confidence,
            seed=request.seed,
            topics=policies.topics,
            no_relevant=policies.no_relevant,
            unjudged_as_lowest=policies.unjudged == "level",
            whole=runs.whole,
            scorers=find_scorers(source.disagreement, self.rule.names),
            family=tests.family,
            families=1 if tests.family == "each" else 1 + len(set((self.judgments.strata or {}).values())),
            progress=None if request.progress is None else partial(request.progress, "Comparing runs"),
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
        return advise_next(comparison, self.runs.ranked, estimated, self.relevances)

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


def prepare_comparison(
    request: Request, tests: TestOptions, runs: RunInput, measures: MeasureInput | None, users: Sequence[Users]
) -> PreparedComparison:
    """Read the judgments, match and label the runs; refuse what cannot be asked for before anything long begins."""
    # Correlated users take too long to be left out topic by topic; their values stand in the band.
    wanted = expand_users(take_measures(measures), [kind for kind in users if isinstance(kind, str)])
    refuse_plain(wanted)
    gathered = request.gather(runs, wanted)
    setup = request.settle(gathered)
    if request.choice.model is not None and setup.judgments.strata is not None:
        raise CallError("With strata each has a model of its own: leave out the model, or compare each stratum alone.")
    pool = depth = None
    if gathered is not None:
        matched = gathered.match(request.policies)
    else:
        if request.engine is not None:  # a report, which names none, asks its runs for more
            covered = len(setup.labels) == setup.judgments.items
            pool = make_pool(setup.labels) if covered else None
            depth = None if users else find_depth(wanted, request.policies)
        matched = match_runs(runs, setup.judgments, request.policies, pool=pool, depth=depth, progress=request.progress)
    labelled = matched.label(setup.labels, pool)
    return PreparedComparison(**vars(setup), matched=matched, runs=labelled, measures=wanted, tests=tests)
