// SPDX-License-Identifier: MIT
// All that came of one participant, outcome by outcome: one file "sub-01.tsv" for a plan, or for all studies of a
// reproduction, which so share the settings they have in common. An outcome is found by its key, a digest of everything
// it depends on (Plan::key), so a changed input finds nothing.
#pragma once

#include <study/results/outcome.h>
#include <study/results/sealed_files.h>

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::study {

// Kept as text, since a study may have a hundred thousand outcomes. The text is the same in whatever order they came.
class ParticipantResults {
 public:
  ParticipantResults() = default;
  // Throws bad_data for a text that text() did not give.
  explicit ParticipantResults(std::string_view text);
  [[nodiscard]] std::string text() const;

  [[nodiscard]] bool contains(const std::string& key) const { return outcomes_.contains(key); }
  [[nodiscard]] std::optional<Outcome> find(const std::string& key) const;
  void add(const std::string& key, const Outcome& outcome);
  // Adds the outcomes that only the other has.
  void merge(const ParticipantResults& other);

 private:
  struct Rows {
    std::size_t table = 0;  // of tables_
    std::string lines{};
  };
  [[nodiscard]] std::size_t table_of(const std::string& name_and_columns);

  std::vector<std::string> tables_;  // "tracking\nspeakers\tdecoder...\n"
  std::map<std::string, std::vector<Rows>> outcomes_;
};

// The results of many participants, a file each in one folder. May be used by several threads; processes that work on
// one folder at once find each other's outcomes, and none of them can lose more than its own latest.
class ResultStore {
 public:
  // The folder is made when something is written. Throws cannot_create for a file in its place.
  explicit ResultStore(std::filesystem::path folder);

  // Nothing where there is no such outcome. A file that is damaged is as good as none.
  [[nodiscard]] std::optional<Outcome> find(const std::string& id, const std::string& key) const;
  [[nodiscard]] bool contains(const std::string& id, const std::string& key) const;
  // Whether there is a file that cannot be used.
  [[nodiscard]] bool is_damaged(const std::string& id) const;

  // In memory, and in the participant's file after the next write. `made_from` is one line for the file.
  void add(const std::string& id, const std::string& key, const Outcome& outcome, const std::string& made_from);
  // Writes one participant's file. Throws cannot_create or io, naming it.
  void write(const std::string& id);
  // Writes all that is in memory only; if_due: every few seconds, so that a kill costs little, and so does writing.
  void write_all();
  void write_if_due();

  [[nodiscard]] std::filesystem::path file_of(const std::string& id) const { return files_.path(name_of(id)); }
  [[nodiscard]] const SealedFiles& files() const noexcept { return files_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Kept {
    ParticipantResults results{};
    std::string made_from{};
    bool damaged = false;
    bool changed = false;  // and not written yet
  };
  static std::string name_of(const std::string& id) { return "sub-" + id + ".tsv"; }
  Kept& kept(const std::string& id) const;  // read when it is first asked for

  SealedFiles files_;
  mutable std::mutex guard_;
  mutable std::map<std::string, Kept> kept_;
  std::mutex writing_;  // one file at a time
  Clock::time_point due_;
};

}  // namespace heed::study
