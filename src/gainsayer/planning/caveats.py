"""What a plan cannot promise, in words: aims out of reach, one assessor, guesses, levels that nobody used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import ndtri

from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.levels import Levels
from gainsayer.planning.allocation import allocate, least_judgments
from gainsayer.planning.components import FEWEST_ASSESSORS
from gainsayer.planning.keys import FloatArray
from gainsayer.planning.levers import Gap
from gainsayer.planning.variance import Prospect
from gainsayer.text import option


def notice_prospect(prospect: Prospect, levels: Levels, gap: Gap | None) -> list[Finding]:
    """What a reader of any plan should know: levels without documents, guesses, assessors, unjudged documents."""
    findings = []
    unused = [name for name, count in zip(levels.names, prospect.documents.tolist(), strict=True) if count == 0]
    if unused:
        said = (
            f"No document has the first label {', '.join(unused)}, so no second judgments are planned for it and its "
            "probability stays unknown."
        )
        findings.append(Finding("unused-level", said))
    known = prospect.components
    guessed = [name for name, source in zip(levels.names, known.source, strict=True) if source == "default"]
    guessed = [name for name in guessed if name not in unused]
    if guessed:
        values = ", ".join(f"{known.probability[levels.index(name)]:.2g} for {name}" for name in guessed)
        said = (
            f"Nothing is known of p(R|{', '.join(guessed)}): the plan takes {values}. A pilot of a hundred second "
            f"judgments, or guesses of your own ({option('guess')}), would make it better."
        )
        findings.append(Finding("guessed-parameters", said))
    if prospect.assessors is None:
        said = (
            "The second assessors are taken as many: that one is stricter than another is not in the half-widths. Say "
            f"how many there will be ({option('assessors')})."
        )
        findings.append(Finding("assessors-not-counted", said))
    elif prospect.assessors < FEWEST_ASSESSORS:
        said = (
            f"{prospect.assessors} second assessors stand for all users. The interval will be one for these "
            "assessors, not for users; from four on it can be one for users."
        )
        findings.append(Finding("few-assessors", said))
    if gap is not None and gap.documents and gap.width > prospect.half_width(prospect.documents):
        said = (
            f"Unjudged documents leave the result open by {gap.width:.3g}, more than all second judgments would: have "
            f"{gap.wanted} judged first."
        )
        findings.append(Finding("pool-too-shallow", said))
    return findings


def below_floor(budget: float, floor: float) -> Finding:
    """The finding for a budget that does not pay for some judgments of every level."""
    said = (
        f"A budget of {budget:,.0f} is below the floor of {floor:,.0f}: every level needs some judgments, or its "
        "probability rests on nothing. The plan has the floor."
    )
    return Finding("budget-below-floor", said)


def what_decides(prospect: Prospect, judge: FloatArray, floor: float) -> Finding:
    """The finding for a plan after which more second judgments would hardly help: topics matter then, or people."""
    found = prospect.variance(judge)
    worst = int(found.total.argmax())
    people = float(found.assessors[worst])
    now = (
        f"After {judge.sum():,.0f} second judgments ±{prospect.half_width(judge):.3g} is left, and ±{floor:.3g} with "
        f"all {prospect.documents.sum():,.0f}:"
    )
    if people > float(found.total[worst] - found.within[worst]) - people:
        said = f"{now} the {prospect.assessors} second assessors decide. More people help, more judgments hardly."
        return Finding("assessors-decide", said)
    said = f"{now} the {prospect.second_topics} topics decide. More topics help, more second judgments hardly."
    return Finding("topics-decide", said)


def out_of_reach(prospect: Prospect, floor: float, within: float) -> DataError:
    """The error for a half-width that no number of second judgments reaches: what is the best, and what would."""
    topics = prospect.topics_needed(within)
    documents = float(prospect.documents.sum())
    more = (
        "no number of topics reaches it: more second assessors would"
        if topics is None
        else f"±{within:.2g} needs about {topics:,} topics"
    )
    return DataError(
        f"Even with all {documents:,.0f} documents judged twice ±{floor:.2g} is the best that {prospect.second_topics} "
        f"topics allow; {more}."
    )


def too_weak(prospect: Prospect, difference: float, power: float) -> DataError:
    """The error for a power that no number of second judgments reaches."""
    documents = prospect.documents
    reached = prospect.power(documents, difference)
    wanted = prospect.quantile + float(ndtri(power))
    found = prospect.variance(documents)
    room = (abs(difference) / wanted) ** 2 - float(found.within[0] + found.assessors[0])
    shared = float(found.total[0] - found.within[0] - found.assessors[0])
    more = (
        "no number of topics would"
        if room <= 0
        else f"about {int(np.ceil(prospect.topics * shared / room)):,} topics would"
    )
    return DataError(
        f"Even with all {documents.sum():,.0f} documents judged twice {prospect.second_topics} topics show a "
        f"difference of {abs(difference):.2g} with a power of {reached:.2f}, not {power:.2g}; {more}."
    )


def one_assessor(prospect: Prospect) -> DataError:
    """No plan for one assessor, but numbers: what one and what four other people would give."""
    lines = []
    for count in (100, 200):
        least = least_judgments(prospect.documents, count)
        judge = allocate(prospect.worth, count, prospect.documents, least)
        one = float(np.sqrt(replace(prospect, assessors=1).variance(judge).total.max()))
        four = replace(prospect, assessors=FEWEST_ASSESSORS).half_width(judge)
        error = four / replace(prospect, assessors=FEWEST_ASSESSORS).quantile
        lines.append(
            f"{judge.sum():,.0f} judgments by one other person: standard error {one:.2g}, and no interval; by four "
            f"other people: {error:.2g}, an interval of ±{four:.2g}"
        )
    return DataError(
        "One second assessor makes no plan (one-assessor): how users differ cannot be seen in one person, and the same "
        f"person judging again only bounds agreement from above. {'; '.join(lines)}."
    )
