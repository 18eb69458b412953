"""What assessors said and what systems returned: files, tables and mappings in, `Judgments` and `Run` out."""

from __future__ import annotations

from gainsayer.reading.cells import ArrowTable, cell_text, column_text, name_table, read_frame, take_table
from gainsayer.reading.columns import JUDGMENTS, RUNS, SYNONYMS, tell_column
from gainsayer.reading.faults import Faults, shorten
from gainsayer.reading.files import (
    BYTE_ORDER_MARK,
    Fingerprints,
    Stream,
    as_text,
    call_file,
    open_stream,
    peek,
    read_content,
)
from gainsayer.reading.json_tools import read_document, read_hits
from gainsayer.reading.jsonlines import read_objects
from gainsayer.reading.judged_tables import make_source, read_judged_file, read_mapping, read_table
from gainsayer.reading.judgment_sources import FORMATS, Format, Meaning, read_judgments, split_name
from gainsayer.reading.judgments import Judgments, collect_judgments
from gainsayer.reading.kernel import find_kernel
from gainsayer.reading.names import Names, code_column, match_names, number_names
from gainsayer.reading.qrels import SecondColumn, read_qrels
from gainsayer.reading.run import Run, run_from_cells
from gainsayer.reading.runs import RUN_FORMATS, find_runs, map_run, name_runs, read_run
from gainsayer.reading.side_files import read_topic_table
from gainsayer.reading.source import Source, source_from_frame
from gainsayer.reading.tables import read_cells, read_columns, strip_endings, tell_table
from gainsayer.reading.trec import QRELS, RUN, Block, Fault, Layout, Rows, cut_blocks, read_block, read_lines
from gainsayer.reading.trec_runs import InterleavedError, map_trec, read_trec
from gainsayer.reading.workers import count_threads, is_worker, work_in_turn

__all__ = ["ArrowTable", "Judgments", "Run", "read_judgments", "read_run"]
