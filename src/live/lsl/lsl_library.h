// SPDX-License-Identifier: MIT
// The lab streaming layer's library, opened at run time: labs have it, distributions do not. The few functions of its C
// interface that heed needs are declared here; all handles are opaque.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heed::live {

struct LslInfo;
struct LslXml;
struct LslInletHandle;
struct LslOutletHandle;

// Values of its enumerations and error codes.
inline constexpr int lsl_float32 = 1;
inline constexpr int lsl_text = 3;
inline constexpr std::int32_t lsl_timeout = -1;
inline constexpr std::int32_t lsl_lost = -2;

struct LslFunctions {
  std::int32_t (*library_version)();
  double (*local_clock)();
  std::int32_t (*resolve_all)(LslInfo** infos, std::uint32_t capacity, double wait);
  void (*destroy_streaminfo)(LslInfo*);
  const char* (*get_name)(LslInfo*);
  const char* (*get_type)(LslInfo*);
  const char* (*get_source_id)(LslInfo*);
  const char* (*get_uid)(LslInfo*);
  std::int32_t (*get_channel_count)(LslInfo*);
  double (*get_nominal_srate)(LslInfo*);
  int (*get_channel_format)(LslInfo*);
  LslXml* (*get_desc)(LslInfo*);
  LslXml* (*child)(LslXml*, const char* name);
  LslXml* (*next_sibling_n)(LslXml*, const char* name);
  const char* (*child_value_n)(LslXml*, const char* name);
  std::int32_t (*empty)(LslXml*);
  LslXml* (*append_child)(LslXml*, const char* name);
  LslXml* (*append_child_value)(LslXml*, const char* name, const char* value);
  LslInletHandle* (*create_inlet)(LslInfo*, std::int32_t seconds_kept, std::int32_t chunk, std::int32_t recover);
  void (*destroy_inlet)(LslInletHandle*);
  LslInfo* (*get_fullinfo)(LslInletHandle*, double timeout, std::int32_t* ec);
  void (*open_stream)(LslInletHandle*, double timeout, std::int32_t* ec);
  unsigned long (*pull_chunk_f)(LslInletHandle*, float* data, double* stamps, unsigned long data_capacity,
                                unsigned long stamp_capacity, double timeout, std::int32_t* ec);
  double (*pull_sample_str)(LslInletHandle*, char** strings, std::int32_t count, double timeout, std::int32_t* ec);
  double (*time_correction)(LslInletHandle*, double timeout, std::int32_t* ec);
  std::uint32_t (*was_clock_reset)(LslInletHandle*);
  LslInfo* (*create_streaminfo)(const char* name, const char* type, std::int32_t channels, double rate, int format,
                                const char* source_id);
  LslOutletHandle* (*create_outlet)(LslInfo*, std::int32_t chunk, std::int32_t seconds_kept);
  void (*destroy_outlet)(LslOutletHandle*);
  std::int32_t (*push_sample_ftp)(LslOutletHandle*, const float* data, double stamp, std::int32_t pushthrough);
  std::int32_t (*push_sample_strtp)(LslOutletHandle*, const char** data, double stamp, std::int32_t pushthrough);
  // Missing in libraries of 2016, whose strings are freed by free().
  void (*destroy_string)(char*);
};

class LslLibrary {
 public:
  // The first that opens of: `given` (alone, where it is not empty), $HEED_LSL_LIB, $PYLSL_LIB, $MNE_LSL_LIB,
  // liblsl.so.2, liblsl.so. Throws unsupported, saying what was tried and what to do.
  [[nodiscard]] static std::shared_ptr<const LslLibrary> open(const std::string& given = "");
  ~LslLibrary();
  LslLibrary(const LslLibrary&) = delete;
  LslLibrary& operator=(const LslLibrary&) = delete;
  LslLibrary(LslLibrary&&) = delete;
  LslLibrary& operator=(LslLibrary&&) = delete;

  const LslFunctions* operator->() const noexcept { return &functions_; }
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] std::string version() const;  // 1.16
  void free_string(char* text) const noexcept;

 private:
  LslLibrary(std::string file, void* handle);

  std::string file_;
  void* handle_;
  LslFunctions functions_{};
};

}  // namespace heed::live
