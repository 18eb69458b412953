"""Results and figures in Jupyter and marimo."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

import gainsayer as gs

pytestmark = pytest.mark.filterwarnings("ignore")
EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "notebook.py"


def need(name: str) -> Any:
    """A neighbour, or a skip that says which one is missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} is not installed: make test-neighbours installs the neighbours")


def test_the_example_runs_in_jupyter() -> None:
    """Kept as text, turned into a notebook and executed in a kernel: tables and figures are HTML."""
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
    assert "best: run01" in str(code[-1].outputs)


def test_results_show_themselves_in_marimo() -> None:
    """marimo shows a result and a figure by the HTML that they give."""
    marimo = need("marimo")
    model = gs.fit(gs.twenty_documents(), threshold=2)
    assert "<table" in marimo.as_html(model).text
    assert "<svg" in marimo.as_html(model.plot()).text
