/* SPDX-License-Identifier: MIT
 * The header for firmware beside the calls it is made of: the same bits, broken windows held, mistakes with a status.
 */
#include <heed/c_steering.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int mistakes = 0;
static void expect(int true_here, const char* words, int line) {
  if (!true_here) {
    printf("line %d: %s\n", line, words);
    ++mistakes;
  }
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

static float wave(float pace, int sample) { return 3 + sinf(pace * (float)sample); }

static void compare_with_single_calls(void) {
  heed_steering_options options = HEED_STEERING_OPTIONS;
  heed_steering steering;
  heed_correlation correlation;
  heed_emission emission;
  heed_filter filter;
  heed_gains gains;
  int sample, ended, windows = 0, held = 0;
  options.samples_per_window = 16;
  EXPECT(heed_steering_init(&steering, &options) == HEED_OK);
  EXPECT(heed_correlation_init(&correlation, sizeof correlation, 2) == HEED_OK);
  EXPECT(heed_emission_gaussian(&emission, &options.gaussian) == HEED_OK);
  EXPECT(heed_filter_init(&filter, sizeof filter, &options.chain) == HEED_OK);
  EXPECT(heed_gains_init(&gains, sizeof gains, &options.gains) == HEED_OK);
  for (sample = 0; sample < 50 * 16; ++sample) {
    const float envelopes[2] = {wave(0.31f, sample), wave(0.77f, sample)};
    const float reconstruction = sample / 16 == 7 ? NAN : envelopes[sample / 300 % 2] + wave(2.1f, sample);
    float values[2], found[2];
    heed_status status = heed_steering_sample(&steering, reconstruction, envelopes, 2, &ended);
    EXPECT(status >= 0);
    EXPECT(heed_correlation_add(&correlation, reconstruction, envelopes, 2) == HEED_OK);
    EXPECT(ended == (sample % 16 == 15));
    if (!ended) continue;
    ++windows;
    held += status == HEED_HELD;
    heed_correlation_finish(&correlation, values, 2);
    heed_log_likelihoods(&emission, values, values, 2);
    EXPECT(heed_filter_step(&filter, values, 2) == status);
    heed_filter_belief(&filter, values, 2);
    heed_filter_belief(&steering.filter, found, 2);
    EXPECT(memcmp(values, found, sizeof values) == 0);
    heed_gains_step(&gains, values, 2);
    heed_gains_linear(&gains, values, 2);
    heed_gains_linear(&steering.gains, found, 2);
    EXPECT(memcmp(values, found, sizeof values) == 0);
  }
  EXPECT(windows == 50 && held == 1);
}

/* Seconds of windows of 16 samples of which a part is NaN, or none; the gains afterwards. */
static void listen(heed_steering* steering, int windows, int broken, float* decibels) {
  int sample, ended;
  for (sample = 0; sample < windows * 16; ++sample) {
    const float envelopes[2] = {wave(0.31f, sample), wave(0.77f, sample)};
    const float reconstruction = broken && sample % 16 == 9 ? NAN : envelopes[0];
    EXPECT(heed_steering_sample(steering, reconstruction, envelopes, 2, &ended) == (broken && ended ? HEED_HELD : HEED_OK));
  }
  heed_gains_decibels(&steering->gains, decibels, 2);
}

/* One broken window changes nothing, the second lets gains go, no faster than ever, and good ones bring them back. */
static void nobody_is_preferred_without_evidence(void) {
  heed_steering_options options = HEED_STEERING_OPTIONS;
  heed_steering steering;
  float decibels[2];
  options.samples_per_window = 16;
  options.gains.slew_decibel_per_second = 4;
  EXPECT(heed_steering_init(&steering, &options) == HEED_OK);
  listen(&steering, 20, 0, decibels);
  EXPECT(decibels[0] == 0 && decibels[1] == -12);
  listen(&steering, 1, 1, decibels);
  EXPECT(decibels[0] == 0 && decibels[1] == -12);
  listen(&steering, 1, 0, decibels);
  listen(&steering, 1, 1, decibels);
  EXPECT(decibels[0] == 0 && decibels[1] == -12);
  listen(&steering, 1, 1, decibels);
  EXPECT(decibels[0] == -4 && decibels[1] == -8);
  listen(&steering, 100, 1, decibels);
  EXPECT(decibels[0] == -6 && decibels[1] == -6);
  listen(&steering, 1, 0, decibels);
  EXPECT(decibels[0] == -2 && decibels[1] == -10);
}

static void misuse(void) {
  const float envelopes[2] = {1, 2};
  float scores[2] = {7, 7};
  heed_steering_options options = HEED_STEERING_OPTIONS;
  heed_steering steering;
  heed_correlation correlation;
  int ended;
  memset(&steering, 0, sizeof steering);
  memset(&correlation, 0, sizeof correlation);
  EXPECT(heed_steering_init(NULL, &options) == HEED_NULL);
  EXPECT(heed_steering_init(&steering, NULL) == HEED_NULL);
  EXPECT(heed_steering_sample(&steering, 1, envelopes, 2, &ended) == HEED_NOT_INITIALISED);
  options.samples_per_window = 1;
  EXPECT(heed_steering_init(&steering, &options) == HEED_BAD_ARGUMENT);
  options.samples_per_window = 64;
  options.gains.speakers = 3;
  EXPECT(heed_steering_init(&steering, &options) == HEED_BAD_ARGUMENT);
  options.gains.speakers = 2;
  options.chain.version = 99;
  EXPECT(heed_steering_init(&steering, &options) == HEED_WRONG_VERSION);
  options.chain.version = HEED_C_VERSION;
  EXPECT(heed_steering_init(&steering, &options) == HEED_OK);
  EXPECT(heed_steering_sample(&steering, 1, NULL, 2, &ended) == HEED_NULL);
  EXPECT(heed_steering_sample(&steering, 1, envelopes, 3, &ended) == HEED_WRONG_SIZE);
  EXPECT(heed_steering_sample(&steering, 1, envelopes, 2, NULL) == HEED_NULL);
  EXPECT(heed_correlation_init(NULL, 0, 2) == HEED_NULL);
  EXPECT(heed_correlation_init(&correlation, 8, 2) == HEED_WRONG_SIZE);
  EXPECT(heed_correlation_init(&correlation, sizeof correlation, 0) == HEED_BAD_ARGUMENT);
  EXPECT(heed_correlation_init(&correlation, sizeof correlation, 9) == HEED_BAD_ARGUMENT);
  EXPECT(heed_correlation_add(&correlation, 1, envelopes, 2) == HEED_NOT_INITIALISED);
  EXPECT(heed_correlation_init(&correlation, sizeof correlation, 2) == HEED_OK);
  EXPECT(heed_correlation_finish(&correlation, NULL, 2) == HEED_NULL);
  EXPECT(heed_correlation_finish(&correlation, scores, 3) == HEED_WRONG_SIZE && scores[0] == 7);
  EXPECT(heed_correlation_finish(&correlation, scores, 2) == HEED_HELD && isnan(scores[0]));
  EXPECT(heed_correlation_size() <= HEED_CORRELATION_BYTES);
}

int main(void) {
  compare_with_single_calls();
  nobody_is_preferred_without_evidence();
  misuse();
  return mistakes == 0 ? 0 : 1;
}
