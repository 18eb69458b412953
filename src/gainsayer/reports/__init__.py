"""Report: results in, text and files out."""
