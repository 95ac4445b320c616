# The command `dtensor`: one file per subcommand, and the benchmarks it runs.
file(GLOB subcommands CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.c)
file(GLOB benchmarks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
if(subcommands)
    add_executable(dtensor_command ${subcommands} ${benchmarks})
    set_target_properties(dtensor_command PROPERTIES OUTPUT_NAME dtensor)
    target_include_directories(dtensor_command PRIVATE
        ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
    target_link_libraries(dtensor_command PRIVATE dt_flags dtensor_static)
endif()
