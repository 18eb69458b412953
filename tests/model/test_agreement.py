"""What measure_agreement promises: who pairs with whom, what is undefined, and what it says when it cannot."""

from __future__ import annotations

import itertools
import math

import numpy as np
import polars as pl
import pytest

from gainsayer.errors import CallError, PairingError
from gainsayer.levels import Levels
from gainsayer.model import (
    COEFFICIENTS,
    ORDERED,
    Agreement,
    assessor_pairs,
    count_assessor_pairs,
    count_pairs,
    measure_agreement,
    score_sides,
)
from gainsayer.reading import Judgments, collect_judgments, source_from_frame

LEVELS = Levels(("0", "1", "2"))


def judge(text: str, levels: Levels | None = LEVELS) -> Judgments:
    """Judgments from lines 'topic document assessor=level assessor=level ...'."""
    rows = []
    for line in text.strip().splitlines():
        topic, document, *said = line.split()
        rows += [(topic, document, *part.split("=")) for part in said]
    frame = pl.DataFrame(rows, schema=["topic", "document", "assessor", "label"], orient="row")
    return collect_judgments([source_from_frame("test", frame)], levels=levels, repeats="all", roles=True)


def simulate(topics: int, documents: int, assessors: int, per_document: int, seed: int = 1) -> pl.DataFrame:
    """A crowd: each document judged by a few assessors drawn at random."""
    rng = np.random.default_rng(seed)
    items = topics * documents
    who = np.argsort(rng.random((items, assessors)), axis=1)[:, :per_document].ravel()
    item = np.repeat(np.arange(items), per_document)
    level = np.clip(np.repeat(rng.integers(0, 3, items), per_document) + rng.integers(-1, 2, len(item)), 0, 2)
    return pl.DataFrame(
        {
            "topic": [f"t{place // documents}" for place in item],
            "document": [f"d{place}" for place in item],
            "assessor": [f"a{place}" for place in who],
            "label": level.astype(str),
        }
    )


def shown(agreement: Agreement) -> dict[str, float]:
    """The coefficients' values."""
    return {name: found.value for name, found in agreement.coefficients.items()}


PERFECT = "t1 d1 a=0 b=0\nt1 d2 a=1 b=1\nt2 d3 a=2 b=2\nt2 d4 a=0 b=0"


@pytest.mark.parametrize("third", ["", " c"])
def test_perfect_agreement_is_one(third: str) -> None:
    """Assessors who always agree have every coefficient at 1, and an interval that warns of its lack of width."""
    text = PERFECT if not third else "\n".join(f"{line} c={line[-1]}" for line in PERFECT.splitlines())
    agreement = measure_agreement(judge(text))
    assert tuple(agreement.coefficients) == COEFFICIENTS
    for found in agreement.coefficients.values():
        assert found.value == pytest.approx(1)
        assert found.interval == pytest.approx((1, 1))
        assert "no width" in str(found.note)


@pytest.mark.parametrize("names", ["ab", "abc"])
def test_one_level_only_is_undefined(names: str) -> None:
    """Where everybody used one level, what is 0/0 is NaN with a reason; percent and Gwet are 1."""
    text = "\n".join(f"t{n} d{n} " + " ".join(f"{name}=1" for name in names) for n in range(3))
    for name, found in measure_agreement(judge(text)).coefficients.items():
        if name in ("percent", "gwet_ac1", "gwet_ac2"):
            assert found.value == 1
        else:
            assert math.isnan(found.value)
            assert found.interval is None
            assert "only one level" in str(found.note)


def test_one_topic_has_no_interval() -> None:
    """With a single topic values stand without intervals, and the note says why."""
    for found in measure_agreement(judge("t d1 a=0 b=0\nt d2 a=1 b=2\nt d3 a=2 b=2")).coefficients.values():
        assert not math.isnan(found.value)
        assert found.interval is None
        assert "one topic" in str(found.note)


@pytest.mark.parametrize("third", ["", " c=1"])
def test_interval_is_none_where_a_topic_carries_all_disagreement(third: str) -> None:
    """Where a coefficient is 0/0 without one topic, its interval is None and the note says so."""
    text = f"t1 d1 a=0 b=1\nt1 d2 a=0 b=0\nt2 d3 a=1 b=1{third}\nt3 d4 a=1 b=1{third}"
    agreement = measure_agreement(judge(text))
    for name in ("cohen_kappa", "scott_pi", "krippendorff_alpha_ordinal", "fleiss_kappa"):
        assert agreement.coefficients[name].interval is None
        assert "left out" in str(agreement.coefficients[name].note)
    assert agreement.coefficients["percent"].interval is not None


def test_categories_have_no_ordered_coefficients() -> None:
    """For levels without an order the ordered coefficients are NaN and say how to mend it; the others stand."""
    text = "t1 d1 a=Spam b=Non\nt1 d2 a=Non b=Non\nt2 d3 a=Rel b=Rel\nt2 d4 a=Rel b=Spam"
    agreement = measure_agreement(judge(text, None))
    numbered = text.replace("Non", "0").replace("Rel", "1").replace("Spam", "2")
    same = shown(measure_agreement(judge(numbered)))
    for name, found in agreement.coefficients.items():
        if name in ORDERED:
            assert math.isnan(found.value)
            assert found.interval is None
            assert "Name them from low to high" in str(found.note)
        else:
            assert found.value == pytest.approx(same[name])


def test_one_assessor_only() -> None:
    """A single assessor is refused with words that say what to add."""
    with pytest.raises(PairingError, match="one assessor, 'a'"):
        measure_agreement(judge("t d1 a=0\nt d2 a=1"))


@pytest.mark.parametrize("text", ["t d1 a=0\nt d2 a=1\nt d3 b=1", "t d1 a=0\nt d2 a=1\nt d3 b=1\nt d4 c=0 c=1"])
def test_no_common_document(text: str) -> None:
    """Without a common document the message says how many documents each assessor judged."""
    with pytest.raises(PairingError, match="a judged 2 documents, b judged 1 documents"):
        measure_agreement(judge(text))


def test_sides_without_a_common_document() -> None:
    """Documents shared within a side do not count across sides."""
    judgments = judge("t d1 a=0 b=0\nt d2 c=1")
    with pytest.raises(PairingError, match="both sides"):
        measure_agreement(judgments, first=["a", "b"], second=["c"])


def test_bad_calls() -> None:
    """Unknown or doubled names and a confidence out of range are faults of the call."""
    judgments = judge("t d1 a=0 b=0 c=1")
    with pytest.raises(CallError, match="no assessor 'x'"):
        measure_agreement(judgments, first=["a"], second=["x"])
    with pytest.raises(CallError, match="both sides"):
        measure_agreement(judgments, first=["a"], second=["a", "b"])
    with pytest.raises(CallError, match="between 0 and 1"):
        measure_agreement(judgments, confidence=95)


def test_order_of_rows_and_names_of_topics_do_not_matter() -> None:
    """Shuffled rows and topics in another order give the same agreement."""
    frame = simulate(6, 8, 5, 3)
    mixed = frame.sample(fraction=1, shuffle=True, seed=3).with_columns(
        topic=pl.col("topic").replace({f"t{n}": f"z{(n * 5) % 6}" for n in range(6)})
    )
    one, two = (measure_agreement(collect_judgments([source_from_frame("test", table)])) for table in (frame, mixed))
    assert shown(one) == pytest.approx(shown(two), abs=1e-12)
    for name in COEFFICIENTS:
        assert one.coefficients[name].interval == pytest.approx(two.coefficients[name].interval, abs=1e-9)
    assert (one.pairs, one.documents, one.topics) == (two.pairs, two.documents, two.topics)


def test_exchanging_the_sides_transposes_the_counts() -> None:
    """Exchanged sides give the transposed matrix and the same coefficients."""
    judgments = judge("t1 d1 a=0 b=1\nt1 d2 a=2 b=2\nt2 d3 a=1 b=0\nt2 d4 a=0 b=0\nt2 d5 a=0 b=2")
    one = measure_agreement(judgments)
    two = measure_agreement(judgments, first=["b"], second=["a"])
    assert one.counts.tolist() == two.counts.T.tolist()
    assert shown(one) == pytest.approx(shown(two))
    assert (two.assessor_pairs[0].first, two.assessor_pairs[0].second) == ("b", "a")


def test_wider_confidence_gives_wider_intervals() -> None:
    """A higher confidence never narrows an interval, and ends stay within the coefficient's range.

    That of AC2 begins at 1 - 1 / (mean squared distance of two levels), here 1 - 9 / (4/4 + 2) = -2.
    """
    counts = np.array([[[4.0, 1, 1], [3, 4, 3], [0, 2, 2]], [[9, 0, 0], [1, 2, 0], [0, 1, 5]]])
    narrow, wide = (score_sides(counts, LEVELS, level).describe(0) for level in (0.5, 0.99))
    for name in COEFFICIENTS:
        (low, high), (lower, higher) = narrow[name].interval, wide[name].interval
        assert {"percent": 0, "gwet_ac2": -2}.get(name, -1) <= lower <= low < high <= higher <= 1


def test_blocks_do_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Assessor pairs worked off a few at a time give what all at once give."""
    judgments = collect_judgments([source_from_frame("test", simulate(5, 6, 6, 4))])
    whole = measure_agreement(judgments)
    monkeypatch.setattr(assessor_pairs, "BLOCK_CELLS", 30)
    assert len(list(count_assessor_pairs(judgments).blocks())) > 5
    torn = measure_agreement(judgments)
    assert shown(whole) == pytest.approx(shown(torn), abs=1e-12)
    assert repr(whole.assessor_pairs) == repr(torn.assessor_pairs)


def test_only_pairs_that_share_documents_are_listed() -> None:
    """Assessors who share no document make no pair, in a crowd as in a small group."""
    agreement = measure_agreement(judge("t1 d1 a=0 b=1\nt1 d2 b=2 c=2\nt2 d3 b=0 c=1\nt2 d4 d=0"))
    assert [(p.first, p.second, p.pairs, p.topics) for p in agreement.assessor_pairs] == [
        ("a", "b", 1, 1),
        ("b", "c", 2, 2),
    ]
    crowd = simulate(20, 30, 200, 4)
    shared = {
        pair
        for _, names in crowd.group_by("document").agg("assessor").iter_rows()
        for pair in itertools.permutations(names, 2)
    }
    listed = measure_agreement(collect_judgments([source_from_frame("crowd", crowd)])).assessor_pairs
    assert len(listed) == len(shared) // 2
    assert all((pair.first, pair.second) in shared for pair in listed)


def test_fixed_pairs_are_matched_as_in_count_pairs() -> None:
    """Sides given pair by pair leave out the pairs across teams and say so, just as the counts of the model do."""
    text = "\n".join(f"t{n % 3} d{n} a={n % 3} c={n % 2} b={(n + 1) % 3} d={n % 3}" for n in range(9))
    judgments = judge(text)
    sides = {"first": ["a", "b"], "second": ["c", "d"]}
    for matched in (None, True, False):
        agreement = measure_agreement(judgments, **sides, matched=matched)
        counts = count_pairs(judgments, **sides, matched=matched)
        assert agreement.counts.tolist() == counts.matrix.tolist()
        assert (agreement.pairs, agreement.documents) == (counts.pairs, counts.documents)
        assert agreement.findings == counts.findings
        assert len(agreement.assessor_pairs) == (2 if matched else 4)
