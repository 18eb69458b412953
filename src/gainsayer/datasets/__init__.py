"""Datasets: the numbers the paper prints, and collections drawn from known parameters."""
