"""The command line: one file per command, loaded when it is called, so that `gainsayer --help` answers at once."""

from __future__ import annotations

import errno
import io
import sys
from importlib import import_module
from typing import Any

import click

from gainsayer.cli.flags import with_flags
from gainsayer.cli.streams import abandon, prepare_streams, say
from gainsayer.errors import CallError, GainsayerError

COMMANDS = {
    "demo": "The whole flow on a simulated collection with known truth.",
    "agree": "Confusion matrix and agreement coefficients, with intervals over topics.",
    "fit": "p(R|i) per level, with errors and intervals.",
    "score": "Scores per run (and per topic), with any gains.",
    "compare": "The run table with joint intervals, paired tests, tau between kinds of gains.",
    "study": "How far parameters and run orders depend on topics, amount, quality, assessors and gains.",
    "report": "All of it in one HTML file, and its JSON beside it.",
    "measures": "The catalogue of measures, gains and policies.",
    "export": "The gains in other tools' forms (scaled qrels, gain maps, OpenSearch, Quepid).",
    "doctor": "What each installed evaluator makes of these gains, and where it goes wrong.",
    "simulate": "Judgments and runs with known parameters, as files.",
}


EXAMPLES = """\b
Examples:
  gainsayer demo
  gainsayer agree first.qrels second.qrels
  gainsayer fit first.qrels second.qrels --threshold 2 -o model.json
"""


class Commands(click.Group):
    """The commands by name; a command's module is imported when the command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the flow."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"gainsayer.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; say what is at fault in words, on standard error, with the exit code that belongs to it."""
        try:
            return super().invoke(ctx)
        except GainsayerError as error:
            say(f"Error: {with_flags(str(error))}")
            ctx.exit(2 if isinstance(error, CallError) else 1)
        except click.ClickException as error:
            told = io.StringIO()  # it may quote a file's name that a pattern stood for
            error.show(told)
            say(told.getvalue().rstrip("\n"))
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            say("Stopped.")
            ctx.exit(130)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the call; say in words what the system refused, as a full disk behind standard output."""
        try:
            return super().main(*args, **extra)
        except OSError as error:
            place = "" if error.filename is None else f"{error.filename}: "
            reason = "Standard output is closed" if error.errno == errno.EBADF else error.strerror or error
            say(f"Error: {place}{reason}. Nothing more was written.")
            abandon(sys.stdout)
            sys.exit(1)


def _show_version(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked:
        from gainsayer import __version__
        from gainsayer.lines.kernel import name_reader

        click.echo(f"gainsayer {__version__} ({name_reader()} reader)")
        ctx.exit()


@click.group(cls=Commands, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def gainsayer() -> None:
    """Turn assessor disagreement into gains.

    From documents judged twice, estimate p(R|i): how likely a random user is to find a document relevant that an
    assessor put on level i. The probabilities become gains for counts, precision, DCG and nDCG.
    """


def main() -> None:
    """Entry point of the `gainsayer` command."""
    prepare_streams()
    gainsayer(prog_name="gainsayer")
