"""What to judge next: when unjudged documents are worth a word, and what would halve an interval."""

from __future__ import annotations

import numpy as np
import pytest
from gainsayer.presentation.sections.advice import advice_section, precision_table, topics_to_halve
from scipy.stats import t

from gainsayer.comparison.results import Comparison
from gainsayer.comparison.run_comparison import compare_runs
from gainsayer.counts.pair_counts import PairCounts
from gainsayer.disagreement.estimate import estimate_disagreement
from gainsayer.disagreement.relevance import PredictedRelevance, predict_relevance
from gainsayer.gains.schemes import Scheme
from gainsayer.gains.values import binary_gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import parse_measure
from gainsayer.rankings.lists import ranked_from_lists

LEVELS = Levels(("0", "1"))
ONE = LEVELS.at_or_above("1")
TOPICS = [f"q{n}" for n in range(6)]


def compared(*unjudged: int) -> Comparison:
    """Runs of 25 documents on six topics, of which so many are unjudged."""
    pool = {topic: [25, 10] for topic in TOPICS}
    runs = [
        ranked_from_lists(
            {topic: [1, *[0] * (24 - none), *[None] * none] for topic in TOPICS}, pool, levels=LEVELS, name=f"run{none}"
        )
        for none in unjudged
    ]
    return compare_runs(runs, [parse_measure("P@25")], [Scheme(binary_gains(LEVELS, ONE))])


def predicted(first: list[int]) -> PredictedRelevance:
    """From six topics with the same pairs of level 0 and ten of level 1."""
    counts = np.array([[first, [5, 5 + topic % 2]] for topic in range(6)])
    return predict_relevance(estimate_disagreement(PairCounts.from_matrix(LEVELS, counts), estimator="one-sided"))


@pytest.mark.parametrize(("unjudged", "said"), [(1, False), (2, True)])
def test_unjudged_documents_are_worth_a_word_above_five_percent(unjudged: int, said: bool) -> None:
    """1 of 25 is 4 %, 2 of 25 are 8 %."""
    text = " ".join(advice_section(None, compared(unjudged)).paragraphs)
    assert ("have more than 5% unjudged documents" in text) == said
    assert ("the most (8%). Judge these before" in text) == said


def test_the_run_with_the_most_unjudged_documents_is_named() -> None:
    """Two of three runs are above 5 %, the second most of all."""
    text = " ".join(advice_section(None, compared(1, 9, 4)).paragraphs)
    assert "2 runs of 3 have more than 5% unjudged documents down to the depth of P@25, 'run9' the most (36%)" in text


@pytest.mark.parametrize("topics", [2, 5, 43, 400])
def test_topics_that_halve_an_interval(topics: int) -> None:
    """The fewest n with t(n - 1) / sqrt(n) at most half of what it is now, by scipy's t."""

    def width(n: int) -> float:
        return float(t.ppf(0.975, n - 1) / np.sqrt(n))

    found = topics_to_halve(topics)
    assert width(found) <= width(topics) / 2
    assert width(found - 1) > width(topics) / 2


def test_half_the_interval_is_half_its_width() -> None:
    """± is (upper - lower) / 2 of each level; opinions are counted beside it."""
    prediction = predicted([20, 8])
    table = precision_table(prediction)
    keys = [column.key for column in table.columns]
    for level, row in enumerate(table.rows):
        record = dict(zip(keys, row, strict=True))
        low, high = prediction.interval.ends[level]
        assert record["half_width"] == pytest.approx((high - low) / 2)
        assert record["judged_count"] == prediction.judged_count[level]
        assert record["topics_to_halve"] == topics_to_halve(6)


@pytest.mark.parametrize(("first", "few"), [([4, 1], False), ([3, 1], True)])
def test_levels_with_fewer_than_thirty_opinions_are_named(first: list[int], few: bool) -> None:
    """6 x 5 opinions are enough, 6 x 4 are few."""
    text = " ".join(advice_section(predicted(first), None).paragraphs)
    assert ("Few second opinions are there on level '0' (24)" in text) == few


def test_without_runs_or_second_opinions_it_says_so() -> None:
    """Neither model nor runs: both are asked for."""
    text = " ".join(advice_section(None, None).paragraphs)
    assert "There are no second opinions yet" in text
    assert "No runs were given" in text
