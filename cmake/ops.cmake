# Operators: each file below src/ops ends with a table of them, but calls.c, which
# is written from the tables, and the helpers.
file(GLOB_RECURSE families CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/ops/*.c)
set(helpers ${families})
list(FILTER helpers INCLUDE REGEX "/src/ops/helpers/")
list(FILTER families EXCLUDE REGEX "/src/ops/(helpers/|calls\\.c$)")
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
    string(APPEND names "    \"${name}\",\n")
endforeach()
set(op_tables "/* The tables of operators, from the names of their files. */
#include <stddef.h>

#include \"op/registry.h\"

${rows}
const dt_op *const dti_op_tables[] = {
${tables}    NULL,
};
const char *const dti_op_families[] = {
${names}    NULL,
};
")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/op_tables.c CONTENT "${op_tables}"
    @ONLY)

add_library(dt_ops_objects OBJECT ${families} ${helpers}
    ${PROJECT_SOURCE_DIR}/src/ops/calls.c ${PROJECT_BINARY_DIR}/op_tables.c)
target_include_directories(dt_ops_objects PUBLIC ${PROJECT_SOURCE_DIR}/include
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(dt_ops_objects PRIVATE dt_flags)

if(DT_SANITIZE)
    # There are many of them, and no loops.
    target_compile_options(dt_ops_objects PRIVATE -O0)
    return()
endif()

# The tool that writes ops.h, calls.c and ops.md.  It has the rows, what reads
# them and what they name, and calls nothing else: so the rest is not linked, and
# rows may call operators that ops.h has not got yet.
file(GLOB tool_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/ops/*.c)
set(reading_sources base/dtype.c base/error.c base/message.c base/reader.c
    op/rule/factors.c op/meta.c op/promote.c op/rule/rule.c op/schema.c)
list(TRANSFORM reading_sources PREPEND ${PROJECT_SOURCE_DIR}/src/)
set(rows_sources ${families} ${PROJECT_BINARY_DIR}/op_tables.c)
function(dt_add_writer target)
    add_executable(${target} ${tool_sources} ${ARGN}
        ${PROJECT_SOURCE_DIR}/tests/conformance/sample.c)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include
        ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tools
        ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${target} PRIVATE dt_flags)
    target_link_options(${target} PRIVATE -no-pie
        -Wl,--unresolved-symbols=ignore-all)
endfunction()
foreach(objects IN ITEMS reading rows)
    add_library(dt_${objects}_objects OBJECT ${${objects}_sources})
    target_include_directories(dt_${objects}_objects PRIVATE
        ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(dt_${objects}_objects PRIVATE dt_flags)
    target_compile_options(dt_${objects}_objects PRIVATE -w -O0
        -Wno-error=implicit-function-declaration -Wno-error=int-conversion)
endforeach()
dt_add_writer(write-ops $<TARGET_OBJECTS:dt_reading_objects>
    $<TARGET_OBJECTS:dt_rows_objects>)
