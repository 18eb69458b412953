"""Resource selection: a run ranks resources, and what counts are the first results of its first resources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from gainsayer.errors import CallError, DataError
from gainsayer.gains.values import Gains
from gainsayer.ranking.matching import Ties, rank_rows
from gainsayer.reading.files import FilePath
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.names import Names
from gainsayer.reading.run import Run
from gainsayer.reading.runs import RunSource, read_run
from gainsayer.reading.side_files import read_topic_table
from gainsayer.text import option

RESULTS: Final = 10
"""How many results of a resource count where nothing else is said, as in FedWeb."""
Returned: TypeAlias = Mapping[str, Mapping[str, Sequence[str]]]
"""What each resource returned for each topic, in its order: topic to resource to documents."""


def find_returned(labels: Judgments, rule: str | None, file: FilePath | None) -> Returned:
    """What each resource returned, by a rule on the ids of the judged documents or by a file: one of the two."""
    if rule is not None and file is None:
        return returned_by_rule(labels, rule)
    if file is not None and rule is None:
        return read_returned(file)
    raise CallError(
        f"To know what a resource returned, give either {option('resource_rule')} or {option('resource_file')}."
    )


def read_returned(file: FilePath) -> Returned:
    """What each resource returned, from a file of topic, resource and document, in the resource's order."""
    return returned_by_rows(read_topic_table(file, ("topic", "resource", "document"), several=True).iter_rows())


def returned_by_rule(labels: Judgments, rule: str) -> Returned:
    r"""What resources returned, read off the ids of the judged documents by a regular expression.

    The rule names the group `resource`, and `rank` for the place within it (the order of the judgments without one). It
    assumes that all results of the resources were judged, as in FedWeb.

    Raises:
        CallError: the rule is no regular expression, or has no group `resource`.
        DataError: an id does not fit the rule, or the rule finds no resource or no rank in it.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> labels = read_judgments({"U": {"1": {"FW13-e1-1-02": 0, "FW13-e1-1-01": 1}}})
    >>> returned_by_rule(labels, r"(?P<resource>.+)-\d+-(?P<rank>\d+)")
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


def select_resources(
    run: Run | RunSource,
    returned: FilePath | Returned,
    *,
    resources: int = 3,
    results: int = RESULTS,
    ties: Ties = "trec",
) -> Run:
    """What a user of federated search sees whose system ranks resources: the first results of its first resources.

    The answer is a run of documents like any other, for `score`, `compare` and the rest: the first resource's first
    results in that resource's order, then the second's, and so on; a document that two of them returned stands where
    it comes first. FedWeb, and Table 5 of the paper, count the relevant ones among the first ten results of the first
    three resources. Resources are ordered as documents are; one that returned nothing takes its place and adds nothing.

    Args:
        run: a run whose "documents" are resources: a file, data frame, dict {topic: {resource: score}}, or a `Run`.
        returned: what each resource returned: {topic: {resource: [document, ...]}}, or a file of topic, resource and
            document, in the resource's order. Where a document's id names its resource, `ranking.returned_by_rule`
            reads it off the judged documents.
        resources: how many of the run's resources count.
        results: how many results of each count.
        ties: order of resources with equal scores: `trec`, `trec9`, `rank` or `input`.

    Raises:
        CallError: no resource or no result is to count.
        DataError: none of the run's resources returned anything.

    >>> returned = {"q": {"r1": ["a", "b"], "r2": ["c"]}}
    >>> select_resources({"q": {"r2": 2.0, "r1": 1.0}}, returned, results=1).document.texts()
    ['c', 'a']
    """
    _check(resources, results)
    run = run if isinstance(run, Run) else read_run(run, ranks=ties == "rank")
    returned = returned if isinstance(returned, Mapping) else read_returned(returned)
    rows = np.argsort(run.topic, kind="stable")
    grouped = run.part(rows, 0, len(run.topics))
    order: dict[str, list[tuple[int, str]]] = {}
    places = rank_rows(grouped, ties=ties).tolist()
    for topic, place, name in zip(grouped.topic.tolist(), places, grouped.document.texts(), strict=True):
        order.setdefault(grouped.topics[topic], []).append((place, name))
    chosen = {topic: [name for _, name in sorted(entries)[:resources]] for topic, entries in order.items()}
    return _as_run(run.name, chosen, returned, results)


def select_oracle(
    labels: Judgments, returned: Returned, gains: Gains, *, resources: int = 3, results: int = RESULTS
) -> Run:
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
    for topic, lists in returned.items():
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
    return {
        topic: {
            name: tuple(dict.fromkeys(document for _, document in sorted(entries))) for name, entries in lists.items()
        }
        for topic, lists in table.items()
    }


def _as_run(name: str, chosen: Mapping[str, Sequence[str]], returned: Returned, results: int) -> Run:
    topics, topic, documents = [], [], []
    for place, (query, resources) in enumerate(chosen.items()):
        topics.append(query)
        lists = returned.get(query, {})
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
