"""Damaged headers: each is read or refused with a reason, at a bounded cost, and ggml agrees."""

from __future__ import annotations

import io
import random
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import gguf_files as files
from fakes.ggml_oracle import CRASHED, REFUSED, GgmlOracle
from fakes.ggml_views import ggml_view
from fakes.gguf_files import ArrayOf, GgufFile, Tensor, Typed, model_file
from fireside.core.errors import ModelFileInvalid
from fireside.core.i18n import render
from fireside.core.ids import ModelId
from fireside.gguf import GgufHeader, model_spec, read_header_by_ranges, read_header_from
from fireside.gguf.cursor import WINDOW_BYTES

SEED = 20_260
N_SMALL = 6_000
N_STARTER = 600
N_AGAINST_GGML = 500
N_BY_RANGES = 160

NUMBERS = [0, 1, 2, 0x1F, 0x20, 0xFF, 0x201, 0x7FFF, 0xFFFF, 1 << 16, 1 << 20, 1 << 24, 0x7FFFFFFF, 1 << 31]
NUMBERS += [0xFFFFFFFF, 1 << 32, 1 << 40, 1 << 62, 0x7FFFFFFFFFFFFFFF, 1 << 63, 0xFFFFFFFFFFFFFFFF]
NOISE = b"\x00\xff\xfe\x80<{\n%"


def bases() -> list[bytes]:
    """Small right files that between them hold every construction of the format."""
    every_type: list[tuple[str | bytes, files.Value]]
    every_type = [(f"k{kind}", Typed(kind, 1)) for kind in (*range(8), files.U64, files.I64, files.F64)]
    every_type += [
        ("list", ArrayOf(files.STRING, ["ab", "", "c" * 40])),
        ("numbers", ArrayOf(files.F32, [1.0, 2.0])),
    ]
    tensors = [
        Tensor("a", (32, 2), type=2),
        Tensor("b", ()),
        Tensor("c", (256,), type=14),
        Tensor("d", (4, 3, 2, 1)),
    ]
    return [
        model_file().to_bytes(),
        GgufFile(version=2, metadata=every_type, tensors=tensors).to_bytes(),
        GgufFile(metadata=[("general.alignment", 8)], tensors=tensors, alignment=8).to_bytes(),
        GgufFile(metadata=[(f"k{n}", "v") for n in range(20)]).to_bytes(),
    ]


@dataclass(frozen=True)
class Mutant:
    number: int
    content: bytes


def mutate(base: bytes, *, number: int, n_header: int) -> Mutant:
    """Return the mutant of this number: the same bytes for the same number, for ever."""
    chance = random.Random(f"{SEED}/{number}")
    content = bytearray(base)
    for _ in range(1 if chance.random() < 0.6 else chance.randint(2, 6)):
        end = min(n_header, len(content) - 9)
        if end <= 0:
            break
        _damage(content, at=chance.randrange(end), chance=chance)
    return Mutant(number=number, content=bytes(content))


def _damage(content: bytearray, *, at: int, chance: random.Random) -> None:
    match chance.choice(("bit", "byte", "u32", "u64", "cut", "repeat", "delete", "swap", "noise")):
        case "bit":
            content[at] ^= 1 << chance.randrange(8)
        case "byte":
            content[at] = chance.randrange(256)
        case "u32":
            content[at : at + 4] = struct.pack("<I", chance.choice(NUMBERS) & 0xFFFFFFFF)
        case "u64":
            content[at : at + 8] = struct.pack("<Q", chance.choice(NUMBERS))
        case "cut":
            del content[chance.randrange(len(content)) :]
        case "repeat":
            content[at:at] = content[at : at + chance.randint(1, 64)]
        case "delete":
            del content[at : at + chance.randint(1, 64)]
        case "swap":
            content[at : at + 8] = content[at + 4 : at + 8] + content[at : at + 4]
        case "noise":
            content[at : at + 4] = bytes(chance.choice(NOISE) for _ in range(4))


class Counting(io.BytesIO):
    """Counts what was asked of it: the work that a file can cause."""

    n_read_bytes = 0
    n_reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size >= 0
        piece = super().read(size)
        self.n_read_bytes += len(piece)
        self.n_reads += 1
        return piece


READ = ""


def refusal(content: bytes) -> str:
    """Read ``content``; return the reason of the refusal, or ``READ``. Anything else raised is a failure."""
    source = Counting(content)
    reason = READ
    try:
        header = read_header_from(source, size_bytes=len(content), path="m.gguf")
        model_spec(header, path="m.gguf", id=ModelId("m"))
    except ModelFileInvalid as exc:
        reason = render(exc.reason)
    if reason:
        assert reason.endswith(".")
        assert reason.isprintable()
        assert len(reason) < 250
    # Forwards only: no byte is given twice, but for what one window shares with the next.
    assert source.n_read_bytes <= 2 * len(content) + 512
    assert source.n_reads <= 4 + 2 * len(content) // WINDOW_BYTES
    return reason


def test_mutants_of_small_files_are_read_or_refused(abuse_scale: int) -> None:
    counts: Counter[str] = Counter()
    originals = bases()
    for number in range(N_SMALL * abuse_scale):
        base = originals[number % len(originals)]
        mutant = mutate(base, number=number, n_header=len(base))
        counts["refused" if refusal(mutant.content) else "read"] += 1
    assert counts["read"] > N_SMALL // 50
    assert counts["refused"] > N_SMALL // 2


def verdict(content: bytes, *, by_ranges: bool) -> GgufHeader | str:
    try:
        if by_ranges:
            return read_header_by_ranges(
                lambda offset, n: content[offset : offset + n], size_bytes=len(content), path="m.gguf"
            )
        return read_header_from(io.BytesIO(content), size_bytes=len(content), path="m.gguf")
    except ModelFileInvalid as exc:
        return render(exc.reason)


def test_mutants_are_the_same_to_a_reader_by_ranges(starter_model_path: Path, abuse_scale: int) -> None:
    with starter_model_path.open("rb") as file:
        header = file.read(1_800_000)
    small = bases()
    for number in range(N_BY_RANGES * abuse_scale):
        base = header if number % 4 == 0 else small[number % len(small)]
        content = mutate(base, number=number, n_header=min(len(base), 1_785_000)).content
        # NaN differs from itself.
        assert repr(verdict(content, by_ranges=True)) == repr(verdict(content, by_ranges=False)), number


def test_mutants_of_the_starter_model_are_read_or_refused(starter_model_path: Path, abuse_scale: int) -> None:
    size = starter_model_path.stat().st_size
    with starter_model_path.open("rb") as file:
        header = file.read(1_800_000)
    counts: Counter[str] = Counter()
    for number in range(N_STARTER * abuse_scale):
        mutant = mutate_sparse(header, number=number)
        try:
            read_header_from(io.BytesIO(mutant), size_bytes=size, path="m.gguf")
            counts["read"] += 1
        except ModelFileInvalid:
            counts["refused"] += 1
    assert counts["read"] > 0
    assert counts["refused"] > 0


def mutate_sparse(header: bytes, *, number: int) -> bytes:
    """Damage where the structure is: the first 2 kB and the last 30 kB, not the words of the vocabulary."""
    chance = random.Random(f"{SEED}/starter/{number}")
    content = bytearray(header)
    at = chance.randrange(2_000) if chance.random() < 0.5 else chance.randrange(1_755_000, 1_785_000)
    _damage(content, at=at, chance=chance)
    return bytes(content)


OWN_LIMITS = (
    "download is incomplete",  # ggml looks at the tensors' data only when it loads them
    "lies outside the file",
    "impossible size",  # a tensor without elements
    "is no text",
    "not a power of two up to 65,536",
    "an invalid length (",  # texts over 16 MiB
    "invalid number of properties",
    "invalid number of tensors",
    "a list has an invalid length",
)
"""Why we may refuse what ggml takes. Everything else we refuse, ggml refuses too."""


@pytest.mark.parametrize("base", range(4))
def test_what_is_read_reads_as_in_ggml_and_what_ggml_refuses_is_refused(
    tmp_path: Path, base: int, abuse_scale: int
) -> None:
    original = bases()[base]
    path = tmp_path / "m.gguf"
    n_compared = 0
    with GgmlOracle() as oracle:
        for number in range(N_AGAINST_GGML // 4 * abuse_scale):
            mutant = mutate(original, number=number * 4 + base, n_header=len(original))
            path.write_bytes(mutant.content)
            theirs, mine = oracle.header(path), our_view(mutant.content)
            if isinstance(mine, str):
                explained = any(limit in mine for limit in OWN_LIMITS)
                assert theirs in (REFUSED, CRASHED) or explained, (mutant.number, mine)
            else:
                assert theirs == mine, mutant.number
                n_compared += 1
    assert n_compared > 0


def our_view(content: bytes) -> Any:
    """Return what we read in the oracle's words, or the reason why we refuse."""
    try:
        return ggml_view(read_header_from(io.BytesIO(content), size_bytes=len(content), path="m.gguf"))
    except ModelFileInvalid as exc:
        return render(exc.reason)


@given(st.binary(max_size=400))
def test_random_bytes_are_refused(content: bytes) -> None:
    assert refusal(content)


@given(st.sampled_from([2, 3]), st.integers(0, 3), st.integers(0, 3), st.binary(max_size=300))
def test_random_bytes_after_a_right_beginning_are_read_or_refused(
    version: int, n_tensors: int, n_metadata: int, rest: bytes
) -> None:
    refusal(b"GGUF" + struct.pack("<IQQ", version, n_tensors, n_metadata) + rest)


texts = st.text(st.characters(codec="utf-8"), max_size=80)
values = st.one_of(
    st.integers(0, 2**32 - 1),
    st.booleans(),
    texts,
    st.lists(texts, min_size=1, max_size=90),
    st.lists(st.integers(-(2**31), 2**31 - 1), max_size=90),
    st.integers(-(2**63), 2**63 - 1).map(lambda n: Typed(files.I64, n)),
)
keys = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40).filter(
    lambda key: key != "general.alignment"
)


@given(st.dictionaries(keys, values, max_size=12), st.lists(st.integers(1, 4), max_size=4))
def test_whatever_is_written_reads_back(metadata: dict[str, files.Value], n_dimensions: list[int]) -> None:
    tensors = [Tensor(f"t{n}", (n + 1,) * dimensions) for n, dimensions in enumerate(n_dimensions)]
    content = GgufFile(metadata=list(metadata.items()), tensors=tensors).to_bytes()
    header = read_header_from(io.BytesIO(content), size_bytes=len(content), path="m.gguf")
    assert list(header.metadata) == list(metadata)
    for key, value in metadata.items():
        if isinstance(value, list) and len(value) <= 64:
            assert header.metadata[key] == tuple(value)
        elif isinstance(value, list):
            assert header.length(key) == len(value)
        else:
            assert header.metadata[key] == (value.value if isinstance(value, Typed) else value)
    assert [tensor.shape for tensor in header.tensors] == [tensor.shape for tensor in tensors]
