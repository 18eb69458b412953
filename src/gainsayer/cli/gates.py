"""The end of a command that was asked to be a gate: a sentence per run, and exit code 3 where one is stopped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from gainsayer.cli.streams import say

if TYPE_CHECKING:
    from gainsayer.evaluation.gates import Gate

SHUT = 3


def pass_gates(gates: Sequence[Gate], *, quiet: bool) -> None:
    """Say what holds of each run; with `quiet`, of those that are stopped. Exit where any is."""
    for gate in gates:
        say(str(gate), quiet=quiet and not gate.shut)
    if any(gate.shut for gate in gates):
        click.get_current_context().exit(SHUT)
