# SPDX-License-Identifier: MIT
# core, data and hmm and nothing else, for projects below tests that compile them in another way. PROJECT_SOURCE_DIR is
# heed's.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(HEED_WERROR ON)
include(GNUInstallDirs)
include(${PROJECT_SOURCE_DIR}/cmake/HeedCompiler.cmake)
include(${PROJECT_SOURCE_DIR}/cmake/HeedLayers.cmake)

heed_read_layers()
foreach(layer IN ITEMS core data hmm)
  heed_add_layer(${layer} ${uses_${layer}})
endforeach()
target_compile_options(heed_core PRIVATE -fno-exceptions -fno-math-errno)
target_include_directories(heed_data SYSTEM PUBLIC /usr/include/eigen3)  # headers of no processor
target_compile_definitions(heed_data PUBLIC EIGEN_MAX_ALIGN_BYTES=64 HEED_VERSION="0")
heed_add_kernels(hmm kernel_set.h causal/filter.h)
