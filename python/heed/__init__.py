# SPDX-License-Identifier: MIT
"""heed works out which speaker a listener is attending to, from EEG: scores in, a trajectory of attention out.

    posteriors = heed.smooth(scores, emission=heed.GaussianEmission(0.124, 0.037, 0.303))

Arrays are time x channels, windows x speakers. See docs/python.md for a tour.
"""
from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import _requirements

_requirements.check(__name__, __path__[0])  # before anything fails with less to say

from . import _native, _representation, plot
from ._errors import (
    BadDataError,
    CannotCreateError,
    Error,
    InputOutputError,
    InvalidArgumentError,
    NotFoundError,
    SingularError,
    UnsupportedError,
)
from ._live_decision import LiveDecision
from ._native import (
    BidsFolder,
    Decoder,
    GaussianComponent,
    GaussianEmission,
    HardDecisionEmission,
    Listener,
    LogLikelihoodEmission,
    MixtureEmission,
    Model,
    Participant,
    Population,
    ProbabilityEmission,
    ScoredTrial,
    SoftmaxEmission,
    Trial,
    __version__,
    adapted_log_likelihoods,
    decide,
    equivalent_switch_probability,
    evaluate,
    filter,
    fixed_lag,
    gain_worth,
    gains,
    path_probability,
    read_scores,
    simulate_scores,
    smooth,
    switch_posterior,
    viterbi,
    write_scores,
)
from .cohorts import Stacked, stack
from .evaluation import Comparison, compare, mesd
from .listeners import cross_validate, read_bids
from .live_session import LiveSession
from .recordings import Recording, RecordingEvent, read_raw
from .signals import envelope, preprocess
from .simulation import SimulatedRun, simulate_recording

_representation.make_printable(_native)

# Imported when first used, since they want scikit-learn.
_ESTIMATORS = {"AdaptiveDecoder": "adaptive_decoder", "AttentionHMM": "attention_hmm", "CCADecoder": "decoders", "LSDecoder": "decoders"}
if _TYPE_CHECKING:
    from .adaptive_decoder import AdaptiveDecoder
    from .attention_hmm import AttentionHMM
    from .decoders import CCADecoder, LSDecoder


def __getattr__(name: str) -> object:
    if name not in _ESTIMATORS:
        raise AttributeError(f"module 'heed' has no attribute {name!r}")
    _requirements.optional("sklearn", f"heed.{name}")
    import importlib

    return getattr(importlib.import_module(f".{_ESTIMATORS[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_ESTIMATORS})


__all__ = [
    "AdaptiveDecoder",
    "AttentionHMM",
    "BadDataError",
    "BidsFolder",
    "CCADecoder",
    "CannotCreateError",
    "Comparison",
    "Decoder",
    "Error",
    "GaussianComponent",
    "GaussianEmission",
    "HardDecisionEmission",
    "InputOutputError",
    "InvalidArgumentError",
    "LSDecoder",
    "Listener",
    "LiveDecision",
    "LiveSession",
    "LogLikelihoodEmission",
    "MixtureEmission",
    "Model",
    "NotFoundError",
    "Participant",
    "Population",
    "ProbabilityEmission",
    "Recording",
    "RecordingEvent",
    "ScoredTrial",
    "SimulatedRun",
    "SingularError",
    "SoftmaxEmission",
    "Stacked",
    "Trial",
    "UnsupportedError",
    "__version__",
    "adapted_log_likelihoods",
    "compare",
    "cross_validate",
    "decide",
    "equivalent_switch_probability",
    "envelope",
    "evaluate",
    "filter",
    "fixed_lag",
    "gain_worth",
    "gains",
    "mesd",
    "path_probability",
    "plot",
    "preprocess",
    "read_bids",
    "read_raw",
    "read_scores",
    "simulate_recording",
    "simulate_scores",
    "smooth",
    "stack",
    "switch_posterior",
    "viterbi",
    "write_scores",
]
