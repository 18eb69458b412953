"""Where results go: never over an input, whatever the streams and the terminal are like."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click
import pytest
from click.testing import Result

from gainsayer.cli import gainsayer

Run = Callable[..., Result]
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n"
RUN = "q1 Q0 d1 1 2 r\nq1 Q0 d2 2 1 r\nq2 Q0 d1 1 1 r\n"
STEERING = "\x1b[31m\x9b5n\u061c\u202e"
FILES = {
    "a.qrels": QRELS,
    "b.qrels": QRELS.replace("d2 0", "d2 1"),
    "r.run": RUN,
    "gains.json": '{"0": 0.1, "1": 0.5}',
    "side.tsv": "q1 x\nq2 y\n",
    "matrix": "3 1\n1 3\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, the current one, with judgments, a run and side files."""
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "r.run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


SCORE = ("score", "--judgments", "a.qrels", "missing", "--runs")
OVER_INPUTS: Mapping[str, tuple[str, ...]] = {
    "judgments": ("fit", "a.qrels", "missing", "-o", "a.qrels", "--format", "json"),
    "named judgments": ("agree", "A=a.qrels", "missing", "-o", "./a.qrels", "--format", "csv"),
    "a symbolic link": ("fit", "a.qrels", "missing", "-o", "soft.json"),
    "a hard link": ("fit", "a.qrels", "missing", "-o", "hard.json"),
    "strata": ("fit", "a.qrels", "missing", "--strata", "side.tsv", "-o", "side.tsv", "--format", "csv"),
    "a run": (*SCORE, "r.run", "-o", "r.run", "--format", "csv"),
    "a folder of runs": (*SCORE, "runs", "-o", "runs/r.run", "--format", "csv"),
    "a pattern of runs": (*SCORE, "runs/*.run", "-o", "runs/r.run", "--format", "csv"),
    "a file of gains": (*SCORE, "r.run", "--gains", "prm,gains.json", "-o", "gains.json"),
    "a model": ("compare", *SCORE[1:], "r.run", "--model", "gains.json", "-o", "gains.json"),
    "duplicates": (*SCORE, "r.run", "--duplicates", "side.tsv", "-o", "side.tsv", "--format", "csv"),
    "resources": (
        *SCORE,
        "r.run",
        "--resources",
        "3",
        "--resource-file",
        "side.tsv",
        "-o",
        "side.tsv",
        "--format",
        "csv",
    ),
    "a study": ("study", "gains", *SCORE[1:], "r.run", "-o", "r.run", "--format", "csv"),
    "an export": ("export", "qrels", "a.qrels", "missing", "-o", "a.qrels"),
    "queries": ("export", "quepid", "missing", "--queries", "side.tsv", "-o", "side.tsv"),
    "documents of an effect": (
        *("machine", "check", "--machine", "b.qrels", "--people", "missing", "--runs", "runs"),
        *("--effect", "votes,side.tsv", "-o", "side.tsv", "--format", "csv"),
    ),
    "the list of a plan": ("fit", "b.qrels", "missing", "--plan", "plan.json", "-o", "plan.list.csv"),
    "the design of a sample": (
        *("machine", "score", "--machine", "b.qrels", "--people", "p.csv", "--runs", "runs", "-m", "AP"),
        *("-o", "p.design.json"),
    ),
    "a page": ("report", "--judgments", "a.qrels", "missing", "-o", "a.qrels"),
    "the JSON beside a page": ("report", "--judgments", "b.qrels", "gains.json", "missing", "-o", "gains.html"),
    "a figure": ("report", "--judgments", "figures/a.svg", "missing", "--figures", "figures", "-o", "page.html"),
}


@pytest.mark.parametrize("case", OVER_INPUTS)
def test_an_input_is_never_overwritten(case: str, run: Run, folder: Path) -> None:
    """Refused before anything is read (another input is missing), with exit code 2, and every file is as it was."""
    (folder / "soft.json").symlink_to("a.qrels")
    (folder / "hard.json").hardlink_to("a.qrels")
    (folder / "figures").mkdir()
    (folder / "figures" / "a.svg").write_text(QRELS)
    for name in ("plan.json", "plan.list.csv", "p.csv", "p.design.json"):
        (folder / name).write_text("whatever")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    result = run(*OVER_INPUTS[case])
    assert result.exit_code == 2, result.output
    assert "is also read here, as" in result.stderr
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def _options(command: click.Command) -> list[click.Parameter]:
    if not isinstance(command, click.Group):
        return command.params
    context = click.Context(command)
    inner = [command.get_command(context, name) for name in command.list_commands(context)]
    return [option for one in inner if one is not None for option in _options(one)]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("plan.list.csv", "plan a.qrels --threshold 1 --budget 2 -o plan.json"),
        ("p.design.json", "machine sample --machine a.qrels --runs runs --labels 2 -o p.csv"),
        ("page.json", "report --judgments a.qrels -o page.html"),
        ("figures/confusion.svg", "report --judgments a.qrels b.qrels -o page.html --figures figures"),
    ],
)
def test_a_file_that_nobody_named_is_replaced_only_if_it_is_ours(name: str, words: str, run: Run, folder: Path) -> None:
    """What a command names itself never takes the place of somebody's file; its own it replaces."""
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("precious")
    result = run(*words.split())
    assert result.exit_code == 2
    assert f"{name} would be replaced, which is not an earlier file of this kind" in result.stderr
    assert (folder / name).read_text() == "precious"
    (folder / name).unlink()
    for _ in range(2):
        assert run(*words.split()).exit_code == 0
    assert (folder / name).stat().st_size > len("precious")


@pytest.mark.parametrize("figure", ["x.xyz", "nowhere/x.svg"])
def test_a_bad_figure_leaves_the_output_as_it_was(figure: str, run: Run, folder: Path) -> None:
    """Result and figure are written together, or neither is."""
    (folder / "m.json").write_text("before")
    result = run("agree", "a.qrels", "b.qrels", "-o", "m.json", "--figure", figure)
    assert result.exit_code == 2
    assert (folder / "m.json").read_text() == "before"


def test_standard_input_is_an_input(folder: Path) -> None:
    """A file that comes in by `<` is not overwritten either."""
    result = call("fit - missing -o a.qrels --format json < a.qrels", folder)
    assert result.returncode == 2
    assert "a.qrels is also read here, as standard input" in result.stderr.decode()
    assert (folder / "a.qrels").read_text() == QRELS


@pytest.mark.parametrize("content", ["{}", '{"title": 1}', "[" * 100_000, "\xff", "model"])
def test_a_report_replaces_no_json_but_a_report_s(content: str, run: Run, folder: Path) -> None:
    """A file that is not the JSON of an earlier report stays, a model of ours too; nothing is written."""
    if content == "model":
        assert run("fit", "a.qrels", "b.qrels", "-o", "page.json").exit_code == 0
    else:
        (folder / "page.json").write_text(content, encoding="latin-1")
    before = (folder / "page.json").read_bytes()
    result = run("report", "--judgments", "a.qrels", "missing", "-o", "page.html")
    assert result.exit_code == 2
    assert "page.json would be replaced, which is not an earlier file of this kind" in result.stderr
    assert (folder / "page.json").read_bytes() == before
    assert not (folder / "page.html").exists()


def test_an_earlier_report_is_replaced_and_nothing_else_by_default(run: Run, folder: Path) -> None:
    """Report over report works, through links and with their permissions; a report.html of somebody else's stays."""
    report = ("report", "--judgments", "a.qrels", "b.qrels")
    (folder / "report.html").write_text("<html>mine</html>")
    assert "report.html is not an earlier report" in run(*report).stderr
    assert (folder / "report.html").read_text() == "<html>mine</html>"
    assert run(*report, "-o", "report.html").exit_code == 0, "what is named with -o may be replaced"
    (folder / "report.json").rename(folder / "kept.json")
    (folder / "report.json").symlink_to("kept.json")
    (folder / "report.html").chmod(0o600)
    assert run(*report, "--title", "Again").exit_code == 0
    assert (folder / "report.json").is_symlink()
    assert json.loads((folder / "kept.json").read_text())["title"] == "Again"
    assert (folder / "report.html").stat().st_mode & 0o777 == 0o600


def test_page_and_json_in_one_place_are_refused(run: Run, folder: Path) -> None:
    """Also where a link makes them one; and the page does not go to standard output or a device."""
    (folder / "page.json").symlink_to("page.html")
    assert "both the page and its JSON" in run("report", "--judgments", "a.qrels", "-o", "page.html").stderr
    for name in ("-", "/dev/null"):
        assert "two files" in run("report", "--judgments", "a.qrels", "-o", name).stderr
    assert not (folder / "-").exists()


@pytest.mark.parametrize("path", ["report.html", "report.json"])
def test_a_demo_replaces_only_a_demo(path: str, run: Run, folder: Path) -> None:
    """A page or JSON of somebody else's in its folder stays."""
    (folder / "demo").mkdir()
    (folder / "demo" / path).write_text("mine")
    assert "not of an earlier demo" in run("demo").stderr
    assert [file.name for file in (folder / "demo").iterdir()] == [path]


@pytest.mark.parametrize(
    "arguments",
    [
        ("fit", "a.qrels", "b.qrels", "-o", "loop.json"),
        ("export", "gains", "--gain", "0=0.1", "--gain", "1=0.5", "-o", "loop.json"),
        ("report", "--judgments", "a.qrels", "-o", "loop.json"),
        ("report", "--judgments", "a.qrels", "--figures", "loop.json"),
        ("simulate", "-o", "loop.json"),
    ],
)
def test_a_circle_of_links_is_our_error(arguments: Sequence[str], run: Run, folder: Path) -> None:
    """Said in words, with exit code 2, and nothing is written."""
    (folder / "loop.json").symlink_to("loop2.json")
    (folder / "loop2.json").symlink_to("loop.json")
    before = sorted(folder.iterdir())
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert "both the page" in result.stderr or "Too many levels of symbolic links" in result.stderr
    assert sorted(folder.iterdir()) == before


def test_a_simulation_keeps_the_permissions_of_what_it_replaces(run: Run, folder: Path) -> None:
    """Of the folder and of its files; a link inside is not ours to replace."""
    assert run("simulate", "-o", "twin", "--topics", "4").exit_code == 0
    (folder / "twin").chmod(0o750)
    (folder / "twin" / "first.qrels").chmod(0o600)
    assert run("simulate", "-o", "twin", "--topics", "4", "--overwrite", "--seed", "1").exit_code == 0
    assert (folder / "twin").stat().st_mode & 0o777 == 0o750
    assert (folder / "twin" / "first.qrels").stat().st_mode & 0o777 == 0o600
    (folder / "twin" / "first.qrels").rename(folder / "elsewhere")
    (folder / "twin" / "first.qrels").symlink_to(folder / "elsewhere")
    assert "such as first.qrels" in run("simulate", "-o", "twin", "--topics", "4", "--overwrite").stderr


@pytest.fixture
def hostile(folder: Path) -> tuple[str, ...]:
    """A call that scores a run whose name, and judgments one of whose topics, would steer a terminal."""
    topic = f"q{STEERING}"
    (folder / "h.qrels").write_text(QRELS.replace("q1", topic), encoding="utf-8")
    (folder / "h.run").write_text(RUN.replace("q1", topic).replace(" r\n", f" ={STEERING}\n"), encoding="utf-8")
    return ("score", "--judgments", "h.qrels", "--runs", "h.run", "-m", "P@1", "--per-topic", "--quiet")


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "latex", "trec"])
def test_nothing_from_a_file_steers_the_terminal(form: str, run: Run, hostile: tuple[str, ...], folder: Path) -> None:
    """On a terminal no format sends an escape, C1 control or direction mark; CSV and trec keep them elsewhere."""
    shown = on_terminal((*hostile, "--format", form), folder, NO_COLOR="1")
    assert "q" in shown
    assert not any(sign in shown for sign in STEERING if not sign.isprintable())
    raw = run(*hostile, "--format", form).stdout
    assert (STEERING in raw) == (form in ("csv", "trec"))


def test_a_spreadsheet_gets_no_formula(run: Run, hostile: tuple[str, ...]) -> None:
    """--spreadsheet-safe puts an apostrophe before text that begins with a formula's sign; plain CSV is raw."""
    raw = list(csv.DictReader(io.StringIO(run(*hostile, "--format", "csv").stdout)))
    safe = list(csv.DictReader(io.StringIO(run(*hostile, "--spreadsheet-safe").stdout)))
    assert {row["run"] for row in raw} == {f"={STEERING}"}
    assert {row["run"] for row in safe} == {"'=\\x1b[31m\\x9b5n\\u061c\\u202e"}
    assert [row["value"] for row in safe] == [row["value"] for row in raw]
    assert "is about CSV" in run(*hostile, "--spreadsheet-safe", "--format", "json").stderr


def test_bold_only_where_it_is_welcome(folder: Path) -> None:
    """A terminal gets bold headings; none under NO_COLOR, and no escape at all under TERM=dumb."""
    words = ("fit", "a.qrels", "b.qrels", "--quiet")
    assert "\x1b[1m" in on_terminal(words, folder, TERM="xterm")
    assert "\x1b" not in on_terminal(words, folder, TERM="xterm", NO_COLOR="1")
    assert "\x1b" not in on_terminal(words, folder, TERM="dumb")


C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("environment", [{}, C_LOCALE])
def test_any_locale_and_any_bytes_in_a_name(environment: dict[str, str], folder: Path) -> None:
    """File names that are not UTF-8, in and out, in a C locale too: everything is written, as UTF-8."""
    name = os.fsdecode(b"caf\xc3\xa9 \xff")
    (folder / f"{name}.qrels").write_text(QRELS)
    for form in ("json", "txt"):
        result = call_words(("fit", f"{name}.qrels", "b.qrels", "-o", f"{name}.{form}"), folder, **environment)
        assert result.returncode == 0, result.stderr
        assert "Wrote café \\udcff" in result.stderr.decode()
        assert (folder / f"{name}.{form}").read_bytes().decode("utf-8")
    named = json.loads((folder / f"{name}.json").read_bytes())["provenance"]["files"][0]["file"]
    assert named == "café \\xff.qrels"
    printed = call_words(("fit", f"{name}.qrels", "b.qrels", "--format", "json"), folder, **environment)
    assert json.loads(printed.stdout)["provenance"]["files"][0]["file"] == named
    simulated = call_words(("simulate", "-o", name, "--topics", "4", "--strata", "a=1"), folder, **environment)
    assert simulated.returncode == 0, simulated.stderr
    assert (folder / name / "strata.tsv").is_file()


def test_closed_streams(folder: Path) -> None:
    """A closed standard error costs the messages, a closed standard output the result: that is an error, and said."""
    spoken = call("fit a.qrels b.qrels", folder)
    silent = call("fit a.qrels b.qrels 2>&-", folder)
    assert (silent.returncode, silent.stdout) == (0, spoken.stdout)
    lost = call("fit a.qrels b.qrels --quiet >&-", folder)
    assert (lost.returncode, lost.stderr) == (1, b"Error: Standard output is closed. Nothing more was written.\n")
    for place in ("one.json", "two.json"):
        assert call(f"fit a.qrels b.qrels -o {place} <&- >&- 2>&-", folder).returncode == 0
    assert (folder / "one.json").read_bytes() == (folder / "two.json").read_bytes() != b""
    assert call("compare --judgments a.qrels --runs r.run 2>&-", folder).returncode == 0


@pytest.mark.parametrize("command", ["--help", "fit --help", "--version", "measures"])
def test_a_full_disk_behind_standard_output(command: str, folder: Path) -> None:
    """One line in words and exit code 1."""
    result = call(f"{command} > /dev/full", folder)
    assert result.returncode == 1
    assert result.stderr == b"Error: No space left on device. Nothing more was written.\n"


def test_a_full_disk_elsewhere(folder: Path) -> None:
    """Behind standard error it stops no work; behind -o it is an error."""
    result = call("fit a.qrels b.qrels 2> /dev/full", folder)
    assert result.returncode == 0
    assert b"How likely" in result.stdout
    assert call("fit a.qrels missing 2> /dev/full", folder).returncode == 2
    result = call("fit a.qrels b.qrels -o /dev/full --format json", folder)
    assert result.returncode == 2
    assert result.stderr.startswith(b"Error: Cannot write /dev/full: No space left on device.")


def test_nobody_reads_the_rest(folder: Path) -> None:
    """`| head -1` gets its line, and nothing is said about the rest."""
    lines = "".join(f"q{number} 0 d {number % 2}\n" for number in range(20_000))
    (folder / "many.qrels").write_text(lines)
    runs = "".join(f"q{number} Q0 d 1 1 r\n" for number in range(20_000))
    (folder / "many.run").write_text(runs)
    result = call("score --judgments many.qrels --runs many.run --per-topic --format csv --quiet | head -1", folder)
    assert result.stdout.count(b"\n") == 1
    assert result.stderr == b""


def test_a_stop_by_hand_leaves_nothing(folder: Path) -> None:
    """Ctrl-C while reading: one word, exit code 130, and no file."""
    os.mkfifo(folder / "pipe.qrels")
    before = sorted(folder.iterdir())
    command = [sys.executable, "-m", "gainsayer", "fit", "pipe.qrels", "b.qrels", "-o", "model.json"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with (folder / "pipe.qrels").open("wb"):  # waits until it is opened for reading, and keeps it waiting
        while not is_reading(process.pid):  # a signal between opening and reading would wait for the first byte
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=600)
    assert (process.returncode, output, errors) == (130, b"", b"Stopped.\n")
    assert sorted(folder.iterdir()) == before


def is_reading(process: int) -> bool:
    """Whether a process waits for a system call to read (as Linux tells; elsewhere it is taken to)."""
    place = Path(f"/proc/{process}/syscall")
    return not place.exists() or place.read_text().split()[0] == "0"


def test_a_stop_while_the_call_is_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C before the command begins is said in the same word, with the same code."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(gainsayer, "parse_args", stop)
    result = run("fit", "a.qrels", "b.qrels")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "Stopped.\n")


@pytest.mark.parametrize(("fault", "code"), [("failed to map segment from shared object", 1), ("No module", None)])
def test_too_little_memory_for_a_library(
    fault: str, code: int | None, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library that finds no room says that it cannot be imported; another import that fails is a fault of ours."""

    def load(name: str) -> None:
        raise ImportError(fault)

    monkeypatch.setattr("gainsayer.cli.import_module", load)
    result = run("fit", "a.qrels", "b.qrels")
    if code is None:
        assert isinstance(result.exception, ImportError)
    else:
        assert result.exit_code == code
        assert result.stderr.startswith("Error: not enough memory.")


@pytest.mark.parametrize("missing", ["sqlalchemy", "starlette", "uvicorn"])
def test_without_the_page_s_parts_it_is_said_what_to_install(missing: str) -> None:
    """`judge` in a process that lacks a library of the extra `web`: words and exit code 2, no traceback."""
    program = f"import sys; sys.modules[{missing!r}] = None; from gainsayer.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "judge", "demo", "--port", "0"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.endswith(f"Error: The judging page needs {missing}: pip install 'gainsayer[web]'.\n")
    assert "Traceback" not in done.stderr


def test_standard_output_has_two_names(run: Run, folder: Path) -> None:
    """`-o -` and `-o /dev/stdout` print, for results and exports alike."""
    plain = run("fit", "a.qrels", "b.qrels", "--quiet").stdout
    gains = ("--gain", "0=0.1", "--gain", "1=0.5")
    for name in ("-", "/dev/stdout"):
        assert run("fit", "a.qrels", "b.qrels", "--quiet", "-o", name).stdout == plain
        assert run("export", "gains", *gains, "-o", name).stdout == '{\n  "0": 0.1,\n  "1": 0.5\n}\n'
    assert not (folder / "-").exists()


def call(words: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The program as a shell runs it, with redirections."""
    line = f'exec "{sys.executable}" -m gainsayer {words}'
    if "|" in words:
        line = line.removeprefix("exec ")
    return subprocess.run(
        ["/bin/sh", "-c", line], cwd=folder, capture_output=True, env={**os.environ, **environment}, check=False
    )


def call_words(words: Sequence[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The program with these words."""
    return subprocess.run(
        [sys.executable, "-m", "gainsayer", *words],
        cwd=folder,
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
    )


def on_terminal(words: Sequence[str], folder: Path, **environment: str) -> str:
    """What the program sends to a terminal that is its standard output and standard error."""
    pty = pytest.importorskip("pty")
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "TERM")}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gainsayer", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**kept, "TERM": "xterm", **environment},
    )
    os.close(theirs)
    parts = []
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux: the other end is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    assert process.wait() == 0, b"".join(parts)
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_messages_are_as_wide_as_the_terminal(run: Run, folder: Path) -> None:
    """On a terminal, warnings wrap, and no word is lost; elsewhere each is one line, for those who search it."""
    call = ("fit", "a.qrels", "b.qrels", "--threshold", "1")
    warnings = [line for line in run(*call).stderr.splitlines() if line.startswith("Warning (")]
    assert max(map(len, warnings)) > 100
    shown = on_terminal(call, folder, COLUMNS="80", TERM="dumb")
    assert max(map(len, shown.splitlines())) <= 80
    for warning in warnings:
        assert warning in " ".join(shown.split())


def test_a_file_does_not_depend_on_the_terminal(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table in a file is as wide as elsewhere than on a terminal."""
    call = ("score", "a.qrels", "b.qrels", "--runs", "r.run", "--threshold", "1", "-o")
    run(*call, "wide.txt")
    monkeypatch.setenv("COLUMNS", "60")
    run(*call, "narrow.txt")
    assert (folder / "wide.txt").read_text() == (folder / "narrow.txt").read_text() != ""


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_result_is_drawn_beside_its_table(ending: str, start: bytes, run: Run, folder: Path) -> None:
    """--figure writes the figure in the format of its ending; another ending is refused."""
    done = run("fit", "a.qrels", "b.qrels", "--figure", f"grades.{ending}")
    assert done.exit_code == 0, done.stderr
    assert (folder / f"grades.{ending}").read_bytes().startswith(start)
    assert "How likely" in done.stdout
    assert run("fit", "a.qrels", "b.qrels", "--figure", "grades.gif").exit_code == 2


@pytest.mark.parametrize(
    "command",
    [
        ("fit", "missing", "missing", "--figure", "grades.pdf"),
        ("fit", "missing", "missing", "--figure", "grades.PNG"),
        ("report", "missing", "missing", "--figures", "figures"),
    ],
)
def test_without_vl_convert_it_is_said_what_to_install(command: Sequence[str], folder: Path) -> None:
    """Before anything is read, a figure as PNG or PDF says what it needs; SVG, JSON and the page do without it."""
    before = sorted(folder.iterdir())
    refused = _without_vl_convert(*command)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "need vl-convert: pip install 'gainsayer[figures]'" in refused.stderr
    assert sorted(folder.iterdir()) == before
    kept = ("--figure", "grades.svg") if command[0] == "fit" else ("--figures", "figures", "--figure-format", "svg")
    done = _without_vl_convert(command[0], "a.qrels", "b.qrels", *kept)
    assert done.returncode == 0, done.stderr


def _without_vl_convert(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process that cannot import vl_convert."""
    code = "import sys; sys.modules['vl_convert'] = None; from gainsayer.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
