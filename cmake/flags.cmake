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

# What makes a mistake with memory harder to exploit; docs/design.md says what it
# costs.  Sanitizers find more, and do not go together with checked functions;
# these need an optimiser.
option(DT_HARDEN "Stack protector, checked string functions, RELRO, BIND_NOW, PIE" ON)
if(DT_HARDEN)
    include(CheckPIESupported)
    check_pie_supported(LANGUAGES C)
    target_compile_options(dt_flags INTERFACE -fstack-protector-strong)
    target_link_options(dt_flags INTERFACE LINKER:-z,relro,-z,now)
    if(NOT DT_SANITIZE)
        set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
        target_compile_options(dt_flags INTERFACE
            $<${optimised}:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
    endif()
endif()

# Build what is installed with the RUNPATH that it has there: the folders of the
# libraries that it links.  CMake would rewrite another one when installing, and
# leaves space for that: an empty element, which is the current directory.
function(dt_keep_rpath target)
    set_target_properties(${target} PROPERTIES
        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()
