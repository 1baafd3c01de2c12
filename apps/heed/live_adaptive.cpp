// SPDX-License-Identifier: MIT
#include "live_adaptive.h"

#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <CLI/CLI.hpp>

#include <filesystem>

namespace heed::app {
namespace {

// Options that mean nothing to another decoder.
void check_not_wanted(const AdaptiveRequestParts& parts) {
  if (!parts.kept.empty()) {
    throw Error(ErrorKind::invalid_argument,
                "--save-decoder needs --population or --calibrate: otherwise nothing is learnt that could be kept");
  }
  if (parts.adapt.is_on() || parts.adapt.is_off()) {
    throw Error(ErrorKind::invalid_argument,
                "--adapt " + parts.adapt.word + " is for --population; a trained decoder stays as it is");
  }
}

}  // namespace

std::optional<double> AdaptFlags::half_life() const {
  if (word.empty() || is_on() || is_off()) return std::nullopt;
  double seconds = 0;
  if (CLI::detail::lexical_cast(word, seconds) && seconds > 0) return seconds;
  throw Error(ErrorKind::invalid_argument,
              "--adapt " + word + ": write on, off, or the half-life of a tracking model in seconds");
}

std::optional<live::AdaptiveStartRequest> adaptive_request(const AdaptiveRequestParts& parts,
                                                           const live::Address& address) {
  const bool kept = !parts.kept.empty() && std::filesystem::exists(parts.kept);
  const bool populated = !parts.population.file.empty() && parts.population.file != "none";
  const bool wanted = !parts.other_decoder && (populated || parts.adapt.is_on() || kept);
  if (!wanted) {
    check_not_wanted(parts);
    return std::nullopt;
  }
  if (parts.tracking_model || parts.adapt.half_life()) {
    throw Error(ErrorKind::invalid_argument,
                "a decoder that learns while it listens knows what its scores mean; leave out --tracking");
  }
  if (parts.population.weight) {
    throw Error(ErrorKind::invalid_argument,
                "--prior-weight is for decoders that are trained; how much an adaptive one leans on a population was "
                "chosen when that was made");
  }
  live::AdaptiveStartRequest request{.decoder = parts.decoder,
                                     .population = population_request(parts.population),
                                     .window = parts.window,
                                     .learn = !parts.adapt.is_off()};
  if (!parts.selection.participants.empty()) request.listener = parts.selection.participants.front();
  if (address.scheme == "replay" && std::filesystem::is_directory(address.path)) {
    request.replayed = pipeline::FolderRequest{.dataset = address.path, .selection = parts.selection, .cache = {}};
  }
  if (kept) {
    request.learnt = io::read_listener(parts.kept);
  }
  return request;
}

std::string start_words(const live::AdaptiveStartRequest& request) {
  std::string words = "starts from ";
  if (request.learnt)
    words += "what was learnt of " + (request.learnt->listener.empty() ? "the listener" : request.learnt->listener);
  if (request.learnt && request.population.given) words += " and ";
  if (request.population.given) words += request.population.name;
  return request.learnt || request.population.given ? words : words + "nothing";
}

}  // namespace heed::app
