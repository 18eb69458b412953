"""Options that several commands share: one parser of numbers by name, whatever the option."""

from __future__ import annotations

from collections.abc import Callable

import click
import pytest
from click.testing import CliRunner

from gainsayer.cli import gainsayer
from gainsayer.cli.options import RELEVANCE, bundle, option, parse_numbers
from gainsayer.cli.score import command as score_command
from gainsayer.errors import CallError

GAIN = click.Option(["--gain"], metavar="LEVEL=NUMBER", multiple=True)
STRATA = click.Option(["--strata"], metavar="NAME=SHARE,...")
CONTEXT = click.Context(click.Command("any"))


def test_numbers_by_name_in_the_order_given() -> None:
    """Several options, several parts between commas, blanks around either; a name may hold a sign of equality."""
    assert parse_numbers(CONTEXT, GAIN, ["Key = 0.5,a=b=1e-3", "Non=0"]) == {"Key": 0.5, "a=b": 0.001, "Non": 0.0}
    assert parse_numbers(CONTEXT, STRATA, "nav=0.4,inf=0.6") == {"nav": 0.4, "inf": 0.6}
    assert parse_numbers(CONTEXT, STRATA, None) is None
    assert parse_numbers(CONTEXT, GAIN, ()) == {}


@pytest.mark.parametrize("text", ["x", "=1", "Key=", "Key=one", "Key=nan", "Key=inf", "", "a=1,,b=2"])
def test_what_is_no_number_by_name_is_refused(text: str) -> None:
    """The message names the option, the form it wants and what was found."""
    with pytest.raises(CallError, match=r"^--gain needs LEVEL=NUMBER, found '.*'\.$"):
        parse_numbers(CONTEXT, GAIN, [text])
    with pytest.raises(CallError, match=r"^--strata needs NAME=SHARE, found '.*'\.$"):
        parse_numbers(CONTEXT, STRATA, text)


@pytest.mark.parametrize("given", [["Key=1", "Key=2"], ["Key=1,Key =1"]])
def test_a_name_given_twice_is_refused(given: list[str]) -> None:
    """Which of two numbers holds is not ours to guess."""
    with pytest.raises(CallError, match=r"^--gain names 'Key' twice\.$"):
        parse_numbers(CONTEXT, GAIN, given)


@pytest.mark.parametrize(
    "words",
    [
        ["export", "gains", "--gain", "0=0.1,0=0.2"],
        ["fit", "a.qrels", "--sampled", "0=0.1", "--sampled", "0=0.2"],
        ["simulate", "-o", "nowhere", "--run", "a=1", "--run", "a=0"],
        ["simulate", "-o", "nowhere", "--strata", "nav=1,nav=0"],
    ],
    ids=lambda words: words[0] + " " + next(word for word in words if word.startswith("--")),
)
def test_every_command_has_the_same_parser(words: list[str]) -> None:
    """Gains, shares of a second round, runs and strata are all parsed alike."""
    done = CliRunner().invoke(gainsayer, words)
    assert done.exit_code == 2
    assert "twice." in done.output


def test_an_option_shows_its_default_and_takes_its_type() -> None:
    """A whole number stays one, a choice is checked, and the help page says what is there without being asked."""

    @click.command()
    @option("--depth", RELEVANCE, "How deep.", default=10)
    @option("--ties", RELEVANCE, "Which.", choices=("a", "b"), default="a")
    def show(depth: int, ties: str) -> None:
        """Show what arrives."""
        click.echo(f"{depth!r} {ties!r}")

    assert CliRunner().invoke(show, ["--depth", "3"]).output == "3 'a'\n"
    assert CliRunner().invoke(show, ["--depth", "3.5"]).exit_code == 2
    assert CliRunner().invoke(show, ["--ties", "c"]).exit_code == 2
    page = CliRunner().invoke(show, ["--help"]).output
    assert "[default: 10]" in page
    assert "[default: a]" in page


def test_an_option_is_declared_as_it_is_typed() -> None:
    """Names, what the function calls it, its value or choices, whether it may come again; without a value, a flag."""

    @click.command()
    @option("-m --measure measures NAME *", RELEVANCE, "What.")
    @option("--ties input|trec", RELEVANCE, "Which.")
    @option("--quiet", RELEVANCE, "No messages.")
    def show(**given: object) -> None:
        """Show what arrives."""
        click.echo(given)

    assert CliRunner().invoke(show, []).output == "{'measures': (), 'ties': None, 'quiet': False}\n"
    words = ["-m", "P", "--measure", "AP", "--ties", "trec", "--quiet"]
    assert CliRunner().invoke(show, words).output == "{'measures': ('P', 'AP'), 'ties': 'trec', 'quiet': True}\n"
    assert CliRunner().invoke(show, ["--ties", "other"]).exit_code == 2
    page = CliRunner().invoke(show, ["--help"]).output
    assert "--measure NAME" in page
    assert "[input|trec]" in page


def test_bundled_options_arrive_as_one_value() -> None:
    """What the options hold goes to one function by their names; the other options go by."""

    def bundled(function: Callable[..., None]) -> Callable[..., None]:
        options = (
            option("--low NUMBER", RELEVANCE, "From.", type=int),
            option("--high NUMBER", RELEVANCE, "To.", type=int),
        )
        return bundle(function, "span", lambda low, high: range(low, high), options)

    @click.command()
    @bundled
    @option("--name WORD", RELEVANCE, "Of it.")
    def show(**given: object) -> None:
        """Show what arrives."""
        click.echo(given)

    words = ["--high", "3", "--name", "x", "--low", "1"]
    assert CliRunner().invoke(show, words).output == "{'span': range(1, 3), 'name': 'x'}\n"
    assert [one.name for one in show.params] == ["low", "high", "name"]


@pytest.mark.parametrize(
    ("words", "measures", "runs"),
    [
        (["q.qrels", "-m", "AP", "--runs", "a.run", "b.run", "-m", "P@5"], ("AP", "P@5"), ("a.run", "b.run")),
        (["q.qrels", "-mAP", "--runs", "a.run"], ("AP",), ("a.run",)),
        (["--runs", "a.run", "--measure=AP", "--", "q.qrels", "-m"], ("AP",), ("a.run",)),
    ],
)
def test_short_names_lists_and_what_stands_behind_a_double_dash(
    words: list[str], measures: tuple[str, ...], runs: tuple[str, ...]
) -> None:
    """Short names mean what long ones do, lists go up to the next option, and behind -- everything is a word."""
    context = score_command.make_context("score", list(words))
    given = [value for value in context.params.values() if value]
    assert measures in given
    assert runs in given
    assert any("q.qrels" in value for value in given if isinstance(value, tuple))
    assert any("-m" in value for value in given if isinstance(value, tuple)) == (words[-1] == "-m")
