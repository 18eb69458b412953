"""Lines: what stands in text files, as bytes: blocks of lines, their columns, names and numbers."""

from __future__ import annotations

from gainsayer.lines.faults import Faults, shorten
from gainsayer.lines.fingerprints import Fingerprints
from gainsayer.lines.kernel import find_kernel
from gainsayer.lines.names import Names, code_column, match_names, number_names
from gainsayer.lines.opening import BYTE_ORDER_MARK, Stream, as_text, call_file, open_stream, peek, read_content
from gainsayer.lines.trec import QRELS, RUN, Block, Fault, Layout, Rows, cut_blocks, read_block, read_lines
from gainsayer.lines.workers import count_threads, is_worker, work_in_turn

__all__ = []
