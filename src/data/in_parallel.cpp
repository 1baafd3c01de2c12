// SPDX-License-Identifier: MIT
#include <data/in_parallel.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>

namespace heed::data {
namespace {

// Joined at the end, however that comes: std::jthread, which LLVM's library has from version 18 on.
struct Helpers {
  std::vector<std::thread> threads{};

  ~Helpers() {
    for (std::thread& one : threads) one.join();
  }
};

}  // namespace

std::vector<std::exception_ptr> in_parallel(std::size_t pieces, Threads threads,
                                            const std::function<void(std::size_t)>& work,
                                            const std::function<void(std::size_t)>& done) {
  std::vector<std::exception_ptr> failures(pieces);
  std::atomic<std::size_t> next = 0;
  std::mutex counting;
  std::size_t finished = 0;
  const auto count_one = [&]() noexcept {
    const std::scoped_lock lock(counting);
    ++finished;
    try {
      if (done) done(finished);
    } catch (...) {  // NOLINT(bugprone-empty-catch): telling how far it came never changes the outcome
    }
  };
  const auto take_pieces = [&] {
    for (std::size_t k = next++; k < pieces; k = next++) {
      try {
        work(k);
      } catch (const Error&) {
        failures[k] = std::current_exception();
      } catch (...) {
        failures[k] = std::current_exception();
        next = pieces;
      }
      count_one();
    }
  };
  const std::size_t wanted = threads.count == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads.count;
  {
    Helpers helpers;
    try {
      for (std::size_t k = 1; k < std::min(wanted, pieces); ++k) helpers.threads.emplace_back(take_pieces);
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): the threads there are do all of it
    }
    take_pieces();  // the calling thread works too
  }
  return failures;
}

void each_in_parallel(std::size_t pieces, Threads threads, const std::function<void(std::size_t)>& work) {
  std::atomic<bool> failed = false;
  const auto failures = in_parallel(pieces, threads, [&](std::size_t k) {
    if (failed) return;
    try {
      work(k);
    } catch (...) {
      failed = true;
      throw;
    }
  });
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

std::vector<std::optional<Error>> errors_of(const std::vector<std::exception_ptr>& failures) {
  std::vector<std::optional<Error>> errors(failures.size());
  for (std::size_t k = 0; k < failures.size(); ++k) {
    if (!failures[k]) continue;
    try {
      std::rethrow_exception(failures[k]);
    } catch (const Error& error) {
      errors[k] = error;
    }
  }
  return errors;
}

}  // namespace heed::data
