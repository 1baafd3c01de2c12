/* SPDX-License-Identifier: MIT
 * What a processor needs before main: its vector table, the floating-point unit switched on, memory as C wants it. */
#include <stdint.h>

#include "semihosting.h"

extern uint32_t stack_top, data_begin, data_end, data_image, bss_begin, bss_end;
int main(void);

/* All that core and compiler want from outside; the image is linked with no library. */
void* memcpy(void* restrict to, const void* restrict from, size_t bytes) {
  size_t k;
  for (k = 0; k < bytes; ++k) ((volatile char*)to)[k] = ((const char*)from)[k];
  return to;
}
void* memset(void* to, int value, size_t bytes) {
  size_t k;
  for (k = 0; k < bytes; ++k) ((volatile char*)to)[k] = (char)value;
  return to;
}

void reset(void) {
  uint32_t *to = &data_begin, *from = &data_image;
  *(volatile uint32_t*)0xE000ED88 |= 0xFU << 20; /* CPACR: coprocessors 10 and 11, which are the floating-point unit */
  __asm volatile("dsb\n isb" ::: "memory");
  while (to < &data_end) *to++ = *from++;
  for (to = &bss_begin; to < &bss_end;) *to++ = 0;
  leave(main());
}

static void fault(void) { leave(99); }

__attribute__((section(".vectors"), used)) static const void* const vectors[16] = {&stack_top,
                                                                                   (void*)reset,
                                                                                   (void*)fault,
                                                                                   (void*)fault,
                                                                                   (void*)fault,
                                                                                   (void*)fault,
                                                                                   (void*)fault,
                                                                                   0,
                                                                                   0,
                                                                                   0,
                                                                                   0,
                                                                                   (void*)fault,
                                                                                   (void*)fault,
                                                                                   0,
                                                                                   (void*)fault,
                                                                                   (void*)fault};
