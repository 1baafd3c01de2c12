// SPDX-License-Identifier: MIT
// Lines of an NDJSON stream to blocks: first the header, then scores, log-likelihoods or signals (docs/formats.md).
// Pure: it is handed lines and knows no socket. What it keeps is bounded by the longest line.
#pragma once

#include <heed/live/stream.h>
#include <live/sources/json_line.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heed::live {

class NdjsonReader {
 public:
  // Rows of a line are at most so many bytes of text: about a second of 64 channels at 2048 Hz.
  static constexpr std::size_t longest_line = std::size_t{4} << 20U;

  // name: of the stream, for its description.
  explicit NdjsonReader(std::string name);

  // The next line, without its end. Its blocks replace those of the line before that were not taken. An empty line has
  // none. Throws bad_data: "line 7, column 12: ...".
  void read(std::string_view line);
  // What the stream holds is known: after the header of signals, else after the first line of data.
  [[nodiscard]] bool is_described() const noexcept { return described_; }
  [[nodiscard]] const StreamDescription& description() const noexcept { return stream_; }
  [[nodiscard]] std::size_t lines() const noexcept { return lines_; }

  // The next block of the line, by exchange: its storage serves a later line. False: there is none left.
  [[nodiscard]] bool take(Block& block);

 private:
  void read_header(std::string_view line);
  void read_data(std::string_view line);
  void read_member(std::string_view key, JsonLine& json);
  void read_scores(StreamContent content, JsonLine& json);
  void read_eeg(JsonLine& json);
  void read_sounds(FeedKind kind, JsonLine& json);
  void read_attended(JsonLine& json);
  void read_text(BlockKind kind, JsonLine& json);
  [[nodiscard]] Speaker speaker(std::string_view name, const JsonLine& json) const;
  Block& use(std::size_t slot, BlockKind kind, const JsonLine& json);

  struct Slot {
    Block block{};
    bool used = false;
  };

  StreamDescription stream_;
  bool described_ = false;
  std::size_t lines_ = 0;
  std::optional<Seconds> stamp_;
  std::vector<Slot> slots_;  // in the order in which a session wants them: what is said, sound, then EEG or scores
  std::size_t taken_ = 0;    // slots looked at by take()
  std::string text_;
  JsonLine json_;
};

}  // namespace heed::live
