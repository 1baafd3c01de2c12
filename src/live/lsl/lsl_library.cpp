// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <heed/data/error.h>
#include <live/lsl/lsl_library.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace heed::live {
namespace {

constexpr std::array variables{"HEED_LSL_LIB", "PYLSL_LIB", "MNE_LSL_LIB"};
constexpr std::array usual_names{"liblsl.so.2", "liblsl.so"};
constexpr const char* remedy = "install liblsl (github.com/sccn/liblsl/releases), or set HEED_LSL_LIB to its file";

std::vector<std::string> candidates(const std::string& given) {
  if (!given.empty()) return {given};
  std::vector<std::string> files;
  for (const char* variable : variables) {
    const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    if (value != nullptr && *value != '\0') files.emplace_back(value);
  }
  files.insert(files.end(), usual_names.begin(), usual_names.end());
  return files;
}

std::string why() {
  const char* const text = dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread
  return text == nullptr ? "" : text;
}

template <typename Function>
void load(void* library, const char* name, Function& function, bool needed = true) {
  void* const symbol = dlsym(library, name);
  if (symbol == nullptr && needed) throw Error(ErrorKind::unsupported, std::string("it has no function ") + name);
  function = reinterpret_cast<Function>(symbol);  // NOLINT(*-reinterpret-cast): as POSIX has it
}

LslFunctions functions_of(void* library) {
  LslFunctions f{};
  load(library, "lsl_library_version", f.library_version);
  load(library, "lsl_local_clock", f.local_clock);
  load(library, "lsl_resolve_all", f.resolve_all);
  load(library, "lsl_destroy_streaminfo", f.destroy_streaminfo);
  load(library, "lsl_get_name", f.get_name);
  load(library, "lsl_get_type", f.get_type);
  load(library, "lsl_get_source_id", f.get_source_id);
  load(library, "lsl_get_uid", f.get_uid);
  load(library, "lsl_get_channel_count", f.get_channel_count);
  load(library, "lsl_get_nominal_srate", f.get_nominal_srate);
  load(library, "lsl_get_channel_format", f.get_channel_format);
  load(library, "lsl_get_desc", f.get_desc);
  load(library, "lsl_child", f.child);
  load(library, "lsl_next_sibling_n", f.next_sibling_n);
  load(library, "lsl_child_value_n", f.child_value_n);
  load(library, "lsl_empty", f.empty);
  load(library, "lsl_append_child", f.append_child);
  load(library, "lsl_append_child_value", f.append_child_value);
  load(library, "lsl_create_inlet", f.create_inlet);
  load(library, "lsl_destroy_inlet", f.destroy_inlet);
  load(library, "lsl_get_fullinfo", f.get_fullinfo);
  load(library, "lsl_open_stream", f.open_stream);
  load(library, "lsl_pull_chunk_f", f.pull_chunk_f);
  load(library, "lsl_pull_sample_str", f.pull_sample_str);
  load(library, "lsl_time_correction", f.time_correction);
  load(library, "lsl_was_clock_reset", f.was_clock_reset);
  load(library, "lsl_create_streaminfo", f.create_streaminfo);
  load(library, "lsl_create_outlet", f.create_outlet);
  load(library, "lsl_destroy_outlet", f.destroy_outlet);
  load(library, "lsl_push_sample_ftp", f.push_sample_ftp);
  load(library, "lsl_push_sample_strtp", f.push_sample_strtp);
  load(library, "lsl_destroy_string", f.destroy_string, false);
  return f;
}

}  // namespace

std::shared_ptr<const LslLibrary> LslLibrary::open(const std::string& given) {
  std::string tried;
  for (const std::string& file : candidates(given)) {
    tried += tried.empty() ? "" : "; ";
    void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      tried += why();  // begins with the file
      continue;
    }
    try {
      return std::shared_ptr<const LslLibrary>(new LslLibrary(file, handle));
    } catch (const Error& error) {
      tried += file + ": " + error.what();
    }
  }
  throw Error(ErrorKind::unsupported,
              std::string("the lab streaming layer (liblsl) is not there; ") + remedy + " (tried " + tried + ")");
}

LslLibrary::LslLibrary(std::string file, void* handle) : file_(std::move(file)), handle_(handle) {
  try {
    functions_ = functions_of(handle);
  } catch (...) {
    dlclose(handle_);
    throw;
  }
}

// Its threads may outlive the last stream by a moment: it stays loaded.
LslLibrary::~LslLibrary() = default;

std::string LslLibrary::version() const {
  const std::int32_t version = functions_.library_version();
  return std::to_string(version / 100) + "." + std::to_string(version % 100);
}

void LslLibrary::free_string(char* text) const noexcept {
  if (text == nullptr) return;
  functions_.destroy_string != nullptr ? functions_.destroy_string(text) : std::free(text);  // NOLINT(*-no-malloc)
}

}  // namespace heed::live
