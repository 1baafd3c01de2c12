# SPDX-License-Identifier: MIT
"""Comparisons of methods over a cohort, and the MESD: the numbers of `heed compare --json` and `heed mesd --json`."""
from __future__ import annotations

import html
import json
import os
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Dict, Literal, Union

from . import _native

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

    Emission = Union[
        _native.GaussianEmission,
        _native.HardDecisionEmission,
        _native.LogLikelihoodEmission,
        _native.MixtureEmission,
        _native.Model,
        _native.ProbabilityEmission,
        _native.SoftmaxEmission,
    ]
    Path = Union[str, "os.PathLike[str]"]
    ScoreSource = Union[Path, Sequence[Path], _native.Participant, Sequence[_native.Participant]]

HEADER = ("method", "accuracy %", "whole %", "switch time s", "missed", "p accuracy", "p switch time")


def _shown(value: float | None, decimals: int) -> str:
    return "n/a" if value is None else f"{value:.{decimals}f}"


def _with_spread(summary: dict[str, Any], scale: float = 1) -> str:
    mean, sd = (None if summary[key] is None else scale * summary[key] for key in ("mean", "sd"))
    return _shown(mean, 1) + ("" if mean is None or sd is None else f" ± {sd:.1f}")


def _row(method: dict[str, Any]) -> tuple[str, ...]:
    tests = (method["wilcoxon"][key] for key in ("accuracy_p", "switch_time_p"))
    switches = sum(participant["switches"] for participant in method["participants"])
    return (
        method["name"],
        _with_spread(method["accuracy"], 100),
        _with_spread(method["whole_accuracy"], 100),
        _with_spread(method["switch_time"]),
        f"{method['switch_time']['missed']:.4g}/{switches:.4g}",
        *("" if p is None else f"{p:.2g}" for p in tests),
    )


class Comparison(Dict[str, Any]):
    """Methods side by side over a cohort: a dict with the structure of ``heed compare --json``.

    ``print(comparison)`` shows the table; notebooks show it by themselves.

    Attributes
    ----------
    curves : dict of list of dict
        For each method with a switch probability, if ``compare`` was asked for a ``sweep``: mean and sd of
        accuracy and switch time (seconds) at each ``switch_probability``.
    notes : list of str
        What was chosen, left out or is doubtful, and why. What is left out or doubtful is a warning, too.

    Examples
    --------
    >>> import heed
    >>> comparison = heed.compare(heed.simulate_scores(participants=4, seed=1), methods=["raw", "smooth"])
    >>> [method["name"] for method in comparison["methods"]]
    ['raw', 'smooth']
    """

    def __init__(self, *values: Any, curves: dict[str, Any] | None = None, notes: Sequence[str] = (), **keys: Any):
        super().__init__(*values, **keys)
        self.curves = dict(curves or {})
        self.notes = list(notes)

    def to_frame(self) -> pandas.DataFrame:
        """A tidy table with one row per method and participant (pandas.DataFrame).

        Examples
        --------
        >>> import heed
        >>> frame = heed.compare(heed.simulate_scores(participants=4), methods=["raw", "smooth"]).to_frame()
        >>> frame.groupby("method", sort=False)["accuracy"].mean().round(2).to_dict()
        {'raw': 0.59, 'smooth': 0.97}
        """
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("a frame needs pandas, on Debian the package python3-pandas") from missing
        rows = [
            {"method": method["name"], **participant}
            for method in self["methods"]
            for participant in method["participants"]
        ]
        for row in rows:
            row |= row.pop("gains", {})
            before = row.pop("uncalibrated") or {"brier": None, "ece": None}
            row |= {f"uncalibrated_{key}": before[key] for key in ("brier", "ece")}
        frame = pandas.DataFrame(rows)
        measures = frame.columns.difference(["method", "id", "gain_states"])
        return frame.astype({name: float for name in measures}).astype({"gain_states": "Int64"})

    def _title(self) -> str:
        count = len(self["methods"][0]["participants"])
        unit = "trial" if "by_trial" in self else "participant"
        every = f" every {self['hop']:g} s" if "hop" in self else ""
        return (
            f"{'1 participant, ' if unit == 'trial' else ''}{count} {unit}{'' if count == 1 else 's'}, {self['speakers']} speakers, "
            f"windows of {self['window']:g} s{every}; chance {100 * self['chance']:.1f} %"
        )

    def _footer(self) -> str:
        draws = f"; averaged over {self['draws']} draws of the switches" if "draws" in self else ""
        unit = "trials" if "by_trial" in self else "participants"
        return f"mean ± SD over {unit}; p: Wilcoxon signed-rank against {self['methods'][0]['name']}{draws}"

    def __str__(self) -> str:
        rows = [HEADER, *map(_row, self["methods"])]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ("   ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows)
        return "\n".join([self._title(), "", *(line.rstrip() for line in lines), "", self._footer()])

    def __repr__(self) -> str:
        names = ", ".join(method["name"] for method in self["methods"])
        return f"<heed.Comparison of {names}: {len(self['methods'][0]['participants'])} participants>"

    def _repr_html_(self) -> str:
        def row(cells: Sequence[str], kind: str) -> str:
            sides = ("left", *("right" for _ in cells[1:]))
            shown = (f'<{kind} style="text-align:{side}">{html.escape(cell)}</{kind}>' for cell, side in zip(cells, sides))
            return f"<tr>{''.join(shown)}</tr>"

        body = "".join(row(_row(method), "td") for method in self["methods"])
        table = f"<table><thead>{row(HEADER, 'th')}</thead><tbody>{body}</tbody></table>"
        return f"<p>{html.escape(self._title())}</p>{table}<p>{html.escape(self._footer())}</p>"


def compare(
    scores: ScoreSource,
    *,
    methods: str | Sequence[str] | None = None,
    switch_probability: float | Literal["auto"] | None = None,
    switch_scaling: str = "linear",
    expected_seconds_between_switches: float | None = None,
    transition: npt.ArrayLike | None = None,
    initial: npt.ArrayLike | None = None,
    emission: str | Emission | None = None,
    spread: str | None = None,
    class_priors: npt.ArrayLike | None = None,
    accuracy: float | None = None,
    components: int | None = None,
    covariance: str | None = None,
    mixture_seed: int | None = None,
    states: Sequence[str] | None = None,
    fit: str | None = None,
    calibrate: bool = False,
    evidence: str | None = None,
    dependence: str | None = None,
    lag: float = 5.0,
    gain_states: int | None = None,
    gain_step: float | None = None,
    state_space_compatible: bool = False,
    switch_every: float | str | tuple[int, int] | None = None,
    trial: float | None = None,
    join: bool = False,
    repeats: int = 20,
    seed: int = 1,
    gain: str | None = None,
    gain_range: float = 12.0,
    gain_slew: float = 6.0,
    sweep: bool | npt.ArrayLike = False,
) -> Comparison:
    """The paper's comparison table for any scores: ``heed compare``.

    Every method tracks every participant, with an emission fitted to the others; mean and SD over participants,
    Wilcoxon's test against the first method. Keywords are the program's options.

    Parameters
    ----------
    scores : sequence of Participant, or path, or sequence of paths
        Participants, or score files and folders of them. Attention must be known.
    methods : sequence of str, optional
        raw, causal, smooth, viterbi, fixed-lag, markov-chain, probabilistic-gain, state-space; the others are tested
        against the first. By default all that the scores allow, causal first.
    switch_probability, expected_seconds_between_switches, switch_scaling, transition, initial
        The Markov chain, as in ``heed.AttentionHMM``, also ``"auto"``: ``comparison["switching"]`` then tells how often each
        participant switches; how the default probability grows with the window: 'linear' or
        'exact'.
    emission : str, emission or Model, optional
        Fitted if it is a name, e.g. 'fisher-gaussian', 'gaussian', 'mixture'; by default the type of the scores decides.
        An emission or a Model is used as it is.
    spread : {'shared', 'separate', 'exchangeable'}, optional
        For Gaussian emissions. By default 'shared', or 'exchangeable' where the columns are one score told several times.
    class_priors : array (speakers,), optional
        For 'softmax' and 'probability': how often each class was attended in the classifier's training data.
    accuracy : float, optional
        For 'hard-decision': how often the decoder is right.
    components, covariance, mixture_seed, states
        For mixtures: Gaussians per state, 'full' or 'diagonal', seed of the start; names of the states of feature files.
    fit : {'labels', 'baum-welch', 'memoryless', 'adaptive'}, optional
        What the emission is learnt from: the others' labels; each participant's own scores without labels, which is
        transductive, since their future is included; or, from the others' labels on, what was heard so far.
        ``comparison["learning"]`` says 'transductive' or 'causal' for the latter three.
    calibrate : bool
        Find the temperature of the emission on the labels of the others.
    evidence : {'auto', 'as-is', 'scaled'}, optional
        Count evidence as it is, or multiply log-likelihoods by the scale at which their spread fits their mean. By
        default scaled where that scale, measured on the labels of the others, is below 0.8 or above 1.25.
    dependence : {'none', 'ar1', 'offset', 'auto'}, optional
        How scores repeat each other from window to window: not at all, by noise that goes on, by that and a bias of
        each trial, or whichever their correlations speak for; ``comparison.notes`` tell which and why. By default
        'none', unless a Model says otherwise.
    lag : float
        Hindsight of fixed-lag, in seconds.
    gain_states, gain_step, state_space_compatible
        For markov-chain, probabilistic-gain and state-space.
    switch_every : float, (shortest, longest) or str, optional
        Make artificial switches at intervals in seconds, fixed, or random: (60, 125) or "60-125". By default,
        attention is as recorded.
    trial : float, optional
        Cut trials of this many seconds.
    join : bool
        Concatenate each participant's trials first.
    repeats, seed : int
        Draws of random intervals, averaged, and their seed. Each method's ``over_draws`` says how much single draws vary.
    gain : str, optional
        A map from posteriors to gains, as in ``heed.gains``, whose worth is measured: ``gains`` of each participant.
    gain_range, gain_slew : float
        Decibels between an attended and an unattended speaker, and the most that a gain may move, in dB per second.
    sweep : bool or sequence of float
        Also over these switch probabilities (True: the paper's 13), for ``heed.plot.tradeoff``.

    Returns
    -------
    Comparison : a dict, e.g. ``comparison["methods"][0]["accuracy"]["mean"]``, between 0 and 1; times in seconds.

    Examples
    --------
    >>> import heed
    >>> cohort = heed.simulate_scores(participants=5, seed=2)
    >>> print(heed.compare(cohort, methods=["raw", "causal", "smooth"]))
    5 participants, 2 speakers, windows of 1 s; chance 50.0 %
    <BLANKLINE>
    method   accuracy %      whole %   switch time s   missed   p accuracy   p switch time
    raw      57.3 ± 1.3   57.2 ± 1.4       1.4 ± 0.8     0/20
    causal   92.0 ± 5.9   87.7 ± 4.7      34.8 ± 9.3     0/20        0.062           0.062
    smooth   93.7 ± 4.4   92.1 ± 3.3     47.6 ± 20.0     0/20        0.062           0.062
    <BLANKLINE>
    mean ± SD over participants; p: Wilcoxon signed-rank against raw
    """
    options = dict(locals())
    del options["scores"]
    if isinstance(methods, str):
        options["methods"] = methods.split(",")
    comparison, curves, notes, doubts = _native.compare_json(scores, options)
    for doubt in doubts:
        warnings.warn(doubt, stacklevel=2)
    return Comparison(json.loads(comparison), curves=json.loads(curves) if sweep is not False else {}, notes=notes)


def mesd(
    windows: npt.ArrayLike | ScoreSource,
    accuracies: npt.ArrayLike | None = None,
    *,
    comfort: float = 0.65,
    confidence: float = 0.8,
    fewest_states: int = 5,
) -> dict[str, Any]:
    """The minimal expected switch duration: how soon a gain control could follow a switch at best.

    Parameters
    ----------
    windows : array (points,); or participants, or paths of score files
        Window lengths in seconds, increasing; or scores for several window lengths, from which accuracies are computed.
    accuracies : array (points,), optional
        Accuracy of windows of each length, between 0 and 1, for two speakers.
    comfort : float
        Gain, 0 to 1, that has to be maintained ...
    confidence : float
        ... for this proportion of the time.
    fewest_states : int
        Of the chain of gains.

    Returns
    -------
    dict : ``mesd`` in seconds, the ``window`` that gives it, the ``accuracy`` there, ``states`` and ``target`` of the
        chain. For scores: as ``heed mesd --json``, with ``participants`` and the summary ``mesd``.

    Examples
    --------
    >>> import heed
    >>> result = heed.mesd([1, 5, 10, 30], [0.58, 0.68, 0.75, 0.86])
    >>> round(result["mesd"], 2), result["states"]
    (24.18, 7)
    """
    options = {"comfort": comfort, "confidence": confidence, "fewest_states": fewest_states}
    if accuracies is None:
        text = _native.mesd_of_scores_json(windows, options)
    else:
        text = _native.mesd_of_curve_json(windows, accuracies, options)
    result: dict[str, Any] = json.loads(text)
    return result
