"""Levels: names, order, codes, merges, and what counts as relevant."""

from __future__ import annotations

import pytest

from gainsayer.errors import CallError, DataError, GainsayerError, UnknownLevelError
from gainsayer.levels import Levels, canonical_label, infer_levels, is_whole, parse_levels

FEDWEB = Levels(("Non", "Rel", "HRel", "Key"), codes=("0", "1", "3", "7"), merges={"Nav": "Key"})


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("2", "2"),
        (" 2 ", "2"),
        ("+2", "2"),
        ("002", "2"),
        ("2.0", "2"),
        ("2.", "2"),
        ("-1.00", "-1"),
        ("-0", "0"),
        ("2.5", "2.5"),
        ("1e0", "1e0"),
        ("HRel", "HRel"),
        ("\u0662", "\u0662"),
        ("", ""),
    ],
)
def test_labels_have_one_spelling(label: str, expected: str) -> None:
    """Whole numbers are written alike; everything else is kept but for outer blanks."""
    assert canonical_label(label) == expected


def test_whole_numbers_are_plain_digits() -> None:
    """Other scripts' digits, signs alone and fractions are names."""
    assert [is_whole(label) for label in ("0", "-12", "-", "", "--1", "1.5", "²", "\u0662")] == [True, True] + [
        False
    ] * 6


def test_names_codes_and_merged_labels_lead_to_a_level() -> None:
    """A level is found by its name, its stored code, or a label merged into it."""
    assert [FEDWEB.index(label) for label in ("Key", "7", "Nav", "7.0", "Non")] == [3, 3, 3, 3, 0]
    assert FEDWEB.match(["7", "Nav", "15", "1"]) == {"7": 3, "Nav": 3, "1": 1}
    assert FEDWEB.top == "Key"
    with pytest.raises(UnknownLevelError, match="There is no level 'Spam': the levels are Non, Rel, HRel, Key"):
        FEDWEB.index("Spam")


def test_thresholds_and_sets() -> None:
    """A threshold takes its level and all above; a set may be any, and is a threshold when it is the highest ones."""
    assert FEDWEB.at_or_above("3").mask == (False, False, True, True)
    assert FEDWEB.at_or_above("Nav").name == "Key"
    assert FEDWEB.only("Key", "Rel").mask == (False, True, False, True)
    assert FEDWEB.only("Key", "Rel").threshold is None
    assert FEDWEB.only("Rel", "Key").name == "Rel,Key"
    assert FEDWEB.only("Key", "HRel", "Key").threshold == "HRel"
    assert FEDWEB.only("Non", "Rel", "HRel", "Key").indicator.tolist() == [1, 1, 1, 1]
    with pytest.raises(CallError, match="Name at least one relevant level among Non, Rel"):
        FEDWEB.only()


def test_levels_without_order_have_no_top_threshold_or_lowest() -> None:
    """Each is refused in words; a set of levels still works, and a level called 0 is still the lowest."""
    categories = Levels(("Key", "Non", "Rel"), ordered=False)
    for ask in (lambda: categories.top, lambda: categories.at_or_above("Rel"), lambda: categories.lowest):
        with pytest.raises(CallError, match=r"have no order, so .* means nothing"):
            ask()
    assert categories.only("Rel").threshold is None
    assert Levels(("x", "0"), ordered=False).lowest == 1


def test_the_lowest_level_is_the_one_called_0() -> None:
    """Negative levels (spam) stand below it; without a 0 the first level is the lowest."""
    assert Levels(("-2", "0", "1")).lowest == 1
    assert FEDWEB.lowest == 0


def test_values_are_numbers_or_places() -> None:
    """Whole numbers count for themselves, names for their place."""
    assert Levels(("-2", "0", "3")).values().tolist() == [-2, 0, 3]
    assert FEDWEB.values().tolist() == [0, 1, 2, 3]


def test_numbers_may_be_given_as_names() -> None:
    """Levels of whole numbers are their spelling."""
    assert Levels((0, 1, 2)).names == ("0", "1", "2")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"names": ("0",)}, "At least two levels are needed, found \\['0'\\]"),
        ({"names": ()}, "At least two levels"),
        ({"names": tuple(map(str, range(101)))}, "At most 100 levels are supported, found 101"),
        ({"names": ("a", "a")}, "a name and a code of its own"),
        ({"names": ("1", "1.0")}, "a name and a code of its own"),
        ({"names": ("a", "")}, "a name and a code of its own"),
        ({"names": ("a", "b"), "codes": ("0", "0")}, "a name and a code of its own"),
        ({"names": ("a", "b"), "codes": ("0", "1", "2")}, "2 levels need 2 codes, found 3"),
        ({"names": ("a", "b"), "merges": {"c": "d"}}, "Cannot merge 'c' into 'd': the levels are a, b"),
        ({"names": ("a", "b"), "merges": {"a": "b"}}, "At least two levels are needed"),
        ({"names": ("a", "b"), "codes": ("0", "1"), "merges": {"0": "b"}}, "'0' is merged into 'b', so it cannot be"),
        ({"names": ("a", "b"), "missing": frozenset({"b"})}, "'b' is declared both as a level and as not judged"),
    ],
)
def test_faults_are_named(arguments: dict[str, object], words: str) -> None:
    """Levels that cannot be are refused when they are made."""
    with pytest.raises(CallError, match=words):
        Levels(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["0=1,1=2,2=3", "1=2,2=1", "a=b,b=c"])
def test_a_code_that_is_another_levels_name_is_refused(text: str) -> None:
    """In `0=1,1=2` a label 1 could mean either level; guessing would misread every judgment in silence."""
    with pytest.raises(CallError, match=r"is the code of level .* and the name of another"):
        parse_levels(text)


def test_a_code_may_be_its_own_name() -> None:
    """`0=0,1=1,Key=7` says the same thing twice for two levels, which is no contradiction."""
    levels = parse_levels("0=0,1=1,Key=7")
    assert levels.match(["0", "1", "7", "Key"]) == {"0": 0, "1": 1, "7": 2, "Key": 2}


def test_a_hundred_levels_are_fine() -> None:
    """The most levels there may be."""
    assert Levels(tuple(map(str, range(100)))).at_or_above("99").indicator.sum() == 1


def test_parsing_a_line() -> None:
    """Names from low to high, with codes where they are given, merges and labels for *not judged*."""
    levels = parse_levels("Non, Rel ,Key=7", merges={"Nav": "Key"}, missing=["-1"])
    assert levels.names == ("Non", "Rel", "Key")
    assert levels.match(["Non", "Rel", "7", "Nav", "-1"]) == {"Non": 0, "Rel": 1, "7": 2, "Nav": 2, "-1": -1}
    assert parse_levels("0,1").codes is None


def test_codes_are_adopted_where_numbers_stand_for_names() -> None:
    """0..T are places; as many other numbers as levels are the levels in order; otherwise nothing is guessed."""
    named = Levels(("Non", "Rel", "Key"))
    assert named.adopt_codes(["0", "2"]).codes == ("0", "1", "2")
    assert named.adopt_codes(["1", "3", "7"]).codes == ("1", "3", "7")
    assert named.adopt_codes(["1", "7"]).codes is None
    assert named.adopt_codes(["1", "Rel"]).codes == ("0", "1", "2")
    assert named.adopt_codes(["1", "3"]).codes == ("1", "2", "3")
    assert named.adopt_codes(["1", "Rel", "x"]).codes is None
    assert Levels(("0", "1", "2")).adopt_codes(["1", "7"]).codes is None
    assert named.adopt_codes([]).codes is None


def test_inferring_levels() -> None:
    """Whole numbers in numeric order; texts as categories; a mix answers the strangers; merges and missing go first."""
    found = infer_levels(["10", "9", "-1", "0"], missing=["-1"])
    assert isinstance(found, Levels)
    assert found.names == ("0", "9", "10")
    assert found.ordered
    categories = infer_levels(["Rel", "Non", "Nav"], merges={"Nav": "Rel"})
    assert isinstance(categories, Levels)
    assert categories.names == ("Non", "Rel")
    assert not categories.ordered
    assert infer_levels(["0", "1", "x", " x"]) == ["x", " x"]
    for labels in (["1"], [], [str(number) for number in range(101)]):
        with pytest.raises(DataError, match="levels"):
            infer_levels(labels)


def test_every_fault_is_a_gainsayer_error_and_a_value_error() -> None:
    """Callers may catch either."""
    with pytest.raises(GainsayerError):
        Levels(("a",))
    with pytest.raises(ValueError, match="At least two levels"):
        Levels(("a",))
