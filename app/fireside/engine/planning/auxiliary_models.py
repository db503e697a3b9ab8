"""What is loaded along with a model and needs memory too: its projector, adapters and draft model."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from fireside.core.errors import ModelError
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions, Speculation
from fireside.gguf import GgufHeader, model_spec, read_header
from fireside.gguf.projector_facts import projector_senses

_LAYER: Final = re.compile(r"blk\.(\d{1,4})\.")
_MAX_PATCHES: Final = 4096
"""llama.cpp's limit of patches encoded at once, for models that take images of any size."""
_SOUND_FRAMES: Final = 3000
"""Of a spectrogram, encoded at once: 30 seconds."""
_IMAGE_CONVOLUTION: Final = re.compile(r"a\.conv2d\.1\.weight|a\.conv1d\.0\.weight")
"""The first convolution of encoders that take a spectrogram as an image."""
_FLOAT_BYTES: Final = 4
_T = TypeVar("_T")


class AuxiliaryModels(msgspec.Struct, frozen=True, kw_only=True):
    """The memory of auxiliary models, from the headers of their files. Bytes."""

    projector_bytes: int = 0
    projector_compute_bytes: int = 0
    """An upper estimate of the compute buffers for encoding an image or 30 seconds of sound."""
    adapter_bytes: dict[int, int] = {}
    """By layer, of all adapters together: they are where the layer is. -1 is for tensors without a layer."""
    draft: ModelSpec | None = None
    """The draft model, or the file with the model's draft heads."""


NO_AUXILIARY: Final = AuxiliaryModels()


def auxiliary_paths(options: LoadOptions) -> tuple[str, ...]:
    """Return the files that a load with ``options`` reads besides the model's."""
    paths = (options.projector_path, _draft_path(options), *(adapter.path for adapter in options.lora))
    return tuple(path for path in paths if path)


def auxiliary_bytes(options: LoadOptions) -> int:
    """Return the size of those files as a first estimate; missing files count as nothing."""
    n_bytes = 0
    for path in auxiliary_paths(options):
        with contextlib.suppress(OSError, ValueError):
            n_bytes += Path(path).stat().st_size
    return n_bytes


async def find_auxiliary(options: LoadOptions) -> AuxiliaryModels:
    """Return what ``read_auxiliary`` returns, without blocking the loop."""
    return await asyncio.to_thread(read_auxiliary, options) if auxiliary_paths(options) else NO_AUXILIARY


def read_auxiliary(options: LoadOptions) -> AuxiliaryModels:
    """Read the headers of the auxiliary files of ``options``. Blocks on the disk; any thread.

    Never raises: a file that cannot be read counts as nothing, and the load reports the error.
    """
    projector = _from_header(options.projector_path, projector_usage) or NO_AUXILIARY
    adapters = [_from_header(adapter.path, lambda header: header) for adapter in options.lora]
    return msgspec.structs.replace(
        projector,
        adapter_bytes=_bytes_by_layer([header for header in adapters if header is not None]),
        draft=_from_header(
            _draft_path(options),
            lambda header: model_spec(header, path=header.path, id=ModelId("draft"), is_draft=True),
        ),
    )


def _draft_path(options: LoadOptions) -> str | None:
    uses_file = options.speculation in (Speculation.DRAFT_MODEL, Speculation.MTP, Speculation.AUTO)
    return options.draft_path if uses_file else None


def projector_usage(header: GgufHeader) -> AuxiliaryModels:
    """Return the memory of a projector with this ``header``."""
    return AuxiliaryModels(
        projector_bytes=sum(tensor.n_bytes for tensor in header.tensors),
        projector_compute_bytes=_encoding_bytes(header),
    )


def _from_header(path: str | None, interpret: Callable[[GgufHeader], _T]) -> _T | None:
    try:
        return interpret(read_header(path)) if path else None
    except (ModelError, OSError):
        return None


def _bytes_by_layer(headers: list[GgufHeader]) -> dict[int, int]:
    n_bytes: dict[int, int] = {}
    for header in headers:
        for tensor in header.tensors:
            match = _LAYER.match(tensor.name)
            layer = int(match[1]) if match else -1
            n_bytes[layer] = n_bytes.get(layer, 0) + tensor.n_bytes
    return n_bytes


def _encoding_bytes(header: GgufHeader) -> int:
    """Estimate the activations of one layer of the encoder that takes more: images and sound are encoded one
    after the other, but each has buffers of its own."""
    return _image_bytes(header) + _sound_bytes(header)


def _sound_bytes(header: GgufHeader) -> int:
    """Estimate the spectrogram, the convolutions over it and the widest rows of one layer, for 30 seconds.
    Scores are not kept: attention over sound is fused."""
    senses = projector_senses(header)
    if senses is None or not senses.hears:
        return 0

    def count(name: str) -> int:
        return max(0, header.integer(f"clip.audio.{name}") or 0)

    n_mels, width = count("num_mel_bins"), count("embedding_length")
    n_channels = max(
        (tensor.shape[-1] for tensor in header.tensors if _IMAGE_CONVOLUTION.match(tensor.name)), default=0
    )
    spectrogram = _SOUND_FRAMES * (2 * n_mels + (0 if n_channels else 3 * n_mels))
    convolutions = _SOUND_FRAMES * (n_channels * n_mels + 2 * width)
    rows = _SOUND_FRAMES // 2 * (2 * count("feed_forward_length") + 6 * width)
    return (spectrogram + (convolutions + rows if count("block_count") else 0)) * _FLOAT_BYTES


def _image_bytes(header: GgufHeader) -> int:
    """Estimate attention scores and widest rows of a layer of a vision transformer."""

    def count(name: str) -> int:
        return max(0, header.integer(f"clip.vision.{name}") or 0)

    patch = count("patch_size")
    n_patches = min(_MAX_PATCHES, (count("image_size") // patch) ** 2 + 1) if patch else 0
    scores = 2 * count("attention.head_count") * n_patches
    rows = 2 * count("feed_forward_length") + 6 * count("embedding_length") + 3 * patch * patch
    return n_patches * (scores + rows) * _FLOAT_BYTES
