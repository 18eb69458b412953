"""The routes: who gets what, in numbers of HTTP; nothing that would break the blindness; refusals that hold."""

from __future__ import annotations

import asyncio
import csv as csv_module
import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from logging import getLogger
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select, text
from tests.judging.studies import NOW, make_content

from gainsayer.errors import CallError
from gainsayer.web.application import create_application
from gainsayer.web.content import Item
from gainsayer.web.database import Database, metadata
from gainsayer.web.guards import Address, Rate
from gainsayer.web.people import invite, revoke
from gainsayer.web.study import create_study
from gainsayer.web.visits import Served

ORIGIN = "http://127.0.0.1:8321"
SENTINEL = "SENTINEL"


class Inside(httpx.BaseTransport):
    """Calls an application in this process, request by request."""

    def __init__(self, application: object) -> None:
        self.application = httpx.ASGITransport(application)  # type: ignore[arg-type]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """One request."""
        request.read()

        async def call() -> httpx.Response:
            answered = await self.application.handle_async_request(request)
            return httpx.Response(answered.status_code, headers=answered.headers, content=await answered.aread())

        with ThreadPoolExecutor(1) as pool:  # Playwright leaves a running loop in the thread of the tests
            return pool.submit(asyncio.run, call()).result()


class Clock:
    """A clock that stands still until somebody moves it."""

    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        """The time."""
        return self.now


@dataclass
class Site:
    """A study that is served inside this process."""

    database: Database
    clock: Clock
    served: Served

    def link(self, name: str, role: str = "judge") -> str:
        """A new link's path."""
        with self.database.write() as connection:
            return f"/join/{invite(connection, [name], role=role)[name]}"

    def browser(self) -> httpx.Client:
        """Somebody who has no cookie yet."""
        return httpx.Client(transport=Inside(create_application(self.served)), base_url=ORIGIN)

    def enter(self, name: str, role: str = "judge") -> httpx.Client:
        """Somebody who followed their link."""
        browser = self.browser()
        joined = browser.post(self.link(name, role), headers={"origin": ORIGIN})
        assert joined.status_code == 303
        return browser


@pytest.fixture
def site(study: Callable[..., Database]) -> Iterator[Callable[..., Site]]:
    """Serve a study of these words, at a clock that stands still."""

    def make(content: object = None, **words: object) -> Site:
        clock = Clock()
        database = study(content, **words)
        served = Served(database, {"127.0.0.1:8321": Address.of(ORIGIN)}, now=clock, ticks=clock)
        return Site(database, clock, served)

    return make


def csrf(page: httpx.Response) -> str:
    """The proof that a page carries."""
    return re.findall(r'name="csrf" value="([0-9a-f]{64})"', page.text)[0]


def answer(browser: httpx.Client, body: object = None, *, proof: str | None = None, **headers: str) -> httpx.Response:
    """Send an answer to the document in view; other words or headers where given."""
    page = browser.get("/judge")
    number = int(re.findall(r'data-item="([0-9]+)"', page.text)[0])
    sent = {"key": "k" * 20, "item": number, "kind": "level", "level": 1, "note": "", "milliseconds": 5}
    sent |= body if isinstance(body, dict) else {}
    proofs = {} if proof == "" else {"x-gainsayer": proof or csrf(page)}
    return browser.post("/answer", json=sent, headers={"origin": ORIGIN} | proofs | headers)


def test_the_security_table(site: Callable[..., Site]) -> None:
    """Each refusal of the table has its number; only the whole request is taken."""
    here = site()
    ann, ben = here.enter("Ann"), here.enter("Ben")
    nobody = here.browser()
    foreign = int(re.findall(r'data-item="([0-9]+)"', ben.get("/judge").text)[0])
    proof = csrf(ann.get("/judge"))
    assert answer(ann, proof="").status_code == 403  # no proof
    assert answer(ann, proof=csrf(ben.get("/judge"))).status_code == 403  # another session's proof
    for origin in ("http://127.0.0.1:9999", "https://127.0.0.1:8321", "null", "http://evil.example", ""):
        assert answer(ann, origin=origin).status_code == 403
    own = {"key": "x" * 20, "item": 1, "kind": "level", "level": 1}
    assert ann.post("/answer", json=own, headers={"x-gainsayer": proof}).status_code == 403  # no origin
    assert nobody.post("/answer", json=own, headers={"origin": ORIGIN, "x-gainsayer": proof}).status_code == 401
    assert answer(ann, {"item": foreign}).status_code == 403
    assert answer(ann, {"item": 10**6}).status_code == 403
    for level in (9, 3, -1, True, "1", None, 1.5):
        assert answer(ann, {"level": level}).status_code == 422
    assert answer(ann, {"note": "x" * 2001}).status_code == 422
    assert answer(ann, {"note": "x" * 40_000}).status_code == 413
    here.clock.now += 100
    saved = answer(ann)
    assert (saved.status_code, saved.json()["saved"]) == (200, "k" * 20)
    assert answer(ben).status_code == 403  # the key is Ann's
    assert answer(ben, {"key": "b" * 20}).status_code == 200
    for path in ("/judge", "/judge.json", "/document/1", "/done", "/help", "/organiser", "/export.csv"):
        assert nobody.get(path).status_code == 401
    for path in ("/organiser", "/organiser.json", "/export.csv", f"/document/{foreign}", "/document/999999", "/none"):
        assert ann.get(path).status_code == 404
    for path in ("/invite", "/revoke", "/release", "/stop"):
        assert ann.post(path, data={"csrf": proof}, headers={"origin": ORIGIN}).status_code == 404
    boss = here.enter("organiser", "organiser")
    for path in ("/judge", "/judge.json", "/document/1"):
        assert boss.get(path).status_code == 404
    for host in ("localhost:8321", "evil.example", "127.0.0.1", "127.0.0.1:8322"):
        assert ann.get("/healthz", headers={"host": host}).status_code == 421
    assert ann.get("/healthz").status_code == 200
    assert ann.put("/judge").status_code == 405
    assert ann.get("/static/../schema.py").status_code == 404
    assert ann.get("/static/judge.js").status_code == 200


def test_refusals_are_pages_for_people(site: Callable[..., Site]) -> None:
    """What a browser shows for 405, 413 and 421 is a page in words; programs get JSON; a long note is no refusal."""
    here = site()
    ann, boss = here.enter("Ann"), here.enter("organiser", "organiser")
    page = ann.get("/judge")
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text.split('id="back"')[0]))
    human = {"accept": "text/html,*/*", "origin": ORIGIN}
    shown = [ann.get(path, headers=human) for path in ("/answer", "/leave")]
    shown += [boss.get(path, headers=human) for path in ("/invite", "/revoke", "/release", "/stop")]
    shown += [ann.post("/judge", headers=human), ann.delete("/judge", headers=human)]
    assert {one.status_code for one in shown} == {405}
    shown.append(ann.post("/answer", data=hidden | {"note": "x" * 40_000}, headers=human))
    shown.append(ann.get("/judge", headers=human | {"host": "evil.example"}))
    assert [one.status_code for one in shown[-2:]] == [413, 421]
    for one in shown:
        assert "<h1>" in one.text
        assert one.headers["content-security-policy"].startswith("default-src 'none'")
    assert set(ann.get("/answer").json()) == {"error"}
    long = ann.post("/answer", data=hidden | {"kind": "level:1", "note": "\u6f22" * 2000}, headers=human)
    assert long.status_code == 303


def test_skips_are_given_on_by_the_organiser(site: Callable[..., Site]) -> None:
    """What Ann skipped is offered on the organiser's page, and Ben gets it; who may not judge what is said there."""
    here = site(topics=1, documents=2, batches=1, first="Zoe")
    ann, ben, boss = here.enter("Ann"), here.enter("Ben"), here.enter("organiser", "organiser")
    here.link("zoe")
    for step in range(2):
        assert answer(ann, {"key": f"{step:020}", "kind": "skip", "level": None}).status_code == 200
    assert ben.get("/judge").headers["location"] == "/done"
    page = boss.get("/organiser")
    assert "2 skipped" in page.text
    assert "zoe gave first labels in 1 of 1 topic (t0), and is not given the blocks that hold them." in page.text
    part = page.text.split('action="/release"')[1].split("</form>")[0]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', part))
    assert boss.post("/release", data=fields, headers={"origin": ORIGIN}).status_code == 303
    assert ben.get("/judge").status_code == 200
    assert boss.post("/release", data=fields, headers={"origin": ORIGIN}).status_code == 409


def test_requests_without_an_honest_length_are_refused(site: Callable[..., Site]) -> None:
    """A body of unknown length is not read."""
    ann = site().enter("Ann")
    sent = ann.post("/answer", content=iter([b"{}"]), headers={"origin": ORIGIN})
    assert sent.status_code == 413
    both = {"origin": ORIGIN, "content-length": "2", "transfer-encoding": "chunked"}
    assert ann.post("/answer", content=iter([b"{}"] * 9), headers=both).status_code == 413


def test_requests_that_make_no_sense_are_refused_in_words(site: Callable[..., Site]) -> None:
    """Numbers beyond all bounds and halves of characters get a refusal, not a fault of ours."""
    here = site()
    ann, boss = here.enter("Ann"), here.enter("organiser", "organiser")
    for number in ("9" * 5000, "-1", "1.5", "\u0661", "%00"):
        assert ann.get(f"/document/{number}").status_code == 404
    proof = {"origin": ORIGIN, "x-gainsayer": csrf(boss.get("/organiser"))}
    halves = boss.post("/invite", content=rb'{"names": "\ud800"}', headers=proof)
    assert (halves.status_code, "can be shown" in halves.text) == (422, True)
    many = boss.post("/invite", json={"names": "\n".join(f"P{n}" for n in range(201))}, headers=proof)
    assert (many.status_code, "At most 200 people" in many.text) == (422, True)
    assert "P0" not in boss.get("/organiser").text


def test_a_full_disk_is_said_and_passes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While nothing can be written, answers get 503 with Retry-After and no word of them is logged; then they do."""
    logger = getLogger("uvicorn.error")  # which a server in this process may have silenced
    caplog.set_level("WARNING", logger.name)
    monkeypatch.setattr(logger, "disabled", False)
    monkeypatch.setattr(logger, "handlers", [caplog.handler])
    database = create_study(str(tmp_path / "study.db"), make_content(), now=NOW, seed="trial")
    clock = Clock()
    here = Site(database, clock, Served(database, {"127.0.0.1:8321": Address.of(ORIGIN)}, now=clock, ticks=clock))
    ann = here.enter("Ann")
    ann.get("/judge")
    with database.write() as connection:
        used = connection.exec_driver_sql("pragma page_count").scalar()
        connection.exec_driver_sql(f"pragma max_page_count = {used}")
    notes = {"note": "private " * 240}
    full = [answer(ann, notes | {"key": f"{step:020}"}) for step in range(30)][-1]
    assert (full.status_code, full.headers["retry-after"]) == (503, "5")
    assert "may not be saved" in full.text  # a commit may be on the disk though its failure was told
    assert "disk is full" in caplog.text
    assert "private" not in caplog.text
    with database.write() as connection:
        connection.exec_driver_sql("pragma max_page_count = 1000000")
    here.clock.now += 10
    assert answer(ann, notes | {"key": f"{29:020}"}).status_code == 200
    database.close()


def test_what_is_saved_is_never_called_lost(site: Callable[..., Site]) -> None:
    """When the study breaks after an answer was kept, the reply says that it was; other pages say what is wrong."""
    here = site()
    ann = here.enter("Ann")
    page = ann.get("/judge")
    number = int(re.findall(r'data-item="([0-9]+)"', page.text)[0])
    for old, new in (("topic", "gone"), ("gone", "topic")):
        with here.database.write() as connection:
            connection.execute(text(f"alter table {old} rename to {new}"))
        if new == "gone":
            sent = {"key": "k" * 20, "item": number, "kind": "level", "level": 1}
            saved = ann.post("/answer", json=sent, headers={"origin": ORIGIN, "x-gainsayer": csrf(page)})
            assert (saved.status_code, saved.json()) == (200, {"saved": "k" * 20, "stands": True, "work": None})
            broken = ann.get("/judge", headers={"accept": "text/html"})
            assert (broken.status_code, "cannot be reached just now" in broken.text) == (503, True)
    assert f'data-item="{number}"' not in ann.get("/judge").text


def test_fast_answers_are_slowed_down(site: Callable[..., Site]) -> None:
    """Eighty answers at one moment: 40 pass, the others get 429 with Retry-After; a second later ten more pass."""
    here = site(topics=10, documents=10, batches=1)
    ann = here.enter("Ann")
    proof = csrf(ann.get("/judge"))
    found = []
    for step in range(80):
        queue = ann.get("/judge.json").json()["queue"]
        sent = {"key": f"{step:020}", "item": queue[0]["item"], "kind": "level", "level": 1}
        found.append(ann.post("/answer", json=sent, headers={"origin": ORIGIN, "x-gainsayer": proof}))
    assert [one.status_code for one in found] == [200] * 40 + [429] * 40
    assert found[-1].headers["retry-after"] == "1"
    here.clock.now += 1
    again = [answer(ann, {"key": f"again{step:020}"}).status_code for step in range(12)]
    assert again == [200] * 10 + [429] * 2


def test_tries_of_links_are_slowed_down(site: Callable[..., Site]) -> None:
    """After 60 tries at one moment an address has to wait."""
    browser = site().browser()
    found = [browser.get("/join/guess").status_code for _ in range(62)]
    assert found == [404] * 60 + [429] * 2


def test_a_rate_forgets_the_oldest() -> None:
    """However many keys come, the buckets stay few."""
    rate = Rate(1, 1, lambda: 0.0, most=3)
    assert all(rate.take(str(key)) for key in range(10))
    assert len(rate._buckets) == 3


def test_following_a_link_signs_nobody_in(site: Callable[..., Site]) -> None:
    """A GET, as previews send it, says whose link it is and sets no cookie; the button does; revoking ends both."""
    here = site()
    browser, link = here.browser(), here.link("Ann")
    shown = browser.get(link)
    assert "Ann" in shown.text
    assert "set-cookie" not in shown.headers
    assert browser.post(link).status_code == 403  # no origin
    joined = browser.post(link, headers={"origin": ORIGIN})
    cookie = joined.headers["set-cookie"].lower()
    assert cookie.startswith("gainsayer-8321=")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie
    assert browser.get("/judge").status_code == 200
    boss = here.enter("organiser", "organiser")
    proof = csrf(boss.get("/organiser"))
    done = boss.post("/revoke", data={"csrf": proof, "name": "Ann"}, headers={"origin": ORIGIN})
    assert done.status_code == 303
    assert browser.get("/judge").status_code == 401
    assert here.browser().get(link).status_code == 404


def test_under_https_the_cookie_is_secure(site: Callable[..., Site]) -> None:
    """Behind a proxy the public name counts, for Host, Origin and cookie."""
    here = site()
    here.served.addresses = {"judge.example.org": Address.of("https://judge.example.org")}
    browser = httpx.Client(transport=Inside(create_application(here.served)), base_url="https://judge.example.org")
    joined = browser.post(here.link("Ann"), headers={"origin": "https://judge.example.org"})
    assert "secure" in joined.headers["set-cookie"].lower()
    assert joined.headers["set-cookie"].startswith("__Host-gainsayer-443=")


def test_every_answer_carries_the_headers(site: Callable[..., Site]) -> None:
    """Pages, scripts, refusals: none without its policy; documents have one that makes them inert by themselves."""
    here = site(replace(make_content(), frame_origin="https://docs.example"))
    ann = here.enter("Ann")
    number = re.findall(r'data-item="([0-9]+)"', ann.get("/judge").text)[0]
    for path in ("/judge", "/judge.json", "/help", "/done", "/static/page.css", "/none", "/healthz", "/join/none"):
        headers = ann.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
        assert (
            "frame-src 'self' https://docs.example; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            in policy
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] in ("no-store", "no-cache")
    framed = ann.get(f"/document/{number}", headers={"sec-fetch-dest": "iframe"}).headers["content-security-policy"]
    assert framed.startswith("sandbox allow-same-origin; default-src 'none'; img-src data:;")  # no scripts, no forms
    policy = ann.get(f"/document/{number}").headers["content-security-policy"]
    assert policy.startswith(
        "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'"
    )


def test_a_judge_receives_nothing_that_would_tell(site: Callable[..., Site]) -> None:
    """Sentinels for first labels, their assessors, other people, runs and batches are in nothing that a judge gets."""
    content = make_content(topics=3, documents=6, batches=2)
    levels = [replace(level, level=f"{SENTINEL}-level-{place}") for place, level in enumerate(content.levels)]
    items = [
        replace(
            item,
            level=levels[int(item.level or 0)].level,
            assessor=f"{SENTINEL}-first",
            document=f"{SENTINEL}-doc-{item.document}",
        )
        for item in content.items
    ]
    plan = {
        **content.plan,
        "levels": [{"level": level.level, "probability": 0.123456} for level in levels],
        "relevant": [levels[1].level],
        "targets": [level.level for level in levels],
        "measure": f"{SENTINEL}-run",
        "batches": [{"batch": b + 1, "shares": {level.level: (b + 1) / 2 for level in levels}} for b in range(2)],
    }
    here = site(replace(content, items=items, levels=levels, plan=plan, relevant=(levels[1].level,)))
    other, ann = here.enter(f"{SENTINEL}-other"), here.enter("Ann")
    assert answer(other, {"key": f"{SENTINEL}-other-key", "note": f"{SENTINEL} note"}).status_code == 200
    received = [ann.get(path) for path in ("/help", "/none", "/organiser", "/static/judge.js", "/static/page.css")]
    for step in range(40):
        page = ann.get("/judge")
        received.append(page)
        if page.status_code != 200:
            break
        received += [ann.get("/judge.json"), ann.get("/done")]
        number = re.findall(r'data-item="([0-9]+)"', page.text)[0]
        received += [ann.get(f"/document/{number}"), answer(ann, {"key": f"{step:020}", "level": step % 3})]
        here.clock.now += 1
    received += [ann.get("/done"), ann.get("/"), ann.get("/join/none")]
    assert len(received) > 60
    for one in received:
        # Level names are shown by what they are called; the name in the data is the sentinel.
        text = one.text + json.dumps(list(one.headers.items()))
        assert SENTINEL not in text, one.url
        assert "0.123456" not in text
        assert "batch" not in text


def test_the_page_works_without_script(site: Callable[..., Site]) -> None:
    """Forms alone: grade, skip, undo, note, to the end, and take back the last answer there."""
    here = site(topics=1, documents=3, batches=1)
    ann = here.enter("Ann")

    def post(page: httpx.Response, form: str, **fields: str) -> httpx.Response:
        part = page.text.split(f'<form id="{form}"' if form else '<form method="post" action="/answer"')[1].split(
            "</form>"
        )[0]
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', part))
        return ann.post("/answer", data=hidden | fields, headers={"origin": ORIGIN})

    assert post(ann.get("/judge"), "form", kind="level:2", note="A note, größer <b>").status_code == 303
    assert post(ann.get("/judge"), "form", kind="skip", note="").status_code == 303
    page = ann.get("/judge")
    assert "You skipped" in page.text
    assert post(page, "back", kind="undo").status_code == 303
    assert post(ann.get("/judge"), "form", kind="level:0", note="").status_code == 303
    assert post(ann.get("/judge"), "form", kind="level:1", note="").status_code == 303
    assert ann.get("/judge").headers["location"] == "/done"
    done = ann.get("/done")
    assert "That was all" in done.text
    assert post(done, "", kind="undo").status_code == 303
    assert ann.get("/judge").status_code == 200
    again = post(ann.get("/judge"), "form", kind="level:9", note="")
    assert again.status_code == 422
    boss = here.enter("organiser", "organiser")
    rows = boss.get("/export.csv").text.splitlines()
    assert len(rows) == 3
    assert "größer <b>" in "".join(rows)


def test_names_and_texts_stay_text(site: Callable[..., Site]) -> None:
    """Markup in topics, titles, texts, levels, names and notes is escaped on every page, the organiser's too."""
    wild = "<img src=x onerror=alert(1)>\"'&amp;{{7*7}}"
    content = make_content(topics=2, documents=2, batches=1)
    topics = [replace(one, title=wild, description=wild, narrative=wild) for one in content.topics]
    items = [Item(one.topic, one.document, 1, "text", wild, wild, one.level, wild) for one in content.items]
    levels = [replace(one, name=wild, text=wild) for one in content.levels]
    here = site(replace(content, name=wild, topics=topics, items=items, levels=levels))
    ann, boss = here.enter("<b>Ann</b>"), here.enter("organiser", "organiser")
    assert answer(ann, {"note": wild}).status_code == 200
    link = here.link("<b>Ben</b>")
    for page in (ann.get("/judge"), ann.get("/help"), ann.get("/done"), boss.get("/organiser"), ann.get(link)):
        assert page.status_code == 200
        assert "<img" not in page.text
        assert "<b>Ann" not in page.text
        assert "<b>Ben" not in page.text
        assert "&lt;img src=x onerror=alert(1)&gt;&#34;&#39;&amp;amp;{{7*7}}" in page.text


def test_the_page_and_the_script_show_the_same_text(site: Callable[..., Site]) -> None:
    """Lines of any system, marks of direction that languages need; control signs are marked; on both ways."""
    content = make_content(topics=1, documents=1, batches=1)
    wild, tame = "one\r\ntwo\x0cthree\u200f\x00\x1b", "one\ntwo\nthree\u200f\ufffd\ufffd"
    items = [replace(one, title=wild, body=wild) for one in content.items]
    topics = [replace(one, title=wild, narrative=wild) for one in content.topics]
    ann = site(replace(content, items=items, topics=topics)).enter("Ann")
    work, page = ann.get("/judge.json").json(), ann.get("/judge").text
    assert work["queue"][0]["title"] == work["queue"][0]["text"] == work["topic"]["title"] == tame
    assert page.count(f">{tame}</") == 5  # the query once more, on the line above the document


def test_the_database_holds_no_token(site: Callable[..., Site]) -> None:
    """Neither links nor sessions nor their proofs can be read from the database."""
    here = site()
    browser, link = here.browser(), here.link("Ann")
    browser.post(link, headers={"origin": ORIGIN})
    secrets = [link.rpartition("/")[2], browser.cookies["gainsayer-8321"], csrf(browser.get("/judge"))]
    with here.database.read() as connection:
        held = "".join(str(row) for table in metadata.sorted_tables for row in connection.execute(select(table)))
    assert all(secret not in held for secret in secrets)
    assert all(len(secret) >= 43 for secret in secrets)


def test_the_organiser_invites_stops_and_goes_on(site: Callable[..., Site]) -> None:
    """Links are shown once; after the stop answers get 409 and the judge sees that it has ended; then it goes on."""
    here = site()
    boss = here.enter("organiser", "organiser")
    proof = {"csrf": csrf(boss.get("/organiser"))}
    sent = boss.post("/invite", data=proof | {"names": "Ann\n\nBen "}, headers={"origin": ORIGIN})
    shown = boss.get(sent.headers["location"])
    again = boss.get(sent.headers["location"])  # the page loaded anew makes no new links, and these stay good
    assert (sent.status_code, again.status_code, "/join/" in again.text) == (303, 200, False)
    links = re.findall(rf"{re.escape(ORIGIN)}(/join/[\w-]+)", shown.text)
    assert len(links) == 2
    assert boss.get("/organiser").text.count("/join/") == 0
    ann = here.browser()
    assert ann.post(links[0], headers={"origin": ORIGIN}).status_code == 303
    assert answer(ann).status_code == 200
    page = ann.get("/judge")
    assert boss.post("/stop", data=proof, headers={"origin": ORIGIN}).status_code == 303
    number = int(re.findall(r'data-item="([0-9]+)"', page.text)[0])
    sent = {"key": "z" * 20, "item": number, "kind": "level", "level": 1}
    late = ann.post("/answer", json=sent, headers={"origin": ORIGIN, "x-gainsayer": csrf(page)})
    assert late.status_code == 409
    assert ann.get("/judge").headers["location"] == "/done"
    assert "has ended" in ann.get("/done").text
    assert boss.post("/stop", data=proof | {"again": "yes"}, headers={"origin": ORIGIN}).status_code == 303
    assert ann.get("/judge").status_code == 200
    assert boss.post("/invite", data=proof | {"names": "organiser"}, headers={"origin": ORIGIN}).status_code == 422
    assert boss.post("/release", data=proof | {"topic": "1"}, headers={"origin": ORIGIN}).status_code == 409


def test_names_are_told_apart(site: Callable[..., Site]) -> None:
    """The organiser's name is nobody else's, a name has one spelling, and none is taken for the first labels."""
    here = site(topics=3, documents=4, batches=1, first="Zoe\u0308")
    for name, role in (("organiser", "judge"), ("Ann", "organiser"), ("\udcff", "judge")):
        with pytest.raises(CallError, match="name"):
            here.link(name, role)
    boss = here.enter("organiser", "organiser")
    assert answer(here.enter("first labels")).status_code == 200
    assert boss.get("/organiser").status_code == 200
    assert here.enter("Zo\xeb").get("/judge").headers["location"] == "/done"  # the first assessor, spelled otherwise
    here.link("Z\xe9")
    with here.database.write() as connection:
        revoke(connection, ["Ze\u0301"], now=NOW)


def test_signing_out(site: Callable[..., Site]) -> None:
    """The button ends this session and its cookie, nobody else's; the link stays good; no page of another site does."""
    here = site()
    link, pages = here.link("Ann"), {"judge": "/done", "organiser": "/organiser"}
    ann, elsewhere, boss = here.browser(), here.browser(), here.enter("organiser", "organiser")
    for browser in (ann, elsewhere):
        browser.post(link, headers={"origin": ORIGIN})
    assert ann.post("/leave", data={"csrf": "0"}, headers={"origin": ORIGIN}).status_code == 403
    for browser, page in ((ann, pages["judge"]), (boss, pages["organiser"])):
        old, shown = browser.cookies["gainsayer-8321"], browser.get(page)
        assert 'action="/leave"' in shown.text
        left = browser.post("/leave", data={"csrf": csrf(shown)}, headers={"origin": ORIGIN})
        assert (left.status_code, "signed out" in left.text) == (200, True)
        assert "gainsayer-8321" not in browser.cookies
        browser.cookies.set("gainsayer-8321", old)
        assert browser.get(page).status_code == 401
    assert elsewhere.get("/judge").status_code == 200
    assert ann.get(link).status_code == 200


def test_documents_held_are_not_sent_again(site: Callable[..., Site]) -> None:
    """With an answer comes the text of those documents alone that the page does not hold."""
    ann = site(topics=1, documents=6, batches=1).enter("Ann")
    numbers = [one["item"] for one in ann.get("/judge.json").json()["queue"]]
    queue = answer(ann, {"have": numbers[1:]}).json()["work"]["queue"]
    assert queue[:4] == [{"item": number} for number in numbers[1:]]
    assert queue[4]["text"].startswith("Text of document")
    for odd in (None, "1", {}, [[]], ["x"]):
        assert answer(ann, {"key": f"{odd!s:x>20}".translate(str.maketrans("[]{}'", "aaaaa")), "have": odd}).is_success


def test_html_documents_name_nobody_to_connect_to(site: Callable[..., Site]) -> None:
    """No element is left by which browsers connect to others without asking the policy, however it is written."""
    content = make_content(topics=1, documents=1, batches=1)
    links = "<link rel=preconnect href=//a><LINK/rel=dns-prefetch href=//b><p title='<link '><Link\trel=x><links>"
    links += "<IFrame src=//c><frame/src=//d>"
    ann = site(replace(content, items=[replace(one, kind="html", body=links) for one in content.items])).enter("Ann")
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)  # type: ignore[method-assign]
    ann.get("/judge")
    parser.feed(ann.get("/document/1").text)
    assert tags == ["no-link", "no-link", "p", "no-link", "links", "no-iframe", "no-frame", "style"]


def test_notes_never_become_formulas_in_the_copy_for_spreadsheets(site: Callable[..., Site]) -> None:
    """The organiser's page leads to a copy without cells that begin with = + - @; the other one has what was said."""
    here = site()
    ann, boss = here.enter("Ann"), here.enter("organiser", "organiser")
    assert answer(ann, {"note": '=HYPERLINK("http://evil")'}).status_code == 200
    link = re.findall(r'href="(/export\.csv\?[^"]+)"', boss.get("/organiser").text)[0]
    cells = [next(csv_module.DictReader(boss.get(path).text.splitlines()))["note"] for path in (link, "/export.csv")]
    assert cells == ['\'=HYPERLINK("http://evil")', '=HYPERLINK("http://evil")']


@pytest.mark.parametrize("odd", ["no first labels", "one document", "one first label", "skipped"])
def test_the_organiser_sees_something_in_every_state(site: Callable[..., Site], odd: str) -> None:
    """However little is known, page, numbers and export are there, with no number that JSON does not know."""
    content = make_content(topics=2, documents=2, batches=1)
    items = [replace(one, level=None if odd == "no first labels" else one.level) for one in content.items]
    items = items[:1] if odd == "one document" else items
    items = [replace(one, level="0") for one in items] if odd == "one first label" else items
    topics = content.topics[: 1 if odd == "one document" else 2]
    here = site(replace(content, items=items, topics=topics))
    ann, boss = here.enter("Ann"), here.enter("organiser", "organiser")
    for step in range(len(items) + 1):
        for path in ("/organiser", "/organiser.json", "/export.csv"):
            assert boss.get(path).status_code == 200
        if step < len(items):
            what = {"kind": "skip", "level": None} if odd == "skipped" else {"level": step % 3}
            assert answer(ann, {"key": f"{step:020}"} | what).status_code == 200


def test_a_session_ends(site: Callable[..., Site]) -> None:
    """After thirty days one opens the link again."""
    here = site()
    ann = here.enter("Ann")
    here.clock.now += 30 * 24 * 3600 + 1
    assert ann.get("/judge").status_code == 401
