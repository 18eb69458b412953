"""A machine's grades beside people's: counted by hand, and with known truth."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import gainsayer as gs
from gainsayer.errors import CallError, PairingError
from gainsayer.reading import Judgments
from gainsayer.studies import MachineStudy, judge_worth, study_machine


def _judged(rows: list[tuple[str, str, str, int]]) -> Judgments:
    columns = ("topic", "document", "assessor", "level")
    frame = pl.DataFrame(rows, schema=list(columns), orient="row")
    return gs.read_judgments(frame)


@pytest.fixture
def small() -> Judgments:
    """Two topics; documents with two and three people, one without the machine, one with a single person."""
    rng = np.random.default_rng(8)
    rows = []
    for topic, document in itertools.product(("a", "b", "c"), range(12)):
        people = ("ann", "ben", "cid")[: 2 + document % 2]
        rows += [(topic, f"d{document}", who, int(rng.integers(0, 3))) for who in people]
        rows.append((topic, f"d{document}", "gpt", int(rng.integers(0, 3))))
    rows += [("a", "alone", "ann", 2), ("a", "alone", "gpt", 0), ("a", "people", "ann", 1), ("a", "people", "ben", 2)]
    return _judged(rows)


def test_shares_are_those_counted_one_by_one(small: Judgments) -> None:
    """Each judgment counts once, shared among the other people of the document; documents of too few are left out."""
    study = study_machine(small, "gpt", small.levels.at_or_above("2"))
    frame = small.frame()
    person, machine = np.zeros((3, 3)), np.zeros((3, 3))
    documents = 0
    for _, group in frame.group_by("topic", "document"):
        grades = {row["assessor"]: int(row["level"]) for row in group.to_dicts()}
        people = [name for name in grades if name != "gpt"]
        if "gpt" not in grades or len(people) < 2:
            continue
        documents += 1
        for one, other in itertools.permutations(people, 2):
            person[grades[one], grades[other]] += 1 / (len(people) - 1)
        for one in people:
            machine[grades["gpt"], grades[one]] += 1 / len(people)
    assert study.documents == documents == 36
    for worth, counts in ((study.of_person, person), (study.of_machine, machine)):
        assert worth.probability == pytest.approx(counts[:, 2] / counts.sum(axis=1))
        assert worth.repeats == pytest.approx(np.diag(counts) / counts.sum(axis=1))
        assert worth.judged == pytest.approx(counts.sum(axis=1))
        assert worth.same[0] == pytest.approx(np.trace(counts) / counts.sum())
    assert study.difference == pytest.approx(machine[:, 2] / machine.sum(axis=1) - person[:, 2] / person.sum(axis=1))


def test_people_agree_here_as_they_do_in_agree(small: Judgments) -> None:
    """Where two people judged every document, how often they agree has the value and interval that `agree` gives."""
    frame = small.frame().filter(pl.col("assessor") != "cid")
    three = frame.filter(pl.len().over("topic", "document") == 3)
    study = study_machine(gs.read_judgments(three), "gpt", small.levels.at_or_above("2"))
    people = gs.read_judgments(three.filter(pl.col("assessor") != "gpt"))
    same = gs.agree(people, first="ann", second="ben").agreement.coefficients["percent"]
    assert same.interval is not None
    assert study.of_person.same.tolist() == pytest.approx([same.value, *same.interval])


def _world(seed: int, topics: int, shift: float) -> MachineStudy:
    """Two people and a machine who see a document's worth with errors; the machine is generous by `shift`."""
    rng = np.random.default_rng(seed)
    rows = []
    for topic in range(topics):
        level = rng.normal(0, 0.4)
        for document in range(30):
            worth = rng.normal(level, 1)
            for who, bias in (("ann", 0.0), ("ben", 0.0), ("gpt", shift)):
                rows.append((f"t{topic}", f"d{document}", who, int(worth + rng.normal(bias, 0.7) > 0.5)))
    judgments = _judged(rows)
    return study_machine(judgments, "gpt", judgments.levels.at_or_above("1"))


def test_a_machine_like_a_person_is_worth_the_same_in_the_long_run() -> None:
    """Where the machine is one more person, 95 % intervals hold a difference of 0 in at least 88 of 100 worlds."""
    held = [
        [low <= 0 <= high for low, high in _world(seed, 25, 0.0).difference_interval.tolist()] for seed in range(100)
    ]
    shares = np.mean(held, axis=0)
    assert (shares >= 0.88).all()


def test_a_generous_machine_is_found_out() -> None:
    """A machine that gives the high grade too easily: its high grade is worth less, its low one less, too."""
    study = _world(1, 60, 1.0)
    assert study.verdicts == ("worth less", "worth less")
    assert (study.difference < 0).all()


def test_verdicts_follow_the_interval() -> None:
    """Below, above, across and inside the margin; nothing where nothing is known."""
    assert judge_worth(0.01, 0.2, 0.05) == "worth more"
    assert judge_worth(-0.2, -0.01, 0.05) == "worth less"
    assert judge_worth(-0.2, 0.01, 0.05) == "no difference found"
    assert judge_worth(-0.04, 0.04, 0.05) == "worth the same"
    assert judge_worth(float("nan"), float("nan"), 0.05) == ""


def test_what_cannot_be_compared_is_refused(small: Judgments) -> None:
    """An unknown name is a fault of the call; one person is not enough to know how people agree."""
    relevance = small.levels.at_or_above("2")
    with pytest.raises(CallError, match="There is no assessor 'gpt4'"):
        study_machine(small, "gpt4", relevance)
    with pytest.raises(PairingError, match="judged by gpt and two people"):
        study_machine(small, "gpt", relevance, people=["ann"])
