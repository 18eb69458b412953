"""Changes made by hand, run with every sample: decisions that a reader of the results relies on.

Each is what it takes away, the module, a piece of text that occurs once in it, and what stands there instead.
"""

from __future__ import annotations

_COMPARISON = "src/gainsayer/comparison"
_GAINS = "src/gainsayer/gains"
_PRESENTATION = "src/gainsayer/presentation"

BY_HAND: tuple[tuple[str, str, str, str], ...] = (
    (
        "what is significant: 10 % in place of 5 %",
        f"{_COMPARISON}/run_comparison.py",
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
        f"{_COMPARISON}/paired_tests.py",
        "level: float = 0.05",
        "level: float = 0.10",
    ),
    (
        "a check rejects: 10 % in place of 5 %",
        "src/gainsayer/disagreement/checks.py",
        "level: float = 0.05",
        "level: float = 0.10",
    ),
    (
        "advice on unjudged documents from 50 % on in place of 5 %",
        "src/gainsayer/measures/scoring.py",
        "MUCH_UNJUDGED = 0.05",
        "MUCH_UNJUDGED = 0.5",
    ),
    (
        "the split of a score's variance: topics and parameters exchanged",
        f"{_COMPARISON}/conclusions.py",
        "np.where(known, errors.topics / whole, np.nan), np.where(known, errors.parameters / whole, np.nan)",
        "np.where(known, errors.parameters / whole, np.nan), np.where(known, errors.topics / whole, np.nan)",
    ),
    (
        "the split of a difference's variance: all of it given to the topics",
        f"{_COMPARISON}/differences.py",
        "topic_share=share_of_variance(found.topics[:pairs], error),",
        "topic_share=share_of_variance(found.topics[:pairs] + found.parameters[:pairs], error),",
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
        f"{_PRESENTATION}/comparison_records.py",
        '"standard_error": number(part.error[at]),',
        '"standard_error": number(2 * part.error[at]),',
    ),
    (
        "± of score is twice the error",
        f"{_PRESENTATION}/scores.py",
        '"standard_error": number(float(error)),',
        '"standard_error": number(2 * float(error)),',
    ),
    (
        "the better run is called the worse one",
        f"{_COMPARISON}/differences.py",
        "significant & (difference > 0), significant & (difference < 0)",
        "significant & (difference < 0), significant & (difference > 0)",
    ),
)
