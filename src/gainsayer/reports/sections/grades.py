"""What is each grade worth to a user, and what if users ask for more, or for less?"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from gainsayer.commands.figures.parameter_chart import ParameterChart
from gainsayer.commands.figures.topic_dots import TopicSpread
from gainsayer.commands.fit import Fit
from gainsayer.commands.old_tables import Column, from_rows
from gainsayer.commands.records import Record, number
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.reports.content import KeyNumber, NamedTable, Section
from gainsayer.table import Table
from gainsayer.words import Sentence, counted, name_relevance, shortened, sure, user_span, users

# A number of users is a headline where it rests on so many second judgments and topics.
FEWEST_JUDGMENTS, FEWEST_TOPICS = 100, 20
HARDLY = 0.03
LEAST_BY_TOPIC = 8


def grade_facts(prediction: PredictedRelevance) -> Record:
    """Worth, interval and second judgments of each grade, by its name."""
    facts: Record = {
        "relevant": name_relevance(prediction.relevance),
        "judged_topics": prediction.topics,
        "pairs": prediction.pairs,
    }
    for level, name in enumerate(prediction.levels.names):
        known = prediction.interval.methods[level] is not None
        low, high = prediction.interval.ends[level] if known else (float("nan"), float("nan"))
        facts |= {
            f"worth {name}": number(prediction.probability[level]),
            f"worth {name} from": number(low),
            f"worth {name} to": number(high),
            f"second opinions {name}": number(prediction.judged_count[level], whole=True),
        }
    return facts


def headline_levels(prediction: PredictedRelevance) -> list[int]:
    """The levels whose worth may stand in a headline, the highest first; without an order, the one worth most."""
    if prediction.topics < FEWEST_TOPICS:
        return []
    order = list(reversed(range(len(prediction.levels))))
    if not prediction.levels.ordered:
        order.sort(key=lambda level: -np.nan_to_num(prediction.probability[level]))
    return [
        level
        for level in order
        if prediction.judged_count[level] >= FEWEST_JUDGMENTS and np.isfinite(prediction.probability[level])
    ]


def say_grades(prediction: PredictedRelevance) -> Sentence:
    """What the highest grade is worth, and the one below; or that too little is known."""
    levels, names = headline_levels(prediction), prediction.levels.names
    if not levels:
        return Sentence(
            f"What a grade is worth is known roughly at best: there are {prediction.pairs:,} second judgments on "
            f"{counted(prediction.topics, 'topic')}."
        )
    top, share = levels[0], float(prediction.probability[levels[0]])
    only = "only " if share < 0.495 else ""
    grade = (
        f"the top grade, {shortened(names[top])}"
        if top == len(names) - 1 and prediction.levels.ordered
        else f"the grade {shortened(names[top])}"
    )
    said = f"Of 100 users, {only}{users(share)} find a document relevant that the assessor gave {grade}"
    if len(levels) < 2:
        return Sentence(f"{said}.")
    below, lower = shortened(names[levels[1]]), float(prediction.probability[levels[1]])
    gap = round(100 * share) - round(100 * lower)
    if abs(share - lower) < HARDLY or not gap:
        return Sentence(
            f"{said}; a document graded {below} is worth hardly {'less' if gap >= 0 else 'more'}, {users(lower)}."
        )
    return Sentence(
        f"{said}; a document graded {below} is worth {abs(gap)} {'less' if gap > 0 else 'more'}, {users(lower)}."
    )


def grade_number(prediction: PredictedRelevance) -> KeyNumber | None:
    """Users of 100 who find the top grade relevant, where enough is known of it."""
    levels = headline_levels(prediction)
    if not levels:
        return None
    low, high = prediction.interval.ends[levels[0]]
    return KeyNumber(
        users(prediction.probability[levels[0]]),
        user_span(low, high),
        f"users of 100 who find a grade {shortened(prediction.levels.names[levels[0]])} relevant",
    )


def grade_section(fit: Fit, *, drawn: bool = False) -> Section:
    """The worth of each grade, by what users are content with; and whether each grade is worth more than the next."""
    main = fit.predictions[0]
    names = main.levels.names
    facts = grade_facts(main)
    steps, about = _steps(main)
    for place, prediction in enumerate(fit.predictions[1:], start=2):
        facts |= {f"{place} {key}": value for key, value in grade_facts(prediction).items()}
    known = [level for level in reversed(range(len(names))) if np.isfinite(main.probability[level])]
    worth = [f"{users(main.probability[level])} graded {shortened(names[level])}" for level in known]
    answer = f"Of 100 users {worth[0]}" if worth else "Nobody knows: no grade has second judgments."
    if worth:
        first = worth[0].replace(" graded", " find a document relevant that was graded")
        answer = f"Of 100 users {', '.join([first, *worth[1:]])}."
    return Section(
        "grades",
        "What is each grade worth?",
        Sentence(answer, users(main.probability[known[0]]) if known else ""),
        (
            f"Relevant means that the user would give {name_relevance(main.relevance)}. "
            f"From {main.pairs:,} second judgments on {counted(main.topics, 'topic')}.",
            *steps,
        ),
        figures=(ParameterChart.of([main], id="grades"),) if drawn else (),
        tables=(NamedTable("grade-worth", worth_table(fit)),),
        facts=facts | about,
    )


def worth_table(fit: Fit) -> Table:
    """Users of 100 by grade, a row per notion of relevance; of the first one the intervals, too."""
    names = fit.predictions[0].levels.names
    columns = (
        Column("relevant", "Users are content with", align="left"),
        *(Column(name, f"Grade {name}", lambda cell: str(cell or "-")) for name in names),
    )
    rows = tuple(
        (
            name_relevance(prediction.relevance),
            *(
                None
                if number(prediction.probability[level]) is None
                else f"{users(prediction.probability[level])}"
                + (f" ({user_span(*prediction.interval.ends[level])})" if prediction.interval.methods[level] else "")
                for level in range(len(names))
            ),
        )
        for prediction in fit.predictions
    )
    confidence = f"{sure(fit.predictions[0].confidence)} interval"
    return from_rows(
        f"Users of 100 who find the document relevant, by its grade ({confidence} in brackets)", columns, rows
    )


def _steps(prediction: PredictedRelevance) -> tuple[list[str], Record]:
    """Whether each grade is worth more than the one below, by the covariance over topics."""
    names, said = prediction.levels.names, list[str]()
    facts: Record = {}
    if prediction.topics < 2 or not prediction.levels.ordered:
        return [], {}
    reach = float(stdtrit(prediction.topics - 1, (1 + prediction.confidence) / 2))
    alike = []
    for high in reversed(range(1, len(names))):
        low = high - 1
        cells = prediction.covariance[np.ix_([low, high], [low, high])]
        variance = float(cells[0, 0] + cells[1, 1] - 2 * cells[0, 1])
        gap = float(prediction.probability[high] - prediction.probability[low])
        if not np.isfinite([variance, gap]).all() or variance < 0:
            continue
        half = reach * variance**0.5
        key = f"{names[high]} over {names[low]}"
        facts |= {key: gap, f"{key} from": gap - half, f"{key} to": gap + half}
        a, b = shortened(names[high]), shortened(names[low])
        ends = f"{_more(gap - half)} to {_more(gap + half)}"
        if gap - half > 0:
            said.append(f"{a} is worth {abs(round(100 * gap))} more users of 100 than {b} ({ends}).")
        else:
            said.append(f"That {a} is worth more than {b} is not shown: {_more(gap)}, anywhere from {ends}.")
            alike.append(f"{b} and {a}")
    if alike:
        said.append(f"If you want fewer grades, join {alike[0]}.")
    return [" ".join(said)] if said else [], facts


def _more(gap: float) -> str:
    users_more = round(100 * gap)
    return "none" if not users_more else f"{abs(users_more)} {'more' if users_more > 0 else 'fewer'}"


def topic_section(fit: Fit) -> Section | None:
    """How far the top grade's worth differs between topics; None where too few topics say something."""
    main = fit.predictions[0]
    pairs = fit.disagreement.pairs
    relevant = pairs @ main.relevance.indicator
    judged = pairs.sum(axis=2)
    for level in reversed(range(len(main.levels))):
        chosen = np.flatnonzero(judged[:, level] >= LEAST_BY_TOPIC)
        if len(chosen) >= 5:
            break
    else:
        return None
    figure = TopicSpread(
        "by-topic",
        main.levels.names[level],
        tuple(fit.disagreement.counts.topics[at] for at in chosen),
        tuple((relevant[chosen, level] / judged[chosen, level]).tolist()),
        tuple(judged[chosen, level].tolist()),
        LEAST_BY_TOPIC,
    )
    low, high = min(figure.share), max(figure.share)
    wide = high - low >= 0.3
    return Section(
        "topics",
        "Do topics differ in what a grade is worth?",
        Sentence(
            f"{'Much' if wide else 'Little'}: by topic, between {users(low)} and {users(high)} of 100 users find a "
            f"document relevant that was graded {shortened(figure.level)}.",
            f"between {users(low)} and {users(high)}",
        ),
        ("That is why the intervals are over topics: more documents of the same topics would not shorten them much.",)
        if wide
        else (),
        figures=(figure,),
        facts={"lowest": low, "highest": high, "topics": len(chosen), "least": LEAST_BY_TOPIC},
    )
