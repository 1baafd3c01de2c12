function found = heed_path_probability(varargin)
%HEED_PATH_PROBABILITY  How probable a given path of attention is.
%   FOUND = HEED_PATH_PROBABILITY(X, PATH) takes log-likelihoods, time x speakers, and
%   one speaker per window, counted from 1: labels, decisions, or any other path. Where
%   PATH is NaN or 0, every speaker will do. Both may be cells of trials.
%
%   FOUND = HEED_PATH_PROBABILITY(X, PATH, NAME, VALUE, ...): names are 'Emission',
%   'Window', 'SwitchProbability', 'Transition' and 'Initial', as for HEED_SMOOTH.
%
%   The fields of FOUND are natural logarithms, one for each trial; -Inf for what
%   cannot be:
%
%   log_prior      of the path alone
%   log_joint      of the path and all windows; that of HEED_VITERBI is the largest
%   log_evidence   of all windows, whatever the path
%   log_posterior  of the path, given all windows
%
%   Example:
%      windows = log([0.9 0.1; 0.4 0.6; 0.9 0.1]);
%      found = heed_path_probability(windows, [1 1 1], 'SwitchProbability', 0.1);
%      exp(found.log_posterior)
%
%   See also HEED_VITERBI, HEED_SMOOTH.

% SPDX-License-Identifier: MIT
found = heed_mex('path_probability', varargin{:});
end
