# SPDX-License-Identifier: MIT
# Toolchain of CMake for Cortex-M without an operating system, by Debian's gcc-arm-none-eabi and
# libstdc++-arm-none-eabi-newlib:
#
#   cmake -S . -B build/m4 -D HEED_ONLY_CORE=ON -D CMAKE_TOOLCHAIN_FILE=embedded/arm-none-eabi.cmake -D HEED_PROCESSOR=cortex-m4
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # programs need a board's start-up code
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

set(HEED_PROCESSOR cortex-m4 CACHE STRING "cortex-m4, cortex-m7 or cortex-m55")
set(fpu_cortex-m4 -mfpu=fpv4-sp-d16)
set(fpu_cortex-m7 -mfpu=fpv5-d16)
set(fpu_cortex-m55 "")  # the processor's own
if(NOT DEFINED fpu_${HEED_PROCESSOR})
  message(FATAL_ERROR "HEED_PROCESSOR is ${HEED_PROCESSOR}; there are cortex-m4, cortex-m7 and cortex-m55")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEED_PROCESSOR)
set(flags "-mcpu=${HEED_PROCESSOR} -mthumb ${fpu_${HEED_PROCESSOR}} -mfloat-abi=hard -ffunction-sections -fdata-sections")
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_CXX_FLAGS_INIT "${flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics -Wno-psabi")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--gc-sections --specs=nano.specs --specs=nosys.specs")
