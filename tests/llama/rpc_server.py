"""Export this process's CPU as an RPC device of llama.cpp, to test offloading without a GPU."""

from __future__ import annotations

import ctypes

from fireside.runner.native import symbol


def serve() -> None:
    """Serve at a free port of loopback until the process is killed."""
    by_name = symbol("ggml_backend_reg_by_name", ctypes.c_void_p, [ctypes.c_char_p])
    procedure = symbol(
        "ggml_backend_reg_get_proc_address", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]
    )
    device_by_name = symbol("ggml_backend_dev_by_name", ctypes.c_void_p, [ctypes.c_char_p])
    address = procedure(by_name(b"RPC"), b"ggml_backend_rpc_start_server")
    start = ctypes.CFUNCTYPE(
        None,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_size_t,
        ctypes.POINTER(ctypes.c_void_p),
    )(address)
    devices = (ctypes.c_void_p * 1)(device_by_name(b"CPU"))
    start(b"127.0.0.1:0", None, 1, 1, devices)


if __name__ == "__main__":
    serve()
