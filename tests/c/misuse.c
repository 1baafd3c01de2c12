/* SPDX-License-Identifier: MIT
 * What callers of the offline functions get wrong: each mistake has its status, a sentence, and no other effect. */
#include <heed/c_offline.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int mistakes = 0;

static void expect(heed_status found, heed_status wanted, const heed_error* error, const char* words, int line) {
  if (found != wanted || (error != NULL && strstr(error->text, words) == NULL)) {
    printf("line %d: status %d instead of %d, \"%s\" instead of \"%s\"\n", line, (int)found, (int)wanted,
           error == NULL ? "" : error->text, words);
    ++mistakes;
  }
}
#define EXPECT(call, status, words) expect(call, status, &error, words, __LINE__)

int main(void) {
  heed_chain chain = HEED_CHAIN;
  heed_fit_options fit = HEED_FIT_OPTIONS;
  heed_gaussian gaussian = HEED_GAUSSIAN;
  heed_evidence_options counting = HEED_EVIDENCE_OPTIONS;
  heed_measures measures;
  heed_path_probability probability;
  heed_error error;
  double scores[8] = {0.1, 0.2, 0.3, -0.1, 0.2, 0.1, 0.0, 0.3};
  double posterior[8] = {7, 7, 7, 7, 7, 7, 7, 7};
  double same[8] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  double rows[4] = {0.9, 0.2, 0.5, 0.5};
  double scale = 7;
  int32_t labels[4] = {0, 1, 0, 1};
  int32_t wrong[4] = {0, 1, 2, 1};
  int32_t path[4];
  size_t lengths[2] = {3, 2};

  EXPECT(heed_offline_filter(NULL, scores, 4, posterior, NULL, &error), HEED_NULL, "null");
  EXPECT(heed_offline_filter(&chain, NULL, 4, posterior, NULL, &error), HEED_NULL, "null");
  EXPECT(heed_offline_smooth(&chain, scores, 4, NULL, NULL, &error), HEED_NULL, "null");
  EXPECT(heed_offline_smooth(&chain, scores, 0, posterior, NULL, &error), HEED_WRONG_SIZE, "there is no window");
  EXPECT(heed_offline_smooth(&chain, scores, (size_t)-1, posterior, NULL, &error), HEED_WRONG_SIZE, "no array has");
  chain.version = 0;
  EXPECT(heed_offline_viterbi(&chain, scores, 4, path, NULL, &error), HEED_WRONG_VERSION, "compile anew");
  chain.version = HEED_C_VERSION;
  chain.switch_probability = 0.7;
  EXPECT(heed_offline_viterbi(&chain, scores, 4, path, NULL, &error), HEED_BAD_ARGUMENT, "switch probability");
  chain.speakers = 1;
  EXPECT(heed_offline_filter(&chain, scores, 4, posterior, NULL, &error), HEED_BAD_ARGUMENT, "two speakers");
  chain.speakers = 2;
  chain.transition = rows;
  EXPECT(heed_offline_filter(&chain, scores, 4, posterior, NULL, &error), HEED_BAD_ARGUMENT, "row 1");
  chain.transition = NULL;
  chain.switch_probability = 0.01;
  chain.initial = rows;
  EXPECT(heed_offline_fixed_lag(&chain, scores, 4, 2, posterior, NULL, &error), HEED_BAD_ARGUMENT, "sum");
  chain.initial = NULL;

  probability.version = 99;
  EXPECT(heed_offline_path_probability(&chain, scores, 4, labels, &probability, &error), HEED_WRONG_VERSION,
         "compile anew");
  probability.version = HEED_C_VERSION;
  probability.log_joint = 7;
  EXPECT(heed_offline_path_probability(&chain, scores, 4, NULL, &probability, &error), HEED_NULL, "null");
  EXPECT(heed_offline_path_probability(&chain, scores, 4, labels, NULL, &error), HEED_NULL, "null");
  EXPECT(heed_offline_path_probability(&chain, scores, 4, wrong, &probability, &error), HEED_BAD_DATA,
         "window 3: 2 is not a speaker");
  EXPECT(heed_offline_path_probability(&chain, scores, 0, labels, &probability, &error), HEED_WRONG_SIZE,
         "there is no window");

  EXPECT(heed_offline_fit(scores, wrong, 4, &fit, &gaussian, &error), HEED_BAD_DATA, "window 3: 2 is not a speaker");
  fit.lengths = lengths;
  fit.trials = 2;
  EXPECT(heed_offline_fit(scores, labels, 4, &fit, &gaussian, &error), HEED_WRONG_SIZE,
         "add up to the windows, 4 in all");
  fit.lengths = NULL;
  fit.speakers = 1;
  EXPECT(heed_offline_fit(scores, labels, 4, &fit, &gaussian, &error), HEED_BAD_ARGUMENT, "at least two speakers");
  fit.speakers = 2;
  EXPECT(heed_offline_fit(same, labels, 4, &fit, &gaussian, &error), HEED_BAD_DATA, "do not vary");
  fit.spread = 4;
  EXPECT(heed_offline_fit(scores, labels, 4, &fit, &gaussian, &error), HEED_BAD_ARGUMENT, "range");
  fit.spread = HEED_SPREAD_SHARED;
  EXPECT(heed_offline_count_evidence(NULL, scores, labels, 4, &fit, &counting, &scale, &error), HEED_NULL, "null");
  EXPECT(heed_offline_count_evidence(&gaussian, scores, NULL, 4, &fit, &counting, &scale, &error), HEED_NULL, "null");
  EXPECT(heed_offline_count_evidence(&gaussian, scores, wrong, 4, &fit, &counting, &scale, &error), HEED_BAD_DATA,
         "window 3: 2 is not a speaker");
  counting.hop = 2;
  EXPECT(heed_offline_count_evidence(&gaussian, scores, labels, 4, &fit, &counting, &scale, &error), HEED_BAD_ARGUMENT,
         "the hop no longer than the window");
  EXPECT(heed_offline_reference(1, 2, &gaussian, &error), HEED_BAD_ARGUMENT, "the hop no longer than the window");
  EXPECT(heed_offline_reference(0, 0, &gaussian, &error), HEED_BAD_ARGUMENT, "longer than 0 s");
  EXPECT(heed_offline_reference(1, 1, NULL, &error), HEED_NULL, "null");
  counting.hop = 1;
  counting.counting = 3;
  EXPECT(heed_offline_count_evidence(&gaussian, scores, labels, 4, &fit, &counting, &scale, &error), HEED_BAD_ARGUMENT,
         "range");
  counting.version = 99;
  EXPECT(heed_offline_count_evidence(&gaussian, scores, labels, 4, &fit, &counting, &scale, &error), HEED_WRONG_VERSION,
         "compile anew");
  gaussian.sigma_attended = -1;
  EXPECT(heed_offline_log_likelihoods(&gaussian, scores, 4, 2, posterior, &error), HEED_BAD_ARGUMENT, "sigma");
  gaussian.sigma_attended = gaussian.sigma_unattended;
  scores[5] = 1.5;
  EXPECT(heed_offline_log_likelihoods(&gaussian, scores, 4, 2, posterior, &error), HEED_BAD_DATA, "window 3");
  scores[5] = NAN;
  EXPECT(heed_offline_decide(scores, 4, 2, path, &error), HEED_BAD_DATA, "NaN");
  measures.version = 99;
  EXPECT(heed_offline_evaluate(labels, labels, 4, 1, &measures, &error), HEED_WRONG_VERSION, "compile anew");
  measures.version = HEED_C_VERSION;
  EXPECT(heed_offline_evaluate(labels, labels, 4, 0, &measures, &error), HEED_BAD_ARGUMENT, "");
  if (posterior[0] != 7 || posterior[7] != 7 || scale != 7 || probability.log_joint != 7 || gaussian.temperature != 1) {
    printf("an output was written although the call failed\n");
    ++mistakes;
  }

  /* NaN is a missing window, and no error is wanted. */
  expect(heed_offline_smooth(&chain, scores, 4, posterior, NULL, NULL), HEED_OK, NULL, "", __LINE__);
  EXPECT(heed_offline_evaluate(labels, labels, 4, 1, &measures, &error), HEED_OK, "");
  if (measures.accuracy != 1 || measures.switches != 3 || measures.missed != 0) {
    printf("a perfect tracker has accuracy %g, %g switches, %g missed\n", measures.accuracy, measures.switches,
           measures.missed);
    ++mistakes;
  }
  return mistakes == 0 ? 0 : 1;
}
