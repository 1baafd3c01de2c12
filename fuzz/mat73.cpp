// SPDX-License-Identifier: MIT
// MAT files of MATLAB 7.3, made by recipes (hdf5_recipe.h) and read without the process apart, so that sanitizers see
// heed's code. What heed makes of a dataset is what HDF5 itself reads; what is written as MATLAB does must be read.
// Replayed inputs are read by the process apart, too, and the same must come out.
#include <io/mat/mat_file.h>
#include <io/mat/mat_node.h>
#include <io/text_file.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "formats.h"
#include "hdf5_recipe.h"
#include "target.h"

namespace heed::fuzz {
namespace {

using Made = std::map<std::string, MadeDataset>;

// HDF5 wants a name it can follow, which a file in memory alone has not.
class NamedFile {
 public:
  NamedFile() = default;
  ~NamedFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  NamedFile(const NamedFile&) = delete;
  NamedFile& operator=(const NamedFile&) = delete;
  NamedFile(NamedFile&&) = delete;
  NamedFile& operator=(NamedFile&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("heed-fuzz-" + std::to_string(::getpid()) + ".mat");
};

// One sentence, which a terminal and Python can show.
void require_legible(std::string_view text) {
  require(!text.empty() && io::is_utf8(text));
  require(std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == '\x7f'; }));
  for (std::size_t at = text.find('\xc2'); at != std::string_view::npos; at = text.find('\xc2', at + 1)) {
    require(static_cast<unsigned char>(text[at + 1]) >= 0xa0U);  // U+0080 to U+009F are control characters, too
  }
}

// Reads what is there, though not without end: values may hold themselves.
class Reader {
 public:
  Reader(const io::MatFile& file, const Made& made) : file_(file), made_(made) {}

  // All that was read, and why other things were not.
  std::string read() {
    for (const std::string& name : file_.names()) {
      told([&] { visit(file_.variable(name), "/" + name, 1); });
    }
    told([&] { (void)file_.variable("none of them"); });
    for (const auto& [path, made] : made_) {
      if (path.find('/', 1) == std::string::npos) require_read(path.substr(1), made);
    }
    return std::move(log_);
  }

 private:
  static constexpr int deepest = 6;
  static constexpr std::size_t widest = 12;  // elements of an array that are looked at

  template <typename Call>
  bool told(Call&& call) {
    try {
      call();
    } catch (const Error& error) {
      require_legible(error.what());
      log_ += std::string(error.what()) + "\n";
      return false;
    }
    return true;
  }

  // Of numbers that MATLAB could have written.
  void require_read(const std::string& name, const MadeDataset& made) {
    static const std::vector<std::string> numeric{"double", "single", "int8",  "uint8",  "int16",  "uint16",
                                                  "int32",  "uint32", "int64", "uint64", "logical"};
    constexpr std::size_t longest_name = 256;
    constexpr std::size_t most_dimensions = 16;
    if (!made.as_matlab || std::ranges::find(numeric, made.class_name) == numeric.end()) return;
    if (name.starts_with('#') || name.size() >= longest_name || made.dimensions.size() > most_dimensions) return;
    require(told([&] { require(file_.variable(name).dimensions() == made.dimensions); }));
    const bool finite = std::ranges::all_of(made.values, [](double value) { return std::isfinite(value); });
    require(told([&] { (void)file_.variable(name).numbers(); }) == finite);
  }

  // The path is empty where it is not known.
  void visit(const io::MatValue& value, const std::string& path, int depth) {
    if (depth > deepest || ++visited_ > 300) return;
    require_legible(value.described());
    log_ += path + " " + value.described() + "\n";
    const auto found = made_.find(path);
    ask(value, found == made_.end() ? MadeDataset{} : found->second);
    for (std::size_t k = 0; value.is(io::MatKind::cell) && k < std::min(value.size(), widest); ++k) {
      told([&] { visit(value.cell(k), reference(path, k), depth + 1); });
    }
    for (std::size_t k = 0; value.is(io::MatKind::structure) && k < std::min(value.size(), widest); ++k) {
      visit_fields(value.element(k), path, k, depth);
    }
  }

  void visit_fields(const io::MatValue& element, const std::string& path, std::size_t k, int depth) {
    const auto names = element.field_names();
    for (std::size_t f = 0; f < std::min(names.size(), widest); ++f) {
      const std::string inside = path.empty() ? "" : path + "/" + names[f];
      const std::string led = reference(inside, k);
      require(element.has(names[f]));
      told([&] { visit(element.field(names[f]), led.empty() ? inside : led, depth + 1); });
    }
  }

  [[nodiscard]] std::string reference(const std::string& path, std::size_t k) const {
    const auto found = made_.find(path);
    return found == made_.end() || k >= found->second.leads_to.size() ? "" : found->second.leads_to[k];
  }

  // What readers of data sets ask a value for.
  void ask(const io::MatValue& value, const MadeDataset& made) {
    std::vector<double> numbers;
    if (told([&] { numbers = value.numbers(); }) && made.dimensions == value.dimensions() && !made.values.empty()) {
      require(numbers == made.values);
    }
    require(!made.elsewhere || numbers.empty());
    for (const double number : numbers) log_ += std::to_string(number) + " ";
    told([&] { require(value.positive() > 0); });
    told([&] { require_same(value.samples(), numbers); });
    told([&] { require_same(value.samples_across().transpose(), numbers); });
    told([&] { require_text(value.text(), made); });
    for (const std::string_view path : {"x", "deep.x", "{1}", "(2).label", "{", ".x{1}.x"}) {
      told([&] { log_ += value.at(path).described(); });
    }
  }

  void require_text(const std::string& text, const MadeDataset& made) {
    log_ += text + "\n";
    if (!text.empty()) require_legible(text);
    const auto plain = [](double code) { return code > ' ' && code < 0x7f && code == std::floor(code); };
    if (!made.values.empty() && made.as_matlab && std::ranges::all_of(made.values, plain)) {
      require(text == std::string(made.values.begin(), made.values.end()));
    }
  }

  template <typename Samples>
  static void require_same(const Samples& samples, const std::vector<double>& numbers) {
    require(samples.size() > 0);
    for (Index k = 0; k < samples.size() && !numbers.empty(); ++k) {
      const double number = numbers[static_cast<std::size_t>(k)];
      if (static_cast<double>(static_cast<float>(number)) != number) continue;  // rounded, once or twice
      require(static_cast<double>(samples(k % samples.rows(), k / samples.rows())) == number);
    }
  }

  const io::MatFile& file_;
  const Made& made_;
  std::string log_{};
  int visited_ = 0;
};

}  // namespace
}  // namespace heed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed;
  const fuzz::NamedFile file;
  const auto made = fuzz::make_hdf5(fuzz::text_of(data, size), file.path());
  const std::string name = file.path().string();
  const std::string read = fuzz::Reader({name, io::open_mat73(name)}, made).read();
#ifndef HEED_FUZZ
  fuzz::require(fuzz::Reader(io::MatFile::open(name), made).read() == read);
#endif
  return 0;
}

#ifdef HEED_FUZZ
// Whole lines are changed, or words.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  using namespace heed::fuzz;
  return seed % 3 == 0 ? mutate<Separated<'\n'>>(data, size, most, seed)
                       : mutate<Separated<' '>>(data, size, most, seed);
}
#endif
