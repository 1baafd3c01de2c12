// SPDX-License-Identifier: MIT
// Log-likelihoods to weights exp(l - largest), a row per window, and what they add to the log-evidence.
// A missing window (NaN, +inf, all -inf) weighs 1 for every state. Included inside a kernel file's
// unnamed namespace, after registers.h.

struct Weighed {
  double shift = 0;  // sum of the largest log-likelihoods
  long held = 0;
};

// Two states, `lanes` windows at a time: rows in, rows out, both contiguous.
inline void weigh_pairs(const double* rows, double* weights, Lane& shift, Lane& held) {
  const Lane x = load(rows);
  const Lane y = load(rows + lanes);
  const Lane a = evens(x, y);
  const Lane b = odds(x, y);
  const Lane top = larger(a, b);
  const Lane ratio = exponential((a > b ? b : a) - top);
  const auto whole = (a < infinity) & (b < infinity) & (top > -infinity);
  const Lane one = splat(1);
  const Lane wa = whole ? (a >= b ? one : ratio) : one;
  const Lane wb = whole ? (b >= a ? one : ratio) : one;
  shift += whole ? top : Lane{};
  held += whole ? Lane{} : one;
  store(weights, zip_low(wa, wb));
  store(weights + lanes, zip_high(wa, wb));
}

inline Weighed weigh_two(const double* rows, double* weights, long windows) {
  Lane shift{};
  Lane held{};
  long t = 0;
  for (; t + lanes <= windows; t += lanes) weigh_pairs(rows + 2 * t, weights + 2 * t, shift, held);
  if (t < windows) {
    // Rows of zeros fill the register up: they weigh 1, shift nothing and are thrown away.
    double padded[2 * lanes] = {};
    double result[2 * lanes];
    const auto bytes = static_cast<unsigned long>(windows - t) * 2 * sizeof(double);
    __builtin_memcpy(padded, rows + 2 * t, bytes);
    weigh_pairs(padded, result, shift, held);
    __builtin_memcpy(weights + 2 * t, result, bytes);
  }
  return {sum(shift), static_cast<long>(sum(held))};
}

// Rows that fill V registers exactly, one at a time.
template <long V>
inline Weighed weigh_full_rows(const double* rows, double* weights, long windows) {
  Weighed result;
  for (long t = 0; t < windows; ++t) {
    const double* row = rows + t * V * lanes;
    Lane top = load(row);
    Lane total = top;
    for (long v = 1; v < V; ++v) {
      top = larger(top, load(row + v * lanes));
      total += load(row + v * lanes);
    }
    const double highest = largest(top);
    // A NaN can hide from comparisons, but not in the sum; nor can +inf.
    const bool whole = sum(total) < infinity && highest > -infinity;
    for (long v = 0; v < V; ++v) {
      const Lane weight = exponential(load(row + v * lanes) - highest);
      store(weights + t * V * lanes + v * lanes, whole ? weight : splat(1));
    }
    result.shift += whole ? highest : 0;
    result.held += whole ? 0 : 1;
  }
  return result;
}

// Rows of any length: the differences first, then their exponentials regardless of where rows end.
inline Weighed weigh_any_rows(const double* rows, double* weights, long windows, long states) {
  Weighed result;
  for (long t = 0; t < windows; ++t) {
    const double* row = rows + t * states;
    double highest = row[0];
    bool finite = row[0] < infinity;  // not so for NaN
    for (long j = 1; j < states; ++j) {
      highest = row[j] > highest ? row[j] : highest;
      finite &= row[j] < infinity;
    }
    const bool whole = finite & (highest > -infinity);
    for (long j = 0; j < states; ++j) weights[t * states + j] = whole ? row[j] - highest : 0;
    result.shift += whole ? highest : 0;
    result.held += whole ? 0 : 1;
  }
  const long count = windows * states;
  long i = 0;
  for (; i + lanes <= count; i += lanes) store(weights + i, exponential(load(weights + i)));
  double last[lanes] = {};
  const auto bytes = static_cast<unsigned long>(count - i) * sizeof(double);
  __builtin_memcpy(last, weights + i, bytes);
  store(last, exponential(load(last)));
  __builtin_memcpy(weights + i, last, bytes);
  return result;
}
