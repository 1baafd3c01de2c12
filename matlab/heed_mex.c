/* SPDX-License-Identifier: MIT
 * The door between MATLAB or Octave and libheed-c (docs/matlab.md). heed_smooth.m and its kin hand all they are given
 * to it, after a word that says which of them was called: names and values are taken apart here, since a call that the
 * interpreter prepares costs more than the sums. Memory is the interpreter's (mxMalloc), which takes it back after an
 * error, too. */
#include <heed/c_offline.h>
#include <math.h>
#include <mex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Windows x speakers, row by row, as the C library has it. */
typedef struct matrix {
  double* values;
  size_t rows;
  size_t columns;
} matrix;

typedef struct settings {
  double switch_probability; /* NaN: the default */
  double window;             /* seconds */
  double lag;                /* seconds; NaN: none */
  const mxArray* transition; /* null where not given */
  const mxArray* initial;
  const mxArray* emission;
  uint32_t fisher;
  uint32_t spread;
  uint32_t evidence; /* a heed_counting */
  double length;     /* seconds that a window lasts; NaN: as window */
} settings;

enum {
  PROBABILITY = 1,
  WINDOW = 2,
  LAG = 4,
  TRANSITION = 8,
  INITIAL = 16,
  EMISSION = 32,
  FISHER = 64,
  SPREAD = 128,
  EVIDENCE = 256,
  LENGTH = 512
};
static const struct {
  const char* name;
  unsigned flag;
} option_names[] = {{"SwitchProbability", PROBABILITY},
                    {"Window", WINDOW},
                    {"Lag", LAG},
                    {"Transition", TRANSITION},
                    {"Initial", INITIAL},
                    {"Emission", EMISSION},
                    {"Fisher", FISHER},
                    {"Spread", SPREAD},
                    {"Evidence", EVIDENCE},
                    {"Length", LENGTH}};
static const char* const spread_names[] = {"shared", "separate", "exchangeable", "auto"};
static const char* const evidence_names[] = {"where-unusual", "as-is", "scaled"};
static const char* const gaussian_fields[] = {"fisher",           "mu_attended", "mu_unattended", "sigma_attended",
                                              "sigma_unattended", "correlation", "temperature",   "evidence_scale"};
static const char* const path_fields[] = {"log_prior", "log_joint", "log_evidence", "log_posterior"};
static const char* const measure_fields[] = {"accuracy", "whole_accuracy", "switch_time", "false_switches_per_minute",
                                             "switches", "missed"};
enum { most_speakers = 65535 }; /* where no matrix tells how many there are */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- mistakes ---- */

static const char* identifier(heed_status status) {
  switch (status) {
    case HEED_BAD_DATA:
      return "heed:badData";
    case HEED_NO_MEMORY:
      return "heed:noMemory";
    case HEED_WRONG_VERSION:
      return "heed:wrongVersion";
    case HEED_INTERNAL:
      return "heed:internal";
    default:
      return "heed:badArgument";
  }
}

/* Does not return. */
static void refuse(const char* format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  mexErrMsgIdAndTxt("heed:badArgument", "%s", text);
}

/* trial: counted from 1, or 0 where there is but one. */
static void require(heed_status status, const heed_error* error, size_t trial) {
  if (status >= 0) return;
  if (trial == 0) mexErrMsgIdAndTxt(identifier(status), "%s", error->text);
  mexErrMsgIdAndTxt(identifier(status), "trial %lu: %s", (unsigned long)trial, error->text);
}

/* ---- arguments ---- */

static int same_name(const char* one, const char* other) {
  for (; *one != '\0' && *other != '\0'; ++one, ++other) {
    const int difference = *one ^ *other;
    if (difference != 0 && (difference != 32 || (*one | 32) < 'a' || (*one | 32) > 'z')) return 0;
  }
  return *one == *other;
}

/* MATLAB's "words" are of a class that MEX files cannot look into: as 'words'. */
static const mxArray* chars_of(const mxArray* array) {
  mxArray *given = (mxArray*)array, *converted = NULL;
  if (!mxIsClass(array, "string")) return array;
  mexCallMATLAB(1, &converted, 1, &given, "char");
  return converted;
}

static void read_text(const mxArray* given, char* text, size_t bytes, const char* name) {
  const mxArray* array = chars_of(given);
  if (!mxIsChar(array) || mxGetString(array, text, (mwSize)bytes) != 0) refuse("%s has to be a word in quotes", name);
}

static matrix new_matrix(size_t rows, size_t columns) {
  matrix made;
  made.rows = rows;
  made.columns = columns;
  made.values = (double*)mxMalloc((rows * columns > 0 ? rows * columns : 1) * sizeof(double));
  return made;
}

/* Any class of real numbers; sparse, complex and what holds no numbers is refused. */
static matrix read_matrix(const mxArray* array, const char* name) {
  mxArray* converted = NULL;
  const double* from;
  size_t row, column;
  matrix read;
  if ((!mxIsNumeric(array) && !mxIsLogical(array)) || mxIsComplex(array) || mxIsSparse(array) ||
      mxGetNumberOfDimensions(array) != 2) {
    refuse("%s has to be a full matrix of real numbers, not %s%s", name, mxGetClassName(array),
           mxIsComplex(array)                    ? " (complex)"
           : mxIsSparse(array)                   ? " (sparse)"
           : mxGetNumberOfDimensions(array) != 2 ? " of more than two dimensions"
                                                 : "");
  }
  if (!mxIsDouble(array)) {
    mxArray* given = (mxArray*)array;
    mexCallMATLAB(1, &converted, 1, &given, "double");
    array = converted;
  }
  read = new_matrix(mxGetM(array), mxGetN(array));
  from = mxGetPr(array);
  for (column = 0; column < read.columns; ++column) {
    for (row = 0; row < read.rows; ++row) read.values[row * read.columns + column] = from[column * read.rows + row];
  }
  if (converted != NULL) mxDestroyArray(converted);
  return read;
}

static mxArray* written(const matrix* from) {
  mxArray* array = mxCreateDoubleMatrix((mwSize)from->rows, (mwSize)from->columns, mxREAL);
  double* to = mxGetPr(array);
  size_t row, column;
  for (column = 0; column < from->columns; ++column) {
    for (row = 0; row < from->rows; ++row) to[column * from->rows + row] = from->values[row * from->columns + column];
  }
  return array;
}

static double read_number(const mxArray* array, const char* name) {
  if ((!mxIsNumeric(array) && !mxIsLogical(array)) || mxIsComplex(array) || mxGetNumberOfElements(array) != 1) {
    refuse("%s has to be one number", name);
  }
  return mxGetScalar(array);
}

static uint32_t read_flag(const mxArray* array, const char* name) {
  const double value = read_number(array, name);
  if (value != 0 && value != 1) refuse("%s is true or false, not %g", name, value);
  return value != 0;
}

/* Windows x speakers; a matrix that lies on its side is told from many speakers by its shape. */
static matrix read_windows(const mxArray* array, const char* name) {
  const matrix read = read_matrix(array, name);
  if (read.rows == 0) refuse("%s is empty; give a matrix, time x speakers", name);
  if (read.columns < 2)
    refuse("%s has %lu column; give one for each speaker, at least two", name, (unsigned long)read.columns);
  if (read.columns > 16 && read.columns > read.rows) {
    refuse("%s has %lu rows and %lu columns; matrices are time x speakers, so transpose it", name,
           (unsigned long)read.rows, (unsigned long)read.columns);
  }
  return read;
}

/* Speakers count from 1 here and from 0 in C; 0 and NaN are unknown. */
static int32_t* read_labels(const mxArray* array, size_t windows, size_t most, const char* name) {
  const matrix read = read_matrix(array, name);
  int32_t* labels = (int32_t*)mxMalloc((windows > 0 ? windows : 1) * sizeof(int32_t));
  size_t t;
  if ((read.rows != 1 && read.columns != 1) || read.rows * read.columns != windows) {
    refuse("%s has to be a vector with one label per window, %lu in all; it is %lu x %lu", name, (unsigned long)windows,
           (unsigned long)read.rows, (unsigned long)read.columns);
  }
  for (t = 0; t < windows; ++t) {
    const double label = isnan(read.values[t]) ? 0 : read.values[t];
    if (label != floor(label) || label < 0 || label > (double)most) {
      refuse("%s, window %lu: %g is not a speaker; they count from 1 to %lu, and NaN or 0 is unknown", name,
             (unsigned long)t + 1, label, (unsigned long)most);
    }
    labels[t] = (int32_t)label - 1;
  }
  return labels;
}

/* ---- names and values ---- */

static unsigned flag_of(const mxArray* given, unsigned allowed) {
  const mxArray* array = chars_of(given);
  char name[32] = "", all[160] = "";
  size_t k;
  if (!mxIsChar(array) || mxGetNumberOfElements(array) >= sizeof name) {
    refuse("names and values come in pairs after the matrices, such as 'Window', 1");
  }
  mxGetString(array, name, (mwSize)sizeof name);
  for (k = 0; k < COUNT(option_names); ++k) {
    if ((option_names[k].flag & allowed) == 0) continue;
    if (same_name(name, option_names[k].name)) return option_names[k].flag;
    if (all[0] != '\0') strcat(all, ", ");
    strcat(all, option_names[k].name);
  }
  refuse("'%s' is not an option here; there are %s", name, all);
  return 0;
}

static uint32_t word_of(const mxArray* value, const char* name, const char* const* words, size_t count,
                        const char* choices) {
  char word[32];
  uint32_t k;
  read_text(value, word, sizeof word, name);
  for (k = 0; k < count; ++k) {
    if (same_name(word, words[k])) return k;
  }
  refuse("%s has to be %s, not '%s'", name, choices, word);
  return 0;
}

static void set_option(settings* all, unsigned flag, const mxArray* value) {
  switch (flag) {
    case PROBABILITY:
      all->switch_probability = read_number(value, "SwitchProbability");
      if (isnan(all->switch_probability)) refuse("SwitchProbability is above 0 and at most 1/speakers, not nan");
      break;
    case WINDOW:
      all->window = read_number(value, "Window");
      if (!(all->window > 0) || isinf(all->window)) refuse("Window is in seconds and above 0, not %g", all->window);
      break;
    case LAG:
      all->lag = read_number(value, "Lag");
      if (!(all->lag >= 0)) refuse("Lag is in seconds and at least 0, not %g", all->lag);
      break;
    case TRANSITION:
      all->transition = value;
      break;
    case INITIAL:
      all->initial = value;
      break;
    case EMISSION:
      all->emission = value;
      break;
    case FISHER:
      all->fisher = read_flag(value, "Fisher");
      break;
    case EVIDENCE:
      all->evidence =
          word_of(value, "Evidence", evidence_names, COUNT(evidence_names), "'where-unusual', 'as-is' or 'scaled'");
      break;
    case LENGTH:
      all->length = read_number(value, "Length");
      if (!(all->length > 0) || isinf(all->length)) refuse("Length is in seconds and above 0, not %g", all->length);
      break;
    default:
      all->spread =
          word_of(value, "Spread", spread_names, COUNT(spread_names), "'auto', 'shared', 'separate' or 'exchangeable'");
  }
}

static settings read_settings(int count, const mxArray* const* given, unsigned allowed) {
  settings all = {0, 1, 0, NULL, NULL, NULL, 1, HEED_SPREAD_AUTO, HEED_EVIDENCE_WHERE_UNUSUAL, 0};
  int k;
  all.switch_probability = all.lag = all.length = mxGetNaN();
  if (count % 2 != 0) refuse("names and values come in pairs after the matrices, such as 'Window', 1");
  for (k = 0; k < count; k += 2) set_option(&all, flag_of(given[k], allowed), given[k + 1]);
  if (isnan(all.length)) all.length = all.window;
  if (all.length < all.window) refuse("Length is at least Window: how long a window lasts, and how far they are apart");
  return all;
}

static double probability_of(const settings* all) {
  return isnan(all->switch_probability) ? HEED_SWITCH_PROBABILITY_PER_SECOND * all->window : all->switch_probability;
}

static heed_chain chain_of(const settings* all, size_t speakers) {
  heed_chain chain = HEED_CHAIN;
  chain.speakers = (uint32_t)speakers;
  chain.switch_probability = probability_of(all);
  if (all->transition != NULL) {
    const matrix read = read_matrix(all->transition, "Transition");
    if (read.rows != speakers || read.columns != speakers) {
      refuse("Transition has to be %lu x %lu, from x to", (unsigned long)speakers, (unsigned long)speakers);
    }
    chain.transition = read.values;
  }
  if (all->initial != NULL) {
    const matrix read = read_matrix(all->initial, "Initial");
    if (read.rows * read.columns != speakers) refuse("Initial has to be %lu probabilities", (unsigned long)speakers);
    chain.initial = read.values;
  }
  return chain;
}

/* ---- emissions ---- */

static const mxArray* field_of(const mxArray* emission, const char* name) {
  const mxArray* field = mxGetField(emission, 0, name);
  if (field == NULL) refuse("Emission has no field %s; give what heed_fit returns", name);
  return field;
}

static double number_in(const mxArray* emission, const char* name) {
  return read_number(field_of(emission, name), name);
}

static heed_gaussian gaussian_of(const mxArray* emission) {
  heed_gaussian gaussian = HEED_GAUSSIAN;
  if (!mxIsStruct(emission) || mxGetNumberOfElements(emission) != 1) {
    refuse("Emission has to be one struct, as heed_fit returns it, not %lu x %lu %s", (unsigned long)mxGetM(emission),
           (unsigned long)mxGetN(emission), mxGetClassName(emission));
  }
  gaussian.fisher = read_flag(field_of(emission, "fisher"), "fisher");
  gaussian.mu_attended = number_in(emission, "mu_attended");
  gaussian.mu_unattended = number_in(emission, "mu_unattended");
  gaussian.sigma_attended = number_in(emission, "sigma_attended");
  gaussian.sigma_unattended = number_in(emission, "sigma_unattended");
  gaussian.correlation = number_in(emission, "correlation");
  gaussian.temperature = number_in(emission, "temperature");
  return gaussian;
}

static mxArray* struct_of(const double* values, const char* const* names, size_t count) {
  mxArray* made = mxCreateStructMatrix(1, 1, (int)count, (const char**)names);
  size_t k;
  for (k = 0; k < count; ++k) mxSetFieldByNumber(made, 0, (int)k, mxCreateDoubleScalar(values[k]));
  return made;
}

/* ---- one trial, or a cell of trials ---- */

static size_t trials_in(const mxArray* given) { return mxIsCell(given) ? mxGetNumberOfElements(given) : 1; }

static const mxArray* trial_of(const mxArray* given, size_t k, const char* name) {
  const mxArray* trial = mxIsCell(given) ? mxGetCell(given, (mwIndex)k) : given;
  if (trial == NULL || mxIsEmpty(trial)) refuse("%s: trial %lu is empty", name, (unsigned long)k + 1);
  return trial;
}

static size_t number_of(const mxArray* given, size_t k) { return mxIsCell(given) ? k + 1 : 0; }

/* Scores become log-likelihoods where an emission is given. */
static matrix evidence_of(const settings* all, const mxArray* given, size_t trial) {
  const matrix read = read_windows(given, "the matrix");
  heed_error error;
  if (all->emission != NULL) {
    const heed_gaussian gaussian = gaussian_of(all->emission);
    const matrix found = new_matrix(read.rows, read.columns);
    require(heed_offline_log_likelihoods(&gaussian, read.values, read.rows, read.columns, found.values, &error), &error,
            trial);
    return found;
  }
  return read;
}

/* Posteriors (smooth: the whole trial) or a path (viterbi), and the logarithm that belongs to it. */
typedef enum algorithm { CAUSAL, SMOOTH, VITERBI } algorithm;

static mxArray* tracked(algorithm how, const settings* all, const mxArray* given, size_t trial, double* logarithm) {
  const matrix evidence = evidence_of(all, given, trial);
  const heed_chain chain = chain_of(all, evidence.columns);
  const matrix posterior = new_matrix(evidence.rows, how == VITERBI ? 1 : evidence.columns);
  heed_status status;
  heed_error error;
  if (how == VITERBI) {
    int32_t* path = (int32_t*)mxMalloc(evidence.rows * sizeof(int32_t));
    size_t t;
    status = heed_offline_viterbi(&chain, evidence.values, evidence.rows, path, logarithm, &error);
    for (t = 0; status == HEED_OK && t < evidence.rows; ++t) posterior.values[t] = path[t] + 1;
  } else if (how == SMOOTH) {
    status = heed_offline_smooth(&chain, evidence.values, evidence.rows, posterior.values, logarithm, &error);
  } else if (isnan(all->lag)) {
    status = heed_offline_filter(&chain, evidence.values, evidence.rows, posterior.values, logarithm, &error);
  } else {
    /* Rounded up to whole windows, as in the program; a lag beyond the trial is all of it. */
    const double windows = ceil(all->lag / all->window - 1e-9);
    const size_t lag = windows > 0 ? (windows < (double)evidence.rows ? (size_t)windows : evidence.rows) : 0;
    status = heed_offline_fixed_lag(&chain, evidence.values, evidence.rows, lag, posterior.values, logarithm, &error);
  }
  require(status, &error, trial);
  return written(&posterior);
}

static void track(algorithm how, int outputs, mxArray** results, const settings* all, const mxArray* given) {
  const size_t trials = trials_in(given);
  mxArray* logarithms;
  size_t k;
  if (!mxIsCell(given)) {
    double logarithm;
    results[0] = tracked(how, all, given, 0, &logarithm);
    if (outputs > 1) results[1] = mxCreateDoubleScalar(logarithm);
    return;
  }
  results[0] = mxCreateCellMatrix(mxGetM(given), mxGetN(given));
  logarithms = mxCreateDoubleMatrix(mxGetM(given), mxGetN(given), mxREAL);
  for (k = 0; k < trials; ++k) {
    mxSetCell(results[0], (mwIndex)k,
              tracked(how, all, trial_of(given, k, "the matrix"), k + 1, mxGetPr(logarithms) + k));
  }
  if (outputs > 1) results[1] = logarithms;
}

static void run_filter(int outputs, mxArray** results, const settings* all, const mxArray* const* given) {
  track(CAUSAL, outputs, results, all, given[0]);
}
static void run_smooth(int outputs, mxArray** results, const settings* all, const mxArray* const* given) {
  track(SMOOTH, outputs, results, all, given[0]);
}
static void run_viterbi(int outputs, mxArray** results, const settings* all, const mxArray* const* given) {
  track(VITERBI, outputs, results, all, given[0]);
}

/* ---- fits and measures ---- */

static void require_as_many(const mxArray* given, const mxArray* labels, const char* name) {
  if (mxIsCell(given) != mxIsCell(labels) || trials_in(given) != trials_in(labels)) {
    refuse("%s has to be a cell with one vector per trial, or a vector where there is but one matrix", name);
  }
}

/* Of one trial, for the fields of path_fields. */
static void judge_path(const settings* all, const mxArray* given, const mxArray* path, size_t trial, double* const* to,
                       size_t at) {
  const matrix evidence = evidence_of(all, given, trial);
  const heed_chain chain = chain_of(all, evidence.columns);
  const int32_t* states = read_labels(path, evidence.rows, evidence.columns, "the path");
  heed_path_probability found;
  heed_error error;
  found.version = HEED_C_VERSION;
  require(heed_offline_path_probability(&chain, evidence.values, evidence.rows, states, &found, &error), &error, trial);
  to[0][at] = found.log_prior;
  to[1][at] = found.log_joint;
  to[2][at] = found.log_evidence;
  to[3][at] = found.log_posterior;
}

/* A struct of numbers, or of one number per trial in the shape of the cell. */
static void run_path_probability(int outputs, mxArray** results, const settings* all, const mxArray* const* given) {
  const int cell = mxIsCell(given[0]);
  double* to[COUNT(path_fields)];
  size_t k;
  (void)outputs;
  require_as_many(given[0], given[1], "the path");
  results[0] = mxCreateStructMatrix(1, 1, (int)COUNT(path_fields), (const char**)path_fields);
  for (k = 0; k < COUNT(path_fields); ++k) {
    mxArray* field = mxCreateDoubleMatrix(cell ? mxGetM(given[0]) : 1, cell ? mxGetN(given[0]) : 1, mxREAL);
    to[k] = mxGetPr(field);
    mxSetFieldByNumber(results[0], 0, (int)k, field);
  }
  for (k = 0; k < trials_in(given[0]); ++k) {
    judge_path(all, trial_of(given[0], k, "the matrix"), trial_of(given[1], k, "the path"), number_of(given[0], k), to,
               k);
  }
}

/* Trials below each other, as C wants them, and how long they are. */
typedef struct stack {
  size_t trials;
  size_t* lengths;
  size_t windows; /* of all trials */
} stack;

static stack new_stack(const mxArray* given) {
  stack made;
  made.trials = trials_in(given);
  made.lengths = (size_t*)mxMalloc((made.trials + 1) * sizeof(size_t));
  made.windows = 0;
  if (made.trials == 0) refuse("there is no trial in the cell");
  return made;
}

static int32_t* stacked_labels(const mxArray* given, const stack* trials, size_t most) {
  int32_t* labels = (int32_t*)mxMalloc(trials->windows * sizeof(int32_t));
  size_t first = 0, k;
  for (k = 0; k < trials->trials; first += trials->lengths[k], ++k) {
    memcpy(labels + first, read_labels(trial_of(given, k, "attended"), trials->lengths[k], most, "attended"),
           trials->lengths[k] * sizeof(int32_t));
  }
  return labels;
}

static matrix stacked_scores(const mxArray* given, stack* trials) {
  matrix* parts = (matrix*)mxMalloc(trials->trials * sizeof(matrix));
  matrix all;
  size_t first = 0, k;
  for (k = 0; k < trials->trials; ++k) {
    parts[k] = read_windows(trial_of(given, k, "scores"), "scores");
    if (parts[k].columns != parts[0].columns) refuse("scores: trials differ in their number of speakers");
    trials->lengths[k] = parts[k].rows;
    trials->windows += parts[k].rows;
  }
  all = new_matrix(trials->windows, parts[0].columns);
  for (k = 0; k < trials->trials; first += trials->lengths[k], ++k) {
    memcpy(all.values + first * all.columns, parts[k].values, parts[k].rows * all.columns * sizeof(double));
  }
  return all;
}

/* Measured on labels, as in the program, which says the same where evidence is not counted right. */
static double counted_evidence(const settings* all, const matrix* scores, const int32_t* attended,
                               const heed_fit_options* fit, heed_gaussian* fitted) {
  heed_evidence_options options = HEED_EVIDENCE_OPTIONS;
  heed_error words;
  double scale = mxGetNaN();
  options.counting = all->evidence;
  options.window = all->length;
  options.hop = all->window;
  require(heed_offline_count_evidence(fitted, scores->values, attended, scores->rows, fit, &options, &scale, &words),
          &words, 0);
  if (isnan(scale) ? all->evidence == HEED_EVIDENCE_SCALED : strstr(words.text, "; ") != NULL) {
    mexWarnMsgIdAndTxt("heed:evidence", "%s", words.text);
  }
  return scale;
}

static mxArray* emission_struct(const heed_gaussian* gaussian, double evidence_scale) {
  double found[COUNT(gaussian_fields)];
  found[0] = gaussian->fisher;
  found[1] = gaussian->mu_attended;
  found[2] = gaussian->mu_unattended;
  found[3] = gaussian->sigma_attended;
  found[4] = gaussian->sigma_unattended;
  found[5] = gaussian->correlation;
  found[6] = gaussian->temperature;
  found[7] = evidence_scale;
  return struct_of(found, gaussian_fields, COUNT(gaussian_fields));
}

/* heed_fit(scores, 'reference'): nothing is fitted. */
static mxArray* reference_emission(const settings* all, const mxArray* word) {
  char name[32];
  heed_gaussian gaussian;
  heed_error error;
  read_text(word, name, sizeof name, "attended");
  if (!same_name(name, "reference")) refuse("attended is labels, [] or 'reference', not '%s'", name);
  require(heed_offline_reference(all->length, all->window, &gaussian, &error), &error, 0);
  return emission_struct(&gaussian, mxGetNaN());
}

static void run_fit(int outputs, mxArray** results, const settings* all, const mxArray* const* given) {
  stack trials = new_stack(given[0]);
  const matrix scores = stacked_scores(given[0], &trials);
  const int32_t* attended = NULL;
  heed_fit_options options = HEED_FIT_OPTIONS;
  heed_gaussian fitted;
  heed_error words;
  double scale = mxGetNaN();
  (void)outputs;
  if (mxIsChar(given[1]) || mxIsClass(given[1], "string")) {
    results[0] = reference_emission(all, given[1]);
    return;
  }
  if (!mxIsEmpty(given[1])) {
    require_as_many(given[0], given[1], "attended");
    attended = stacked_labels(given[1], &trials, scores.columns);
  }
  options.speakers = (uint32_t)scores.columns;
  options.fisher = all->fisher;
  options.spread = all->spread;
  options.switch_probability = probability_of(all);
  options.lengths = trials.lengths;
  options.trials = trials.trials;
  require(heed_offline_fit(scores.values, attended, scores.rows, &options, &fitted, &words), &words, 0);
  if (words.text[0] != '\0') mexWarnMsgIdAndTxt("heed:fit", "%s", words.text);
  if (attended != NULL) scale = counted_evidence(all, &scores, attended, &options, &fitted);
  results[0] = emission_struct(&fitted, scale);
}

/* Decisions are speakers, or follow from posteriors. */
static int32_t* decisions_of(const mxArray* given, size_t* windows, size_t trial) {
  const matrix read = read_matrix(given, "the estimate");
  int32_t* decisions;
  heed_error error;
  size_t t;
  if (read.rows == 1 || read.columns == 1) {
    *windows = read.rows * read.columns;
    decisions = read_labels(given, *windows, most_speakers, "the estimate");
    for (t = 0; t < *windows; ++t) {
      if (decisions[t] < 0) refuse("the estimate, window %lu: nobody is decided for", (unsigned long)t + 1);
    }
    return decisions;
  }
  *windows = read.rows;
  decisions = (int32_t*)mxMalloc(read.rows * sizeof(int32_t));
  require(heed_offline_decide(read.values, read.rows, read.columns, decisions, &error), &error, trial);
  return decisions;
}

static void run_evaluate(int outputs, mxArray** results, const settings* all, const mxArray* const* given) {
  stack trials = new_stack(given[0]);
  int32_t** decided = (int32_t**)mxMalloc(trials.trials * sizeof(int32_t*));
  size_t first = 0, k;
  int32_t* decisions;
  heed_measures found;
  heed_error error;
  double measures[COUNT(measure_fields)];
  (void)outputs;
  require_as_many(given[0], given[1], "attended");
  for (k = 0; k < trials.trials; ++k) {
    decided[k] = decisions_of(trial_of(given[0], k, "the estimate"), &trials.lengths[k], number_of(given[0], k));
    trials.windows += trials.lengths[k];
  }
  decisions = (int32_t*)mxMalloc(trials.windows * sizeof(int32_t));
  for (k = 0; k < trials.trials; first += trials.lengths[k], ++k) {
    memcpy(decisions + first, decided[k], trials.lengths[k] * sizeof(int32_t));
  }
  found.version = HEED_C_VERSION;
  require(heed_offline_evaluate_trials(decisions, stacked_labels(given[1], &trials, most_speakers), trials.lengths,
                                       trials.trials, all->window, &found, &error),
          &error, 0);
  measures[0] = found.accuracy;
  measures[1] = found.whole_accuracy;
  measures[2] = found.switch_time;
  measures[3] = found.false_switches_per_minute;
  measures[4] = found.switches;
  measures[5] = found.missed;
  results[0] = struct_of(measures, measure_fields, COUNT(measure_fields));
}

/* ---- the call ---- */

typedef struct command {
  const char* name;
  int matrices; /* that come before names and values */
  unsigned allowed;
  void (*run)(int outputs, mxArray** results, const settings* all, const mxArray* const* given);
  const char* usage;
} command;
static const command commands[] = {
    {"filter", 1, PROBABILITY | WINDOW | LAG | TRANSITION | INITIAL | EMISSION, run_filter,
     "a matrix, time x speakers"},
    {"smooth", 1, PROBABILITY | WINDOW | TRANSITION | INITIAL | EMISSION, run_smooth, "a matrix, time x speakers"},
    {"viterbi", 1, PROBABILITY | WINDOW | TRANSITION | INITIAL | EMISSION, run_viterbi, "a matrix, time x speakers"},
    {"path_probability", 2, PROBABILITY | WINDOW | TRANSITION | INITIAL | EMISSION, run_path_probability,
     "a matrix, time x speakers, and a path, one speaker per window"},
    {"fit", 2, PROBABILITY | WINDOW | FISHER | SPREAD | EVIDENCE | LENGTH, run_fit,
     "scores, time x speakers, and labels ([] without)"},
    {"evaluate", 2, WINDOW, run_evaluate, "posteriors or a path, and the attended speakers"}};

void mexFunction(int outputs, mxArray* results[], int inputs, const mxArray* given[]) {
  char name[32];
  size_t k;
  if (heed_c_version() != HEED_C_VERSION) {
    mexErrMsgIdAndTxt("heed:wrongVersion", "libheed-c is of another version than heed_mex; build heed_mex anew");
  }
  if (inputs < 1) refuse("heed_mex is called by heed_smooth and its kin; see help heed_smooth");
  read_text(given[0], name, sizeof name, "the first argument");
  for (k = 0; k < COUNT(commands); ++k) {
    const command* found = &commands[k];
    settings all;
    if (strcmp(name, found->name) != 0) continue;
    if (inputs < 1 + found->matrices) refuse("heed_%s needs %s", name, found->usage);
    all = read_settings(inputs - 1 - found->matrices, given + 1 + found->matrices, found->allowed);
    found->run(outputs, results, &all, given + 1);
    return;
  }
  refuse("heed_mex has no command '%s'", name);
}
