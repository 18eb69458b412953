"""Lines: what stands in text files, as bytes: blocks of lines, their columns, names and numbers."""
