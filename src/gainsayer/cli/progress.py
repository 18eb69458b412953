"""A bar on the terminal while work lasts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from gainsayer.cli.streams import is_lively
from gainsayer.commands.ranked_runs import Progress


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress | None]:
    """Something to tell what is being done and how much of it; a bar on a terminal that knows escapes, else None."""
    if quiet or not is_lively(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading", total=None)

        def tell(what: str, share: float) -> None:
            bar.update(task, description=what, total=1.0, completed=share)

        yield tell
