"""What assessors said: one table that every reader fills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.judgments.files import read_judgments as read_judgments
    from gainsayer.judgments.table import Judgments as Judgments

_HOMES = {
    "Judgments": "table",
    "read_judgments": "files",
}
__all__ = [
    "Judgments",
    "read_judgments",
]
# What the room's own tests use as well.
_INSIDE = {
    "ArrowTable": "files",
    "Documents": "table",
    "FORMATS": "files",
    "Format": "files",
    "Meaning": "survey",
    "QrelsSource": "qrels",
    "Runs": "coding",
    "SecondColumn": "qrels",
    "SeenSource": "survey",
    "Source": "tables",
    "Survey": "survey",
    "code_items": "coding",
    "code_names": "coding",
    "collect_judgments": "table",
    "join_surveys": "survey",
    "make_source": "tables",
    "read_document": "json_documents",
    "read_judged_file": "tables",
    "read_mapping": "tables",
    "read_qrels": "qrels",
    "read_table": "tables",
    "read_topic_table": "side_files",
    "settle": "survey",
    "split_name": "files",
}
__getattr__, __dir__ = late_names(__name__, _HOMES, _INSIDE)
