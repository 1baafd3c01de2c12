// SPDX-License-Identifier: MIT
#include <io/public_sets/convert.h>

#include <algorithm>
#include <utility>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view task = "attend";

std::string two_digits(const std::string& number) { return number.size() == 1 ? "0" + number : number; }

// "1", "01" and "sub-01" are one participant.
std::vector<PublicFile> chosen(std::vector<PublicFile> files, const std::vector<std::string>& subjects) {
  if (subjects.empty()) return files;
  std::vector<PublicFile> result;
  for (const std::string& wanted : subjects) {
    const std::string subject = two_digits(wanted.starts_with("sub-") ? wanted.substr(4) : wanted);
    const auto found = std::ranges::find(files, subject, &PublicFile::subject);
    if (found == files.end()) {
      std::string there;
      for (const PublicFile& file : files) {
        there += there.empty() ? "" : ", ";
        there += file.subject;
      }
      throw Error(ErrorKind::invalid_argument,
                  std::string("no participant ").append(wanted).append("; there are ").append(there));
    }
    result.push_back(*found);
  }
  return result;
}

// What a field should have been is said where it is read; what to do about it is the same for all.
Error with_remedy(const Error& error, const std::string& remedy) {
  const std::string message = error.what();
  if (error.kind() != ErrorKind::bad_data || remedy.empty() || message.find("again") != std::string::npos) return error;
  return {error.kind(), message + "; " + remedy};
}

// A full disk is nobody's fault among the participants: the others would fail as well.
bool concerns_all(ErrorKind kind) { return kind == ErrorKind::io || kind == ErrorKind::cannot_create; }

class Conversion {
 public:
  Conversion(const SourceFiles& source, DatasetWriter& writer, const ConvertOptions& options, std::size_t participants)
      : source_(source), writer_(writer), options_(options), participants_(participants) {}

  [[nodiscard]] ConvertedParticipant convert(const PublicFile& file) {
    ConvertedParticipant result;
    result.subject = file.subject;
    result.source = file.path;
    result.earlier = writer_.has_participant(file.subject);
    try {
      if (!result.earlier) write(file, result);
    } catch (const Error& error) {
      if (concerns_all(error.kind()) && !is_of(error, file.path)) throw;
      result.failure = with_remedy(error, source_.remedy);
    }
    ++finished_;
    show(0, 1);
    return result;
  }

 private:
  // Reading failed, not writing.
  static bool is_of(const Error& error, const fs::path& source) {
    return std::string_view(error.what()).starts_with(source.string());
  }

  void write(const PublicFile& file, ConvertedParticipant& result) {
    const auto participant = source_.open(file);
    ParticipantDraft draft = writer_.begin(file.subject);
    for (std::size_t k = 0; k < participant->trials(); ++k) {
      PublicTrial trial = participant->read(k, result.notes);
      for (const TrialEnvelope& envelope : trial.envelopes) draft.write_envelope(envelope.file, envelope.envelope);
      for (const TrialSound& sound : trial.sounds) draft.copy_sound(sound.file, sound.source);
      WrittenRun run;
      run.entities = {file.subject, "", std::string(task), trial.condition, two_digits(std::to_string(k + 1))};
      run.recording = std::move(trial.recording);
      run.channels = std::move(trial.channels);
      run.markers = std::move(trial.markers);
      run.listening = std::move(trial.listening);
      draft.write(run);
      show(k + 1, participant->trials());
    }
    result.runs = draft.runs();
    writer_.commit(draft, file.path.filename().string());
  }

  // In thousandths of a participant: how many trials the others have is not known yet.
  void show(std::size_t done, std::size_t of) const {
    constexpr std::size_t steps = 1000;
    if (options_.progress) options_.progress(finished_ * steps + done * steps / of, participants_ * steps);
  }

  const SourceFiles& source_;
  DatasetWriter& writer_;
  const ConvertOptions& options_;
  std::size_t participants_;
  std::size_t finished_ = 0;
};

}  // namespace

std::vector<ConvertedParticipant> convert_files(const SourceFiles& source, const fs::path& target,
                                                const ConvertOptions& options) {
  const std::vector<PublicFile> files = chosen(source.files, options.subjects);
  DatasetWriter writer(FolderLock(target), source.description, options.writing);
  Conversion conversion(source, writer, options, files.size());
  std::vector<ConvertedParticipant> result;
  result.reserve(files.size());
  for (const PublicFile& file : files) result.push_back(conversion.convert(file));
  return result;
}

std::vector<ConvertedParticipant> convert_public_set(PublicSet set, std::span<const fs::path> sources,
                                                     const fs::path& target, const ConvertOptions& options) {
  const auto open = [&](const PublicFile& file) { return open_public_file(set, file, options.reading); };
  return convert_files({find_public_files(set, sources), description(set), open,
                        "the published file is not like that, download it again"},
                       target, options);
}

}  // namespace heed::io
