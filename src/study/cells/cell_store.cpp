// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/io/atomic_file.h>
#include <heed/io/decoding/digest.h>
#include <heed/io/result_table_file.h>
#include <heed/io/text_file.h>
#include <heed/study/cell_store.h>

#include <system_error>

namespace heed::study {
namespace {

// The first line of a cell: "# heed 0.1.0 | made from ... | <digest of the rest>".
std::string first_line(const std::string& made_from, const std::string& rest) {
  return "# heed " + std::string(version()) + " | " + made_from + " | " + io::Digest().add(rest).hex() + "\n";
}

}  // namespace

CellStore::CellStore(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code failure;
  std::filesystem::create_directories(folder_, failure);
  if (!failure && std::filesystem::is_directory(folder_, failure)) return;
  throw Error(ErrorKind::cannot_create, folder_.string() + ": cannot be made a folder (" +
                                            (failure ? failure.message() : "a file is in its place") +
                                            "); choose another with -o");
}

std::filesystem::path CellStore::file_of(const std::string& key) const { return folder_ / (key + ".tsv"); }

std::optional<ResultTable> CellStore::find(const std::string& key) const {
  try {
    const std::string text = io::read_text_file(file_of(key));
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) return std::nullopt;
    const std::string rest = text.substr(end + 1);
    if (!text.substr(0, end).ends_with("| " + io::Digest().add(rest).hex())) return std::nullopt;
    return io::parse_table(rest);
  } catch (const Error&) {  // not there, or no longer what was written
    return std::nullopt;
  }
}

void CellStore::keep(const std::string& key, const ResultTable& table, const std::string& made_from) const {
  const std::string rest = io::table_text(table);
  io::write_text_file(file_of(key), first_line(made_from, rest) + rest);
}

}  // namespace heed::study
