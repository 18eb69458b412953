"""Runs: what systems returned, and one reader per format."""
