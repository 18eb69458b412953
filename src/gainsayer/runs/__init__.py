"""What systems returned."""

from __future__ import annotations

from gainsayer.runs.files import RUN_FORMATS, find_runs, map_run, name_runs, read_run
from gainsayer.runs.json_documents import read_hits
from gainsayer.runs.run import Run
from gainsayer.runs.tables import run_from_cells
from gainsayer.runs.trec import InterleavedError, map_trec, read_trec

__all__ = ["Run", "read_run"]
