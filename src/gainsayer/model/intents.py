"""Diversified topics: judgments per intent, as one information need each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import polars as pl

from gainsayer.errors import MOST_FAULTS, CallError, DataError
from gainsayer.findings import Finding
from gainsayer.levels import canonical_label, is_whole
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.names import Names, number_names
from gainsayer.text import option

NO_INTENT: Final = "0"


def expand_intents(judgments: Judgments, *, unmentioned: bool = True) -> Judgments:
    """Every (topic, intent) pair an information need of its own, with the lowest level where none was said.

    The intent label `0` of an assessor ("relevant to no intent") becomes an explicit lowest-level judgment for
    *each* intent of the topic. With `unmentioned`, so does every intent that an assessor who judged the document did
    not mention; an explicit level for an intent is always kept. The intents of a topic are those that any assessor
    mentioned. The topic stays the cluster for errors: intents of one topic share documents and assessors.

    Raises:
        CallError: the judgments have no intents.
        DataError: intent 0 comes with a level above the lowest, or no topic has any other intent.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> import polars as pl
    >>> frame = pl.DataFrame({"topic": ["q1"] * 3, "document": ["d1", "d1", "d2"], "assessor": ["U1", "U2", "U2"],
    ...                       "intent": ["1", "0", "2"], "level": [2, 0, 1]})
    >>> for row in sorted(expand_intents(read_judgments(frame)).frame().drop("topic").rows()):
    ...     print(*row)
    d1 U1 0 2
    d1 U1 2 1
    d1 U2 0 1
    d1 U2 0 2
    d2 U2 0 1
    d2 U2 1 2
    """
    if judgments.intent is None:
        raise CallError(
            f"The judgments have no intents. Read diversity qrels with {option('diversity', True)}, or a column "
            "'intent'."
        )
    table = pl.DataFrame(
        {
            "topic": judgments.topic,
            "document": judgments.document,
            "assessor": judgments.assessor,
            "intent": judgments.intent,
            "level": judgments.level,
        }
    )
    none = table.filter(pl.col("intent") == NO_INTENT)
    lowest = judgments.levels.lowest
    odd = none.filter(pl.col("level") > lowest)
    if odd.height:
        topics = [judgments.topics[code] for code in odd["topic"].unique().sort().to_list()[:MOST_FAULTS]]
        raise DataError(
            f"{odd.height} judgments give intent 0 ('relevant to no intent') a level above "
            f"{judgments.levels.names[lowest]}, in topics {', '.join(topics)}. Intent 0 goes with the lowest level."
        )
    said = table.filter(pl.col("intent") != NO_INTENT)
    intents = said.select("topic", "intent").unique()
    judged = (table if unmentioned else none).select("topic", "document", "assessor").unique(maintain_order=True)
    implied = judged.join(intents, on="topic", maintain_order="left_right").join(
        said.select("topic", "document", "assessor", "intent"),
        on=["topic", "document", "assessor", "intent"],
        how="anti",
        maintain_order="left",
    )
    implied = implied.with_columns(level=pl.lit(lowest, pl.Int16)).select(said.columns)
    full = pl.concat([said, implied])
    if judgments.weight is not None:
        weights = (
            table.with_columns(weight=judgments.weight)
            .group_by("topic", "document", "assessor")
            .agg(pl.col("weight").max())
        )
        full = full.join(weights, on=["topic", "document", "assessor"], how="left", maintain_order="left")
    if full.height == 0:
        raise DataError("No topic has an intent other than 0, so there is nothing to compare.")
    documents = Names.of(full["document"])
    document, _ = number_names(full["topic"].to_numpy(), documents)
    item, items = number_names(document, Names.of(full["intent"]))
    added = full.height - said.height
    text = (
        f"{added:,} lowest-level judgments were added for intents that an assessor of the document "
        f"{'did not mention or ' if unmentioned else ''}ruled out with intent 0."
    )
    return replace(
        judgments,
        topic=full["topic"].to_numpy(),
        assessor=full["assessor"].to_numpy(),
        level=full["level"].to_numpy(),
        item=item,
        items=items,
        documents=documents,
        intent=full["intent"],
        weight=full["weight"].to_numpy() if judgments.weight is not None else None,
        findings=(*judgments.findings, *([Finding("intents-expanded", text)] if added else [])),
    )


def keep_top_intent(judgments: Judgments, probabilities: Mapping[tuple[str, str], float]) -> Judgments:
    """Only the most probable intent of each topic; among equally probable ones the lowest intent id.

    The paper takes these parameters for evaluation with a single intent. They speak about users with the main intent
    only: documents for the others count as what they are to these users, mostly not relevant.

    Args:
        judgments: judgments with intents, expanded.
        probabilities: (topic, intent) to the intent's probability.

    Raises:
        DataError: a topic has no intent with a probability.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> import polars as pl
    >>> frame = pl.DataFrame({"topic": ["q1"] * 3, "document": ["d1", "d1", "d2"], "assessor": ["U1", "U2", "U2"],
    ...                       "intent": ["1", "0", "2"], "level": [2, 0, 1]})
    >>> keep_top_intent(expand_intents(read_judgments(frame)), {("q1", "1"): 0.3, ("q1", "2"): 0.7})
    Judgments(3 judgments of 2 documents, 1 topics, assessors U1, U2, levels 0, 1, 2)
    """
    if judgments.intent is None:
        raise CallError(
            f"The judgments have no intents. Read diversity qrels with {option('diversity', True)}, or a column "
            "'intent'."
        )
    best: dict[str, str] = {}
    for (topic, intent), value in probabilities.items():
        if not np.isfinite(value) or value < 0:
            raise DataError(f"The probability of intent {intent!r} of topic {topic!r} is {value}, not a number >= 0.")
        rank = (-value, _intent_order(intent))
        if topic not in best or rank < (-probabilities[topic, best[topic]], _intent_order(best[topic])):
            best[topic] = intent
    lacking = [topic for topic in judgments.topics if topic not in best]
    if lacking:
        raise DataError(
            f"{len(lacking)} topics have no intent probabilities: {', '.join(lacking[:MOST_FAULTS])}. "
            "Add a line topic, intent, probability for each of their intents."
        )
    wanted = pl.Series([best[topic] for topic in judgments.topics], dtype=pl.String)
    chosen = (judgments.intent == wanted.gather(judgments.topic.astype(np.uint32))).to_numpy()
    if not chosen.any():
        raise DataError("No judgment belongs to the most probable intent of its topic; check the intent ids.")
    return judgments.rows(chosen)


def _intent_order(intent: str) -> tuple[int, int, str]:
    text = canonical_label(intent)
    return (0, int(text), text) if is_whole(text) else (1, 0, text)
