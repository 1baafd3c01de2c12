# SPDX-License-Identifier: MIT
"""BIDS folders as listeners, and scores of a listener's trials by decoders of the other trials."""
from __future__ import annotations

import os
from typing import Any, Sequence

from . import _native
from ._errors import InvalidArgumentError
from ._native import BidsFolder, Listener, Participant, Population


def read_bids(
    folder: str | os.PathLike[str],
    *,
    participants: Sequence[str] | None = None,
    sessions: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    runs: Sequence[str] | None = None,
    exclude_runs: Sequence[str] | None = None,
    channels: Sequence[str] | None = None,
    recipe: str = "heed",
    band: tuple[float, float] | None = None,
    target: str | Sequence[str] | None = None,
    rate: float = 64.0,
    filters: str = "zero-phase",
    reference: str | Sequence[str] = "average",
    bad_channels: str = "exclude",
    clip: float = 0.0,
    cache: bool | str | os.PathLike[str] | None = True,
) -> BidsFolder:
    """Opens a BIDS folder: its listeners, with trials prepared and scaled as ``heed score`` has them.

    Nothing is prepared before a listener is asked for, and nothing is ever written into the folder.

    Parameters
    ----------
    folder : path
    participants, sessions, tasks, runs, exclude_runs : list of str, optional
        Labels of BIDS, with or without their key: these only, or all runs but ``exclude_runs``.
    channels : list of str, optional
        These EEG channels only, in this order. By default all that are good.
    recipe : {"heed", "paper"}
        What is not said of band and target: heed's own onsets and 0.5-9 Hz, which real EEG is decoded best from
        (docs/recipe.md), or envelopes and 1-9 Hz. :func:`heed.cross_validate` keeps to it.
    band, target, rate, filters, reference, bad_channels, clip
        How signals are prepared: see :func:`heed.preprocess`. ``target="both"`` has envelopes and onsets.
    cache : bool or path
        Where prepared signals are kept and found again: as the program does (~/.cache/heed), another folder, or
        nowhere (False).

    Returns
    -------
    BidsFolder : a sequence of :class:`heed.Listener`.

    Examples
    --------
    >>> import heed, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     study = heed.simulate_recording(folder=folder + "/study", participants=1, trials=2, minutes=1, channels=19)
    ...     for listener in heed.read_bids(study, cache=False):
    ...         print(heed.cross_validate(listener, "ls"))
    <heed.Participant 01: 2 trials, 120 windows of 1 s, speakers left, right>
    """
    labels = dict(participants=participants, sessions=sessions, tasks=tasks, runs=runs, exclude_runs=exclude_runs)
    options: dict[str, Any] = dict(
        recipe=recipe, band=band, target=target, rate=rate, filters=filters, reference=reference,
        bad_channels=bad_channels, clip=clip, channels=channels,
    )
    return _native._open_folder(os.fspath(folder), labels, options, cache)


def cross_validate(
    listener: Listener,
    decoder: Any = None,
    *,
    recipe: str | None = None,
    others: Population | BidsFolder | Sequence[Listener] | None = None,
    prior_weight: float | None = None,
    windows: float | Sequence[float] = 1.0,
    hop: float | None = None,
    step: float | None = None,
    **options: Any,
) -> Participant | list[Participant]:
    """Scores of every window, each trial by a decoder trained on the listener's other trials: ``heed score``.

    Parameters
    ----------
    listener : Listener
        Two trials with labels at least.
    decoder : {"ls", "cca", "csp"}, or an LSDecoder or CCADecoder, whose parameters are used
        By default the recipe's: ls of heed's, cca of the paper's. csp reads rhythms: its listeners are read with
        ``band=(0.5, 31)`` and ``target="envelope"``.
    recipe : {"heed", "paper"}, optional
        What is not said by other options; by default the recipe the listener was read by, or heed's: ls, ridge 0.3,
        cosine, and a population.
    others : BidsFolder, list of Listener or heed.Population, optional
        Whom heed's recipe may learn from beside the listener, who may be among them; neither the listener's own data nor
        sounds that the tested trial plays are ever learnt from. Of a folder or a list it is used where four others are
        left, as ``heed score`` does; a Population is used as it is. By default nobody; a warning says so where the
        listener's folder has enough others.
    prior_weight : float, optional
        How much of a decoder is theirs, 0 to 1. By default by their number; 0 is nobody, and no warning.
    windows : float, or several
        Lengths in seconds, multiples of 0.25.
    hop : float, optional
        Seconds from one window to the next, where windows overlap: a multiple of 0.25, at most the window's length.
    step : float, optional
        Instead of windows: steps of 0.25 s, each measured by the power of the last second (ls only).
    **options
        regularisation ("ridge", "ridge-cv", "ledoit-wolf"), ridge, first_lag and longest_lag (seconds), pairs,
        score ("pearson", "cosine"), score_shrinkage, score_memory: see :class:`heed.LSDecoder`.

    Returns
    -------
    Participant : scores and labels of all trials; a list of them, one per length, where several were given.

    Examples
    --------
    >>> import heed, numpy as np
    >>> random = np.random.default_rng(1)
    >>> def trial(attended):
    ...     speech = random.standard_normal((1280, 2))
    ...     return heed.Trial(speech[:, [attended]] + random.standard_normal((1280, 4)), speech, attended)
    >>> scored = heed.cross_validate(heed.Listener("01", [trial(k % 2) for k in range(4)]), "ls")
    >>> scored.trials[1].scores.argmax(axis=1).mean() > 0.9
    True
    """
    if not isinstance(listener, Listener):
        raise TypeError(f"listener: expected a heed.Listener, not {type(listener).__name__}")
    chosen = {"recipe": recipe, **_words_of(decoder, recipe), **options}
    scored = _native._cross_validate(listener, chosen, windows, hop, step, others, prior_weight)
    return scored[0] if _is_number(windows) else scored


def _words_of(decoder: Any, recipe: str | None) -> dict[str, Any]:
    if decoder is None or isinstance(decoder, str):
        return {} if decoder is None else {"decoder": decoder}
    words = getattr(decoder, "_words", None)
    if words is None:
        raise InvalidArgumentError(
            f"decoder: {decoder!r} is not 'ls', 'cca', 'csp', a heed.LSDecoder or a heed.CCADecoder"
        )
    if decoder.recipe is not None and recipe not in (None, decoder.recipe):
        raise InvalidArgumentError(f"recipe: the {type(decoder).__name__} has the recipe '{decoder.recipe}' already")
    return {"recipe": decoder.recipe or recipe, **words()}


def _is_number(windows: Any) -> bool:
    return isinstance(windows, (int, float))
