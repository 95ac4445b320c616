# The plug-in that talks to MPI: built where Open MPI is installed.  Nothing else
# needs MPI; without it the build is smaller.
option(DT_MPI "Build the plug-in for Open MPI, where it is installed" ON)

# Where the library looks last: the installed plug-ins.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/comm/mpi/mpi.c APPEND PROPERTY
    COMPILE_DEFINITIONS DTI_PLUGIN_FOLDER="${CMAKE_INSTALL_FULL_LIBDIR}/dtensor")

if(NOT DT_MPI OR NOT DT_OPENMPI_FOUND)
    message(STATUS "Open MPI is not used: no plug-in for mpirun")
    return()
endif()

# What includes MPI's header and links MPI.
add_library(dt_openmpi INTERFACE)
target_include_directories(dt_openmpi SYSTEM INTERFACE ${openmpi_incdirs})
target_link_directories(dt_openmpi INTERFACE ${openmpi_libdirs})
target_link_libraries(dt_openmpi INTERFACE ${openmpi_libs})

# It is loaded into programs that have the library already, so it links nothing
# of it and shows one function.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/plugins/mpi/*.c)
add_library(dtensor_mpi_openmpi MODULE ${sources})
target_include_directories(dtensor_mpi_openmpi PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/plugins)
target_link_libraries(dtensor_mpi_openmpi PRIVATE dt_flags dt_openmpi)
set_target_properties(dtensor_mpi_openmpi PROPERTIES
    OUTPUT_NAME dtensor-mpi-openmpi
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/dtensor)
dt_keep_rpath(dtensor_mpi_openmpi)
install(TARGETS dtensor_mpi_openmpi
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/dtensor)

if(NOT DT_TESTS)
    return()
endif()

# dtensor/mpi.h alone, in C and C++.
foreach(ending IN ITEMS c cpp)
    set(alone ${PROJECT_BINARY_DIR}/headers/dtensor_mpi_h.${ending})
    file(CONFIGURE OUTPUT ${alone} CONTENT "#include \"dtensor/mpi.h\"
#include \"dtensor/mpi.h\"
extern int dt_headers_dtensor_mpi_h_;
")
    list(APPEND mpi_alone ${alone})
endforeach()
add_library(test_headers_mpi OBJECT ${mpi_alone})
target_include_directories(test_headers_mpi PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(test_headers_mpi PRIVATE dt_flags dt_openmpi)

# tests/mpi/split.c: arithmetic, one rank, no MPI.
add_executable(test_mpi_split
    ${tests}/mpi/split.c ${tests}/support/world_bare.c)
target_include_directories(test_mpi_split PRIVATE ${PROJECT_SOURCE_DIR}/plugins)
target_link_libraries(test_mpi_split PRIVATE dt_check dt_flags)
add_test(NAME mpi/split COMMAND test_mpi_split)
set_tests_properties(mpi/split PROPERTIES LABELS unit TIMEOUT ${program_limit})

add_executable(test_mpi_order
    ${tests}/mpi/order.c ${tests}/support/world_open.c)
target_link_libraries(test_mpi_order PRIVATE dt_check dt_flags)
add_executable(test_mpi_check
    ${tests}/mpi/check.c ${tests}/support/world_open.c)
target_link_libraries(test_mpi_check PRIVATE dt_check dt_flags)
add_executable(test_mpi_stray ${tests}/mpi/stray.c)
target_link_libraries(test_mpi_stray PRIVATE dtensor_static dt_flags)
add_executable(test_mpi_program ${tests}/mpi/program.c)
target_link_libraries(test_mpi_program PRIVATE dtensor_static dt_flags)
add_executable(test_mpi_own ${tests}/mpi/own.c)
target_link_libraries(test_mpi_own PRIVATE dtensor_shared dt_flags dt_openmpi)

# The launcher beside the compiler, by the same name.
string(REGEX REPLACE "mpicc" "mpirun" mpirun_name ${DT_OPENMPI_CC})
find_program(DT_OPENMPI_RUN NAMES ${mpirun_name} mpirun.openmpi mpirun
    DOC "Open MPI's launcher")
mark_as_advanced(DT_OPENMPI_RUN)
# The sanitizers report what Open MPI does itself.
if(NOT DT_OPENMPI_RUN OR DT_SANITIZE)
    return()
endif()

# Ranks outnumber cores: let them yield.  Containers often forbid that processes
# read each other's memory.
set(mpi_environment OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_btl_vader_single_copy_mechanism=none
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)

# Arguments of dt_add_launched_test; more of the environment may follow.  Told
# what it ends up with on one machine, Open MPI begins in half of the time; mpi/run
# lets it choose.
set(mpi_launched LABEL mpi
    LAUNCHER timeout -k 5 1100 ${DT_OPENMPI_RUN} --oversubscribe -n
    ENVIRONMENT ${mpi_environment}
    OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader)

# Every rank test, with reductions in the order that they expect.  It takes MPI
# longer to begin than a test to run: what is no test of communication runs on
# three ranks, and of operators the random programs alone.
dt_add_launched_tests(mpi RANKS 1 2 3 4 ${mpi_launched} DT_MPI_ORDER=ranks
    FULL "^ranks/ops/|/[124]$" OFTEN "/comm_|/ops/(chain|program)/mpi/3$")

# The order that MPI takes by itself.
foreach(count IN ITEMS 1 2 3 4)
    dt_add_launched_test(mpi/order/${count} test_mpi_order ${count}
        ${mpi_launched})
endforeach()

# Calls that are split, as if an int ended at 100.
foreach(name IN ITEMS comm_move comm_reduce)
    dt_add_launched_test(mpi/limit/${name} test_ranks_${name} 3
        ${mpi_launched} DT_MPI_LIMIT=100 DT_MPI_ORDER=ranks)
endforeach()
dt_add_launched_test(mpi/limit/order test_mpi_order 3
    ${mpi_launched} DT_MPI_LIMIT=100)

# Ranks that stray with their calls compared, and what is right with them.
foreach(count IN ITEMS 2 3)
    dt_add_launched_test(mpi/check/${count} test_mpi_check ${count}
        ${mpi_launched} DT_CHECK=on)
    dt_add_launched_test(mpi/check/operators/${count} test_conformance_diverge
        ${count} ${mpi_launched} DT_CHECK=on)
endforeach()
foreach(name IN ITEMS comm_async comm_groups comm_move comm_recover diverge)
    dt_add_launched_test(mpi/check/${name} test_ranks_${name} 3
        ${mpi_launched} DT_CHECK=on)
endforeach()
set_tests_properties(mpi/check/comm_move PROPERTIES LABELS "mpi;full")

# Ranks that wait in vain end the job.
add_test(NAME mpi/stray COMMAND sh ${tests}/mpi/stray.sh ${DT_OPENMPI_RUN}
    $<TARGET_FILE:test_mpi_stray>)
set_tests_properties(mpi/stray PROPERTIES LABELS mpi TIMEOUT 3600 COST 940
    ENVIRONMENT "${mpi_environment};OMPI_MCA_pml=ob1;OMPI_MCA_btl=self,vader")

add_test(NAME mpi/configure COMMAND sh ${tests}/mpi/configure.sh
    ${PROJECT_SOURCE_DIR} ${DT_OPENMPI_CC} ${DT_XXHASH_DIR})
set_tests_properties(mpi/configure PROPERTIES LABELS mpi TIMEOUT 600)

add_test(NAME mpi/run COMMAND sh ${tests}/mpi/run.sh ${DT_OPENMPI_RUN}
    $<TARGET_FILE:test_mpi_program> $<TARGET_FILE:test_mpi_own>)
set_tests_properties(mpi/run PROPERTIES LABELS mpi TIMEOUT 3600 PROCESSORS 3
    ENVIRONMENT "${mpi_environment}")
