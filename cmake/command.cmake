# The command `dtensor`: one file per subcommand, and the benchmarks it runs.
file(GLOB_RECURSE command_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/src/cli/*.c)
file(GLOB subcommands CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/commands/*.c
    ${PROJECT_SOURCE_DIR}/bench/command/*.c)
list(SORT subcommands COMPARE FILE_BASENAME)
file(GLOB suites CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/support/*.c
    ${PROJECT_SOURCE_DIR}/bench/operators/*.c ${PROJECT_SOURCE_DIR}/bench/command/*.c)

# Append to `text` a list named `list` of the rows `<prefix>_<file>`, one of each
# of the files that follow.
function(dt_list_rows text type prefix list)
    set(rows "")
    set(entries "")
    foreach(source IN LISTS ARGN)
        get_filename_component(name ${source} NAME_WE)
        string(APPEND rows "extern const ${type} ${prefix}_${name};\n")
        string(APPEND entries "    &${prefix}_${name},\n")
    endforeach()
    set(${text} "${${text}}\n${rows}const ${type} *const ${list}[] = {\n\
${entries}    NULL,\n};\n" PARENT_SCOPE)
endfunction()

set(row_lists "/* The rows of subcommands and suites, from the names of their files. */
#include <stddef.h>

#include \"bench/bench.h\"
#include \"cli/command.h\"
")
dt_list_rows(row_lists dti_command dti_command dti_commands ${subcommands})
dt_list_rows(row_lists bench_suite bench_suite bench_suites ${suites})
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/command_rows.c CONTENT "${row_lists}" @ONLY)

add_executable(dtensor_command ${command_sources} ${suites} ${bench_sources}
    ${PROJECT_BINARY_DIR}/command_rows.c)
set_target_properties(dtensor_command PROPERTIES OUTPUT_NAME dtensor)
target_include_directories(dtensor_command PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
target_link_libraries(dtensor_command PRIVATE dt_flags dtensor_static)
dt_keep_rpath(dtensor_command)

# What benchmarks compare with: programs of their own, in libexec/ beside bin/,
# for the peers that are installed.
add_custom_target(bench_peers)
if(DT_OPENMPI_FOUND)
    # The second times us as well, beside MPI.
    add_executable(openmpi_collectives
        ${PROJECT_SOURCE_DIR}/bench/peers/mpi_collectives.c)
    add_executable(openmpi_overhead
        ${PROJECT_SOURCE_DIR}/bench/peers/mpi_overhead.c
        ${PROJECT_SOURCE_DIR}/bench/support/calls.c)
    target_link_libraries(openmpi_overhead PRIVATE dtensor_shared)
    set(peers openmpi_collectives openmpi_overhead openmpi_redistribute)
    add_executable(openmpi_redistribute
        ${PROJECT_SOURCE_DIR}/bench/peers/mpi_redistribute.c)
    target_link_libraries(openmpi_redistribute PRIVATE m)
    find_library(DT_SCALAPACK NAMES scalapack-openmpi
        DOC "ScaLAPACK over Open MPI")
    mark_as_advanced(DT_SCALAPACK)
    if(DT_SCALAPACK)
        foreach(peer IN ITEMS scalapack_redistribute scalapack_matmul)
            list(APPEND peers ${peer})
            add_executable(${peer}
                ${PROJECT_SOURCE_DIR}/bench/peers/${peer}.c)
            target_link_libraries(${peer} PRIVATE ${DT_SCALAPACK} m)
        endforeach()
    endif()
    foreach(peer IN LISTS peers)
        target_sources(${peer} PRIVATE
            ${PROJECT_SOURCE_DIR}/bench/peers/mpi_calls.c
            ${PROJECT_SOURCE_DIR}/bench/support/timing.c)
        set_target_properties(${peer} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/dtensor)
        target_include_directories(${peer} PRIVATE ${PROJECT_SOURCE_DIR})
        target_include_directories(${peer} SYSTEM PRIVATE ${openmpi_incdirs})
        target_link_directories(${peer} PRIVATE ${openmpi_libdirs})
        target_link_libraries(${peer} PRIVATE dt_flags ${openmpi_libs})
        add_dependencies(bench_peers ${peer})
    endforeach()
endif()
