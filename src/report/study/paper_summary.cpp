// SPDX-License-Identifier: MIT
#include <evaluate/claims.h>
#include <report/study/paper_summary.h>
#include <report/study/result_tables.h>
#include <report/text.h>

#include <algorithm>
#include <optional>

namespace heed::report {
namespace {

// A claim of a study that was asked for, with what this cohort says of it.
struct JudgedClaim {
  const Claim* claim = nullptr;
  evaluate::ClaimVerdict verdict{};
};

std::vector<JudgedClaim> judged_claims(const std::vector<StudyResult>& studies, bool of_the_paper) {
  std::vector<JudgedClaim> all;
  for (const StudyResult& result : studies) {
    for (const Claim& claim : result.study.claims) {
      if (evaluate::is_of_the_paper(claim, result.study) == of_the_paper) {
        all.push_back({&claim, verdict_of(claim, result)});
      }
    }
  }
  return all;
}

const KnownVerdict* known_by(const Claim& claim, const std::string& cohort) {
  const auto found = std::ranges::find(claim.known, cohort, &KnownVerdict::cohort);
  return found == claim.known.end() ? nullptr : &*found;
}

// Cohorts of reference, in the order in which claims name them.
std::vector<std::string> cohorts_of(const std::vector<JudgedClaim>& claims) {
  std::vector<std::string> cohorts;
  for (const JudgedClaim& one : claims) {
    for (const KnownVerdict& known : one.claim->known) {
      if (std::ranges::find(cohorts, known.cohort) == cohorts.end()) cohorts.push_back(known.cohort);
    }
  }
  return cohorts;
}

evaluate::ClaimCounts counts_here(const std::vector<JudgedClaim>& claims) {
  evaluate::ClaimCounts counts;
  for (const JudgedClaim& one : claims) counts.add(one.verdict.holds);
  return counts;
}

evaluate::ClaimCounts counts_by(const std::vector<JudgedClaim>& claims, const std::string& cohort) {
  evaluate::ClaimCounts counts;
  for (const JudgedClaim& one : claims) {
    const KnownVerdict* known = known_by(*one.claim, cohort);
    counts.add(known != nullptr ? known->holds : std::nullopt);
  }
  return counts;
}

// "+6.9 points at equal time (95 % interval +5.1 points to +8.8 points)": what an evidence begins with.
std::string beginning(const std::string& evidence) {
  const std::size_t end = evidence.find(')');
  return end == std::string::npos ? evidence : evidence.substr(0, end + 1);
}

std::string_view plural(std::size_t number, std::string_view one, std::string_view many) {
  return number == 1 ? one : many;
}

// "40 hold, 6 do not, and 12 cannot be told (5 of them need what this cohort does not have)"
std::string in_words(const std::vector<JudgedClaim>& claims) {
  const evaluate::ClaimCounts counts = counts_here(claims);
  std::string text = std::to_string(counts.hold);
  text.append(plural(counts.hold, " holds, ", " hold, ")).append(std::to_string(counts.fail));
  text.append(plural(counts.fail, " does not, and ", " do not, and ")).append(std::to_string(counts.open));
  text.append(" cannot be told");
  const auto lacking = static_cast<std::size_t>(
      std::ranges::count_if(claims, [](const JudgedClaim& one) { return !one.verdict.has_results; }));
  if (lacking == 0) return text;
  return text.append(" (")
      .append(std::to_string(lacking))
      .append(plural(lacking, " of them needs", " of them need"))
      .append(" what this cohort does not have)");
}

std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

std::string without_stop(const std::string& text) {
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

// What holds, here and elsewhere, and the first headline with its number.
std::string what_holds(const std::vector<JudgedClaim>& claims, bool simulated) {
  std::string text = std::string("Of its ") + counted(claims.size(), "claim") + " tested on these " +
                     (simulated ? "simulated" : "real") + " listeners, " + in_words(claims);
  std::string others;
  for (const std::string& cohort : cohorts_of(claims)) {
    const evaluate::ClaimCounts counts = counts_by(claims, cohort);
    const bool first = others.empty();
    others += (first ? "" : ", ") + std::to_string(counts.hold) + (first ? " hold and " : " and ") +
              std::to_string(counts.fail) + (first ? " do not (" : " (") + cohort + ")";
  }
  if (!others.empty()) text += "; on the cohorts of reference " + others;
  const auto first = std::ranges::find_if(
      claims, [](const JudgedClaim& one) { return one.claim->headline && one.verdict.has_results; });
  if (first == claims.end()) return text + ".";
  return text + "; that " + lower_first(without_stop(first->claim->text)) + " " +
         std::string(verdict_words(first->verdict.holds)) + ", with " + beginning(first->verdict.evidence) + ".";
}

// Where a claim fails: "here, simulated"; empty where it does not.
std::string failing_in(const JudgedClaim& one) {
  std::string where = one.verdict.holds == false ? "here" : "";
  for (const KnownVerdict& known : one.claim->known) {
    if (known.holds == false) where += (where.empty() ? "" : ", ") + known.cohort;
  }
  return where;
}

// Why results differ from the paper: reasons of claims that fail, here or elsewhere, and what claims that hold tell.
std::string why_it_differs(const std::vector<StudyResult>& studies) {
  std::vector<std::string> reasons;
  const auto add = [&](const std::string& reason) {
    if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
  };
  for (const JudgedClaim& one : judged_claims(studies, true)) {
    const std::string where = failing_in(one);
    if (where.empty()) continue;
    const std::string& reason = one.claim->if_not;
    add(!reason.empty()
            ? reason
            : "no reason is known why this fails: " + lower_first(without_stop(one.claim->text)) + " (" + where + ")");
  }
  for (const bool of_the_paper : {true, false}) {
    for (const JudgedClaim& one : judged_claims(studies, of_the_paper)) {
      if (one.verdict.holds == true && !one.claim->because.empty()) add(one.claim->because);
    }
  }
  if (reasons.empty()) return "Nothing that can be told differs from the paper.";
  std::string text = "Where it differs: ";
  for (std::size_t k = 0; k < reasons.size(); ++k) text += (k == 0 ? "" : "; ") + reasons[k];
  return text + ".";
}

}  // namespace

std::vector<std::string> three_sentences(const std::vector<StudyResult>& studies, bool simulated) {
  return {
      "The paper claims that a hidden Markov model makes the decoding of auditory attention more accurate and quicker "
      "to follow a switch than earlier post-processing does, in real time and even more so with hindsight.",
      what_holds(judged_claims(studies, true), simulated), why_it_differs(studies)};
}

Table cohort_table(const std::vector<StudyResult>& studies) {
  const std::vector<JudgedClaim> claims = judged_claims(studies, true);
  Table table{.caption = "The paper's claims on this cohort and on those of reference (docs/paper.md)",
              .columns = {{.heading = "cohort", .numbers = false},
                          {.heading = "hold", .decimals = 0},
                          {.heading = "do not", .decimals = 0},
                          {.heading = "cannot be told", .decimals = 0}}};
  std::vector<JudgedClaim> headlines;
  std::ranges::copy_if(claims, std::back_inserter(headlines),
                       [](const JudgedClaim& one) { return one.claim->headline && one.verdict.has_results; });
  for (const JudgedClaim& one : headlines) {
    table.columns.push_back({.heading = without_stop(one.claim->text), .numbers = false});
  }
  const auto add = [&](const std::string& name, const evaluate::ClaimCounts& counts, const auto& cell) {
    const auto number = [](std::size_t count) { return std::optional(static_cast<double>(count)); };
    std::vector<TableCell> row{name, number(counts.hold), number(counts.fail), number(counts.open)};
    for (const JudgedClaim& one : headlines) row.push_back(cell(one));
    table.rows.push_back(std::move(row));
  };
  const auto words = [](std::optional<bool> holds, const std::string& evidence) {
    return TableCell(std::string(verdict_words(holds)) + ": " + beginning(evidence));
  };
  add("this one", counts_here(claims),
      [&](const JudgedClaim& one) { return words(one.verdict.holds, one.verdict.evidence); });
  for (const std::string& cohort : cohorts_of(claims)) {
    add(cohort, counts_by(claims, cohort), [&](const JudgedClaim& one) {
      const KnownVerdict* known = known_by(*one.claim, cohort);
      return known != nullptr ? words(known->holds, known->evidence) : TableCell();
    });
  }
  return table;
}

std::string beyond_in_words(const std::vector<StudyResult>& studies) {
  const std::vector<JudgedClaim> claims = judged_claims(studies, false);
  return claims.empty() ? "" : "Of " + counted(claims.size(), "claim") + " beyond the paper, " + in_words(claims) + ".";
}

}  // namespace heed::report
