# SPDX-License-Identifier: Apache-2.0
# cmake -D build=FOLDER -D compiler=FILE -P package_test.cmake: installs the build into a new prefix, moves the prefix
# (an installed package must not know where it was installed), then configures, builds and runs the project beside
# this file against it.
cmake_minimum_required(VERSION 3.25)
set(work ${build}/package_test)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/installed)
file(RENAME ${work}/installed ${work}/moved)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/consumer -G Ninja
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${work}/moved -D CMAKE_CXX_COMPILER=${compiler}
    -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${work}/consumer)
run(${work}/consumer/consumer)
