// SPDX-License-Identifier: MIT
// Docstrings of models. Their examples are run by tests/python.
#pragma once

namespace heed::python::texts {

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

inline constexpr const char* model_reference = R"(reference(window=1.0, *, hop=None)

heed's reference, a last resort where nobody knows what a listener's correlations mean: neither labels, nor other
listeners, nor enough windows to learn it without. It is made from simulated listeners, so how sure it makes a decision
says little of anybody real.

Parameters
----------
window : float
    Seconds that a window lasts.
hop : float, optional
    Seconds from one window to the next, where they overlap; by default the window's length.

Examples
--------
>>> import heed
>>> heed.Model.reference().origin
"heed's reference, made from simulated listeners"
>>> heed.filter([[0.2, 0.1], [0.3, 0.0]], 0.01, emission=heed.Model.reference()).round(2)[-1].tolist()
[0.59, 0.41]
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
