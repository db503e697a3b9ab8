"""Control vectors: directions added to the output of a model's layers, from files with one tensor a layer."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from fireside.core.errors import FiresideError, InvalidParameter, LoadError, ModelFileMissing
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.options import ControlVector, LoadOptions
from fireside.gguf.reader import read_header
from fireside.runner.adapters import check_scales
from fireside.runner.llama import Context, Model
from fireside.runner.native import lib

_DIRECTION: Final = re.compile(r"direction\.(\d{1,4})")
_F32: Final = "F32"


def apply_control_vectors(options: LoadOptions, *, model: Model, context: Context, name: str) -> None:
    """Apply the sum of all control vectors, each times its scale, to ``context``.

    Args:
        name: the model's, for messages to the user.

    Raises:
        InvalidParameter: a scale or the layers are out of range.
        ModelFileMissing, load_failed: a file is missing, or not a control vector for this model.
    """
    if not options.control_vectors:
        return
    check_scales(tuple(vector.scale for vector in options.control_vectors))
    n_embd = int(lib.llama_model_n_embd(model.handle))
    # From layer 1 on: the input of the first layer is never changed.
    directions = np.zeros((max(1, model.n_layers - 1), n_embd), np.float32)
    for vector in options.control_vectors:
        _add(vector, directions, name=name)
    first, last = options.control_layers or (1, model.n_layers - 1)
    if not 1 <= first <= last < max(2, model.n_layers):
        raise InvalidParameter(
            name="control_layers",
            reason=Phrase(tr_noop("the model has layers from 1 to {last}."), {"last": model.n_layers - 1}),
        )
    data = directions.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    if lib.llama_set_adapter_cvec(context.handle, data, directions.size, n_embd, first, last) != 0:
        raise LoadError.of(
            "load_failed", model=name, reason=tr_noop("llama.cpp rejected the control vectors.")
        )


def _add(vector: ControlVector, directions: npt.NDArray[np.float32], *, name: str) -> None:
    path = Path(vector.path)
    if not path.is_file():
        raise ModelFileMissing(path=vector.path)
    mismatch = LoadError.of(
        "load_failed",
        model=name,
        reason=Phrase(tr_noop("{file} is not a control vector made for this model."), {"file": path.name}),
    )
    try:
        header = read_header(vector.path)
        layer_tensors = [
            (int(match[1]), tensor)
            for tensor in header.tensors
            if (match := _DIRECTION.fullmatch(tensor.name))
        ]
        n_layers, n_embd = directions.shape
        if not layer_tensors or any(
            tensor.type.name != _F32 or tensor.shape != (n_embd,) or not 1 <= layer <= n_layers
            for layer, tensor in layer_tensors
        ):
            raise mismatch
        with path.open("rb") as file:
            for layer, tensor in layer_tensors:
                file.seek(header.data_offset + tensor.offset)
                row = np.frombuffer(file.read(tensor.n_bytes), np.float32)
                directions[layer - 1] += vector.scale * row
    except (FiresideError, OSError, ValueError) as exc:
        raise mismatch from exc
