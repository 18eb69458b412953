"""A progress bar in Jupyter and marimo, for the functions that take `progress`.

Results and figures need nothing from here: a notebook shows what a cell gives back, and asks it for HTML.

    with progress_bar() as progress:
        table = gs.compare(judgments, runs, "nDCG@10", progress=progress)
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, Final

from gainsayer.evaluation.ranked_runs import Progress

_STEPS: Final = 100


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Something to tell what is being done and how much of it: a bar below the cell, which goes when the work is done.

    Outside of a notebook it tells nobody. No widgets are needed.

    >>> with progress_bar() as progress:
    ...     progress("Comparing runs", 0.5)
    """
    if (marimo := _running_marimo()) is not None:
        with marimo.status.progress_bar(total=_STEPS, title="Reading", remove_on_exit=True) as bar:
            yield _Steps(lambda what, steps, more: bar.update(increment=more, title=what))
    elif (shell := _running_kernel()) is not None:
        handle = shell(_draw("Reading", 0))
        try:
            yield _Steps(lambda what, steps, more: handle.update(_draw(what, steps)))
        finally:
            handle.update(_Html(""))
    else:
        yield lambda what, share: None


class _Steps:
    """Tells of every hundredth part once; a step back, as when another piece of work begins, moves nothing."""

    def __init__(self, tell: Any) -> None:
        self._tell, self._told = tell, ("", 0)

    def __call__(self, what: str, share: float) -> None:
        before, done = self._told
        steps = max(done, min(_STEPS, int(share * _STEPS)))
        if (what, steps) != (before, done):
            self._told = (what, steps)
            self._tell(what, steps, steps - done)


class _Html:
    """A fragment that a notebook shows as it is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _repr_html_(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return ""


def _draw(what: str, steps: int) -> _Html:
    return _Html(f'<progress max="{_STEPS}" value="{steps}" style="width: 20em"></progress> {escape(what)}')


def _running_marimo() -> Any:
    """The marimo that runs this, or None; nothing is imported for it."""
    marimo = sys.modules.get("marimo")
    return marimo if marimo is not None and marimo.running_in_notebook() else None


def _running_kernel() -> Any:
    """What shows a thing that can be changed later, in a Jupyter kernel; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return lambda thing: display(thing, display_id=True)
