# Loops that are compiled once for each instruction set: a template, and a file of
# a few lines for each set, which is written here.
#
#   dt_add_levels(TEMPLATE NAME [LEVELS level...] [BEFORE header])
#
# The template is src/<TEMPLATE>_tmpl.h.  What it defines is called NAME_<level>,
# which it is told by the macro LOOPS.  BEFORE is included first; @level@ in it
# is the level.  Without LEVELS all are meant that base/machine/cpu.h chooses from.  The
# files are appended to `sources`.
function(dt_add_levels template name)
    cmake_parse_arguments(PARSE_ARGV 2 the "" BEFORE LEVELS)
    if(NOT the_LEVELS)
        set(the_LEVELS portable avx2 avx512)
    endif()
    foreach(level IN LISTS the_LEVELS)
        set(text "/* ${template}_tmpl.h for ${level}; see cmake/levels.cmake. */\n")
        if(the_BEFORE)
            string(CONFIGURE "${the_BEFORE}" before @ONLY)
            string(APPEND text "#include \"${before}\"\n\n")
        endif()
        string(APPEND text "#define LOOPS ${name}_${level}\n"
            "#include \"${template}_tmpl.h\"\n")
        set(file ${PROJECT_BINARY_DIR}/src/${template}_${level}.c)
        file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
        list(APPEND sources ${file})
    endforeach()
    set(sources ${sources} PARENT_SCOPE)
endfunction()

dt_add_levels(checkpoint/sum dti_sum LEVELS portable avx2)
dt_add_levels(kernel/attention/attention dti_attention)
dt_add_levels(kernel/fold/arg dti_arg)
dt_add_levels(kernel/fold/fold dti_fold)
dt_add_levels(kernel/fold/moments dti_moments)
dt_add_levels(kernel/gemm/tile dti_tile BEFORE kernel/gemm/tile_@level@.h)
dt_add_levels(kernel/optimizer/optimizer dti_optimizer)
dt_add_levels(kernel/order/rank dti_rank LEVELS avx2 avx512)
dt_add_levels(kernel/pointwise/activation dti_pointwise_activation)
dt_add_levels(kernel/pointwise/pointwise dti_pointwise)
dt_add_levels(kernel/pointwise/real dti_pointwise_real)
dt_add_levels(kernel/scan/scan dti_scan)
dt_add_levels(kernel/softmax/logsumexp dti_logsumexp)
dt_add_levels(kernel/softmax/softmax dti_softmax)
dt_add_levels(random/draw dti_draw BEFORE random/lanes_@level@.h)
# These are templates of a type as well; f64 is left as the compiler makes it.
foreach(template IN ITEMS loss/loss norm/norm softmax/along)
    get_filename_component(name ${template} NAME)
    dt_add_levels(kernel/${template} dti_${name} BEFORE kernel/math/names_f32.h)
    dt_add_levels(kernel/${template} dti_${name} LEVELS f64
        BEFORE kernel/math/names_f64.h)
endforeach()
