# SPDX-License-Identifier: MIT
# %% [markdown]
# # What a gain is worth
# A hearing aid does not decide, it turns talkers up and down. Which map from belief to gain is worth most to the
# listener? Give a file name to draw the gains around a switch: `python3 06_gains.py gains.svg`.

# %% The causal belief of a listener who moves attention every two minutes.
import sys

import numpy as np

import heed

me, *others = heed.simulate_scores(participants=6, trials=1, minutes=12, accuracy=0.66, switch_every=120, seed=11)
trial = me.trials[0]
hmm = heed.AttentionHMM(switch_probability=0.005).fit(others)
belief = heed.filter(trial.scores, 0.005, emission=hmm.model_)

# %% Four maps. The dead zone, heed's default, waits until a speaker is more probable than 0.8.
MAPS = ("dead-zone", "2dB/nat", "decibels", "decision")
gains = {name: heed.gains(belief, name) for name in MAPS}  # windows x speakers, in dB
print("map         benefit dB   wrong dB s/min   travel dB/min")
for name in MAPS:
    worth = heed.gain_worth(gains[name], trial.attended)
    print(f"{name:9} {worth['benefit']:12.1f} {worth['wrong_emphasis']:16.1f} {worth['travel']:15.1f}")

# %% The same without computing gains oneself.
measures = heed.evaluate(belief, trial.attended, gain=MAPS)
print("\nwith heed.evaluate:", measures["gains"]["dead-zone"]["benefit"] == heed.gain_worth(gains["dead-zone"], trial.attended)["benefit"])

# %% Around the third switch: belief above, gains of the newly attended speaker over the other one below.
if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "heed"  # the same bytes each time
    switch = np.flatnonzero(np.diff(trial.attended))[2] + 1
    seen = slice(switch - 40, switch + 80)
    new = trial.attended[switch]
    time = np.arange(seen.start, seen.stop) - switch
    figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(7.1, 3.9), height_ratios=(1, 2), layout="constrained")
    above.plot(time, belief[seen, new], color="black", lw=1)
    above.axhspan(0.2, 0.8, color="0.92", lw=0)
    above.set(ylabel="belief", ylim=(0, 1), title="Gains around a switch of attention (simulated listener)")
    for name, style in zip(MAPS, ("-", "-.", "--", ":")):
        below.plot(time, gains[name][seen, new] - gains[name][seen, 1 - new], style, lw=1.4, label=name)
    below.axhline(0, color="0.7", lw=0.6)
    for axes in (above, below):
        axes.axvline(0, color="0.4", lw=0.8)
        axes.spines[["top", "right"]].set_visible(False)
    below.set(xlabel="seconds after the switch", ylabel="new over old speaker, dB", yticks=(-12, -6, 0, 6, 12))
    below.legend(frameon=False, loc="lower right")
    figure.savefig(sys.argv[1], metadata={"Date": None} if sys.argv[1].endswith(".svg") else None)
