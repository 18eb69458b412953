"""A machine that grades every document: generous, with a taste of its own that some runs share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from gainsayer.datasets.checks import FloatArray, check_count, check_names, check_share, check_spread
from gainsayer.datasets.label_models import LabelArray
from gainsayer.errors import CallError


@dataclass(frozen=True)
class MachineJudge:
    """How a simulated machine grades, and which runs are close to it.

    Documents have a style that people do not care about. The machine sees

        signal + generosity + taste * style + noise * (its own of the document) + call_noise * (of the call),

    signal being what runs may know of a document, and cuts it into levels that have people's shares unless it is
    generous. It does not see how good a topic is as a whole, so a grade is worth more in some topics than in others.

    A run that shares the taste fills the share `shared` of its noise with the style: its quality, the correlation with
    the signal, stays as it was asked for. So people find it no better than before, and the machine does.

    Args:
        name: what it is called.
        generosity: how much too well it thinks of every document, in standard deviations of quality.
        taste: how much it likes the style; 0 for a machine without a taste.
        noise: what else separates it from quality, the same in every call.
        calls: how often it is asked about each document.
        call_noise: what separates one call from another.
        tasteful: runs that share its taste; by default every other one, the first included.
        shared: which share of their noise is the style, from 0 to 1.
        reranker: name of a further run that ranks by the machine's grades alone; None for none.

    Raises:
        CallError: a number is out of range, or a name is not fit for a file.

    >>> MachineJudge("gpt", tasteful=["run01"]).tasteful_of(["run01", "run02"])
    ('run01',)
    """

    name: str = "machine"
    generosity: float = 0.5
    taste: float = 0.7
    noise: float = 0.4
    calls: int = 1
    call_noise: float = 0.3
    tasteful: Sequence[str] | None = None
    shared: float = 0.8
    reranker: str | None = None

    def __post_init__(self) -> None:
        check_names([self.name], "Machine")
        check_names([] if self.reranker is None else [self.reranker], "Run")
        if not np.isfinite(self.generosity):
            raise CallError(f"The generosity must be a finite number, found {self.generosity!r}.")
        check_spread(self.taste, "The taste")
        check_spread(self.noise, "The machine's noise")
        check_spread(self.call_noise, "The noise of a call")
        check_share(self.shared, "The share of the style")
        check_count(self.calls, "The number of calls")

    def tasteful_of(self, runs: Sequence[str]) -> tuple[str, ...]:
        """The runs that share the taste.

        Raises:
            CallError: one that is named is not there, or the re-ranking run has another run's name.
        """
        if self.reranker in runs:
            raise CallError(f"A run is called {self.reranker!r} already. Give the re-ranking run another name.")
        if self.tasteful is None:
            return tuple(runs[::2])
        unknown = [name for name in self.tasteful if name not in runs]
        if unknown:
            raise CallError(f"There is no run {unknown[0]!r} to share the machine's taste: {', '.join(runs)}.")
        return tuple(self.tasteful)


def draw_grades(
    judge: MachineJudge, signal: FloatArray, shares: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, LabelArray]:
    """The style of each document [topics, documents], and the machine's grades [calls, topics, documents].

    Args:
        judge: how it grades.
        signal: what runs may know, with standard deviation 1; shape [topics, documents].
        shares: people's, of each level.
        rng: where chance comes from.

    >>> rng = np.random.default_rng(1)
    >>> signal = rng.standard_normal((50, 100))
    >>> _, plain = draw_grades(MachineJudge(generosity=0), signal, np.array([0.8, 0.2]), rng)
    >>> _, kind = draw_grades(MachineJudge(generosity=1), signal, np.array([0.8, 0.2]), rng)
    >>> round(float(plain.mean()), 1), round(float(kind.mean()), 1)
    (0.2, 0.5)
    """
    style, own = rng.standard_normal(signal.shape), rng.standard_normal(signal.shape)
    seen = signal + judge.generosity + judge.taste * style + judge.noise * own
    call = judge.call_noise * rng.standard_normal((judge.calls, *signal.shape))
    spread = np.sqrt(1 + judge.taste**2 + judge.noise**2 + judge.call_noise**2)
    cuts = spread * scipy.special.ndtri(np.clip(np.cumsum(shares)[:-1], 0.0, 1.0))
    return style, np.searchsorted(cuts, seen + call, side="right").astype(np.int16)
