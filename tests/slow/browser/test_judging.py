"""The judging page in a real browser: by keys, by mouse, without script, offline; hostile documents stay inert."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import APIResponse, Browser, BrowserContext, Page, Route, expect
from sqlalchemy import select
from tests.judging.studies import make_content, play, write_plan
from tests.slow.browser.looking import wait_until

from gainsayer.web.application import create_application
from gainsayer.web.content import Content, Item, LevelText, Topic
from gainsayer.web.database import Database, event, item, judgment
from gainsayer.web.guards import Address
from gainsayer.web.people import find_invited, invite
from gainsayer.web.study import create_study, stop_judging
from gainsayer.web.visits import Served

PATIENCE = 120_000  # milliseconds for what the tests wait for; nothing waits for them to pass
PHONE, DESK = {"width": 375, "height": 812}, {"width": 1400, "height": 900}
expect.set_options(timeout=PATIENCE)


@dataclass
class Site:
    """A study that is served on loopback, in a thread of this process."""

    database: Database
    origin: str
    contexts: list[BrowserContext] = field(default_factory=list)

    def link(self, name: str, role: str = "judge") -> str:
        """A new link."""
        with self.database.write() as connection:
            return f"{self.origin}/join/{invite(connection, [name], role=role)[name]}"

    def enter(self, browser: Browser, name: str = "Ann", role: str = "judge", **options: Any) -> Page:
        """Somebody who followed their link, in a browser of their own."""
        context = browser.new_context(**({"viewport": DESK} | options))
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        page = context.new_page()
        page.goto(self.link(name, role))
        page.get_by_role("button").click()
        page.wait_for_url("**/judge" if role == "judge" else "**/organiser")
        if role == "judge" and options.get("java_script_enabled", True):
            go_on(page)
        return page

    def events(self) -> list[tuple[str, int | None]]:
        """What was kept: kind and level, in order."""
        with self.database.read() as connection:
            rows = connection.execute(select(event.c.kind, event.c.level).order_by(event.c.id))
            return [(row.kind, row.level) for row in rows]


@contextmanager
def serving(database: Database, moment: float) -> Iterator[str]:
    """Serve a study on a port that the system chooses."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
        address = Address.of(origin)
        application = create_application(Served(database, {address.host: address}, moment=moment))
        server = uvicorn.Server(uvicorn.Config(application, log_level="error", lifespan="off", access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield origin
        finally:
            server.should_exit = True
            server.force_exit = True
            thread.join()


def go_on(page: Page) -> None:
    """Wait for the script of the page, and go on from the card of a new question, where there is one."""
    expect(page.locator("body")).to_have_class("judging live")
    if page.locator("#card").is_visible():
        page.keyboard.press("Enter")
        expect(page.locator("#title")).to_be_focused()


def wait_for_document(page: Page) -> None:
    """Until one is in view: while the next is fetched, which is seldom, keys have nothing to grade."""
    expect(page.locator("#title")).not_to_have_text("Fetching the next document\u2026")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Serve a study of this content, or of `make_content` with these words."""
    ends: list[Any] = []

    def make(content: Content | None = None, moment: float = 0, **words: Any) -> Site:
        database = create_study(str(tmp_path / "study.db"), content or make_content(**words), seed="trial")
        server = serving(database, moment)
        made = Site(database, server.__enter__())
        ends.extend([made, server, database])
        return made

    yield make
    for end in ends:
        if isinstance(end, Site):
            for context in end.contexts:
                context.close()
        elif isinstance(end, Database):
            end.close()
        else:
            end.__exit__(None, None, None)


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_session_by_keys_alone(site: Callable[..., Site], browser: Browser, viewport: Any) -> None:
    """Grade, skip, undo, note and help by keys, to the end; the heading has the focus after each answer."""
    here = site(topics=2, documents=3, batches=1)
    page = here.enter(browser, viewport=viewport)
    expect(page.locator("#at")).to_have_text("1")
    wait_for_document(page)
    title = page.locator("#title").inner_text()
    page.keyboard.press("2")
    expect(page.locator("#status")).to_contain_text("Saved: 2 All")
    expect(page.locator("#status")).to_contain_text(title)
    expect(page.locator("#title")).not_to_have_text(title)
    expect(page.locator("#title")).to_be_focused()
    expect(page.locator("#at")).to_have_text("2")
    page.keyboard.press("s")
    expect(page.locator("#status")).to_contain_text("Skipped")
    page.keyboard.press("z")
    expect(page.locator("#status")).to_contain_text("Taken back")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("n")
    page.keyboard.type("012 szn")
    expect(page.locator("#note")).to_have_value("012 szn")
    page.keyboard.press("Escape")
    expect(page.locator("#note")).to_be_hidden()
    for key in ("Control+1", "Alt+1", "Meta+1"):
        page.keyboard.press(key)
    assert here.events() == [("level", 2), ("skip", None), ("undo", None)]
    wait_for_document(page)
    title = page.locator("#title").inner_text()
    page.keyboard.press("0")
    expect(page.locator("#status")).to_contain_text("Saved: 0 Nothing")
    expect(page.locator("#title")).not_to_have_text(title)
    for key in ("1", "1", "1"):
        expect(page.locator("#title:focus, #card[open]")).to_be_visible()  # before the next document a key is lost
        go_on(page)
        expect(page.locator("#title")).to_be_focused()
        title = page.locator("#title").inner_text()
        page.keyboard.press(key)
        expect(page.locator("#status")).to_contain_text("Saved: 1 Some")
        expect(page.locator("#title")).not_to_have_text(title)
        page.evaluate("document.getElementById('status').textContent = ''")
    expect(page.locator("#title")).to_be_focused()
    page.keyboard.press("2")
    page.wait_for_url("**/done")
    assert here.events()[3:] == [("level", 0), ("level", 1), ("level", 1), ("level", 1), ("level", 2)]
    with here.database.read() as connection:
        notes = connection.execute(select(event.c.note).where(event.c.note != "")).scalars().all()
        times = connection.execute(select(event.c.milliseconds).where(event.c.kind == "level")).scalars().all()
    assert notes == ["012 szn"]
    assert all(isinstance(time, int) for time in times)


def test_a_held_key_answers_once(site: Callable[..., Site], browser: Browser) -> None:
    """Repeats of a key that is held down, and keys of an input method, are no answers."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser)
    page.keyboard.down("1")
    page.keyboard.down("1")  # the browser calls this one a repeat
    page.keyboard.down("1")
    page.keyboard.up("1")
    expect(page.locator("#status")).to_contain_text("Saved")
    page.evaluate("dispatchEvent(new KeyboardEvent('keydown', {key: '2', isComposing: true}))")
    page.keyboard.press("0")
    expect(page.locator("#status")).to_contain_text("Saved: 0")
    assert here.events() == [("level", 1), ("level", 0)]


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_session_by_mouse_alone(site: Callable[..., Site], browser: Browser, viewport: Any) -> None:
    """Buttons do the same; the second click of a double click does nothing; no button stays marked."""
    here = site(topics=1, documents=5, batches=1)
    page = here.enter(browser, viewport=viewport)
    page.get_by_role("button", name="Some").dblclick()
    expect(page.locator("#status")).to_contain_text("Saved: 1 Some")
    expect(page.locator(".level.hit")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#status")).to_contain_text("Taken back")
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("#status")).to_contain_text("Skipped")
    page.get_by_role("button", name="Note").click()
    page.locator("#note").fill("hard to read")
    page.get_by_role("button", name="All").click()
    expect(page.locator("#status")).to_contain_text("Saved: 2 All")
    assert here.events() == [("level", 1), ("undo", None), ("skip", None), ("level", 2)]


def test_a_session_without_script(site: Callable[..., Site], browser: Browser) -> None:
    """Forms alone do everything but prefetching, and end on the last page."""
    here = site(topics=1, documents=3, batches=1)
    page = here.enter(browser, java_script_enabled=False, viewport=PHONE)
    page.get_by_role("button", name="Some").click()
    expect(page.locator("#status")).to_contain_text("Your last answer: 1 Some")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("#status")).to_contain_text("You skipped")
    page.locator("#note").fill("a note")
    page.get_by_role("button", name="All").click()
    page.get_by_role("button", name="Nothing").click()
    expect(page.get_by_role("heading", name="That was all")).to_be_visible()
    assert here.events() == [("level", 1), ("undo", None), ("skip", None), ("level", 2), ("level", 0)]


def test_reload_second_tab_and_second_machine(site: Callable[..., Site], browser: Browser) -> None:
    """After a reload, in another tab and on another machine the page is where the person was; tabs do not disturb."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser)
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved")
    wait_for_document(page)
    title = page.locator("#title").inner_text()
    page.reload()
    expect(page.locator("#title")).to_have_text(title)
    other = page.context.new_page()
    other.goto(f"{here.origin}/judge")
    expect(other.locator("#title")).to_have_text(title)
    go_on(other)
    other.keyboard.press("2")
    expect(other.locator("#status")).to_contain_text("Saved")
    page.bring_to_front()
    page.keyboard.press("0")  # the same document, by an old tab: a later word
    expect(page.locator("#status")).to_contain_text("Saved: 0")
    expect(page.locator("#at")).to_have_text("3")
    machine = browser.new_context()
    here.contexts.append(machine)
    elsewhere = machine.new_page()
    elsewhere.goto(here.link("Ann"))
    elsewhere.get_by_role("button").click()
    expect(elsewhere.locator("#at")).to_have_text("3")
    expect(elsewhere.locator("#title")).to_have_text(page.locator("#title").inner_text())
    page.keyboard.press("1")  # a new link ended the old session: nothing is lost, and it is said
    expect(page.locator("#status")).to_contain_text("signed out")
    assert here.events() == [("level", 1), ("level", 2), ("level", 0)]


def test_offline_and_back(site: Callable[..., Site], browser: Browser) -> None:
    """Without a network answers wait, and say so; back online each is saved once, also after the tab was closed."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser)
    expect(page.locator("#total")).to_have_text("6")
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved")
    page.context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#status")).to_contain_text("Not saved yet")
    expect(page.locator("#at")).to_have_text("3")
    page.keyboard.press("0")
    expect(page.locator("#at")).to_have_text("4")
    assert here.events() == [("level", 1)]
    page.context.set_offline(False)
    expect(page.locator("#status")).to_contain_text("Saved: 0")
    assert here.events() == [("level", 1), ("level", 2), ("level", 0)]
    page.context.set_offline(True)
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Not saved yet")
    context = page.context
    page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(f"{here.origin}/judge")
    expect(again.locator("#at")).to_have_text("5")
    expect(again.locator("#status")).to_contain_text("Saved: 1")
    assert here.events() == [("level", 1), ("level", 2), ("level", 0), ("level", 1)]


def test_a_late_reply_does_not_undo_an_answer(site: Callable[..., Site], browser: Browser) -> None:
    """Work fetched before an answer and arriving after it is older than the page: the page stays where it is."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser)
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/judge.json", lambda route: late.append((route, route.fetch())))
    page.reload()
    go_on(page)
    while not late:
        page.wait_for_timeout(20)
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved")
    wait_for_document(page)
    title = page.locator("#title").inner_text()
    with page.expect_response("**/judge.json"):
        late[0][0].fulfill(response=late[0][1])
    page.wait_for_timeout(100)
    expect(page.locator("#at")).to_have_text("2")
    expect(page.locator("#title")).to_have_text(title)


def test_two_tabs_offline_forget_nothing(site: Callable[..., Site], browser: Browser) -> None:
    """What waits in two tabs is there after both were closed; each answer is saved once."""
    here = site(topics=1, documents=6, batches=1)
    one = here.enter(browser)
    context = one.context
    other = context.new_page()
    other.goto(f"{here.origin}/judge")
    for page in (one, other):
        go_on(page)
        page.wait_for_load_state("networkidle")
    context.set_offline(True)
    for count, (page, key) in enumerate(((one, "0"), (other, "1"), (one, "2"), (other, "s")), start=1):
        page.bring_to_front()
        page.keyboard.press(key)
        expect(page.locator("#status")).to_contain_text("Not saved yet")
        for tab in (one, other):
            wait_until(tab, f"Object.keys(localStorage).length === {count}")
    for page in (one, other):
        page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(f"{here.origin}/judge")
    expect(again.locator("#at")).to_have_text("3")
    wait_until(again, "Object.keys(localStorage).length === 0")  # all of them are saved
    found = here.events()
    assert sorted(found, key=str) == [("level", 0), ("level", 1), ("level", 2), ("skip", None)]
    assert found.index(("level", 0)) < found.index(("level", 2))  # those of one tab in their order
    assert found.index(("level", 1)) < found.index(("skip", None))


def test_what_waits_is_sent_by_its_owner_alone(site: Callable[..., Site], browser: Browser) -> None:
    """Signed out with unsaved answers: they outlast somebody else at the machine, and are saved on coming back."""
    here = site(topics=2, documents=4, batches=1)
    page = here.enter(browser)
    context = page.context
    link = here.link("Ann")  # a new link ends the session
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("signed out")
    somebody = context.new_page()
    somebody.goto(here.link("Ben"))
    somebody.get_by_role("button").click()
    go_on(somebody)
    somebody.keyboard.press("2")
    expect(somebody.locator("#status")).to_contain_text("Saved: 2")
    page.bring_to_front()
    page.evaluate("dispatchEvent(new Event('online'))")  # which sends at once what waits
    expect(page.get_by_text("signed in as Ben")).to_be_attached()  # by now the machine is his
    go_on(page)
    assert here.events() == [("level", 2)]
    page.goto(link)
    page.get_by_role("button").click()
    expect(page.locator("#status")).to_contain_text("Saved: 1")
    assert here.events() == [("level", 2), ("level", 1)]


def test_keys_of_other_keyboards(site: Callable[..., Site], browser: Browser) -> None:
    """Caps Lock, a French row of digits and Cyrillic letters do what the key's place says; Shift+letter does not."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser)
    pressed = [("&", "Digit1", False), ("2", "Digit2", True), ("S", "KeyS", False), ("ы", "KeyS", False)]
    for place, (key, code, shift) in enumerate([*pressed, ("S", "KeyS", True), ("!", "Digit1", True)], start=1):
        page.evaluate(
            "(keys) => dispatchEvent(new KeyboardEvent('keydown', keys))", {"key": key, "code": code, "shiftKey": shift}
        )
        expect(page.locator("#at")).to_have_text(str(min(place, 4) + 1))
        wait_for_document(page)
    page.keyboard.press("0")
    expect(page.locator("#status")).to_contain_text("Saved: 0")
    assert here.events() == [("level", 1), ("level", 2), ("skip", None), ("skip", None), ("level", 0)]


def test_undo_brings_the_note_back(site: Callable[..., Site], browser: Browser) -> None:
    """What was written with an answer is there again when it is taken back, after a reload, too."""
    here = site(topics=1, documents=4, batches=1)
    page = here.enter(browser)
    page.keyboard.press("n")
    page.keyboard.type("a long thought")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved")
    expect(page.locator("#note")).to_be_hidden()
    for again in (False, True):
        if again:
            page.keyboard.press("2")
            expect(page.locator("#status")).to_contain_text("Saved: 2")
            page.reload()
            go_on(page)
            page.wait_for_load_state("networkidle")
        page.keyboard.press("z")
        expect(page.locator("#note")).to_have_value("a long thought")
        expect(page.locator("#note")).to_be_visible()
        expect(page.locator("#title")).to_be_focused()
        expect(page.locator("#status")).to_contain_text("Taken back")


def test_signing_out_on_a_machine_of_others(site: Callable[..., Site], browser: Browser) -> None:
    """From the page for a rest one signs out; going back shows nothing."""
    page = site().enter(browser)
    page.get_by_role("link", name="Stop for now").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out.")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="You are not signed in")).to_be_visible()


def test_a_server_that_stumbles(site: Callable[..., Site], browser: Browser) -> None:
    """After an answer 500 or 429, or one that was saved but not heard of, the same key is sent again; kept once."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser)
    stumbles = iter(["500", "429", "lost"])
    keys = []

    def stumble(route: Any) -> None:
        keys.append(route.request.post_data_json["key"])
        kind = next(stumbles, "")
        if kind == "lost":
            route.fetch()
            route.abort()
        elif kind:
            route.fulfill(status=int(kind), json={"error": "no"}, headers={"retry-after": "0"})
        else:
            route.continue_()

    page.route("**/answer", stumble)
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved: 1")
    assert len(keys) == 4
    assert len(set(keys)) == 1
    assert here.events() == [("level", 1)]


def test_a_refused_answer_does_not_end_the_session(site: Callable[..., Site], browser: Browser) -> None:
    """After a refusal the page asks for its work until it gets it, also where the server stumbles meanwhile."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser)
    page.wait_for_load_state("networkidle")
    faults = iter([500, 503])
    page.route("**/judge.json", lambda route: _stumble(route, next(faults, 0)))
    refusals = iter([403])
    page.route("**/answer", lambda route: _stumble(route, next(refusals, 0)))
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("It was not saved.")
    expect(page.locator("#at")).to_have_text("1")  # the first document again, as soon as it could be had
    assert next(faults, None) is None
    page.keyboard.press("2")
    expect(page.locator("#status")).to_contain_text("Saved: 2")
    assert here.events() == [("level", 2)]


def _stumble(route: Any, status: int) -> None:
    if status:
        route.fulfill(status=status, json={"error": "No."})
    else:
        route.continue_()


def test_the_next_document_is_there(site: Callable[..., Site], browser: Browser) -> None:
    """While an answer is under way the next documents can be read and judged; answers are sent one at a time."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser)
    expect(page.locator("#total")).to_have_text("6")
    page.wait_for_load_state("networkidle")
    held: list[Any] = []
    free: list[bool] = []
    page.route("**/answer", lambda route: route.continue_() if free else held.append(route))
    for place, key in enumerate(("0", "1", "2"), start=2):
        wait_for_document(page)
        before = page.locator("#title").inner_text()
        page.keyboard.press(key)
        expect(page.locator("#at")).to_have_text(str(place))
        expect(page.locator("#title")).not_to_have_text(before)
    assert len(held) == 1
    free.append(True)
    held[0].continue_()
    expect(page.locator("#status")).to_contain_text("Saved: 2 All")
    assert here.events() == [("level", 0), ("level", 1), ("level", 2)]


def test_a_new_question_is_a_card_of_its_own(site: Callable[..., Site], browser: Browser) -> None:
    """The query is met on a card before its documents; no key grades meanwhile; one key or tap goes on."""
    here = site(topics=2, documents=2, batches=1)
    page = here.enter(browser, viewport=PHONE)
    card, first = page.locator("#card"), page.locator("#topic").inner_text()
    for _ in range(2):
        wait_for_document(page)
        title = page.locator("#title").inner_text()
        page.keyboard.press("1")
        expect(page.locator("#title")).not_to_have_text(title)
    expect(card).to_be_visible()
    expect(card).to_contain_text("New question")
    second = page.locator("#topic").inner_text()
    assert second != first
    for shown in (second, second.replace("Question", "Description"), second.replace("Question", "Narrative")):
        expect(card).to_contain_text(shown)
    for key in ("1", "s", "z"):
        page.keyboard.press(key)
    card.get_by_role("button").click()
    expect(card).to_be_hidden()
    expect(page.locator("#title")).to_be_focused()
    page.keyboard.press("2")
    expect(page.locator("#status")).to_contain_text("Saved: 2")
    assert here.events() == [("level", 1), ("level", 1), ("level", 2)]
    for _ in range(2):
        page.keyboard.press("z")
        expect(page.locator("#status")).to_contain_text("Taken back")
    expect(card).to_contain_text("Back to an earlier question")
    expect(card).to_contain_text(first)
    page.keyboard.press("Enter")
    expect(card).to_be_hidden()


def test_the_query_stays_in_view_on_a_phone(site: Callable[..., Site], browser: Browser) -> None:
    """However far somebody reads, and after each answer, the query stands on one line above the document."""
    content = make_content(topics=1, documents=3, batches=1)
    long = [replace(one, body="A long line of text. " * 400) for one in content.items]
    titles = [replace(one, title="What do goldfish eat in winter when the pond is frozen?") for one in content.topics]
    page = site(replace(content, items=long, topics=titles)).enter(browser, viewport=PHONE)
    query = page.locator("#asks")
    for key in ("1", "2", ""):
        for far in (0, 600, 3000):
            page.evaluate("far => scrollTo(0, document.getElementById('pane').offsetTop + far)", far)
            expect(query).to_be_in_viewport(ratio=1)
            box = query.bounding_box()
            assert box is not None
            assert (box["y"], box["height"] < 45) == (0, True)
        if key:
            wait_for_document(page)
            title = page.locator("#title").inner_text()
            page.keyboard.press(key)
            expect(page.locator("#title")).not_to_have_text(title)
            expect(query).to_be_in_viewport(ratio=1)
            expect(page.locator("#title")).to_be_in_viewport(ratio=1)


def test_a_document_takes_no_grade_before_it_was_in_view(site: Callable[..., Site], browser: Browser) -> None:
    """Two keys, or a key and a tap, at one moment: the second is not taken for the document that came after."""
    here = site(topics=1, documents=6, batches=1, moment=3)
    page = here.enter(browser)
    page.keyboard.press("z")  # nothing to take back
    began = page.evaluate("performance.now()")
    wait_until(page, f"performance.now() > {began + 3100}")
    page.evaluate(
        """() => {
            for (const key of ["1", "2", "s"]) document.body.dispatchEvent(
                new KeyboardEvent("keydown", {key, bubbles: true}));
            document.querySelector(".level").click();
            document.getElementById("skip").click();
        }"""
    )
    expect(page.locator("#at")).to_have_text("2")
    expect(page.locator("#status")).to_contain_text("Saved: 1")
    assert here.events() == [("level", 1)]
    expect(page.locator("#at")).to_have_text("2")


def test_a_moment_is_a_quarter_of_a_second(site: Callable[..., Site]) -> None:
    """Where the organiser does not say otherwise."""
    here = site()
    assert Served(here.database, {}).moment == 0.25


def test_keys_are_the_grades_own_digits(site: Callable[..., Site], browser: Browser) -> None:
    """Whoever means grade 1 presses 1, also where the grades begin at -2; a grade above 9 or below 0 has a letter."""
    names = ("-2", "0", "1", "10")
    content = make_content(topics=1, documents=6, batches=1)
    levels = [LevelText(name) for name in names]
    plan = write_plan(names, ["1", "10"], [dict.fromkeys(names, 1.0)], within=0.1)
    items = [replace(one, level="1") for one in content.items]
    here = site(replace(content, items=items, levels=levels, plan=plan, relevant=("1", "10")))
    page = here.enter(browser)
    assert page.locator(".level kbd").all_inner_texts() == ["a", "0", "1", "b"]
    assert page.locator(".level").all_inner_texts() == ["a\n-2", "0", "1", "b\n10"]
    for place, (key, said) in enumerate((("1", "1"), ("0", "0"), ("a", "-2"), ("b", "10")), start=2):
        page.keyboard.press(key)
        expect(page.locator("#status")).to_contain_text(f"Saved: {said} for")
        expect(page.locator("#at")).to_have_text(str(place))
    page.keyboard.press("2")  # no grade of the study
    page.keyboard.press("s")
    expect(page.locator("#status")).to_contain_text("Skipped")
    assert here.events() == [("level", 2), ("level", 1), ("level", 0), ("level", 3), ("skip", None)]


def test_texts_of_grades_stand_on_the_buttons_of_a_phone(site: Callable[..., Site], browser: Browser) -> None:
    """What a grade means is seen where it is given, and who is signed in is shown."""
    page = site().enter(browser, viewport={"width": 390, "height": 844})
    for text in ("No use.", "Of some use.", "All."):
        expect(page.locator(".level .ds", has_text=text)).to_be_in_viewport(ratio=1)
    expect(page.locator(".bar .who")).to_contain_text("signed in as Ann")
    expect(page.locator(".bar .who")).to_be_in_viewport(ratio=1)
    side = page.locator(".side").bounding_box()
    assert side is not None
    assert side["height"] < 0.4 * 844


def test_long_html_documents_scroll_by_keys(site: Callable[..., Site], browser: Browser) -> None:
    """PageDown, Space, End, Home and arrows scroll the document in its frame, and grades go on working."""
    content = make_content(topics=1, documents=3, batches=1)
    items = [replace(one, kind="html", body=f"<p>{one.body}</p>" * 300) for one in content.items]
    here = site(replace(content, items=items))
    page = here.enter(browser)
    document = page.frame_locator("iframe:visible").locator("html")
    expect(page.frame_locator("iframe:visible").locator("p").first).to_be_visible()
    top = 0.0
    for key in ("PageDown", "Space", "ArrowDown", "End"):
        page.keyboard.press(key)
        now = document.evaluate("() => document.scrollingElement.scrollTop")
        assert now > top, key
        top = now
    size = document.evaluate("() => document.scrollingElement.scrollHeight - innerHeight")
    assert top == pytest.approx(size, abs=1)
    page.keyboard.press("Shift+Space")
    assert document.evaluate("() => document.scrollingElement.scrollTop") < top
    page.keyboard.press("Home")
    assert document.evaluate("() => document.scrollingElement.scrollTop") == 0
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved: 1")
    assert document.evaluate("() => document.scrollingElement.scrollTop") == 0


def test_answers_after_the_stop_wait(site: Callable[..., Site], browser: Browser) -> None:
    """Answers given offline that come after the stop are kept, not called saved, and sent if the judging goes on."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    for place, key in enumerate(("0", "1", "2"), start=2):
        page.keyboard.press(key)
        expect(page.locator("#at")).to_have_text(str(place))
    with here.database.write() as connection:
        stop_judging(connection, now=1.0)
    page.context.set_offline(False)
    expect(page.locator("#status")).to_contain_text("Not saved: 3 answers came after the end.")
    expect(page.locator("#title")).to_have_text("The judging has ended. Thank you.")
    page.keyboard.press("1")
    assert here.events() == []
    again = page.context.new_page()
    page.close(run_before_unload=False)
    again.goto(f"{here.origin}/judge")
    expect(again.get_by_text("What the page called saved is saved.")).to_be_visible()
    with here.database.write() as connection:
        stop_judging(connection, now=None)
    again.goto(f"{here.origin}/judge")
    expect(again.locator("#status")).to_contain_text("Saved: 2")
    assert here.events() == [("level", 0), ("level", 1), ("level", 2)]


def test_an_older_answer_does_not_beat_a_newer_one(site: Callable[..., Site], browser: Browser) -> None:
    """An answer that waited on one machine, and comes after a later one from another, is kept, but does not count."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser)
    page.wait_for_load_state("networkidle")
    cookies = page.context.cookies()
    page.context.set_offline(True)
    page.keyboard.press("0")
    expect(page.locator("#at")).to_have_text("2")
    machine = browser.new_context()
    here.contexts.append(machine)
    machine.add_cookies([{"name": one["name"], "value": one["value"], "url": here.origin} for one in cookies])
    other = machine.new_page()
    other.goto(f"{here.origin}/judge")
    go_on(other)
    other.keyboard.press("2")
    expect(other.locator("#status")).to_contain_text("Saved: 2")
    page.context.set_offline(False)
    expect(page.locator("#status")).to_contain_text("what you said later, elsewhere, counts")
    assert here.events() == [("level", 2), ("level", 0)]
    with here.database.read() as connection:
        assert connection.execute(select(judgment.c.level)).scalars().all() == [2]


def test_the_organiser_is_asked_and_told(site: Callable[..., Site], browser: Browser) -> None:
    """Revoking asks first; topics have names; a tab of somebody who is no longer the organiser here says so."""
    here = site(topics=3, documents=2, batches=1)
    here.link("Zoe")
    boss = here.enter(browser, "organiser", "organiser", viewport={"width": 390, "height": 844})
    for topic in ("Question 0", "Question 1", "Question 2"):
        expect(boss.locator(".tg").get_by_text(topic)).to_be_visible()
    now = boss.get_by_role("button", name="Revoke Zoe now")
    expect(now).to_be_hidden()
    boss.locator("summary", has_text="Revoke").click()
    expect(now).to_be_visible()
    now.click()
    expect(boss.get_by_text("revoked", exact=True)).to_be_visible()
    expect(boss.get_by_role("alert")).to_be_hidden()
    link = here.link("Ann")
    judge = boss.context.new_page()
    judge.goto(link)
    judge.get_by_role("button").click()
    judge.wait_for_url("**/judge")
    boss.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(boss.get_by_role("alert")).to_contain_text("what you see here is old")


# Hostile documents


class Spy(ThreadingHTTPServer):
    """Notes whatever is asked of it."""

    daemon_threads = True

    def __init__(self, page: str = "") -> None:
        self.page = page
        self.heard: list[str] = []
        super().__init__(("127.0.0.1", 0), SpyHandler)
        self.origin = f"http://127.0.0.1:{self.server_port}"


class SpyHandler(BaseHTTPRequestHandler):
    """Answers anything."""

    server: Spy

    def do_GET(self) -> None:
        """Note it, or show the document as a careless page would."""
        if self.path == "/control":
            body, kind = self.server.page.encode(), "text/html"
        else:
            self.server.heard.append(self.path)
            body, kind = b"", "text/plain"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815  # the name that http.server calls

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def spy() -> Iterator[Spy]:
    """A server that should never hear from a document."""
    server = Spy()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def attack(spy: str) -> str:
    """A document that tries in many ways to reach a server, the page around it, or the reader."""
    return Path(__file__).with_name("hostile.html").read_text(encoding="utf-8").replace("SPY", spy)


def test_hostile_documents_are_inert(site: Callable[..., Site], browser: Browser, spy: Spy) -> None:
    """As text and as HTML, in the page and opened by itself, no attack sends a request; without protection they do."""
    hostile = attack(spy.origin)
    items = [
        Item("t0", f"d{n}", 1, kind, hostile[:500], hostile, "0", "first")
        for n, kind in enumerate(("html", "text") * 2)
    ]
    topic = Topic("t0", hostile, hostile, hostile)
    content = make_content(topics=1, documents=4, batches=1)
    levels = [replace(level, name=hostile[:300], text=hostile) for level in content.levels]
    here = site(replace(content, topics=[topic], items=items, levels=levels, name=hostile[:200]))
    page = here.enter(browser)
    refused: list[str] = []
    page.context.on("console", lambda message: refused.append(message.text))
    opened: list[Page] = []
    page.context.on("page", lambda other: opened.append(other))

    def see_refusals(on: Page, *words: str) -> None:
        """Wait until the browser says that it refused these; so the document did try."""
        for _ in range(3000):
            if all(any(f"{spy.origin}/{word}" in text for text in refused) for word in words):
                break
            on.wait_for_timeout(20)
        else:
            raise AssertionError(f"no attempt of {words} in {refused}")

    page.reload()
    go_on(page)
    address = page.url
    for at in ("1", "2", "3", "4"):
        expect(page.locator("#at")).to_have_text(at)
        wait_for_document(page)
        if page.locator("iframe:visible").count():
            frame = page.frame_locator("iframe:visible")
            expect(frame.locator("p").first).to_have_text("text")
            frame.locator("#away").click(no_wait_after=True)
            see_refusals(page, "image", "import", "ping")  # the first two maybe when it was fetched in advance
            refused[:] = [text for text in refused if "/ping" not in text]
        else:
            expect(page.locator("#text")).to_contain_text("<script src=")
        assert page.url == address
        assert page.title().endswith(": judge")
        page.keyboard.press("1")
    page.wait_for_url("**/done")
    with here.database.read() as connection:
        documents = connection.execute(select(item.c.id, item.c.kind)).all()
    for document in documents:
        refused.clear()
        alone = page.context.new_page()
        alone.goto(f"{here.origin}/document/{document.id}", wait_until="commit")
        expect(alone.locator("body")).to_contain_text("text")
        if document.kind == "html":
            see_refusals(alone, "image", "import", "object")
        assert alone.url.startswith(here.origin)
        assert alone.title() == ""
    boss = here.enter(browser, "organiser", "organiser")
    expect(boss.locator("h1")).to_be_visible()
    assert spy.heard == []
    assert len(opened) == len(documents)
    assert [kind for kind, _ in here.events()] == ["level"] * 4
    # The control: the same document without policy and sandbox.
    spy.page = hostile
    careless = browser.new_context()
    here.contexts.append(careless)
    control = careless.new_page()
    control.goto(f"{spy.origin}/control", wait_until="commit")
    wanted = {"/stylesheet", "/image", "/script", "/fetch"}
    for _ in range(2000):
        if wanted <= set(spy.heard) and len(set(spy.heard)) >= 8:
            break
        control.wait_for_timeout(20)
    assert wanted <= set(spy.heard)
    assert len(set(spy.heard)) >= 8


def test_a_click_into_a_frame_leaves_the_keys(site: Callable[..., Site], browser: Browser) -> None:
    """After a click into an HTML document, keys still grade."""
    content = make_content(topics=1, documents=4, batches=1)
    items = [replace(one, kind="html", body=f"<p>{one.body}</p>" * 20) for one in content.items]
    here = site(replace(content, items=items))
    page = here.enter(browser)
    for step in range(3):
        page.frame_locator("iframe:visible").locator("p").first.click()
        expect(page.locator("#title")).to_be_focused()
        page.keyboard.press(str(step))
        expect(page.locator("#status")).to_contain_text(f"Saved: {step}")
    assert here.events() == [("level", 0), ("level", 1), ("level", 2)]


def test_documents_by_address(site: Callable[..., Site], browser: Browser, spy: Spy) -> None:
    """A document by its address is framed without rights, and can be opened in a tab of its own."""
    content = make_content(topics=1, documents=2, batches=1)
    items = [replace(one, kind="url", body=f"{spy.origin}/control", title="") for one in content.items]
    spy.page = "<p>the site</p><script>document.body.textContent='script ran'</script>"
    here = site(replace(content, items=items, frame_origin=spy.origin))
    page = here.enter(browser)
    frame = page.locator("iframe:visible")
    assert frame.get_attribute("sandbox") == ""
    expect(page.frame_locator("iframe:visible").locator("p")).to_have_text("the site")
    link = page.get_by_role("link", name="Open it in a tab of its own")
    assert link.get_attribute("rel") == "noopener noreferrer"
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved")


# What people need


MEASURE = Path(__file__).with_name("measures.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("width", "scheme"), [(320, "light"), (375, "light"), (390, "dark"), (1400, "light"), (1400, "dark")]
)
def test_pages_for_everybody(site: Callable[..., Site], browser: Browser, width: int, scheme: Any) -> None:
    """No sideways scrolling, 44 px to touch, 4.5 : 1 contrast, a name for each control; all pages, light and dark."""
    content = make_content(topics=4, documents=4, batches=1, overlap=2)
    long = "Donaudampfschifffahrtsgesellschaft" * 3
    items = [replace(one, title=one.title + long, body=long * 20, kind="text") for one in content.items]
    here = site(replace(content, items=items, name=f"Study {long}"))
    with here.database.write() as connection:
        found = [find_invited(connection, token) for token in invite(connection, ["A", "B", "C", long[:70]]).values()]
    play(here.database, [person for person in found if person is not None], 20)
    options = {"viewport": {"width": width, "height": 844}, "color_scheme": scheme}
    page = here.enter(browser, **options)
    measured = {"judge": page.evaluate(MEASURE)}
    page.reload()
    expect(page.locator("#card")).to_be_visible()
    measured["card"] = page.evaluate(MEASURE)
    go_on(page)
    page.get_by_role("button", name="Note").click()
    measured["note"] = page.evaluate(MEASURE)
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved")
    measured["saved"] = page.evaluate(MEASURE)
    page.goto(f"{here.origin}/help")
    measured["help"] = page.evaluate(MEASURE)
    assert page.locator("kbd").evaluate_all("all => all.every((one) => one.getClientRects().length === 1)")
    page.goto(f"{here.origin}/done")
    measured["done"] = page.evaluate(MEASURE)
    page.goto(here.link("Zoe"))
    measured["join"] = page.evaluate(MEASURE)
    boss = here.enter(browser, "organiser", "organiser", **options)
    for details in boss.locator("summary").all():
        details.click()
    measured["organiser"] = boss.evaluate(MEASURE)
    for name, one in measured.items():
        lists = {"small": [], "pale": [], "nameless": []}
        assert one == lists | {"wide": 0, "jumps": 0, "forced": 0, "headings": 1, "lang": "en"}, name


@pytest.mark.parametrize(("width", "height"), [(844, 390), (700, 450), (350, 225)], ids=["side", "zoom2", "zoom4"])
def test_a_low_window_shows_the_document(site: Callable[..., Site], browser: Browser, width: int, height: int) -> None:
    """On a phone on its side and on a page zoomed in, most of the window is for reading, and grades can be reached."""
    here = site(topics=1, documents=6, batches=1)
    page = here.enter(browser, viewport={"width": width, "height": height})
    page.get_by_role("button", name="Some").click()
    expect(page.locator("#status")).to_contain_text("Saved: 1 Some")
    side = page.locator(".side")
    fixed = side.evaluate("e => getComputedStyle(e).position === 'sticky' ? e.offsetHeight : 0")
    assert fixed < 0.4 * height
    over = (
        "() => document.elementFromPoint(innerWidth / 2, innerHeight / 3).closest('.doc, .topic, .asks, .bar') !== null"
    )
    assert page.evaluate(over)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def test_on_a_phone_the_word_saved_goes_and_not_saved_stays(site: Callable[..., Site], browser: Browser) -> None:
    """The line that covers the document goes once all is saved; not while something waits."""
    page = site().enter(browser, viewport=PHONE)
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved: 1")
    expect(page.locator("#status")).to_have_css("opacity", "0")
    page.context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#status")).to_contain_text("Not saved yet")
    page.wait_for_timeout(5000)
    expect(page.locator("#status")).to_have_css("opacity", "1")


def test_focus_is_seen_on_every_page(site: Callable[..., Site], browser: Browser) -> None:
    """Tab leads to every control that can be seen, in the order of the page, and the focus has an outline."""
    here = site()
    page, boss = here.enter(browser), here.enter(browser, "organiser", "organiser")
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved")
    controls = "a[href], button:not(:disabled), textarea, summary, [tabindex='0']"
    for tab, path in ((page, "judge"), (page, "help"), (page, "done"), (page, here.link("Zoe")), (boss, "organiser")):
        tab.goto(path if path.startswith("http") else f"{here.origin}/{path}")
        if path == "judge":
            go_on(tab)
        wanted = [one.evaluate("e => e.outerHTML") for one in tab.locator(controls).all() if one.is_visible()]
        tab.evaluate("document.activeElement.blur()")
        found = []
        for _ in wanted:
            tab.keyboard.press("Tab")
            found.append(tab.evaluate("document.activeElement.outerHTML"))
            assert tab.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)") >= 2
        assert found == wanted


def test_the_organiser_is_not_disturbed(site: Callable[..., Site], browser: Browser) -> None:
    """New answers appear by themselves; what is being written, the focus and what was unfolded stay."""
    here = site(topics=6, documents=6, batches=1)
    with here.database.write() as connection:
        ada = find_invited(connection, invite(connection, ["Ada"])["Ada"])
    assert ada is not None
    boss = here.enter(browser, "organiser", "organiser")
    boss.locator("#names").fill("Zoe")
    boss.locator("summary").first.click()
    boss.locator("#names").focus()
    play(here.database, [ada], 20)
    boss.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # as on coming back to the tab
    expect(boss.get_by_role("heading", level=1)).not_to_have_text("Nobody has judged yet.")
    expect(boss.locator("#names")).to_have_value("Zoe")
    expect(boss.locator("#names")).to_be_focused()
    expect(boss.locator("details").first).to_have_attribute("open", "")


def test_focus_goes_where_the_eye_goes(site: Callable[..., Site], browser: Browser) -> None:
    """Tab leads from help to the grades, in their order, to undo, skip, note; and the focus can be seen."""
    page = site().enter(browser)
    page.keyboard.press("1")
    expect(page.locator("#status")).to_contain_text("Saved")
    seen = []
    for _ in range(6):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.value || document.activeElement.id"))
        width = page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
        assert width >= 2
    assert seen == ["level:0", "level:1", "level:2", "undo", "skip", "noter"]
    status = page.locator("#status")
    assert (status.get_attribute("role"), status.get_attribute("aria-live")) == ("status", "polite")
    assert page.locator("fieldset legend").inner_text() == "How useful is this document to this user?"


def test_the_organiser_sees_answers_come_in(site: Callable[..., Site], browser: Browser) -> None:
    """Progress, p(R|i) and the rule follow the answers; inviting gives links that work; nothing is sorted by rank."""
    here = site(topics=6, documents=6, batches=1, overlap=2)
    boss = here.enter(browser, "organiser", "organiser")
    expect(boss.get_by_role("heading", level=1)).to_have_text("Nobody has judged yet.")
    boss.locator("#names").fill("Zoe\nAda")
    boss.get_by_role("button", name="Make links").click()
    expect(boss.locator(".links dd")).to_have_count(2)
    links = boss.locator(".links dd").all_inner_texts()
    with here.database.write() as connection:
        persons = [find_invited(connection, link.rpartition("/")[2]) for link in links]
    play(here.database, [person for person in persons if person is not None], 50)
    boss.goto(f"{here.origin}/organiser")
    expect(boss.locator(".stop")).to_contain_text("Stop rule: every grade within ±10. Not met.")
    assert boss.locator(".row.pe bdi").all_inner_texts() == ["Ada", "Zoe"]
    assert boss.locator(".live svg[role=img]").count() == 3
    boss.get_by_role("button", name="Stop judging").click()
    expect(boss.get_by_role("button", name="Go on judging")).to_be_visible()
