"""What a model file is called: the part of its name that tells the quantization, and the rest."""

from __future__ import annotations

import re

from fireside.gguf.split_files import parse_split_name

_QUANTIZATION = re.compile(
    r"[-._ ](?P<label>(?:UD-)?"
    r"(?:I?Q\d+(?:_[0-9A-Z]+)*|TQ\d_\d|BF16|FP?16|FP?32|MXFP4(?:_[0-9A-Z]+)*|NVFP4))$",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"\.gguf$", re.IGNORECASE)
_MEANINGLESS = re.compile(r"(?:ggml-)?model|gguf|sha256-[0-9a-f]+|[0-9a-f]{32,}", re.IGNORECASE)


def file_stem(file_name: str) -> str:
    """Return the name without ``.gguf`` and without the number of the part."""
    split = parse_split_name(file_name)
    return split.stem if split is not None else _SUFFIX.sub("", file_name)


def quantization_in_name(file_name: str) -> str | None:
    """Return the quantization that a file name ends in, e.g. ``UD-Q4_K_XL``; ``None`` if it names none."""
    match = _QUANTIZATION.search(file_stem(file_name))
    return match["label"].upper() if match is not None else None


def model_name_in(file_name: str) -> str | None:
    """Return the words of a file name that name the model; ``None`` if it is only a hash or “model”."""
    stem = _QUANTIZATION.sub("", file_stem(file_name))
    if not stem or _MEANINGLESS.fullmatch(stem):
        return None
    return " ".join(stem.replace("_", " ").replace("-", " ").split())
