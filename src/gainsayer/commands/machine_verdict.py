"""The verdict on a machine in words: what its grades tell, whether runs may be ordered by it, whom it favours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gainsayer.machines.verdict import Answer, Order, Test, Verdict
from gainsayer.table import Json, number
from gainsayer.text import option
from gainsayer.words import Sentence, counted, decimal, listed, shortened, spanned

NOT_MEASURED = "Nobody knows what its grades are worth here: no person judged a document."
FEW_LABELS = 100
_SURE = 1.96


@dataclass(frozen=True)
class Line:
    """One line of the verdict.

    Args:
        about: `worth`, `order`, `favour`; `circular` for a run that ranks as the judge does; `scores`.
        answer: `yes`, `no` or `open`; empty for the last two.
        said: what was found.
        advice: what to do.
        aside: for those who know the word, in brackets at the end of what was found.
    """

    about: str
    answer: Answer | str
    said: str
    advice: str = ""
    aside: str = ""

    @property
    def text(self) -> str:
        """What was found, and what to do."""
        said = f"{self.said.removesuffix('.')} ({self.aside})." if self.aside else self.said
        return f"{said} {self.advice}".strip()

    def printed(self) -> str:
        """As it stands in a terminal."""
        return f"{self._head}{self.text}"

    @property
    def sentence(self) -> Sentence:
        """The same for a page, after what it is about and the answer."""
        return Sentence(f"{self._head}{self.said} {self.advice}".strip(), self.said)

    @property
    def _head(self) -> str:
        return f"{self.about.capitalize()}: {self.answer + '. ' if self.answer else ''}"


def name_verdict(verdict: Verdict) -> str:
    """The three answers as one name, for scripts.

    A machine that nobody checked is `not-measured`.
    """
    if not verdict.measured:
        return "not-measured"
    return f"worth-{verdict.worth} order-{verdict.order.answer} favour-{verdict.favour.answer}"


def say_verdict(verdict: Verdict, runs: Sequence[str]) -> list[Line]:
    """The lines of the verdict: three answers, a run that ranks as the judge does, and the numbers of the scores."""
    if not verdict.measured:
        return [Line("worth", "open", NOT_MEASURED, "Have 300 drawn: machine sample.")]
    found = [_say_worth(verdict), _say_order(verdict), *_say_favour(verdict, runs)]
    if verdict.line is not None:
        found.append(_say_scores(verdict))
    return found


def describe_verdict(verdict: Verdict, runs: Sequence[str]) -> dict[str, Json]:
    """The verdict as plain data: the answers as one name, all of it in words, and each answer with its numbers."""
    lines = say_verdict(verdict, runs)
    skill, order, favour, line = verdict.skill, verdict.order, verdict.favour, verdict.line

    def words(about: str) -> str:
        return " ".join(one.text for one in lines if one.about == about)

    return {
        "code": name_verdict(verdict),
        "text": "\n".join(one.printed() for one in lines),
        "measure": f"DCG@{verdict.depth}",
        "worth": {
            "answer": verdict.worth,
            "skill": None if skill is None else number(skill.value),
            "interval": None if skill is None else [number(skill.lower), number(skill.upper)],
            "text": words("worth"),
        },
        "order": {
            "answer": order.answer,
            "wrong": number(order.wrong),
            "interval": [number(order.lower), number(order.upper)],
            "of_100": None if math.isnan(order.lower) else list(of_100(order)),
            "tau": number(order.tau),
            "more_labels": None if order.more is None else _round_up(order.more),
            "text": words("order"),
        },
        "favour": {
            "answer": favour.answer,
            "runs": [_describe_flag(verdict, test, runs) for test in favour.flagged],
            "rank_as_judge": [{"run": runs[run], "own_ndcg": number(verdict.own[run])} for run in verdict.alike],
            "smallest": number(_round_digit(favour.smallest)),
            "text": f"{words('favour')} {words('circular')}".strip(),
        },
        "scores": None
        if line is None
        else {
            "slope": number(line.slope),
            "slope_error": number(line.slope_error),
            "slope_interval": list(map(number, line.slope_interval)),
            "level": number(line.level),
            "reach": number(line.reach),
            "taste": number(line.kappa),
            "taste_interval": [number(line.kappa_lower), number(line.kappa_upper)],
            "runs": len(verdict.kept),
            "text": words("scores"),
        },
    }


def _describe_flag(verdict: Verdict, test: Test, runs: Sequence[str]) -> dict[str, Json]:
    """What is compared: the run's score for people, that by the machine, and what runs with the latter get."""
    run = test.runs[0]
    assert verdict.people is not None
    assert verdict.machine is not None
    people = float(verdict.people[run])
    return {
        "run": runs[run],
        "people": people,
        "machine": float(verdict.machine[run]),
        "equals": people + test.favour,
        "favour": test.favour,
        "own_ndcg": number(verdict.own[run]),
    }


def of_100(order: Order) -> tuple[int, int]:
    """Ends of the share of pairs turned round, of 100, outwards; one and the same wherever they stand."""
    return math.floor(100 * order.lower), max(1, math.ceil(100 * order.upper))


def _say_worth(verdict: Verdict) -> Line:
    skill = verdict.skill
    assert skill is not None
    if verdict.silent:
        return Line("worth", "open", f"Not known: {verdict.silent}.", "Have more documents judged.")
    ends = "" if math.isnan(skill.lower) else f" ({percent(skill.lower)} to {percent(skill.upper)})"
    size = f"{percent(skill.value)}{ends}"
    if verdict.worth == "yes":
        return Line("worth", "yes", f"Its grades take {size} off the error of guessing people's labels.")
    advice = "Scores for people hold, but the machine saves little; try another judge."
    if verdict.worth == "no":
        said = f"Its grades take less than a twentieth off the error of guessing people's labels: {size}."
        return Line("worth", "no", said, advice)
    said = f"Not shown to take a twentieth off the error of guessing people's labels: {size}."
    return Line("worth", "open", said, "To learn more, have more documents judged; scores for people hold in any case.")


def _say_order(verdict: Verdict) -> Line:
    order = verdict.order
    if verdict.why_open:
        advice = "" if verdict.silent else "Rank by scores for people."
        return Line("order", "open", f"Not known: {verdict.why_open}.", advice)
    pairs = "of 100 pairs that people would tell apart"
    if order.answer == "yes":
        most = of_100(order)[1]
        wrong = f"at most {most} come{'s' if most == 1 else ''} out wrong"
        said = f"It puts runs in people's order: {pairs}, {wrong}."
        advice = f"Rank by the best guess of DCG@{verdict.depth}, claim by scores for people."
        return Line("order", "yes", said, advice, f"tau about {order.tau:.2f}")
    low, high = of_100(order)
    if order.answer == "no":
        said = f"It turns round {100 * order.wrong:.0f} {pairs} ({low} to {high})."
        return Line("order", "no", said, "Rank by scores for people.")
    said = f"Not settled: it turns round between {low} and {high} {pairs}."
    if order.few:
        said = "Not settled: hardly any pair of runs is known to be so far apart that people would tell."
    advice = "Rank by scores for people."
    if order.more and verdict.extendable:
        count = _round_up(order.more)
        draw = f"machine sample {option('sample', 'FILE')} {option('more', count)}"
        advice = f"To settle the order takes at least about {counted(count, 'more label')}: {draw}."
    return Line("order", "open", said, advice)


def _say_favour(verdict: Verdict, runs: Sequence[str]) -> list[Line]:
    favour = verdict.favour
    found = [_say_flag(verdict, test, runs) for test in favour.flagged]
    for family in favour.families:
        if family.flagged:
            ways = "favours" if family.favour > 0 else "slights"
            size = f"{decimal(abs(family.favour))} points of DCG@{verdict.depth}"
            said = f"It {ways} the runs of {family.family} by {size} on average."
            found.append(Line("favour", "yes", said, "Rank them by their scores for people."))
    for run in verdict.alike:
        name = shortened(runs[run])
        said = (
            f"{name} ranks as the judge does ({verdict.own[run]:.3f} by its own grades): its machine score is the "
            "judge praising itself."
        )
        found.append(Line("circular", "", said, "" if verdict.silent else f"Rank {name} by its score for people."))
    if favour.answer == "open":
        return [*found, Line("favour", "open", f"Not known: {verdict.why_open or 'too few runs'}.", "")]
    suspected = [test for test in favour.tests if test.named and not test.flagged]
    for test in suspected:
        most = _SURE * test.error
        size = f"{decimal(test.favour)}{spanned(test.favour - most, test.favour + most)} points of DCG@{verdict.depth}"
        said = f"Suspected, and not shown to be favoured: {_name(test, runs)}, by {size}."
        found.append(Line("favour", "no", said))
    if favour.answer == "no":
        highest = sum(1 / math.log2(rank + 1) for rank in range(1, verdict.depth + 1))
        least = f"{_round_digit(favour.smallest):g} point{'' if _round_digit(favour.smallest) == 1 else 's'}"
        said = f"No favourite found. One below {least} of DCG@{verdict.depth} would not have been seen."
        if _round_digit(favour.smallest) > highest:
            said = "No favourite found; with so few labels none would have been."
        ask = f"{option('suspect', 'RUN')} {option('labels', FEW_LABELS)}"
        advice = f"Do you suspect a run? machine sample {option('sample', 'FILE')} {ask}."
        found.insert(0, Line("favour", "no", said, advice if verdict.extendable and not suspected else ""))
    return found


def _say_flag(verdict: Verdict, test: Test, runs: Sequence[str]) -> Line:
    """The three numbers that are compared: people's, the machine's, and what runs with its machine score get."""
    found = _describe_flag(verdict, test, runs)
    name, ways = _name(test, runs), "favours" if test.favour > 0 else "slights"
    people, machine, equals = (decimal(found[key]) for key in ("people", "machine", "equals"))  # type: ignore[arg-type]
    said = (
        f"{name}: {people} for people; runs with its machine score ({machine}) get {equals}. The judge {ways} it by "
        f"{decimal(abs(test.favour))} points of DCG@{verdict.depth}."
    )
    return Line("favour", "yes", said, f"Rank {name} by its score for people; the others stand.")


def _name(test: Test, runs: Sequence[str]) -> str:
    same = " (the same here)" if len(test.runs) > 1 else ""
    return f"{listed([shortened(runs[run]) for run in test.runs])}{same}"


def _say_scores(verdict: Verdict) -> Line:
    line = verdict.line
    assert line is not None
    ways = "high" if line.level > 0 else "low"
    slope = f"{decimal(line.slope)}{spanned(*line.slope_interval)}"
    said = (
        f"One point of its DCG@{verdict.depth} is {slope} points for people, and on average it is "
        f"{decimal(abs(line.level))} too {ways}. After conversion it is good to ±{decimal(line.reach)}."
    )
    return Line("scores", "", said, "Never quote its raw score.")


def percent(share: float) -> str:
    """A share that may be below 0, without a sign where it is 0; far below 0 nobody needs its digits.

    >>> percent(-0.003), percent(-0.12), percent(-10.76)
    ('0%', '-12%', 'under -100%')
    """
    return "under -100%" if share < -1 else f"{round(share, 2) + 0.0:.0%}"


def _round_digit(value: float) -> float:
    """A number rounded up to one digit.

    >>> _round_digit(0.412), _round_digit(1.2)
    (0.5, 2.0)
    """
    if not value > 0 or math.isinf(value):
        return value
    unit = 10.0 ** math.floor(math.log10(value))
    return round(math.ceil(value / unit - 1e-9) * unit, 12)


def _round_up(labels: int) -> int:
    """A number of labels, rounded up to tens or hundreds.

    >>> _round_up(37), _round_up(412)
    (40, 500)
    """
    unit = 10 if labels < 100 else 100
    return -(-labels // unit) * unit
