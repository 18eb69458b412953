"""Threads that share work: the order of the answers, what they raise, and that nothing is left behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from gainsayer.reading import count_threads, is_worker, work_in_turn


@pytest.fixture(autouse=True)
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three cores, whatever this machine has."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2}, raising=False)


def test_answers_come_in_the_order_of_the_items() -> None:
    """Whichever thread is done first; and what one raises comes out in its turn."""

    def work(item: int) -> int:
        time.sleep(0.01 * (item % 3 == 0))
        if item == 7:
            raise ValueError("seven")
        return item * item

    assert list(work_in_turn(work, iter(range(7)))) == [0, 1, 4, 9, 16, 25, 36]
    assert list(work_in_turn(work, iter([]))) == []
    answers = work_in_turn(work, iter(range(9)))
    assert [next(answers) for _ in range(7)] == [0, 1, 4, 9, 16, 25, 36]
    with pytest.raises(ValueError, match="seven"):
        next(answers)


def test_several_threads_share_the_work_and_end_with_it() -> None:
    """As many as there are cores, none of them the caller's."""
    before = threading.active_count()
    meet = threading.Barrier(3, timeout=60)

    def work(item: int) -> str:
        if item < 3:
            meet.wait()
        return threading.current_thread().name

    names = set(work_in_turn(work, iter(range(30))))
    assert len(names) == 3
    assert threading.current_thread().name not in names
    assert threading.active_count() == before


def test_few_items_and_those_of_a_worker_are_done_where_they_are() -> None:
    """Threads would cost more than two items; and the fellows of a worker have the other cores."""

    def name(_: int) -> str:
        return threading.current_thread().name

    def names(_: int) -> tuple[str, set[str], int]:
        return name(0), set(work_in_turn(name, iter(range(9)))), count_threads()

    assert not is_worker()
    assert count_threads() == 3
    assert set(work_in_turn(name, iter(range(2)))) == {name(0)}
    found = list(work_in_turn(names, iter(range(5))))
    assert all(inner == {outer} and threads == 1 for outer, inner, threads in found)
    assert not is_worker()


def test_few_items_are_held_at_a_time() -> None:
    """Items are taken as answers are asked for, so that blocks of a long file are not in memory all at once."""
    taken = []

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    answers = work_in_turn(abs, items())
    for _ in range(5):
        next(answers)
    assert len(taken) <= 5 + 3 + 1
    answers.close()  # type: ignore[attr-defined]


def test_who_stops_early_leaves_no_work_behind() -> None:
    """What nobody has begun stays undone, and threads end."""
    before = threading.active_count()
    begun = []

    def work(item: int) -> int:
        begun.append(item)
        if item == 0:
            raise ValueError("nought")
        time.sleep(0.05)
        return item

    with pytest.raises(ValueError, match="nought"):
        list(work_in_turn(work, iter(range(50))))
    assert len(begun) <= 4
    assert threading.active_count() == before
