"""Counts: judgments in, PairCounts out: pairing, strata, intents, sampling weights."""
