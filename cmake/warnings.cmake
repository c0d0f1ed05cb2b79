# SPDX-License-Identifier: Apache-2.0
# quadrance_options(target): warnings, sanitizers, and the floating-point rules the contract of values rests on.
function(quadrance_options target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
    # GCC contracts a*b+c by default; bits must not depend on what it happens to see.
    -ffp-contract=off)
  if(QUADRANCE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(QUADRANCE_ASSERT)
    target_compile_options(${target} PRIVATE -UNDEBUG)
  endif()
  if(QUADRANCE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${QUADRANCE_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${QUADRANCE_SANITIZE})
  endif()
endfunction()
