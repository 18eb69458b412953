"""Findings: what the data cannot carry, said in words and under a stable code.

An error stops; a finding travels with the result and is shown beside it. Scripts may rely on the
codes, readers on the message.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

CODES: Final[dict[str, str]] = {
    "repeats-collapsed": "an assessor gave a document the same level several times; it was counted once",
    "repeats-resolved": "an assessor gave a document several levels; one was kept as asked",
    "repeats-kept": "repeated judgments of one assessor were all kept; they never pair with each other",
    "repeats-as-assessors": "repeated judgments under one name were taken as opinions of different people, as asked",
    "same-assessor": "several files or readings belong to one assessor; they never pair with each other",
    "label-sets-differ": "an assessor never gives labels that others give to the same documents",
    "rare-labels": "labels that hardly anybody gave lie outside everybody else's range; they may be slips",
    "zeros-missing": "no document has the lowest label from all who judged it; the pool may be chosen by labels",
    "labels-missing": "labels declared as 'not judged' were left out",
    "columns-chosen": "several columns of a table could be the same one; which was taken is said",
    "wide-table": "a table without a level column was read as one column of levels per assessor",
    "positives-only": "a table lists relevant documents alone, so nothing is known to be not relevant",
    "entries-skipped": "entries of a JSON document without a judgment (skipped, not rateable) were left out",
    "levels-by-order": "named levels were given to the numeric codes found, in order",
    "intents-expanded": "judgments of no or unmentioned intents were expanded to the lowest level",
    "stratum-without-pairs": "a stratum has no documents judged by both sides, so it has no estimate of its own",
    "pairs-across-teams": "a few pairs between assessors of different teams (fixed pairs) were left out",
    "biased-second-sample": "the share judged twice depends on the first label",
    "uneven-second-sample": "the share judged twice differs a little between the first labels",
    "identical-sides": "the two sides agree on every document, as if one were a copy of the other",
    "units-shrunk": "parameters of single topics were shrunk towards each other, as asked",
    "sides-not-exchangeable": "the two sides use the levels differently",
    "empty-level": "a level has no second opinions",
    "thin-level": "a level has few second opinions",
    "non-monotone": "a higher level has a lower probability",
    "single-topic": "all pairs come from one topic, so no error over topics can be given",
    "sparse-pairs": "pairs of assessors share so few documents that chance is hardly known pair by pair",
    "few-topics": "errors over topics rest on few topics",
    "weights-too-uneven": "pairs weigh so unequally by level that the one-sided estimate was used",
    "few-effective-topics": "topics are so unequal that they are worth fewer than half as many equal ones",
    "empty-interval": "an interval is nearly all that a probability can be, so it says nothing",
    "one-topic-decides": "one topic holds much of what makes an interval wide",
    "few-assessors": "the assessors who stand for users are worth at most three equal ones: intervals are for them",
    "unjudged-documents": "many documents of a run are unjudged, so that their gain is a policy",
    "topics-without-judgments": "a run holds topics that nobody judged; they are left out",
    "single-precision": "scores of a run differ only beyond single precision, which other tools do not see",
    "topics-missing": "a run lacks judged topics; they score 0",
    "topics-without-relevant": "topics without a relevant document were left out of a comparison of gains",
    "selected-by-one-side": "one side's labels chose the documents, which bends the symmetric estimate",
    "different-documents": "the two sides judged different documents of the topics that are scored",
    "undefined-correlation": "a rank correlation is not defined, such as where all runs are tied",
    "strata-pooled": "there are strata, but one estimate for all topics was used",
    "labels-pooled": "the labels of several assessors were put together",
    "few-third-opinions": "what several labels are worth together rests on few documents with a further opinion",
    "third-opinions-chosen": "documents with more than two labels disagree otherwise than those with two",
    "machine-side": "a side of the comparison is a machine, so that nobody's satisfaction is measured",
    "gains-taken-as-given": "the uncertainty of the gains is not in the intervals, which are over topics alone",
    "gains-apart": "the uncertainty of a model's gains comes from its covariance, apart from that of the topics",
    "gains-not-estimated": "no estimate can be had from these double judgments, so the measures have their own gains",
    "gains-held-fixed": "the p-values asked for hold the gains fixed, and decide signs only",
    "gains-from-other-topics": "no scored topic was judged twice, so the gains come from other topics",
    "level-in-one-topic": "a level was judged twice in one topic alone, so its uncertainty is not in the intervals",
    "equal-runs": "runs score the same on every topic; in advice they count as one",
    "winners-curse": "runs are held against the one that happens to score highest",
    "many-runs": "with many runs the simultaneous intervals of differences are approximate",
    "too-few-permutations": "so few permutations cannot make so many pairs significant",
    "study-left-out": "a study of a report could not be done with this data, and was left out",
    "simulated-users": "a value is a mean over simulated users, with an error of its own",
    "heavy-weights": "few of people's labels stand for many documents, or one carries much of a run's variance",
    "ideal-by-machine": "the ideal lists of nDCG are estimated from people's labels and the machine's grades",
    "ideal-moved": "labels move the ideal lists of nDCG far: too few labels for so few relevant documents",
    "no-ndcg-interval": "nDCG from drawn documents has no interval here, and why",
    "few-relevant": "so few of people's labels are relevant that intervals are widened, or may be too narrow",
    "no-error-seen": "people's labels show no error of a run's score, so there is no interval",
    "score-cut": "a score from few labels lay beyond what the measure can give, and was cut",
    "outside-sample": "people judged documents that were not drawn for them; they were left out",
    "design-assumed": "how people's documents were chosen is not known; shares by grade were taken",
    "people-skipped": "people were asked to judge documents that have no judgment",
    "labels-outside-pool": "people judged documents that the machine did not grade; they were left out",
    "unused-level": "no document has this first label, so nothing is planned for it",
    "guessed-parameters": "a plan rests on guesses of p(R|i), as nobody judged such documents twice",
    "assessors-not-counted": "a plan takes the second assessors as many; that they differ is not in its half-widths",
    "pool-too-shallow": "unjudged documents leave a result open by more than second judgments could settle",
    "budget-below-floor": "a budget cannot pay for the fewest judgments that every level needs",
    "guess-unused": "a guess of what a pilot tells was not used",
    "all-judged": "every document has a second judgment already",
    "too-few-seen": "a level's rarer outcome was seen fewer than five times: nothing is foretold for it",
    "topics-decide": "more second judgments would hardly help; more topics would",
    "assessors-decide": "more second judgments would hardly help; more second assessors would",
    "foreign-pilot": "the documents judged twice were not drawn by the plan's keys; they serve for guesses alone",
    "equal-topics-assumed": "a plan from sizes alone takes all topics to be of the same size",
    "outside-plan": "documents were judged a second time that the plan did not ask for; they were left out",
    "batch-unfinished": "judgments of a batch that is not finished in all topics were left out",
    "many-skipped": "more than 5 % of the documents of a level that a plan asked for were not judged",
    "some-skipped": "a few documents that a plan asked for were not judged",
    "pilot-kept": "documents outside the plan were kept, weighed by the share judged of their cell, as asked",
    "widened-for-looks": "intervals were widened so that they hold at every look of a study that stops when it wants",
    "smoothed": "the probabilities were smoothed as asked",
    "zeroed-lowest": "the probability of the lowest level was set to 0 as asked",
}


# What was asked for, holds of every such comparison, or was taken care of: worth a note, not a warning.
NOTES: Final = frozenset(
    (
        *("repeats-collapsed", "repeats-resolved", "repeats-kept", "repeats-as-assessors", "labels-missing"),
        *("columns-chosen", "entries-skipped"),
        *(
            "intents-expanded",
            "units-shrunk",
            "strata-pooled",
            "labels-pooled",
            "winners-curse",
            "many-runs",
            "equal-runs",
            "single-precision",
        ),
        *(
            "some-skipped",
            "pilot-kept",
            "widened-for-looks",
            "smoothed",
            "zeroed-lowest",
            "simulated-users",
            "gains-held-fixed",
        ),
    )
)


@dataclass(frozen=True)
class Finding:
    """One thing a reader of the result should know.

    >>> Finding("thin-level", "Level 'Key' has 12 second opinions.").code
    'thin-level'
    """

    code: str
    message: str

    def __post_init__(self) -> None:
        assert self.code in CODES, self.code


class Noticed(Protocol):
    """A result with findings."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of it should know."""
        ...


def name_findings(strata: Mapping[str, Noticed], known: Collection[Finding]) -> list[Finding]:
    """The findings of strata, each with the name of its stratum, but those that hold of all topics alike."""
    return [
        Finding(found.code, f"Stratum {name}: {found.message}")
        for name, part in strata.items()
        for found in part.findings
        if found not in known
    ]
