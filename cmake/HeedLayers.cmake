# SPDX-License-Identifier: MIT
# Makes one library per layer of layers.txt: heed_<layer>, seen by others as heed::<layer>.

set(HEED_LAYERS_FILE ${PROJECT_SOURCE_DIR}/layers.txt)

# Layers that exist, in order, in `layers`; what layer L may use in `uses_L`.
function(heed_read_layers)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${HEED_LAYERS_FILE})
  file(STRINGS ${HEED_LAYERS_FILE} lines REGEX "^[a-z]+:")
  set(layers "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([a-z]+):(.*)$" _ "${line}")
    set(layer ${CMAKE_MATCH_1})
    string(STRIP "${CMAKE_MATCH_2}" uses)
    string(REPLACE " " ";" uses "${uses}")
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp)
    if(sources)
      list(APPEND layers ${layer})
      set(existing "")
      foreach(used IN LISTS uses)
        if(used IN_LIST layers)
          list(APPEND existing ${used})
        endif()
      endforeach()
      set(uses_${layer} ${existing} PARENT_SCOPE)
    endif()
  endforeach()
  set(layers ${layers} PARENT_SCOPE)
endfunction()

function(heed_add_layer layer)
  set(target heed_${layer})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp)
  add_library(${target} STATIC ${sources})
  add_library(heed::${layer} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${layer} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:heed_flags>)
  foreach(used IN LISTS ARGN)
    target_link_libraries(${target} PUBLIC heed_${used})
  endforeach()
endfunction()

# Each kernel file is compiled for its own instruction set; which one runs is chosen at run time. Those in causal/
# keep core's bits; the others are held to a tolerance, so products and sums may be fused there.
function(heed_set_kernel_flags layer)
  set(kernels ${PROJECT_SOURCE_DIR}/src/${layer}/kernels)
  # GCC notes (psabi) that registers are passed otherwise on other machines: nothing is passed out of these files.
  set(flags -O3 -Wno-psabi)
  set(flags_portable "")
  set(flags_avx2 -mavx2 -mfma)
  set(flags_avx512 -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
  foreach(set IN ITEMS portable avx2 avx512)
    set_source_files_properties(${kernels}/${set}.cpp PROPERTIES COMPILE_OPTIONS
      "${flags};${flags_${set}};-ffp-contract=fast")
    set_source_files_properties(${kernels}/causal/${set}.cpp PROPERTIES COMPILE_OPTIONS "${flags};${flags_${set}}")
  endforeach()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_definitions(heed_${layer} PRIVATE HEED_X86_KERNELS)
  else()
    foreach(set IN ITEMS avx2 avx512)
      set_source_files_properties(${kernels}/${set}.cpp ${kernels}/causal/${set}.cpp PROPERTIES HEADER_FILE_ONLY ON)
    endforeach()
  endif()
endfunction()

# Headers nearly every file reads are parsed once: by layers that see JSON with it, by the others without. Files still
# include what they use; `./dev lint` compiles without.
function(heed_precompile_headers)
  set(common <heed/data/matrix.h> <heed/data/error.h> <algorithm> <filesystem> <functional> <map> <optional> <string>
      <vector>)
  if(TARGET heed_io)
    target_precompile_headers(heed_io PRIVATE ${common} <nlohmann/json.hpp>)
  endif()
  target_precompile_headers(heed_data PRIVATE ${common})
  foreach(layer IN ITEMS emission evaluate decode sim report)
    if(TARGET heed_${layer})
      target_precompile_headers(heed_${layer} REUSE_FROM heed_data)
    endif()
  endforeach()
  foreach(layer IN ITEMS pipeline study)
    if(TARGET heed_${layer})
      target_precompile_headers(heed_${layer} REUSE_FROM heed_io)
    endif()
  endforeach()
endfunction()

function(heed_add_layers)
  heed_read_layers()
  foreach(layer IN LISTS layers)
    heed_add_layer(${layer} ${uses_${layer}})
  endforeach()

  foreach(layer IN ITEMS dsp hmm)
    heed_set_kernel_flags(${layer})
  endforeach()

  # Eigen's alignment must not depend on the flags of whoever includes our headers.
  target_link_libraries(heed_data PUBLIC Eigen3::Eigen)
  target_compile_definitions(heed_data PUBLIC EIGEN_MAX_ALIGN_BYTES=64)
  if(TARGET heed_io)
    # Who links the installed archive needs libsndfile too, but none of its headers: the name is enough.
    target_link_libraries(heed_io PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
      $<BUILD_INTERFACE:PkgConfig::SNDFILE> $<INSTALL_INTERFACE:sndfile> $<BUILD_INTERFACE:PkgConfig::MATIO>)
    # HDF5 has no name that is the same everywhere: the libraries by their paths.
    foreach(library IN LISTS MATIO_LINK_LIBRARIES)
      target_link_libraries(heed_io PRIVATE $<INSTALL_INTERFACE:${library}>)
    endforeach()
  endif()
  if(TARGET heed_decode)
    # Likewise.
    target_link_libraries(heed_decode PRIVATE $<BUILD_INTERFACE:PkgConfig::OPENBLAS> $<INSTALL_INTERFACE:lapacke>
      $<INSTALL_INTERFACE:openblas>)
  endif()
  if(TARGET heed_report)
    # Likewise.
    target_link_libraries(heed_report PRIVATE $<BUILD_INTERFACE:PkgConfig::CAIRO> $<INSTALL_INTERFACE:cairo>)
    heed_embed_web(heed_report)
  endif()
  if(TARGET heed_pipeline)
    target_link_libraries(heed_pipeline PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)  # headers alone
  endif()
  if(TARGET heed_study)
    # Their headers alone: nobody who links heed needs toml++ or nlohmann-json.
    target_link_libraries(heed_study PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
    target_include_directories(heed_study SYSTEM PRIVATE ${TOMLPLUSPLUS_INCLUDE_DIRS})
    target_compile_definitions(heed_study PRIVATE TOML_HEADER_ONLY=1)
    heed_embed_studies(heed_study)
  endif()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/data/version.cpp PROPERTIES COMPILE_DEFINITIONS
    HEED_VERSION="${PROJECT_VERSION}")
  heed_precompile_headers()

  add_library(heed_all INTERFACE)
  add_library(heed::heed ALIAS heed_all)
  set_target_properties(heed_all PROPERTIES EXPORT_NAME heed)
  list(TRANSFORM layers PREPEND heed_ OUTPUT_VARIABLE targets)
  target_link_libraries(heed_all INTERFACE ${targets})
  set(HEED_LAYERS ${layers} PARENT_SCOPE)
endfunction()
