# The command `dtensor`: one file per subcommand, and the benchmarks it runs.
file(GLOB command_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/src/cli/*.c ${PROJECT_SOURCE_DIR}/bench/*.c)
if(command_sources)
    add_executable(dtensor_command ${command_sources})
    set_target_properties(dtensor_command PROPERTIES OUTPUT_NAME dtensor)
    target_include_directories(dtensor_command PRIVATE
        ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
    target_link_libraries(dtensor_command PRIVATE dt_flags dtensor_static)
endif()
