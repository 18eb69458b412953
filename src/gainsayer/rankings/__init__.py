"""Rankings: runs and judgments in, RankedLevels out: order, ties, duplicates, unjudged."""
