# SPDX-License-Identifier: MIT
# %% [markdown]
# # Attention as it happens
# Live there is no future to look at. `step` takes the scores of one window and gives back the probability that each
# speaker is attended now, in microseconds: the filter of the hearing aid, to the bit.

# %% A model learnt from others, who are not here any more: a file is enough.
import tempfile
import time
from pathlib import Path

import numpy as np

import heed

me, *others = heed.simulate_scores(participants=6, trials=1, minutes=4, accuracy=0.7, switch_every=120, seed=4)
model = Path(tempfile.mkdtemp()) / "model.json"
heed.AttentionHMM().fit(others).save(model)  # `heed track --model` reads it too
hmm = heed.AttentionHMM.load(model, switch_probability=0.005)

# %% Windows come in one by one. At 100 s an electrode falls off: NaN, and the belief waits.
stream = np.array(me.trials[0].scores)
stream[100:110] = np.nan
decided = None
for second, scores in enumerate(stream):
    belief = hmm.step(scores)
    if hmm.decision_ != decided:
        decided = hmm.decision_
        print(f"{second:4d} s: attending {me.speakers[decided]:5} with probability {belief[decided]:.2f}")
print("the truth: a move at", np.flatnonzero(np.diff(me.trials[0].attended))[0] + 1, "s")

# %% What was streamed is what the whole recording gives, every bit of it.
whole = heed.filter(stream, 0.005, emission=hmm.model_)
hmm.reset()  # a new trial
print("\nstep by step equals the whole:", np.array_equal([hmm.step(scores) for scores in stream], whole))

start = time.perf_counter()
for scores in stream:
    hmm.step(scores)
print(f"a step takes {1e6 * (time.perf_counter() - start) / len(stream):.1f} microseconds")

# %% Who can wait five seconds knows more: a fixed lag answers for the window five seconds ago.
patient = heed.AttentionHMM.load(model, switch_probability=0.005, method="fixed-lag", lag=5)
beliefs = [patient.step(scores) for scores in stream]  # the first five are None: nothing to say yet
rows = np.array(beliefs[5:] + list(patient.finish()))  # the last five come at the end
known = me.trials[0].attended
print("\nright without waiting:", f"{100 * np.mean(whole.argmax(axis=1) == known):.0f} % of the windows")
print("right five seconds later:", f"{100 * np.mean(rows.argmax(axis=1) == known):.0f} %")
