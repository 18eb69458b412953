"""Resource selection: a run ranks resources, and what counts are the first results of its first resources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gainsayer.errors import CallError, DataError
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.lines.names import Names
from gainsayer.rankings.ranking import Ties, rank_rows
from gainsayer.runs.run import Run


@dataclass(frozen=True, eq=False)
class Returned:
    """Which documents each resource returned for each topic, in its order: topic to resource to documents."""

    documents: Mapping[str, Mapping[str, tuple[str, ...]]]


def returned_by_rule(labels: Judgments, rule: str) -> Returned:
    r"""What resources returned, read off the ids of the judged documents by a regular expression.

    The rule names the group `resource`, and `rank` for the place within it (the order of the judgments without one). It
    assumes that all results of the resources were judged, as in FedWeb.

    Raises:
        CallError: the rule is no regular expression, or has no group `resource`.
        DataError: an id does not fit the rule, or the rule finds no resource or no rank in it.

    >>> from gainsayer.judgments.files import read_judgments
    >>> labels = read_judgments({"U": {"1": {"FW13-e1-1-02": 0, "FW13-e1-1-01": 1}}})
    >>> returned_by_rule(labels, r"(?P<resource>.+)-\d+-(?P<rank>\d+)").documents
    {'1': {'FW13-e1': ('FW13-e1-1-01', 'FW13-e1-1-02')}}
    """
    try:
        pattern = re.compile(rule)
    except (re.error, OverflowError, RecursionError) as fault:
        raise CallError(f"The rule {rule!r} is no regular expression: {fault}.") from None
    if "resource" not in pattern.groupindex:
        raise CallError(f"The rule {rule!r} needs a group (?P<resource>...).")
    ranked = "rank" in pattern.groupindex
    rows = []
    for place, (topic, document) in enumerate(zip(labels.topic.tolist(), labels.document.to_list(), strict=True)):
        match = pattern.fullmatch(document)
        if match is None:
            raise DataError(
                f"The document {document!r} does not fit the rule {rule!r}. Give a file of results instead."
            )
        if match["resource"] is None:
            raise DataError(f"The rule {rule!r} finds no resource in the document {document!r}.")
        found = match["rank"] if ranked else str(place)
        if found is None or not re.fullmatch("[0-9]+", found):
            raise DataError(
                f"The rule {rule!r} finds no rank in the document {document!r}: expected digits, found {found!r}. "
                "Without a group 'rank', the order of the judgments counts."
            )
        rows.append((labels.topics[topic], match["resource"], float(found), document))
    return _gather(rows)


def returned_by_rows(rows: Iterable[tuple[str, str, str]]) -> Returned:
    """What resources returned, from rows of topic, resource and document, in the resource's order."""
    return _gather((topic, resource, float(place), document) for place, (topic, resource, document) in enumerate(rows))


def select_results(run: Run, returned: Returned, *, resources: int = 3, results: int = 10, ties: Ties = "trec") -> Run:
    """The first results of the run's first resources, one resource after another, as a run of documents.

    Resources are ordered as documents are (`ordering.rank_rows`); one that returned nothing takes its place and adds
    nothing.

    >>> returned = returned_by_rows([("q", "r1", "a"), ("q", "r1", "b"), ("q", "r2", "c")])
    >>> from gainsayer.runs.files import read_run
    >>> select_results(read_run({"q": {"r2": 2.0, "r1": 1.0}}), returned, results=1).document.texts()
    ['c', 'a']
    """
    _check(resources, results)
    rows = np.argsort(run.topic, kind="stable")
    grouped = run.part(rows, 0, len(run.topics))
    order: dict[str, list[tuple[int, str]]] = {}
    places = rank_rows(grouped, ties=ties).tolist()
    for topic, place, name in zip(grouped.topic.tolist(), places, grouped.document.texts(), strict=True):
        order.setdefault(grouped.topics[topic], []).append((place, name))
    chosen = {topic: [name for _, name in sorted(entries)[:resources]] for topic, entries in order.items()}
    return _as_run(run.name, chosen, returned, results)


def select_oracle(labels: Judgments, returned: Returned, gains: Gains, *, resources: int = 3, results: int = 10) -> Run:
    """The resources whose first results have the largest sum of gains: the best a run could do, knowing the labels.

    Chosen *by the labels*, so binary counts of it are too high for a random user, and PRM counts are right (T3).
    """
    _check(resources, results)
    worth = gains.values if gains.values.ndim == 1 else gains.values.mean(axis=0)
    known = {
        (labels.topics[topic], document): float(worth[level])
        for topic, document, level in zip(
            labels.topic.tolist(), labels.document.to_list(), labels.level.tolist(), strict=True
        )
    }
    chosen = {}
    for topic, lists in returned.documents.items():
        totals = {
            name: sum(known.get((topic, document), gains.unjudged) for document in documents[:results])
            for name, documents in lists.items()
        }
        chosen[topic] = sorted(totals, key=lambda name: (-totals[name], name))[:resources]
    return _as_run("oracle", chosen, returned, results)


def _gather(rows: Iterable[tuple[str, str, float, str]]) -> Returned:
    table: dict[str, dict[str, list[tuple[float, str]]]] = {}
    for topic, resource, rank, document in rows:
        table.setdefault(topic, {}).setdefault(resource, []).append((rank, document))
    return Returned(
        {
            topic: {name: tuple(document for _, document in sorted(entries)) for name, entries in lists.items()}
            for topic, lists in table.items()
        }
    )


def _as_run(name: str, chosen: Mapping[str, Sequence[str]], returned: Returned, results: int) -> Run:
    topics, topic, documents = [], [], []
    for place, (query, resources) in enumerate(chosen.items()):
        topics.append(query)
        lists = returned.documents.get(query, {})
        found = dict.fromkeys(document for resource in resources for document in lists.get(resource, ())[:results])
        topic += [place] * len(found)
        documents += list(found)
    if not documents:
        raise DataError(f"{name}: none of its resources returned anything. Are the resources' names written alike?")
    score = -np.arange(len(documents), dtype=np.float64)
    return Run(name, tuple(topics), np.array(topic, dtype=np.int32), Names.of(documents), score)


def _check(resources: int, results: int) -> None:
    if resources < 1 or results < 1:
        raise CallError(f"At least one resource and one result are needed, found {resources} and {results}.")
