"""Tables: CSV, TSV, JSON lines, Parquet and data frames of judgments and of runs, as columns of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.tables.cells import ArrowTable as ArrowTable

_HOMES = {"ArrowTable": "cells"}
__all__ = ["ArrowTable"]
__getattr__, __dir__ = late_names(__name__, _HOMES)
