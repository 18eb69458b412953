"""Lines: what stands in text files, as bytes: blocks of lines, their columns, names and numbers."""

from __future__ import annotations

from gainsayer.lines.blocks import cut_blocks, load_blocks
from gainsayer.lines.decimals import PAD, parse_decimals, parse_whole
from gainsayer.lines.faults import Faults, shorten
from gainsayer.lines.fields import Block, split_any, split_even, split_single
from gainsayer.lines.fingerprints import Fingerprints
from gainsayer.lines.kernel import find_kernel
from gainsayer.lines.names import MOST_WORDS, WORD, Names, Rows
from gainsayer.lines.opening import BYTE_ORDER_MARK, Stream, as_text, call_file, open_stream, peek, read_content
from gainsayer.lines.rows import QRELS, RUN, BlockRows, Fault, Layout, read_numpy, read_plain, read_rows
from gainsayer.lines.workers import count_threads, is_worker, work_in_turn

__all__ = []
