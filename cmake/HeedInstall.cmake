# SPDX-License-Identifier: MIT
# `cmake --install`, `find_package(heed)`, `pkg-config heed` and `pkg-config heed-core`. Components are those of the packages
# (debian/rules): c_library, development, program, python and octave.
include(CMakePackageConfigHelpers)

# core is exported by itself: who uses nothing else needs nothing else.
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/heed)
install(TARGETS heed_core EXPORT heedCoreTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT heedCoreTargets NAMESPACE heed:: DESTINATION ${package} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/heedConfig.cmake.in ${PROJECT_BINARY_DIR}/heedConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heedConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heedConfig.cmake ${PROJECT_BINARY_DIR}/heedConfigVersion.cmake DESTINATION ${package}
        COMPONENT development)

# Relative, so that the tree can be installed anywhere (cmake --install --prefix) and moved.
file(RELATIVE_PATH HEED_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
function(heed_install_pkg_config name)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()
heed_install_pkg_config(heed-core)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(HEED_ONLY_CORE)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/heed/core DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heed FILES_MATCHING PATTERN "*.h")
  install(FILES ${PROJECT_SOURCE_DIR}/include/heed/c.h ${PROJECT_SOURCE_DIR}/include/heed/c_steering.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heed)
  return()
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/heed DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h")
set(heed_targets heed_all)
# A static archive is searched once, in order: users come before what they use.
set(HEED_PC_LIBS "")
foreach(layer IN LISTS HEED_LAYERS)
  string(PREPEND HEED_PC_LIBS "-lheed_${layer} ")
  list(APPEND heed_targets heed_${layer})
endforeach()
list(REMOVE_ITEM heed_targets heed_core)
install(TARGETS ${heed_targets} EXPORT heedTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT heedTargets NAMESPACE heed:: DESTINATION ${package} COMPONENT development)
set(HEED_PC_REQUIRES "")
foreach(library IN ITEMS CAIRO:cairo SNDFILE:sndfile "MATIO:matio zlib")
  string(REGEX MATCH "^([A-Z]+):(.*)$" _ ${library})
  if(HEED_WITH_${CMAKE_MATCH_1})
    string(APPEND HEED_PC_REQUIRES "${CMAKE_MATCH_2} ")
  endif()
endforeach()
heed_install_pkg_config(heed)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
