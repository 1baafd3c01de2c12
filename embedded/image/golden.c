/* SPDX-License-Identifier: MIT
 * An image that follows attention as firmware would: scores.bin of the host in, beliefs, decisions and gains out
 * (windows.bin), and what it cost (figures.bin). tests/embedded compares all of it with the host. */
#include <heed/c_steering.h>

#include "semihosting.h"

enum { SPEAKERS = 2, BATCH = 250, SAMPLES = 64, STACK_WORDS = 1024, PAINT = 0x5eed5eed };
enum { MANY = HEED_MAX_SPEAKERS, BATCH_OF_MANY = BATCH - MANY / SPEAKERS + 1 }; /* as if four windows were one */

typedef struct outcome {
  float belief[SPEAKERS];
  float decibels[SPEAKERS];
  uint32_t decision;
  int32_t status;
} outcome;

static heed_emission emission;
static heed_filter filter;
static heed_gains gains;
static heed_steering steering;
static heed_filter filter_of_many;
static heed_gains gains_of_many;
static float scores[BATCH][SPEAKERS];
static outcome outcomes[BATCH];

/* ---- what things cost ---- */

/* QEMU's clock moves by one nanosecond per instruction (-icount shift=0); how many of them a tick of SysTick is, a loop
 * of known length tells. */
#define SYSTICK ((volatile uint32_t*)0xE000E010)
static void start_clock(void) {
  SYSTICK[1] = 0xFFFFFF;
  SYSTICK[2] = 0;
  SYSTICK[0] = 5;
}
static uint32_t ticks_since_start(void) { return 0xFFFFFF - SYSTICK[2]; }

static __attribute__((noinline)) float instructions_per_tick(void) {
  uint32_t count = 1000000;
  start_clock();
  __asm volatile("1: subs %0, %0, #1\n bne 1b" : "+r"(count)::"cc");
  return 2000000.0f / (float)ticks_since_start();
}

typedef heed_status (*job)(int window);
static __attribute__((noinline)) heed_status step_filter(int window) {
  return heed_filter_step(&filter, scores[window], SPEAKERS); /* scores stand in for log-likelihoods */
}
static inline __attribute__((always_inline)) heed_status window_of(heed_filter* followed, heed_gains* steered,
                                                                   const float* given, float* values, size_t speakers) {
  heed_log_likelihoods(&emission, given, values, speakers);
  heed_filter_step(followed, values, speakers);
  heed_filter_belief(followed, values, speakers);
  return heed_gains_step(steered, values, speakers);
}
static __attribute__((noinline)) heed_status step_window(int window) {
  float values[SPEAKERS];
  return window_of(&filter, &gains, scores[window], values, SPEAKERS);
}
static __attribute__((noinline)) heed_status step_filter_of_many(int window) {
  return heed_filter_step(&filter_of_many, scores[window], MANY);
}
static __attribute__((noinline)) heed_status step_window_of_many(int window) {
  float values[MANY];
  return window_of(&filter_of_many, &gains_of_many, scores[window], values, MANY);
}
static __attribute__((noinline)) heed_status step_sample(int window) {
  int ended;
  return heed_steering_sample(&steering, scores[window][0], scores[window], SPEAKERS, &ended);
}
static __attribute__((noinline)) heed_status do_nothing(int window) { return (heed_status)window; }

/* Of a call: on average over so many windows, and for the window that takes longest. */
typedef struct ticks {
  float mean;
  float most;
} ticks;
static __attribute__((noinline)) ticks ticks_of(job run, int windows) {
  ticks found = {0, 0};
  int k, window;
  for (window = 0; window < windows; ++window) {
    float here;
    start_clock();
    for (k = 0; k < 16; ++k) run(window);
    here = (float)ticks_since_start() / 16;
    found.mean += here / (float)windows;
    if (here > found.most) found.most = here;
  }
  return found;
}

/* How much of the stack a call uses: what lies below is painted, and read again afterwards. */
static __attribute__((noinline)) uint32_t stack_of(job run) {
  uint32_t *top, *lowest;
  __asm volatile("mov %0, sp" : "=r"(top));
  for (lowest = top - STACK_WORDS; lowest < top; ++lowest) *(volatile uint32_t*)lowest = PAINT;
  run(0);
  for (lowest = top - STACK_WORDS; *(volatile uint32_t*)lowest == PAINT;) ++lowest;
  return (uint32_t)(4 * (top - lowest));
}

static void write_figures(void) {
  static const job jobs[] = {step_filter, step_window, step_sample, step_filter_of_many, step_window_of_many};
  const float per_tick = instructions_per_tick(), empty = ticks_of(do_nothing, BATCH).mean;
  const intptr_t file = open_file("figures.bin", 11, 5);
  unsigned k;
  for (k = 0; k < 5; ++k) {
    const ticks found = ticks_of(jobs[k], k < 3 ? BATCH : BATCH_OF_MANY);
    float figures[3];
    figures[0] = (found.mean - empty) * per_tick;
    figures[1] = (found.most - empty) * per_tick;
    figures[2] = (float)stack_of(jobs[k]);
    write_file(file, figures, sizeof figures);
  }
  close_file(file);
}

/* ---- attention ---- */

static int initialise(void) {
  heed_steering_options options = HEED_STEERING_OPTIONS;
  heed_chain_options chain_of_many = HEED_CHAIN_OPTIONS;
  heed_gain_options steering_of_many = HEED_GAIN_OPTIONS;
  options.samples_per_window = SAMPLES;
  chain_of_many.speakers = steering_of_many.speakers = MANY;
  return heed_filter_init(&filter_of_many, sizeof filter_of_many, &chain_of_many) == HEED_OK &&
         heed_gains_init(&gains_of_many, sizeof gains_of_many, &steering_of_many) == HEED_OK &&
         heed_emission_gaussian(&emission, &options.gaussian) == HEED_OK &&
         heed_filter_init(&filter, sizeof filter, &options.chain) == HEED_OK &&
         heed_gains_init(&gains, sizeof gains, &options.gains) == HEED_OK &&
         heed_steering_init(&steering, &options) == HEED_OK;
}

static int follow(outcome* found, const float* window) {
  float evidence[SPEAKERS];
  size_t decision = 0;
  int failed = heed_log_likelihoods(&emission, window, evidence, SPEAKERS) < 0;
  found->status = heed_filter_step(&filter, evidence, SPEAKERS);
  failed |= found->status < 0 || heed_filter_belief(&filter, found->belief, SPEAKERS) < 0;
  failed |= heed_filter_decision(&filter, &decision) < 0 || heed_gains_step(&gains, found->belief, SPEAKERS) < 0;
  found->decision = (uint32_t)decision;
  return failed || heed_gains_decibels(&gains, found->decibels, SPEAKERS) < 0;
}

int main(void) {
  const intptr_t from = open_file("scores.bin", 10, 1), to = open_file("windows.bin", 11, 5);
  size_t bytes;
  if (from < 0 || to < 0) return 2;
  if (!initialise()) return 3;
  while ((bytes = read_file(from, scores, sizeof scores)) > 0) {
    const size_t windows = bytes / sizeof scores[0];
    size_t t;
    for (t = 0; t < windows; ++t) {
      if (follow(&outcomes[t], scores[t])) return 4;
    }
    write_file(to, outcomes, windows * sizeof outcomes[0]);
  }
  close_file(from);
  close_file(to);
  write_figures();
  return 0;
}
