// SPDX-License-Identifier: MIT
// Docstrings of trials, listeners and folders. Their examples are run by tests/python.
#pragma once

namespace heed::python::texts {

inline constexpr const char* trial =
    R"(Trial(eeg, stimuli, attended=None, *, sampling_frequency=64.0, channels=None, speakers=None, name='', onset=0.0, target='onset')

EEG and what each speaker said, band-passed, on one clock: what decoders take.

Parameters
----------
eeg : array (samples, channels)
    As ``heed.preprocess`` gives it, scaled as you like. A row with NaN was not recorded.
stimuli : array (samples, speakers), or (samples, speakers, 2) of ``target="both"``
    Onsets or envelopes, prepared alike.
attended : int, array of int (samples,) or None
    The attended speaker's column, of all samples or of each; -1 is unknown.
sampling_frequency : float
    Of all of them, in Hz.
channels, speakers : list of str, optional
    Names; by default "1", "2" ...
name : str
onset : float
    Of the first sample on the recording's clock, in seconds.
target : {"onset", "envelope", "both"}
    What of the sound ``stimuli`` holds.

Attributes
----------
eeg : ndarray (samples, channels), read-only; 0 where it is missing
stimuli : ndarray (samples, speakers), or (samples, speakers, targets) where several targets were prepared
attended : ndarray of int32 (samples,), -1 where it is not known
missing : ndarray of bool (samples,), where the EEG was not recorded

Examples
--------
>>> import heed, numpy as np
>>> trial = heed.Trial(np.random.randn(640, 3), np.random.randn(640, 2), attended=0, channels=["Fz", "Cz", "Pz"])
>>> trial
<heed.Trial 10 s at 64 Hz, 3 channels, 2 speakers>
>>> trial.attended[:3]
array([0, 0, 0], dtype=int32)
)";

inline constexpr const char* listener = R"(Listener(id, trials, *, preprocessing=None)

A participant with the trials that were prepared: of ``heed.read_bids``, or of your own arrays.

Parameters
----------
id : str
trials : list of Trial
    The same channels, speakers and sampling frequency in each.
preprocessing : dict, optional
    How signals were prepared, keywords of ``heed.preprocess``. Decoders keep it in their files; of ``filters`` it says
    whether signals are scaled already (zero-phase) or by the decoder (causal).

Attributes
----------
notes : list of str
    What you should know, e.g. channels left out and why.
runs : list of str
    The run of each trial.

Examples
--------
>>> import heed, numpy as np
>>> trials = [heed.Trial(np.random.randn(640, 3), np.random.randn(640, 2), attended=k % 2) for k in range(4)]
>>> heed.Listener("01", trials)
<heed.Listener 01: 4 trials>
)";

inline constexpr const char* bids_folder =
    R"(The listeners of a BIDS folder, each read and prepared when it is asked for.

Made by ``heed.read_bids``. Iterate over it, ask for its length, or take a listener by its place or its label:
``folder[0]``, ``folder["03"]``, several as ``folder[:3]``. Several threads may do so at once; the GIL is released meanwhile.

Attributes
----------
participants : list of str
    Labels, without ``sub-``.
root : str

Examples
--------
>>> import heed, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     study = heed.simulate_recording(folder=folder + "/study", participants=2, trials=2, minutes=1, channels=19)
...     listeners = heed.read_bids(study, cache=False)
...     print(listeners.participants, listeners["02"])
['01', '02'] <heed.Listener 02: 2 trials>
)";

inline constexpr const char* population =
    R"(Population(listeners, *, window=1.0, **options)

What listeners have in common, for another to learn from: statistics and digests, no samples. Of least squares with one
target, also how a decoder that learns while it listens and starts from the others fares on each of them.

Parameters
----------
listeners : BidsFolder, or list of Listener
    Two with labels at least; it pays from about eight on.
window : float
    Length in seconds of the scores whose spread is kept.
**options
    Of the decoder, as ``heed.cross_validate`` takes them; what is not said is the recipe's the listeners were read by.

Attributes
----------
listeners : list of str
preprocessing : dict
    Keywords of ``heed.preprocess``.
origin : str

Examples
--------
>>> import heed, numpy as np
>>> random = np.random.default_rng(1)
>>> def listener(name):
...     speech = random.standard_normal((4, 1280, 2))
...     return heed.Listener(name, [heed.Trial(s[:, :1] + random.standard_normal((1280, 4)), s, 0) for s in speech])
>>> others = [listener(f"{k:02}") for k in range(1, 7)]
>>> population = heed.Population(others)
>>> len(population), population.listeners[:2]
(6, ['01', '02'])
>>> heed.cross_validate(listener("07"), others=population)
<heed.Participant 07: 4 trials, 80 windows of 1 s, speakers 1, 2>
)";

inline constexpr const char* population_load = "load(path)\n\nReads a file of ``heed population`` or of :meth:`save`.";
inline constexpr const char* population_save =
    "save(path)\n\nWrites a file that ``heed score --population`` reads; whole or not at all.";

}  // namespace heed::python::texts
