"""Templates filled with text that stays text: everything is escaped, nothing is marked safe."""

from __future__ import annotations

import functools
import re
from typing import Any

import jinja2

from gainsayer.text import STEERING


def render(name: str, **values: Any) -> str:
    """A page from its template."""
    return _templates().get_template(name).render(**values)


@functools.cache
def _templates() -> jinja2.Environment:
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("gainsayer.web"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["calm"] = lambda text: re.sub(STEERING, "\ufffd", str(text))
    return templates
