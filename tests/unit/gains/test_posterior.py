"""What several labels of one document are worth together, to another person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.errors import CallError, DataError
from gainsayer.gains import posterior, posterior_gains

YES = np.array([False, True])


def opinions(alpha: float, share: float, labels: int, documents: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Beta-binomial people: how many of `labels` like each document; and whether one more person does."""
    rng = np.random.default_rng(seed)
    chance = rng.beta(alpha * share, alpha * (1 - share), documents)
    return rng.binomial(labels, chance), rng.random(documents) < chance


@pytest.mark.parametrize(("alpha", "share"), [(1.0, 0.3), (3.0, 0.3), (0.5, 0.5)])
def test_it_is_what_polyas_urn_says(alpha: float, share: float) -> None:
    """With beta-binomial people p(R | r of m) = (alpha pi + r) / (alpha + m): found within .06 for three labels."""
    likes, _ = opinions(alpha, share, 3, 20_000, 1)
    topic = np.repeat(np.arange(100), 200)
    found = posterior_gains(np.stack([3 - likes, likes], axis=1), None, topic, YES)
    exact = (alpha * share + np.arange(4)) / (alpha + 3)
    assert [found.value[likes == r].mean() for r in range(4)] == pytest.approx(exact, abs=0.06)
    assert found.value[likes == 3].mean() == pytest.approx(exact[3], abs=0.02)  # where labels agree


def test_a_second_side_predicts_it_without_holding_back() -> None:
    """Two labels of one side and one of the other: p(R | both) as counting gives it."""
    likes, user = opinions(1.0, 0.4, 2, 20_000, 2)
    topic = np.repeat(np.arange(100), 200)
    labels, users = np.stack([2 - likes, likes], axis=1), np.stack([~user, user], axis=1).astype(int)
    found = posterior_gains(labels, users, topic, YES)
    empirical = [user[likes == r].mean() for r in range(3)]
    assert [found.value[likes == r].mean() for r in range(3)] == pytest.approx(empirical, abs=0.02)


def test_independent_people_are_multiplied_and_copies_count_once() -> None:
    """Where people err alone about what the users think, c is 0 and Bayes' rule holds; copies of one say no more."""
    rng = np.random.default_rng(3)
    truth = rng.random(20_000) < 0.3
    said = np.where(rng.random((2, 20_000)) < 0.9, truth, ~truth)
    topic = np.repeat(np.arange(100), 200)
    likes = said.sum(axis=0)
    users = np.stack([~truth, truth], axis=1).astype(int)
    alone = posterior_gains(np.stack([2 - likes, likes], axis=1), users, topic, YES)
    odds = 0.3 / 0.7 * 81.0 ** np.array([-1, 0, 1])
    assert alone.repetition < 0.05
    assert [alone.value[likes == r].mean() for r in range(3)] == pytest.approx(odds / (1 + odds), abs=0.02)
    copies = np.stack([2 * ~said[0], 2 * said[0]], axis=1)
    found = posterior_gains(copies, users, topic, YES)
    assert found.repetition == pytest.approx(1.0, abs=0.1)
    assert found.value[said[0]].mean() == pytest.approx(truth[said[0]].mean(), abs=0.01)


def test_a_topic_does_not_tell_its_own_gains() -> None:
    """Changing all labels of one topic leaves the gains of its documents with the same labels as they were."""
    likes, _ = opinions(1.0, 0.4, 3, 2_000, 4)
    topic = np.repeat(np.arange(20), 100)
    labels = np.stack([3 - likes, likes], axis=1)
    before = posterior_gains(labels, None, topic, YES)
    other = labels.copy()
    other[topic == 7] = other[topic == 7][:, ::-1]
    after = posterior_gains(other, None, topic, YES)
    same = (topic == 7)[:, None] & (other == labels)
    assert after.value[same.all(axis=1)] == pytest.approx(before.value[same.all(axis=1)], abs=1e-12)
    everybody = np.unique(before.fold[topic == 7])
    assert len(everybody) == 1


def test_single_labels_keep_their_own_gain() -> None:
    """A document with one label is worth p(R | label), the pairwise estimate without its fold."""
    likes, _ = opinions(1.0, 0.4, 3, 2_000, 5)
    labels = np.stack([3 - likes, likes], axis=1)
    labels[:300] = np.eye(2, dtype=int)[(likes[:300] > 1).astype(int)]
    topic = np.repeat(np.arange(20), 100)
    found = posterior_gains(labels, None, topic, YES)
    several = likes[300:]
    pairs = (several * (several - 1) / 2).sum() / several.sum()
    assert found.single[1] == pytest.approx(pairs, abs=0.001)
    assert found.value[:300][labels[:300, 1] == 1] == pytest.approx(pairs, abs=0.03)


def test_pairs_alone_do_not_tell() -> None:
    """With two labels on each document nobody knows what two agreeing ones are worth: refused in words."""
    labels = np.tile([[1, 1], [2, 0]], (20, 1))
    with pytest.raises(DataError, match="takes a further opinion"):
        posterior_gains(labels, None, np.arange(40) % 8, YES)


def test_third_opinions_on_disagreements_are_noticed() -> None:
    """Where only disagreements were judged a third time, a finding says that the gains are wrong."""
    rng = np.random.default_rng(6)
    two = rng.binomial(2, rng.beta(1, 1, 3_000))
    third = (two == 1).astype(int)
    likes = two + third * rng.integers(0, 2, 3_000)
    labels = np.stack([2 + third - likes, likes], axis=1)
    found = posterior_gains(labels, None, np.repeat(np.arange(30), 100), YES)
    assert "third-opinions-chosen" in [finding.code for finding in found.findings]
    fair, _ = opinions(1.0, 0.4, 3, 3_000, 7)
    chosen = np.stack([3 - fair, fair], axis=1)
    held = rng.random(3_000) < 0.5
    drop = rng.random(3_000) < fair / 3
    chosen[held, 1] -= drop[held]
    chosen[held, 0] -= ~drop[held]
    found = posterior_gains(chosen, None, np.repeat(np.arange(30), 100), YES)
    assert "third-opinions-chosen" not in [finding.code for finding in found.findings]


def panel(readings: int = 3) -> gs.datasets.SimulatedCollection:
    """Thirty topics with several readings of every document."""
    return gs.simulate(
        topics=30, documents=40, assessors=12, readings=readings, second_topics=30, runs=4, leniency=0.4, seed=2
    )


def test_score_and_compare_with_all_labels() -> None:
    """A document's gain is that of all its labels: agreeing ones are worth more than their mean, and it is said."""
    world = panel()
    table = gs.score(world.judgments, dict(world.runs), ["nDCG@10", "AP", "P@5"], labels="posterior", threshold="Rel")
    mean = gs.score(world.judgments, dict(world.runs), ["nDCG@10", "AP", "P@5"], labels="mean", threshold="Rel")
    assert {gains for _, gains in table.scores.values} == {"posterior"}
    assert table.means("run01")["P@5"] > mean.means("run01")["P@5"]
    codes = [finding.code for finding in table.findings]
    assert "labels-pooled" in codes
    assert table.policies["label_rule"] == "posterior"
    compared = gs.compare(world.judgments, dict(world.runs), "nDCG@10", labels="posterior", threshold="Rel")
    found = [part for part in compared.comparison.parts if part.scheme.name == "posterior"]
    assert found[0].standings.value == pytest.approx(
        [table.means(run)["nDCG@10"] for run in compared.comparison.runs], abs=1e-12
    )
    assert "gains-taken-as-given" in [finding.code for finding in compared.findings]


def test_another_person_is_predicted_better() -> None:
    """A fourth person's view is told better by three labels together than by the mean of their gains, or majority."""
    world = panel(4)
    four, relevant = world.judgments, np.array([False, True, True, True])
    counts = np.zeros((four.items, 4), int)
    last = np.full(four.items, -1)
    for item, level in zip(four.item.tolist(), four.level.tolist(), strict=True):
        if counts[item].sum() == 3:
            last[item] = level
        else:
            counts[item, level] += 1
    topic = np.zeros(four.items, int)
    topic[four.item] = four.topic
    found = posterior_gains(counts, None, topic, relevant)
    told = relevant[last].astype(float)
    mean = (counts * found.single).sum(axis=1) / 3
    majority = found.single[counts.argmax(axis=1)]
    brier = [float(((chance - told) ** 2).mean()) for chance in (found.value, mean, majority)]
    assert brier[0] < brier[1] < brier[2]
    high = found.value > 0.5
    assert found.value[high].mean() == pytest.approx(told[high].mean(), abs=0.05)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"gains": "binary"}, "other gains, a model or gains by hand have no place"),
        ({"gain": {"Key": 0.5}}, "other gains, a model or gains by hand have no place"),
    ],
)
def test_other_gains_do_not_go_with_it(options: dict[str, object], words: str) -> None:
    """Gains by name or by hand contradict gains that are estimated from all labels."""
    world = panel()
    with pytest.raises(CallError, match=words):
        gs.score(world.judgments, dict(world.runs), labels="posterior", threshold="Rel", **options)  # type: ignore[arg-type]


def test_refusals_on_the_command_line(run: Callable[..., Result], tmp_path: Path) -> None:
    """Two labels, or one, on each document: exit 1 in words; where labels are exported: exit 2."""
    folder = tmp_path / "twin"
    gs.simulate(folder, topics=8, documents=10, second_topics=8, runs=2)
    files = [folder / "first.qrels", folder / "second.qrels"]
    shared = ("--judgments", *files, "--runs", folder / "runs", "-m", "P@5", "--labels", "posterior")
    done = run("score", *shared)
    assert done.exit_code == 1
    assert "takes a further opinion" in done.stderr
    assert "--labels mean" in done.stderr
    done = run("compare", *shared, "--first", "first", "--second", "second")
    assert done.exit_code == 1
    assert "No document has several labels that score" in done.stderr
    done = run("study", "gains", *files, "--runs", folder / "runs", "--labels", "posterior")
    assert done.exit_code == 2
    assert "for scoring and comparing runs" in done.stderr


def test_eight_people_of_dl19(shared_data: Callable[[str], Path]) -> None:
    """188 results with eight judgments: p(R|R,R) was counted as .760, .706, .564 at thresholds 1, 2, 3."""
    files = sorted((shared_data("dl19") / "agreement_round").glob("*.qrels"))
    judgments = gs.read_judgments(*files)
    counts = np.zeros((judgments.items, 4), int)
    np.add.at(counts, (judgments.item, judgments.level), 1)
    topic = np.zeros(judgments.items, int)
    topic[judgments.item] = judgments.topic
    kept = counts.sum(axis=1) == 8
    assert kept.sum() == 188
    for threshold, printed in ((1, 0.760), (2, 0.706), (3, 0.564)):
        likes = counts[kept][:, threshold:].sum(axis=1)
        pairs, triples = (likes * (likes - 1)).sum(), (likes * (likes - 1) * (likes - 2)).sum()
        assert triples / pairs / 6 == pytest.approx(printed, abs=0.001)
        rng = np.random.default_rng(threshold)
        three = np.array([rng.permutation(np.arange(8) < like)[:3].sum() for like in likes])
        found = posterior_gains(np.stack([3 - three, three], axis=1), None, topic[kept], YES)
        assert found.repetition > 0.1  # people of one guideline err together


def test_each_document_counts_once_however_many_labels_are_held_back() -> None:
    """Of two labels 0 and one label 1, a 0 is held back two times in three, and what is left belongs to it."""
    document, pattern, weight, level = posterior._hold_back(np.array([[2, 1], [1, 0], [0, 4]]))
    assert document.tolist() == [0, 0, 2]
    assert pattern.tolist() == [[1, 1], [2, 0], [0, 3]]
    assert weight.tolist() == pytest.approx([2 / 3, 1 / 3, 1.0])
    assert level.tolist() == [0, 1, 1]
