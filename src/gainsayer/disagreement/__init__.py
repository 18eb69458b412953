"""Disagreement: counts in, p(R|i) out: estimators, errors and intervals, smoothing, agreement, checks."""
