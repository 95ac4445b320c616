# Tests are found by their files; see tests/README.md.
add_library(dt_check STATIC ${PROJECT_SOURCE_DIR}/tests/support/check.c)
target_include_directories(dt_check PUBLIC
    ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(dt_check PUBLIC dtensor_static PRIVATE dt_flags)

# tests/unit/<room>/<name>.c and tests/ranks/<name>.c: a program each.
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/tests/unit/*.c ${PROJECT_SOURCE_DIR}/tests/ranks/*.c)
foreach(source IN LISTS test_sources)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/tests ${source})
    string(REGEX REPLACE "\\.c$" "" name ${name})
    string(REPLACE "/" "_" target test_${name})
    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE dt_check dt_flags)
    if(name MATCHES "^ranks/")
        # The first line of a rank test says on how many ranks it runs.
        file(STRINGS ${source} first LIMIT_COUNT 1)
        string(REGEX MATCHALL "[0-9]+" counts "${first}")
        foreach(count IN LISTS counts)
            add_test(NAME ${name}/threads/${count}
                COMMAND ${target} --ranks ${count})
            set_tests_properties(${name}/threads/${count} PROPERTIES
                LABELS ranks TIMEOUT 300)
        endforeach()
    else()
        add_test(NAME ${name} COMMAND ${target})
        set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 300)
    endif()
endforeach()
