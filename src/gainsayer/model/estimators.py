"""The two estimators by name."""

from __future__ import annotations

from typing import Literal, get_args

Estimator = Literal["symmetric", "one-sided"]
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)
