"""The families of measures: each with its name, its function or what it is made of, and what it can take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.measures import linear, lists
from gainsayer.measures.expected import exact
from gainsayer.measures.expected.simulated import DEFAULT_SAMPLE
from gainsayer.measures.linear import Linear
from gainsayer.ranking.ranked import FloatArray, RankedLevels

Needs = Literal["probabilities", "binary", "any", "nothing"]
Classic = Literal["binary", "linear", "exponential"]
ForUsers = Literal["plug-in", "exact", "simulated", "no"]


@dataclass(frozen=True, eq=False)
class Parameter:
    """A parameter of a family of measures.

    Args:
        default: its value where none is given.
        words: what it may be, after "must be"; for messages and lists.
        allows: whether it may have this value.
    """

    default: Any
    words: str
    allows: Callable[[Any], bool]


def choice(*names: str) -> Parameter:
    """One of these names; the first by default."""
    return Parameter(names[0], f"{', '.join(names[:-1])} or {names[-1]}", lambda value: value in names)


def number(default: float | None, low: float, high: float, *, ends: bool = False) -> Parameter:
    """A number between two others, which are allowed themselves with `ends`.

    >>> number(0.8, 0, 1).words, number(0.8, 0, 1).allows(1)
    ('a number above 0 and below 1', False)
    """

    def allows(value: Any) -> bool:
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        return plain and (low <= value <= high if ends else low < value < high)

    words = f"from {low:g} to {high:g}" if ends else f"above {low:g}" + (f" and below {high:g}" if high < 1e9 else "")
    return Parameter(default, f"a number {words}", allows)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_level(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, str) and value != "")


YES_OR_NO: Final = Parameter(False, "True or False", lambda value: isinstance(value, bool))
# What counts as relevant for this measure, where it is not what the call says.
REL: Final = Parameter(None, "the lowest relevant level: a whole number, or its name in quotes", _is_level)
# What levels are worth to nDCG and DCG, as ir_measures writes it.
GAIN_PARAMETERS: Final[Mapping[str, Parameter]] = {
    "dcg": choice("log2", "exp-log2"),
    "gains": Parameter(None, "levels and numbers, such as {0: 0, 1: 1, 2: 5}", lambda value: isinstance(value, tuple)),
}
# Parameters of every family whose expected value over random users can be asked for; `check_users` looks at the first.
USER_PARAMETERS: Final[Mapping[str, Parameter]] = {
    "users": Parameter(None, "'independent', 'comonotone' or a correlation", lambda value: True),
    "condition_on_relevant": YES_OR_NO,
    "sample": Parameter(DEFAULT_SAMPLE, "a whole number, at least 2", lambda value: _is_whole(value) and value >= 2),
    "seed": Parameter(0, "a whole number, at least 0", lambda value: _is_whole(value) and value >= 0),
}


@dataclass(frozen=True, eq=False)
class Family:
    """A measure without its parameters.

    A family is computed by a function `score`, or declares with `linear` what it is made of: then its scores, and
    those of many gain vectors at once in intervals, follow from the discount, depth and divisor that it declares.

    Args:
        name: in ir_measures' spelling.
        about: one line for the list of measures.
        score: the function behind it: ranked levels and gains, the depth and its parameters by name.
        needs: what gains it can take: probabilities (numbers between 0 and 1), 0/1 only, any, or none.
        classic: the gains it is computed with where nobody asks for any.
        depth: whether `@k` must, may or cannot be given.
        parameters: its own parameters by name.
        at: the parameter that `@` gives in place of a depth.
        becomes: parameters that make another family of it, and which.
        trec: trec_eval's name, `{k}` standing for the depth; None where it has none.
        trec_whole: trec_eval's name without a depth.
        trec_total: whether trec_eval gives the sum over topics, not the mean.
        linear: what a linear measure is made of, from the depth and the parameters.
        ignores_unjudged: whether unjudged documents have no influence, whatever their gain.
        up_to_one: whether no score exceeds 1 where unjudged documents have no gain.
        for_users: the expected value over random users, `users=`: equal to the `plug-in` value, as the measure is
            linear in relevance; by an `exact` formula; `simulated`; or `no`, there is none.
        independent: the exact expected value for independent users.
    """

    name: str
    about: str
    score: Callable[..., FloatArray] | None = None
    needs: Needs = "probabilities"
    classic: Classic = "binary"
    depth: Literal["must", "may", "no"] = "may"
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    at: str | None = None
    becomes: Mapping[str, str] = field(default_factory=dict)
    trec: str | None = None
    trec_whole: str | None = None
    trec_total: bool = False
    linear: Callable[..., Linear] | None = None
    ignores_unjudged: bool = False
    up_to_one: bool = False
    for_users: ForUsers = "plug-in"
    independent: Callable[..., FloatArray] | None = None

    def __post_init__(self) -> None:
        if (self.score is None) == (self.linear is None):
            raise CallError(f"{self.name} is computed by a function, or declares what it is made of: one of the two.")

    @property
    def all_parameters(self) -> Mapping[str, Parameter]:
        """Its own parameters, and those that all families of its kind have but for those about users."""
        general = {} if self.needs == "nothing" else {"judged_only": YES_OR_NO}
        if self.needs in ("probabilities", "binary"):
            general["rel"] = REL
        return {**self.parameters, **general}

    @property
    def example(self) -> str:
        """A name that can be asked for.

        >>> Family("P", "precision", linear=Linear, depth="must").example
        'P@10'
        """
        return f"{self.name}@0.1" if self.at else f"{self.name}@10" if self.depth == "must" else self.name

    def plug_in(self, ranked: RankedLevels, gains: Gains, **options: Any) -> FloatArray:
        """One number per topic: gains put where the measure has a gain."""
        if self.linear is not None:
            return self.linear(**options).score(ranked, gains)
        assert self.score is not None
        return self.score(ranked, gains, **options)


_BETA: Final = number(1.0, 0, float("inf"))
_TREC: Final = Parameter(9, "9 or 10", (9, 10).__contains__)
_RELATIVE: Final = Parameter(True, "True; without it the measure is SetP", lambda value: value is True)
_DISCOUNTED: Final[Mapping[str, Parameter]] = {"discount": choice("log2", "zipf", "none"), **GAIN_PARAMETERS}

# Scores up to 1. What random users expect of them is the plug-in value, has a formula, or is simulated.
_share = partial(Family, up_to_one=True)
_exact = partial(Family, up_to_one=True, for_users="exact")
_simulated = partial(Family, up_to_one=True, for_users="simulated")

# A table: what the measure is and takes; on a line of their own, its names in trec_eval and what users expect of it.
# fmt: off
_TABLE: Final = (
    Family("NumRel", "relevant documents in the list", linear=linear.discounted_gain,
           trec_whole="num_rel_ret", trec_total=True),
    _share("P", "precision: relevant documents / depth", linear=linear.precision, depth="must",
           trec="P_{k}"),
    _exact("R", "recall: relevant documents / those in the pool", linear=linear.recall,
           trec="recall_{k}", trec_whole="set_recall", independent=exact.expected_recall),
    _exact("F1", "harmonic mean of precision and recall", linear=linear.f1, depth="must",
           independent=exact.expected_f1),
    Family("CG", "sum of gains", None, "any", "linear", linear=linear.discounted_gain),
    Family("DCG", "sum of discounted gains", None, "any", "linear", linear=linear.discounted_gain,
           parameters=_DISCOUNTED),
    _exact("nDCG", "DCG / the best DCG the labels allow", None, "any", "linear", linear=linear.normalised_gain,
           parameters=_DISCOUNTED,
           trec="ndcg_cut_{k}", trec_whole="ndcg", independent=exact.expected_normalised_gain),
    _exact("AP", "average precision", lists.average_precision,
           trec="map_cut_{k}", trec_whole="map", independent=exact.expected_average_precision),
    _share("GAP", "graded average precision", lists.graded_average_precision,
           for_users="no"),
    _exact("Rprec", "precision at R", lists.r_precision, depth="no",
           trec_whole="Rprec", independent=exact.expected_r_precision),
    _simulated("IPrec", "interpolated precision at a recall", lists.interpolated_precision, "binary", depth="no",
               parameters={"recall": number(None, 0, 1, ends=True), "trec": _TREC}, at="recall"),
    _exact("Q", "Q-measure", lists.q_measure, "any", "linear", parameters={"beta": _BETA},
           independent=exact.expected_q_measure),
    _exact("RR", "reciprocal rank of the first relevant document", lists.reciprocal_rank,
           trec_whole="recip_rank", independent=lists.reciprocal_rank),
    _exact("ERR", "expected reciprocal rank", lists.expected_reciprocal_rank, "any", "exponential",
           parameters={"max_rel": number(lists.TOP_OF_THE_WEB_TRACK, 0, 100, ends=True)},
           independent=lists.reciprocal_rank_of_users),
    _exact("Success", "any relevant document?", lists.success, depth="must",
           trec="success_{k}", independent=lists.success),
    _share("RBP", "rank-biased precision", linear=linear.rank_biased_precision, parameters={"p": number(0.8, 0, 1)}),
    Family("gRBP", "rank-biased precision of grades, scaled by topic", None, "any", "linear",
           linear=linear.graded_precision, parameters={"p": number(0.9, 0, 1)},
           trec_whole="rbp", for_users="no"),
    _simulated("Bpref", "binary preference", lists.binary_preference, "binary", depth="no", ignores_unjudged=True,
               trec_whole="bpref"),
    _exact("infAP", "inferred AP", lists.inferred_precision, "binary", depth="no", ignores_unjudged=True,
           trec_whole="infAP", independent=exact.expected_inferred_precision),
    _share("SetP", "precision of the whole list", linear=linear.set_precision, depth="no",
           parameters={"relative": YES_OR_NO}, becomes={"relative": "SetRelP"},
           trec_whole="set_P"),
    _simulated("SetRelP", "SetP / the best a list of its length can have", linear=linear.relative_set_precision,
               depth="no", parameters={"relative": _RELATIVE}, becomes={"relative": "SetRelP"},
               trec_whole="set_relative_P"),
    _simulated("SetF", "mean of precision and recall of the whole list", linear=linear.set_f, depth="no",
               parameters={"beta": _BETA},
               trec_whole="set_F"),
    _simulated("SetAP", "precision x recall of the whole list", lists.set_average_precision, depth="no",
               trec_whole="set_map"),
    Family("NumRet", "documents retrieved", linear.retrieved_count, "nothing", depth="no",
           parameters={"rel": REL}, becomes={"rel": "NumRel"},
           trec_whole="num_ret", trec_total=True, for_users="no"),
    Family("PoolRel", "relevant documents in the pool", linear.relevant_count, depth="no",
           trec_whole="num_rel", trec_total=True),
    Family("Judged", "share of judged documents", linear.judged_share, "nothing",
           for_users="no"),
    Family("Unjudged", "unjudged documents / depth", linear.unjudged_share, "nothing", depth="must",
           trec="unj_{k}", for_users="no"),
)
# fmt: on
FAMILIES: Final[dict[str, Family]] = {family.name: family for family in _TABLE}

# Other spellings, in lower case; those of ir_measures and some that people type.
ALIASES: Final = {
    "map": "AP",
    "mrr": "RR",
    "recall": "R",
    "setr": "R",
    "precision": "P",
    "num_rel": "PoolRel",
    "numrelret": "NumRel",
}

_CASCADE: Final = "RBP(p=0.8) and ERR@20 are measures of users who stop that are computed here"
_INTENTS: Final = "it needs intents: score each as a topic of its own (topics such as 7-1, 7-2), with nDCG@10 or ERR@20"
# Measures of ir_measures that are not computed here, in lower case, and what to use instead.
ELSEWHERE: Final[dict[str, str]] = {
    "numq": "the number of topics is given next to every score",
    "accuracy": "Bpref asks how many documents judged not relevant stand before relevant ones",
    "compat": "RBP(p=0.95) has the same user, who goes on with probability p",
    "sdcg": "DCG@10 is the same but for a constant factor",
    **dict.fromkeys(("bpm", "inst", "insq", "nerr8", "nerr9", "nerr10", "nerr11"), _CASCADE),
    **dict.fromkeys(
        ("err_ia", "nerr_ia", "alpha_dcg", "\u03b1_dcg", "alpha_ndcg", "\u03b1_ndcg", "nrbp", "nnrbp"), _INTENTS
    ),
    **dict.fromkeys(("ap_ia", "map_ia", "p_ia", "strecall"), _INTENTS),
}


def add_family(family: Family) -> None:
    """Make a family of your own known by its name, so that "Name@10" is understood wherever measures are asked for.

    Raises:
        CallError: there is a measure with this name.

    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.measures.linear import Linear
    >>> add_family(Family("Third", "gain at the top, a third", linear=lambda depth=None: Linear(depth=depth)))
    >>> str(parse_measure("Third@1"))
    'Third@1'
    >>> del FAMILIES["Third"]
    """
    known = {*map(str.lower, FAMILIES), *ALIASES, *ELSEWHERE}
    if family.name.lower() in known:
        raise CallError(f"There is a measure {family.name} already. Give yours another name.")
    FAMILIES[family.name] = family
