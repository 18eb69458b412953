"""What `plan` says: the answer first; then a record per level, lever and batch; JSON and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scipy.special import ndtri

from gainsayer.commands.advice import Advice
from gainsayer.commands.old_tables import Column, show_number
from gainsayer.commands.plan import PlanTable
from gainsayer.commands.records import Pick, Record, describe_findings, flatten, number, tabulate
from gainsayer.planning.levers import Lever
from gainsayer.table import Table
from gainsayer.words import counted, sure

if TYPE_CHECKING:
    from gainsayer.commands.figures.plan_curve import PlanCurve

_LEVEL_KEYS = (
    *("level", "documents", "probability", "source", "intraclass", "topics_effective", "influence", "judge", "share"),
    "half_width",
)


def level_records(table: PlanTable) -> Iterator[Record]:
    """One record per level, from low to high."""
    plan = table.plan
    prospect, known = plan.prospect, plan.prospect.components
    documents, effective = prospect.sizes.sum(axis=0), prospect.effective_topics
    weight = plan.prospect.targets.weight
    own = {}
    if plan.aim.purpose == "parameters":
        own = dict(zip(prospect.targets.names, plan.half_widths.tolist(), strict=True))
    for place, name in enumerate(plan.levels.names):
        yield {
            "level": name,
            "documents": number(round(float(documents[place])), whole=True),
            "probability": number(known.probability[place]),
            "source": known.source[place],
            "intraclass": number(known.intraclass[place]),
            "topics_effective": number(effective[place]),
            "influence": number(weight[place]),
            "judge": number(plan.judge[place]),
            "share": number(plan.share[place]),
            "half_width": number(own[name]) if name in own else None,
        }


def lever_record(lever: Lever) -> Record:
    """One lever as plain data."""
    return {
        "lever": lever.name,
        "change": lever.change,
        "cost": {"first": lever.first, "second": lever.second},
        "half_width": number(lever.half_width),
        "bias": None if lever.bias is None else number(lever.bias),
    }


def batch_records(table: PlanTable) -> list[Record]:
    """One record per batch."""
    return [
        {"batch": batch.number, "judgments": number(batch.judgments), "shares": dict(batch.shares)}
        for batch in table.batches
    ]


def describe_plan(table: PlanTable) -> dict[str, Any]:
    """The plan as plain data with stable keys: what `plan` gives as JSON, and what `fit` reads with it."""
    plan = table.plan
    worst, parts = plan.worst, plan.variance
    rule = plan.stopping
    listed = None
    if table.labels is not None:
        listed = {"file": table.list_file, "digest": table.labels.digest, "sha256": table.list_digest}
    return {
        "purpose": plan.aim.purpose,
        "measure": None if table.measure is None else str(table.measure),
        "relevant": list(table.relevance.names),
        "confidence": plan.prospect.confidence,
        "seed": table.seed,
        "estimator": "one-sided",
        "first": list(table.first),
        "topics": plan.prospect.topics,
        "judged_topics": plan.prospect.second_topics,
        "assessors": plan.prospect.assessors,
        "targets": list(plan.prospect.targets.names),
        "difference": None if plan.difference is None else number(plan.difference),
        "judgments": number(plan.judge.sum()),
        "levels": list(level_records(table)),
        "variance": {
            name: number(getattr(parts, name)[worst])
            for name in ("topics", "between", "within", "covariance", "assessors")
        },
        "expected": {
            "standard_error": number(plan.standard_error),
            "half_width": number(plan.half_width),
            "floor_half_width": number(plan.floor),
            "power": None if plan.power is None else number(plan.power),
            "band": None if plan.band is None else [number(end) for end in plan.band],
        },
        "curve": [{name: number(value) for name, value in vars(point).items()} for point in plan.curve],
        "levers": [lever_record(lever) for lever in plan.levers],
        "batches": batch_records(table),
        "stopping": {
            "kind": rule.kind,
            "information_ratio": number(rule.information_ratio),
            "multiplier": number(rule.multiplier),
            "any_moment_multiplier": number(rule.at_any_moment().multiplier),
            "within": None if rule.within is None else number(rule.within),
        },
        "list": listed,
        "warnings": describe_findings(table.findings),
        "provenance": None if table.provenance is None else table.provenance.as_dict(),
    }


def plan_rows(table: PlanTable) -> Table:
    """The records of levels as one flat table, for CSV."""
    return flatten(level_records(table), {key: key for key in _LEVEL_KEYS})


def plan_tables(table: PlanTable) -> list[Table]:
    """How many documents of each level; what else could be done; the batches and the variance on demand."""
    digits = show_number(3)
    plan = table.plan
    columns: list[tuple[Column, Pick]] = [
        (Column("level", "first label", align="left"), "level"),
        (Column("documents", "documents", show_number(0)), "documents"),
        (Column("judge", "judge again", show_number(0)), "judge"),
        (Column("share", "share", digits), "share"),
        (Column("probability", "p(R|i)", digits), "probability"),
        (Column("source", "known from", align="left"), "source"),
        (Column("half_width", f"± at {sure(plan.prospect.confidence)}", digits), "half_width"),
        (Column("intraclass", "agreement within topics", digits, extra=True), "intraclass"),
        (Column("topics_effective", "effective topics", show_number(1), extra=True), "topics_effective"),
        (Column("influence", "influence", digits, extra=True), "influence"),
    ]
    levels = tabulate("Documents to judge a second time", columns, level_records(table), name="levels")
    columns = [
        (Column("change", "what else would help", align="left"), "change"),
        (Column("half_width", "±", digits), "half_width"),
        (Column("first", "first judgments", show_number(0)), "cost.first"),
        (Column("second", "second judgments", show_number(0)), "cost.second"),
        (Column("bias", "left open", digits), "bias"),
    ]
    levers = tabulate("Instead, or beyond", columns, [lever_record(lever) for lever in plan.levers], name="levers")
    columns = [
        (Column("batch", "batch", show_number(0)), "batch"),
        (Column("judgments", "documents", show_number(0)), "judgments"),
        *((Column(name, name, digits), lambda record, name=name: record["shares"][name]) for name in plan.levels.names),
    ]
    steps = tabulate(
        "Batches, and the share of each level judged at their end", columns, batch_records(table), name="batches"
    )
    parts = [
        {"source": name, "variance": number(getattr(plan.variance, name)[plan.worst]), "reduced_by": words}
        for name, words in _SOURCES.items()
    ]
    columns = [
        (Column("source", "variance", align="left"), "source"),
        (Column("variance", "value", show_number(6)), "variance"),
        (Column("reduced_by", "falls with", align="left"), "reduced_by"),
    ]
    variance = tabulate("Where the uncertainty comes from", columns, parts, name="variance")
    curve = tabulate(
        "Half-width by number of second judgments",
        [
            (Column("judgments", "second judgments", show_number(0)), "judgments"),
            (Column("half_width", "± as planned", digits), "half_width"),
            (Column("uniform_half_width", "± drawn evenly", digits), "uniform_half_width"),
        ],
        [dict(vars(point)) for point in plan.curve],
        name="curve",
    )
    return [levels, levers, *(_on_demand(one) for one in (steps, variance, curve))]


_SOURCES = {
    "topics": "topics",
    "between": "topics judged twice",
    "within": "second judgments",
    "covariance": "topics",
    "assessors": "second assessors",
}


def answer_plan(table: PlanTable) -> list[str]:
    """What to do, in a few sentences."""
    plan = table.plan
    prospect = plan.prospect
    documents = f"{prospect.documents.sum():,.0f}"
    where = counted(prospect.second_topics, "topic")
    what = {
        "parameters": "p(R|i) of every level"
        if len(prospect.targets.names) > 1
        else f"p(R|{prospect.targets.names[0]})",
        "score": "every score" if len(prospect.targets.names) > 1 else f"the score of {prospect.targets.names[0]}",
        "difference": f"the difference {prospect.targets.names[0]}",
    }[plan.aim.purpose]
    said = [
        f"Have {plan.judge.sum():,.0f} of {documents} documents in {where} judged a second time, in "
        f"{_count_batches(len(plan.shares))}: {what} is then known to about ±{plan.half_width:.3g} "
        f"({sure(prospect.confidence)}); all {documents} would give ±{plan.floor:.3g}."
    ]
    if plan.power is not None and plan.difference is not None:
        said.append(f"A difference of {abs(plan.difference):.3g} would show with a power of {plan.power:.2f}.")
    if plan.band is not None:
        said.append(
            f"Without a pilot that is a guess: ±{plan.band[0]:.3g} if documents of a topic hardly agree with one "
            f"another, ±{plan.band[1]:.3g} if they agree a lot."
        )
    said.append(f"Next: {say_lever(plan.levers[0], plan.half_width)}")
    rule = plan.stopping
    if rule.kind == "decision":
        said.append(
            "Look after each batch, and stop when the difference shows: with "
            f"{rule.multiplier:.2f} standard errors in place of {_plain_multiplier(rule.confidence):.2f}, the interval "
            "holds at all looks together."
        )
    else:
        said.append("Look after each batch, and stop when the interval is narrow enough: it needs no correction.")
    return said


def say_lever(lever: Lever, now: float) -> str:
    """What a lever would buy, in a sentence."""
    if lever.bias is not None:
        off = f"Until then the result may be off by up to {_width(lever.bias)}"
        return f"{lever.change}. {off}, which the interval of ±{_width(now)} does not show."
    if lever.half_width > 0.995 * now:
        return f"{lever.change} would leave the interval at ±{_width(lever.half_width)}."
    return f"{lever.change} would narrow the interval from ±{_width(now)} to ±{_width(lever.half_width)}."


def _width(value: float) -> str:
    return f"{value:.3f}" if value >= 0.01 else f"{value:.4f}"


def describe_advice(advice: Advice) -> dict[str, Any]:
    """What to judge next, as plain data: what the JSON of `compare` holds as `advice`."""
    return {
        "about": advice.about,
        "measure": advice.measure,
        "half_width": number(advice.half_width),
        "floor_half_width": number(advice.floor),
        "judged": advice.judged,
        "levers": [lever_record(lever) for lever in advice.levers],
    }


def say_advice(advice: Advice) -> str:
    """What to judge next, in a sentence or two."""
    said = [say_lever(lever, advice.half_width) for lever in advice.levers[:2]]
    first, *rest = said
    also = f" {rest[0][:1].upper()}{rest[0][1:]}" if rest else ""
    return f"{first}{also}"


def plan_figure(table: PlanTable) -> PlanCurve:
    """The half-width against the number of second judgments, planned and drawn evenly, with the floor."""
    from gainsayer.commands.figures.plan_curve import PlanCurve

    plan = table.plan
    return PlanCurve(
        "plan",
        tuple(round(point.judgments) for point in plan.curve),
        tuple(point.half_width for point in plan.curve),
        tuple(point.uniform_half_width for point in plan.curve),
        round(float(plan.judge.sum())),
        plan.half_width,
        plan.floor,
        plan.prospect.second_topics,
    )


def say_plan(table: PlanTable) -> str:
    """The plan in a few words."""
    plan = table.plan
    return (
        f"{plan.judge.sum():,.0f} second judgments in {counted(plan.prospect.second_topics, 'topic')} for "
        f"{plan.aim.purpose}, ±{plan.half_width:.3g} of at best ±{plan.floor:.3g}"
    )


def _plain_multiplier(confidence: float) -> float:
    return float(ndtri((1 + confidence) / 2))


def _count_batches(count: int) -> str:
    return "one batch" if count == 1 else f"{count:,} batches"


def _on_demand(table: Table) -> Table:
    return replace(table, extra=True)
