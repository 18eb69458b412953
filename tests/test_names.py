"""Names and places: words that do not come back, one test file per module, nothing written or checked twice."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "gainsayer"
MODULES = sorted(SOURCE.rglob("*.py"))
PAGES = [path for path in sorted((ROOT / "docs").rglob("*.md")) if path.parent.name != "reference"]
# Words of no IR researcher, and what stands in their place.
WORDS = {
    "own_cut": "r_precision",
    "remembering|remembered": "cache",
    "entering": "entry",
    "strangers?": "unknown",
    "strays?": "across teams, lone",
    "has the word|have the word": "takes precedence",
    "hangs? together": "correlate",
    "whence": "where the uncertainty comes from",
    "doubts?": "uncertainty",
    "barren": "without relevant",
    "talk": "messages",
}
# Rooms that still hold such words, to be emptied.
STILL = ("judgments", "presentation", "lines", "runs")
# Modules are nouns; these end in -ing and are.
NOUNS = (
    *("coding", "drawing", "forking", "opening", "packing", "pairing"),
    *("ranking", "resampling", "sampling", "scoring", "splitting", "stopping"),
)
# The middle rooms, each module of which has a test file of its own.
ROOMS = ("counts", "disagreement", "gains", "rankings", "measures", "comparison", "planning", "studies", "evaluation")
MIRRORED = [path for room in ROOMS for path in sorted((SOURCE / room).rglob("*.py")) if path.stem != "__init__"]
SHARED_LINES = 12


def place_of_tests(module: Path) -> Path:
    """Where the tests of a module stand."""
    place = module.relative_to(SOURCE)
    return ROOT / "tests" / "unit" / place.parent / f"test_{place.name}"


@pytest.mark.parametrize("words", WORDS)
def test_words_do_not_come_back(words: str) -> None:
    """Neither in code and messages nor in the docs."""
    pattern = re.compile(rf"(?<![a-z])(?:{words})(?![a-z])", re.IGNORECASE)
    searched = [path for path in MODULES if path.relative_to(SOURCE).parts[0] not in STILL]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in (*searched, *PAGES, ROOT / "README.md")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]
    assert found == [], f"say {WORDS[words]}"


def test_modules_are_nouns() -> None:
    """No module is named for what its author was doing."""
    doing = [path.stem for path in MODULES if path.stem.endswith("ing") and path.stem not in NOUNS]
    assert doing == []


@pytest.mark.parametrize("module", MIRRORED, ids=lambda path: str(path.relative_to(SOURCE).with_suffix("")))
def test_a_module_has_its_test_file(module: Path) -> None:
    """tests/unit has the tree of src again, for the middle rooms file by file."""
    assert place_of_tests(module).exists()


def test_no_test_file_without_its_module() -> None:
    """Where a module was renamed, its tests went along."""
    named = {place_of_tests(module).name for module in MODULES}
    for room in ("rankings", "studies", "evaluation"):
        stranded = {path.name for path in (ROOT / "tests" / "unit" / room).rglob("test_*.py")} - named
        assert stranded == set(), room


def test_nothing_is_written_twice() -> None:
    """No two places in src share twelve lines, imports and blank lines apart."""
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for path in MODULES:
        lines = [
            (number, line.strip())
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
            if line.strip() and not re.match(r"(from|import) |\w+,$|\)$", line.strip())
        ]
        for at in range(len(lines) - SHARED_LINES + 1):
            window = tuple(text for _, text in lines[at : at + SHARED_LINES])
            places[window].append(f"{path.relative_to(SOURCE)}:{lines[at][0]}")
    assert [where for where in places.values() if len(where) > 1] == []


@pytest.mark.parametrize(
    ("pattern", "home"),
    [
        (r"0 < confidence < 1", "disagreement/intervals.py"),
        (r"seed < 0", "disagreement/resampling.py"),
        (r"\.integers\(0, 2,", "disagreement/resampling.py"),
        (r"\.multinomial\((topics|len\()", "disagreement/resampling.py"),
        (r"rpartition\(\"=\"\)\)", "cli/options.py"),
    ],
    ids=["confidence", "seed", "signs", "topics", "numbers by name"],
)
def test_one_place_for_each_idea(pattern: str, home: str) -> None:
    """Confidence and seeds are checked, topics drawn, signs flipped and numbers by name parsed in one file each."""
    found = [str(path.relative_to(SOURCE)) for path in MODULES if re.search(pattern, path.read_text(encoding="utf-8"))]
    assert found == [home]
