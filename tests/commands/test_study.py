"""The studies from Python: what a person has in, one frozen result out; runs are read once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from scipy.stats import kendalltau

from gainsayer import Reading, score
from gainsayer.commands import ranked_runs
from gainsayer.commands import study as studies
from gainsayer.datasets import RunDesign, SecondRound, SimulatedCollection, simulate_collection, write_collection
from gainsayer.errors import CallError
from gainsayer.gains import prm_gains
from gainsayer.model import assign_strata, count_pairs, estimate_disagreement, predict_relevance, split_strata
from gainsayer.ranking import rank_documents
from gainsayer.reading import read_judgments

ORDERS = (studies.robustness, studies.gains)


@pytest.fixture(scope="module")
def collection() -> SimulatedCollection:
    """Sixteen topics in two strata, all judged twice, and six runs."""
    return simulate_collection(
        topics=16,
        documents=40,
        second=SecondRound(topics=16),
        runs=RunDesign([0.7, 0.66, 0.62, 0.58, 0.54, 0.5], depth=20, unjudged=0.2),
        strata={"inf": 0.6, "nav": 0.4},
        seed=3,
    )


@pytest.fixture(scope="module")
def folder(collection: SimulatedCollection, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as files."""
    place = tmp_path_factory.mktemp("studies") / "c"
    write_collection(collection, place)
    return place


def test_files_and_memory_give_the_same(collection: SimulatedCollection, folder: Path) -> None:
    """Judgments and runs from files, with strata, say what the collection in memory says; files are recorded."""
    files = (str(folder / "first.qrels"), str(folder / "second.qrels"))
    reading = Reading(files, levels="Non,Rel,HRel,Key", strata=folder / "strata.tsv")
    here = studies.robustness(collection.judgments, dict(collection.runs), threshold="Rel", seed=4)
    there = studies.robustness(reading, folder / "runs", threshold="Rel", seed=4)
    assert here.to_csv() == there.to_csv()
    assert list(here.strata) == list(there.strata) == ["inf", "nav"]
    assert (here.kind, here.seed) == ("robustness", 4)
    assert here.provenance is not None
    assert there.provenance is not None
    assert (here.provenance.files, len(there.provenance.files)) == ((), 2 + 1 + 6)
    assert there.provenance.options["threshold"] == "Rel"


@pytest.mark.parametrize("study", ORDERS)
def test_runs_are_read_once(folder: Path, study: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the thresholds, measures, strata and sides, each run file is matched with the judgments once."""
    seen = []
    match = rank_documents

    def count(run: object, *args: object, **options: object) -> object:
        seen.append(run)
        return match(run, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(ranked_runs, "rank_documents", count)
    files = (str(folder / "first.qrels"), str(folder / "second.qrels"))
    reading = Reading(files, levels="Non,Rel,HRel,Key", strata=folder / "strata.tsv")
    study(reading, folder / "runs", ["nDCG@10", "P@5"], unjudged="condense")
    assert len(seen) == 6


def test_a_stratum_has_parameters_of_its_own(collection: SimulatedCollection) -> None:
    """In each stratum gains come from its own pairs, and tau-b is SciPy's of the scores on its topics."""
    judgments = collection.judgments
    relevance = judgments.levels.at_or_above("Rel")
    table = studies.robustness(judgments, dict(collection.runs), gains="prm", threshold="Rel", no_relevant="keep")
    for name, part in split_strata(judgments).items():
        row = table.strata[name][0].rows[0]
        gains = prm_gains(predict_relevance(estimate_disagreement(count_pairs(part)), relevance))
        assert row.values == pytest.approx(gains.values)
        columns = []
        for side, found in zip(judgments.assessors, (row.first, row.second), strict=True):
            by_hand = score(part, dict(collection.runs), gain=gains.as_dict(), threshold="Rel", labels=side)
            values = next(iter(by_hand.scores.values.values())).mean(axis=1)
            assert found == pytest.approx(values)
            columns.append(values)
        assert row.tau is not None
        assert row.tau.value == pytest.approx(kendalltau(*columns).statistic)


@pytest.mark.parametrize(
    "policy", [{"unjudged": "level"}, {"unjudged": 0.2}, {"unjudged": "condense"}, {"ties": "rank"}]
)
def test_policies_are_those_of_score(collection: SimulatedCollection, policy: dict[str, object]) -> None:
    """Every policy changes a study's scores as it changes those of `score`."""
    shared = {"threshold": "Rel", "no_relevant": "skip", **policy}
    table = studies.gains(collection.judgments, dict(collection.runs), "nDCG@10", gains="prm,linear", **shared)  # type: ignore[arg-type]
    scores = score(collection.judgments, dict(collection.runs), "nDCG@10", gains="prm,linear", **shared).scores  # type: ignore[arg-type]
    for (_, name), values in scores.values.items():
        assert table.studies[0].scores[name] == pytest.approx(values.mean(axis=1))


def test_a_stratum_without_pairs_is_left_out_and_named() -> None:
    """Strata that nobody judged twice are left out with a finding; one of a single topic has nothing to draw from."""
    first = {f"q{number}": {"a": 1, "b": 0} for number in range(4)}
    second = {f"q{number}": {"a": 1, "b": 1} for number in range(3)}
    strata = {"q0": "two", "q1": "two", "q2": "one", "q3": "none"}
    judgments = assign_strata(read_judgments({"U1": first, "U2": second}), strata)
    table = studies.topics(judgments)
    assert (len(table.strata["two"]), table.strata["one"]) == (1, ())
    codes = [finding.code for finding in table.findings]
    assert {"stratum-without-pairs", "single-topic"} <= set(codes)
    runs = {name: {topic: {"a": score, "b": 1.0} for topic in first} for name, score in (("x", 2.0), ("y", 0.5))}
    orders = studies.robustness(judgments, runs, threshold=1)
    assert set(orders.strata) == {"one", "two"}


def test_a_curve_by_resources_needs_to_know_what_they_returned() -> None:
    """Results ordered with their resource, by a rule on document ids; by runs where there are runs."""
    labels = [("e1-7-01", 0, 1), ("e1-7-02", 1, 0), ("e2-7-01", 1, 1), ("e2-7-02", 2, 1)]
    sides = [{"7": {name: row[side] for name, *row in labels}} for side in (0, 1)]
    judgments = read_judgments({"a": sides[0], "b": sides[1]})
    rule = r"(?P<resource>.+)-\d+-(?P<rank>\d+)"
    table = studies.quality(judgments, resource_rule=rule, threshold=1)
    assert (table.studies[0].pairs.tolist(), table.studies[0].by_labels) == ([2, 4], True)
    run = {"7": {"e1-7-01": 2.0, "e2-7-01": 1.0}}
    assert studies.quality(judgments, run, by="depth", threshold=1).studies[0].pairs.tolist() == [1, 2]
    assert studies.quality(judgments, resource_rule=rule, results=1, threshold=1).studies[0].pairs.tolist() == [1, 2]
    with pytest.raises(CallError, match="a rule or a file says what each of them returned"):
        studies.quality(judgments)
    for order in ("resources", "depth"):
        with pytest.raises(CallError, match="Runs go with by='metarank' or by='depth'"):
            studies.quality(judgments, run, by=order, resource_rule=rule)  # type: ignore[arg-type]
    with pytest.raises(CallError, match="The order by='depth' goes by where runs put a document"):
        studies.quality(judgments, by="depth")


def test_amount_grows_to_what_is_asked_for(collection: SimulatedCollection) -> None:
    """Sizes may be given, or the largest one; not both."""
    judgments = collection.judgments
    assert studies.amount(judgments, threshold="Key", most=50, rounds=3).studies[0].sizes[-1] == 50
    assert studies.amount(judgments, threshold="Key", sizes=[9, 5], rounds=3).studies[0].sizes.tolist() == [5, 9]
    with pytest.raises(CallError, match="say the same thing in two ways"):
        studies.amount(judgments, most=50, sizes=[3])


@pytest.mark.parametrize("study", ORDERS)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"gains": "prm,binary"}, "compared from two runs on, found 1. Give more runs."),
        ({"gains": "steep,prm"}, "There are no gains 'steep'"),
        ({"unjudged": "bounds"}, "so they order no runs"),
        ({"unjudged": "much"}, "may be 0, level, condense, bounds or a number, found 'much'"),
        ({"measures": "Judged@10"}, "says nothing about relevance"),
    ],
)
def test_what_orders_no_runs_is_refused(
    collection: SimulatedCollection, study: Callable[..., object], options: dict[str, object], words: str
) -> None:
    """A fault in the call is said in the words of the arguments."""
    with pytest.raises(CallError, match=re.escape(words)):
        study(collection.judgments, dict(list(collection.runs.items())[:1]), threshold="Rel", **options)


def test_messages_name_no_flags() -> None:
    """What a person reads in Python is about arguments, never about options of the command line."""
    home = Path(str(studies.__file__)).parent
    for path in (home / "study.py", *(home.parent / "studies").glob("*.py")):
        assert not re.findall(r"--[a-z][\w-]+", path.read_text()), path
