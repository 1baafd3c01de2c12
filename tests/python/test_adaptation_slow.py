# SPDX-License-Identifier: MIT
"""Listeners without a calibration: what docs/adaptation.md says of them is found again.

Nine real listeners (HEED_TEST_DATA/dtu-match) are adapted on one run, frozen and tested on the other, as each run repeats the
same speech. Fifty simulated ones must not end worse than they began, whatever befalls some of them.

    HEED_TEST_DATA=... PYTHONPATH=build/release/python python3 tests/python/test_adaptation_slow.py     prints the tables
"""
import os
import pathlib
import tempfile
import time
import warnings

import numpy as np
import pytest

import heed
from adaptive_oracle import SAMPLES, Follower, Start
from heed._native import electrode_positions, scalp_weights

DATA = pathlib.Path(os.environ.get("HEED_TEST_DATA", "")) / "dtu-match"
RUNS = ("01", "02")
DECODERS = ("population, fixed", "adaptive, causal", "adaptive, zero-phase", "labels", "labels + population")


def separation_of(windows):
    """d': how far attended and unattended scores lie apart, in standard deviations, of pairs (scores, who is attended)."""
    attended, unattended = [], []
    for scores, who in windows:
        z = np.arctanh(scores)
        labelled = (who >= 0) & np.isfinite(z).all(axis=1)
        column = np.arange(z.shape[1]) == who[labelled, None]
        attended.append(z[labelled][column])
        unattended.append(z[labelled][~column])
    attended, unattended = np.concatenate(attended), np.concatenate(unattended)
    spread = np.concatenate([attended - attended.mean(), unattended - unattended.mean()])
    return (attended.mean() - unattended.mean()) / spread.std()


def separation(participant):
    return separation_of([(trial.scores, trial.attended) for trial in participant.trials])


def minutes(trials, first, end):
    """Of trials in a row, as separation_of wants them."""
    scores = np.concatenate([trial.scores for trial in trials])
    who = np.concatenate([trial.attended for trial in trials])
    return [(scores[60 * first:60 * end], who[60 * first:60 * end])]


def as_trial(run):
    eeg = heed.preprocess(run.eeg.astype(float), run.sampling_frequency)
    speech = np.column_stack([heed.preprocess(one, run.sampling_frequency, kind="envelope") for one in run.envelopes.T])
    step = round(run.sampling_frequency / 64)
    return heed.Trial(eeg, speech, run.attended[::step][:len(eeg)], channels=run.channels, speakers=run.speakers,
                      name=f"{run.participant}-{run.trial}")


def simulated(who, seed, participants=1, trials=2, **options):
    """Twenty minutes of each, in two trials, unless told."""
    runs = heed.simulate_recording(**{"participants": participants, "trials": trials, "minutes": 10, "channels": 19, "seed": seed, **options})
    heard = [as_trial(run) for run in runs]
    return [heed.Listener(f"{who}{k}", heard[trials * k:trials * (k + 1)]) for k in range(participants)]


def share_right(scores, attended):
    """Of single seconds, where the truth is known and the window was scored."""
    known = (attended >= 0) & np.isfinite(scores).all(axis=1)
    return float((scores[known].argmax(axis=1) == attended[known]).mean())


def last_minutes(population, listener, learn=True):
    """Shares of right seconds in the second trial: by scores alone, and tracked as a live session does."""
    decoder = heed.AdaptiveDecoder(population, learn=learn)
    for trial in listener.trials:
        decoder.partial_fit(trial)
    weights = decoder.weights_
    assert np.isfinite(weights).all()
    assert (weights ** 2).sum() <= 1000 * 1.5  # of channels with deviation 1
    attended = np.asarray(listener.trials[-1].attended)[SAMPLES // 2::SAMPLES]
    return share_right(decoder.scores_, attended), share_right(heed.filter(decoder.log_likelihoods_, 0.01), attended)


def befallen(listener, what):
    """Ten minutes of it, then as before: the first trial is spoilt, the second is not."""
    first, last = listener.trials
    eeg, speech = first.eeg.astype(float), first.stimuli.copy()
    if what == "nobody is attended":
        eeg = eeg[::-1].copy()
    elif what == "sounds swapped every ten seconds":
        swapped = (np.arange(len(eeg)) // 640) % 2 == 1
        speech[swapped] = speech[swapped][:, ::-1]
    elif what == "reference lost":
        eeg += 20 * eeg.std() * np.random.default_rng(1).standard_normal((len(eeg), 1))
    elif what == "sounds of somebody else":
        speech = speech[::-1].copy()
    spoilt = heed.Trial(eeg, speech, channels=first.channels, speakers=first.speakers, name="spoilt")
    return heed.Listener("x", [spoilt, last])


SPOILT = ("nobody is attended", "sounds swapped every ten seconds", "sounds of somebody else", "reference lost")


def campaign(count=50):
    """[listener, (fixed, adaptive), (single, tracked)] shares of right seconds in minutes 10 to 20; and of some, single, {what befell:
    [(fixed, undisturbed, disturbed)]}."""
    warnings.simplefilter("ignore")
    population = heed.Population(simulated("other", 1, participants=8))
    ends, disturbed = [], {what: [] for what in SPOILT}
    for k in range(count):
        (one,) = simulated("listener", 100 + k)
        ends.append((last_minutes(population, one, learn=False), last_minutes(population, one)))
        if k < 5:
            (fixed, _), (adaptive, _) = ends[-1]
            for what in SPOILT:
                disturbed[what].append((fixed, adaptive, last_minutes(population, befallen(one, what))[0]))
    return np.array(ends), disturbed


def others(count=8):
    """{case: [(fixed, adaptive)]}: what is told, not promised."""
    warnings.simplefilter("ignore")
    found = {}
    for case, options in {"three talkers": {"speakers": 3}, "12 blinks and 6 artefacts a minute": {"blinks": 12, "artefacts": 6}}.items():
        population = heed.Population(simulated("other", 1, participants=8, **options))
        found[case] = []
        for k in range(count):
            (one,) = simulated("listener", 100 + k, **options)
            found[case].append((last_minutes(population, one, learn=False)[0], last_minutes(population, one)[0]))
    return found


def turned(channels, degrees=30):
    """Channels x channels: what electrodes have when the cap has turned about the vertex."""
    places, angle = electrode_positions(channels), np.radians(degrees)
    carried = places @ np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return scalp_weights(places, carried).T


def told(population, listener, folder):
    """Scores while true labels are learnt from, by numpy; and who was attended."""
    heed.AdaptiveDecoder(population).partial_fit(listener.trials[0]).save(folder / "start.json")
    eeg, speech = (np.concatenate([np.asarray(getattr(trial, name), float) for trial in listener.trials]) for name in ("eeg", "stimuli"))
    who = np.concatenate([trial.attended for trial in listener.trials])[SAMPLES // 2::SAMPLES]
    return np.array(Follower(Start.of(folder / "start.json"), np.float64, told=who).hear(eeg, speech).scores), who


def slipped(folder, seeds=range(4001, 4011)):
    """[(fixed before, fixed, adaptive, with labels)]: d' of minutes 4 to 10 before, and 16 to 22 when the cap has turned at minute 10."""
    warnings.simplefilter("ignore")
    population = heed.Population([simulated(f"other{seed}-", seed, channels=32, trials=1)[0] for seed in range(3001, 3009)])
    found = []
    for seed in seeds:
        (one,) = simulated("listener", seed, channels=32, trials=3)
        slip = turned(one.trials[0].channels)
        after = [heed.Trial(trial.eeg @ slip, trial.stimuli, trial.attended, channels=trial.channels, speakers=trial.speakers,
                            name=trial.name) for trial in one.trials[1:]]
        listener = heed.Listener("x", [one.trials[0], *after])
        scored = {learn: heed.AdaptiveDecoder(population, learn=learn).score_trials(listener).trials for learn in (False, True)}
        scores, who = told(population, listener, folder)
        found.append((separation_of(minutes(scored[False], 4, 10)), separation_of(minutes(scored[False], 16, 22)),
                      separation_of(minutes(scored[True], 16, 22)), separation_of([(scores[960:1320], who[960:1320])])))
    return found


def test_comes_back_after_a_cap_that_slips(tmp_path):
    before, fixed, adaptive, labels = np.mean(slipped(tmp_path), axis=0)
    assert fixed < 0.8 * before
    assert fixed < adaptive < labels


def test_nobody_ends_worse_than_by_the_fixed_population():
    ends, disturbed = campaign()
    gains = ends[:, 1] - ends[:, 0]
    assert (gains > -0.05).all()
    assert (gains.mean(axis=0) > 0).all()
    for what, found in disturbed.items():
        for fixed, undisturbed, after in found:
            assert after > min(undisturbed, fixed) - 0.05, what


def frozen_separation(decoder, learnt_on, tested_on):
    decoder.partial_fit(learnt_on)
    return separation(decoder.set_params(learn=False).score_trials(tested_on))


def measured(cache):
    """{decoder: d' of each listener, the mean of both directions}"""
    warnings.simplefilter("ignore")
    everybody = heed.read_bids(DATA, cache=cache)
    population = heed.Population(everybody)
    runs = {(filters, run): heed.read_bids(DATA, runs=[run], filters=filters, cache=cache)
            for filters in ("zero-phase", "causal") for run in RUNS}
    found = {name: [] for name in DECODERS}
    for who in everybody.participants:
        directions = {name: [] for name in DECODERS}
        for learnt, test in (RUNS, RUNS[::-1]):
            part = {filters: (runs[filters, learnt][who], runs[filters, test][who]) for filters in ("zero-phase", "causal")}
            fixed = heed.AdaptiveDecoder(population, learn=False)
            directions["population, fixed"].append(separation(fixed.score_trials(part["zero-phase"][1])))
            for filters in ("causal", "zero-phase"):
                decoder = heed.AdaptiveDecoder(population)
                directions[f"adaptive, {filters}"].append(frozen_separation(decoder, *part[filters]))
            on_labels = heed.LSDecoder().fit(part["zero-phase"][0])
            directions["labels"].append(separation(on_labels.score_trials(part["zero-phase"][1])))
            leaning = heed.LSDecoder().fit(part["zero-phase"][0], population=population)
            directions["labels + population"].append(separation(leaning.score_trials(part["zero-phase"][1])))
        for name in DECODERS:
            found[name].append(float(np.mean(directions[name])))
    return dict(found, who=everybody.participants)


@pytest.mark.skipif(not DATA.is_dir(), reason="HEED_TEST_DATA/dtu-match is not there")
def test_without_labels_as_good_as_with_them(tmp_path):
    found = measured(tmp_path)
    mean = {name: np.mean(found[name]) for name in DECODERS}
    print(mean)
    assert mean["adaptive, zero-phase"] > mean["labels + population"] - 0.03
    assert mean["adaptive, causal"] > mean["adaptive, zero-phase"] - 0.03
    assert mean["adaptive, causal"] > mean["population, fixed"]


def precision(cache, participants, folder):
    """[(windows, largest differences of scores and of decoders, decisions that differ, d' of doubles and floats, seconds of doubles and
    floats)] of whole runs, by numpy in single beside double precision; and how far heed is from the doubles."""
    warnings.simplefilter("ignore")
    population = heed.Population(heed.read_bids(DATA, cache=cache))
    rows, from_heed = [], []
    for who in participants:
        for trial in heed.read_bids(DATA, participants=[who], cache=cache)[who].trials:
            decoder = heed.AdaptiveDecoder(population, listener=who).partial_fit(trial)
            decoder.save(folder / "me.json")
            start, found, cost = Start.of(folder / "me.json"), [], []
            for real in (np.float64, np.float32):
                begin = time.process_time()
                found.append(Follower(start, real).hear(np.asarray(trial.eeg), np.asarray(trial.stimuli)))
                cost.append(time.process_time() - begin)
            doubles, floats = (np.array(one.scores, float) for one in found)
            attended = np.asarray(trial.attended)[SAMPLES // 2::SAMPLES][:len(doubles)]
            decoders = max(np.linalg.norm(d - f) / np.linalg.norm(d) for d, f in zip(found[0].decoders, found[1].decoders, strict=True))
            rows.append((len(doubles), abs(doubles - floats).max(), decoders, (doubles.argmax(axis=1) != floats.argmax(axis=1)).sum(),
                         separation_of([(doubles, attended)]), separation_of([(floats, attended)]), *cost))
            from_heed.append(abs(decoder.scores_ - doubles).max())
    return rows, max(from_heed)


@pytest.mark.skipif(not DATA.is_dir(), reason="HEED_TEST_DATA/dtu-match is not there")
def test_single_precision_is_enough_for_real_listeners(tmp_path):
    rows, from_heed = precision(tmp_path, ["01", "05"], tmp_path)
    assert from_heed < 1e-10
    for _, scores, decoders, differ, doubles, floats, *_ in rows:
        assert scores < 1e-4 and decoders < 1e-4 and differ == 0
        assert abs(doubles - floats) < 1e-4


def print_precision(cache, folder):
    rows, from_heed = precision(cache, [f"{who:02}" for who in range(1, 10)], folder)
    windows, scores, decoders, differ, doubles, floats, wide, narrow = zip(*rows)
    print(f"single precision, {len(rows)} runs, {sum(windows)} windows: scores within {max(scores):.1e}, decoders within {max(decoders):.1e} of "
          f"their length, {sum(differ)} decisions differ, d' within {max(abs(np.subtract(doubles, floats))):.1e}, "
          f"{sum(narrow) / sum(wide):.0%} of the time; heed within {from_heed:.1e} of the doubles")


def print_campaign():
    ends, disturbed = campaign()
    for k, how in enumerate(("single seconds", "tracked")):
        fixed, adaptive = ends[:, :, k].T
        gains = adaptive - fixed
        print(f"{len(ends)} simulated listeners, minutes 10 to 20, {how}: fixed {fixed.mean():.3f}, adaptive {adaptive.mean():.3f}, better in "
              f"{(gains > 0).sum()}, the worst {gains.min():+.3f}, the best {gains.max():+.3f}")
    for what, found in disturbed.items():
        fixed, undisturbed, after = np.mean(found, axis=0)
        print(f"{what}: fixed {fixed:.3f}, undisturbed {undisturbed:.3f}, after it {after:.3f}")
    with tempfile.TemporaryDirectory() as folder:
        found = slipped(pathlib.Path(folder))
    before, fixed, adaptive, labels = np.mean(found, axis=0)
    print(f"cap turned: d' of {len(found)} listeners {before:.3f} before, after it {fixed:.3f} fixed, {adaptive:.3f} adaptive, {labels:.3f} with "
          f"labels; better than fixed in {sum(a > f for _, f, a, _ in found)}")
    for case, found in others().items():
        fixed, adaptive = np.mean(found, axis=0)
        print(f"{case}: fixed {fixed:.3f}, adaptive {adaptive:.3f}, worst {min(a - f for f, a in found):+.3f}")


if __name__ == "__main__":
    print_campaign()
    with tempfile.TemporaryDirectory() as folder:
        kept = pathlib.Path(os.environ.get("HEED_CACHE", folder))
        print_precision(kept, pathlib.Path(folder))
        table = measured(kept)
    print("| listener | " + " | ".join(DECODERS) + " |")
    for row, who in enumerate(table["who"]):
        print(f"| {who} | " + " | ".join(f"{table[name][row]:.2f}" for name in DECODERS) + " |")
    print("| mean | " + " | ".join(f"{np.mean(table[name]):.3f}" for name in DECODERS) + " |")
