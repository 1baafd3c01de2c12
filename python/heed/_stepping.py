# SPDX-License-Identifier: MIT
"""Estimators that follow a trial window by window, as it happens."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._emission_parameters import both_columns

if TYPE_CHECKING:
    from typing import Self

    from numpy import float64
    from numpy.typing import NDArray

    from .attention_hmm import AttentionHMM


class Stepping(BaseEstimator):  # type: ignore[misc]  # scikit-learn tells no types
    """What ``AttentionHMM`` can do live, once ``fit`` has left the following."""

    method: str
    lag: float
    fit_by: str
    model_: _native.Model
    n_features_in_: int
    _one_column: bool  # of two speakers, the second alone
    _chain: dict[str, Any]  # as the trackers take it
    _stream: _native.AttentionStream | None  # None: the next step begins a trial
    _before: _native.AttentionStream | None = None  # of the trial before: it knows how often the listener switches

    def step(self, x: Any) -> NDArray[float64] | None:
        """The next window, live: its scores in, P(attending j) out, in microseconds.

        Beliefs are causal, equal to those of ``heed.filter`` to the bit, whatever the method; with ``"fixed-lag"`` they
        are those of the window ``lag`` seconds ago: None until there is one, and ``finish`` returns the last ones.

        Parameters
        ----------
        x : array (speakers,)
            With a NaN anywhere, the window is missing: attention may have moved, nothing was learnt.

        Returns
        -------
        ndarray (speakers,), or None

        Examples
        --------
        >>> import heed
        >>> hmm = heed.AttentionHMM(0.01, emission=heed.GaussianEmission(0.3, 0.0, 0.2)).fit([[0, 0]])
        >>> hmm.step([0.4, 0.1]).round(2), hmm.decision_
        (array([0.92, 0.08]), 0)
        """
        return self._running().step(self._both(np.reshape(x, 1)) if self._one_column else x)

    def finish(self) -> NDArray[float64]:
        """Ends the trial of ``step``: the beliefs not yet returned by ``"fixed-lag"``, (windows, speakers).

        Examples
        --------
        >>> import heed
        >>> hmm = heed.AttentionHMM(0.01, emission=heed.GaussianEmission(0.3, 0.0, 0.2), method="fixed-lag", lag=1)
        >>> hmm.fit([[0, 0]]).step([0.4, 0.1])
        >>> hmm.finish().round(2)
        array([[0.92, 0.08]])
        """
        return self._running().finish()

    def reset(self) -> Self:
        """The next ``step`` is the first window of a new trial, with the parameters as they are now.

        With ``switch_probability="auto"`` it is the same listener's: what was learnt of the switching stays.

        Examples
        --------
        >>> import heed
        >>> hmm = heed.AttentionHMM(emission=heed.GaussianEmission(0.3, 0.0, 0.2)).fit([[0, 0]])
        >>> bool(hmm.step([0.4, 0.1])[0] == hmm.reset().step([0.4, 0.1])[0])
        True
        """
        check_is_fitted(self)
        self._before = self._stream or self._before
        self._stream = None
        return self

    @property
    def belief_(self) -> NDArray[float64] | None:
        """What the last ``step`` returned."""
        return self._running().belief

    @property
    def decision_(self) -> int | None:
        """The column decided for after the last ``step``, an index whatever the labels were; a tie keeps the previous one."""
        return self._running().decision

    @property
    def switching_(self) -> dict[str, Any] | None:
        """With ``switch_probability="auto"``: how often the listener of ``step`` switches, as ``switch_posterior``."""
        return self._running().switching

    def _running(self) -> _native.AttentionStream:
        check_is_fitted(self)
        if self._stream is None:
            lag = self.lag if self.method == "fixed-lag" else 0.0
            adaptive = self.fit_by == "adaptive"
            columns = 2 if self._one_column else self.n_features_in_
            self._stream = _native.AttentionStream(self.model_, columns, lag=lag, adaptive=adaptive, **self._chain)
            if self._before is not None:
                self._stream.learn_from(self._before)
        return self._stream

    def _both(self, values: Any) -> Any:
        """The columns the engine takes."""
        return both_columns(cast("AttentionHMM", self), values) if self._one_column else values

    def __getstate__(self) -> dict[str, Any]:
        """Pickles and copies hold the model, not the trial that is being streamed."""
        state = dict(super().__getstate__())
        if "_stream" in state:
            state["_stream"] = None
        state.pop("_before", None)
        return state
