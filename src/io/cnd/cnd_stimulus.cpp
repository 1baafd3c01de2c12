// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/cnd/cnd_stimulus.h>
#include <io/recording/header_text.h>
#include <io/score_tables/window_table.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>

namespace heed::io {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; });
  return text;
}

bool says(const std::string& name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return lower(name).find(word) != std::string::npos; });
}

bool says_unattended(const std::string& name) { return says(name, {"unattended", "ignored", "distractor", "masker"}); }
bool says_attended(const std::string& name) { return !says_unattended(name) && says(name, {"attended", "target"}); }
bool says_envelope(const std::string& name) { return says(name, {"env"}); }

// The only one of the features that is so; of several, the only envelope among them.
std::optional<std::size_t> only(const std::vector<std::string>& names, bool (*is)(const std::string&)) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (is(names[k])) found.push_back(k);
  }
  if (found.size() > 1) std::erase_if(found, [&](std::size_t k) { return !says_envelope(names[k]); });
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

// A cell of texts, or one text.
std::vector<std::string> texts_of(const MatValue& value) {
  return value.is(MatKind::cell) ? cell_texts(value) : std::vector<std::string>{value.text()};
}

}  // namespace

CndSpeaker parse_cnd_speaker(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    throw Error(ErrorKind::invalid_argument, in_quotes(text) + " is not of the form SPEAKER=FEATURE");
  }
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

CndStimulus::CndStimulus(const MatValue& stim, const CndReadOptions& options)
    : stim_(stim),
      data_(filled_cell(stim.field("data"))),
      rate_{stim.field("fs").positive()},
      rules_(options.attention) {
  const auto& dimensions = data_.dimensions();
  if (dimensions.size() != 2) throw data_.error("is " + data_.described() + ", not a cell of features x trials");
  features_ = dimensions[0];
  trials_ = dimensions[1];
  if (stim.has("names")) {
    names_ = texts_of(stim.field("names"));
    if (names_.size() != features_) {
      throw data_.error("is " + data_.described() + ", but stim.names holds " + std::to_string(names_.size()) +
                        "; features must go down the rows, trials across");
    }
  } else {
    for (std::size_t k = 1; k <= features_; ++k) names_.push_back(std::to_string(k));
  }
  options.speakers.empty() ? choose_by_names() : choose(options.speakers);
}

void CndStimulus::add(std::string speaker, std::size_t feature) {
  const auto same = [&](const std::string& other) { return bids_label(other) == bids_label(speaker); };
  if (bids_label(speaker).empty() || std::ranges::any_of(speakers_, same)) {
    throw Error(ErrorKind::invalid_argument,
                "the speaker " + in_quotes(speaker) + " needs a name of letters and digits that no other speaker has");
  }
  if (!reserved_like(speaker).empty()) {
    throw Error(ErrorKind::invalid_argument,
                in_quotes(speaker) + " is a column of score files; give the speaker another name");
  }
  speakers_.push_back(std::move(speaker));
  of_speaker_.push_back(feature);
}

std::string CndStimulus::names_text() const {
  std::string text;
  for (const std::string& name : names_) text += (text.empty() ? "" : ", ") + in_quotes(name);
  return text;
}

std::size_t CndStimulus::feature_named(const std::string& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  const auto number = parse_integer(name);
  if (number && *number >= 1 && static_cast<std::size_t>(*number) <= features_) {
    return static_cast<std::size_t>(*number - 1);
  }
  throw Error(ErrorKind::invalid_argument,
              stim_.error("has no feature " + in_quotes(name) + "; its features are " + names_text()).what());
}

void CndStimulus::choose(const std::vector<CndSpeaker>& rules) {
  for (const CndSpeaker& rule : rules) {
    const std::size_t feature = feature_named(rule.feature);
    if (says_attended(names_[feature]) && !always_attended_) always_attended_ = rule.speaker;
    add(rule.speaker, feature);
  }
  if (rules.size() == 1) always_attended_ = rules.front().speaker;
}

void CndStimulus::choose_by_names() {
  const auto attention = std::ranges::find(names_, cnd_attention_feature);
  if (attention != names_.end()) {
    attention_feature_ = static_cast<std::size_t>(attention - names_.begin());
    for (std::size_t k = 0; k < features_; ++k) {
      if (k != *attention_feature_) add(names_[k], k);
    }
    return;
  }
  const auto attended = only(names_, says_attended);
  const auto unattended = only(names_, says_unattended);
  if (attended && unattended) {
    add("target", *attended);
    add("other", *unattended);
    always_attended_ = "target";
  } else if (const auto envelope = only(names_, says_envelope); envelope && !attended && !unattended) {
    add("speaker", *envelope);
    always_attended_ = "speaker";
  } else {
    throw Error(
        ErrorKind::invalid_argument,
        stim_
            .error("it cannot be told which features are speakers; name the feature of each. The features are " +
                   names_text())
            .what());
  }
}

MatValue CndStimulus::cell(std::size_t feature, std::size_t trial) const {
  return data_.cell((trial * features_) + feature);  // columns one after the other
}

std::string CndStimulus::condition(std::size_t trial) const {
  if (!stim_.has("condIdxs")) return "";
  const MatValue conditions = stim_.field("condIdxs");
  if (conditions.size() == 0) return "";
  if (conditions.size() != trials_) {
    throw conditions.error("has " + std::to_string(conditions.size()) + " values, where there are " +
                           std::to_string(trials_) + " trials");
  }
  if (conditions.is(MatKind::cell)) return conditions.cell(trial).text();
  const double number = conditions.numbers()[trial];
  if (!stim_.has("condNames") || stim_.field("condNames").size() == 0) return number_text(number);
  const auto names = texts_of(stim_.field("condNames"));
  if (!(number >= 1) || number > static_cast<double>(names.size()) || number != std::floor(number)) {
    throw conditions.error("number " + std::to_string(trial + 1) + " is " + number_text(number) + ", but there are " +
                           std::to_string(names.size()) + " condNames");
  }
  return names[static_cast<std::size_t>(number) - 1];
}

Envelope CndStimulus::envelope(std::size_t speaker, std::size_t trial) const {
  const MatValue value = cell(of_speaker_[speaker], trial);
  const auto& dimensions = value.dimensions();
  const std::vector<double> numbers = value.numbers();
  if (numbers.empty() || dimensions.size() != 2) {
    throw value.error("is " + value.described() + ", not time x columns of " + in_quotes(names_[of_speaker_[speaker]]));
  }
  // A vector may lie on its side.
  const auto columns = static_cast<Index>(dimensions[0] == 1 ? 1 : dimensions[1]);
  const Index rows = std::ssize(numbers) / columns;
  Envelope result{.sampling_frequency = rate_};
  for (Index k = 0; k < columns; ++k) {
    result.columns.push_back(columns == 1 ? "envelope" : "band" + std::to_string(k + 1));
  }
  result.values = Eigen::Map<const Eigen::MatrixXd>(numbers.data(), rows, columns);
  return result;
}

std::string CndStimulus::attended_by_rule(std::size_t trial) const {
  const std::string name = condition(trial);
  const auto speaker = meaning_of(name, rules_);
  if (speaker && (speaker->empty() || std::ranges::find(speakers_, *speaker) != speakers_.end())) return *speaker;
  throw Error(ErrorKind::invalid_argument,
              stim_
                  .error("trial " + std::to_string(trial + 1) + " has the condition " + in_quotes(name) +
                         (speaker ? ", which means " + in_quotes(*speaker) + "; no speaker is called so"
                                  : "; no rule says who is attended then"))
                  .what());
}

std::vector<AttentionStretch> CndStimulus::given_attention(std::size_t trial) const {
  const MatValue value = cell(*attention_feature_, trial);
  const std::vector<double> numbers = value.numbers();
  std::vector<AttentionStretch> result;
  for (std::size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
    while (end < numbers.size() && numbers[end] == numbers[begin]) ++end;
    const double speaker = numbers[begin];
    if (!(speaker >= 0) || speaker > static_cast<double>(speakers_.size()) || speaker != std::floor(speaker)) {
      throw value.error("number " + std::to_string(begin + 1) + " is " + number_text(speaker) +
                        ", not the number of a speaker, 1 to " + std::to_string(speakers_.size()) + ", or 0");
    }
    if (speaker == 0) continue;
    result.push_back({.speaker = speakers_[static_cast<std::size_t>(speaker) - 1],
                      .onset = Seconds{static_cast<double>(begin) / rate_.value},
                      .duration = Seconds{static_cast<double>(end - begin) / rate_.value}});
  }
  return result;
}

std::vector<AttentionStretch> CndStimulus::attention(std::size_t trial, Seconds duration) const {
  if (rules_.empty() && attention_feature_) return given_attention(trial);
  const std::string attended = rules_.empty() ? always_attended_.value_or("") : attended_by_rule(trial);
  if (attended.empty()) return {};
  return {{.speaker = attended, .onset = {}, .duration = duration}};
}

}  // namespace heed::io
