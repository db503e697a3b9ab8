"""The header reader with invalid files: each case of llama.cpp's own tests, with a reason for the user."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest

from fakes import gguf_files as files
from fakes.gguf_files import ArrayOf, GgufFile, Tensor, Typed, model_file
from fireside.core.errors import ModelFileInvalid
from fireside.core.i18n import render
from fireside.gguf import read_header, read_header_from
from fireside.gguf.metadata import MAX_KEPT_BYTES
from fireside.gguf.reader import MAX_PADDING


def reason_for(content: bytes, folder: Path) -> str:
    path = folder / "m.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelFileInvalid) as caught:
        read_header(path)
    assert caught.value.path == str(path)
    return render(caught.value.reason)


FOREIGN = {
    "empty": (b"", "it is empty."),
    "web page": (b"\n <!DOCTYPE html><html>", "it is a web page."),
    "web page with mark": (b"\xef\xbb\xbf<html lang=en>", "it is a web page."),
    "error message": (b'{"error": "gated"}', "it is a JSON text."),
    "zip": (b"PK\x03\x04rest", "it is an archive."),
    "gzip": (b"\x1f\x8b\x08\x00", "it is an archive."),
    "safetensors": (struct.pack("<Q", 900) + b'{"__metadata__"', "it is a safetensors file."),
    "pickle": (b"\x80\x02}q\x00", "it is a PyTorch file."),
    "git lfs": (b"version https://git-lfs.github.com/spec/v1\n", "it is only a pointer"),
    "ggml": (b"lmgg" + bytes(60), "old GGML format"),
    "ggjt": (b"tjgg\x03\0\0\0", "old GGML format"),
    "ggmf": (b"fmgg\x01\0\0\0", "old GGML format"),
    "old lora": (b"algg\x01\0\0\0", "old GGML format"),
    "program": (b"\x7fELF\x02\x01\x01", "it is a program."),
    "zeros": (bytes(4096), "starts with zeros"),
    "reversed magic": (b"FUGG\0\0\0\3", "big-endian"),
    "something": (b"GGML1234", "not a GGUF file (its first bytes are 47 47 4d 4c)"),
    "one byte": (b"G", "not a GGUF file (its first bytes are 47)"),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_other_file_formats_are_recognized(tmp_path: Path, kind: str) -> None:
    content, expected = FOREIGN[kind]
    assert expected in reason_for(content, tmp_path)


VERSIONS = {0: "version 0", 1: "GGUF version 1", 4: "GGUF version 4 is not supported", 3 << 24: "big-endian"}


@pytest.mark.parametrize("version", VERSIONS)
def test_other_versions_are_refused_by_number(tmp_path: Path, version: int) -> None:
    assert VERSIONS[version] in reason_for(GgufFile(version=version).to_bytes(), tmp_path)


HUGE = 2**64 - 1
WRONG: dict[str, tuple[GgufFile, str]] = {
    "number of tensors": (GgufFile(n_tensors=65_537), "number of tensors (65537)"),
    "absurd number of tensors": (GgufFile(n_tensors=HUGE), "invalid number of tensors"),
    "number of properties": (GgufFile(n_metadata=65_537), "number of properties (65537)"),
    "more properties than there are": (GgufFile(n_metadata=1), "middle of its header"),
    "more tensors than there are": (GgufFile(n_tensors=1), "middle of its header"),
    "empty key": (GgufFile(metadata=[("", 1)]), "a property has no name"),
    "key that is no text": (GgufFile(metadata=[(b"\xff\xfe", 1)]), "name of a property is no text"),
    "duplicate key": (GgufFile(metadata=[("k", 1), ("k", 2)]), "property “k” is there twice"),
    "unknown type": (GgufFile(metadata=[("k", Typed(13, b"    "))]), "unknown type 13"),
    "huge type": (GgufFile(metadata=[("k", Typed(2**32 - 1, b""))]), "unknown type 4294967295"),
    "unknown element type": (GgufFile(metadata=[("k", ArrayOf(77, []))]), "unknown type 77"),
    "list of lists": (GgufFile(metadata=[("k", ArrayOf(files.ARRAY, [b""]))]), "list of lists"),
    "alignment zero": (GgufFile(metadata=[("general.alignment", 0)]), "alignment is 0, not a power"),
    "alignment odd": (GgufFile(metadata=[("general.alignment", 48)]), "alignment is 48, not a power"),
    "alignment huge": (GgufFile(metadata=[("general.alignment", 1 << 17)]), "alignment is 131072"),
    "alignment negative": (
        GgufFile(metadata=[("general.alignment", Typed(files.I32, -32))]),
        "alignment is -32",
    ),
    "alignment text": (GgufFile(metadata=[("general.alignment", "32")]), "alignment is not a number"),
    "alignment true": (GgufFile(metadata=[("general.alignment", True)]), "alignment is not a number"),
    "long tensor name": (
        GgufFile(tensors=[Tensor("n" * 64)]),
        "name of a tensor has an invalid length (64 bytes)",
    ),
    "tensor name that is no text": (GgufFile(tensors=[Tensor(b"\xff")]), "name of a tensor is no text"),
    "duplicate tensor": (GgufFile(tensors=[Tensor("t"), Tensor("t")]), "tensor “t” is there twice"),
    "five dimensions": (GgufFile(tensors=[Tensor("t", (2, 2, 2, 2, 2))]), "has 5 dimensions"),
    "dimension zero": (GgufFile(tensors=[Tensor("t", (32, 0))]), "impossible size"),
    "dimension negative": (GgufFile(tensors=[Tensor("t", (HUGE,), n_bytes=8)]), "impossible size"),
    "dimensions that overflow": (
        GgufFile(tensors=[Tensor("t", (2**32, 2**32), n_bytes=8)]),
        "impossible size",
    ),
    "dimensions that wrap to little": (
        GgufFile(tensors=[Tensor("t", (2**62, 4, 2), n_bytes=8)]),
        "impossible size",
    ),
    "believable elements, absurd bytes": (
        GgufFile(tensors=[Tensor("t", (2**62,), n_bytes=8)]),
        "lies outside the file",
    ),
    "part of a block": (
        GgufFile(tensors=[Tensor("t", (33,), type=2)]),
        "rows of 33 numbers, which Q4_0 cannot",
    ),
    "scalar in a block type": (GgufFile(tensors=[Tensor("t", (), type=12)]), "rows of 1 numbers"),
    "unknown tensor type": (GgufFile(tensors=[Tensor("t", type=43)]), "unsupported type (43)"),
    "negative tensor type": (
        GgufFile(tensors=[Tensor("t", type=2**32 - 1)]),
        "unsupported type (4,294,967,295)",
    ),
    "removed tensor type": (GgufFile(tensors=[Tensor("t", type=31)]), "quantization Q4_0_4_4"),
    "misaligned offset": (GgufFile(tensors=[Tensor("a"), Tensor("b", offset=129)]), "lies outside the file"),
    "offset not at the end of the one before": (
        GgufFile(tensors=[Tensor("a"), Tensor("b", offset=0)]),
        "does not begin where the one before it ends",
    ),
    "offset past the end": (GgufFile(tensors=[Tensor("t", offset=1 << 40)]), "tensor “t” lies outside"),
    "offset that wraps": (GgufFile(tensors=[Tensor("t", offset=HUGE)]), "tensor “t” lies outside"),
    "alignment that the tensors do not follow": (
        GgufFile(metadata=[("general.alignment", 64)], tensors=[Tensor("a", (8,)), Tensor("b", (8,))]),
        "the one before it ends",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_an_invalid_header_is_refused_with_a_reason(tmp_path: Path, kind: str) -> None:
    file, expected = WRONG[kind]
    assert expected in reason_for(file.to_bytes(), tmp_path)


LENGTHS = {
    "key": (struct.pack("<Q", 65_536), "name of a property has an invalid length (65536 bytes)"),
    "text": (
        files.string_bytes("k") + struct.pack("<IQ", files.STRING, (16 << 20) + 1),
        "“k” has an invalid length (16777217 bytes)",
    ),
    "numbers": (files.string_bytes("k") + struct.pack("<IIQ", files.ARRAY, files.F64, HUGE), "middle of its"),
    "texts": (
        files.string_bytes("k") + struct.pack("<IIQ", files.ARRAY, files.STRING, HUGE),
        "a list has an invalid length",
    ),
    "a text among many": (
        files.string_bytes("k")
        + struct.pack("<IIQ", files.ARRAY, files.STRING, 99)
        + struct.pack("<Q", HUGE),
        "a list entry has an invalid length",
    ),
    "a text among few": (
        files.string_bytes("k") + struct.pack("<IIQ", files.ARRAY, files.STRING, 1) + struct.pack("<Q", HUGE),
        "“k” has an invalid length",
    ),
}


@pytest.mark.parametrize("kind", LENGTHS)
def test_an_impossible_length_is_refused_before_reading(tmp_path: Path, kind: str) -> None:
    raw, expected = LENGTHS[kind]
    content = GgufFile(n_metadata=1).to_bytes() + raw + bytes(1000)
    assert expected in reason_for(content, tmp_path)


def test_a_truncated_header_is_refused() -> None:
    header = model_file().header_bytes()
    for length in range(len(header)):
        with pytest.raises(ModelFileInvalid, match=r"incomplete|not a GGUF|empty"):
            read_header_from(io.BytesIO(header[:length]), size_bytes=length, path="m.gguf")


def test_an_incomplete_download_names_its_size(tmp_path: Path) -> None:
    whole = GgufFile(tensors=[Tensor("t", (1_000_000,))]).to_bytes()
    reason = reason_for(whole[:3_100_000], tmp_path)
    assert reason == "the download is incomplete: 3.1 MB of 4.0 MB."


def test_a_file_that_lacks_one_byte_names_bytes(tmp_path: Path) -> None:
    whole = GgufFile(tensors=[Tensor("t", (1_000_000,))]).to_bytes()
    reason = reason_for(whole[:-1], tmp_path)
    assert f"{len(whole) - 1:,} of {len(whole):,} bytes" in reason


def test_what_follows_the_last_tensor_is_padding_at_most(tmp_path: Path) -> None:
    whole = model_file().to_bytes()
    path = tmp_path / "m.gguf"
    path.write_bytes(whole + bytes(MAX_PADDING))
    read_header(path)
    with path.open("ab") as file:
        file.truncate(len(whole) + 6_000_000_000)  # of which nothing is on the disk
    with pytest.raises(ModelFileInvalid, match=r"6\.0 GB behind its last tensor"):
        read_header(path)


def test_a_header_without_its_data_is_incomplete(tmp_path: Path) -> None:
    assert "download is incomplete" in reason_for(model_file().header_bytes(), tmp_path)


def test_names_in_messages_are_printable(tmp_path: Path) -> None:
    key = "a\u202egpj\n\x1b[2J" + "x" * 200
    reason = reason_for(GgufFile(metadata=[(key, 1), (key, 2)]).to_bytes(), tmp_path)
    assert reason.isprintable()
    assert len(reason) < 120


def test_the_total_size_of_keys_is_bounded(tmp_path: Path) -> None:
    n_keys = MAX_KEPT_BYTES // 65_000 + 1
    metadata = [(f"{n:05d}".ljust(65_000, "k"), True) for n in range(n_keys)]
    assert "larger than that of any model" in reason_for(GgufFile(metadata=metadata).to_bytes(), tmp_path)


def test_the_total_size_of_texts_is_bounded_by_omission(tmp_path: Path) -> None:
    metadata = [(f"k{n}", "x" * 262_144) for n in range(70)]
    header = read_header(GgufFile(metadata=metadata).write(tmp_path / "m.gguf"))
    kept = sum(len(value) for value in header.metadata.values() if isinstance(value, str))
    assert kept <= MAX_KEPT_BYTES
    assert len(header.metadata) == 70


def test_the_total_number_of_array_strings_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.gguf.cursor.MAX_ARRAY_STRINGS", 300)
    metadata = [(f"k{n}", ArrayOf(files.STRING, [""] * 120)) for n in range(3)]
    assert "invalid length (120)" in reason_for(GgufFile(metadata=metadata).to_bytes(), tmp_path)


def test_the_number_of_bytes_read_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fireside.gguf.cursor.MAX_READ_BYTES", 300_000)
    metadata = [("k", ArrayOf(files.STRING, ["x" * 1000] * 1000))]
    assert "larger than that of any model" in reason_for(GgufFile(metadata=metadata).to_bytes(), tmp_path)
