"""Who judges what: whole blocks, never more judgments than wanted, nobody twice, nobody after themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select
from tests.judging.studies import NOW

from gainsayer.web.database import Database, block, item, judgment
from gainsayer.web.monitor import oversee
from gainsayer.web.people import Person, revoke
from gainsayer.web.second_round import read_round
from gainsayer.web.work import (
    LEASE_SECONDS,
    PATIENCE_SECONDS,
    Answer,
    ForeignError,
    Place,
    claim_place,
    find_abandoned,
    find_place,
    record_answer,
    release,
)

Make = Callable[..., Database]
People = Callable[..., list[Person]]


def claim(database: Database, person: Person, now: float = NOW) -> Place | None:
    """The person's place, in a transaction of its own."""
    with database.claim() as connection:
        return claim_place(connection, person, now=now)


def judge(database: Database, person: Person, number: int, kind: str = "level", now: float = NOW) -> None:
    """One answer."""
    with database.write() as connection:
        level = 1 if kind == "level" else None
        said = connection.execute(select(judgment.c.id)).all()
        key = f"{person.id:08}-{number:08}-{kind}-{len(said):06}-{now:.0f}"
        record_answer(connection, person, Answer(key, number, kind, level), now=now)


def judge_everything(database: Database, person: Person, now: float = NOW) -> list[Place]:
    """The person answers until there is nothing left for them; the places in the order they came."""
    places: list[Place] = []
    while (place := claim(database, person, now)) is not None:
        if not places or (place.topic, place.batch) != (places[-1].topic, places[-1].batch):
            places.append(place)
        judge(database, person, place.remaining[0], now=now)
    return places


def test_everybody_has_an_order_of_their_own(study: Make, people: People) -> None:
    """Topics and documents come in another order for each person, the same one after a restart, lower batches first."""
    database = study(topics=6, documents=8, overlap=2)
    ann, ben = people(database, "Ann", "Ben")
    orders = {person.name: judge_everything(database, person) for person in (ann, ben)}
    for places in orders.values():
        assert [place.batch for place in places] == [1] * 6 + [2] * 6
        assert any(sorted(place.items) != list(place.items) for place in places)
    topics = [[place.topic for place in places[:6]] for places in orders.values()]
    assert sorted(topics[0]) == sorted(topics[1])
    assert topics[0] != topics[1]


def test_a_block_is_found_again(study: Make, people: People) -> None:
    """Whoever comes back, on any machine, is where they were."""
    database = study()
    (ann,) = people(database, "Ann")
    first = claim(database, ann)
    assert first is not None
    judge(database, ann, first.remaining[0])
    with database.read() as connection:
        again = find_place(connection, ann)
    assert again == Place(first.topic, first.batch, first.items, first.remaining[1:])


def test_overlap_is_never_exceeded(study: Make, people: People) -> None:
    """Forty people at once, two judgments wanted: no document gets a third, none is judged twice by one person."""
    database = study(topics=5, documents=4, batches=2, overlap=2)
    everybody = people(database, *(f"person {number}" for number in range(40)))
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda person: judge_everything(database, person), everybody))
    with database.read() as connection:
        rows = connection.execute(select(judgment.c.item, judgment.c.assessor)).all()
    counted = Counter(row.item for row in rows)
    assert len(rows) == len(set(rows)) == 40
    assert set(counted.values()) == {2}
    assert len(counted) == 20


def test_first_assessors_do_not_judge_after_themselves(study: Make, people: People) -> None:
    """Nobody gets a block in which they gave a first label, in whatever letters their name is written."""
    database = study(first="Ann M\u00fcller")
    same = people(database, "Ann Mu\u0308ller", "ann m\u00fcller", "ANN  M\u00dcLLER")
    (ben,) = people(database, "Ann Muller")
    assert [claim(database, ann) for ann in same] == [None] * 3
    assert claim(database, ben) is not None


def test_a_lease_runs_out_before_the_first_answer_only(study: Make, people: People) -> None:
    """A block without answers is free after half an hour; one with an answer stays with its holder."""
    database = study(topics=1, batches=1)
    ann, ben = people(database, "Ann", "Ben")
    held = claim(database, ann)
    assert held is not None
    assert claim(database, ben, NOW + LEASE_SECONDS - 1) is None
    later = claim(database, ben, NOW + LEASE_SECONDS + 1)
    assert later is not None
    judge(database, ben, later.remaining[0], now=NOW + LEASE_SECONDS + 1)
    assert claim(database, ann, NOW + 10 * LEASE_SECONDS) is None


def test_a_block_that_nobody_wants_waits_for_its_holder(study: Make, people: People) -> None:
    """After the lease another block is taken first; whoever reads long keeps theirs, and may answer."""
    database = study(topics=2, batches=2)
    ann, ben, cleo = people(database, "Ann", "Ben", "Cleo")
    late = NOW + 10 * LEASE_SECONDS
    held, other = claim(database, ann), claim(database, ben, late)
    assert held is not None
    assert other is not None
    assert (other.topic, other.batch) == (3 - held.topic, 1)
    third = claim(database, cleo, late)  # what is left of the first batch comes before the second
    assert third is not None
    assert (third.topic, third.batch) == (held.topic, 1)
    with pytest.raises(ForeignError):
        judge(database, ann, held.remaining[0], now=late)
    kept = claim(database, ann, late)
    assert kept is not None
    judge(database, ann, kept.remaining[0], now=late + 10 * LEASE_SECONDS)


def test_a_clock_that_was_wrong_holds_nothing_up(study: Make, people: People) -> None:
    """Blocks claimed while the clock was ten days ahead are free, or can be given on, as soon as it is right."""
    database = study(topics=2, batches=1)
    ann, ben, cleo = people(database, "Ann", "Ben", "Cleo")
    ahead = NOW + 10 * 86_400
    held, begun = claim(database, ann, ahead), claim(database, ben, ahead)
    assert held is not None
    assert begun is not None
    judge(database, ben, begun.remaining[0], now=ahead)
    place = claim(database, cleo)
    assert place is not None
    assert place.topic == held.topic
    with database.claim() as connection:
        assert [one.person for one in find_abandoned(connection, now=NOW)] == ["Ben"]
    judge(database, ben, begun.remaining[1])  # at work after all
    with database.claim() as connection:
        assert find_abandoned(connection, now=NOW) == []


def test_what_one_person_skipped_is_given_to_another(study: Make, people: People) -> None:
    """A finished block with skips can be given on at any time, also of somebody revoked; no judgment too many."""
    database = study(topics=1, batches=1)
    ann, ben, cleo = people(database, "Ann", "Ben", "Cleo")
    held = claim(database, ann)
    assert held is not None
    for place, number in enumerate(held.items):
        judge(database, ann, number, "skip" if place < 2 else "level")
    assert claim(database, ben) is None
    with database.claim() as connection:
        (started,) = find_abandoned(connection, now=NOW)
        assert (started.person, started.skipped) == ("Ann", 2)
        assert release(connection, started, now=NOW)
        assert find_abandoned(connection, now=NOW) == []
    assert claim(database, ann) is None
    place_of_ben = claim(database, ben)
    assert place_of_ben is not None
    assert set(place_of_ben.items) == set(held.items[:2])
    judge(database, ben, place_of_ben.items[0])
    judge(database, ben, place_of_ben.items[1], "skip")
    with database.claim() as connection:
        revoke(connection, ["Ben"], now=NOW)
        (started,) = find_abandoned(connection, now=NOW)
        assert release(connection, started, now=NOW)
    last = claim(database, cleo)
    assert last is not None
    assert last.items == place_of_ben.items[1:]
    judge(database, cleo, last.items[0])
    with database.read() as connection:
        second = read_round(connection)
    assert sorted(one.item for one in second.last_words() if one.kind == "level") == sorted(held.items)
    overview = oversee(second)
    assert (overview.judged, overview.skipped) == (6, 0)
    assert {one.name: one.skipped for one in overview.people} == {"Ann": 2, "Ben": 1, "Cleo": 0}


def test_answers_renew_the_lease(study: Make, people: People) -> None:
    """The lease counts from the last answer, also from one that was taken back."""
    database = study(topics=1, batches=1)
    (ann,) = people(database, "Ann")
    held = claim(database, ann)
    assert held is not None
    judge(database, ann, held.remaining[0], now=NOW + 100)
    with database.read() as connection:
        assert connection.execute(select(block.c.leased_until)).scalar() == NOW + 100 + LEASE_SECONDS


def test_a_started_block_is_given_on_by_the_organiser(study: Make, people: People) -> None:
    """After a day, its next holder gets what the former one left; what was judged counts, and no document is lost."""
    database = study(topics=1, batches=1)
    ann, ben = people(database, "Ann", "Ben")
    held = claim(database, ann)
    assert held is not None
    done, skipped = held.remaining[:2]
    judge(database, ann, done)
    judge(database, ann, skipped, "skip")
    soon, late = NOW + PATIENCE_SECONDS - 1, NOW + PATIENCE_SECONDS + 1
    with database.claim() as connection:
        assert find_abandoned(connection, now=soon) == []
        (started,) = find_abandoned(connection, now=late)
        assert not release(connection, started, now=soon)
        assert release(connection, started, now=late)
    place = claim(database, ben, late)
    assert place is not None
    assert set(place.items) == set(held.items) - {done}
    assert claim(database, ann, late) is None
    with pytest.raises(ForeignError):  # that would be a judgment too many
        judge(database, ben, done, now=late)
    judge_everything(database, ben, late)
    with database.read() as connection:
        numbers = connection.execute(select(judgment.c.item).where(judgment.c.kind == "level")).scalars().all()
        everything = connection.execute(select(item.c.id)).scalars().all()
    assert sorted(numbers) == sorted(everything)


def test_a_revoked_person_holds_nothing_up(study: Make, people: People) -> None:
    """An untouched block of theirs is free at once, a started one can be given on at once."""
    database = study(topics=2, batches=1, documents=2)
    ann, ben, cleo = people(database, "Ann", "Ben", "Cleo")
    begun = claim(database, ann)
    untouched = claim(database, ben)
    assert begun is not None
    assert untouched is not None
    judge(database, ann, begun.remaining[0])
    with database.claim() as connection:
        revoke(connection, ["Ann", "Ben"], now=NOW)
        (started,) = find_abandoned(connection, now=NOW + 1)
        assert started.person == "Ann"
    place = claim(database, cleo)
    assert place is not None
    assert place.topic == untouched.topic


def test_undo_opens_an_earlier_block_again(study: Make, people: People) -> None:
    """What was taken back comes first, even when the person is in the next block by now."""
    database = study(topics=2, batches=1, documents=2)
    (ann,) = people(database, "Ann")
    first = claim(database, ann)
    assert first is not None
    for number in first.remaining:
        judge(database, ann, number)
    second = claim(database, ann, NOW + 1)
    assert second is not None
    assert second.topic != first.topic
    judge(database, ann, first.remaining[-1], "undo")
    again = claim(database, ann)
    assert again is not None
    assert (again.topic, again.remaining) == (first.topic, first.remaining[-1:])
