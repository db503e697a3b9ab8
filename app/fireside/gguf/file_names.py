"""Parse names of model files: parts of a split model, quantization, name of the model."""

from __future__ import annotations

import re

import msgspec

MAX_PARTS = 1000

_PATTERN = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})(?P<suffix>\.gguf)", re.IGNORECASE)


class SplitName(msgspec.Struct, frozen=True, kw_only=True):
    """The name of part ``number``, counted from 1, of ``count``."""

    stem: str
    number: int
    count: int
    suffix: str

    def sibling(self, number: int) -> str:
        """Return the file name of another part, as llama.cpp spells it."""
        return f"{self.stem}-{number:05d}-of-{self.count:05d}{self.suffix}"


def parse_split_name(file_name: str) -> SplitName | None:
    """Return the parts of a split file's name, ``None`` for any other name."""
    match = _PATTERN.fullmatch(file_name)
    if match is None:
        return None
    number, count = int(match["number"]), int(match["count"])
    if not 1 <= number <= count or not 2 <= count <= MAX_PARTS:
        return None
    return SplitName(stem=match["stem"], number=number, count=count, suffix=match["suffix"])


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
    """Return the model's name in a file name; ``None`` if that is only a hash or “model”."""
    stem = _QUANTIZATION.sub("", file_stem(file_name))
    if not stem or _MEANINGLESS.fullmatch(stem):
        return None
    return " ".join(stem.replace("_", " ").replace("-", " ").split())
