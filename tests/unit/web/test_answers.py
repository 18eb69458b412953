"""Answers: kept once, never changed, refused where they are not the person's to give."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError
from tests.judging.studies import NOW

from gainsayer.web.database import Database, event, judgment
from gainsayer.web.people import Person
from gainsayer.web.second_round import read_round
from gainsayer.web.study import stop_judging
from gainsayer.web.work import (
    Answer,
    ForeignError,
    InvalidAnswerError,
    StoppedError,
    claim_place,
    find_last_word,
    parse_answer,
    record_answer,
)

Make = Callable[..., Database]
People = Callable[..., list[Person]]
KEY = "0123456789abcdef"


def begin(database: Database, person: Person) -> tuple[int, ...]:
    """The person's first block."""
    with database.claim() as connection:
        place = claim_place(connection, person, now=NOW)
    assert place is not None
    return place.remaining


def say(database: Database, person: Person, *answers: Answer) -> None:
    """Keep answers, each in a transaction of its own."""
    for answer in answers:
        with database.write() as connection:
            record_answer(connection, person, answer, now=NOW)


def test_the_same_key_is_the_same_answer(study: Make, people: People) -> None:
    """An answer that is sent again is kept once, as it was first."""
    database = study()
    (ann,) = people(database, "Ann")
    number = begin(database, ann)[0]
    say(database, ann, Answer(KEY, number, "level", 2), Answer(KEY, number, "level", 2, milliseconds=7))
    for other in (
        Answer(KEY, number, "level", 0),
        Answer(KEY, number, "skip"),
        Answer(KEY, number, "level", 2, "note"),
    ):
        with pytest.raises(InvalidAnswerError, match="before"):  # or they would think that it was kept
            say(database, ann, other)
    with database.read() as connection:
        assert connection.execute(select(event.c.level)).scalars().all() == [2]


def test_the_last_word_is_the_one_given_last(study: Make, people: People) -> None:
    """Answers that waited in browsers come in any order; those given last count, in the database and in the export."""
    draw = random.Random(4)
    database = study(topics=1, documents=40, batches=1)
    (ann,) = people(database, "Ann")
    expected = {}
    for number in begin(database, ann):
        words = [(10.0 * place, draw.randrange(3)) for place in range(4)]
        arrivals = sorted(words, key=lambda word: (word[0] + draw.choice((0, 0, 35)), word[0]))
        now, stands = NOW, None
        for place, (given, level) in enumerate(arrivals):
            now = max(now, NOW + given)
            answer = Answer(f"{KEY}{number}x{place}", number, "level", level, waited=round(1000 * (now - NOW - given)))
            with database.write() as connection:
                stands = record_answer(connection, ann, answer, now=now)
            assert stands == (given == max(word[0] for word in arrivals[: place + 1]))
        expected[number] = words[-1][1]
    with database.read() as connection:
        seen = {row.item: row.level for row in connection.execute(select(judgment))}
        words = {one.item: one.level for one in read_round(connection).last_words()}
        last = find_last_word(connection, ann)
    assert seen == words == expected
    assert last is not None


def test_a_clock_that_was_wrong_does_not_turn_words_round(study: Make, people: People) -> None:
    """Answers that did not wait count in the order in which they came, whatever the clock said."""
    database = study()
    (ann,) = people(database, "Ann")
    number = begin(database, ann)[0]
    for place, now in enumerate((NOW + 864_000, NOW, NOW - 864_000)):
        with database.write() as connection:
            assert record_answer(connection, ann, Answer(f"{KEY}{place}", number, "level", place, waited=40), now=now)
    with database.read() as connection:
        assert connection.execute(select(judgment.c.level)).scalars().all() == [2]


def test_an_undo_of_nothing_is_nothing(study: Make, people: People) -> None:
    """Taken back what was never said, or is taken back already: no event, and the block counts as untouched."""
    database = study()
    (ann,) = people(database, "Ann")
    number = begin(database, ann)[0]
    say(database, ann, Answer(KEY, number, "undo"))
    with database.read() as connection:
        assert connection.execute(select(event)).all() == []
    say(database, ann, Answer(f"{KEY}1", number, "skip"), *(Answer(f"{KEY}{n}", number, "undo") for n in (2, 3)))
    with database.read() as connection:
        assert connection.execute(select(event.c.kind).order_by(event.c.id)).scalars().all() == ["skip", "undo"]


def test_keys_and_documents_of_others_are_refused(study: Make, people: People) -> None:
    """Neither another person's key nor a document of another block is taken."""
    database = study()
    ann, ben = people(database, "Ann", "Ben")
    own, foreign = begin(database, ann), begin(database, ben)
    say(database, ann, Answer(KEY, own[0], "level", 2))
    for person, answer in (
        (ben, Answer(KEY, foreign[0], "level", 2)),
        (ann, Answer(KEY, own[1], "level", 2)),
        (ann, Answer(KEY + "x", foreign[0], "level", 2)),
        (ann, Answer(KEY + "y", 10**6, "level", 2)),
    ):
        with pytest.raises(ForeignError):
            say(database, person, answer)


def test_events_are_never_changed(study: Make, people: People) -> None:
    """The database itself refuses to change or delete an event."""
    database = study()
    (ann,) = people(database, "Ann")
    say(database, ann, Answer(KEY, begin(database, ann)[0], "level", 2))
    for statement in (event.update().values(level=0), event.delete()):
        with pytest.raises(DBAPIError, match="answers are kept"), database.write() as connection:
            connection.execute(statement)


def test_the_view_has_the_last_words(study: Make, people: People) -> None:
    """A later word replaces an earlier one, an undo takes it back: the view and a replay of the events agree."""
    database = study()
    (ann,) = people(database, "Ann")
    a, b, c = begin(database, ann)
    story = [(a, "level", 0), (a, "level", 2), (b, "skip", None), (c, "level", 1), (c, "undo", None), (b, "undo", None)]
    story += [(b, "level", 0)]
    say(database, ann, *(Answer(f"{KEY}{step}", *one) for step, one in enumerate(story)))
    replayed: dict[int, tuple[str, int | None]] = {}
    for number, kind, level in story:
        replayed[number] = (kind, level)
    expected = {number: word for number, word in replayed.items() if word[0] != "undo"}
    with database.read() as connection:
        seen = {row.item: (row.kind, row.level) for row in connection.execute(select(judgment))}
        words = {one.item: (one.kind, one.level) for one in read_round(connection).last_words()}
        last = find_last_word(connection, ann)
    assert seen == words == expected
    assert last is not None
    assert last.item == b


def test_no_answer_after_the_end(study: Make, people: People) -> None:
    """Once the organiser stopped the judging, answers are refused; those sent again are still acknowledged."""
    database = study()
    (ann,) = people(database, "Ann")
    numbers = begin(database, ann)
    say(database, ann, Answer(KEY, numbers[0], "level", 2))
    with database.write() as connection:
        stop_judging(connection, now=NOW)
    say(database, ann, Answer(KEY, numbers[0], "level", 2))
    with pytest.raises(StoppedError):
        say(database, ann, Answer(KEY + "x", numbers[1], "level", 2))


@pytest.mark.parametrize(
    "change",
    [
        {"level": 3},
        {"level": True},
        {"level": "1"},
        {"level": 1.0},
        {"level": None},
        {"level": -1},
        {"kind": "undo"},
        {"kind": "delete"},
        {"key": "short"},
        {"key": "k" * 65},
        {"key": None},
        {"item": "1"},
        {"item": True},
        {"item": 2**31},
        {"note": "x" * 2001},
        {"note": None},
        {"note": "\x00"},
        {"milliseconds": -1},
        {"milliseconds": 10**9},
        {"milliseconds": True},
        {"waited": -1},
        {"waited": True},
        {"waited": None},
    ],
    ids=str,
)
def test_what_says_nothing_is_refused(change: dict[str, object]) -> None:
    """Levels are whole numbers of the scale, keys have 16 to 64 signs, notes at most 2,000."""
    sent = {"key": KEY, "item": 1, "kind": "level", "level": 1, "note": "", "milliseconds": 10}
    assert parse_answer(sent, 3).level == 1
    assert parse_answer(sent | {"note": "x\r\n" * 1000}, 3).note == "x\n" * 1000  # lines as a form sends them
    with pytest.raises(InvalidAnswerError):
        parse_answer(sent | change, 3)
