"""Waists of dealt rows, joined, against what the whole gives."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.engines.dealt_rows import deal, draw_collection, judged_rows, ranked_rows, stand
from tests.engines.same_results import differences

from gainsayer.engines.waist import (
    JUDGED,
    RANKED,
    Origin,
    RunError,
    Waist,
    as_runs,
    as_sources,
    parse_judgments,
    parse_run,
)
from gainsayer.errors import DataError
from gainsayer.model import count_pairs
from gainsayer.ranking import label_documents, make_pool, pool_documents, rank_documents, rank_levels
from gainsayer.reading import Judgments, Meaning, Run, collect_judgments, read_judgments, read_run
from gainsayer.reading.judgment_sources import settle_names


def gather(judgments: Judgments, runs: list[Run], buckets: int, **options: object) -> tuple[Waist, Judgments]:
    """The joined waist, and the judgments made of it."""
    judged, people = judged_rows(judgments)
    ranked, origins = ranked_rows(runs)
    waist = deal(judged, ranked, [origin.name for origin in origins], buckets, **options)
    return waist, collect_judgments(as_sources(waist, people))


@pytest.mark.parametrize("buckets", [1, 3, 8])
def test_dealt_rows_give_what_the_whole_gives(buckets: int) -> None:
    """Pairs, and levels at ranks by each assessor's labels, of 1, 3 and 8 buckets are those of the whole."""
    judgments, runs = draw_collection()
    waist, gathered = gather(judgments, runs, buckets)
    assert list(differences(count_pairs(judgments), count_pairs(gathered))) == []
    _, origins = ranked_rows(runs)
    for run, found in zip(runs, as_runs(waist, origins), strict=True):
        for name in judgments.assessors:
            one = rank_levels(run, make_pool(judgments, assessor=name))
            two = label_documents(found, make_pool(gathered, assessor=name))
            assert list(differences(one, two, but=("member",))) == []


def test_runs_return_the_same_documents_as_in_the_whole() -> None:
    """Two runs share a document in the joined waist where they share it in the files."""
    judgments, runs = draw_collection()
    waist, gathered = gather(judgments, runs, 3)
    pools = make_pool(judgments, assessor="ann"), make_pool(gathered, assessor="ann")
    whole = [rank_levels(run, pools[0]) for run in runs]
    joined = [label_documents(run, pools[1]) for run in as_runs(waist, ranked_rows(runs)[1])]
    common = []
    for one, two, _ in (whole, joined):
        assert one.member is not None
        assert two.member is not None
        seen = [set(zip(r.topic.tolist(), r.level.tolist(), r.member.tolist(), strict=True)) for r in (one, two)]
        common.append(len(seen[0] & seen[1]))
    assert common[0] == common[1] > 0


def test_hits_are_kept_down_to_the_depth() -> None:
    """Ranks below the deepest that a measure looks at are left behind; lengths of lists stay."""
    judgments, runs = draw_collection()
    _, origins = ranked_rows(runs)
    short, long = (as_runs(gather(judgments, runs, 3, depth=depth)[0], origins) for depth in (5, None))
    for one, two in zip(short, long, strict=True):
        assert one.rank.tolist() == two.rank[two.rank <= 5].tolist()
        assert one.retrieved.tolist() == two.retrieved.tolist()


@pytest.mark.parametrize("depth", [None, 1])
def test_lists_that_are_others_in_single_precision_are_counted(depth: int | None) -> None:
    """As many as in the whole, down to the same depth."""
    judgments = read_judgments({"U": {f"q{topic}": {"a": 0, "b": 1} for topic in range(5)}})
    near = {"a": 0.30000000002, "b": 0.30000000001}
    run = read_run({f"q{topic}": near if topic < 3 else {"x": 1.0} | near for topic in range(4)} | {"other": near})
    waist, _ = gather(judgments, [run], 3, depth=depth)
    _, origins = ranked_rows([run])
    [found] = as_runs(waist, origins)
    assert found.close == rank_documents(run, pool_documents(judgments), depth=depth).close == (3 if depth else 4)


def test_topics_that_only_one_side_has() -> None:
    """A topic that nobody judged is unscored, in the order of the file; one that the run lacks is not present."""
    judged = read_judgments({"ann": {"q0": {"a": 1}, "q1": {"a": 0}}})
    runs = [read_run({"q9": {"a": 1.0}, "q0": {"a": 2.0, "x": 1.0}, "q4": {"b": 1.0}})]
    [ranked] = as_runs(gather(judged, runs, 4)[0], ranked_rows(runs)[1])
    assert ranked.unscored == ("q9", "q4")
    assert (ranked.present.tolist(), ranked.retrieved.tolist()) == ([True, False], [2, 0])


def test_no_common_topic_is_a_fault_of_the_whole() -> None:
    """A run that shares no topic with the judgments is refused by its name, with topics of both."""
    judged = read_judgments({"ann": {"q0": {"a": 1}, "q1": {"a": 0}}})
    runs = [read_run({"001": {"a": 1.0}}, name="bm25")]
    with pytest.raises(DataError, match=r"bm25.run and the judgments share no topic.*: 001; judged topics: q0, q1"):
        as_runs(gather(judged, runs, 3)[0], ranked_rows(runs)[1])


def test_a_document_that_is_there_twice_is_told_with_its_run() -> None:
    """Which run it is, is told, and which document: the rows of a bucket have no line numbers of their own."""
    judged, runs = read_judgments({"ann": {"q1": {"d1": 1, "d2": 0}}}), [read_run({"q1": {"d1": 2.0, "d2": 1.0}})]
    ranked, origins = ranked_rows(runs)
    with pytest.raises(RunError) as told:
        deal(judged_rows(judged)[0], pl.concat([ranked, ranked]), [origins[0].name], 1)
    assert told.value.source == 0
    assert str(told.value).splitlines() == [
        *sorted(f"run.run: document d{n} of topic q1 is there twice." for n in (1, 2)),
        "A run lists a document once per topic.",
    ]


def test_rows_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    """Repeated judgments are resolved by the order of lines, and rows are counted in it."""
    path = tmp_path / "a.qrels"
    path.write_text("q2 0 d1 1\nq1 0 d1 0\n\nq1 0 d1 1\nq2 0 d2 0\n")
    origin = Origin(str(path), "ann")
    rows = stand(parse_judgments(path.read_bytes(), origin), [0] * 4, JUDGED)
    waist = deal(rows, RANKED.to_frame(), [], 5)
    meaning = Meaning(repeats="last")
    [source] = as_sources(waist, [origin])
    judgments = meaning.collect([settle_names(source, "qrels", None, "a")])
    assert meaning.read([path]).frame()["level"].to_list() == judgments.frame()["level"].to_list() == ["1", "1", "0"]
    assert [source.where(row) for row in range(4)] == [f"{path}, row {row}" for row in (1, 2, 3, 4)]


def test_weights_and_strata_travel_with_their_rows() -> None:
    """A table's weights and strata come back with the rows; a table without them has none."""
    rows = [("q1", "a", "u", 1, 2.0, "s"), ("q0", "a", "u", 0, 3.0, "t"), ("q0", "a", "v", 1, 1.5, "t")]
    frame = pl.DataFrame(rows, ["topic", "document", "assessor", "level", "weight", "stratum"], orient="row")
    origin = Origin("table", "labels", "cells", tuple(frame.columns))
    waist = deal(stand(parse_judgments(frame, origin), [0] * 3, JUDGED), RANKED.to_frame(), [], 4)
    found = collect_judgments(as_sources(waist, [origin]))
    expected = read_judgments(frame)
    assert found.weight is not None
    assert found.weight.tolist() == [2.0, 3.0, 1.5]
    assert found.strata == expected.strata
    assert list(differences(count_pairs(expected), count_pairs(found))) == []


def test_a_table_of_several_runs() -> None:
    """The run column tells whose a row is; an empty name is the table's own."""
    frame = pl.DataFrame(
        {"qid": ["q1", "q1", "q1"], "docno": ["a", "b", "a"], "score": [1, 2, 3], "run": ["x", " x", ""]}
    )
    rows = parse_run(frame, Origin("t", "table", "cells", tuple(frame.columns)))
    assert rows.select("document", "score", "run", "tag").rows() == [
        ("a", 1.0, "x", "x"),
        ("b", 2.0, "x", "x"),
        ("a", 3.0, "", "table"),
    ]
