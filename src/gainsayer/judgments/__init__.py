"""Judgments: what people (or machines) said, and one reader per format."""
