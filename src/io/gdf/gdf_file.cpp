// SPDX-License-Identifier: MIT
// GDF recordings as a source of samples.
#include <io/gdf/gdf_header.h>
#include <io/recording/recording_format.h>

#include <algorithm>
#include <memory>

namespace heed::io {
namespace {

class GdfSource final : public RecordingSource {
 public:
  explicit GdfSource(const std::filesystem::path& path) : file_(path), layout_(read_gdf_layout(file_)) {
    std::int64_t most = 0;
    for (const GdfSignal& signal : layout_.signals) {
      const Hertz rate{static_cast<double>(signal.samples) / layout_.record_seconds};
      header_.channels.push_back({signal.name, signal.unit, rate});
      most = std::max(most, signal.samples);
    }
    header_.format = "GDF";
    header_.sampling_frequency = Hertz{static_cast<double>(most) / layout_.record_seconds};
    header_.samples = layout_.records * most;
    header_.segments = {{Seconds{0}, 0, header_.samples}};
    header_.notes = layout_.notes;
    if (layout_.start) header_.start = time_text(*layout_.start);
  }

  [[nodiscard]] Index samples_of(std::size_t channel) const override {
    return layout_.records * layout_.signals[channel].samples;
  }
  [[nodiscard]] std::vector<RecordingEvent> read_events(std::vector<std::string>& notes) const override {
    return read_gdf_events(file_, layout_, notes);
  }
  void read_samples(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const override {
    std::vector<RecordSignal> wanted;
    for (const std::size_t channel : channels) wanted.push_back(layout_.signals[channel]);
    read_record_samples(file_, layout_, wanted, first, into);
  }

 private:
  SampleFile file_;
  GdfLayout layout_;
};

}  // namespace

RecordingFormat gdf_format() {
  return {"GDF", {".gdf"}, {}, looks_like_gdf, [](const std::filesystem::path& path) {
            return std::unique_ptr<const RecordingSource>(std::make_unique<GdfSource>(path));
          }};
}

}  // namespace heed::io
