"""Judgments in other tools' JSON, in their documented forms; and what is said where a file is not of its form."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

import gainsayer as gs
from gainsayer.errors import FormatError, GainsayerError
from gainsayer.reading import make_source, read_document, read_hits, run_from_cells

OPENSEARCH = {
    "name": "Imported Judgments",
    "type": "IMPORT_JUDGMENT",
    "judgmentRatings": [
        {"query": "red dress", "ratings": [{"docId": "B1", "rating": "3.000"}, {"docId": "B2", "rating": 0}]},
        {"query": "blue coat", "ratings": [{"docId": "B1", "rating": "1"}]},
    ],
}
STORED = {
    "took": 3,
    "hits": {"total": {"value": 1}, "hits": [{"_id": "x", "_source": OPENSEARCH | {"status": "COMPLETED"}}]},
}
CASE = {
    "case_name": "shop",
    "scorer": {"name": "nDCG@10"},
    "queries": [
        {"query_text": "red dress", "ratings": [{"doc_id": "B1", "rating": 3.0, "user_email": "a@x.org"}]}
        | {"options": {}, "notes": None},
        {"query_text": "blue coat", "ratings": [{"doc_id": "B1", "rating": 1}, {"doc_id": "B7", "rating": None}]},
    ],
}
CASE["queries"][0]["ratings"].append({"doc_id": "B2", "rating": 0})  # type: ignore[index]
REQUEST = {
    "requests": [
        {
            "id": "red dress",
            "request": {"query": {"match": {"title": "red dress"}}},
            "ratings": [{"_index": "shop", "_id": "B1", "rating": 3}, {"_index": "shop", "_id": "B2", "rating": 0}],
        },
        {"id": "blue coat", "template_id": "t", "ratings": [{"_index": "shop", "_id": "B1", "rating": 1}]},
    ],
    "metric": {"dcg": {"k": 10}},
}
RESPONSE = {
    "metric_score": 0.5,
    "details": {
        "red dress": {
            "metric_score": 0.6,
            "unrated_docs": [{"_index": "shop", "_id": "B9"}],
            "hits": [
                {"hit": {"_index": "shop", "_id": "B2", "_score": 2.5}, "rating": 0},
                {"hit": {"_index": "shop", "_id": "B9", "_score": 2.0}, "rating": None},
                {"hit": {"_index": "shop", "_id": "B1", "_score": None}, "rating": 3},
            ],
        },
        "blue coat": {"metric_score": 1, "hits": [{"hit": {"_index": "shop", "_id": "B1"}, "rating": 1}]},
    },
    "failures": {},
}
ONE_ASSESSOR = [("blue coat", "B1", "1"), ("red dress", "B1", "3"), ("red dress", "B2", "0")]
BOOK = {
    "name": "shop",
    "scorer": {"name": "nDCG@10"},
    "query_doc_pairs": [
        {
            "query_text": "red dress",
            "doc_id": "B1",
            "position": 1,
            "document_fields": "{}",
            "judgements": [
                {
                    "rating": 3.0,
                    "unrateable": False,
                    "judge_later": False,
                    "user_email": "ann@x.org",
                    "explanation": None,
                },
                {"rating": 2.0, "unrateable": False, "judge_later": False, "user_email": "bob@x.org"},
            ],
        },
        {
            "query_text": "red dress",
            "doc_id": "B2",
            "judgements": [
                {"rating": 0.0, "user_email": "ann@x.org"},
                {"rating": None, "unrateable": True, "user_email": "bob@x.org"},
                {"rating": 1.0},
            ],
        },
        {"query_text": "blue coat", "doc_id": "B1"},
    ],
}


def result(name: str, **value: Any) -> dict[str, Any]:
    """One result of an annotation of Label Studio."""
    return {"id": "Dx", "from_name": name, "to_name": "text", "type": next(iter(value)), "value": value}


STUDIO = [
    {
        "id": 1,
        "data": {"query": "red dress", "query_id": "q1", "doc_id": "B1", "text": "a dress"},
        "annotations": [
            {"id": 10, "completed_by": 7, "was_cancelled": False, "result": [result("relevance", choices=["high"])]},
            {
                "id": 11,
                "completed_by": {"id": 8, "email": "bob@x.org"},
                "result": [result("relevance", choices=["low"])],
            },
            {"id": 12, "completed_by": 9, "was_cancelled": True, "result": []},
        ],
        "predictions": [],
    },
    {
        "id": 2,
        "data": {"query_id": "q1", "doc_id": "B2"},
        "annotations": [
            {"id": 13, "completed_by": 7, "result": [result("relevance", choices=["low"]), result("note", text=["?"])]}
        ],
    },
]
STUDIO_ROWS = [("q1", "B1", "7", "high"), ("q1", "B1", "bob@x.org", "low"), ("q1", "B2", "7", "low")]


def save(path: Path, value: Any, *, indent: int | None = 1) -> Path:
    """Write a JSON document, on many lines or on one."""
    path.write_text(json.dumps(value, indent=indent))
    return path


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("value", "codes"),
    [
        (OPENSEARCH, set()),
        (STORED, set()),
        (CASE, {"entries-skipped"}),
        (REQUEST, set()),
    ],
    ids=["list", "stored", "case", "request"],
)
def test_documents_of_one_assessor(value: Any, codes: set[str], indent: int | None, tmp_path: Path) -> None:
    """Each form holds the same three judgments, of an assessor named by the file; what was left out is said."""
    judgments = gs.read_judgments(save(tmp_path / "shop.json", value, indent=indent))
    assert sorted(row[:2] + row[3:] for row in judgments.frame().rows()) == ONE_ASSESSOR
    assert judgments.assessors == ("shop",)
    assert {found.code for found in judgments.findings} == codes


def test_every_judge_of_a_book_is_an_assessor(tmp_path: Path) -> None:
    """A Quepid book names its judges; one without a name is unknown, one who could not rate says nothing."""
    judgments = gs.read_judgments(save(tmp_path / "book.json", BOOK))
    assert sorted(judgments.frame().rows()) == [
        ("red dress", "B1", "ann@x.org", "3"),
        ("red dress", "B1", "bob@x.org", "2"),
        ("red dress", "B2", "ann@x.org", "0"),
        ("red dress", "B2", "unknown", "1"),
    ]
    assert [found.code for found in judgments.findings] == ["entries-skipped"]


def test_every_annotator_of_label_studio_is_an_assessor(tmp_path: Path) -> None:
    """Levels are what was chosen in the control called relevance, ids the task's data."""
    levels = gs.Levels(("low", "high"))
    judgments = gs.read_judgments(save(tmp_path / "export.json", STUDIO), levels=levels)
    assert sorted(judgments.frame().rows()) == STUDIO_ROWS


def test_flat_annotations_are_a_table(tmp_path: Path) -> None:
    """Label Studio's JSON-MIN is an array of flat objects like any other, where each answer is one value."""
    shared = {"query_id": "q1", "annotation_id": 10, "lead_time": 3.2}
    rows = [shared | {"doc_id": one, "annotator": who, "relevance": level} for _, one, who, level in STUDIO_ROWS]
    judgments = gs.read_judgments(save(tmp_path / "export.json", rows), levels=gs.Levels(("low", "high")))
    assert sorted(judgments.frame().rows()) == STUDIO_ROWS


@pytest.mark.parametrize("given", [{"rating": 3}, {"number": 3.0}, {"choices": ["3"]}, {"text": ["3"]}])
def test_answers_of_every_control(given: dict[str, Any], tmp_path: Path) -> None:
    """Ratings, numbers, choices and text are levels alike."""
    levels = gs.Levels(("0", "1", "2", "3"))
    task = {"data": STUDIO[0]["data"], "annotations": [{"completed_by": 7, "result": [result("anything", **given)]}]}
    judgments = gs.read_judgments(save(tmp_path / "export.json", [task]), levels=levels)
    assert judgments.frame().rows() == [("q1", "B1", "7", "3")]


def changed(value: Any, *path: Any, to: Any) -> Any:
    """A copy of a document with something else at a key path; `...` takes the key out."""
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if to is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return copy


RATINGS = ("judgmentRatings", 0, "ratings")
PAIR = ("query_doc_pairs", 0)
FAULTS: list[tuple[Any, str, str]] = [
    (changed(OPENSEARCH, "judgmentRatings", to={}), "judgmentRatings: expected a list", "an OpenSearch judgment list"),
    (
        changed(OPENSEARCH, *RATINGS, to=...),
        r"judgmentRatings\[0\]: expected the key 'ratings'",
        "OpenSearch judgment list",
    ),
    (
        changed(OPENSEARCH, *RATINGS, 1, to={"doc": "B2", "rating": 1}),
        r"judgmentRatings\[0\].ratings\[1\]: expected the key 'docId' .*, found an object with the keys 'doc', 'rat",
        "an OpenSearch judgment list",
    ),
    (
        changed(OPENSEARCH, *RATINGS, 0, "rating", to=None),
        r"ratings\[0\].rating: expected a rating, found null",
        "OpenSearch",
    ),
    (
        changed(OPENSEARCH, *RATINGS, 0, "rating", to=[3]),
        r"ratings\[0\].rating: expected a rating, found a list of 1",
        "Open",
    ),
    (
        changed(CASE, "queries", 1, "query_text", to=...),
        r"queries\[1\]: expected the key 'query_text'",
        "a Quepid case",
    ),
    (
        changed(CASE, "queries", 0, "ratings", 0, to=3),
        r"queries\[0\].ratings\[0\]: expected an object",
        "a Quepid case",
    ),
    (changed(BOOK, *PAIR, "doc_id", to=...), r"query_doc_pairs\[0\]: expected the key 'doc_id'", "a Quepid book"),
    (
        changed(changed(BOOK, *PAIR, "judgements", to=...), *PAIR, "judgments", to=[]),
        r"query_doc_pairs\[0\]: expected the key 'judgements', as Quepid spells it",
        "a Quepid book",
    ),
    (
        changed(REQUEST, "requests", 1, "ratings", to=...),
        r"requests\[1\]: expected the key 'ratings'",
        "a _rank_eval request",
    ),
    (
        changed(REQUEST, "requests", 0, "ratings", 0, to={"_id": "B1"}),
        r"requests\[0\].ratings\[0\]: expected the key 'rating'",
        "a _rank_eval request",
    ),
    (changed(STUDIO, 1, "data", to=...), r"\[1\]: expected the key 'data'", "Label Studio"),
    (
        changed(STUDIO, 1, "data", "doc_id", to=...),
        r"\[1\].data: expected a key with the document",
        "a Label Studio JSON",
    ),
    (
        changed(STUDIO, 0, "annotations", 0, "result", to=[result("a", rating=1), result("b", rating=2)]),
        r"\[0\].annotations\[0\].result: expected one control with the level",
        "a Label Studio JSON export",
    ),
    (
        changed(CASE, "queries", 1, "ratings", to={"B1": 1}),
        r"queries\[1\].ratings: expected a list of doc_id and rating, as newer versions of Quepid export them, found",
        "a Quepid case",
    ),
]


@pytest.mark.parametrize(("value", "said", "form"), FAULTS)
def test_what_is_not_of_its_form_is_named_by_key_path(value: Any, said: str, form: str, tmp_path: Path) -> None:
    """A malformed document is refused with where it was left, what was expected there, and in which form."""
    path = save(tmp_path / "a.json", value)
    with pytest.raises(FormatError, match=said) as caught:
        gs.read_judgments(path)
    assert form in str(caught.value).splitlines()[-1]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (RESPONSE, r"a _rank_eval response, .* Give the request, which holds all ratings\.$"),
        (
            [{"id": 1, "query_id": "q", "doc_id": "B1", "relevance": [{"rating": 2}], "annotation_id": 10}],
            r"a Label Studio JSON-MIN export\. Export it as JSON\.$",
        ),
        ([{"id": 1, "data": {}, "completions": []}], r"Label Studio before version 1\.0\. Export it as JSON"),
    ],
    ids=["response", "json-min", "completions"],
)
def test_forms_that_are_not_read_are_told_what_to_give_instead(value: Any, said: str, tmp_path: Path) -> None:
    """One sentence says what the file is, and what to export."""
    with pytest.raises(FormatError, match=said):
        gs.read_judgments(save(tmp_path / "a.json", value))


def test_ten_faults_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    """A document with many faults tells the first ten."""
    ratings = [{"query": "q", "ratings": [{"rating": 1}] * 25}]
    with pytest.raises(FormatError, match=r"\.\.\. and 15 more like these") as caught:
        gs.read_judgments(save(tmp_path / "a.json", {"judgmentRatings": ratings}))
    assert str(caught.value).count("expected the key 'docId'") == 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"name": "x",\n "rows": []}',
            "expected JSON lines or an OpenSearch judgment list .*, found an object with the keys",
        ),
        (
            '[{"a": {"b": 1}}]',
            "item 1: expected JSON lines or an OpenSearch judgment list .* found an object with the keys 'a'",
        ),
        ('{\n "judgmentRatings": [', "expected JSON lines or a JSON document, found neither"),
        ('{"judgmentRatings": []}', "expected an OpenSearch judgment list, found no judgment or hit in it"),
        ('{"judgmentRatings": [], "judgmentRatings": 1}', "a key is there twice"),
        ('{"judgmentRatings": ' + "[" * 5000 + "]" * 5000 + "}", "too many lists|expected an object|within each other"),
    ],
)
def test_documents_of_no_known_form_are_told_the_known_ones(text: str, said: str, tmp_path: Path) -> None:
    """An unknown document, one that was cut off, an empty one and a hostile one are refused in words."""
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=said):
        gs.read_judgments(path)


def test_decimals_are_no_levels(tmp_path: Path) -> None:
    """Ratings such as 0.9 are refused by their key path with the advice to name the levels, and then read."""
    value = changed(OPENSEARCH, *RATINGS, 0, "rating", to="0.9")
    path = save(tmp_path / "a.json", changed(value, "judgmentRatings", 1, "ratings", 0, "rating", to="0.40"))
    with pytest.raises(FormatError, match=r"judgmentRatings\[0\].ratings\[0\]: .*'0.9'(.|\n)*levels=\.\.\."):
        gs.read_judgments(path)
    judgments = gs.read_judgments(path, levels=gs.Levels(("0", "0.4", "0.9")))
    assert [row[3] for row in judgments.frame().rows()] == ["0.9", "0", "0.4"]


def test_the_hits_of_a_response_are_a_run(tmp_path: Path) -> None:
    """The order of the hits is the ranking, whatever their scores are; a single flat object is still a table."""
    path = save(tmp_path / "tuned.json", RESPONSE)
    run = gs.read_run(path)
    assert run.name == "tuned"
    assert [row[:2] for row in run.frame().rows()] == [
        *[("red dress", "B2"), ("red dress", "B9"), ("red dress", "B1")],
        ("blue coat", "B1"),
    ]
    judgments = save(tmp_path / "request.json", REQUEST)
    assert gs.score(judgments, path, "RR").by_topic() == {"blue coat": {"RR": 1.0}, "red dress": {"RR": 1 / 3}}
    assert len(gs.read_run(save(tmp_path / "r.json", {"qid": 1, "docno": "d", "score": 2.0}, indent=None))) == 1


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            REQUEST,
            r"expected JSON lines or a _rank_eval response \('details'\) as a run, found an object with the keys",
        ),
        (changed(RESPONSE, "details", to=[]), "details: expected an object with an entry"),
        (
            changed(RESPONSE, "details", "blue coat", "hits", 0, to={"_id": "B1"}),
            r"details.blue coat.hits\[0\]: expected the key 'hit'",
        ),
        (changed(RESPONSE, "details", "blue coat", to=3), "details.blue coat: expected an object with hits, found 3"),
        (
            changed(RESPONSE, "details", "red dress", "hits", 1, "hit", to={"_index": "shop"}),
            r"details.red dress.hits\[1\].hit: expected the key '_id'",
        ),
    ],
)
def test_what_is_no_response_is_no_run(value: Any, said: str, tmp_path: Path) -> None:
    """Another document given as a run is refused with the form that was expected."""
    with pytest.raises(FormatError, match=said):
        gs.read_run(save(tmp_path / "a.json", value))


ODD = (None, True, [], {}, "", [{}], {"a": 1}, "\ud800", 1e999, 10**400, -1, "x" * 100)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every key path of a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(below for key, part in inner for below in places(part, (*path, key)))]


@pytest.mark.parametrize("value", [OPENSEARCH, STORED, CASE, REQUEST, RESPONSE, BOOK, STUDIO])
def test_whatever_stands_anywhere_is_read_or_refused_in_words(value: Any) -> None:
    """Each node of each document replaced by each odd value: judgments, a run, or an error of ours."""
    for path in places(value):
        for odd in ODD:
            text = json.dumps(odd if not path else changed(value, *path, to=odd)).encode()
            for read in (read_judged, read_returned):
                with contextlib.suppress(GainsayerError):
                    read(text)


def read_judged(text: bytes) -> None:
    """As judgments, up to the table."""
    cells = read_document(text, "a.json")
    if cells is not None:
        make_source(cells, "a.json", assessor="a")


def read_returned(text: bytes) -> None:
    """As a run."""
    cells = read_hits(text, "a.json")
    if cells is not None:
        run_from_cells(cells, "a.json", name="a")
