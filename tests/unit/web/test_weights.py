"""Weights on plans whose topics lack documents in some batch: page, export and `fit --plan` say the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from tests.judging.studies import LEVELS, NOW, write_plan

import gainsayer as gs
from gainsayer.levels import Levels
from gainsayer.planning.sampling import FirstLabels, find_batches, read_plan
from gainsayer.web.monitor import CONFIDENCE, estimate
from gainsayer.web.second_round import Event, Planned, Round, export_csv, second_judgments
from gainsayer.web.study import Study

PEOPLE = ["Ann", "Ben", "Cleo", "Dan"]
BATCHES = 4


@dataclass(frozen=True)
class Case:
    """A study of topics so small that most lack documents in some batch, with some of it answered."""

    labels: FirstLabels
    plan: dict[str, Any]
    second: Round
    shares: npt.NDArray[np.float64]

    def fit(self, **more: Any) -> Any:
        """What `fit` gives on the exported file."""
        names = [self.labels.topics[topic] for topic in self.labels.topic]
        levels = [str(level) for level in self.labels.level]
        first = {"topic": names, "document": self.labels.document, "assessor": "first", "level": levels}
        exported = pl.read_csv(export_csv(self.second).encode(), infer_schema=False)
        people = sorted(set(exported["assessor"]))
        return gs.fit(
            *(pl.DataFrame(first), exported.with_columns(pl.col("weight").cast(pl.Float64))),
            **{"relevant": ["1", "2"], "first": ["first"], "second": people, "estimator": "one-sided"} | more,
        )


def make_case(seed: int, batches: float, skips: float) -> Case:
    """So many batches answered in the page's order, topic after topic; a fraction is a batch that is not finished."""
    draw = np.random.default_rng(seed)
    topics = tuple(f"t{number}" for number in range(12))
    topic = np.repeat(np.arange(12), draw.integers(1, 9, 12))
    level = draw.integers(0, 3, len(topic))
    names = tuple(f"d{number}" for number in range(len(topic)))
    labels = FirstLabels(Levels(("0", "1", "2")), topics, topic, names, level)
    shares = np.cumsum(draw.uniform(0.1, 0.24, (BATCHES, 3)), axis=0)
    plan = write_plan("012", ["1", "2"], [dict(zip("012", map(float, row), strict=True)) for row in shares], within=0.1)
    plan |= {"seed": seed, "list": {"file": "plan.list.csv", "digest": labels.digest}}
    batch = find_batches(labels.keys(seed), level, shares)
    items = {
        number: Planned(topics[topic[number]], names[number], int(batch[number]), int(level[number]))
        for number in np.flatnonzero(batch).tolist()
    }
    events: list[Event] = []
    for step in range(1, BATCHES + 1):
        numbers = [number for number, planned in items.items() if planned.batch == step]
        turn = {name: draw.random() for name in topics}
        numbers.sort(key=lambda number: (turn[items[number].topic], draw.random()))
        for number in numbers[: round(len(numbers) * min(max(batches - step + 1, 0), 1))]:
            kind = "skip" if draw.random() < skips else "level"
            said = int(draw.integers(0, 3)) if kind == "level" else None
            who = PEOPLE[(topic[number] + step) % 4]
            events.append(Event(len(events) + 1, who, number, kind, said, "", None, NOW))
    study = Study("trial", read_plan(plan), LEVELS, ("1", "2"), 1, None, None, None)
    return Case(labels, plan, Round(study, items, events, PEOPLE), shares)


@pytest.mark.parametrize("batches", [1, 2, 4])
def test_when_a_batch_ends_page_export_and_plan_agree(batches: int) -> None:
    """Fifty studies, most topics with an empty batch: every weight is 1 / the share reached, and so is every number."""
    empty = 0
    for seed in range(50):
        case = make_case(seed, batches, 0)
        words = case.second.last_words()
        weights = case.second.weights(words)
        reached = case.shares[batches - 1]
        assert [weights[one.item] for one in words] == pytest.approx(
            [1 / reached[case.labels.level[one.item]] for one in words], abs=1e-12
        )
        blocks = {(planned.topic, planned.batch) for planned in case.second.items.values()}
        empty += len({topic for topic, _ in blocks}) * BATCHES - len(blocks)
        page = estimate(case.second, CONFIDENCE)
        assert page is not None
        mine = page.predict().probability
        assert mine == pytest.approx(case.fit().predict().probability, abs=1e-12, nan_ok=True)
        assert mine == pytest.approx(case.fit(plan=case.plan).predict().probability, abs=1e-12, nan_ok=True)
    assert empty > 300


@pytest.mark.parametrize("batches", [0.7, 1.5, 3.2, 4])
def test_with_skips_and_unfinished_batches_page_and_export_agree(batches: float) -> None:
    """Fifty studies: `fit` on the export gives the page's numbers; without skips, weights are the plan's."""
    for seed in range(50):
        case = make_case(seed, batches, 0.1)
        words = case.second.last_words()
        weights = case.second.weights(words)
        assert weights == pytest.approx(weigh_by_hand(case, words), abs=1e-12)
        exported = {(row["topic"], row["document"]): row["weight"] for row in second_judgments(case.second)}
        assert exported == {(case.second.items[n].topic, case.second.items[n].document): w for n, w in weights.items()}
        skipped = {case.second.items[one.item].topic for one in words if one.kind == "skip"}
        for one in words:
            if batches == BATCHES and one.kind == "level" and case.second.items[one.item].topic not in skipped:
                assert weights[one.item] == pytest.approx(1 / case.shares[-1][case.labels.level[one.item]], abs=1e-12)
        page = estimate(case.second, CONFIDENCE)
        if page is not None:
            fitted = case.fit().predict().probability
            assert page.predict().probability == pytest.approx(fitted, abs=1e-12, nan_ok=True)


def weigh_by_hand(case: Case, words: list[Event]) -> dict[int, float]:
    """The formula of the module, block by block."""
    items, found = case.second.items, {}
    for one in words:
        if one.kind == "skip":
            continue
        reached = 0.0
        for step in range(BATCHES):
            here = [n for n, planned in items.items() if planned.batch == step + 1]
            mine = [n for n in here if items[n].topic == items[one.item].topic]
            judged = [other.item for other in words if other.kind == "level" and other.item in mine]
            part = len(judged) / len(mine) if mine else sum(other.item in here for other in words) / max(len(here), 1)
            level = case.labels.level[one.item]
            reached += (case.shares[step, level] - (case.shares[step - 1, level] if step else 0)) * part
        found[one.item] = 1 / reached
    return found


def test_a_batch_that_nobody_needs_is_over_with_the_one_before() -> None:
    """A step of the plan that asks for no document at all changes nothing until the one before it is answered."""
    items = {number: Planned("t", f"d{number}", 1 + 2 * (number // 2), 0) for number in range(6)}  # batches 1, 3, 5
    steps = [dict.fromkeys("012", share) for share in (0.2, 0.3, 0.5, 0.6, 0.9)]
    study = Study("trial", read_plan(write_plan("012", ["1"], steps)), LEVELS, ("1",), 1, None, None, None)
    for answered, share in ((2, 0.3), (4, 0.6), (6, 0.9)):
        events = [Event(number + 1, "Ann", number, "level", 1, "", None, NOW) for number in range(answered)]
        second = Round(study, items, events, ["Ann"])
        assert second.weights(second.last_words()) == pytest.approx(dict.fromkeys(range(answered), 1 / share))


@pytest.mark.parametrize("part", [0.2, 0.5, 0.8])
def test_an_empty_batch_counts_as_far_as_the_others_are(part: float) -> None:
    """Stopped anywhere, with answers that depend on the topic's size: the weighted share of relevant is off by < .02.

    An empty batch that counted as done from the beginning would be off by .08, .05 and .02; one that counted only at
    the end of its batch by 0, -.02 and -.01 (400 draws of 60 topics; decision 0029).
    """
    draw = np.random.default_rng(1)
    share = np.array([0.15, 0.3, 0.45])
    size = draw.integers(1, 9, 60)
    likely = np.where(size > 4, 0.8, 0.2)
    plan = read_plan(write_plan("012", ["1"], [dict.fromkeys("012", float(one)) for one in share]))
    study = Study("trial", plan, LEVELS, ("1",), 1, None, None, None)
    found = []
    for _ in range(400):
        items, asked = {}, []
        for topic in range(60):
            batch = 1 + np.searchsorted(share, (np.arange(size[topic]) + draw.random()) / size[topic])
            for number in np.flatnonzero(batch <= 3).tolist():
                items[topic * 10 + number] = Planned(str(topic), str(number), int(batch[number]), 0)
        for step in (1, 2, 3):
            turn = draw.permutation(60)
            asked += sorted((n for n, one in items.items() if one.batch == step), key=lambda n: turn[n // 10])
        events = [Event(n, "Ann", n, "level", 1, "", None, NOW) for n in asked[: int(part * len(asked))]]
        second = Round(study, items, events, ["Ann"])
        weights = second.weights(events)
        found.append(sum(w * likely[n // 10] for n, w in weights.items()) / sum(weights.values()))
    assert np.mean(found) == pytest.approx((size * likely).sum() / size.sum(), abs=0.02)
