"""Is the machine's grade worth the same for every run, and may runs be ranked by it alone? A verdict in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gainsayer.findings import Finding
from gainsayer.machines.composite import Composite
from gainsayer.machines.effects import Effect, find_effects
from gainsayer.machines.favour import LIKE_THE_JUDGE, FamilyFlattery, compare_families, rank_like_judge
from gainsayer.machines.grade_values import find_empty_grades
from gainsayer.machines.ideal import TopicShift, fit_shift
from gainsayer.machines.prediction import Prediction
from gainsayer.machines.scores import Evidence, RectifiedScores, score_rectified
from gainsayer.measures.catalogue import Measure
from gainsayer.rankings.documents import RankedDocuments
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

FAR_FROM_ONE: Final = 0.2


@dataclass(frozen=True)
class Verdict:
    """What the machine may be used for.

    Args:
        code: not-measured, does-not-tell, circular, flatters, compresses or orders.
        text: a sentence.
        facts: the numbers and names in it, by what they are.
    """

    code: str
    text: str
    facts: tuple[tuple[str, float | str], ...] = ()


NOT_MEASURED: Final = Verdict(
    "not-measured", "Nobody knows what this machine's grades are worth here: no person judged a document."
)


@dataclass(frozen=True, eq=False)
class MachineCheck:
    """What was found out about a machine.

    Args:
        measure: by which runs were scored.
        effects: what tells more than the grade.
        shift: how far topics lie apart when the grade is known.
        families: which families of runs it overrates.
        scores: of the runs, with what is favoured, the line and the composite.
        verdict: in words.
        findings: what a reader should know.
    """

    measure: Measure
    effects: tuple[Effect, ...]
    shift: TopicShift
    families: tuple[FamilyFlattery, ...]
    scores: RectifiedScores
    verdict: Verdict
    findings: tuple[Finding, ...]

    @property
    def line(self) -> Composite | None:
        """People's scores on the machine's."""
        return self.scores.composite


def check_machine(
    runs: Sequence[RankedDocuments],
    evidence: Evidence,
    measure: Measure,
    *,
    properties: Mapping[str, FloatArray] | None = None,
    families: Mapping[str, Sequence[int]] | None = None,
    reranked: Sequence[int] = (),
    seed: int = 0,
) -> MachineCheck:
    """Check a machine against people's labels: its grades, its topics, its runs; see `Verdict`.

    Args:
        runs: matched with the pool.
        evidence: what is known of the documents.
        measure: by which runs are compared.
        properties: of documents that may tell more than the grade: name to a number per document.
        families: names of families of runs, and the places of their members.
        reranked: places of runs that are known to rank by the judge's word.
        seed: of the sign flips.
    """
    own, prediction = rank_like_judge(runs, evidence.own), evidence.prediction
    scores = score_rectified(runs, measure, evidence, own, reranked=reranked, seed=seed)
    findings = [*find_empty_grades(prediction.values, prediction.names), *scores.findings]
    if not prediction.informative:
        said = f"{_untold(prediction)} Rectified scores are right; nothing is saved."
        findings.append(Finding("machine-uninformative", said))
    *single, together = prediction.machines
    best = min(single, key=lambda worth: worth.brier, default=together)
    if best.brier < together.brier:
        said = (
            f"Out of topic {together.name} predict people no better (Brier {together.brier:.3f}) than {best.name} "
            f"alone ({best.brier:.3f}). Leave the others out."
        )
        findings.append(Finding("machines-no-better", said))
    alike = [run.name for run, value in zip(runs, own.tolist(), strict=True) if value >= LIKE_THE_JUDGE]
    if alike:
        said = f"{', '.join(alike)}: nDCG@10 by the machine's own grades is at least {LIKE_THE_JUDGE}."
        findings.append(Finding("machine-reranker", said))
    return MachineCheck(
        measure=measure,
        effects=find_effects(prediction.sample, properties) if properties else (),
        shift=fit_shift(evidence.sample, prediction.gain),
        families=compare_families(scores.topics, families) if families else (),
        scores=scores,
        verdict=judge_machine([run.name for run in runs], prediction, own, scores),
        findings=tuple(findings),
    )


def judge_machine(runs: Sequence[str], prediction: Prediction, own: FloatArray, scores: RectifiedScores) -> Verdict:
    """The first verdict that applies, from the worst to the best."""
    measure, favour = scores.measure, scores.favour
    if not prediction.informative:
        return Verdict("does-not-tell", _untold(prediction), (("Brier", prediction.machines[-1].brier),))
    if (own >= LIKE_THE_JUDGE).any():
        place = int(own.argmax())
        return Verdict(
            "circular",
            f"Run {runs[place]} ranks as the judge does ({own[place]:.3f} by its own grades). Its machine score "
            "is the machine's opinion of itself; only the rectified score counts.",
            (("ranks as the judge", runs[place]), ("by its own grades", float(own[place]))),
        )
    if favour is not None and favour.clear.any():
        over = bool(favour.flagged.any())
        places = np.flatnonzero(favour.flagged if over else favour.clear)
        worst: IntArray = places[np.argsort(-np.abs(favour.excess[places]), kind="stable")]
        named = ", ".join(runs[place] for place in worst[:5].tolist())
        more = f" and {len(worst) - 5} more" if len(worst) > 5 else ""
        by = float(np.abs(favour.excess[worst]).mean())
        return Verdict(
            "flatters",
            f"It {'overrates' if over else 'underrates'} {named}{more} by {by:.2g} {measure} more than other runs. "
            "Do not rank by it alone.",
            (
                *((f"treated otherwise {at + 1}", runs[place]) for at, place in enumerate(worst[:5].tolist())),
                *(
                    ("by more than others", float(f"{by:.2g}")),
                    ("treated otherwise and not named", max(0, len(worst) - 5)),
                ),
            ),
        )
    line = scores.composite
    if line is not None and abs(line.slope - 1) > max(FAR_FROM_ONE, 1.96 * line.slope_error):
        return Verdict(
            "compresses",
            f"It sees the order of runs but not the distances: one point of machine {measure} is {line.slope:.2f} "
            "points for people.",
            (("points for people", line.slope),),
        )
    if line is None:
        return Verdict("orders", "No run is favoured for certain.")
    least = float(f"{1.96 * np.sqrt(2) * line.spread:.2g}")
    taste = f"differences below {least:g} are the machine's taste, not quality"
    return Verdict("orders", f"No run is favoured for certain; {taste}.", (("the machine's taste", least),))


def _untold(prediction: Prediction) -> str:
    brier = prediction.machines[-1].brier
    return f"Out of topic its grades predict people no better than the base rate (Brier {brier:.2f})."
