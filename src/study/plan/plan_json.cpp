// SPDX-License-Identifier: MIT
// plan.json, and the JSON beside a gathered table. docs/formats.md lists the keys.
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <study/plan/plan_gather.h>

#include <nlohmann/json.hpp>

namespace heed::study {
namespace {

using Json = nlohmann::ordered_json;

// What a file says of itself, for messages; empty where it does not.
std::string text_in(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
}

std::string written(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json participants_json(const std::vector<PlannedParticipant>& participants) {
  Json list = Json::array();
  for (const PlannedParticipant& one : participants) {
    list.push_back({{"Id", one.id}, {"Speakers", one.speakers}, {"Digest", one.digest}});
  }
  return list;
}

std::vector<PlannedParticipant> participants_in(const Json& json) {
  std::vector<PlannedParticipant> participants;
  for (const Json& one : json) {
    participants.push_back({.id = one.at("Id").get<std::string>(),
                            .speakers = one.at("Speakers").get<int>(),
                            .digest = one.at("Digest").get<std::string>()});
  }
  return participants;
}

Json study_json(const StudyText& text) { return {{"File", text.origin}, {"Text", text.toml}}; }

StudyText study_in(const Json& json) {
  return {json.at("File").get<std::string>(), json.at("Text").get<std::string>()};
}

Json cohort_json(const Plan& plan) {
  return {{"Words", plan.cohort_in_words()},
          {"Simulated", plan.is_simulated()},
          {"Seed", plan.cohort_name().seed},
          {"Quick", plan.cohort_name().quick},
          {"Participants", participants_json(plan.participants())}};
}

CohortName name_in(const Json& json) {
  CohortName name{.on = json.at("On").get<std::vector<std::string>>(),
                  .quick = json.at("Quick").get<bool>(),
                  .seed = json.at("Seed").get<std::uint64_t>()};
  if (!json.at("Limit").is_null()) name.participants = json.at("Limit").get<int>();
  const Json runs = json.value("Runs", Json::object());
  name.runs = {.runs = runs.value("Labels", std::vector<std::string>{}),
               .conditions = runs.value("Conditions", std::vector<std::string>{}),
               .first_of_each = runs.value("FirstOfEach", false)};
  return name;
}

Error plan_again(const std::string& origin, const std::string& reason) {
  return {
      ErrorKind::bad_data,
      origin + ": " + reason + "; plan again with 'heed study plan', into another folder or after removing this one"};
}

constexpr const char* planner = "heed study plan";
constexpr int plan_format = 3;
constexpr const char* gatherer = "heed study gather";
constexpr int gathered_format = 2;

// A file of another program, or of another heed, would be misread.
void check_plan(const Json& json, const std::string& origin) {
  if (text_in(json, "Program") != planner) throw plan_again(origin, "this is not the plan of a study");
  const std::string by = text_in(json, "Version");
  const Json number = json.value("Format", Json());
  if (number.is_number_integer() && number < plan_format) {
    throw plan_again(origin, "made by an earlier version of heed (" + by + "), which kept its results differently");
  }
  if (number != plan_format)
    throw plan_again(origin, "made by another version of heed (" + by + "), in another format");
  if (by != version()) {
    throw plan_again(
        origin, "made by heed " + by + ", and this is " + std::string(version()) + ", which may give other results");
  }
}

GatheredSidecar sidecar_in(const Json& json) {
  GatheredSidecar sidecar;
  GatheredStudy& gathered = sidecar.gathered;
  const StudyText text = study_in(json.at("Study"));
  gathered.result.study = parse_study(text.toml, text.origin);
  for (const Json& one : json.at("Notes")) {
    gathered.result.notes.push_back({one.at("Subject").get<std::string>(),
                                     data::note_kind_named(one.at("Kind").get<std::string>()),
                                     one.at("Text").get<std::string>()});
  }
  gathered.version = json.at("Version").get<std::string>();
  gathered.missing = json.at("Missing").get<std::size_t>();
  sidecar.tables = json.at("Tables").get<std::vector<std::string>>();
  const Json& cohort = json.at("Cohort");
  gathered.cohort = cohort.at("Words").get<std::string>();
  gathered.simulated = cohort.at("Simulated").get<bool>();
  gathered.seed = cohort.at("Seed").get<std::uint64_t>();
  gathered.quick = cohort.at("Quick").get<bool>();
  gathered.participants = participants_in(cohort.at("Participants"));
  for (const Json& one : json.at("LeftOut")) {
    sidecar.left_out.push_back({one.at("Setting").get<std::string>(), one.at("Why").get<std::string>()});
  }
  return sidecar;
}

}  // namespace

Plan Plan::parse(std::string_view json_text, const std::string& origin) {
  const Json json = Json::parse(json_text, nullptr, false);
  check_plan(json, origin);
  try {
    const Json& cohort = json.at("Cohort");
    Plan plan(study_in(json.at("Study")), name_in(cohort), participants_in(cohort.at("Participants")));
    plan.words_ = cohort.at("Words").get<std::string>();
    plan.simulated_ = cohort.at("Simulated").get<bool>();
    if (json.at("Results").get<std::size_t>() == plan.grid_.size()) return plan;
  } catch (const Json::exception&) {  // told below
  }
  throw plan_again(origin, "a damaged plan");
}

std::string Plan::json() const {
  Json cohort{{"On", name_.on},
              {"Limit", name_.participants ? Json(*name_.participants) : Json(nullptr)},
              {"Runs",
               {{"Labels", name_.runs.runs},
                {"Conditions", name_.runs.conditions},
                {"FirstOfEach", name_.runs.first_of_each}}}};
  cohort.update(cohort_json(*this));
  return written({{"Program", planner},
                  {"Format", plan_format},
                  {"Version", version()},
                  {"Study", study_json(text_)},
                  {"Settings", grid_.settings().size()},
                  {"Results", grid_.size()},
                  {"Cohort", cohort}});
}

std::string gathered_json(const Plan& plan, const Assembled& assembled, const std::vector<std::string>& tables) {
  Json notes = Json::array();
  for (const auto& [subject, kind, text] : assembled.notes) {
    const std::string_view word = data::note_kind_names[static_cast<std::size_t>(kind)];
    notes.push_back({{"Subject", subject}, {"Kind", word}, {"Text", text}});
  }
  Json left_out = Json::array();
  for (const LeftOut& one : assembled.left_out) left_out.push_back({{"Setting", one.setting}, {"Why", one.reason}});
  return written({{"Program", gatherer},
                  {"Format", gathered_format},
                  {"Version", version()},
                  {"Study", study_json(plan.text())},
                  {"Tables", tables},
                  {"Results", plan.grid().size()},
                  {"Missing", assembled.missing},
                  {"Notes", notes},
                  {"LeftOut", left_out},
                  {"Cohort", cohort_json(plan)}});
}

GatheredSidecar parse_gathered(std::string_view json_text, const std::string& origin) {
  const Json json = Json::parse(json_text, nullptr, false);
  const std::string remedy = "; give a table that 'heed study gather' wrote, with its JSON beside it";
  if (text_in(json, "Program") != gatherer) {
    throw Error(ErrorKind::bad_data, origin + ": does not belong to a gathered table" + remedy);
  }
  if (!json.contains("Format") || json["Format"] != gathered_format) {
    throw Error(ErrorKind::bad_data, origin + ": written by another version of heed (" + text_in(json, "Version") +
                                         ") in another format; gather again");
  }
  try {
    return sidecar_in(json);
  } catch (const Json::exception&) {
    throw Error(ErrorKind::bad_data, origin + ": damaged" + remedy);
  }
}

}  // namespace heed::study
