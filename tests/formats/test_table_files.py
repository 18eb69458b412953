"""Table files: formats by ending and content, and the name behind the endings."""

from __future__ import annotations

import pytest

from gainsayer.errors import CallError, FormatError
from gainsayer.reading import RUNS, Source, make_source, read_cells, strip_endings, tell_table


@pytest.mark.parametrize(
    ("path", "assessor"),
    [
        ("dl/nist.qrels.gz", "nist"),
        ("pair1-first.qrels", "pair1-first"),
        ("umbrela-llama3.2.qrels", "umbrela-llama3.2"),
        ("umbrela-llama3.2", "umbrela-llama3.2"),
        ("qrels.123", "qrels.123"),
        ("A.CSV.ZST", "A"),
        ("nist.qrels.txt", "nist"),
        (".qrels", ".qrels"),
        ("-", "stdin"),
    ],
)
def test_only_known_endings_are_no_part_of_the_assessor(path: str, assessor: str) -> None:
    """Endings of data and compression are stripped, a version number is not."""
    assert strip_endings(path) == assessor


@pytest.mark.parametrize(
    ("path", "content", "format"),
    [
        ("a.csv", b"q1 0 d1 2", "csv"),
        ("a.tsv.gz", b"topic\tdoc\trel\n", "tsv"),
        ("a.tsv", b"1185869\t0\t0\t1\n", None),
        ("a.jsonl", b"", "jsonl"),
        ("a.ndjson.bz2", b"", "jsonl"),
        ("a.json", b"", "jsonl"),
        ("a.pq", b"", "parquet"),
        ("a.qrels", b"q1 0 d1 2\n", None),
        ("a.qrels", b"topic\tdoc\trel\nq1\td1\t2\n", "tsv"),
        ("a.txt", b'"topic","doc","rel"\n', "csv"),
        ("a", b"PAR1...", "parquet"),
        ("a", b'\xef\xbb\xbf\n {"topic": 1}', "jsonl"),
        ("a", b'[\n {"topic": 1}]', "jsonl"),
        ("a", b"[q1] 0 d1 2", None),
        ("a", b"query\t0\tdoc\t1\n", None),
        ("-", b"q1,0,d1,2\n", None),
    ],
)
def test_format_is_told_by_ending_then_by_content(path: str, content: bytes, format: str | None) -> None:
    """A known ending decides; otherwise the first bytes do; lines without a header are no table."""
    assert tell_table(path, content) == format


def test_the_header_of_a_run_is_none_of_judgments() -> None:
    """Which first line is a header depends on what the table should hold."""
    head = b"topic,document,score\nq1,d1,2.5\n"
    assert tell_table("a.txt", head, RUNS) == "csv"
    assert tell_table("a.txt", head) is None
    assert tell_table("a.tsv", b"score\tx\n", RUNS) == "tsv"
    assert tell_table("a.tsv", b"score\tx\n") is None


def test_endings_of_runs_are_stripped_where_they_are_named() -> None:
    """A run's ending may stand before, behind and between the others."""
    assert strip_endings("x/b.run.gz", {".run"}) == strip_endings("b.qrels.run", {".run"}) == "b"
    assert strip_endings("b.run") == "b.run"


def read(text: str, assessor: str | None = "U1", separator: str | None = None) -> Source:
    """The table in a file called a.csv."""
    return make_source(read_cells(text.encode(), "a.csv", separator=separator), "a.csv", assessor=assessor)


@pytest.mark.parametrize("topic", ["topic", "Query", "QID", "query_id", "topic-id"])
@pytest.mark.parametrize("document", ["document", "doc", "DocID", "docno", "doc_id", "Document ID"])
def test_synonyms_of_names_are_understood(topic: str, document: str) -> None:
    """The usual titles of topic and document are understood in any case."""
    assert read(f"{topic},{document},level\nq1,d1,2\n").frame.rows() == [("q1", "d1", "U1", "2")]


@pytest.mark.parametrize("assessor", ["assessor", "judge", "Annotator", "rater_id", "worker"])
@pytest.mark.parametrize("level", ["level", "grade", "label", "rel", "Relevance", "rating"])
def test_synonyms_of_levels_are_understood(assessor: str, level: str) -> None:
    """The usual titles of assessor and level are understood in any case."""
    assert read(f"{level},topic,doc,{assessor}\n2,q1,d1,U7\n").frame.rows() == [("q1", "d1", "U7", "2")]


@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators_quotes_and_line_ends_do_not_matter(separator: str, quote: str, end: str) -> None:
    """Comma, tab and semicolon, quoted or not, with any line end, with or without the last one."""
    lines = [["qid", "docno", "rel"], ["q1", "d1", "2"], ["q1", "d2", "0"]]
    text = end.join(separator.join(f"{quote}{cell}{quote}" for cell in line) for line in lines)
    expected = [("q1", "d1", "U1", "2"), ("q1", "d2", "U1", "0")]
    assert read(text).frame.rows() == expected
    assert read(text + end).frame.rows() == expected


def test_quoting_is_that_of_rfc_4180() -> None:
    """A quoted cell may hold the separator, doubled quotes and line breaks."""
    source = read('qid,docno,note,rel\nq1,"d,1","two\nlines",2\nq2,"say ""d2""",,0\n')
    assert source.frame.rows() == [("q1", "d,1", "U1", "2"), ("q2", 'say "d2"', "U1", "0")]
    assert [source.where(row) for row in range(2)] == ["a.csv, line 2", "a.csv, line 4"]


def test_optional_columns_are_kept_and_others_left_out() -> None:
    """Intent, stratum and weight come along, as text and number; a comment does not."""
    frame = read("topic,subtopic,document,weight,stratum,level,comment\nq1,i1,d1, 2.5,nav,1,good\n").frame
    assert frame.columns == ["topic", "document", "assessor", "label", "intent", "stratum", "weight"]
    assert frame.rows() == [("q1", "d1", "U1", "1", "i1", "nav", 2.5)]


def test_outer_blanks_of_names_are_removed() -> None:
    """A blank after the comma is no part of a name."""
    assert read("topic, document, level\nq1, d1, 2\n").frame["document"].to_list() == ["d1"]


def test_blank_lines_are_passed_over_and_counted() -> None:
    """Places are lines of the file as it is, also after blank lines."""
    source = read("\ntopic,document,level\n\nq1,d1,2\n \nq1,d2,0\n")
    assert [source.where(row) for row in range(2)] == ["a.csv, line 4", "a.csv, line 6"]
    assert read("topic,document,level\nq1,d1,2\nq1,d2,0\n").where(1) == "a.csv, line 3"


def test_missing_columns_are_listed_with_what_was_found() -> None:
    """The message says what is needed, what was found and what to call it."""
    with pytest.raises(FormatError) as caught:
        read("query,passage,rel\nq1,d1,2\n")
    assert str(caught.value) == (
        "a.csv, line 1: expected the columns topic, document, level, found 'query', 'passage', 'rel'.\n"
        "No document column: call it document or document_id or doc or doc_id or docid or docno or corpus_id."
    )


def test_ambiguous_columns_are_refused() -> None:
    """Two columns that could be the level are named."""
    with pytest.raises(
        FormatError, match=r"expected one level column, found two: 'label' and 'rel'\. Rename or remove"
    ):
        read("topic,doc,label,rel\nq1,d1,2,2\n")


def test_no_assessor_at_all_is_a_fault_of_the_call() -> None:
    """Without an assessor column and a name nobody gave the levels."""
    with pytest.raises(CallError, match="has no assessor column"):
        read("topic,doc,rel\nq1,d1,2\n", assessor=None)


def test_a_header_without_rows_is_said() -> None:
    """A table of a header alone holds no judgments."""
    with pytest.raises(FormatError, match=r"a\.csv has columns but no judgments below them"):
        read("topic,doc,rel\n")


@pytest.mark.parametrize("row", ["q1,d2", "q1,d2,0,7"])
def test_wrong_cell_count_is_named_by_its_line(row: str) -> None:
    """A row with fewer or more cells than the header is an error, even if both kinds balance."""
    with pytest.raises(
        FormatError, match=f"a.csv, line 3: expected 3 columns as in the header, found {row.count(',') + 1}"
    ):
        read(f"topic,doc,rel\nq1,d1,2\n{row}\n")


def test_short_and_long_rows_do_not_balance() -> None:
    """A short row and a long one are both found, though together they have the right number of cells."""
    with pytest.raises(FormatError, match=r"(?s)line 3: .* found 2.*line 4: .* found 4"):
        read("topic,doc,rel\nq1,d1,2\nq1,d2\nq1,d3,0,1\n")


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (",d1,U1,i,s,1,2", "expected a topic, found an empty one"),
        ("q1, ,U1,i,s,1,2", "expected a document, found an empty one"),
        ("q1,d1,,i,s,1,2", "expected an assessor, found an empty one"),
        ("q1,d1,U1,,s,1,2", "expected an intent, found an empty one"),
        ("q1,d1,U1,i,,1,2", "expected a stratum, found an empty one"),
        ("q1,d1,U1,i,s,heavy,2", "expected a number as weight, found 'heavy'"),
        ("q1,d1,U1,i,s,,2", "expected a number as weight, found ''"),
    ],
)
def test_empty_names_and_odd_weights_are_named_by_their_line(row: str, fault: str) -> None:
    """An empty name or a weight that is no number is an error with its line."""
    with pytest.raises(FormatError, match=f"a.csv, line 3: {fault}"):
        read(f"topic,doc,judge,intent,stratum,weight,rel\nq0,d0,U1,i,s,1,0\n{row}\n")


def test_many_empty_names_are_counted() -> None:
    """Of fifteen empty topics ten are shown and five are counted."""
    with pytest.raises(FormatError, match=r"line 11: .*\n\.\.\. and 5 more like these"):
        read("topic,doc,rel\n" + ",d1,2\n" * 15)


def test_an_empty_level_is_passed_on() -> None:
    """What an empty level means is for the levels to say."""
    assert read("topic,doc,rel\nq1,d1,\nq1,d2,0\n").frame["label"].to_list() == ["", "0"]


def test_wrong_quotes_are_named_by_the_row_they_begin_in() -> None:
    """A quote that is never closed is named by the line where its row begins."""
    with pytest.raises(FormatError, match=r"a\.csv, line 3: expected cells quoted as in RFC 4180"):
        read('topic,doc,rel\nq1,d1,2\nq1,"d2,0\nq1,d3,1\n')


@pytest.mark.parametrize("line", ["x" * 10_000_000, "x," * 5_000_000, '"' + "x" * 10_000_000])
def test_ten_megabytes_on_one_line_are_refused_in_short(line: str) -> None:
    """A first line of 10 MB is no header, and the message does not repeat it."""
    with pytest.raises(FormatError, match=r"a\.csv, line 1: expected a header line such as topic") as caught:
        read(line)
    assert len(str(caught.value)) < 300


def test_ten_megabytes_below_the_header_are_refused_in_short() -> None:
    """A second line of 5 million cells is refused, and the message does not repeat it."""
    with pytest.raises(FormatError, match="line 2: expected 3 columns as in the header, found 5000001") as caught:
        read("topic,doc,rel\n" + "x," * 5_000_000)
    assert len(str(caught.value)) < 300
