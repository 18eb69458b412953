"""What may a machine be used for? Does its grade tell, does it put runs in people's order, does it favour one?

All of it is about DCG, a sum over documents, for these topics: theta are the rectified scores of runs, M the machine's
own.

    theta = a + b M + taste + noise,   noise ~ C (which documents people judged),   taste ~ kappa² K

K is what errors on single documents, falling on runs as they happen to, do to runs: a machine without favourites has
taste of that shape, and kappa says how much. A favourite is a run that lies further off the line than that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final, Literal

import numpy as np
import scipy

from gainsayer.comparison.fixed_tests import adjust_p
from gainsayer.machines.document_gains import DocumentGains, RankWeights, score_documents
from gainsayer.machines.grades import Prediction, Skill
from gainsayer.machines.rectified import TopicScores, covariance_of, variance_of
from gainsayer.machines.sample import Sample
from gainsayer.measures.catalogue import parse_measure
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedDocuments

Answer = Literal["yes", "no", "open"]
LIKE_THE_JUDGE: Final = 0.95
OWN_MEASURE: Final = "nDCG@10"
FEWEST_RUNS: Final = 8
LEAST_SKILL: Final = 0.05
MOST_WRONG: Final = 0.05
FEWEST_APART: Final = 0.1
LEVEL: Final = 0.05
_SURE: Final = 1.959963984540054
_POWER: Final = 0.84
_ALLOWANCE: Final = 1.15  # simulated power falls short of the formula's
_END_GAP: Final = 0.5
_RIDGE: Final = 1e-6
_FEWEST_ERRORS: Final = 1e-9
_DRAWS: Final = 200
GROWTHS: Final = (1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0)


@dataclass(frozen=True, eq=False)
class More:
    """What C would be with more labels.

    Args:
        weights: W of the documents that count; shape [runs, tops].
        error: sigma² / T² of these; shape [tops].
        chance: pi of these; shape [tops].
        every: pi of all documents; shape [documents].
    """

    weights: FloatArray
    error: FloatArray
    chance: FloatArray
    every: FloatArray

    def drawn(self, growth: float = 1.0) -> FloatArray:
        """C with chances so many times as large, at most 1."""
        chance = np.minimum(1.0, growth * self.chance)
        return _weigh(self.weights, self.error * (1 - chance) / chance)

    def count_labels(self, growth: float) -> float:
        """How many labels more such chances take."""
        return float((np.minimum(1.0, growth * self.every) - self.every).sum())


@dataclass(frozen=True, eq=False)
class RunEvidence:
    """What is known of runs' scores by people, by the machine, and of how both may be off; see `weigh_runs`.

    Args:
        people: theta, rectified; shape [runs].
        machine: M, the machine's own grades taken as the truth; shape [runs].
        drawn: C, covariance of theta from which documents people judged; shape [runs, runs].
        taste: K; shape [runs, runs].
        weights: W of documents with labels; shape [runs, labels].
        move: (h - g) / (pi T) of these; shape [labels].
        apart: d, the difference that people on as many topics tell apart.
        twin: runs with the same number have the same documents at the same ranks, as far as they count; shape [runs].
        more: C if the chances were so many times as large, at most 1: its cause, see `More`; None where chances are
            not known.
    """

    people: FloatArray
    machine: FloatArray
    drawn: FloatArray
    taste: FloatArray
    weights: FloatArray
    move: FloatArray
    apart: float
    twin: IntArray
    more: More | None = None

    def rows(self, runs: IntArray) -> RunEvidence:
        """The same of some runs."""
        some = np.ix_(runs, runs)
        return replace(
            self,
            people=self.people[runs],
            machine=self.machine[runs],
            drawn=self.drawn[some],
            taste=self.taste[some],
            weights=self.weights[runs],
            twin=self.twin[runs],
            more=None if self.more is None else replace(self.more, weights=self.more.weights[runs]),
        )


def weigh_runs(
    topics: TopicScores, sample: Sample, predicted: FloatArray, weights: RankWeights, machine: FloatArray
) -> RunEvidence | None:
    """theta, C and K of runs by a sum; None where the chances of drawn documents leave C unknown.

        sigma²_i = (n_i q_i + 2 q) / (n_i + 2),   q_i = sum omega (h - g)² / pi / sum omega / pi over labels of grade i
        C = sum_d W W' (1 - pi) / pi sigma² / T²,   K = sum_d W W' sigma² / T²

    omega = (1 - pi) / pi mean_s W²: errors count as they count in scores. Whole topics have no chances: there
    C is K, times how much of these scores' variance, centred over runs, there is for each unit of K's.

    Args:
        topics: by the measure, for each topic.
        sample: what people said, with the grades that predict.
        predicted: g; shape [documents].
        weights: W.
        machine: M; shape [runs].
    """
    top, grade, count = weights.document, sample.grade, sample.topics
    pi = sample.probability
    if sample.design != "documents":
        pi = np.where(np.isnan(pi), 1.0, pi)
    elif not sample.all_chances_known:
        return None
    labels = np.flatnonzero(sample.judged)
    held = weights.of(labels)
    size, odds = (held**2).mean(axis=0), (1 - pi[labels]) / pi[labels]
    omega = odds * size if (odds * size).any() else size
    off = sample.relevant[labels] - predicted[labels]
    worst = _share_by(grade[labels], omega / pi[labels], off**2, sample.grades)
    sigma2 = np.maximum(worst, _FEWEST_ERRORS)[grade[top]]
    taste = _weigh(weights.weight, sigma2 / count**2)
    a, b = np.triu_indices(len(machine), 1)
    between, drawn_noise = variance_of(covariance_of(topics.people), a, b), variance_of(topics.noise, a, b) / count
    apart = np.maximum(between - drawn_noise, 0.2 * between) / count
    numbers = dict[bytes, int]()
    twin = np.array([numbers.setdefault(blake2b(row).digest(), len(numbers)) for row in weights.weight])
    more = None
    if sample.design == "documents":
        more = More(weights.weight, sigma2 / count**2, pi[top], pi)
        drawn = more.drawn()
    else:
        among = _centre(topics.people - topics.predicted[:, topics.seen])
        variance = (1 / sample.seen_topics - 1 / count) * float((among**2).sum()) / (sample.seen_topics - 1)
        variance += float(np.trace(_centre(topics.noise))) / sample.seen_topics / count
        drawn = taste * (variance / max(float(np.trace(_centre(taste))), 1e-300))
    return RunEvidence(
        people=(topics.people - topics.predicted[:, topics.seen]).mean(axis=1) + topics.predicted.mean(axis=1),
        machine=machine,
        drawn=_ridge(drawn, taste),
        taste=_ridge(taste, np.eye(len(machine))),
        weights=held,
        move=off / (sample.probability[labels] * sample.seen_topics),
        apart=_SURE * float(np.sqrt(apart.mean())) if len(apart) else 0.0,
        twin=twin,
        more=more,
    )


def _weigh(weights: FloatArray, scale: FloatArray) -> FloatArray:
    """sum_d W W' scale; not by `@`, as what BLAS adds up in which order depends on the number of threads."""
    return np.asarray(np.einsum("ad,bd->ab", weights * scale, weights))


def _centre(values: FloatArray) -> FloatArray:
    """Without what all runs have in common."""
    return np.asarray(values - values.mean(axis=0))


def _share_by(grade: IntArray, weight: FloatArray, error: FloatArray, grades: int) -> FloatArray:
    """sigma² of each grade."""
    count = np.bincount(grade, minlength=grades)
    total = np.bincount(grade, weight, minlength=grades)
    every = float((weight * error).sum()) / max(float(weight.sum()), 1e-300)
    own = np.divide(
        np.bincount(grade, weight * error, minlength=grades), total, out=np.full(grades, every), where=total > 0
    )
    return np.asarray((count * own + 2 * every) / (count + 2))


def _ridge(matrix: FloatArray, other: FloatArray) -> FloatArray:
    """A millionth of the mean diagonal added: siblings among runs would leave it singular."""
    size = float(np.trace(matrix)) or float(np.trace(other)) * _RIDGE
    return np.asarray(matrix + _RIDGE * size / len(matrix) * np.eye(len(matrix)))


def project(runs: RunEvidence, kappa2: float) -> FloatArray:
    """R = S⁻¹ - S⁻¹X (X'S⁻¹X)⁻¹ X'S⁻¹, S = C + kappa² K, X = (1, M): what is left of theta beside the line."""
    inverse = np.linalg.inv(runs.drawn + kappa2 * runs.taste)
    x = np.column_stack([np.ones(len(runs.machine)), runs.machine])
    weighed = inverse @ x
    return np.asarray(inverse - weighed @ np.linalg.solve(x.T @ weighed, weighed.T))


def fit_taste(runs: RunEvidence, wanted: float) -> float:
    """kappa² with theta' R theta = wanted; 0 where it is less even at 0."""
    from scipy.optimize import brentq

    def excess(kappa2: float) -> float:
        return float(runs.people @ project(runs, kappa2) @ runs.people) - wanted

    if excess(0.0) <= 0:
        return 0.0
    top = 1.0
    while excess(top) > 0:
        top *= 4
    return float(brentq(excess, 0.0, top, xtol=1e-12))


@dataclass(frozen=True, eq=False)
class Line:
    """People's scores on the machine's, and how much taste for runs the machine has.

    Args:
        intercept: a.
        slope: b, points for people of one point by the machine.
        slope_error: its standard error.
        level: mean of M - theta.
        reach: how far a machine's score, converted by the line, may be off, without labels; the mean over runs.
        kappa: taste in units of what chance would give, at the median of its law.
        kappa_lower: end of its 95 % interval.
        kappa_upper: likewise.
    """

    intercept: float
    slope: float
    slope_error: float
    level: float
    reach: float
    kappa: float
    kappa_lower: float
    kappa_upper: float

    @property
    def slope_interval(self) -> tuple[float, float]:
        """The 95 % interval of b."""
        return self.slope - _SURE * self.slope_error, self.slope + _SURE * self.slope_error


def fit_line(runs: RunEvidence) -> Line:
    """The line at the kappa² at which `theta' R theta` is the median of chi-square with runs - 2 degrees."""
    count = len(runs.machine)
    kappa2 = _usual_taste(runs)
    lower, upper = (fit_taste(runs, _chi_square(share, count - 2)) for share in (0.975, 0.025))
    inverse = np.linalg.inv(runs.drawn + kappa2 * runs.taste)
    x = np.column_stack([np.ones(count), runs.machine])
    law = np.linalg.inv(x.T @ inverse @ x)
    a, b = law @ (x.T @ inverse @ runs.people)
    off = kappa2 * np.diagonal(runs.taste) + np.einsum("si,ij,sj->s", x, law, x)
    return Line(
        intercept=float(a),
        slope=float(b),
        slope_error=float(np.sqrt(law[1, 1])),
        level=float((runs.machine - runs.people).mean()),
        reach=float((_SURE * np.sqrt(off)).mean()),
        kappa=float(np.sqrt(kappa2)),
        kappa_lower=float(np.sqrt(lower)),
        kappa_upper=float(np.sqrt(upper)),
    )


def _usual_taste(runs: RunEvidence) -> float:
    return fit_taste(runs, _chi_square(0.5, len(runs.machine) - 2))


def _chi_square(share: float, freedom: int) -> float:
    return 2 * float(scipy.special.gammaincinv(freedom / 2, share))


@dataclass(frozen=True, eq=False)
class Order:
    """Does the machine put runs in people's order?

    Args:
        answer: `yes`, `no` or `open`.
        wrong: of pairs that people on as many topics tell apart, the share that it turns round; the mean.
        lower: end of its interval.
        upper: likewise.
        tau: about Kendall's tau between the machine's order and people's.
        more: about how many labels more would tell, if the best guess stayed as it is; None where it is told, or not
            known. It moves, so that more may be needed.
        few: whether hardly any pair of runs is known to be so far apart that people tell them apart.
    """

    answer: Answer
    wrong: float = float("nan")
    lower: float = float("nan")
    upper: float = float("nan")
    tau: float = float("nan")
    more: int | None = None
    few: bool = False


def guess_scores(runs: RunEvidence, kept: IntArray) -> FloatArray | None:
    """The best guess of people's scores, `theta - C R theta`, to order runs by: no measurement, so without an interval.

    Runs that are not kept, as they are favoured, keep their rectified scores. None where fewer than `FEWEST_RUNS` are
    kept, or the machine scores them alike.
    """
    if len(kept) < FEWEST_RUNS or not _tells_apart(runs.machine[kept]):
        return None
    rest, guess = runs.rows(kept), runs.people.copy()
    guess[kept] = rest.people - rest.drawn @ project(rest, _usual_taste(rest)) @ rest.people
    return guess


def _tells_apart(machine: FloatArray) -> bool:
    return bool(np.ptp(machine) > 1e-9 * max(1.0, float(np.abs(machine).max())))


def judge_order(runs: RunEvidence, *, seed: int = 0) -> Order:
    """200 draws of people's scores, given the line and what was judged; pairs further apart than d count.

    Best guess theta - C R theta, covariance C - C R C. yes: the 97.5 % end of the share turned round is at most .05,
    and in as many draws at least a tenth of all pairs count, as none of no pairs is wrong; no: the 2.5 % end is above.

    Args:
        runs: all that are not favoured.
        seed: of the draws.
    """
    kappa2 = _usual_taste(runs)
    inverse = project(runs, kappa2)
    guess = runs.people - runs.drawn @ inverse @ runs.people
    found = _draw_order(runs, guess, runs.drawn - runs.drawn @ inverse @ runs.drawn, seed)
    if found.answer != "open" or runs.more is None:
        return found
    for growth in GROWTHS:
        drawn = _ridge(runs.more.drawn(growth), runs.taste)
        left = project(replace(runs, drawn=drawn), kappa2)
        if _draw_order(runs, guess, drawn - drawn @ left @ drawn, seed).answer != "open":
            return replace(found, more=round(runs.more.count_labels(growth)))
    return found


def _draw_order(runs: RunEvidence, guess: FloatArray, covariance: FloatArray, seed: int) -> Order:
    """What draws around the guess say of the machine's order."""
    drawn = np.random.default_rng(seed).multivariate_normal(
        guess, covariance, _DRAWS, method="eigh", check_valid="ignore"
    )
    a, b = np.triu_indices(len(guess), 1)
    gap, own = drawn[:, a] - drawn[:, b], runs.machine[a] - runs.machine[b]
    far = np.abs(gap) > runs.apart
    wrong = (far & (gap * own < 0)).sum(axis=1) / np.maximum(1, far.sum(axis=1))
    lower, upper = np.quantile(wrong, [0.025, 0.975]).tolist()
    enough = bool(np.quantile(far.mean(axis=1), 0.025) >= FEWEST_APART)
    tau = float((np.sign(gap) * np.sign(own)).mean())
    answer = _answer(upper <= MOST_WRONG and enough, lower > MOST_WRONG)
    return Order(answer, float(wrong.mean()), lower, upper, tau, few=not enough)


@dataclass(frozen=True)
class Test:
    """Is a run, or a family of runs, further off the line than chance and taste explain?

    Args:
        runs: their places.
        favour: by how much the machine favours them; below 0 where it slights them.
        error: its standard error.
        p: two-sided, adjusted for what was tested; the best label that speaks for it does not count.
        named: whether it was named before labels were seen, so that only what was named is adjusted for.
        family: the name of the family.
    """

    runs: tuple[int, ...]
    favour: float
    error: float
    p: float
    named: bool = False
    family: str | None = None

    @property
    def flagged(self) -> bool:
        """Whether it is shown."""
        return self.p <= LEVEL


@dataclass(frozen=True, eq=False)
class Favour:
    """Does the machine favour a run?

    Args:
        answer: `yes` with the runs, `no` where none is shown, `open` with too few runs.
        tests: of each run; a run beyond all others, which has nobody to be compared with, has none.
        families: of each family.
        smallest: a favour that would have been seen four times in five, whoever has it.
        ends: runs beyond all others by the machine's score.
    """

    answer: Answer
    tests: tuple[Test, ...] = ()
    families: tuple[Test, ...] = ()
    smallest: float = float("nan")
    ends: tuple[int, ...] = ()

    @property
    def flagged(self) -> tuple[Test, ...]:
        """Runs that are shown to be favoured, or slighted; the largest first."""
        return tuple(sorted((test for test in self.tests if test.flagged), key=lambda test: -abs(test.favour)))

    def of_all(self, group: IntArray) -> Favour:
        """The same of all runs, where those of a group were tested as one."""

        def members(tested: Sequence[int]) -> tuple[int, ...]:
            return tuple(np.flatnonzero(np.isin(group, tested)).tolist())

        return replace(
            self,
            tests=tuple(replace(test, runs=members(test.runs)) for test in self.tests),
            families=tuple(replace(test, runs=members(test.runs)) for test in self.families),
            ends=members(self.ends),
        )


def judge_favour(
    runs: RunEvidence,
    *,
    named: Sequence[int] = (),
    apart: Sequence[int] = (),
    families: Mapping[str, Sequence[int]] | None = None,
) -> Favour:
    """Test each run against the line of the others; stepwise, so that a favourite does not bend it.

        gamma = (R theta)_s / R_ss, error R_ss^-1/2, favour = -gamma
        z = sign(r) max(0, |r| - max_j c_j sign(r)) / sqrt(R_ss),   c_j = sum_u R_su W_uj (h - g) / (pi T)

    A flag must survive the loss of its best label j. p is that of t with two degrees fewer than the runs of the line,
    times the number of runs; of named ones, times how many were named *before* labels were seen. A run beyond all
    others by more than half a standard deviation of their scores is neither tested nor fitted: the line may bend. Runs
    that are the same, as far as they count, are tested as one: next to its twin a favourite would look like any other.

    Args:
        runs: at least `FEWEST_RUNS`.
        named: places of runs that were suspected before anybody looked at labels.
        apart: places of runs known to rank as the machine does, neither tested nor fitted.
        families: name to the places of its runs.
    """
    _, first, group = np.unique(runs.twin, return_index=True, return_inverse=True)
    if len(first) < len(group):
        found = judge_favour(
            runs.rows(first),
            named=list(dict.fromkeys(group[list(named)].tolist())),
            apart=group[list(apart)].tolist(),
            families={name: group[list(members)].tolist() for name, members in (families or {}).items()},
        )
        return found.of_all(group)
    count = len(runs.machine)
    others = np.array([run for run in range(count) if run not in apart], np.int64)
    ends = [int(others[end]) for end in find_ends(runs.machine[others])] if len(others) > 1 else []
    inside = np.array([run for run in others.tolist() if run not in ends], np.int64)
    tests: dict[int, Test] = {}
    if len(inside) < FEWEST_RUNS - 2:
        return Favour("open", ends=tuple(ends))

    def try_run(run: int, times: int, *, known: bool) -> Test:
        return compare_with_line(runs, inside[inside != run], np.array([run]), times, named=known)

    for run in (run for run in named if run in inside.tolist()):
        tests[run] = try_run(run, len(named), known=True)
    inside = np.array([run for run in inside.tolist() if run not in tests or not tests[run].flagged], np.int64)
    least = 0.0
    for _ in range(count // 4):
        if len(inside) < FEWEST_RUNS - 2:
            break
        worst = int(inside[np.argmax(np.abs(trim_best_labels(runs.rows(inside))[2]))])
        tried = try_run(worst, count, known=False)
        if not tried.flagged:
            least = tried.p
            break
        tests[worst] = tried
        inside = inside[inside != worst]
    # The others are no clearer than the run at which the search ended; their numbers are of one fit of all of them.
    r, own, z = trim_best_labels(runs.rows(inside))
    p = np.minimum(1.0, np.maximum(least, count * 2 * scipy.special.stdtr(len(inside) - 3, -np.abs(z))))
    for at, run in enumerate(inside.tolist()):
        if run not in tests and least:
            tests[run] = Test((run,), float(-r[at] / own[at]), float(own[at] ** -0.5), float(p[at]))
    kin = []
    for name, members in (families or {}).items():
        own_runs = np.array(sorted(set(members) - set(ends) - set(apart)), np.int64)
        fit = np.setdiff1d(inside, own_runs)
        if len(own_runs) and len(fit) >= FEWEST_RUNS - 2:
            kin.append(replace(compare_with_line(runs, fit, own_runs, 1), family=name))
    if kin:
        adjusted = adjust_p([one.p for one in kin], "holm").tolist()
        kin = [replace(one, p=p) for one, p in zip(kin, adjusted, strict=True)]
    flagged = any(test.flagged for test in (*tests.values(), *kin))
    return Favour(
        answer="yes" if flagged else "no",
        tests=tuple(tests[run] for run in sorted(tests)),
        families=tuple(kin),
        smallest=_find_smallest(runs.rows(inside), count),
        ends=tuple(ends),
    )


def find_ends(machine: FloatArray) -> list[int]:
    """Runs that lie beyond all others by the machine's score: nobody to compare them with.

    >>> find_ends(np.array([0.1, 0.2, 0.3, 0.9]))
    [3]
    """
    rank = np.argsort(machine, kind="stable")
    ends = []
    for end, neighbour in ((rank[0], rank[1]), (rank[-1], rank[-2])):
        if abs(machine[end] - machine[neighbour]) > _END_GAP * np.delete(machine, end).std():
            ends.append(int(end))
    return ends


def compare_with_line(runs: RunEvidence, fit: IntArray, group: IntArray, times: int, *, named: bool = False) -> Test:
    """Runs with a shift of their own against the line of others, whose taste is that of the others."""
    some = runs.rows(np.concatenate([fit, group]))
    left = project(some, fit_taste(runs.rows(fit), len(fit) - 2))
    shifted = (np.arange(len(fit) + len(group)) >= len(fit)).astype(np.float64)
    row = shifted @ left
    r, scale = float(row @ some.people), float(row @ shifted)
    best = max(0.0, float((np.sign(r) * (row @ some.weights) * some.move).max(initial=0.0)))
    z = max(0.0, abs(r) - best) / np.sqrt(scale)
    p = min(1.0, times * 2 * float(scipy.special.stdtr(len(fit) - 2, -z)))
    return Test(tuple(group.tolist()), -r / scale, float(scale**-0.5), p, named)


def trim_best_labels(runs: RunEvidence) -> tuple[FloatArray, FloatArray, FloatArray]:
    """R theta, the diagonal of R, and z of each run without its best label; shape [runs] each."""
    left = project(runs, fit_taste(runs, len(runs.machine) - 2))
    r, own = left @ runs.people, np.diagonal(left)
    best = (np.sign(r)[:, None] * (left @ runs.weights) * runs.move).max(axis=1, initial=0.0)
    return r, own, np.asarray(np.sign(r) * np.maximum(0.0, np.abs(r) - best) / np.sqrt(own))


def _find_smallest(runs: RunEvidence, times: int) -> float:
    """The median over runs of the favour that is seen in four of five samples, with an allowance of 15 %."""
    left = project(runs, fit_taste(runs, len(runs.machine) - 2))
    own = np.diagonal(left)
    largest = np.abs((left @ runs.weights) * runs.move).max(axis=1, initial=0.0)
    critical = float(scipy.special.stdtrit(len(runs.machine) - 3, 1 - LEVEL / (2 * times)))
    return _ALLOWANCE * float(np.median((critical + _POWER) / np.sqrt(own) + largest / own))


@dataclass(frozen=True, eq=False)
class Verdict:
    """What a machine may be used for, in three answers and the numbers of its scores.

    Args:
        skill: whether its grades tell people's labels; None where nobody judged.
        order: whether it puts runs in people's order.
        favour: whether it favours runs.
        line: how its scores become people's; None where that is not known.
        own: nDCG@10 of each run by the machine's own grades; shape [runs].
        people: DCG of runs by people, rectified; shape [runs]; None where nobody judged.
        machine: by the machine's own grades; shape [runs]; None where chances are not known.
        depth: of the DCG.
        guess: the best guess of people's DCG, to order runs by; None where order is open for a reason of its own.
        kept: runs that the line and the order are about: not those that are favoured, or rank as the machine does.
        why_open: why order and favour are open, in words; empty where they are not.
        silent: why labels tell nothing at all, in words; empty where they do.
        extendable: whether more documents can be drawn by the design of these labels.
    """

    skill: Skill | None
    order: Order
    favour: Favour
    line: Line | None
    own: FloatArray
    people: FloatArray | None
    machine: FloatArray | None
    depth: int
    guess: FloatArray | None = None
    kept: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    why_open: str = ""
    silent: str = ""
    extendable: bool = False

    @property
    def worth(self) -> Answer:
        """Do its grades take more than a twentieth off the error of guessing people's labels?"""
        skill = self.skill
        return (
            "open" if skill is None or self.silent else _answer(skill.lower > LEAST_SKILL, skill.upper <= LEAST_SKILL)
        )

    @property
    def measured(self) -> bool:
        """Whether any person judged."""
        return self.skill is not None

    @property
    def alike(self) -> tuple[int, ...]:
        """Runs that rank as the judge does."""
        return tuple(np.flatnonzero(self.own >= LIKE_THE_JUDGE).tolist())


def judge_machine(
    prediction: Prediction,
    runs: RunEvidence | None,
    own: FloatArray,
    *,
    depth: int,
    named: Sequence[int] = (),
    apart: Sequence[int] = (),
    families: Mapping[str, Sequence[int]] | None = None,
    seed: int = 0,
) -> Verdict:
    """Worth, order and favour of a machine whose grades people checked.

    Args:
        prediction: what its grades foretell.
        runs: scores of runs; None where the chances with which documents were drawn are not known.
        own: `rank_like_judge`.
        depth: of the DCG.
        named: places of runs suspected before labels were seen.
        apart: places of runs known to rank by the machine's word, as those do whose `own` is near 1.
        families: name to the places of its runs.
        seed: of the draws.
    """
    sample = prediction.sample
    people, machine = (None, None) if runs is None else (runs.people, runs.machine)
    unknown = Order("open"), Favour("open"), None
    found = Verdict(prediction.skill, *unknown, own, people, machine, depth, silent=sample.says_little)
    why = _say_why_open(sample, runs)
    if why or runs is None:
        return replace(found, why_open=why)
    circular = sorted({*apart, *np.flatnonzero(own >= LIKE_THE_JUDGE).tolist()})
    favour = judge_favour(runs, named=named, apart=circular, families=families)
    flagged = {run for test in favour.flagged for run in test.runs}
    kept = np.array([run for run in range(len(own)) if run not in flagged and run not in circular], np.int64)
    if len(kept) < FEWEST_RUNS or not _tells_apart(runs.machine[kept]):
        why = f"fewer than {FEWEST_RUNS} runs are left beside those that it favours"
        return replace(found, favour=favour, why_open=why)
    rest, guess = runs.rows(kept), guess_scores(runs, kept)
    order = judge_order(rest, seed=seed)
    return replace(found, order=order, favour=favour, line=fit_line(rest), guess=guess, kept=kept)


def _say_why_open(sample: Sample, runs: RunEvidence | None) -> str:
    """Why order and favour cannot be judged, in words; empty where they can."""
    if sample.says_little:
        return sample.says_little
    if runs is None:
        return "the chances of documents that were not drawn are not known"
    if len(runs.machine) < FEWEST_RUNS:
        return f"that takes at least {FEWEST_RUNS} runs, and there are {len(runs.machine)}"
    return "" if _tells_apart(runs.machine) else "the machine scores all runs alike"


def rank_like_judge(runs: Sequence[RankedDocuments], own: DocumentGains) -> FloatArray:
    """nDCG@10 of each run by the machine's own grades, linear gains; near 1, the run re-ranks with the judge.

    Its machine score is then the machine's opinion of itself, however good both may be. NaN for a machine of two
    grades: there the lists of any good run are full of the higher one, and nothing tells them from re-ranked ones.
    """
    if len(np.unique(own.value)) <= 2:
        return np.full(len(runs), np.nan)
    measure = parse_measure(OWN_MEASURE)
    return np.array([float(score_documents(run, own, measure).mean()) for run in runs])


def _answer(yes: bool, no: bool) -> Answer:
    return "yes" if yes else "no" if no else "open"
