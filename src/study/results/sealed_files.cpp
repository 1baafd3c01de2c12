// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/atomic_file.h>
#include <io/digest.h>
#include <io/text_file.h>
#include <study/results/sealed_files.h>

#include <system_error>

namespace heed::study {
namespace {

namespace fs = std::filesystem;

// Of "# heed 0.1.0 | made from ... | <digest>", what comes before the last bar.
std::string digest_of(const std::string& name, std::string_view made_from, std::string_view text) {
  return io::Digest().add(name).add(made_from).add(text).hex();
}

}  // namespace

SealedFiles::SealedFiles(fs::path folder) : folder_(std::move(folder)) {
  std::error_code failure;
  if (!fs::exists(folder_, failure) || fs::is_directory(folder_, failure)) return;
  throw Error(ErrorKind::cannot_create,
              folder_.string() + ": cannot be created as a folder (a file is in its place); choose another folder");
}

bool SealedFiles::has(const std::string& name) const {
  std::error_code failure;
  return fs::exists(path(name), failure);
}

std::optional<std::string> SealedFiles::read(const std::string& name) const {
  std::error_code failure;
  if (!fs::is_regular_file(path(name), failure)) return std::nullopt;  // a pipe would keep us waiting
  try {
    std::string text = io::read_text_file(path(name));
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) return std::nullopt;
    const std::string_view first = std::string_view(text).substr(0, end);
    const std::string_view rest = std::string_view(text).substr(end + 1);
    const std::size_t bar = first.rfind(" | ");
    if (bar == std::string_view::npos) return std::nullopt;
    if (first.substr(bar + 3) != digest_of(name, first.substr(0, bar), rest)) return std::nullopt;
    return std::string(rest);
  } catch (const Error&) {  // gone in between, or no text
    return std::nullopt;
  }
}

void SealedFiles::write(const std::string& name, std::string_view text, const std::string& made_from) const {
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure) {
    throw Error(failure == std::errc::no_space_on_device ? ErrorKind::io : ErrorKind::cannot_create,
                folder_.string() + ": cannot be created as a folder (" + failure.message() + ")");
  }
  // A pipe would be written into, and keep us waiting.
  if (has(name) && !fs::is_regular_file(path(name), failure)) fs::remove(path(name), failure);
  const std::string first = "# heed " + std::string(version()) + " | " + made_from;
  io::write_text_file(path(name), first + " | " + digest_of(name, first, text) + "\n" + std::string(text));
}

}  // namespace heed::study
