"""Which documents are judged a second time: permanent keys, batches, the plan as a file, and what it has reached.

Within each cell (a topic's documents of one first label) the documents stand in a random order k = 0, 1, ... and one
number U is drawn between 0 and 1; the key of a document is `(k + U) / size of the cell`. Judging all documents with a
key up to pi gives each the probability pi exactly, takes from each cell the whole number below or above its part, and
contains what a smaller pi would take. So batches are nested, and the weights 1 / pi of everything judged so far are
known whenever a batch ends.

Order and U come from hashes of the seed and the names, so the same seed and labels give the same keys on every machine,
in whatever order files are read, and a topic that is added changes no other topic's keys.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.levels import Levels
from gainsayer.model.estimate import ESTIMATORS, Estimator
from gainsayer.model.resampling import check_seed
from gainsayer.planning.stopping import Stopping
from gainsayer.reading.files import FilePath, call_file, read_content
from gainsayer.reading.json_documents import parse_json
from gainsayer.result import Result, check_version
from gainsayer.text import option
from gainsayer.words import counted

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FirstLabels:
    """The documents to choose from: one first label on each.

    Args:
        levels: the levels.
        topics: names of the topics.
        topic: the place of each document's topic; shape [documents].
        document: its name.
        level: the place of its first label; shape [documents].

    >>> labels = FirstLabels(Levels(("0", "1")), ("q",), np.zeros(3, np.int64), ("a", "b", "c"), np.array([0, 1, 0]))
    >>> labels.sizes.tolist(), len(labels.digest)
    ([[2, 1]], 64)
    """

    levels: Levels
    topics: tuple[str, ...]
    topic: IntArray
    document: tuple[str, ...]
    level: IntArray

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def cell(self) -> IntArray:
        """The cell of each document: its topic and first label."""
        return np.asarray(self.topic * len(self.levels) + self.level)

    @cached_property
    def sizes(self) -> IntArray:
        """Documents per topic and level; shape [topics, levels]."""
        counted = np.bincount(self.cell, minlength=len(self.topics) * len(self.levels))
        return counted.reshape(len(self.topics), len(self.levels)).astype(np.int64)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of who stands on which level: another one, other labels. The order of documents does not matter."""
        names = [self.topics[place] for place in self.topic.tolist()]
        labels = [self.levels.names[place] for place in self.level.tolist()]
        lines = sorted("\0".join(row) for row in zip(names, self.document, labels, strict=True))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def keys(self, seed: int) -> FloatArray:
        """The sampling key of each document, between 0 and 1; shape [documents]. See the module's words.

        >>> level = np.array([0, 0, 0, 1])
        >>> labels = FirstLabels(Levels(("0", "1")), ("q",), np.zeros(4, np.int64), tuple("abcd"), level)
        >>> keys = labels.keys(1)
        >>> int((keys[:3] <= 2 / 3).sum()), bool((labels.keys(1) == keys).all()), bool((labels.keys(2) == keys).all())
        (2, True, False)
        """
        check_seed(seed)
        return _find_keys(self, seed)


def _find_keys(labels: FirstLabels, seed: int) -> FloatArray:
    cell, size = labels.cell, labels.sizes.ravel()
    names = [labels.topics[place] for place in labels.topic.tolist()]
    turn = np.array([_hash(seed, *row) for row in zip(names, labels.document, strict=True)], np.uint64)
    order = np.lexsort((turn, cell))
    start = np.cumsum(size) - size
    place = np.empty(len(labels), np.float64)
    place[order] = np.arange(len(labels)) - start[cell[order]]
    shift = np.zeros(len(size))
    for one in np.flatnonzero(size).tolist():
        topic, level = divmod(one, len(labels.levels))
        shift[one] = draw_key(seed, labels.topics[topic], labels.levels.names[level], "start")
    keys = (place + shift[cell]) / size[cell]
    return np.asarray(keys)


def shuffle_within(topic: IntArray, documents: Sequence[str], seed: int) -> IntArray:
    """Places of documents topic by topic, in random order within each, so that a list tells nothing about labels."""
    turn = np.array([_hash(seed, name, "list", str(t)) for name, t in zip(documents, topic, strict=True)], np.uint64)
    return np.lexsort((turn, topic))


def drawn_by_keys(labels: FirstLabels, keys: FloatArray, judged: BoolArray) -> bool:
    """Whether the documents judged already are mostly those with the lowest keys of each level, a few skips apart.

    If so, they are the beginning of this plan, perhaps with a batch that is not finished; if not, they were chosen in
    another way: a foreign pilot.
    """
    covered = 0
    for level in range(len(labels.levels)):
        here = np.flatnonzero(labels.level == level)
        found = np.cumsum(judged[here[np.argsort(keys[here])]])
        dense = np.flatnonzero(found >= 0.95 * np.arange(1, len(here) + 1))
        covered += int(found[dense[-1]]) if len(dense) else 0
    return bool(judged.any()) and covered >= 0.8 * int(judged.sum())


def draw_key(seed: int, *names: str) -> float:
    """A permanent number from 0 to 1 for these names.

    >>> draw_key(1, "q1", "d1") == draw_key(1, "q1", "d1"), 0 < draw_key(2, "q1", "d1") < 1
    (True, True)
    """
    return _unit(_hash(seed, *names))


def _hash(seed: int, *names: str) -> int:
    text = "\0".join((str(seed), *names)).encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest())


def _unit(number: int) -> float:
    return (number + 0.5) / 2**64


FIRST_BATCH = 0.2
MOST_BATCHES = 1_000


@dataclass(frozen=True)
class Batch:
    """One step of a plan.

    Args:
        number: from 1 on.
        judgments: how many documents it asks for beyond those before it; expected, where there is no list.
        shares: the share of each level that is judged when it is finished, those of earlier batches included.
    """

    number: int
    judgments: float
    shares: Mapping[str, float]


def grow_shares(share: FloatArray, count: int) -> FloatArray:
    """The shares reached at the end of each batch, in equal steps, the first at least a fifth; shape [batches, levels].

    Raises:
        CallError: fewer than one batch.

    >>> grow_shares(np.array([0.5, 1.0]), 2).tolist()
    [[0.25, 0.5], [0.5, 1.0]]
    >>> grow_shares(np.array([1.0]), 9)[0].tolist()
    [0.2]
    """
    if not 1 <= count <= MOST_BATCHES:
        raise CallError(f"A plan has 1 to {MOST_BATCHES:,} batches, found {count}.")
    first = max(FIRST_BATCH, 1 / count)
    part = np.linspace(first, 1.0, count) if count > 1 else np.ones(1)
    return np.asarray(np.minimum(part[:, None] * share, 1.0))


def find_batches(keys: FloatArray, level: IntArray, shares: FloatArray) -> IntArray:
    """The batch of each document: the first whose share reaches its key, 0 for what the plan never asks for.

    Args:
        keys: shape [documents].
        level: the place of each document's first label; shape [documents].
        shares: as `grow_shares` gives them; shape [batches, levels].

    >>> find_batches(np.array([0.1, 0.4, 0.9]), np.zeros(3, np.int64), np.array([[0.25], [0.5]])).tolist()
    [1, 2, 0]
    """
    reached = keys[None, :] <= shares[:, level]
    return np.where(reached.any(axis=0), reached.argmax(axis=0) + 1, 0).astype(np.int64)


_ADVICE = "Write a plan with `gainsayer plan ... -o plan.json`."


@dataclass(frozen=True, eq=False)
class SavedPlan:
    """A plan as it was written.

    Args:
        name: of the file, for messages.
        levels: names of the levels.
        relevant: names of those that satisfy users.
        first: assessors whose labels are the first ones.
        seed: of the sampling keys.
        digest: of the first labels.
        shares: reached at the end of each batch; shape [batches, levels].
        purpose: what it is for.
        measure: by which runs are scored; None for p(R|i).
        targets: names of what is to be known: levels, runs, or a difference of two.
        estimator: of p(R|i), which it foretells.
        stopping: the rule.
        list_file: where its list stands, next to it; None where it was never written.
    """

    name: str
    levels: tuple[str, ...]
    relevant: tuple[str, ...]
    first: tuple[str, ...]
    seed: int
    digest: str
    shares: FloatArray
    purpose: str
    measure: str | None
    targets: tuple[str, ...]
    estimator: Estimator
    stopping: Stopping
    list_file: str | None


# A plan as `plan` gave it, as it was written, or as it was read.
PlanInput: TypeAlias = SavedPlan | Result | FilePath | Mapping[str, Any]


def read_plan(source: PlanInput) -> SavedPlan:
    """A plan from its file, or from its JSON as a dict.

    Raises:
        DataError: it is no plan, or a plan from sizes alone, which has no documents to judge.

    >>> read_plan({"levels": []})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gainsayer.errors.DataError: plan: expected a plan, and it lacks 'seed'. Write a plan with ...
    """
    if isinstance(source, SavedPlan):
        return source
    source = source.document() if isinstance(source, Result) else source
    if not isinstance(source, Mapping | str | os.PathLike):
        raise CallError(f"A plan is a file, or what gs.plan gave, found {source!r}.")
    name = "plan" if isinstance(source, Mapping) else call_file(source)
    content = b"" if isinstance(source, Mapping) else read_content(source)
    try:
        found: Any = source if isinstance(source, Mapping) else parse_json(content)
    except ValueError as fault:
        raise DataError(f"{name}: expected a plan, found no JSON ({fault}). {_ADVICE}") from None
    if not isinstance(found, Mapping):
        raise DataError(f"{name}: expected a plan, found a {type(found).__name__}. {_ADVICE}")
    try:
        check_version(found)
    except ValueError as fault:
        raise DataError(f"{name}: expected a plan, and {fault}. {_ADVICE}") from None
    for key in ("seed", "levels", "relevant", "batches", "stopping"):
        if key not in found:
            raise DataError(f"{name}: expected a plan, and it lacks {key!r}. {_ADVICE}")
    if found.get("list") is None:
        raise DataError(
            f"{name}: the plan was made from sizes alone, so it names no documents. Plan with first labels."
        )
    if found.get("judged_topics", found.get("topics")) != found.get("topics"):
        raise DataError(f"{name}: the plan leaves topics out, which plans no longer do. {_ADVICE}")
    try:
        levels = tuple(str(entry["level"]) for entry in found["levels"])
        shares = np.array([[float(batch["shares"][level]) for level in levels] for batch in found["batches"]])
        rule = found["stopping"]
        plan = SavedPlan(
            name=name,
            levels=levels,
            relevant=tuple(map(str, found["relevant"])),
            first=tuple(map(str, found.get("first", ()))),
            seed=int(found["seed"]),
            digest=str(found["list"]["digest"]),
            shares=shares.reshape(len(found["batches"]), len(levels)),
            purpose=str(found["purpose"]),
            measure=None if found.get("measure") is None else str(found["measure"]),
            targets=tuple(map(str, found["targets"])),
            estimator=found["estimator"],
            stopping=Stopping(
                rule["kind"],
                float(rule["information_ratio"]),
                float(found["confidence"]),
                None if rule.get("within") is None else float(rule["within"]),
            ),
            list_file=found["list"]["file"],
        )
    except (KeyError, TypeError, ValueError) as fault:
        raise DataError(f"{name}: a part of the plan cannot be read ({fault!r}). {_ADVICE}") from None
    bad = (
        not len(shares)
        or not np.all(np.isfinite(shares) & (shares >= 0) & (shares <= 1))
        or bool(np.any(np.diff(shares, axis=0) < 0))
        or plan.stopping.kind not in ("precision", "decision")
        or not plan.stopping.information_ratio >= 1
        or plan.estimator not in ESTIMATORS
        or not plan.relevant
        or not set(plan.relevant) < set(plan.levels)
        or not (plan.list_file is None or Path(plan.list_file).name == plan.list_file)
    )
    if bad:
        raise DataError(
            f"{name}: the plan was changed by hand: shares lie in [0, 1] and grow with the batches, some of its levels "
            f"are relevant, and its list stands next to it. {_ADVICE}"
        )
    return plan


FINISHED = 0.9
MANY_SKIPPED = 0.05


@dataclass(frozen=True, eq=False)
class Reached:
    """How far the judging of a plan has come.

    Args:
        batch: the last batch that is finished in all topics.
        shares: pi of each level at its end; shape [levels].
        asked: documents that the finished batches ask for, by level; shape [levels].
        answered: those that were judged; shape [levels].
        counted: whether a document's second judgments count: asked for by a finished batch; shape [documents].
        weight: 1 / pi of each document that counts, NaN elsewhere; shape [documents].
        findings: skips, batches that are not finished, documents that nobody asked for.
    """

    batch: int
    shares: FloatArray
    asked: IntArray
    answered: IntArray
    counted: BoolArray
    weight: FloatArray
    findings: tuple[Finding, ...]


def find_reached(plan: SavedPlan, labels: FirstLabels, judged: BoolArray, *, keep_pilot: bool = False) -> Reached:
    """How far the second judgments have come, and the weights that belong to this moment.

    Weights are those of the shares reached at the end of the last finished batch, never those of the whole plan. A
    batch is finished when at most a tenth of its documents lack a judgment; those are taken as skipped.

    Args:
        plan: the plan.
        labels: the first labels, which must be those of the plan.
        judged: whether a document has second judgments; shape [documents].
        keep_pilot: also use documents that the plan did not ask for; all are weighed by the share judged of their topic
            and level, which is right where a cell's documents were chosen at random.

    Raises:
        DataError: the first labels are not those of the plan, or not even the first batch is finished.
    """
    if labels.digest != plan.digest:
        raise DataError(
            "The first labels are not those of the plan: a label changed, or documents came or went, so the "
            "probabilities of the plan no longer hold. Use the labels it was made from, or make a new plan."
        )
    keys = labels.keys(plan.seed)
    batch = find_batches(keys, labels.level, plan.shares)
    count = len(plan.shares)
    asked = np.bincount(batch, minlength=count + 1)[1:]
    answered = np.bincount(batch[judged], minlength=count + 1)[1:]
    finished = answered >= FINISHED * asked
    last = count if finished.all() else int(np.argmin(finished))
    findings: list[Finding] = []
    outside = int((judged & (batch == 0)).sum())
    if keep_pilot:
        return _keep_all(labels, judged, last, plan)
    if last == 0:
        raise DataError(
            f"Batch 1 is not finished: {answered[0]:,} of its {asked[0]:,} documents are judged. A batch must be "
            "finished in all topics before its judgments say anything."
        )
    if outside:
        said = (
            f"{outside:,} documents were judged a second time that the plan did not ask for, such as those of an "
            f"earlier pilot. They serve for guesses and are left out here; {option('keep_pilot', True)} weighs them by "
            "their share."
        )
        findings.append(Finding("outside-plan", said))
    begun = int(answered[last:].sum())
    if begun:
        said = (
            f"Batch {last + 1} is not finished: {int(answered[last]):,} of its {counted(int(asked[last]), 'document')} "
            f"are judged. {counted(begun, 'judgment')} of batches that are not finished "
            f"{'is' if begun == 1 else 'are'} left out until they are, in all topics."
        )
        findings.append(Finding("batch-unfinished", said))
    counts = (batch > 0) & (batch <= last)
    by_level = [np.bincount(labels.level[rows], minlength=len(labels.levels)) for rows in (counts, counts & judged)]
    findings += _notice_skips(labels, *by_level)
    shares = plan.shares[last - 1]
    chance = shares[labels.level]
    weight = np.where(counts, 1 / np.where(chance > 0, chance, np.nan), np.nan)
    return Reached(last, shares, by_level[0], by_level[1], counts & judged, weight, tuple(findings))


def _keep_all(labels: FirstLabels, judged: BoolArray, last: int, plan: SavedPlan) -> Reached:
    size = np.bincount(labels.cell, minlength=labels.sizes.size)
    found = np.bincount(labels.cell[judged], minlength=labels.sizes.size)
    weight = np.where(judged, size[labels.cell] / np.maximum(found[labels.cell], 1), np.nan)
    asked = np.bincount(labels.level[judged], minlength=len(labels.levels))
    said = (
        f"All {int(judged.sum()):,} documents judged twice are used, weighed by the share of their topic and level "
        "that was judged: right where a cell's documents were chosen at random."
    )
    shares = plan.shares[last - 1] if last else np.zeros(len(labels.levels))
    return Reached(last, shares, asked, asked, judged, weight, (Finding("pilot-kept", said),))


def _notice_skips(labels: FirstLabels, asked: IntArray, answered: IntArray) -> list[Finding]:
    skipped = int((asked - answered).sum())
    if not skipped:
        return []
    rates = ", ".join(
        f"{name} {count / total:.1%}"
        for name, count, total in zip(labels.levels.names, answered.tolist(), asked.tolist(), strict=True)
        if total
    )
    many = bool(np.any((asked - answered) > MANY_SKIPPED * asked))
    have = "has" if skipped == 1 else "have"
    said = (
        f"{counted(skipped, 'document')} that {'was' if skipped == 1 else 'were'} asked for {have} no second judgment; "
        f"answered by first label: {rates}."
    )
    if many:
        said += (
            " Skips are not random: if what was skipped is harder, the probabilities are wrong, and nothing shows it."
        )
    return [Finding("many-skipped" if many else "some-skipped", said)]
