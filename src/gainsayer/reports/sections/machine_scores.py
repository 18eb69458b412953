"""What would people have scored, where a machine graded everything and people a part?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from gainsayer.commands.machine_results import grade_table, say_labels
from gainsayer.commands.machine_scores import RectifiedTable
from gainsayer.commands.machine_verdict import describe_verdict, of_100, percent, say_verdict
from gainsayer.machines.verdict import Verdict as MachineVerdict
from gainsayer.reports.content import KeyNumber, NamedTable, Section, Verdict
from gainsayer.table import Json, number
from gainsayer.words import Sentence, shortened, users

PUBLISH = Sentence(
    "Publish the scores for people, with their intervals; none from the machine alone.", "Publish the scores for people"
)


NO_NDCG = Sentence("Report on DCG, which has intervals here; publish no nDCG without one.", "Report on DCG")
UNSURE = Sentence("Publish none of these scores: they have no interval.", "Publish none of these scores")
MORE = Sentence("Have more documents judged.")


@dataclass(frozen=True, kw_only=True)
class PeopleScore:
    """The highest score for people, and what it rests on.

    Args:
        labels: of people.
        judged: documents that people judged.
        opinions_of: how many people are known by name.
        agreement: how often two of them agree, with its interval; None where unknown.
        documents: that the machine graded.
        labelled_topics: with labels of people.
        topics: that the machine graded.
        best: the run that scores highest.
        others: so many other runs there are.
        close: so many of them are not told apart from it; None where unknown.
        score: of that run, with its interval.
        by_machine: its score by the machine alone; None where that has none.
        too_high_by: how far the machine alone scores runs too high on average; None where it has no scores.
        equivalent: whole topics, and labels in them, from which people alone would say as much; None where unknown.
    """

    labels: int
    judged: int
    opinions_of: int | None
    agreement: tuple[float | None, ...] | None
    documents: int
    labelled_topics: int
    topics: int
    best: str
    others: int
    close: int | None
    score: float
    lower: float | None
    upper: float | None
    by_machine: float | None
    too_high_by: float | None
    equivalent: tuple[int, int] | None


def find_people_score(table: RectifiedTable) -> PeopleScore | None:
    """The highest score for people; None where nobody judged."""
    part, sample = table.parts[0], table.material.sample
    if sample is None or part.scores is None:
        return None
    value, agreed = part.scores.value, table.material.agreement
    best = int(np.argmax(value))
    lower, upper = part.scores.interval(table.confidence)[best].tolist()
    return PeopleScore(
        labels=sample.opinions_count,
        judged=sample.labels,
        opinions_of=sample.people,
        agreement=None if agreed is None else tuple(map(number, (agreed.value, *(agreed.interval or ())))),
        documents=len(table.material.pool.document),
        labelled_topics=sample.seen_topics,
        topics=sample.topics,
        best=table.runs[best],
        others=len(table.runs) - 1,
        close=table.find_close(),
        score=float(value[best]),
        lower=number(lower),
        upper=number(upper),
        by_machine=None if part.raw is None else float(part.raw[best]),
        too_high_by=None if part.raw is None else float((part.raw - value).mean()),
        equivalent=next((table.equivalent(one) for one in part.scores.savings if one.of == "score"), None),
    )


def machine_score_facts(table: RectifiedTable) -> dict[str, Json]:
    """What the sentences about the machine's and people's scores are made of."""
    found = find_people_score(table)
    return {
        "machine": " + ".join(table.material.machines),
        "verdict": _without_words(describe_verdict(table.verdict, table.runs)),
        "measure": str(table.parts[0].measure),
        "confidence": table.confidence,
        "people": None if found is None else asdict(found),
    }


def _without_words(found: dict[str, Json]) -> dict[str, Json]:
    return {
        key: _without_words(part) if isinstance(part, dict) else part for key, part in found.items() if key != "text"
    }


def say_machine_verdict(table: RectifiedTable) -> list[Sentence]:
    """The verdict on the machine, named at its beginning: its grades, its order, its favourites, its scores."""
    name = shortened(" + ".join(table.material.machines))
    found = [line.sentence for line in say_verdict(table.verdict, table.runs)]
    return [Sentence(f"{name} as a judge. {found[0].text}", found[0].strong), *found[1:]]


def machine_score_section(table: RectifiedTable, *, drawn: bool) -> Section:
    """Which run is best for people; what that rests on; all scores, what grades are worth, differences.

    Args:
        table: the scores.
        drawn: whether the figure stands here, and not on the first screen.
    """
    scores = table.parts[0].scores
    grades = []
    if table.material.sample is not None:
        grades = [NamedTable("machine-levels", grade_table(table.material.evidence.prediction).for_page())]
    tables = [NamedTable(f"people-scores-{at}", one.for_page()) for at, one in enumerate(table.tables(), start=1)]
    scale = [line.text for line in say_verdict(table.verdict, table.runs) if line.about == "scores"]
    said = [*say_labels(table.material), *table.say_people(), *scale]
    return Section(
        "machine-scores",
        "What would people have scored?",
        Sentence(_headline(table)),
        tuple(said),
        table.findings,
        (table.figure(),) if drawn and scores is not None else (),
        (*tables, *grades),
        {"machine_scores": machine_score_facts(table)},
    )


def machine_verdict(table: RectifiedTable, facts: Mapping[str, Json]) -> Verdict:
    """The first screen: which run is best for people, how sure that is, and whether runs may be ranked by the machine.

    Groups and places by the machine's grades would be the machine's opinion, so none are shown here; where nobody
    judged, none at all.
    """
    scores = table.parts[0].scores
    empty = scores is None or bool(table.verdict.silent)
    steps = [PUBLISH]
    if scores is None:
        steps = [UNSURE]
    elif not scores.estimate.known.all():
        steps = [UNSURE, MORE] if table.verdict.silent or scores.alone is not None else [NO_NDCG]
    lines = [line for line in say_verdict(table.verdict, table.runs) if line.about != "scores"]
    steps += [Sentence(line.advice) for line in lines if line.advice]
    return Verdict(
        _headline(table),
        tuple(_say_findings(table)),
        numbers=() if empty else _numbers(table),
        steps=tuple(dict.fromkeys(steps)),
        main=() if empty else (table.figure(),),
        facts=facts,
    )


def _headline(table: RectifiedTable) -> str:
    if not table.verdict.measured:
        return "Which run is best for people is not known: no person judged a document."
    best = table.say_best()
    return best[0] if best else f"{shortened(table.runs[0])} has been scored for people."


def _say_findings(table: RectifiedTable) -> list[Sentence]:
    """The three answers, without what to do, which stands among the steps; and what intervals with people are over."""
    name = shortened(" + ".join(table.material.machines))
    asked = {
        "worth": f"Does {name} tell what people say?",
        "order": f"May runs be ranked by {name}?",
        "favour": "Does it favour a run?",
        "circular": "Is a run its own judge?",
    }
    found, seen = [], set()
    for line in say_verdict(table.verdict, table.runs):
        if line.about not in asked:
            continue
        question = "" if line.about in seen else asked[line.about]
        seen.add(line.about)
        answer = f" {line.answer.capitalize()}." if line.answer else ""
        strong = f"{question}{answer}" if question else ""
        found.append(Sentence(f"{strong} {line.said}".strip(), strong))
    return [*found, *map(Sentence, table.say_people())]


def _numbers(table: RectifiedTable) -> tuple[KeyNumber, ...]:
    verdict: MachineVerdict = table.verdict
    sample = table.material.sample
    assert sample is not None
    every = len(table.material.pool.document)
    found = [KeyNumber(f"{sample.labels:,}", f"of {every:,}", "documents that people judged")]
    order, skill = verdict.order, verdict.skill
    if order.wrong == order.wrong:
        what = "pairs of runs that the machine turns round, of 100 that people would tell apart"
        low, high = of_100(order)
        found.append(KeyNumber(users(order.wrong), f"{low} to {high}", what))
    if skill is not None and skill.lower == skill.lower:
        ends = f"{percent(skill.lower)} to {percent(skill.upper)}"
        found.append(KeyNumber(percent(skill.value), ends, "taken off the error of guessing people's labels"))
    return tuple(found)
