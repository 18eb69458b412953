"""The sections of a report: each takes a result, and gives sentences, figures and tables."""
