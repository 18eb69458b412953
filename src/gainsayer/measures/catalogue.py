"""The catalogue: "nDCG@10" to a measure and back, in the names of ir_measures and of trec_eval."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.levels import Patterns
from gainsayer.lines.faults import shorten
from gainsayer.measures.expansion import spell_out_unjudged
from gainsayer.measures.expected.users import Users, UserScores, check_users, score_users
from gainsayer.measures.families import FAMILIES
from gainsayer.measures.family import DISCOUNTS, USER_PARAMETERS, Classic, Family
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

DEEPEST: Final = 1_000_000_000
_LONGEST: Final = 1000
_SYNTAX: Final = re.compile(r"(?P<name>[A-Za-z]\w*?)(?:\((?P<parameters>.*)\))?(?:@(?P<depth>[0-9]+))?")
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WORDS: Final[dict[str, bool | None]] = {"True": True, "False": False, "None": None}


@dataclass(frozen=True)
class Measure:
    """A measure that can be parsed, compared, printed and computed.

    Without `users` it is the plug-in measure: gains put where the measure has a gain. With `users='independent'`,
    `'comonotone'` (a strict user is strict with every document) or their correlation it is the expected value of the
    binary measure over such users.

    >>> str(parse_measure("nDCG(discount='zipf')@20")), str(parse_measure("ndcg_cut_10"))
    ("nDCG(discount='zipf')@20", 'nDCG@10')
    >>> str(parse_measure("AP(users='independent')")), parse_measure("AP(users=0.3)").users
    ("AP(users='independent')", 0.3)
    """

    family: Family
    depth: int | None = None
    parameters: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        given = ",".join(f"{name}={value!r}" for name, value in self.parameters)
        depth = "" if self.depth is None else f"@{self.depth}"
        return f"{self.family.name}{f'({given})' if given else ''}{depth}"

    @property
    def trec_name(self) -> str:
        """trec_eval's name where it has this measure, else our own."""
        name = self.family.trec_whole if self.depth is None else self.family.trec
        return str(self) if name is None or self.parameters else name.format(k=self.depth)

    @property
    def users(self) -> Users | None:
        """The random users whose expected value is meant; None for the plug-in measure."""
        users: Users | None = dict(self.parameters).get("users")
        return users

    @property
    def classic(self) -> Classic:
        """The gains it is computed with where nobody asks for any; users have binary views."""
        return self.family.classic if self.users is None else "binary"

    def score(self, ranked: RankedLevels, gains: Gains) -> FloatArray:
        """One number per topic, shape [topics], or [draws, topics] for gains with draws.

        Raises:
            CallError: the measure cannot take such gains.
        """
        if self.users is not None:
            return self.score_users(ranked, gains).values
        self.check(gains)
        return self._score(self.family.score, ranked, gains)

    def score_users(self, ranked: RankedLevels, gains: Gains) -> UserScores:
        """The expected value over the measure's users, with the error that simulated users leave.

        Raises:
            CallError: gains are not probabilities, or the measure has no `users`.
        """
        if self.users is None:
            raise CallError(f"{self} is a plug-in measure. Say which users are meant: users='independent'.")
        options = dict(USER_PARAMETERS) | dict(self.parameters)
        if self.family.needs == "binary" and gains.unjudged:
            gains = replace(gains, unjudged=0.0)  # unjudged documents have no influence on bpref and infAP
        exact = self.family.independent
        return score_users(
            ranked,
            gains,
            partial(self._score, self.family.score),
            users=self.users,
            independent=None if exact is None else partial(self._score, exact),
            linear=self.family.for_users == "plug-in",
            condition_on_relevant=options["condition_on_relevant"],
            sample=options["sample"],
            seed=options["seed"],
        )

    def _score(self, score: Callable[..., FloatArray], ranked: RankedLevels, gains: Gains) -> FloatArray:
        given = {name: value for name, value in self.parameters if name not in USER_PARAMETERS}
        options = dict(self.family.parameters) | given
        if self.depth is not None:
            options["depth"] = self.depth
        if gains.unjudged != 0 and not self.family.linear and self.family.needs in ("probabilities", "any"):
            ranked = spell_out_unjudged(ranked, self.depth)
        scores = score(ranked, gains, **options)
        shape = (*gains.values.shape[:-1], len(ranked.topics))
        return scores if scores.shape == shape else np.broadcast_to(scores, shape)

    def check(self, gains: Gains) -> None:
        """Refuse gains that the measure cannot take (CallError)."""
        if self.family.needs == "probabilities" and not gains.probabilities:
            raise CallError(
                f"{self} needs gains between 0 and 1, as it counts relevant documents; {gains.name} gains are "
                f"{np.round(gains.values, 4).tolist()}. Use gains='prm' or 'binary', or a measure such as nDCG@10."
            )
        if self.family.needs == "binary" and not np.all((gains.values == 0) | (gains.values == 1)):
            if isinstance(gains.levels, Patterns):
                raise CallError(
                    f"{self} needs 0/1 gains, but the mean over a document's labels is a share. Score with the "
                    "majority of the labels or with named assessors' labels, or ask for the expected value: "
                    "users='independent'."
                )
            raise CallError(f"{self} needs 0/1 gains, found {gains.name} gains. Use gains='binary'.")


_ALIASES: Final = {
    "map": "AP",
    "mrr": "RR",
    "recall": "R",
    "precision": "P",
    "num_rel": "PoolRel",
    "numrelret": "NumRel",
}


def parse_measure(text: str) -> Measure:
    """The measure behind a name: ir_measures' (`nDCG@10`, `RBP(p=0.8)`) or trec_eval's (`ndcg_cut_10`, `map`).

    Raises:
        CallError: there is no such measure, parameter or depth; the nearest name is suggested.

    >>> parse_measure("P_5").depth, parse_measure("RBP(p=0.5)").parameters
    (5, (('p', 0.5),))
    """
    text = text.strip()
    if len(text) > _LONGEST:
        raise CallError(f"There is no measure with a name of {len(text):,} characters: {shorten(text)}.")
    found = _parse_trec(text)
    if found is not None:
        return found
    match = _SYNTAX.fullmatch(text)
    family = None if match is None else _find(match["name"])
    if match is None or family is None:
        raise CallError(f"There is no measure {text!r}.{_suggest(text)} See `gainsayer measures`.")
    depth = None if match["depth"] is None else int(match["depth"])
    if depth is not None and depth > DEEPEST:
        raise CallError(f"{text!r}: the depth may be at most {DEEPEST:,}.")
    if depth == 0 or (depth is None and family.depth == "must") or (depth is not None and family.depth == "no"):
        what = {"must": f"needs a depth, e.g. {family.name}@10", "no": "takes no depth", "may": "needs a depth above 0"}
        raise CallError(f"{text!r}: {family.name} {what[family.depth]}.")
    return Measure(family, depth, _parse_parameters(text, family, match["parameters"]))


def ask_users(measure: Measure, users: Users) -> Measure | None:
    """The same measure for random users; None where its plug-in value is theirs already, as it is linear in relevance.

    Raises:
        CallError: the measure has no expected value, or there are no such users.

    >>> str(ask_users(parse_measure("nDCG@10"), "comonotone")), ask_users(parse_measure("P@5"), 0.3)
    ("nDCG(users='comonotone')@10", None)
    """
    if measure.family.for_users == "no":
        raise CallError(f"{measure} has no expected value over random users.")
    if measure.family.for_users == "plug-in":
        return None
    given = dict(measure.parameters) | {"users": check_users(users)}
    return replace(measure, parameters=tuple(sorted(given.items())))


def _parse_trec(text: str) -> Measure | None:
    for family in FAMILIES.values():
        if text == family.trec_whole:
            return Measure(family)
        if family.trec is not None:
            match = re.fullmatch(re.escape(family.trec).replace(r"\{k\}", r"([1-9][0-9]*)"), text)
            if match and int(match[1]) <= DEEPEST:
                return Measure(family, int(match[1]))
    return None


def _find(name: str) -> Family | None:
    names = {known.lower(): family for known, family in FAMILIES.items()}
    lowered = name.lower()
    return FAMILIES.get(name) or names.get(lowered) or FAMILIES.get(_ALIASES.get(lowered, ""))


def _parse_parameters(text: str, family: Family, given: str | None) -> tuple[tuple[str, Any], ...]:
    if not given:
        return ()
    parameters: dict[str, Any] = {}
    for part in given.split(","):
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals or name not in family.all_parameters:
            known = ", ".join(family.all_parameters) or "none"
            raise CallError(f"{text!r}: {family.name} has no parameter {name!r}; its parameters: {known}.")
        parameters[name] = _parse_value(value.strip())
    _check_parameters(text, parameters)
    _check_user_parameters(text, parameters)
    defaults = family.all_parameters
    return tuple((name, value) for name, value in sorted(parameters.items()) if value != defaults[name])


def _parse_value(text: str) -> str | float | bool | None:
    """A number, True, False or None as Python writes them, else text, with or without quotes.

    >>> [_parse_value(text) for text in ("0.8", "1000", "'zipf'", "zipf", "True")]
    [0.8, 1000, 'zipf', 'zipf', True]
    """
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return _WORDS.get(text, text)


def _check_parameters(text: str, parameters: Mapping[str, Any]) -> None:
    discount = parameters.get("discount", "log2")
    if not isinstance(discount, str) or discount not in DISCOUNTS:
        raise CallError(f"{text!r}: the discount may be {', '.join(DISCOUNTS)}, found {parameters['discount']!r}.")
    for name, low, high in (("p", 0.0, 1.0), ("beta", 0.0, float("inf"))):
        value = parameters.get(name)
        if name in parameters and (
            isinstance(value, bool) or not isinstance(value, int | float) or not low < value < high
        ):
            raise CallError(f"{text!r}: {name} must be a number above {low:g} and below {high:g}, found {value!r}.")


def _check_user_parameters(text: str, parameters: dict[str, Any]) -> None:
    given = [name for name in parameters if name in USER_PARAMETERS]
    if not given:
        return
    if "users" not in parameters:
        raise CallError(f"{text!r}: {given[0]} is about random users. Say which: users='independent'.")
    try:
        parameters["users"] = check_users(parameters["users"])
    except CallError as error:
        raise CallError(f"{text!r}: {error}") from None
    if not isinstance(parameters.get("condition_on_relevant", False), bool):
        raise CallError(f"{text!r}: condition_on_relevant may be True or False.")
    for name, least in (("sample", 2), ("seed", 0)):
        value = parameters.get(name, least)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise CallError(f"{text!r}: {name} must be a whole number, at least {least}, found {value!r}.")


def _suggest(text: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(text.split("@")[0].split("(")[0], FAMILIES, n=1, cutoff=0.5)
    return f" Did you mean {close[0]}{'@10' if FAMILIES[close[0]].depth == 'must' else ''}?" if close else ""
