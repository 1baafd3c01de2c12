// SPDX-License-Identifier: MIT
// openMHA's TCP port: one line that sets a variable, answered by (MHA:success), or by a text and (MHA:failure).
#include <data/text.h>
#include <heed/data/error.h>
#include <live/connections/line_reader.h>
#include <live/connections/outlet.h>
#include <live/sinks/open_sink.h>
#include <live/sinks/threaded_sink.h>

#include <algorithm>
#include <optional>

namespace heed::live {
namespace {

// Gains that are late are of no use: only the newest waits.
constexpr std::size_t places = 1;
constexpr std::size_t longest_answer = 4096;
constexpr Seconds patience{5};  // for an answer
constexpr std::string_view taken = "(MHA:success)";
constexpr std::string_view failed = "(MHA:failure)";

// Names as openMHA's configuration has them: mha.gain.gains, mha.transducers[0].gain.
void check_variable(const Address& address) {
  const bool named = std::ranges::all_of(address.path, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '[' || c == ']';
  });
  if (!named) {
    throw Error(ErrorKind::invalid_argument, address.text + ": '" + address.path +
                                                 "' cannot be a variable of openMHA; write it as in mha.gain.gains");
  }
}

class MhaSpeech final : public Speech {
 public:
  explicit MhaSpeech(const Address& address) : variable_(address.path), outlet_(address) {}

  [[nodiscard]] bool deliver(const Report& report, const Waker& waker) override {
    command_ = variable_ + "=[";
    for (const double gain : report.gains) command_ += (command_.ends_with('[') ? "" : " ") + data::shown(gain);
    command_ += "]\n";
    const Index connections = outlet_.reconnects();
    if (!outlet_.write(command_, waker)) {
      trouble_ = outlet_.name() + ": openMHA has gone, and the last gains did not arrive";
      return false;
    }
    if (!answers_ || connections != outlet_.reconnects()) answers_.emplace(outlet_.descriptor(), longest_answer);
    return listen(waker);
  }

  [[nodiscard]] std::string trouble() const override { return trouble_; }
  [[nodiscard]] SinkCounts counts() const noexcept override {
    return {.refused = refused_, .reconnects = outlet_.reconnects()};
  }

 private:
  [[nodiscard]] bool listen(const Waker& waker) {
    std::string text;
    try {
      std::string_view line;
      while (answers_->next(line, waker, patience) == LineReader::Came::line) {
        if (line.find(taken) != std::string_view::npos) {
          trouble_.clear();
          return true;
        }
        const std::size_t failure = line.find(failed);
        text += line.substr(0, failure);
        text.resize(std::min(text.size(), longest_answer));
        if (failure == std::string_view::npos) continue;
        text += line.substr(failure + failed.size());
        ++refused_;
        trouble_ = outlet_.name() + ": openMHA refused the gains: " + text;
        return true;
      }
    } catch (const Error&) {
      // The connection was lost, or what answers is not openMHA: as good as no answer.
    }
    trouble_ = outlet_.name() + ": openMHA did not answer";
    outlet_.lose();
    answers_.reset();
    return false;
  }

  std::string variable_;
  Outlet outlet_;
  std::optional<LineReader> answers_;
  std::string command_;
  std::string trouble_;
  std::atomic<Index> refused_ = 0;
};

}  // namespace

std::unique_ptr<Sink> open_mha(const SinkRequest& request) {
  check_variable(request.address);
  return std::make_unique<ThreadedSink>(std::make_unique<MhaSpeech>(request.address), ThreadedSink::Room{places},
                                        static_cast<Index>(request.stream.speakers.size()));
}

}  // namespace heed::live
