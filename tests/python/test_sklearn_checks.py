# SPDX-License-Identifier: MIT
"""scikit-learn's own checks of an estimator. The skips are listed in AttentionHMM itself, with their reasons."""
import warnings

import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import _yield_all_checks, parametrize_with_checks

from heed import AttentionHMM

ESTIMATORS = [AttentionHMM(), AttentionHMM(fit_by="baum-welch", method="causal")]


@pytest.mark.filterwarnings("ignore:Baum-Welch")
@parametrize_with_checks(ESTIMATORS)
def test_attention_hmm_keeps_the_habits(estimator, check):
    check(estimator)


def test_skips_are_few_and_needed():
    """A skip that names no check, or one that would pass, is a stale excuse."""
    excused, needed = set(), set()
    for estimator in ESTIMATORS:
        skipped = set(estimator._get_tags()["_xfail_checks"])
        assert len(skipped) <= 4
        excused |= skipped
        for check in _yield_all_checks(estimator):
            name = getattr(check, "func", check).__name__
            if name in skipped and not _passes(check, estimator):
                needed.add(name)
    assert needed == excused  # without labels, the checks' data are noise, of which nothing is decided: all pass


def _passes(check, estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            check(type(estimator).__name__, clone(estimator))
        except Exception:
            return False
    return True
