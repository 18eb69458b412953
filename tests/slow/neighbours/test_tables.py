"""What other libraries hand over, handed over by the libraries themselves."""

from __future__ import annotations

import importlib
import itertools
from typing import Any

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.measures import parse_measure
from gainsayer.ranking import make_pool, rank_levels

pytestmark = pytest.mark.filterwarnings("ignore")  # what the neighbours warn of is theirs

QRELS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d4": 0}}
RUN = {"q1": {"d2": 3.0, "d1": 2.0, "d9": 1.0}, "q2": {"d1": 1.0}}
ROWS = sorted((topic, document, str(level)) for topic, table in QRELS.items() for document, level in table.items())
EXPECTED = gs.score(QRELS, RUN, ["nDCG@10", "RR"]).means()


def need(name: str) -> Any:
    """A neighbour, or a skip that says which one is missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} is not installed: make test-neighbours installs the neighbours")


def rows(judgments: gs.Judgments) -> list[tuple[str, ...]]:
    """Topic, document and level of each judgment, sorted."""
    return sorted(judgments.frame().select("topic", "document", "level").rows())


def frame(table: dict[str, dict[str, Any]], *titles: str) -> Any:
    """A pandas data frame of nested dicts."""
    pandas = need("pandas")
    cells = [(topic, document, value) for topic, inner in table.items() for document, value in inner.items()]
    return pandas.DataFrame(cells, columns=list(titles))


def test_pyterrier_qrels_and_results() -> None:
    """The frames that pt.Transformer gives and pt.Experiment takes are judgments and a run; columns taken are said."""
    pt = need("pyterrier")
    qrels = frame(QRELS, "qid", "docno", "label")
    results = frame(RUN, "qid", "docno", "score").assign(docid=[7, 8, 9, 7], query="words", rank=0)
    topics = results[["qid", "query"]].drop_duplicates()
    given = pt.Transformer.from_df(results)(topics)
    assert {"qid", "docno", "score", "query", "docid"} <= set(given.columns)
    assert rows(gs.read_judgments(qrels)) == ROWS
    table = gs.score(qrels, given, ["nDCG@10", "RR"])
    assert table.means() == EXPECTED
    assert "'docno' was taken as the document, not 'docid'" in next(
        found.message for found in table.findings if found.code == "columns-chosen"
    )


def test_pyterrier_experiments_take_our_measures() -> None:
    """pt.Experiment gives PRM_nDCG the number that gs.score gives, beside nDCG, by name and as a value."""
    pt = need("pyterrier")
    ir_measures = need("ir_measures")
    ours = need("gainsayer.exports.ir_measures")
    gains = {"0": 0.1, "1": 0.3, "2": 0.6}
    ours.use_model("pt", gains)
    qrels, results = frame(QRELS, "qid", "docno", "label"), frame(RUN, "qid", "docno", "score").assign(query="words")
    topics = results[["qid", "query"]].drop_duplicates()
    asked = [ir_measures.nDCG @ 10, ours.PRM_nDCG(model="pt") @ 10, ours.PRM_AP(model="pt", users="independent")]
    found = pt.Experiment([results], topics, qrels, asked, names=["bm25"]).iloc[0]
    judgments = gs.read_judgments(QRELS)
    worth = gs.Gains(judgments.levels, np.array(list(gains.values())))
    ranked = rank_levels(gs.read_run(RUN), make_pool(judgments))
    expected = {
        name: float(parse_measure(name).score(ranked, worth).mean()) for name in ("nDCG@10", "AP(users='independent')")
    }
    assert found["nDCG@10"] == pytest.approx(EXPECTED["nDCG@10"])
    assert found["PRM_nDCG(model='pt')@10"] == pytest.approx(expected["nDCG@10"])
    assert found["PRM_AP(model='pt',users='independent')"] == pytest.approx(expected["AP(users='independent')"])


def test_ranx_runs_and_qrels() -> None:
    """ranx' Run and Qrels, and their data frames, are read; a run keeps its name."""
    ranx = need("ranx")
    qrels, run = ranx.Qrels(QRELS), ranx.Run(RUN, name="bm25")
    assert rows(gs.read_judgments(qrels)) == ROWS
    assert rows(gs.read_judgments(qrels.to_dataframe())) == ROWS
    assert gs.read_run(run).name == "bm25"
    for given in (run, run.to_dataframe(), run.to_dict(), {"bm25": run}):
        assert gs.score(qrels, given, ["nDCG@10", "RR"]).means() == EXPECTED


@pytest.mark.parametrize("kind", [iter, list, tuple])
def test_ir_measures_iterators(kind: Any, tmp_path: Any) -> None:
    """Qrel and ScoredDoc of ir_measures, from its own readers, as generators and lists."""
    ir_measures = need("ir_measures")
    (tmp_path / "a.qrels").write_text("".join(f"{t} 0 {d} {v}\n" for t, d, v in ROWS))
    lines = [f"{t} Q0 {d} 1 {score} x\n" for t, inner in RUN.items() for d, score in inner.items()]
    (tmp_path / "a.run").write_text("".join(lines))
    qrels = kind(ir_measures.read_trec_qrels(str(tmp_path / "a.qrels")))
    run = kind(ir_measures.read_trec_run(str(tmp_path / "a.run")))
    assert gs.score(qrels, run if kind is not tuple else list(run), ["nDCG@10", "RR"]).means() == EXPECTED


def test_ir_datasets_types() -> None:
    """TrecQrel and GenericScoredDoc of ir_datasets, and TrecSubQrel, whose subtopic is the intent."""
    formats = need("ir_datasets.formats")
    qrels = [formats.TrecQrel(topic, document, int(level), "0") for topic, document, level in ROWS]
    run = (formats.GenericScoredDoc(t, d, score) for t, inner in RUN.items() for d, score in inner.items())
    assert gs.score(iter(qrels), run, ["nDCG@10", "RR"]).means() == EXPECTED
    sub = [formats.TrecSubQrel("q1", "d1", 1, "1"), formats.TrecSubQrel("q1", "d1", 0, "2")]
    assert gs.read_judgments(sub).frame()["intent"].to_list() == ["1", "2"]


def test_hugging_face_datasets() -> None:
    """A Dataset of qrels, in PyTerrier's and in BEIR's columns; of a DatasetDict one is asked for."""
    datasets = need("datasets")
    plain = datasets.Dataset.from_dict(frame(QRELS, "qid", "docno", "label").to_dict("list"))
    assert rows(gs.read_judgments(plain)) == ROWS
    beir = datasets.Dataset.from_dict({"query-id": ["q1", "q2"], "corpus-id": ["d1", "d1"], "score": [2, 1]})
    judgments = gs.read_judgments(beir)
    assert rows(judgments) == [("q1", "d1", "2"), ("q2", "d1", "1")]
    assert {"columns-chosen", "positives-only"} <= {found.code for found in judgments.findings}
    run = datasets.Dataset.from_dict(frame(RUN, "query_id", "doc_id", "score").to_dict("list"))
    assert gs.score(plain, run, ["nDCG@10", "RR"]).means() == EXPECTED
    with pytest.raises(CallError, match=r"\['test'\]"):
        gs.read_judgments(datasets.DatasetDict(test=beir))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_data_frames(library: str) -> None:
    """Frames of every library, ids as whole numbers among them; duckdb's are among the tests of the readers."""
    module = need(library)
    columns = {"qid": [1, 1, 2], "docno": [10, 11, 10], "label": [2, 0, 1]}
    made = module.table(columns) if library == "pyarrow" else module.DataFrame(columns)
    assert rows(gs.read_judgments(made)) == [("1", "10", "2"), ("1", "11", "0"), ("2", "10", "1")]


def test_a_lazy_frame_is_still_refused() -> None:
    """polars' LazyFrame is told to be collected."""
    polars = need("polars")
    with pytest.raises(CallError, match=r"found LazyFrame. Call \.collect\(\) first"):
        gs.read_judgments(polars.LazyFrame({"qid": [1]}))


def test_mlflow_takes_the_names_and_files(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name of metrics() is accepted by MLflow's own check, and log_metrics keeps the numbers."""
    mlflow = need("mlflow")
    validate = importlib.import_module("mlflow.utils.validation")._validate_metric_name
    measures = ["nDCG@10", "nDCG(discount='zipf')@20", "RBP(p=0.5)", "AP(users='independent')", "P(rel=2)@5"]
    runs = {"../new (k1=0.9)": RUN, "prod": RUN}
    table = gs.score({"U1": QRELS, "U2": QRELS}, runs, measures, gains="prm", threshold=1)
    names = table.metrics()
    assert len(names) == 2 * len(measures)
    for name in itertools.chain(names, table.metrics("prod")):
        validate(name)
    with pytest.raises(Exception, match="Invalid"):
        validate("nDCG@10")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # a database would need more of MLflow than the client
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    with mlflow.start_run() as tracked:
        mlflow.log_metrics(table.metrics("prod"))
        (tmp_path / "scores.json").write_text(table.to_json())
        mlflow.log_artifact(tmp_path / "scores.json")
    kept = mlflow.get_run(tracked.info.run_id).data.metrics
    assert kept == pytest.approx(table.metrics("prod"))
