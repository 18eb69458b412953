"""The truth of a collection."""

import numpy as np

from gainsayer.datasets import JointModel, LatentModel, Truth


def test_a_level_that_never_occurs_has_no_parameters():
    """Its row is NaN, not 0."""
    for model in (LatentModel(shares=(0.5, 0.0, 0.5)), JointModel([[3, 0, 1], [0, 0, 0], [1, 0, 3]])):
        truth = Truth.of(model.distribution())
        assert np.isnan(truth.one_sided[1]).all()
        assert np.isnan(truth.symmetric[1]).all()
        assert np.isfinite(truth.symmetric[[0, 2]]).all()
