// SPDX-License-Identifier: MIT
// write_sample_report FOLDER: a report of made-up results and its figures, for the browser to look at.
#include <heed/report/drawing.h>
#include <support/study_cases.h>

#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "write_sample_report FOLDER\n";
    return 2;
  }
  try {
    const std::filesystem::path folder = arguments[1];
    const heed::report::StudyPages pages = heed::report::study_pages(heed::test::sample_report());
    for (const auto& figure : pages.figures) {
      write(folder / "figures" / (figure.name + ".svg"),
            heed::report::render(figure.drawing, heed::report::FigureFormat::svg));
    }
    write(folder / "report.html", pages.html);
  } catch (const std::exception& fault) {
    std::cerr << fault.what() << "\n";
    return 1;
  }
}
