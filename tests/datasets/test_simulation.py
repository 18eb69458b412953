"""Simulated collections hold what was asked, and know their truth."""

import json

import numpy as np
import polars as pl
import pytest

from gainsayer.datasets import (
    FEDWEB13_PAGES,
    JointModel,
    LatentModel,
    RunDesign,
    SecondRound,
    Truth,
    simulate_collection,
)
from gainsayer.errors import CallError


def same(one, other):
    """Whether judgments and the runs of the first are equal in both."""
    return one.judgments.frame().equals(other.judgments.frame()) and all(
        one.runs[name].equals(other.runs[name]) for name in one.runs
    )


def test_the_first_side_judges_all_and_the_second_side_the_chosen_topics():
    """By default 24 of 50 topics are judged twice, all their documents; the pool is 100 documents."""
    collection = simulate_collection()
    frame = collection.judgments.frame()
    rows = dict(frame["assessor"].value_counts().iter_rows())
    assert rows == {"first": 5000, "second": 2400}
    twice = frame.filter(pl.col("assessor") == "second")["topic"].unique().sort().to_list()
    assert tuple(twice) == collection.second_topics
    assert collection.levels.names == ("Non", "Rel", "HRel", "Key")
    assert collection.judgments.findings == ()
    assert (collection.first, collection.second) == (("first",), ("second",))


def test_levels_are_named_as_asked_or_numbered():
    """Names may be given; a model with other than four levels has numbers by default."""
    small = {"topics": 2, "documents": 5}
    model = LatentModel(shares=(0.5, 0.3, 0.2))
    assert simulate_collection(model, **small).levels.names == ("0", "1", "2")
    assert simulate_collection(model, levels=("a", "b", "c"), **small).levels.names == ("a", "b", "c")


def test_the_seed_decides_everything():
    """The same seed gives the same collection, another one another; a generator's number is recorded."""
    small = {"topics": 5, "documents": 20}
    one = simulate_collection(seed=3, **small)
    assert same(one, simulate_collection(seed=3, **small))
    assert not same(one, simulate_collection(seed=4, **small))
    drawn = simulate_collection(seed=np.random.default_rng(1), **small)
    assert same(drawn, simulate_collection(seed=drawn.seed, **small))


def test_strata_may_have_models_of_their_own():
    """The truth of the whole is the truth of the strata, weighted by their topics."""
    models = {"nav": JointModel(FEDWEB13_PAGES), "inf": LatentModel()}
    collection = simulate_collection(models, topics=10, documents=5, strata={"inf": 0.7, "nav": 0.3})
    expected = 0.7 * models["inf"].distribution() + 0.3 * models["nav"].distribution()
    np.testing.assert_allclose(collection.truth.joint, expected)
    assert collection.options["models"]["nav"]["kind"] == "joint"


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: simulate_collection(topics=0), "topics must be a whole number of at least 1, found 0"),
        (lambda: simulate_collection(documents=2.5), "documents per topic must be a whole number"),
        (lambda: simulate_collection(assessors=1), "assessors must be a whole number of at least 2"),
        (lambda: simulate_collection(levels=("a", "b")), "has 4 levels, but 2 are named: a, b"),
        (lambda: simulate_collection(seed=-1), "seed must be a whole number of at least 0"),
        (lambda: simulate_collection(JointModel(FEDWEB13_PAGES), assessors=3), "Use LatentModel for more"),
        (lambda: simulate_collection(second=SecondRound(readings=3)), "at most 2 readings, found 3"),
        (lambda: simulate_collection(topics=5, second=SecondRound(topics=6)), "Of 5 topics, 6 cannot be judged twice"),
        (lambda: simulate_collection(strata={"a": 0.5, "b": 0.4}), "strata must sum to 1, found 0.9"),
        (lambda: simulate_collection(topics=3, strata={"a": 0.99, "b": 0.01}), "'b' would get none of 3 topics"),
        (lambda: simulate_collection(topics=1, strata={"a": 0.5, "b": 0.5}), "would get none of 1 topic. Give"),
        (lambda: simulate_collection(strata={"a/b": 1.0}), "letters, digits and . _ - only"),
        (lambda: simulate_collection({"a": LatentModel()}), "the same strata in both places"),
        (
            lambda: simulate_collection(
                {"a": LatentModel(), "b": LatentModel((0.5, 0.5))}, strata={"a": 0.5, "b": 0.5}
            ),
            "same number of levels, found a 4, b 2",
        ),
        (lambda: SecondRound(share=1.5), "share judged again must lie between 0 and 1, found 1.5"),
        (lambda: SecondRound(share=float("nan")), "between 0 and 1, found nan"),
        (lambda: SecondRound(by_level={"Non": -0.1}), "'Non' judged again must lie between 0 and 1"),
        (lambda: SecondRound(share=0), "Nothing would be judged twice"),
        (lambda: RunDesign((1.2,)), "quality of run01 must lie between 0 and 1"),
        (lambda: RunDesign({"../x": 0.5}), "letters, digits and . _ - only.*found '../x'"),
        (lambda: RunDesign({"..": 0.5}), "found '..'"),
        (lambda: RunDesign({"A": 0.5, "a": 0.5}), "more than upper and lower case"),
        (lambda: RunDesign(unjudged=0.95), "between 0 and 0.9"),
        (lambda: RunDesign(missing_topics={"x": 1}), "given for x, but the runs are run01"),
        (
            lambda: simulate_collection(topics=2, runs=RunDesign(missing_topics={"run01": 3})),
            "run01 cannot miss 3 topics of 2",
        ),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_words(ask, words):
    """The message says what was expected and what was found."""
    with pytest.raises(CallError, match=words):
        ask()


def test_what_was_asked_is_plain_data():
    """Numbers of NumPy and arrays become what JSON can hold, and the kind of model is named."""
    second = SecondRound(np.int64(2), np.float32(0.5), {"Non": np.float32(0.25)}, readings=np.int64(2))
    asked = simulate_collection(
        JointModel(FEDWEB13_PAGES), topics=4, documents=5, second=second, seed=np.int64(3)
    ).options
    assert json.loads(json.dumps(asked)) == asked
    assert asked["second"] == {"topics": 2, "share": 0.5, "by_level": {"Non": 0.25}, "readings": 2}
    assert list(asked["models"]["all"]) == ["kind", "matrix", "concentration"]
    assert list(asked["runs"]["qualities"]) == ["run01", "run02", "run03", "run04", "run05"]


def test_a_level_that_never_occurs_has_no_parameters():
    """Its row is NaN, not 0."""
    for model in (LatentModel(shares=(0.5, 0.0, 0.5)), JointModel([[3, 0, 1], [0, 0, 0], [1, 0, 3]])):
        truth = Truth.of(model.distribution())
        assert np.isnan(truth.one_sided[1]).all()
        assert np.isnan(truth.symmetric[1]).all()
        assert np.isfinite(truth.symmetric[[0, 2]]).all()
