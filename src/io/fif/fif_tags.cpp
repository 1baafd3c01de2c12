// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/fif/fif_tags.h>
#include <io/recording/header_text.h>
#include <io/recording/recording_format.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace heed::io {
namespace {

// Kinds of tags and blocks that are looked at; all others are passed over.
enum Kind : std::int32_t {
  file_id = 100,
  block_start = 104,
  block_end = 105,
  reference_role = 115,
  reference_file = 118,
  channel_count = 200,
  sampling_frequency = 201,
  channel_record = 203,
  measurement_date = 204,
  comment = 206,
  first_sample = 208,
  channel_name = 258,
  data_buffer = 300,
  data_skip = 301,
  data_skip_samples = 303,
  annotation_onsets = 3568,
  annotation_ends = 3569,
};
enum Block : std::int32_t {
  measurement_info = 101,
  raw_data = 102,
  processed_data = 103,
  evoked = 104,
  continuous_data = 112,
  channel_info = 113,
  reference = 118,
  smart_shield_data = 119,
  epochs = 373,
  annotations = 3810,
};
constexpr std::int32_t next_file_role = 2;
constexpr std::int64_t tag_bytes = 16;
constexpr std::int64_t channel_bytes = 96;

template <typename Word>
Word big_endian(const char* bytes) noexcept {
  Word value = 0;
  for (std::size_t k = 0; k < sizeof(Word); ++k) {
    value = static_cast<Word>(static_cast<std::uint64_t>(value) << 8U) |
            static_cast<Word>(static_cast<unsigned char>(bytes[k]));
  }
  return value;
}

std::int32_t int_at(const char* bytes) noexcept {
  return std::bit_cast<std::int32_t>(big_endian<std::uint32_t>(bytes));
}
float float_at(const char* bytes) noexcept { return std::bit_cast<float>(big_endian<std::uint32_t>(bytes)); }

struct Tag {
  std::int32_t kind = 0;
  std::int32_t type = 0;
  std::int64_t size = 0;
  std::int64_t next = 0;    // 0: behind it; -1: none
  std::int64_t offset = 0;  // of its content
};

std::string unit_of(std::int32_t unit) {
  constexpr std::int32_t volt = 107;
  constexpr std::int32_t tesla = 112;
  constexpr std::int32_t tesla_per_metre = 201;
  return unit == volt ? "V" : unit == tesla ? "T" : unit == tesla_per_metre ? "T/m" : "";
}

class Walk {
 public:
  explicit Walk(const SampleFile& file) : file_(file) {}

  FifContent run() {
    std::int64_t at = 0;
    while (at >= 0 && at < file_.size()) {
      const Tag tag = tag_at(at);
      take(tag);
      const std::int64_t behind = tag.offset + tag.size;
      if (tag.next > 0 && tag.next < behind) throw broken(at, "the next tag lies before this one");
      at = tag.next == 0 ? behind : tag.next;
    }
    finish();
    return std::move(content_);
  }

 private:
  [[nodiscard]] static Error broken(std::int64_t at, const std::string& problem) {
    return {ErrorKind::bad_data,
            "byte " + std::to_string(at + 1) + ": " + problem + "; the file is damaged, copy it again"};
  }

  [[nodiscard]] Tag tag_at(std::int64_t at) const {
    if (file_.size() - at < tag_bytes) throw broken(at, "the file ends within a tag");
    std::array<char, tag_bytes> bytes{};
    file_.read(at, bytes);
    const Tag tag{int_at(bytes.data()), int_at(&bytes[4]), int_at(&bytes[8]), int_at(&bytes[12]), at + tag_bytes};
    if (at == 0 && tag.kind != file_id) throw broken(at, "a FIF file begins with its identifier");
    if (tag.size < 0 || tag.size > file_.size() - tag.offset) {
      throw broken(at, "a tag of " + std::to_string(tag.size) + " bytes, of which the file holds " +
                           std::to_string(file_.size() - tag.offset));
    }
    return tag;
  }

  [[nodiscard]] std::string bytes_of_tag(const Tag& tag, std::int64_t least) const {
    constexpr std::int64_t most = std::int64_t{1} << 24U;
    if (tag.size < least || tag.size > most) {
      throw broken(tag.offset,
                   "a tag of kind " + std::to_string(tag.kind) + " with " + std::to_string(tag.size) + " bytes");
    }
    std::string bytes(static_cast<std::size_t>(tag.size), '\0');
    file_.read(tag.offset, bytes);
    return bytes;
  }

  [[nodiscard]] std::int32_t int_of(const Tag& tag) const { return int_at(bytes_of_tag(tag, 4).data()); }

  [[nodiscard]] bool within(std::int32_t block) const { return std::ranges::find(blocks_, block) != blocks_.end(); }
  [[nodiscard]] bool within_samples() const {
    return within(raw_data) || within(continuous_data) || within(smart_shield_data);
  }

  void take(const Tag& tag) {
    constexpr std::size_t deepest = 64;
    if (tag.kind == block_start) {
      blocks_.push_back(int_of(tag));
      if (blocks_.size() > deepest) throw broken(tag.offset, "blocks are nested more than 64 deep");
      parts_of_trials_ = parts_of_trials_ || blocks_.back() == epochs || blocks_.back() == evoked;
      if (blocks_.back() == reference) role_ = 0;
    } else if (tag.kind == block_end) {
      if (!blocks_.empty()) blocks_.pop_back();
    } else if (within(annotations)) {
      take_annotation(tag);
    } else if (within(reference)) {
      take_reference(tag);
    } else if (within_samples()) {
      take_samples(tag);
    } else if (within(measurement_info)) {
      take_information(tag);
    }
  }

  void take_information(const Tag& tag) {
    if (tag.kind == channel_name && within(channel_info)) {
      names_.push_back(clean_text(bytes_of_tag(tag, 0)));
    } else if (tag.kind == channel_record) {
      take_channel(bytes_of_tag(tag, channel_bytes));
    } else if (tag.kind == channel_count) {
      stated_channels_ = int_of(tag);
    } else if (tag.kind == sampling_frequency) {
      content_.sampling_frequency = {static_cast<double>(float_at(bytes_of_tag(tag, 4).data()))};
    } else if (tag.kind == measurement_date && blocks_.back() == measurement_info) {
      content_.start = int_of(tag);
    }
  }

  // scan, logical number, kind, range, cal, coil, twelve numbers of its place, unit, power of ten, name
  void take_channel(const std::string& bytes) {
    constexpr std::int32_t stimulus = 3;
    const double range = float_at(&bytes[12]);
    const double cal = float_at(&bytes[16]);
    std::string name(bytes, 80, 16);
    name.erase(std::min(name.find('\0'), name.size()));
    content_.channels.push_back({.name = clean_text(trimmed(name)),
                                 .unit = unit_of(int_at(&bytes[72])),
                                 .gain = range * cal,
                                 .is_trigger = int_at(&bytes[8]) == stimulus});
    if (!std::isfinite(range * cal)) {
      throw Error(ErrorKind::bad_data, "channel " + in_quotes(content_.channels.back().name) +
                                           ": its calibration is not a number; save the recording again");
    }
  }

  void take_samples(const Tag& tag) {
    if (tag.kind == first_sample) {
      content_.first_sample = int_of(tag);
    } else if (tag.kind == data_skip) {
      skipped_buffers_ = std::max(0, int_of(tag));
    } else if (tag.kind == data_skip_samples) {
      skipped_samples_ = std::max(0, int_of(tag));
    } else if (tag.kind == data_buffer) {
      take_buffer(tag);
    }
  }

  void take_buffer(const Tag& tag) {
    const auto width = static_cast<std::int64_t>(content_.channels.size());
    if (width == 0) throw broken(tag.offset, "samples come before the channels are named");
    FifBuffer buffer{.offset = tag.offset, .type = number_of(tag), .first_sample = samples_};
    const std::int64_t row = width * bytes_of(buffer.type);
    if (tag.size == 0 || tag.size % row != 0) {
      throw broken(tag.offset, "a buffer of " + std::to_string(tag.size) + " bytes is not one sample of each of " +
                                   std::to_string(width) + " channels after the other");
    }
    buffer.samples = tag.size / row;
    // A recording may begin later than its clock: that is no pause.
    const Index skipped = skipped_samples_ + (skipped_buffers_ * buffer.samples);
    if (samples_ == 0) {
      content_.first_sample += skipped;
    } else if (skipped > 0) {
      buffer.after_pause = true;
      buffer.skipped = skipped;
    }
    skipped_samples_ = 0;
    skipped_buffers_ = 0;
    samples_ += buffer.samples;
    content_.buffers.push_back(buffer);
  }

  [[nodiscard]] static FifNumber number_of(const Tag& tag) {
    constexpr std::int32_t packed = 16;
    switch (tag.type) {
      case 2:
      case packed:
        return FifNumber::int16;
      case 3:
        return FifNumber::int32;
      case 4:
        return FifNumber::float32;
      case 5:
        return FifNumber::float64;
      default:
        throw Error(ErrorKind::unsupported, "byte " + std::to_string(tag.offset - tag_bytes + 1) +
                                                ": samples of FIF type " + std::to_string(tag.type) +
                                                "; heed reads whole and real numbers, so save the recording as single");
    }
  }

  void take_reference(const Tag& tag) {
    if (tag.kind == reference_role) role_ = int_of(tag);
    if (tag.kind == reference_file && role_ == next_file_role) content_.continued_in = clean_text(bytes_of_tag(tag, 0));
  }

  void take_annotation(const Tag& tag) {
    if (tag.kind == annotation_onsets) onsets_ = numbers_of(tag);
    if (tag.kind == annotation_ends) ends_ = numbers_of(tag);
    if (tag.kind == comment) descriptions_ = bytes_of_tag(tag, 0);
    if (tag.kind == measurement_date) dated_annotations_ = true;
  }

  [[nodiscard]] std::vector<double> numbers_of(const Tag& tag) const {
    constexpr std::int32_t real = 4;
    const std::string bytes = bytes_of_tag(tag, 0);
    const std::size_t each = tag.type == real ? 4 : 8;
    std::vector<double> numbers;
    for (std::size_t at = 0; at + each <= bytes.size(); at += each) {
      const auto type = each == 4 ? FifNumber::float32 : FifNumber::float64;
      numbers.push_back(fif_number(type, &bytes[at]));
    }
    return numbers;
  }

  // Onsets count from the acquisition's start where the annotations are dated, else from the first sample.
  void finish_annotations() {
    const double rate = content_.sampling_frequency.value;
    const double earlier = dated_annotations_ ? static_cast<double>(content_.first_sample) / rate : 0;
    std::size_t at = 0;
    for (std::size_t k = 0; k < std::min(onsets_.size(), most_events(file_.size())); ++k) {
      const std::size_t end = std::min(descriptions_.find(':', at), descriptions_.size());
      const double onset = onsets_[k] - earlier;
      const double until = k < ends_.size() ? ends_[k] - earlier : onset;
      if (std::isfinite(onset) && std::isfinite(until)) {
        content_.annotations.push_back({.onset = {onset},
                                        .duration = {std::max(0.0, until - onset)},
                                        .description = clean_text(descriptions_.substr(at, end - at))});
      }
      at = std::min(end + 1, descriptions_.size());
    }
    sort_by_onset(content_.annotations);
  }

  void finish() {
    const double rate = content_.sampling_frequency.value;
    if (content_.buffers.empty()) {
      throw Error(ErrorKind::unsupported, parts_of_trials_
                                              ? "the file holds epochs or averages; heed reads continuous recordings"
                                              : "there are no samples in this FIF file; heed reads raw recordings");
    }
    if (!(rate > 0) || !std::isfinite(rate)) throw Error(ErrorKind::bad_data, "the sampling frequency is missing");
    if (stated_channels_ != std::ssize(content_.channels)) {
      throw Error(ErrorKind::bad_data, std::to_string(stated_channels_) + " channels are stated, " +
                                           std::to_string(content_.channels.size()) + " are described");
    }
    // Names of more than 15 characters stand in blocks of their own, one for each channel.
    if (names_.size() == content_.channels.size()) {
      for (std::size_t c = 0; c < names_.size(); ++c) content_.channels[c].name = names_[c];
    }
    finish_annotations();
  }

  const SampleFile& file_;
  FifContent content_;
  std::vector<std::int32_t> blocks_;
  std::vector<std::string> names_;
  std::vector<double> onsets_;
  std::vector<double> ends_;
  std::string descriptions_;
  bool dated_annotations_ = false;
  bool parts_of_trials_ = false;
  std::int32_t role_ = 0;
  Index stated_channels_ = 0;
  Index samples_ = 0;
  Index skipped_buffers_ = 0;
  Index skipped_samples_ = 0;
};

}  // namespace

FifContent walk_fif(const SampleFile& file) { return Walk(file).run(); }

bool looks_like_fif(std::string_view first_bytes) noexcept {
  constexpr std::int32_t identifier = 31;
  return first_bytes.size() >= tag_bytes && int_at(first_bytes.data()) == file_id &&
         int_at(first_bytes.substr(4).data()) == identifier;
}

double fif_number(FifNumber type, const char* bytes) noexcept {
  switch (type) {
    case FifNumber::int16:
      return std::bit_cast<std::int16_t>(big_endian<std::uint16_t>(bytes));
    case FifNumber::int32:
      return int_at(bytes);
    case FifNumber::float32:
      return static_cast<double>(float_at(bytes));
    case FifNumber::float64:
      break;
  }
  return std::bit_cast<double>(big_endian<std::uint64_t>(bytes));
}

}  // namespace heed::io
