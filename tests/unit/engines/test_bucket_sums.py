"""Sums over buckets: comparisons of very many topics whose runs stay where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engines.same_bits import differences
from tests.unit.engines.topic_buckets import make_waists

import gainsayer as gs
from gainsayer.comparison import DoubleJudgments, SumAnswer, join_answers
from gainsayer.datasets import LatentModel, RunDesign, simulate_collection, write_collection
from gainsayer.engines import spark
from gainsayer.engines.bucket_sums import BucketQuestion, answer_buckets, count_groups, deal_doubles, unpack_answer
from gainsayer.engines.jobs import Job
from gainsayer.engines.packing import pack
from gainsayer.engines.waists import Waist, find_bucket, join_waists, without_hits
from gainsayer.runs import read_run

TOPICS = 4_200
NOT_GATHERED = ("provenance", "values", "advice")
"""Scores of single topics, and what rests on them, stay where the runs are."""


@dataclass(frozen=True, eq=False)
class Held:
    """Buckets in memory, in the place of a cluster; answers come in some order."""

    waists: Sequence[Waist]

    def join(self, *, hits: bool = True) -> Waist:
        """All topics."""
        return join_waists(self.waists if hits else map(without_hits, self.waists))

    def sum_over_buckets(self, question: BucketQuestion, doubles: Sequence[DoubleJudgments]) -> SumAnswer:
        """Sums, group by group."""
        buckets = len(self.waists)
        groups = count_groups(question.request.plan.topics, buckets)
        assert groups is not None
        dealt = deal_doubles(doubles, groups)
        inside = [
            [pack(waist) for n, waist in enumerate(self.waists) if n * groups // buckets == g] for g in range(groups)
        ]
        answers = [answer_buckets(waists, dealt.get(g), question) for g, waists in enumerate(inside)]
        return join_answers(unpack_answer(answer) for answer in reversed(answers))


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More topics than a comparison leaves out one by one, a part of them judged twice."""
    collection = simulate_collection(
        LatentModel(shares=(0.5, 0.3, 0.2)),
        topics=TOPICS,
        documents=5,
        runs=RunDesign({"best": 0.9, "fair": 0.5, "poor": 0.2}, depth=8),
        seed=12,
    )
    return write_collection(collection, tmp_path_factory.mktemp("many") / "collection")


def compare(folder: Path, **options: Any) -> Any:
    """The runs of the folder compared."""
    files = [str(folder / "first.qrels"), str(folder / "second.qrels")]
    runs = sorted(map(str, (folder / "runs").iterdir()))
    return gs.compare(files, runs, "nDCG@5", **{"threshold": 2, "permutations": 300, "resamples": 50} | options)


@pytest.mark.parametrize(
    ("buckets", "options"),
    [
        (2, {}),
        (16, {}),
        (4, {"test": "t", "baseline": "poor"}),
        (4, {"unjudged": "condense", "labels": "mean"}),
        (4, {"unjudged": "level", "gains": "binary,linear"}),
    ],
)
def test_sums_of_buckets_give_the_comparison(
    many: Path, monkeypatch: pytest.MonkeyPatch, buckets: int, options: dict[str, Any]
) -> None:
    """Sums made bucket by bucket give every interval, p-value, rank set, share and finding that the whole gives."""

    def spread(job: Job) -> tuple[Waist, Held]:
        judgments = job.meaning.read(job.judgments)
        task = job.settle(job.meaning.survey(job.judgments))
        held = Held(make_waists(judgments, [read_run(run) for run in job.runs], task, buckets))
        return held.join(hits=False), held

    monkeypatch.setattr(spark, "spread", spread)
    found = compare(many, engine="spark", **options)
    assert not found.comparison.scores.values
    assert list(differences(compare(many, **options), found, but=NOT_GATHERED)) == []
    assert found.to_csv() == compare(many, **options).to_csv()


def test_groups_hold_whole_blocks() -> None:
    """Buckets of a group are those of one block or several, so that groups are buckets of a smaller number."""
    for topics, buckets in ((5_000, 64), (1_000_000, 64), (5_000, 8)):
        groups = count_groups(topics, buckets)
        assert groups is not None
        for name in map(str, range(500)):
            assert find_bucket(name, buckets) * groups // buckets == find_bucket(name, groups)
    assert count_groups(5_000, 12) is None
