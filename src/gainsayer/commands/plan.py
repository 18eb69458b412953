"""`plan`: which documents to judge a second time, how many, and when to stop; and how the plan is shown."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import scipy

from gainsayer.commands.advice import lever_table, say_lever
from gainsayer.commands.inputs import (
    JudgmentInput,
    LevelInput,
    Names,
    Pairing,
    choose_side_names,
    gather_sources,
    take_judgments,
)
from gainsayer.commands.plan_input import Material, make_material, take_relevance, take_sizes
from gainsayer.commands.provenance import Provenance, record
from gainsayer.commands.ranked_runs import MatchedRuns, Policies, RunInput, match_runs
from gainsayer.commands.setup import take_measures
from gainsayer.comparison.compare import compare_runs, find_scorers
from gainsayer.drawing.charts import falling_curves
from gainsayer.drawing.figure import Figure
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import prm_scheme
from gainsayer.levels import Levels, Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.model.estimate import part_relevant
from gainsayer.model.intervals import check_confidence
from gainsayer.model.relevance import predict_relevance
from gainsayer.output_files import keep_foreign, write_files
from gainsayer.planning.plans import Aim, Plan, find_gap, list_levels, make_plan
from gainsayer.planning.prospect import (
    INTRACLASS,
    STRICTNESS,
    Pilot,
    Prospect,
    Purpose,
    Source,
    guess_levels,
    guess_runs,
    target_levels,
    target_runs,
)
from gainsayer.planning.sampling import (
    Batch,
    BoolArray,
    FirstLabels,
    FloatArray,
    IntArray,
    find_batches,
    shuffle_within,
)
from gainsayer.ranking.duplicates import Duplicates
from gainsayer.ranking.matching import Ties
from gainsayer.ranking.ranked import RankedLevels
from gainsayer.ranking.whose_labels import apply_rule, decide_labels
from gainsayer.reading.files import FilePath
from gainsayer.reading.labels import Repeats
from gainsayer.result import Result, describe_findings
from gainsayer.table import Column, Json, Table, number
from gainsayer.text import option
from gainsayer.words import counted, sure

_FIRST_COLUMNS: Final = b"topic,document,batch,sampling_key"


def plan(
    *judgments: JudgmentInput,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
    threshold: object | None = None,
    relevant: Sequence[object] | None = None,
    purpose: Purpose = "parameters",
    level: str | Sequence[str] | None = None,
    runs: RunInput | None = None,
    measure: str | Measure | None = None,
    difference: float | None = None,
    within: float | None = None,
    power: float | None = None,
    budget: int | None = None,
    shares: Mapping[str, float] | None = None,
    topics: int | None = None,
    documents: int | None = None,
    guess: Mapping[str, float] | None = None,
    intraclass: float | None = None,
    assessors: int | None = None,
    assessor_sd: float | None = None,
    minimum: int | None = None,
    batches: int = 5,
    first: Names = None,
    second: Names = None,
    pairing: Pairing = "auto",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    with_levels: bool = False,
    confidence: float = 0.95,
    seed: int = 0,
) -> PlanTable:
    """Plan second judgments: which documents, how many of each first label, in which batches, and when to stop.

    With a pilot (second judgments that are there) the plan foretells the interval that `fit` or `compare` will compute:
    it scales the one they compute now. Without one it guesses, one-sided, and says so. Second judgments reduce one part
    of what is not known; the rest falls with topics alone, so the answer is often: stop at a few hundred, and add
    topics. Documents get permanent random keys, so batches are nested and every probability is known.

    It is *not* a promise: give or take a third with a pilot, a factor of two without.

    Args:
        *judgments: first labels, and second judgments of a pilot where there are any; see `read_judgments`.
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
        threshold: users are satisfied with this level (by name or number) or a higher one.
        relevant: a set of levels with which users are satisfied; either this or a threshold.
        purpose: what is to be precise: `parameters`, the `score` of runs, or the `difference` of two.
        level: with `parameters`, of these levels alone.
        runs: to be scored; exactly two for a difference.
        measure: by which; nDCG@10 by default.
        difference: the one that should show; by default what the two runs score now.
        within: plan for intervals of at most plus or minus this.
        power: plan for a difference to show with this probability.
        budget: plan for so many second judgments.
        shares: in place of judgments: the share of each level, from low to high.
        topics: in place of judgments: how many topics there are.
        documents: in place of judgments: how many documents have first labels.
        guess: level to p(R|i), where no pilot tells.
        intraclass: without a pilot, how alike opinions on documents of one topic and level are where p is 1/2.
        assessors: how many people will judge.
        assessor_sd: without a pilot, how far people differ, on the logit of p(R|i).
        minimum: fewest judgments of a level.
        batches: in how many steps.
        first: assessors whose labels are the first ones.
        second: assessors of the pilot.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        ties: order of equal scores in the runs.
        duplicates: groups of equal documents in the runs, or a file of them.
        with_levels: show the first labels in the list; whoever judges should not see them.
        confidence: of the intervals.
        seed: of the sampling keys: the same seed and labels give the same list.

    Raises:
        CallError: the aim is not clear, or options do not fit.
        DataError: the aim is out of reach, or there is one second assessor.

    >>> import gainsayer as gs
    >>> first = {f"q{t}": {f"d{d}": (t * d) % 3 for d in range(40)} for t in range(30)}
    >>> found = gs.plan(first, threshold=2, budget=200, seed=1)
    >>> found.plan.judge.round().tolist(), len(found.batches), found.documents().cells()[0][:3]
    ([53.0, 80.0, 67.0], 5, ('q0', 'd13', 1))
    """
    options = dict(locals())
    sources = gather_sources(list(judgments), levels, merges, missing, maps, repeats, raters, by_assessor)
    check_confidence(confidence)
    aim = Aim(purpose, within, power, budget, difference, batches, minimum)
    if assessors is not None and assessors < 1:
        raise CallError(f"At least one person judges, found {option('assessors', assessors)}.")
    if difference is not None and purpose != "difference":
        raise CallError(f"A difference to be shown belongs to {option('purpose', 'difference')}.")
    if intraclass is not None and not 0 <= intraclass < 1:
        raise CallError(f"An intraclass correlation lies from 0 to below 1, found {intraclass}.")
    if assessor_sd is not None and not 0 <= assessor_sd < np.inf:
        raise CallError(f"How far people differ is 0 or more, found {assessor_sd}.")
    if level is not None and purpose != "parameters":
        raise CallError(f"Levels are chosen for {option('purpose', 'parameters')}.")
    if (runs is not None) == (purpose == "parameters"):
        if runs is None:
            raise CallError(f"A plan for scores or a difference needs {option('runs')}.")
        raise CallError(f"With runs, say what the plan is for: {option('purpose', 'score', 'difference')}.")
    material = take_sizes(shares, topics, documents, judgments, purpose)
    if material is None:
        read = replace(take_judgments(sources), weight=None)
        sides = choose_side_names(read, first, second, pairing)
        material = make_material(read, sides, take_relevance(read.levels, threshold, relevant), seed)
    relevance = material.relevance or take_relevance(material.levels, threshold, relevant)
    pilot = material.pilot
    probability, source = settle_probabilities(material.levels, pilot, guess)
    noticed = _notice_unused(pilot, guess, source, intraclass, assessor_sd)
    names = [level] if isinstance(level, str) else level
    chosen, matched, gap = None, None, None
    if purpose == "parameters":
        places = list_levels(material.levels, names, material.sizes.sum(axis=0))
        if pilot is None:
            target = guess_levels(material.levels, probability, places, confidence)
        else:
            seen = predict_relevance(pilot.disagreement, relevance, confidence=confidence)
            target = target_levels(seen, places)
    else:
        assert runs is not None
        wanted = take_measures(measure)
        if len(wanted) != 1:
            raise CallError(f"A plan is for one measure, found {', '.join(map(str, wanted))}.")
        chosen = wanted[0]
        matched, ranked = _rank(runs, material, Policies(ties=ties, duplicates=duplicates))
        if purpose == "difference" and len(ranked) != 2:
            raise CallError(f"A difference is one of two runs, found {len(ranked)}.")
        gap = find_gap(ranked, chosen, probability)
        if pilot is None:
            target = guess_runs(ranked, chosen, probability, purpose, confidence)
        else:
            by_hand = {material.levels.names[at]: probability[at] for at, of in enumerate(source) if of != "pilot"}
            scheme = prm_scheme(pilot.disagreement, relevance, overrides=by_hand)
            scorers = find_scorers(pilot.disagreement, material.first)
            found = compare_runs(ranked, [chosen], [scheme], confidence=confidence, permutations=100, scorers=scorers)
            places = list(range(len(ranked)))
            target = target_runs(found.parts[0], found.runs, places, purpose, confidence)
    made = make_plan(
        Prospect(
            levels=material.levels,
            sizes=material.sizes,
            target=target,
            probability=probability,
            source=source,
            intraclass=pilot.intraclass if pilot is not None else INTRACLASS if intraclass is None else intraclass,
            pilot=pilot,
            assessors=assessors,
            strictness=STRICTNESS if assessor_sd is None else assessor_sd,
            confidence=confidence,
        ),
        aim,
        material.levels,
        gap=gap,
        held=material.held,
    )
    files = () if matched is None else matched.files
    return PlanTable(
        plan=made,
        relevance=relevance,
        measure=chosen,
        labels=material.labels,
        first=material.first,
        done=material.done,
        seed=seed,
        with_levels=with_levels,
        findings=tuple(dict.fromkeys((*material.findings, *noticed, *made.findings))),
        provenance=record([*sources, *files], options, seed=seed),
    )


def settle_probabilities(
    levels: Levels, pilot: Pilot | None, guess: Mapping[str, float] | None
) -> tuple[FloatArray, tuple[Source, ...]]:
    """p(R|i) of each level and where it comes from: the pilot, a guess, or evenly from .1 to .8.

    Raises:
        CallError: a guess is no probability between 0 and 1.

    >>> p, source = settle_probabilities(Levels(("0", "1", "2")), None, {"1": 0.6})
    >>> p.tolist(), source
    ([0.1, 0.6, 0.8], ('default', 'guess', 'default'))
    """
    size = len(levels)
    found = np.linspace(0.1, 0.8, size) if size > 1 else np.array([0.45])
    source: list[Source] = ["default"] * size
    if pilot is not None:
        seen = part_relevant(pilot.disagreement.matrix, pilot.relevance.indicator)
        found = np.where(np.isnan(seen), found, seen)
        source = ["default" if unknown else "pilot" for unknown in np.isnan(seen).tolist()]
    for name, value in (guess or {}).items():
        if not 0 < value < 1:
            raise CallError(f"A guess of p(R|{name}) lies between 0 and 1, found {value}.")
        place = levels.index(name)
        if source[place] != "pilot":
            found[place], source[place] = value, "guess"
    return found, tuple(source)


def _notice_unused(
    pilot: Pilot | None,
    guess: Mapping[str, float] | None,
    source: Sequence[Source],
    intraclass: float | None,
    assessor_sd: float | None,
) -> list[Finding]:
    """The finding where a pilot says more than what was guessed."""
    guessed = bool(guess) and sum(of == "guess" for of in source) < len(guess or ())
    given = {"guess": guessed, "intraclass": intraclass is not None, "assessor_sd": assessor_sd is not None}
    unused = [option(name) for name, there in given.items() if there]
    if pilot is None or not unused:
        return []
    said = f"The second judgments that are there say more than {' and '.join(unused)}, so these were not used."
    return [Finding("guess-unused", said)]


def _rank(runs: RunInput, material: Material, policies: Policies) -> tuple[MatchedRuns, tuple[RankedLevels, ...]]:
    judgments, sides = material.judgments, material.sides
    assert judgments is not None
    assert sides is not None
    rule = decide_labels(judgments, first=sides.first, second=sides.second)
    scored = apply_rule(judgments, rule)
    matched = match_runs(runs, judgments, policies)
    return matched, matched.label(scored).ranked


@dataclass(frozen=True, eq=False, repr=False)
class PlanTable(Result):
    """A plan with its list of documents.

    Args:
        plan: how many of each level, what they would buy, when to stop.
        relevance: what satisfies users.
        measure: by which runs are scored; None for parameters.
        labels: the documents and their first labels; None for a plan from sizes alone, which has no list.
        first: whose labels they are.
        done: whether a document was judged by this very plan's keys before; shape [documents].
        seed: of the sampling keys.
        with_levels: whether the list shows first labels. Whoever judges should not see them.
        list_file: where the list was written.
        findings: what a reader should know.
        provenance: where it comes from.
    """

    plan: Plan
    relevance: Relevance
    measure: Measure | None
    labels: FirstLabels | None
    first: tuple[str, ...]
    done: BoolArray | None
    seed: int
    with_levels: bool = False
    list_file: str | None = None
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    @cached_property
    def keys(self) -> FloatArray:
        """The sampling key of each document; shape [documents]."""
        return np.zeros(0) if self.labels is None else self.labels.keys(self.seed)

    @cached_property
    def batch(self) -> IntArray:
        """The batch of each document, 0 for none; shape [documents]."""
        if self.labels is None:
            return np.zeros(0, np.int64)
        return find_batches(self.keys, self.labels.level, self.plan.shares)

    @property
    def batches(self) -> tuple[Batch, ...]:
        """The steps: how many documents each asks for, and the shares reached at its end."""
        plan, names = self.plan, self.plan.levels.names
        totals = plan.shares @ plan.prospect.documents
        counts: Sequence[float] = np.diff(totals, prepend=0.0).tolist()
        if self.labels is not None:
            counts = np.bincount(self.batch, minlength=len(plan.shares) + 1)[1:].tolist()
        return tuple(
            Batch(step, count, dict(zip(names, row.tolist(), strict=True)))
            for step, (count, row) in enumerate(zip(counts, plan.shares, strict=True), start=1)
        )

    def documents(self) -> Table:
        """Topic, document, batch and key of what is to be judged, batch by batch and topic by topic, shuffled."""
        order = self._order()
        topics, documents, levels = [], [], []
        if self.labels is not None:
            topics = [self.labels.topics[at] for at in self.labels.topic[order].tolist()]
            documents = [self.labels.document[at] for at in order.tolist()]
            levels = [self.labels.levels.names[at] for at in self.labels.level[order].tolist()]
        columns = (
            Column("topic", topics, "topic", narrow="shorten"),
            Column("document", documents, "document", narrow="shorten"),
            Column("batch", self.batch[order], "batch"),
            Column("sampling_key", self.keys[order], "sampling key", 6),
            *([Column("level", levels, "first label")] if self.with_levels else []),
        )
        return Table("Documents to judge, batch by batch", columns, "documents")

    def _order(self) -> IntArray:
        """The documents to be judged, in the order of the list."""
        if self.labels is None:
            return np.zeros(0, np.int64)
        wanted = self.batch > 0 if self.done is None else (self.batch > 0) & ~self.done
        asked = np.flatnonzero(wanted)
        names = [self.labels.document[at] for at in asked.tolist()]
        order = asked[shuffle_within(self.labels.topic[asked], names, self.seed)]
        return order[np.argsort(self.batch[order], kind="stable")]

    @cached_property
    def list_text(self) -> str:
        """The list as CSV."""
        return self.documents().to_csv()

    @property
    def list_digest(self) -> str:
        """SHA-256 of the list."""
        return hashlib.sha256(self.list_text.encode()).hexdigest()

    def named_for(self, path: FilePath) -> PlanTable:
        """The same for a plan that is written to `plan.json`: its list stands next to it in `plan.list.csv`."""
        if self.labels is None:
            return self
        return replace(self, list_file=list_path(path).name)

    def save(self, path: FilePath) -> None:
        """Write the plan as JSON, and its list next to it: `plan.json` and `plan.list.csv`, both or neither.

        Raises:
            CallError: a place cannot be written, or the list would replace something that is no list.
        """
        named = self.named_for(path)
        listed = {} if self.labels is None else {list_path(path): named.list_text}
        for place in listed:
            keep_foreign(place, is_list)
        write_files({Path(path): named.to_json(), **listed})

    def about(self) -> str:
        """How many judgments, and what they would buy."""
        plan = self.plan
        return (
            f"{plan.judge.sum():,.0f} second judgments in {counted(plan.prospect.topics, 'topic')} for "
            f"{plan.aim.purpose}, ±{plan.half_width:.3g} of at best ±{plan.floor:.3g}"
        )

    def tables(self) -> list[Table]:
        """How many documents of each level; what else could be done; the batches and the curve on demand."""
        on_demand = (_batch_table(self.batches), _curve_table(self.plan))
        return [
            self._levels(),
            *([lever_table(self.plan.levers)] if self.plan.levers else []),
            *(replace(table, extra=True) for table in on_demand),
        ]

    def rows(self) -> Table:
        """One row per level; see `documents` for the list."""
        return self._levels()

    def document(self) -> dict[str, Json]:
        """The plan as plain data: what `fit` and the judging page read."""
        plan, prospect, rule, labels = self.plan, self.plan.prospect, self.plan.stopping, self.labels
        return {
            "purpose": plan.aim.purpose,
            "measure": None if self.measure is None else str(self.measure),
            "relevant": list(self.relevance.names),
            "confidence": prospect.confidence,
            "seed": self.seed,
            "estimator": "one-sided" if prospect.pilot is None else prospect.pilot.disagreement.estimator,
            "first": list(self.first),
            "topics": prospect.topics,
            "judged_topics": prospect.topics,
            "assessors": prospect.assessors,
            "targets": list(prospect.target.names),
            "difference": None if plan.difference is None else number(plan.difference),
            "judgments": number(plan.judge.sum()),
            "levels": _level_table(plan).records(),
            "expected": {
                "half_width": number(plan.half_width),
                "half_width_now": number(prospect.half_width_now),
                "floor_half_width": number(plan.floor),
                "power": None if plan.power is None else number(plan.power),
                "guessed": plan.guessed,
            },
            "curve": _curve_table(plan).records(),
            "levers": lever_table(plan.levers).records(),
            "batches": _batch_table(self.batches).records(),
            "stopping": {
                "kind": rule.kind,
                "information_ratio": number(rule.information_ratio),
                "multiplier": number(rule.multiplier),
                "within": None if rule.within is None else number(rule.within),
            },
            "list": None
            if labels is None
            else {"file": self.list_file, "digest": labels.digest, "sha256": self.list_digest},
            "warnings": describe_findings(self.findings),
            "provenance": None if self.provenance is None else self.provenance.as_dict(),
        }

    def _levels(self) -> Table:
        """What is planned of each level; with what was judged already, where the plan counts it."""
        table = _level_table(self.plan)
        if self.done is None or not self.done.any():
            return table
        return replace(table, title="Second judgments of the plan, with those that are there")

    def answer(self) -> list[str]:
        """What to do, in a few sentences."""
        plan, prospect = self.plan, self.plan.prospect
        documents, listed = f"{prospect.documents.sum():,.0f}", self._order()
        begun = 0 if self.done is None else int(self.done.sum())
        steps = len(np.unique(self.batch[listed])) if begun else len(plan.shares)
        more = f"{len(listed):,} more" if begun else f"{plan.judge.sum():,.0f}"
        judge = (
            f"Have {more} of {documents} documents in {counted(prospect.topics, 'topic')} judged a second time"
            f"{f' ({begun:,} are)' if begun else ''}, in {'one batch' if steps == 1 else f'{steps:,} batches'}"
        )
        if self.done is not None and self.done.all():
            judge = f"All {documents} documents are judged a second time: nothing is left to judge"
        elif begun and not len(listed):
            judge = f"The {begun:,} second judgments that are there are enough"
        if plan.half_width != plan.half_width:
            said = [f"{judge}. How sure {_name_targets(plan)} will be cannot be foretold: see the warnings."]
        elif begun and not len(listed):
            said = [
                f"{judge}. They leave {_name_targets(plan)} at ±{plan.half_width:.3g} ({sure(prospect.confidence)})."
            ]
        else:
            said = [
                f"{judge}: {_name_targets(plan)} is then known to about ±{plan.half_width:.3g} "
                f"({sure(prospect.confidence)}); all {documents} would give ±{plan.floor:.3g}."
            ]
            said.append(self._qualify())
        if plan.power is not None and plan.difference is not None:
            said.append(f"A difference of {abs(plan.difference):.3g} would show with a power of {plan.power:.2f}.")
        if plan.levers:
            said.append(f"Next: {say_lever(plan.levers[0], plan.half_width)}")
        if begun and not len(listed):
            return said
        rule = plan.stopping
        usual = float(scipy.special.ndtri((1 + rule.confidence) / 2))
        if rule.kind == "decision":
            said.append(
                "Look whenever you like once the first batch is finished, and stop when the difference shows: with "
                f"about {rule.multiplier:.2f} standard errors in place of {usual:.2f} the interval holds at all looks "
                "together."
            )
        else:
            said.append("Look whenever you like, and stop when the interval is narrow enough: it needs no correction.")
        return said

    def _qualify(self) -> str:
        """How far to trust the half-width that is foretold, and what it is now."""
        plan, now = self.plan, self.plan.prospect.half_width_now
        if plan.guessed:
            return (
                f"±{plan.half_width:.3g} is a guess from other collections: of six such guesses five were within a "
                "factor of two. Judge the first 100 and plan again."
            )
        if f"{plan.half_width:.3g}" == f"{now:.3g}":
            return "That is what it is now: what is left to judge hardly helps."
        said = f"Take ±{plan.half_width:.3g} give or take a third; now it is ±{now:.3g}"
        if plan.half_width > now and self.done is None:
            said += f" with judgments that this plan did not draw, which a fit counts with {option('keep_pilot', True)}"
        return f"{said}."

    def figure(self) -> Figure:
        """The half-width against the number of second judgments, planned and drawn evenly, with the floor."""
        return plan_curve(self.plan)


def plan_curve(plan: Plan) -> Figure:
    """Half-widths by number of second judgments: as planned, drawn evenly, and the floor that topics set."""
    budget, topics = round(float(plan.judge.sum())), counted(plan.prospect.topics, "topic")
    judgments = [round(point.judgments) for point in plan.curve]
    planned = [point.half_width for point in plan.curve]
    even = [point.uniform_half_width for point in plan.curve]
    columns = (
        Column("judgments", judgments, "Second judgments"),
        Column("half_width", planned, "± as planned"),
        Column("uniform_half_width", even, "± drawn evenly"),
    )
    return Figure(
        "plan",
        "PlanCurve",
        "Half-width of the interval, by number of second judgments",
        f"As planned, drawn evenly whatever the first labels, and the floor that {topics} set. Each step to the right "
        "multiplies.",
        f"After {budget:,} second judgments ±{plan.half_width:.2g}; with all of them, {topics} still leave "
        f"±{plan.floor:.2g}",
        Table("Half-width by number of second judgments", columns),
        falling_curves(
            judgments,
            {"drawn evenly": even, "planned": planned},
            floor=plan.floor,
            floor_name=f"the floor of {topics}",
            here=(budget, plan.half_width),
            unit="second judgments",
        ),
    )


def list_path(path: FilePath) -> Path:
    """Where the list of a plan stands.

    >>> list_path("study/plan.json").as_posix()
    'study/plan.list.csv'
    """
    return Path(path).with_suffix(".list.csv")


def is_list(path: Path) -> bool:
    """Whether a file is the list of a plan, by how it begins.

    >>> is_list(Path("no such file"))
    False
    """
    try:
        with path.open("rb") as file:
            return file.read(len(_FIRST_COLUMNS)) == _FIRST_COLUMNS
    except OSError:
        return False


def _level_table(plan: Plan) -> Table:
    """One row per level, from low to high; half-widths where parameters are planned for."""
    prospect = plan.prospect
    own: dict[str, float] = {}
    if plan.aim.purpose == "parameters":
        own = dict(zip(prospect.target.names, plan.half_widths.tolist(), strict=True))
    half_width = np.array([own.get(name, np.nan) for name in plan.levels.names])
    columns = (
        Column("level", plan.levels.names, "first label", narrow="shorten"),
        Column("documents", np.rint(prospect.sizes.sum(axis=0)).astype(np.int64), "documents"),
        Column("judge", plan.judge, "judge again", 0),
        Column("share", plan.share, "share"),
        Column("probability", prospect.probability, "p(R|i)"),
        Column("source", prospect.source, "known from", spare=1),
        Column("intraclass", prospect.agreement, "agreement within topics", extra=True),
        Column("topics_effective", prospect.effective_topics, "effective topics", 1, extra=True),
        Column("influence", prospect.target.weight, "influence", extra=True),
        Column("half_width", half_width, f"± at {sure(prospect.confidence)}"),
    )
    return Table("Documents to judge a second time", columns, "levels")


def _batch_table(batches: Sequence[Batch]) -> Table:
    columns = (
        Column("batch", [batch.number for batch in batches], "batch"),
        Column("judgments", np.array([batch.judgments for batch in batches], np.float64), "documents", 0),
        Column("shares", [batch.shares for batch in batches], csv=False),
        *(
            Column(name, np.array([batch.shares[name] for batch in batches]), name, json=False)
            for name in batches[0].shares
        ),
    )
    return Table("Batches, and the share of each level judged at their end", columns, "batches")


def _curve_table(plan: Plan) -> Table:
    judgments = np.array([point.judgments for point in plan.curve], np.float64)
    even = np.array([point.uniform_half_width for point in plan.curve])
    columns = (
        Column("judgments", judgments, "second judgments", 0),
        Column("half_width", np.array([point.half_width for point in plan.curve]), "± as planned"),
        Column("uniform_half_width", even, "± drawn evenly"),
    )
    return Table("Half-width by number of second judgments", columns, "curve")


def _name_targets(plan: Plan) -> str:
    """What is to be precise, in words."""
    target = plan.prospect.target
    first, *others = target.names
    if plan.aim.purpose == "parameters":
        known = [name for name, there in zip(target.names, target.known.tolist(), strict=True) if there]
        every = len(known) == len(target.names) > 1
        return "p(R|i) of every level" if every else f"p(R|{', '.join(known or target.names)})"
    if plan.aim.purpose == "score":
        return "every score" if others else f"the score of {first}"
    return f"the difference {first}"
