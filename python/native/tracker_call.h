// SPDX-License-Identifier: MIT
// What the trackers take from Python, parsed, and the way over its sequences: some at a time, without the GIL, by as
// many threads as are wanted.
#pragma once

#include <data/in_parallel.h>
#include <heed/data/model.h>
#include <heed/emission/dependence.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/batch.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <atomic>
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
  std::size_t threads = 1;

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
  py::object threads = py::none();  // as many as the machine has: 0; one: none
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

// All sequences, some at a time; the same slices for any number of threads.
std::vector<Slice> slices_of(const Call& call);

// Calls work(slice, its lengths and log-likelihoods) over all sequences, without the GIL, and looks for Ctrl-C in
// between. Every thread makes its work by make_work() and takes slices in their order.
template <typename MakeWork>
void in_slices(const Call& call, std::size_t threads, Released& released, const MakeWork& make_work) {
  const std::vector<Slice> slices = slices_of(call);
  std::atomic<std::size_t> next = 0;
  data::each_in_parallel(std::min(threads, slices.size()), {threads}, [&](std::size_t /*thread*/) {
    Evidence evidence(call, released);
    auto work = make_work();
    try {
      for (std::size_t k = next++; k < slices.size(); k = next++) {
        const Slice& slice = slices[k];
        work(slice, hmm::BatchView{evidence.of(slice), std::span(call.lengths).subspan(slice.first, slice.count)});
        released.check();
      }
    } catch (...) {
      next = slices.size();
      throw;
    }
  });
}

// A sequence on its own.
LogLikelihoods copied_windows(const Call& call, const MatrixView& rows);

// Sequences as one listener's trials, in order: each knows what those before it have said of p. work(bank, windows,
// sequence, row) tracks one of them and gives what it says of p.
template <typename Work>
void in_trials(const Call& call, const Work& work) {
  hmm::Bank bank = *call.bank;
  Released released;
  const auto over_slice = [&](const Slice& slice, const hmm::BatchView& batch) {
    Index row = 0;
    for (std::size_t k = 0; k < batch.lengths.size(); ++k) {
      const LogLikelihoods windows = copied_windows(call, batch.log_likelihood.middle_rows(row, batch.lengths[k]));
      const hmm::Switching switching = work(bank, windows, slice.first + k, slice.row + row);
      bank = bank.with_weights(switching.after);
      released.check();
      row += batch.lengths[k];
    }
  };
  in_slices(call, 1, released, [&] { return over_slice; });
}

}  // namespace heed::python
