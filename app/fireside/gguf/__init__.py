"""GGUF headers as values: bounded, pure Python, no tensor data."""

from fireside.gguf.facts import (
    EMBEDDING_ARCHITECTURES,
    PICTURE_ARCHITECTURES,
    FileKind,
    chat_template,
    file_kind,
    model_spec,
    n_parts,
    n_usable_heads,
    named_templates,
    template_reasons,
)
from fireside.gguf.file_names import SplitName, file_stem, parse_split_name, quantization_in_name
from fireside.gguf.header import GgufHeader, Omitted, TensorInfo
from fireside.gguf.range_reader import read_header_by_ranges
from fireside.gguf.reader import read_header, read_header_from

__all__ = [
    "EMBEDDING_ARCHITECTURES",
    "PICTURE_ARCHITECTURES",
    "FileKind",
    "GgufHeader",
    "Omitted",
    "SplitName",
    "TensorInfo",
    "chat_template",
    "file_kind",
    "file_stem",
    "model_spec",
    "n_parts",
    "n_usable_heads",
    "named_templates",
    "parse_split_name",
    "quantization_in_name",
    "read_header",
    "read_header_by_ranges",
    "read_header_from",
    "template_reasons",
]
