% SPDX-License-Identifier: MIT
% What callers get wrong: each mistake is an error with an identifier and these words, and heed goes on working.
function misuse()
good = [0.1 0.2; 0.3 -0.1; 0.2 0.1; 0 0.3];
labels = [1 2 1 2];
emission = heed_fit(good, labels);
nothing = emission;
nothing.sigma_attended = -1;
partial = rmfield(emission, 'mu_attended');
cases = {
  @() heed_smooth(), 'heed:badArgument', 'heed_smooth needs a matrix, time x speakers'
  @() heed_smooth('abcd'), 'heed:badArgument', 'full matrix of real numbers, not char'
  @() heed_smooth({good, 'x'}), 'heed:badArgument', 'not char'
  @() heed_smooth({good, []}), 'heed:badArgument', 'trial 2 is empty'
  @() heed_smooth(struct('a', 1)), 'heed:badArgument', 'not struct'
  @() heed_smooth(good + 1i), 'heed:badArgument', 'complex'
  @() heed_smooth(sparse(good)), 'heed:badArgument', 'sparse'
  @() heed_smooth(ones(2, 2, 2)), 'heed:badArgument', 'two dimensions'
  @() heed_smooth(zeros(0, 2)), 'heed:badArgument', 'empty'
  @() heed_smooth(good(:, 1)), 'heed:badArgument', 'at least two'
  @() heed_smooth(randn(2, 600)), 'heed:badArgument', 'transpose it'
  @() heed_smooth(good, 'Window'), 'heed:badArgument', 'pairs'
  @() heed_smooth(good, 3, 4), 'heed:badArgument', 'pairs'
  @() heed_smooth(good, 'Widow', 1), 'heed:badArgument', '''Widow'' is not an option here; there are SwitchProbability'
  @() heed_smooth(good, 'Lag', 1), 'heed:badArgument', '''Lag'' is not an option here'
  @() heed_smooth(good, 'Window', 0), 'heed:badArgument', 'above 0'
  @() heed_smooth(good, 'Window', [1 2]), 'heed:badArgument', 'one number'
  @() heed_smooth(good, 'SwitchProbability', 'often'), 'heed:badArgument', 'one number'
  @() heed_smooth(good, 'SwitchProbability', 0.7), 'heed:badArgument', 'switch probability'
  @() heed_smooth(good, 'SwitchProbability', NaN * [1 1]), 'heed:badArgument', 'one number'
  @() heed_smooth(good, 'SwitchProbability', NaN), 'heed:badArgument', 'not nan'
  @() heed_smooth(good, 'Transition', eye(3)), 'heed:badArgument', '2 x 2'
  @() heed_smooth(good, 'Transition', [0.9 0.2; 0.5 0.5]), 'heed:badArgument', 'row 1'
  @() heed_smooth(good, 'Initial', [1 0 0]), 'heed:badArgument', '2 probabilities'
  @() heed_smooth(good, 'Initial', [0.9 0.9]), 'heed:badArgument', 'sum'
  @() heed_smooth(good, 'Emission', 3), 'heed:badArgument', 'heed_fit'
  @() heed_smooth(good, 'Emission', [emission emission]), 'heed:badArgument', 'one struct, as heed_fit returns it, not 1 x 2 struct'
  @() heed_smooth(good, 'Emission', partial), 'heed:badArgument', 'no field mu_attended'
  @() heed_smooth(good, 'Emission', nothing), 'heed:badArgument', 'sigma'
  @() heed_smooth({good, 2 * good + 1}, 'Emission', emission), 'heed:badData', 'trial 2: '
  @() heed_filter(good, 'Lag', -1), 'heed:badArgument', 'at least 0'
  @() heed_viterbi(good, 'SwitchProbability', 0), 'heed:badArgument', 'switch probability'
  @() heed_fit(good), 'heed:badArgument', 'heed_fit needs scores'
  @() heed_fit(good, [1 2 1]), 'heed:badArgument', 'one label per window, 4 in all; it is 1 x 3'
  @() heed_fit(good, [1 2 3 1]), 'heed:badArgument', 'window 3: 3 is not a speaker; they count from 1 to 2'
  @() heed_fit(good, [1 2 1.5 1]), 'heed:badArgument', '1.5 is not a speaker'
  @() heed_fit({good, good}, labels), 'heed:badArgument', 'one vector per trial'
  @() heed_fit({good, [good good]}, {labels, labels}), 'heed:badArgument', 'number of speakers'
  @() heed_fit({}, {}), 'heed:badArgument', 'no trial'
  @() heed_fit(good, labels, 'Spread', 'wide'), 'heed:badArgument', 'not ''wide'''
  @() heed_fit(good, labels, 'Fisher', NaN), 'heed:badArgument', 'Fisher is true or false'
  @() heed_fit(0 * good, labels), 'heed:badData', 'do not vary'
  @() heed_fit(good, 'labels'), 'heed:badArgument', 'attended is labels, [] or ''reference'', not ''labels'''
  @() heed_path_probability(good), 'heed:badArgument', 'and a path, one speaker per window'
  @() heed_path_probability(good, [1 2 3 1]), 'heed:badArgument', 'the path, window 3: 3 is not a speaker'
  @() heed_path_probability(good, [1 2]), 'heed:badArgument', 'the path has to be a vector with one label per window, 4 in all'
  @() heed_path_probability({good}, labels), 'heed:badArgument', 'the path has to be a cell with one vector per trial'
  @() heed_fit(5 * good, labels), 'heed:badData', 'correlation'
  @() heed_fit(good, [1 1 1 1] * NaN), 'heed:badData', ''
  @() heed_evaluate(good), 'heed:badArgument', 'heed_evaluate needs'
  @() heed_evaluate([1 2 NaN 1], labels), 'heed:badArgument', 'window 3: nobody'
  @() heed_evaluate([0.5 0.5; NaN NaN], [1 1]), 'heed:badData', 'NaN'
  @() heed_evaluate(labels, labels, 'Window', -1), 'heed:badArgument', 'above 0'
  @() heed_plot(good), 'heed:badData', 'sum to one'
  @() heed_plot(3), 'heed:badArgument', 'time x speakers'
  @() heed_plot([0.5 0.5], 'Attended', [1 1]), 'heed:badArgument', 'one label per window'
  @() heed_plot([0.5 0.5], 'Attended', 3), 'heed:badArgument', 'there are 2'
  @() heed_plot([0.5 0.5], 'Attended', -1), 'heed:badArgument', 'speaker -1'
  @() heed_plot([0.5 0.5], 'Attended', 1.5), 'heed:badArgument', 'speaker 1.5'
  @() heed_plot([0.5 0.5], 'Attended', {1}), 'heed:badArgument', 'one label per window'
  @() heed_plot([0.5 0.5], {}, 1), 'heed:badArgument', 'options of heed_plot'
  @() heed_plot([0.5 0.5], 'Speakers', {'a'}), 'heed:badArgument', '2 names'
  @() heed_plot([0.5 0.5], 'Colour', 1), 'heed:badArgument', 'options of heed_plot'
  @() heed_mex(), 'heed:badArgument', 'is called by'
  @() heed_mex(1), 'heed:badArgument', 'a word in quotes'
  @() heed_mex('melt', good), 'heed:badArgument', 'no command ''melt'''
  @() heed_build('no such folder'), 'heed:notFound', 'no libheed-c'
};
for k = 1:size(cases, 1)
  said = '(no error)';
  identifier = '';
  try
    cases{k, 1}();
  catch failure
    said = failure.message;
    identifier = failure.identifier;
  end
  if ~strcmp(identifier, cases{k, 2}) || isempty(strfind(said, cases{k, 3})) && ~isempty(cases{k, 3})
    error('case %d, %s: %s "%s"', k, func2str(cases{k, 1}), identifier, said);
  end
end
assert(size(heed_smooth(good)), [4 2]);  % still alive
fprintf('%d mistakes\n', size(cases, 1));
end
