# SPDX-License-Identifier: MIT
"""heed decides who a listener is listening to, from EEG: scores of windows in, a trajectory of attention out.

    posteriors = heed.smooth(scores, emission=heed.GaussianEmission(0.124, 0.037, 0.303))

Arrays are time x channels, windows x speakers. docs/python.md has the tour.
"""
from . import _requirements

_requirements.check(__name__, __path__[0])  # before anything fails with less to say

from . import plot
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
from ._native import (
    GaussianComponent,
    GaussianEmission,
    HardDecisionEmission,
    LogLikelihoodEmission,
    MixtureEmission,
    Model,
    Participant,
    ProbabilityEmission,
    ScoredTrial,
    SoftmaxEmission,
    __version__,
    evaluate,
    filter,
    fixed_lag,
    read_scores,
    simulate_scores,
    smooth,
    viterbi,
    write_scores,
)

__all__ = [
    "BadDataError",
    "CannotCreateError",
    "Error",
    "GaussianComponent",
    "GaussianEmission",
    "HardDecisionEmission",
    "InputOutputError",
    "InvalidArgumentError",
    "LogLikelihoodEmission",
    "MixtureEmission",
    "Model",
    "NotFoundError",
    "Participant",
    "ProbabilityEmission",
    "ScoredTrial",
    "SingularError",
    "SoftmaxEmission",
    "UnsupportedError",
    "__version__",
    "evaluate",
    "filter",
    "fixed_lag",
    "plot",
    "read_scores",
    "simulate_scores",
    "smooth",
    "viterbi",
    "write_scores",
]
