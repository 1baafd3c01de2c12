# SPDX-License-Identifier: MIT
"""Code of a user who has mypy look at it (test_stubs.py): what is right passes, each marked mistake is caught."""
from pathlib import Path

import heed
import numpy as np
from numpy.typing import NDArray


def attended(scores: NDArray[np.float64], model: Path) -> NDArray[np.int32]:
    """Right: arrays, paths and models as documented."""
    emission = heed.Model.load(model)
    posteriors: NDArray[np.float64] = heed.smooth(scores, 1e-3, emission=emission, window=1.0)
    posteriors, evidence = heed.filter(posteriors, lengths=[300, 300], return_log_evidence=True)
    heed.plot.attention(posteriors, truth=[0] * 600, speakers=["left", "right"])
    return heed.viterbi(np.log(posteriors))


def listeners() -> list[float]:
    cohort = heed.simulate_scores(participants=2, switch_every=(60, 125))
    heed.write_scores("sub-01_scores.tsv", cohort[0])
    return [trial.onset for listener in heed.read_scores([Path("a"), "b"]) for trial in listener.trials]


def decoded(eeg: NDArray[np.float64], speech: NDArray[np.float64], flag: bool) -> NDArray[np.float64]:
    """Right: decoders are classes, and a flag may be a variable."""
    decoder: heed.LSDecoder = heed.LSDecoder(ridge=0.3, score_rule="cosine").fit(eeg, speech[:, 0])
    pairs = heed.CCADecoder(pairs=3).fit(eeg, speech[:, 0], others=speech[:, 1])
    scores: NDArray[np.float64] = pairs.window_scores(eeg, speech)
    either = heed.smooth(scores, return_log_evidence=flag)
    heed.viterbi(scores, return_log_probability=flag)
    return decoder.predict(eeg) if isinstance(either, tuple) else either


def learnt(eeg: NDArray[np.float64], speech: NDArray[np.float64]) -> NDArray[np.float64]:
    """Right: a decoder that learns while it listens."""
    decoder = heed.AdaptiveDecoder(Path("pop.json"), window=1.0).partial_fit(eeg, speech)
    decoder.save("me.json")
    return decoder.step(eeg, speech)


def mistakes(scores: NDArray[np.float64]) -> None:
    heed.smooth(scores, "0.001")  # type: ignore[call-overload]
    heed.smooth(scores, emission="gaussian")  # type: ignore[call-overload]
    heed.viterbi(scores, switchprobability=0.1)  # type: ignore[call-overload]
    heed.GaussianEmission(0.1, 0.0)  # type: ignore[call-arg]
    heed.GaussianEmission(0.1, 0.0, 0.3).sigma = 1.0  # type: ignore[misc]
    decided: NDArray[np.float64] = heed.viterbi(scores)  # type: ignore[assignment]
    heed.LSDecoder(rigde=0.3)  # type: ignore[call-arg]
    heed.AdaptiveDecoder(adapt=True)  # type: ignore[call-arg]
    heed.evaluate(scores)  # type: ignore[call-arg]
