# The library: every .c file of every room but the command's; see ops.cmake for
# those of src/ops.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c)
# It defines functions whose only declarations are inline definitions.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/inline.c PROPERTIES
    COMPILE_OPTIONS -Wno-missing-prototypes)
list(FILTER sources EXCLUDE REGEX "/src/(cli|ops)/")
include(cmake/levels.cmake)

# Debian has several builds of OpenBLAS, each in a folder below this one.
if(CMAKE_LIBRARY_ARCHITECTURE)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/kernel/gemm/blas_load.c
        APPEND PROPERTY COMPILE_DEFINITIONS
        DTI_LIBRARY_ARCHITECTURE="${CMAKE_LIBRARY_ARCHITECTURE}")
endif()

# Files named for an instruction set are built for it, and chosen at run time.
set(avx2_flags -mavx2 -mfma -mf16c)
set(avx512_flags -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mf16c
    -mprefer-vector-width=512)
# Where every row clears a few lanes, GCC does that with string instructions,
# which take longer than a short row, unless it is told of such a processor.
set(avx2_tuning -mtune=skylake)
set(avx512_tuning -mtune=skylake-avx512)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    foreach(source IN LISTS sources)
        if(source MATCHES "_(avx2|avx512)\\.c$")
            set(flags ${${CMAKE_MATCH_1}_flags})
            if(source MATCHES "/(along|norm)_(avx2|avx512)\\.c$")
                list(APPEND flags ${${CMAKE_MATCH_2}_tuning})
            endif()
            set_source_files_properties(${source} PROPERTIES
                COMPILE_OPTIONS "${flags}")
        endif()
    endforeach()
else()
    list(FILTER sources EXCLUDE REGEX "_(avx2|avx512)\\.c$")
endif()

# What a run with sanitizers cannot look at is built quickly: parsers are what
# is fuzzed, and a processor without AVX-512 never gets to loops that use it.
if(DT_FUZZ)
    set(unseen "/src/kernel/")
elseif(DT_SANITIZE AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo has_avx512 REGEX "avx512vl" LIMIT_COUNT 1)
    if(NOT has_avx512)
        set(unseen "_avx512\\.c$")
    endif()
endif()
if(unseen)
    set(quick ${sources})
    list(FILTER quick INCLUDE REGEX "${unseen}")
    set_property(SOURCE ${quick} APPEND PROPERTY
        COMPILE_OPTIONS -O0 -fno-sanitize=all)
endif()

# XXH3, the checksum of checkpoints, is compiled in from the header of libxxhash:
# programs link nothing for it.
find_path(DT_XXHASH_DIR xxhash.h DOC "The folder of xxhash.h (libxxhash-dev)")
mark_as_advanced(DT_XXHASH_DIR)
if(NOT DT_XXHASH_DIR)
    message(FATAL_ERROR "xxhash.h is missing: install libxxhash-dev (tools/setup build)")
endif()

add_library(dt_objects OBJECT ${sources})
target_include_directories(dt_objects
    PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(dt_objects SYSTEM PRIVATE ${DT_XXHASH_DIR})
target_link_libraries(dt_objects PRIVATE dt_flags Threads::Threads)

include(cmake/ops.cmake)

foreach(kind IN ITEMS static shared)
    string(TOUPPER ${kind} kind_upper)
    add_library(dtensor_${kind} ${kind_upper} $<TARGET_OBJECTS:dt_objects>
        $<TARGET_OBJECTS:dt_ops_objects>)
    add_library(dtensor::${kind} ALIAS dtensor_${kind})
    target_include_directories(dtensor_${kind} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(dtensor_${kind} PUBLIC
        Threads::Threads m ${CMAKE_DL_LIBS})
    set_target_properties(dtensor_${kind} PROPERTIES OUTPUT_NAME dtensor
        EXPORT_NAME ${kind})
    if(DT_SANITIZE)
        target_link_options(dtensor_${kind} PUBLIC -fsanitize=${DT_SANITIZE})
    endif()
endforeach()
target_link_libraries(dtensor_shared PRIVATE $<BUILD_INTERFACE:dt_flags>)
dt_keep_rpath(dtensor_shared)
# The one that BUILD_SHARED_LIBS asks for; shared if it is silent.
if(DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS)
    add_library(dtensor::dtensor ALIAS dtensor_static)
else()
    add_library(dtensor::dtensor ALIAS dtensor_shared)
endif()
# Before 1.0 the minor number is part of the name that programs load.
set_target_properties(dtensor_shared PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
