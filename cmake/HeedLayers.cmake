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

# Sources that need a library one may lack; in their place without_<library>.cpp says at run time what is missing.
set(HEED_NEED_MATIO "/io/mat/(apart|mat5_content|mat5_guard|mat5_stream|mat73_content)\\.cpp$")
set(HEED_NEED_SNDFILE "/io/audio_file\\.cpp$")
set(HEED_NEED_CAIRO "/report/painting\\.cpp$")

function(heed_add_layer layer)
  set(target heed_${layer})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp)
  foreach(library IN ITEMS MATIO SNDFILE CAIRO)
    string(TOLOWER ${library} name)
    if(HEED_WITH_${library})
      list(FILTER sources EXCLUDE REGEX "/without_${name}\\.cpp$")
    else()
      list(FILTER sources EXCLUDE REGEX "${HEED_NEED_${library}}")
    endif()
  endforeach()
  add_library(${target} STATIC ${sources})
  add_library(heed::${layer} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${layer})
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Generic")  # firmware lies where it was linked to
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:heed_flags>)
  # The sums are made elsewhere: optimising these costs a third of their build, sanitized more than their tests gain. What
  # is fuzzed runs for hours.
  if(HEED_SANITIZE AND NOT HEED_BUILD_FUZZ AND layer MATCHES "^(io|report|pipeline|study)$")
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release" AND layer MATCHES "^(report|pipeline|study)$")
    target_compile_options(${target} PRIVATE -O1)
  endif()
  foreach(used IN LISTS ARGN)
    target_link_libraries(${target} PUBLIC heed_${used})
  endforeach()
endfunction()

# Kernels are compiled once for each instruction set, as files of one line that are made here; which one runs is chosen
# at run time (src/data/instruction_sets.h). ARGN: the headers that make a set, and what their flags add. hmm's causal
# filter keeps core's bits, dsp's exact loops those of every machine; all others are held to a tolerance, so products
# and sums may be fused there (docs/decisions/0011-fused-and-exact.md).
function(heed_add_kernels layer)
  set(lanes_portable 2)
  set(lanes_avx2 4)
  set(lanes_avx512 8)
  set(flags_portable "")
  set(flags_avx2 -mavx2 -mfma)
  set(flags_avx512 -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
  set(level -O3)
  if(HEED_SANITIZE)
    set(level -O1)  # the same sums, compiled in half the time
  endif()
  set(sets portable)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND sets avx2 avx512)
    target_compile_definitions(heed_${layer} PRIVATE HEED_X86_KERNELS)
  endif()
  foreach(header IN LISTS ARGN)
    set(fusing -ffp-contract=fast)
    if(header MATCHES "^(causal|exact)/")
      set(fusing "")
    endif()
    foreach(set IN LISTS sets)
      get_filename_component(name ${header} NAME_WE)
      set(file ${PROJECT_BINARY_DIR}/kernels/${layer}/${name}_${set}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "#include \"${layer}/kernels/${header}\"\n")
      target_sources(heed_${layer} PRIVATE ${file})
      # GCC notes (psabi) that registers are passed otherwise on other machines: nothing is passed out of these files.
      set_source_files_properties(${file} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON
        COMPILE_OPTIONS "${level};-Wno-psabi;${flags_${set}};${fusing}"
        COMPILE_DEFINITIONS "HEED_LANES=${lanes_${set}};HEED_KERNEL_SET=${set}_kernels;HEED_CAUSAL_FILTER=causal_${set};HEED_CAUSAL_LANES=causal_lanes_${set};HEED_LOOK_AHEAD=look_ahead_${set};HEED_CAUSAL_WEIGH=weigh_${set};HEED_EXACT=exact_${set};HEED_KERNEL_NAME=\"${set}\"")
    endforeach()
  endforeach()
endfunction()

# Headers nearly every file reads are parsed once: by layers that see JSON with it, by the others without. Files still
# include what they use; `./dev lint COMMIT` reads each without. A precompiled header fits one level of optimisation.
function(heed_precompile_headers)
  set(common <heed/data/matrix.h> <heed/data/error.h> <algorithm> <filesystem> <functional> <map> <optional> <string>
      <vector>)
  target_precompile_headers(heed_data PRIVATE ${common})
  if(TARGET heed_io)
    target_precompile_headers(heed_io PRIVATE ${common} <nlohmann/json.hpp>)
    target_precompile_headers(heed_pipeline PRIVATE ${common} <nlohmann/json.hpp>)
  endif()
  set(like_data emission evaluate decode sim)
  set(like_pipeline report study)
  if(HEED_SANITIZE)
    list(APPEND like_data live)
  else()
    set(like_io live)
  endif()
  foreach(first IN ITEMS data io pipeline)
    foreach(layer IN LISTS like_${first})
      if(TARGET heed_${layer})
        target_precompile_headers(heed_${layer} REUSE_FROM heed_${first})
      endif()
    endforeach()
  endforeach()
endfunction()

# What layers above core are made of besides their sources.
function(heed_complete_layers layers)
  heed_add_kernels(dsp kernel_set.h exact/loops.h)
  heed_add_kernels(hmm kernel_set.h causal/filter.h)
  # Registers of eight doubles on every machine; as in kernels, none is passed out of the file.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/track/sliding_em.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
    COMPILE_OPTIONS -Wno-psabi)

  # Eigen's alignment must not depend on the flags of whoever includes our headers.
  target_link_libraries(heed_data PUBLIC Eigen3::Eigen)
  target_compile_definitions(heed_data PUBLIC EIGEN_MAX_ALIGN_BYTES=64)
  if(TARGET heed_io)
    target_link_libraries(heed_io PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
    target_include_directories(heed_io SYSTEM PRIVATE ${XXHASH_INCLUDE_DIRS})
    if(HEED_WITH_SNDFILE)
      # Who links the installed archive needs libsndfile too, but none of its headers: the name is enough.
      target_link_libraries(heed_io PRIVATE $<BUILD_INTERFACE:PkgConfig::SNDFILE> $<INSTALL_INTERFACE:sndfile>)
    endif()
    if(HEED_WITH_MATIO)
      target_link_libraries(heed_io PRIVATE $<BUILD_INTERFACE:PkgConfig::MATIO>)
      # HDF5 has no name that is the same everywhere: the libraries by their paths.
      foreach(library IN LISTS MATIO_LINK_LIBRARIES)
        target_link_libraries(heed_io PRIVATE $<INSTALL_INTERFACE:${library}>)
      endforeach()
    endif()
  endif()
  if(TARGET heed_decode)
    # Likewise.
    target_link_libraries(heed_decode PRIVATE $<BUILD_INTERFACE:PkgConfig::OPENBLAS> $<INSTALL_INTERFACE:lapacke>
      $<INSTALL_INTERFACE:openblas>)
  endif()
  if(TARGET heed_report)
    if(HEED_WITH_CAIRO)
      # Likewise.
      target_link_libraries(heed_report PRIVATE $<BUILD_INTERFACE:PkgConfig::CAIRO> $<INSTALL_INTERFACE:cairo>)
    endif()
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
  if(TARGET heed_live)
    target_link_libraries(heed_live PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)  # headers alone
    heed_embed_page(heed_live)
  endif()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/data/version.cpp PROPERTIES COMPILE_DEFINITIONS
    HEED_VERSION="${PROJECT_VERSION}")
  heed_precompile_headers()
  # libheed-c has this one itself: in a group, core's archive would bring it a second time.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/c_interface.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # Not those whose speed is counted in instructions, where it is.
  foreach(layer IN LISTS layers)
    if(HEED_SANITIZE OR NOT layer MATCHES "^(core|dsp|hmm)$")
      heed_unite(heed_${layer})
    endif()
  endforeach()
endfunction()

function(heed_add_layers)
  heed_read_layers()
  if(HEED_ONLY_CORE)
    set(layers core)
  endif()
  foreach(layer IN LISTS layers)
    heed_add_layer(${layer} ${uses_${layer}})
  endforeach()
  # Nothing in core throws, so that C programs and microcontrollers link it without C++'s runtime.
  # Nor does it set errno, so that a square root is one instruction.
  target_compile_options(heed_core PRIVATE -fno-exceptions -fno-math-errno)
  set(HEED_LAYERS ${layers} PARENT_SCOPE)
  if(HEED_ONLY_CORE)
    return()
  endif()
  heed_complete_layers("${layers}")

  add_library(heed_all INTERFACE)
  add_library(heed::heed ALIAS heed_all)
  set_target_properties(heed_all PROPERTIES EXPORT_NAME heed)
  list(TRANSFORM layers PREPEND heed_ OUTPUT_VARIABLE targets)
  target_link_libraries(heed_all INTERFACE ${targets})
endfunction()
