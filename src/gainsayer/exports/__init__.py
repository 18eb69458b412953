"""Exports: the gains in other tools' forms, and what those tools make of them."""
