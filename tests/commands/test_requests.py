"""Requests: arguments are declared once, and every function that takes them shows all of them."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gainsayer as gs
from gainsayer.commands.machine_requests import CheckRequest, GainsRequest, RectifiedRequest, SampleRequest
from gainsayer.commands.order_requests import CompareRequest, OrderRequest
from gainsayer.commands.requests import ScoreRequest, arguments, expand_users, take_measures, take_users
from gainsayer.commands.study import QualityRequest, RobustnessRequest
from gainsayer.errors import CallError
from gainsayer.measures import parse_measure
from gainsayer.reports.report import ReportRequest

FUNCTIONS = (gs.score, gs.compare, gs.report, gs.study.quality, gs.study.robustness, gs.study.gains)
TRUTH = {"q": {"a": 1, "b": 0}}
RUN = {"q": {"a": 2.0, "b": 1.0}}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
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


@pytest.mark.parametrize(
    ("function", "request_class"),
    [
        (gs.score, ScoreRequest),
        (gs.compare, CompareRequest),
        (gs.report, ReportRequest),
        (gs.study.quality, QualityRequest),
        (gs.study.robustness, RobustnessRequest),
        (gs.study.gains, OrderRequest),
        (gs.machine.sample, SampleRequest),
        (gs.machine.check, CheckRequest),
        (gs.machine.score, RectifiedRequest),
        (gs.machine.gains, GainsRequest),
    ],
)
def test_types_are_those_of_the_fields(function: Callable[..., Any], request_class: type) -> None:
    """Words of an annotation mean what they mean in the module that wrote them, whoever else uses the same word."""
    found, expected = typing.get_type_hints(function), typing.get_type_hints(request_class)
    names = list(inspect.signature(function).parameters)
    assert [found[name] for name in names] == [expected[name] for name in names]
    assert len(names) > 5


def test_studies_skip_topics_and_others_keep_them() -> None:
    """A request may have another default than the one it is made of; the signature shows it."""
    defaults = {
        function.__name__: inspect.signature(function).parameters["no_relevant"].default
        for function in (gs.score, gs.compare, gs.report, gs.study.robustness, gs.study.gains)
    }
    assert defaults == {"score": "keep", "compare": "keep", "report": "keep", "robustness": "skip", "gains": "skip"}


def test_a_wrong_word_names_the_function() -> None:
    """As with any function, an argument it does not have, or one too many, is a TypeError about the function."""
    with pytest.raises(TypeError, match=r"^score\(\) got an unexpected keyword argument 'measure'$"):
        gs.score(TRUTH, RUN, measure="P@1")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^compare\(\) too many positional arguments$"):
        gs.compare(TRUTH, RUN, "P@1", "prm")  # type: ignore[misc]
    with pytest.raises(TypeError, match=r"^robustness\(\) missing a required argument: 'runs'$"):
        gs.study.robustness(TRUTH)  # type: ignore[call-arg]


def test_a_function_stays_itself() -> None:
    """Its name, module, first line and return type are its own; an error section stays behind the arguments."""

    @arguments(ScoreRequest)
    def shown(asked: ScoreRequest) -> str:
        """The ties asked for.

        Raises:
            CallError: never.
        """
        return asked.ties

    assert (shown.__name__, shown.__module__) == ("shown", __name__)
    assert shown(TRUTH, RUN, ties="input") == "input"
    text = inspect.getdoc(shown) or ""
    assert text.index("The ties asked for.") < text.index("Args:") < text.index("progress:") < text.index("Raises:")
    assert inspect.signature(shown).return_annotation == "str"


def test_what_is_recorded(tmp_path: Path) -> None:
    """Everything asked for but judgments, runs, seed and progress; files of both sides, and those named."""
    for name in ("first", "second", "model"):
        (tmp_path / name).write_text("q1 0 d1 1\n")
    asked = CompareRequest(
        str(tmp_path / "first"), RUN, "AP", second=str(tmp_path / "second"), seed=3, threshold=1, progress=print
    )
    found = asked.record(str(tmp_path / "model"))
    assert [Path(name).name for name, _ in found.files] == ["first", "second", "model"]
    assert found.seed == 3
    assert found.options["threshold"] == 1
    assert found.options["measures"] == "AP"
    assert not {"judgments", "runs", "seed", "progress"} & set(found.options)


def test_sides_are_read_with_the_judgments() -> None:
    """A second side given as judgments is read with the first; assessors are named as in the judgments."""
    judgments, sides = ScoreRequest({"U1": TRUTH, "U2": TRUTH}, RUN, first="U2", second="U1", pairing="all").read()
    assert (judgments.assessors, sides.first, sides.second, sides.matched) == (("U1", "U2"), ("U2",), ("U1",), False)
    judgments, sides = ScoreRequest({"U1": TRUTH}, RUN, second={"q": {"a": 0}}).read()
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
