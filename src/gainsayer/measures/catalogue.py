"""The catalogue: "nDCG@10" to a measure and back, in the names of ir_measures and of trec_eval."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

import numpy as np

from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.measures import cascade, counting, linear, precision_at_relevant, preference
from gainsayer.measures.expansion import spell_out_unjudged
from gainsayer.measures.profiles import Discount, log_discount, no_discount, zipf_discount
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

Needs = Literal["probabilities", "binary", "any", "nothing"]
Classic = Literal["binary", "linear", "exponential"]
DISCOUNTS: Final[dict[str, Discount]] = {"log2": log_discount, "zipf": zipf_discount, "none": no_discount}
DEEPEST: Final = 1_000_000_000
_SYNTAX: Final = re.compile(r"(?P<name>[A-Za-z]\w*?)(?:\((?P<parameters>.*)\))?(?:@(?P<depth>\d+))?")


@dataclass(frozen=True, eq=False)
class Family:
    """A measure without its parameters.

    Args:
        name: in ir_measures' spelling.
        about: one line for the list of measures.
        score: the function behind it.
        needs: what gains it can take: probabilities (numbers between 0 and 1), 0/1 only, any, or none.
        classic: the gains it is computed with where nobody asks for any.
        depth: whether `@k` must, may or cannot be given.
        parameters: their names and defaults.
        trec: trec_eval's name, `{k}` standing for the depth; None where it has none.
        trec_whole: trec_eval's name without a depth.
        trec_total: whether trec_eval gives the sum over topics, not the mean.
        linear: whether it is a product of level profiles and gains, unjudged documents included.
    """

    name: str
    about: str
    score: Callable[..., FloatArray]
    needs: Needs = "probabilities"
    classic: Classic = "binary"
    depth: Literal["must", "may", "no"] = "may"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    trec: str | None = None
    trec_whole: str | None = None
    trec_total: bool = False
    linear: bool = False


@dataclass(frozen=True)
class Measure:
    """A measure that can be parsed, compared, printed and computed.

    >>> str(parse_measure("nDCG(discount='zipf')@20")), str(parse_measure("ndcg_cut_10"))
    ("nDCG(discount='zipf')@20", 'nDCG@10')
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

    def score(self, ranked: RankedLevels, gains: Gains) -> FloatArray:
        """One number per topic, shape [topics], or [draws, topics] for gains with draws.

        Raises:
            CallError: the measure cannot take such gains.
        """
        self.check(gains)
        options = dict(self.family.parameters) | dict(self.parameters)
        if self.depth is not None:
            options["depth"] = self.depth
        if gains.unjudged != 0 and not self.family.linear and self.family.needs in ("probabilities", "any"):
            ranked = spell_out_unjudged(ranked, self.depth)
        scores = self.family.score(ranked, gains, **options)
        shape = (*gains.values.shape[:-1], len(ranked.topics))
        return scores if scores.shape == shape else np.broadcast_to(scores, shape)

    def check(self, gains: Gains) -> None:
        """Refuse gains that the measure cannot take (CallError)."""
        if self.family.needs == "probabilities" and not gains.probabilities:
            raise CallError(
                f"{self} needs gains between 0 and 1, as it counts relevant documents; {gains.name} gains are "
                f"{np.round(gains.values, 4).tolist()}. Use --gains prm or binary, or a measure such as nDCG@10."
            )
        if self.family.needs == "binary" and not np.all((gains.values == 0) | (gains.values == 1)):
            raise CallError(f"{self} needs 0/1 gains, found {gains.name} gains. Use --gains binary.")


def _discounted(
    name: str, ranked: RankedLevels, gains: Gains, *, discount: str, depth: int | None = None
) -> FloatArray:
    chosen = DISCOUNTS[discount]
    if name == "DCG":
        return linear.discounted_gain(ranked, gains, discount=chosen, depth=depth)
    return linear.normalised_gain(ranked, gains, discount=chosen, depth=depth)


FAMILIES: Final[dict[str, Family]] = {
    family.name: family
    for family in (
        Family(
            "NumRel",
            "relevant documents in the list",
            linear.discounted_gain,
            trec_whole="num_rel_ret",
            trec_total=True,
            linear=True,
        ),
        Family("P", "precision: relevant documents / depth", linear.precision, depth="must", trec="P_{k}", linear=True),
        Family("R", "recall: relevant documents / those in the pool", linear.recall, trec="recall_{k}", linear=True),
        Family("CG", "sum of gains", linear.discounted_gain, "any", "linear", linear=True),
        Family(
            "DCG",
            "sum of discounted gains",
            partial(_discounted, "DCG"),
            "any",
            "linear",
            parameters={"discount": "log2"},
            linear=True,
        ),
        Family(
            "nDCG",
            "DCG / the best DCG the labels allow",
            partial(_discounted, "nDCG"),
            "any",
            "linear",
            parameters={"discount": "log2"},
            trec="ndcg_cut_{k}",
            trec_whole="ndcg",
            linear=True,
        ),
        Family(
            "AP", "average precision", precision_at_relevant.average_precision, trec="map_cut_{k}", trec_whole="map"
        ),
        Family("Rprec", "precision at R", precision_at_relevant.r_precision, depth="no", trec_whole="Rprec"),
        Family("Q", "Q-measure", precision_at_relevant.q_measure, "any", "linear", parameters={"beta": 1.0}),
        Family(
            "RR", "reciprocal rank of the first relevant document", cascade.reciprocal_rank, trec_whole="recip_rank"
        ),
        Family("ERR", "expected reciprocal rank", cascade.expected_reciprocal_rank, "any", "exponential"),
        Family("Success", "any relevant document?", cascade.success, depth="must", trec="success_{k}"),
        Family("RBP", "rank-biased precision", linear.rank_biased_precision, parameters={"p": 0.8}, linear=True),
        Family("Bpref", "binary preference", preference.binary_preference, "binary", depth="no", trec_whole="bpref"),
        Family("infAP", "inferred AP", preference.inferred_precision, "binary", depth="no", trec_whole="infAP"),
        Family(
            "NumRet",
            "documents retrieved",
            counting.retrieved_count,
            "nothing",
            depth="no",
            trec_whole="num_ret",
            trec_total=True,
        ),
        Family(
            "PoolRel",
            "relevant documents in the pool",
            counting.relevant_count,
            depth="no",
            trec_whole="num_rel",
            trec_total=True,
        ),
        Family("Judged", "share of judged documents", counting.judged_share, "nothing"),
        Family(
            "Unjudged", "unjudged documents / depth", counting.unjudged_share, "nothing", depth="must", trec="unj_{k}"
        ),
    )
}
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


def _parse_trec(text: str) -> Measure | None:
    for family in FAMILIES.values():
        if text == family.trec_whole:
            return Measure(family)
        if family.trec is not None:
            match = re.fullmatch(re.escape(family.trec).replace(r"\{k\}", r"([1-9]\d*)"), text)
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
        if not equals or name not in family.parameters:
            known = ", ".join(family.parameters) or "none"
            raise CallError(f"{text!r}: {family.name} has no parameter {name!r}; its parameters: {known}.")
        try:
            parameters[name] = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError):
            parameters[name] = value.strip()
    _check_parameters(text, parameters)
    return tuple((name, value) for name, value in sorted(parameters.items()) if value != family.parameters[name])


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


def _suggest(text: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(text.split("@")[0].split("(")[0], FAMILIES, n=1, cutoff=0.5)
    return f" Did you mean {close[0]}{'@10' if FAMILIES[close[0]].depth == 'must' else ''}?" if close else ""
