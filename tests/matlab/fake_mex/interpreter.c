/* SPDX-License-Identifier: MIT
 * Calls heed_mex as an interpreter does, with good and bad arguments, for valgrind: every array and every block it asks
 * for is given back afterwards, after an error, too. Prints what differs; the exit code is the number of differences. */
#include <math.h>
#include <mex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS, TEXT, CELLS, STRUCT, STRING };

struct mxArray {
  int kind;
  size_t rows, columns;
  double* values;
  char* text;
  mxArray** items; /* of cells, or fields */
  const char** names;
  int fields;
};

/* All that was asked for since the last call ended. */
static void* blocks[100000];
static size_t count;
static jmp_buf failed;
static char message[1024], warning[1024];
static int differences;

void* mxMalloc(size_t bytes) {
  if (count == sizeof blocks / sizeof blocks[0]) exit(99);
  return blocks[count++] = malloc(bytes > 0 ? bytes : 1);
}

static void* zeroed(size_t bytes) { return memset(mxMalloc(bytes), 0, bytes > 0 ? bytes : 1); }

static void give_back(size_t kept) {
  while (count > kept) free(blocks[--count]);
}

double mxGetNaN(void) { return NAN; }

static mxArray* new_array(int kind, size_t rows, size_t columns) {
  mxArray* made = (mxArray*)zeroed(sizeof(mxArray));
  made->kind = kind;
  made->rows = rows;
  made->columns = columns;
  return made;
}

mxArray* mxCreateDoubleMatrix(mwSize rows, mwSize columns, mxComplexity complexity) {
  mxArray* made = new_array(NUMBERS, rows, columns);
  (void)complexity;
  made->values = (double*)zeroed(rows * columns * sizeof(double));
  return made;
}

mxArray* mxCreateDoubleScalar(double value) {
  mxArray* made = mxCreateDoubleMatrix(1, 1, mxREAL);
  made->values[0] = value;
  return made;
}

mxArray* mxCreateString(const char* text) {
  mxArray* made = new_array(TEXT, 1, strlen(text));
  made->text = strcpy((char*)mxMalloc(strlen(text) + 1), text);
  return made;
}

mxArray* mxCreateCellMatrix(mwSize rows, mwSize columns) {
  mxArray* made = new_array(CELLS, rows, columns);
  made->items = (mxArray**)zeroed(rows * columns * sizeof(mxArray*));
  return made;
}

mxArray* mxCreateStructMatrix(mwSize rows, mwSize columns, int fields, const char** names) {
  mxArray* made = new_array(STRUCT, rows, columns);
  made->fields = fields;
  made->names = names;
  made->items = (mxArray**)zeroed((size_t)fields * sizeof(mxArray*));
  return made;
}

void mxDestroyArray(mxArray* array) { (void)array; }

int mxIsCell(const mxArray* array) { return array->kind == CELLS; }
int mxIsChar(const mxArray* array) { return array->kind == TEXT; }
int mxIsStruct(const mxArray* array) { return array->kind == STRUCT; }
int mxIsDouble(const mxArray* array) { return array->kind == NUMBERS; }
int mxIsNumeric(const mxArray* array) { return array->kind == NUMBERS; }
int mxIsComplex(const mxArray* array) { return array == NULL; }
int mxIsLogical(const mxArray* array) { return array == NULL; }
int mxIsSparse(const mxArray* array) { return array == NULL; }
int mxIsEmpty(const mxArray* array) { return array->rows * array->columns == 0; }
const char* mxGetClassName(const mxArray* array) {
  static const char* const names[] = {"double", "char", "cell", "struct", "string"};
  return names[array->kind];
}
int mxIsClass(const mxArray* array, const char* name) { return strcmp(mxGetClassName(array), name) == 0; }
size_t mxGetM(const mxArray* array) { return array->rows; }
size_t mxGetN(const mxArray* array) { return array->columns; }
size_t mxGetNumberOfDimensions(const mxArray* array) { return array == NULL ? 0 : 2; }
size_t mxGetNumberOfElements(const mxArray* array) { return array->rows * array->columns; }
double* mxGetPr(const mxArray* array) { return array->values; }
double mxGetScalar(const mxArray* array) { return array->values[0]; }
int mxGetString(const mxArray* array, char* text, mwSize bytes) {
  if (array->columns + 1 > bytes) return 1;
  strcpy(text, array->text);
  return 0;
}
mxArray* mxGetCell(const mxArray* array, mwIndex index) { return array->items[index]; }
void mxSetCell(mxArray* array, mwIndex index, mxArray* value) { array->items[index] = value; }
mxArray* mxGetField(const mxArray* array, mwIndex index, const char* name) {
  int k;
  (void)index;
  for (k = 0; k < array->fields; ++k) {
    if (strcmp(array->names[k], name) == 0) return array->items[k];
  }
  return NULL;
}
void mxSetFieldByNumber(mxArray* array, mwIndex index, int number, mxArray* value) {
  (void)index;
  array->items[number] = value;
}

/* Of MATLAB's functions, char("word") alone. */
int mexCallMATLAB(int outputs, mxArray** results, int inputs, mxArray** given, const char* name) {
  if (outputs != 1 || inputs != 1 || strcmp(name, "char") != 0 || given[0]->kind != STRING) return 1;
  results[0] = mxCreateString(given[0]->text);
  return 0;
}
void mexErrMsgIdAndTxt(const char* identifier, const char* format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(message, sizeof message, format, values);
  va_end(values);
  (void)identifier;
  longjmp(failed, 1);
}
void mexWarnMsgIdAndTxt(const char* identifier, const char* format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(warning, sizeof warning, format, values);
  va_end(values);
  (void)identifier;
}

/* ---- what is called ---- */

static void differ(const char* what, const char* wanted, const char* found) {
  printf("%s: \"%s\" instead of \"%s\"\n", what, found, wanted);
  ++differences;
}

/* Its first answer, or null after an error, which has to have these words; null where it has to succeed. */
static mxArray* call(const char* words, int inputs, mxArray** given) {
  mxArray* results[2] = {NULL, NULL};
  message[0] = warning[0] = '\0';
  if (setjmp(failed) == 0) {
    mexFunction(2, results, inputs, (const mxArray**)given);
    if (words != NULL) differ("an error was expected", words, "none");
    return results[0];
  }
  if (words == NULL || strstr(message, words) == NULL) differ("error", words == NULL ? "none" : words, message);
  return NULL;
}

/* Two columns that repeat each other as s and -s do, and who was attended. */
static mxArray* scores(size_t windows) {
  mxArray* made = mxCreateDoubleMatrix(windows, 2, mxREAL);
  size_t t;
  for (t = 0; t < windows; ++t) {
    const double score = 0.3 * sin(1.7 * (double)t) + (t < windows / 2 ? 0.2 : -0.2);
    made->values[t] = score;
    made->values[windows + t] = -score;
  }
  return made;
}

static mxArray* labels(size_t windows) {
  mxArray* made = mxCreateDoubleMatrix(windows, 1, mxREAL);
  size_t t;
  for (t = 0; t < windows; ++t) made->values[t] = t < windows / 2 ? 1 : 2;
  return made;
}

/* As MATLAB has "word": one element, whose characters mxGetString does not see. */
static mxArray* string_of(const char* text) {
  mxArray* made = mxCreateString(text);
  made->kind = STRING;
  made->columns = 1;
  return made;
}

static mxArray* both(mxArray* one, mxArray* other) {
  mxArray* made = mxCreateCellMatrix(1, 2);
  made->items[0] = one;
  made->items[1] = other;
  return made;
}

#define CALL(words, ...)                                            \
  do {                                                              \
    mxArray* given[] = {__VA_ARGS__};                               \
    (void)call(words, (int)(sizeof given / sizeof given[0]), given); \
    give_back(kept);                                                \
  } while (0)
#define WORD(text) mxCreateString(text)
#define NUMBER(value) mxCreateDoubleScalar(value)

static void track(void) {
  const size_t kept = count;
  CALL(NULL, WORD("smooth"), scores(600), WORD("SwitchProbability"), NUMBER(1e-3));
  CALL(NULL, WORD("filter"), scores(50), WORD("lag"), NUMBER(5), WORD("Window"), NUMBER(0.5));
  CALL(NULL, WORD("viterbi"), both(scores(40), scores(30)));
  CALL("trial 2 is empty", WORD("viterbi"), both(scores(40), mxCreateDoubleMatrix(0, 0, mxREAL)));
  CALL("not char", WORD("smooth"), WORD("abc"));
  CALL("pairs", WORD("smooth"), scores(4), WORD("Window"));
  CALL("switch probability", WORD("smooth"), scores(4), WORD("SwitchProbability"), NUMBER(0.7));
  CALL("2 x 2", WORD("smooth"), scores(4), WORD("Transition"), mxCreateDoubleMatrix(3, 3, mxREAL));
  CALL("no command", WORD("nothing"), scores(4));
  CALL(NULL, WORD("path_probability"), both(scores(40), scores(30)), both(labels(40), labels(30)));
  CALL("one vector per trial", WORD("path_probability"), scores(40), both(labels(40), labels(30)));
  CALL("one label per window", WORD("path_probability"), scores(40), labels(30));
  CALL("heed_fit returns", WORD("smooth"), scores(4), WORD("Emission"), NUMBER(1));
}

static void fit(void) {
  const size_t kept = count;
  mxArray* given[] = {WORD("fit"), both(scores(60), scores(60)), both(labels(60), labels(60)), WORD("Spread"), WORD("shared")};
  mxArray* fitted = call(NULL, 5, given);
  if (fitted != NULL) {
    const double scale = mxGetScalar(mxGetField(fitted, 0, "evidence_scale"));
    const double temperature = mxGetScalar(mxGetField(fitted, 0, "temperature"));
    if (!(fabs(scale * temperature - 1) < 1e-12)) differ("temperature times scale", "1", "another");
    if (strstr(warning, "log-likelihoods are multiplied by it") == NULL) differ("warning", "multiplied", warning);
    CALL(NULL, WORD("smooth"), scores(600), WORD("Emission"), fitted);
  }
  give_back(kept);
  CALL(NULL, WORD("fit"), scores(200), mxCreateDoubleMatrix(0, 0, mxREAL));
  CALL(NULL, WORD("fit"), scores(60), labels(60), WORD("Evidence"), WORD("as-is"), WORD("Length"), NUMBER(4));
  CALL("'where-unusual', 'as-is' or 'scaled', not 'often'", WORD("fit"), scores(60), labels(60), WORD("Evidence"), WORD("often"));
  CALL("Length is at least Window", WORD("fit"), scores(60), labels(60), WORD("Length"), NUMBER(0.5));
  CALL(NULL, WORD("fit"), scores(60), WORD("reference"), WORD("Window"), NUMBER(0.5), WORD("Length"), NUMBER(2));
  CALL("'reference', not 'none'", WORD("fit"), scores(60), WORD("none"));
  CALL("one vector per trial", WORD("fit"), scores(60), both(labels(60), labels(60)));
  CALL("attended", WORD("fit"), scores(60), labels(50));
  CALL(NULL, WORD("fit"), scores(60), labels(60), string_of("Spread"), string_of("separate"), string_of("window"), NUMBER(2));
  CALL(NULL, WORD("fit"), scores(60), string_of("reference"));
  CALL("not 'wide'", WORD("fit"), scores(60), labels(60), string_of("Spread"), string_of("wide"));
  CALL("'Widow' is not an option", WORD("smooth"), scores(60), string_of("Widow"), NUMBER(2));
  CALL("one number", WORD("smooth"), scores(60), WORD("Window"), string_of("2"));
  CALL("not string", WORD("smooth"), string_of("abc"));
}

static void evaluate(void) {
  const size_t kept = count;
  CALL(NULL, WORD("evaluate"), both(labels(60), scores(60)), both(labels(60), labels(60)), WORD("Window"), NUMBER(2));
  CALL("attended", WORD("evaluate"), labels(60), labels(50));
}

int main(void) {
  track();
  fit();
  evaluate();
  give_back(0);
  return differences;
}
