"""`doctor` from Python: what is asked, what it makes of the answers. tests/oracles asks the real evaluators."""

from __future__ import annotations

import pytest

from gainsayer import doctor, fit
from gainsayer.errors import CallError, DataError
from gainsayer.exports import Answer, Patience, Question, checks

QRELS = {"nist": {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d2": 0}}}
RUN = {"q1": {"d2": 1.0, "d1": 3.0, "d3": 3.0}, "q9": {"d1": 1.0}}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """One evaluator that gives every ranking nDCG 1; the questions it was asked."""
    questions: list[Question] = []

    def answer(peer: str, question: Question, patience: Patience) -> Answer:
        questions.append(question)
        return Answer(values=dict.fromkeys(question.rankings, 1.0))

    monkeypatch.setattr(checks, "find_version", lambda peer: "1.0" if peer == "ranx" else None)
    monkeypatch.setattr(checks, "ask_peer", answer)
    return questions


def test_the_right_value_is_the_score(asked: list[Question]) -> None:
    """The value beside a run is what `score` gives it with the same gains on the topics they share."""
    from gainsayer import score

    gain = {"0": 0.01, "1": 0.27, "2": 0.53}
    found = doctor(QRELS, RUN, gain=gain)
    scaled = {check.ranking: check for check in found.checks if check.given == "scaled qrels"}
    table = score({"nist": {"q1": QRELS["nist"]["q1"]}}, RUN, ["nDCG"], gain=gain)
    [expected] = table.scores.values.values()
    assert scaled["your run"].right == pytest.approx(float(expected.mean()), abs=1e-12)
    assert scaled["your run"].verdict == "wrong"
    assert (scaled["perfect ranking"].right, scaled["perfect ranking"].verdict) == (pytest.approx(1), "right")
    assert asked[0].rankings["your run"] == {"q1": ["d3", "d1", "d2"]}


def test_gains_of_a_model_by_hand_or_for_example(asked: list[Question]) -> None:
    """A fit is a model; without any gains there are example gains, called so."""
    sides = {"a": {"q": {"d": 0, "e": 1, "f": 1}}, "b": {"q": {"d": 0, "e": 1, "f": 0}}}
    model = fit(sides, threshold=1)
    found = doctor({"nist": {"q": {"d": 0, "e": 1}}}, model=model)
    assert found.gains.values.tolist() == model.predict().probability.tolist()
    assert found.gains.name == "prm"
    assert doctor(QRELS).gains.name == "example gains"
    assert doctor(QRELS, gain={"0": 0, "1": 0.5, "2": 1}).gains.name == "custom"


def test_few_topics_of_many(asked: list[Question]) -> None:
    """Topics beyond the most are left out with a note; those that the run lacks do not count."""
    assert doctor(QRELS, most_topics=1).notes == ("Looked at the first 1 of 2 topics, the most that were asked for.",)
    assert doctor(QRELS, RUN, most_topics=1).notes == ()


def test_it_reports_progress_and_provenance(asked: list[Question], monkeypatch: pytest.MonkeyPatch) -> None:
    """Options are recorded; whoever wants to know hears how far it is."""
    heard: list[tuple[str, float]] = []
    found = doctor(QRELS, scale=10, progress=lambda what, share: heard.append((what, share)))
    assert all(what == "Asking the evaluators" and 0 <= share <= 1 for what, share in heard)
    assert found.provenance is not None
    assert found.provenance.options["scale"] == 10
    assert "gainsayer export qrels with a scale of 10" in found.advice[-2]


def test_faults(asked: list[Question]) -> None:
    """A mean is no label; no shared topic; nobody is asked."""
    both = {"a": {"q": {"d": 0, "e": 1}}, "b": {"q": {"d": 1, "e": 1}}}
    with pytest.raises(CallError, match=r"one label per document, not the mean"):
        doctor(both, labels="mean")
    with pytest.raises(DataError, match="share no topic"):
        doctor(QRELS, {"q7": {"d": 1.0}})
    with pytest.raises(CallError, match="Give a model"):
        doctor(QRELS, threshold=1)
    assert not asked
