# For Windows, compiled on Linux by mingw-w64's GCC (Debian: g++-mingw-w64-x86-64-posix).
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

# What this version of mingw-w64 does not declare yet.
set(CMAKE_C_FLAGS_INIT "-include ${CMAKE_CURRENT_LIST_DIR}/mingw.h")

# The compiler's own libraries go into each library, and none hands them on: the next one would not link.
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-static -Wl,--exclude-libs,ALL")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-static -Wl,--exclude-libs,ALL")

# This assembler refuses the tiles of AMX, so this module is not asked for; see BROKEN_WITH_GCC in packing.py.
# CMake reads this file several times.
if(NOT COMMAND _add_dependencies)
  function(add_dependencies target)
    set(others ${ARGN})
    list(FILTER others EXCLUDE REGEX sapphirerapids)
    if(others)
      _add_dependencies(${target} ${others})
    endif()
  endfunction()
endif()
