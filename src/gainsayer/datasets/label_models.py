"""How labels arise: pairs drawn from a known joint matrix, or a quality that nobody sees, cut into levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt
import scipy

from gainsayer.datasets.checks import FloatArray, check_count, check_distribution, check_matrix, check_spread
from gainsayer.errors import CallError, FormatError
from gainsayer.levels import MOST_LEVELS
from gainsayer.reading.faults import shorten
from gainsayer.reading.files import FilePath, as_text, call_file, read_content

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
        level = np.arange(self.size)
        both = (level[:, None] + level) / 2
        middle = float((joint * both).sum())
        spread = float(np.sqrt((joint * (both - middle) ** 2).sum()))
        signal = (labels.mean(axis=0) - middle) / (spread or 1.0)
        signal = (signal + 0.5 * rng.standard_normal(signal.shape)) / np.sqrt(1.25)
        return signal, labels.astype(np.int16)


def read_matrix(path: FilePath) -> list[list[float]]:
    """A square of numbers from a file: one row to a line, separated by blanks or commas.

    Raises:
        CallError: there is no such file.
        FormatError: something is not a number, or the numbers are not a square.
    """
    name = call_file(path)
    rows = []
    for number, line in enumerate(as_text(read_content(path), name).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append([float(part.decode("ascii")) for part in line.replace(b",", b" ").split()])
        except ValueError:
            raise FormatError(f"{name}, line {number}: expected numbers, found {shorten(line.strip())}.") from None
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


_REACH: Final = 9.0  # the normal mass beyond 9 standard deviations is below 1e-18
_NODES: Final = 16


@dataclass(frozen=True)
class LatentModel:
    """Ordinal labels from a quality that nobody sees.

    A document has quality z = topic effect (sd tau) + its own quality (sd 1). Assessor a reports the level in which
    z + leniency_a (sd lambda) + noise (sd sigma) falls, the cuts being placed so that levels have the asked shares:
    cut_i = sqrt(tau² + 1 + lambda² + sigma²) Phi^-1(share below level i).

    For two *random* assessors the reported values are bivariate normal with correlation
    (tau² + 1) / (tau² + 1 + lambda² + sigma²); its rectangles are the exact joint distribution of their labels. It is
    symmetric, so one-sided and symmetric parameters agree.

    Trap: leniency is drawn once per assessor. With two assessors a collection's estimates scatter around these
    parameters however many documents there are (T10), and approach them only with many assessors or leniency 0.

    The defaults resemble the paper's FedWeb13 pages: the same shares of levels, and p(Key|Key) = .53.

    Args:
        shares: share of each level from low to high; they sum to 1.
        topic_effect: tau, how much topics differ in quality.
        leniency: lambda, how much assessors differ.
        noise: sigma, what else separates two readings of one document.

    Raises:
        CallError: the shares do not sum to 1, or a spread is negative.

    >>> model = LatentModel(shares=(0.5, 0.5), topic_effect=0, leniency=0, noise=1)
    >>> model.distribution().round(6).tolist()  # correlation 1/2: the diagonal is 1/4 + arcsin(1/2) / (2 pi)
    [[0.333333, 0.166667], [0.166667, 0.333333]]
    """

    kind: ClassVar = "latent"
    shares: Sequence[float] = (0.788, 0.086, 0.069, 0.057)
    topic_effect: float = 0.5
    leniency: float = 0.2
    noise: float = 0.48

    def __post_init__(self) -> None:
        shares = check_distribution(self.shares, "The shares of the levels")
        if not 2 <= len(shares) <= MOST_LEVELS:
            raise CallError(f"The shares must name 2 to {MOST_LEVELS} levels, found {len(shares)}.")
        object.__setattr__(self, "shares", tuple(shares.tolist()))
        check_spread(self.topic_effect, "The topic effect")
        check_spread(self.leniency, "The leniency")
        check_spread(self.noise, "The noise")

    @property
    def size(self) -> int:
        """The number of levels."""
        return len(self.shares)

    def distribution(self) -> FloatArray:
        """The probability of each pair of labels by two random assessors, exact; shape [levels, levels]."""
        shared = self.topic_effect**2 + 1
        own = self.leniency**2 + self.noise**2
        return rectangle_probabilities(self.shares, shared, own)

    def draw(
        self, rng: np.random.Generator, documents: int, leniency: FloatArray
    ) -> tuple[FloatArray, npt.NDArray[np.int16]]:
        """The documents' own quality [topics, documents], and the labels [readings, topics, documents].

        `leniency` holds the reader's leniency in standard units, shape [readings, topics]. The quality is what runs
        may know; it was drawn without looking at any label.
        """
        readings, topics = leniency.shape
        quality = rng.standard_normal((topics, documents))
        seen = quality + self.topic_effect * rng.standard_normal((topics, 1))
        noise = self.noise * rng.standard_normal((readings, topics, documents))
        reported = seen + self.leniency * leniency[:, :, None] + noise
        total = self.topic_effect**2 + 1 + self.leniency**2 + self.noise**2
        cuts = np.sqrt(total) * _standard_cuts(self.shares)
        return quality, np.searchsorted(cuts, reported, side="right").astype(np.int16)


def _standard_cuts(shares: Sequence[float]) -> FloatArray:
    """Where a standard normal is cut so that its pieces have these shares; one fewer than there are levels."""
    below = np.cumsum(shares)[:-1]
    return np.asarray(scipy.special.ndtri(np.clip(below, 0.0, 1.0)), dtype=np.float64)


def rectangle_probabilities(shares: Sequence[float], shared: float, own: float) -> FloatArray:
    """Rectangles of a bivariate normal whose margins are cut into `shares`; shape [levels, levels].

    Given the shared part x (variance `shared`), the two readings are independent, each with variance `own`, so cell
    (i, j) is the integral of phi(x) g_i(x) g_j(x), g_i being the chance of level i. The g are steep around the
    cuts: Gauss-Legendre on panels that are narrow there is accurate to about 1e-15, without cancellation in small
    cells.

    >>> rectangle_probabilities((0.25, 0.75), 1.0, 0.0).tolist()  # no disagreement
    [[0.25, 0.0], [0.0, 0.75]]
    """
    if own == 0:
        return np.diag(np.asarray(shares, dtype=np.float64))
    centres = _standard_cuts(shares) * np.sqrt((shared + own) / shared)
    width = np.sqrt(own / shared)
    inner = centres[np.isfinite(centres), None] + width * np.linspace(-8, 8, 33)
    edges = np.unique(np.clip(np.concatenate((np.linspace(-_REACH, _REACH, 37), inner.ravel())), -_REACH, _REACH))
    node, weight = np.polynomial.legendre.leggauss(_NODES)
    half = np.diff(edges)[:, None] / 2
    x = (edges[:-1, None] + half + half * node).ravel()
    mass = (half * weight).ravel() * np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    low = np.concatenate(([-np.inf], centres))[:, None]
    high = np.concatenate((centres, [np.inf]))[:, None]
    a, b = (low - x) / width, (high - x) / width
    below = scipy.special.ndtr
    chance = np.where(a > 0, below(-a) - below(-b), below(b) - below(a))  # differences taken in the thinner tail
    return np.asarray((chance * mass) @ chance.T)
