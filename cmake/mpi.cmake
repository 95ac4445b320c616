# The plug-in that talks to MPI: built where Open MPI is installed.  Nothing else
# needs MPI; without it the build is smaller.
option(DT_MPI "Build the plug-in for Open MPI, where it is installed" ON)

# Where the library looks last: the installed plug-ins.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/comm/mpi/mpi.c APPEND PROPERTY
    COMPILE_DEFINITIONS DTI_PLUGIN_FOLDER="${CMAKE_INSTALL_FULL_LIBDIR}/dtensor")

find_program(DT_OPENMPI_CC NAMES mpicc.openmpi mpicc DOC "Open MPI's compiler")
mark_as_advanced(DT_OPENMPI_CC)
set(DT_OPENMPI_FOUND FALSE)
if(DT_MPI AND DT_OPENMPI_CC)
    # Only Open MPI's has this option.
    set(DT_OPENMPI_FOUND TRUE)
    foreach(what IN ITEMS incdirs libdirs libs)
        execute_process(COMMAND ${DT_OPENMPI_CC} --showme:${what}
            OUTPUT_VARIABLE openmpi_${what} OUTPUT_STRIP_TRAILING_WHITESPACE
            ERROR_QUIET RESULT_VARIABLE failed)
        separate_arguments(openmpi_${what})
        if(failed)
            set(DT_OPENMPI_FOUND FALSE)
        endif()
    endforeach()
endif()
if(NOT DT_OPENMPI_FOUND)
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
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/dtensor
    INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS dtensor_mpi_openmpi
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/dtensor)
