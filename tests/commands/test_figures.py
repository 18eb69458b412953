"""Figures of results: titles say the finding, what is unknown is said, each figure lists what it draws."""

from __future__ import annotations

import pickle
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from tests.figures import (
    NAN,
    amount,
    boxplot,
    confusion,
    machine_study,
    make_every_kind,
    pair_verdict,
    prediction,
    quality,
)

from gainsayer.commands.compare_figures import pair_figure, run_differences, run_forest, topic_differences
from gainsayer.commands.fit import parameter_chart, topic_spread
from gainsayer.commands.machine_figures import machine_grades, run_arrows
from gainsayer.commands.study_figures import rank_slope
from gainsayer.drawing.figure import Figure, render_inline

ROW, ENDS = np.full(2, NAN), np.full((2, 2), NAN)
LEVELS, RUNS = ("a", "b"), ("r1", "r2")
# Nothing known, or nothing there at all.
BARE: dict[str, Figure] = {
    "confusion": confusion(LEVELS, ((0, 0), (0, 0))),
    "parameters": parameter_chart([prediction(LEVELS, 1, ROW, ENDS, (0, 0), (0, 0))]),
    "boxplot": boxplot(LEVELS, np.full((3, 2), NAN), (NAN, 0.5), (NAN, 0.0)),
    "amount": amount(LEVELS, (10,), ((NAN,), (NAN,)), ((NAN,), (NAN,)), 0),
    "quality": quality(LEVELS, (1,), ((NAN,), (NAN,)), ((NAN,), (NAN,))),
    "forest": run_forest("P@5", RUNS, ROW, ENDS, over="x"),
    "short forest": run_forest("P@5", RUNS, ROW, ENDS, over="x", short=True),
    "no runs": run_forest("P@5", (), np.empty(0), np.empty((0, 2)), over="x"),
    "differences": run_differences("P@5", "r0", RUNS, ROW, ENDS, clear=(False, False), p=ROW, pairs=1),
    "difference": pair_figure(pair_verdict("r1", "r2", 0.0, None, topics=1)),
    "no topics": topic_differences("P@5", "r1", "r2", (), np.empty((2, 0))),
    "no spread": topic_spread("b", (), np.empty(0), np.empty(0), least=8),
    "machine": machine_grades(machine_study("m", LEVELS, (ROW, ENDS, ROW), (ROW, ENDS, ROW), (ROW, ENDS), ("", ""))),
    "arrows": run_arrows("P@5", RUNS, ROW, ROW, ENDS, labels=0),
    "no arrows": run_arrows("P@5", (), np.empty(0), np.empty(0), np.empty((0, 2)), labels=0),
    "slope": rank_slope("P@5", ("r1",), ("prm",), np.array([[1.0]]), id="slope"),
}


@pytest.mark.parametrize("figure", BARE.values(), ids=BARE)
def test_nothing_known_is_said_and_drawn(figure: Figure) -> None:
    """A figure without numbers says so in its title and gives a drawing that is XML."""
    assert "nan" not in figure.title.lower().split()
    assert figure.title
    assert figure.heading
    assert not figure.title.endswith(".")
    drawn = render_inline(figure)
    assert "nan" not in drawn
    ElementTree.fromstring(f"<div>{drawn}</div>")


@pytest.mark.parametrize("figure", make_every_kind(), ids=lambda figure: figure.kind)
def test_every_kind_can_be_pickled(figure: Figure) -> None:
    """What comes back lists and draws the same."""
    again = pickle.loads(pickle.dumps(figure))
    assert again.svg() == figure.svg()
    assert again.table.shown() == figure.table.shown()


def test_titles_say_the_finding() -> None:
    """Titles follow the numbers."""
    assert confusion(("N", "Key"), ((9, 1), (6, 4))).title == (
        "The second grade is the first one for 65 of 100 pairs of judgments; Key is repeated least often, by 40 of 100"
    )
    worth = prediction(("Non", "Key"), 1, (0.1, 0.5), ((0.0, 0.2), (0.4, 0.6)), (5, 25), (50, 50))
    assert parameter_chart([worth]).title == "Of 100 users, 50 find a document relevant that was graded Key"
    assert rank_slope("P@5", RUNS, ("prm", "binary"), np.array([[1.0, 2], [1, 2]]), id="s").title == (
        "No run changes its place between prm and binary"
    )
    assert amount(("x", "y"), (10, 20), ((0.5, 0.5),) * 2, ((0.2, 0.1), (0.3, 0.04)), 5).title == (
        "Even after 20 second judgments, x still moves by 10 users of 100"
    )
    assert amount(("x", "y"), (10, 20), ((0.5, 0.5),) * 2, ((0.2, 0.05), (0.3, 0.04)), 5).title == (
        "From 20 second judgments on, every grade moves by at most 5 users"
    )
    assert quality(LEVELS, (1, 2), ((0.5, 0.5), (0.9, 0.6)), ((0.5, 0.5), (0.62, 0.6))).title == (
        "Among the best documents 90 of 100 users agree with grade b, among all 60 (symmetric estimate)"
    )
    near = run_differences("P@5", "a", RUNS, np.array([-0.1, -0.2]), ENDS, clear=(False, True), p=ROW, pairs=3)
    assert near.title == "Of 2 runs, 1 cannot be told apart from a"
    assert pair_figure(pair_verdict("a", "b", 0.011, (-0.033, 0.068), margin=0.02)).title == (
        "a scores 0.011 higher than b, from \u22120.033 to +0.068: undecided"
    )


def test_boxplot_is_that_of_numpy_and_tukey() -> None:
    """Quartiles are NumPy's, whiskers the furthest draws within 1.5 box lengths, the error their deviation."""
    draws = np.array([[0.0], [0.4], [0.5], [0.6], [0.7], [5.0]])
    figure = boxplot(LEVELS, np.hstack((draws, draws)), [0.5, 0.5], [0.1, 0.1])
    level, *numbers = figure.table.cells()[0]
    assert level == "a"
    assert numbers == pytest.approx([0.4, 0.425, 0.55, 0.675, 0.7, np.std(draws, ddof=1), 0.5, 0.1])
    assert "6 draws" in figure.caption


def test_of_many_runs_only_the_great_moves_are_coloured() -> None:
    """Ten of sixty runs or a few more stand out; of a dozen, each that moves."""
    rng = np.random.default_rng(2)
    for runs, most in ((60, 14), (12, 12)):
        ranks = np.array([np.arange(1, runs + 1.0), np.argsort(np.arange(runs) + rng.normal(0, 3, runs)) + 1.0])
        figure = rank_slope("P@5", [f"r{at}" for at in range(runs)], ("prm", "binary"), ranks, id="s")
        root = ElementTree.fromstring(f"<svg>{''.join(figure.drawing.marks)}</svg>")
        styles = [str(line.get("class")) for line in root.iter("line")]
        coloured = [style for style in styles if "blue" in style or "orange" in style]
        assert len(styles) == runs
        assert 0 < len(coloured) <= most
        if runs == 12:
            assert len(coloured) == np.count_nonzero(ranks[0] != ranks[1])


def test_arrows_say_how_far_the_machine_is_off() -> None:
    """The title has the mean and the largest change; at most sixteen runs are drawn, all of them listed."""
    runs = [f"run{at}" for at in range(40)]
    people = 1.0 + 0.01 * np.arange(40)
    machine = people + 0.2
    machine[7] += 0.3
    ends = np.column_stack((people, people))
    figure = run_arrows("DCG@10", runs, machine, people, ends, labels=300)
    assert figure.title == "The machine alone scores runs 0.21 too high on average, run7 by 0.50"
    assert figure.table.height == 40
    assert "".join(figure.drawing.marks).count("<circle") == 16
    few = run_arrows("DCG@10", runs[:10], machine[:10], people[:10], ends[:10], labels=300)
    assert "run7: 1.57 by the machine alone, 1.07 for people" in few.svg()
