"""The adapter for ir_measures: its own numbers with classical gains, ours with a model's, both in one call."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import gainsayer as gs
from gainsayer.errors import CallError, FormatError

ir_measures = pytest.importorskip("ir_measures", reason="the adapter is for ir_measures, which is not installed")

from gainsayer.exports.ir_measures import MEASURES, PRM_AP, PRM_P, PRM_nDCG, use_model  # noqa: E402

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1, "d": 0}, "q3": {"e": 2}}
RUN = {"q1": {"b": 3.0, "a": 2.0, "x": 1.0}, "q2": {"a": 1.0}}
GAINS = {"0": 0.1, "1": 0.3, "2": 0.6}
# Theirs, and ours where it has another name; RBP and Compat have no provider without cwl-eval.
CLASSICAL = {
    **{
        name: f"PRM_{name.partition('@')[0]}(model='classic')@{name.partition('@')[2]}"
        for name in ("nDCG@10", "nDCG@100")
    },
    "nDCG": "PRM_nDCG(model='classic')",
    "nDCG(dcg='exp-log2')@10": "PRM_nDCG(model='classic',dcg='exp-log2')@10",
    "nDCG(gains={0:0,1:1,2:5,3:10})@20": "PRM_nDCG(model='classic',gains={0:0,1:1,2:5,3:10})@20",
    "P@10": "PRM_P(model='classic')@10",
    "P(rel=2)@10": "PRM_P(model='classic',rel=2)@10",
    "P(judged_only=True)@10": "PRM_P(model='classic',judged_only=True)@10",
    "R@100": "PRM_R(model='classic')@100",
    "R(rel=2)@1000": "PRM_R(model='classic',rel=2)@1000",
    "SetR": "PRM_R(model='classic')",
    "AP": "PRM_AP(model='classic')",
    "AP(rel=2)": "PRM_AP(model='classic',rel=2)",
    "AP(rel=2)@100": "PRM_AP(model='classic',rel=2)@100",
    "RR": "PRM_RR(model='classic')",
    "RR(rel=2)@10": "PRM_RR(model='classic',rel=2)@10",
    "Rprec": "PRM_Rprec(model='classic')",
    "Success@5": "PRM_Success(model='classic')@5",
    "Success(rel=3)@1": "PRM_Success(model='classic',rel=3)@1",
    "Bpref": "PRM_Bpref(model='classic')",
    "Bpref(rel=2)": "PRM_Bpref(model='classic',rel=2)",
    "infAP": "PRM_infAP(model='classic')",
    "IPrec@0.1": "PRM_IPrec(model='classic')@0.1",
    "IPrec(rel=2)@0.5": "PRM_IPrec(model='classic',rel=2)@0.5",
    "SetP": "PRM_SetP(model='classic')",
    "SetRelP": "PRM_SetRelP(model='classic')",
    "SetF": "PRM_SetF(model='classic')",
    "SetF(beta=2.0)": "PRM_SetF(model='classic',beta=2.0)",
    "SetAP": "PRM_SetAP(model='classic')",
    "NumRel": "PRM_PoolRel(model='classic')",
    "NumRet(rel=1)": "PRM_NumRel(model='classic')",
}
RUNS = None if os.environ.get("GAINSAYER_SLOW") else 1


def by_topic(measure: Any, qrels: Any, run: Any) -> dict[str, float]:
    """The scores by topic, through ir_measures."""
    return {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], qrels, run)}


@pytest.mark.slow
@pytest.mark.parametrize(("collection", "labels"), [("dl19", "nist.qrels"), ("dl21", "assessors/nist.qrels")])
def test_classical_numbers_are_ir_measures_own(
    collection: str, labels: str, shared_data: Callable[[str], Path]
) -> None:
    """On every topic of real runs each measure has the number that ir_measures itself gives, among ties, too.

    Its providers break ties in three ways; ours is pytrec_eval's. What others compute is compared without ties.
    """
    qrels = list(ir_measures.read_trec_qrels(str(shared_data(f"{collection}/{labels}"))))
    pairs = {ir_measures.parse_measure(theirs): ir_measures.parse_measure(ours) for theirs, ours in CLASSICAL.items()}
    files = sorted(shared_data(f"{collection}/runs").iterdir())
    for file in files[:: 1 if RUNS is None else len(files) // RUNS]:
        frame = gs.read_run(file).frame().sort("topic", pl.col("score").cast(pl.Float32), "document", descending=True)
        untied = frame.with_columns(score=-pl.int_range(pl.len()).cast(pl.Float64))
        for table, known in ((frame, True), (untied, False)):
            run = [ir_measures.ScoredDoc(*row) for row in table.select("topic", "document", "score").iter_rows()]
            asked = {one: other for one, other in pairs.items() if ir_measures.pytrec_eval.supports(one) == known}
            found: dict[Any, dict[str, float]] = {measure: {} for pair in asked.items() for measure in pair}
            # Apart from each other: in one call, in some orders of a set, pytrec_eval takes gains for all nDCGs.
            for mapped in (True, False):
                together = [measure for measure in found if ("gains=" in str(measure)) == mapped]
                for metric in ir_measures.iter_calc(together, qrels, run) if together else ():
                    found[metric.measure][metric.query_id] = metric.value
            for one, other in asked.items():
                assert len(found[one]) >= 43
                digits = 5.1e-6 if "exp-log2" in str(one) else 1e-9  # gdeval prints five digits
                assert found[other] == pytest.approx(found[one], abs=digits), (file.name, str(other))


def test_err_is_gdevals_to_the_digits_it_prints() -> None:
    """ERR@20 is that of gdeval, which prints five digits; skipped where gdeval does not run."""
    err = ir_measures.ERR @ 20
    if not ir_measures.gdeval.is_available():
        pytest.skip("gdeval needs perl")
    theirs = {
        metric.query_id: metric.value for metric in ir_measures.gdeval.iter_calc([err], numbered(QRELS), numbered(RUN))
    }
    ours = by_topic(ir_measures.parse_measure("PRM_ERR(model='classic')@20"), numbered(QRELS), numbered(RUN))
    assert {topic: ours[topic] for topic in theirs} == pytest.approx(theirs, abs=5.1e-6)


def numbered(table: dict[str, Any]) -> dict[str, Any]:
    """The same with topics that are numbers, as gdeval wants them."""
    return {topic.removeprefix("q"): documents for topic, documents in table.items()}


def test_a_models_numbers_are_those_of_score(tmp_path: Path) -> None:
    """With a model each measure, its parameters and its expected values have the numbers that gs.score gives."""
    twin = gs.simulate(topics=12, documents=30, runs=1, levels="0,1,2,3", seed=4)
    model = gs.fit(twin.judgments, threshold=2)
    path = tmp_path / "model.json"
    path.write_text(model.to_json())
    first = twin.judgments.assessors[0]
    labels = {topic: {} for topic in twin.judgments.topics}  # type: ignore[var-annotated]
    for topic, document, assessor, level in (
        twin.judgments.frame().select("topic", "document", "assessor", "level").rows()
    ):
        if assessor == first:
            labels[topic][document] = int(level)
    run: dict[str, dict[str, float]] = {}
    for topic, document, score in twin.runs["run01"].select("topic", "document", "score").rows():
        run.setdefault(topic, {})[document] = score
    use_model("file", path)
    use_model("result", model)
    names = ["nDCG@10", "DCG@10", "P@5", "R@20", "AP", "RBP(p=0.5)", "ERR@10", "RR", "Q", "AP(users='independent')"]
    names += ["nDCG(users='comonotone')@10", "Success(users='independent')@1"]
    table = gs.score(labels, run, names, model=str(path), gains="prm").by_topic()
    for name in names:
        for known in ("file", "result"):
            family, _, rest = name.partition("(")
            inside = rest.partition(")")[0]
            depth = name.rpartition("@")[2] if "@" in name else ""
            asked = f"PRM_{family.partition('@')[0]}(model='{known}'{', ' + inside if inside else ''})"
            measure = ir_measures.parse_measure(f"{asked}@{depth}" if depth else asked)
            expected = {topic: values[name] for topic, values in table.items()}
            assert by_topic(measure, labels, run) == pytest.approx(expected, abs=1e-12), name


def test_a_threshold_is_for_models() -> None:
    """Gains by hand are of no threshold: one that is asked for is refused, not passed over."""
    with pytest.raises(CallError, match="A threshold picks one of the thresholds of a model"):
        use_model("hand", GAINS, threshold=2)


def test_worked_by_hand() -> None:
    """P@2 is the mean gain of two places, and expected RR that of the first document a user finds relevant."""
    use_model("hand", GAINS)
    assert by_topic(PRM_P(model="hand") @ 2, QRELS, RUN) == {
        "q1": pytest.approx(0.35),
        "q2": pytest.approx(0.15),
        "q3": 0.0,
    }
    found = by_topic(ir_measures.parse_measure("PRM_RR(model='hand', users='independent')"), QRELS, RUN)
    assert found["q1"] == pytest.approx(0.1 + 0.9 * 0.6 / 2)


def test_theirs_and_ours_stand_in_one_call() -> None:
    """calc_aggregate, calc and an evaluator take both, and a data frame or named tuples as well as dicts."""
    import pandas as pd

    use_model("default", GAINS)
    asked = [PRM_nDCG @ 2, ir_measures.nDCG @ 2, PRM_AP(model="binary")]
    expected = ir_measures.calc_aggregate(asked, QRELS, RUN)
    assert set(expected) == set(asked)
    assert np.isfinite(list(expected.values())).all()
    qrels = [ir_measures.Qrel(q, d, level) for q, table in QRELS.items() for d, level in table.items()]
    run = pd.DataFrame(
        [(q, d, score) for q, table in RUN.items() for d, score in table.items()],
        columns=["query_id", "doc_id", "score"],
    )
    assert ir_measures.calc_aggregate(asked, iter(qrels), run) == expected
    assert ir_measures.evaluator(asked, qrels).calc(run).aggregated == expected


def test_every_family_with_gains_is_registered_and_parses_its_own_name() -> None:
    """The name that a measure prints is the one that is parsed back."""
    assert {"PRM_nDCG", "PRM_DCG", "PRM_P", "PRM_R", "PRM_AP", "PRM_RBP", "PRM_ERR"} <= set(MEASURES)
    assert set(MEASURES) <= set(ir_measures.measures.registry)
    for text in ("PRM_nDCG(model='m')@10", "PRM_AP(users='independent')", "PRM_IPrec(rel=2)@0.1", "PRM_RBP(p=0.5)"):
        assert str(ir_measures.parse_measure(text)) == text


def test_topics_without_a_run_and_an_empty_run_score_nothing() -> None:
    """A judged topic that the run lacks has the default 0, as with ir_measures' own measures."""
    import pandas as pd

    use_model("hand", GAINS)
    assert by_topic(PRM_P(model="hand") @ 1, QRELS, RUN)["q3"] == 0.0
    empty = pd.DataFrame({"query_id": [], "doc_id": [], "score": []})
    assert set(by_topic(PRM_P(model="hand") @ 1, QRELS, empty).values()) == {0.0}


def test_what_does_not_fit_is_said_in_words() -> None:
    """Unknown models, labels that a model lacks, wrong parameters and names that are taken."""
    use_model("hand", GAINS)
    with pytest.raises(CallError, match=r"there is no model 'hnad'. Make it known: use_model\('hnad', 'model.json'\)"):
        by_topic(PRM_P(model="hnad") @ 1, QRELS, RUN)
    with pytest.raises(FormatError, match="expected one of the levels 0, 1, 2, found '3'"):
        by_topic(PRM_P(model="hand") @ 1, {"q1": {"a": 3}}, RUN)
    with pytest.raises(CallError, match="p must be a number above 0 and below 1, found 2"):
        by_topic(ir_measures.parse_measure("PRM_RBP(model='hand', p=2)"), QRELS, RUN)
    with pytest.raises(CallError, match="by a word other than classic"):
        use_model("classic", GAINS)
    with pytest.raises(CallError, match="needs 0/1 gains"):
        by_topic(ir_measures.parse_measure("PRM_Bpref(model='hand')"), QRELS, RUN)
