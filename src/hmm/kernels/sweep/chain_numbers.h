// SPDX-License-Identifier: MIT
// What smoothing wants to know of a chain. Included inside a kernel file's unnamed namespace.

// 1 - Np of a sticky chain, never below 0.
inline double kept_of(const SmoothRun& run) {
  const double kept = 1 - static_cast<double>(run.states) * run.move;
  return kept > 0 ? kept : 0;
}

// Of a general chain's matrix.
inline double smallest_entry(const double* rows, long states) {
  double result = rows[0];
  for (long i = 0; i < states; ++i) {
    for (long j = 0; j < states; ++j) {
      const double p = rows[i * padded(states) + j];
      result = p < result ? p : result;
    }
  }
  return result;
}
