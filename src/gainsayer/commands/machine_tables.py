"""What `machine check`, `sample` and `gains` say: the verdict, what grades are worth, which runs are favoured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gainsayer.commands.machine_results import CheckTable, GainTable, RectifiedTable, SampleTable
from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.commands.records import Pick, Record, describe_findings, flatten, number, show_interval, tabulate
from gainsayer.machines.check import Verdict
from gainsayer.machines.grade_values import grade_errors, grade_intervals
from gainsayer.machines.prediction import Prediction
from gainsayer.table import Table
from gainsayer.words import counted


def describe_check(table: CheckTable) -> dict[str, Any]:
    """The check as plain data with stable keys: what `machine check` gives as JSON."""
    check = table.check
    line = None if check is None else check.line
    return {
        "verdict": describe_verdict(table.verdict),
        **describe_material(table),
        "levels": [] if table.prediction is None else list(level_records(table.prediction)),
        "effects": [] if check is None else [_plain(vars(effect)) for effect in check.effects],
        "topics": None
        if check is None
        else {
            "shift": number(check.shift.sigma),
            "odds_factor": number(check.shift.odds_factor),
            "likelihood_ratio": number(check.shift.likelihood_ratio),
            "p": number(check.shift.p),
        },
        "runs": list(run_records(table)),
        "families": [] if check is None else [_plain(vars(family)) for family in check.families],
        "line": None
        if check is None or line is None
        else {
            "measure": str(check.measure),
            "slope": number(line.slope),
            "slope_error": number(line.slope_error),
            "spread": number(line.spread),
            "runs": int(line.fitted.sum()),
        },
        "machines": [] if table.prediction is None else list(machine_records(table.prediction)),
        "warnings": describe_findings(table.findings),
        "provenance": None if table.provenance is None else table.provenance.as_dict(),
    }


def level_records(prediction: Prediction) -> Iterator[Record]:
    """One record per grade of the machine: what it is worth to people."""
    values = prediction.values
    ends, errors = grade_intervals(values), grade_errors(values)
    for place, name in enumerate(prediction.names):
        low, high = ends[place].tolist()
        yield {
            "level": name,
            "probability": number(values.value[place]),
            "relevant_count": number(values.relevant[:, place].sum()),
            "judged_count": number(values.judged[:, place].sum()),
            "labels": int(values.labels[place]),
            "standard_error": {"topic": number(errors[place])},
            "interval": None if np.isnan(low) else [number(low), number(high)],
            "interval_method": None if np.isnan(low) else "jackknife over topics, logit",
            "note": "nearest grade's" if values.borrowed[place] else None,
        }


def machine_records(prediction: Prediction) -> Iterator[Record]:
    """How well each machine foretells people out of topic; the base rate last, for comparison."""
    for worth in (*prediction.machines, prediction.base):
        yield {
            "name": worth.name,
            "log_loss": number(worth.log_loss),
            "brier": number(worth.brier),
            "weight": None if worth.temper is None else number(worth.temper),
        }


def run_records(table: CheckTable) -> Iterator[Record]:
    """One record per run: by how much it is overrated, and how far it ranks as the machine does."""
    scores = None if table.check is None else table.check.scores
    favour = None if scores is None else scores.favour
    for place, name in enumerate(table.runs):
        yield {
            "run": name,
            "flattery": None if scores is None else number(scores.flattery[place]),
            "excess": None if favour is None else number(favour.excess[place]),
            "interval": None if favour is None else [number(end) for end in favour.interval[place].tolist()],
            "p_adjusted": None if favour is None else number(favour.p_adjusted[place]),
            "own_ndcg": number(table.own[place]),
            "flags": [] if scores is None else list(scores.flags[place]),
        }


def check_tables(table: CheckTable) -> list[Table]:
    """What grades are worth; what tells more than they do; which runs are favoured."""
    digits = show_number(3)
    shown: list[Table] = []
    if table.prediction is not None:
        columns: list[tuple[Column, Pick]] = [
            (Column("level", "grade", align="left"), "level"),
            (Column("probability", "worth", digits), "probability"),
            (Column("interval", "95 % interval"), show_interval(3)),
            (Column("labels", "labels", show_number(0)), "labels"),
            (Column("note", "note", show_text, "left"), "note"),
        ]
        title = "How likely is a person to be satisfied, given the machine's grade?"
        shown.append(
            tabulate(title, columns, level_records(table.prediction), _machine_notes(table.prediction), name="grades")
        )
    check = table.check
    if check is not None and check.effects:
        columns = [
            (Column("what", "what", align="left"), "what"),
            (Column("slope", "slope", show_number(4)), "slope"),
            (Column("standard_error", "error", show_number(4)), "standard_error"),
            (Column("p_adjusted", "adjusted p", show_number(4)), "p_adjusted"),
        ]
        shown.append(
            tabulate(
                "Does it tell more than the grade?", columns, [_plain(vars(e)) for e in check.effects], name="effects"
            )
        )
    columns = [
        (Column("run", "run", align="left"), "run"),
        (Column("flattery", "overrated by", digits), "flattery"),
        (Column("excess", "more than others", digits), "excess"),
        (Column("interval", "95 % interval"), show_interval(3)),
        (Column("p_adjusted", "adjusted p", show_number(4)), "p_adjusted"),
        (Column("own_ndcg", "nDCG@10 by own grades", digits), "own_ndcg"),
        (Column("flags", "flags", show_text, "left"), lambda record: " ".join(record["flags"]) or None),
    ]
    name = "" if check is None else f" ({check.measure})"
    shown.append(
        tabulate(f"Which runs does it favour?{name}", columns, run_records(table), _line_notes(table), name="runs")
    )
    if check is not None and check.families:
        columns = [
            (Column("family", "family", align="left"), "family"),
            (Column("runs", "runs", show_number(0)), "runs"),
            (Column("excess", "more than others", digits), "excess"),
            (Column("p_adjusted", "adjusted p", show_number(4)), "p_adjusted"),
        ]
        shown.append(
            tabulate("Families of runs", columns, [_plain(vars(family)) for family in check.families], name="families")
        )
    return shown


def favour_rows(table: CheckTable) -> Table:
    """The records of runs as one flat table, for CSV."""
    keys = {key: key for key in ("run", "flattery", "excess")}
    ends = {"lower": "interval.0", "upper": "interval.1"}
    return flatten(
        run_records(table),
        {
            **keys,
            **ends,
            "p_adjusted": "p_adjusted",
            "own_ndcg": "own_ndcg",
            "flags": lambda r: " ".join(r["flags"]) or None,
        },
    )


def sample_rows(table: SampleTable) -> Table:
    """Topic, document and probability of what was drawn."""
    return _three(("topic", "document", "probability"), table.rows())


def gain_rows(table: GainTable) -> Table:
    """Topic, document and predicted gain, in the order of the pool."""
    return _three(("topic", "document", "gain"), table.gains.rows())


def _three(keys: tuple[str, ...], rows: list[tuple[str, str, float]]) -> Table:
    return from_rows("", tuple(Column(key, key, align="left") for key in keys), tuple(rows))


def _machine_notes(prediction: Prediction) -> tuple[str, ...]:
    base = prediction.base
    notes = []
    for worth in prediction.machines:
        better = f"{worth.name}: Brier {worth.brier:.3f}, log loss {worth.log_loss:.3f} out of topic"
        notes.append(f"{better} (base rate: {base.brier:.3f}, {base.log_loss:.3f}).")
        if worth.temper is not None:
            count = len(prediction.machines) - 1
            notes.append(f"{count} machines count as {worth.temper * count:.1f} that err independently.")
    return tuple(notes)


def _line_notes(table: CheckTable) -> tuple[str, ...]:
    check = table.check
    if check is None:
        return ()
    notes = []
    if check.shift.sigma > 0:
        notes.append(f"An odds factor of {check.shift.odds_factor:.1f} between topics, at the same grade.")
    if check.line is not None:
        spread = f"spread about the line {check.line.spread:.3f}"
        notes.append(f"One point of machine {check.measure} is {check.line.slope:.2f} points for people; {spread}.")
    return tuple(notes)


def describe_material(table: RectifiedTable | CheckTable) -> dict[str, Any]:
    """Who judged, what is relevant, and how people's labels were drawn, as plain data."""
    material = table.material
    sample, relevance, people = material.sample, material.relevance, material.people
    design = None
    if sample is not None:
        known = sample.probability[sample.judged]
        design = {
            "kind": sample.design,
            "topics": sample.topics,
            "seen_topics": sample.seen_topics,
            "labels": sample.labels,
            "probabilities": "observed" if material.assumed else "known",
            "smallest": number(float(known.min())) if len(known) else None,
        }
    return {
        "machine": [opinions.name for opinions in material.opinions],
        "people": [] if people is None else list(people.assessors),
        "threshold": None if relevance is None else relevance.threshold,
        "relevant": [] if relevance is None else list(relevance.names),
        "design": design,
    }


def say_verdict(table: RectifiedTable | CheckTable) -> list[str]:
    """The verdict, in words: what stands before the tables."""
    return [f"Verdict: {table.verdict.code}. {table.verdict.text}"]


def describe_verdict(verdict: Verdict) -> dict[str, str]:
    """The verdict as plain data."""
    return {"code": verdict.code, "text": verdict.text}


def _plain(record: dict[str, Any]) -> Record:
    return {key: number(value) if isinstance(value, float) else value for key, value in record.items()}


def show_text(cell: Any) -> str:
    """A cell as it is, empty where there is nothing."""
    return "" if cell is None else str(cell)


def say_sample(table: SampleTable) -> str:
    """How many documents were drawn, in one line."""
    return f"{counted(int(table.drawn.sum()), 'document')} of {len(table.drawn):,} to judge, drawn by known chances"


def say_check(table: CheckTable) -> str:
    """What the machine may be used for, in one line."""
    return table.verdict.text


def say_gain_table(table: GainTable) -> str:
    """Of how many documents these are the gains."""
    return f"predicted gains of {counted(len(table.gains.value), 'document')}"
