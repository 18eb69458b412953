"""`export` from Python: what a person has goes in, text and notes come out; messages name no flags."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from gainsayer import export, fit
from gainsayer.datasets import twenty_documents
from gainsayer.errors import CallError, MissingParameterError

QRELS = {"nist": {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d2": 0}}}
BY_HAND = {"0": 0.01, "1": 0.27, "2": 0.53}


def test_a_fit_in_memory_is_a_model() -> None:
    """p(R|i) at the threshold asked for, exactly, without a file in between; gains by hand come first."""
    model = fit(twenty_documents(), threshold=[2, 1])
    wanted = dict(zip("012", model.predict(2).probability.tolist(), strict=True))
    assert json.loads(export("gains", model=model).text) == wanted == {"0": 1 / 13, "1": 5 / 17, "2": 0.4}
    assert json.loads(export("gains", model=model, threshold=1).text)["2"] == pytest.approx(0.9)
    assert json.loads(export("gains", model=model, gain={"2": 0.5}).text)["2"] == 0.5
    with pytest.raises(CallError, match=r"no threshold '7'|no level '7'"):
        export("gains", model=model, threshold="7")


def test_the_codes_of_a_model_stand_in_gain_maps() -> None:
    """A model of named levels knows the numbers that stand for them in qrels, so that trec_eval's map has these."""
    frame = pl.DataFrame(
        {
            "topic": ["q"] * 8,
            "document": list("abcd") * 2,
            "assessor": ["u"] * 4 + ["v"] * 4,
            "level": [0, 0, 7, 7, 0, 7, 7, 0],
        }
    )
    from gainsayer import Reading

    model = fit(Reading((frame,), levels="Non=0,Key=7"), threshold="Key")
    assert export("gains", model=model, style="trec_eval").text == "-m ndcg.0=0.5,7=0.5\n"


@pytest.mark.parametrize("scale", [None, 1000, 10])
def test_dicts_become_qrels(scale: int | None) -> None:
    """Plain qrels in, scaled qrels out; the bound on what rounding costs is among the notes."""
    made = export("qrels", QRELS, gain=BY_HAND, scale=scale)
    assert str(made) == made.text
    assert made.text.splitlines()[0] == f"q1 0 d1 {5 if scale == 10 else 530}"
    assert made.notes[0].startswith("nDCG on these qrels is off by at most")
    assert ("A larger scale makes it smaller" in made.notes[0]) == (scale == 10)
    assert made.notes[-1].endswith("is meaningless.")
    assert made.labels is not None
    assert made.gains.as_dict() == BY_HAND


def test_the_mean_over_assessors_is_exported() -> None:
    """With the rule `mean` a document's gain is the mean over its labels."""
    both = {"a": {"q1": {"d1": 2, "d2": 0}}, "b": {"q1": {"d1": 1, "d2": 0}}}
    made = export("quepid", both, gain={"0": 0.0, "1": 0.25, "2": 0.75}, labels="mean", queries={"q1": "red dress"})
    assert made.text == "query,docid,rating\nred dress,d1,0.5\nred dress,d2,0\n"
    assert made.notes == ("Labels: all of a, b (a document's gain is the mean over its labels).",)


def test_what_was_read_is_recorded(tmp_path: Path) -> None:
    """Files of judgments and queries are in the provenance, beside what was asked for."""
    (tmp_path / "a.qrels").write_text("7 0 d1 1\n8 0 d1 0\n")
    (tmp_path / "queries.tsv").write_text("7\tred dress\n8\tblue jeans\n")
    made = export("opensearch", tmp_path / "a.qrels", gain={0: 0.1, 1: 0.5}, queries=tmp_path / "queries.tsv")  # type: ignore[dict-item]
    assert made.provenance is not None
    assert [Path(name).name for name, _ in made.provenance.files] == ["a.qrels", "queries.tsv"]
    assert made.provenance.options["what"] == "opensearch"
    assert export("opensearch", tmp_path / "a.qrels", gain={"0": 0.1, "1": 0.5}).notes[0].endswith("queries=...")


def test_what_is_missing_is_said_without_flags() -> None:
    """No gains, no judgments, no model for a threshold, a level without gain: each in words of ideas."""
    one = {"nist": {"q": {"d": 0, "e": 1}}}
    for words, call in (
        ("No gains were given", lambda: export("qrels", QRELS)),
        ("the judgments are needed", lambda: export("quepid", gain=BY_HAND)),
        ("Give a model", lambda: export("qrels", QRELS, gain=BY_HAND, threshold=1)),
        ("no export 'tables'", lambda: export("tables", QRELS, gain=BY_HAND)),  # type: ignore[arg-type]
        ("no export 'yaml'", lambda: export("gains", gain=BY_HAND, style="yaml")),  # type: ignore[arg-type]
        ("Level '1' has no gain", lambda: export("qrels", one, gain={"0": 0.1})),
        ("found 0", lambda: export("qrels", one, gain={"0": 0.1, "1": 0.2}, scale=0)),
    ):
        with pytest.raises(CallError, match=words) as caught:
            call()
        assert "--" not in str(caught.value), caught.value


def test_a_level_that_nobody_judged_twice_needs_a_gain() -> None:
    """A model without a probability for a level is completed by hand, not by 0."""
    from gainsayer import Reading

    sides = ({"q": {"d": 0, "e": 1}}, {"q": {"d": 0, "e": 1}})
    model = fit(Reading((("a", sides[0]), ("b", sides[1])), levels="0,1,2"), threshold=1)
    with pytest.raises(MissingParameterError, match="'2'"):
        export("gains", model=model)
    assert json.loads(export("gains", model=model, gain={"2": 1}).text) == {"0": 0.0, "1": 1.0, "2": 1.0}
