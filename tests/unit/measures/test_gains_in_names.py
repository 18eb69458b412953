"""Names of measures: read, printed, refused; and what they say about gains."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure

WORLD = gs.datasets.simulate_collection(levels=("0", "1", "2", "3"), topics=12, documents=30, seed=4)
LEVELS = Levels(("0", "1", "2", "3"))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("P(rel=2)@10", "P(rel=2)@10"),
        ("P(cutoff=10)", "P@10"),
        ("P(cutoff=5)@10", "P@10"),
        (" P (rel = 2) @ 10", "P(rel=2)@10"),
        ("MAP(rel=2)", "AP(rel=2)"),
        ('nDCG(dcg="log2", gains={0: 0, 1: 1.5,2:9})@5', "nDCG(gains={0:0,1:1.5,2:9})@5"),
        ("nDCG(gains={'Key': 2, 'a,b': 1})", "nDCG(gains={'Key':2,'a,b':1})"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
        ("AP(judged_only=True)", "AP(judged_only=True)"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("IPrec(recall=0.25, rel=2)", "IPrec(rel=2)@0.25"),
        ("NumRet(rel=2)", "NumRel(rel=2)"),
        ("NumRelRet", "NumRel"),
        ("SetP(relative=True)", "SetRelP"),
        ("SetR(rel=2)", "R(rel=2)"),
        ("AP(rel='HRel')", "AP(rel='HRel')"),
    ],
)
def test_names_are_read_and_printed(text: str, printed: str) -> None:
    """A name in ir_measures' syntax prints in ours, and what is printed reads back as the same measure."""
    measure = parse_measure(text)
    assert str(measure) == printed
    assert parse_measure(printed) == measure
    assert len({measure, parse_measure(printed)}) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nDCG(rel=2)@10", "nDCG has no parameter 'rel'"),
        ("P(rel=1.5)@10", "rel must be the lowest relevant level"),
        ("P@10.5", "a whole number"),
        ("P(cutoff='ten')", "a whole number"),
        ("IPrec", "IPrec needs a recall, e.g. IPrec@0.1"),
        ("IPrec@1.5", "recall must be a number from 0 to 1"),
        ("nDCG(gains={0: 'a'})", "gains must be levels and numbers"),
        ("nDCG(gains={0: 1},dcg='exp-log2')", "two kinds of gains"),
        ("nDCG(users='independent',dcg='exp-log2')", "no dcg= or gains="),
        ("nDCG(dcg='exp')@10", "dcg must be log2 or exp-log2"),
        ("P(2)@10", "parameters have names"),
        ("alpha_nDCG@10", "score each as a topic of its own"),
        ("SDCG(max_rel=4)@10", "DCG@10 is the same but for a constant factor"),
    ],
)
def test_refusals_say_what_to_do(text: str, words: str) -> None:
    """What cannot be computed is refused in words that help."""
    with pytest.raises(CallError) as refused:
        parse_measure(text)
    assert words in str(refused.value)


def test_names_say_gains() -> None:
    """rel names levels by number or by name; gains keep the numbers of levels left out, none below 0."""
    named = Levels(("Non", "Rel", "HRel", "Key"))
    for text, levels in (("AP(rel=2)", LEVELS), ("AP(rel=2)", named), ("AP(rel='HRel')", named)):
        relevance = parse_measure(text).relevance(levels)
        assert relevance is not None
        assert relevance.mask == (False, False, True, True)
    none = parse_measure("AP(rel=9)").relevance(LEVELS)
    assert none is not None
    assert not any(none.mask)
    own = parse_measure("nDCG(gains={0: -1, 2: 10, 7: 3})").own_gains(LEVELS)
    assert own is not None
    assert own.as_dict() == {"0": 0, "1": 1, "2": 10, "3": 3}


@pytest.mark.parametrize("kind", ["binary", "prm"])
@pytest.mark.parametrize("call", ["score", "compare"])
def test_rel_in_a_name_is_a_threshold_for_that_measure(kind: str, call: str) -> None:
    """P(rel=2)@10 beside P(rel=3)@10 has the numbers of P@10 with threshold 2, whatever the call's threshold is."""

    def numbers(measures: list[str], threshold: int) -> list[list[float]]:
        options = {"gains": kind, "threshold": threshold}
        if call == "score":
            scores = gs.score(WORLD.judgments, WORLD.runs, measures, **options).scores
            return [scores.values[key].mean(axis=1).tolist() for key in scores.values]
        found = gs.compare(WORLD.judgments, WORLD.runs, measures, resamples=20, **options).comparison
        return [part.standings.interval.ravel().tolist() for part in found.parts]

    both = numbers(["P(rel=2)@10", "P(rel=3)@10"], 1)
    assert both == [*numbers(["P@10"], 2), *numbers(["P@10"], 3)]


def test_dcg_in_a_name_is_a_kind_of_gains() -> None:
    """nDCG(dcg='exp-log2')@10 is nDCG@10 with exponential gains, in scores and in intervals, whatever is asked for."""
    named = gs.compare(WORLD.judgments, WORLD.runs, "nDCG(dcg='exp-log2')@10", gains="prm,binary", threshold=2)
    asked = gs.compare(WORLD.judgments, WORLD.runs, "nDCG@10", gains="exponential", threshold=2)
    [part] = named.comparison.parts
    [other] = asked.comparison.parts
    assert part.scheme.name == "exponential"
    assert part.standings.interval.tolist() == other.standings.interval.tolist()


def test_a_model_serves_every_threshold_whose_pairs_it_has(tmp_path: Path) -> None:
    """PRM gains for rel=2 are those of a model fitted at 2, from a file as well; without its pairs it is refused."""
    model = gs.fit(WORLD.judgments, threshold=3)
    direct = gs.score(WORLD.judgments, WORLD.runs, "P@10", gains="prm", threshold=2).scores
    named = gs.score(WORLD.judgments, WORLD.runs, "P(rel=2)@10", model=model).scores
    assert [values.tolist() for values in named.values.values()] == [
        pytest.approx(values) for values in direct.values.values()
    ]
    file = tmp_path / "model.json"
    file.write_text(model.to_json())
    single = WORLD.judgments.rows(WORLD.judgments.assessor == 0)
    [read] = gs.score(single, WORLD.runs, "P(rel=2)@10", model=file).scores.values.values()
    assert read.tolist() == pytest.approx(next(iter(direct.values.values())))
    document = json.loads(model.to_json())
    del document["cells"]
    file.write_text(json.dumps(document))
    with pytest.raises(CallError, match="threshold"):
        gs.score(single, WORLD.runs, "P(rel=2)@10", model=file)


def test_studies_choose_the_gains_themselves() -> None:
    """A study of kinds of gains refuses a measure that names its own."""
    with pytest.raises(CallError, match="the study chooses the gains"):
        gs.study.robustness(WORLD.judgments, WORLD.runs, "AP(rel=2)", threshold=2)
