"""The latent model: assessors see a document's quality through leniency and noise, and cut it into levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt
import scipy

from gainsayer.datasets.checks import FloatArray, check_distribution, check_spread
from gainsayer.errors import CallError
from gainsayer.levels import MOST_LEVELS

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
