# SPDX-License-Identifier: MIT
"""What AttentionHMM makes of windows once it is fitted, by the engine's trackers."""
from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._emission_parameters import as_column
from ._stepping import Stepping
from ._windows import Table, table_of

TRACKERS: dict[str, Any] = {
    "smooth": _native.smooth,
    "causal": _native.filter,
    "viterbi": _native.viterbi,
    "fixed-lag": _native.fixed_lag,
}


class Tracking(Stepping):
    """Posteriors and decisions of whole trials, with what ``fit`` has left and the following."""

    window: float | None
    hop: float | None
    switch_probability: float | Literal["auto"] | None
    expected_seconds_between_switches: float | None
    fit_switch_probability: bool
    fit_by: str

    def _require_known_method(self) -> None:
        if self.method not in TRACKERS:
            raise ValueError(f"method: no {self.method!r}; there are {', '.join(TRACKERS)}")

    def _require_window(self, window: float, hop: float) -> None:
        if self.window not in (None, window):
            theirs = f"the participants' windows are {window:g} s"
            raise ValueError(f"window: is {self.window:g} s, but {theirs}")
        if self.hop not in (None, hop):
            raise ValueError(f"hop: is {self.hop:g} s, but the participants' windows begin every {hop:g} s")

    def _table(self, X: Any, lengths: Any) -> Table:
        """As ``fit`` has seen them: checked, trials below each other."""
        check_is_fitted(self)
        table = table_of(X, lengths)
        if table.window is not None and table.hop is not None:
            self._require_window(table.window, table.hop)
            self._note_window(table.window, table.hop)
        if table.trials:
            self._check_n_features(table.scores, reset=False)
            return table
        scores = as_column(table.scores) if self._one_column else table.scores
        scores = self._validate_data(scores, reset=False, dtype=np.float64, force_all_finite=False)
        return table._replace(scores=self._both(scores))

    def _note_window(self, window: float, hop: float) -> None:
        model = self.model_
        if (window, hop) != (model.window, model.hop):
            before = f" every {model.hop:g} s" if model.hop != model.window else ""
            now = f", one every {hop:g} s" if hop != window else ""
            note = f"the model was fitted to windows of {model.window:g} s{before}, these are {window:g} s long{now}"
            warnings.warn(note, stacklevel=4)

    def _chain_of(self, table: Table) -> dict[str, Any]:
        """A switch probability nobody chose follows the windows' hop, as the program has it."""
        if table.hop in (None, self._chain["window"]):
            return self._chain
        chosen = self.switch_probability is not None or self.fit_switch_probability
        kept = self._chain["switch_probability"] if chosen else None
        if self.expected_seconds_between_switches is not None:
            kept = self._chain["switch_probability"] * table.hop / self._chain["window"]
        return {**self._chain, "window": table.hop, "switch_probability": kept}

    def _track(self, table: Table) -> NDArray[Any]:
        """Posteriors; of Viterbi the path."""
        self._require_known_method()
        listeners = self._listeners(table)
        if len(listeners) > 1:
            return np.concatenate([self._track(one) for one in listeners])
        keywords = {"lengths": table.lengths, **self._chain_of(table)}
        scores, emission = self._evidence(table, keywords)
        if self.method == "fixed-lag":
            keywords["lag"] = self.lag
        tracked: NDArray[Any] = TRACKERS[self.method](scores, emission=emission, **keywords)
        return tracked

    def _listeners(self, table: Table) -> list[Table]:
        """One by one where each switches as often as they do; all at once where that does not matter."""
        return table.by_listener() if isinstance(self.switch_probability, str) else [table]

    def _evidence(self, table: Table, keywords: dict[str, Any]) -> tuple[Any, _native.Model | None]:
        """Scores and what they mean; or log-likelihoods, which mean themselves."""
        if self.fit_by == "adaptive":
            return _native.adapted_log_likelihoods(table.scores, self.model_, **keywords), None
        return table.scores, self.model_

    def switch_posterior(self, X: Any, lengths: Any = None) -> dict[str, Any]:
        """How often does this listener switch? What the windows say, with ``switch_probability="auto"``.

        Parameters
        ----------
        X : array or frame (windows, speakers), array (trials, windows, speakers), or heed.Participant
            All of one listener.
        lengths : array of int, optional
            Number of rows of each trial, where several are stacked.

        Returns
        -------
        dict of ndarray, as ``heed.switch_posterior``

        Examples
        --------
        >>> import heed
        >>> me, *others = heed.simulate_scores(participants=4, trials=1, accuracy=0.75, switch_every=30, seed=1)
        >>> found = heed.AttentionHMM("auto").fit(others).switch_posterior(me)
        >>> int(found["interval"][found["posterior"].argmax()])
        31
        """
        table = self._table(X, lengths)
        if not isinstance(self.switch_probability, str):
            raise ValueError('switch_probability: it is given, so there is nothing to find out; make it "auto"')
        if len(self._listeners(table)) > 1:
            raise ValueError("X: several listeners, each of whom switches as often as they do; give one")
        keywords = {"lengths": table.lengths, **self._chain_of(table)}
        scores, emission = self._evidence(table, keywords)
        chosen = {key: keywords[key] for key in ("lengths", "initial", "window")}
        return _native.switch_posterior(scores, emission=emission, **chosen)

    def _decisions(self, table: Table) -> NDArray[Any]:
        """Columns, counted from 0."""
        tracked = self._track(table)
        return tracked if self.method == "viterbi" else _native.decide(tracked, lengths=table.lengths)
