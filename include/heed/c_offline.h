/* SPDX-License-Identifier: MIT
 * Whole trials for C and the languages that call it: heed's filter, smoother, Viterbi, fits and measures on arrays of
 * double, with the program's own results to the bit. Of the shared library libheed-c (pkg-config heed-c; docs/c.md).
 *
 * Matrices are windows x speakers, row by row; speakers count from 0, -1 is an unknown label. A window with NaN is
 * missing. Outputs belong to the caller; after an error they are as they were. `error`, which may be null, gets a
 * sentence about what went wrong. Calls may run at the same time. */
#ifndef HEED_C_OFFLINE_H
#define HEED_C_OFFLINE_H

/* NOLINTBEGIN(modernize-*, readability-identifier-naming): C reads this. */

#include <heed/c.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct heed_error {
  char text[256];
} heed_error;

/* The usual one, to each other speaker: a window of w seconds has w times as much. */
#define HEED_SWITCH_PROBABILITY_PER_SECOND 0.001

/* How attention moves from window to window: one probability, or a whole matrix. */
typedef struct heed_chain {
  uint32_t version;          /* HEED_C_VERSION */
  uint32_t speakers;         /* at least 2 */
  double switch_probability; /* to each other speaker, per window: above 0, at most 1/speakers */
  const double* transition;  /* null, or speakers x speakers, row = from; then switch_probability is not used */
  const double* initial;     /* null: all speakers are equally likely in the first window */
} heed_chain;
#define HEED_CHAIN \
  { HEED_C_VERSION, 2, HEED_SWITCH_PROBABILITY_PER_SECOND, NULL, NULL }

/* Log-likelihoods in, posteriors out, both windows x speakers; *log_evidence unless it is null. */
heed_status heed_offline_filter(const heed_chain* chain, const double* log_likelihood, size_t windows,
                                double* posterior, double* log_evidence, heed_error* error);
heed_status heed_offline_smooth(const heed_chain* chain, const double* log_likelihood, size_t windows,
                                double* posterior, double* log_evidence, heed_error* error);
/* With `lag` later windows. */
heed_status heed_offline_fixed_lag(const heed_chain* chain, const double* log_likelihood, size_t windows, size_t lag,
                                   double* posterior, double* log_evidence, heed_error* error);
/* The most probable path, one speaker per window, and its joint log-probability with the windows unless that is null.
 */
heed_status heed_offline_viterbi(const heed_chain* chain, const double* log_likelihood, size_t windows, int32_t* path,
                                 double* log_probability, heed_error* error);
/* How probable a given path is: labels, decisions, or any other. Natural logarithms; -inf for what cannot be. */
typedef struct heed_path_probability {
  uint32_t version; /* set by the caller: HEED_C_VERSION */
  uint32_t reserved_;
  double log_prior;     /* of the path alone */
  double log_joint;     /* of the path and all windows; Viterbi's path has the largest */
  double log_evidence;  /* of all windows, whatever the path */
  double log_posterior; /* of the path, given all windows */
} heed_path_probability;
/* path: a speaker for each window; where it is -1, every speaker will do. */
heed_status heed_offline_path_probability(const heed_chain* chain, const double* log_likelihood, size_t windows,
                                          const int32_t* path, heed_path_probability* found, heed_error* error);
/* The most probable speaker of each window; a tie keeps the one before. */
heed_status heed_offline_decide(const double* posterior, size_t windows, size_t speakers, int32_t* decisions,
                                heed_error* error);

/* Scores to log-likelihoods, by an emission that was fitted or is known. */
heed_status heed_offline_log_likelihoods(const heed_gaussian* gaussian, const double* scores, size_t windows,
                                         size_t speakers, double* log_likelihood, heed_error* error);

typedef enum heed_spread {
  HEED_SPREAD_SHARED = 0,
  HEED_SPREAD_SEPARATE = 1,
  HEED_SPREAD_EXCHANGEABLE = 2,
  HEED_SPREAD_AUTO = 3 /* shared, or exchangeable where the columns are one score told several times, as s and -s are */
} heed_spread;
typedef struct heed_fit_options {
  uint32_t version; /* HEED_C_VERSION */
  uint32_t speakers;
  uint32_t fisher;           /* 1: atanh first, for correlations */
  uint32_t spread;           /* a heed_spread */
  double switch_probability; /* without labels: of the chain, per window */
  const size_t* lengths;     /* windows of each trial, where several lie below each other; null: one trial */
  size_t trials;             /* of these */
} heed_fit_options;
#define HEED_FIT_OPTIONS \
  { HEED_C_VERSION, 2, 1, HEED_SPREAD_AUTO, HEED_SWITCH_PROBABILITY_PER_SECOND, NULL, 0 }
/* attended: a label per window; null: none are known, and Baum-Welch finds the emission from the scores alone. `words`,
 * which may be null, gets a sentence where the columns repeat each other, where scores without labels do not tell the
 * speakers apart (the emission then decides nothing), or about what went wrong; else it is empty. */
heed_status heed_offline_fit(const double* scores, const int32_t* attended, size_t windows,
                             const heed_fit_options* options, heed_gaussian* fitted, heed_error* words);

/* Where nothing at all is known of a listener, a last resort: what correlations mean for simulated listeners, of
 * windows that last so many seconds and come every `hop` seconds. How sure it makes a decision says little of anybody
 * real. */
heed_status heed_offline_reference(double window, double hop, heed_gaussian* reference, heed_error* error);

/* Whether evidence is counted right (docs/evidence.md). By default as the program does: log-likelihoods are multiplied
 * by the evidence scale where it lies below 0.8 or above 1.25. */
typedef enum heed_counting {
  HEED_EVIDENCE_WHERE_UNUSUAL = 0,
  HEED_EVIDENCE_AS_IS = 1,
  HEED_EVIDENCE_SCALED = 2
} heed_counting;
typedef struct heed_evidence_options {
  uint32_t version;  /* HEED_C_VERSION */
  uint32_t counting; /* a heed_counting */
  double window;     /* seconds that a window lasts */
  double hop;        /* seconds from one window to the next; less than a window where they overlap */
} heed_evidence_options;
#define HEED_EVIDENCE_OPTIONS \
  { HEED_C_VERSION, HEED_EVIDENCE_WHERE_UNUSUAL, 1, 1 }
/* Of an emission that was fitted to these scores and labels with these options: *scale is 1 where the scores mean what
 * they say, 0.5 where each counts twice, and NaN where attended speakers do not stand out. fitted->temperature becomes
 * 1 / *scale where evidence is to be scaled. `words`, which may be null, gets a sentence about the scale, or about what
 * went wrong. */
heed_status heed_offline_count_evidence(heed_gaussian* fitted, const double* scores, const int32_t* attended,
                                        size_t windows, const heed_fit_options* fit,
                                        const heed_evidence_options* options, double* scale, heed_error* words);

/* How well decisions follow the attention that is known (docs/mathematics.md); NaN where it does not exist. */
typedef struct heed_measures {
  uint32_t version; /* set by the caller: HEED_C_VERSION */
  uint32_t reserved_;
  double accuracy;       /* from each detected switch to the next true one, 0 to 1 */
  double whole_accuracy; /* over all labelled windows */
  double switch_time;    /* seconds, mean, missed switches included */
  double false_switches_per_minute;
  double switches;
  double missed;
} heed_measures;
heed_status heed_offline_evaluate(const int32_t* decisions, const int32_t* attended, size_t windows,
                                  double seconds_per_window, heed_measures* measures, heed_error* error);
/* Several trials that lie below each other, pooled; lengths: the windows of each. */
heed_status heed_offline_evaluate_trials(const int32_t* decisions, const int32_t* attended, const size_t* lengths,
                                         size_t trials, double seconds_per_window, heed_measures* measures,
                                         heed_error* error);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*, readability-identifier-naming) */

#endif
