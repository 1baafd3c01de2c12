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
