"""Tables: CSV, TSV, JSON lines, Parquet and data frames of judgments and of runs, as columns of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.tables.cells import ArrowTable as ArrowTable

_HOMES = {
    "ArrowTable": "cells",
}
__all__ = ["ArrowTable"]
# What the room's own tests use as well.
_INSIDE = {
    "JUDGMENTS": "columns",
    "NoLevelError": "columns",
    "RUNS": "columns",
    "SYNONYMS": "columns",
    "cell_text": "cells",
    "column_text": "cells",
    "name_table": "cells",
    "read_cells": "files",
    "read_columns": "parquet",
    "read_frame": "cells",
    "read_objects": "jsonlines",
    "strip_endings": "files",
    "take_table": "cells",
    "tell_column": "columns",
    "tell_table": "files",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
