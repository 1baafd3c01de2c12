// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <live/sources/biosemi_decoder.h>
#include <sim/recording_options.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::live {
namespace {

constexpr Index most_words = 281;  // of an ActiveTwo: 256 + 8 + 16 and Status
constexpr std::size_t word_bytes = 3;
constexpr std::size_t least_rows = 16;  // for an opinion about the Status word
constexpr std::size_t usual_rows = 64;
constexpr std::size_t checked_bytes = least_rows * most_words * word_bytes;

// Bits of the Status word.
constexpr std::uint32_t trigger_bits = 0x00ffffU;
constexpr std::uint32_t in_range_bit = 1U << 20U;
constexpr std::uint32_t battery_bit = 1U << 22U;
// Speed mode and model; new epoch, range and battery change.
constexpr std::uint32_t constant_bits = 0xae0000U;

constexpr float microvolts = 1.0F / 32;

[[noreturn]] void refuse(const std::string& problem) { throw Error(ErrorKind::bad_data, problem); }

}  // namespace

BiosemiDecoder::BiosemiDecoder(const BiosemiLayout& layout) : layout_(layout) {
  if (layout.channels < 1 || layout.channels >= most_words) {
    throw Error(ErrorKind::invalid_argument, "the number of channels must be 1 to " + std::to_string(most_words - 1) +
                                                 ", not " + std::to_string(layout.channels));
  }
  constexpr double highest_rate = 16384;
  if (!(layout.rate.value >= 1) || layout.rate.value > highest_rate) {
    throw Error(ErrorKind::invalid_argument,
                "the rate must be 1 to 16384 Hz, not " + data::shown(layout.rate.value) + "; 2048 is usual");
  }
  constexpr Index most_rows = 65536;
  if (layout.block_rows < 0 || layout.block_rows > most_rows) {
    throw Error(ErrorKind::invalid_argument,
                "a block must have 1 to 65536 samples, not " + std::to_string(layout.block_rows));
  }
  if (layout_.block_rows == 0) layout_.block_rows = std::max<Index>(1, std::lround(layout.rate.value / 16));
  bytes_.reserve(checked_bytes + (2 * largest_piece));
  triggers_.reserve(static_cast<std::size_t>(layout_.block_rows));
  checked_ = layout.status.has_value() && !*layout.status;
}

std::uint32_t BiosemiDecoder::word(std::size_t index) const noexcept {
  const std::uint8_t* at = bytes_.data() + begin_ + (index * word_bytes);
  return at[0] | (std::uint32_t{at[1]} << 8U) | (std::uint32_t{at[2]} << 16U);
}

void BiosemiDecoder::feed(std::span<const std::uint8_t> bytes) {
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
  begin_ = 0;
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

// Whether the last of so many words looks like Status over all rows that wait.
bool BiosemiDecoder::fits(Index words) const noexcept {
  const auto stride = static_cast<std::size_t>(words);
  const std::size_t rows = bytes_.size() / (stride * word_bytes);
  if (rows < least_rows) return false;
  std::size_t changes = 0;
  const std::uint32_t first = word(stride - 1);
  for (std::size_t row = 1; row < rows; ++row) {
    const std::uint32_t status = word((row * stride) + stride - 1);
    const std::uint32_t before = word((row * stride) - 1);
    if (((status ^ first) & constant_bits) != 0) return false;
    if (((status ^ before) & trigger_bits) != 0) ++changes;
  }
  return changes <= rows / 8;
}

void BiosemiDecoder::check_layout() {
  checked_ = true;
  const bool there = fits(layout_.channels + 1);
  if (there) {
    layout_.status = true;
    return;
  }
  // A word of zeros is an electrode that is not plugged in rather than Status, so it suggests nothing.
  for (Index words = 2; words <= most_words; ++words) {
    if (!fits(words) || (word(static_cast<std::size_t>(words) - 1) & ~trigger_bits) == 0) continue;
    refuse("the Status channel is not where it should be, so " + std::to_string(layout_.channels) +
           " cannot be the number of channels without it; it looks like " + std::to_string(words - 1) +
           " channels and Status: set channels as ActiView has them, or status=0 if it is not sent");
  }
  if (layout_.status.value_or(false)) {
    refuse("the last channel does not look like Status: let ActiView add it, or say that it is not sent (status=0)");
  }
  layout_.status = false;
}

void BiosemiDecoder::read_status(std::uint32_t status) {
  const std::uint32_t constant = status & constant_bits;
  if (!pattern_) {
    pattern_ = constant;
    trigger_ = status & trigger_bits;
  }
  if (*pattern_ != constant) {
    refuse("sample " + std::to_string(rows_ + 1) +
           ": the Status channel jumped; were channels or speed mode changed in ActiView? Start again");
  }
  const std::uint32_t trigger = status & trigger_bits;
  if (trigger != trigger_ && trigger != 0) triggers_.push_back({time(), trigger});
  trigger_ = trigger;
  in_range_ = (status & in_range_bit) != 0;
  if (!in_range_) ++out_of_range_;
  battery_low_ = battery_low_ || (status & battery_bit) != 0;
}

void BiosemiDecoder::decode_row(std::size_t first_word, Block& block) {
  const auto channels = static_cast<std::size_t>(layout_.channels);
  if (has_status()) read_status(word(first_word + channels));
  for (std::size_t k = 0; k < channels; ++k) {
    const auto shifted = static_cast<std::int32_t>(word(first_word + k) << 8U);  // its sign is the word's
    const std::int32_t steps = shifted / 256;
    const float value = static_cast<float>(steps) * microvolts;
    block.samples.push_back(in_range_ ? value : std::numeric_limits<float>::quiet_NaN());
  }
  ++rows_;
  ++rows_since_origin_;
}

bool BiosemiDecoder::take(Block& block) {
  if (triggers_taken_ < triggers_.size()) {
    const Trigger& trigger = triggers_[triggers_taken_++];
    block.kind = BlockKind::marker;
    block.stamp = trigger.time;
    block.text = std::to_string(trigger.number);
    return true;
  }
  triggers_.clear();
  triggers_taken_ = 0;
  if (!checked_) {
    const std::size_t row = static_cast<std::size_t>(layout_.channels + 1) * word_bytes;
    if (bytes_.size() - begin_ < std::max(checked_bytes, usual_rows * row)) return false;
    check_layout();
  }
  const auto stride = static_cast<std::size_t>(words());
  const auto rows = std::min<std::size_t>((bytes_.size() - begin_) / (stride * word_bytes),
                                          static_cast<std::size_t>(layout_.block_rows));
  if (rows == 0) return false;
  block.kind = BlockKind::eeg;
  block.stamp = time();
  block.rows = static_cast<Index>(rows);
  block.samples.clear();
  for (std::size_t row = 0; row < rows; ++row) decode_row(row * stride, block);
  begin_ += rows * stride * word_bytes;
  return true;
}

void BiosemiDecoder::restart(Seconds time) {
  bytes_.clear();
  begin_ = 0;
  pattern_.reset();
  origin_ = time;
  rows_since_origin_ = 0;
}

Seconds BiosemiDecoder::time() const noexcept {
  return origin_ + Seconds{static_cast<double>(rows_since_origin_) / layout_.rate.value};
}

void check_biosemi_rate(Index rows, Seconds elapsed, Hertz rate) {
  const double found = static_cast<double>(rows) / elapsed.value;
  constexpr double most = 1.4;  // speed modes differ by a factor of two
  if (found < rate.value * most && found > rate.value / most) return;
  refuse("about " + data::shown(std::round(found)) + " samples arrive per second, not " + data::shown(rate.value) +
         "; set the rate as ActiView has it");
}

std::vector<std::string> biosemi_channels(Index count) {
  constexpr Index external = 8;
  std::vector<std::string> names;
  for (const int cap : {32, 64}) {
    if (count == cap || count == cap + external) names = sim::electrodes(cap);
  }
  const auto cap = static_cast<Index>(names.size());
  for (Index k = cap; k < count && cap > 0; ++k) names.push_back("EXG" + std::to_string(k - cap + 1));
  for (Index k = 0; k < count && cap == 0; ++k) {
    names.push_back(static_cast<char>('A' + (k / 32)) + std::to_string((k % 32) + 1));
  }
  return names;
}

}  // namespace heed::live
