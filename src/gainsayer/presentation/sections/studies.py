"""How far the numbers would move: other topics, fewer judgments, better results, the other side's labels."""

from __future__ import annotations

from collections.abc import Sequence

from gainsayer.presentation.content import NamedTable, Section
from gainsayer.presentation.figures.words import counted, name_relevance
from gainsayer.presentation.order_studies import robustness_study_table
from gainsayer.presentation.parameter_studies import amount_study_tables, quality_study_tables, topic_study_tables
from gainsayer.presentation.study_figures import amount_figure, quality_figure, topic_figure
from gainsayer.studies.amount import AmountStudy
from gainsayer.studies.quality import QualityStudy
from gainsayer.studies.robustness import RobustnessStudy
from gainsayer.studies.topics import TopicStudy


def topic_section(study: TopicStudy) -> Section:
    """The bootstrap of topics beside the binomial error."""
    return Section(
        id="topics",
        title="Would other topics give other numbers?",
        paragraphs=(
            f"{counted(study.topics, 'doubly judged topic')} were drawn with replacement {len(study.draws):,} times, "
            f"and p(R|level) estimated each time ({name_relevance(study.relevance)} counting as relevant). The "
            "binomial error takes topics as fixed and judgments as independent; what the topics add stands beside it.",
        ),
        figures=(topic_figure(study),),
        tables=_tables("topics", topic_study_tables(study)),
    )


def amount_section(study: AmountStudy) -> Section:
    """How the estimates settle as double judgments come in."""
    return Section(
        id="amount",
        title="How many double judgments are enough?",
        paragraphs=(
            f"{counted(study.rounds, 'round')} of judging were simulated by drawing double judgments one after another "
            "from those there are. Drawn so they are independent; real ones come in topics, and more topics help more "
            "than more documents of one topic.",
        ),
        figures=(amount_figure(study),),
        tables=_tables("amount", amount_study_tables(study)),
    )


def quality_section(study: QualityStudy) -> Section:
    """Whether documents that runs rank highly have other parameters."""
    return Section(
        id="quality",
        title="Does it depend on how good the judged documents are?",
        paragraphs=(
            f"p(R|level) from the {study.about}, for growing k. Where the curve is not flat, the label is not all that "
            "matters: gains from the whole pool then understate runs that find the better documents of each level.",
        ),
        findings=tuple(finding for finding in study.findings if finding.code == "selected-by-one-side"),
        figures=(quality_figure(study),),
        tables=_tables("quality", quality_study_tables(study)),
    )


def robustness_section(study: RobustnessStudy) -> Section:
    """Whether the order of the runs survives the other side's labels."""
    return Section(
        id="robustness",
        title="Does the order survive another assessor?",
        paragraphs=(
            say_robustness(study),
            "Every run was scored with the first side's labels and with the second's, same gains and topics. Gains "
            "that ignore the labels would survive perfectly: a high tau is no proof that an order is right.",
        ),
        tables=_tables("robustness", [robustness_study_table({None: study})]),
    )


def say_robustness(study: RobustnessStudy) -> str:
    """Tau between the orders by the two sides' labels, per kind of gains."""
    known = [
        f"{row.gains} {row.tau.value:.2f}" for row in study.rows if row.tau is not None and row.tau.value is not None
    ]
    if not known:
        return f"There is no tau between the orders of the {counted(len(study.runs), 'run')} by the two sides' labels."
    return (
        f"Kendall's tau between the orders of the {counted(len(study.runs), 'run')} by the two sides' labels "
        f"({study.measure}): {', '.join(known)}."
    )


def _tables(name: str, tables: Sequence[object]) -> tuple[NamedTable, ...]:
    return tuple(NamedTable(f"{name}-{place}", table) for place, table in enumerate(tables, start=1))  # type: ignore[arg-type]
