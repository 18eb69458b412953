"""The catalogue of measures, as plain data and as tables."""

from __future__ import annotations

from typing import Any

from gainsayer.commands.old_tables import Column
from gainsayer.commands.records import Record, tabulate
from gainsayer.measures.families import ELSEWHERE, FAMILIES
from gainsayer.measures.family import GAIN_PARAMETERS
from gainsayer.table import Table

_HEADINGS = {
    "measure": "measure",
    "about": "what it is",
    "gains": "gains",
    "classic": "with no model",
    "users": "users=",
    "trec_eval": "trec_eval",
}
_PARAMETERS = {"parameter": "parameter", "about": "what it is"}
_USERS = {"plug-in": "same", "exact": "exact", "simulated": "simulated", "no": None}
_GAINS = {"probabilities": "0 to 1", "binary": "0 or 1", "any": "any", "nothing": "none"}
_DEPTHS = {"must": "@k", "may": "[@k]", "no": ""}
USER_RECORDS: tuple[Record, ...] = (
    {"parameter": "none", "about": "plug-in: gains are put where the measure has a gain"},
    {
        "parameter": "users='independent'",
        "about": "mean of the binary measure over users whose views of different documents are independent",
    },
    {
        "parameter": "users='comonotone'",
        "about": "over users of whom a strict one is strict with all documents of a topic",
    },
    {
        "parameter": "users=0.3",
        "about": "over users between the two, whose views have this correlation (Gaussian copula)",
    },
    {
        "parameter": "condition_on_relevant=True",
        "about": "without users to whom no judged document is relevant; else they count as 0",
    },
    {"parameter": "sample=1000, seed=0", "about": "how many users are drawn, and how, where the measure is simulated"},
)
PARAMETER_RECORDS: tuple[Record, ...] = (
    {"parameter": "rel=2", "about": "relevant from this level on, for measures that count relevant documents"},
    {"parameter": "judged_only=True", "about": "unjudged documents are taken out of the list first"},
    {"parameter": "dcg='exp-log2'", "about": "nDCG and DCG with exponential gains, 2^level - 1"},
    {
        "parameter": "gains={0: 0, 1: 1, 2: 5}",
        "about": "nDCG and DCG with these gains; a level left out keeps its number",
    },
)


def measure_records() -> list[Record]:
    """A record per family of measures: its name with parameters and depth, what it is, which gains it takes.

    >>> measure_records()[0]["measure"]
    'NumRel[@k]'
    """
    records: list[Record] = []
    for family in FAMILIES.values():
        given = ",".join(
            f"{name}={parameter.default!r}"
            for name, parameter in family.parameters.items()
            if parameter.default and name not in (*GAIN_PARAMETERS, *family.becomes)
        )
        trec = ", ".join(name.format(k="K") for name in (family.trec_whole, family.trec) if name)
        at = "@x" if family.at else _DEPTHS[family.depth]
        records.append(
            {
                "measure": f"{family.name}{f'({given})' if given else ''}{at}",
                "about": family.about,
                "gains": _GAINS[family.needs],
                "classic": family.classic,
                "users": _USERS[family.for_users],
                "trec_eval": trec or None,
            }
        )
    return records


def describe_measures() -> dict[str, Any]:
    """The catalogue as plain data."""
    return {
        "measures": measure_records(),
        "parameters": [dict(record) for record in PARAMETER_RECORDS],
        "users": [dict(record) for record in USER_RECORDS],
        "elsewhere": dict(ELSEWHERE),
    }


def measure_tables() -> list[Table]:
    """The measures, what their names may say about gains and lists, and about users."""
    headings = [(Column(key, heading, lambda cell: str(cell or ""), "left"), key) for key, heading in _HEADINGS.items()]
    parameters = [(Column(key, heading, align="left"), key) for key, heading in _PARAMETERS.items()]
    return [
        tabulate(
            "Measures; gains: prm, binary, linear, exponential, udm, a file, or by hand",
            headings,
            measure_records(),
            name="measures",
        ),
        tabulate("Gains and lists, as in AP(rel=2) or nDCG(dcg='exp-log2')@10", parameters, PARAMETER_RECORDS),
        tabulate(
            "Expected over random users, as in AP(users='independent') or nDCG(users=0.3)@10",
            parameters,
            USER_RECORDS,
            name="users",
        ),
    ]
