"""Writes small GGUF files, right ones and wrong ones, byte by byte and without the code under test."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)

_FORMATS = {
    U8: "<B", I8: "<b", U16: "<H", I16: "<h", U32: "<I", I32: "<i", F32: "<f",
    BOOL: "<B", U64: "<Q", I64: "<q", F64: "<d",
}  # fmt: skip
_BLOCKS = {0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 8: (32, 34), 12: (256, 144), 14: (256, 210)}
"""Elements and bytes of a block, for the tensor types that tests use."""
_PATTERN = bytes(range(251))
"""What tensors hold, again and again; of a length that divides no block."""


@dataclass(frozen=True)
class Typed:
    """A value of a type that ``value_bytes`` would not choose by itself."""

    type: int
    value: object


@dataclass(frozen=True)
class ArrayOf:
    element_type: int
    values: Sequence[object]


Value = bool | int | float | str | bytes | Typed | ArrayOf | Sequence[str] | Sequence[int]
Metadata = Sequence[tuple[str | bytes, Value]]


@dataclass(frozen=True)
class Tensor:
    """A tensor; ``offset`` and ``n_bytes`` overrule what the shape asks for, to write wrong files."""

    name: str | bytes
    shape: tuple[int, ...] = (32,)
    type: int = 0
    offset: int | None = None
    n_bytes: int | None = None

    @property
    def size(self) -> int:
        if self.n_bytes is not None:
            return self.n_bytes
        n_elements = 1
        for n in self.shape:
            n_elements *= n
        per_block, block_bytes = _BLOCKS.get(self.type, (1, 1))
        return n_elements // per_block * block_bytes


@dataclass(frozen=True)
class GgufFile:
    """A file to be written. ``n_tensors`` and ``n_metadata`` overrule the true counts."""

    metadata: Metadata = ()
    tensors: Sequence[Tensor] = ()
    version: int = 3
    alignment: int = 32
    magic: bytes = b"GGUF"
    n_tensors: int | None = None
    n_metadata: int | None = None
    header_only: bool = False

    def to_bytes(self) -> bytes:
        header = self.header_bytes()
        if self.header_only or not self.tensors:
            return header
        data = bytearray(_padding(len(header), self.alignment))
        for tensor in self.tensors:
            payload = (_PATTERN * (tensor.size // len(_PATTERN) + 1))[: tensor.size]
            data += payload + _padding(len(payload), self.alignment)
        return header + bytes(data)

    def header_bytes(self) -> bytes:
        """Everything before the padding that stands in front of the tensor data."""
        n_tensors = len(self.tensors) if self.n_tensors is None else self.n_tensors
        n_metadata = len(self.metadata) if self.n_metadata is None else self.n_metadata
        out = bytearray(self.magic + struct.pack("<IQQ", self.version, n_tensors, n_metadata))
        for key, value in self.metadata:
            out += string_bytes(key) + value_bytes(value)
        offset = 0
        for tensor in self.tensors:
            out += string_bytes(tensor.name) + struct.pack("<I", len(tensor.shape))
            out += struct.pack(f"<{len(tensor.shape)}Q", *tensor.shape)
            out += struct.pack("<IQ", tensor.type, offset if tensor.offset is None else tensor.offset)
            offset += tensor.size + len(_padding(tensor.size, self.alignment))
        return bytes(out)

    def write(self, path: Path) -> Path:
        """Write the file, with the folders above it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.to_bytes())
        return path


def string_bytes(text: str | bytes) -> bytes:
    raw = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(raw)) + raw


def value_bytes(value: Value) -> bytes:
    """Type and payload of one value; plain Python values get the types that converters use."""
    match value:
        case Typed(type=type_, value=inner):
            return struct.pack("<I", type_) + _payload(type_, inner)
        case ArrayOf(element_type=element_type, values=values):
            head = struct.pack("<IIQ", ARRAY, element_type, len(values))
            if element_type in _FORMATS:
                return head + struct.pack(f"<{len(values)}{_FORMATS[element_type][1]}", *values)
            return head + b"".join(_payload(element_type, item) for item in values)
        case bool():
            return value_bytes(Typed(BOOL, value))
        case int():
            return value_bytes(Typed(U32, value))
        case float():
            return value_bytes(Typed(F32, value))
        case str() | bytes():
            return value_bytes(Typed(STRING, value))
        case _:
            texts = bool(value) and isinstance(value[0], str)
            return value_bytes(ArrayOf(STRING if texts else I32, value))


def model_metadata(
    *, architecture: str = "llama", changes: Mapping[str, Value | None] | None = None
) -> list[tuple[str | bytes, Value]]:
    """The properties of a small model that can chat; a change to ``None`` leaves one out."""
    metadata: dict[str, Value | None] = {
        "general.architecture": architecture,
        "general.type": "model",
        "general.name": "Tiny Test",
        "general.license": "mit",
        "general.size_label": "1K",
        "general.file_type": 0,
        f"{architecture}.block_count": 2,
        f"{architecture}.context_length": 512,
        f"{architecture}.embedding_length": 64,
        f"{architecture}.attention.head_count": 4,
        f"{architecture}.attention.head_count_kv": 2,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": [f"t{n}" for n in range(100)],
        "tokenizer.ggml.scores": ArrayOf(F32, [0.5] * 100),
        "tokenizer.ggml.eos_token_id": 1,
        "tokenizer.chat_template": "{% for message in messages %}{{ message.content }}{% endfor %}",
    }
    metadata.update(changes or {})
    return [(key, value) for key, value in metadata.items() if value is not None]


def model_file(*, architecture: str = "llama", changes: Mapping[str, Value | None] | None = None) -> GgufFile:
    """A small file that counts as a model: its header is right, its weights are not trained."""
    return GgufFile(
        metadata=model_metadata(architecture=architecture, changes=changes),
        tensors=(
            Tensor("token_embd.weight", (64, 100)),
            Tensor("blk.0.attn_q.weight", (64, 64), type=8),
            Tensor("blk.0.attn_norm.weight", (64,)),
        ),
    )


def _payload(type_: int, value: object) -> bytes:
    if type_ == STRING:
        assert isinstance(value, str | bytes)
        return string_bytes(value)
    if type_ not in _FORMATS:
        return bytes(value) if isinstance(value, bytes) else b""
    return struct.pack(_FORMATS[type_], value)


def _padding(n: int, alignment: int) -> bytes:
    return bytes(-n % alignment)
