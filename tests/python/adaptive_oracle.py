# SPDX-License-Identifier: MIT
"""The equations of docs/adaptation.md in numpy, in any precision: with lagged matrices written out, no shortcut shared with heed."""
import json
from dataclasses import dataclass, field

import numpy as np
import scipy.linalg

SWITCH, NOBODY = 0.01, 0.003
COVARIANCE_WINDOWS, EMISSION_WINDOWS, HALF_LIFE, MEMORY = 30, 300, 600, 60
BLOCK, HANDOVER, HINDSIGHT = 5, 1, 15
RIDGE = SHRINKAGE = 0.3
SAMPLES = 64  # of a window


@dataclass
class Start:
    """What a decoder starts from, as `AdaptiveDecoder.save` keeps it."""
    covariance: np.ndarray
    cross: np.ndarray
    windows: float
    emission: tuple

    @classmethod
    def of(cls, path):
        kept = json.loads(path.read_text(encoding="utf-8"))
        channels, lent = len(kept["Channels"]), kept["Population"]
        column = np.array(lent["Covariance"]).reshape(-1, channels, channels)  # [lag]: EEG at t + lag times EEG at t
        lags = range(len(column))
        whole = np.block([[column[a - b] if a >= b else column[b - a].T for b in lags] for a in lags])
        emission = kept["Emission"]
        return cls(whole, np.array(lent["Products"]), lent["Seconds"], (emission["Attended"], emission["Unattended"], emission["Sigma"]))


def in_running_deviations(signals):
    kept = signals.dtype.type(np.exp(-1 / (MEMORY * SAMPLES)))
    squares, weight, scaled = np.zeros_like(signals[0]), signals.dtype.type(0), np.zeros_like(signals)
    for t, row in enumerate(signals):
        weight = kept * weight + 1
        squares = kept * squares + row * row
        scaled[t] = np.divide(row, np.sqrt(squares / weight), out=np.zeros_like(row), where=squares > 0)
    return scaled


@dataclass
class Emission:
    start: tuple
    sums: np.ndarray = field(default_factory=lambda: np.zeros(5))

    def learn(self, z, label):
        self.sums += [label @ z, label.sum(), (1 - label) @ z, (1 - label).sum(), z @ z]

    def now(self):
        (attended, unattended, sigma), (a, wa, u, wu, squares), known = self.start, self.sums, EMISSION_WINDOWS
        mu_a, mu_u = (a + known * attended) / (wa + known), (u + known * unattended) / (wu + known)
        variance = (squares - 2 * mu_a * a + mu_a**2 * wa - 2 * mu_u * u + mu_u**2 * wu + 2 * known * sigma**2) / (wa + wu + 2 * known)
        return max(mu_a, mu_u + 0.25 * (attended - unattended)), mu_u, variance


def label_of_oldest(belief, evidence, transition):
    """Of the oldest window that waits: its filtered belief, and the log-likelihoods of those behind it."""
    back = np.ones(len(belief))
    for later in evidence[::-1]:
        back = transition @ (np.exp(later - later.max()) * back)
        back /= back.sum()
    label = belief * back
    return (label / label.sum())[:-1]


def transitions(talkers):
    whole = np.full((talkers + 1, talkers + 1), SWITCH)
    np.fill_diagonal(whole, 1 - (talkers - 1) * SWITCH - NOBODY)
    whole[:, -1], whole[-1] = NOBODY, NOBODY / talkers
    whole[-1, -1] = 1 - NOBODY
    return whole


class Follower:
    """One trial, heard from a start on. Signals, sums, factor and decoder are of the precision `real`; labels and emission, a few
    numbers per window, of doubles. `told`: who is attended in each window, which is learnt from instead of the posteriors."""

    def __init__(self, start, real, lags=17, talkers=2, told=None):
        self.start, self.real, self.lags, self.told = start, real, lags, told
        self.rpop, self.cross_pop = start.covariance.astype(real), start.cross.astype(real)
        self.racc, self.cross = np.zeros_like(self.rpop), np.zeros_like(self.cross_pop)
        self.eeg_windows = self.labelled = 0.0
        self.emission, self.transition = Emission(start.emission), transitions(talkers)
        self.belief = None
        self.waiting, self.decoders, self.scores, self.labels = [], [self.solved()], [], []

    def solved(self):
        real, n = self.real, len(self.cross)
        covariance = (self.racc + real(COVARIANCE_WINDOWS * SAMPLES) * self.rpop) / real((self.eeg_windows + COVARIANCE_WINDOWS) * SAMPLES)
        right = (self.cross + real(self.start.windows * SAMPLES) * self.cross_pop) / real((self.labelled + self.start.windows) * SAMPLES)
        ridge = real(RIDGE) * np.trace(covariance) / real(n)
        covariance[np.diag_indices(n)] += ridge
        decoder = scipy.linalg.cho_solve(scipy.linalg.cho_factor(covariance, lower=True, overwrite_a=True, check_finite=False), right)
        return decoder / np.sqrt(decoder @ (right - ridge * decoder))

    def hear(self, eeg, speech):
        eeg, speech = (in_running_deviations(signals.astype(self.real)) for signals in (eeg, speech))
        eeg = np.vstack([eeg, np.zeros((self.lags - 1, eeg.shape[1]), self.real)])
        under_way = due = None
        for window in range(len(speech) // SAMPLES):
            if under_way is not None and window >= due:
                self.decoders.append(under_way)
                under_way = None
            first = window * SAMPLES
            lagged = np.hstack([eeg[first + lag:first + lag + SAMPLES] for lag in range(self.lags)])
            self.window(lagged, speech[first:first + SAMPLES])
            if (window + 1) % BLOCK == 0:
                under_way, due = self.solved(), window + 1 + HANDOVER
        if under_way is not None:
            self.decoders.append(under_way)
        return self

    def window(self, lagged, speech):
        real, kept = self.real, 2 ** (-1 / HALF_LIFE)
        u = lagged @ self.decoders[-1]
        shrunk = real(SHRINKAGE * SAMPLES)
        score = (u @ speech) / np.sqrt((u @ u + shrunk) * ((speech * speech).sum(axis=0) + shrunk))
        z = np.arctanh(score.astype(float))
        mu_a, mu_u, variance = self.emission.now()
        evidence = np.append((mu_a - mu_u) / variance * (z - (mu_a + mu_u) / 2), 0)
        self.scores.append(score)
        self.racc = real(kept) * self.racc + lagged.T @ lagged
        self.eeg_windows = kept * self.eeg_windows + 1
        talkers = len(score)
        prior = np.append(np.full(talkers, 0.9 / talkers), 0.1) if self.belief is None else self.belief @ self.transition
        self.belief = prior * np.exp(evidence - evidence.max())
        self.belief /= self.belief.sum()
        self.waiting.append((self.belief, evidence, z, lagged.T @ speech))
        if len(self.waiting) > HINDSIGHT:
            self.learn_oldest(kept)

    def learn_oldest(self, kept):
        belief, _, z, cross = self.waiting.pop(0)
        if self.told is None:
            label = label_of_oldest(belief, [evidence for _, evidence, _, _ in self.waiting], self.transition)
        else:
            label = (np.arange(len(z)) == self.told[len(self.labels)]).astype(float)
        self.labels.append(label)
        self.cross = self.real(kept) * self.cross + cross @ label.astype(self.real)
        self.labelled = kept * self.labelled + label.sum()
        self.emission.sums *= kept
        self.emission.learn(z, label)
