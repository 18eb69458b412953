"""Gain maps: the gains by themselves, as other tools take them beside qrels of levels."""

from __future__ import annotations

import numpy as np

from gainsayer.errors import CallError
from gainsayer.exports.scaled_qrels import SCALE, scale_gains
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels, is_whole
from gainsayer.text import option, write_json


def write_gain_json(gains: Gains) -> str:
    """The gains as a JSON object, level name to gain, from low to high; nothing is rounded.

    >>> print(write_gain_json(Gains(Levels(("Non", "Key")), np.array([0.01, 0.53]))))
    {
      "Non": 0.01,
      "Key": 0.53
    }
    """
    return write_json(gains.as_dict()).rstrip("\n")


def write_trec_eval_gains(gains: Gains) -> str:
    """The gains as trec_eval's parameter: `-m ndcg.LEVEL=GAIN,...`, which `ndcg` takes and `ndcg_cut` does not.

    A trap: trec_eval compares gains through an integer, so that gains less than 1 apart count as equal, and its ideal
    list takes the levels in the order in which they stand in the parameter. A map with the best level first gives an
    ideal list with the worst documents on top, and a perfect ranking scores above 1 (2.19 was seen). Here the levels
    stand by increasing gain, which comes out right as long as the C library's sort leaves equal entries in place.
    Nothing promises that: prefer scaled qrels. pytrec_eval takes no such parameter: it stops the whole Python process
    (docs/reference/other-evaluators.md).

    Raises:
        CallError: a level is no whole number of at least 0 in the data, as trec_eval needs.

    >>> write_trec_eval_gains(Gains(Levels(("0", "1", "2")), np.array([0.01, 0.53, 0.27])))
    '-m ndcg.0=0.01,2=0.27,1=0.53'
    """
    pairs = sorted(zip(_numbers(gains.levels), gains.as_dict().values(), strict=True), key=lambda pair: pair[1])
    return "-m ndcg." + ",".join(f"{level}={show_decimal(gain)}" for level, gain in pairs)


def write_ir_measures_gains(gains: Gains, *, scale: int = SCALE) -> str:
    """The gains as a measure of ir_measures: `nDCG(gains={LEVEL:GAIN,...})`, scaled to whole numbers of at least 1.

    ir_measures takes fractions into the measure's name without a word and refuses them when it computes ("Expected
    relevance to be integer"), so the gains are scaled as in `write_scaled_qrels`, with the same bound on the error.

    Raises:
        CallError: a level is no whole number of at least 0 in the data, or a gain is negative.

    >>> write_ir_measures_gains(Gains(Levels(("0", "1", "2")), np.array([0.01, 0.27, 0.53])))
    'nDCG(gains={0:10,1:270,2:530})'
    """
    scaled = scale_gains(np.array(list(gains.as_dict().values())), scale=scale)
    pairs = zip(_numbers(gains.levels), scaled.tolist(), strict=True)
    return f"nDCG(gains={{{','.join(f'{level}:{gain}' for level, gain in pairs)}}})"


def show_decimal(value: float) -> str:
    """A number in plain decimals, never as 1e-05, with as many digits as it takes to read it back the same.

    >>> show_decimal(0.53), show_decimal(1e-05), show_decimal(1.0)
    ('0.53', '0.00001', '1')
    """
    return np.format_float_positional(value, unique=True, trim="-")


def _numbers(levels: Levels) -> list[int]:
    labels = levels.codes or levels.names
    if not all(is_whole(label) and int(label) >= 0 for label in labels):
        example = ",".join(f"{name}={place}" for place, name in enumerate(levels.names))
        raise CallError(
            f"trec_eval and ir_measures know levels as whole numbers from 0, found {', '.join(labels)}. Say which "
            f"number stands for each in the qrels: {option('levels', example)}"
        )
    return [int(label) for label in labels]
