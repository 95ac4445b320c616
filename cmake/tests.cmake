# Tests are found by their files; see tests/README.md.
enable_language(CXX)
set(CMAKE_CXX_STANDARD 11)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(tests ${PROJECT_SOURCE_DIR}/tests)

# Seconds that a program may take, and one test in it (DT_TEST_ALARM).
set(program_limit 1200)
set(alarm DT_TEST_ALARM=300)
if(DT_SANITIZE)
    set(program_limit 3600)
    set(alarm DT_TEST_ALARM=900)
endif()

# What tests and their programs do takes no time; compiling them does.
if(DT_SANITIZE)
    add_compile_options(-O0)
else()
    add_compile_options(-O1)
endif()

add_library(dt_check STATIC ${tests}/support/check.c ${tests}/support/elements.c
    ${tests}/support/fault.c ${tests}/support/folders.c ${tests}/support/layouts.c
    ${tests}/support/tensors.c ${tests}/support/world_process.c
    ${tests}/support/zip.c)
target_include_directories(dt_check PUBLIC ${tests} ${PROJECT_SOURCE_DIR}/src
    ${written_dir})
target_link_libraries(dt_check PUBLIC dtensor_static PRIVATE dt_flags)

# Small transformers, for tests of ranks and for a comparison with PyTorch.
file(GLOB model_sources CONFIGURE_DEPENDS ${tests}/models/*.c)
add_library(dt_models STATIC ${model_sources})
target_include_directories(dt_models PUBLIC ${tests})
target_link_libraries(dt_models PUBLIC dtensor_static PRIVATE dt_flags)

# The name of a test is its path below tests/ without the ending; that of its
# program has underscores.
function(dt_test_names source name_out target_out)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "^tests/|\\.[a-z]+$" "" name ${name})
    string(REPLACE "/" "_" target test_${name})
    set(${name_out} ${name} PARENT_SCOPE)
    set(${target_out} ${target} PARENT_SCOPE)
endfunction()

# The numbers of ranks that the first line of a source names, as in
# `/* ranks: 1 2 3 4 */`; empty if it names none.
function(dt_read_ranks source counts_out)
    file(STRINGS ${source} first LIMIT_COUNT 1)
    set(counts "")
    if(first MATCHES "^/\\* ranks:([ 0-9]+)")
        string(REGEX MATCHALL "[0-9]+" counts "${CMAKE_MATCH_1}")
    endif()
    set(${counts_out} ${counts} PARENT_SCOPE)
endfunction()

# Run a program on each number of thread ranks that its source names; once,
# without an argument, if it names none.
function(dt_add_thread_tests name target source label)
    dt_read_ranks(${source} counts)
    if(NOT counts)
        add_test(NAME ${name} COMMAND ${target})
        set_tests_properties(${name} PROPERTIES LABELS ${label}
            TIMEOUT ${program_limit} ENVIRONMENT ${alarm})
    endif()
    foreach(count IN LISTS counts)
        set(test ${name}/threads/${count})
        add_test(NAME ${test} COMMAND ${target} --ranks ${count})
        set_tests_properties(${test} PROPERTIES
            LABELS ${label} TIMEOUT ${program_limit} ENVIRONMENT ${alarm}
            PROCESSORS ${count})
    endforeach()
endfunction()

# Run a test program as the processes of one world:
#
#   dt_add_launched_test(NAME TARGET COUNT LABEL label LAUNCHER word...
#       [ENVIRONMENT NAME=value...])
#
# The words of the launcher are followed by the number of ranks and the program.
function(dt_add_launched_test name target count)
    cmake_parse_arguments(PARSE_ARGV 3 the "" LABEL "LAUNCHER;ENVIRONMENT")
    add_test(NAME ${name} COMMAND ${the_LAUNCHER} ${count}
        $<TARGET_FILE:${target}> --process)
    set_tests_properties(${name} PROPERTIES
        LABELS ${the_LABEL} TIMEOUT ${program_limit} PROCESSORS ${count}
        ENVIRONMENT "${alarm};${the_ENVIRONMENT}")
endfunction()

# Run all rank tests on a transport whose ranks are processes, on these numbers
# of ranks; on those that the tests name, without RANKS:
#
#   dt_add_launched_tests(TRANSPORT [RANKS number...] LABEL label
#       LAUNCHER word... [ENVIRONMENT NAME=value...]
#       [FULL pattern OFTEN pattern])
#
# Tests whose name matches FULL and not OFTEN are labelled `full` as well: `make
# test` leaves them out.
function(dt_add_launched_tests transport)
    cmake_parse_arguments(PARSE_ARGV 1 all "" "LABEL;FULL;OFTEN"
        "RANKS;LAUNCHER;ENVIRONMENT")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${tests}/ranks/*.c)
    foreach(source IN LISTS sources)
        dt_test_names(${source} name target)
        set(counts ${all_RANKS})
        if(NOT counts)
            dt_read_ranks(${source} counts)
        endif()
        foreach(count IN LISTS counts)
            set(test ${name}/${transport}/${count})
            dt_add_launched_test(${test} ${target} ${count}
                LABEL ${all_LABEL} LAUNCHER ${all_LAUNCHER}
                ENVIRONMENT ${all_ENVIRONMENT})
            if(all_FULL AND test MATCHES "${all_FULL}"
                    AND NOT test MATCHES "${all_OFTEN}")
                set_tests_properties(${test} PROPERTIES
                    LABELS "${all_LABEL};full")
            endif()
        endforeach()
    endforeach()
endfunction()

# tests/harness: the harness itself.
add_executable(test_harness
    ${tests}/harness/failing.c ${tests}/support/world_bare.c)
add_executable(test_harness_ranks
    ${tests}/harness/failing_ranks.c ${tests}/support/world_run.c)
target_link_libraries(test_harness PRIVATE dt_check dt_flags)
target_link_libraries(test_harness_ranks PRIVATE dt_check dt_flags)
add_test(NAME harness COMMAND sh ${tests}/harness/run.sh
    $<TARGET_FILE:test_harness> $<TARGET_FILE:test_harness_ranks>
    $<IF:$<CONFIG:Debug>,1,0>)
set_tests_properties(harness PROPERTIES LABELS unit TIMEOUT ${program_limit})

# Below tests/unit and tests/ranks: a program for each file.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${tests}/unit/*.c ${tests}/ranks/*.c)
if(DT_SANITIZE MATCHES thread)
    # Only where threads meet is there something for it to find.
    list(FILTER sources INCLUDE REGEX "/(ranks|unit/(base|comm|mesh|trace|work))/")
endif()
# Tests that read files of tests/golden/graph.
file(GLOB golden ${tests}/fault/graph.c ${tests}/ranks/graph*.c ${tests}/unit/graph/*.c
    ${tests}/unit/ops/older.c)
set_source_files_properties(${golden} PROPERTIES
    COMPILE_DEFINITIONS GOLDEN="${tests}/golden/graph")
foreach(source IN LISTS sources)
    dt_test_names(${source} name target)
    # Rooms below comm are tested in a world that has nothing but base in it.
    if(name MATCHES "^ranks/")
        set(label ranks)
        set(world world_run)
    elseif(name MATCHES "^unit/(base|array|kernel|trace)/")
        set(label unit)
        set(world world_bare)
    else()
        set(label unit)
        set(world world_open)
    endif()
    add_executable(${target} ${source} ${tests}/support/${world}.c)
    target_link_libraries(${target} PRIVATE dt_check dt_flags)
    if(name MATCHES "^ranks/model_")
        target_link_libraries(${target} PRIVATE dt_models)
    endif()
    dt_add_thread_tests(${name} ${target} ${source} ${label})
endforeach()

# Rank tests on transports whose ranks are processes, of which the thread
# sanitizer knows nothing.  See mpi.cmake for those on mpi.  Operators see nothing
# of a transport, so that two numbers of ranks are enough for them here.
if(NOT DT_SANITIZE MATCHES thread)
    dt_add_launched_tests(shm LABEL ranks LAUNCHER dtensor_command run -n
        FULL "^ranks/ops/" OFTEN "/[34]$")
endif()

# tests/process/<name>.c: runs of `dtensor run` that go wrong; rank.c is what is
# run.  DT_TEST_FULL in the environment makes them long.
if(NOT DT_SANITIZE MATCHES thread)
    add_library(dt_launched STATIC ${tests}/support/launched.c)
    target_link_libraries(dt_launched PUBLIC dt_check PRIVATE dt_flags)
    add_executable(test_process_rank ${tests}/process/rank.c)
    target_link_libraries(test_process_rank PRIVATE dtensor_static dt_flags)
    file(GLOB sources CONFIGURE_DEPENDS ${tests}/process/*.c)
    list(FILTER sources EXCLUDE REGEX "/rank\\.c$")
    foreach(source IN LISTS sources)
        dt_test_names(${source} name target)
        add_executable(${target} ${source} ${tests}/support/world_open.c)
        target_link_libraries(${target} PRIVATE dt_launched dt_flags)
        add_dependencies(${target}
            test_process_rank test_harness_ranks dtensor_command)
        add_test(NAME ${name} COMMAND ${target})
        # They wait more than they work.
        set_tests_properties(${name} PROPERTIES LABELS fault TIMEOUT 3600
            PROCESSORS 1 COST 950 ENVIRONMENT DT_TEST_ALARM=1800)
    endforeach()
endif()

# tests/fault/<name>.c: memory runs out at the Nth request.
file(GLOB sources CONFIGURE_DEPENDS ${tests}/fault/*.c)
if(DT_SANITIZE MATCHES thread)
    set(sources "")
endif()
foreach(source IN LISTS sources)
    dt_test_names(${source} name target)
    add_executable(${target} ${source} ${tests}/support/world_run.c)
    target_link_libraries(${target} PRIVATE dt_check dt_flags)
    foreach(function IN ITEMS malloc calloc realloc mmap posix_memalign
            aligned_alloc)
        target_link_options(${target} PRIVATE -Wl,--wrap=${function})
    endforeach()
    dt_add_thread_tests(${name} ${target} ${source} fault)
endforeach()

# tests/crash: what changes files is the last thing that a process does, or fails.
if(NOT DT_SANITIZE MATCHES thread)
    file(GLOB sources CONFIGURE_DEPENDS ${tests}/crash/*.c)
    add_executable(test_crash_checkpoint ${sources}
        ${tests}/support/world_open.c)
    target_link_libraries(test_crash_checkpoint PRIVATE dt_check dt_flags)
    foreach(function IN ITEMS write pwrite fsync fdatasync rename renameat
            renameat2 mkdir mkdirat unlink unlinkat ftruncate fallocate open
            openat)
        target_link_options(test_crash_checkpoint PRIVATE
            -Wl,--wrap=${function})
    endforeach()
    add_test(NAME crash/checkpoint COMMAND test_crash_checkpoint)
    set_tests_properties(crash/checkpoint PROPERTIES LABELS fault TIMEOUT 3600
        PROCESSORS 2 ENVIRONMENT DT_TEST_ALARM=1800)
endif()

# tests/conformance: every operator in many layouts, against one rank; and the
# same with operators that are wrong, which must be found.
# Not for sanitizers, which the tests of each family are for.
if(NOT DT_SANITIZE)
    add_executable(test_conformance ${tests}/conformance/main.c)
    target_include_directories(test_conformance PRIVATE
        ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(test_conformance PRIVATE dtensor_static dt_flags)
    # The more ranks a mesh has, the longer it takes.  The longest of all tests
    # begin first, so that others run beside them until the end: COST.
    set(cost 1000)
    foreach(mesh 2x2x2 2x3 2x2 4 3 2)
        add_test(NAME conformance/${mesh} COMMAND test_conformance --mesh ${mesh}
            ${tests}/conformance/explained.txt)
        set_tests_properties(conformance/${mesh} PROPERTIES LABELS conformance
            TIMEOUT 3600 PROCESSORS 2 COST ${cost})
        math(EXPR cost "${cost} - 100")
    endforeach()
    add_test(NAME conformance/gradients COMMAND test_conformance --gradients
        ${tests}/conformance/gradients.txt)
    set_tests_properties(conformance/gradients PROPERTIES LABELS conformance
        TIMEOUT 3600)
    add_executable(test_conformance_mutation
        ${tests}/conformance/mutation.c ${tests}/conformance/mutants.c
        ${tests}/support/world_run.c)
    target_link_libraries(test_conformance_mutation PRIVATE
        dt_check dt_flags)
    dt_add_thread_tests(conformance/mutation test_conformance_mutation
        ${tests}/conformance/mutation.c conformance)
    add_executable(test_conformance_gradient_mutation
        ${tests}/conformance/gradient_mutation.c ${tests}/support/world_run.c)
    target_link_libraries(test_conformance_gradient_mutation PRIVATE
        dt_check dt_flags)
    dt_add_thread_tests(conformance/gradient_mutation
        test_conformance_gradient_mutation
        ${tests}/conformance/gradient_mutation.c conformance)
    add_executable(test_conformance_diverge
        ${tests}/conformance/diverge.c ${tests}/support/world_run.c)
    target_link_libraries(test_conformance_diverge PRIVATE
        dt_check dt_flags)
    dt_add_thread_tests(conformance/diverge test_conformance_diverge
        ${tests}/conformance/diverge.c conformance)
    foreach(count 2 3)
        dt_add_launched_test(conformance/diverge/shm/${count}
            test_conformance_diverge ${count} LABEL conformance
            LAUNCHER dtensor_command run -n)
    endforeach()
endif()

# fuzz/<name>.c: with any compiler, the corpus is replayed; with clang and
# -DDT_FUZZ=ON it is a libFuzzer program.
option(DT_FUZZ "Build libFuzzer programs (clang)" OFF)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/*.c)
list(FILTER sources EXCLUDE REGEX "/driver\\.c$")
if(DT_SANITIZE MATCHES thread)
    set(sources "")
endif()
foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(fuzz_${name} ${source})
    target_link_libraries(fuzz_${name} PRIVATE dtensor_static dt_flags)
    target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    if(name STREQUAL aten)
        target_sources(fuzz_${name} PRIVATE
            ${PROJECT_SOURCE_DIR}/src/cli/ops/name.c)
    endif()
    if(DT_FUZZ)
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
        continue()
    endif()
    target_sources(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/fuzz/driver.c)
    add_test(NAME fuzz/${name}
        COMMAND fuzz_${name} ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name})
    set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz
        TIMEOUT ${program_limit})
endforeach()

# tests/cli/<name>.sh: is given the command's path.  <name>.c: a program that
# scripts run, beside the command.
file(GLOB sources CONFIGURE_DEPENDS ${tests}/cli/*.c)
foreach(source IN LISTS sources)
    dt_test_names(${source} name target)
    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE dtensor_static dt_flags)
endforeach()
file(GLOB sources CONFIGURE_DEPENDS ${tests}/cli/*.sh)
list(FILTER sources EXCLUDE REGEX "/support\\.sh$")
foreach(source IN LISTS sources)
    if(TARGET dtensor_command)
        dt_test_names(${source} name target)
        add_test(NAME ${name} COMMAND sh ${source}
            $<TARGET_FILE:dtensor_command> WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
        set_tests_properties(${name} PROPERTIES LABELS cli TIMEOUT ${program_limit})
    endif()
endforeach()

# tests/embed/<name>.cpp: programs in C++ that hold the library, as a server does.
file(GLOB sources CONFIGURE_DEPENDS ${tests}/embed/*.cpp)
foreach(source IN LISTS sources)
    dt_test_names(${source} name target)
    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE dtensor_shared dt_flags)
    add_test(NAME ${name} COMMAND ${target})
    set_tests_properties(${name} PROPERTIES LABELS embed
        TIMEOUT ${program_limit} PROCESSORS 4)
endforeach()

# examples/<name>.c: compiled, and run on four ranks, threads and processes.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.c)
foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE dtensor_shared dt_flags)
    add_test(NAME examples/${name} COMMAND example_${name})
    set_tests_properties(examples/${name} PROPERTIES
        LABELS examples TIMEOUT ${program_limit} PROCESSORS 4 ENVIRONMENT DT_RANKS=4)
    if(NOT DT_SANITIZE MATCHES thread)
        add_test(NAME examples/${name}/shm COMMAND dtensor_command run -n 4 --
            $<TARGET_FILE:example_${name}>)
        set_tests_properties(examples/${name}/shm PROPERTIES
            LABELS examples TIMEOUT ${program_limit} PROCESSORS 4)
    endif()
endforeach()

# examples/demo: several files; tests/cli/demo.sh runs it.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/demo/*.c)
add_executable(example_demo ${sources})
target_link_libraries(example_demo PRIVATE dtensor_shared dt_flags m)

# tests/peers/<name>.c: what the script <name>.py compares; see tools/test-peers.
file(GLOB sources CONFIGURE_DEPENDS ${tests}/peers/*.c)
if(DT_SANITIZE)
    set(sources "")
endif()
foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(peer_${name} ${source})
    target_link_libraries(peer_${name} PRIVATE dtensor_static dt_flags)
    if(name MATCHES "^models$|^gradients_layouts$")
        target_link_libraries(peer_${name} PRIVATE dt_models)
    endif()
endforeach()

if(NOT DT_SANITIZE)
    include(cmake/tests_tree.cmake)
endif()

# The plug-in is no test.
set_property(DIRECTORY PROPERTY COMPILE_OPTIONS "")
