/* SPDX-License-Identifier: MIT
 * Files and the end of the program through the debugger, here QEMU (Arm's semihosting specification). */
#ifndef HEED_SEMIHOSTING_H
#define HEED_SEMIHOSTING_H

#include <stddef.h>
#include <stdint.h>

enum {
  SEMIHOSTING_OPEN = 1,
  SEMIHOSTING_CLOSE = 2,
  SEMIHOSTING_WRITE = 5,
  SEMIHOSTING_READ = 6,
  SEMIHOSTING_EXIT = 0x20
};

static inline intptr_t semihosting(int operation, const void* block) {
  register intptr_t r0 __asm("r0") = operation;
  register const void* r1 __asm("r1") = block;
  __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

/* mode: 1 reads, 5 writes, bytes as they are. Below 0 if the host refuses. */
static inline intptr_t open_file(const char* name, size_t length, intptr_t mode) {
  const uintptr_t block[3] = {(uintptr_t)name, (uintptr_t)mode, length};
  return semihosting(SEMIHOSTING_OPEN, block);
}

/* How many bytes there were. */
static inline size_t read_file(intptr_t file, void* to, size_t bytes) {
  const uintptr_t block[3] = {(uintptr_t)file, (uintptr_t)to, bytes};
  return bytes - (size_t)semihosting(SEMIHOSTING_READ, block);
}

static inline void write_file(intptr_t file, const void* from, size_t bytes) {
  const uintptr_t block[3] = {(uintptr_t)file, (uintptr_t)from, bytes};
  semihosting(SEMIHOSTING_WRITE, block);
}

static inline void close_file(intptr_t file) {
  const uintptr_t block[1] = {(uintptr_t)file};
  semihosting(SEMIHOSTING_CLOSE, block);
}

static inline void leave(int status) {
  const uintptr_t block[2] = {0x20026 /* the application ended */, (uintptr_t)status};
  for (;;) semihosting(SEMIHOSTING_EXIT, block);
}

#endif
