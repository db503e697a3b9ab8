"""Cache key of saved states: the model files, the llama.cpp build and the load options they depend on."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.options import LoadOptions, RopeScaling
from fireside.wire.cache_files import hash_part

_EDGE_BYTES: Final = 1 << 20
_SAMPLE_BYTES: Final = 64 << 10
_N_SAMPLES: Final = 16
_SPLIT: Final = re.compile(r"-\d{5}-of-(\d{5})(\.gguf)$", re.IGNORECASE)


class CacheKey(msgspec.Struct, frozen=True, kw_only=True):
    """Runners with equal keys may use each other's saved states.

    ``options`` is separate from ``model`` so that a cache miss can report which of them has changed.
    """

    model: str
    options: str

    @property
    def model_part(self) -> str:
        return hash_part(self.model.encode())

    @property
    def options_part(self) -> str:
        return hash_part(self.options.encode())


def cache_key(path: str, options: LoadOptions, *, build: str, n_seq_max: int) -> CacheKey:
    """Return the key of a model that is loaded.

    Args:
        build: version of llama.cpp; the format of a state may change with it.
        n_seq_max: as allocated; where slots do not share cells a state holds an entry for each sequence.

    Raises:
        OSError: a file cannot be read.
    """
    layout = (
        build,
        sys.byteorder,
        "shared" if options.kv_unified else n_seq_max,
        options.cache_type_k.value,
        options.cache_type_v.value,
        options.flash_attn.value,
        "" if options.projector_path is None else fingerprint(options.projector_path),
        (options.image_min_tokens, options.image_max_tokens),
        [fingerprint(adapter.path) for adapter in options.lora],
        [(fingerprint(vector.path), vector.scale) for vector in options.control_vectors],
        options.control_layers,
        options.metadata_overrides,
        options.rope_freq_base,
        options.rope_freq_scale,
        # The length of the context decides how positions are scaled.
        (options.rope_scaling.value, 0 if options.rope_scaling is RopeScaling.MODEL else options.n_ctx),
        options.swa_full,
    )
    return CacheKey(
        model=",".join(fingerprint(part) for part in model_files(path)),
        options=msgspec.json.encode(layout).decode(),
    )


def model_files(path: str) -> tuple[str, ...]:
    """Return all files of a model: several if it is split, of which ``path`` is one."""
    split = _SPLIT.search(path)
    if split is None:
        return (path,)
    n_files = int(split[1])
    names = (f"{path[: split.start()]}-{n:05}-of-{split[1]}{split[2]}" for n in range(1, n_files + 1))
    return tuple(name for name in names if Path(name).is_file()) or (path,)


def fingerprint(path: str) -> str:
    """Return a hash that changes with a file's content, without reading gigabytes of it.

    It covers the size, the first and the last MiB, and samples between: a tensor that differs throughout is
    noticed, a single changed byte may not be.
    """
    digest = hashlib.blake2b(digest_size=16)
    with Path(path).open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        digest.update(size.to_bytes(8, "little"))
        offsets = [(0, _EDGE_BYTES), (max(0, size - _EDGE_BYTES), _EDGE_BYTES)]
        offsets += [(size * n // (_N_SAMPLES + 1), _SAMPLE_BYTES) for n in range(1, _N_SAMPLES + 1)]
        for offset, n_bytes in offsets:
            file.seek(offset)
            digest.update(file.read(n_bytes))
    return digest.hexdigest()
