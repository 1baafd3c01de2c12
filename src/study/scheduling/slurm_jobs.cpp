// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/atomic_file.h>
#include <spawn.h>
#include <study/scheduling/slurm_jobs.h>
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
#include <string_view>
#include <system_error>

namespace heed::study {
namespace {

namespace fs = std::filesystem;

// ---- scripts ----

// A text whose {names} are replaced.
std::string filled(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string>> values) {
  std::string result;
  while (!text.empty()) {
    const auto fits = [&](const auto& one) { return text.starts_with(one.first); };
    const auto* found = std::ranges::find_if(values, fits);
    result += found != values.end() ? found->second : std::string(1, text.front());
    text.remove_prefix(found != values.end() ? found->first.size() : 1);
  }
  return result;
}

bool is_plain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Wishes become words of an #SBATCH line: letters, digits and these, so that a line stays one.
void check_wish(const std::string& subject, const std::string& wish, const std::string& example) {
  constexpr std::string_view also = ":-_.,+@";
  const bool good =
      std::ranges::all_of(wish, [&](char c) { return is_plain(c) || also.find(c) != std::string_view::npos; });
  if (good && !wish.starts_with('-')) return;
  throw Error(ErrorKind::invalid_argument,
              "Slurm does not know the " + subject + " '" + wish + "'; write it like " + example);
}

void check_path(const fs::path& path) {
  const std::string text = path.string();
  const auto broken = [](char c) { return c == '\\' || std::iscntrl(static_cast<unsigned char>(c)) != 0; };
  if (std::ranges::none_of(text, broken)) return;
  throw Error(ErrorKind::invalid_argument,
              text + ": Slurm cannot be given a path with a backslash or a control character; rename the folder");
}

// A path for --output: Slurm takes quotes as a shell does, and replaces what follows a percent sign.
std::string log_word(const fs::path& folder, std::string_view name) {
  std::string text;
  for (const char c : folder.string()) text += c == '%' ? "%%" : std::string(1, c);
  return data::shell_word(text + "/" + std::string(name));
}

std::string directive(const std::string& option, const std::string& value) {
  return value.empty() ? "" : "#SBATCH --" + option + "=" + value + "\n";
}

// What both jobs are asked for.
std::string site_directives(const SlurmWishes& wishes) {
  return directive("time", wishes.time) + directive("mem", wishes.memory) + directive("partition", wishes.partition) +
         directive("account", wishes.account);
}

// For squeue: letters and digits of the plan's name.
std::string job_name(const std::string& job, const SlurmPaths& paths) {
  std::string name = paths.plan.filename().string();
  std::ranges::replace_if(
      name, [](char c) { return !is_plain(c) && c != '.' && c != '_'; }, '-');
  return "heed-" + job + "-" + name;
}

std::string array_script(const SlurmWishes& wishes, const SlurmPaths& paths) {
  const std::string tasks = std::to_string(wishes.tasks);
  return filled(
      R"(#!/bin/bash
# Task i of {tasks} does the i-th share of the plan's participants. Those who are finished are passed over: submit it
# again, all of it or some tasks (sbatch --array=3), and only what is missing is done.
{directives}# After a node failed Slurm may start a task again; its log goes on.
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
# Code 1: all is done, but participants had to be left out; the log says whom. The table can be made.
{heed} study run {plan} --shard auto/{tasks} --threads "${SLURM_CPUS_PER_TASK:-1}" || {
  code=$?
  ((code == 1)) || exit "$code"
}
)",
      {{"{tasks}", tasks},
       {"{directives}", directive("job-name", job_name("run", paths)) + directive("array", "1-" + tasks) +
                            directive("cpus-per-task", std::to_string(wishes.cpus)) + site_directives(wishes) +
                            directive("output", log_word(log_folder(paths.plan), "run-%A_%a.log"))},
       {"{heed}", data::shell_word(paths.heed.string())},
       {"{plan}", data::shell_word(paths.plan.string())}});
}

std::string gather_script(const SlurmWishes& wishes, const SlurmPaths& paths) {
  return filled(R"(#!/bin/bash
# Starts once every task of the array has done its share, and makes the table. Where a task failed it never starts, and
# leaves the queue.
{directives}#SBATCH --kill-on-invalid-dep=yes
set -eu
exec {heed} study gather {plan} -o {table}
)",
                {{"{directives}", directive("job-name", job_name("gather", paths)) + site_directives(wishes) +
                                      directive("output", log_word(log_folder(paths.plan), "gather-%j.log"))},
                 {"{heed}", data::shell_word(paths.heed.string())},
                 {"{plan}", data::shell_word(paths.plan.string())},
                 {"{table}", data::shell_word(paths.table.string())}});
}

// ---- sbatch ----

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
                                      "): jobs are submitted where Slurm is installed; elsewhere have the "
                                      "script printed, and take it there"};
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

std::string submit_to_slurm(const fs::path& script, const std::vector<std::string>& options) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(script.string());
  const Answer answer = ask_sbatch(std::move(words));
  if (!answer.good) {
    const std::string reason = without_line_end(answer.err.empty() ? answer.out : answer.err);
    throw Error(ErrorKind::unsupported,
                script.string() + ": sbatch refuses it: " + (reason.empty() ? "it does not say why" : reason));
  }
  const std::optional<std::string> number = job_number(answer.out);
  if (!number) {
    throw Error(ErrorKind::unsupported, script.string() + ": sbatch accepted the job, but gave no number: '" +
                                            without_line_end(answer.out) + "'; squeue --me shows the job");
  }
  return *number;
}

}  // namespace

fs::path log_folder(const fs::path& plan) { return plan / "logs"; }
fs::path script_folder(const fs::path& plan) { return plan / "slurm"; }

SlurmScripts slurm_scripts(const SlurmWishes& wishes, const SlurmPaths& paths) {
  check_wish("time limit", wishes.time, "02:00:00 or 1-12 (a day and twelve hours)");
  check_wish("memory", wishes.memory, "4G");
  check_wish("partition", wishes.partition, "the names that sinfo lists");
  check_wish("account", wishes.account, "the name your site gave you");
  for (const auto& path : {paths.heed, paths.plan, paths.table}) check_path(path);
  return {array_script(wishes, paths), gather_script(wishes, paths)};
}

std::string submitting_script(const SlurmScripts& scripts, const SlurmPaths& paths) {
  return filled(R"(#!/bin/bash
# Two jobs for Slurm: an array that runs the plan, and the gathering of its results. Run this by bash where you submit
# jobs, or let 'heed study slurm' submit them by --submit.
set -eu
mkdir -p {logs}

array=$(sbatch --parsable <<'END_OF_ARRAY'
{array}END_OF_ARRAY
)
array=${array%%;*} # some sites add the cluster's name

gather=$(sbatch --parsable --dependency="afterok:$array" <<'END_OF_GATHER'
{gather}END_OF_GATHER
)
echo "array: job $array; gather, after it: job ${gather%%;*}"
)",
                {{"{logs}", data::shell_word(log_folder(paths.plan).string())},
                 {"{array}", scripts.array},
                 {"{gather}", scripts.gather}});
}

SlurmJobs submit(const SlurmScripts& scripts, const SlurmPaths& paths) {
  const fs::path folder = script_folder(paths.plan);
  for (const fs::path& one : {log_folder(paths.plan), folder}) {
    std::error_code failure;
    fs::create_directories(one, failure);
    if (failure)
      throw Error(ErrorKind::cannot_create, one.string() + ": cannot be created (" + failure.message() + ")");
  }
  io::write_text_file(folder / "array.sbatch", scripts.array);
  io::write_text_file(folder / "gather.sbatch", scripts.gather);
  const std::string array = submit_to_slurm(folder / "array.sbatch", {});
  try {
    return {array, submit_to_slurm(folder / "gather.sbatch", {"--dependency=afterok:" + array})};
  } catch (const Error& error) {
    throw Error(error.kind(), std::string(error.what()) + "; the array runs as job " + array +
                                  ": once it is done, 'heed study gather " + data::shell_word(paths.plan.string()) +
                                  " -o TABLE.tsv' makes the table");
  }
}

}  // namespace heed::study
