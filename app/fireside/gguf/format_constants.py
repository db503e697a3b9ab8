"""Numbers that GGUF files use for their value types, tensor types and quantization mixes."""

from __future__ import annotations

import struct
from enum import IntEnum
from types import MappingProxyType

import msgspec

from fireside.core.i18n import Phrase, Translatable, tr_noop


class ValueType(IntEnum):
    """Type of one metadata value. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md"""

    UINT8 = 0
    INT8 = 1
    UINT16 = 2
    INT16 = 3
    UINT32 = 4
    INT32 = 5
    FLOAT32 = 6
    BOOL = 7
    STRING = 8
    ARRAY = 9
    UINT64 = 10
    INT64 = 11
    FLOAT64 = 12


SCALARS = MappingProxyType(
    {
        ValueType.UINT8: struct.Struct("<B"),
        ValueType.INT8: struct.Struct("<b"),
        ValueType.UINT16: struct.Struct("<H"),
        ValueType.INT16: struct.Struct("<h"),
        ValueType.UINT32: struct.Struct("<I"),
        ValueType.INT32: struct.Struct("<i"),
        ValueType.FLOAT32: struct.Struct("<f"),
        ValueType.BOOL: struct.Struct("<?"),
        ValueType.UINT64: struct.Struct("<Q"),
        ValueType.INT64: struct.Struct("<q"),
        ValueType.FLOAT64: struct.Struct("<d"),
    }
)
"""Layout of each scalar in the file, always little-endian."""


class TensorType(msgspec.Struct, frozen=True):
    """A ggml number format: ``block_size`` elements take ``block_bytes`` bytes."""

    name: str
    block_size: int
    block_bytes: int


TENSOR_TYPES = MappingProxyType(
    {
        0: TensorType("F32", 1, 4),
        1: TensorType("F16", 1, 2),
        2: TensorType("Q4_0", 32, 18),
        3: TensorType("Q4_1", 32, 20),
        6: TensorType("Q5_0", 32, 22),
        7: TensorType("Q5_1", 32, 24),
        8: TensorType("Q8_0", 32, 34),
        9: TensorType("Q8_1", 32, 36),
        10: TensorType("Q2_K", 256, 84),
        11: TensorType("Q3_K", 256, 110),
        12: TensorType("Q4_K", 256, 144),
        13: TensorType("Q5_K", 256, 176),
        14: TensorType("Q6_K", 256, 210),
        15: TensorType("Q8_K", 256, 292),
        16: TensorType("IQ2_XXS", 256, 66),
        17: TensorType("IQ2_XS", 256, 74),
        18: TensorType("IQ3_XXS", 256, 98),
        19: TensorType("IQ1_S", 256, 50),
        20: TensorType("IQ4_NL", 32, 18),
        21: TensorType("IQ3_S", 256, 110),
        22: TensorType("IQ2_S", 256, 82),
        23: TensorType("IQ4_XS", 256, 136),
        24: TensorType("I8", 1, 1),
        25: TensorType("I16", 1, 2),
        26: TensorType("I32", 1, 4),
        27: TensorType("I64", 1, 8),
        28: TensorType("F64", 1, 8),
        29: TensorType("IQ1_M", 256, 56),
        30: TensorType("BF16", 1, 2),
        34: TensorType("TQ1_0", 256, 54),
        35: TensorType("TQ2_0", 256, 66),
        39: TensorType("MXFP4", 32, 17),
        40: TensorType("NVFP4", 64, 36),
        41: TensorType("Q1_0", 128, 18),
        42: TensorType("Q2_0", 64, 18),
    }
)
"""Every format of the ggml that the runner is built with; a test compares them with ggml."""

REMOVED_TENSOR_TYPES = MappingProxyType(
    {
        4: "Q4_2",
        5: "Q4_3",
        31: "Q4_0_4_4",
        32: "Q4_0_4_8",
        33: "Q4_0_8_8",
        36: "IQ4_NL_4_4",
        37: "IQ4_NL_4_8",
        38: "IQ4_NL_8_8",
    }
)
"""Formats that ggml has removed; such files must be downloaded in another format."""

FILE_TYPES = MappingProxyType(
    {
        0: "F32",
        1: "F16",
        2: "Q4_0",
        3: "Q4_1",
        7: "Q8_0",
        8: "Q5_0",
        9: "Q5_1",
        10: "Q2_K",
        11: "Q3_K_S",
        12: "Q3_K_M",
        13: "Q3_K_L",
        14: "Q4_K_S",
        15: "Q4_K_M",
        16: "Q5_K_S",
        17: "Q5_K_M",
        18: "Q6_K",
        19: "IQ2_XXS",
        20: "IQ2_XS",
        21: "Q2_K_S",
        22: "IQ3_XS",
        23: "IQ3_XXS",
        24: "IQ1_S",
        25: "IQ4_NL",
        26: "IQ3_S",
        27: "IQ3_M",
        28: "IQ2_S",
        29: "IQ2_M",
        30: "IQ4_XS",
        31: "IQ1_M",
        32: "BF16",
        36: "TQ1_0",
        37: "TQ2_0",
        38: "MXFP4",
        39: "NVFP4",
        40: "Q1_0",
        41: "Q2_0",
    }
)
"""Usual names of llama.cpp's quantization mixes, by ``general.file_type``."""

FILE_TYPE_GUESSED = 1024
"""Flag in ``general.file_type``: the converter guessed the mix."""


# Recognise other file formats by their first bytes


MAGIC = b"GGUF"
SNIFF_BYTES = 512

_OLD_GGML = (b"lmgg", b"fmgg", b"tjgg", b"algg")
_ARCHIVES = (
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!",
    b"\x28\xb5\x2f\xfd",
    b"BZh",
    b"\xfd7zXZ",
)
_PROGRAMS = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


def foreign_format_reason(head: bytes) -> Translatable:
    """Return why a file that begins with ``head`` is no GGUF file, as a clause for the user."""
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    reason: Translatable
    if head.startswith(MAGIC[::-1]):
        reason = tr_noop("it is in big-endian format, which is not supported.")
    elif head.startswith(_OLD_GGML):
        reason = tr_noop("it is in the old GGML format. Download the model as GGUF.")
    elif text.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<script")):
        reason = tr_noop("it is a web page. The download probably ended on a sign-in or error page.")
    elif text.startswith(b"version https://git-lfs"):
        reason = tr_noop("it is only a pointer to the model (Git LFS). Download the file itself.")
    elif head[8:9] == b"{" and head[7:8] == b"\0":
        reason = tr_noop("it is a safetensors file. Fireside needs the model as GGUF.")
    elif text.startswith((b"{", b"[")):
        reason = tr_noop("it is a JSON text. The download probably ended on an error message.")
    elif head.startswith(_ARCHIVES):
        reason = tr_noop("it is an archive. Extract it first, or download the model as GGUF.")
    elif head.startswith(_PROGRAMS):
        reason = tr_noop("it is a program.")
    elif head.startswith(b"\x80"):
        reason = tr_noop("it is a PyTorch file. Fireside needs the model as GGUF.")
    elif not any(head):
        reason = tr_noop("it starts with zeros. The download is probably incomplete.")
    else:
        shown = " ".join(f"{byte:02x}" for byte in head[:4])
        reason = Phrase(tr_noop("it is not a GGUF file (its first bytes are {shown})."), {"shown": shown})
    return reason
