"""Changes made by hand, run with every sample: decisions that readers rely on, and slips of a refactoring.

Each is what it takes away, the module, a piece of text that occurs once in it, and what stands there instead. All must
be noticed; the net in tests/golden alone notices all but two, which are defaults in Python that no command uses.
"""

from __future__ import annotations

_COMPARISON = "src/gainsayer/comparison"
_GAINS = "src/gainsayer/gains"

BY_HAND: tuple[tuple[str, str, str, str], ...] = (
    (
        "what is significant: 10 % in place of 5 %",
        f"{_COMPARISON}/compare.py",
        "confidence: float = 0.95,",
        "confidence: float = 0.90,",
    ),
    (
        "verdicts: 10 % in place of 5 %",
        f"{_COMPARISON}/differences.py",
        "nan=1.0) <= level,",
        "nan=1.0) <= 2 * level,",
    ),
    (
        "discriminative power: 10 % in place of 5 %",
        f"{_COMPARISON}/fixed_tests.py",
        "level: float = 0.05",
        "level: float = 0.10",
    ),
    (
        "a check rejects: 10 % in place of 5 %",
        "src/gainsayer/model/estimate.py",
        "level: float = 0.05",
        "level: float = 0.10",
    ),
    (
        "advice on unjudged documents from 50 % on in place of 5 %",
        "src/gainsayer/measures/scores.py",
        "MUCH_UNJUDGED: Final = 0.05",
        "MUCH_UNJUDGED: Final = 0.5",
    ),
    (
        "the split of a score's variance: topics and parameters exchanged",
        f"{_COMPARISON}/compare.py",
        "VarianceShares(share_of(quantities.topics, whole), share_of(quantities.parameters, whole))",
        "VarianceShares(share_of(quantities.parameters, whole), share_of(quantities.topics, whole))",
    ),
    (
        "the split of a difference's variance: all of it given to the topics",
        f"{_COMPARISON}/differences.py",
        "topic_share=share_of(found.topics[:pairs], spread.topics),",
        "topic_share=share_of(found.topics[:pairs] + found.parameters[:pairs], spread.topics),",
    ),
    (
        "a gain given by hand is taken for an estimated one",
        f"{_GAINS}/schemes.py",
        "tuple(level not in by_hand for level in range(len(levels)))",
        "tuple(True for level in range(len(levels)))",
    ),
    (
        "a gain given by hand has the uncertainty of the model's",
        f"{_GAINS}/schemes.py",
        " and at not in given]",
        "]",
    ),
    (
        "± of compare is twice the error",
        "src/gainsayer/commands/compare_tables.py",
        'Column("standard_error", part.error,',
        'Column("standard_error", 2 * part.error,',
    ),
    (
        "± of score is twice the error",
        "src/gainsayer/commands/score.py",
        'Column("standard_error", of_means(error),',
        'Column("standard_error", of_means(2 * error),',
    ),
    (
        "the better run is called the worse one",
        f"{_COMPARISON}/differences.py",
        "significant & (difference > 0), significant & (difference < 0)",
        "significant & (difference < 0), significant & (difference > 0)",
    ),
    # What a refactoring loses on the surface: an option, a policy, a finding, a digit.
    (
        "majority takes the highest of equally frequent labels",
        "src/gainsayer/ranking/whose_labels.py",
        "best = counts.argmax(axis=1)",
        "best = counts.shape[1] - 1 - counts[:, ::-1].argmax(axis=1)",
    ),
    (
        "no_relevant='skip' is not looked at",
        "src/gainsayer/measures/scores.py",
        "        chosen &= ~lacking",
        "        pass",
    ),
    (
        "topics='common' is not looked at",
        "src/gainsayer/measures/scores.py",
        "        chosen &= np.all([run.present for run in ranked], axis=0)",
        "        pass",
    ),
    (
        "scores of compare are shown with two digits",
        "src/gainsayer/commands/compare_tables.py",
        'Column("value", standings.value, "score"),',
        'Column("value", standings.value, "score", 2),',
    ),
    (
        "few-topics of compare is lost",
        f"{_COMPARISON}/compare.py",
        '        findings.append(Finding("few-topics", text))',
        "        pass",
    ),
    (
        "--margin is not handed on",
        "src/gainsayer/commands/compare.py",
        "            margin=tests.margin,\n",
        "",
    ),
    (
        "ties='trec9' is not looked at",
        "src/gainsayer/ranking/matching.py",
        'if ties == "trec9":',
        "if False:",
    ),
    (
        "unjudged='level' is worth 0",
        "src/gainsayer/commands/gains.py",
        "return float(gains.values[gains.levels.lowest])",
        "return 0.0",
    ),
    (
        "unjudged='condense' is not looked at",
        "src/gainsayer/commands/ranked_runs.py",
        'for run in whole) if self.policies.unjudged == "condense" else whole',
        "for run in whole) if False else whole",
    ),
    (
        "zero_lowest is not looked at",
        "src/gainsayer/commands/fit.py",
        "        if zero_lowest:",
        "        if False:",
    ),
    (
        "pairs-across-teams is lost",
        "src/gainsayer/model/pairs.py",
        '        findings = (*findings, Finding("pairs-across-teams", message))',
        "        pass",
    ),
    (
        "Markdown does not escape &",
        "src/gainsayer/table.py",
        'return escaped.replace("&", "&amp;").replace(',
        "return escaped.replace(",
    ),
)
