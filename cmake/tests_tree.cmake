# Tests of the tree itself: headers, style, documentation, what is installed.

# Every public header alone in C11 and C++11, every private one in C11; and
# every public macro used in both.
file(GLOB_RECURSE public_headers CONFIGURE_DEPENDS RELATIVE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/dtensor/*.h)
file(GLOB_RECURSE private_headers CONFIGURE_DEPENDS RELATIVE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/*.h)
list(REMOVE_ITEM public_headers dtensor/mpi.h) # see mpi.cmake
list(FILTER private_headers EXCLUDE REGEX "_tmpl\\.h$")
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(FILTER private_headers EXCLUDE REGEX "_(avx2|avx512)\\.h$")
endif()
foreach(header IN LISTS public_headers private_headers)
    string(MAKE_C_IDENTIFIER ${header} header_name)
    set(alone ${PROJECT_BINARY_DIR}/headers/${header_name})
    set(text "#include \"${header}\"\n#include \"${header}\"\n")
    set(text "${text}extern int dt_headers_${header_name}_;\n")
    file(CONFIGURE OUTPUT ${alone}.c CONTENT "${text}")
    list(APPEND alone_c ${alone}.c)
    if(header MATCHES "_(avx2|avx512)\\.h$")
        set_source_files_properties(${alone}.c PROPERTIES
            COMPILE_OPTIONS "${${CMAKE_MATCH_1}_flags}")
    endif()
    if(header IN_LIST public_headers)
        file(CONFIGURE OUTPUT ${alone}.cpp CONTENT "${text}")
        list(APPEND alone_cxx ${alone}.cpp)
    endif()
endforeach()
# The options of operators are macros too.
set(op_options ${PROJECT_BINARY_DIR}/headers/op_options.cpp)
file(CONFIGURE OUTPUT ${op_options} CONTENT "#include \"${written_options}\"\n")
list(APPEND alone_c ${written_options})
list(APPEND alone_cxx ${op_options})
add_executable(test_headers_c ${tests}/headers/macros.c ${alone_c})
add_executable(test_headers_cxx ${tests}/headers/macros.cpp ${alone_cxx})
target_include_directories(test_headers_c PRIVATE ${PROJECT_SOURCE_DIR}/src)
foreach(language IN ITEMS c cxx)
    add_dependencies(test_headers_${language} dt_written)
    target_link_libraries(test_headers_${language} PRIVATE dtensor_static dt_flags)
    add_test(NAME headers/${language} COMMAND test_headers_${language})
    set_tests_properties(headers/${language} PROPERTIES LABELS unit TIMEOUT ${program_limit})
endforeach()

# Checks of the sources: each gets the root of the tree.
find_package(Python3 COMPONENTS Interpreter)
function(dt_add_tree_test name)
    add_test(NAME tree/${name} COMMAND ${ARGN}
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(tree/${name} PROPERTIES
        LABELS tree TIMEOUT ${program_limit} SKIP_RETURN_CODE 77)
endfunction()
if(Python3_FOUND)
    foreach(check IN ITEMS layers files paths documentation statuses macros words
            covers behaviours functions older)
        dt_add_tree_test(${check} ${Python3_EXECUTABLE} -B
            ${tests}/tree/${check}.py ${PROJECT_SOURCE_DIR})
    endforeach()
    dt_add_tree_test(ops_json ${Python3_EXECUTABLE} -B ${tests}/tree/ops_json.py
        ${PROJECT_SOURCE_DIR} ${written_dir}/ops.json)
    dt_add_tree_test(broken ${Python3_EXECUTABLE} -B ${tests}/tree/broken.py
        ${PROJECT_SOURCE_DIR})
    dt_add_tree_test(clang ${Python3_EXECUTABLE} -B ${tests}/tree/clang.py
        ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/compile_commands.json)
    set_tests_properties(tree/clang PROPERTIES PROCESSORS 2 COST 950)
endif()
dt_add_tree_test(ops sh ${tests}/tree/ops.sh ${write_ops} ${rows_dir}
    ${PROJECT_SOURCE_DIR})
dt_add_tree_test(ops_rows sh ${tests}/tree/ops_rows.sh ${write_ops}
    ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER})
dt_add_tree_test(dropped sh ${tests}/tree/dropped.sh ${PROJECT_SOURCE_DIR}
    ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER})
dt_add_tree_test(format sh ${tests}/tree/format.sh ${PROJECT_SOURCE_DIR})
dt_add_tree_test(scripts sh ${tests}/tree/scripts.sh ${PROJECT_SOURCE_DIR})

# Checks of what is built.
dt_add_tree_test(elf sh ${tests}/tree/elf.sh
    ${PROJECT_BINARY_DIR}/bin ${PROJECT_BINARY_DIR}/lib)
add_executable(test_security_program ${tests}/security/program.c)
target_link_libraries(test_security_program PRIVATE dtensor_static dt_flags)
add_library(test_security_planted MODULE ${tests}/security/planted.c)
target_link_libraries(test_security_planted PRIVATE dt_flags)
add_test(NAME security COMMAND sh ${tests}/security/run.sh
    $<TARGET_FILE:test_security_program> $<TARGET_FILE:test_security_planted>)
set_tests_properties(security PROPERTIES LABELS cli TIMEOUT ${program_limit})
dt_add_tree_test(symbols sh ${tests}/tree/symbols.sh
    $<TARGET_FILE:dtensor_shared> ${tests}/tree/symbols.txt
    ${PROJECT_SOURCE_DIR}/include)
dt_add_tree_test(readme sh ${tests}/tree/readme.sh
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER}
    "${DT_SANITIZE}")
if(NOT DT_SANITIZE MATCHES "thread") # which cannot be mixed with another
    dt_add_tree_test(poison sh ${tests}/tree/poison.sh
        ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
endif()
dt_add_tree_test(install sh ${tests}/install/run.sh
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
    ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER})
set_tests_properties(tree/install PROPERTIES PROCESSORS 2)
dt_add_tree_test(linker sh ${tests}/install/linker.sh ${PROJECT_SOURCE_DIR})
