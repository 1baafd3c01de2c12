// SPDX-License-Identifier: MIT
#include <report/ink/text.h>
#include <report/page/result_words.h>

#include <algorithm>
#include <string_view>

namespace heed::report {
namespace {

constexpr double smallest_p = 0.001;
constexpr double significant = 0.05;

std::string p_number(double p) { return p < smallest_p ? "< 0.001" : fixed_label(p, 3); }

}  // namespace

std::string per_cent(double share) { return fixed_label(100 * share, 1) + " %"; }

std::string p_words(double p) { return (p < smallest_p ? "p " : "p = ") + p_number(p); }

Cell p_cell(const std::optional<double>& p) {
  if (!p) return {};
  return p_number(*p);
}

Cell mean_cell(const evaluate::Summary& summary, double factor) {
  if (!summary.mean) return {};
  const std::string mean = fixed_label(factor * *summary.mean, 1);
  if (!summary.sd) return mean;
  return mean + " \u00b1 " + fixed_label(factor * *summary.sd, 1);
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string participant_name(const std::string& id) { return id.starts_with("sub-") ? id : "sub-" + id; }

std::string seconds_words(Seconds time) { return number_label(time.value, 3) + " s"; }

Note chance_note(const RawAccuracy& raw, Seconds window) {
  if (!raw.accuracy) {
    return {"Who was attended is not known, so how often the decoder is right cannot be said.", Tone::note};
  }
  std::string text = "Window by window, without tracking, the decoder is right in " + per_cent(*raw.accuracy) + " of " +
                     counted(static_cast<std::size_t>(raw.windows), "window") + " of " + seconds_words(window) +
                     ". A guesser is right in " + per_cent(raw.chance);
  text += raw.bound ? ", and by luck hardly ever in " + per_cent(*raw.bound) + " or more (5 % of all guessers)." : ".";
  if (!raw.bound || !raw.p_value) {
    return {text + " There are too few windows to tell this result from luck.", Tone::warning};
  }
  if (*raw.p_value <= significant)
    return {text + " This is better than guessing (" + p_words(*raw.p_value) + ").", Tone::good};
  return {text + " This is not better than guessing (" + p_words(*raw.p_value) +
              "): look at the alignment of EEG and audio and at the channels before trusting anything below.",
          Tone::warning};
}

// "participant 01: ..." and "participant 03: ..." of the same become "participants 01, 03: ...".
void append_notes(Section& section, const std::vector<std::string>& texts, Tone tone) {
  constexpr std::string_view one = "participant ";
  struct Said {
    std::vector<std::string> whom{};
    std::string what{};
  };
  std::vector<Said> notes;
  for (const std::string& text : texts) {
    const std::size_t colon = text.starts_with(one) ? text.find(": ") : std::string::npos;
    Said said{{}, text};
    if (colon != std::string::npos) said = {{text.substr(one.size(), colon - one.size())}, text.substr(colon + 2)};
    const auto same = std::ranges::find_if(
        notes, [&](const Said& other) { return !other.whom.empty() && !said.whom.empty() && other.what == said.what; });
    if (same != notes.end()) {
      same->whom.push_back(said.whom.front());
    } else {
      notes.push_back(std::move(said));
    }
  }
  for (const Said& note : notes) {
    std::string text = note.whom.empty() ? "" : note.whom.size() == 1 ? "participant " : "participants ";
    for (const std::string& id : note.whom) text += (&id == &note.whom.front() ? "" : ", ") + id;
    section.blocks.emplace_back(Note{text + (note.whom.empty() ? "" : ": ") + note.what, tone});
  }
}

}  // namespace heed::report
