"""Whom an interval is for: users, where enough people stand for them, or only these assessors; and what is counted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

import gainsayer as gs

Make = Callable[..., gs.Judgments]
Run = Callable[..., Result]
LEVELS = gs.Levels(("0", "1"))


def rows_of(
    first: Sequence[str], second: Sequence[str], *, topics: int = 12, recurring: bool = True
) -> list[tuple[str, str, str, str]]:
    """Ten documents a topic, each judged by one of the first and one of the second; nobody comes again unless asked."""
    rng = np.random.default_rng(len(first) * 10 + len(second))
    rows = []
    for topic in range(topics):
        for document in range(10):
            for names in (first, second):
                name = names[topic % len(names)] if recurring else f"{names[0]}{topic}"
                rows.append((f"q{topic:02}", f"d{document}", name, str(rng.integers(2))))
    return rows


def fit(judgments: gs.Judgments, estimator: str | None = None, **options: str) -> gs.model.PredictedRelevance:
    """The prediction for two sides, those whose names begin with A first."""
    first = [name for name in judgments.assessors if name.startswith("A")]
    counts = gs.count_pairs(judgments, first=first, matched=False)
    return gs.predict_relevance(
        gs.estimate_disagreement(counts, estimator=estimator),  # type: ignore[arg-type]
        **options,  # type: ignore[arg-type]
    )


def codes(prediction: gs.model.PredictedRelevance) -> list[str]:
    """The codes of what was found."""
    return [finding.code for finding in prediction.findings]


@pytest.mark.parametrize(
    ("first", "second", "estimator", "people", "kind"),
    [
        (1, 4, "one-sided", (4,), "people"),
        (1, 3, "one-sided", (3,), "few"),
        (5, 1, "one-sided", (1,), "one"),
        (4, 4, "symmetric", (4, 4), "people"),
        (4, 2, "symmetric", (4, 2), "few"),
        (1, 6, "symmetric", (1, 6), "one"),
        (1, 1, "symmetric", (1, 1), "one"),
    ],
)
def test_people_who_stand_for_users_decide_what_the_interval_is_over(
    judge: Make, first: int, second: int, estimator: str, people: tuple[int, ...], kind: str
) -> None:
    """Four or more on each side that stands for users: over people; two or three: a warning; one name: a note."""
    judgments = judge(rows_of([f"A{x}" for x in range(first)], [f"U{x}" for x in range(second)]), levels=LEVELS)
    found = fit(judgments, estimator)
    assert found.people == people
    assert ("few-assessors" in codes(found)) == (kind == "few")
    topics = fit(judgments, estimator, interval="topics")
    if kind == "people":
        assert set(found.interval.methods) == {"larger of the jackknives over topics and over people, logit"}
        assert "The intervals are for users" in str(found.interval_note)
    else:
        np.testing.assert_array_equal(found.interval.ends, topics.interval.ends)
    assert "for these assessors, not for users" in str(topics.interval_note)
    assert ("few-assessors" in codes(topics)) == (kind == "few"), "four are not few, whatever was asked for"
    if kind == "few":
        assert f"Users are represented by {people[0]} assessors (" in str(found.findings)
        wide = fit(judgments, estimator, interval="people")
        assert np.all(np.diff(wide.interval.ends) > np.diff(topics.interval.ends))


def test_people_who_judged_one_topic_each_vary_with_the_topics(judge: Make) -> None:
    """Nobody comes again: the interval is over topics, and there is nothing to warn of."""
    found = fit(judge(rows_of(["A"], ["U"], recurring=False), levels=LEVELS))
    assert found.interval.methods[0] == "jackknife over topics, logit, corrected for skewness"
    assert found.interval_note is None
    assert "few-assessors" not in codes(found)


def test_a_panel_is_one_side(judge: Make) -> None:
    """Without sides everybody stands for users, in either role."""
    rows = rows_of(["A", "B", "C"], ["D", "E"])
    found = gs.predict_relevance(gs.estimate_disagreement(gs.count_pairs(judge(rows, levels=LEVELS))))
    assert found.people == (5,)
    assert found.interval.methods[0] == "larger of the jackknives over topics and over people, logit"


def write_sides(folder: Path, sides: Sequence[Sequence[str]], judgments: Sequence[tuple[str, ...]]) -> list[Path]:
    """One qrels file per assessor, those of the first side first."""
    files = []
    for name in (name for side in sides for name in side):
        lines = [f"{topic} 0 {document} {level}\n" for topic, document, who, level in judgments if who == name]
        (folder / f"{name}.qrels").write_text("".join(lines))
        files.append(folder / f"{name}.qrels")
    return files


def test_opinions_without_names_are_no_people(judge: Make) -> None:
    """The k-th judgment of a document is nobody in particular: no interval over people, with sides or without."""
    rows = [(topic, document, "crowd", level) for topic, document, _, level in rows_of("ABCD", "EFGH") * 3]
    crowd = judge(rows, repeats="as-assessors")
    assert len(crowd.assessors) == 6
    split = gs.count_pairs(crowd, first=crowd.assessors[:1], second=crowd.assessors[1:])
    for counts in (gs.count_pairs(crowd), split):
        found = gs.predict_relevance(gs.estimate_disagreement(counts), LEVELS.at_or_above("1"))
        assert {str(method) for method in found.interval.methods} == {
            "jackknife over topics, logit, corrected for skewness"
        }
        assert found.interval_note is not None
        assert "nothing says who gave" in found.interval_note
        with pytest.raises(gs.GainsayerError, match="opinions without names"):
            gs.predict_relevance(gs.estimate_disagreement(counts), LEVELS.at_or_above("1"), interval="people")


def test_the_command_says_whom_the_intervals_are_for(tmp_path: Path, run: Run) -> None:
    """One name a side: a note under the table and in the JSON; `--interval people` is refused in words."""
    files = write_sides(tmp_path, (["A0"], ["U0"]), rows_of(["A0"], ["U0"]))
    table = run("fit", *files).stdout
    assert "for these assessors, not for users (A0, U0 are one name each)." in table
    assert "for these assessors, not for users" in run("fit", *files, "--format", "markdown").stdout
    document = json.loads(run("fit", *files, "--format", "json").stdout)
    assert "for these assessors, not for users" in document["interval_note"]
    assert document["people"] == [1, 1]
    assert document["levels"][0]["effective_topics"] == pytest.approx(12, rel=0.2)
    refused = run("fit", *files, "--interval", "people")
    assert refused.exit_code == 2
    assert "needs at least two named assessors" in refused.stderr


def test_four_files_on_the_second_side_are_four_people(tmp_path: Path, run: Run) -> None:
    """The JSON says which interval it is, over how many people, and its degrees of freedom."""
    sides = (["nist"], ["U0", "U1", "U2", "U3"])
    files = write_sides(tmp_path, sides, rows_of(*sides))
    options = ("--first", "nist", "--estimator", "one-sided", "--format", "json")
    document = json.loads(run("fit", *files, *options).stdout)
    assert document["people"] == [4]
    level = document["levels"][0]
    assert level["interval_method"] == "larger of the jackknives over topics and over people, logit"
    assert 1 <= level["degrees_of_freedom"] <= 3
    over_topics = json.loads(run("fit", *files, *options, "--interval", "topics").stdout)["levels"][0]
    assert over_topics["interval_method"] == "jackknife over topics, logit, corrected for skewness"
    assert over_topics["degrees_of_freedom"] > 3


@pytest.mark.parametrize("estimator", ["one-sided", "symmetric"])
def test_one_to_many_sides_count_whole_second_opinions(judge: Make, estimator: str) -> None:
    """One first label and three or two second ones: what p is made of is whole, and the binomial error rests on it."""
    rows = []
    for topic in range(3):
        for document in range(4):
            rows.append((f"q{topic}", f"d{document}", "A", str(document % 2)))
            rows += [(f"q{topic}", f"d{document}", f"U{x}", str((document + x) % 2)) for x in range(3 - document // 3)]
    found = fit(judge(rows, levels=LEVELS), estimator)
    # By hand: six documents labelled 0 with three opinions each; level 1 has three with three and three with two.
    expected = [18.0, 15.0] if estimator == "one-sided" else None
    opinions = found.judged_count
    if expected is not None:
        assert opinions.tolist() == expected
        assert found.relevant_count.tolist() == [6.0, 9.0]
    assert opinions.sum() == 33 * (2 if estimator == "symmetric" else 1)
    assert np.all(opinions == np.round(opinions))
    np.testing.assert_allclose(found.binomial, np.sqrt(found.probability * (1 - found.probability) / opinions))


def test_the_header_says_what_is_counted(judge: Make, tmp_path: Path, run: Run) -> None:
    """Second opinions with sides, judgments in a panel, where each is shared among the others; whole in both."""
    rows = [(f"q{t}", f"d{d}", name, str((d + t) % 2)) for t in range(2) for d in range(3) for name in "ABC"]
    files = write_sides(tmp_path, (["A"], ["B", "C"]), rows)
    sided, panel = (run("fit", *files, *more).stdout for more in (("--first", "A"), ()))
    assert re.search(r"^level .* second opinions\b", sided, re.MULTILINE)
    assert re.search(r"^level .* judgments\b", panel, re.MULTILINE)
    document = json.loads(run("fit", *files, "--format", "json").stdout)
    assert document["counted"] == "judgments"
    assert [level["judged_count"] for level in document["levels"]] == [9, 9]


def test_weighted_opinions_are_counted_one_by_one(judge: Make) -> None:
    """Weights go into the probability, not into the number of opinions."""
    rows = [(f"q{t}", f"d{d}", side, str(d % 2)) for t in range(2) for d in range(4) for side in "AU"]
    judgments = judge(rows, levels=LEVELS, columns={"weight": [2.5 if row[3] == "1" else 1.0 for row in rows]})
    assert fit(judgments, "one-sided").judged_count.tolist() == [4, 4]


@pytest.mark.parametrize("kind", ["uniform", "isotonic"])
def test_people_are_left_out_of_smoothed_estimates_too(judge: Make, kind: str) -> None:
    """A prior worth nothing gives the interval of the raw estimate; a strong one a narrower interval."""
    judgments = judge(rows_of(["A"], ["U0", "U1", "U2", "U3"]), levels=LEVELS)
    counts = gs.count_pairs(judgments, first=["A"])

    def ends(smoothing: gs.model.Smoothing | None) -> np.ndarray:
        disagreement = gs.estimate_disagreement(counts, estimator="one-sided", smoothing=smoothing)
        found = gs.predict_relevance(disagreement, judgments.levels.at_or_above("1"))
        assert "people" in str(found.interval.methods[0])
        return found.interval.ends

    if kind == "uniform":
        np.testing.assert_allclose(ends(gs.model.Smoothing("uniform", 1e-9)), ends(None), atol=1e-8)
        assert np.all(np.diff(ends(gs.model.Smoothing("uniform", 200.0))) < np.diff(ends(None)))
    else:
        assert np.isfinite(ends(gs.model.Smoothing("isotonic"))).all()
