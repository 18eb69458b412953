"""Help pages: what a command does, an example, its options under headings; the rare ones on the long page only."""

from __future__ import annotations

import inspect
import signal
from collections.abc import Sequence
from typing import Any

import click

from gainsayer.cli.options import GROUPS, OUTPUT, OWN, GroupedOption

EVERYTHING = "gainsayer.everything"


class GroupedCommand(click.Command):
    """A command whose help page shows its options under headings, and whose lists take all words up to the next option.

    `--runs a.run b.run -m P@10` is what click knows as `--runs a.run --runs b.run -m P@10`.
    """

    GREEDY: tuple[str, ...] = ("--judgments", "--runs")

    def __init__(self, *args: Any, examples: Sequence[str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = examples

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; Ctrl-C ends a read that waits, which polars, loaded by now, would let go on."""
        if hasattr(signal, "siginterrupt"):
            signal.siginterrupt(signal.SIGINT, True)
        return super().invoke(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat a greedy option before each of its words, and write short names out: click is slow to find them."""
        known = {name: max(parameter.opts, key=len) for parameter in self.params for name in parameter.opts}
        spread: list[str] = []
        taking: str | None = None
        for place, word in enumerate(args):
            if word == "--":
                spread += args[place:]
                break
            if word in self.GREEDY and word in known:
                taking = word
            elif taking is not None and (word == "-" or not word.startswith("-")):
                spread += [taking, word]
            else:
                taking = None
                spread.append(known.get(word, word) if word.startswith("-") else word)
        return super().parse_args(ctx, spread)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """--help, which those who read this page know."""
        found = super().get_help_option(ctx)
        if found is not None:
            found.hidden = not ctx.meta.get(EVERYTHING)
            found.group = OUTPUT  # type: ignore[attr-defined]
        return found

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, and --help-all where some are rare."""
        every = super().get_params(ctx)
        return [*every, _HELP_ALL] if any(getattr(one, "rare", False) for one in every) else every

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What it does, an example, the common options; every option and more examples with --help-all."""
        whole = bool(ctx.meta.get(EVERYTHING))
        about, _, more = inspect.cleandoc(self.help or "").partition("\n\n")
        first, *others = self.examples
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(about)
        _write_examples(formatter, "Example", [first])
        if whole and more:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(more)
        self.format_options(ctx, formatter)
        if whole or _HELP_ALL not in self.get_params(ctx):
            _write_examples(formatter, "More examples", others or [first])
        else:
            _write_examples(formatter, "Every option, and more examples", [f"{ctx.command_path} --help-all"])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options by heading, in the order of the flow; the rare ones on the long page only."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            rare = getattr(parameter, "rare", False) and not ctx.meta.get(EVERYTHING)
            if record is not None and isinstance(parameter, click.Option) and not rare:
                groups.setdefault(getattr(parameter, "group", None) or OWN, []).append(record)
        for name in sorted(groups, key=GROUPS.index):
            with formatter.section(name):
                formatter.write_dl(groups[name], col_max=26)


class CommandGroup(click.Group):
    """Commands in the order in which they were made, with examples."""

    def __init__(self, *args: Any, examples: Sequence[str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in order."""
        return list(self.commands)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What they are for, an example, the commands, more examples."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        _write_examples(formatter, "Example", self.examples[:1])
        self.format_commands(ctx, formatter)
        _write_examples(formatter, "More examples", self.examples[1:])


def _write_examples(formatter: click.HelpFormatter, title: str, lines: Sequence[str]) -> None:
    """Commands to copy, one in a line however wide."""
    with formatter.section(title):
        for line in lines:
            formatter.write(f"{'':>{formatter.current_indent}}  {line}\n")


def _show_everything(context: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked:
        context.meta[EVERYTHING] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


_HELP_ALL = GroupedOption(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_everything,
    group=OUTPUT,
    rare=True,
    help="Every option, and more examples.",
)
