function measures = heed_evaluate(varargin)
%HEED_EVALUATE  How well posteriors or a path follow the known attention.
%   MEASURES = HEED_EVALUATE(ESTIMATE, ATTENDED) takes posteriors, time x speakers,
%   or one speaker per window, and one label per window: speakers count from 1; NaN
%   or 0 where attention is not known. Both may be cells of trials, which are pooled.
%
%   MEASURES = HEED_EVALUATE(..., 'Window', SECONDS) says how far windows are apart; 1.
%
%   The fields of MEASURES, NaN where something does not exist:
%
%   accuracy                   from each detected switch to the next true one, 0 to 1
%   whole_accuracy             over all labelled windows, 0 to 1
%   switch_time                seconds from a switch to its detection, mean; a missed
%                              switch counts as its whole block
%   false_switches_per_minute  changes of the decision that belong to no switch
%   switches, missed           how many there were, and how many were never detected
%
%   Example:
%      attended = [ones(300, 1); 2 * ones(300, 1)];
%      p = heed_smooth(randn(600, 2) + 0.5 * [attended == 1, attended == 2]);
%      measures = heed_evaluate(p, attended);
%
%   See also HEED_SMOOTH, HEED_PLOT.

% SPDX-License-Identifier: MIT
measures = heed_mex('evaluate', varargin{:});
end
