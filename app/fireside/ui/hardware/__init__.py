"""The hardware page: devices, memory use, and builds of llama.cpp."""
