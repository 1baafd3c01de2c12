// SPDX-License-Identifier: MIT
// Docstrings of trained decoders. Their examples are run by tests/python.
#pragma once

namespace heed::python::texts {

inline constexpr const char* decoder =
    R"(A trained decoder, as the program's files hold it: filters, and how signals must be prepared for them.

The attribute ``decoder_`` of a fitted ``heed.LSDecoder`` or ``heed.CCADecoder``.

Attributes
----------
kind : str
    "ls" or "cca".
channels : list of str
lags : ndarray (lags,)
    Of the EEG behind the sound, in seconds.
eeg_filters : ndarray (pairs, lags, channels)
    One pair for least squares.
stimulus_filters : ndarray (pairs, stimulus lags, targets)
preprocessing : dict
    Keywords of ``heed.preprocess``.
targets : list of str
    What of a speaker's sound it was trained on: "envelope", "onset" or both.
score : str
    How windows are compared: "pearson", or "cosine" with ``score_shrinkage`` and ``score_memory`` (seconds; None: the
    whole trial).
window : float
    Length in seconds whose correlations the discriminant of CCA learnt.
can_score : bool
    Whether it tells speakers apart; False for a CCA that was fitted without unattended envelopes.
participants, runs, origin
    What it was trained on.

Examples
--------
>>> import heed, numpy as np
>>> random = np.random.default_rng(1)
>>> speech = random.standard_normal((1280, 2))
>>> eeg = speech[:, [0]] + random.standard_normal((1280, 4))
>>> decoder = heed.LSDecoder(longest_lag=0.0).fit(eeg, speech[:, 0]).decoder_
>>> decoder.kind, decoder.eeg_filters.shape
('ls', (1, 1, 4))
>>> heed.Decoder.from_json(decoder.to_json()).channels == decoder.channels
True
)";

inline constexpr const char* decoder_load = "load(path)\n\nReads a decoder file, of ``heed train`` or of :meth:`save`.";
inline constexpr const char* decoder_from_json = "from_json(text)\n\nThe decoder a file's text holds.";
inline constexpr const char* decoder_save =
    "save(path)\n\nWrites a decoder file that ``heed score --model`` reads; whole or not at all.";
inline constexpr const char* decoder_to_json =
    "to_json()\n\nThe text of the decoder's file; every number reads back exactly.";

}  // namespace heed::python::texts
