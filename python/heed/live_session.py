# SPDX-License-Identifier: MIT
"""Attention as it happens: arrays of EEG and sound, or scores, in; decisions and gains out."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import InvalidArgumentError
from ._live_decision import LiveDecision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float64
    from numpy.typing import ArrayLike, NDArray

_TRACKING = ("emission", "switch_probability", "transition", "initial", "adapt", "lag")
_STEERING = ("gain_map", "enhanced_db", "suppressed_db", "slew_db_per_s", "lowest_db", "highest_db", "watchdog")
_EEG_KEPT = 60.0  # seconds at least, while it waits for sound


class LiveSession:
    """A live session that is fed with arrays: ``heed live`` without its sockets, files and threads.

    Scores of a decoder of your own, log-likelihoods, or EEG with the sound of every speaker come in as they are
    recorded, in pieces of any size; every call returns the decisions that follow from it. However the input is cut, the
    posteriors are those of the offline causal chain, bit for bit.

    Parameters
    ----------
    speakers : sequence of str
        Names, at least two.
    content : {"scores", "log_likelihoods", "signals"}, optional
        What is pushed. By default signals where there is a decoder or a calibration, else scores.
    window : float
        Seconds; of signals a multiple of 0.25.
    hop : float, optional
        Seconds from one window to the next, where windows overlap.
    step : float, optional
        Of signals, instead of windows: steps of 0.25 s, each measured by the power of the last second.
    decoder : heed.Decoder, LSDecoder, CCADecoder or path, optional
        Trained on causal signals (``heed train --filters causal``).
    calibrate : float, optional
        Instead of a decoder: this many seconds of signals are kept at the start, on which :meth:`train` trains one.
    rate : float
        Of the EEG, in Hz.
    channels, bad : sequence of str
        Names of the columns of the EEG, and which of them are bad.
    audio_rate, envelope_rate : float
        Of the speakers' sound, in Hz: samples of audio, or envelopes before any band-pass. One of them.
    emission : GaussianEmission or another one, or Model, optional
        What scores mean, such as :class:`heed.AttentionHMM` fits. By default a usual one that is adapted to the
        listener without labels.
    switch_probability, transition, initial
        The Markov chain, as in :func:`heed.filter`.
    adapt : float, optional
        Half-life in seconds with which a given emission follows the listener.
    lag : float
        Seconds of hindsight of a second opinion; 0: none.
    gain_map : str
        From posterior to gain, as ``heed live --map`` has it: "decibels", "amplitude", "decision", "dead-zone" and others.
    enhanced_db, suppressed_db, slew_db_per_s, lowest_db, highest_db : float
        Gains of attended and ignored speakers, how fast they may move, and the hard range.
    watchdog : int
        Windows without input or evidence after which gains relax to equal.
    rail : float, optional
        Microvolts beyond which EEG counts as not recorded.

    Notes
    -----
    Stamps are those of the first sample of a piece (of scores: the end of the first window), in seconds on the source's
    own clock. Without them, pieces follow each other. What stamps are wrong about is corrected or becomes missing
    windows, and counted (``counts``). ``now`` is when a piece arrived, on a clock that does not run backwards, such as
    ``time.monotonic()``; by default, when it was recorded. A session has no clock and no thread of its own, and is not
    to be used by two threads at once, but for :meth:`train`.

    Examples
    --------
    >>> import heed, numpy as np
    >>> scores = heed.simulate_scores(participants=1, seed=1)[0].trials[0].scores
    >>> emission = heed.GaussianEmission(0.124, 0.037, 0.303)
    >>> session = heed.LiveSession(["left", "right"], emission=emission)
    >>> decisions = [decision for row in scores for decision in session.push_scores([row])]
    >>> live = np.array([decision.posterior for decision in decisions])
    >>> np.array_equal(live, heed.filter(scores, emission=emission))
    True
    """

    def __init__(
        self,
        speakers: Sequence[str],
        *,
        content: str | None = None,
        window: float = 1.0,
        hop: float | None = None,
        step: float | None = None,
        decoder: Any = None,
        calibrate: float | None = None,
        rate: float | None = None,
        channels: Sequence[str] = (),
        bad: Sequence[str] = (),
        audio_rate: float | None = None,
        envelope_rate: float | None = None,
        emission: Any = None,
        switch_probability: float | None = None,
        transition: ArrayLike | None = None,
        initial: ArrayLike | None = None,
        adapt: float | None = None,
        lag: float = 0.0,
        gain_map: str | None = None,
        enhanced_db: float | None = None,
        suppressed_db: float | None = None,
        slew_db_per_s: float | None = None,
        lowest_db: float | None = None,
        highest_db: float | None = None,
        watchdog: int | None = None,
        rail: float | None = None,
    ) -> None:
        given = locals()
        self.speakers: list[str] = [str(speaker) for speaker in speakers]
        signals = decoder is not None or calibrate is not None
        self.content: str = content or ("signals" if signals else "scores")
        if self.content not in ("scores", "log_likelihoods", "signals"):
            raise InvalidArgumentError(f"content: {content!r} is none of 'scores', 'log_likelihoods' and 'signals'")
        if audio_rate is not None and envelope_rate is not None:
            raise InvalidArgumentError("audio_rate, envelope_rate: sound comes as audio or as envelopes; give one rate")
        if step is not None and self.content != "signals":
            raise InvalidArgumentError("step: for signals; scores and log-likelihoods come in windows")
        self._rates = {"eeg": rate, "sound": audio_rate or envelope_rate, "windows": 1 / (hop or window) if window else None}
        self._settings: dict[str, Any] = {name: given[name] for name in _TRACKING + _STEERING}
        stream = dict(
            speakers=self.speakers,
            content=self.content,
            window=window,
            hop=hop,
            rate=rate,
            channels=[str(channel) for channel in channels],
            bad=[str(channel) for channel in bad],
            audio_rate=audio_rate,
            envelope_rate=envelope_rate,
        )
        options = dict(self._settings, window=window, hop=hop, step=step, decoder=_decoder_of(decoder), calibrate=calibrate, rail=rail)
        self._engine = _native.LiveEngine(stream, options)
        self._begins: dict[tuple[str, int], float] = {}  # seconds, of the trial's streams
        self._time = 0.0  # by which everything that came was recorded
        self._ends: dict[tuple[str, int], float] = {}
        self._awaits_sound = True  # a trial without an onset of its own begins where every speaker is heard

    # ---- what comes in ----

    def push_scores(self, scores: ArrayLike, stamp: float | None = None, now: float | None = None) -> list[LiveDecision]:
        """Windows of a decoder of your own: (windows, speakers), NaN where one is missing. ``stamp``: end of the first.

        With ``content="log_likelihoods"``, natural logarithms of what each window says of each speaker.

        Examples
        --------
        >>> import heed
        >>> session = heed.LiveSession(["left", "right"], content="log_likelihoods", switch_probability=0.01)
        >>> [decision.decision for decision in session.push_scores([[0.0, -3.0], [-9.0, 0.0]])]
        ['left', 'right']
        """
        self._needs("scores", "log_likelihoods")
        rows = _length(scores)
        return self._made(self._engine.push_windows(scores, stamp, self._arrival(("windows", 0), rows, stamp, now)))

    def push_eeg(self, eeg: ArrayLike, stamp: float | None = None, now: float | None = None) -> list[LiveDecision]:
        """EEG in microvolts, (samples, channels); NaN where nothing was recorded.

        EEG may run for as long as it likes before the talkers begin: it waits for the sound of every speaker, and at least its
        last 60 s are kept. Sound of EEG that is older is refused; push both side by side, or the sound first.

        Examples
        --------
        >>> import heed, numpy as np
        >>> session = heed.LiveSession(["a", "b"], calibrate=100, rate=64, channels=["Fz", "Cz"], envelope_rate=64)
        >>> session.push_eeg(np.zeros((64, 2)), stamp=0.0)
        []
        """
        self._needs("signals")
        return self._made(self._engine.push_eeg(eeg, stamp, self._arrival(("eeg", 0), _length(eeg), stamp, now)))

    def push_sound(
        self, speaker: str | int, sound: ArrayLike, stamp: float | None = None, now: float | None = None
    ) -> list[LiveDecision]:
        """Sound of a speaker, by name or column: audio samples (full scale 1) or an envelope, as the session was made for.

        Sound may come before its EEG: at least the last ten minutes of it are kept, or, where ``now`` says that it is pushed as it
        is recorded, the last 70 s.

        Examples
        --------
        >>> import heed, numpy as np
        >>> session = heed.LiveSession(["a", "b"], calibrate=100, rate=64, channels=["Fz", "Cz"], audio_rate=8000)
        >>> session.push_sound("b", np.zeros(8000), stamp=0.0)
        []
        """
        self._needs("signals")
        place = self._column(speaker)
        if self._awaits_sound:
            self._refuse_forgotten_eeg(place, stamp)
        arrival = self._arrival(("sound", place), _length(sound), stamp, now)
        return self._made(self._engine.push_sound(place, sound, stamp, arrival))

    def attend(self, speaker: str | int | None, stamp: float | None = None) -> None:
        """Tells who is attended from ``stamp`` on; None: nobody knows. For labels of decisions, and for :meth:`train`.

        Examples
        --------
        >>> import heed
        >>> session = heed.LiveSession(["left", "right"])
        >>> session.attend("right", stamp=0.0)
        >>> session.push_scores([[0.1, 0.4]])[0].attended
        'right'
        """
        column = -1 if speaker is None else self._column(speaker)
        self._engine.tell("attended", column, "", stamp, self._time)

    def begin_trial(self, name: str = "", stamp: float | None = None) -> list[LiveDecision]:
        """A trial begins: clocks, filters and the chain start anew. Returns the last decisions of the one before.

        Examples
        --------
        >>> import heed
        >>> session = heed.LiveSession(["left", "right"])
        >>> first, = session.push_scores([[0.4, 0.1]])
        >>> session.begin_trial("second")
        []
        >>> session.push_scores([[0.4, 0.1]])[0].trial
        'second'
        """
        self._ends.clear()
        self._begins.clear()
        self._awaits_sound = stamp is None
        return self._made(self._engine.tell("trial", -1, name, stamp, self._time))

    def finish(self) -> list[LiveDecision]:
        """The stream has ended: the decisions that waited for more.

        Examples
        --------
        >>> import heed
        >>> heed.LiveSession(["left", "right"]).finish()
        []
        """
        return self._made(self._engine.tell("end", -1, "", None, self._time))

    def wait(self, now: float) -> tuple[list[LiveDecision], NDArray[float64] | None]:
        """Time passes and nothing comes: decisions about sound that is too late, and gains where the watchdog moved them.

        Examples
        --------
        >>> import heed
        >>> session = heed.LiveSession(["left", "right"], emission=heed.GaussianEmission(0.3, 0.0, 0.2))
        >>> decision, = session.push_scores([[0.9, 0.0]], now=1.0)
        >>> decisions, gains = session.wait(now=8.0)
        >>> float(gains[0]) < float(decision.gains_db[0])
        True
        """
        decisions, gains = self._engine.wait(now)
        return self._made(decisions), gains

    # ---- while it runs ----

    def change(self, **settings: Any) -> None:
        """New parameters from the next window on; belief and gains go on from where they are.

        Parameters
        ----------
        **settings
            emission, switch_probability, transition, initial, adapt, lag; gain_map, enhanced_db, suppressed_db,
            slew_db_per_s, lowest_db, highest_db, watchdog. The others stay as they are.

        Examples
        --------
        >>> import heed
        >>> session = heed.LiveSession(["left", "right"], emission=heed.GaussianEmission(0.3, 0.0, 0.2))
        >>> session.change(switch_probability=0.02, enhanced_db=-3)
        """
        unknown = sorted(set(settings) - set(self._settings))
        if unknown:
            raise InvalidArgumentError(f"{unknown[0]}: not a setting that can change while a session runs; there are {', '.join(self._settings)}")
        changed = {**self._settings, **settings}
        self._engine.change(changed)
        self._settings = changed

    @property
    def is_calibrating(self) -> bool:
        """No decoder is there yet."""
        return self._engine.is_calibrating

    @property
    def can_train(self) -> bool:
        """Enough was heard: :meth:`train` may be called."""
        return self._engine.can_train

    def train(self, *, label_free: bool = True, population: _native.Population | None = None) -> _native.Decoder:
        """Trains the decoder of a session with ``calibrate``, by heed's recipe, and hands it over.

        Other threads may feed the session meanwhile: it goes on calibrating until the next piece after this returns.

        Parameters
        ----------
        label_free : bool
            Attention is not looked at; else it is what :meth:`attend` told.
        population : heed.Population, optional
            Other listeners to lean on.

        Returns
        -------
        heed.Decoder

        Examples
        --------
        >>> import heed, numpy as np
        >>> random = np.random.default_rng(0)
        >>> session = heed.LiveSession(["a", "b"], calibrate=120, rate=64, channels=["Fz", "Cz", "Pz"], envelope_rate=64)
        >>> speech = np.abs(random.standard_normal((2, 9600)))
        >>> eeg = 20 * np.roll(speech[:1].T, 8, axis=0) + random.standard_normal((9600, 3))
        >>> for s in (0, 1):
        ...     waiting = session.push_sound(s, speech[s], stamp=0.0)
        >>> waiting = session.push_eeg(eeg, stamp=0.0)
        >>> session.can_train
        True
        >>> session.train().channels
        ['Fz', 'Cz', 'Pz']
        """
        return self._engine.train(label_free, population, self._settings)

    @property
    def counts(self) -> dict[str, int | float]:
        """What was decided, and all that the referee of stamps did: windows, held, gaps, duplicates, jumps, drift_ppm ..."""
        return self._engine.counts

    @property
    def awaited(self) -> list[str]:
        """Of signals, what has not come yet in this trial: "EEG", "the sound of 'left'"."""
        return self._engine.awaited

    @property
    def delays(self) -> dict[str, float]:
        """Seconds by which each stage is late; ``until_decision`` is from the end of a window to its decision."""
        return self._engine.delays

    def __repr__(self) -> str:
        return f"<heed.LiveSession of {self.content}: {', '.join(self.speakers)}; {self.counts['windows']} windows>"

    # ---- inside ----

    def _needs(self, *contents: str) -> None:
        if self.content not in contents:
            raise InvalidArgumentError(f"this session takes {self.content}; make one with content={contents[0]!r}")

    def _refuse_forgotten_eeg(self, place: int, stamp: float | None) -> None:
        """EEG waits for the sound of every speaker, but not without end: the last one to be heard may come too late."""
        eeg = self._begins.get(("eeg", 0))
        others = [begin for stream, begin in self._begins.items() if stream[0] == "sound"]
        if eeg is None or ("sound", place) in self._begins or len(others) < len(self.speakers) - 1:
            return
        first = eeg if stamp is None else float(stamp)  # streams without stamps begin together
        kept = self._ends[("eeg", 0)] - _EEG_KEPT
        if max(first, eeg, *others) < kept:
            raise InvalidArgumentError(
                f"sound: that of {self.speakers[place]!r} begins at {first:g} s, but of the EEG that waits for it only the last "
                f"{_EEG_KEPT:g} s are kept, from {kept:g} s on; push EEG and sound side by side, or the sound first"
            )

    def _column(self, speaker: str | int) -> int:
        if isinstance(speaker, str):
            if speaker not in self.speakers:
                raise InvalidArgumentError(f"speaker: there is no {speaker!r}; there are {', '.join(self.speakers)}")
            return self.speakers.index(speaker)
        if not 0 <= speaker < len(self.speakers):
            raise InvalidArgumentError(f"speaker: there is no column {speaker}; columns are 0 to {len(self.speakers) - 1}")
        return int(speaker)

    def _arrival(self, stream: tuple[str, int], rows: int, stamp: float | None, now: float | None) -> float:
        """When a piece arrived: as told, or when its last sample was recorded, but never before what came earlier."""
        rate = self._rates[stream[0]]
        together = self._begins.get(("eeg", 0), 0.0)  # streams without stamps begin together
        begin = self._ends.get(stream, together) if stamp is None else float(stamp)
        self._begins.setdefault(stream, begin)
        self._ends[stream] = begin + (rows / rate if rate else 0.0)
        if now is not None:
            self._time = float(now)
        elif stream[0] != "sound":
            # The EEG is the clock: sound that is pushed ahead of it is not late, and neither is EEG that was pushed first.
            self._time = max(self._time, self._ends[stream])
        return self._time

    def _made(self, decisions: list[dict[str, Any]]) -> list[LiveDecision]:
        made = []
        for one in decisions:
            names = {key: None if one[key] < 0 else self.speakers[one[key]] for key in ("decision", "attended")}
            made.append(LiveDecision(**{**one, **names}))
        return made


def _length(values: Any) -> int:
    try:
        return len(values)
    except TypeError:
        return 0  # the engine says what is wrong with it


def _decoder_of(decoder: Any) -> _native.Decoder | None:
    if decoder is None or isinstance(decoder, _native.Decoder):
        return decoder
    if isinstance(decoder, (str, os.PathLike)):
        return _native.Decoder.load(os.fspath(decoder))
    if hasattr(decoder, "_telling_speakers_apart"):
        trained: _native.Decoder = decoder._telling_speakers_apart()
        return trained
    raise InvalidArgumentError(f"decoder: {decoder!r} is not a heed.Decoder, an LSDecoder, a CCADecoder or a file")
