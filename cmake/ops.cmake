# Operators: each file below src/ops ends with a table of them, but the helpers.
# Their functions in C are written from the tables, into the build folder.
file(GLOB_RECURSE families CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/ops/*.c)
set(helpers ${families})
list(FILTER helpers INCLUDE REGEX "/src/ops/helpers/")
list(FILTER families EXCLUDE REGEX "/src/ops/helpers/")
list(SORT families COMPARE FILE_BASENAME)

# The list of tables, sorted by the names of their files, whatever their folders.
set(rows "")
set(tables "")
set(names "")
foreach(source IN LISTS families)
    get_filename_component(table ${source} NAME_WE)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/src/ops ${source})
    string(REGEX REPLACE "\\.c$" "" name ${name})
    string(APPEND rows "extern const dt_op dti_ops_${table}[];\n")
    string(APPEND tables "    dti_ops_${table},\n")
    string(APPEND names "${name}\n")
    list(APPEND family_names ${name})
endforeach()
set(op_tables "/* The tables of operators, from the names of their files. */
#include <stddef.h>

#include \"op/registry.h\"

${rows}
const dt_op *const dti_op_tables[] = {
${tables}    NULL,
};
")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/op_tables.c CONTENT "${op_tables}"
    @ONLY)

# ---- Reading rows ------------------------------------------------------------
# The tool reads text: every family after the preprocessor, and the list of them
# in the order of their tables.  No row is compiled for it.  Headers that are
# written from the rows are empty while these are read.
set(rows_dir ${PROJECT_BINARY_DIR}/rows)
set(written_dir ${PROJECT_BINARY_DIR}/written)
file(CONFIGURE OUTPUT ${rows_dir}/list CONTENT "${names}" @ONLY)
foreach(header IN ITEMS ops/numbers.h dtensor/ops.h dtensor/sys/ops_internal.h
        dtensor/sys/ops_training.h)
    file(CONFIGURE OUTPUT ${rows_dir}/empty/${header} CONTENT "" @ONLY)
endforeach()
separate_arguments(preprocess NATIVE_COMMAND "${CMAKE_C_FLAGS}")
list(PREPEND preprocess ${CMAKE_C_COMPILER})
if(CMAKE_C_COMPILER_TARGET)
    list(APPEND preprocess --target=${CMAKE_C_COMPILER_TARGET})
endif()
if(CMAKE_SYSROOT)
    list(APPEND preprocess --sysroot=${CMAKE_SYSROOT})
endif()
list(APPEND preprocess -std=c11 -D_GNU_SOURCE -E -P -I${rows_dir}/empty
    -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src)
set(rows_read ${rows_dir}/list)
foreach(name IN LISTS family_names)
    set(read ${rows_dir}/${name}.i)
    get_filename_component(folder ${read} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${read}
        COMMAND ${preprocess} -MD -MT ${read} -MF ${read}.d
            ${PROJECT_SOURCE_DIR}/src/ops/${name}.c -o ${read}
        DEPENDS ${PROJECT_SOURCE_DIR}/src/ops/${name}.c DEPFILE ${read}.d
        COMMENT "Reading src/ops/${name}.c" VERBATIM)
    list(APPEND rows_read ${read})
endforeach()

# ---- The tool ----------------------------------------------------------------
# It runs on the machine that builds.  Where that is not the one that is built
# for, it is compiled by CMAKE_HOST_C_COMPILER, or cc if that is not set.
file(GLOB tool_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/ops/*.c)
foreach(source IN ITEMS base/dtype.c base/text/message.c base/text/reader.c
        base/text/utf8.c base/text/writer.c
        op/rule/rule.c op/schema.c verify/sample.c)
    list(APPEND tool_sources ${PROJECT_SOURCE_DIR}/src/${source})
endforeach()
set(tool_includes ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR}/tools)
if(CMAKE_CROSSCOMPILING)
    set(CMAKE_HOST_C_COMPILER cc CACHE STRING "Compiler for tools of the build")
    set(write_ops ${PROJECT_BINARY_DIR}/bin/write-ops)
    list(TRANSFORM tool_includes PREPEND -I OUTPUT_VARIABLE include_flags)
    file(GLOB tool_headers CONFIGURE_DEPENDS
        ${PROJECT_SOURCE_DIR}/tools/ops/*.h
        ${PROJECT_SOURCE_DIR}/include/dtensor/sys/op.h
        ${PROJECT_SOURCE_DIR}/src/op/*.h)
    add_custom_command(OUTPUT ${write_ops}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/bin
        COMMAND ${CMAKE_HOST_C_COMPILER} -std=c11 -O1 -D_GNU_SOURCE
            ${include_flags} ${tool_sources} -o ${write_ops} -lm
        DEPENDS ${tool_sources} ${tool_headers} VERBATIM)
    add_custom_target(write-ops DEPENDS ${write_ops})
else()
    add_executable(write-ops ${tool_sources})
    target_include_directories(write-ops PRIVATE ${tool_includes})
    target_link_libraries(write-ops PRIVATE dt_flags m)
    set(write_ops $<TARGET_FILE:write-ops>)
endif()

# What is in git: `make ops` writes it.
add_custom_target(ops COMMAND ${write_ops} ${rows_dir} ${PROJECT_SOURCE_DIR}
    DEPENDS write-ops ${rows_read} VERBATIM)

# What is not: a file that stays the same is not touched.
set(written_calls "")
foreach(group IN ITEMS math reduce linalg shape index nn loss random create
        training internal)
    list(APPEND written_calls ${written_dir}/ops/calls_${group}.c)
endforeach()
set(written_options ${written_dir}/ops/options.c)
file(MAKE_DIRECTORY ${written_dir}/ops)
add_custom_command(OUTPUT ${written_dir}/stamp
    BYPRODUCTS ${written_calls} ${written_options} ${written_dir}/ops/numbers.h
        ${written_dir}/ops/names.inc ${written_dir}/ops/older.inc
        ${written_dir}/ops.json
    COMMAND ${write_ops} --build ${written_dir} ${rows_dir}
        ${PROJECT_SOURCE_DIR}
    COMMAND ${CMAKE_COMMAND} -E touch ${written_dir}/stamp
    DEPENDS write-ops ${rows_read} COMMENT "Writing functions of operators"
    VERBATIM)
add_custom_target(dt_written DEPENDS ${written_dir}/stamp)

# ---- The objects -------------------------------------------------------------
add_library(dt_ops_objects OBJECT ${families} ${helpers} ${written_calls}
    ${PROJECT_BINARY_DIR}/op_tables.c)
add_dependencies(dt_ops_objects dt_written)
target_include_directories(dt_ops_objects PUBLIC ${PROJECT_SOURCE_DIR}/include
    PRIVATE ${PROJECT_SOURCE_DIR}/src ${written_dir})
target_link_libraries(dt_ops_objects PRIVATE dt_flags)
if(DT_SANITIZE)
    # There are many of them, and no loops.
    target_compile_options(dt_ops_objects PRIVATE -O0)
endif()
