// SPDX-License-Identifier: MIT
// Lets a standard stream of this process be a file for as long as the object lives.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace heed::test {

class Redirect {
 public:
  // stream: STDIN_FILENO or STDOUT_FILENO; flags and mode as for open().
  Redirect(int stream, const std::filesystem::path& file, int flags) : stream_(stream), kept_(::dup(stream)) {
    (void)std::fflush(stdout);
    const int opened = ::open(file.c_str(), flags, 0600);
    if (kept_ < 0 || opened < 0 || ::dup2(opened, stream) < 0) throw std::runtime_error("cannot redirect a stream");
    ::close(opened);
  }
  ~Redirect() {
    (void)std::fflush(stdout);
    ::dup2(kept_, stream_);
    ::close(kept_);
  }
  Redirect(const Redirect&) = delete;
  Redirect& operator=(const Redirect&) = delete;
  Redirect(Redirect&&) = delete;
  Redirect& operator=(Redirect&&) = delete;

 private:
  int stream_;
  int kept_;
};

}  // namespace heed::test
