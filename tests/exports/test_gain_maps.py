"""Gain maps: read back by what other tools use, nothing lost."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gainsayer.errors import CallError
from gainsayer.exports import write_gain_json, write_ir_measures_gains, write_trec_eval_gains
from gainsayer.gains import Gains
from gainsayer.levels import Levels

GAINS = Gains(Levels(("0", "1", "2")), np.array([1 / 13, 5 / 17, 0.4]))


def test_gain_json_reads_back_exactly() -> None:
    """The JSON map has every digit, and names that need escaping come back."""
    named = Gains(Levels(('N"on', "Key\\")), np.array([1 / 3, 1e-300]))
    assert json.loads(write_gain_json(named)) == {'N"on': 1 / 3, "Key\\": 1e-300}


def test_trec_eval_levels_stand_by_increasing_gain() -> None:
    """The order is that of the gains, in plain decimals, with the codes of the qrels as levels."""
    levels = Levels(("Non", "Rel", "HRel", "Key"), codes=("0", "1", "3", "7"))
    text = write_trec_eval_gains(Gains(levels, np.array([0.21, 0.41, 0.00001, 0.48])))
    assert text == "-m ndcg.3=0.00001,0=0.21,1=0.41,7=0.48"


def test_ir_measures_gains_are_whole_and_parse() -> None:
    """ir_measures reads the measure back, with the scaled gains."""
    ir_measures = pytest.importorskip("ir_measures")
    measure = ir_measures.parse_measure(write_ir_measures_gains(GAINS))
    assert measure.params["gains"] == {0: 77, 1: 294, 2: 400}


def test_maps_need_whole_levels() -> None:
    """Names without numbers, and negative levels, are refused with a way out."""
    with pytest.raises(CallError, match="levels='Non=0,Key=1'"):
        write_trec_eval_gains(Gains(Levels(("Non", "Key")), np.array([0.0, 0.5])))
    with pytest.raises(CallError, match="whole numbers from 0, found -1, 0"):
        write_ir_measures_gains(Gains(Levels(("-1", "0")), np.array([0.0, 0.5])))
