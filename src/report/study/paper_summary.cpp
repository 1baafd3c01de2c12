// SPDX-License-Identifier: MIT
#include <evaluate/claims.h>
#include <report/study/paper_summary.h>
#include <report/study/result_tables.h>
#include <report/text.h>

#include <algorithm>
#include <optional>

namespace heed::report {
namespace {

// What a cohort says of a claim.
struct Told {
  bool tested = false;  // false: it has no such results
  std::optional<bool> holds{};
  std::string evidence{};
};

// A claim of a study that was asked for, with what this cohort says of it.
struct JudgedClaim {
  const Claim* claim = nullptr;
  bool of_the_paper = false;
  Told here{};
};
using JudgedClaims = std::vector<JudgedClaim>;

JudgedClaims judged_claims(const StudyResult& result) {
  JudgedClaims all;
  for (const Claim& claim : result.study.claims) {
    evaluate::ClaimVerdict verdict = verdict_of(claim, result);
    all.push_back({&claim,
                   evaluate::is_of_the_paper(claim, result.study),
                   {verdict.has_results, verdict.holds, std::move(verdict.evidence)}});
  }
  return all;
}

JudgedClaims judged_claims(const std::vector<StudyResult>& studies) {
  JudgedClaims all;
  for (const StudyResult& result : studies) std::ranges::move(judged_claims(result), std::back_inserter(all));
  return all;
}

JudgedClaims only(JudgedClaims claims, bool of_the_paper) {
  std::erase_if(claims, [&](const JudgedClaim& one) { return one.of_the_paper != of_the_paper; });
  return claims;
}

// ---- cohorts: this one and those of reference ----

const std::string here;  // this cohort has no name

Told told_by(const JudgedClaim& one, const std::string& cohort) {
  if (cohort == here) return one.here;
  const auto found = std::ranges::find(one.claim->known, cohort, &KnownVerdict::cohort);
  return found == one.claim->known.end() ? Told{} : Told{true, found->holds, found->evidence};
}

// This cohort is that one of reference, reproduced.
bool is_here(const JudgedClaims& claims, const std::string& cohort) {
  return std::ranges::all_of(claims, [&](const JudgedClaim& one) {
    const Told told = told_by(one, cohort);
    return told.tested == one.here.tested && told.holds == one.here.holds &&
           (!told.tested || told.evidence == one.here.evidence);
  });
}

std::vector<std::string> others_of(const JudgedClaims& claims) {
  std::vector<std::string> cohorts;
  for (const JudgedClaim& one : claims) {
    for (const KnownVerdict& known : one.claim->known) {
      if (std::ranges::find(cohorts, known.cohort) == cohorts.end()) cohorts.push_back(known.cohort);
    }
  }
  std::erase_if(cohorts, [&](const std::string& cohort) { return is_here(claims, cohort); });
  return cohorts;
}

// This one first.
std::vector<std::string> cohorts_of(const JudgedClaims& claims) {
  std::vector<std::string> cohorts = others_of(claims);
  cohorts.insert(cohorts.begin(), here);
  return cohorts;
}

std::string in_place(const std::string& cohort) {
  if (cohort == here) return "in this cohort";
  return "on " + cohort + (cohort == "simulated" ? " listeners" : "");
}

// ---- words ----

std::string_view plural(std::size_t number, std::string_view one, std::string_view many) {
  return number == 1 ? one : many;
}

// "a, b and c"
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == words.size() ? " and " : ", ") + words[k];
  }
  return text;
}

std::string places_in_words(const std::vector<std::string>& cohorts) {
  std::vector<std::string> places;
  for (const std::string& cohort : cohorts) places.push_back(in_place(cohort));
  return listed(places);
}

std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

std::string without_stop(const std::string& text) {
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

// ---- counts ----

struct Counts {
  evaluate::ClaimCounts tested{};
  std::size_t not_tested = 0;
};

Counts counts_by(const JudgedClaims& claims, const std::string& cohort) {
  Counts counts;
  for (const JudgedClaim& one : claims) {
    const Told told = told_by(one, cohort);
    if (told.tested) {
      counts.tested.add(told.holds);
    } else {
      ++counts.not_tested;
    }
  }
  return counts;
}

// "Of 48 claims beyond the paper 27 hold, 1 does not, 9 cannot be told, and 11 could not be tested here."
std::string counts_in_words(const JudgedClaims& claims, const std::string& which) {
  const Counts counts = counts_by(claims, here);
  std::string text = "Of " + counted(claims.size(), "claim") + which + ", " + std::to_string(counts.tested.hold);
  text.append(plural(counts.tested.hold, " holds, ", " hold, ")).append(std::to_string(counts.tested.fail));
  text.append(plural(counts.tested.fail, " does not, ", " do not, ")).append(std::to_string(counts.tested.open));
  text += " cannot be told";
  if (counts.not_tested > 0) text += ", and " + std::to_string(counts.not_tested) + " could not be tested here";
  return text + ".";
}

// ---- what holds ----

// "+6.9 (+5.1 to +8.8)" of a comparison of frontiers; empty for other evidence.
struct GainWords {
  std::string value{};
  std::string interval{};
};
std::optional<GainWords> gain_in(const std::string& evidence) {
  const std::size_t value_end = evidence.find(" points at equal time (");
  if (value_end == std::string::npos) return std::nullopt;
  const std::string mark = "interval ";
  const std::size_t begin = evidence.find(mark) + mark.size();
  return GainWords{evidence.substr(0, value_end), evidence.substr(begin, evidence.find(')') - begin)};
}

// Something said of some cohorts.
struct Statement {
  bool agrees = true;  // with the paper
  std::string stem{};
  std::string of{};
  std::vector<std::string> cohorts{};
  std::vector<std::string> gains{};  // of each of them, where it is one at equal time
};

std::vector<Statement> statements_of(const JudgedClaims& claims, const std::vector<std::string>& cohorts) {
  std::vector<Statement> all;
  for (const JudgedClaim& one : claims) {
    for (const bool holds : {true, false}) {
      Statement statement{
          .agrees = holds, .stem = holds ? one.claim->says : one.claim->says_if_not, .of = one.claim->of};
      for (const std::string& cohort : cohorts) {
        const Told told = told_by(one, cohort);
        if (told.holds != holds) continue;
        statement.cohorts.push_back(cohort);
        const auto gain = gain_in(told.evidence);
        if (gain && one.claim->kind == ClaimKind::better_frontier) statement.gains.push_back(gain->value);
      }
      if (!statement.stem.empty() && !statement.cohorts.empty()) all.push_back(std::move(statement));
    }
  }
  return all;
}

// Statements with the same stem, at once: "the causal HMM is more accurate than the Markov chain (+6.9 and +5.2
// points) and longer windows".
std::vector<std::string> said_at_once(const std::vector<Statement>& statements) {
  std::vector<std::string> stems;
  std::vector<std::vector<std::string>> objects;
  for (const Statement& one : statements) {
    const auto found = std::ranges::find(stems, one.stem);
    const auto k = static_cast<std::size_t>(found - stems.begin());
    if (found == stems.end()) {
      stems.push_back(one.stem);
      objects.emplace_back();
    }
    objects[k].push_back(one.of + (one.gains.empty() ? "" : " (" + listed(one.gains) + " points)"));
  }
  std::vector<std::string> points;
  for (std::size_t k = 0; k < stems.size(); ++k) points.push_back(stems[k] + " " + listed(objects[k]));
  return points;
}

// What agrees with the paper first.
std::vector<std::string> agreement_first(const std::vector<Statement>& statements) {
  std::vector<std::string> points;
  for (const bool agrees : {true, false}) {
    std::vector<Statement> some;
    std::ranges::copy_if(statements, std::back_inserter(some), [&](const auto& one) { return one.agrees == agrees; });
    std::vector<std::string> sentences = said_at_once(some);
    if (!points.empty() && !sentences.empty()) sentences.front().insert(0, "but ");
    std::ranges::move(sentences, std::back_inserter(points));
  }
  return points;
}

// One point follows its introduction, several stand below it.
LeadParagraph introduced(const std::string& introduction, std::string_view mark, std::vector<std::string> points) {
  if (points.size() == 1) return {.text = introduction + std::string(mark) + " " + points.front() + "."};
  return {.text = introduction + ":", .points = std::move(points)};
}

// What all cohorts show first, then what fewer do.
std::vector<LeadParagraph> what_holds(const JudgedClaims& claims) {
  const std::vector<Statement> all = statements_of(claims, cohorts_of(claims));
  if (all.empty()) return {{.text = counts_in_words(only(claims, true), " of the paper")}};
  std::vector<std::vector<std::string>> shared;
  for (const Statement& one : all) {
    if (std::ranges::find(shared, one.cohorts) == shared.end()) shared.push_back(one.cohorts);
  }
  std::ranges::stable_sort(shared, std::ranges::greater{}, &std::vector<std::string>::size);
  std::vector<LeadParagraph> paragraphs;
  for (const auto& some : shared) {
    std::vector<Statement> theirs;
    std::ranges::copy_if(all, std::back_inserter(theirs), [&](const Statement& one) { return one.cohorts == some; });
    paragraphs.push_back(introduced(capitalised(places_in_words(some)), ",", agreement_first(theirs)));
  }
  return paragraphs;
}

// ---- why it differs ----

bool rests_on(const Reason& reason, const JudgedClaims& claims, const std::string& cohort) {
  const auto came_out = [&](const std::vector<std::string>& texts, bool holds) {
    return std::ranges::all_of(texts, [&](const std::string& text) {
      return std::ranges::any_of(claims, [&](const JudgedClaim& one) {
        return one.claim->text == text && told_by(one, cohort).holds == holds;
      });
    });
  };
  return came_out(reason.holds, true) && came_out(reason.fails, false);
}

// Said of the cohorts of which it is true, which are named unless they are all.
void add_reason(std::vector<std::string>& reasons, const std::string& text, const std::vector<std::string>& where,
                std::size_t cohorts) {
  if (where.empty()) return;
  reasons.push_back(text + (where.size() == cohorts ? "" : " (" + places_in_words(where) + ")"));
}

void add_reasons(const StudyResult& result, const std::vector<std::string>& cohorts,
                 std::vector<std::string>& reasons) {
  const JudgedClaims claims = judged_claims(result);
  const auto where = [&](const auto& is_true) {
    std::vector<std::string> some;
    std::ranges::copy_if(cohorts, std::back_inserter(some), is_true);
    return some;
  };
  // Reasons of the same words are one, which is true wherever one of them is.
  std::vector<std::string> texts;
  for (const Reason& reason : result.study.reasons) {
    if (std::ranges::find(texts, reason.text) == texts.end()) texts.push_back(reason.text);
  }
  for (const std::string& text : texts) {
    add_reason(reasons, text, where([&](const std::string& cohort) {
                 return std::ranges::any_of(result.study.reasons, [&](const Reason& reason) {
                   return reason.text == text && rests_on(reason, claims, cohort);
                 });
               }),
               cohorts.size());
  }
  for (const JudgedClaim& one : only(claims, true)) {
    const auto explained = [&](const std::string& cohort) {
      return std::ranges::any_of(result.study.reasons, [&](const Reason& reason) {
        return std::ranges::find(reason.fails, one.claim->text) != reason.fails.end() &&
               rests_on(reason, claims, cohort);
      });
    };
    add_reason(
        reasons, "no reason is known why this fails: " + lower_first(without_stop(one.claim->text)),
        where([&](const std::string& cohort) { return told_by(one, cohort).holds == false && !explained(cohort); }),
        cohorts.size());
  }
}

// Why results differ from the paper, here or elsewhere, and what they tell about it.
LeadParagraph why_it_differs(const std::vector<StudyResult>& studies) {
  const JudgedClaims claims = judged_claims(studies);
  const std::vector<std::string> cohorts = cohorts_of(claims);
  std::vector<std::string> reasons;
  for (const StudyResult& result : studies) add_reasons(result, cohorts, reasons);
  if (!reasons.empty()) return introduced("Where it differs", ":", std::move(reasons));
  const JudgedClaims of_the_paper = only(claims, true);
  const std::size_t told = counts_by(of_the_paper, here).tested.hold;
  if (told == 0) return {.text = "Whether it agrees with the paper cannot be told here."};
  return {.text = "What can be told here (" + std::to_string(told) + " of " + counted(of_the_paper.size(), "claim") +
                  ") agrees with the paper."};
}

// ---- the table ----

std::string cell_words(const Told& told) {
  const std::string verdict(verdict_words(told.holds));
  const auto gain = gain_in(told.evidence);
  return gain ? verdict + ", " + gain->value + " (" + gain->interval + ")" : verdict + ": " + told.evidence;
}

}  // namespace

std::vector<std::string> other_cohorts(const std::vector<StudyResult>& studies) {
  return others_of(judged_claims(studies));
}

std::vector<LeadParagraph> paper_in_short(const std::vector<StudyResult>& studies) {
  std::vector<LeadParagraph> paragraphs = what_holds(judged_claims(studies));
  paragraphs.insert(
      paragraphs.begin(),
      {.text = "The paper claims that a hidden Markov model makes the decoding of auditory attention more accurate "
               "and quicker to follow a switch than earlier post-processing does, in real time and even more so with "
               "hindsight."});
  paragraphs.push_back(why_it_differs(studies));
  return paragraphs;
}

Table cohort_table(const std::vector<StudyResult>& studies) {
  const JudgedClaims all = judged_claims(studies);
  const JudgedClaims claims = only(all, true);
  Table table{.caption =
                  "The paper's claims on this cohort and on those of reference (simulated: listeners of heed's "
                  "simulator; real scores: those of real listeners by least squares, as published; real EEG: "
                  "recordings of others, decoded by CCA; docs/paper.md has them all)",
              .columns = {{.heading = "cohort", .numbers = false},
                          {.heading = "hold", .decimals = 0},
                          {.heading = "do not", .decimals = 0},
                          {.heading = "cannot be told", .decimals = 0},
                          {.heading = "not tested", .decimals = 0}},
              .kind = "cohorts"};
  JudgedClaims headlines;
  std::ranges::copy_if(all, std::back_inserter(headlines),
                       [](const JudgedClaim& one) { return !one.claim->headline.empty() && one.here.tested; });
  if (!headlines.empty()) {
    table.caption +=
        "; then the causal HMM beside others at equal time, in points of accuracy with intervals of 95 % (of 90 % "
        "where "
        "likeness within 2 points is judged)";
  }
  for (const JudgedClaim& one : headlines) table.columns.push_back({.heading = one.claim->headline, .numbers = false});
  for (const std::string& cohort : cohorts_of(all)) {
    const Counts counts = counts_by(claims, cohort);
    std::vector<TableCell> row{cohort == here ? "this one" : cohort};
    for (const std::size_t count : {counts.tested.hold, counts.tested.fail, counts.tested.open, counts.not_tested}) {
      row.emplace_back(std::optional(static_cast<double>(count)));
    }
    for (const JudgedClaim& one : headlines) {
      const Told told = told_by(one, cohort);
      if (told.tested) {
        row.emplace_back(cell_words(told));
      } else {
        row.emplace_back();
      }
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string beyond_in_words(const std::vector<StudyResult>& studies) {
  const JudgedClaims claims = only(judged_claims(studies), false);
  return claims.empty() ? "" : counts_in_words(claims, " beyond the paper");
}

}  // namespace heed::report
