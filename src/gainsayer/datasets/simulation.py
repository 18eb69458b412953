"""Collections drawn from known parameters: judgments, runs, and the parameters they were drawn from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from gainsayer.datasets.checks import FloatArray, check_count, check_distribution, check_names
from gainsayer.datasets.design import (
    BoolArray,
    Design,
    IntArray,
    RunDesign,
    SecondRound,
    deal_topics,
    draw_design,
    draw_runs,
    rank_scores,
)
from gainsayer.datasets.label_models import JointModel, LabelArray, LatentModel
from gainsayer.datasets.machine_judge import MachineJudge, draw_grades
from gainsayer.datasets.paper import FEDWEB13_LEVELS
from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.reading.judgments import Judgments, collect_judgments
from gainsayer.reading.source import source_from_frame
from gainsayer.result import Result
from gainsayer.table import Column, Json, Table, plain
from gainsayer.text import option
from gainsayer.words import counted, name_relevance


@dataclass(frozen=True, eq=False)
class Truth:
    """The parameters that estimates should find, exact.

    Args:
        joint: J, the probability of a first and a second label, shape [levels, levels].
        one_sided: p(j|i) = J[i, j] / J[i, .], eq. (4), shape [levels, levels]; rows are the observed label.
        symmetric: the same from J + J', eq. (5).

    A level that never occurs has a row of NaN. The probability of relevance is a sum over a row:

    >>> truth = Truth.of(np.array([[4, 1, 1], [3, 4, 3], [0, 2, 2]]) / 20)
    >>> (truth.one_sided @ Levels(("0", "1", "2")).at_or_above("2").indicator).round(4).tolist()
    [0.1667, 0.3, 0.5]
    >>> truth.symmetric[:, 2].round(4).tolist()
    [0.0769, 0.2941, 0.4]
    """

    joint: FloatArray
    one_sided: FloatArray
    symmetric: FloatArray

    @classmethod
    def of(cls, joint: FloatArray) -> Truth:
        """The parameters that belong to a joint distribution of labels."""
        return cls(joint, _rows(joint), _rows(joint + joint.T))


def _rows(matrix: FloatArray) -> FloatArray:
    total = matrix.sum(axis=1, keepdims=True)
    rows = np.full(matrix.shape, np.nan)
    np.divide(matrix, total, out=rows, where=total > 0)
    return rows


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedCollection(Result):
    """A collection drawn from known parameters; made by `simulate` and `simulate_collection`.

    Args:
        levels: the levels, from low to high.
        judgments: the first round on every topic, the second on some; without weights, as the files are.
        first: assessors of the first side.
        second: assessors of the second side.
        second_topics: the topics judged twice, sorted.
        inclusion: the probability that a document of a doubly judged topic is judged again, by its first level; what
            `weigh_second_round` asks for (T6).
        runs: run name to a table `topic, document, rank, score`, best document first.
        strata: topic to stratum, or None.
        truth: the parameters over all topics of the collection.
        stratum_truth: the parameters of each stratum, or None without strata.
        seed: the whole number from which the same call draws the same collection again.
        options: everything that was asked, as plain data.
        machine: a machine's grades of the whole pool, one judgment per call; None where there is no machine.
    """

    levels: Levels
    judgments: Judgments
    first: tuple[str, ...]
    second: tuple[str, ...]
    second_topics: tuple[str, ...]
    inclusion: Mapping[str, float]
    runs: Mapping[str, pl.DataFrame]
    strata: Mapping[str, str] | None
    truth: Truth
    stratum_truth: Mapping[str, Truth] | None
    seed: int
    options: Mapping[str, Any]
    machine: Judgments | None = None

    def about(self) -> str:
        """How much there is of it."""
        judged = f"{counted(len(self.judgments), 'judgment')}, {counted(len(self.judgments.topics), 'topic')}"
        return f"{judged}, {len(self.second_topics):,} judged twice, {counted(len(self.runs), 'run')}, seed {self.seed}"

    def tables(self) -> list[Table]:
        """The true p(R|i) of the symmetric estimate, a column per threshold."""
        chosen = [self.levels.at_or_above(name) for name in reversed(self.levels.names[1:])]
        columns = (
            Column("level", self.levels.names, "Grade", narrow="shorten"),
            *(
                Column(one.name, self.truth.symmetric @ one.indicator, f"R = {name_relevance(one)}", 4)
                for one in chosen
            ),
        )
        return [Table(f"True p(R|level); {self.judgments!r}", columns, "truth")]

    def document(self) -> dict[str, Json]:
        """The true parameters as plain data."""
        return {
            "levels": list(self.levels.names),
            "one_sided": plain(self.truth.one_sided),
            "symmetric": plain(self.truth.symmetric),
            "seed": self.seed,
        }


LabelModel = JointModel | LatentModel


def simulate_collection(
    model: LabelModel | Mapping[str, LabelModel] | None = None,
    *,
    levels: Levels | Sequence[str] | None = None,
    topics: int = 50,
    documents: int = 100,
    assessors: int = 2,
    second: SecondRound | None = None,
    runs: RunDesign | None = None,
    strata: Mapping[str, float] | None = None,
    machine: MachineJudge | None = None,
    seed: int | np.random.Generator = 0,
) -> SimulatedCollection:
    """A collection of judgments and runs whose parameters are known exactly.

    The first side judges every document of every topic's pool, the second side those of the second round. Two
    assessors are called `first` and `second`. Of more, half are the first side (`first1`, ...) and the rest the
    second (`second1`, ...); the assessors of a side take the topics in turn, and one assessor reads a whole topic.

    Assumes equally large pools, and documents outside the pool that are like those inside. The truth is *not* that of
    the topics and assessors which happened to be drawn, but of the population they come from, in which strata have the
    shares of this collection's topics.

    Args:
        model: how labels arise: `LatentModel` (the default) or `JointModel`; or one model per stratum.
        levels: the levels from low to high; by default Non, Rel, HRel, Key, or numbers where there are not four.
        topics: number of topics.
        documents: documents in each topic's pool.
        assessors: number of assessors; the joint model knows two.
        second: which documents are judged twice; by default the whole pool of 24 topics in 50.
        runs: which runs to draw; by default five of falling quality, 100 documents deep, 5 % unjudged.
        strata: name and share of each stratum, such as `{"nav": 0.4, "inf": 0.6}`; topics are dealt out in these
            shares, rounded to whole topics. The strata share one model, unless `model` has one for each.
        machine: a machine that grades every document of the pool, and which runs are close to it; None for none.
        seed: a whole number, or a generator from which one is drawn; the result records it.

    Raises:
        CallError: something asked is out of range or does not fit together.

    >>> collection = simulate_collection(topics=10, documents=20, seed=1)
    >>> collection
    SimulatedCollection(300 judgments, 10 topics, 5 judged twice, 5 runs, seed 1)
    >>> collection.truth.symmetric[3].round(2).tolist()
    [0.09, 0.13, 0.25, 0.53]
    """
    second, runs = second or SecondRound(), runs or RunDesign()
    shares = {"all": 1.0}
    if strata is not None:
        check_names(strata, "Stratum")
        weights = check_distribution(list(strata.values()), "The shares of the strata")
        shares = dict(zip(strata, weights.tolist(), strict=True))
    models = _models(LatentModel() if model is None else model, tuple(shares), strata is not None)
    found = _levels(levels, models)
    check_count(topics, "The number of topics")
    check_count(documents, "The number of documents per topic")
    _check_assessors(assessors, second, models)
    number = int(seed.integers(2**63)) if isinstance(seed, np.random.Generator) else seed
    check_count(number, "The seed", least=0)
    # A stream for each step, so that a change in one leaves the chance of the others as it is.
    for_design, for_labels, for_choice, for_runs, for_machine = np.random.SeedSequence(int(number)).spawn(5)

    dealt = deal_topics(shares, topics)
    design = draw_design(np.random.default_rng(for_design), dealt, assessors, second)
    total = documents + runs.unjudged_documents(documents)
    signal, labels = _draw_labels(models, design, total, np.random.default_rng(for_labels))
    inclusion = second.inclusion(found)
    probability = np.array(list(inclusion.values()))[labels[0, :, :documents]]
    again = design.twice[:, None] & (np.random.default_rng(for_choice).random(probability.shape) < probability)

    names = [f"q{topic:0{max(2, len(str(topics)))}}" for topic in range(1, topics + 1)]
    ids = _document_ids(names, documents, total - documents)
    stratum = np.array(list(shares))[design.stratum].tolist()
    frame = _judgment_frame(labels[:, :, :documents], again, design, found, names, ids)
    in_strata = None if strata is None else dict(zip(names, stratum, strict=True))
    if in_strata is not None:
        frame = frame.with_columns(stratum=pl.col("topic").replace_strict(in_strata, return_dtype=pl.String))
    source = source_from_frame("simulation", frame)
    joints = np.array([chosen.distribution() for chosen in models])
    joint = np.average(joints, axis=0, weights=dealt)
    grades = None
    if machine is None:
        drawn = draw_runs(runs, signal, pl.Series(names), ids, for_runs)
    else:
        rng, shares_of_people = np.random.default_rng(for_machine), (joint.sum(axis=0) + joint.sum(axis=1)) / 2
        style, calls = draw_grades(machine, signal, shares_of_people, rng)
        tastes = dict.fromkeys(machine.tasteful_of(list(runs.named())), machine.shared)
        drawn = draw_runs(runs, signal, pl.Series(names), ids, for_runs, style=style, tastes=tastes)
        if machine.reranker is not None:  # equal grades in an order of its own
            score = np.round(calls.mean(axis=0) + 0.9 / machine.calls * rng.random(signal.shape), 6)
            drawn[machine.reranker] = rank_scores(score, pl.Series(names), ids, runs.depth)
        grades = _machine_judgments(machine, calls[:, :, :documents], found, names, ids)
    return SimulatedCollection(
        levels=found,
        judgments=collect_judgments([source], levels=found, roles=True),
        first=design.first,
        second=design.second,
        second_topics=tuple(name for name, twice in zip(names, design.twice, strict=True) if twice),
        inclusion=inclusion,
        runs=drawn,
        strata=in_strata,
        truth=Truth.of(joint),
        stratum_truth=None if strata is None else dict(zip(shares, map(Truth.of, joints), strict=True)),
        seed=int(number),
        machine=grades,
        options={
            "models": {
                name: {"kind": chosen.kind, **_plain(chosen)} for name, chosen in zip(shares, models, strict=True)
            },
            "topics": int(topics),
            "documents": int(documents),
            "assessors": int(assessors),
            "second": _plain(second),
            "runs": _plain(runs) | {"qualities": dict(runs.named())},
            "strata": None if strata is None else shares,
            **({} if machine is None else {"machine": _plain(machine)}),
        },
    )


def _plain(asked: LabelModel | SecondRound | RunDesign | MachineJudge) -> dict[str, Any]:
    """What was asked, as JSON can hold it."""
    found: dict[str, Any] = json.loads(json.dumps(asdict(asked), default=lambda value: value.tolist()))
    return found


def _models(
    model: LabelModel | Mapping[str, LabelModel], names: tuple[str, ...], divided: bool
) -> tuple[LabelModel, ...]:
    """One model per stratum, all with the same number of levels."""
    if not isinstance(model, Mapping):
        return (model,) * len(names)
    if not divided or set(model) != set(names):
        expected = ", ".join(names) if divided else "none"
        raise CallError(
            f"A model per stratum needs the same strata in both places: models are given for {', '.join(model)}, "
            f"shares for {expected}. Name each, with its share, in {option('strata')}."
        )
    models = tuple(model[name] for name in names)
    if len({chosen.size for chosen in models}) > 1:
        sizes = ", ".join(f"{name} {chosen.size}" for name, chosen in zip(names, models, strict=True))
        raise CallError(f"The models of all strata need the same number of levels, found {sizes}.")
    return models


def _levels(levels: Levels | Sequence[str] | None, models: tuple[LabelModel, ...]) -> Levels:
    size = models[0].size
    if levels is None:
        return Levels(FEDWEB13_LEVELS.names if size == len(FEDWEB13_LEVELS) else tuple(map(str, range(size))))
    found = levels if isinstance(levels, Levels) else Levels(tuple(levels))
    if len(found) != size:
        raise CallError(f"The model has {size} levels, but {len(found)} are named: {', '.join(found.names)}.")
    return found


def _check_assessors(assessors: int, second: SecondRound, models: tuple[LabelModel, ...]) -> None:
    check_count(assessors, "The number of assessors", least=2)
    if any(isinstance(chosen, JointModel) for chosen in models) and (assessors, second.readings) != (2, 2):
        raise CallError("The joint model knows two assessors and two readings. Use LatentModel for more.")
    most = 1 + assessors - assessors // 2
    if second.readings > most:
        raise CallError(
            f"{assessors} assessors, of which {assessors // 2} read first, can give a document at most {most} "
            f"readings, found {second.readings}. Ask for fewer readings or more assessors."
        )


def _draw_labels(
    models: tuple[LabelModel, ...], design: Design, documents: int, rng: np.random.Generator
) -> tuple[FloatArray, LabelArray]:
    """What runs may know [topics, documents], and all labels [readings, topics, documents], judged or not."""
    readings, topics = design.leniency.shape
    signal = np.empty((topics, documents))
    labels = np.empty((readings, topics, documents), dtype=np.int16)
    for index, model in enumerate(models):
        member = design.stratum == index
        signal[member], labels[:, member] = model.draw(rng, documents, design.leniency[:, member])
    return signal, labels


def _document_ids(topics: list[str], pool: int, unjudged: int) -> pl.Series:
    """Ids such as `q01-d007`, and `q01-u1` outside the pool; topic by topic, ascending by bytes."""
    endings = [f"-d{number:0{len(str(pool))}}" for number in range(1, pool + 1)]
    endings += [f"-u{number:0{len(str(unjudged))}}" for number in range(1, unjudged + 1)]
    return pl.Series("document", [topic + ending for topic in topics for ending in endings], dtype=pl.String)


def _judgment_frame(
    labels: LabelArray, again: BoolArray, design: Design, levels: Levels, topics: list[str], ids: pl.Series
) -> pl.DataFrame:
    """One row per judgment, assessor by assessor: the columns of a `Source`."""
    judged = np.concatenate((np.ones_like(again)[None], np.repeat(again[None], len(labels) - 1, axis=0)))
    reading, topic, document = np.nonzero(judged)
    assessor = design.reader[reading, topic]
    order = np.argsort(assessor, kind="stable")
    label = labels[reading, topic, document][order]
    names = design.first + design.second
    return _judgment_rows(topics, ids, topic[order], document[order], names, assessor[order], levels, label)


def _machine_judgments(
    machine: MachineJudge, grades: LabelArray, levels: Levels, topics: list[str], ids: pl.Series
) -> Judgments:
    """The machine's grades of the whole pool, call after call."""
    call, topic, document = np.indices(grades.shape).reshape(3, -1)
    frame = _judgment_rows(topics, ids, topic, document, (machine.name,), np.zeros_like(call), levels, grades.ravel())
    source = source_from_frame("simulation", frame)
    return collect_judgments([source], levels=levels, repeats="all", roles=False)


def _judgment_rows(
    topics: list[str],
    ids: pl.Series,
    topic: IntArray,
    document: IntArray,
    names: tuple[str, ...],
    assessor: IntArray,
    levels: Levels,
    label: LabelArray,
) -> pl.DataFrame:
    return pl.DataFrame(
        [
            pl.Series("topic", topics).gather(topic),
            ids.gather(topic * (len(ids) // len(topics)) + document),
            pl.Series("assessor", names).gather(assessor),
            pl.Series("label", levels.names).gather(label.astype(np.int64)),
        ]
    )
