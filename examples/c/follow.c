/* SPDX-License-Identifier: MIT
 * Follows attention from correlations, window by window, and sets two gains, as a device would:
 *
 *   cc -std=c99 follow.c $(pkg-config --cflags --libs heed-core) && ./a.out
 */
#include <heed/c.h>
#include <stdio.h>

/* How well the reconstructed envelope fits each talker; the fourth window was lost. The listener turns to the second. */
static const float correlations[8][2] = {{0.31f, 0.02f}, {0.22f, 0.10f}, {0.05f, 0.08f}, {2.0f, 0.0f},
                                         {-0.05f, 0.45f}, {0.02f, 0.61f}, {0.10f, 0.52f}, {-0.11f, 0.48f}};

static int failed(heed_status status) {
  if (status >= HEED_OK) return 0;
  fprintf(stderr, "heed: %s\n", heed_status_text(status));
  return 1;
}

int main(void) {
  heed_chain_options chain = HEED_CHAIN_OPTIONS;
  heed_gain_options steering = HEED_GAIN_OPTIONS;
  heed_gaussian gaussian = HEED_GAUSSIAN;
  heed_emission emission;
  heed_filter filter;
  heed_gains gains;
  size_t window;

  chain.switch_probability = 0.01f;
  gaussian.mu_attended = 0.3;
  gaussian.sigma_attended = gaussian.sigma_unattended = 0.2;
  if (failed(heed_emission_gaussian(&emission, &gaussian))) return 1;
  if (failed(heed_filter_init(&filter, sizeof filter, &chain))) return 1;
  if (failed(heed_gains_init(&gains, sizeof gains, &steering))) return 1;

  for (window = 0; window < 8; ++window) {
    float evidence[2], belief[2], decibels[2];
    heed_status status;
    if (failed(heed_log_likelihoods(&emission, correlations[window], evidence, 2))) return 1;
    status = heed_filter_step(&filter, evidence, 2);
    if (failed(status) || failed(heed_filter_belief(&filter, belief, 2))) return 1;
    if (failed(heed_gains_step(&gains, belief, 2)) || failed(heed_gains_decibels(&gains, decibels, 2))) return 1;
    printf("%-7s P = %.3f %.3f  gain = %5.1f %5.1f dB\n", status == HEED_HELD ? "held" : "updated", belief[0],
           belief[1], decibels[0], decibels[1]);
  }
  return 0;
}
