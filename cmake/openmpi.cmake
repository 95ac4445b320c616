# Open MPI, where it is installed: DT_OPENMPI_FOUND, and what its compiler adds in
# openmpi_incdirs, openmpi_libdirs and openmpi_libs.

# Forget what has been removed since.
foreach(program IN ITEMS DT_OPENMPI_CC DT_OPENMPI_RUN)
    if(${program} AND NOT EXISTS "${${program}}")
        unset(${program} CACHE)
    endif()
endforeach()

find_program(DT_OPENMPI_CC NAMES mpicc.openmpi mpicc DOC "Open MPI's compiler")
mark_as_advanced(DT_OPENMPI_CC)
set(DT_OPENMPI_FOUND FALSE)
if(DT_OPENMPI_CC)
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

# The next build configures again if Open MPI has been installed or removed since:
# when its compiler changes or, without one, a folder where it could be.
if(DT_OPENMPI_FOUND)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
        ${DT_OPENMPI_CC})
else()
    unset(DT_OPENMPI_CC CACHE)
    string(REPLACE ":" ";" folders "$ENV{PATH}")
    foreach(prefix IN LISTS CMAKE_SYSTEM_PREFIX_PATH)
        list(APPEND folders ${prefix}/bin)
    endforeach()
    # Ninja takes //bin and /bin for one file and refuses to have it twice.
    list(TRANSFORM folders REPLACE "//+" "/")
    list(TRANSFORM folders REPLACE "(.)/$" "\\1")
    list(REMOVE_DUPLICATES folders)
    foreach(folder IN LISTS folders)
        if(IS_ABSOLUTE "${folder}" AND IS_DIRECTORY "${folder}")
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                ${folder})
        endif()
    endforeach()
endif()
