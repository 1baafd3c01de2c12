// SPDX-License-Identifier: MIT
// Docstrings of emissions and models. Their examples are run by tests/python.
#pragma once

namespace heed::python::texts {

inline constexpr const char* gaussian_emission =
    R"(GaussianEmission(mu_attended, mu_unattended, sigma, *, sigma_unattended=None, correlation=None, fisher=True)

Scores are normal given who is attended: the paper's emission.

Parameters
----------
mu_attended, mu_unattended : float
    Mean score of the attended speaker, and of every other one; after atanh where ``fisher``.
sigma : float
    Standard deviation of the scores, of the attended speaker's where ``sigma_unattended`` is given.
sigma_unattended : float, optional
    Of the others' scores, where it differs.
correlation : float, optional
    Between the scores of every two speakers; -1 for two scores made from one difference.
fisher : bool
    Scores are correlations, within -1 ... 1, and go through atanh first. False for log-odds (LDA, CCA).

Examples
--------
>>> import heed
>>> heed.GaussianEmission(0.124, 0.037, 0.303)
<heed: fisher-gaussian, shared sigma: mu 0.124 / 0.037, sigma 0.303>
)";

inline constexpr const char* softmax_emission = R"(SoftmaxEmission(class_priors=None)

Scores are logits of a classifier, one per speaker; the priors it was trained with are divided out.

Examples
--------
>>> import heed
>>> heed.SoftmaxEmission([0.5, 0.5]).class_priors
[0.5, 0.5]
)";

inline constexpr const char* probability_emission = R"(ProbabilityEmission(class_priors=None)

Scores are P(attending j | the window) of a classifier; the priors it was trained with are divided out.

Examples
--------
>>> import heed
>>> probabilities = [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]]
>>> heed.filter(probabilities, 0.01, emission=heed.ProbabilityEmission()).round(2)
array([[0.6 , 0.4 ],
       [0.78, 0.22],
       [0.46, 0.54]])
)";

inline constexpr const char* hard_decision_emission = R"(HardDecisionEmission(accuracy)

Only the largest score of a window counts: it names the speaker, rightly with probability ``accuracy``.

Examples
--------
>>> import heed
>>> heed.HardDecisionEmission(0.6).accuracy
0.6
)";

inline constexpr const char* log_likelihood_emission = R"(LogLikelihoodEmission()

Scores are log-likelihoods already, natural logarithm.

Examples
--------
>>> import heed
>>> heed.LogLikelihoodEmission()
<heed: log-likelihood>
)";

inline constexpr const char* gaussian_component = R"(One normal distribution of a mixture.

Attributes
----------
weight : float
mean : ndarray (features,)
covariance : ndarray (features, features)

Examples
--------
>>> import heed, numpy as np
>>> random = np.random.default_rng(1)
>>> attended = np.repeat([0, 1], 300)
>>> features = random.standard_normal((600, 3)) + attended[:, None]
>>> hmm = heed.AttentionHMM(emission="mixture", states=["left", "right"]).fit(features, attended)
>>> component = hmm.model_.emission.mixtures[1][0]
>>> component.mean.shape, component.covariance.shape
((3,), (3, 3))
)";

inline constexpr const char* mixture_emission = R"(Features of any number, a Gaussian mixture for each state.

Made by ``AttentionHMM(emission="mixture").fit`` or read with a model file.

Attributes
----------
states, features : list of str
mixtures : list of list of GaussianComponent, one list a state

Examples
--------
>>> import heed, numpy as np
>>> random = np.random.default_rng(1)
>>> attended = np.repeat([0, 1], 300)
>>> features = random.standard_normal((600, 3)) + attended[:, None]
>>> hmm = heed.AttentionHMM(emission="mixture", states=["left", "right"]).fit(features, attended)
>>> hmm.model_.emission.states, len(hmm.model_.emission.mixtures)
(['left', 'right'], 2)
)";

inline constexpr const char* model =
    R"(Model(emission, *, window=1.0, temperature=1.0, origin='given by hand', hop=None, autocorrelation=0.0,
offset_sigma=0.0)

A trained model: what turns scores into log-likelihoods. The program and Python share its files.

Parameters
----------
emission : an emission, e.g. GaussianEmission
window : float
    Length in seconds of the windows it was fitted on.
temperature : float
    Log-likelihoods are divided by it: above 1 windows say less.
origin : str
    One line for people.
hop : float, optional
    Seconds from one of those windows to the next, where they overlapped; by default the window's length.
autocorrelation : float
    Of a score's noise with that of the next window, at least 0 and below 1: a score that repeats the one before says
    less. For Gaussian emissions with one sigma, without a temperature.
offset_sigma : float
    Standard deviation of the bias that each trial adds to the difference of two speakers' scores; 0: no such bias.

Examples
--------
>>> import heed
>>> model = heed.Model(heed.GaussianEmission(0.124, 0.037, 0.303), window=1.0)
>>> heed.Model.from_json(model.to_json()) == model
True
)";

inline constexpr const char* model_load = R"(load(path)

Reads a model file: of ``heed track --save-model``, or of ``save``.

Examples
--------
>>> import heed
>>> heed.Model(heed.HardDecisionEmission(0.6)).save("model.json")
>>> heed.Model.load("model.json").emission.accuracy
0.6
)";

inline constexpr const char* model_from_json = R"(from_json(text)

The model a file's text holds.

Examples
--------
>>> import heed
>>> model = heed.Model(heed.HardDecisionEmission(0.6))
>>> heed.Model.from_json(model.to_json()) == model
True
)";

inline constexpr const char* model_save = R"(save(path)

Writes a model file that ``heed track --model`` reads; whole or not at all.

Examples
--------
>>> import heed
>>> heed.Model(heed.HardDecisionEmission(0.6)).save("model.json")
)";

inline constexpr const char* model_to_json = R"(to_json()

The text of the model's file; every number reads back exactly.

Examples
--------
>>> import heed, json
>>> json.loads(heed.Model(heed.HardDecisionEmission(0.6)).to_json())["Emission"]["Accuracy"]
0.6
)";

}  // namespace heed::python::texts
