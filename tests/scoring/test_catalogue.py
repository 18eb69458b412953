"""Names of measures: read, printed, refused; what each is computed with, and what a name says about gains."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.scoring.level_lists import BINARY, LEVELS, PRM, PRM_UNJUDGED, draw_lists

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.levels import Levels, find_patterns
from gainsayer.measures import DEEPEST, FAMILIES, ask_users, parse_measure
from gainsayer.ranking import ranked_from_lists


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("nDCG@10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        (" ndcg_cut_10 ", "nDCG@10"),
        ("ndcg", "nDCG"),
        ("map", "AP"),
        ("MAP@5", "AP@5"),
        ("P_5", "P@5"),
        ("recip_rank", "RR"),
        ("MRR", "RR"),
        ("recall_100", "R@100"),
        ("num_rel_ret", "NumRel"),
        ("num_rel", "PoolRel"),
        ("precision@3", "P@3"),
        ("RBP(p=0.5)", "RBP(p=0.5)"),
        ("RBP(p=0.8)", "RBP"),
        ('nDCG(discount="zipf")@20', "nDCG(discount='zipf')@20"),
        ("nDCG(discount=log2)@20", "nDCG@20"),
        ("Q(beta=10)", "Q(beta=10)"),
        ("AP(users=0.5, sample=50)", "AP(sample=50,users=0.5)"),
        ("RBP(p=.25)@3", "RBP(p=0.25)@3"),
        ("RBP(p=2e-1)", "RBP(p=0.2)"),
    ],
)
def test_names_are_read_and_printed(text: str, printed: str) -> None:
    """ir_measures' and trec_eval's spelling; what equals the default is not printed; what is printed reads the same."""
    measure = parse_measure(text)
    assert str(measure) == printed
    assert parse_measure(printed) == measure


@pytest.mark.parametrize("name", FAMILIES)
def test_trec_evals_names_lead_back(name: str) -> None:
    """Where trec_eval has the measure its name is ours, with a depth and without."""
    family = FAMILIES[name]
    for text, trec in ((name, family.trec_whole), (f"{name}@7", family.trec and family.trec.format(k=7))):
        if trec is not None:
            assert parse_measure(text).trec_name == trec
            assert parse_measure(trec) == parse_measure(text)
    if family.depth == "may":
        assert parse_measure(f"{name}@7").depth == 7
    assert parse_measure("RBP(p=0.5)").trec_name == "RBP(p=0.5)"


def test_trec_evals_names_mean_what_they_mean_there() -> None:
    """Its `rbp` has p = 0.9 and takes grades; its `iprec_at_recall_0.10` rounds as version 10 does."""
    assert str(parse_measure("rbp")) == "gRBP"
    assert str(parse_measure("RBP")) == str(parse_measure("Rbp")) == "RBP"
    for text, printed in (
        ("iprec_at_recall_0.10", "IPrec(trec=10)@0.1"),
        ("iprec_at_recall_1.00", "IPrec(trec=10)@1.0"),
    ):
        assert str(parse_measure(text)) == printed
        assert parse_measure(text) == parse_measure(printed)
        assert parse_measure(printed).trec_name == text
    # Five relevant documents: 0.3 x 5 = 1.5 is 2 rounded, and 2 by version 9 (2.4); 0.25 x 5 = 1.25 is 1, and 2 (2.15).
    truth = {"q": {"a": 1, "b": 0, "c": 1, "d": 1, "e": 1, "f": 1}}
    run = {"q": {"a": 6.0, "b": 5.0, "c": 4.0, "d": 1.0}}
    found = gs.score(truth, run, ["iprec_at_recall_0.25", "IPrec@0.25", "iprec_at_recall_0.30", "IPrec@0.3"]).rows()
    assert found.to_polars()["value"].to_list() == pytest.approx([1, 0.75, 0.75, 0.75])


def test_graded_rbp_is_trec_evals_formula() -> None:
    """0.1 sum of 0.9^(r - 1) g, the grades divided by the topic's highest where that is above 1: a loop by hand."""
    truth = {"q1": {"a": 3, "b": 1, "c": 0, "d": 2}, "q2": {"a": 1, "b": 0}, "q3": {"a": 2, "b": 0}}
    run = {topic: {"x": 9.0, "a": 3.0, "b": 2.0, "d": 1.0} for topic in truth}
    expected = []
    for grades in truth.values():
        highest = max(1, *grades.values())
        expected.append(sum(0.1 * 0.9**at * grades.get(name, 0) / highest for at, name in enumerate("xabd")))
    [values] = gs.score(truth, run, ["rbp"]).scores.values.values()
    assert values[0].tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nDGC@10", r"no measure 'nDGC@10'\. Did you mean nDCG\? See"),
        ("Succes", r"Did you mean Success@10\?"),
        ("zzz", r"There is no measure 'zzz'\. See"),
        ("@10", "There is no measure"),
        ("x" * 1001, "with a name of 1,001 characters"),
        ("P", r"'P': P needs a depth, e.g. P@10"),
        ("P@0", "P needs a depth"),
        ("nDCG@0", "nDCG needs a depth above 0"),
        ("Rprec@5", "Rprec takes no depth"),
        (f"P@{DEEPEST + 1}", "the depth may be at most 1,000,000,000"),
        (
            "AP(p=0.5)",
            "AP has no parameter 'p'; its parameters: judged_only, rel, users, condition_on_relevant, sample, seed",
        ),
        ("NumRet(p=0.5)", "its parameters: rel"),
        ("Judged(p=0.5)", "its parameters: none"),
        ("RBP(p)", "parameters have names"),
        ("nDCG(discount='cubic')", "discount must be log2, zipf or none, found 'cubic'"),
        ("nDCG(discount=3)", "found 3"),
        ("RBP(p=0)", "p must be a number above 0 and below 1, found 0"),
        ("RBP(p=1)", "above 0 and below 1, found 1"),
        ("RBP(p=True)", "found True"),
        ("RBP(p=x)", "found 'x'"),
        ("Q(beta=-1)", "beta must be a number above 0, found -1"),
        ("AP(users=0.5,sample=1)", "sample must be a whole number, at least 2, found 1"),
        ("AP(users=0.5,sample=2.5)", "found 2.5"),
        ("AP(users=0.5,seed=True)", "seed must be a whole number, at least 0, found True"),
    ],
)
def test_what_is_no_measure_is_refused(text: str, words: str) -> None:
    """With the nearest name, the parameters there are, or the bounds."""
    with pytest.raises(CallError, match=words):
        parse_measure(text)


def test_the_deepest_depth_is_a_depth() -> None:
    """A name of a thousand characters and a depth of a thousand million are read."""
    assert parse_measure(f"P@{DEEPEST}").depth == DEEPEST
    assert parse_measure(f"P_{DEEPEST}").depth == DEEPEST
    with pytest.raises(CallError, match="There is no measure"):
        parse_measure("x" * 1000)
    assert parse_measure("Bpref(users=0.2,sample=2,seed=0)").parameters == (("sample", 2), ("users", 0.2))


def test_users_are_asked_for_where_they_differ() -> None:
    """None for linear measures; other parameters stay; users see binary relevance."""
    measure = parse_measure("nDCG(discount='zipf')@10")
    asked = ask_users(measure, 0.3)
    assert str(asked) == "nDCG(discount='zipf',users=0.3)@10"
    assert (measure.users, measure.classic) == (None, "linear")
    assert asked is not None
    assert (asked.users, asked.classic) == (0.3, "binary")
    assert ask_users(parse_measure("P@5"), "independent") is None
    with pytest.raises(CallError, match="NumRet has no expected value over random users"):
        ask_users(parse_measure("NumRet"), "independent")
    with pytest.raises(CallError, match="AP is a plug-in measure"):
        parse_measure("AP").score_users(draw_lists(1).ranked, PRM)


def test_unjudged_documents_with_a_gain_are_hits() -> None:
    """RR with an unjudged document worth .05 on top of one worth .8: .05 + .95 x .8 / 2; linear measures agree."""
    ranked = ranked_from_lists({"q": [None, 2]}, {"q": [0, 0, 1]}, levels=LEVELS)
    assert parse_measure("RR").score(ranked, PRM_UNJUDGED) == pytest.approx([0.05 + 0.95 * 0.8 / 2])
    assert parse_measure("CG").score(ranked, PRM_UNJUDGED) == pytest.approx([0.85])
    assert parse_measure("RR@1").score(ranked, PRM_UNJUDGED) == pytest.approx([0.05])


def test_measures_that_need_no_gains_answer_for_every_draw() -> None:
    """NumRet is the same whatever the gains; the shape is [draws, topics]."""
    found = parse_measure("NumRet").score(draw_lists(1).ranked, Gains(LEVELS, np.zeros((3, 3))))
    assert found.shape == (3, 6)
    assert (found == found[0]).all()


def test_measures_of_0_and_1_refuse_shares_in_words() -> None:
    """Bpref takes binary gains alone; of patterns of labels it says what to do instead."""
    ranked = draw_lists(1).ranked
    with pytest.raises(CallError, match="Bpref needs 0/1 gains, found prm gains"):
        parse_measure("Bpref").score(ranked, PRM)
    patterns = find_patterns(LEVELS, np.array([[1, 1, 0]]))
    mixed = Gains(patterns, patterns.mix(BINARY.values), name="binary")
    with pytest.raises(CallError, match="mean over a document's labels is a share"):
        parse_measure("Bpref").check(mixed)
    with pytest.raises(
        CallError, match="needs gains between 0 and 1, as it counts relevant documents; linear gains are"
    ):
        parse_measure("AP").check(Gains(LEVELS, np.array([0.0, 1.0, 2.0]), name="linear"))


def test_bpref_of_users_has_no_use_for_unjudged_documents() -> None:
    """Whatever an unjudged document is worth, the same users give the same bpref."""
    ranked = draw_lists(2).ranked
    measure = parse_measure("Bpref(users='independent',sample=50)")
    assert measure.score(ranked, PRM_UNJUDGED).tolist() == measure.score(ranked, PRM).tolist()


WORLD = gs.datasets.simulate_collection(levels=("0", "1", "2", "3"), topics=12, documents=30, seed=4)
FOUR = Levels(("0", "1", "2", "3"))


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
def test_names_with_gains_are_read_and_printed(text: str, printed: str) -> None:
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
    for text, levels in (("AP(rel=2)", FOUR), ("AP(rel=2)", named), ("AP(rel='HRel')", named)):
        relevance = parse_measure(text).relevance(levels)
        assert relevance is not None
        assert relevance.mask == (False, False, True, True)
    none = parse_measure("AP(rel=9)").relevance(FOUR)
    assert none is not None
    assert not any(none.mask)
    own = parse_measure("nDCG(gains={0: -1, 2: 10, 7: 3})").own_gains(FOUR)
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
