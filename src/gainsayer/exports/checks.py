"""Checks of peers: what each installed evaluator makes of these gains, beside the right value."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from gainsayer.datasets.paper import FEDWEB13_KEY_SYMMETRIC
from gainsayer.errors import DataError
from gainsayer.exports.labels import level_gains, list_labels
from gainsayer.exports.peers import BINARY, DISTRIBUTIONS, Answer, Patience, Question, Ranking, ask_peer, find_version
from gainsayer.exports.scaled_qrels import SCALE, bound_error, scale_gains, show_bound
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.measures.linear import normalised_gain
from gainsayer.rankings.lists import ranked_from_lists

FloatArray = npt.NDArray[np.float64]
Given = Literal["gains as relevance", "gain map, low to high", "gain map, high to low", "scaled qrels"]
Verdict = Literal["right", "wrong", "refused", "crashed", "no answer", "not installed"]

PERFECT: Final = "perfect ranking"
PEERS: Final = (BINARY, *DISTRIBUTIONS)
# ranx has no gain maps; the order of the levels matters to trec_eval alone.
_GIVEN: Final[Mapping[str, tuple[Given, ...]]] = {
    BINARY: ("gains as relevance", "gain map, low to high", "gain map, high to low", "scaled qrels"),
    "pytrec_eval": ("gains as relevance", "gain map, low to high", "scaled qrels"),
    "ir_measures": ("gains as relevance", "gain map, low to high", "scaled qrels"),
    "ranx": ("gains as relevance", "scaled qrels"),
}
_PRINTED: Final = {BINARY: 5.1e-5}  # trec_eval prints four decimals
_NOISE: Final = 1e-6
SECONDS: Final = 90.0


@dataclass(frozen=True)
class Check:
    """One peer, given one thing, asked about one ranking.

    `value` is what it answered, `right` what it should have, `bound` how far scaled qrels may be off.
    """

    peer: str
    version: str | None
    given: str | None
    ranking: str | None
    value: float | None
    right: float | None
    bound: float | None
    verdict: Verdict
    words: str


def example_gains(levels: Levels) -> Gains:
    """The paper's FedWeb13 parameters for pages and Key users, stretched over these levels: example gains, no estimate.

    For four levels 0.01, 0.04, 0.27, 0.53; for other numbers of levels, straight lines between them.

    >>> example_gains(Levels(("0", "1", "2", "3"))).values.round(3).tolist()
    [0.01, 0.04, 0.27, 0.53]
    """
    printed = [part.value for part in sorted(FEDWEB13_KEY_SYMMETRIC["pages"].values())]
    places = np.linspace(0, len(printed) - 1, len(levels))
    return Gains(levels, np.interp(places, np.arange(len(printed)), printed), name="example gains")


def check_peers(
    labels: Judgments,
    gains: Gains,
    run: Ranking | None = None,
    *,
    scale: int = SCALE,
    seconds: float = SECONDS,
    peers: Sequence[str] = PEERS,
    progress: Callable[[float], None] | None = None,
) -> tuple[Check, ...]:
    """Ask each peer for the mean nDCG (whole lists, eq. 12) of a perfect ranking and of a run, and compare.

    The perfect ranking holds the judged documents of each topic by decreasing gain, so its nDCG is 1 (0 where all
    gains are 0). Each peer gets the gains as relevance, as a gain map where it has such, and as scaled qrels. Each
    question is asked in a process of its own; a peer whose time is up gives `no answer`, to this question and to those
    it was not asked any more; a missing peer is a `not installed`, never an error.

    Args:
        labels: the labels of one assessor.
        gains: what the levels are worth.
        run: documents by rank for each topic, ties broken already; topics without labels are left out.
        scale: of the scaled qrels.
        seconds: time limit of each peer, for all its questions together; peers are asked side by side.
        peers: whom to ask.
        progress: called with the share of the peers that is done.

    Raises:
        DataError: the run shares no topic with the labels.
        CallError: a gain is negative.
    """
    worth = level_gains(labels.levels, gains)
    pools = _pools(labels)
    rankings: dict[str, Ranking] = {PERFECT: _perfect(pools, worth)}
    if run is not None:
        shared = {topic: run[topic] for topic in pools if run.get(topic)}
        if not shared:
            raise DataError(
                f"The run and the judgments share no topic: the judgments have {', '.join(list(pools)[:3])}, "
                f"the run {', '.join(list(run)[:3])}."
            )
        pools = {topic: pools[topic] for topic in shared}
        rankings = {PERFECT: {topic: rankings[PERFECT][topic] for topic in shared}, "your run": shared}
    right = {name: _mean_ndcg(ranking, pools, labels.levels, worth) for name, ranking in rankings.items()}
    chosen = np.isin(labels.topic, [place for place, topic in enumerate(labels.topics) if topic in pools])
    bound = bound_error(labels.rows(chosen), gains, scale=scale).mean

    stopped = threading.Event()

    def ask(peer: str) -> dict[Given, Answer]:
        # One question after the other: ranx compiles itself at the first. Scaled qrels, on which the advice rests, are
        # the last of what is given and come first, while there is time.
        patience = Patience.of(seconds, stopped)
        return {
            given: ask_peer(peer, _question(given, pools, worth, rankings, scale), patience)
            for given in reversed(_GIVEN[peer])
        }

    versions = {peer: find_version(peer) for peer in peers}
    present = [peer for peer in peers if versions[peer] is not None]
    with ThreadPoolExecutor(max_workers=4) as pool:
        try:
            asked = {peer: pool.submit(ask, peer) for peer in present}
            # In small steps: a stop by hand is not noticed while waiting for other threads.
            while waiting := wait(asked.values(), timeout=0.1).not_done:
                if progress is not None:
                    progress(1 - len(waiting) / len(asked))
            answers = {peer: future.result() for peer, future in asked.items()}
        except BaseException:  # also a stop by hand: the peers' processes end with us
            stopped.set()
            raise
    checks: list[Check] = []
    for peer in peers:
        if versions[peer] is None:
            words = "not on PATH" if peer == BINARY else "not installed"
            checks.append(Check(peer, None, None, None, None, None, None, "not installed", words))
            continue
        for given in _GIVEN[peer]:
            limit = bound if given == "scaled qrels" else None
            checks += _judge(peer, versions[peer], given, answers[peer][given], right, limit)
    return tuple(checks)


def _judge(
    peer: str, version: str | None, given: Given, answer: Answer, right: Mapping[str, float], bound: float | None
) -> list[Check]:
    if answer.values is None:
        verdict: Verdict = "no answer" if answer.late else "refused" if answer.death is None else "crashed"
        words = (answer.refusal if answer.death is None else answer.death) or "no reason given"
        return [Check(peer, version, given, None, None, None, bound, verdict, words)]
    checks = []
    for name, value in answer.values.items():
        slack = _PRINTED.get(peer, _NOISE) + (bound or 0.0)
        good = abs(value - right[name]) <= slack
        words = _tell(value, bound, good)
        checks.append(Check(peer, version, given, name, value, right[name], bound, "right" if good else "wrong", words))
    return checks


def _tell(value: float, bound: float | None, good: bool) -> str:
    if good:
        return "agrees" if bound is None else f"agrees within the bound of {show_bound(bound)}"
    if value == 0:
        return "gains cut down to 0, in silence"
    if value > 1:
        return "above 1: the ideal list is in the wrong order"
    return "another value, in silence"


def _question(
    given: Given, pools: Mapping[str, Mapping[str, int]], worth: FloatArray, rankings: Mapping[str, Ranking], scale: int
) -> Question:
    gains: dict[str, float] | None = None
    values: list[float] | list[int] = worth.tolist()
    if given == "scaled qrels":
        values = scale_gains(worth, scale=scale).tolist()
    elif given != "gains as relevance":
        order = np.argsort(worth, kind="stable").tolist()
        order = order if given == "gain map, low to high" else order[::-1]
        gains = {str(level): float(worth[level]) for level in order}
        values = list(range(len(worth)))
    qrels = {topic: {document: values[level] for document, level in pool.items()} for topic, pool in pools.items()}
    return Question(qrels, gains, rankings)


def _pools(labels: Judgments) -> dict[str, dict[str, int]]:
    pools: dict[str, dict[str, int]] = {}
    for topic, document, level in list_labels(labels):
        pools.setdefault(labels.topics[topic], {})[document] = level
    return pools


def _perfect(pools: Mapping[str, Mapping[str, int]], worth: FloatArray) -> dict[str, list[str]]:
    return {topic: sorted(pool, key=lambda document: -worth[pool[document]]) for topic, pool in pools.items()}


def _mean_ndcg(ranking: Ranking, pools: Mapping[str, Mapping[str, int]], levels: Levels, worth: FloatArray) -> float:
    """The value that a peer should reach: nDCG of whole lists, eq. (12), gains compared as they are."""
    lists = {topic: [pools[topic].get(document) for document in documents] for topic, documents in ranking.items()}
    counts = {topic: np.bincount(list(pools[topic].values()), minlength=len(levels)).tolist() for topic in ranking}
    ranked = ranked_from_lists(lists, counts, levels=levels)
    return float(normalised_gain().score(ranked, Gains(levels, worth)).mean())
