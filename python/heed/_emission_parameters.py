# SPDX-License-Identifier: MIT
"""What the parameters of an AttentionHMM say about its emission, in the words of the engine."""
from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from ._native import MixtureEmission, Model, ProbabilityEmission, SoftmaxEmission

if TYPE_CHECKING:
    from .attention_hmm import AttentionHMM


def given_emission(hmm: AttentionHMM) -> Any:
    """The emission itself where one was given, else None."""
    if isinstance(hmm.emission, str):
        return None
    return hmm.emission.emission if isinstance(hmm.emission, Model) else hmm.emission


def given_states(hmm: AttentionHMM) -> list[str]:
    """Names of states that are no columns; empty where the columns are the speakers."""
    given = given_emission(hmm)
    return list(given.states) if isinstance(given, MixtureEmission) else list(hmm.states or ())


def takes_one_column(hmm: AttentionHMM) -> bool:
    """Whether one column tells of two speakers: the logit or the probability of the second, as classifiers give it."""
    given = given_emission(hmm)
    return hmm.emission in ("softmax", "probability") if given is None else isinstance(given, (SoftmaxEmission, ProbabilityEmission))


def both_columns(hmm: AttentionHMM, second: Any) -> Any:
    """Of two speakers, given the last axis of the second alone."""
    given = given_emission(hmm)
    logits = hmm.emission == "softmax" if given is None else isinstance(given, SoftmaxEmission)
    second = np.asarray(second, dtype=np.float64)
    return np.concatenate([np.zeros_like(second) if logits else 1 - second, second], axis=-1)


def as_column(X: Any) -> Any:
    """What classifiers give as one number per window."""
    return np.reshape(np.asarray(X), (-1, 1)) if np.ndim(X) == 1 else X


def least_columns(hmm: AttentionHMM) -> int:
    """Attention needs two speakers to choose between; features may be one."""
    return 1 if given_states(hmm) or takes_one_column(hmm) else 2


def window_of(hmm: AttentionHMM) -> float:
    """Seconds."""
    if hmm.window is not None:
        return _seconds("window", hmm.window)
    return hmm.emission.window if isinstance(hmm.emission, Model) else 1.0


def hop_of(hmm: AttentionHMM) -> float:
    """Seconds."""
    if hmm.hop is not None:
        return _seconds("hop", hmm.hop)
    if hmm.window is not None:
        return _seconds("window", hmm.window)
    return hmm.emission.hop if isinstance(hmm.emission, Model) else 1.0


def _seconds(name: str, given: Any) -> float:
    if not isinstance(given, numbers.Real):
        raise ValueError(f"{name}: must be a number of seconds, not {given!r}")
    return float(given)


def fit_keywords(hmm: AttentionHMM) -> dict[str, Any]:
    """What the engine is asked for."""
    automatic = isinstance(hmm.emission, str) and hmm.emission == "auto"
    return {
        "emission": None if automatic else hmm.emission,
        "fit": None if hmm.fit_by == "auto" else hmm.fit_by,
        "spread": None if hmm.spread == "auto" else hmm.spread,
        "class_priors": hmm.class_priors,
        "accuracy": hmm.accuracy,
        "components": hmm.components,
        "covariance": hmm.covariance,
        "mixture_seed": hmm.mixture_seed,
        "fit_switch_probability": hmm.fit_switch_probability,
        "calibrate": hmm.calibrate,
        "evidence": None if hmm.evidence == "auto" else hmm.evidence,
        "dependence": hmm.dependence,
        "switch_probability": hmm.switch_probability,
        "expected_seconds_between_switches": hmm.expected_seconds_between_switches,
        "transition": hmm.transition,
        "initial": hmm.initial,
    }
