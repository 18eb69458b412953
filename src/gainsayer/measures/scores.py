"""Scores of runs: every measure with every kind of gains, over the topics and under the policies asked for."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.gains.values import Gains, pattern_gains
from gainsayer.levels import Patterns, Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.linear import count_judged
from gainsayer.measures.sums import ideal_score, log_discount
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedLevels
from gainsayer.text import option

TopicPolicy = Literal["all", "common"]
NoRelevant = Literal["keep", "zero", "skip"]
MUCH_UNJUDGED: Final = 0.05
MUCH_LACKING: Final = 0.1
_LONGEST_NAME: Final = 240  # MLflow takes 250 characters; a number may follow


@dataclass(frozen=True)
class TopicCounts:
    """Topics that a measure cannot say much about (T12): no level in R, an ideal DCG of 0, all gains equal."""

    topics: int
    without_relevant: int
    without_ideal: int
    all_gains_equal: int


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """One number per run, measure, kind of gains and topic.

    Args:
        runs: their names.
        measures: as asked for.
        topics: the topics that were scored.
        gains: names of the gains, each with `values`.
        values: (measure, gains) to scores of the shape [runs, topics].
        unjudged: measure to the share of unjudged documents down to its depth, shape [runs].
        counts: per name of gains, the topics that say little.
        findings: what a reader should know.
        lacking: how many of the topics each run lacks; they count as 0; shape [runs].
        relevant: the levels taken as relevant; empty where nothing said so.
        labels: whose labels scored, in words; empty where nobody said.
    """

    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    gains: tuple[Gains, ...]
    values: Mapping[tuple[Measure, str], FloatArray]
    unjudged: Mapping[Measure, FloatArray]
    counts: Mapping[str, TopicCounts]
    lacking: IntArray
    findings: tuple[Finding, ...] = ()
    relevant: tuple[str, ...] = ()
    labels: str = ""

    @property
    def short(self) -> tuple[tuple[str, int], ...]:
        """The runs that lack more than a tenth of the topics, and how many."""
        many = self.lacking > MUCH_LACKING * len(self.topics)
        return tuple((self.runs[run], int(self.lacking[run])) for run in np.flatnonzero(many))

    def __repr__(self) -> str:
        return f"Scores({len(self.runs)} runs, {', '.join(map(str, self.measures))}, {len(self.topics)} topics)"

    def metrics(self, run: str | None = None) -> dict[str, float]:
        """The means over topics under names that MLflow and Weights & Biases accept: `{"nDCG_at_10.prm": 0.7}`.

        Args:
            run: which run; of several runs all are given by default, each name with the run's and `/` before it.

        Raises:
            CallError: there is no such run.

        >>> from gainsayer.commands.score import score
        >>> table = score({"q1": {"d1": 2, "d2": 0}}, {"q1": {"d2": 2.0, "d1": 1.0}}, ["nDCG@2", "RR"])
        >>> {name: round(value, 4) for name, value in table.scores.metrics().items()}
        {'nDCG_at_2.linear': 0.6309, 'RR.binary': 0.5}
        """
        if run is not None and run not in self.runs:
            raise CallError(f"There is no run {run!r}: the runs are {', '.join(self.runs[:20])}.")
        chosen = self.runs if run is None else (run,)
        means = {
            (str(measure), gains): {name: float(values[self.runs.index(name)].mean()) for name in chosen}
            for (measure, gains), values in self.values.items()
        }
        return list_metrics(means, chosen)


def score_runs(
    ranked: Sequence[RankedLevels],
    measures: Sequence[Measure],
    gains: Mapping[Measure, Sequence[Gains]],
    *,
    relevance: Relevance | None = None,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "keep",
    oracle: Callable[[Gains], RankedLevels] | None = None,
    whole: Sequence[RankedLevels] | None = None,
) -> Scores:
    """Score runs with measures; one topic set and one policy for all of them.

    A topic that a run lacks scores 0: it is not skipped. With `common`, only topics that every run has are scored.
    Topics in which no judged document has a relevant level: binary scores are 0 and PRM scores as computed (`keep`),
    both 0 (`zero`), or the topics are left out for all runs and gains (`skip`); the latter two need `relevance`. Where
    documents have patterns of labels, a pattern's gain is the mean of its labels' (`pattern_gains`). An
    `oracle` is a run that depends on the gains; it is scored first. `whole` are the lists before they were condensed,
    for the share of unjudged documents.

    Raises:
        CallError: a measure cannot take the gains.
        DataError: no topic is left.

    >>> from gainsayer.gains.values import linear_gains
    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q1": [1, None, 0]}, {"q1": [1, 2]}, levels=Levels(("0", "1")))
    >>> measure = parse_measure("nDCG@2")
    >>> scores = score_runs([ranked], [measure], {measure: [linear_gains(ranked.levels)]})
    >>> scores.values[measure, "linear"].round(4).tolist()
    [[0.6131]]
    """
    if not ranked:
        raise CallError("No runs were given.")
    first = ranked[0]
    gains = {measure: [pattern_gains(kind, first.levels) for kind in kinds] for measure, kinds in gains.items()}
    chosen = np.ones(len(first.topics), dtype=bool)
    if topics == "common":
        chosen &= np.all([run.present for run in ranked], axis=0)
    lacking = without_relevant(first, relevance)
    if no_relevant == "skip":
        chosen &= ~lacking
    if not chosen.any():
        raise DataError("No topic is left to score: none is in every run and has relevant documents.")
    values: dict[tuple[Measure, str], FloatArray] = {}
    for measure in measures:
        for kind in gains[measure]:
            every = ranked if oracle is None else [oracle(kind), *ranked]
            table = np.stack([measure.score(run, kind) for run in every])
            if no_relevant == "zero":
                table[:, lacking] = 0.0
            values[measure, kind.name] = table[:, chosen]
    everything = list({kind.name: kind for measure in measures for kind in gains[measure]}.values())
    seen = list(ranked if whole is None else whole)
    shown = seen if oracle is None else [oracle(everything[0]), *seen]
    shares = {
        depth: np.array([_share_unjudged(run, depth, chosen) for run in shown])
        for depth in {measure.depth for measure in measures}
    }
    return Scores(
        runs=tuple(run.name for run in shown),
        measures=tuple(measures),
        topics=tuple(name for name, keep in zip(first.topics, chosen, strict=True) if keep),
        gains=tuple(everything),
        values=values,
        unjudged={measure: shares[measure.depth] for measure in measures},
        counts={kind.name: _count_topics(first, kind, lacking, chosen) for kind in everything},
        lacking=np.array([int((chosen & ~run.present).sum()) for run in shown]),
        findings=find_unjudged(
            [run.name for run in seen], measures, {depth: share[-len(seen) :] for depth, share in shares.items()}
        ),
        relevant=() if relevance is None else relevance.names,
        labels=first.labels,
    )


def mean_and_error(scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean over topics and its standard error s / sqrt(topics), divisor topics - 1; NaN error for one topic.

    Treats the gains as given: their uncertainty is not in it.
    """
    count = scores.shape[-1]
    mean = scores.mean(axis=-1)
    if count < 2:
        return mean, np.full_like(mean, np.nan)
    return mean, scores.std(axis=-1, ddof=1) / np.sqrt(count)


def bound_unjudged(gains: Gains) -> tuple[Gains, Gains]:
    """The gains with unjudged documents worth nothing, and worth as much as the best level (T5)."""
    best = float(gains.values.max())
    return replace(gains, unjudged=0.0), replace(gains, unjudged=best)


def without_relevant(ranked: RankedLevels, relevance: Relevance | None) -> npt.NDArray[np.bool_]:
    """Topics in which no judged document has a relevant level, shape [topics]; none where no relevance is meant."""
    if relevance is None:
        return np.zeros(len(ranked.topics), dtype=bool)
    if isinstance(ranked.levels, Patterns) and len(relevance.mask) < len(ranked.levels):
        relevance = ranked.levels.relevance(relevance)
    pool = ranked.pool_by(np.argsort(-relevance.indicator, kind="stable"))
    return np.asarray(pool[:, np.array(relevance.mask)].sum(axis=1) == 0)


def narrowest(relevances: Sequence[Relevance], no_relevant: NoRelevant) -> Relevance | None:
    """The notion of relevance that decides whether a topic has a relevant label, for all gains alike.

    The narrowest one: a topic without a relevant label for one kind of users is left out for all. None where no notion
    is contained in all others, or there is none.

    Raises:
        CallError: the policy needs one notion, or notions that contain each other.
    """
    every = list(dict.fromkeys(relevances))
    if no_relevant == "zero" and len(every) > 1:
        raise CallError(
            f"{option('no_relevant', 'zero')} needs one notion of relevance. Ask for one threshold, or use skip."
        )
    found = min(every, key=lambda relevance: sum(relevance.mask), default=None)
    if found is None or all(set(found.names) <= set(other.names) for other in every):
        return found
    if no_relevant == "skip":
        raise CallError(
            f"{option('no_relevant', 'skip')} needs notions of relevance that contain each other, as thresholds do."
        )
    return None


def _count_topics(
    ranked: RankedLevels, gains: Gains, lacking: npt.NDArray[np.bool_], chosen: npt.NDArray[np.bool_]
) -> TopicCounts:
    values = gains.values if gains.values.ndim == 1 else gains.values.mean(axis=0)
    ideal = ideal_score(ranked, values, log_discount)
    held = ranked.pool_by(np.argsort(-values, kind="stable")) > 0
    low = np.where(held, values, np.inf).min(axis=1)
    high = np.where(held, values, -np.inf).max(axis=1)
    return TopicCounts(
        topics=int(chosen.sum()),
        without_relevant=int((lacking & chosen).sum()),
        without_ideal=int(((ideal <= 0) & chosen).sum()),
        all_gains_equal=int(((low == high) & chosen).sum()),
    )


def _share_unjudged(ranked: RankedLevels, depth: int | None, chosen: npt.NDArray[np.bool_]) -> float:
    """Mean share of unjudged documents over the chosen topics that the run has; NaN where it has none.

    Judged documents are counted by the length of the list first: whole numbers, so that runs with as many judged
    documents in lists as long have the same share to the last bit, and none is the worst by rounding.
    """
    judged, length = count_judged(ranked, depth)
    there = chosen & (length > 0)
    if not there.any():
        return np.nan
    by_length = np.bincount(length[there], judged[there])[1:]
    return 1 - math.fsum(by_length / np.arange(1, len(by_length) + 1)) / int(there.sum())


def is_much_unjudged(shares: FloatArray) -> npt.NDArray[np.bool_]:
    """Shares that are more than `MUCH_UNJUDGED`; 1 - 0.95, which is more by rounding, is not."""
    return np.asarray(shares > MUCH_UNJUDGED + 1e-9)


def find_unjudged(
    runs: Sequence[str], measures: Sequence[Measure], unjudged: Mapping[int | None, FloatArray]
) -> tuple[Finding, ...]:
    """A finding where much of what runs returned is unjudged, by depth of the measures."""
    worst: list[tuple[float, str]] = []
    named: dict[int, list[str]] = {}  # measures of one depth meet the same documents
    for measure in measures:
        if measure.depth is not None and measure.family.needs != "nothing":
            named.setdefault(measure.depth, []).append(str(measure))
    for depth, names in named.items():
        shares = unjudged[depth]
        high = np.flatnonzero(is_much_unjudged(shares))
        if len(high):
            most = int(high[np.argmax(shares[high])])
            many = f"{len(high)} of {len(runs)} runs, up to {shares[most]:.1%} ({runs[most]})"
            worst.append((float(shares[most]), f"{', '.join(names)}: {many}"))
    if not worst:
        return ()
    message = (
        f"More than {MUCH_UNJUDGED:.0%} of the documents are unjudged: "
        f"{'; '.join(text for _, text in sorted(worst)[::-1])}. "
        f"Their gain is a policy, not a judgment: score with {option('unjudged', 'bounds')}, or judge more."
    )
    if max(worst)[0] > 1 - 1e-9:
        message += " Where nothing is judged: are documents written alike in runs and judgments?"
    return (Finding("unjudged-documents", message),)


def name_metric(measure: str, gains: str) -> str:
    """The name of a score by a measure with a kind of gains, as trackers of experiments accept it.

    MLflow takes letters, digits, `_`, `-`, `.`, blanks, `:` and `/`, and refuses names that are not plain paths;
    Weights and Biases makes sections of what stands before a `/`. So names here hold letters, digits, `_`, `-` and `.`.

    >>> name_metric("nDCG@10", "prm"), name_metric("nDCG(discount='zipf')@20", "prm (2)")
    ('nDCG_at_10.prm', 'nDCG_discount_zipf_at_20.prm_2')
    """
    return f"{plain_name(measure.replace('@', '_at_'))}.{plain_name(gains)}"


def plain_name(text: str) -> str:
    """A text as a name: every other character becomes `_`, several in a row one of them.

    >>> plain_name("../bm25 (tuned)/k1=0.9"), plain_name("--")
    ('bm25_tuned_k1_0.9', '--')
    """
    made = re.sub(r"_+", "_", re.sub(r"[^0-9A-Za-z_.-]", "_", text)).strip("_.")[:_LONGEST_NAME]
    return re.sub(r"\.\.+", ".", made).lstrip("_") or "_"


def tell_apart_names(names: Iterable[str]) -> dict[str, str]:
    """Each text with its name; names that two texts would share are numbered.

    >>> tell_apart_names(["a/b", "a b", "c"])
    {'a/b': 'a_b', 'a b': 'a_b_2', 'c': 'c'}
    """
    found: dict[str, str] = {}
    for text in names:
        found[text] = _number_name(plain_name(text), found.values())
    return found


def _number_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number after it where it is taken."""
    numbered, number = name, 1
    while numbered in taken:
        number += 1
        numbered = f"{name}_{number}"
    return numbered


def list_metrics(values: Mapping[tuple[str, str], Mapping[str, float]], runs: Iterable[str]) -> dict[str, float]:
    """Means by name, from those by measure, gains and run; with several runs, each name begins with the run's and `/`.

    >>> list_metrics({("P@5", "prm"): {"new": 0.5, "old": 0.4}}, ["new", "old"])
    {'new/P_at_5.prm': 0.5, 'old/P_at_5.prm': 0.4}
    """
    folders = tell_apart_names(runs)
    found: dict[str, float] = {}
    for (measure, gains), means in values.items():
        for run, mean in means.items():
            name = name_metric(measure, gains)
            found[_number_name(name if len(folders) == 1 else f"{folders[run]}/{name}", found)] = mean
    return found
