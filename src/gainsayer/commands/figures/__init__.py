"""Figures of results: plain data that says its finding in a sentence, lists its numbers, and draws itself as SVG."""
