"""Is a grade from a machine worth what the same grade from a person is?"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from gainsayer.reports.content import KeyNumber, NamedTable, Section
from gainsayer.studies.machine_grades import NO_DIFFERENCE, WORTH_LESS, WORTH_MORE, WORTH_SAME, MachineStudy, Worth
from gainsayer.table import Column, Table, number
from gainsayer.words import Sentence, counted, listed, shortened, signed, sure, user_span, users


@dataclass(frozen=True, kw_only=True)
class MachineGrade:
    """What one grade is worth from a person and from the machine, and the difference; None where nothing is known."""

    name: str
    from_person: float | None
    from_machine: float | None
    difference: float | None
    difference_lower: float | None
    difference_upper: float | None
    verdict: str


@dataclass(frozen=True, kw_only=True)
class MachineVerdict:
    """A machine's grades next to people's: who graded what, how often two agree, and each grade from low to high."""

    machine: str
    people: int
    documents: int
    topics: int
    margin: float
    person_repeated: tuple[float | None, ...]
    machine_repeated: tuple[float | None, ...]
    grades: tuple[MachineGrade, ...]


def decide_machine(study: MachineStudy) -> MachineVerdict:
    """What the sentences about the machine's grades are made of; shares repeated come with their intervals."""
    grades = [
        MachineGrade(
            name=name,
            from_person=number(study.of_person.probability[level]),
            from_machine=number(study.of_machine.probability[level]),
            difference=number(study.difference[level]),
            difference_lower=number(study.difference_interval[level, 0]),
            difference_upper=number(study.difference_interval[level, 1]),
            verdict=study.verdicts[level],
        )
        for level, name in enumerate(study.levels.names)
    ]
    return MachineVerdict(
        machine=study.machine,
        people=len(study.people),
        documents=study.documents,
        topics=study.topics,
        margin=study.margin,
        person_repeated=tuple(map(number, study.of_person.same)),
        machine_repeated=tuple(map(number, study.of_machine.same)),
        grades=tuple(grades),
    )


def say_machine(study: MachineStudy) -> Sentence:
    """The top grade from the machine and from a person."""
    top = next((level for level in reversed(range(len(study.levels))) if study.verdicts[level]), None)
    if top is None:
        return Sentence(f"No grade of {shortened(study.machine)} can be compared with people's.")
    name = shortened(study.levels.names[top])
    return Sentence(
        f"A grade {name} from {shortened(study.machine)} convinces {users(study.of_machine.probability[top])} "
        "of 100 users, "
        f"a grade {name} from a person {users(study.of_person.probability[top])}: {study.verdicts[top]}."
    )


def machine_numbers(study: MachineStudy) -> list[KeyNumber]:
    """Documents of 100 that two people grade the same, and that the machine and a person do."""
    both = (study.of_person, "two people"), (study.of_machine, f"{shortened(study.machine)} and a person")
    return [
        KeyNumber(users(worth.same[0]), user_span(*worth.same[1:]), f"documents of 100 that {who} grade the same")
        for worth, who in both
    ]


def worth_table(study: MachineStudy) -> Table:
    """Users of 100 by grade and by who gave it, highest grade first; and how often a second person repeats it."""
    differences = [
        f"{signed(100 * by, 0)} ({signed(100 * low, 0)} to {signed(100 * high, 0)})" if verdict else ""
        for by, (low, high), verdict in zip(study.difference, study.difference_interval, study.verdicts, strict=True)
    ]
    columns = (
        Column("level", study.levels.names, "Grade"),
        Column("person", _say_worth(study.of_person), "Given by a person"),
        Column("machine", _say_worth(study.of_machine), f"Given by {shortened(study.machine)}"),
        Column("difference", differences, "Difference"),
        Column("verdict", study.verdicts, "Verdict"),
        Column("person_repeats", 100 * study.of_person.repeats, "A person's grade is repeated", 0),
        Column("machine_repeats", 100 * study.of_machine.repeats, "The machine's grade is repeated", 0),
    )
    title = (
        f"Users of 100 who find the document relevant, by who graded it ({sure(study.confidence)} interval in brackets)"
    )
    return Table(title, columns).take(range(len(study.levels))[::-1])


def _say_worth(worth: Worth) -> list[str]:
    return [
        f"{users(share)} ({user_span(*ends)})" for share, ends in zip(worth.probability, worth.interval, strict=True)
    ]


def machine_section(study: MachineStudy) -> Section:
    """People's agreement with people beside people's with the machine."""
    name = shortened(study.machine)
    by = {
        word: [shortened(level) for level, one in zip(study.levels.names, study.verdicts, strict=True) if one == word]
        for word in (WORTH_LESS, WORTH_MORE, NO_DIFFERENCE, WORTH_SAME)
    }
    one = len(by[WORTH_SAME]) == 1
    start = f"Grade{'' if one else 's'} {listed(by[WORTH_SAME])}" if by[WORTH_SAME] else "None for certain"
    said = [
        f"{listed(levels)} {'is' if len(levels) == 1 else 'are'} {word} from {name}"
        for word, levels in by.items()
        if levels and word in (WORTH_LESS, WORTH_MORE)
    ]
    if by[NO_DIFFERENCE]:
        said.append(f"{listed(by[NO_DIFFERENCE])} show{'s' if len(by[NO_DIFFERENCE]) == 1 else ''} no difference")
    same = [
        f"{users(worth.same[0])} of 100 ({user_span(*worth.same[1:])})" for worth in (study.of_person, study.of_machine)
    ]
    widest = [
        f"grade {shortened(level)} {signed(100 * study.difference[at], 0)} "
        f"({signed(100 * study.difference_interval[at, 0], 0)} to {signed(100 * study.difference_interval[at, 1], 0)})"
        for at, level in reversed(list(enumerate(study.levels.names)))
        if study.verdicts[at] == NO_DIFFERENCE
    ]
    doubt = f" No difference found is not the same: {', '.join(widest)} users of 100." if widest else ""
    return Section(
        "machine",
        "Which of the machine's grades are worth the same?",
        Sentence(f"{start}; {'; '.join(said)}." if said else f"{start}.", start),
        (
            f"Two people give the same grade to {same[0]} documents, {name} and a person to {same[1]}. "
            f"Worth the same means that the whole interval lies within {users(study.margin)} users of 100.{doubt}",
            f"From {counted(study.documents, 'document')} on {counted(study.topics, 'topic')} that {name} and at least "
            f"two of {counted(len(study.people), 'person').replace('persons', 'people')} graded. A machine that agrees "
            "with people need not be right for every run: publish no score from the machine alone.",
        ),
        tables=(NamedTable("machine-worth", worth_table(study)),),
        facts={"machine": asdict(decide_machine(study))},
    )
