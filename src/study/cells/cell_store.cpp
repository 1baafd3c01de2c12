// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/atomic_file.h>
#include <io/digest.h>
#include <io/result_table_file.h>
#include <io/text_file.h>
#include <study/cell_store.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <system_error>

namespace heed::study {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view table_mark = "# table ";

// The first line of a cell: "# heed 0.1.0 | made from ... | <digest>". The digest is of the cell's key, of the line up
// to it, and of all that follows: a cell under another's name, or with another's provenance, is none.
std::string digest_of(const std::string& key, std::string_view provenance, std::string_view rest) {
  return io::Digest().add(key).add(provenance).add(rest).hex();
}

std::vector<NamedTable> parse_tables(std::string_view text) {
  std::vector<NamedTable> tables;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (!text.starts_with(table_mark) || end == std::string_view::npos) {
      throw Error(ErrorKind::bad_data, "this is no cell");
    }
    const std::size_t next = text.find("\n" + std::string(table_mark), end);
    const std::size_t stop = next == std::string_view::npos ? text.size() : next + 1;
    tables.push_back({std::string(text.substr(table_mark.size(), end - table_mark.size())),
                      io::parse_table(text.substr(end + 1, stop - end - 1))});
    text.remove_prefix(stop);
  }
  return tables;
}

// Of ".heed-1234-0.tmp", the number of the process that writes it (io/atomic_file.h); 0: some other file.
int writer_of(const std::string& name) {
  constexpr std::string_view start = ".heed-";
  int process = 0;
  if (!name.starts_with(start) || !name.ends_with(".tmp")) return 0;
  const auto [end, failure] = std::from_chars(name.data() + start.size(), name.data() + name.size(), process);
  return failure == std::errc() && *end == '-' ? process : 0;
}

bool is_leftover(const fs::directory_entry& entry) {
  constexpr auto old = std::chrono::minutes(1);
  const int process = writer_of(entry.path().filename().string());
  if (process <= 0 || ::kill(process, 0) == 0 || errno != ESRCH) return false;
  std::error_code failure;
  const auto written = entry.last_write_time(failure);
  // On another machine somebody of that number may be writing at this moment.
  return !failure && fs::file_time_type::clock::now() - written >= old;
}

}  // namespace

CellStore::CellStore(fs::path folder) : folder_(std::move(folder)) {
  std::error_code failure;
  if (!fs::exists(folder_, failure) || fs::is_directory(folder_, failure)) return;
  throw Error(ErrorKind::cannot_create,
              folder_.string() + ": cannot be made a folder (a file is in its place); choose another with -o");
}

fs::path CellStore::file_of(const std::string& key) const { return folder_ / key.substr(0, 2) / (key + ".tsv"); }

bool CellStore::has_file(const std::string& key) const {
  std::error_code failure;
  return fs::exists(file_of(key), failure);
}

std::optional<std::vector<NamedTable>> CellStore::find(const std::string& key) const {
  std::error_code failure;
  if (!fs::is_regular_file(file_of(key), failure)) return std::nullopt;  // a pipe would keep us waiting
  try {
    const std::string text = io::read_text_file(file_of(key));
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) return std::nullopt;
    const std::string_view first = std::string_view(text).substr(0, end);
    const std::string_view rest = std::string_view(text).substr(end + 1);
    const std::size_t bar = first.rfind(" | ");
    if (bar == std::string_view::npos) return std::nullopt;
    if (first.substr(bar + 3) != digest_of(key, first.substr(0, bar), rest)) return std::nullopt;
    return parse_tables(rest);
  } catch (const Error&) {  // not there, or no longer what was written
    return std::nullopt;
  }
}

void CellStore::keep(const std::string& key, std::span<const NamedTable> tables, const std::string& made_from) const {
  std::string rest;
  for (const NamedTable& one : tables) {
    rest.append(table_mark).append(one.name).append("\n").append(io::table_text(one.table));
  }
  const fs::path file = file_of(key);
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  if (failure) {
    throw Error(failure == std::errc::no_space_on_device ? ErrorKind::io : ErrorKind::cannot_create,
                file.parent_path().string() + ": cannot be made a folder (" + failure.message() + ")");
  }
  // A pipe would be written into, and keep us waiting.
  if (fs::exists(file, failure) && !fs::is_regular_file(file, failure)) fs::remove(file, failure);
  const std::string provenance = "# heed " + std::string(version()) + " | " + made_from;
  io::write_text_file(file, provenance + " | " + digest_of(key, provenance, rest) + "\n" + rest);
}

std::size_t CellStore::remove_leftovers() const {
  std::size_t removed = 0;
  std::error_code failure;
  for (const auto& folder : fs::directory_iterator(folder_, failure)) {
    for (const auto& entry : fs::directory_iterator(folder.path(), failure)) {
      if (is_leftover(entry) && fs::remove(entry.path(), failure)) ++removed;
    }
  }
  return removed;
}

}  // namespace heed::study
