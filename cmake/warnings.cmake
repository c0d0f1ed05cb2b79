# SPDX-License-Identifier: Apache-2.0
# quadrance_options(target): warnings, sanitizers, and the floating-point rules the contract of values rests on.
# quadrance_options(target PLAIN): the same without sanitizers, and the same words in the dev, asan and tsan presets, so
# that a compiler cache serves all three with one compilation.
function(quadrance_options target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PLAIN" "" "")
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
    # GCC contracts a*b+c by default; bits must not depend on what it happens to see.
    -ffp-contract=off)
  if(QUADRANCE_WERROR OR (arg_PLAIN AND QUADRANCE_SANITIZE))
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(QUADRANCE_ASSERT)
    target_compile_options(${target} PRIVATE -UNDEBUG)
  endif()
  if(QUADRANCE_SANITIZE AND NOT arg_PLAIN)
    target_compile_options(${target} PRIVATE -fsanitize=${QUADRANCE_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${QUADRANCE_SANITIZE})
  endif()
endfunction()
