function emission = heed_fit(varargin)
%HEED_FIT  Learns what a score means, with labels or without.
%   EMISSION = HEED_FIT(SCORES, ATTENDED) takes scores, time x speakers, and one
%   label per window: the column of the attended speaker, counted from 1; NaN or 0
%   where it is not known. Both may be cells of trials. EMISSION is a struct for
%   'Emission' of HEED_FILTER, HEED_SMOOTH and HEED_VITERBI.
%
%   EMISSION = HEED_FIT(SCORES, []) needs no labels: attention lasts, and scores
%   show whom it stays with (Baum-Welch).
%
%   EMISSION = HEED_FIT(SCORES, 'reference') learns nothing: a last resort, where nobody
%   knows what this listener's correlations mean. It is heed's reference, made from
%   simulated listeners, for windows of this Window and Length; how sure it makes a
%   decision says little of anybody real.
%
%   EMISSION = HEED_FIT(..., NAME, VALUE, ...):
%
%   'Fisher'             true for correlations (atanh first), false for log-odds; true
%   'Spread'             'shared': one sigma. 'separate': one each for attended and
%                        unattended. 'exchangeable': one sigma, and a correlation
%                        between speakers. 'auto': shared, or exchangeable where
%                        the columns are one score told several times, as s and -s
%                        are, with a warning; 'auto'
%   'Window'             seconds from one window to the next; 1
%   'Length'             seconds that a window lasts, where windows overlap; Window
%   'Evidence'           with labels: 'as-is' counts evidence as it is, 'scaled'
%                        multiplies log-likelihoods by the evidence scale, and
%                        'where-unusual' does so where it lies below 0.8 or above
%                        1.25, with a warning; 'where-unusual', as in the program
%   'SwitchProbability'  per window; 0.001 * Window. Without labels only
%
%   The fields are fisher, mu_attended, mu_unattended, sigma_attended,
%   sigma_unattended (means and spreads after atanh where fisher is 1), correlation;
%   temperature, by which log-likelihoods are divided: 1, or 1/evidence_scale where
%   evidence is scaled; and evidence_scale: 1 where scores mean what they say, 0.5
%   where each counts twice, and NaN without labels. Scores that do not tell the
%   speakers apart without labels decide nothing, and a warning says so.
%
%   Example:
%      attended = [ones(300, 1); 2 * ones(300, 1)];
%      scores = 0.3 * randn(600, 2) + 0.2 * [attended == 1, attended == 2];
%      emission = heed_fit(tanh(scores), attended);
%      p = heed_smooth(tanh(scores), 'Emission', emission);
%
%   See also HEED_SMOOTH, HEED_EVALUATE.

% SPDX-License-Identifier: MIT
emission = heed_mex('fit', varargin{:});
end
