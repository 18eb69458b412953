"""What assessors said: one table that every reader fills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainsayer.rooms import late_names

if TYPE_CHECKING:
    from gainsayer.judgments.files import read_judgments as read_judgments
    from gainsayer.judgments.table import Judgments as Judgments

_HOMES = {
    "ArrowTable": "files",  # of the room `tables`
    "Judgments": "table",
    "read_judgments": "files",
}
__all__ = [
    "Judgments",
    "read_judgments",
]
__getattr__, __dir__ = late_names(__name__, _HOMES)
