"""Whose labels score: one rule for documents with several labels, and patterns of labels as levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainsayer as gs
from gainsayer.errors import CallError, SeveralLabelsError
from gainsayer.gains import Gains, pattern_gains
from gainsayer.levels import Levels, Patterns, find_patterns
from gainsayer.measures import parse_measure, without_relevant
from gainsayer.ranking import choose_labels, decide_labels, make_pool, rank_levels, ranked_from_lists
from gainsayer.reading import Judgments, read_run

Make = Callable[..., Judgments]
PANEL = [
    *[("q", "a", name, label) for name, label in (("eve", "2"), ("ann", "0"), ("bob", "2"))],
    *[("q", "b", name, label) for name, label in (("bob", "1"), ("ann", "0"))],
    *[("q", "c", name, label) for name, label in (("eve", "1"),)],
]


def labels_of(judgments: Judgments) -> dict[str, str]:
    """Document to label."""
    return dict(judgments.frame().select("document", "level").rows())


def test_several_labels_and_no_rule_are_refused(judge: Make) -> None:
    """The error says how many documents and assessors, and every choice there is."""
    panel = judge(PANEL, roles=None)
    with pytest.raises(SeveralLabelsError) as error:
        choose_labels(panel)
    for words in ("2 of 3 documents", "up to 3", "3 assessors: ann, bob, eve", "first side", "majority", "mean"):
        assert words in str(error.value)
    with pytest.raises(SeveralLabelsError):
        make_pool(panel)


def test_shared_work_is_used_whole(judge: Make) -> None:
    """Where every document has one label, all assessors' labels count, and nothing is asked."""
    rows = [("q", "a", "ann", "1"), ("q", "b", "bob", "0"), ("r", "a", "eve", "2")]
    rule = decide_labels(judge(rows, roles=None))
    assert (rule.kind, rule.names) == ("only", ("ann", "bob", "eve"))
    assert len(choose_labels(judge(rows, roles=None))) == 3
    assert len(choose_labels(judge(rows))) == 3


def test_two_files_are_first_and_second_but_two_people_of_a_table_a_panel() -> None:
    """Sources are named one by one; the rows of a table name nobody first."""
    one, two = {"q": {"a": 1, "b": 0}}, {"q": {"a": 0, "b": 1}}
    named = gs.read_judgments(("zoe", {"q": one["q"]}), ("ann", two))
    assert labels_of(choose_labels(named)) == {"a": "1", "b": "0"}
    assert gs.count_pairs(named).first == ("zoe",)
    table = named.frame()
    for rows in (table, table.reverse()):
        panel = gs.read_judgments(rows)
        assert panel.assessors == ("ann", "zoe")
        assert not gs.count_pairs(panel).directed
        with pytest.raises(SeveralLabelsError):
            choose_labels(panel)
    assert gs.read_judgments(table.filter(assessor="zoe"), table.filter(assessor="ann")).assessors == ("zoe", "ann")


def test_named_assessors_in_turn(judge: Make) -> None:
    """The first of the named ones who judged a document takes precedence, whichever row comes first."""
    panel = judge(PANEL, roles=None)
    assert labels_of(choose_labels(panel, ["bob", "eve"])) == {"a": "2", "b": "1", "c": "1"}
    assert labels_of(choose_labels(panel, first=["ann"])) == {"a": "0", "b": "0"}
    assert decide_labels(panel, ["bob", "eve"]).said == "those of the first of bob, eve who judged a document"
    with pytest.raises(CallError, match="no assessor 'zoe': the assessors are ann, bob, eve"):
        choose_labels(panel, ["zoe"])


def test_the_second_side_never_scores(judge: Make) -> None:
    """Where only the second side is named, the others' labels count; several of them on a document are refused."""
    panel = judge(PANEL, roles=None)
    with pytest.raises(SeveralLabelsError, match="1 of 3 documents"):
        choose_labels(panel, second=["ann"])
    two = judge([row for row in PANEL if row[2] != "eve"], roles=None)
    assert labels_of(choose_labels(two, second=["ann"])) == {"a": "2", "b": "1"}


def test_majority_takes_the_lower_of_equals_and_says_so(judge: Make) -> None:
    """Two of three decide; a tie is the lower level; the finding counts both."""
    chosen = choose_labels(judge(PANEL, roles=None), "majority")
    assert labels_of(chosen) == {"a": "2", "b": "0", "c": "1"}
    assert "2 documents have several labels" in chosen.findings[0].message
    assert "in 1 of them" in chosen.findings[0].message
    unordered = judge([("q", "a", "ann", "yes"), ("q", "a", "bob", "no")], roles=None)
    with pytest.raises(CallError, match="no order, so there is no lowest"):
        choose_labels(unordered, "majority")


def test_majority_and_mean_are_about_the_first_side_where_it_is_named(judge: Make) -> None:
    """With a first side, the second side's labels are no part of majority and mean."""
    panel = judge(PANEL, roles=None)
    chosen = choose_labels(panel, "mean", first=["bob", "eve"])
    assert labels_of(chosen) == {"a": "2+2", "b": "1", "c": "1"}
    assert labels_of(choose_labels(panel, "mean")) == {"a": "0+2+2", "b": "0+1", "c": "1"}


def test_repeated_labels_of_one_assessor_follow_the_rule(judge: Make) -> None:
    """With repeats kept, a name alone does not say which label counts; majority and mean do."""
    rows = [("q", "a", "llm", label) for label in ("2", "0", "2")] + [("q", "b", "llm", "1")]
    calls = judge(rows, repeats="all")
    with pytest.raises(SeveralLabelsError, match="1 of 2 documents have several labels"):
        choose_labels(calls)
    with pytest.raises(SeveralLabelsError, match="llm gave 1 documents several labels"):
        choose_labels(calls, ["llm"])
    assert labels_of(choose_labels(calls, "majority")) == {"a": "2", "b": "1"}
    assert labels_of(choose_labels(calls, "mean")) == {"a": "0+2+2", "b": "1"}


def test_rules_are_no_names(judge: Make) -> None:
    """An assessor called like a rule must be renamed, and a rule stands alone."""
    rows = [("q", "a", "mean", "0"), ("q", "a", "ann", "1")]
    with pytest.raises(CallError, match="called 'mean', which is also a rule"):
        choose_labels(judge(rows), "mean")
    with pytest.raises(CallError, match="does not go with"):
        choose_labels(judge(PANEL), ["majority", "ann"])


label_lists = st.lists(
    st.tuples(st.sampled_from("qr"), st.sampled_from("abcd"), st.sampled_from(["u", "v", "w"]), st.integers(0, 3)),
    min_size=2,
    max_size=20,
    unique_by=lambda row: row[:3],
).filter(lambda rows: len({row[3] for row in rows}) > 1)


@given(rows=label_lists, order=st.randoms(use_true_random=False), rule=st.sampled_from([None, "mean", "majority", "v"]))
def test_the_order_of_rows_never_decides(
    rows: list[tuple[str, str, str, int]], order: object, rule: str | None
) -> None:
    """Shuffled rows give the same labels, the same counts of pairs and the same errors, in the same words."""
    mixed = list(rows)
    order.shuffle(mixed)  # type: ignore[attr-defined]
    seen = []
    for table in (rows, mixed):
        judgments = gs.read_judgments(pl.DataFrame(table, ["topic", "document", "rater", "level"], orient="row"))
        found: list[object] = [judgments.assessors]
        try:
            chosen = choose_labels(judgments, rule)
            found += [sorted(chosen.frame().rows()), chosen.levels.names, chosen.findings]
        except CallError as error:
            found.append(str(error))
        try:
            found.append(gs.count_pairs(judgments).counts.tolist())
        except gs.GainsayerError as error:
            found.append(str(error))
        seen.append(found)
    assert seen[0] == seen[1]


@given(rows=label_lists, gains=st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_mean_gain_is_the_mean_over_the_labels(rows: list[tuple[str, str, str, int]], gains: list[float]) -> None:
    """CG with mean labels is the sum over documents of the mean of their labels' gains; so is its mean over assessors
    drawn one per document.
    """
    levels = Levels(("0", "1", "2", "3"))
    table = pl.DataFrame(rows, ["topic", "document", "rater", "level"], orient="row")
    chosen = choose_labels(gs.read_judgments(table, levels=levels), "mean")
    run = read_run({topic: dict.fromkeys("abcd", 1.0) for topic in "qr"})
    scores = parse_measure("CG").score(
        rank_levels(run, make_pool(chosen)), pattern_gains(Gains(levels, np.array(gains)), chosen.levels)
    )
    kept = sorted({topic for topic, *_ in rows})
    for topic, found in zip(kept, scores, strict=True):
        worth = Fraction(0)
        for document in "abcd":
            labels = [level for t, d, _, level in rows if (t, d) == (topic, document)]
            worth += Fraction(sum(Fraction(gains[level]) for level in labels), max(len(labels), 1))
        assert found == pytest.approx(float(worth), abs=1e-12)


@given(
    names=st.lists(st.text('ab+"()\\ ', min_size=1, max_size=4).map(str.strip).filter(bool), min_size=2, unique=True),
    data=st.data(),
)
def test_no_two_patterns_share_a_name(names: list[str], data: st.DataObject) -> None:
    """Whatever characters levels have, a pattern's name is its own, and that of single labels the level's."""
    levels = Levels(tuple(names[:4]))
    row = st.lists(st.integers(0, 3), min_size=len(levels), max_size=len(levels)).filter(any)
    patterns = find_patterns(levels, np.array(data.draw(st.lists(row, min_size=1, max_size=20))))
    assert len(set(patterns.names)) == len(patterns.names) == len(patterns.labels)
    assert patterns.names[: len(levels)] == levels.names


def test_draws_of_gains_go_through_patterns() -> None:
    """[draws, levels] becomes [draws, patterns], one draw after the other."""
    patterns = find_patterns(Levels(("0", "1", "2")), np.array([[1, 1, 2], [0, 0, 3]]))
    draws = np.random.default_rng(1).random((5, 3))
    expected = np.column_stack([draws, draws[:, 2], draws @ [0.25, 0.25, 0.5]])
    np.testing.assert_allclose(patterns.mix(draws), expected, atol=1e-15)


def test_topics_without_a_relevant_label_by_patterns(judge: Make) -> None:
    """A topic counts as having a relevant label where one of the labels of a document is."""
    rows = [("q", "a", "u", "0"), ("q", "a", "v", "2"), ("r", "a", "u", "0"), ("r", "a", "v", "1")]
    chosen = choose_labels(judge(rows, roles=None), "mean")
    assert isinstance(chosen.levels, Patterns)
    ranked = rank_levels(read_run({"q": {"a": 1.0}, "r": {"a": 1.0}}), make_pool(chosen))
    top = chosen.levels.levels.at_or_above("2")
    assert without_relevant(ranked, top).tolist() == [False, True]


def test_many_labels_on_many_documents() -> None:
    """53 workers, 15 labels on each document: patterns are counted once each, and the order of rows does not matter."""
    rng = np.random.default_rng(7)
    rows = [
        (f"q{number % 20}", f"d{number}", f"w{worker}", int(label))
        for number in range(600)
        for worker, label in zip(
            rng.choice(53, 15, replace=False), rng.choice(4, 15, p=[0.4, 0.3, 0.2, 0.1]), strict=True
        )
    ]
    table = pl.DataFrame(rows, ["topic", "document", "worker_id", "label"], orient="row")
    levels = choose_labels(gs.read_judgments(table), "mean").levels
    tuples = Counter(tuple(sorted(part)) for part in table.group_by("document").agg("label")["label"].to_list())
    assert len(levels) == 4 + len(tuples)


def test_measures_that_cannot_take_shares_say_so(judge: Make) -> None:
    """Bpref needs 0/1 gains, which the mean over labels does not give; Q for independent users bounds its tables."""
    chosen = choose_labels(judge(PANEL, roles=None), "mean")
    assert isinstance(chosen.levels, Patterns)
    plain = chosen.levels.levels
    binary = pattern_gains(Gains(plain, np.array([0.0, 1.0, 1.0]), name="binary"), chosen.levels)
    ranked = rank_levels(read_run({"q": {"a": 1.0}}), make_pool(chosen))
    with pytest.raises(CallError, match=r"the mean over a document's labels is a share.*majority"):
        parse_measure("Bpref").score(ranked, binary)
    rng = np.random.default_rng(2)
    many = find_patterns(plain, np.unique(rng.multinomial(60, [0.3, 0.3, 0.4], size=4000), axis=0))
    pool = np.ones((200, len(many)), np.int64)
    wide = ranked_from_lists({"q0": [0]}, {f"q{n}": row.tolist() for n, row in enumerate(pool)}, levels=many)
    with pytest.raises(CallError, match="too large"):
        parse_measure("Q(users='independent')").score(wide, Gains(wide.levels, np.full(len(wide.levels), 0.5)))


def test_python_scores_with_mean_labels_in_three_calls(judge: Make) -> None:
    """make_pool, rank_levels and score_runs take the rule and plain gains; NumRel is the mean share of labels."""
    panel = judge(PANEL, roles=None)
    ranked = rank_levels(read_run({"q": {"a": 2.0, "b": 1.0, "c": 0.0}}), make_pool(panel, assessor="mean"))
    measure = parse_measure("NumRel")
    gains = gs.gains.binary_gains(panel.levels, panel.levels.at_or_above("1"))
    scores = gs.measures.score_runs([ranked], [measure], {measure: [gains]})
    assert scores.values[measure, "binary"][0, 0] == pytest.approx(2 / 3 + 1 / 2 + 1)
    assert scores.gains[0].as_dict() == {"0": 0.0, "1": 1.0, "2": 1.0}


def test_labels_of_a_side_are_put_together(judge: Make) -> None:
    """The first assessor named takes precedence; others fill in; what was passed over is counted."""
    rows = [("q", "a", "A", "1"), ("q", "a", "B", "0"), ("q", "b", "B", "0"), ("q", "c", "C", "1")]
    judgments = judge(rows)
    both = choose_labels(judgments, ["B", "A"])
    assert sorted(both.frame().select("document", "level").rows()) == [("a", "0"), ("b", "0")]
    assert [finding.code for finding in both.findings] == ["labels-pooled"]
    with pytest.raises(CallError, match="no assessor 'Z'"):
        choose_labels(judgments, ["Z"])
