// SPDX-License-Identifier: MIT
// What the trackers take from Python, parsed, and the way over its sequences: some at a time, without the GIL.
#pragma once

#include <heed/data/model.h>
#include <heed/emission/dependence.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/batch.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "native/arrays.h"
#include "native/interrupt.h"

namespace heed::python {

// What all trackers take, parsed.
struct Call {
  Rows rows{};
  std::vector<Index> lengths{};
  std::optional<Model> model{};
  hmm::Chain chain;
  Seconds window{1};
  std::optional<hmm::Bank> bank{};                         // of an unknown switch probability, instead of the chain
  std::optional<emission::DependentGaussian> dependent{};  // of a model whose windows depend on each other

  [[nodiscard]] bool single() const { return lengths.size() == 1; }
  [[nodiscard]] Index longest() const { return *std::ranges::max_element(lengths); }
  // Rows between two looks for Ctrl-C: some milliseconds of work, and log-likelihoods that stay in the cache.
  [[nodiscard]] Index rows_at_a_time(Index passes = 1) const {
    constexpr Index steps = 1 << 18;
    const Index states = chain.states();
    const Index a_row = chain.as_sticky() != nullptr ? states : states * states;
    return std::max<Index>(steps / a_row / passes, 1);
  }
};

// As pybind11 hands them over.
struct Options {
  py::object switch_probability = py::none();
  py::object emission = py::none();
  py::object transition = py::none();
  py::object initial = py::none();
  py::object window = py::none();
  py::object lengths = py::none();
};

// Throws invalid_argument naming the argument.
Call parse(const py::object& values, const Options& options);

// Of an array with something for each window, or so many columns.
std::vector<py::ssize_t> shape_of(const Call& call, std::optional<Index> columns);

// Sequences first ... first+count-1 lie in `rows` rows from `row` on.
struct Slice {
  std::size_t first = 0;
  std::size_t count = 0;
  Index row = 0;
  Index rows = 0;
};

// The log-likelihoods of a slice: the caller's array itself where its rows lie end to end, else what is made of them
// and kept until the next slice. The engine has other code for rows that lie apart, so that the last bit of a posterior
// would depend on where in memory its scores were.
class Evidence {
 public:
  Evidence(const Call& call, Released& released) : call_(call), released_(released) {}

  MatrixView of(const Slice& slice);

 private:
  void make(const MatrixView& scores, const MutableMatrixView& out, Index windows_before) const;

  const Call& call_;
  Released& released_;
  LogLikelihoods made_{};
};

// Calls work(slice, its lengths and log-likelihoods) over all sequences, some at a time, without the GIL, and looks for
// Ctrl-C in between.
template <typename Work>
void in_slices(const Call& call, Released& released, const Work& work) {
  Evidence evidence(call, released);
  Slice slice;
  for (std::size_t k = 0; k < call.lengths.size(); ++k) {
    slice.count += 1;
    slice.rows += call.lengths[k];
    if (slice.rows < call.rows_at_a_time() && k + 1 < call.lengths.size()) continue;
    work(slice, hmm::BatchView{evidence.of(slice), std::span(call.lengths).subspan(slice.first, slice.count)});
    released.check();
    slice = {k + 1, 0, slice.row + slice.rows, 0};
  }
}

// A sequence on its own.
LogLikelihoods copied_windows(const Call& call, const MatrixView& rows);

// Sequences as one listener's trials, in order: each knows what those before it have said of p. work(bank, windows,
// sequence, row) tracks one of them and gives what it says of p.
template <typename Work>
void in_trials(const Call& call, const Work& work) {
  hmm::Bank bank = *call.bank;
  Released released;
  in_slices(call, released, [&](const Slice& slice, const hmm::BatchView& batch) {
    Index row = 0;
    for (std::size_t k = 0; k < batch.lengths.size(); ++k) {
      const LogLikelihoods windows = copied_windows(call, batch.log_likelihood.middle_rows(row, batch.lengths[k]));
      const hmm::Switching switching = work(bank, windows, slice.first + k, slice.row + row);
      bank = bank.with_weights(switching.after);
      released.check();
      row += batch.lengths[k];
    }
  });
}

}  // namespace heed::python
