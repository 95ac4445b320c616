# What `cmake --install` puts where: headers, the description of operators, both
# libraries, the command, its manual page, and how CMake and pkg-config find them.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dtensor)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/dtensor
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${written_dir}/ops.json
    DESTINATION ${CMAKE_INSTALL_DATADIR}/dtensor)
install(TARGETS dtensor_static dtensor_shared EXPORT dtensor)
if(TARGET dtensor_command)
    install(TARGETS dtensor_command)
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/docs/dtensor.1)
    install(FILES ${PROJECT_SOURCE_DIR}/docs/dtensor.1
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# find_package(dtensor): dtensor::shared, dtensor::static, and dtensor::dtensor,
# which is the one that BUILD_SHARED_LIBS asks for, shared if it is silent.
install(EXPORT dtensor NAMESPACE dtensor:: FILE dtensorTargets.cmake
    DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/dtensorConfig.cmake.in
    ${PROJECT_BINARY_DIR}/dtensorConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 another minor number is another library.
write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/dtensorConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dtensorConfig.cmake
    ${PROJECT_BINARY_DIR}/dtensorConfigVersion.cmake DESTINATION ${package_dir})

# pkg-config: paths relative to the file, so that a tree can be moved.
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR absolute)
if(absolute)
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
    set(pc_libdir ${CMAKE_INSTALL_LIBDIR})
else()
    file(RELATIVE_PATH up /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
    string(REGEX REPLACE "/$" "" up ${up})
    set(pc_prefix "\${pcfiledir}/${up}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_INCLUDEDIR absolute)
if(absolute)
    set(pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})
else()
    set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/dtensor.pc.in
    ${PROJECT_BINARY_DIR}/dtensor.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/dtensor.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
