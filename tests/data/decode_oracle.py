#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The numbers tests/unit/decode holds heed to, from numpy, scipy and scikit-learn on signals that both can make:
tests/support/decode_cases.h draws the same. Prints tests/unit/decode/oracle_values.h.

    decode_oracle.py
"""
import numpy as np
import scipy.linalg
import scipy.signal
from sklearn.covariance import LedoitWolf
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis


class Draws:
    """A linear congruential generator: the same whole numbers in every language."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self, *shape):
        values = np.empty(int(np.prod(shape)))
        for i in range(values.size):
            self.state = (self.state * 1103515245 + 12345) % 2**31
            values[i] = self.state / 2**30 - 1
        return values.reshape(shape)


def planted(samples=400, channels=4, seed=1):
    """EEG that follows the first of two speakers, channel c after 1 + c % 2 samples."""
    draws = Draws(seed)
    stimuli = draws(samples, 2)
    eeg = draws(samples, channels)
    for c in range(channels):
        delay = 1 + c % 2
        eeg[delay:, c] += 0.6 * stimuli[:-delay, 0]
    return eeg, stimuli


def lagged(signal, first, last):
    rows, columns = signal.shape
    result = np.zeros((rows, last - first + 1, columns))
    for i, lag in enumerate(range(first, last + 1)):
        for t in range(rows):
            if 0 <= t + lag < rows:
                result[t, i] = signal[t + lag]
    return result.reshape(rows, -1)


def show(name, values):
    numbers = [repr(float(value)) for value in np.ravel(values)]
    print(f"inline const std::vector<double> {name}{{{', '.join(numbers)}}};")


def ridge(matrix, strength):
    return matrix + strength * np.trace(matrix) / len(matrix) * np.eye(len(matrix))


def decoders():
    eeg, stimuli = planted()
    x, y = lagged(eeg, 0, 3), lagged(stimuli[:, :1], -3, 0)
    shrunk = LedoitWolf(assume_centered=True).fit(x)
    show("ledoit_wolf_shrinkage_oracle", shrunk.shrinkage_)
    show("ledoit_wolf_covariance_oracle", shrunk.covariance_[:2, :6])
    show("least_squares_oracle", np.linalg.solve(ridge(x.T @ x, 0.1), x.T @ stimuli[:, 0]))
    rxx, ryy, rxy = ridge(x.T @ x, 0.1), ridge(y.T @ y, 1e-3), x.T @ y
    values, vectors = scipy.linalg.eigh(rxy.T @ np.linalg.solve(rxx, rxy), ryy)
    values, vectors = values[::-1], vectors[:, ::-1]
    show("canonical_correlations_oracle", np.sqrt(values))
    for p in range(2):
        e = vectors[:, p] * np.sign(vectors[np.argmax(np.abs(vectors[:, p])), p])
        d = np.linalg.solve(rxx, rxy @ e)
        show(f"stimulus_filter_oracle_{p}", np.sqrt(len(x)) * e / np.sqrt(e @ ryy @ e))
        show(f"eeg_filter_oracle_{p}", np.sqrt(len(x)) * d / np.sqrt(d @ rxx @ d))


def discriminant():
    draws = Draws(7)
    attended, unattended = draws(40, 3), draws(80, 3)
    attended[:, 0] += 0.3
    attended[:, 1] += 0.5 * attended[:, 0]
    lda = LinearDiscriminantAnalysis(solver="lsqr").fit(np.vstack([unattended, attended]), [0] * 80 + [1] * 40)
    show("discriminant_weights_oracle", lda.coef_[0])
    show("discriminant_bias_oracle", lda.intercept_[0] - np.log(40 / 80))


def common_spatial_patterns():
    rate, bands = 64, [(8, 12), (14, 18)]
    samples = 24 * rate
    eeg = Draws(3)(samples, 4)
    first = (np.arange(samples) // (6 * rate)) % 2 == 0
    eeg[first, 1] *= 1.5
    eeg[~first, 2] *= 1.5
    features = []
    for band in bands:
        sos = scipy.signal.butter(4, band, "bandpass", fs=rate, output="sos")
        x = scipy.signal.sosfiltfilt(sos, eeg, axis=0)
        classes = [LedoitWolf(assume_centered=True).fit(x[which]).covariance_ for which in (first, ~first)]
        classes = [c / np.trace(c) for c in classes]
        _, vectors = scipy.linalg.eigh(classes[0], classes[0] + classes[1])
        outputs = x @ vectors[:, [-1, 0]]
        features.append(np.log((outputs.reshape(-1, rate, 2) ** 2).mean(axis=1)))
    features = np.hstack(features)
    labels = first[::rate]
    lda = LinearDiscriminantAnalysis(solver="lsqr").fit(features, labels)
    show("csp_scores_oracle", (features @ lda.coef_[0] + lda.intercept_[0])[:8])


if __name__ == "__main__":
    print("// SPDX-License-Identifier: MIT\n// Printed by tests/data/decode_oracle.py: numpy, scipy and scikit-learn.")
    print("#pragma once\n\n#include <vector>\n\nnamespace heed::test {\n")
    decoders()
    discriminant()
    common_spatial_patterns()
    print("\n}  // namespace heed::test")
