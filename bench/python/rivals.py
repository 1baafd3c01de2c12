# SPDX-License-Identifier: MIT
"""What one would write without heed, as fast as numpy and scikit-learn let one."""
import numpy as np


class ScalingRecursion:
    """The scaling recursion of hmmlearn, for all sequences at once: each step is a handful of calls on long arrays, so
    what is measured is C, not Python. Storage is made beforehand and time comes first, so that every step is contiguous.
    """

    def __init__(self, block, switch_probability):
        sequences, windows, states = block.shape
        self.transition = np.full((states, states), switch_probability)
        np.fill_diagonal(self.transition, 1 - (states - 1) * switch_probability)
        self.log_likelihoods = np.ascontiguousarray(np.moveaxis(block, 0, 1))
        self.likelihoods = np.empty_like(self.log_likelihoods)
        self.forward = np.empty_like(self.log_likelihoods)
        self.posterior = np.empty_like(self.log_likelihoods)
        self.scale = np.empty((windows, sequences, 1))

    def smooth(self):
        np.subtract(self.log_likelihoods, self.log_likelihoods.max(axis=2, keepdims=True), out=self.likelihoods)
        np.exp(self.likelihoods, out=self.likelihoods)
        windows, sequences, states = self.forward.shape
        belief = np.full((sequences, states), 1 / states)
        step = np.empty_like(belief)
        for t in range(windows):
            np.multiply(belief, self.likelihoods[t], out=self.forward[t])
            np.sum(self.forward[t], axis=1, keepdims=True, out=self.scale[t])
            np.divide(self.forward[t], self.scale[t], out=self.forward[t])
            np.matmul(self.forward[t], self.transition, out=belief)
        backward = np.ones_like(belief)
        for t in range(windows - 1, -1, -1):
            np.multiply(self.forward[t], backward, out=self.posterior[t])
            np.multiply(backward, self.likelihoods[t], out=step)
            np.divide(step, self.scale[t], out=step)
            np.matmul(step, self.transition.T, out=backward)
        return self.posterior


def signals(minutes=3, channels=16, rate=64):
    """EEG that follows an envelope some samples later, in noise; samples x channels, and samples."""
    random = np.random.default_rng(3)
    envelope = random.normal(size=minutes * 60 * rate)
    eeg = 0.3 * np.stack([np.roll(envelope, lag % 16) for lag in range(channels)], axis=1)
    return eeg + random.normal(size=eeg.shape), envelope


def lagged(columns, lags):
    """samples x (columns x lags); zeros beyond the ends. A negative lag looks back."""
    shifted = []
    for lag in lags:
        moved = np.roll(columns, -lag, axis=0)
        if lag > 0:
            moved[-lag:] = 0
        elif lag < 0:
            moved[:-lag] = 0
        shifted.append(moved)
    return np.hstack(shifted)


class Cca:
    """Both from the same signals; scikit-learn gets its lagged matrices ready made."""

    PAIRS, LAGS = 4, 17

    def __init__(self, eeg, envelope):
        self.eeg, self.envelope = eeg, envelope
        self.lagged_eeg = lagged(eeg, range(self.LAGS))
        self.lagged_envelope = lagged(envelope[:, None], range(0, -self.LAGS, -1))
        samples, dimensions = self.lagged_eeg.shape
        self.text = f"{dimensions} dimensions of EEG with {self.LAGS} of sound, {self.PAIRS} pairs, {samples:,} samples"

    def heed(self):
        import heed

        return heed.CCADecoder(pairs=self.PAIRS, ridge=1e-6).fit(self.eeg, self.envelope).score(self.eeg, self.envelope)

    def sklearn(self):
        from sklearn.cross_decomposition import CCA

        cca = CCA(n_components=self.PAIRS, scale=False).fit(self.lagged_eeg, self.lagged_envelope)
        first = [side[:, 0] for side in cca.transform(self.lagged_eeg, self.lagged_envelope)]
        return np.corrcoef(*first)[0, 1]
