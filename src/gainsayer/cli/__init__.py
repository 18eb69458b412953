"""The command line: one file per command, loaded when it is called, so that `gainsayer --help` answers at once."""

from __future__ import annotations

import errno
import io
import sys
from importlib import import_module
from typing import Any

import click

from gainsayer import __version__
from gainsayer.cli.help_pages import CommandGroup
from gainsayer.cli.streams import abandon, prepare_streams, say
from gainsayer.errors import CallError, GainsayerError
from gainsayer.text import nearest, on_command_line

COMMANDS = {
    "demo": "Everything on a simulated collection, next to the truth.",
    "agree": "How far assessors agree: confusion matrix and coefficients.",
    "fit": "What each level is worth to users, with intervals.",
    "score": "Scores of runs, by any measure and any gains.",
    "compare": "Which run is better, and how sure.",
    "machine": "A machine judge against people: what people would have scored.",
    "judge": "The page where people judge a second time, blind.",
    "study": "How far results depend on topics, amount, quality, assessors, gains.",
    "plan": "Which documents to judge a second time, how many, when to stop.",
    "report": "All of it in one HTML file, with its JSON.",
    "measures": "The measures, and the gains that each takes.",
    "export": "The gains for trec_eval, ir_measures, OpenSearch and Quepid.",
    "simulate": "Judgments and runs with known truth, as files.",
}

EXAMPLES = (
    "gainsayer compare first.qrels second.qrels --runs runs -m nDCG@10",
    "gainsayer demo",
    "gainsayer fit first.qrels second.qrels --threshold 2 -o model.json",
    "gainsayer compare --help",
)


_OF_THE_PAGE = ("sqlalchemy", "starlette", "uvicorn")


class Commands(CommandGroup):
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command; an unknown one is refused with the nearest name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            known = ", ".join(COMMANDS)
            said = f"There is no command {args[0]!r}.{nearest(args[0], COMMANDS)} The commands are: {known}."
            raise click.UsageError(said, ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; say what is at fault in words, on standard error, with the exit code that belongs to it."""
        try:
            with on_command_line():
                return super().invoke(ctx)
        except GainsayerError as error:
            say(f"Error: {error}")
            ctx.exit(2 if isinstance(error, CallError) else 1)
        except click.ClickException as error:
            shown = io.StringIO()  # it may quote a file's name that a pattern stood for
            error.show(shown)
            say(shown.getvalue().rstrip("\n"))
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            say("Stopped.")
            ctx.exit(130)
        except ModuleNotFoundError as error:
            library = (error.name or "").partition(".")[0]
            if library not in _OF_THE_PAGE:
                raise
            say(f"Error: The judging page needs {library}: pip install 'gainsayer[web]'.")
            ctx.exit(2)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the call; Ctrl-C meanwhile ends it as it does later, where Click would say "Aborted!"."""
        try:
            return super().make_context(*args, **extra)
        except KeyboardInterrupt:
            say("Stopped.")
            sys.exit(130)

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
        except (MemoryError, ImportError) as error:
            # A library for which there is no room is said to be one that cannot be imported.
            if isinstance(error, ImportError) and "failed to map segment" not in str(error):
                raise
            say("Error: not enough memory. Use a machine with more, or fewer runs and topics at once.")
            sys.exit(1)


def _show_version(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked:
        from gainsayer.reading.kernel import name_reader  # late, as all that needs arrays: --help answers at once

        click.echo(f"gainsayer {__version__} ({name_reader()} reader)")
        ctx.exit()


@click.group(cls=Commands, examples=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def gainsayer() -> None:
    """Turn assessor disagreement into gains: which run serves users better, and how sure can we be?

    From documents judged twice it estimates how likely a user is to find a document of each level relevant. These
    probabilities become the gains of counts, precision, DCG and nDCG.
    """


def main() -> None:
    """Entry point of the `gainsayer` command."""
    prepare_streams()
    gainsayer(prog_name="gainsayer")
