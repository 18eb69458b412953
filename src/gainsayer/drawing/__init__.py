"""Drawing: marks of SVG, figures as values, and the drawers that make them; nothing here knows a result."""
