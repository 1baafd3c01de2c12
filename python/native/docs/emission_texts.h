// SPDX-License-Identifier: MIT
// Docstrings of emissions. Their examples are run by tests/python.
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

}  // namespace heed::python::texts
