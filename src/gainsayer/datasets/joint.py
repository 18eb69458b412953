"""The joint model: pairs of labels drawn from a known matrix, which differs from topic to topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from gainsayer.datasets.checks import FloatArray, check_count, check_matrix
from gainsayer.errors import CallError, FormatError
from gainsayer.lines.faults import shorten
from gainsayer.lines.opening import FilePath, as_text, call_file, read_content

LabelArray = npt.NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class JointModel:
    """Two labels per document, drawn from a joint distribution J[first, second].

    Each topic has its own matrix, Dirichlet(concentration * J): the mean over topics is J exactly, so for topics of
    equal size the population parameters are the rows of J, eq. (4), and of J + J', eq. (5). Where J is symmetric,
    the cells (i, j) and (j, i) are drawn as one, and every topic's matrix is symmetric too. Given its topic, a
    document is independent of the others; the intraclass correlation of a cell is 1 / (concentration + 1).

    The default concentration of 35 gives the topic-to-topic spread the paper found: 24 topics with its FedWeb13
    pages have standard deviations of about .06 for p(Key|Key) and .05 for p(Key|HRel).

    Trap: the parameters are ratios of means over topics. The mean over topics of each topic's own ratio is another
    number, and so is the ratio of the topics that happened to be drawn.

    Args:
        matrix: probabilities or counts, such as `FEDWEB13_PAGES`, shape [levels, levels]; rows are the first label.
        concentration: how alike the topics are; None when they do not differ at all.

    Raises:
        CallError: the matrix is not square, or the concentration is not above 0.

    >>> JointModel([[4, 1, 1], [3, 4, 3], [0, 2, 2]]).distribution()[1].tolist()
    [0.15, 0.2, 0.15]
    """

    kind: ClassVar = "joint"
    matrix: npt.ArrayLike
    concentration: float | None = 35.0

    def __post_init__(self) -> None:
        array = check_matrix(self.matrix)
        array /= array.sum()
        array.flags.writeable = False
        object.__setattr__(self, "matrix", array)
        if self.concentration is not None and not 0 < self.concentration < np.inf:
            raise CallError(
                f"The concentration must be a finite number above 0, found {self.concentration!r}. "
                "Give None for topics that do not differ."
            )

    @property
    def size(self) -> int:
        """The number of levels."""
        return len(self.distribution())

    def distribution(self) -> FloatArray:
        """J itself: the probability of each pair of labels, shape [levels, levels]."""
        assert isinstance(self.matrix, np.ndarray)
        return self.matrix

    def draw(self, rng: np.random.Generator, documents: int, leniency: FloatArray) -> tuple[FloatArray, LabelArray]:
        """What runs may know [topics, documents], and the labels [2, topics, documents].

        The signal for runs is the standardised mean of both labels plus half a unit of noise, rescaled to standard
        deviation 1: runs built on it *know the labels* (T3). The leniency of assessors has no part in this model;
        only its shape [2, topics] is used.
        """
        readings, topics = leniency.shape
        if readings != 2:
            raise CallError("The joint model knows two labels per document. Use LatentModel for more readings.")
        joint = self.distribution()
        cells = draw_topic_matrices(joint, self.concentration, (topics,), rng).reshape(topics, -1)
        edges = np.cumsum(cells, axis=1)
        edges /= edges[:, -1:]
        chance = rng.random((topics, documents))
        cell = np.array([np.searchsorted(row, drawn, side="right") for row, drawn in zip(edges, chance, strict=True)])
        labels = np.stack(np.divmod(cell, self.size))
        place = np.arange(self.size)
        both = (place[:, None] + place) / 2
        middle = float((joint * both).sum())
        spread = float(np.sqrt((joint * (both - middle) ** 2).sum()))
        signal = (labels.mean(axis=0) - middle) / (spread or 1.0)
        signal = (signal + 0.5 * rng.standard_normal(signal.shape)) / np.sqrt(1.25)
        return signal, labels.astype(np.int16)


def read_matrix(path: FilePath) -> list[list[float]]:
    """A square of numbers from a file: one row a line, between blanks or commas.

    Raises:
        CallError: there is no such file.
        FormatError: something is no number, or it is no square.
    """
    name = call_file(path)
    rows = []
    for place, line in enumerate(as_text(read_content(path), name).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append([float(part.decode("ascii")) for part in line.replace(b",", b" ").split()])
        except ValueError:
            raise FormatError(f"{name}, line {place}: expected numbers, found {shorten(line.strip())}.") from None
    if any(len(row) != len(rows) for row in rows):
        found = ", ".join(str(len(row)) for row in rows)
        raise FormatError(
            f"{name}: expected as many numbers in each line as there are lines ({len(rows)}), found {found}."
        )
    return rows


def draw_topic_matrices(
    joint: FloatArray, concentration: float | None, shape: tuple[int, ...], rng: np.random.Generator
) -> FloatArray:
    """A joint matrix per topic around `joint`, shape [*shape, levels, levels]; each sums to 1."""
    size = len(joint)
    if concentration is None:
        return np.broadcast_to(joint, (*shape, size, size)).copy()
    drawn = np.zeros((*shape, size, size))
    symmetric = np.allclose(joint, joint.T, rtol=1e-12, atol=0)
    mass = np.triu(joint) + np.triu(joint.T, 1) if symmetric else joint
    held = mass > 0  # a cell of probability 0 stays empty in every topic
    drawn[..., held] = rng.dirichlet(concentration * mass[held], size=shape)
    return (drawn + np.swapaxes(drawn, -1, -2)) / 2 if symmetric else drawn


def draw_pair_counts(
    joint: npt.ArrayLike,
    *,
    topics: int,
    pairs_per_topic: int,
    concentration: float | None = 35.0,
    repeats: int = 1,
    seed: int | np.random.Generator = 0,
) -> npt.NDArray[np.int64]:
    """Counts of pairs for studies of coverage: many second rounds from the joint model, without documents or files.

    `counts[r, t, i, j]` is multinomial with `pairs_per_topic` trials and the topic's matrix, itself drawn as in
    `JointModel`; the expected counts are `pairs_per_topic * joint`.

    Args:
        joint: probabilities or counts, shape [levels, levels]; rows are the first label.
        topics: topics judged twice.
        pairs_per_topic: doubly judged documents in each.
        concentration: how alike the topics are; None when they do not differ.
        repeats: how many second rounds.
        seed: a whole number, or a generator to go on with.

    Returns:
        Whole numbers of shape [repeats, topics, levels, levels].

    >>> counts = draw_pair_counts([[6, 1], [1, 2]], topics=3, pairs_per_topic=20, repeats=1000, seed=1)
    >>> counts.shape, counts[0].sum(axis=(1, 2)).tolist()
    ((1000, 3, 2, 2), [20, 20, 20])
    """
    model = JointModel(joint, concentration)
    check_count(topics, "The number of topics")
    check_count(pairs_per_topic, "The number of pairs per topic")
    check_count(repeats, "The number of repeats")
    rng = np.random.default_rng(seed)
    matrices = draw_topic_matrices(model.distribution(), concentration, (repeats, topics), rng)
    counts = rng.multinomial(pairs_per_topic, matrices.reshape(repeats, topics, -1))
    return counts.reshape(matrices.shape)
