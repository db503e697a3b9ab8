# Compile only what the binding loads: libllama, libmtmd and ggml's libraries. CMake includes this after
# llama-cpp-python's project(), since its own options do not go so far.

# llama.cpp's common/, its parsers and an HTTP client, took half of the processor time. The binding sets this
# in the cache; a normal variable comes first (CMP0126).
set(LLAMA_BUILD_COMMON OFF)

# The models of libmtmd are many small files with the same headers. Joined, as libllama joins its own, they
# take a tenth of the time.
function(join_models)
  get_target_property(folder mtmd SOURCE_DIR)
  get_target_property(others mtmd SOURCES)
  list(FILTER others EXCLUDE REGEX "^models/")
  list(TRANSFORM others PREPEND "${folder}/")
  set_source_files_properties(${others} TARGET_DIRECTORY mtmd PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(mtmd PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
endfunction()
cmake_language(DEFER CALL join_models)

# Measured and left: precompiled headers for libllama, a tenth of the whole (some files set macros for the
# system's headers before they include them, which Windows needs), and -O2 for it, a twenty-fifth.
