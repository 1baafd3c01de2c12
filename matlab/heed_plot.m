function handles = heed_plot(posterior, varargin)
%HEED_PLOT  Draws attention over time: one area per speaker, stacked to one.
%   HEED_PLOT(P) draws posteriors, time x speakers, into the current axes. The height
%   of an area is the probability of its speaker.
%
%   HANDLES = HEED_PLOT(P, NAME, VALUE, ...) returns the areas. Names:
%
%   'Attended'  the attended speaker of each window, counted from 1; NaN or 0 where
%               it is not known. Drawn as a strip above the areas
%   'Window'    seconds from one window to the next; 1
%   'Speakers'  a cell of names for the legend
%   'Title'     a title
%
%   Example:
%      attended = [ones(300, 1); 2 * ones(300, 1)];
%      p = heed_smooth(randn(600, 2) + 0.5 * [attended == 1, attended == 2]);
%      heed_plot(p, 'Attended', attended, 'Speakers', {'left', 'right'});
%
%   See also HEED_SMOOTH, HEED_EVALUATE.

% SPDX-License-Identifier: MIT
if nargin < 1 || ~isnumeric(posterior) || ~isreal(posterior) || ndims(posterior) ~= 2 || size(posterior, 2) < 2
  error('heed:badArgument', 'heed_plot needs posteriors, time x speakers');
end
if any(any(posterior < 0 | posterior > 1 | isnan(posterior))) || any(abs(sum(posterior, 2) - 1) > 1e-6)
  error('heed:badData', 'these are not posteriors: each row has to be probabilities that sum to one');
end
[windows, speakers] = size(posterior);
options = read_options(windows, speakers, varargin);

edges = (0:windows) * options.Window;
colours = heed_colours(speakers);
tops = [zeros(windows, 1), cumsum(double(posterior), 2)];
x = reshape([edges(1:end-1); edges(2:end)], 1, []);  % both ends of each window
handles = zeros(1, speakers);
held = ishold();
for j = 1:speakers
  lower = reshape([tops(:, j)'; tops(:, j)'], 1, []);
  upper = reshape([tops(:, j + 1)'; tops(:, j + 1)'], 1, []);
  handles(j) = patch([x, fliplr(x)], [lower, fliplr(upper)], colours(j, :), 'EdgeColor', 'none');
  hold on
end
draw_strip(options.Attended, edges, colours);
if ~held
  hold off
end
finish_axes(options, handles, edges(end));
if nargout == 0
  clear handles
end
end

function options = read_options(windows, speakers, given)
options = struct('Attended', [], 'Window', 1, 'Speakers', {{}}, 'Title', '');
names = fieldnames(options);
if mod(numel(given), 2) ~= 0
  error('heed:badArgument', 'names and values come in pairs after the posteriors, such as ''Window'', 1');
end
for k = 1:2:numel(given)
  if iscell(given{k}) || ~any(strcmpi(given{k}, names))
    error('heed:badArgument', 'options of heed_plot are Attended, Window, Speakers and Title');
  end
  options.(names{strcmpi(given{k}, names)}) = given{k + 1};
end
if isa(options.Speakers, 'string')  % MATLAB's "names"
  options.Speakers = cellstr(options.Speakers);
end
if ~isnumeric(options.Window) || ~isscalar(options.Window) || ~(options.Window > 0)
  error('heed:badArgument', 'Window is in seconds and above 0');
end
if ~isnumeric(options.Attended)
  error('heed:badArgument', 'Attended holds one label per window, counted from 1; NaN or 0 where it is not known');
end
if ~isempty(options.Attended) && numel(options.Attended) ~= windows
  error('heed:badArgument', 'Attended needs one label per window, %d in all; it has %d', windows, numel(options.Attended));
end
known = options.Attended(~isnan(options.Attended));
wrong = known(known < 0 | known > speakers | known ~= floor(known));
if ~isempty(wrong)
  error('heed:badArgument', 'Attended names speaker %g, and there are %d', wrong(1), speakers);
end
if isempty(options.Speakers)
  options.Speakers = arrayfun(@(j) sprintf('speaker %d', j), 1:speakers, 'UniformOutput', false);
elseif ~iscellstr(options.Speakers) || numel(options.Speakers) ~= speakers
  error('heed:badArgument', 'Speakers has to be a cell with %d names', speakers);
end
end

% One rectangle for each stretch of time that a speaker is attended.
function draw_strip(attended, edges, colours)
attended = double(attended(:)');
attended(isnan(attended)) = 0;
starts = find([true, diff(attended) ~= 0]);
ends = [starts(2:end), numel(attended) + 1];
for k = 1:numel(starts) * ~isempty(attended)
  if attended(starts(k)) < 1
    continue
  end
  left = edges(starts(k));
  right = edges(ends(k));
  patch([left right right left], [1.03 1.03 1.09 1.09], colours(attended(starts(k)), :), 'EdgeColor', 'none');
end
end

function finish_axes(options, handles, last)
ticks = 0:0.25:1;
names = {'0', '0.25', '0.5', '0.75', '1'};
if ~isempty(options.Attended)
  ticks(end + 1) = 1.06;  % the middle of the strip
  names{end + 1} = 'attended';
end
set(gca, 'XLim', [0 last], 'YLim', [0 ticks(end) + 0.03 * (ticks(end) > 1)], 'YTick', ticks, 'YTickLabel', names, 'Layer', 'top', ...
    'Box', 'off', 'TickDir', 'out');
xlabel('time (s)');
ylabel('P(attended)');
if ~isempty(options.Title)
  title(options.Title);
end
legend(handles, options.Speakers, 'Location', 'eastoutside');
legend('boxoff');
end
