"""Measure the library: 2,000 files found, read for the first time, and found again.

Usage: PYTHONPATH=tests python tests/tools/bench/library.py [--files 2000] [--tokens 32000] [--folder FOLDER]
Prints seconds until the first lines and until all of them, for a cold cache (every header is read) and a warm
one (by a new process's library), the time of one look for changes, and the cost of damaged headers.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from fakes.gguf_files import model_file
from fireside.core.errors import ModelFileInvalid
from fireside.core.model import ModelEntry
from fireside.gguf import read_header_from
from fireside.library import Library

QUANTS = ("Q4_K_M", "Q5_K_M", "Q6_K", "Q8_0")


def main() -> None:
    """Print one line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--tokens", type=int, default=32_000, help="entries of each vocabulary")
    parser.add_argument("--mutants", type=int, default=2_000)
    parser.add_argument("--folder", type=Path, help="where to make the files; a temporary one by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        root = Path(name)
        write_models(root / "models", n_files=arguments.files, n_tokens=arguments.tokens)
        print(f"{arguments.files:,} files, vocabularies of {arguments.tokens:,}")
        scan("cold", library_of(root))
        for _ in range(3):
            scan("warm", library_of(root))
        library = library_of(root)
        scan("warm", library)
        looks = [timed(library.has_changed) for _ in range(5)]
        print(f"look for changes: {statistics.median(looks) * 1000:.0f} ms")
        header = (root / "models" / "owner-0" / "model-0" / f"model-0-{QUANTS[0]}.gguf").read_bytes()
    damage(header, n_mutants=arguments.mutants)


def write_models(folder: Path, *, n_files: int, n_tokens: int) -> None:
    """Four sizes of each model, each model in a folder of its own."""
    tokens = [f"token {number}" for number in range(n_tokens)]
    for number in range(n_files):
        model = number // len(QUANTS)
        changes = {
            "tokenizer.ggml.tokens": tokens,
            "general.name": f"model {number}",
            "pad": "x" * (number % 97),
        }
        name = f"owner-{model % 40}/model-{model}/model-{model}-{QUANTS[number % len(QUANTS)]}.gguf"
        model_file(changes=changes).write(folder / name)


def library_of(root: Path) -> Library:
    """Return the library as a new run of the program has it."""
    return Library(
        library_folder=root / "models",
        starter_folder=root / "none",
        added=(),
        cache_path=root / "cache" / "models.json",
        trash=lambda _: None,
    )


def scan(what: str, library: Library) -> None:
    """Scan once and print when the first lines and the last came."""
    first_s: list[float] = []
    started_s = time.perf_counter()

    def on_found(_: tuple[ModelEntry, ...]) -> None:
        if not first_s:
            first_s.append(time.perf_counter() - started_s)

    entries = library.scan(on_found)
    all_s = time.perf_counter() - started_s
    first = f"first lines {first_s[0] * 1000:.0f} ms, " if first_s else ""
    print(f"{what}: {first}all {len(entries):,} {all_s * 1000:.0f} ms")


def timed(what: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    started_s = time.perf_counter()
    what()
    return time.perf_counter() - started_s


def damage(header: bytes, *, n_mutants: int) -> None:
    """Print the slowest of many damaged headers, and the memory of the process."""
    chance = random.Random(1)
    took: list[float] = []
    for _ in range(n_mutants):
        content = bytearray(header)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(2_000)
            content[at : at + 8] = chance.randbytes(8)
        started_s = time.perf_counter()
        with contextlib.suppress(ModelFileInvalid):
            read_header_from(io.BytesIO(content), size_bytes=len(content), path="m.gguf")
        took.append(time.perf_counter() - started_s)
    n_mib = psutil.Process().memory_info().rss / 2**20
    print(
        f"{n_mutants:,} damaged headers of {len(header) / 1e6:.1f} MB: "
        f"median {statistics.median(took) * 1e3:.2f} ms, slowest {max(took) * 1e3:.1f} ms; "
        f"the process has {n_mib:.0f} MiB"
    )


if __name__ == "__main__":
    main()
