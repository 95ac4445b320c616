# Products of matrices by a BLAS library, where there is one.  Without it the
# library's own loops take its place, which are much slower.  Sets dt_blas to
# cblas or none, which names the file src/kernel/blas_*.c that is built.
option(DT_BLAS "Multiply matrices by a BLAS library, where there is one" ON)

set(dt_blas none)
set(pc_blas "")
if(DT_BLAS)
    include(${CMAKE_CURRENT_LIST_DIR}/dtensorBlas.cmake)
    # Debian has a header for each build of OpenBLAS, in folders of one name.
    get_filename_component(folder "${DT_CBLAS_LIBRARY}" DIRECTORY)
    get_filename_component(build "${folder}" NAME)
    find_path(DT_CBLAS_INCLUDE cblas.h PATH_SUFFIXES ${build} openblas
        DOC "Where cblas.h is")
    mark_as_advanced(DT_CBLAS_INCLUDE)
    if(DT_CBLAS_LIBRARY AND DT_CBLAS_INCLUDE)
        set(dt_blas cblas)
        get_filename_component(name "${DT_CBLAS_LIBRARY}" NAME_WE)
        string(REGEX REPLACE "^lib" "" name "${name}")
        set(pc_blas "-L${folder} -l${name} ")
    else()
        message(WARNING "No BLAS library: products of matrices will be many "
            "times slower.  On Debian, install libopenblas-pthread-dev; "
            "-DDT_BLAS=OFF builds without one and is silent.")
    endif()
endif()
