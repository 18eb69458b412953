"""Results, figures and progress bars in Jupyter and marimo, in a kernel and an app of theirs."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import gainsayer as gs
from gainsayer.neighbours.notebook import progress_bar

pytestmark = pytest.mark.filterwarnings("ignore")
EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "notebook.py"


def need(name: str) -> Any:
    """A neighbour, or a skip that says which one is missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} is not installed: make test-neighbours installs the neighbours")


def test_the_example_runs_in_jupyter() -> None:
    """Kept as text, turned into a notebook and executed in a kernel: tables, figures and the bar are HTML."""
    jupytext, nbclient = need("jupytext"), need("nbclient")
    need("ipykernel")
    notebook = jupytext.read(EXAMPLE)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python", "language": "python"}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [" ".join(str(output.get("data", {}).get("text/html", "")) for output in cell.outputs) for cell in code]
    tables = [html for html in shown if "<table" in html]
    assert len(tables) == 2
    assert sum("<svg" in html for html in shown) >= 2
    assert any("text/html" in output.get("data", {}) for output in code[-3].outputs)  # where the bar was
    assert "best: run01" in str(code[-1].outputs)


def test_results_show_themselves_in_marimo() -> None:
    """marimo shows a result and a figure by the HTML that they give."""
    marimo = need("marimo")
    model = gs.fit(gs.twenty_documents(), threshold=2)
    assert "<table" in marimo.as_html(model).text
    assert "<svg" in marimo.as_html(model.plot()).text


class Kernel:
    """What stands in for IPython: keeps what was shown and changed."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def display(self, thing: Any, *, display_id: bool) -> Kernel:
        """Show a thing that can be changed."""
        assert display_id
        return self.update(thing)

    def update(self, thing: Any) -> Kernel:
        """Change it."""
        self.shown.append(thing._repr_html_())
        return self


def test_the_bar_of_a_kernel_moves_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every hundredth once, words escaped, and nothing is left in the end."""
    kernel = Kernel()
    ipython = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=kernel))
    monkeypatch.setitem(sys.modules, "marimo", None)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=kernel.display))
    with progress_bar() as progress:
        for share in (0.0, 0.101, 0.102, 0.5, 0.3):
            progress("Ranking <b>runs</b>", share)
    assert [html.count("<progress") for html in kernel.shown] == [1, 1, 1, 1, 0]
    assert "&lt;b&gt;runs&lt;/b&gt;" in kernel.shown[1]
    assert [f'value="{n}"' in html for n, html in zip((0, 0, 10, 50), kernel.shown, strict=False)] == [True] * 4


def test_the_bar_of_marimo_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a marimo notebook its status bar is told the steps, which add up."""
    told: list[tuple[int, str]] = []

    class Bar:
        """marimo's bar."""

        def __enter__(self) -> Bar:
            return self

        def __exit__(self, *_: object) -> None:
            told.append((0, "gone"))

        def update(self, *, increment: int, title: str) -> None:
            """Another step."""
            told.append((increment, title))

    status = SimpleNamespace(progress_bar=lambda **_: Bar())
    monkeypatch.setitem(sys.modules, "marimo", SimpleNamespace(running_in_notebook=lambda: True, status=status))
    with progress_bar() as progress:
        progress("Comparing runs", 0.4)
        progress("Comparing runs", 1.0)
    assert told == [(40, "Comparing runs"), (60, "Comparing runs"), (0, "gone")]


def test_a_bar_in_an_app_of_marimo() -> None:
    """The bar works where marimo runs a cell itself."""
    marimo = need("marimo")
    app = marimo.App()

    @app.cell
    def _() -> tuple[Any]:
        import gainsayer as gs
        from gainsayer.neighbours.notebook import progress_bar

        with progress_bar() as progress:
            progress("Fitting", 0.5)
        result = gs.fit(gs.twenty_documents(), threshold=2)
        return (result,)

    _, names = app.run()
    assert "result" in names
