function [posterior, log_evidence] = heed_smooth(varargin)
%HEED_SMOOTH  Probability that each speaker is attended, given the whole trial.
%   P = HEED_SMOOTH(X) takes log-likelihoods, time x speakers, and returns as many
%   probabilities; each row sums to one. A row with NaN is a missing window.
%   X may be a cell of trials; then P is one, too.
%
%   [P, LOG_EVIDENCE] = HEED_SMOOTH(X, NAME, VALUE, ...) also returns the natural
%   logarithm of how probable the windows are. Names:
%
%   'Emission'           what a score means, as HEED_FIT returns it; X then holds
%                        scores, such as correlations. Without it, log-likelihoods
%   'Window'             seconds from one window to the next; 1
%   'SwitchProbability'  of moving to each other speaker, per window; 0.001 * Window
%   'Transition'         speakers x speakers instead of SwitchProbability, row = from
%   'Initial'            probabilities in the first window; all equal
%
%   Example:
%      p = heed_smooth(randn(600, 2), 'SwitchProbability', 1e-3);
%      size(p)
%
%   See also HEED_FILTER, HEED_VITERBI, HEED_FIT, HEED_EVALUATE, HEED_PLOT.

% SPDX-License-Identifier: MIT
[posterior, log_evidence] = heed_mex('smooth', varargin{:});
end
