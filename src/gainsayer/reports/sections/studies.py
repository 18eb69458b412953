"""Are there enough second judgments, and are highly ranked documents judged alike?"""

from __future__ import annotations

import numpy as np

from gainsayer.commands.study_figures import CLOSE, amount_curve, pick_some, quality_curve
from gainsayer.reports.content import Section
from gainsayer.reports.sections.grades import FEWEST_JUDGMENTS, FEWEST_TOPICS
from gainsayer.studies.parameters import AmountStudy
from gainsayer.studies.quality import QualityStudy
from gainsayer.table import Json
from gainsayer.words import Sentence, shortened, users

FEWEST_STEPS, MOST_STEPS = 2, 8
NOTABLE = 0.1


def amount_section(study: AmountStudy) -> Section | None:
    """From how many second judgments on the worth of grades hardly moves; None where nothing is known."""
    deviation = np.where(np.isfinite(study.deviation), study.deviation, np.inf)
    last = np.where(np.isfinite(study.deviation[-1]), study.deviation[-1], np.nan)
    if not np.isfinite(last).any():
        return None
    settled = [bool((row <= CLOSE).all()) for row in deviation]
    enough = None
    for place in reversed(range(len(study.sizes))):
        if not settled[place]:
            break
        enough = int(study.sizes[place])
    worst = int(np.nanargmax(last))
    name = shortened(study.levels.names[worst])
    facts: dict[str, Json] = {
        "pairs": study.pairs,
        "enough": enough,
        "close": CLOSE,
        "least_known": study.levels.names[worst],
        "least_known_moves": float(last[worst]),
        "rounds": study.rounds,
    }
    if enough is None:
        answer = Sentence(
            f"Not for grade {name}: after all {study.pairs:,} its worth still moves by {users(last[worst])} users of "
            "100 by chance alone.",
            f"Not for grade {name}:",
        )
    elif enough * 2 <= study.pairs:
        answer = Sentence(
            f"More than enough: about {enough:,} would do for these topics; you have {study.pairs:,}.",
            f"about {enough:,}",
        )
    else:
        answer = Sentence(
            f"Just: about {enough:,} are needed for these topics; you have {study.pairs:,}.", f"about {enough:,}"
        )
    return Section(
        "amount",
        "Are there enough second judgments?",
        answer,
        (
            f"Enough is where no grade's worth moves by more than {users(CLOSE)} users of 100 (one standard "
            "deviation). What doubt is left then comes from the topics: second judgments on more topics help more than "
            "more of them on the same ones.",
        ),
        figures=(amount_curve(study, most=MOST_STEPS),),
        facts=facts,
    )


def quality_section(study: QualityStudy, estimator: str) -> Section | None:
    """Whether documents that runs rank highly are worth more; None where no two steps rest on enough judgments."""
    one_sided = estimator == "one-sided" or study.by_labels
    values = study.one_sided if one_sided else study.symmetric
    steps = np.flatnonzero((study.pairs >= FEWEST_JUDGMENTS) & (study.topics >= FEWEST_TOPICS))
    if len(steps) < FEWEST_STEPS:
        return None
    steps = steps[pick_some(len(steps), MOST_STEPS)]
    shown = values[steps]
    levels = [level for level in reversed(range(len(study.levels))) if np.isfinite(shown[[0, -1], level]).all()]
    if not levels:
        return None
    level = max(levels, key=lambda one: abs(shown[0, one] - shown[-1, one]))
    first, last = float(shown[0, level]), float(shown[-1, level])
    name = shortened(study.levels.names[level])
    differs = abs(first - last) >= NOTABLE
    pairs = round(float(study.pairs[steps[0]]))
    facts: dict[str, Json] = {
        "level": study.levels.names[level],
        "among_the_highest": first,
        "among_all": last,
        "judgments_of_the_highest": pairs,
        "step": int(study.steps[steps[0]]),
        "fewest_judgments": FEWEST_JUDGMENTS,
        "fewest_topics": FEWEST_TOPICS,
    }
    answer = (
        f"{'No' if differs else 'Nearly'}: a document graded {name} that runs rank highest is relevant to "
        f"{users(first)} of 100 users ({pairs:,} second judgments), any document graded {name} to {users(last)}."
    )
    higher = (
        "So the scores above are cautious: runs find the better documents of each grade. "
        if differs and first > last
        else ""
    )
    return Section(
        "quality",
        "Are highly ranked documents judged alike?",
        Sentence(answer, f"{users(first)} of 100"),
        (f"{higher}Steps below {FEWEST_JUDGMENTS} second judgments or {FEWEST_TOPICS} topics are left out.",),
        figures=(quality_curve(study, estimators=("one-sided" if one_sided else "symmetric",), chosen=steps.tolist()),),
        facts=facts,
    )
