"""The families of measures, each with its name, its function or what it is made of, and what it can take."""

from __future__ import annotations

from typing import Final

from gainsayer.errors import CallError
from gainsayer.measures import cascade, linear, precision_at_relevant, preference
from gainsayer.measures.expected import divided, r_precision
from gainsayer.measures.family import GAIN_PARAMETERS, REL, YES_OR_NO, Family, Parameter, choice, number

FAMILIES: Final[dict[str, Family]] = {
    family.name: family
    for family in (
        Family(
            "NumRel",
            "relevant documents in the list",
            linear=linear.discounted_gain,
            trec_whole="num_rel_ret",
            trec_total=True,
        ),
        Family(
            "P",
            "precision: relevant documents / depth",
            linear=linear.precision,
            depth="must",
            trec="P_{k}",
            up_to_one=True,
        ),
        Family(
            "R",
            "recall: relevant documents / those in the pool",
            linear=linear.recall,
            trec="recall_{k}",
            trec_whole="set_recall",
            up_to_one=True,
            for_users="exact",
            independent=divided.expected_recall,
        ),
        Family(
            "F1",
            "harmonic mean of precision and recall",
            linear=linear.f1,
            depth="must",
            up_to_one=True,
            for_users="exact",
            independent=divided.expected_f1,
        ),
        Family("CG", "sum of gains", needs="any", classic="linear", linear=linear.discounted_gain),
        Family(
            "DCG",
            "sum of discounted gains",
            needs="any",
            classic="linear",
            parameters={"discount": choice("log2", "zipf", "none"), **GAIN_PARAMETERS},
            linear=linear.discounted_gain,
        ),
        Family(
            "nDCG",
            "DCG / the best DCG the labels allow",
            needs="any",
            classic="linear",
            parameters={"discount": choice("log2", "zipf", "none"), **GAIN_PARAMETERS},
            trec="ndcg_cut_{k}",
            trec_whole="ndcg",
            linear=linear.normalised_gain,
            up_to_one=True,
            for_users="exact",
            independent=divided.expected_normalised_gain,
        ),
        Family(
            "AP",
            "average precision",
            precision_at_relevant.average_precision,
            trec="map_cut_{k}",
            trec_whole="map",
            up_to_one=True,
            for_users="exact",
            independent=divided.expected_average_precision,
        ),
        Family(
            "GAP",
            "graded average precision",
            precision_at_relevant.graded_average_precision,
            up_to_one=True,
            for_users="no",
        ),
        Family(
            "Rprec",
            "precision at R",
            precision_at_relevant.r_precision,
            depth="no",
            trec_whole="Rprec",
            up_to_one=True,
            for_users="exact",
            independent=r_precision.expected_r_precision,
        ),
        Family(
            "IPrec",
            "interpolated precision at a recall",
            precision_at_relevant.interpolated_precision,
            "binary",
            depth="no",
            parameters={"recall": number(None, 0, 1, ends=True), "trec": Parameter(9, "9 or 10", (9, 10).__contains__)},
            at="recall",
            up_to_one=True,
            for_users="simulated",
        ),
        Family(
            "Q",
            "Q-measure",
            precision_at_relevant.q_measure,
            "any",
            "linear",
            parameters={"beta": number(1.0, 0, float("inf"))},
            up_to_one=True,
            for_users="exact",
            independent=r_precision.expected_q_measure,
        ),
        Family(
            "RR",
            "reciprocal rank of the first relevant document",
            cascade.reciprocal_rank,
            trec_whole="recip_rank",
            up_to_one=True,
            for_users="exact",
            independent=cascade.reciprocal_rank,
        ),
        Family(
            "ERR",
            "expected reciprocal rank",
            cascade.expected_reciprocal_rank,
            "any",
            "exponential",
            parameters={"max_rel": number(cascade.TOP_OF_THE_WEB_TRACK, 0, 100, ends=True)},
            up_to_one=True,
            for_users="exact",
            independent=cascade.reciprocal_rank_of_users,
        ),
        Family(
            "Success",
            "any relevant document?",
            cascade.success,
            depth="must",
            trec="success_{k}",
            up_to_one=True,
            for_users="exact",
            independent=cascade.success,
        ),
        Family(
            "RBP",
            "rank-biased precision",
            parameters={"p": number(0.8, 0, 1)},
            linear=linear.rank_biased_precision,
            up_to_one=True,
        ),
        Family(
            "gRBP",
            "rank-biased precision of grades, scaled by topic",
            needs="any",
            classic="linear",
            parameters={"p": number(0.9, 0, 1)},
            linear=linear.graded_precision,
            trec_whole="rbp",
            for_users="no",
        ),
        Family(
            "Bpref",
            "binary preference",
            preference.binary_preference,
            "binary",
            depth="no",
            trec_whole="bpref",
            ignores_unjudged=True,
            up_to_one=True,
            for_users="simulated",
        ),
        Family(
            "infAP",
            "inferred AP",
            preference.inferred_precision,
            "binary",
            depth="no",
            trec_whole="infAP",
            ignores_unjudged=True,
            up_to_one=True,
            for_users="exact",
            independent=divided.expected_inferred_precision,
        ),
        Family(
            "SetP",
            "precision of the whole list",
            depth="no",
            parameters={"relative": YES_OR_NO},
            becomes={"relative": "SetRelP"},
            trec_whole="set_P",
            linear=linear.set_precision,
            up_to_one=True,
        ),
        Family(
            "SetRelP",
            "SetP / the best a list of its length can have",
            depth="no",
            parameters={
                "relative": Parameter(True, "True; without it the measure is SetP", lambda value: value is True)
            },
            becomes={"relative": "SetRelP"},
            trec_whole="set_relative_P",
            linear=linear.relative_set_precision,
            up_to_one=True,
            for_users="simulated",
        ),
        Family(
            "SetF",
            "mean of precision and recall of the whole list",
            depth="no",
            parameters={"beta": number(1.0, 0, float("inf"))},
            trec_whole="set_F",
            linear=linear.set_f,
            up_to_one=True,
            for_users="simulated",
        ),
        Family(
            "SetAP",
            "precision x recall of the whole list",
            precision_at_relevant.set_average_precision,
            depth="no",
            trec_whole="set_map",
            up_to_one=True,
            for_users="simulated",
        ),
        Family(
            "NumRet",
            "documents retrieved",
            linear.retrieved_count,
            "nothing",
            depth="no",
            parameters={"rel": REL},
            becomes={"rel": "NumRel"},
            trec_whole="num_ret",
            trec_total=True,
            for_users="no",
        ),
        Family(
            "PoolRel",
            "relevant documents in the pool",
            linear.relevant_count,
            depth="no",
            trec_whole="num_rel",
            trec_total=True,
        ),
        Family("Judged", "share of judged documents", linear.judged_share, "nothing", for_users="no"),
        Family(
            "Unjudged",
            "unjudged documents / depth",
            linear.unjudged_share,
            "nothing",
            depth="must",
            trec="unj_{k}",
            for_users="no",
        ),
    )
}

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
    "numq": "the number of topics stands beside every score",
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
