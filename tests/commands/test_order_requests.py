"""What orders runs is asked for measures and policies that give an order."""

from __future__ import annotations

import pytest

from gainsayer.commands.order_requests import OrderRequest, refuse_plain
from gainsayer.errors import CallError
from gainsayer.measures import parse_measure

RUN = {"q": {"a": 2.0, "b": 1.0}}


def test_what_orders_no_runs_is_refused() -> None:
    """Bounds are two scores, which is said before anything is read."""
    with pytest.raises(CallError, match="they order no runs"):
        OrderRequest("nowhere.qrels", RUN, unjudged="bounds").policies  # noqa: B018
    assert OrderRequest("nowhere.qrels", RUN, unjudged=0.5).policies.unjudged == "0.5"


def test_measures_that_say_nothing_about_relevance_are_refused() -> None:
    """A share of judged documents orders no runs; precision does."""
    refuse_plain([parse_measure("P@5")])
    with pytest.raises(CallError, match="says nothing about relevance"):
        refuse_plain([parse_measure("P@5"), parse_measure("Judged@10")])
