"""The families of measures, each with its name, its function, and what it can take."""

from __future__ import annotations

from functools import partial
from typing import Final

from gainsayer.gains.values import Gains
from gainsayer.measures import cascade, counting, linear, precision_at_relevant, preference
from gainsayer.measures.expected import divided, normalised, r_precision
from gainsayer.measures.family import DISCOUNTS, Family
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels


def _discounted(
    name: str, ranked: RankedLevels, gains: Gains, *, discount: str, depth: int | None = None
) -> FloatArray:
    chosen = DISCOUNTS[discount]
    if name == "DCG":
        return linear.discounted_gain(ranked, gains, discount=chosen, depth=depth)
    if name == "E[nDCG]":
        return normalised.expected_normalised_gain(ranked, gains, discount=chosen, depth=depth)
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
        Family(
            "R",
            "recall: relevant documents / those in the pool",
            linear.recall,
            trec="recall_{k}",
            linear=True,
            for_users="exact",
            independent=divided.expected_recall,
        ),
        Family(
            "F1",
            "harmonic mean of precision and recall",
            linear.f1,
            depth="must",
            linear=True,
            for_users="exact",
            independent=divided.expected_f1,
        ),
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
            for_users="exact",
            independent=partial(_discounted, "E[nDCG]"),
        ),
        Family(
            "AP",
            "average precision",
            precision_at_relevant.average_precision,
            trec="map_cut_{k}",
            trec_whole="map",
            for_users="exact",
            independent=divided.expected_average_precision,
        ),
        Family(
            "GAP",
            "graded average precision",
            precision_at_relevant.graded_average_precision,
            for_users="no",
        ),
        Family(
            "Rprec",
            "precision at R",
            precision_at_relevant.r_precision,
            depth="no",
            trec_whole="Rprec",
            for_users="exact",
            independent=r_precision.expected_r_precision,
        ),
        Family(
            "Q",
            "Q-measure",
            precision_at_relevant.q_measure,
            "any",
            "linear",
            parameters={"beta": 1.0},
            for_users="exact",
            independent=r_precision.expected_q_measure,
        ),
        Family(
            "RR",
            "reciprocal rank of the first relevant document",
            cascade.reciprocal_rank,
            trec_whole="recip_rank",
            for_users="exact",
            independent=cascade.reciprocal_rank,
        ),
        Family(
            "ERR",
            "expected reciprocal rank",
            cascade.expected_reciprocal_rank,
            "any",
            "exponential",
            for_users="exact",
            independent=cascade.reciprocal_rank,
        ),
        Family(
            "Success",
            "any relevant document?",
            cascade.success,
            depth="must",
            trec="success_{k}",
            for_users="exact",
            independent=cascade.success,
        ),
        Family("RBP", "rank-biased precision", linear.rank_biased_precision, parameters={"p": 0.8}, linear=True),
        Family(
            "Bpref",
            "binary preference",
            preference.binary_preference,
            "binary",
            depth="no",
            trec_whole="bpref",
            for_users="simulated",
        ),
        Family(
            "infAP",
            "inferred AP",
            preference.inferred_precision,
            "binary",
            depth="no",
            trec_whole="infAP",
            for_users="exact",
            independent=divided.expected_inferred_precision,
        ),
        Family(
            "NumRet",
            "documents retrieved",
            counting.retrieved_count,
            "nothing",
            depth="no",
            trec_whole="num_ret",
            trec_total=True,
            for_users="no",
        ),
        Family(
            "PoolRel",
            "relevant documents in the pool",
            counting.relevant_count,
            depth="no",
            trec_whole="num_rel",
            trec_total=True,
        ),
        Family("Judged", "share of judged documents", counting.judged_share, "nothing", for_users="no"),
        Family(
            "Unjudged",
            "unjudged documents / depth",
            counting.unjudged_share,
            "nothing",
            depth="must",
            trec="unj_{k}",
            for_users="no",
        ),
    )
}
