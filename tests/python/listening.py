# SPDX-License-Identifier: MIT
"""Listeners whose EEG follows the attended speaker by a known response."""
import numpy as np

import heed

CHANNELS = ["Fz", "Cz", "Pz", "T7", "T8", "Oz"]


def signals(seed=0, samples=64 * 60, noise=2.0, speakers=2):
    """EEG (samples x 6) that answers the first speaker 4 and 7 samples later, and the envelopes (samples x speakers)."""
    random = np.random.default_rng(seed)
    speech = random.standard_normal((samples, speakers))
    mixing = np.random.default_rng(99).standard_normal((2, len(CHANNELS)))
    answer = np.zeros((samples, 2))
    answer[4:, 0] = speech[:-4, 0]
    answer[7:, 1] = speech[:-7, 0]
    return answer @ mixing + noise * random.standard_normal((samples, len(CHANNELS))), speech


def trial(seed=0, attended=0, **options):
    eeg, speech = signals(seed, **options)
    if attended == 1:
        speech = speech[:, ::-1]
    return heed.Trial(eeg, speech, attended, channels=CHANNELS, speakers=["left", "right"], name=f"trial-{seed}")


def listener(trials=4, **options):
    return heed.Listener("01", [trial(k, k % 2, **options) for k in range(trials)])
