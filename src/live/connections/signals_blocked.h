// SPDX-License-Identifier: MIT
// A thread takes the signals that its maker would take. Made with all of them blocked, it takes none: Ctrl-C finds the
// program, and a reader that has gone is an error of write, not the end of the process.
#pragma once

#include <pthread.h>

#include <csignal>

namespace heed::live {

class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  SignalsBlocked(SignalsBlocked&&) = delete;
  SignalsBlocked& operator=(SignalsBlocked&&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace heed::live
