/* SPDX-License-Identifier: MIT
 * The step of a device, with the constants of a model that was fitted elsewhere:
 *
 *   heed export model.json --switch-probability 0.001 --c > model.h
 *   arm-none-eabi-gcc -std=c99 -mcpu=cortex-m4 -mthumb -O2 -I. -Iinclude -c device.c
 */
#include "model.h"

static heed_filter filter;
static heed_gains gains;
static const heed_emission emission = HEED_MODEL_EMISSION;

/* Once, before the first window. */
heed_status device_start(void) {
  const heed_chain_options chain = HEED_MODEL_CHAIN;
  const heed_gain_options steering = HEED_MODEL_GAINS;
  const heed_status status = heed_filter_init(&filter, sizeof filter, &chain);
  return status < HEED_OK ? status : heed_gains_init(&gains, sizeof gains, &steering);
}

/* Every HEED_MODEL_SECONDS_PER_WINDOW: a score for each speaker in, a factor for each speaker's samples out. A window that
 * was lost is held, which is no failure. */
heed_status device_window(const float scores[HEED_MODEL_SPEAKERS], float belief[HEED_MODEL_SPEAKERS],
                          float factors[HEED_MODEL_SPEAKERS]) {
  float evidence[HEED_MODEL_SPEAKERS];
  heed_status status = heed_log_likelihoods(&emission, scores, evidence, HEED_MODEL_SPEAKERS);
  if (status >= HEED_OK) status = heed_filter_step(&filter, evidence, HEED_MODEL_SPEAKERS);
  if (status >= HEED_OK) status = heed_filter_belief(&filter, belief, HEED_MODEL_SPEAKERS);
  if (status >= HEED_OK) status = heed_gains_step(&gains, belief, HEED_MODEL_SPEAKERS);
  return status < HEED_OK ? status : heed_gains_linear(&gains, factors, HEED_MODEL_SPEAKERS);
}
