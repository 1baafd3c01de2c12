function heed_build(prefix)
%HEED_BUILD  Compiles the door to heed's library, once, in MATLAB or Octave.
%   HEED_BUILD(PREFIX) takes the headers and libheed-c from where heed was installed
%   (cmake --install ... --prefix PREFIX). HEED_BUILD alone asks pkg-config.
%   In heed's own build for Octave, and in the package octave-heed, this has been done.
%
%   See also HEED_SMOOTH.

% SPDX-License-Identifier: MIT
folder = fileparts(mfilename('fullpath'));
if nargin < 1
  include = asked('--variable=includedir');
  library = asked('--variable=libdir');
else
  prefix = char(prefix);
  libraries = [dir(fullfile(prefix, 'lib', 'libheed-c.*')); dir(fullfile(prefix, 'lib', '*', 'libheed-c.*'))];
  headers = dir(fullfile(prefix, 'include', 'heed', 'c_offline.h'));
  if isempty(libraries) || isempty(headers)
    error('heed:notFound', 'no libheed-c below %s; install heed there first', prefix);
  end
  library = libraries(1).folder;             % the compiler knows neither ~ nor where this is called from
  include = fileparts(headers(1).folder);
end
source = fullfile(folder, 'heed_mex.c');
words = {['-I' include], ['-L' library], '-lheed-c', source};
if exist('OCTAVE_VERSION', 'builtin')
  mex(['-Wl,-rpath,' library], '-o', fullfile(folder, 'heed_mex'), words{:});
else
  mex('-outdir', folder, ['LDFLAGS=$LDFLAGS -Wl,-rpath,' library], words{:});
end
end

function answer = asked(question)
[status, answer] = system(['pkg-config ' question ' heed-c']);
answer = strtrim(answer);
if status ~= 0
  error('heed:notFound', 'pkg-config does not know heed-c; give the folder heed was installed to: heed_build(PREFIX)');
end
end
