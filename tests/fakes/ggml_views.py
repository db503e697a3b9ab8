"""Our header in the words of the ggml oracle, to be compared with its answer."""

from __future__ import annotations

import json
from typing import Any

from fireside.gguf.header import GgufHeader, MetadataValue, Omitted, TensorInfo

_MAX_SHOWN = 64


def ggml_view(header: GgufHeader) -> Any:
    """Return what ``GgmlOracle.header`` should answer. C texts end at their first zero."""
    view = {
        "metadata": [(_c_text(key), _value(value)) for key, value in header.metadata.items()],
        "tensors": [_tensor(tensor) for tensor in header.tensors],
        "alignment": header.alignment,
        "data_offset": header.data_offset,
    }
    return json.loads(json.dumps(view))


def _value(value: MetadataValue) -> Any:
    match value:
        case str():
            return _c_text(value)
        case tuple() if len(value) > _MAX_SHOWN:
            return {"count": len(value)}
        case tuple():
            return [_value(item) for item in value]
        case Omitted():
            return {"count": value.count}
        case _:
            return repr(value)


def _tensor(tensor: TensorInfo) -> Any:
    shape = [*tensor.shape, *[1] * (4 - len(tensor.shape))]
    return (_c_text(tensor.name), shape, tensor.type_id, tensor.offset, tensor.n_bytes)


def _c_text(text: str) -> str:
    return text.split("\0", 1)[0]
