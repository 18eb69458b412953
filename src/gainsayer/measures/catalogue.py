"""The catalogue: "nDCG@10" to a measure and back, in the names of ir_measures and of trec_eval."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import Any, Final

import numpy as np

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains, custom_gains, exponential_gains, linear_gains, pattern_gains
from gainsayer.levels import Levels, Patterns, Relevance, canonical_label
from gainsayer.measures.expected.simulated import UserScores
from gainsayer.measures.expected.users import Users, check_users, score_users
from gainsayer.measures.families import ALIASES, ELSEWHERE, FAMILIES, USER_PARAMETERS, Classic, Family
from gainsayer.measures.linear import Linear
from gainsayer.measures.unjudged import keep_judged, spell_out_unjudged
from gainsayer.ranking.ranked import FloatArray, RankedLevels, cut_lists
from gainsayer.reading.faults import shorten
from gainsayer.text import option

DEEPEST: Final = 1_000_000_000
_LONGEST: Final = 1000
_NUMBER: Final = r"[0-9]+\.?[0-9]*|\.[0-9]+"
_SYNTAX: Final = re.compile(rf"(?P<name>[^\W\d]\w*)\s*(?:\((?P<parameters>.*)\))?\s*(?:@\s*(?P<at>{_NUMBER}))?")
_COMMA: Final = r""",(?=(?:[^'"{}]|'[^']*'|"[^"]*"|\{[^{}]*\})*$)"""
_TREC_RECALL: Final = r"iprec_at_recall_(0\.[0-9]{1,2}|1\.00?|[01])"
_WHOLE: Final = r"[+-]?[0-9]{1,18}"
_DECIMAL: Final = rf"[+-]?({_NUMBER})([eE][+-]?[0-9]+)?"
_WORDS: Final[dict[str, bool | None]] = {"True": True, "False": False, "None": None}
# About gains, which documents count, and users; all other parameters go to the function behind the measure.
_NOT_ITS_OWN: Final = frozenset(("rel", "dcg", "gains", "judged_only", *USER_PARAMETERS))


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

    def __reduce__(self) -> tuple[Callable[[str], Measure], tuple[str]]:
        """By its name: a family holds functions, which cannot be pickled."""
        return parse_measure, (str(self),)

    def __str__(self) -> str:
        at = self.given.get(self.family.at or "", self.depth)
        shown = ",".join(f"{name}={_show(value)}" for name, value in self.parameters if name != self.family.at)
        return f"{self.family.name}{f'({shown})' if shown else ''}{'' if at is None else f'@{at}'}"

    @property
    def given(self) -> dict[str, Any]:
        """The parameters that were given, by name."""
        return dict(self.parameters)

    @property
    def trec_name(self) -> str:
        """trec_eval's name where it has this measure, else our own."""
        if self.family.name == "IPrec" and self.given == {"recall": self.given.get("recall"), "trec": 10}:
            return f"iprec_at_recall_{self.given['recall']:.2f}"
        name = self.family.trec_whole if self.depth is None else self.family.trec
        return str(self) if name is None or self.parameters else name.format(k=self.depth)

    @property
    def users(self) -> Users | None:
        """The random users whose expected value is meant; None for the plug-in measure."""
        users: Users | None = self.given.get("users")
        return users

    @property
    def classic(self) -> Classic:
        """The gains it is computed with where nobody asks for any; users have binary views."""
        if self.given.get("dcg") == "exp-log2":
            return "exponential"
        return self.family.classic if self.users is None else "binary"

    @property
    def linear(self) -> Linear | None:
        """What a measure that is linear in the gains is made of; None for any other.

        An expected ratio is not a ratio of expected values: for random users a measure is linear only where their
        expected value is the plug-in one.

        >>> parse_measure("nDCG@10").linear.depth, parse_measure("AP").linear
        (10, None)
        """
        make = self.family.linear
        if make is None or (self.users is not None and self.family.for_users != "plug-in"):
            return None
        return make(**self._options())

    def relevance(self, levels: Levels) -> Relevance | None:
        """What `rel` takes as relevant: the level with this number (where levels have names, this index) and above.

        >>> parse_measure("P(rel=2)@10").relevance(Levels(("0", "1", "2", "3"))).names
        ('2', '3')
        """
        rel = self.given.get("rel")
        levels = levels.levels if isinstance(levels, Patterns) else levels
        if rel is None:
            return None
        if isinstance(rel, str):
            return levels.at_or_above(rel)
        chosen = np.flatnonzero(levels.values() >= rel)
        if not len(chosen):
            return Relevance("none", (), (False,) * len(levels), None)
        return levels.at_or_above(levels.names[chosen[0]])

    def own_gains(self, levels: Levels) -> Gains | None:
        """The gains that its name says, `dcg='exp-log2'` or `gains={...}`; None where it says none.

        A level that `gains` leaves out is worth its number, as in ir_measures, and none is worth less than 0.

        >>> parse_measure("nDCG(gains={1: 0, 2: 5})@10").own_gains(Levels(("0", "1", "2", "3"))).as_dict()
        {'0': 0.0, '1': 0.0, '2': 5.0, '3': 3.0}
        """
        plain = levels.levels if isinstance(levels, Patterns) else levels
        given = self.given
        if "gains" in given:
            named = {level: gain for level, gain in given["gains"] if level in plain.names}
            whole = linear_gains(plain).as_dict() | named if plain.ordered else named
            worth = {level: max(gain, 0.0) for level, gain in whole.items()}
            return pattern_gains(custom_gains(plain, worth, name=_show(given["gains"])), levels)
        return pattern_gains(exponential_gains(plain), levels) if given.get("dcg") == "exp-log2" else None

    def score(self, ranked: RankedLevels, gains: Gains) -> FloatArray:
        """One number per topic, shape [topics], or [draws, topics] for gains with draws.

        A measure that names its gains is computed with these (`own_gains`), whatever others are given.

        Raises:
            CallError: the measure cannot take such gains.
        """
        if self.users is not None:
            return self.score_users(ranked, gains).values
        gains = self.take_gains(gains)
        self.check(gains)
        return self._score(self.family.plug_in, ranked, gains)

    def score_users(self, ranked: RankedLevels, gains: Gains) -> UserScores:
        """The expected value over the measure's users, with the error that simulated users leave.

        Raises:
            CallError: gains are not probabilities, or the measure has no `users`.
        """
        if self.users is None:
            raise CallError(f"{self} is a plug-in measure. Say which users are meant: users='independent'.")
        options = {name: self.given.get(name, parameter.default) for name, parameter in USER_PARAMETERS.items()}
        gains = self.take_gains(gains)
        if self.family.ignores_unjudged and gains.unjudged:
            gains = replace(gains, unjudged=0.0)
        exact = self.family.independent
        return score_users(
            self.view(ranked),
            gains,
            partial(self._score, self.family.plug_in),
            users=self.users,
            independent=None if exact is None else partial(self._score, exact),
            linear=self.family.for_users == "plug-in",
            condition_on_relevant=options["condition_on_relevant"],
            sample=options["sample"],
            seed=options["seed"],
        )

    def view(self, ranked: RankedLevels) -> RankedLevels:
        """The lists as the measure sees them: without unjudged documents for `judged_only`."""
        return keep_judged(ranked) if self.given.get("judged_only") else ranked

    def take_gains(self, gains: Gains) -> Gains:
        """The gains it is computed with where it is given these: its own, or for `rel` binary ones of its own levels.

        Other gains are taken as they are: what is relevant in p(R|i) is up to whoever estimated it.
        """
        own, relevance = self.own_gains(gains.levels), self.relevance(gains.levels)
        if own is not None:
            return replace(own, values=np.broadcast_to(own.values, gains.values.shape), unjudged=gains.unjudged)
        if relevance is not None and gains.name == "binary" and not isinstance(gains.levels, Patterns):
            return replace(gains, values=np.broadcast_to(relevance.indicator, gains.values.shape))
        return gains

    def check(self, gains: Gains) -> None:
        """Refuse gains that the measure cannot take (CallError)."""
        if self.family.needs == "probabilities" and not gains.probabilities:
            raise CallError(
                f"{self} needs gains between 0 and 1, as it counts relevant documents; {gains.name} gains are "
                f"{np.round(gains.values, 4).tolist()}. Use {option('gains', 'prm', 'binary')}, or a measure such as "
                "nDCG@10."
            )
        if self.family.needs == "binary" and not np.all((gains.values == 0) | (gains.values == 1)):
            if isinstance(gains.levels, Patterns):
                raise CallError(
                    f"{self} needs 0/1 gains, but the mean over a document's labels is a share. Score with the "
                    "majority of the labels or with named assessors' labels, or ask for the expected value: "
                    "users='independent'."
                )
            raise CallError(f"{self} needs 0/1 gains, found {gains.name} gains. Use {option('gains', 'binary')}.")
        if self.family.needs == "binary" and not self.family.ignores_unjudged and gains.unjudged not in (0, 1):
            raise CallError(f"{self} needs 0/1 gains, but an unjudged document is worth {gains.unjudged:g}.")

    def _score(self, score: Callable[..., FloatArray], ranked: RankedLevels, gains: Gains) -> FloatArray:
        ranked, family = self.view(ranked), self.family
        if gains.unjudged != 0 and family.linear is None and not (family.ignores_unjudged or family.needs == "nothing"):
            ranked = spell_out_unjudged(ranked, self.depth)
        elif self.depth is not None and family.linear is None:
            # Below its depth there are zeros to add, which round a sum differently where hits were cut off before.
            ranked = cut_lists(ranked, self.depth)
        scores = score(ranked, gains, **self._options())
        shape = (*gains.values.shape[:-1], len(ranked.topics))
        return scores if scores.shape == shape else np.broadcast_to(scores, shape)

    def _options(self) -> dict[str, Any]:
        """What the function behind the measure takes: its own parameters and the depth."""
        defaults = {name: parameter.default for name, parameter in self.family.parameters.items()}
        own = {name: value for name, value in (defaults | self.given).items() if name not in _NOT_ITS_OWN}
        own = {name: value for name, value in own.items() if name not in self.family.becomes}
        return own if self.depth is None else own | {"depth": self.depth}


def parse_measure(text: str) -> Measure:
    """The measure behind a name: ir_measures' (`nDCG@10`, `AP(rel=2)`) or trec_eval's (`ndcg_cut_10`, `map`).

    Raises:
        CallError: there is no such measure, parameter or depth; the nearest name, or what to use instead, is said.

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
    named = "" if match is None else match["name"].lower()
    if named in ELSEWHERE:
        raise CallError(f"{text!r} is not computed here: {ELSEWHERE[named]}.")
    family = None if match is None else _find(match["name"])
    if match is None or family is None:
        raise CallError(f"There is no measure {text!r}.{_suggest(text)} See `gainsayer measures`.")
    given = _read_parameters(text, match["parameters"])
    at = match["at"] if match["at"] is not None else given.pop(family.at or "cutoff", None)
    given.pop(family.at or "cutoff", None)
    if family.at is not None and at is not None:
        given[family.at] = _parse_value(str(at))
    family, given = _turn(family, given)
    depth = None if family.at is not None else _check_depth(text, family, at)
    return Measure(family, depth, _check_parameters(text, family, given))


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
    given = measure.given | {"users": check_users(users)}
    return replace(measure, parameters=tuple(sorted(given.items())))


def _parse_trec(text: str) -> Measure | None:
    recall = re.fullmatch(_TREC_RECALL, text)
    if recall is not None:
        return Measure(FAMILIES["IPrec"], None, (("recall", float(recall[1])), ("trec", 10)))
    for family in FAMILIES.values():
        if text == family.trec_whole:
            return Measure(family)
        if family.trec is not None:
            depth = text.removeprefix(family.trec.removesuffix("{k}"))
            if depth != text and re.fullmatch("[1-9][0-9]*", depth) and int(depth) <= DEEPEST:
                return Measure(family, int(depth))
    return None


def _find(name: str) -> Family | None:
    names = {known.lower(): family for known, family in FAMILIES.items()}
    lowered = name.lower()
    return FAMILIES.get(name) or names.get(lowered) or FAMILIES.get(ALIASES.get(lowered, ""))


def _check_depth(text: str, family: Family, at: object) -> int | None:
    if at is None:
        if family.depth == "must":
            raise CallError(f"{text!r}: {family.name} needs a depth, e.g. {family.example}.")
        return None
    if family.depth == "no":
        raise CallError(f"{text!r}: {family.name} takes no depth.")
    if not str(at).isdecimal() or int(str(at)) < 1:
        raise CallError(f"{text!r}: {family.name} needs a depth above 0, a whole number.")
    if int(str(at)) > DEEPEST:
        raise CallError(f"{text!r}: the depth may be at most {DEEPEST:,}.")
    return int(str(at))


def _turn(family: Family, given: dict[str, Any]) -> tuple[Family, dict[str, Any]]:
    """The family that parameters make of it: NumRet(rel=1) is NumRel(rel=1), SetP(relative=True) is SetRelP."""
    for name, other in family.becomes.items():
        if given.get(name, False) is not False:
            family = FAMILIES[other]
            return family, {key: value for key, value in given.items() if key != name or name in family.all_parameters}
    return family, given


def _read_parameters(text: str, given: str | None) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    for part in re.split(_COMMA, given or ""):
        name, equals, value = part.partition("=")
        if not part.strip():
            continue
        if not equals:
            raise CallError(f"{text!r}: parameters have names, as in RBP(p=0.8); found {shorten(part.strip())!r}.")
        parameters[name.strip()] = _parse_value(value.strip())
    return parameters


def _parse_value(text: str) -> Any:
    """A number, True, False, None or a map of levels as Python writes them, else text, with or without quotes.

    >>> [_parse_value(text) for text in ("0.8", "1000", "'zipf'", "zipf", "True", "{0: 0, 2: 1.5}")]
    [0.8, 1000, 'zipf', 'zipf', True, (('0', 0), ('2', 1.5))]
    """
    if re.fullmatch(_WHOLE, text):
        return int(text)
    if re.fullmatch(_DECIMAL, text):
        return float(text)
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text.startswith("{") and text.endswith("}"):
        pairs = [part.rpartition(":") for part in re.split(_COMMA, text[1:-1]) if part.strip()]
        worth = {
            canonical_label(str(_parse_value(key.strip()))): _parse_value(value.strip()) for key, _, value in pairs
        }
        numbers = all(isinstance(gain, int | float) and not isinstance(gain, bool) for gain in worth.values())
        return tuple(sorted(worth.items())) if worth and numbers else text
    return _WORDS.get(text, text)


def _show(value: Any) -> str:
    """A value as it is written in a measure's name."""
    if isinstance(value, tuple):
        levels = [(level if re.fullmatch(_WHOLE, level) else repr(level), gain) for level, gain in value]
        return "{" + ",".join(f"{level}:{gain}" for level, gain in levels) + "}"
    return repr(value)


def _check_parameters(text: str, family: Family, given: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The parameters that are not at their defaults, by name; refuses what the family does not have or allow."""
    known = {**family.all_parameters, **({} if family.for_users == "no" else USER_PARAMETERS)}
    for name, value in given.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise CallError(f"{text!r}: {family.name} has no parameter {name!r}; its parameters: {names}.")
        if not known[name].allows(value):
            raise CallError(f"{text!r}: {name} must be {known[name].words}, found {value!r}.")
    if family.at is not None and family.at not in given:
        raise CallError(f"{text!r}: {family.name} needs a {family.at}, e.g. {family.example}.")
    if "gains" in given and given.get("dcg") == "exp-log2":
        raise CallError(f"{text!r}: dcg='exp-log2' and gains= are two kinds of gains. Give one of them.")
    if given.get("users") is not None and any(given.get(name) not in (None, "log2") for name in ("dcg", "gains")):
        raise CallError(f"{text!r}: random users find documents relevant or not, so they have no dcg= or gains=.")
    about_users = [name for name in given if name in USER_PARAMETERS]
    if about_users and "users" not in given:
        raise CallError(f"{text!r}: {about_users[0]} is about random users. Say which: users='independent'.")
    if about_users:
        try:
            given["users"] = check_users(given["users"])
        except CallError as error:
            raise CallError(f"{text!r}: {error}") from None
    return tuple((name, value) for name, value in sorted(given.items()) if value != known[name].default)


def _suggest(text: str) -> str:
    close = get_close_matches(text.split("@")[0].split("(")[0], FAMILIES, n=1, cutoff=0.5)
    return f" Did you mean {FAMILIES[close[0]].example}?" if close else ""
