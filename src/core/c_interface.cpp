// SPDX-License-Identifier: MIT
#include <heed/c.h>
#include <heed/core/attention_filter.h>
#include <heed/core/fixed_lag_filter.h>
#include <heed/core/gain.h>
#include <heed/core/score_evidence.h>
#include <heed/core/window_correlation.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <type_traits>

namespace heed::core {
namespace {

using Filter = AttentionFilter<float, HEED_MAX_SPEAKERS>;
using LagFilter = FixedLagFilter<float, HEED_MAX_SPEAKERS, HEED_MAX_LAG - 1>;
using Gains = GainRule<float, HEED_MAX_SPEAKERS>;
using Correlation = WindowCorrelation<float, HEED_MAX_SPEAKERS>;

// An object as it lies in the caller's memory. The mark tells it from memory that was never initialised, and each kind
// from the others.
template <typename Object>
struct Kept {
  std::uint32_t mark;
  std::uint32_t speakers;
  Object object;
};
template <typename Object>
constexpr std::uint32_t mark = 0;
template <>
constexpr std::uint32_t mark<Filter> = 0x68656601 + HEED_C_VERSION;
template <>
constexpr std::uint32_t mark<LagFilter> = 0x68656701 + HEED_C_VERSION;
template <>
constexpr std::uint32_t mark<Gains> = 0x68656801 + HEED_C_VERSION;
template <>
constexpr std::uint32_t mark<Correlation> = 0x68656901 + HEED_C_VERSION;

template <typename Object, typename Memory>
constexpr bool fits_in = sizeof(Kept<Object>) <= sizeof(Memory) && alignof(Kept<Object>) <= alignof(Memory) &&
                         std::is_trivially_copyable_v<Kept<Object>>&& std::is_trivially_destructible_v<Kept<Object>>;
static_assert(fits_in<Filter, heed_filter> && fits_in<LagFilter, heed_lag_filter> && fits_in<Gains, heed_gains> &&
              fits_in<Correlation, heed_correlation>);

template <typename Object, typename Memory>
heed_status keep(Memory* memory, std::size_t bytes, std::size_t speakers, const std::optional<Object>& made) noexcept {
  if (bytes < sizeof(Kept<Object>)) return HEED_WRONG_SIZE;
  if (!made) return HEED_BAD_ARGUMENT;
  new (memory) Kept<Object>{mark<Object>, static_cast<std::uint32_t>(speakers), *made};
  return HEED_OK;
}

// Null unless the memory holds such an object; const memory holds const objects.
template <typename Object, typename Memory>
auto* kept_in(Memory* memory) noexcept {
  using Held = std::conditional_t<std::is_const_v<Memory>, const Kept<Object>, Kept<Object>>;
  auto* held = std::launder(reinterpret_cast<Held*>(memory));
  return held->mark == mark<Object> ? held : nullptr;
}

// use(object) where the memory holds one, and there are `speakers` numbers at `values`. Mark and number lie side by
// side and are compared at once, and which of them was wrong is asked afterwards: a step in C is to cost what it costs
// in C++ (bench/c_bench.cpp).
template <typename Object, typename Memory, typename Value, typename Use>
heed_status with_values(Memory* memory, Value* values, std::size_t speakers, const Use& use) noexcept {
  if (memory == nullptr) [[unlikely]]
    return HEED_NULL;
  if (values == nullptr) [[unlikely]]
    return HEED_NULL;
  auto* held = std::launder(
      reinterpret_cast<std::conditional_t<std::is_const_v<Memory>, const Kept<Object>, Kept<Object>>*>(memory));
  if (held->mark != mark<Object>) [[unlikely]]
    return HEED_NOT_INITIALISED;
  if (held->speakers != speakers) [[unlikely]]
    return HEED_WRONG_SIZE;
  return use(held->object);
}

template <typename Object, typename Memory, typename Use>
heed_status with_object(Memory* memory, const Use& use) noexcept {
  if (memory == nullptr) return HEED_NULL;
  auto* held = kept_in<Object>(memory);
  return held == nullptr ? HEED_NOT_INITIALISED : use(held->object);
}

heed_status status_of(Step step) noexcept {
  static_assert(static_cast<int>(Step::updated) == HEED_OK && static_cast<int>(Step::held) == HEED_HELD);
  return step == Step::wrong_size ? HEED_WRONG_SIZE : static_cast<heed_status>(step);
}

heed_status copied(std::span<const float> values, float* to) noexcept {
  std::ranges::copy(values, to);
  return HEED_OK;
}

template <typename Options>
heed_status checked(const void* memory, const Options* options) noexcept {
  if (memory == nullptr || options == nullptr) return HEED_NULL;
  return options->version == HEED_C_VERSION ? HEED_OK : HEED_WRONG_VERSION;
}

template <typename Object, typename Memory>
heed_status init_filter(Memory* memory, std::size_t bytes, const heed_chain_options* options) noexcept {
  if (const heed_status status = checked(memory, options); status != HEED_OK) return status;
  const auto chain = StickyChain<float>::make(options->speakers, options->switch_probability);
  return keep<Object>(memory, bytes, options->speakers, chain ? Object::make(*chain) : std::nullopt);
}

// The nearest float, or 0 where that would be subnormal. By integers, since a processor without doubles would need its
// compiler's library for it.
float narrowed(double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 32U) & 0x80000000U;
  const auto exponent = static_cast<std::uint32_t>(bits >> 52U) & 0x7ffU;
  const auto kept = static_cast<std::uint32_t>(bits >> 29U) & 0x7fffffU;
  const auto dropped = static_cast<std::uint32_t>(bits) & 0x1fffffffU;
  if (exponent == 0x7ffU) return kept != 0 || dropped != 0 ? NAN : std::bit_cast<float>(sign | 0x7f800000U);
  if (exponent <= 1023U - 127U) return std::bit_cast<float>(sign);
  if (exponent > 1023U + 127U) return std::bit_cast<float>(sign | 0x7f800000U);
  const bool up = dropped > 0x10000000U || (dropped == 0x10000000U && (kept & 1U) != 0);
  return std::bit_cast<float>(sign | ((((exponent - (1023U - 127U)) << 23U) | kept) + (up ? 1U : 0U)));
}

}  // namespace
}  // namespace heed::core

using namespace heed::core;

extern "C" {

const char* heed_status_text(heed_status status) {
  switch (status) {
    case HEED_OK:
      return "done";
    case HEED_HELD:
      return "the window was missing or broken: nothing was learnt from it";
    case HEED_NULL:
      return "a pointer is null";
    case HEED_WRONG_SIZE:
      return "too little memory for the object, or not one number for each speaker";
    case HEED_WRONG_VERSION:
      return "options of another version of heed/c.h: compile anew";
    case HEED_NOT_INITIALISED:
      return "the object was never initialised, or is of another kind";
    case HEED_BAD_ARGUMENT:
      return "a number is out of its range";
    case HEED_BAD_DATA:
      return "the data do not mean what they should";
    case HEED_NO_MEMORY:
      return "out of memory";
    case HEED_INTERNAL:
      return "an internal error of heed; please report it";
  }
  return "no status of heed";
}

uint32_t heed_c_version(void) { return HEED_C_VERSION; }
size_t heed_filter_size(void) { return sizeof(Kept<Filter>); }
size_t heed_lag_filter_size(void) { return sizeof(Kept<LagFilter>); }
size_t heed_gains_size(void) { return sizeof(Kept<Gains>); }
size_t heed_correlation_size(void) { return sizeof(Kept<Correlation>); }

heed_status heed_filter_init(heed_filter* filter, size_t bytes, const heed_chain_options* options) {
  return init_filter<Filter>(filter, bytes, options);
}

heed_status heed_filter_step(heed_filter* filter, const float* log_likelihood, size_t speakers) {
  return with_values<Filter>(filter, log_likelihood, speakers, [&](Filter& object) {
    return static_cast<heed_status>(object.step({log_likelihood, speakers}));  // of the right size
  });
}

heed_status heed_filter_belief(const heed_filter* filter, float* belief, size_t speakers) {
  return with_values<Filter>(filter, belief, speakers,
                             [&](const Filter& object) { return copied(object.belief(), belief); });
}

heed_status heed_filter_decision(const heed_filter* filter, size_t* speaker) {
  if (speaker == nullptr) return HEED_NULL;
  return with_object<Filter>(filter, [&](const Filter& object) {
    *speaker = object.decision();
    return HEED_OK;
  });
}

heed_status heed_filter_reset(heed_filter* filter) {
  return with_object<Filter>(filter, [](Filter& object) {
    object.reset();
    return HEED_OK;
  });
}

heed_status heed_lag_filter_init(heed_lag_filter* filter, size_t bytes, const heed_chain_options* options) {
  return init_filter<LagFilter>(filter, bytes, options);
}

heed_status heed_lag_filter_step(heed_lag_filter* filter, const float* log_likelihood, size_t speakers) {
  return with_values<LagFilter>(filter, log_likelihood, speakers, [&](LagFilter& object) {
    return status_of(object.step({log_likelihood, speakers}));
  });
}

heed_status heed_lag_filter_depth(const heed_lag_filter* filter, size_t* depth) {
  if (depth == nullptr) return HEED_NULL;
  return with_object<LagFilter>(filter, [&](const LagFilter& object) {
    *depth = object.depth();
    return HEED_OK;
  });
}

heed_status heed_lag_filter_look_back(const heed_lag_filter* filter, size_t age, float* posterior, size_t speakers) {
  return with_values<LagFilter>(filter, posterior, speakers, [&](const LagFilter& object) {
    return object.look_back(age, {posterior, speakers}) ? HEED_OK : HEED_BAD_ARGUMENT;
  });
}

heed_status heed_lag_filter_reset(heed_lag_filter* filter) {
  return with_object<LagFilter>(filter, [](LagFilter& object) {
    object.reset();
    return HEED_OK;
  });
}

heed_status heed_emission_gaussian(heed_emission* emission, const heed_gaussian* gaussian) {
  if (const heed_status status = checked(emission, gaussian); status != HEED_OK) return status;
  const auto made = ScoreEvidence<float>::make({.fisher = gaussian->fisher != 0,
                                                .mu_attended = narrowed(gaussian->mu_attended),
                                                .mu_unattended = narrowed(gaussian->mu_unattended),
                                                .sigma_attended = narrowed(gaussian->sigma_attended),
                                                .sigma_unattended = narrowed(gaussian->sigma_unattended),
                                                .correlation = narrowed(gaussian->correlation),
                                                .temperature = narrowed(gaussian->temperature)});
  if (!made) return HEED_BAD_ARGUMENT;
  *emission = {HEED_C_VERSION, made->fisher() ? 1U : 0U, made->linear(), made->quadratic()};
  return HEED_OK;
}

heed_status heed_correlation_init(heed_correlation* correlation, size_t bytes, size_t speakers) {
  if (correlation == nullptr) return HEED_NULL;
  return keep<Correlation>(correlation, bytes, speakers, Correlation::make(speakers));
}

heed_status heed_correlation_add(heed_correlation* correlation, float reconstruction, const float* envelopes,
                                 size_t speakers) {
  return with_values<Correlation>(correlation, envelopes, speakers, [&](Correlation& object) {
    return status_of(object.add(reconstruction, {envelopes, speakers}));
  });
}

heed_status heed_correlation_finish(heed_correlation* correlation, float* scores, size_t speakers) {
  return with_values<Correlation>(correlation, scores, speakers, [&](Correlation& object) {
    return status_of(object.finish({scores, speakers}));
  });
}

heed_status heed_log_likelihoods(const heed_emission* emission, const float* scores, float* log_likelihood,
                                 size_t speakers) {
  if (scores == nullptr || log_likelihood == nullptr) return HEED_NULL;
  if (const heed_status status = checked(scores, emission); status != HEED_OK) return status;
  const auto evidence = ScoreEvidence<float>::make(emission->fisher != 0, emission->linear, emission->quadratic);
  if (!evidence) return HEED_BAD_ARGUMENT;
  if (speakers == 0) return HEED_WRONG_SIZE;
  return status_of(evidence->log_likelihoods({scores, speakers}, {log_likelihood, speakers}));
}

heed_status heed_gains_init(heed_gains* gains, size_t bytes, const heed_gain_options* options) {
  if (const heed_status status = checked(gains, options); status != HEED_OK) return status;
  if (options->map > HEED_GAIN_INTELLIGIBILITY) return HEED_BAD_ARGUMENT;
  const GainOptions<float> core_options{.map = static_cast<GainMap>(options->map),
                                        .enhanced_decibel = options->enhanced_decibel,
                                        .suppressed_decibel = options->suppressed_decibel,
                                        .slew_decibel_per_second = options->slew_decibel_per_second,
                                        .lowest_decibel = options->lowest_decibel,
                                        .highest_decibel = options->highest_decibel,
                                        .decibels_per_nat = options->decibels_per_nat,
                                        .certainty = options->certainty,
                                        .margin_decibel = options->margin_decibel,
                                        .slope_per_decibel = options->slope_per_decibel};
  return keep<Gains>(gains, bytes, options->speakers,
                     Gains::make(options->speakers, options->seconds_per_step, core_options));
}

heed_status heed_gains_step(heed_gains* gains, const float* posterior, size_t speakers) {
  return with_values<Gains>(gains, posterior, speakers, [&](Gains& object) {
    return status_of(object.step({posterior, speakers}));
  });
}

heed_status heed_gains_decibels(const heed_gains* gains, float* decibels, size_t speakers) {
  return with_values<Gains>(gains, decibels, speakers,
                            [&](const Gains& object) { return copied(object.decibels(), decibels); });
}

heed_status heed_gains_linear(const heed_gains* gains, float* factors, size_t speakers) {
  return with_values<Gains>(gains, factors, speakers, [&](const Gains& object) {
    for (std::size_t j = 0; j < speakers; ++j) factors[j] = object.linear(j);
    return HEED_OK;
  });
}

}  // extern "C"
