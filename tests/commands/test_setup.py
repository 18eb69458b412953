"""What functions with runs are asked for: written signatures, judgments as people have them, what is recorded."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import gainsayer as gs
from gainsayer.commands.gains import choose_gains
from gainsayer.commands.inputs import join_second
from gainsayer.commands.ranked_runs import make_policies
from gainsayer.commands.setup import Request, expand_users, take_measures, take_users
from gainsayer.errors import CallError
from gainsayer.measures import parse_measure

FUNCTIONS = (
    *(gs.score, gs.compare, gs.report, gs.study.quality, gs.study.robustness, gs.study.gains),
    *(gs.machine.sample, gs.machine.check, gs.machine.score, gs.machine.gains),
)
TRUTH = {"q": {"a": 1, "b": 0}}
RUN = {"q": {"a": 2.0, "b": 1.0}}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: f"{function.__module__}.{function.__name__}")
def test_help_is_whole(function: Callable[..., Any]) -> None:
    """Plain arguments with defaults and types, no **, each described once in the docstring, the example last."""
    parameters = inspect.signature(function).parameters
    kinds = {parameter.kind for parameter in parameters.values()}
    assert kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
    assert all(parameter.annotation is not inspect.Parameter.empty for parameter in parameters.values())
    assert set(typing.get_type_hints(function)) == {*parameters, "return"}
    text = inspect.getdoc(function) or ""
    described = re.findall(r"^    (\w+): ", text.partition("Args:\n")[2].partition("\n\n")[0], flags=re.MULTILINE)
    assert described == list(parameters)
    assert text.index("Args:") < text.index(">>>")


def test_studies_skip_topics_and_others_keep_them() -> None:
    """A request may have another default than the one it is made of; the signature shows it."""
    defaults = {
        function.__name__: inspect.signature(function).parameters["no_relevant"].default
        for function in (gs.score, gs.compare, gs.report, gs.study.robustness, gs.study.gains)
    }
    assert defaults == {"score": "keep", "compare": "keep", "report": "keep", "robustness": "skip", "gains": "skip"}


def test_what_is_recorded(tmp_path: Path) -> None:
    """Everything asked for but judgments, runs, seed and progress; files of both sides, and those named."""
    for name in ("first", "second"):
        (tmp_path / name).write_text("q1 0 d1 1\nq1 0 d2 0\n")
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    found = gs.score(first, {"q1": {"d1": 1.0}}, "AP", second=second, seed=3, threshold=1, levels=["0", "1"]).provenance
    assert found is not None
    assert [Path(name).name for name, _ in found.files] == ["first", "second"]
    assert found.seed == 3
    assert found.options["threshold"] == 1
    assert found.options["measures"] == "AP"
    assert "0" in found.options["levels"]
    assert not {"judgments", "runs", "seed", "progress"} & set(found.options)


def test_how_judgments_are_read_are_arguments() -> None:
    """Levels, missing labels, merges, maps, repeats and raters are said in the call; a Reading says them itself."""
    first = {"q1": {"a": "Key", "b": "Non", "c": "x"}, "q2": {"a": "Nav"}}
    second = {"q1": {"a": "Key", "b": "Key", "c": "Non"}, "q2": {"a": "Key"}}
    told = {"levels": ["Non", "Key"], "missing": "x", "merges": {"Nav": "Key"}}
    model = gs.fit(("U1", first), ("U2", second), **told)
    assert model.levels.names == ("Non", "Key")
    assert model.disagreement.counts.matrix.tolist() == [[0, 1], [0, 2]]
    assert gs.agree(("U1", first), ("U2", second), **told).agreement.pairs == 3
    run = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}
    assert gs.score(("U1", first), run, "P@1", threshold="Key", **told).means() == {"P@1": 1.0}
    assert gs.compare([("U1", first), ("U2", second)], run, "P@1", threshold="Key", **told).comparison.topics == (
        "q1",
        "q2",
    )
    with pytest.raises(CallError, match="A Reading says what columns and labels mean"):
        gs.fit(gs.Reading((("U1", first),)), levels="Non,Key")
    with pytest.raises(CallError, match="Judgments that were read know"):
        gs.agree(gs.twenty_documents(), levels="0,1,2")


def test_a_dict_names_the_assessors() -> None:
    """Of data frames and files as well as of dicts."""
    frame = pl.DataFrame({"topic": ["q", "q"], "document": ["a", "b"], "level": [1, 0]})
    assert gs.agree({"nist": frame, "gpt": frame}).agreement.sides == (("nist",), ("gpt",))
    assert gs.agree({"U1": TRUTH, "U2": TRUTH}).agreement.sides == (("U1",), ("U2",))


def test_what_orders_no_runs_is_refused() -> None:
    """Bounds are two scores; a share of judged documents says nothing about relevance."""
    with pytest.raises(CallError, match="they order no runs"):
        gs.study.gains(TRUTH, RUN, unjudged="bounds")
    with pytest.raises(CallError, match="says nothing about relevance"):
        gs.study.gains(TRUTH, RUN, ["P@5", "Judged@10"])


def test_sides_are_read_with_the_judgments() -> None:
    """A second side given as judgments is read with the first; assessors are named as in the judgments."""
    asked = Request(
        sources=[{"U1": TRUTH, "U2": TRUTH}],
        first="U2",
        second="U1",
        pairing="all",
        choice=choose_gains(),
        policies=make_policies(),
    )
    judgments, sides = asked.read()
    assert (judgments.assessors, sides.first, sides.second, sides.matched) == (("U1", "U2"), ("U2",), ("U1",), False)
    given, named = join_second({"U1": TRUTH}, {"q": {"a": 0}})
    judgments, sides = replace(asked, sources=given, first=None, second=named).read()
    assert len(judgments) == 3
    assert sides.second is None


def test_measures_once_each_in_order() -> None:
    """Names of trec_eval and ir_measures and measures themselves; the same one twice is one."""
    precision = parse_measure("P@5")
    assert [str(one) for one in take_measures(["map", precision, "AP", "P@5"])] == ["AP", "P@5"]
    assert take_measures(precision) == take_measures("P@5") == (precision,)
    assert [str(one) for one in take_measures(None)] == [str(one) for one in take_measures(())] == ["nDCG@10"]


def test_users_by_name_number_and_band() -> None:
    """A band is both ends; 0 and 1 are the ends as numbers; each kind once."""
    assert take_users("band,0.3,independent") == ("independent", "comonotone", 0.3)
    assert take_users([0, 1, 0.5]) == ("independent", "comonotone", 0.5)
    assert take_users(0.25) == (0.25,)
    assert take_users(None) == ()
    with pytest.raises(CallError, match="found 'strict'"):
        take_users("strict")


def test_measures_are_expanded_where_users_change_them() -> None:
    """AP differs from its expected values, P does not; GAP and counts of judged documents have none."""
    asked = expand_users(take_measures(["AP", "P@5", "GAP"]), ("independent", "comonotone"))
    assert [str(one) for one in asked] == ["AP", "AP(users='independent')", "AP(users='comonotone')", "P@5", "GAP"]
