"""Serving a study, its links, exports and backups; new studies and their state in words."""

from __future__ import annotations

import ipaddress
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from gainsayer.commands.inputs import Reading
from gainsayer.errors import CallError
from gainsayer.text import printable
from gainsayer.web.application import create_application
from gainsayer.web.content import read_study
from gainsayer.web.database import Database, back_up, open_database, show_place
from gainsayer.web.guards import Address
from gainsayer.web.monitor import Overview, oversee
from gainsayer.web.organiser_page import compose
from gainsayer.web.people import ORGANISER, invite, revoke
from gainsayer.web.second_round import export_csv, read_round
from gainsayer.web.study import create_study, note_address, read_study_row
from gainsayer.web.visits import MOMENT, Served
from gainsayer.web.work import describe_closed


@dataclass(frozen=True)
class NewStudy:
    """What was made."""

    place: str
    items: int
    topics: int
    first_labels: int


def new_study(place: str, *, judgments: Sequence[str] = (), name: str | None = None, **files: Any) -> NewStudy:
    """Make a study from files; see `read_study` for what they are."""
    shown = show_place(place)
    title = name or _call(shown)
    first = Reading(tuple(judgments)) if judgments else None
    content = read_study(name=title, judgments=first, **files)
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


PORT: Final = 8321
LOOPBACK: Final = "127.0.0.1"


@contextmanager
def opened(place: str, *, to_write: bool = True) -> Iterator[Database]:
    """A study's database, closed at the end."""
    with closing(open_database(place, to_write=to_write)) as database:
        yield database


def serve_study(
    place: str,
    *,
    host: str = LOOPBACK,
    port: int = PORT,
    public_url: str | None = None,
    moment: float = MOMENT,
    ready: Callable[[str], None],
) -> None:
    """Serve a study until the process is told to end.

    Args:
        place: the study.
        host: which address of this machine to listen at; another than loopback needs `public_url`.
        port: 0 lets the system choose one.
        public_url: where people reach the page, such as https://judge.example.org, through a proxy that speaks TLS.
        moment: how many seconds a document must have been in view before it takes a grade.
        ready: called with the organiser's link when the page can be reached; each start makes a new one.

    Raises:
        CallError: another host without a public address; an address that is none; a port that is taken.
    """
    public = None if public_url is None else check_public(public_url)
    if public is None and not _is_loopback(host):
        raise CallError(
            f"Listening at {host} lets others reach the page without encryption. Say under which https:// address a "
            "proxy serves it (the public address), or stay on 127.0.0.1."
        )
    with opened(place) as database, _listen(host, port) as listening:
        bound = Address.of(f"http://{_bracket(host)}:{listening.getsockname()[1]}")
        main = bound if public is None else public
        with database.write() as connection:
            note_address(connection, main.origin)
            token = invite(connection, [ORGANISER], role="organiser")[ORGANISER]
        addresses = {address.host: address for address in (bound, main)}
        _run(
            Served(database, addresses, moment=moment),
            listening,
            behind_proxy=public is not None,
            ready=lambda: ready(f"{main.origin}/join/{token}"),
        )


def check_public(url: str) -> Address:
    r"""A public address: https (or http, on one's own risk) with a host and nothing behind it, as browsers write it.

    >>> check_public("https://judge.example.org/").origin, check_public("https://B\xfccher.example:443").host
    ('https://judge.example.org', 'xn--bcher-kva.example')
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode()
        port = "" if parts.port in (None, {"http": 80, "https": 443}.get(parts.scheme)) else f":{parts.port}"
    except ValueError:  # a bracket that is not closed, a port out of range, a name that no host can have
        parts, host, port = urlsplit(""), "", ""
    more = parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment
    clean = re.fullmatch(r"[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+", host)
    if parts.scheme not in ("http", "https") or not clean or more:
        raise CallError(f"The public address is like https://judge.example.org, found {url!r}.")
    return Address.of(f"{parts.scheme}://{_bracket(host)}{port}")


def make_links(place: str, names: Sequence[str]) -> dict[str, str]:
    """A link for each name; earlier links of these names end."""
    with opened(place) as database, database.write() as connection:
        origin = read_study_row(connection).address or f"http://{LOOPBACK}:{PORT}"
        return {name: f"{origin}/join/{token}" for name, token in invite(connection, names).items()}


def find_own_topics(place: str, names: Sequence[str]) -> list[str]:
    """A sentence for each of these people who gave first labels: what they may not judge."""
    with opened(place, to_write=False) as database, database.read() as connection:
        return list(describe_closed(connection, names).values())


def end_links(place: str, names: Sequence[str]) -> None:
    """End the links and sessions of these people; what they answered stays."""
    with opened(place) as database, database.write() as connection:
        revoke(connection, names, now=time.time())


def look_at(place: str) -> Overview:
    """How far a study is, and what the grades are worth so far."""
    with opened(place, to_write=False) as database, database.read() as connection:
        return oversee(read_round(connection))


def export_study(place: str, *, events: bool = False, spreadsheet: bool = False) -> str:
    """The second judgments of a study as CSV that `fit` reads; or all events."""
    with opened(place, to_write=False) as database, database.read() as connection:
        return export_csv(read_round(connection), events=events, spreadsheet=spreadsheet)


def back_up_study(place: str, target: Path) -> None:
    """Copy a study, also one that is being served, into a file that is a study itself."""
    with opened(place, to_write=False) as database:
        back_up(database, target)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@contextmanager
def _listen(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Where the protocol is not named, asyncio lets small packets wait, some 40 ms for most answers.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        raise CallError(f"Cannot listen at {host}, port {port}: {error}. Choose another port.") from None
    with closing(listening):
        yield listening


BACKLOG: Final = 32  # connections that asyncio accepts at once
_MOST_DESCRIPTORS: Final = 8192
_KEPT_FREE: Final = 6 * BACKLOG  # for those that were accepted and not yet refused, the database, our own files


def _run(served: Served, listening: socket.socket, *, behind_proxy: bool, ready: Callable[[], None]) -> None:
    import uvicorn

    from gainsayer.web.patience import PatientProtocol

    config = uvicorn.Config(
        create_application(served),
        http=PatientProtocol,
        backlog=BACKLOG,
        limit_concurrency=max(_raise_limit() - _KEPT_FREE, BACKLOG),
        log_level="warning",
        access_log=False,  # paths hold tokens
        server_header=False,
        proxy_headers=behind_proxy,
        lifespan="off",
        timeout_keep_alive=75,
        timeout_graceful_shutdown=5,
    )
    if threading.current_thread() is threading.main_thread():  # told to end, leave as after Ctrl-C: nothing lies about
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    ready()
    uvicorn.Server(config).run(sockets=[listening])


def _raise_limit() -> int:
    """Let this process hold as many files and connections as the system allows it to, and tell how many."""
    if sys.platform == "win32":
        return _MOST_DESCRIPTORS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted
