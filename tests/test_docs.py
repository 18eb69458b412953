"""What the pages say is true: their code and commands run, their generated parts are fresh, their links lead somewhere.

How blocks are treated, page by page, in the order they stand, in one temporary folder per page:

    ```python              run; a block with `>>>` prompts as a doctest. Blocks of a page share their names.
    ```console             every line `$ gainsayer ...` runs and must exit with 0; what is shown below is not compared.

Just before a block may stand, in lines of their own:

    <!-- skip -->          the block is shown only.
    <!-- checked -->       what is shown must be what is printed; `...` stands for anything.
    <!-- exit: 1 -->       the commands exit with this code instead.

Commands run as in a new shell: with PATH and HOME, and none of the variables of whoever runs the tests. A line
`$ python examples/NAME.py ...` runs, too. A line `$ make TARGET` is not run, but the Makefile must have the target;
pip, git and the like are passed over. A command may go on after a backslash. Other kinds of blocks are left alone.
"""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import Result

from gainsayer.cli import COMMANDS, gainsayer
from gainsayer.findings import CODES
from gainsayer.model import COEFFICIENTS
from gainsayer.reading import SYNONYMS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PASSED_OVER = ("python3", "pip", "cd", "git", "eval", "source", ".")

_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)```\s*$", re.MULTILINE | re.DOTALL)
_MARKS = re.compile(r"(?:<!-- [a-z]+(?:: \d+)? -->\s*)+\Z")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s#]+)(#[^)\s]*)?\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the marks before it, its text, its line, and the exit code asked for."""

    language: str
    marks: tuple[str, ...]
    text: str
    line: int
    exit_code: int


def find_blocks(page: str) -> Iterator[Block]:
    """Every fenced block of a page."""
    for found in _FENCE.finditer(page):
        before = _MARKS.search(page[: found.start()])
        marks = dict(re.findall(r"<!-- ([a-z]+)(?:: (\d+))? -->", before[0] if before else ""))
        line = page.count("\n", 0, found.start()) + 2
        body = "".join(text.removeprefix(found["indent"]) for text in found["body"].splitlines(keepends=True))
        yield Block(found["info"], tuple(marks), body, line, int(marks.get("exit", 0)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_fences_are_read_alike_everywhere(page: Path) -> None:
    """A fence names its language and nothing else: the site takes another word for text, and swallows what follows."""
    assert [
        block.language for block in find_blocks(page.read_text("utf-8")) if not re.fullmatch(r"\w*", block.language)
    ] == []


def split_commands(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what is shown below it."""
    commands: list[tuple[str, str]] = []
    open_line = False
    for line in text.splitlines():
        if line.startswith("$ ") or open_line:
            command = line.removeprefix("$ ") if not open_line else commands.pop()[0] + line.strip()
            open_line = command.endswith("\\")
            commands.append((command.removesuffix("\\"), ""))
        elif commands:
            command, shown = commands[-1]
            commands[-1] = command, f"{shown}{line}\n"
    return commands


def run_python(block: Block, page: Path, names: dict[str, object]) -> None:
    """Run a block as a doctest or as a script."""
    place = f"{page.name}, line {block.line}"
    if ">>>" not in block.text:
        exec(compile(block.text, place, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line - 1)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    assert not said, "".join(said)


def run_console(block: Block, page: Path, folder: Path) -> None:
    """Run the gainsayer commands of a block, and compare what they print where the block is marked `checked`."""
    commands = split_commands(block.text)
    assert commands, f"{page.name}, line {block.line}: a console block without a line that begins with '$ '"
    environment = new_shell(folder)
    for command, shown in commands:
        program, *rest = shlex.split(command)
        name = Path(program).name or program  # "." has no name
        assert name in ("gainsayer", "python", "make", *PASSED_OVER), f"{page.name}: {command}"
        if name == "make":
            targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
            assert all(word in targets for word in rest if "=" not in word), f"{page.name}: {command}"
        if name not in ("gainsayer", "python"):
            continue
        assert program == name, f"{page.name}: {command}: where `. .venv/bin/activate` was typed, the name is enough"
        done = subprocess.run(
            command.replace(" examples/", f" {shlex.quote(str(ROOT))}/examples/"),
            shell=True,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == block.exit_code, f"{page.name}: {command}\n{done.stdout}"
        if "checked" in block.marks:
            same = doctest.OutputChecker().check_output(shown.rstrip() + "\n", done.stdout.rstrip() + "\n", FLAGS)
            assert same, f"{page.name}: {command}\nexpected:\n{shown}\nprinted:\n{done.stdout}"


def new_shell(home: Path) -> dict[str, str]:
    """The variables of a shell in which `. .venv/bin/activate` was typed, and nothing else."""
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}  # a checkout under test
    return {"PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin", "HOME": str(home), **kept}


def name_page(page: Path) -> str:
    """A page's path within the project, as the name of its test."""
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_page)
def test_code_and_commands_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every python block and every gainsayer command of the page runs, in order, in one folder."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__page__"}
    for block in find_blocks(page.read_text(encoding="utf-8")):
        if "skip" in block.marks:
            continue
        if block.language == "python":
            run_python(block, page, names)
        elif block.language == "console":
            run_console(block, page, tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=name_page)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    """Every relative link leads to a file of the project, and to a heading of it; those of docs/ stay in docs/."""
    lost = []
    for found in _LINK.finditer(page.read_text(encoding="utf-8")):
        target, heading = found[1], (found[2] or "").removeprefix("#")
        if "://" in target:
            continue
        place = (page.parent / target).resolve()
        inside = not page.is_relative_to(DOCS) or place.is_relative_to(DOCS)  # the site has nothing else
        if not place.exists() or not inside or (heading and heading not in find_headings(place)):
            lost.append(found[0])
    assert not lost


def find_headings(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


def test_the_site_has_every_page() -> None:
    """mkdocs.yml names every page but the decisions, which the index lists, and no other; nothing is fetched."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r": ([\w/-]+\.md)$", text, re.MULTILINE))
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert named == {page for page in pages if not page.startswith("decisions/")}
    assert "font: false" in text  # else pages ask Google for one
    assert "://" not in text


def test_the_readme_begins_with_the_answer() -> None:
    """For whom, the question, an answer and the neighbours stand in the first fifteen lines; activation before use."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    start = "\n".join(text.splitlines()[:15])
    for words in ("?", "researchers", "trec_eval", "ir_measures", "interval", "run01"):
        assert words in start
    assert text.index("![") < text.index("pip install") < text.index("$ gainsayer")
    assert text.index("$ . .venv/bin/activate") < text.index("$ gainsayer")
    assert len(text.splitlines()) < 160


def test_every_page_is_listed_in_the_index() -> None:
    """The index of the documentation links to every other page."""
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")} - {"README.md"}
    assert not {page for page in pages if f"({page})" not in index}


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    """The script that writes the generated pages."""
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)  # as where the script runs
        spec.loader.exec_module(module)
    return module


def test_generated_pages_are_fresh(generator: ModuleType) -> None:
    """The generated pages are what the code makes of itself now (else: python docs/generate.py)."""
    assert generator.main(["--check"]) == 0


def test_generated_pages_do_not_depend_on_the_terminal(generator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The help is rendered at one width, whatever the terminal's is."""
    monkeypatch.setenv("COLUMNS", "40")
    assert generator.commands_page() == (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")


def test_a_stale_page_is_noticed_and_mended(
    generator: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """--check exits with 1 and names a stale page; without it the page is written."""
    monkeypatch.setattr(generator, "REFERENCE", tmp_path)
    monkeypatch.setattr(generator, "SCHEMAS", tmp_path)
    assert generator.main(["--check"]) == 1
    assert "Stale: commands.md, findings.md, json.md, python.md, agree.json, fit.json, " in capsys.readouterr().err
    assert generator.main([]) == 0
    assert generator.main(["--check"]) == 0


def test_every_command_and_option_is_documented() -> None:
    """commands.md has every command with every option, and every option says what it does."""
    page = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    context = click.Context(gainsayer, info_name="gainsayer")
    for name in COMMANDS:
        command = gainsayer.get_command(context, name)
        assert command is not None
        below = command.list_commands(context) if isinstance(command, click.Group) else []
        for part in ("", *below):
            chosen = command.get_command(context, part) if isinstance(command, click.Group) and part else command
            assert chosen is not None
            title = f"gainsayer {name} {part}".rstrip()
            section = re.split(r"\n##+ ", page.partition(f"# {title}\n")[2])[0]
            assert re.search(rf"{title}\s", section.partition("Example")[2]), f"{title}: no example"
            for option in chosen.params:
                if isinstance(option, click.Option):
                    assert option.help, f"{title} {option.opts[0]}"
                    assert all(spelling in section for spelling in option.opts), f"{title} {option.opts[0]}"


def test_every_finding_is_documented() -> None:
    """findings.md has every code."""
    page = (DOCS / "reference" / "findings.md").read_text(encoding="utf-8")
    assert not [code for code in CODES if f"`{code}`" not in page]


def test_formats_name_every_column(run: Callable[..., Result], tmp_path: Path) -> None:
    """formats.md has every synonym of a column, every coefficient, and every column of the CSV of these commands."""
    page = (DOCS / "reference" / "formats.md").read_text(encoding="utf-8")
    assert not [title for titles in SYNONYMS.values() for title in titles if f"`{title}`" not in page]
    assert not [name for name in COEFFICIENTS if f"`{name}`" not in page]
    assert run("simulate", "-o", tmp_path / "c", "--topics", "10", "--strata", "a=0.5,b=0.5").exit_code == 0
    files = (tmp_path / "c" / "first.qrels", tmp_path / "c" / "second.qrels", "--strata", tmp_path / "c" / "strata.tsv")
    runs = (*files, "--threshold", "2", "--runs", tmp_path / "c" / "runs", "-m", "P@5")
    compared = ("compare", *runs)
    scored = ("score", *files[:2], *runs[4:])
    for command in (("fit", *files), ("agree", *files), scored, compared, (*compared, "--table", "differences")):
        header = run(*command, "--format", "csv", "--quiet").stdout.partition("\n")[0].split(",")
        assert len(header) > 8
        assert not [title for title in header if f"`{title}`" not in page]
