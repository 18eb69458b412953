"""Work shared by a few threads: NumPy and the compiled reader let others run while they are at an array."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain, islice
from queue import Empty, SimpleQueue
from threading import Thread, local
from typing import Any, Final, TypeVar

_MOST_THREADS: Final = 4
_FEW: Final = 2
_HERE: Final = local()

Work = TypeVar("Work")
Answer = TypeVar("Answer")


def work_in_turn(work: Callable[[Work], Answer], items: Iterator[Work]) -> Iterator[Answer]:
    """The answers in the order of the items, computed by a few threads; few items are held at a time.

    One item, or two, are done before threads have started, and so are all of them where a worker asks: its fellows
    have the other cores. Written by hand, as `concurrent.futures` takes longer to import than a small run to read.

    >>> list(work_in_turn(abs, iter([-3, 2, -1])))
    [3, 2, 1]
    """
    threads = count_threads()
    head = list(islice(items, _FEW + 1))
    if threads == 1 or len(head) <= _FEW:
        yield from map(work, chain(head, items))
        return
    tasks: SimpleQueue[Any] = SimpleQueue()
    workers: list[Thread] = []
    waiting: deque[SimpleQueue[tuple[Answer | None, BaseException | None]]] = deque()
    try:
        for _ in range(threads):
            worker = Thread(target=_serve, args=(work, tasks), daemon=True)
            worker.start()
            workers.append(worker)
        for item in chain(head, items):
            waiting.append(SimpleQueue())
            tasks.put((item, waiting[-1]))
            if len(waiting) > threads:
                yield _take(waiting.popleft())
        while waiting:
            yield _take(waiting.popleft())
    finally:
        _drop(tasks)
        for _ in workers:
            tasks.put(None)
        for worker in workers:
            worker.join()


def count_threads() -> int:
    """How many threads may share work: one where a worker asks."""
    if is_worker():
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(_MOST_THREADS, cores or 1)


def is_worker() -> bool:
    """Whether this thread is one of those that share work."""
    return getattr(_HERE, "working", False)


def _serve(work: Callable[[Any], Any], tasks: SimpleQueue[Any]) -> None:
    _HERE.working = True
    while (task := tasks.get()) is not None:
        item, answer = task
        try:
            answer.put((work(item), None))
        except BaseException as error:
            answer.put((None, error))
        del task, item, answer  # else the last item would stay while the next one is waited for


def _take(answer: SimpleQueue[tuple[Any, BaseException | None]]) -> Any:
    made, error = answer.get()
    if error is not None:
        raise error
    return made


def _drop(tasks: SimpleQueue[Any]) -> None:
    """Leave undone what nobody has begun."""
    try:
        while True:
            tasks.get_nowait()
    except Empty:
        pass
