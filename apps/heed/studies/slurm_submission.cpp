// SPDX-License-Identifier: MIT
#include "studies/slurm_submission.h"

#include <heed/data/error.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <sstream>

namespace heed::app {
namespace {

// What a program writes goes into a file without a name: no pipe can fill up while the other is read.
class Scribble {
 public:
  Scribble() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) throw Error(ErrorKind::io, std::string("no temporary file: ") + std::strerror(errno));
  }
  [[nodiscard]] int descriptor() const { return ::fileno(file_.get()); }
  [[nodiscard]] std::string text() const {
    std::string text;
    std::array<char, 4096> part{};
    std::rewind(file_.get());
    for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), file_.get())) > 0;) {
      text.append(part.data(), got);
    }
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

struct Answer {
  bool good = false;
  std::string out;
  std::string err;
};

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  void send(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, to, from); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

Error no_sbatch(int reason) {
  return {ErrorKind::unsupported, std::string("sbatch cannot be started (") + std::strerror(reason) +
                                      "): --submit wants a machine where jobs of Slurm are submitted; without it the "
                                      "script is printed, to be taken there"};
}

Answer ask_sbatch(std::vector<std::string> words) {
  const Scribble out;
  const Scribble err;
  FileActions actions;
  actions.send(STDOUT_FILENO, out.descriptor());
  actions.send(STDERR_FILENO, err.descriptor());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t process = 0;
  const int failure = ::posix_spawnp(&process, argv[0], actions.get(), nullptr, argv.data(), environ);
  if (failure != 0) throw no_sbatch(failure);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw Error(ErrorKind::io, std::string("waiting for sbatch: ") + std::strerror(errno));
  }
  return {WIFEXITED(status) && WEXITSTATUS(status) == 0, out.text(), err.text()};
}

// The last line "17" or "17;cluster"; sites may greet before it.
std::optional<std::string> job_number(const std::string& text) {
  std::istringstream lines(text);
  std::optional<std::string> found;
  for (std::string line; std::getline(lines, line);) {
    const std::string number = line.substr(0, line.find(';'));
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (!number.empty() && std::ranges::all_of(number, is_digit)) found = number;
  }
  return found;
}

std::string without_line_end(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  return text;
}

}  // namespace

std::string submit_to_slurm(const std::filesystem::path& script, std::vector<std::string> options) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  for (std::string& option : options) words.push_back(std::move(option));
  words.push_back(script.string());
  const Answer answer = ask_sbatch(std::move(words));
  if (!answer.good) {
    const std::string said = without_line_end(answer.err.empty() ? answer.out : answer.err);
    throw Error(ErrorKind::unsupported,
                script.string() + ": sbatch refuses it: " + (said.empty() ? "and does not say why" : said));
  }
  const std::optional<std::string> number = job_number(answer.out);
  if (!number) {
    throw Error(ErrorKind::unsupported, script.string() + ": sbatch took it, but gave no number: '" +
                                            without_line_end(answer.out) + "'; squeue --me shows the job");
  }
  return *number;
}

}  // namespace heed::app
