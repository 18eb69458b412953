"""ir_measures: every string that it parses is computed here with its number, or refused with what to use instead."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.measures import parse_measure

ir_measures = pytest.importorskip("ir_measures")

# Not computed here; the message says what to use instead. The how-to page on scoring lists the same names.
REFUSED = {
    *("NumQ", "Accuracy", "Compat", "SDCG", "BPM", "INST", "INSQ", "NERR8", "NERR9", "NERR10", "NERR11"),
    *("ERR_IA", "nERR_IA", "alpha_DCG", "\u03b1_DCG", "alpha_nDCG", "\u03b1_nDCG", "NRBP", "nNRBP"),
    *("AP_IA", "MAP_IA", "P_IA", "StRecall"),
}
# The one name that means another thing here: the relevant documents of the list, as in the paper.
OTHER_MEANING = {"NumRel": "PoolRel"}
# gdeval prints five digits.
PRINTED = {"gdeval": 5.1e-6}
# Each parameter with values worth trying; ir_measures' own choices and defaults come on top.
VALUES: dict[str, list[Any]] = {
    "cutoff": [1, 5, 10, 1000],
    "rel": [1, 2, 3, 5],
    "judged_only": [True],
    "dcg": ["log2", "exp-log2"],
    "gains": [{0: 0, 1: 1, 2: 10}, {1: 5, 3: 0}],
    "p": [0.5, 0.8],
    "beta": [0.5, 1.0, 3.0],
    "relative": [True, False],
    "recall": [0.0, 0.1, 0.25, 0.3, 0.5, 0.9, 1.0],
}
PROVIDERS = ("pytrec_eval", "gdeval", "judged", "msmarco")
Table = dict[str, dict[str, int]]


@cache
def collection() -> tuple[Table, dict[str, dict[str, float]]]:
    """Thirty topics: levels -1 to 4 and unjudged documents, lists of up to sixty, no ties, some topics not returned."""
    random = np.random.default_rng(7)
    qrels: Table = {}
    run: dict[str, dict[str, float]] = {}
    for topic in range(1, 31):
        documents = [f"d{place:03}" for place in range(100)]
        judged = random.choice(documents, random.integers(3, 60), replace=False).tolist()
        levels = random.choice(np.arange(-1, 5), len(judged), p=[0.05, 0.4, 0.25, 0.15, 0.1, 0.05]).tolist()
        qrels[str(topic)] = dict(zip(judged, levels, strict=True)) | {"d998": 1, "d999": 0}
        if topic % 10:
            returned = random.choice([*documents, "d998"], random.integers(1, 60), replace=False).tolist()
            scores = random.permutation(len(returned)).tolist()
            run[str(topic)] = {name: float(score) for name, score in zip(returned, scores, strict=True)}
    return qrels, run


def spell(name: str, given: dict[str, Any]) -> str:
    """A measure as a person writes it: every parameter by name."""
    inside = ", ".join(f"{key}={value!r}" for key, value in given.items())
    return f"{name}({inside})" if inside else name


def strings() -> list[str]:
    """Every registered name alone, with each parameter at each value, and with the depths that it needs."""
    found = []
    theirs = {name: one for name, one in ir_measures.measures.registry.items() if not name.startswith("PRM_")}
    for name, measure in sorted(theirs.items()):  # without those that our adapter adds where it was imported
        supported = measure.SUPPORTED_PARAMS
        needed = {key: VALUES.get(key, [4])[-2:][0] for key, info in supported.items() if info.required}
        found.append(spell(name, needed))
        for key in supported:
            for value in VALUES.get(key, []):
                found.append(spell(name, needed | {key: value}))
                if key != "cutoff" and "cutoff" in supported:
                    found.append(spell(name, {key: value} | needed | {"cutoff": 10}))
    at = ["P@10", "AP@100", "nDCG@5", 'nDCG(dcg="exp-log2")@10', "R(rel=2)@20", "IPrec@0.3", "RR@10", "Judged@10"]
    odd = ["P (rel=2) @ 10", "nDCG(dcg='log2', judged_only=True,)@10", "Success(rel=2)@5", "RBP(rel=1, p=.8)", "ERR@20"]
    return list(dict.fromkeys([*found, *at, *odd]))


def their_scores(measure: Any) -> tuple[dict[str, float], str] | None:
    """The scores by topic of the first provider that has the measure, and who it is; None where none has."""
    qrels, run = collection()
    for name in PROVIDERS:
        provider = ir_measures.providers.registry[name]
        if provider.is_available() and provider.supports(measure):
            found = provider.iter_calc([measure], qrels, run)
            return {metric.query_id: metric.value for metric in found if metric.query_id in run}, name
    return None


@cache
def our_scores(text: str) -> dict[str, float]:
    """The scores by topic here, through the same door that a person uses."""
    qrels, run = collection()
    scores = gs.score(qrels, run, text).scores
    [values] = scores.values.values()
    return dict(zip(scores.topics, values[0].tolist(), strict=True))


@pytest.mark.parametrize("text", strings())
def test_a_string_of_ir_measures_has_its_number_or_a_refusal(text: str) -> None:
    """Scores of all topics are equal to 1e-9, or what to use instead is said; nothing is computed otherwise."""
    theirs = ir_measures.parse_measure(text)
    name = text.partition("(")[0].partition("@")[0].strip()
    if text == "SetRelP(relative=False)":
        with pytest.raises(CallError, match="the measure is SetP"):
            parse_measure(text)
        return
    if name in REFUSED:
        with pytest.raises(CallError, match=r"is not computed here: .+"):
            parse_measure(text)
        return
    ours = our_scores(text.replace(name, OTHER_MEANING.get(name, name), 1))
    found = their_scores(theirs)
    if found is None:
        return  # nobody to ask: the next test counts these
    expected, provider = found
    assert len(expected) >= 20
    assert {topic: ours[topic] for topic in expected} == pytest.approx(expected, abs=PRINTED.get(provider, 1e-9))


def test_most_strings_were_compared() -> None:
    """Nine in ten of the strings that are not refused have a provider, so that their numbers were compared."""
    asked = [text for text in strings() if text.partition("(")[0].partition("@")[0].strip() not in REFUSED]
    alone = [text for text in asked if their_scores(ir_measures.parse_measure(text)) is None]
    assert len(asked) > 250
    assert len(alone) < len(asked) / 10, alone
