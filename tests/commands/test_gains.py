"""Which gains are asked for, what is relevant where nobody says, and what an unjudged document is worth."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.commands.gains import GainChoice, choose_gains, find_falls, gain_of_unjudged, usual_relevance
from gainsayer.errors import CallError, DataError
from gainsayer.gains import Gains
from gainsayer.levels import Levels

THREE = Levels(("0", "1", "2"))
NAMED = Levels(("Non", "Rel", "Key"))
TRUTH = {"q": {"a": 2, "b": 1, "c": 0}}
RUN = {"q": {"a": 1.0, "b": 3.0, "c": 2.0}}


def test_what_was_asked_for_as_one_value() -> None:
    """Kinds between commas or in a list, gains by hand under the levels' own names, numbers as text."""
    assert choose_gains(["prm, binary", "udm"]).kinds == ("prm", "binary", "udm")
    assert choose_gains(gain={" 01 ": 1, "Key": 0.5}).by_hand == {"1": 1.0, "Key": 0.5}
    assert [choose_gains(unjudged=policy).unjudged for policy in (0, 0.25, "level")] == ["0", "0.25", "level"]
    assert choose_gains("udm").estimated
    assert not choose_gains("linear").estimated
    with pytest.raises(CallError, match="standard input can be read only once"):
        choose_gains(model="-")


def test_what_is_relevant_where_nobody_says() -> None:
    """The top level where gains are estimated; else 1 and above as trec_eval has it, or all but the lowest name."""
    assert usual_relevance(THREE, GainChoice(), estimated=True).names == ("2",)
    assert usual_relevance(THREE, GainChoice(kinds=("prm",)), estimated=False).names == ("2",)
    assert usual_relevance(THREE, GainChoice(), estimated=False).names == ("1", "2")
    assert usual_relevance(Levels(("-2", "0", "3")), GainChoice(), estimated=False).names == ("3",)
    assert usual_relevance(NAMED, GainChoice(), estimated=False).names == ("Rel", "Key")
    assert usual_relevance(Levels(("x", "y"), ordered=False), GainChoice(), estimated=False).names == ()
    model = gs.fit(gs.twenty_documents(), threshold=1)
    found = usual_relevance(THREE, GainChoice(model=model), estimated=True)
    assert (found.names, found.threshold) == (("1", "2"), "1")
    assert choose_gains(model=model).levels is model.levels
    assert choose_gains().levels is None


@pytest.mark.parametrize(
    ("policy", "worth"), [("0", 0.0), ("level", 0.1), ("0.3", 0.3), ("condense", 0.0), ("bounds", 0.0)]
)
def test_what_an_unjudged_document_is_worth(policy: str, worth: float) -> None:
    """Nothing, as much as the lowest level, or a number."""
    assert gain_of_unjudged(Gains(THREE, np.array([0.1, 0.4, 0.7])), policy) == worth


def test_an_unknown_policy_is_refused() -> None:
    """With all that may be asked for."""
    with pytest.raises(CallError, match="may be 0, level, condense, bounds or a number, found 'half'"):
        gain_of_unjudged(Gains(THREE, np.zeros(3)), "half")


def test_gains_that_fall_are_said() -> None:
    """Only where levels have an order, and only those that fall."""
    rising, falling = (
        Gains(THREE, np.array(values), name=name)
        for name, values in (("up", [0.1, 0.1, 0.2]), ("down", [0.1, 0.3, 0.2]))
    )
    (finding,) = find_falls(THREE, [rising, falling])
    assert finding.code == "non-monotone"
    assert finding.message.startswith("down gains: a higher level is worth less")
    assert find_falls(THREE, [rising]) == find_falls(Levels(THREE.names, ordered=False), [falling]) == []


def test_gains_from_a_file(tmp_path: Path) -> None:
    """A JSON object of level and gain is a kind of gains of the file's name; what is none is refused in words."""
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"0": 0.5, "1": 1, "2": 4}))
    table = gs.score(TRUTH, RUN, "CG@2", gains=str(path))
    assert table.scores.gains[0].name == "mine"
    assert table.scores.values[table.scores.measures[0], "mine"].tolist() == [[1.5]]
    for content, words in (
        ("[1]", "expected an object"),
        ("{", "expected JSON"),
        ('{"0": true}', "expected an object"),
    ):
        path.write_text(content)
        with pytest.raises(DataError, match=words):
            gs.score(TRUTH, RUN, "CG@2", gains=str(path))
    with pytest.raises(CallError, match="There are no gains 'mine'"):
        gs.score(TRUTH, RUN, "CG@2", gains="mine")
    path.write_text('{"0": 1, "1": 1, "2": 1}')
    with pytest.raises(CallError, match="Two kinds of gains have one name"):
        gs.score(TRUTH, RUN, "CG@2", gains=[str(path), str(path)])
