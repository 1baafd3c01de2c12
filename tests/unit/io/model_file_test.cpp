// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/version.h>
#include <heed/io/model_file.h>
#include <io/text_file.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using test::expect_error;
using Json = nlohmann::json;

Model gaussian_model() {
  return {GaussianEmission{true, Spread::shared, 0.1, 1.0 / 3, 0.3, 0.3, 0},
          Seconds{1},
          Seconds{1},
          false,
          16,
          "16 listeners"};
}

MixtureEmission mixture(CovarianceShape shape) {
  const double beside = shape == CovarianceShape::full ? 0.1 : 0;
  const auto component = [&](double weight, double x) {
    return GaussianComponent{weight, Eigen::Vector2d(x, 1 / x),
                             (Matrix(2, 2) << x, beside, beside, 1.0 / 3).finished()};
  };
  return {shape, {"left", "right"}, {"a", "b"}, {{component(0.3, 0.7), component(0.7, 1.9)}, {component(1, 2.3)}}};
}

// The JSON of a good model with one key changed.
template <typename Change>
std::string changed(const Model& model, Change change) {
  Json json = Json::parse(model_text(model));
  change(json);
  return json.dump();
}

template <typename Change>
void expect_fault(ErrorKind kind, std::initializer_list<std::string_view> words, Change change,
                  const Model& model = gaussian_model()) {
  expect_error(kind, words, [&] { (void)parse_model(changed(model, change)); });
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool same(const GaussianEmission& a, const GaussianEmission& b) {
  return a.fisher == b.fisher && a.spread == b.spread && same_bits(a.mu_attended, b.mu_attended) &&
         same_bits(a.mu_unattended, b.mu_unattended) && same_bits(a.sigma_attended, b.sigma_attended) &&
         same_bits(a.sigma_unattended, b.sigma_unattended) && same_bits(a.correlation, b.correlation);
}

TEST(ModelFile, KnowsWhetherItIsOfSteps) {
  Model model = gaussian_model();
  EXPECT_EQ(model_text(model).find("ScoreType"), std::string::npos) << "files of windows stay as they were";
  model.steps = true;
  EXPECT_EQ(Json::parse(model_text(model)).at("ScoreType"), "step-cosine");
  EXPECT_EQ(parse_model(model_text(model)), model);
  const auto with_type = [&](const Json& type) {
    return changed(gaussian_model(), [&](Json& json) { json["ScoreType"] = type; });
  };
  EXPECT_FALSE(parse_model(with_type("correlation")).steps);
  expect_error(ErrorKind::bad_data, {"ScoreType", "'cosine'", "step-cosine"},
               [&] { (void)parse_model(with_type("cosine")); });
  expect_error(ErrorKind::bad_data, {"ScoreType"}, [&] { (void)parse_model(with_type(3)); });
}

TEST(ModelFile, AGaussianModelReadsBack) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "model.json";
  write_model(file, gaussian_model());
  const Model read = read_model(file);
  EXPECT_EQ(read.window, Seconds{1});
  EXPECT_EQ(read.participants, 16U);
  EXPECT_EQ(read.origin, "16 listeners");
  ASSERT_TRUE(std::holds_alternative<GaussianEmission>(read.emission));
  EXPECT_TRUE(same(std::get<GaussianEmission>(read.emission), std::get<GaussianEmission>(gaussian_model().emission)));
}

TEST(ModelFile, SaysItsFormat) {
  const Json json = Json::parse(model_text(gaussian_model()));
  EXPECT_EQ(json.at("Format"), "heed-model");
  EXPECT_EQ(json.at("FormatVersion"), 1);
  EXPECT_EQ(json.at("HeedVersion"), version());
  EXPECT_EQ(json.at("WindowLength"), 1.0);
  EXPECT_EQ(json.at("Participants"), 16);
  EXPECT_EQ(json.at("Origin"), "16 listeners");
  EXPECT_EQ(json.at("Emission").at("Kind"), "fisher-gaussian");
  EXPECT_EQ(json.at("Emission").at("Spread"), "shared");
}

TEST(ModelFile, OtherEmissionsReadBack) {
  Model model{SoftmaxEmission{{0.25, 0.25, 0.5}}, Seconds{0.1}, Seconds{0.1}, false, 0, "given by hand"};
  Model read = parse_model(model_text(model));
  EXPECT_EQ(std::get<SoftmaxEmission>(read.emission).class_priors, (std::vector<double>{0.25, 0.25, 0.5}));
  EXPECT_EQ(read.window, Seconds{0.1});
  model.emission = SoftmaxEmission{};
  EXPECT_TRUE(std::get<SoftmaxEmission>(parse_model(model_text(model)).emission).class_priors.empty());
  model.emission = GivenLogLikelihoods{};
  EXPECT_TRUE(std::holds_alternative<GivenLogLikelihoods>(parse_model(model_text(model)).emission));
  model.emission = HardDecisionEmission{0.62};
  EXPECT_EQ(std::get<HardDecisionEmission>(parse_model(model_text(model)).emission).accuracy, 0.62);
  model.emission = ProbabilityEmission{{0.25, 0.75}};
  EXPECT_EQ(std::get<ProbabilityEmission>(parse_model(model_text(model)).emission).class_priors,
            (std::vector<double>{0.25, 0.75}));
}

TEST(ModelFile, MixturesReadBackExactly) {
  for (const auto shape : {CovarianceShape::full, CovarianceShape::diagonal}) {
    const MixtureEmission written = mixture(shape);
    const MixtureEmission read =
        std::get<MixtureEmission>(parse_model(model_text({written, Seconds{1}, Seconds{1}, false, 2, ""})).emission);
    EXPECT_EQ(read.shape, shape);
    EXPECT_EQ(read.states, written.states);
    EXPECT_EQ(read.features, written.features);
    ASSERT_EQ(read.mixtures.size(), 2U);
    for (std::size_t s = 0; s < 2; ++s) {
      ASSERT_EQ(read.mixtures[s].size(), written.mixtures[s].size());
      for (std::size_t c = 0; c < read.mixtures[s].size(); ++c) {
        EXPECT_EQ(read.mixtures[s][c].weight, written.mixtures[s][c].weight);
        EXPECT_EQ(read.mixtures[s][c].mean, written.mixtures[s][c].mean);
        EXPECT_EQ(read.mixtures[s][c].covariance, written.mixtures[s][c].covariance);
      }
    }
  }
}

TEST(ModelFile, RefusesMixturesThatAreNone) {
  const Model model{mixture(CovarianceShape::full), Seconds{1}, Seconds{1}, false, 2, ""};
  const auto fault = [&](std::initializer_list<std::string_view> words, auto change) {
    expect_fault(
        ErrorKind::bad_data, words, [&](Json& json) { change(json["Emission"]); }, model);
  };
  fault({"Emission.States", "different names"}, [](Json& e) { e["States"] = {"left", "right", "left"}; });
  fault({"Emission.States", "list of texts"}, [](Json& e) { e["States"] = {1, 2}; });
  fault({"Emission.Features", "different names"}, [](Json& e) { e["Features"] = Json::array(); });
  fault({"Emission.Components", "'middle'"}, [](Json& e) { e["Components"][0]["State"] = "middle"; });
  fault({"Emission.Components", "list of objects"}, [](Json& e) { e["Components"] = 5; });
  fault({"Emission.Components.Weight", "missing"}, [](Json& e) { e["Components"][0].erase("Weight"); });
  fault({"state left", "sum to 1"}, [](Json& e) { e["Components"][0]["Weight"] = 0.5; });
  fault({"state left", "Weight"}, [](Json& e) { e["Components"][0]["Weight"] = -0.3; });
  fault({"state right", "sum to 1, not to 0"}, [](Json& e) { e["Components"].erase(2); });
  fault({"state left", "Mean"}, [](Json& e) { e["Components"][0]["Mean"] = {1, 2, 3}; });
  fault({"state left", "Covariance"}, [](Json& e) { e["Components"][0]["Covariance"] = {1, 2}; });
  fault({"state left", "symmetric"}, [](Json& e) { e["Components"][0]["Covariance"] = {1, 0.1, 0.2, 1}; });
  fault({"state left", "above 0"}, [](Json& e) { e["Components"][0]["Covariance"] = {0, 0, 0, 1}; });
  expect_fault(
      ErrorKind::unsupported, {"Emission.Covariance", "'round'", "diagonal"},
      [](Json& json) { json["Emission"]["Covariance"] = "round"; }, model);
  Model wrong = model;
  wrong.emission = mixture(CovarianceShape::full);
  std::get<MixtureEmission>(wrong.emission).shape = CovarianceShape::diagonal;
  expect_error(ErrorKind::invalid_argument, {"state left", "diagonal"}, [&] { (void)model_text(wrong); });
}

TEST(ModelFile, KeepsTheTemperatureAndReadsFilesWithoutOne) {
  Model model = gaussian_model();
  model.temperature = 1.0 / 3;
  EXPECT_EQ(parse_model(model_text(model)).temperature, 1.0 / 3);
  const std::string old = changed(model, [](Json& json) { json.erase("Temperature"); });
  EXPECT_EQ(parse_model(old).temperature, 1);
  expect_fault(ErrorKind::bad_data, {"Temperature", "greater than 0"}, [](Json& json) { json["Temperature"] = 0; });
  expect_fault(ErrorKind::bad_data, {"Temperature", "is not a number"}, [](Json& json) { json["Temperature"] = "x"; });
  model.temperature = std::numeric_limits<double>::infinity();
  expect_error(ErrorKind::invalid_argument, {"Temperature"}, [&] { (void)model_text(model); });
}

TEST(ModelFile, RefusesAnAccuracyThatIsNone) {
  const Model model{HardDecisionEmission{0.7}, Seconds{1}, Seconds{1}, false, 0, ""};
  for (const double accuracy : {0.0, 1.0, -0.5, 2.0}) {
    expect_fault(
        ErrorKind::bad_data, {"Emission.Accuracy"}, [&](Json& json) { json["Emission"]["Accuracy"] = accuracy; },
        model);
  }
}

RC_GTEST_PROP(ModelFile, EveryDoubleReadsBackExactly,
              (std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d)) {
  GaussianEmission gaussian{*rc::gen::arbitrary<bool>(),
                            *rc::gen::element(Spread::shared, Spread::separate, Spread::exchangeable),
                            std::bit_cast<double>(a),
                            std::bit_cast<double>(b),
                            std::abs(std::bit_cast<double>(c)),
                            0,
                            0};
  gaussian.sigma_unattended = gaussian.sigma_attended;
  const double other = std::abs(std::bit_cast<double>(d));
  if (gaussian.spread == Spread::separate) gaussian.sigma_unattended = other;
  if (gaussian.spread == Spread::exchangeable) gaussian.correlation = std::sin(static_cast<double>(d));
  for (const double x : {gaussian.mu_attended, gaussian.mu_unattended, gaussian.sigma_attended, other}) {
    RC_PRE(std::isfinite(x));
  }
  RC_PRE(gaussian.sigma_attended > 0 && gaussian.sigma_unattended > 0);
  const Model read = parse_model(model_text({gaussian, Seconds{1}, Seconds{1}, false, 1, ""}));
  RC_ASSERT(same(std::get<GaussianEmission>(read.emission), gaussian));
}

TEST(ModelFile, RefusesVersionsAndKindsItDoesNotKnow) {
  expect_fault(ErrorKind::unsupported, {"FormatVersion is 3", "9.9", "Update heed"}, [](Json& json) {
    json["FormatVersion"] = 3;
    json["HeedVersion"] = "9.9";
  });
  expect_fault(ErrorKind::unsupported, {"FormatVersion is 0"}, [](Json& json) { json["FormatVersion"] = 0; });
  expect_fault(ErrorKind::unsupported, {"Emission.Kind", "'deep'", "gaussian", "Update heed"},
               [](Json& json) { json["Emission"]["Kind"] = "deep"; });
  expect_fault(ErrorKind::unsupported, {"Emission.Spread", "'wide'", "shared"},
               [](Json& json) { json["Emission"]["Spread"] = "wide"; });
}

TEST(ModelFile, RefusesWhatIsNoModel) {
  expect_error(ErrorKind::bad_data, {"JSON"}, [] { (void)parse_model(""); });
  expect_error(ErrorKind::bad_data, {"JSON"}, [] { (void)parse_model("onset\tleft\n"); });
  expect_error(ErrorKind::bad_data, {"not a model of heed"}, [] { (void)parse_model("{}"); });
  expect_fault(ErrorKind::bad_data, {"not a model of heed"}, [](Json& json) { json["Format"] = "other"; });
  expect_fault(ErrorKind::bad_data, {"not a model of heed"}, [](Json& json) { json["Format"] = 1; });
}

TEST(ModelFile, NamesEveryKeyThatIsMissingOrOfAnotherType) {
  for (const char* const key : {"FormatVersion", "WindowLength", "Participants", "Origin", "Emission"}) {
    expect_fault(ErrorKind::bad_data, {key, "missing"}, [&](Json& json) { json.erase(key); });
    expect_fault(ErrorKind::bad_data, {key, "is not a"}, [&](Json& json) { json[key] = nullptr; });
  }
  for (const char* const key :
       {"Kind", "Spread", "MuAttended", "MuUnattended", "SigmaAttended", "SigmaUnattended", "Correlation"}) {
    const std::string full = std::string("Emission.") + key;
    expect_fault(ErrorKind::bad_data, {full, "missing"}, [&](Json& json) { json["Emission"].erase(key); });
    expect_fault(ErrorKind::bad_data, {full, "is not a"}, [&](Json& json) { json["Emission"][key] = true; });
  }
  for (const Json& wrong : {Json(-1), Json(1.5), Json("1")}) {
    expect_fault(ErrorKind::bad_data, {"Participants", "whole number"},
                 [&](Json& json) { json["Participants"] = wrong; });
  }
}

TEST(ModelFile, RefusesNumbersOutOfRange) {
  const auto emission = [](const char* key, double value) {
    return [key, value](Json& json) { json["Emission"][key] = value; };
  };
  expect_fault(ErrorKind::bad_data, {"SigmaAttended", "greater than 0"}, emission("SigmaAttended", 0));
  expect_fault(ErrorKind::bad_data, {"SigmaUnattended", "greater than 0"}, emission("SigmaUnattended", -1));
  expect_fault(ErrorKind::bad_data, {"SigmaUnattended", "separate"}, emission("SigmaUnattended", 0.5));
  expect_fault(ErrorKind::bad_data, {"Correlation", "exchangeable"}, emission("Correlation", 0.5));
  expect_fault(ErrorKind::bad_data, {"WindowLength", "greater than 0"}, [](Json& json) { json["WindowLength"] = 0; });
  Model exchangeable = gaussian_model();
  std::get<GaussianEmission>(exchangeable.emission).spread = Spread::exchangeable;
  expect_fault(ErrorKind::bad_data, {"Correlation", "[-1, 1)"}, emission("Correlation", 1), exchangeable);
  expect_fault(ErrorKind::bad_data, {"Correlation", "[-1, 1)"}, emission("Correlation", -1.01), exchangeable);
  std::get<GaussianEmission>(exchangeable.emission).correlation = -1;
  EXPECT_EQ(std::get<GaussianEmission>(parse_model(model_text(exchangeable)).emission).correlation, -1);
}

TEST(ModelFile, RefusesPriorsThatAreNone) {
  const Model softmax{SoftmaxEmission{{0.5, 0.5}}, Seconds{1}, Seconds{1}, false, 0, ""};
  const auto priors = [](const Json& value) {
    return [value](Json& json) { json["Emission"]["ClassPriors"] = value; };
  };
  expect_fault(ErrorKind::bad_data, {"ClassPriors", "sum to 1, not to 1.1"}, priors({0.5, 0.6}), softmax);
  expect_fault(ErrorKind::bad_data, {"ClassPriors", "greater than 0"}, priors({0.0, 1.0}), softmax);
  expect_fault(ErrorKind::bad_data, {"ClassPriors", "greater than 0"}, priors({-0.5, 1.5}), softmax);
  expect_fault(ErrorKind::bad_data, {"ClassPriors", "one per speaker"}, priors(Json::array({1.0})), softmax);
  expect_fault(ErrorKind::bad_data, {"ClassPriors", "list of numbers"}, priors({"a", "b"}), softmax);
  expect_fault(ErrorKind::bad_data, {"ClassPriors", "list of numbers"}, priors(0.5), softmax);
}

TEST(ModelFile, KeepsTheHopOfOverlappingWindows) {
  Model model = gaussian_model();
  EXPECT_EQ(model_text(model).find("HopLength"), std::string::npos) << "said only where windows overlap";
  model.hop = 0.25 * model.window;
  EXPECT_EQ(parse_model(model_text(model)), model);
}

TEST(ModelFile, KeepsTheDependence) {
  Model model = gaussian_model();
  EXPECT_EQ(Json::parse(model_text(model)).at("FormatVersion"), 1);
  model.dependence = Dependence{.autocorrelation = 1.0 / 3, .offset_sigma = 0.1};
  EXPECT_EQ(parse_model(model_text(model)), model);
  EXPECT_EQ(Json::parse(model_text(model)).at("FormatVersion"), 2);
  EXPECT_NE(describe(model).find("autocorrelation 0.333333, offset of sigma 0.1"), std::string::npos)
      << describe(model);
  const auto refuses = [&](std::initializer_list<std::string_view> words, auto change) {
    expect_fault(ErrorKind::bad_data, words, change, model);
  };
  refuses({"Dependence.Autocorrelation", "below 1", "not 1"}, [](Json& j) { j["Dependence"]["Autocorrelation"] = 1; });
  refuses({"Dependence.Autocorrelation"}, [](Json& j) { j["Dependence"]["Autocorrelation"] = -0.2; });
  refuses({"Autocorrelation"}, [](Json& j) { j["Dependence"].erase("Autocorrelation"); });
  refuses({"OffsetSigma"}, [](Json& j) { j["Dependence"]["OffsetSigma"] = -1; });
  refuses({"OffsetSigma"}, [](Json& j) { j["Dependence"]["OffsetSigma"] = "wide"; });
  refuses({"Temperature must be 1"}, [](Json& j) { j["Temperature"] = 2; });
  refuses({"Dependence needs"}, [](Json& j) { j["Emission"]["Spread"] = "separate"; });
  refuses({"Dependence needs"}, [](Json& j) { j["Emission"] = {{"Kind", "log-likelihood"}}; });
}

TEST(ModelFile, RefusesToWriteWhatItWouldNotRead) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "model.json";
  Model model = gaussian_model();
  std::get<GaussianEmission>(model.emission).mu_attended = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorKind::invalid_argument, {"MuAttended"}, [&] { write_model(file, model); });
  model = gaussian_model();
  std::get<GaussianEmission>(model.emission).mu_unattended = std::numeric_limits<double>::infinity();
  expect_error(ErrorKind::invalid_argument, {"MuUnattended"}, [&] { write_model(file, model); });
  model = gaussian_model();
  model.window = Seconds{std::numeric_limits<double>::infinity()};
  expect_error(ErrorKind::invalid_argument, {"WindowLength"}, [&] { write_model(file, model); });
  model = gaussian_model();
  model.hop = 2 * model.window;
  expect_error(ErrorKind::invalid_argument, {"HopLength"}, [&] { write_model(file, model); });
  EXPECT_TRUE(folder.names().empty());
}

TEST(ModelFile, ErrorsNameTheFile) {
  const test::TemporaryFolder folder;
  const auto bad = folder.write("model.json", "{}");
  expect_error(ErrorKind::bad_data, {bad.string()}, [&] { (void)read_model(bad); });
  expect_error(ErrorKind::not_found, {"no.json"}, [&] { (void)read_model(folder.path() / "no.json"); });
  expect_error(ErrorKind::io, {"/dev/full"}, [] { write_model("/dev/full", gaussian_model()); });
}

TEST(ModelFile, DescribesAnEmissionInOneLine) {
  EXPECT_EQ(describe(gaussian_model().emission), "fisher-gaussian, shared sigma: mu 0.1 / 0.333333, sigma 0.3");
  EXPECT_EQ(describe(GaussianEmission{false, Spread::separate, 1, 0, 2, 3, 0}),
            "gaussian, separate sigma: mu 1 / 0, sigma 2 / 3");
  EXPECT_EQ(describe(GaussianEmission{true, Spread::exchangeable, 1, 0, 2, 2, -0.5}),
            "fisher-gaussian, exchangeable sigma: mu 1 / 0, sigma 2, correlation -0.5");
  EXPECT_EQ(describe(SoftmaxEmission{}), "softmax");
  EXPECT_EQ(describe(SoftmaxEmission{{0.5, 0.5}}), "softmax, class priors 0.5 0.5");
  EXPECT_EQ(describe(GivenLogLikelihoods{}), "log-likelihood");
  EXPECT_EQ(describe(HardDecisionEmission{0.7}), "hard-decision, accuracy 0.7");
  EXPECT_EQ(describe(ProbabilityEmission{{0.2, 0.8}}), "probability, class priors 0.2 0.8");
  EXPECT_EQ(describe(mixture(CovarianceShape::diagonal)),
            "mixture, 2 states, 2 features, 2 components each, diagonal covariance");
  Model warm = gaussian_model();
  EXPECT_EQ(describe(warm), describe(warm.emission));
  warm.temperature = 1.5;
  EXPECT_EQ(describe(warm), describe(warm.emission) + ", temperature 1.5");
}

}  // namespace
}  // namespace heed::io
