/* SPDX-License-Identifier: MIT
 * As much of MATLAB's MEX interface as heed_mex.c uses, in plain C: Octave under valgrind reports its own faults by the
 * thousand, and takes minutes. Memory is the interpreter's here too: interpreter.c frees it after each call. */
#ifndef HEED_FAKE_MEX_H
#define HEED_FAKE_MEX_H

#include <stddef.h>

typedef size_t mwSize;
typedef size_t mwIndex;
typedef enum { mxREAL } mxComplexity;
typedef struct mxArray mxArray;

void* mxMalloc(size_t bytes);
double mxGetNaN(void);

mxArray* mxCreateDoubleMatrix(mwSize rows, mwSize columns, mxComplexity complexity);
mxArray* mxCreateDoubleScalar(double value);
mxArray* mxCreateString(const char* text);
mxArray* mxCreateCellMatrix(mwSize rows, mwSize columns);
mxArray* mxCreateStructMatrix(mwSize rows, mwSize columns, int count, const char** names);
void mxDestroyArray(mxArray* array);

int mxIsCell(const mxArray* array);
int mxIsChar(const mxArray* array);
int mxIsClass(const mxArray* array, const char* name);
int mxIsComplex(const mxArray* array);
int mxIsDouble(const mxArray* array);
int mxIsEmpty(const mxArray* array);
int mxIsLogical(const mxArray* array);
int mxIsNumeric(const mxArray* array);
int mxIsSparse(const mxArray* array);
int mxIsStruct(const mxArray* array);
const char* mxGetClassName(const mxArray* array);
size_t mxGetM(const mxArray* array);
size_t mxGetN(const mxArray* array);
size_t mxGetNumberOfDimensions(const mxArray* array);
size_t mxGetNumberOfElements(const mxArray* array);
double* mxGetPr(const mxArray* array);
double mxGetScalar(const mxArray* array);
int mxGetString(const mxArray* array, char* text, mwSize bytes);
mxArray* mxGetCell(const mxArray* array, mwIndex index);
void mxSetCell(mxArray* array, mwIndex index, mxArray* value);
mxArray* mxGetField(const mxArray* array, mwIndex index, const char* name);
void mxSetFieldByNumber(mxArray* array, mwIndex index, int number, mxArray* value);

int mexCallMATLAB(int outputs, mxArray** results, int inputs, mxArray** given, const char* name);
void mexErrMsgIdAndTxt(const char* identifier, const char* format, ...);
void mexWarnMsgIdAndTxt(const char* identifier, const char* format, ...);
void mexFunction(int outputs, mxArray* results[], int inputs, const mxArray* given[]);

#endif
