"""Measures: RankedLevels and Gains in, one number per topic out."""
