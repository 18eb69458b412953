"""Quality curves, and what the choice by one side's labels does to them (T11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

from gainsayer.datasets import FEDWEB13_LEVELS, FEDWEB13_PAGES
from gainsayer.errors import CallError, DataError, PairingError
from gainsayer.model import count_pairs, estimate_disagreement, predict_relevance
from gainsayer.ranking import (
    RankedDocuments,
    Returned,
    pool_documents,
    rank_documents,
    returned_by_rows,
    returned_by_rule,
)
from gainsayer.reading import Judgments, collect_judgments, read_judgments, read_run, source_from_frame
from gainsayer.studies import EntrySteps, enter_by_resources, enter_by_runs, study_quality

RESOURCES, RESULTS, TOPICS = 12, 10, 400
SYMMETRIC = (np.array(FEDWEB13_PAGES) + np.array(FEDWEB13_PAGES).T) / (2 * np.sum(FEDWEB13_PAGES))


def match(judgments: Judgments, *tables: Mapping[str, Mapping[str, float]]) -> list[RankedDocuments]:
    """Where runs put the judged documents."""
    pool = pool_documents(judgments)
    return [rank_documents(read_run(table), pool) for table in tables]


@pytest.fixture(scope="module")
def alike() -> tuple[Judgments, Returned]:
    """Resources that do not differ at all: every result's two labels come from one joint distribution."""
    size = TOPICS * RESOURCES * RESULTS
    cell = np.random.default_rng(11).choice(16, p=SYMMETRIC.ravel(), size=size)
    number = np.arange(size)
    names = pl.DataFrame({"n": number}).select(
        topic="q" + (pl.col("n") // (RESOURCES * RESULTS)).cast(pl.String),
        resource="r" + (pl.col("n") // RESULTS % RESOURCES).cast(pl.String),
        document="d" + pl.col("n").cast(pl.String),
    )
    frames = [
        names.select("topic", "document").with_columns(
            assessor=pl.lit(name), label=pl.Series(FEDWEB13_LEVELS.names).gather(label)
        )
        for name, label in zip(("U1", "U2"), np.divmod(cell, 4), strict=True)
    ]
    judgments = collect_judgments([source_from_frame("alike", pl.concat(frames))], levels=FEDWEB13_LEVELS, roles=True)
    return judgments, returned_by_rows(names.select("topic", "resource", "document").iter_rows())


def expected_first_step() -> tuple[np.ndarray, np.ndarray]:
    """p(Key|i) that eqs. (5) and (4) approach for the best of the resources, from the distribution of a maximum."""
    margin = SYMMETRIC.sum(axis=1)
    rate = margin[2:].sum()
    good = (RESULTS - np.sum(binom.cdf(np.arange(RESULTS), RESULTS, rate) ** RESOURCES)) / RESULTS
    share = np.concatenate([margin[:2] / (1 - rate) * (1 - good), margin[2:] / rate * good])
    chosen = share[:, None] * SYMMETRIC / margin[:, None]
    both = chosen + chosen.T
    return both[:, 3] / both.sum(axis=1), chosen[:, 3] / chosen.sum(axis=1)


def test_identical_resources_make_the_symmetric_curve_fall_and_leave_the_one_sided_flat(
    alike: tuple[Judgments, Returned],
) -> None:
    """(5) starts where order statistics say and falls to the truth; (4) is the truth throughout (T11)."""
    judgments, returned = alike
    entry = enter_by_resources(judgments, returned, FEDWEB13_LEVELS.at_or_above("HRel"), reference=["U1"])
    study = study_quality(judgments, entry, FEDWEB13_LEVELS.at_or_above("Key"))
    truth = SYMMETRIC[:, 3] / SYMMETRIC.sum(axis=1)
    symmetric, one_sided = expected_first_step()
    assert study.steps[[0, -1]].tolist() == [1, RESOURCES]
    assert np.all(np.abs(study.symmetric[0] - symmetric) < 4 * study.symmetric_error[0])
    assert np.all(np.abs(study.one_sided[0] - one_sided) < 4 * study.one_sided_error[0])
    assert one_sided == pytest.approx(truth)
    assert np.all(np.abs(study.symmetric[-1] - truth) < 4 * study.symmetric_error[-1])
    # Key, Rel and Non fall, as in the specification's own simulation.
    for level in (0, 1, 3):
        assert symmetric[level] > 1.04 * truth[level]
        assert study.symmetric[0, level] > study.symmetric[-1, level] + study.symmetric_error[0, level]
        assert np.abs(study.one_sided[:, level] - truth[level]).max() < 4 * study.one_sided_error[0, level]
    assert [finding.code for finding in study.findings] == ["selected-by-one-side"]
    assert "The labels of U1 decided which results come first" in study.findings[0].message


def test_an_order_that_no_label_has_made_leaves_both_flat(alike: tuple[Judgments, Returned]) -> None:
    """With a random order of the results both estimates are the truth from the start, and there is no warning."""
    judgments, _ = alike
    step = np.random.default_rng(3).integers(1, RESOURCES + 1, size=judgments.items).astype(float)
    study = study_quality(judgments, EntrySteps("depth", "", step, False), FEDWEB13_LEVELS.at_or_above("Key"))
    truth = SYMMETRIC[:, 3] / SYMMETRIC.sum(axis=1)
    for values, error in ((study.symmetric, study.symmetric_error), (study.one_sided, study.one_sided_error)):
        assert np.all(np.abs(values - truth) < 4.5 * error)
    assert study.findings == ()


def test_the_last_step_is_the_estimate_from_all_results(alike: tuple[Judgments, Returned]) -> None:
    """Where everything enters, values and errors are those of `predict_relevance`."""
    judgments, returned = alike
    entry = enter_by_resources(judgments, returned, FEDWEB13_LEVELS.at_or_above("HRel"))
    relevance = FEDWEB13_LEVELS.at_or_above("HRel")
    study = study_quality(judgments, entry, relevance, steps=[3, RESOURCES])
    counts = count_pairs(judgments)
    for estimator, value, error in (
        ("symmetric", study.symmetric, study.symmetric_error),
        ("one-sided", study.one_sided, study.one_sided_error),
    ):
        whole = predict_relevance(estimate_disagreement(counts, estimator=estimator), relevance)  # type: ignore[arg-type]
        assert value[-1] == pytest.approx(whole.probability)
        assert error[-1] == pytest.approx(whole.topic)
    assert study.pairs.tolist() == [TOPICS * 3 * RESULTS, TOPICS * RESOURCES * RESULTS]
    assert study.topics.tolist() == [TOPICS, TOPICS]


def test_a_step_before_the_first_pair_has_no_estimate(judge: Callable[..., Judgments]) -> None:
    """Asked for a step without pairs, the study says 0 pairs and not a number; by default it begins at the first."""
    rows = [("q", document, name, level) for name, level in (("U1", "0"), ("U2", "1")) for document in ("a", "b")]
    judgments = judge(rows)
    step = np.full(judgments.items, 4.0)
    step[judgments.item[0]] = 2.0
    entry = EntrySteps("depth", "", step, False)
    relevance = judgments.levels.at_or_above("1")
    study = study_quality(judgments, entry, relevance, steps=[1, 2, 4])
    assert study.pairs.tolist() == [0, 1, 2]
    assert np.isnan(study.symmetric[0]).all()
    assert study_quality(judgments, entry, relevance).steps.tolist() == [2, 3, 4]


def test_assessors_who_judged_nothing_early_do_no_harm(judge: Callable[..., Judgments]) -> None:
    """Fixed pairs of assessors, of whom one pair judged late results only: the early steps use the other pair."""
    rows = [("q1", "a", "A1", "1"), ("q1", "a", "A2", "1"), ("q2", "b", "B1", "0"), ("q2", "b", "B2", "1")]
    judgments = judge(rows)
    step = np.where(np.arange(judgments.items) == judgments.item[0], 2.0, 1.0)
    study = study_quality(
        judgments,
        EntrySteps("depth", "", step, False),
        judgments.levels.at_or_above("1"),
        first=["A1", "B1"],
        second=["A2", "B2"],
        steps=[1, 2],
    )
    assert study.pairs.tolist() == [1, 2]
    assert study.one_sided[0, 0] == 1.0


def test_what_cannot_be_studied_is_said(judge: Callable[..., Judgments]) -> None:
    """No sides, no runs, foreign documents, wrong steps: each is refused in words."""
    rows = [("q", document, name, "1") for name in ("U1", "U2") for document in ("a", "b")]
    judgments = judge([*rows, ("q", "c", "U1", "0")])
    levels = judgments.levels
    relevance = levels.at_or_above("1")
    with pytest.raises(CallError, match="No runs were given: results enter by where runs put them"):
        enter_by_runs(judgments, [])
    with pytest.raises(DataError, match="no run returned a judged document"):
        enter_by_runs(judgments, match(judgments, {"q": {"z": 1.0}}))
    with pytest.raises(DataError, match="no judged document was returned by a resource"):
        enter_by_resources(judgments, returned_by_rows([("q", "r", "z")]), relevance)
    with pytest.raises(CallError, match="At least one result of each resource must count"):
        enter_by_resources(judgments, returned_by_rows([("q", "r", "a")]), relevance, results=0)
    with pytest.raises(CallError, match="metarank or by depth, found 'size'"):
        enter_by_runs(judgments, match(judgments, {"q": {"a": 1.0}}), by="size")  # type: ignore[arg-type]
    entry = enter_by_runs(judgments, match(judgments, {"q": {"a": 1.0}}), by="depth")
    with pytest.raises(CallError, match=r"Steps are whole numbers from 1 to .*, found \[0\]"):
        study_quality(judgments, entry, relevance, steps=[0])
    only = enter_by_runs(judgments, match(judgments, {"q": {"c": 1.0}}), by="depth")
    with pytest.raises(PairingError, match="None of the 2 documents that both sides judged"):
        study_quality(judgments, only, relevance)
    crowd = judge([*rows, ("q", "a", "U3", "0")])
    with pytest.raises(CallError, match="A quality curve is about two sides"):
        study_quality(crowd, EntrySteps("depth", "", np.ones(crowd.items), False), relevance)


def test_resources_by_rule_order_as_fedweb_did() -> None:
    """Ids of the form resource-topic-rank: the resource with more results of level 1 or higher enters first."""
    labels = {"e1-7-01": 0, "e1-7-02": 1, "e2-7-01": 1, "e2-7-02": 2}
    judgments = read_judgments({"U1": {"7": labels}, "U2": {"7": dict.fromkeys(labels, 1)}})
    returned = returned_by_rule(judgments, r"(?P<resource>.+)-\d+-(?P<rank>\d+)")
    entry = enter_by_resources(judgments, returned, judgments.levels.at_or_above("1"))
    study = study_quality(judgments, entry, judgments.levels.at_or_above("2"))
    assert study.pairs.tolist() == [2, 4]
    assert study.one_sided[0].tolist()[1:] == [0.0, 0.0]


def test_only_the_first_results_of_a_resource_enter() -> None:
    """Results beyond the asked number, and of no resource, never come in; a shared one enters with the better."""
    judgments = read_judgments({"U": {"q": {"a": 1, "b": 1, "c": 0, "x": 1}}})
    rows = [("q", "r1", "c"), ("q", "r1", "b"), ("q", "r2", "a"), ("q", "r2", "c")]
    entry = enter_by_resources(judgments, returned_by_rows(rows), judgments.levels.at_or_above("1"), results=1)
    step = dict(zip(judgments.document, entry.step[judgments.item].tolist(), strict=True))
    assert step == {"a": 1.0, "b": np.inf, "c": 2.0, "x": np.inf}


def test_metarank_and_depth_are_those_of_brute_force() -> None:
    """Best rank, and exp(mean log rank) with missing results one below the last, computed one by one."""
    rng = np.random.default_rng(4)
    documents = [f"d{number}" for number in range(12)]
    judged = {topic: {name: int(rng.integers(2)) for name in documents[:8]} for topic in ("q1", "q2", "q3")}
    judgments = read_judgments({"U": judged})
    tables = []
    for _ in range(5):
        tables.append(
            {
                topic: {str(name): float(rng.integers(4)) for name in rng.choice(documents, size=6, replace=False)}
                for topic in rng.permutation(["q1", "q2", "q9"])[:2]
            }
        )
    runs = match(judgments, *tables)
    depth, meta = (enter_by_runs(judgments, runs, by=by).step[judgments.item] for by in ("depth", "metarank"))
    for row, (topic, document) in enumerate(zip(judgments.topic, judgments.document, strict=True)):
        places, logs = [], []
        for table in tables:
            scores = table.get(judgments.topics[topic], {})
            if not scores:  # a run that lacks the topic says nothing about it
                continue
            order = sorted(scores, key=lambda name: (scores[name], name), reverse=True)
            place = order.index(document) + 1 if document in order else None
            places.append(np.inf if place is None else place)
            logs.append(np.log(place or len(order) + 1))
        assert depth[row] == min(places, default=np.inf)
        assert meta[row] == (pytest.approx(np.exp(np.mean(logs))) if logs else np.inf)


def test_steps_of_a_part_are_those_of_the_whole() -> None:
    """The steps of a stratum's documents, computed once for all topics, are those computed for it alone."""
    judgments = read_judgments({"U1": {"q2": {"b": 1, "a": 0}, "q1": {"a": 1, "c": 0}}, "U2": {"q2": {"a": 1}}})
    tables = [{"q1": {"a": 2.0, "c": 1.0}, "q2": {"a": 1.0, "x": 2.0}}, {"q2": {"b": 1.0}}]
    whole = enter_by_runs(judgments, match(judgments, *tables))
    part = judgments.rows(judgments.topic == judgments.topics.index("q2"))
    alone = enter_by_runs(part, match(part, *tables))
    assert whole.of_part(judgments, part).step.tolist() == alone.step.tolist()
