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
    ("first", "second", "estimator", "kind", "whom"),
    [
        (1, 4, "one-sided", "people", "other topics and other people like these four"),
        (1, 3, "one-sided", "few", "other topics, for these three assessors"),
        (5, 1, "one-sided", "one", "other topics, for these assessors"),
        (4, 4, "symmetric", "people", "other topics and other people like these four and four"),
        (4, 2, "symmetric", "few", "other topics, for these four and two assessors"),
        (1, 6, "symmetric", "people", "other topics and other people like these six"),
        (1, 1, "symmetric", "one", "other topics, for these assessors"),
    ],
)
def test_people_who_stand_for_users_decide_what_the_interval_is_over(
    judge: Make, first: int, second: int, estimator: str, kind: str, whom: str
) -> None:
    """More than three on each side that is left out: over people; two or three: a warning; one name: neither."""
    judgments = judge(rows_of([f"A{x}" for x in range(first)], [f"U{x}" for x in range(second)]), levels=LEVELS)
    found = fit(judgments, estimator)
    assert [len(side) for side in found.panel.sides] == [first, second]
    assert found.interval_note == f"The intervals speak of {whom}."
    assert ("few-assessors" in codes(found)) == (kind == "few")
    topics = fit(judgments, estimator, interval="topics")
    if kind == "people":
        assert found.panel.over == "topics and people"
        assert set(found.interval.methods) == {"jackknife over topics and people, logit"}
    else:
        assert found.panel.over == "topics"
        np.testing.assert_array_equal(found.interval.ends, topics.interval.ends)
    assert "for these" in str(topics.interval_note)
    if kind == "few":
        assert f"Users are represented by {min(first if first > 1 else 9, second)} assessors (" in str(found.findings)
        wide = fit(judgments, estimator, interval="people")
        assert np.all(np.diff(wide.interval.ends) > 0.8 * np.diff(topics.interval.ends)), wide.interval


def test_one_busy_person_among_four_is_too_few(judge: Make) -> None:
    """K* = (sum w)^2 / sum w^2: four names of whom one has seven of ten opinions are worth about two."""
    rows = [(topic, document, who, level) for topic, document, who, level in rows_of(["A"], ["U0"])]
    names = ["U0"] * 7 + ["U1", "U2", "U3"]
    shared = [(t, d, names[int(d[1:])] if who == "U0" else who, level) for t, d, who, level in rows]
    found = fit(judge(shared, levels=LEVELS), "one-sided")
    assert found.panel.over == "topics"
    assert found.panel.effective[1] == pytest.approx(1 / (0.7**2 + 3 * 0.1**2), rel=0.1)
    assert "few-assessors" in codes(found)


def test_three_who_share_the_work_equally_are_three(judge: Make) -> None:
    """To the last bit, whatever p(R|i) is: three people are never enough to speak of others."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        rows = []
        for topic in range(12):
            for document in range(9):
                rows.append((f"q{topic:02}", f"d{document}", "A0", str(document // 3 % 2)))
                rows.append((f"q{topic:02}", f"d{document}", f"B{document % 3}", str(int(rng.random() < 0.4))))
        found = fit(judge(rows), "one-sided")
        assert found.panel.over == "topics"
        assert found.panel.effective[1] == pytest.approx(3)
        assert "few-assessors" in codes(found)


def test_people_who_judged_one_topic_each_vary_with_the_topics(judge: Make) -> None:
    """Nobody comes again: the interval is over topics, which bring their assessors along."""
    found = fit(judge(rows_of(["A"], ["U"], recurring=False), levels=LEVELS))
    assert found.interval.methods[0] == "jackknife over topics, logit, corrected for skewness"
    assert found.interval_note == "The intervals speak of other topics and assessors."
    assert "few-assessors" not in codes(found)


def test_a_panel_is_one_side(judge: Make) -> None:
    """Without sides everybody stands for users, in either role."""
    rows = rows_of(["A", "B", "C"], ["D", "E"])
    found = gs.predict_relevance(gs.estimate_disagreement(gs.count_pairs(judge(rows, levels=LEVELS))))
    assert [len(side) for side in found.panel.sides] == [5]
    assert found.interval.methods[0] == "jackknife over topics and people, logit"


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
        assert found.interval_note == "The intervals speak of other topics, for these assessors."
        with pytest.raises(gs.GainsayerError, match="opinions without names"):
            gs.predict_relevance(gs.estimate_disagreement(counts), LEVELS.at_or_above("1"), interval="people")


def test_the_command_says_whom_the_intervals_are_for(tmp_path: Path, run: Run) -> None:
    """One name a side: a note under the table and in the JSON; `--interval people` is refused in words."""
    files = write_sides(tmp_path, (["A0"], ["U0"]), rows_of(["A0"], ["U0"]))
    table = run("fit", *files).stdout
    said = "The intervals speak of other topics, for these assessors."
    assert said in table
    assert said in run("fit", *files, "--format", "markdown").stdout
    document = json.loads(run("fit", *files, "--format", "json").stdout)
    assert document["interval_note"] == said
    assert (document["over"], document["people"], document["effective_people"]) == ("topics", [1, 1], [None, None])
    assert document["levels"][0]["effective_topics"] == pytest.approx(12, rel=0.2)
    refused = run("fit", *files, "--interval", "people")
    assert refused.exit_code == 2
    assert "needs at least two named assessors" in refused.stderr


def test_four_files_on_the_second_side_are_four_people(tmp_path: Path, run: Run) -> None:
    """The JSON says which interval it is, and over how many people."""
    sides = (["nist"], ["U0", "U1", "U2", "U3"])
    files = write_sides(tmp_path, sides, rows_of(*sides))
    options = ("--first", "nist", "--estimator", "one-sided", "--format", "json")
    document = json.loads(run("fit", *files, *options).stdout)
    assert (document["over"], document["people"]) == ("topics and people", [1, 4])
    assert document["effective_people"][0] is None
    assert 3 < document["effective_people"][1] <= 4
    level = document["levels"][0]
    assert level["interval_method"] == "jackknife over topics and people, logit"
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
