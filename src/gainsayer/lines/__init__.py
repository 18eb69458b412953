"""Lines: what stands in text files, as bytes: blocks of lines, their columns, names and numbers."""

from __future__ import annotations

from gainsayer.rooms import late_names

# What the room's own tests use; users have the names of `gainsayer`.
_INSIDE = {
    "BYTE_ORDER_MARK": "opening",
    "Block": "fields",
    "BlockRows": "rows",
    "Fault": "rows",
    "Faults": "faults",
    "Fingerprints": "fingerprints",
    "Layout": "rows",
    "MOST_WORDS": "names",
    "Names": "names",
    "PAD": "decimals",
    "QRELS": "rows",
    "RUN": "rows",
    "Rows": "names",
    "Stream": "opening",
    "WORD": "names",
    "as_text": "opening",
    "call_file": "opening",
    "count_threads": "workers",
    "cut_blocks": "blocks",
    "find_kernel": "kernel",
    "is_worker": "workers",
    "load_blocks": "blocks",
    "most_bytes": "compression",
    "open_stream": "opening",
    "parse_decimals": "decimals",
    "parse_whole": "decimals",
    "peek": "opening",
    "read_content": "opening",
    "read_numpy": "rows",
    "read_plain": "rows",
    "read_rows": "rows",
    "shorten": "faults",
    "split_any": "fields",
    "split_even": "fields",
    "split_single": "fields",
    "unfold": "compression",
    "work_in_turn": "workers",
}
__getattr__, __dir__ = late_names(__name__, {}, _INSIDE)
