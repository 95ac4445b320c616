# Compiler flags that everything in this tree is built with.
add_library(dt_flags INTERFACE)
target_compile_definitions(dt_flags INTERFACE _GNU_SOURCE)
# The same bits on every machine: no fused multiply-add that nobody wrote.  Nobody
# asks errno about a root either, nor looks at the flags that arithmetic of floats
# raises, so that loops over roots, choices and rounding become vectors.
target_compile_options(dt_flags INTERFACE
    -ffp-contract=off -fno-math-errno -fno-trapping-math
    -fno-semantic-interposition
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wundef
    -Wwrite-strings -Wvla -Wcast-qual)
target_compile_options(dt_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes;-Wmissing-prototypes>)
# Failed checks and assertions name files from the root of the tree.
target_compile_options(dt_flags INTERFACE
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(DT_WERROR)
    target_compile_options(dt_flags INTERFACE -Werror)
endif()
if(DT_SANITIZE)
    target_compile_options(dt_flags INTERFACE
        -fsanitize=${DT_SANITIZE} -fno-omit-frame-pointer
        -fno-sanitize-recover=all)
    target_link_options(dt_flags INTERFACE -fsanitize=${DT_SANITIZE})
endif()
