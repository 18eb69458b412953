"""Comparisons of runs that are held elsewhere."""

from __future__ import annotations

import io

import numpy as np
import pytest
from tests.unit.engines.same_bits import differences

from gainsayer.comparison import (
    CompareOptions,
    DoubleJudgments,
    SumAnswer,
    SumRequest,
    answer_as_arrays,
    answer_from_arrays,
    answer_request,
    compare_runs,
    count_bits,
    find_blocks,
    join_answers,
    list_parts,
    make_request,
)
from gainsayer.gains import Scheme, binary_gains, linear_gains
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.rankings import RankedLevels, keep_topics, ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
TOPICS = 4_500
MEASURES = [parse_measure("nDCG@3"), parse_measure("DCG@5")]
SCHEMES = [Scheme(binary_gains(LEVELS, LEVELS.at_or_above("1"))), Scheme(linear_gains(LEVELS))]


@pytest.fixture(scope="module")
def runs() -> list[RankedLevels]:
    """Three runs with lists of different lengths, some documents of which nobody judged."""
    rng = np.random.default_rng(3)
    pool = {f"q{t}": [4, 3, 2] for t in range(TOPICS)}
    choices = [0, 1, 2, None]
    made = []
    for name, shares in (("a", (0.3, 0.3, 0.3, 0.1)), ("b", (0.4, 0.3, 0.2, 0.1)), ("c", (0.5, 0.2, 0.1, 0.2))):
        drawn = rng.choice(4, (TOPICS, 6), p=shares)
        drawn[:, :] = [_at_most(row, (4, 3, 2)) for row in drawn]
        lists = {
            topic: [choices[at] for at in row[: 3 + t % 4]]
            for t, (topic, row) in enumerate(zip(pool, drawn, strict=True))
        }
        made.append(ranked_from_lists(lists, pool, levels=LEVELS, name=name))
    return made


def _at_most(row: np.ndarray, most: tuple[int, ...]) -> list[int]:
    """The same codes, those beyond what the pool holds unjudged."""
    seen = [0, 0, 0]
    kept = []
    for code in row.tolist():
        if code < 3 and seen[code] < most[code]:
            seen[code] += 1
            kept.append(code)
        else:
            kept.append(3)
    return kept


def test_comparison_of_runs_elsewhere(runs: list[RankedLevels]) -> None:
    """Runs held in four places are compared as at one place, but that no topic's score is there."""

    def ask(request: SumRequest, doubles: list[DoubleJudgments]) -> SumAnswer:
        block = find_blocks(runs[0].topics, count_bits(TOPICS))
        answers = []
        for place in range(4):
            topics = {name for name, at in zip(runs[0].topics, block.tolist(), strict=True) if at % 4 == place}
            some = [keep_topics(run, topics) for run in runs]
            answers.append(answer_request(some, some, request, doubles))
        return join_answers(answers[::-1])

    expected = compare_runs(runs, MEASURES, SCHEMES, permutations=200, draws=50)
    found = compare_runs(runs, MEASURES, SCHEMES, permutations=200, draws=50, holders=ask)
    assert found.scores.values == {}
    assert list(differences(expected, found, but=("values",))) == []


def test_answer_as_arrays_and_back(runs: list[RankedLevels]) -> None:
    """An answer that was written as arrays reads back the same."""
    parts = list_parts(MEASURES, SCHEMES)
    plan = CompareOptions(permutations=20).plan(parts, TOPICS, len(runs))
    request, doubles = make_request(parts, plan, relevance=None, no_relevant="keep", unjudged_as_lowest=False)
    answer = answer_request(runs, runs, request, doubles)
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **answer_as_arrays(answer))
    stream.seek(0)
    with np.load(stream, allow_pickle=False) as arrays:
        assert list(differences(answer, answer_from_arrays(dict(arrays)))) == []
