"""Adapters for the tools that people have already: each is a module of its own, imported by those who have the tool."""
