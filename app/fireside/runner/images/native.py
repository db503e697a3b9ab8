"""The binding of mtmd, llama.cpp's library for images. Imported only for a model that has a projector."""

from __future__ import annotations

from fireside.runner.native import lib

# After the line above, which lets it be imported without the package's code. ``MTMD_CPP_LIB`` names the
# folder of its library, which must be that of the llama.cpp that is used.
from llama_cpp import mtmd_cpp as mtmd  # isort: skip

__all__ = ["lib", "mtmd"]
