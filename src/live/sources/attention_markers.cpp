// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/sources/open_source.h>

#include <algorithm>
#include <utility>

namespace heed::live {
namespace {

class WithAttentionMarkers final : public Source {
 public:
  WithAttentionMarkers(std::unique_ptr<Source> source, std::vector<AttentionMarker> markers)
      : source_(std::move(source)), markers_(std::move(markers)), stream_(source_->description()) {
    stream_.labelled = true;
    for (const AttentionMarker& marker : markers_) {
      const auto found = std::ranges::find(stream_.speakers, marker.speaker);
      if (found == stream_.speakers.end()) {
        throw Error(ErrorKind::invalid_argument, stream_.name + ": the marker '" + marker.text + "' stands for '" +
                                                     marker.speaker + "', who is not one of the speakers");
      }
      speakers_.push_back(static_cast<Speaker>(found - stream_.speakers.begin()));
    }
  }

  [[nodiscard]] const StreamDescription& description() const override { return stream_; }
  [[nodiscard]] SourceCounts counts() const noexcept override { return source_->counts(); }
  [[nodiscard]] bool is_stored() const noexcept override { return source_->is_stored(); }

  Arrival next(Block& block, Seconds patience) override {
    const Arrival arrival = source_->next(block, patience);
    if (arrival != Arrival::block || block.kind != BlockKind::marker) return arrival;
    const auto found = std::ranges::find(markers_, block.text, &AttentionMarker::text);
    if (found == markers_.end()) return arrival;
    block.kind = BlockKind::attended;
    block.speaker = speakers_[static_cast<std::size_t>(found - markers_.begin())];
    return arrival;
  }

 private:
  std::unique_ptr<Source> source_;
  std::vector<AttentionMarker> markers_;
  std::vector<Speaker> speakers_{};  // [marker]
  StreamDescription stream_;
};

}  // namespace

std::unique_ptr<Source> with_attention_markers(std::unique_ptr<Source> source, std::vector<AttentionMarker> markers) {
  if (markers.empty()) return source;
  return std::make_unique<WithAttentionMarkers>(std::move(source), std::move(markers));
}

}  // namespace heed::live
