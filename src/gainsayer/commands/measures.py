"""`measures`: the list of measures, and what their names may say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from gainsayer.measures.families import ELSEWHERE, FAMILIES, GAIN_PARAMETERS, Family
from gainsayer.result import Result
from gainsayer.table import Column, Json, Table
from gainsayer.words import counted

_USERS: Final = {"plug-in": "same", "exact": "exact", "simulated": "simulated", "no": None}
_GAINS: Final = {"probabilities": "0 to 1", "binary": "0 or 1", "any": "any", "nothing": "none"}
_DEPTHS: Final = {"must": "@k", "may": "[@k]", "no": ""}
_USER_PARAMETERS: Final = {
    "none": "plug-in: gains are put where the measure has a gain",
    "users='independent'": "mean of the binary measure over users whose views of different documents are independent",
    "users='comonotone'": "over users of whom a strict one is strict with all documents of a topic",
    "users=0.3": "over users between the two, whose views have this correlation (Gaussian copula)",
    "condition_on_relevant=True": "without users to whom no judged document is relevant; else they count as 0",
    "sample=1000, seed=0": "how many users are drawn, and how, where the measure is simulated",
}
_PARAMETERS: Final = {
    "rel=2": "relevant from this level on, for measures that count relevant documents",
    "judged_only=True": "unjudged documents are taken out of the list first",
    "dcg='exp-log2'": "nDCG and DCG with exponential gains, 2^level - 1",
    "gains={0: 0, 1: 1, 2: 5}": "nDCG and DCG with these gains; a level left out keeps its number",
}


@dataclass(frozen=True, eq=False, repr=False)
class MeasureList(Result):
    """The families of measures: their names with parameters and depth, what they are, which gains they take.

    >>> MeasureList().to_polars()["measure"][0]
    'NumRel[@k]'
    """

    names: tuple[str, ...] = field(default_factory=lambda: tuple(FAMILIES))

    @property
    def families(self) -> list[Family]:
        """What is known of each."""
        return [FAMILIES[name] for name in self.names]

    def about(self) -> str:
        """How many there are."""
        return counted(len(self.families), "measure")

    def tables(self) -> list[Table]:
        """The measures, what their names may say about gains and lists, and about users."""
        return [
            self._measure_table(),
            _parameter_table("Gains and lists, as in AP(rel=2) or nDCG(dcg='exp-log2')@10", _PARAMETERS, "parameters"),
            _parameter_table(
                "Expected over random users, as in AP(users='independent') or nDCG(users=0.3)@10",
                _USER_PARAMETERS,
                "users",
            ),
        ]

    def document(self) -> dict[str, Json]:
        """The same as plain data, and what to use for measures that other tools have."""
        measures, parameters, users = (table.records() for table in self.tables())
        return {"measures": measures, "parameters": parameters, "users": users, "elsewhere": dict(ELSEWHERE)}

    def _measure_table(self) -> Table:
        columns = (
            Column("measure", [_name(family) for family in self.families], "measure"),
            Column("about", [family.about for family in self.families], "what it is", narrow="wrap"),
            Column("gains", [_GAINS[family.needs] for family in self.families], "gains"),
            Column("classic", [family.classic for family in self.families], "with no model", missing=""),
            Column("users", [_USERS[family.for_users] for family in self.families], "users=", missing=""),
            Column("trec_eval", [_name_of_trec(family) for family in self.families], "trec_eval", missing=""),
        )
        return Table("Measures; gains: prm, binary, linear, exponential, udm, a file, or by hand", columns, "measures")


def _parameter_table(title: str, parameters: dict[str, str], name: str) -> Table:
    columns = (
        Column("parameter", list(parameters), "parameter"),
        Column("about", list(parameters.values()), "what it is", narrow="wrap"),
    )
    return Table(title, columns, name)


def _name(family: Family) -> str:
    """The name with its parameters and how the depth is given."""
    given = ",".join(
        f"{name}={parameter.default!r}"
        for name, parameter in family.parameters.items()
        if parameter.default and name not in (*GAIN_PARAMETERS, *family.becomes)
    )
    return f"{family.name}{f'({given})' if given else ''}{'@x' if family.at else _DEPTHS[family.depth]}"


def _name_of_trec(family: Family) -> str | None:
    """What trec_eval calls it."""
    return ", ".join(name.format(k="K") for name in (family.trec_whole, family.trec) if name) or None
