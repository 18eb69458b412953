"""What assessors said: one table that every reader fills."""

from __future__ import annotations

from gainsayer.judgments.files import FORMATS, Format, Meaning, read_judgments, split_name
from gainsayer.judgments.json_documents import read_document
from gainsayer.judgments.qrels import SecondColumn, read_qrels
from gainsayer.judgments.side_files import read_topic_table
from gainsayer.judgments.source import Source, source_from_frame
from gainsayer.judgments.table import Judgments, collect_judgments
from gainsayer.judgments.tables import make_source, read_judged_file, read_mapping, read_table

__all__ = ["Judgments", "read_judgments"]
