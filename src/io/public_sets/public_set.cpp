// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/public_sets/public_set.h>
#include <io/recording/header_text.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

struct Facts {
  std::string_view name;
  std::string_view title;
  std::string_view doi;
  std::string_view url;
  std::string_view beginning;  // of a file's name; the participant's number follows
  std::string_view ending;
  std::string_view readme;  // what a run is
};

constexpr std::array<PublicSet, 3> sets{PublicSet::av_gc_aad, PublicSet::kuleuven, PublicSet::dtu};

constexpr std::array<Facts, 3> all_facts{
    Facts{
        "av-gc-aad", "Audiovisual, gaze-controlled auditory attention decoding, KU Leuven", "10.5281/zenodo.11058711",
        "https://zenodo.org/records/11058711", "2024-AV-GC-AAD-sub", "_preprocessed.mat",
        "The speakers left and right are places: at each switch the two talkers change sides and the listener follows "
        "the same talker to the other side. acq is the visual condition.\n"},
    Facts{
        "kuleuven", "Auditory attention detection, KU Leuven 2016", "10.5281/zenodo.4004271",
        "https://zenodo.org/records/4004271", "S", ".mat",
        "The speakers left and right are ears. acq is the condition of the sound: dry, one talker an ear, or hrtf.\n"},
    Facts{"dtu", "EEG and audio for auditory attention decoding, Technical University of Denmark",
          "10.5281/zenodo.1199011", "https://zenodo.org/records/1199011", "S", "_data_preproc.mat",
          "The speaker A (wavA) is attended throughout, B (wavB) is not.\n"}};

const Facts& facts(PublicSet set) { return all_facts.at(static_cast<std::size_t>(set)); }

std::vector<std::string> authors(PublicSet set) {
  switch (set) {
    case PublicSet::av_gc_aad:
      return {"Iustina Rotaru",   "Simon Geirnaert",    "Nicolas Heintz",
              "Iris Van de Ryck", "Alexander Bertrand", "Tom Francart"};
    case PublicSet::kuleuven:
      return {"Neetha Das", "Tom Francart", "Alexander Bertrand"};
    case PublicSet::dtu:
      return {"Søren A. Fuglsang", "Daniel D. E. Wong", "Jens Hjortkjær"};
  }
  return {};
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char letter) { return letter >= '0' && letter <= '9'; });
}

// "01" of S1.mat; empty where the name is not as published.
std::string published_subject(const NumberedName& set, const std::string& file) {
  if (file.size() <= set.beginning.size() + set.ending.size()) return "";
  const std::string_view text = file;
  const std::string_view number =
      text.substr(set.beginning.size(), text.size() - set.beginning.size() - set.ending.size());
  const bool published = equal_ignoring_case(text.substr(0, set.beginning.size()), set.beginning) &&
                         equal_ignoring_case(text.substr(text.size() - set.ending.size()), set.ending);
  if (!published || !is_digits(number)) return "";
  return (number.size() == 1 ? "0" : "") + std::string(number);
}

void add_folder(const NumberedName& set, const fs::path& folder, std::vector<PublicFile>& files) {
  const std::size_t before = files.size();
  std::error_code failure;
  for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failure), end;
       !failure && entry != end; entry.increment(failure)) {
    const std::string subject = published_subject(set, entry->path().filename().string());
    if (!subject.empty() && entry->is_regular_file(failure)) files.push_back({subject, entry->path()});
  }
  if (failure) throw Error(ErrorKind::io, folder.string() + ": cannot be searched (" + failure.message() + ")");
  if (files.size() > before) return;
  throw Error(ErrorKind::not_found, folder.string() + ": no file " + std::string(set.beginning) + "<number>" +
                                        std::string(set.ending) + " in it; " + set.advice);
}

void add_file(const NumberedName& set, const fs::path& file, std::vector<PublicFile>& files) {
  std::string subject = published_subject(set, file.filename().string());
  if (subject.empty()) subject = bids_label(file.stem().string());
  if (subject.empty())
    throw Error(ErrorKind::bad_data, file.string() + ": its name gives no label for the participant");
  files.push_back({subject, file});
}

void check_unique(const std::vector<PublicFile>& files) {
  const auto same = std::ranges::adjacent_find(files, {}, &PublicFile::subject);
  if (same == files.end()) return;
  throw Error(ErrorKind::bad_data, "two files belong to participant " + same->subject + ": " + same->path.string() +
                                       " and " + std::next(same)->path.string() + "; give one of them");
}

}  // namespace

std::span<const PublicSet> all_public_sets() noexcept { return sets; }
std::string_view name(PublicSet set) noexcept { return facts(set).name; }
std::string_view title(PublicSet set) noexcept { return facts(set).title; }
std::string_view url(PublicSet set) noexcept { return facts(set).url; }

DatasetDescription description(PublicSet set) {
  const Facts& known = facts(set);
  DatasetDescription result;
  result.name = known.title;
  result.authors = authors(set);
  result.licence = "as the data were published: https://doi.org/" + std::string(known.doi);
  result.doi = known.doi;
  result.links = {std::string(known.url)};
  result.readme =
      std::string(known.title) + "\n\nConverted by heed from " + std::string(known.url) +
      ". The samples are those of the published files; a run is one trial.\n\n"
      "events.tsv: rows of trial_type stimulus say which piece of which file below stimuli/ a speaker makes, rows "
      "of trial_type attend whom the listener was asked to attend to.\n" +
      std::string(known.readme) + "\nPlease cite the authors of the data.\n";
  return result;
}

std::vector<PublicFile> find_public_files(PublicSet set, std::span<const fs::path> sources) {
  const Facts& known = facts(set);
  return find_numbered_files({known.beginning, known.ending, "download them from " + std::string(known.url)}, sources);
}

std::vector<PublicFile> find_numbered_files(const NumberedName& name, std::span<const fs::path> sources) {
  std::vector<PublicFile> files;
  for (const fs::path& source : sources) {
    std::error_code failure;
    if (!fs::exists(source, failure)) throw Error(ErrorKind::not_found, source.string() + ": no such file or folder");
    if (fs::is_directory(source, failure)) {
      add_folder(name, source, files);
    } else {
      add_file(name, source, files);
    }
  }
  std::ranges::sort(files, {}, [](const PublicFile& file) { return std::pair(file.subject, file.path); });
  check_unique(files);
  return files;
}

std::unique_ptr<PublicParticipant> open_public_file(PublicSet set, const PublicFile& file,
                                                    const PublicReadOptions& options) {
  switch (set) {
    case PublicSet::av_gc_aad:
      return open_av_gc_aad(file);
    case PublicSet::kuleuven:
      return open_kuleuven(file, options);
    case PublicSet::dtu:
      return open_dtu(file);
  }
  return nullptr;
}

MatValue filled_cell(const MatValue& value, std::size_t count) {
  if (!value.is(MatKind::cell) || value.size() == 0) {
    throw value.error("is " + value.described() + ", not a cell array with a cell for each trial");
  }
  if (count != 0 && value.size() != count) {
    throw value.error("has " + std::to_string(value.size()) + " cells, where there are " + std::to_string(count) +
                      " trials");
  }
  return value;
}

std::vector<std::string> cell_texts(const MatValue& cell) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < cell.size(); ++k) texts.push_back(cell.cell(k).text());
  return texts;
}

std::vector<std::string> channel_labels(const MatValue& channels) {
  if (channels.has("Label") && channels.field("Label").is(MatKind::cell)) return cell_texts(channels.field("Label"));
  std::vector<std::string> labels;
  for (std::size_t k = 0; k < channels.size(); ++k) labels.push_back(channels.element(k).field("Label").text());
  if (labels.empty()) throw channels.error("is " + channels.described() + ", not a struct for each channel");
  return labels;
}

void set_recording(PublicTrial& trial, const MatValue& eeg, const std::vector<std::string>& labels, Hertz rate) {
  trial.recording.samples = eeg.samples();
  trial.recording.sampling_frequency = rate;
  if (std::ssize(labels) != trial.recording.samples.cols()) {
    throw eeg.error("is " + eeg.described() + ", but there are " + std::to_string(labels.size()) +
                    " labels of channels; time must go down the rows, channels across");
  }
  for (const std::string& label : labels) {
    if (label.empty()) throw eeg.error("a channel has no label");
    trial.recording.channels.push_back({label, "uV", rate});
    trial.channels.push_back({label, is_other_channel(label) ? "MISC" : "EEG", "uV", rate, true});
  }
}

Seconds duration(const Recording& recording) {
  return {static_cast<double>(recording.samples.rows()) / recording.sampling_frequency.value};
}

Envelope read_envelope(const MatValue& value, Hertz rate, Seconds eeg) {
  const std::vector<double> numbers = value.numbers();
  const auto rows = static_cast<Index>(std::llround(eeg * rate));
  if (std::ssize(numbers) < rows) {
    throw value.error("has " + std::to_string(numbers.size()) + " values, the EEG lasts " + data::shown(eeg.value) +
                      " s, " + std::to_string(rows) + " values");
  }
  // More than a second too long is no rounding but something else: several columns, another rate.
  if (std::ssize(numbers) > rows + std::llround(rate.value)) {
    throw value.error("is " + value.described() + ", not one column of about " + std::to_string(rows) + " values");
  }
  Envelope envelope{rate, {}, {"envelope"}, Matrix(rows, 1)};
  std::copy_n(numbers.begin(), rows, envelope.values.data());
  return envelope;
}

std::string side(const MatValue& value) {
  const std::string text = value.text();
  for (const std::string_view name : {"left", "right"}) {
    if (equal_ignoring_case(text, name) || equal_ignoring_case(text, name.substr(0, 1))) return std::string(name);
  }
  throw value.error(in_quotes(text) + " is not a side; it must be left, right, L or R");
}

std::string other_side(const std::string& side) { return side == "left" ? "right" : "left"; }

}  // namespace heed::io
