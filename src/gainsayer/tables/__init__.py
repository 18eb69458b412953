"""Tables: CSV, TSV, JSON lines, Parquet and data frames of judgments and of runs, as columns of text."""

from __future__ import annotations

from gainsayer.tables.cells import ArrowTable, cell_text, column_text, name_table, read_frame, take_table
from gainsayer.tables.columns import JUDGMENTS, RUNS, SYNONYMS, tell_column
from gainsayer.tables.files import read_cells, strip_endings, tell_table
from gainsayer.tables.jsonlines import read_objects
from gainsayer.tables.parquet import read_columns

__all__ = ["ArrowTable"]
