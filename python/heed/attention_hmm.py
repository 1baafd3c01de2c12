# SPDX-License-Identifier: MIT
"""The hidden Markov model of attention in scikit-learn's conventions: fit it, predict with it, or step it live."""
from __future__ import annotations

import os
import warnings
from typing import Any, Literal, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _native
from ._emission_parameters import as_column, fit_keywords, given_states, hop_of, least_columns, takes_one_column, window_of
from ._native import Model, Participant
from ._tracking import Tracking
from ._windows import Table, are_names, attended_columns, participants_of, table_of, taken_apart, trials_in, two_names


class AttentionHMM(Tracking):
    """Who is attended, from the scores of windows: a decoder's output in, a trajectory of attention out.

    Attention moves rarely and each window says little, so the model combines them. Learn what a score means from
    labelled windows (``y``), or from the scores alone; then predict, or feed windows one by one to ``step``.

    It deliberately does not present itself to scikit-learn as a classifier: windows are a sequence, and ``KFold`` must
    split them into blocks of time, as it does for anything that is not a classifier.

    Parameters
    ----------
    switch_probability : float or "auto", optional
        Probability of moving to each other speaker, per window (with N speakers attention leaves with N - 1 times as
        much); by default 0.001 times the hop in seconds. Higher values follow switches sooner and fluctuate more.
        ``"auto"``: seven values from 0.0001 to 0.1 per second are weighed by how well they predict the windows;
        ``switch_posterior`` tells what was found. The trials of a call are then one listener's, in order.
    emission : str, emission or Model
        What a score says. ``"auto"``: ``"fisher-gaussian"`` if all scores lie between -1 and 1 (correlations), else
        ``"gaussian"`` (log-odds of LDA or CCA). Or ``"softmax"`` (logits), ``"probability"`` (of a classifier),
        ``"hard-decision"``, ``"log-likelihood"``, ``"mixture"`` (features of any kind). An emission such as
        ``heed.GaussianEmission(0.124, 0.037, 0.303)`` or a ``heed.Model`` is taken as it is.
    method : {"causal", "smooth", "viterbi", "fixed-lag"}
        What predictions use: the windows so far, as at every door of heed; all windows; all for the best path; or
        those up to ``lag`` later. It may be changed after ``fit``.
    lag : float
        For ``"fixed-lag"``, in seconds, rounded up to whole windows.
    window : float, optional
        Length of a window in seconds; by default that of the given model, else 1.
    hop : float, optional
        Seconds from one window to the next, where windows overlap; by default that of the given model, else the
        window's length.
    fit_by : {"auto", "labels", "baum-welch", "memoryless", "adaptive"}
        ``"auto"`` fits to labels if there are any, else by Baum-Welch, which needs none. ``"memoryless"`` takes each
        window on its own (two speakers). The latter two ignore ``y``; predictions for the very scores they were fitted
        to are transductive, since the fit has seen their future. ``"adaptive"`` fits to labels, of other listeners,
        and then follows the listener it predicts for, without labels and causally: each window is judged by those
        before it.
    spread : {"auto", "shared", "separate", "exchangeable"}
        For Gaussians: one sigma; one each for attended and unattended; one and a correlation between speakers.
        ``"auto"`` is shared, or exchangeable where the columns are one score told several times, as s and -s are.
    class_priors : array (speakers,), optional
        For ``"softmax"`` and ``"probability"``: how often each class was attended in the classifier's training data.
    accuracy : float, optional
        For ``"hard-decision"``: how often the largest score is right.
    states : list of str, optional
        For ``"mixture"``: names of the states; the columns are then features, in any number.
    components, covariance, mixture_seed : int, {"full", "diagonal"}, int
        For ``"mixture"``: Gaussians per state, their covariance, and the seed for the start of the fit.
    fit_switch_probability : bool
        With Baum-Welch: learn the switch probability too.
    calibrate : bool
        Find, on the labels, the temperature at which causal posteriors predict attention best.
    evidence : {"auto", "as-is", "scaled"}
        Whether log-likelihoods are multiplied by ``evidence_scale_``; ``"auto"``: if it is below 0.8 or above 1.25.
    dependence : {"none", "ar1", "offset", "auto"}, optional
        How scores repeat each other from window to window, as those of spatial filters do: not at all (the default,
        unless the given model says otherwise), by noise that goes on, or by that and a bias of each trial (two
        speakers, six labelled trials or more). ``"auto"`` decides by their correlations, and ``notes_`` says why.
    transition : array (speakers, speakers), optional
        A whole Markov chain instead of one probability, row = from.
    initial : array (speakers,), optional
        Distribution in the first window; uniform by default.
    expected_seconds_between_switches : float, optional
        How long attention stays with a speaker, on average: instead of ``switch_probability``, which is then
        ``hop / (N - 1)`` divided by it, for N speakers.

    Attributes
    ----------
    model_ : heed.Model
        What turns scores into log-likelihoods.
    switch_probability_ : float or None
        The one in use; None for a whole chain, or if it is unknown.
    transition_, initial_ : ndarray (speakers, speakers), (speakers,)
        The Markov chain in use; ``transition_`` is None if the switch probability is unknown.
    switching_ : dict or None
        With ``switch_probability="auto"``: how often the listener of ``step`` switches, as far as was heard.
    history_ : ndarray (iterations,)
        With Baum-Welch: the log-evidence, which never decreases; empty for other fits.
    converged_ : bool
    evidence_scale_, evidence_ : float or None, str
        Measured on the labels, and the same in words: 1 where scores mean what they say, 0.5 where their evidence counts
        twice; None and empty without labels.
    dependence_ : {"none", "ar1", "offset"}
        The one in use; ``model_.autocorrelation`` and ``model_.offset_sigma`` are its parameters.
    notes_ : list of str
        What was chosen for you and why, and what deserves a second look; the latter is a warning, too.
    classes_ : ndarray (speakers,)
        What the columns of ``predict_proba`` stand for, as scikit-learn's scorers (``neg_log_loss``, ``roc_auc``) want
        to know: 0, 1 and so on, or, if labels are names, the names in alphabetical order.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, if ``X`` was a data frame.

    Examples
    --------
    >>> import heed
    >>> me, *others = heed.simulate_scores(participants=4, trials=1, accuracy=0.7, seed=1)
    >>> hmm = heed.AttentionHMM().fit(others)
    >>> X, y = me.trials[0].scores, me.trials[0].attended
    >>> hmm.predict_proba(X).shape
    (600, 2)
    >>> hmm.score(X, y) > 0.9
    True
    """

    def __init__(
        self,
        switch_probability: float | Literal["auto"] | None = None,
        *,
        emission: Any = "auto",
        method: str = "causal",
        lag: float = 5.0,
        window: float | None = None,
        fit_by: str = "auto",
        spread: str = "auto",
        class_priors: Any = None,
        accuracy: float | None = None,
        states: Sequence[str] | None = None,
        components: int = 2,
        covariance: str = "full",
        mixture_seed: int = 1,
        fit_switch_probability: bool = False,
        calibrate: bool = False,
        transition: Any = None,
        initial: Any = None,
        hop: float | None = None,
        evidence: str = "auto",
        dependence: str | None = None,
        expected_seconds_between_switches: float | None = None,
    ) -> None:
        self.switch_probability = switch_probability
        self.emission = emission
        self.method = method
        self.lag = lag
        self.window = window
        self.fit_by = fit_by
        self.spread = spread
        self.class_priors = class_priors
        self.accuracy = accuracy
        self.states = states
        self.components = components
        self.covariance = covariance
        self.mixture_seed = mixture_seed
        self.fit_switch_probability = fit_switch_probability
        self.calibrate = calibrate
        self.transition = transition
        self.initial = initial
        self.hop = hop
        self.evidence = evidence
        self.dependence = dependence
        self.expected_seconds_between_switches = expected_seconds_between_switches

    def fit(self, X: Any, y: Any = None, lengths: Any = None, groups: Any = None) -> AttentionHMM:
        """Learns what scores mean.

        Parameters
        ----------
        X : array or frame (windows, speakers), array (trials, windows, speakers), list of arrays or frames, or of
            heed.Participant, mne Raw or Epochs
            Scores; a row with NaN is a missing window. A list may hold trials of different lengths. Participants bring
            labels and trials of their own. MNE's objects hold scores as channels of type misc, one sample per window.
            With ``"softmax"`` and ``"probability"``, one column (or dimension) is that of the second of two speakers.
        y : array (windows,), or (trials, windows) or (trials,) of a block, or list of arrays, optional
            The attended column of each window, counted from 0, or its name if ``X`` is a data frame; -1, NaN and None
            are unknown. If labels are names, ``predict`` returns names.
        lengths : array of int, optional
            Number of rows of each trial, where several are stacked.
        groups : array (windows,), or (trials,) of a block, optional
            The participant of each window. Participants' means are averaged, so that each has the same weight; without
            lengths, a trial ends where the participant changes.

        Returns
        -------
        self

        Examples
        --------
        >>> import heed, numpy as np
        >>> rng = np.random.default_rng(0)
        >>> attended = np.repeat([0, 1, 0], 200)
        >>> scores = 0.3 * rng.standard_normal((600, 2)) + 0.2 * np.eye(2)[attended]
        >>> heed.AttentionHMM(0.01, emission="gaussian").fit(scores, attended).score(scores, attended) > 0.9
        True
        """
        self._require_known_method()
        participants = taken_apart(X, y, lengths, groups)
        if participants is None:
            table = table_of(X, lengths)
            if table.window is not None and table.hop is not None:
                self._require_window(table.window, table.hop)
            y, groups = table.per_window(y, "y"), table.per_window(groups, "groups")
            table = table._replace(scores=self._know_scores(table.scores, y))
            participants = self._participants(table, y, groups)
        else:
            self._know_columns(participants[0])
        self._named = y is not None and are_names(y) and bool(self._state_names())
        self._take(_native.fit_model(participants, fit_keywords(self)), participants[0])
        return self

    def predict_proba(self, X: Any, lengths: Any = None) -> Any:
        """P(attending j) in each window, by the chosen method; rows sum to one. With ``"viterbi"`` it is 0 or 1.

        The columns are those of ``classes_``: in the order of X's columns, or of the alphabet if labels are names.

        Parameters
        ----------
        X : as in ``fit``
            If participants' windows differ in length from those of the fit, a warning says so, and the default switch
            probability follows theirs, as in the program.
        lengths : array of int, optional
            Number of rows of each trial, where several are stacked. The chain starts anew with each.

        Returns
        -------
        ndarray (windows, speakers), or (trials, windows, speakers); a list of arrays if trials differ in length

        Examples
        --------
        >>> import heed
        >>> hmm = heed.AttentionHMM(0.01, emission="probability", method="causal").fit([[0.5, 0.5]])
        >>> hmm.predict_proba([[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]]).round(2)
        array([[0.6 , 0.4 ],
               [0.78, 0.22],
               [0.46, 0.54]])
        """
        table = self._table(X, lengths)
        tracked = self._track(table)
        if self.method == "viterbi":
            tracked = np.eye(len(self.initial_))[tracked]
        return table.as_given(tracked[:, np.argsort(self._state_names())] if self._named else tracked)

    def predict(self, X: Any, lengths: Any = None) -> Any:
        """The attended column of each window, counted from 0: the most probable; a tie keeps the previous decision.

        Parameters
        ----------
        X : as in ``fit``
        lengths : array of int, optional
            Number of rows of each trial, where several are stacked.

        Returns
        -------
        ndarray of int32 (windows,) or (trials, windows); of str, the names of columns, if ``fit`` was given names.
        A list of such arrays if trials differ in length.

        Examples
        --------
        >>> import heed
        >>> hmm = heed.AttentionHMM(0.1, emission="probability").fit([[0.5, 0.5]])
        >>> hmm.predict([[0.9, 0.1], [0.4, 0.6], [0.9, 0.1]])
        array([0, 0, 0], dtype=int32)
        """
        table = self._table(X, lengths)
        decisions = self._decisions(table)
        return table.as_given(np.array(self._state_names())[decisions] if self._named else decisions)

    def score(self, X: Any, y: Any = None, lengths: Any = None) -> float:
        """The proportion of labelled windows that are decided correctly, 0 to 1.

        Parameters
        ----------
        X : as in ``fit``; participants need labels
        y : array (windows,) or (trials, windows), or list of arrays
            As in ``fit``; windows whose label is unknown do not count.
        lengths : array of int, optional

        Returns
        -------
        float

        Examples
        --------
        >>> import heed
        >>> hmm = heed.AttentionHMM(0.1, emission="probability").fit([[0.5, 0.5]])
        >>> hmm.score([[0.9, 0.1], [0.4, 0.6], [0.9, 0.1]], [0, 1, -1])
        0.5
        """
        table = self._table(X, lengths)
        predicted, y = self._decisions(table), table.attended if y is None else table.per_window(y, "y")
        check_consistent_length(predicted, y)
        labels = attended_columns(y, self._state_names(), len(self.initial_))
        known = labels >= 0
        if not known.any():
            raise ValueError("y: no window has a label, so there is no score")
        return float(np.mean(predicted[known] == labels[known]))

    def log_evidence(self, X: Any, lengths: Any = None) -> float:
        """Log-probability of all windows: the higher, the better the fit, among emissions of the same family.

        Examples
        --------
        >>> import heed, numpy as np
        >>> scores = np.repeat([[0.3, 0.0], [0.0, 0.3]], 50, axis=0)
        >>> slow = heed.AttentionHMM(0.01, emission=heed.GaussianEmission(0.3, 0, 0.3)).fit(scores)
        >>> fast = heed.AttentionHMM(0.4, emission=heed.GaussianEmission(0.3, 0, 0.3)).fit(scores)
        >>> slow.log_evidence(scores) > fast.log_evidence(scores)
        True
        """
        table = self._table(X, lengths)
        total = 0.0
        for one in self._listeners(table):
            keywords = {"lengths": one.lengths, "return_log_evidence": True, **self._chain_of(one)}
            total += float(np.sum(_native.filter(one.scores, emission=self.model_, **keywords)[1]))
        return total

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file, which ``heed track --model`` and ``load`` read. The chain is not in it.

        Parameters
        ----------
        path : path

        Examples
        --------
        >>> import heed
        >>> heed.AttentionHMM().fit(heed.simulate_scores(participants=4)).save("model.json")
        >>> heed.AttentionHMM.load("model.json").predict([[0.3, 0.1]])
        array([0], dtype=int32)
        """
        check_is_fitted(self)
        self.model_.save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, speakers: int = 2, **parameters: Any) -> AttentionHMM:
        """A fitted estimator from a model file, written by ``save`` or by ``heed track --save-model``.

        Parameters
        ----------
        path : path
        speakers : int
            Number of columns that scores will have; a mixture knows its own.
        **parameters
            Of the estimator, e.g. ``switch_probability``.

        Examples
        --------
        >>> import heed, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "model.json")
        >>> heed.AttentionHMM(emission=heed.GaussianEmission(0.124, 0.037, 0.303)).fit([[0, 0]]).save(path)
        >>> heed.AttentionHMM.load(path, method="causal").model_.emission
        <heed: fisher-gaussian, shared sigma: mu 0.124 / 0.037, sigma 0.303>
        """
        model = Model.load(path)
        features = getattr(model.emission, "features", None)
        columns = len(features) if features else speakers
        loaded = cls(emission=model, **parameters).fit(np.full((1, columns), np.nan))
        if features:
            loaded.feature_names_in_ = np.asarray(features, dtype=object)
        return loaded

    def _column_names(self) -> list[str]:
        return [str(name) for name in getattr(self, "feature_names_in_", ())]

    def _state_names(self) -> list[str]:
        return given_states(self) or self._names or ([] if self._one_column else self._column_names())

    def _know_scores(self, scores: Any, y: Any) -> NDArray[Any]:
        """Scores as the engine takes them, and what their columns are called."""
        if takes_one_column(self):
            scores = as_column(scores)
        checked = self._validate_data(
            scores, dtype=np.float64, force_all_finite=False, ensure_min_features=least_columns(self)
        )
        self._one_column = checked.shape[1] == 1 and not given_states(self)
        self._names = []
        if self._one_column and y is not None and are_names(y):
            self._names = two_names(y)
        both: NDArray[Any] = self._both(checked)
        return both

    def _participants(self, table: Table, y: Any, groups: Any) -> list[Participant]:
        X, lengths = table.scores, table.lengths
        check_consistent_length(X, y, groups)
        columns = self._names or self._column_names()
        if len(columns) != X.shape[1]:
            columns = [f"column-{k + 1}" for k in range(X.shape[1])]
        states = given_states(self)
        unseen = y is None or self.fit_by in ("baum-welch", "memoryless")
        labels = None if unseen else attended_columns(y, self._state_names(), len(states or columns))
        within = np.nanmax(np.abs(X), initial=0) <= 1
        return participants_of(
            trials_in(X, labels, lengths, groups),
            window=table.window or window_of(self),
            hop=table.hop or hop_of(self),
            speakers=states or columns,
            features=columns if states else None,
            score_type="correlation" if within else "log-odds",
        )

    def _know_columns(self, participant: Participant) -> None:
        """What a validation of arrays would have found."""
        self._require_window(participant.window, participant.hop)
        self.__dict__.pop("feature_names_in_", None)
        self.n_features_in_ = len(participant.features or participant.speakers)
        self._names = list(participant.speakers)
        self._one_column = False

    def _take(self, fitted: dict[str, Any], participant: Participant) -> None:
        self.model_ = fitted["model"]
        self.switch_probability_ = fitted["switch_probability"]
        self.transition_ = fitted["transition"]
        self.initial_ = fitted["initial"]
        self.history_ = fitted["history"]
        self.converged_ = fitted["converged"]
        self.evidence_scale_, self.evidence_ = fitted["evidence_scale"], fitted["evidence"]
        self.dependence_ = fitted["dependence"]
        self.notes_ = fitted["notes"]
        self.classes_ = (
            np.sort(self._state_names()) if self._named else np.arange(len(self.initial_), dtype=np.int32)
        )
        unknown = isinstance(self.switch_probability, str)
        whole = self.switch_probability_ is None and not unknown
        # As they were given, so that predictions are those of heed.filter and the like to the bit.
        self._chain = {
            "switch_probability": "auto" if unknown else self.switch_probability_,
            "transition": np.array(self.transition, dtype=float) if whole else None,
            "initial": None if self.initial is None else np.array(self.initial, dtype=float),
            "window": participant.hop,
        }
        self._stream = self._before = None
        for warning in fitted["warnings"]:
            warnings.warn(warning, stacklevel=3)
        self._note_window(participant.window, participant.hop)

    def _more_tags(self) -> dict[str, Any]:
        """NaN is a missing window. Which of scikit-learn's checks make no sense here, and why."""
        sequence = "windows are a sequence: what is known of one depends on its neighbours"
        skipped = {"check_methods_sample_order_invariance": sequence, "check_methods_subset_invariance": sequence}
        if self.fit_by in ("auto", "labels"):
            label = "labels are columns of X: the check has a third label for two columns, which is refused"
            skipped |= {"check_estimators_fit_returns_self": label, "check_estimators_overwrite_params": label}
        return {"allow_nan": True, "_xfail_checks": skipped}
