# SPDX-License-Identifier: MIT
"""The recursions of docs/mathematics.md once more, in logarithms and plain numpy: what the engine is held to."""
import itertools

import numpy as np


def sticky(states, switch_probability):
    matrix = np.full((states, states), switch_probability)
    np.fill_diagonal(matrix, 1 - (states - 1) * switch_probability)
    return matrix


def seen(log_likelihoods):
    """Log-likelihoods with missing windows (NaN or +inf anywhere) as windows that say nothing."""
    values = np.array(log_likelihoods, dtype=float)
    values[np.isnan(values).any(axis=1) | np.isposinf(values).any(axis=1)] = 0
    return values


def forward(log_likelihoods, transition, initial=None):
    """log P(state at t, windows 0 ... t), windows x states."""
    values = seen(log_likelihoods)
    states = values.shape[1]
    with np.errstate(divide="ignore"):
        log_transition = np.log(transition)
        alpha = [np.log(np.full(states, 1 / states) if initial is None else initial) + values[0]]
    for row in values[1:]:
        alpha.append(np.logaddexp.reduce(alpha[-1][:, None] + log_transition, axis=0) + row)
    return np.array(alpha)


def normalised(log_weights):
    return np.exp(log_weights - np.logaddexp.reduce(log_weights, axis=1)[:, None])


def filter(log_likelihoods, transition, initial=None):
    """The causal posterior and the log-evidence."""
    alpha = forward(log_likelihoods, transition, initial)
    return normalised(alpha), np.logaddexp.reduce(alpha[-1])


def fixed_lag(log_likelihoods, transition, initial=None, lag=0):
    """Row t has seen the windows up to t + lag."""
    alpha = forward(log_likelihoods, transition, initial)
    values = seen(log_likelihoods)
    with np.errstate(divide="ignore"):
        log_transition = np.log(transition)
    rows = []
    for t in range(len(values)):
        beta = np.zeros(values.shape[1])
        for s in range(min(t + lag, len(values) - 1), t, -1):
            beta = np.logaddexp.reduce(log_transition + (values[s] + beta)[None, :], axis=1)
        rows.append(alpha[t] + beta)
    return normalised(np.array(rows)), np.logaddexp.reduce(alpha[-1])


def smooth(log_likelihoods, transition, initial=None):
    return fixed_lag(log_likelihoods, transition, initial, lag=len(log_likelihoods))


def best_path(log_likelihoods, transition, initial=None):
    """The most probable path among all there are, and its log-probability. For short sequences."""
    values = seen(log_likelihoods)
    windows, states = values.shape
    with np.errstate(divide="ignore"):
        log_transition = np.log(transition)
        log_initial = np.log(np.full(states, 1 / states) if initial is None else initial)
    best = (-np.inf, None)
    for path in itertools.product(range(states), repeat=windows):
        total = log_initial[path[0]] + values[0, path[0]]
        for t in range(1, windows):
            total += log_transition[path[t - 1], path[t]] + values[t, path[t]]
        best = max(best, (total, path), key=lambda candidate: candidate[0])
    return np.array(best[1]), best[0]
