# SPDX-License-Identifier: MIT
# %% [markdown]
# # From noisy scores to a trajectory of attention
# A decoder scores each second of EEG once per speaker: how well does the brain follow this one? One second says
# little. A hidden Markov model knows that attention rarely moves, and adds the seconds up.

# %% Eight listeners with a decoder that is right two times in three; attention moves every five minutes.
import numpy as np

import heed

listeners = heed.simulate_scores(participants=8, trials=1, minutes=15, accuracy=0.65, seed=3)
me, others = listeners[0], listeners[1:]
scores = me.trials[0].scores  # windows x speakers, one window a second
attended = me.trials[0].attended  # the truth: a column of `scores` for each window
print(f"{len(scores)} windows; three of the scores of {' and '.join(me.speakers)}:")
print(scores[:3].round(2))

# %% What a score means is learnt from the others' labels. Mine are kept for the judgement.
hmm = heed.AttentionHMM().fit(others)
print(f"\nlearnt: {hmm.model_.emission}")
print(f"attention moves with a probability of {hmm.switch_probability_:g} in a window")

# %% Three ways to decide. Causal sees the windows so far, as a hearing aid would; smooth sees them all.
raw = scores.argmax(axis=1)
causal = heed.AttentionHMM(method="causal").fit(others).predict(scores)
smooth = hmm.predict(scores)
print("\nright in")
for name, decided in [("each window alone", raw), ("causal", causal), ("smooth", smooth)]:
    print(f"  {name:18} {100 * np.mean(decided == attended):5.1f} % of the windows")

# %% When were the moves of attention noticed?
for name, decided in [("causal", causal), ("smooth", smooth)]:
    measured = heed.evaluate(decided, attended)
    print(f"{name}: a move is noticed after {measured['switch_time']:.0f} s on average")

# %% Probabilities, not only decisions: below, each letter is ten seconds. Capitals are sure (beyond 90 %).
probabilities = hmm.predict_proba(scores)[:, 1]
letters = ["lLrR"[2 * (p > 0.5) + (max(p, 1 - p) > 0.9)] for p in probabilities[5::10]]
truth = np.array(list("LR"))[attended[5::10]]
print("\ntruth  ", "".join(truth))
print("heed   ", "".join(letters))

# %% The picture of all this, where matplotlib is installed:
#
#     heed.plot.attention(hmm.predict_proba(scores), truth=attended, speakers=me.speakers)
