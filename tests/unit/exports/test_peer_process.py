"""The process in which a peer answers: its value, or its refusal in its own words."""

from __future__ import annotations

import pytest

from gainsayer.exports import peer_process

QUESTION = {"qrels": {"q": {"d": 1}}, "gains": None, "runs": {"a": {"q": {"d": 1.0}}, "b": {"q": {"e": 1.0}}}}


def test_a_value_for_each_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every ranking is asked about on its own."""
    monkeypatch.setitem(peer_process.PEERS, "peer", lambda qrels, gains, run: float("d" in run["q"]))  # type: ignore[arg-type]
    assert peer_process.answer({"peer": "peer", **QUESTION}) == {"values": {"a": 1.0, "b": 0.0}}


def test_whatever_it_raises_is_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal names the exception and its words."""

    def refuse(qrels: object, gains: object, run: object) -> float:
        raise TypeError("Expected relevance to be integer.")

    monkeypatch.setitem(peer_process.PEERS, "peer", refuse)  # type: ignore[arg-type]
    assert peer_process.answer({"peer": "peer", **QUESTION}) == {
        "refusal": "TypeError: Expected relevance to be integer."
    }
