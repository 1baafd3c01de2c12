// SPDX-License-Identifier: MIT
#include <io/recording/header_text.h>
#include <io/tsv.h>
#include <io/xdf/stream_header.h>
#include <io/xdf/xml_walk.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace heed::io {
namespace {

constexpr std::array<std::string_view, 7> format_names{"float32", "double64", "int8",  "int16",
                                                       "int32",   "int64",    "string"};
constexpr Index most_channels = 100'000;
constexpr double highest_rate = 1e9;

std::optional<double> parse_real(std::string_view text) noexcept {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Fields as they come; a header is whole when all of them were there.
class HeaderFields {
 public:
  void add(std::string_view path, const std::string& text) {
    if (path == "info/name") header_.name = text;
    if (path == "info/type") header_.type = text;
    if (path == "info/source_id") header_.source_id = text;
    if (path == "info/channel_count") channels_ = parse_integer(text);
    if (path == "info/nominal_srate") rate_ = parse_real(text);
    if (path == "info/channel_format") format_ = std::ranges::find(format_names, text) - format_names.begin();
    if (path == "info/desc/channels/channel/label") channel_.label = text;
    if (path == "info/desc/channels/channel/unit") channel_.unit = unit_text(text);
    if (path == "info/desc/channels/channel/type") channel_.type = text;
    if (path == "info/desc/channels/channel" && header_.described.size() < most_channels) {
      header_.described.push_back(std::exchange(channel_, {}));
    }
  }

  [[nodiscard]] std::optional<XdfHeader> header() {
    const bool whole = channels_ && *channels_ > 0 && *channels_ <= most_channels && rate_ && *rate_ >= 0 &&
                       *rate_ <= highest_rate && format_ < std::ssize(format_names);
    if (!whole) return std::nullopt;
    header_.channels = *channels_;
    header_.sampling_frequency = {*rate_};
    header_.format = static_cast<XdfFormat>(format_);
    if (std::ssize(header_.described) > header_.channels) {
      header_.described.resize(static_cast<std::size_t>(header_.channels));
    }
    return std::move(header_);
  }

 private:
  XdfHeader header_{};
  XdfChannel channel_{};
  std::optional<std::int64_t> channels_{};
  std::optional<double> rate_{};
  std::ptrdiff_t format_ = std::ssize(format_names);
};

std::string element(std::string_view name, std::string_view text) {
  return "<" + std::string(name) + ">" + xml_escaped(text) + "</" + std::string(name) + ">";
}

}  // namespace

std::string_view name(XdfFormat format) noexcept { return format_names[static_cast<std::size_t>(format)]; }

std::optional<XdfHeader> parse_stream_header(std::string_view xml) {
  HeaderFields fields;
  const bool good = walk_xml(xml, [&](std::string_view path, const std::string& text) { fields.add(path, text); });
  return good ? fields.header() : std::nullopt;
}

std::string stream_header_xml(const XdfHeader& header) {
  std::string channels;
  for (const XdfChannel& channel : header.described) {
    channels += "<channel>" + element("label", channel.label) + element("unit", channel.unit) +
                element("type", channel.type) + "</channel>";
  }
  return R"(<?xml version="1.0"?><info>)" + element("name", header.name) + element("type", header.type) +
         element("channel_count", std::to_string(header.channels)) +
         element("nominal_srate", number_text(header.sampling_frequency.value)) +
         element("channel_format", name(header.format)) + element("source_id", header.source_id) + "<desc><channels>" +
         channels + "</channels></desc></info>";
}

bool parse_footer(std::string_view xml, std::optional<std::int64_t>& samples) {
  return walk_xml(xml, [&](std::string_view path, const std::string& text) {
    if (path == "info/sample_count") samples = parse_integer(text);
  });
}

std::string channel_name(const XdfHeader& header, Index channel) {
  const bool described = channel < std::ssize(header.described);
  const std::string label = described ? header.described[static_cast<std::size_t>(channel)].label : "";
  return label.empty() ? "ch" + std::to_string(channel + 1) : label;
}

}  // namespace heed::io
