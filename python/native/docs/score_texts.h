// SPDX-License-Identifier: MIT
// Docstrings of scores and their files. Their examples are run by tests/python.
#pragma once

namespace heed::python::texts {

inline constexpr const char* scored_trial =
    R"(ScoredTrial(scores, attended=None, *, name='', onset=0.0, window=1.0, hop=None)

What a decoder said of one trial, window by window: a stretch of time without a break.

Parameters
----------
scores : array (windows, speakers)
    Correlations, log-odds ... A row with NaN is a missing window.
attended : array of int (windows,), optional
    Column of the speaker attended to, counted from 0; -1 or NaN where it is not known.
name : str
    Of the trial, within its participant.
onset : float
    When the first window begins, in seconds on the clock of the recording.
window : float
    Length of a window in seconds.
hop : float, optional
    Seconds from one window to the next, where windows overlap; by default the window's length.

Attributes
----------
scores : ndarray (windows, speakers), read-only
attended : ndarray of int32 (windows,), read-only; -1 is unknown
name, onset, window, hop : as given

Examples
--------
>>> import heed
>>> trial = heed.ScoredTrial([[0.2, 0.1], [0.3, -0.1], [0.0, 0.2]], attended=[0, 0, 1])
>>> trial.scores.shape, trial.attended
((3, 2), array([0, 0, 1], dtype=int32))
)";

inline constexpr const char* participant =
    R"(Participant(id, trials, *, speakers=None, score_type='correlation', features=None, origin=None)

A listener and its trials of scores: what score files hold, and what ``heed.compare`` compares.

Parameters
----------
id : str
    Of the listener, "01" of sub-01.
trials : sequence of ScoredTrial
    Of one window length. Where there are several, those without a name are numbered.
speakers : sequence of str, optional
    Names of the columns; speaker-1, speaker-2 ... by default.
score_type : {'correlation', 'log-odds'}
    Which emission fits the scores: Gaussian after atanh, or as they are.
features : sequence of str, optional
    The columns are features of a window instead, of these names; then ``speakers`` names the states, which
    ``attended`` counts.
origin : dict, optional
    How the scores were made, in words: Decoder, Preprocessing, Recipe and Population, as ``write_scores`` puts them
    into the sidecar. ``heed.cross_validate`` fills it in; files that are read leave it empty.

Attributes
----------
id, speakers, score_type, features, origin : as given
trials : tuple of ScoredTrial
window, hop : float, length of a window and time from one to the next, in seconds

Examples
--------
>>> import heed
>>> trial = heed.ScoredTrial([[0.2, 0.1], [0.3, -0.1], [0.0, 0.2]], attended=[0, 0, 1])
>>> heed.Participant("01", [trial], speakers=["left", "right"])
<heed.Participant 01: 1 trial, 3 windows of 1 s, speakers left, right>
)";

inline constexpr const char* read_scores = R"(read_scores(paths, *, states=None, probabilities=False)
--

Reads score files (``*_scores.tsv`` and their sidecars), of one participant or many.

Parameters
----------
paths : path, or sequence of paths
    Files, or folders searched for ``*_scores.tsv``. Files with the same ``sub-`` are one participant.
states : sequence of str, optional
    The files hold features, and ``attended`` names one of these states.
probabilities : bool
    The scores may be probabilities of a classifier. Otherwise a table that looks like posteriors is refused.

Returns
-------
list of Participant : by id. What is doubtful about the files is told by a UserWarning.

Examples
--------
>>> import heed, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     heed.write_scores(folder + "/sub-01_scores.tsv", heed.simulate_scores(participants=1)[0])
...     heed.read_scores(folder)
[<heed.Participant 01: 4 trials, 2400 windows of 1 s, speakers left, right>]
)";

inline constexpr const char* write_scores = R"(write_scores(path, participant, *, digits=6)
--

Writes a score file and its sidecar, which the program and ``read_scores`` read; both whole, or neither.

Parameters
----------
path : path
    Ends in ``_scores.tsv``; the sidecar has the ending ``.json``.
participant : Participant
digits : int
    Significant digits of scores, 1 to 17. 17 reads back exactly.

Examples
--------
>>> import heed, tempfile
>>> listener = heed.simulate_scores(participants=1, seed=7)[0]
>>> with tempfile.TemporaryDirectory() as folder:
...     heed.write_scores(folder + "/sub-01_scores.tsv", listener, digits=17)
...     heed.read_scores(folder)[0] == listener
True
)";

}  // namespace heed::python::texts
