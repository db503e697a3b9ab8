"""The binding of mtmd, llama.cpp's library for images. Imported only for a model that has a projector."""

from __future__ import annotations

import os

from fireside.runner.native import LIBRARY_FOLDER, lib

# The mtmd of another llama.cpp would bring that one along, and it would share nothing with ours.
os.environ.setdefault("MTMD_CPP_LIB", LIBRARY_FOLDER)

# After the lines above, which also let it be imported without the package's code.
from llama_cpp import mtmd_cpp as mtmd

__all__ = ["lib", "mtmd"]
