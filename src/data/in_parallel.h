// SPDX-License-Identifier: MIT
// Independent pieces of work over a few threads. Results lie where the piece's number says, so they are the same for
// any number of threads; at most so many pieces are in memory at once as there are threads.
#pragma once

#include <heed/data/error.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

namespace heed::data {

struct Threads {
  std::size_t count = 1;  // 0: as many as the machine has
};

// Calls work(k) for k = 0 ... pieces-1, each once. [k] of what comes back is what work(k) threw, or null: one piece
// that fails with an Error does not stop the others; after anything else (a bug, an interruption) no more are begun.
// `done` is called after each piece with the number of finished ones, never by two threads at once.
std::vector<std::exception_ptr> in_parallel(std::size_t pieces, Threads threads,
                                            const std::function<void(std::size_t)>& work,
                                            const std::function<void(std::size_t)>& done = {});

// The same, but what is thrown first is thrown on, and nothing is begun after it.
void each_in_parallel(std::size_t pieces, Threads threads, const std::function<void(std::size_t)>& work);

// The same as values: [k] the Error of piece k, or nothing. What is no Error is thrown on.
[[nodiscard]] std::vector<std::optional<Error>> errors_of(const std::vector<std::exception_ptr>& failures);

}  // namespace heed::data
