"""The compiled reader, or plain Python in its place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

import pytest

from gainsayer.reading import find_kernel

P = ParamSpec("P")


@contextmanager
def without_kernel() -> Iterator[None]:
    """Plain Python alone."""
    before = {name: os.environ.pop(name, None) for name in ("GAINSAYER_PURE", "GAINSAYER_COMPILED")}
    os.environ["GAINSAYER_PURE"] = "1"
    find_kernel.cache_clear()
    try:
        yield
    finally:
        del os.environ["GAINSAYER_PURE"]
        os.environ.update({name: value for name, value in before.items() if value is not None})
        find_kernel.cache_clear()


def both_readers(test: Callable[P, None]) -> Callable[P, None]:
    """A test that is made with the compiled reader, where there is one, and without."""

    @wraps(test)
    def made(*given: P.args, **named: P.kwargs) -> None:
        test(*given, **named)
        with without_kernel():
            test(*given, **named)

    return made


needs_kernel = pytest.mark.skipif(find_kernel() is None, reason="the compiled reader was not built, or not wanted")
