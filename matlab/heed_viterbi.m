function [path, log_probability] = heed_viterbi(varargin)
%HEED_VITERBI  The most probable path of attention through a trial.
%   PATH = HEED_VITERBI(X) takes log-likelihoods, time x speakers, and returns one
%   speaker per window, counted from 1. A row with NaN is a missing window. X may be
%   a cell of trials; then PATH is one, too.
%
%   [PATH, LOG_PROBABILITY] = HEED_VITERBI(X, NAME, VALUE, ...) also returns the
%   natural logarithm of the joint probability of path and windows. Names are
%   'Emission', 'Window', 'SwitchProbability', 'Transition' and 'Initial', as for
%   HEED_SMOOTH.
%
%   Example:
%      path = heed_viterbi([2 0; 1 0; 0 3; 0 3], 'SwitchProbability', 0.1)'
%
%   See also HEED_SMOOTH, HEED_FILTER, HEED_EVALUATE.

% SPDX-License-Identifier: MIT
[path, log_probability] = heed_mex('viterbi', varargin{:});
end
