"""What is seen in parts of judgments, against what is read in the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from gainsayer.errors import CallError, FormatError
from gainsayer.judgments import Judgments, Meaning, SeenSource, Survey, join_surveys, settle
from gainsayer.levels import Levels

LINES = {
    "zoe": [f"q{t} 0 d{d} {(t + d) % 3}" for t in range(8) for d in range(5)],
    "ann": [f"q{t} 0 d{d} {(t * d) % 3 + (t == 7)}" for t in range(7, -1, -1) for d in range(4)],
}


def write(folder: Path, lines: dict[str, list[str]], ending: str = ".qrels") -> list[str]:
    """Files of these lines."""
    folder.mkdir(exist_ok=True)
    for name, rows in lines.items():
        (folder / f"{name}{ending}").write_text("\n".join(rows) + "\n")
    return [str(folder / f"{name}{ending}") for name in lines]


def look(folder: Path, lines: dict[str, list[str]], meaning: Meaning, ending: str = ".qrels") -> Survey:
    """The joined survey of two parts: even topics and odd ones; a header goes to both."""
    parts = []
    for rest in (0, 1):
        some = {}
        for name, rows in lines.items():
            kept = [row for row in rows if not row[1].isdigit() or int(row[1]) % 2 == rest]
            some[name] = kept if len(kept) > (ending == ".csv") else []
        files = write(folder / str(rest), {name: rows for name, rows in some.items() if rows}, ending)
        left = iter(files)
        parts.append(meaning.survey([next(left) if some[name] else None for name in lines]))
    return join_surveys(parts)


def check(whole: Judgments, survey: Survey, names: list[str], meaning: Meaning) -> None:
    """What parts say is what the whole says."""
    found = settle(survey, names, meaning)
    assert found.levels == whole.levels
    assert (found.assessors, found.roles, found.declared) == (whole.assessors, whole.roles, whole.declared)
    assert found.unnamed == whole.unnamed
    early = ("same-assessor", "levels-by-order", "rare-labels")
    assert list(found.findings) == [finding for finding in whole.findings if finding.code in early]


@pytest.mark.parametrize(
    "meaning",
    [
        Meaning(),
        Meaning(levels=Levels(("Non", "Rel", "Key", "Top"))),
        Meaning(merges={"2": "1"}, missing=("3",)),
        Meaning(maps={"ann": {"3": "2"}}),
    ],
    ids=["found", "codes", "merged", "mapped"],
)
def test_parts_say_what_the_whole_says(tmp_path: Path, meaning: Meaning) -> None:
    """Levels, assessors and their order, found in two parts, are those of the files; level 3 is in one part only."""
    names = write(tmp_path, LINES)
    check(meaning.read(names), look(tmp_path, LINES, meaning), names, meaning)


def test_a_source_without_rows_in_a_part_keeps_its_place(tmp_path: Path) -> None:
    """An assessor who judged nothing in the first part still comes first, as their file does."""
    lines = {"zoe": [row for row in LINES["zoe"] if int(row[1]) % 2], "ann": LINES["ann"]}
    names = write(tmp_path, lines)
    check(Meaning().read(names), look(tmp_path, lines, Meaning()), names, Meaning())


def test_people_of_a_table_are_sorted(tmp_path: Path) -> None:
    """Assessors of one table are a panel in the order of their names, wherever they first appear."""
    rows = [f"q{t},d{d},{who},{(t + d) % 2}" for t in range(6) for d in range(3) for who in ("mia", "bob")]
    lines = {"crowd": ["topic,document,assessor,level", *rows, "q2,d9,amy,1"]}
    names = write(tmp_path, lines, ".csv")
    check(Meaning().read(names), look(tmp_path, lines, Meaning(), ".csv"), names, Meaning())


def test_tables_without_assessors_are_named(tmp_path: Path) -> None:
    """Which table names no assessor, and what its columns are, is known of parts as of the whole."""
    lines = {"labels": ["topic,document,level", *(f"q{t},d{d},{d}" for t in range(4) for d in range(2))]}
    names = write(tmp_path, lines, ".csv")
    check(Meaning().read(names), look(tmp_path, lines, Meaning(), ".csv"), names, Meaning())


def test_two_files_of_one_assessor_are_noticed(tmp_path: Path) -> None:
    """Two files with one name are one assessor, and the finding names both files as given."""
    names = [*write(tmp_path / "a", {"ann": ["q0 0 a 1"]}), *write(tmp_path / "b", {"ann": ["q1 0 b 0"]})]
    survey = join_surveys([Meaning().survey([names[0], None]), Meaning().survey([None, names[1]])])
    check(Meaning().read(names), survey, names, Meaning())


def test_rare_labels_are_seen_in_all_parts_together() -> None:
    """A stray label is rare among all labels, though not in its part; the sentence is that of the whole, less lines."""
    people = [("ann", "0"), ("ann", "1"), ("bob", "0"), ("bob", "1")]
    parts: list[Survey] = [(SeenSource(dict.fromkeys(people, 1000), "crowd"),), (SeenSource({("ann", "9"): 2}),)]
    found = settle(join_surveys(parts), ["crowd.csv"], Meaning())
    assert [finding.code for finding in found.findings] == ["rare-labels"]
    assert found.findings[0].message.startswith("Of 4,002 labels, 9 (2 times) lie outside the range of all others, and")


def test_labels_of_two_kinds_are_refused() -> None:
    """Numbers in one part and words in another are no levels."""
    parts: list[Survey] = [(SeenSource({("ann", "1"): 1}),), (SeenSource({("ann", "good"): 1}),)]
    with pytest.raises(
        FormatError, match=r"ann.qrels: expected a whole number as level, found 'good'. Name the levels"
    ):
        settle(join_surveys(parts), ["ann.qrels"], Meaning())


def test_a_map_for_nobody_is_refused() -> None:
    """A map needs somebody in some part."""
    parts: list[Survey] = [(SeenSource({("ann", "1"): 1, ("ann", "0"): 1}),)]
    with pytest.raises(CallError, match="There is no assessor 'eve' whose labels could be mapped: there are ann"):
        settle(join_surveys(parts), ["ann.qrels"], Meaning(maps={"eve": {"1": "0"}}))


def test_a_part_is_read_with_the_levels_of_all(tmp_path: Path) -> None:
    """Numbers are the same levels in a part that lacks some of them."""
    meaning = Meaning(levels=Levels(("Non", "Rel", "Key")))
    names = write(tmp_path, {"ann": ["q0 0 a 5", "q0 0 b 7", "q1 0 a 9"]})
    [part] = write(tmp_path / "part", {"ann": ["q0 0 b 7"]})
    settled = settle(meaning.survey(names), names, meaning)
    read = meaning.read_part([part], settled.levels)
    assert read is not None
    assert read.levels.names[read.level[0]] == "Rel"
    assert meaning.read_part([None], settled.levels) is None
