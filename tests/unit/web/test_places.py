"""New studies that are whole or not there, lists with faults, outputs over a study, places that cannot be written."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import func, inspect, select
from tests.judging.studies import make_content, write_plan

from gainsayer.errors import CallError
from gainsayer.web.database import connect, item, new_database, open_database
from gainsayer.web.people import invite
from gainsayer.web.study import create_study

Run = Callable[..., Result]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a plan for twenty documents of a topic, its list, and all that a study needs."""
    (tmp_path / "plan.json").write_text(json.dumps(write_plan("012", ["1", "2"], [dict.fromkeys("012", 1.0)])))
    rows = "".join(f"q,d{number},1,0.5\n" for number in range(20))
    (tmp_path / "plan.list.csv").write_text(f"topic,document,batch,sampling_key\n{rows}")
    (tmp_path / "topics.tsv").write_text("topic\ttitle\nq\tone\n")
    documents = [{"document": f"d{number}", "text": "text " * 2000} for number in range(20)]
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents))
    return tmp_path


def new(files: Path, plan: str = "plan.json") -> tuple[str, ...]:
    """The call that makes `study.db` of the files."""
    named = {"--plan": plan, "--topics": "topics.tsv", "--documents": "docs.jsonl"}
    return ("judge", "new", str(files / "study.db"), *(str(w) for o, n in named.items() for w in (o, files / n)))


def test_a_study_has_the_name_it_is_given(files: Path, run: Run) -> None:
    """`--name` takes the words that judges see; without it, it is the file's name."""
    for name, shown in ((("--name", "Fish & chips"), "Fish & chips"), (("--name=Fish",), "Fish"), ((), "study")):
        (files / "study.db").unlink(missing_ok=True)
        assert run(*new(files), *name).exit_code == 0
        assert json.loads(run("judge", "status", files / "study.db", "--format", "json").stdout)["study"] == shown


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("q,d3,1,x", "expected a sampling key from 0 to 1, found 'x'"),
        ("q,d3,1,../x", "expected a sampling key from 0 to 1, found '../x'"),
        ("q,d3,1,nan", "expected a sampling key from 0 to 1, found 'nan'"),
        ("q,d3,two,0.5", "expected a batch from 1 to 1, found 'two'"),
        ("q,d3,999999999999999999999999999999,0.5", "expected a batch from 1 to 1, found '9999"),
        ("q,d3,2,0.5", "expected a batch from 1 to 1, found '2'"),
    ],
)
def test_a_list_with_a_fault_is_said_with_its_line(files: Path, run: Run, row: str, said: str) -> None:
    """File, line and what was found, exit code 1, and no study."""
    lines = (files / "plan.list.csv").read_text().splitlines()
    lines[4] = row
    (files / "plan.list.csv").write_text("\n".join(lines) + "\n")
    done = run(*new(files))
    assert done.exit_code == 1
    assert f"plan.list.csv, line 5: {said}" in done.stderr
    assert not (files / "study.db").exists()


def test_a_plan_that_asks_for_nothing_or_is_not_there(files: Path, run: Run) -> None:
    """Where all is judged it is said (1, the data); a wrong path or a folder is the call's fault (2)."""
    for name in ("none.json", ""):
        wrong = run(*new(files, name))
        assert (wrong.exit_code, "There is no plan" in wrong.stderr) == (2, True)
    for rows in ("", "q,d1,0,0.5\n"):
        (files / "plan.list.csv").write_text(f"topic,document,batch,sampling_key\n{rows}")
        done = run(*new(files))
        assert done.exit_code == 1
        assert "asks for no document" in done.stderr


def test_outputs_never_go_where_sqlite_keeps_its_log(files: Path, run: Run) -> None:
    """Neither export nor backup writes over a study or its -wal, -shm and -journal, also while these are not there."""
    study = files / "study.db"
    create_study(str(study), make_content()).close()
    (files / "other.db").symlink_to(study)
    before = study.read_bytes()
    for command in ("export", "backup"):
        for name in ("study.db", "study.db-wal", "study.db-shm", "study.db-journal", "other.db"):
            done = run("judge", command, study, "-o", files / name)
            assert done.exit_code == 2, name
    assert study.read_bytes() == before
    assert not [path.name for path in files.iterdir() if path.name.startswith("study.db-")]


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ValueError, SystemExit])
def test_a_study_is_whole_or_not_there(place: str, tmp_path: Path, fault: type[BaseException]) -> None:
    """Whatever stops its making, nothing is left, and a second try makes it."""
    with pytest.raises(fault), new_database(place):
        raise fault
    assert list(tmp_path.iterdir()) == []
    if place.startswith("postgresql"):
        database = connect(place)
        with database.read() as connection:
            assert inspect(connection).get_table_names() == []
        database.close()
    create_study(place, make_content()).close()
    with pytest.raises(CallError, match="already"):
        create_study(place, make_content())


def test_a_disk_that_fills_up_leaves_nothing(files: Path, run: Run) -> None:
    """A study that does not fit is said in words, leaves no file, and can be made when there is room."""
    known = set(files.iterdir())

    def keep_small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    command = [sys.executable, "-m", "gainsayer", *new(files)]
    done = subprocess.run(command, preexec_fn=keep_small, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Cannot write" in done.stderr
    assert "Traceback" not in done.stderr
    assert set(files.iterdir()) == known
    assert run(*new(files)).exit_code == 0
    database = open_database(str(files / "study.db"))
    with database.read() as connection:
        assert connection.execute(select(func.count(item.c.id))).scalar() == 20
    database.close()


@pytest.mark.parametrize("command", ["status", "export", "invite", "backup", "serve", "revoke"])
def test_a_study_that_is_not_whole_is_said(files: Path, run: Run, command: str) -> None:
    """Tables without the row that says what the study is: words and exit code 1, whatever is asked of it."""
    create_study(str(files / "half.db"), make_content()).close()
    with closing(sqlite3.connect(files / "half.db")) as connection:
        connection.execute("delete from study")
        connection.commit()
    more = {"invite": ["Ann"], "revoke": ["Ann"], "backup": ["-o", files / "copy.db"], "serve": ["--port", "0"]}
    done = run("judge", command, files / "half.db", *more.get(command, []))
    assert (done.exit_code, "holds no whole study" in done.stderr) == (1, True)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Path]:
    """A folder that can be written until `freeze` of it: a file system of its own for root, permissions for others."""
    folder = tmp_path / "archive"
    folder.mkdir()
    if os.geteuid() == 0:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False)
        if mounted.returncode:
            pytest.skip("Nothing can be mounted here.")
    yield folder
    if os.geteuid() == 0:
        subprocess.run(["umount", folder], check=True)
    else:
        folder.chmod(0o700)


def freeze(folder: Path) -> None:
    """Let nothing be written any more."""
    if os.geteuid() == 0:
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    else:
        folder.chmod(0o500)


def test_a_study_on_a_read_only_file_system_can_be_read(archive: Path, tmp_path: Path, run: Run) -> None:
    """Status, export and backup read an archived study; what would write to it says why it cannot, with code 2."""
    study = archive / "study.db"
    create_study(str(study), make_content()).close()
    freeze(archive)
    assert "Nobody has judged yet." in run("judge", "status", study).stdout
    assert run("judge", "export", study).stdout.startswith("topic,document,assessor")
    assert run("judge", "backup", study, "-o", tmp_path / "copy.db").exit_code == 0
    assert run("judge", "invite", tmp_path / "copy.db", "Ann").exit_code == 0
    for words in (("invite", study, "Ann"), ("revoke", study, "Ann"), ("serve", study, "--port", "0")):
        done = run("judge", *words)
        assert (done.exit_code, "nothing can be written" in done.stderr) == (2, True), words
    assert run("judge", "backup", study, "-o", archive / "copy.db").exit_code == 2


def test_an_archive_with_its_log_is_not_read_without_it(archive: Path, run: Run) -> None:
    """What was answered last may stand in the log alone: no old state is shown as if it were the study."""
    database = create_study(str(archive / "study.db"), make_content())
    with database.write() as connection:
        invite(connection, ["Ann"])
    (archive / "copy.db").write_bytes((archive / "study.db").read_bytes())
    (archive / "copy.db-wal").write_bytes((archive / "study.db-wal").read_bytes())
    database.close()
    freeze(archive)
    done = run("judge", "status", archive / "copy.db")
    assert (done.exit_code, "Copy all elsewhere" in done.stderr) == (1, True)
