"""Scores in; differences, intervals, tests and rank correlations out."""
