# Find the BLAS library that products of matrices take: any with CBLAS's
# interface.  Used by the build, and by programs that find what it installed,
# which link the static library with it.  Makes the target dtensor_blas if there
# is one.
#
# Of OpenBLAS the build with threads, which the library holds to one: the serial
# one may not be called by several threads at a time, so that ranks that are
# threads wait for one another; that with OpenMP may hang after fork().
find_library(DT_CBLAS_LIBRARY NAMES openblas
    PATH_SUFFIXES openblas-pthread openblas-serial
    DOC "A library with CBLAS's interface")
find_library(DT_CBLAS_LIBRARY NAMES cblas blis mkl_rt)
mark_as_advanced(DT_CBLAS_LIBRARY)
if(DT_CBLAS_LIBRARY AND NOT TARGET dtensor_blas)
    add_library(dtensor_blas INTERFACE IMPORTED)
    target_link_libraries(dtensor_blas INTERFACE ${DT_CBLAS_LIBRARY})
endif()
