/* SPDX-License-Identifier: MIT
 * A whole window on a device, for firmware to take as it is: samples of a reconstructed envelope and of the speakers'
 * envelopes in, gains out. Correlation, emission, filter and gains of <heed/c.h> in one struct, and nothing else; who
 * needs another order copies this header. Everything is inline; link heed-core.
 *
 * No gain stays where it is for want of evidence: from the second broken window in a row on, all gains go to equal.
 * Call at the pace of your samples, with NaN where one did not come, and windows end even if nothing comes in.
 *
 *   heed_steering steering;
 *   heed_steering_options options = HEED_STEERING_OPTIONS;      (samples per window, chain, emission, gains)
 *   heed_steering_init(&steering, &options);
 *   every sample: heed_steering_sample(&steering, reconstruction, envelopes, 2, &ended);
 *   where ended:  heed_gains_linear(&steering.gains, factors, 2); */
#ifndef HEED_C_STEERING_H
#define HEED_C_STEERING_H

/* NOLINTBEGIN(modernize-*, readability-identifier-naming): C reads this. */

#include <heed/c.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct heed_steering_options {
  uint32_t samples_per_window; /* at least 2; 64 are one second of usual envelopes */
  heed_chain_options chain;
  heed_gaussian gaussian;
  heed_gain_options gains; /* seconds_per_step: the length of a window */
} heed_steering_options;
#define HEED_STEERING_OPTIONS \
  { 64, HEED_CHAIN_OPTIONS, HEED_GAUSSIAN, HEED_GAIN_OPTIONS }

typedef struct heed_steering {
  heed_correlation correlation;
  heed_emission emission;
  heed_filter filter;
  heed_gains gains;
  uint32_t samples_per_window;
  uint32_t samples; /* of the window that has begun */
  uint32_t broken;  /* windows in a row, up to HEED_STEERING_PATIENCE */
} heed_steering;
/* Broken windows in a row from which on nobody is preferred. */
#define HEED_STEERING_PATIENCE 2

static inline heed_status heed_steering_init(heed_steering* steering, const heed_steering_options* options) {
  heed_status status = HEED_OK;
  if (steering == NULL || options == NULL) return HEED_NULL;
  if (options->samples_per_window < 2 || options->gains.speakers != options->chain.speakers) return HEED_BAD_ARGUMENT;
  steering->samples_per_window = options->samples_per_window;
  steering->samples = 0;
  steering->broken = 0;
  status = heed_correlation_init(&steering->correlation, sizeof steering->correlation, options->chain.speakers);
  if (status == HEED_OK) status = heed_emission_gaussian(&steering->emission, &options->gaussian);
  if (status == HEED_OK) status = heed_filter_init(&steering->filter, sizeof steering->filter, &options->chain);
  if (status == HEED_OK) status = heed_gains_init(&steering->gains, sizeof steering->gains, &options->gains);
  return status;
}

/* What gains go by: the belief, and after too many broken windows nobody, so that they become equal. */
static inline heed_status heed_steering_wanted(heed_steering* steering, heed_status window, float* posterior,
                                               size_t speakers) {
  size_t j;
  if (window != HEED_HELD) steering->broken = 0;
  if (window == HEED_HELD && steering->broken < HEED_STEERING_PATIENCE) ++steering->broken;
  if (steering->broken < HEED_STEERING_PATIENCE) return heed_filter_belief(&steering->filter, posterior, speakers);
  for (j = 0; j < speakers; ++j) posterior[j] = 1.0f / (float)speakers;
  return HEED_OK;
}

/* The window that has ended: HEED_HELD where it was broken. The belief is then one that only time has changed. */
static inline heed_status heed_steering_window(heed_steering* steering, size_t speakers) {
  float values[HEED_MAX_SPEAKERS];
  heed_status window = heed_correlation_finish(&steering->correlation, values, speakers);
  heed_status gains = HEED_OK;
  if (window >= 0) window = heed_log_likelihoods(&steering->emission, values, values, speakers);
  if (window >= 0) window = heed_filter_step(&steering->filter, values, speakers);
  if (window >= 0) gains = heed_steering_wanted(steering, window, values, speakers);
  if (window >= 0 && gains >= 0) gains = heed_gains_step(&steering->gains, values, speakers);
  return gains < 0 ? gains : window;
}

/* One sample of everything; *ended becomes 1 where it was the last of a window, and then the status is that of the
 * window. */
static inline heed_status heed_steering_sample(heed_steering* steering, float reconstruction, const float* envelopes,
                                               size_t speakers, int* ended) {
  heed_status status = HEED_OK;
  if (steering == NULL || ended == NULL) return HEED_NULL;
  *ended = 0;
  status = heed_correlation_add(&steering->correlation, reconstruction, envelopes, speakers);
  if (status < 0) return status;
  if (++steering->samples < steering->samples_per_window) return status;
  steering->samples = 0;
  *ended = 1;
  return heed_steering_window(steering, speakers);
}

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*, readability-identifier-naming) */

#endif
