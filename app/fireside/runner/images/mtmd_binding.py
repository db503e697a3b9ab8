"""Binding of mtmd, llama.cpp's multimodal library. Imported only for a model with a projector."""

from __future__ import annotations

import os

from fireside.runner.native import LIBRARY_FOLDER, lib

# The mtmd of another llama.cpp would load that one as well, which shares nothing with ours.
os.environ.setdefault("MTMD_CPP_LIB", LIBRARY_FOLDER)

# After the lines above, which also let it be imported without the package's code.
from llama_cpp import mtmd_cpp as mtmd

__all__ = ["lib", "mtmd"]
