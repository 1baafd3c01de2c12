# SPDX-License-Identifier: MIT
# %% [markdown]
# # Which tracker follows attention best?
# Quick followers waver, calm ones come late. A fair comparison has many listeners, learns each listener's emission from
# the others, and says by how much the methods differ and whether that may be chance.

# %% Twelve listeners, whose attention moves every minute or two. Score files of your own: heed.read_scores("folder").
import sys

import heed

cohort = heed.simulate_scores(participants=12, trials=2, accuracy=0.62, switch_every=(60, 125), seed=3)
print(cohort[0])

# %% Every method on everybody. The first one is what the others are tested against.
comparison = heed.compare(cohort, methods=["causal", "fixed-lag", "smooth", "viterbi", "raw"], sweep=True)
print(f"\n{comparison}")

# %% The same numbers as a dict, as `heed compare --json` prints them; what does not exist is None.
first = max(comparison["methods"], key=lambda method: method["accuracy"]["mean"])
print(f"\nmost accurate at p = 0.001: {first['name']}, {100 * first['accuracy']['mean']:.1f} %")
causal = next(method for method in comparison["methods"] if method["name"] == "causal")
hardest = min(causal["participants"], key=lambda listener: listener["accuracy"])
print(f"hardest to follow: sub-{hardest['id']}, {100 * hardest['accuracy']:.1f} % by the causal method")

# %% How willing to switch should the model be? Each method over p, the probability of a switch in a window.
print("\nbest p of    p        accuracy %   switch time s")
for name, points in comparison.curves.items():
    best = max(points, key=lambda point: point["accuracy"]["mean"])
    accuracy, time = 100 * best["accuracy"]["mean"], best["switch_time"]["mean"]
    print(f"{name:9}    {best['switch_probability']:.4f}   {accuracy:10.1f}   {time:13.1f}")
print("the longer a method looks ahead, the more willing to switch it may be")

# %% What no tracker can beat: the quickest gain control, given how accurate windows of each length are.
bound = heed.mesd([1, 2, 5, 10, 20], [0.62, 0.66, 0.74, 0.81, 0.88])
print(f"\nMESD: {bound['mesd']:.1f} s, with windows of {bound['window']:.1f} s")

# %% The picture: up and to the left is better. Give a name to keep it: 03_compare_trackers.py tradeoff.png
if len(sys.argv) > 1:
    heed.plot.tradeoff(comparison, title="Twelve simulated listeners").figure.savefig(sys.argv[1], dpi=200)
    print(f"\ndrawn: {sys.argv[1]}")
