"""Who is compared with whom: the two sides of double judgments, as a person names them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from gainsayer.counts.pair_counts import PairCounts, Weighting
from gainsayer.counts.pairing import count_pairs
from gainsayer.counts.strata import split_strata
from gainsayer.errors import DataError, PairingError
from gainsayer.findings import Finding
from gainsayer.judgments.table import Judgments

Pairing: TypeAlias = Literal["auto", "matched", "all"]
Names: TypeAlias = str | Sequence[str] | None
_MATCHED: dict[str, bool | None] = {"auto": None, "matched": True, "all": False}
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class SideChoice:
    """The assessors of the two sides, and how their members pair; see `count_pairs`."""

    first: tuple[str, ...] | None = None
    second: tuple[str, ...] | None = None
    pairing: Pairing = "auto"

    @property
    def matched(self) -> bool | None:
        """Whether the members of the sides pair one by one; None where the data decides."""
        return _MATCHED[self.pairing]

    def count(self, judgments: Judgments, *, weighting: Weighting = "judgment") -> PairCounts:
        """The pairs of these sides."""
        return count_pairs(judgments, first=self.first, second=self.second, matched=self.matched, weighting=weighting)


def choose_side_names(judgments: Judgments, first: Names, second: Names, pairing: Pairing = "auto") -> SideChoice:
    """The sides as named: whole names, or several between commas.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> choose_side_names(twenty_documents(), "U2", None).first
    ('U2',)
    """
    return SideChoice(split_assessors(judgments, first), split_assessors(judgments, second), pairing)


def split_assessors(judgments: Judgments, given: Names) -> tuple[str, ...] | None:
    """Names of assessors: whole ones where there are such, else several between commas; None where none is named."""
    texts = [given] if isinstance(given, str) else list(given or ())
    names = [
        name.strip()
        for text in texts
        for name in ([text] if text in judgments.assessors else text.split(","))
        if name.strip()
    ]
    return tuple(dict.fromkeys(names)) or None


def for_each_stratum(
    judgments: Judgments, measure: Callable[[Judgments], _Result]
) -> tuple[dict[str, _Result], list[Finding]]:
    """What `measure` makes of each stratum; a stratum without pairs is left out with a finding, a fault names it."""
    results: dict[str, _Result] = {}
    findings = []
    for name, part in split_strata(judgments).items():
        try:
            results[name] = measure(part)
        except PairingError:
            text = f"Stratum {name!r} has no document that was judged by both sides; it has no estimate of its own."
            findings.append(Finding("stratum-without-pairs", text))
        except DataError as error:
            raise type(error)(f"Stratum {name!r}: {error}") from error
    return results, findings
