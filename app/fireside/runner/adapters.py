"""LoRA adapters, whose scales are set for each batch, and control vectors, which are added to all."""

from __future__ import annotations

import ctypes
import math
import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from fireside.core.errors import FiresideError, InvalidParameter, LoadError, ModelFileMissing
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.options import ControlVector, LoadOptions, LoraAdapter
from fireside.gguf.reader import read_header
from fireside.runner.llama import Context, Model
from fireside.runner.native import encoded_path, lib

Scales = tuple[float, ...]

MAX_ADAPTERS: Final = 16
MAX_SCALE: Final = 100.0


def check_scales(scales: Scales) -> None:
    """Raise ``InvalidParameter`` for the first scale that is out of range."""
    for scale in scales:
        if not (math.isfinite(scale) and abs(scale) <= MAX_SCALE):
            raise InvalidParameter(
                name=tr_noop("strength of an adapter"),
                reason=Phrase(
                    tr_noop("{value} is not between {low} and {high}."),
                    {"value": scale, "low": -MAX_SCALE, "high": MAX_SCALE},
                ),
            )


class Adapters:
    """The LoRA adapters of one model, and the scales that its context currently uses.

    llama.cpp sets scales for a whole batch, so only sequences with the same scales share one.

    Args:
        name: the model's, for messages to the user.

    Raises:
        InvalidParameter: too many, or a scale out of range.
        ModelFileMissing, load_failed: a file is missing, or not an adapter for this model.
    """

    def __init__(
        self, adapters: tuple[LoraAdapter, ...], *, model: Model, context: Context, name: str
    ) -> None:
        if len(adapters) > MAX_ADAPTERS:
            raise InvalidParameter(
                name="adapters",
                reason=Phrase(
                    tr_noop("{n} are more than {most}."), {"n": len(adapters), "most": MAX_ADAPTERS}
                ),
            )
        self.default: Scales = tuple(adapter.scale for adapter in adapters)
        check_scales(self.default)
        self._handles = [_load(adapter.path, model=model, name=name) for adapter in adapters]
        self._context = context
        self._current: Scales | None = None

    def resolve(self, requested: Scales | None) -> Scales:
        """Return the scales for a request that asks for ``requested``; ``None`` for those as loaded.

        Raises:
            InvalidParameter: wrong number of scales, or one out of range.
        """
        if requested is None:
            return self.default
        if len(requested) != len(self.default):
            reason = Phrase(
                tr_noop("{n_given} strengths for {n_loaded} adapters."),
                {"n_given": len(requested), "n_loaded": len(self.default)},
            )
            raise InvalidParameter(name="adapters", reason=reason)
        check_scales(requested)
        return requested

    def set_scales(self, scales: Scales) -> None:
        """Use ``scales`` for the following batches."""
        if not self._handles or scales == self._current:
            return
        # An adapter with scale 0 costs as much as any other, so it is left out.
        used = [(handle, scale) for handle, scale in zip(self._handles, scales, strict=True) if scale]
        # Arrays, not pointers: given one pointer too few, ctypes adds one silently, and llama.cpp crashes.
        handles = (lib.llama_adapter_lora_p_ctypes * len(used))(*(handle for handle, _ in used))
        strengths = (ctypes.c_float * len(used))(*(scale for _, scale in used))
        if lib.llama_set_adapters_lora(self._context.handle, handles, len(used), strengths) != 0:
            raise ValueError("llama.cpp did not take the adapters")
        self._current = scales

    def reserve(self) -> None:
        """Set the scales as loaded, and allocate the memory for them now instead of during an answer."""
        self.set_scales(self.default)
        self._context.reserve()

    def close(self) -> None:
        """Free the adapters. Call before the model is freed, when nothing is decoded any more."""
        for handle in self._handles:
            lib.llama_adapter_lora_free(handle)
        self._handles = []


def _load(path: str, *, model: Model, name: str) -> Any:
    if not Path(path).is_file():
        raise ModelFileMissing(path=path)
    handle = lib.llama_adapter_lora_init(model.handle, encoded_path(path))
    if not handle:
        raise LoadError.of(
            "load_failed",
            model=name,
            reason=Phrase(
                tr_noop("{file} is not an adapter made for this model."), {"file": Path(path).name}
            ),
        )
    return handle


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
