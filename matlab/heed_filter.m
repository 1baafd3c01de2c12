function [posterior, log_evidence] = heed_filter(varargin)
%HEED_FILTER  Probability that each speaker is attended, given the windows so far.
%   P = HEED_FILTER(X) takes log-likelihoods, time x speakers, and returns as many
%   probabilities; each row sums to one. A row with NaN is a missing window.
%   X may be a cell of trials; then P is one, too.
%
%   [P, LOG_EVIDENCE] = HEED_FILTER(X, NAME, VALUE, ...) also returns the natural
%   logarithm of how probable the windows are. Names:
%
%   'Emission'           what a score means, as HEED_FIT returns it; X then holds
%                        scores, such as correlations. Without it, log-likelihoods
%   'Window'             seconds from one window to the next; 1
%   'SwitchProbability'  of moving to each other speaker, per window; 0.001 * Window
%   'Lag'                seconds of later windows that each row may use; without it, none
%   'Transition'         speakers x speakers instead of SwitchProbability, row = from
%   'Initial'            probabilities in the first window; all equal
%
%   Example:
%      correlations = tanh(0.1 + 0.3 * randn(600, 2));
%      emission = heed_fit(correlations, []);             % no labels
%      p = heed_filter(correlations, 'Emission', emission);
%      late = heed_filter(correlations, 'Emission', emission, 'Lag', 5);
%
%   See also HEED_SMOOTH, HEED_VITERBI, HEED_FIT, HEED_EVALUATE, HEED_PLOT.

% SPDX-License-Identifier: MIT
[posterior, log_evidence] = heed_mex('filter', varargin{:});
end
