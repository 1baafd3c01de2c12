// SPDX-License-Identifier: MIT
// Bytes of BioSemi ActiView's TCP server to blocks: samples of all channels, 24 bit, little endian, 1/32 uV each, and
// after them the Status word if ActiView sends it. The stream does not say what it holds, so it is checked where it can
// be: bits of the Status word that never change during a recording, triggers that change rarely. Pure: no socket.
#pragma once

#include <heed/live/stream.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::live {

struct BiosemiLayout {
  Index channels = 0;            // without Status
  std::optional<bool> status{};  // whether it is sent; nothing: found out from the first samples
  Hertz rate{};
  Index block_rows = 0;  // at most so many in one block; 0: a sixteenth of a second
};

class BiosemiDecoder {
 public:
  // Throws invalid_argument for a layout that no ActiveTwo has.
  explicit BiosemiDecoder(const BiosemiLayout& layout);

  // Bytes as they came, at most largest_piece of them. Blocks that were not taken before are kept.
  static constexpr std::size_t largest_piece = std::size_t{1} << 16U;
  void feed(std::span<const std::uint8_t> bytes);
  // The next block: EEG in uV, NaN while the electrodes are out of range; after it the triggers that began in it, as
  // markers with the decimal number. False: more bytes are needed. Throws bad_data where the layout cannot be right.
  [[nodiscard]] bool take(Block& block);
  // The connection was made anew: what was half there is lost, and the next row is one of this time.
  void restart(Seconds time);

  [[nodiscard]] Seconds time() const noexcept;  // of the next row
  [[nodiscard]] bool has_status() const noexcept { return layout_.status.value_or(false); }
  [[nodiscard]] Index rows() const noexcept { return rows_; }                  // since the start
  [[nodiscard]] Index out_of_range() const noexcept { return out_of_range_; }  // of them
  [[nodiscard]] bool battery_low() const noexcept { return battery_low_; }

 private:
  [[nodiscard]] Index words() const noexcept { return layout_.channels + (has_status() ? 1 : 0); }
  [[nodiscard]] std::uint32_t word(std::size_t index) const noexcept;  // of the bytes that wait
  [[nodiscard]] bool fits(Index words) const noexcept;
  void check_layout();
  void decode_row(std::size_t first_word, Block& block);
  void read_status(std::uint32_t status);

  struct Trigger {
    Seconds time{};
    std::uint32_t number = 0;
  };

  BiosemiLayout layout_;
  std::vector<std::uint8_t> bytes_;
  std::size_t begin_ = 0;
  bool checked_ = false;
  std::optional<std::uint32_t> pattern_;  // of the Status word's constant bits
  std::uint32_t trigger_ = 0;
  bool in_range_ = true;
  std::vector<Trigger> triggers_;
  std::size_t triggers_taken_ = 0;
  Seconds origin_{};
  Index rows_since_origin_ = 0;
  Index rows_ = 0;
  Index out_of_range_ = 0;
  bool battery_low_ = false;
};

// Throws bad_data where so many rows in so much time are far from the rate: ActiView was set to another one.
void check_biosemi_rate(Index rows, Seconds elapsed, Hertz rate);

// Names of so many channels: a cap of 32 or 64 in BioSemi's order, with EXG1 to EXG8 after it; else A1, A2 ... B1 ...
[[nodiscard]] std::vector<std::string> biosemi_channels(Index count);

}  // namespace heed::live
