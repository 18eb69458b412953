"""How much do the assessors disagree, and what is each grade worth to a random user?"""

from __future__ import annotations

from gainsayer.disagreement.agreement import Agreement
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.evaluation.parameters import Fit
from gainsayer.presentation.agreement_tables import agreement_figure, agreement_tables
from gainsayer.presentation.content import NamedTable, Section
from gainsayer.presentation.figures import AssessorReliability, as_row
from gainsayer.presentation.figures.figure import Figure
from gainsayer.presentation.figures.words import counted, name_relevance, percent, quoted
from gainsayer.presentation.parameters import fit_tables, parameter_figure
from gainsayer.presentation.plain import number

HEADLINE = "krippendorff_alpha_ordinal"
PLAIN_HEADLINE = "krippendorff_alpha_nominal"
MOST_ASSESSORS = 40


def agreement_section(agreement: Agreement) -> Section:
    """The confusion matrix, how reliable each assessor is, and the coefficients."""
    figures: list[Figure] = [agreement_figure(agreement)]
    reliability = _reliability(agreement)
    if reliability is not None:
        figures.append(reliability)
    tables = agreement_tables(agreement)
    return Section(
        id="agreement",
        title="How much do the assessors disagree?",
        paragraphs=(
            say_agreement(agreement),
            "A label that another assessor would not repeat is no truth about the document. The coefficients put the "
            "agreement beside what chance alone would give; intervals are over topics.",
        ),
        findings=agreement.findings,
        figures=tuple(figures),
        tables=tuple(
            NamedTable(name, table)
            for name, table in zip(("confusion-counts", "coefficients", "assessor-pairs"), tables, strict=False)
        ),
    )


def say_agreement(agreement: Agreement) -> str:
    """The agreement in one sentence."""
    same = agreement.coefficients["percent"].value
    name = HEADLINE if agreement.levels.ordered and HEADLINE in agreement.coefficients else PLAIN_HEADLINE
    alpha = agreement.coefficients[name]
    kind = "ordinal" if name == HEADLINE else "nominal"
    who = "Two assessors of the same document" if agreement.sides is None else "The two sides"
    said = f"{who} gave the same level in {same:.0%} of {counted(agreement.pairs, 'pair')} of judgments"
    if number(alpha.value) is None:
        return f"{said}, on {counted(agreement.topics, 'topic')}."
    ends = f"{alpha.interval[0]:.2f} to {alpha.interval[1]:.2f}; " if alpha.interval is not None else ""
    return (
        f"{said}, on {counted(agreement.topics, 'topic')}; beyond chance that is an agreement of "
        f"{alpha.value:.2f} ({ends}Krippendorff's alpha, {kind}, is 1 for perfect agreement and 0 for chance)."
    )


def parameter_section(fit: Fit) -> Section:
    """p(R|i) at every notion of relevance, with intervals and counts."""
    main = fit.predictions[0]
    how = (
        "both sides' labels together (symmetric, eq. 5)"
        if main.estimator == "symmetric"
        else "the second side's labels given the first's (one-sided, eq. 4)"
    )
    return Section(
        id="parameters",
        title="What is each grade worth to a random user?",
        paragraphs=(
            say_parameters(main),
            f"p(R|level) is the probability that a random user finds a document relevant that an assessor put on this "
            f"level, estimated from {how}. Used as gains, these probabilities make counts, precision and DCG expected "
            "values for a random user, as far as the label is all that matters: good systems tend to find the better "
            "documents of each level, whose users these numbers understate.",
        ),
        findings=fit.findings,
        figures=(parameter_figure(fit.predictions),),
        tables=tuple(NamedTable(f"parameters-{place}", table) for place, table in enumerate(fit_tables(fit), start=1)),
    )


def say_parameters(prediction: PredictedRelevance) -> str:
    """What the highest and the lowest level are worth, in one sentence."""
    levels = prediction.levels
    known = [place for place in range(len(levels)) if number(prediction.probability[place]) is not None]
    if not known:
        return "No level has second opinions, so no probability is known."
    top, low = known[-1], known[0]
    said = (
        f"A document labelled {quoted(levels.names[top])} is {_chance(prediction, top)} to be relevant for a random "
        "user"
    )
    if top == low:
        return f"{said} ({name_relevance(prediction.relevance)} counting as relevant)."
    return (
        f"{said}, one labelled {quoted(levels.names[low])} is {_chance(prediction, low)} "
        f"({name_relevance(prediction.relevance)} counting as relevant)."
    )


def _chance(prediction: PredictedRelevance, level: int) -> str:
    low, high = prediction.interval.ends[level]
    span = f" ({percent(low)} to {percent(high)})" if prediction.interval.methods[level] is not None else ""
    return f"{percent(prediction.probability[level])}{span} likely"


def _reliability(agreement: Agreement) -> AssessorReliability | None:
    """Each assessor's share of pairs with the same level, over all others; with sides, the first side's assessors."""
    pairs = agreement.assessor_pairs if agreement.assessor_pair_count <= 2000 else ()
    names = list(dict.fromkeys(pair.first for pair in pairs))
    if agreement.sides is None:
        names = list(dict.fromkeys([*names, *(pair.second for pair in pairs)]))
    if not 2 <= len(names) <= MOST_ASSESSORS:
        return None
    value, lower, upper, count = [], [], [], []
    for name in names:
        own = [pair for pair in pairs if name in (pair.first, pair.second)]
        total = sum(pair.pairs for pair in own)
        count.append(total)
        value.append(sum(pair.coefficients["percent"].value * pair.pairs for pair in own) / total)
        ends = own[0].coefficients["percent"].interval if len(own) == 1 else None
        lower.append(float("nan") if ends is None else ends[0])
        upper.append(float("nan") if ends is None else ends[1])
    return AssessorReliability(
        "reliability",
        tuple(names),
        "share of pairs with the same level",
        as_row(value),
        as_row(lower),
        as_row(upper),
        tuple(count),
        number(agreement.coefficients["percent"].value),
        agreement.confidence,
    )
