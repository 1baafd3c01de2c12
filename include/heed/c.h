/* SPDX-License-Identifier: MIT
 * heed's core for C99 and everything that can call C (docs/c.md): a causal filter, one that looks back a little, gains,
 * the emission, and the scores of a window, in single precision. Objects lie in the caller's memory; they may be
 * copied, and need no clean-up. Nothing here allocates, throws, locks or keeps a global. An object belongs to one
 * thread at a time.
 *
 * Every call returns a status. Mistakes of the caller - no object, an object that was never initialised, another number
 * of speakers, a header of another version - change nothing and are below 0. A window that is missing or broken is no
 * mistake: HEED_HELD. Link with pkg-config heed-core (static), or heed-c (shared, with <heed/c_offline.h>). */
#ifndef HEED_C_H
#define HEED_C_H

/* NOLINTBEGIN(modernize-*, readability-identifier-naming): C reads this. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of the structs below. The library refuses options of another one. */
#define HEED_C_VERSION 1
#define HEED_MAX_SPEAKERS 8
#define HEED_MAX_LAG 32 /* windows */

typedef enum heed_status {
  HEED_OK = 0,
  HEED_HELD = 1,           /* the window was missing or broken: attention may have moved, nothing was learnt */
  HEED_NULL = -1,          /* a pointer is null */
  HEED_WRONG_SIZE = -2,    /* too little memory for the object, or not one number for each speaker */
  HEED_WRONG_VERSION = -3, /* options of another <heed/c.h>: compile anew */
  HEED_NOT_INITIALISED = -4,
  HEED_BAD_ARGUMENT = -5, /* a number out of its range */
  HEED_BAD_DATA = -6,     /* offline: the numbers do not mean what they should */
  HEED_NO_MEMORY = -7,    /* offline */
  HEED_INTERNAL = -8      /* offline; please report it */
} heed_status;

/* One sentence, which lives for ever. */
const char* heed_status_text(heed_status status);
/* HEED_C_VERSION of the library. */
uint32_t heed_c_version(void);

/* Memory for the objects; their sizes are the same on all machines. */
#define HEED_FILTER_BYTES 160
#define HEED_LAG_FILTER_BYTES 2304
#define HEED_GAINS_BYTES 104
#define HEED_CORRELATION_BYTES 128
typedef union heed_filter {
  uint64_t alignment_;
  unsigned char bytes_[HEED_FILTER_BYTES];
} heed_filter;
typedef union heed_lag_filter {
  uint64_t alignment_;
  unsigned char bytes_[HEED_LAG_FILTER_BYTES];
} heed_lag_filter;
typedef union heed_gains {
  uint64_t alignment_;
  unsigned char bytes_[HEED_GAINS_BYTES];
} heed_gains;
typedef union heed_correlation {
  uint64_t alignment_;
  unsigned char bytes_[HEED_CORRELATION_BYTES];
} heed_correlation;
/* What the library needs: at most the macros'. */
size_t heed_filter_size(void);
size_t heed_lag_filter_size(void);
size_t heed_gains_size(void);
size_t heed_correlation_size(void);

/* How attention moves: to each other speaker with this probability per window. */
typedef struct heed_chain_options {
  uint32_t version;         /* HEED_C_VERSION */
  uint32_t speakers;        /* 2 to HEED_MAX_SPEAKERS */
  float switch_probability; /* above 0, at most 1/speakers */
} heed_chain_options;
#define HEED_CHAIN_OPTIONS \
  { HEED_C_VERSION, 2, 0.001f }

/* The causal filter: P(attending j | windows so far). bytes: sizeof *filter. */
heed_status heed_filter_init(heed_filter* filter, size_t bytes, const heed_chain_options* options);
/* The next window: one natural logarithm of a likelihood for each speaker, up to a constant that all share. */
heed_status heed_filter_step(heed_filter* filter, const float* log_likelihood, size_t speakers);
heed_status heed_filter_belief(const heed_filter* filter, float* belief, size_t speakers);
/* The most probable speaker, counted from 0; a tie keeps the previous one. */
heed_status heed_filter_decision(const heed_filter* filter, size_t* speaker);
/* A new trial begins. */
heed_status heed_filter_reset(heed_filter* filter);

/* The same with hindsight: the posterior of a window once later windows are in. */
heed_status heed_lag_filter_init(heed_lag_filter* filter, size_t bytes, const heed_chain_options* options);
heed_status heed_lag_filter_step(heed_lag_filter* filter, const float* log_likelihood, size_t speakers);
/* Windows that can be looked back on: ages 0 (the newest) to *depth - 1, at most HEED_MAX_LAG. */
heed_status heed_lag_filter_depth(const heed_lag_filter* filter, size_t* depth);
heed_status heed_lag_filter_look_back(const heed_lag_filter* filter, size_t age, float* posterior, size_t speakers);
heed_status heed_lag_filter_reset(heed_lag_filter* filter);

/* Scores from envelopes: the correlation of a reconstruction with that of each speaker, sample by sample. */
heed_status heed_correlation_init(heed_correlation* correlation, size_t bytes, size_t speakers);
/* A sample that is not finite breaks the window. */
heed_status heed_correlation_add(heed_correlation* correlation, float reconstruction, const float* envelopes,
                                 size_t speakers);
/* The window has ended, and the next begins. HEED_HELD, and NaN for all, if a correlation does not exist. */
heed_status heed_correlation_finish(heed_correlation* correlation, float* scores, size_t speakers);

/* What a score says: log-likelihood = linear z + quadratic z^2, z = atanh(score) if fisher, else the score. */
typedef struct heed_emission {
  uint32_t version; /* HEED_C_VERSION */
  uint32_t fisher;  /* 1 for correlations, 0 for log-odds */
  float linear;
  float quadratic;
} heed_emission;
/* Parameters of a fit: heed_emission_gaussian(&emission, &gaussian) makes the above of them. */
typedef struct heed_gaussian {
  uint32_t version; /* HEED_C_VERSION */
  uint32_t fisher;
  double mu_attended;
  double mu_unattended;
  double sigma_attended;
  double sigma_unattended; /* equal to sigma_attended unless the spreads are separate */
  double correlation;      /* between speakers; 0 unless the spread is exchangeable */
  double temperature;      /* log-likelihoods are divided by it; 1 */
} heed_gaussian;
#define HEED_GAUSSIAN \
  { HEED_C_VERSION, 1, 0.124, 0.037, 0.303, 0.303, 0, 1 }
heed_status heed_emission_gaussian(heed_emission* emission, const heed_gaussian* gaussian);
/* May write where it reads. HEED_HELD, and NaN for all, if a score is not finite or no correlation. */
heed_status heed_log_likelihoods(const heed_emission* emission, const float* scores, float* log_likelihood,
                                 size_t speakers);

typedef enum heed_gain_map {
  HEED_GAIN_DECIBELS = 0,
  HEED_GAIN_AMPLITUDE = 1,
  HEED_GAIN_DECISION = 2,
  HEED_GAIN_DECIBELS_PER_NAT = 3,
  HEED_GAIN_DEAD_ZONE = 4,
  HEED_GAIN_INTELLIGIBILITY = 5 /* two speakers */
} heed_gain_map;
/* From posteriors to gains (docs/mathematics.md); in decibels, and seconds. */
typedef struct heed_gain_options {
  uint32_t version; /* HEED_C_VERSION */
  uint32_t speakers;
  uint32_t map; /* a heed_gain_map */
  float seconds_per_step;
  float enhanced_decibel;
  float suppressed_decibel;
  float slew_decibel_per_second;
  float lowest_decibel;
  float highest_decibel;
  float decibels_per_nat;
  float certainty; /* of the dead zone */
  float margin_decibel;
  float slope_per_decibel;
} heed_gain_options;
#define HEED_GAIN_OPTIONS \
  { HEED_C_VERSION, 2, HEED_GAIN_DEAD_ZONE, 1, 0, -12, 6, -20, 0, 2, 0.8f, 3, 0.12f }
heed_status heed_gains_init(heed_gains* gains, size_t bytes, const heed_gain_options* options);
/* One posterior for each speaker. HEED_HELD, and all gains stay, if it is no probability. */
heed_status heed_gains_step(heed_gains* gains, const float* posterior, size_t speakers);
heed_status heed_gains_decibels(const heed_gains* gains, float* decibels, size_t speakers);
/* Factors for samples. */
heed_status heed_gains_linear(const heed_gains* gains, float* factors, size_t speakers);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*, readability-identifier-naming) */

#endif
