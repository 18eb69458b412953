"""The analyses of the paper: topics, amount, quality, robustness, gain schemes."""
