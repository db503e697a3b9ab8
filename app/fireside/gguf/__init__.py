"""GGUF headers as values: bounded, pure Python, no tensor data."""

from fireside.gguf.facts import FileKind, file_kind, model_spec
from fireside.gguf.header import Header, Omitted, TensorInfo
from fireside.gguf.reader import read_header, read_header_from
from fireside.gguf.split import SplitName, parse_split_name

__all__ = [
    "FileKind",
    "Header",
    "Omitted",
    "SplitName",
    "TensorInfo",
    "file_kind",
    "model_spec",
    "parse_split_name",
    "read_header",
    "read_header_from",
]
