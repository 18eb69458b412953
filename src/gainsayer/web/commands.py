"""What `gainsayer judge` does beyond serving: new studies from files, and a study's state in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gainsayer.commands.inputs import Reading
from gainsayer.text import printable
from gainsayer.web.content import read_study, with_within
from gainsayer.web.database import show_place
from gainsayer.web.monitor import Overview
from gainsayer.web.organiser_page import compose
from gainsayer.web.server import look_at
from gainsayer.web.study import create_study


@dataclass(frozen=True)
class NewStudy:
    """What was made."""

    place: str
    items: int
    topics: int
    first_labels: int


def new_study(
    place: str, *, judgments: Sequence[str] = (), within: float | None = None, name: str | None = None, **files: Any
) -> NewStudy:
    """Make a study from files; see `read_study` for what they are."""
    shown = show_place(place)
    title = name or _call(shown)
    first = Reading(tuple(judgments)) if judgments else None
    content = with_within(read_study(name=title, judgments=first, **files), within)
    create_study(place, content).close()
    labels = sum(item.level is not None for item in content.items)
    return NewStudy(shown, len(content.items), len(content.topics), labels)


def _call(shown: str) -> str:
    """What judges see where nobody named the study: the file's name, or the database's; nothing else of an address.

    >>> _call("studies/fish.db"), _call("postgresql://ann:***@host/fish"), _call("postgresql://ann@host")
    ('fish', 'fish', 'Study')
    """
    return Path(urlsplit(shown).path if "://" in shown else shown).stem or "Study"


def describe_status(place: str) -> tuple[Overview, str]:
    """A study's state: as it is, and in words."""
    overview = look_at(place)
    page = compose(overview, {})
    lines = [page.headline, page.lead, page.rule, *page.rule_lines, f"{page.progress}.", page.whose, ""]
    for row in page.levels:
        worth = "-" if row.centre is None else f"{row.centre:3.0f} of 100 users ({row.low:.0f} to {row.high:.0f})"
        lines.append(f"{row.key:>6}  {worth:32}  {row.verdict}; {row.judged} of {row.planned} judged")
    lines.append("")
    lines += [f"{one.name}: {one.judged} judged, {one.skipped} skipped, {one.topics} topics" for one in page.people]
    return overview, "\n".join(printable(line) for line in lines) + "\n"
