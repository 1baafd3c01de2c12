// SPDX-License-Identifier: MIT
// The step of a session calls the system not once: it is run where the kernel ends a process that does.
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <vector>

#include "support/live_faults.h"

namespace heed::live {
namespace {

// From here on every call but the one that ends the process kills it. False: the kernel does not offer that.
bool forbid_system_calls() {
  auto rules = std::to_array<sock_filter>({
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_exit_group, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  });
  sock_fprog program{.len = static_cast<unsigned short>(rules.size()), .filter = rules.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

constexpr int not_offered = 77;

// The signal that ended it, or 0; nothing where the kernel cannot forbid.
std::optional<int> ended_by(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (!forbid_system_calls()) ::_exit(not_offered);
    work();
    ::syscall(SYS_exit_group, 0);
  }
  int status = 0;
  (void)::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == not_offered) return std::nullopt;
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

class Decisions final : public Sink {
 public:
  void decided(const Decision& decision) override {
    ++count;
    held += decision.held ? 1 : 0;
  }
  int count = 0;
  int held = 0;
};

TEST(SystemCalls, AreNotMadeByTheStepOfASession) {
  const test::FaultSignals signals(1, 60);
  std::vector<Block> blocks;
  for (Index k = 0; k < 60 * 16; ++k) {
    const Seconds stamp{static_cast<double>(k) / 16};
    for (Index feed = 0; feed < 2; ++feed) {
      Block& sound = blocks.emplace_back();
      sound.kind = BlockKind::sound;
      sound.feed = feed;
      sound.rows = 4;
      sound.stamp = stamp;
      for (Index t = 0; t < 4; ++t) {
        sound.values.push_back(signals.envelope(static_cast<std::size_t>(feed), static_cast<double>((4 * k) + t)));
      }
    }
    if (k > 300 && k < 340) continue;  // a gap
    Block& eeg = blocks.emplace_back();
    eeg.kind = BlockKind::eeg;
    eeg.rows = 4;
    eeg.stamp = stamp;
    for (Index t = 0; t < 4; ++t) {
      for (Index c = 0; c < 3; ++c) eeg.samples.push_back(signals.eeg(c, static_cast<double>((4 * k) + t)));
    }
  }
  const auto run = [&](Session& session, Decisions& sink) {
    for (const Block& block : blocks) {
      session.push(block, *block.stamp + Seconds{0.0625}, sink);
      session.wait(*block.stamp + Seconds{0.0625}, sink);
    }
  };
  // The sanitizer asks the system about a type when it meets it first: another session meets all of them before.
  Decisions rehearsed;
  Session rehearsal(test::fault_stream(), test::fault_options());
  run(rehearsal, rehearsed);
  Decisions sink;
  Session session(test::fault_stream(), test::fault_options());
  const auto signal = ended_by([&] {
    run(session, sink);
    if (sink.count < 57 || sink.held < 2) std::abort();  // which is a call, too
  });
  if (!signal) GTEST_SKIP() << "this kernel cannot forbid system calls";
  EXPECT_EQ(*signal, 0);
  // The check can fail.
  EXPECT_EQ(ended_by([&] { (void)::getppid(); }), SIGSYS);
}

}  // namespace
}  // namespace heed::live
