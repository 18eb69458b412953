"""Side-by-side timings: each claim is a ratio, measured in one run on one machine."""
