# SPDX-License-Identifier: MIT
# %% [markdown]
# # Who did they listen to? From a BIDS folder of EEG to attention
# A decoder reconstructs from a listener's EEG what the attended speaker said; whose speech is most like it in a window
# scores best. Single windows are little better than chance, so a hidden Markov model joins what all of them say.
#
#     python3 02_decode_bids.py FOLDER      nothing is written into it; without one, a small study is simulated
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import heed

# %% A folder of recordings: yours, or three simulated listeners, whose attention moves every minute.
if len(sys.argv) > 1:
    study = sys.argv[1]
else:
    scratch = tempfile.TemporaryDirectory()
    study = heed.simulate_recording(
        folder=f"{scratch.name}/study", participants=3, trials=4, minutes=2, switch_every=60, channels=19, signal=3
    )

# Each is read and prepared (0.5-9 Hz, 64 Hz) when it is asked for; of your own study that is kept in ~/.cache/heed.
listeners = heed.read_bids(study, cache=len(sys.argv) > 1)
print(listeners)


# %% Scores of every second, each trial by a decoder of the listener's other trials and, from five listeners on, of what
# the others have in common.
# The engine lets go of Python's lock while it works, so a few threads are all it takes to use every core.
def decode(place):
    return heed.cross_validate(listeners[place], "ls", others=listeners, windows=1.0)


participants = []
with ThreadPoolExecutor() as pool:
    for participant in pool.map(decode, range(len(listeners))):
        participants.append(participant)
        if sys.stderr.isatty():
            print(f"\rdecoded {len(participants)} of {len(listeners)}", end="", file=sys.stderr, flush=True)
if sys.stderr.isatty():
    print(file=sys.stderr)

# %% Attention of everybody, the emission fitted to the others: each window alone, live, and with hindsight.
methods = ["raw", "causal", "smooth"]
comparison = heed.compare(participants, methods=methods)
accuracies = {
    method["name"]: {listener["id"]: listener["accuracy"] for listener in method["participants"]}
    for method in comparison["methods"]
}

print("\nlistener   windows   each alone     causal   smoothed")
for participant in participants:
    windows = sum(len(trial.scores) for trial in participant.trials)
    shown = [f"{100 * accuracies[name][participant.id]:8.1f} %" for name in methods]
    print(f"sub-{participant.id:6}{windows:8}   " + " ".join(shown))
means = [f"{100 * method['accuracy']['mean']:8.1f} %" for method in comparison["methods"]]
print("mean" + " " * 17 + " ".join(means))

# %% One listener's decoder, trained on all trials: where and when speech shows in the EEG.
decoder = heed.LSDecoder(sampling_frequency=64).fit(listeners[0])
channel, lag = divmod(abs(decoder.patterns_).argmax(), len(decoder.lags_))
print(
    f"\nsub-{listeners.participants[0]}: speech shows most at {decoder.feature_names_in_[channel]}, "
    f"{1000 * decoder.lags_[lag]:.0f} ms after it was heard"
)
# decoder.save("decoder.json") writes what `heed score --model decoder.json` reads.
