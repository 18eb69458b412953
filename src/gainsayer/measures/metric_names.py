"""Names of scores that trackers of experiments accept: `nDCG_at_10.prm` in place of `nDCG@10` with PRM gains.

MLflow takes letters, digits, `_`, `-`, `.`, blanks, `:` and `/`, and refuses names that are no plain path; Weights and
Biases makes sections of what stands before a `/`. So names here hold letters, digits, `_`, `-` and `.`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

_LONGEST: Final = 240


def name_metric(measure: str, gains: str) -> str:
    """The name of a score by a measure with a kind of gains.

    >>> name_metric("nDCG@10", "prm"), name_metric("nDCG(discount='zipf')@20", "prm (2)")
    ('nDCG_at_10.prm', 'nDCG_discount_zipf_at_20.prm_2')
    """
    return f"{plain_name(measure.replace('@', '_at_'))}.{plain_name(gains)}"


def plain_name(text: str) -> str:
    """A text as a name: every other character becomes `_`, several in a row one of them.

    >>> plain_name("../bm25 (tuned)/k1=0.9"), plain_name("--")
    ('bm25_tuned_k1_0.9', '--')
    """
    made = re.sub(r"_+", "_", re.sub(r"[^0-9A-Za-z_.-]", "_", text)).strip("_.")[:_LONGEST]
    return re.sub(r"\.\.+", ".", made).lstrip("_") or "_"


def tell_apart_names(names: Iterable[str]) -> dict[str, str]:
    """Each text with its name; names that two texts would share are numbered.

    >>> tell_apart_names(["a/b", "a b", "c"])
    {'a/b': 'a_b', 'a b': 'a_b_2', 'c': 'c'}
    """
    found: dict[str, str] = {}
    for text in names:
        name, number = plain_name(text), 1
        while name in found.values():
            number += 1
            name = f"{plain_name(text)[: _LONGEST - 8]}_{number}"
        found[text] = name
    return found


def list_metrics(values: Mapping[tuple[str, str], Mapping[str, float]], runs: Iterable[str]) -> dict[str, float]:
    """Means by name, from those by measure, gains and run; with several runs, each name begins with the run's and `/`.

    >>> list_metrics({("P@5", "prm"): {"new": 0.5, "old": 0.4}}, ["new", "old"])
    {'new/P_at_5.prm': 0.5, 'old/P_at_5.prm': 0.4}
    """
    folders = tell_apart_names(runs)
    found: dict[str, float] = {}
    for (measure, gains), means in values.items():
        for run, mean in means.items():
            own = name_metric(measure, gains) if len(folders) == 1 else f"{folders[run]}/{name_metric(measure, gains)}"
            name, number = own, 1
            while name in found:
                number += 1
                name = f"{own}_{number}"
            found[name] = mean
    return found
