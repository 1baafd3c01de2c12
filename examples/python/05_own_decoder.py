# SPDX-License-Identifier: MIT
# %% [markdown]
# # A decoder of your own
# Whatever says something about a window can be post-processed. Here it is a classifier of scikit-learn, which knows
# nothing of time; its probabilities go into the hidden Markov model.

# %% Windows of two seconds with five features, e.g. band powers of five electrodes; a listener who sometimes turns.
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict

import heed

rng = np.random.default_rng(5)
attended = np.tile(np.repeat([0, 1], 90), 5)  # 0 is left, 1 is right; a turn every three minutes
features = rng.standard_normal((len(attended), 5)) + 0.5 * attended[:, None] * [1, 1, 0, -1, 0]

# %% Probabilities of windows the classifier was not trained on. Folds are blocks of time, as neighbours are alike.
classifier = LogisticRegression()
probabilities = cross_val_predict(classifier, features, attended, cv=KFold(5), method="predict_proba")
print(f"the classifier alone is right in {100 * np.mean(probabilities.argmax(axis=1) == attended):.0f} % of the windows")

# %% Nothing is to be learnt: the emission "probability" takes a classifier at its word. What it learnt about how often
# each speaker is attended is divided out, for that is the business of the Markov chain.
priors = np.bincount(attended) / len(attended)
hmm = heed.AttentionHMM(emission="probability", class_priors=priors, window=2.0).fit(probabilities)
for method in ["causal", "fixed-lag", "smooth", "viterbi"]:
    accuracy = hmm.set_params(method=method).score(probabilities, attended)
    print(f"  with the hidden Markov model, {method:9}: {100 * accuracy:.0f} %")

# %% Classifiers are often too sure of themselves, or too modest. Labels tell by how much: one temperature mends it.
calibrated = heed.AttentionHMM(emission="probability", class_priors=priors, window=2.0, calibrate=True)
temperature = calibrated.fit(probabilities, attended).model_.temperature
print(f"\ntemperature {temperature:.2f}: the classifier was {'too sure of itself' if temperature > 1 else 'too modest'}")

# %% Or leave the classifier out: one Gaussian for the features of each state. Half is learnt from, half is judged.
own = heed.AttentionHMM(emission="mixture", states=["left", "right"], components=1, window=2.0)
half = len(attended) // 2
own.fit(features[:half], attended[:half])
print(f"Gaussians on the features themselves: {100 * own.score(features[half:], attended[half:]):.0f} %")
