"""The header reader with valid files."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from fakes import gguf_files as files
from fakes.gguf_files import ArrayOf, GgufFile, Metadata, Tensor, Typed, model_file
from fireside.core.errors import ModelFileInvalid, ModelFileMissing
from fireside.gguf import Omitted, read_header, read_header_from
from fireside.gguf.cursor import WINDOW_BYTES
from fireside.gguf.format_constants import ValueType


@pytest.mark.parametrize("version", [2, 3])
def test_both_supported_versions_are_read(tmp_path: Path, version: int) -> None:
    path = GgufFile(version=version, metadata=[("a", 1)], tensors=[Tensor("t")]).write(tmp_path / "m.gguf")
    header = read_header(path)
    assert (header.version, header.metadata, header.tensors[0].name) == (version, {"a": 1}, "t")


def test_every_scalar_type_keeps_its_value(tmp_path: Path) -> None:
    values = {
        "u8": (files.U8, 255), "i8": (files.I8, -128), "u16": (files.U16, 65535), "i16": (files.I16, -2),
        "u32": (files.U32, 2**32 - 1), "i32": (files.I32, -(2**31)), "f32": (files.F32, 0.5),
        "yes": (files.BOOL, 1), "no": (files.BOOL, 0), "text": (files.STRING, "Grüße 🦙"),
        "u64": (files.U64, 2**64 - 1), "i64": (files.I64, -(2**63)), "f64": (files.F64, 0.1),
    }  # fmt: skip
    metadata: Metadata = [(key, Typed(kind, value)) for key, (kind, value) in values.items()]
    header = read_header(GgufFile(metadata=metadata).write(tmp_path / "m.gguf"))
    assert header.metadata == {key: value for key, (_, value) in values.items()}
    assert header.metadata["yes"] is True


def test_short_arrays_are_kept_and_long_ones_omitted(tmp_path: Path) -> None:
    metadata: Metadata = [
        ("short.numbers", ArrayOf(files.I32, [1, -2, 3])),
        ("short.texts", ArrayOf(files.STRING, ["de", "en"])),
        ("empty", ArrayOf(files.F32, [])),
        ("long.numbers", ArrayOf(files.F32, [0.5] * 2000)),
        ("long.texts", ArrayOf(files.STRING, ["x" * (n % 7) for n in range(70)])),
        ("after", 7),
    ]
    header = read_header(GgufFile(metadata=metadata).write(tmp_path / "m.gguf"))
    assert header.metadata == {
        "short.numbers": (1, -2, 3),
        "short.texts": ("de", "en"),
        "empty": (),
        "long.numbers": Omitted(element_type=ValueType.FLOAT32, count=2000),
        "long.texts": Omitted(element_type=ValueType.STRING, count=70),
        "after": 7,
    }


def test_a_text_of_megabytes_is_omitted(tmp_path: Path) -> None:
    metadata: Metadata = [("big", "x" * 300_000), ("after", 7)]
    header = read_header(GgufFile(metadata=metadata).write(tmp_path / "m.gguf"))
    assert header.metadata == {"big": Omitted(element_type=ValueType.STRING, count=300_000), "after": 7}


def test_invalid_utf8_is_replaced(tmp_path: Path) -> None:
    header = read_header(GgufFile(metadata=[("name", b"ab\xff")]).write(tmp_path / "m.gguf"))
    assert header.metadata == {"name": "ab\ufffd"}


def test_tensors_have_shape_type_offset_and_size(tmp_path: Path) -> None:
    tensors = [
        Tensor("scalar", ()),
        Tensor("q4_0", (64, 3), type=2),
        Tensor("q6_k", (256, 2, 2, 2), type=14),
    ]
    header = read_header(GgufFile(tensors=tensors).write(tmp_path / "m.gguf"))
    seen = [(t.name, t.shape, t.type.name, t.offset, t.n_elements, t.n_bytes) for t in header.tensors]
    assert seen == [
        ("scalar", (), "F32", 0, 1, 4),
        ("q4_0", (64, 3), "Q4_0", 32, 192, 108),
        ("q6_k", (256, 2, 2, 2), "Q6_K", 160, 2048, 1680),
    ]


def test_a_custom_alignment_moves_the_data(tmp_path: Path) -> None:
    file = GgufFile(
        metadata=[("general.alignment", 4096)], tensors=[Tensor("a"), Tensor("b")], alignment=4096
    )
    header = read_header(file.write(tmp_path / "m.gguf"))
    assert (header.alignment, header.data_offset, header.tensors[1].offset) == (4096, 4096, 4096)


def test_padding_after_the_last_tensor_may_be_missing(tmp_path: Path) -> None:
    whole = GgufFile(tensors=[Tensor("a", (33,))]).to_bytes()
    path = tmp_path / "m.gguf"
    path.write_bytes(whole[: -(-33 * 4 % 32)])
    assert read_header(path).tensors[0].n_bytes == 132


class Drops(io.BytesIO):
    """A source that gives at most ``limit`` bytes at a time, and counts what it gave."""

    def __init__(self, content: bytes, *, limit: int) -> None:
        super().__init__(content)
        self.limit = limit
        self.n_given = 0
        self.n_reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        piece = super().read(self.limit if size is None or size < 0 else min(size, self.limit))
        self.n_given += len(piece)
        self.n_reads += 1
        return piece


def test_a_source_with_short_reads_is_read_completely() -> None:
    content = model_file().to_bytes()
    header = read_header_from(Drops(content, limit=13), size_bytes=len(content), path="m.gguf")
    assert (
        header.metadata
        == read_header_from(io.BytesIO(content), size_bytes=len(content), path="m.gguf").metadata
    )


def test_strings_across_windows_are_skipped_correctly() -> None:
    lengths = [
        0,
        1,
        WINDOW_BYTES - 30,
        5,
        WINDOW_BYTES * 2,
        0,
        3,
        WINDOW_BYTES - 8,
        *[n % 90 for n in range(9000)],
    ]
    content = GgufFile(
        metadata=[("texts", ArrayOf(files.STRING, ["x" * n for n in lengths])), ("after", 7)]
    ).to_bytes()
    header = read_header_from(io.BytesIO(content), size_bytes=len(content), path="m.gguf")
    assert header.metadata["after"] == 7


def test_tensor_data_and_long_arrays_are_never_read() -> None:
    content = GgufFile(
        metadata=[("numbers", ArrayOf(files.F64, [1.0] * 500_000))], tensors=[Tensor("t", (1_000_000,))]
    ).to_bytes()
    source = Drops(content, limit=len(content))
    read_header_from(source, size_bytes=len(content), path="m.gguf")
    assert source.n_given <= 2 * WINDOW_BYTES


def test_a_window_is_read_once() -> None:
    lists = [(f"k{n}", ArrayOf(files.STRING, ["text"] * 100)) for n in range(50)]
    content = GgufFile(metadata=lists).to_bytes()
    source = Drops(content, limit=len(content))
    read_header_from(source, size_bytes=len(content), path="m.gguf")
    assert source.n_reads == 1


@pytest.mark.parametrize("name", ["模型 ñ 🦙.gguf", "A" * 250 + ".gguf", "e\u0301.gguf", " leading.gguf"])
def test_files_of_any_name_are_read(tmp_path: Path, name: str) -> None:
    assert read_header(model_file().write(tmp_path / name)).path == str(tmp_path / name)


def test_a_missing_file_is_reported_as_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelFileMissing):
        read_header(tmp_path / "no.gguf")


@pytest.mark.parametrize("path", ["a\0b", "a\ud800b", ""])
def test_an_invalid_path_is_reported_as_missing(path: str) -> None:
    with pytest.raises(ModelFileMissing):
        read_header(path)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelFileInvalid, match="it is a folder"):
        read_header(tmp_path)


def test_a_named_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("the system has no named pipes")
    os.mkfifo(tmp_path / "pipe.gguf")
    with pytest.raises(ModelFileInvalid, match="not an ordinary file"):
        read_header(tmp_path / "pipe.gguf")


class Failing(io.BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


def test_an_error_of_the_source_is_raised() -> None:
    with pytest.raises(OSError, match="Input/output"):
        read_header_from(Failing(b""), size_bytes=100, path="m.gguf")


def test_a_file_that_shrinks_while_it_is_read_is_incomplete() -> None:
    content = model_file().to_bytes()
    with pytest.raises(ModelFileInvalid, match="incomplete"):
        read_header_from(io.BytesIO(content[:200]), size_bytes=len(content), path="m.gguf")
