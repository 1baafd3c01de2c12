// SPDX-License-Identifier: MIT
// EEGLAB's .set: a MAT file with a struct EEG, or with its fields as variables; samples in it, or in an .fdt beside it.
#include <data/text.h>
#include <heed/data/error.h>
#include <io/mat/mat_file.h>
#include <io/open_file.h>
#include <io/recording/recording_format.h>
#include <io/recording/sample_decoding.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

// The libraries behind MAT files are not for two threads at once, and listeners are read in parallel.
std::mutex& mat_libraries() {
  static std::mutex mutex;
  return mutex;
}

constexpr Index most_channels = 100'000;

// The fields of EEG, wherever they are.
class EeglabFields {
 public:
  explicit EeglabFields(const fs::path& path) : file_(MatFile::open(path)) {
    if (file_.has("EEG")) dataset_ = file_.variable("EEG");
    if (!has("srate") || !has("data")) {
      throw Error(
          ErrorKind::unsupported,
          path.string() + ": has no EEG.srate and EEG.data, so it is not an EEGLAB dataset; save it in EEGLAB again");
    }
  }

  [[nodiscard]] bool has(std::string_view name) const { return dataset_ ? dataset_->has(name) : file_.has(name); }
  [[nodiscard]] MatValue operator[](std::string_view name) const {
    return dataset_ ? dataset_->field(name) : file_.variable(name);
  }
  [[nodiscard]] std::optional<double> number(std::string_view name) const {
    if (!has(name) || (*this)[name].size() != 1) return std::nullopt;
    return (*this)[name].number();
  }

 private:
  MatFile file_;
  std::optional<MatValue> dataset_{};
};

// A number of an event, which may be empty.
std::optional<double> number_in(const MatValue& event, std::string_view name) {
  if (!event.has(name)) return std::nullopt;
  const MatValue value = event.field(name);
  if (value.is(MatKind::text) || value.size() != 1) return std::nullopt;
  return value.number();
}

// A type is text or a number.
std::string description_of(const MatValue& event) {
  if (!event.has("type")) return "";
  const MatValue type = event.field("type");
  if (type.is(MatKind::text)) return clean_text(type.text());
  return type.is(MatKind::number) && type.size() == 1 ? data::shown(type.number()) : "";
}

class EeglabSource final : public RecordingSource {
 public:
  explicit EeglabSource(const fs::path& path) {
    const std::scoped_lock lock(mat_libraries());
    const EeglabFields dataset(path);
    header_.format = "EEGLAB";
    header_.sampling_frequency = {dataset["srate"].positive()};
    if (const double trials = dataset.number("trials").value_or(1); trials > 1) {
      throw Error(ErrorKind::unsupported, path.string() + ": holds " + data::shown(trials) +
                                              " epochs; heed reads continuous recordings, so save it before epoching");
    }
    find_samples(path, dataset);
    if (channels_ > most_channels) {
      throw Error(ErrorKind::unsupported, path.string() + ": states " + std::to_string(channels_) +
                                              " channels; heed reads at most " + std::to_string(most_channels));
    }
    name_channels(dataset);
    read_events_of(dataset, path);
  }

  [[nodiscard]] std::vector<fs::path> files(const fs::path& path) const override {
    return beside_ ? std::vector<fs::path>{path, beside_->name()} : std::vector<fs::path>{path};
  }
  [[nodiscard]] Index samples_of(std::size_t /*channel*/) const override { return header_.samples; }
  [[nodiscard]] std::vector<RecordingEvent> read_events(std::vector<std::string>& /*notes*/) const override {
    return events_;
  }

  void read_samples(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const override {
    if (beside_) return read_beside(channels, first, into);
    std::call_once(read_, [this] {
      const std::scoped_lock lock(mat_libraries());
      samples_ = inside_->samples_across();
    });
    for (std::size_t k = 0; k < channels.size(); ++k) {
      into.col(static_cast<Index>(k)) = samples_.col(static_cast<Index>(channels[k])).segment(first, into.rows());
    }
  }

 private:
  // Numbers in the file, or the name of a file of single precision, one sample of each channel after the other.
  void find_samples(const fs::path& path, const EeglabFields& dataset) {
    const MatValue data = dataset["data"];
    if (!data.is(MatKind::text)) {
      const auto& dimensions = data.dimensions();
      if (!data.is(MatKind::number) || dimensions.size() != 2 || data.size() == 0) {
        throw data.error("a matrix of numbers is expected, channels x samples, not " + data.described());
      }
      channels_ = static_cast<Index>(dimensions[0]);
      header_.samples = static_cast<Index>(dimensions[1]);
      inside_ = data;
      return;
    }
    const std::string name = clean_text(data.text());
    const auto found = find_beside(path, name, {".fdt", ".dat"});
    if (!found) {
      throw Error(ErrorKind::not_found, path.string() + ": the samples, " + name + ", do not exist, nor does " +
                                            path.stem().string() + ".fdt; put the file beside the .set");
    }
    if (found->filename() != name) {
      header_.notes.push_back("the dataset names " + name + "; " + found->filename().string() + " is read instead");
    }
    if (found->extension() == ".dat") {
      throw Error(ErrorKind::unsupported,
                  path.string() + ": its samples lie channel after channel, in a .dat; save it again with EEGLAB");
    }
    beside_.emplace(*found);
    channels_ = static_cast<Index>(dataset["nbchan"].positive());
    header_.samples = static_cast<Index>(dataset["pnts"].positive());
    check_size();
  }

  void check_size() const {
    constexpr double most = 1e15;
    const double stated = static_cast<double>(channels_) * static_cast<double>(header_.samples) * sizeof(float);
    if (stated < most && static_cast<std::int64_t>(stated) == beside_->size()) return;
    throw Error(ErrorKind::bad_data, beside_->name() + ": has " + std::to_string(beside_->size()) + " bytes, but " +
                                         std::to_string(channels_) + " channels of " + std::to_string(header_.samples) +
                                         " samples are stated; is it the file of another dataset, or truncated?");
  }

  void name_channels(const EeglabFields& dataset) {
    std::vector<std::string> names;
    if (dataset.has("chanlocs")) {
      const MatValue places = dataset["chanlocs"];
      for (std::size_t c = 0; places.is(MatKind::structure) && c < places.size(); ++c) {
        const MatValue place = places.element(c);
        names.push_back(place.has("labels") ? clean_text(place.field("labels").text()) : "");
      }
    }
    const auto count = static_cast<std::size_t>(channels_);
    if (names.empty()) {
      for (std::size_t c = 0; c < count; ++c) names.push_back(std::to_string(c + 1));
      header_.notes.emplace_back("the channels have no names, so they are numbered");
    }
    if (names.size() != count) {
      throw Error(ErrorKind::bad_data, "there are " + std::to_string(count) + " channels, but " +
                                           std::to_string(names.size()) + " names in chanlocs");
    }
    make_unique(names, header_.notes);
    for (std::string& name : names) header_.channels.push_back({std::move(name), "uV", header_.sampling_frequency});
  }

  // Latencies count samples from 1. Where data were cut away there is an event "boundary".
  void read_events_of(const EeglabFields& dataset, const fs::path& path) {
    std::vector<Index> cuts{0};
    if (dataset.has("event") && dataset["event"].is(MatKind::structure)) {
      const MatValue given = dataset["event"];
      std::error_code ignored;
      const std::size_t most = most_events(static_cast<std::int64_t>(fs::file_size(path, ignored)));
      if (given.size() > most) throw given.error("has more events than a file of this size can hold");
      for (std::size_t k = 0; k < given.size(); ++k) add_event(given.element(k), cuts);
    }
    sort_by_onset(events_);
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    for (std::size_t k = 0; k < cuts.size(); ++k) {
      const Index end = k + 1 < cuts.size() ? cuts[k + 1] : header_.samples;
      header_.segments.push_back(
          {Seconds{static_cast<double>(cuts[k]) / header_.sampling_frequency.value}, cuts[k], end - cuts[k]});
    }
    if (cuts.size() > 1) {
      header_.notes.push_back("data were cut away in " + std::to_string(cuts.size() - 1) +
                              " places (boundary events); the format leaves no gaps: times count samples");
    }
  }

  void add_event(const MatValue& event, std::vector<Index>& cuts) {
    const auto latency = number_in(event, "latency");
    if (!latency) return;
    const double rate = header_.sampling_frequency.value;
    const std::string description = description_of(event);
    const double duration = number_in(event, "duration").value_or(0);
    if (description == "boundary") {
      const double cut = std::floor(*latency);  // 100.5: between samples 100 and 101
      if (cut >= 0 && cut < static_cast<double>(header_.samples)) cuts.push_back(static_cast<Index>(cut));
    }
    events_.push_back({Seconds{(*latency - 1) / rate}, Seconds{std::max(0.0, duration) / rate}, description});
  }

  void read_beside(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const {
    constexpr auto size = static_cast<std::int64_t>(sizeof(float));
    const std::int64_t step = channels_ * size;
    const Index together = std::clamp<Index>(piece_of(beside_->size()) / step, 1, into.rows());
    std::vector<char> bytes(static_cast<std::size_t>(together * step));
    std::vector<ChannelBytes> sources;
    for (const std::size_t c : channels)
      sources.push_back({bytes.data() + (static_cast<std::int64_t>(c) * size), 1, 0});
    for (Index row = 0; row < into.rows(); row += together) {
      const Index count = std::min(together, into.rows() - row);
      beside_->read((first + row) * step, std::span(bytes).first(static_cast<std::size_t>(count * step)));
      decode_multiplexed(Encoding::float32, sources, step, {into.row(row).data(), into.cols(), count});
    }
  }

  Index channels_ = 0;
  std::optional<MatValue> inside_{};
  std::optional<SampleFile> beside_{};
  std::vector<RecordingEvent> events_{};
  mutable std::once_flag read_{};  // of what lies in the file, when it is first asked for
  mutable SampleMatrix samples_{};
};

// A MAT file may be anything: only its name tells.
bool never(std::string_view /*first_bytes*/) noexcept { return false; }

}  // namespace

RecordingFormat eeglab_format() {
  return {"EEGLAB", {".set"}, {".fdt"}, never, [](const fs::path& path) {
            return std::unique_ptr<const RecordingSource>(std::make_unique<EeglabSource>(path));
          }};
}

}  // namespace heed::io
