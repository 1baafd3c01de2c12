// SPDX-License-Identifier: MIT
// A library with the C functions of liblsl that heed uses, and no network: streams come from a script, with the faults
// that laboratories know, and what is sent goes to a file. HEED_FAKE_LSL names the script, HEED_FAKE_LSL_OUT the file.
//
//   stream NAME TYPE CHANNELS RATE FORMAT(1 float32, 3 string, 5 int16) SAMPLES LABEL,LABEL,...
// and for the stream before it:
//   data FILE        float32, row by row; otherwise sample k of channel c is 10 k + c, and string k is "marker-k"
//   speed X          times real time; otherwise everything is there at once
//   offset S         its clock is ahead by so much, as time_correction tells
//   gap K S          no samples for so long before sample K
//   reset K S        its clock jumps by so much at sample K
//   lose K           at sample K the stream is lost, and comes back under another uid
//   vanish K         likewise, but without a word
//   change K         comes back with another number of channels
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Script {
  std::string name, type;
  int channels = 0;
  double rate = 0;
  int format = 1;
  long samples = 0;
  std::vector<std::string> labels;
  std::vector<float> data;
  double speed = 0, offset = 0;
  std::map<long, double> gaps, resets;
  std::set<long> losses, vanishings, changes;
  int generation = 0;
  long next = 0;  // where a new inlet begins
  double started = now();
};

std::mutex mutex;
std::string loaded;
std::vector<std::shared_ptr<Script>> scripts;

void load() {
  const char* path = std::getenv("HEED_FAKE_LSL");
  if (path == nullptr || loaded == path) return;
  loaded = path;
  scripts.clear();
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "stream") {
      auto script = std::make_shared<Script>();
      std::string labels;
      words >> script->name >> script->type >> script->channels >> script->rate >> script->format >> script->samples >>
          labels;
      std::istringstream list(labels);
      for (std::string label; std::getline(list, label, ',');) script->labels.push_back(label);
      scripts.push_back(script);
      continue;
    }
    if (scripts.empty()) continue;
    Script& script = *scripts.back();
    long at = 0;
    double value = 0;
    if (word == "data") {
      std::string name;
      words >> name;
      std::ifstream bytes(name, std::ios::binary);
      const std::string all{std::istreambuf_iterator<char>(bytes), {}};
      script.data.resize(all.size() / sizeof(float));
      std::memcpy(script.data.data(), all.data(), script.data.size() * sizeof(float));
    }
    if (word == "speed") words >> script.speed;
    if (word == "offset") words >> script.offset;
    if (word == "gap" && words >> at >> value) script.gaps[at] = value;
    if (word == "reset" && words >> at >> value) script.resets[at] = value;
    if (word == "lose" && words >> at) script.losses.insert(at);
    if (word == "vanish" && words >> at) script.vanishings.insert(at);
    if (word == "change" && words >> at) script.changes.insert(at);
  }
}

double sum_up_to(const std::map<long, double>& parts, long sample) {
  double sum = 0;
  for (const auto& [at, value] : parts) sum += at <= sample ? value : 0;
  return sum;
}

struct Info {
  std::string name, type, source_id, uid;
  int channels = 0;
  double rate = 0;
  int format = 1;
  std::vector<std::string> labels;
  std::shared_ptr<Script> script;
};

// A node of what stands for XML: the description, its channels, or channel number `index`.
struct Node {
  Info* info = nullptr;
  int depth = 0;
  int index = 0;
};
std::vector<std::unique_ptr<Node>> nodes;
Node* node(Info* info, int depth, int index) {
  const std::lock_guard lock(mutex);
  nodes.push_back(std::make_unique<Node>(Node{info, depth, index}));
  return nodes.back().get();
}

struct Inlet {
  std::shared_ptr<Script> script;
  int generation = 0;
  long next = 0;
  bool was_reset = false;
  bool silent = false;
};

struct Outlet {
  Info info;
};

long available(const Script& script) {
  if (script.speed <= 0) return script.samples;
  const double passed = (now() - script.started) * script.speed;
  return std::min(script.samples, static_cast<long>(script.rate > 0 ? passed * script.rate : passed));
}

double stamp_of(const Script& script, long sample) {
  const double period = script.rate > 0 ? 1 / script.rate : 1;
  return 1000 + static_cast<double>(sample) * period + script.offset + sum_up_to(script.gaps, sample) +
         sum_up_to(script.resets, sample);
}

// How many samples may be pulled now; -1: lost.
long ready(Inlet& inlet) {
  Script& script = *inlet.script;
  if (inlet.silent) return 0;
  if (inlet.generation != script.generation) return 0;
  const auto leaves = [&](std::set<long>& points) { return points.erase(inlet.next) > 0; };
  const bool changed = leaves(script.changes);
  if (changed) ++script.channels;
  if (leaves(script.losses) || changed) {
    ++script.generation;
    script.next = inlet.next;
    inlet.silent = true;
    return -1;
  }
  if (leaves(script.vanishings)) {
    ++script.generation;
    script.next = inlet.next;
    inlet.silent = true;
    return 0;
  }
  // What is there at once comes in small pieces, so that faults have a place between them.
  long end = std::min(available(script), inlet.next + (script.speed > 0 ? 1024 : 20));
  for (const auto& points : {script.losses, script.vanishings, script.changes}) {
    for (const long at : points) end = at > inlet.next ? std::min(end, at) : end;
  }
  return std::max(0L, end - inlet.next);
}

void log(const std::string& line) {
  const char* path = std::getenv("HEED_FAKE_LSL_OUT");
  if (path == nullptr) return;
  std::ofstream(path, std::ios::app) << line << std::endl;
}

}  // namespace

extern "C" {
std::int32_t lsl_library_version() { return 116; }
std::int32_t lsl_protocol_version() { return 110; }
double lsl_local_clock() { return now(); }

std::int32_t lsl_resolve_all(Info** infos, std::uint32_t capacity, double) {
  const std::lock_guard lock(mutex);
  load();
  std::uint32_t count = 0;
  for (const auto& script : scripts) {
    if (count == capacity) break;
    infos[count++] = new Info{script->name,
                              script->type,
                              "id-" + script->name,
                              script->name + "-" + std::to_string(script->generation),
                              script->channels,
                              script->rate,
                              script->format,
                              script->labels,
                              script};
  }
  return static_cast<std::int32_t>(count);
}
void lsl_destroy_streaminfo(Info* info) { delete info; }
const char* lsl_get_name(Info* info) { return info->name.c_str(); }
const char* lsl_get_type(Info* info) { return info->type.c_str(); }
const char* lsl_get_source_id(Info* info) { return info->source_id.c_str(); }
const char* lsl_get_uid(Info* info) { return info->uid.c_str(); }
std::int32_t lsl_get_channel_count(Info* info) { return info->channels; }
double lsl_get_nominal_srate(Info* info) { return info->rate; }
int lsl_get_channel_format(Info* info) { return info->format; }

Node* lsl_get_desc(Info* info) { return node(info, 0, 0); }
Node* lsl_child(Node* parent, const char*) { return node(parent->info, parent->depth + 1, 0); }
Node* lsl_next_sibling_n(Node* before, const char*) { return node(before->info, before->depth, before->index + 1); }
std::int32_t lsl_empty(Node* of) {
  return of->depth == 2 && of->index >= static_cast<int>(of->info->labels.size()) ? 1 : 0;
}
const char* lsl_child_value_n(Node* of, const char* name) {
  if (std::strcmp(name, "label") == 0) return of->info->labels[static_cast<std::size_t>(of->index)].c_str();
  return std::strcmp(name, "unit") == 0 ? "microvolts" : "";
}
Node* lsl_append_child(Node* parent, const char*) { return node(parent->info, parent->depth + 1, 0); }
Node* lsl_append_child_value(Node* parent, const char*, const char* value) {
  parent->info->labels.emplace_back(value);
  return parent;
}

Inlet* lsl_create_inlet(Info* info, std::int32_t, std::int32_t, std::int32_t) {
  const std::lock_guard lock(mutex);
  return new Inlet{info->script, info->script->generation, info->script->next};
}
void lsl_destroy_inlet(Inlet* inlet) { delete inlet; }
Info* lsl_get_fullinfo(Inlet* inlet, double, std::int32_t* ec) {
  *ec = 0;
  const Script& script = *inlet->script;
  return new Info{script.name,   script.type,   "",           "", script.channels, script.rate,
                  script.format, script.labels, inlet->script};
}
void lsl_open_stream(Inlet*, double, std::int32_t* ec) { *ec = 0; }

// NOLINTNEXTLINE(readability-function-size): as liblsl has it
unsigned long lsl_pull_chunk_f(Inlet* inlet, float* data, double* stamps, unsigned long capacity, unsigned long, double,
                               std::int32_t* ec) {
  const std::lock_guard lock(mutex);
  Script& script = *inlet->script;
  const int channels = script.channels;
  const long rows = ready(*inlet);
  *ec = rows < 0 ? -2 : 0;
  unsigned long elements = 0;
  for (long row = 0; row < rows && elements + static_cast<unsigned long>(channels) <= capacity; ++row, ++inlet->next) {
    if (script.resets.contains(inlet->next)) inlet->was_reset = true;
    stamps[row] = stamp_of(script, inlet->next);
    for (int c = 0; c < channels; ++c) {
      const auto place = static_cast<std::size_t>(inlet->next * channels + c);
      data[elements++] = place < script.data.size() ? script.data[place] : static_cast<float>(10 * inlet->next + c);
    }
  }
  return elements;
}
double lsl_pull_sample_str(Inlet* inlet, char** strings, std::int32_t count, double, std::int32_t* ec) {
  const std::lock_guard lock(mutex);
  const long rows = ready(*inlet);
  *ec = rows < 0 ? -2 : 0;
  if (rows <= 0) return 0;
  const long sample = inlet->next++;
  const auto place = static_cast<std::size_t>(sample);
  const std::string text =
      place < inlet->script->labels.size() ? inlet->script->labels[place] : "marker-" + std::to_string(sample);
  for (std::int32_t k = 0; k < count; ++k) strings[k] = strdup(text.c_str());
  return stamp_of(*inlet->script, sample);
}
double lsl_time_correction(Inlet* inlet, double, std::int32_t* ec) {
  const std::lock_guard lock(mutex);
  *ec = 0;
  return -inlet->script->offset - sum_up_to(inlet->script->resets, inlet->next - 1);
}
std::uint32_t lsl_was_clock_reset(Inlet* inlet) {
  const std::lock_guard lock(mutex);
  return std::exchange(inlet->was_reset, false) ? 1 : 0;
}

Info* lsl_create_streaminfo(const char* name, const char* type, std::int32_t channels, double rate, int format,
                            const char* id) {
  return new Info{name, type, id, "", channels, rate, format, {}, nullptr};
}
Outlet* lsl_create_outlet(Info* info, std::int32_t, std::int32_t) {
  std::string labels;
  for (const std::string& label : info->labels) labels += "," + label;
  std::ostringstream rate;
  rate << info->rate;
  log("outlet " + info->name + " " + info->type + " " + info->source_id + " " + rate.str() + " " + labels.substr(1));
  return new Outlet{*info};
}
void lsl_destroy_outlet(Outlet* outlet) { delete outlet; }
std::int32_t lsl_push_sample_ftp(Outlet* outlet, const float* data, double stamp, std::int32_t) {
  std::ostringstream line;
  line.precision(17);
  line << outlet->info.name << " " << stamp;
  for (int c = 0; c < outlet->info.channels; ++c) line << " " << data[c];
  log(line.str());
  return 0;
}
std::int32_t lsl_push_sample_strtp(Outlet* outlet, const char** data, double stamp, std::int32_t) {
  std::ostringstream line;
  line.precision(17);
  line << outlet->info.name << " " << stamp << " " << data[0];
  log(line.str());
  return 0;
}
void lsl_destroy_string(char* text) { std::free(text); }
}
