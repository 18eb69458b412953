"""Whoever stands for the users is said where the number is: people, a machine, or the other assessor."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import gainsayer as gs


def grades(noise: float, seed: int) -> dict[str, dict[str, int]]:
    """Grades from 0 to 2 of thirty topics of twelve documents."""
    rng = np.random.default_rng(seed)
    return {
        f"q{topic:02}": {f"d{n}": int(np.clip(round(n % 3 + rng.normal(0, noise)), 0, 2)) for n in range(12)}
        for topic in range(30)
    }


PEOPLE, MACHINE = ("nist", grades(0.4, 1)), ("gpt", grades(0.4, 2))


@pytest.mark.parametrize(
    ("order", "estimator", "said"),
    [
        ((PEOPLE, MACHINE), "one-sided", r"Gpt finds \d+ of 100 documents relevant that were given the top grade, 2"),
        ((PEOPLE, MACHINE), None, r"The other assessor finds \d+ of 100 documents relevant that were given the top"),
        ((MACHINE, PEOPLE), "one-sided", r"Of 100 users, \d+ find a document relevant that was given the top grade, 2"),
    ],
)
def test_a_page_names_who_finds_documents_relevant(order: tuple, estimator: str | None, said: str) -> None:
    """Of users it speaks only where people gave the second grade."""
    page = gs.report(list(order), machine="gpt", threshold=2, estimator=estimator)
    text = page.to_json() + page.to_html()
    assert re.match(said, page.content.summary[0])
    about_users = "of 100 users" in text.lower() or "users of 100" in text.lower()
    assert about_users == said.startswith("Of 100 users")
    assert json.loads(page.to_json())["sections"]


def test_what_to_do_next_is_at_most_three_steps() -> None:
    """With one machine and people, gaps in the pool and runs that cannot be told apart: three, none twice."""
    runs = {
        name: {topic: {f"d{(n * step) % 14}": 9.0 - n for n in range(9)} for topic in PEOPLE[1]}
        for name, step in (("a", 1), ("b", 3), ("c", 5), ("d", 9))
    }
    third = ("second", grades(0.5, 3))
    for asked in ([PEOPLE], [PEOPLE, third], [PEOPLE, third, MACHINE]):
        for some in (runs, dict(list(runs.items())[:2])):
            page = gs.report(asked, some, "nDCG@5", machine="gpt" if MACHINE in asked else None, threshold=2)
            steps = [step.text for step in page.content.verdict.steps]
            assert 1 <= len(steps) <= 3
            assert len(set(steps)) == len(steps)
