# SPDX-License-Identifier: Apache-2.0
# Finds Google Highway's header and core library: the target hwy::hwy (docs/decisions/0006-find-highway.md).
find_path(Highway_INCLUDE_DIR hwy/highway.h)
find_library(Highway_LIBRARY hwy)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Highway REQUIRED_VARS Highway_LIBRARY Highway_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "install libhwy-dev (make deps)")
if(Highway_FOUND AND NOT TARGET hwy::hwy)
  add_library(hwy::hwy UNKNOWN IMPORTED)
  set_target_properties(hwy::hwy PROPERTIES IMPORTED_LOCATION "${Highway_LIBRARY}"
                                            INTERFACE_INCLUDE_DIRECTORIES "${Highway_INCLUDE_DIR}")
endif()
mark_as_advanced(Highway_INCLUDE_DIR Highway_LIBRARY)
