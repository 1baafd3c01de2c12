// SPDX-License-Identifier: MIT
// `heed doctor`: does heed work on this machine? Runs the engine on cases whose answers are known.
#include <decode/dense/dense.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/data/version.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/smooth.h>
#include <io/growing_file.h>
#include <live/lsl/lsl_library.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <thread>

#include "exit_code.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

struct Finding {
  std::string subject;
  bool good = true;
  std::string detail;
  ExitCode code = exit_software;  // where it is not good
};

// Two speakers: the filter's log-odds obey lambda_t = l_t + 2 atanh((1-2p) tanh(lambda_{t-1}/2)).
Finding check_filter() {
  constexpr double p = 0.01;
  RandomStream random(1);
  LogLikelihoods evidence{Matrix(500, 2), Seconds{1}};
  for (double& value : std::span(evidence.values.data(), 1000)) value = random.normal();
  const Posteriors posteriors = hmm::filter(hmm::Chain::sticky(2, p), evidence);
  double log_odds = 0;
  double worst = 0;
  for (Index t = 0; t < 500; ++t) {
    if (t > 0) log_odds = 2 * std::atanh((1 - 2 * p) * std::tanh(log_odds / 2));
    log_odds += evidence.values(t, 0) - evidence.values(t, 1);
    worst = std::max(worst, std::abs(posteriors.values(t, 0) - 1 / (1 + std::exp(-log_odds))));
  }
  return {"causal filter against its closed form", worst < 1e-12, fmt::format("largest difference {:.1e}", worst)};
}

Finding check_smoother() {
  RandomStream random(2);
  LogLikelihoods evidence{Matrix(300, 3), Seconds{1}};
  for (double& value : std::span(evidence.values.data(), 900)) value = random.normal();
  const auto chain = hmm::Chain::sticky(3, 0.02);
  const Posteriors causal = hmm::filter(chain, evidence);
  const Posteriors smooth = hmm::smooth(chain, evidence);
  const double worst = (causal.values.row(299) - smooth.values.row(299)).cwiseAbs().maxCoeff();
  return {"smoother equals the filter at the end", worst < 1e-12, fmt::format("largest difference {:.1e}", worst)};
}

void write_to(const std::string& file) {
  io::GrowingFile written(file, "a file");
  written.append("heed");
  written.finish();
}

Finding check_writing() {
  const char* const subject = "files can be written";
  try {
    const auto folder = std::filesystem::temp_directory_path();
    // In a folder of its own: others who may write to the shared one could put a link in the place of a file.
    std::string name = (folder / "heed-doctor-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      return {subject, false, folder.string() + ": " + io::reason(errno), exit_cannot_create};
    }
    const auto remove = [](const std::string* made) {
      std::error_code left_behind;
      std::filesystem::remove_all(*made, left_behind);
    };
    const std::unique_ptr<const std::string, decltype(remove)> removed_at_the_end(&name, remove);
    write_to(name + "/file");
    return {subject, true, folder.string()};
  } catch (const Error& error) {
    return {subject, false, error.what(), exit_code(error.kind())};
  } catch (const std::filesystem::filesystem_error& error) {
    return {subject, false, error.what(), exit_cannot_create};
  }
}

// What labs have and distributions have not: its absence is no fault.
std::string lab_streaming_text() {
  try {
    const auto library = live::LslLibrary::open();
    return fmt::format("liblsl {} ({})", library->version(), library->file());
  } catch (const Error&) {
    return "no liblsl; it is needed for lsl: alone (heed live --lsl-lib FILE, or HEED_LSL_LIB)";
  }
}

constexpr const char* doctor_examples = R"(Examples:
  heed doctor                                      run it after installing, and before reporting a bug
  heed doctor || echo "heed does not work here"    in a script

Runs the filter and the smoother on known scores, writes a file to the temporary folder, and says which library of
the lab streaming layer 'heed live' would use.)";

int run_doctor() {
  say("heed {}, {}, C++ {}, {}\n", version(), count_text(std::thread::hardware_concurrency(), "thread"), __cplusplus,
#ifdef __OPTIMIZE__
      "optimised build"
#else
      "built without optimisation: slow"
#endif
  );
  const std::array findings{check_filter(), check_smoother(), check_writing()};
  ExitCode code = exit_success;
  for (const Finding& finding : findings) {
    say("  {}  {} ({})\n", finding.good ? "ok  " : "FAIL", finding.subject, finding.detail);
    if (!finding.good && code != exit_software) code = finding.code;
  }
  say("  info  kernels of decoders: {}\n", decode::kernel_name());
  say("  info  lab streaming layer: {}\n", lab_streaming_text());
  const char* const sum = code == exit_success    ? "All is well."
                          : code == exit_software ? "Something is wrong: please report the lines above."
                                                  : "heed works, but cannot write to the temporary folder; set TMPDIR.";
  say("{}\n", sum);
  return code;
}

}  // namespace

void add_doctor(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("doctor", "Check that heed works on this machine");
  verb->footer(doctor_examples);
  verb->callback([&chosen] { chosen = run_doctor; });
}

}  // namespace heed::app
