"""What a boxplot draws."""

from __future__ import annotations

import numpy as np

from gainsayer.studies.boxplots import make_boxes


def test_boxes_are_those_of_numpy_and_tukey() -> None:
    """Quartiles are NumPy's; whiskers end at the last draw within 1.5 box lengths; undefined draws play no part."""
    draws = np.random.default_rng(5).standard_t(2, size=(501, 2))
    draws[7, 0] = np.nan
    boxes = make_boxes(draws)
    for level in range(2):
        low, middle, high = np.nanquantile(draws[:, level], [0.25, 0.5, 0.75])
        assert (boxes.low_quartile[level], boxes.median[level], boxes.high_quartile[level]) == (low, middle, high)
        beyond = draws[:, level] > boxes.high_whisker[level]
        assert np.all(draws[beyond, level] > high + 1.5 * (high - low))
        assert boxes.high_whisker[level] <= high + 1.5 * (high - low)
        assert boxes.lowest[level] == np.nanmin(draws[:, level])
    assert np.isnan(make_boxes(np.full((3, 1), np.nan)).median[0])
