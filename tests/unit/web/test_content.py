"""Studies from files: every format of documents, addresses that cannot leave their place, faults said in words."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from click.testing import Result
from tests.judging.studies import write_plan

from gainsayer.errors import CallError, DataError, FormatError
from gainsayer.web.content import Content, check_template, fill_template, read_study
from gainsayer.web.database import open_database
from gainsayer.web.study import create_study, read_study_row

DOCUMENTS = [
    {"document": "d1", "topic": "q1", "title": "One", "text": "first", "html": ""},
    {"document": "d1", "topic": "q2", "title": "Other", "text": "", "html": "<p>other</p>"},
    {"document": "d/2", "topic": "", "title": "Two", "text": "second", "html": ""},
    {"document": "d9", "topic": "", "title": "Nine", "text": "not asked for", "html": ""},
]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a plan, its list, topics, documents, first labels and guidelines."""
    plan = write_plan(["Non", "Rel"], ["Rel"], [{"Non": 0.5, "Rel": 1}], within=0.07)
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    (tmp_path / "plan.list.csv").write_text(
        "topic,document,batch,sampling_key\nq1,d1,1,0.1\nq2,d1,1,0.2\nq1,d/2,1,0.3\nq2,d/2,0,0.9\n"
    )
    (tmp_path / "topics.tsv").write_text("qid\ttitle\tnarrative\nq1\tone\tlong\nq2\ttwo\t\nq3\tthree\t\n")
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in DOCUMENTS))
    (tmp_path / "first.csv").write_text(
        "topic,document,assessor,level\nq1,d1,Ann,Rel\nq2,d1,Ann,Non\nq1,d/2,Ben,Non\nq2,d/2,Ben,Non\n"
    )
    (tmp_path / "levels.csv").write_text("level,name,text\nRel,Yes,It helps.\nNon,No,It does not.\n")
    return tmp_path


def read(files: Path, **changes: object) -> Content:
    """The study of the files, with changes."""
    given: dict[str, object] = {
        "plan": files / "plan.json",
        "topics": files / "topics.tsv",
        "documents": files / "docs.jsonl",
        "judgments": files / "first.csv",
    }
    return read_study(name="trial", **(given | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["jsonl", "csv", "tsv", "parquet"])
def test_documents_in_every_format(files: Path, form: str) -> None:
    """JSON lines, CSV, TSV and Parquet give the same study: text or HTML, by topic or for all topics."""
    frame = pl.DataFrame(DOCUMENTS)
    if form == "parquet":
        frame.write_parquet(files / "docs.parquet")
    elif form != "jsonl":
        frame.write_csv(files / f"docs.{form}", separator="," if form == "csv" else "\t")
    content = read(files, documents=files / f"docs.{form}", level_text=files / "levels.csv")
    shown = {
        (one.topic, one.document): (one.kind, one.title, one.body, one.level, one.assessor) for one in content.items
    }
    assert shown == {
        ("q1", "d1"): ("text", "One", "first", "Rel", "Ann"),
        ("q2", "d1"): ("html", "Other", "<p>other</p>", "Non", "Ann"),
        ("q1", "d/2"): ("text", "Two", "second", "Non", "Ben"),
    }
    assert [(level.level, level.name) for level in content.levels] == [("Non", "No"), ("Rel", "Yes")]
    assert [topic.name for topic in content.topics] == ["q1", "q2"]


def test_documents_by_address(files: Path) -> None:
    """A name becomes one part of the address, whatever it holds; others than http(s) are refused."""
    content = read(files, documents=None, url_template="https://x.org/{document}")
    assert {one.body for one in content.items} == {"https://x.org/d1", "https://x.org/d%2F2"}
    assert content.frame_origin == "https://x.org"
    assert fill_template("https://x.org/?d={document}", "a&b=c#d") == "https://x.org/?d=a%26b%3Dc%23d"
    for name in (".", ".."):
        with pytest.raises(DataError, match="folder"):
            fill_template("https://x.org/{document}", name)
    for template in (
        "javascript:alert({document})",
        "file:///{document}",
        "https://{document}",
        "https://x.org/",
        "https://x.org;script-src/{document}",
        "https://user@x.org/{document}",
        "//x.org/{document}",
    ):
        with pytest.raises(CallError, match="template"):
            check_template(template)


def test_faults_are_said(files: Path) -> None:
    """What is missing is named: topics, documents, labels, levels; and what is no plan."""
    with pytest.raises(CallError, match="either"):
        read(files, url_template="https://x.org/{document}")
    with pytest.raises(CallError, match="1 to 100"):
        read(files, overlap=0)
    (files / "few.tsv").write_text("topic\ttitle\nq1\tone\n")
    with pytest.raises(DataError, match=r"1 topic of the plan is not in .*few.tsv: q2"):
        read(files, topics=files / "few.tsv")
    (files / "few.jsonl").write_text(json.dumps(DOCUMENTS[0]) + "\n")
    with pytest.raises(DataError, match="d1, d/2"):
        read(files, documents=files / "few.jsonl")
    (files / "few.csv").write_text("topic,document,assessor,level\nq1,d1,Ann,Rel\n")
    with pytest.raises(DataError, match="not in the first judgments"):
        read(files, judgments=files / "few.csv")
    (files / "half.csv").write_text("level,text\nRel,It helps.\n")
    with pytest.raises(DataError, match="Non"):
        read(files, level_text=files / "half.csv")
    (files / "none.csv").write_text("grade x,name,text\n0,Non,no\n1,Rel,yes\n")
    with pytest.raises(FormatError, match="No level column"):
        read(files, level_text=files / "none.csv")
    (files / "labels.csv").write_text("topic,document,batch,level\nq1,d1,1,Odd\n")
    plan = json.loads((files / "plan.json").read_text())
    (files / "odd.json").write_text(json.dumps(plan | {"list": {"file": "labels.csv", "digest": ""}}))
    with pytest.raises(DataError, match="'Odd' is not a level of the plan"):
        create_study(str(files / "odd.db"), read(files, plan=files / "odd.json", judgments=None))
    with pytest.raises(DataError, match="at least one document"):
        create_study(str(files / "odd.db"), replace(read(files), items=[]))
    assert not (files / "odd.db").exists()
    elsewhere = json.dumps(plan | {"list": {"file": str(files / "plan.list.csv")}})
    for text in (
        elsewhere,
        "no JSON",
        "{}",
        "[]",
        '{"levels": [{"level": "0"}], "relevant": ["1"], "list": {"file": "x"}}',
        json.dumps(plan | {"relevant": ["1"]}),
        json.dumps(plan | {"batches": []}),
        json.dumps(plan | {"schema_version": 2}),
    ):
        (files / "bad.json").write_text(text)
        with pytest.raises(DataError, match=r"bad\.json"):
            read(files, plan=files / "bad.json")


def test_a_list_elsewhere_is_refused_without_asserts_too(files: Path) -> None:
    """`python -O` takes assert statements away, not the check that the list lies next to its plan."""
    plan = json.loads((files / "plan.json").read_text())
    plan["list"]["file"] = "../plan.list.csv"
    (files / "bad.json").write_text(json.dumps(plan))
    command = ("judge", "new", "x.db", "--plan", "bad.json", "--topics", "topics.tsv", "--documents", "docs.jsonl")
    done = subprocess.run(
        [sys.executable, "-O", "-m", "gainsayer", *command], cwd=files, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "bad.json: the plan was changed by hand" in done.stderr
    assert not (files / "x.db").exists()


def test_what_was_asked_for_is_kept(files: Path) -> None:
    """The precision comes from the call, else from the plan."""
    create_study(str(files / "study.db"), read(files)).close()
    database = open_database(str(files / "study.db"))
    with database.read() as connection:
        assert read_study_row(connection).within == 0.07
    database.close()


def test_the_commands(files: Path, run: Callable[..., Result]) -> None:
    """new, invite, status, export, backup and revoke work on a study file, and refuse in words, with their codes."""
    study = files / "study.db"
    new = ("judge", "new", study, "--plan", files / "plan.json", "--topics", files / "topics.tsv")
    new = (*new, "--documents", files / "docs.jsonl", "--judgments", files / "first.csv", "--within", "0.2")
    done = run(*new)
    assert done.exit_code == 0, done.stderr
    assert "3 documents of 2 topics" in done.stderr
    assert run(*new).exit_code == 2
    invited = run("judge", "invite", study, "Cleo", "Dan")
    assert [line.split("\t")[0] for line in invited.stdout.splitlines()] == ["Cleo", "Dan"]
    assert invited.stdout.count("http://127.0.0.1:8321/join/") == 2
    assert invited.stderr == ""
    first = run("judge", "invite", study, "ANN", "ben")  # who gave first labels
    assert first.stdout.count("/join/") == 2
    assert (
        "ANN gave first labels in 2 of 2 topics (q1, q2), and is not given the blocks that hold them." in first.stderr
    )
    assert "ben gave first labels in 1 of 2 topics (q1), and is not given the blocks that hold them." in first.stderr
    status = run("judge", "status", study, "--format", "json")
    assert json.loads(status.stdout)["within"] == 0.2
    assert "Nobody has judged yet." in run("judge", "status", study).stdout
    assert run("judge", "export", study, "-o", files / "second.csv").exit_code == 0
    assert (files / "second.csv").read_text().startswith("topic,document,assessor,level,weight,milliseconds")
    assert run("judge", "backup", study, "-o", files / "copy.db").exit_code == 0
    assert run("judge", "status", files / "copy.db").exit_code == 0
    (files / "study.db-wal").touch()
    for command in ("export", "backup"):
        for place in (study, files / "study.db-wal"):
            assert run("judge", command, study, "-o", place).exit_code == 2
    assert run("judge", "revoke", study, "Cleo").exit_code == 0
    wrong = run("judge", "revoke", study, "Clea")
    assert wrong.exit_code == 2
    assert "Did you mean Cleo?" in wrong.stderr
    assert run("judge", "serve", study, "--host", "0.0.0.0").exit_code == 2
    for address in ("ftp://x", "https://x:99999", "https://ann:word@x.org", "https://x.org/below", "https://a..b"):
        assert run("judge", "serve", study, "--public-url", address).exit_code == 2
    assert run("judge", "status", "postgresql:x").exit_code == 2
    assert run("judge", "status", files / "none.db").exit_code == 2
    assert run("judge", "status", files / "first.csv").exit_code == 1
