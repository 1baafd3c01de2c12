// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/recording/header_text.h>
#include <live/lsl/lsl_streams.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heed::live {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t most_streams = 256;
constexpr std::int32_t seconds_kept = 60;  // by the library, for a reader that is busy
constexpr auto between_corrections = std::chrono::seconds(5);
constexpr int most_channels = 100'000;

std::string text_of(const char* text) { return text == nullptr ? "" : io::clean_text(text); }

LslStream described(const LslPointer& library, LslInfo* info) {
  const LslFunctions& lsl = *library->operator->();
  return {.name = text_of(lsl.get_name(info)),
          .type = text_of(lsl.get_type(info)),
          .source_id = text_of(lsl.get_source_id(info)),
          .uid = text_of(lsl.get_uid(info)),
          .channels = lsl.get_channel_count(info),
          .sampling_frequency = {lsl.get_nominal_srate(info)},
          .format = lsl.get_channel_format(info),
          .info = {info, LslInfoDeleter{library}}};
}

}  // namespace

std::vector<LslStream> find_lsl_streams(const LslPointer& library, Seconds patience) {
  std::array<LslInfo*, most_streams> infos{};
  const std::int32_t count = (*library)->resolve_all(infos.data(), most_streams, patience.value);
  std::vector<LslStream> streams;
  for (std::int32_t k = 0; k < count; ++k) {
    LslStream stream = described(library, infos[static_cast<std::size_t>(k)]);
    const bool sensible = stream.channels > 0 && stream.channels <= most_channels;
    if (sensible) streams.push_back(std::move(stream));
  }
  std::ranges::sort(streams, {}, [](const LslStream& stream) { return std::tie(stream.name, stream.uid); });
  return streams;
}

std::string lsl_format_name(int format) {
  constexpr std::array<std::string_view, 8> names{"undefined", "float32", "double64", "string",
                                                  "int32",     "int16",   "int8",     "int64"};
  return std::string(format >= 0 && format < std::ssize(names) ? names[static_cast<std::size_t>(format)] : names[0]);
}

LslInlet::LslInlet(LslPointer library, LslStream stream, Seconds patience)
    : library_(std::move(library)), stream_(std::move(stream)), last_(Clock::now()) {
  handle_ = (*library_)->create_inlet(stream_.info.get(), seconds_kept, 0, 1);
  if (handle_ == nullptr) throw Error(ErrorKind::io, "the stream '" + stream_.name + "' cannot be received");
  std::int32_t failure = 0;
  (*library_)->open_stream(handle_, patience.value, &failure);
  if (failure == 0) correction_ = (*library_)->time_correction(handle_, patience.value, &failure);
  corrected_ = Clock::now();
  if (failure == 0) return;
  (*library_)->destroy_inlet(handle_);
  throw Error(ErrorKind::io,
              "the stream '" + stream_.name + "' was found but does not answer; is a firewall between the computers?");
}

LslInlet::~LslInlet() { (*library_)->destroy_inlet(handle_); }

std::vector<LslChannel> LslInlet::channels(Seconds patience) const {
  std::int32_t failure = 0;
  const LslInfoPointer full((*library_)->get_fullinfo(handle_, patience.value, &failure), LslInfoDeleter{library_});
  if (failure != 0 || !full) throw Error(ErrorKind::io, "the stream '" + stream_.name + "' does not describe itself");
  const LslFunctions& lsl = *library_->operator->();
  std::vector<LslChannel> channels;
  LslXml* channel = lsl.child(lsl.child(lsl.get_desc(full.get()), "channels"), "channel");
  for (; lsl.empty(channel) == 0 && std::ssize(channels) < stream_.channels;
       channel = lsl.next_sibling_n(channel, "channel")) {
    channels.push_back(
        {text_of(lsl.child_value_n(channel, "label")), io::unit_text(text_of(lsl.child_value_n(channel, "unit")))});
  }
  return channels;
}

// The library measures in the background and answers at once. What it cannot tell now, it told before.
void LslInlet::correct() {
  const bool was_reset = (*library_)->was_clock_reset(handle_) != 0;
  if (!was_reset && Clock::now() - corrected_ < between_corrections) return;
  std::int32_t failure = 0;
  const double correction = (*library_)->time_correction(handle_, 0.01, &failure);
  if (failure == 0) correction_ = correction;
  corrected_ = Clock::now();
}

Index LslInlet::pull(std::vector<float>& values, std::vector<double>& times) {
  correct();
  values.resize(static_cast<std::size_t>(rows_at_once * stream_.channels));
  times.resize(static_cast<std::size_t>(rows_at_once));
  std::int32_t failure = 0;
  const unsigned long elements =
      (*library_)->pull_chunk_f(handle_, values.data(), times.data(), values.size(), times.size(), 0, &failure);
  lost_ = failure == lsl_lost;
  const Index rows = failure == 0 ? static_cast<Index>(elements) / stream_.channels : 0;
  values.resize(static_cast<std::size_t>(rows * stream_.channels));
  times.resize(static_cast<std::size_t>(rows));
  for (double& time : times) time += correction_;
  if (rows > 0) came();
  return rows;
}

std::optional<LslInlet::Marker> LslInlet::pull_marker() {
  correct();
  strings_.assign(static_cast<std::size_t>(stream_.channels), nullptr);
  std::int32_t failure = 0;
  const double stamp =
      (*library_)->pull_sample_str(handle_, strings_.data(), static_cast<std::int32_t>(stream_.channels), 0, &failure);
  lost_ = failure == lsl_lost;
  if (failure != 0 || stamp == 0) return std::nullopt;
  Marker marker{{stamp + correction_}, text_of(strings_.front())};
  for (char* text : strings_) library_->free_string(text);
  came();
  return marker;
}

Seconds LslInlet::silence() const noexcept { return {std::chrono::duration<double>(Clock::now() - last_).count()}; }

LslOutlet::LslOutlet(LslPointer library, const LslOutletDescription& description) : library_(std::move(library)) {
  const LslFunctions& lsl = *library_->operator->();
  info_ = LslInfoPointer(
      lsl.create_streaminfo(description.name.c_str(), description.type.c_str(),
                            static_cast<std::int32_t>(description.labels.size()), description.sampling_frequency.value,
                            description.format, description.source_id.c_str()),
      LslInfoDeleter{library_});
  if (info_) {
    LslXml* const channels = lsl.append_child(lsl.get_desc(info_.get()), "channels");
    for (const std::string& label : description.labels) {
      lsl.append_child_value(lsl.append_child(channels, "channel"), "label", label.c_str());
    }
  }
  handle_ = info_ ? lsl.create_outlet(info_.get(), 0, seconds_kept) : nullptr;
  if (handle_ == nullptr) {
    throw Error(ErrorKind::io, "liblsl cannot send the stream '" + description.name + "'; are its ports in use?");
  }
}

LslOutlet::~LslOutlet() { (*library_)->destroy_outlet(handle_); }

void LslOutlet::push(std::span<const float> values, Seconds stamp) {
  (void)(*library_)->push_sample_ftp(handle_, values.data(), stamp.value, 1);
}

void LslOutlet::push(const std::string& text, Seconds stamp) {
  std::array<const char*, 1> strings = {text.c_str()};
  (void)(*library_)->push_sample_strtp(handle_, strings.data(), stamp.value, 1);
}

}  // namespace heed::live
