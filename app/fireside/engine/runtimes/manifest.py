"""A runtime's manifest, ``runtime.json``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import RuntimeNotAdded
from fireside.core.i18n import tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.runtime import this_platform
from fireside.engine.runtimes.libraries import (
    backends_among,
    is_licence,
    library_name,
    missing_libraries,
    platform_label,
    platform_of,
)
from fireside.files.atomic_replace import replace_file
from fireside.files.digest import digest_of
from fireside.files.json_file import Unusable, read_regular_file

MANIFEST_NAME: Final = "runtime.json"
MAX_MANIFEST_BYTES: Final = 1 << 20


class RuntimeManifest(msgspec.Struct, frozen=True, kw_only=True):
    """The properties of a runtime, and the digests of its files."""

    name: str
    llama_cpp: str
    """Version of llama.cpp."""
    binding: str
    """Version of llama-cpp-python whose structures match the libraries."""
    backends: tuple[str, ...]
    platform: str
    files: dict[str, str]
    """SHA-256 in hexadecimal digits, by the names of the files in the folder."""
    licence: str = ""


def read_manifest(folder: Path) -> RuntimeManifest | None:
    """Return a folder's manifest; ``None`` if it has none.

    Raises ``RuntimeNotAdded`` if it cannot be read.
    """
    path = folder / MANIFEST_NAME
    try:
        content = read_regular_file(path, limit=MAX_MANIFEST_BYTES)
        return None if content is None else decode_json(content, kind=RuntimeManifest)
    except OSError as exc:
        raise RuntimeNotAdded(source=folder.name, reason=f"{render_os_error(exc)}.") from exc
    except (JsonInvalid, Unusable) as exc:
        raise RuntimeNotAdded(
            source=folder.name, reason=tr("its {file} cannot be read.").format(file=MANIFEST_NAME)
        ) from exc


def write_manifest(folder: Path, manifest: RuntimeManifest) -> None:
    """Write the manifest into its folder. Raises ``OSError``."""
    replace_file(folder / MANIFEST_NAME, msgspec.json.format(msgspec.json.encode(manifest), indent=2))


def make_manifest(folder: Path, *, name: str, llama_cpp: str, binding: str) -> RuntimeManifest:
    """Return a manifest for the files in a folder. Raises ``OSError``."""
    names = sorted(file.name for file in folder.iterdir() if file.is_file() and file.name != MANIFEST_NAME)
    return RuntimeManifest(
        name=name,
        llama_cpp=llama_cpp,
        binding=binding,
        backends=backends_among(names),
        platform=this_platform(),
        files={file_name: digest_of(folder / file_name) for file_name in names},
        licence=next((file_name for file_name in names if is_licence(file_name)), ""),
    )


def changed_file(folder: Path, manifest: RuntimeManifest) -> str | None:
    """Return the name of a file whose digest differs from the manifest, if there is one."""
    for name, digest in manifest.files.items():
        # A path to another folder is not a file of this one.
        if Path(name).name != name:
            return name
        try:
            if digest_of(folder / name) != digest:
                return name
        except OSError:
            return name
    return None


def check_libraries(folder: Path, *, source: str) -> None:
    """Raise ``RuntimeNotAdded`` if the folder lacks a library, or has libraries for another platform."""
    names = [file.name for file in folder.iterdir() if file.is_file()]
    if missing := missing_libraries(names):
        listed = ", ".join(missing)
        raise RuntimeNotAdded(
            source=source,
            reason=tr("these libraries of llama.cpp are not in it: {listed}.").format(listed=listed),
        )
    if not backends_among(names):
        raise RuntimeNotAdded(source=source, reason=tr_noop("it has no backend, not even for the CPU."))
    for name in names:
        if library_name(name) is None:
            continue
        library_platform = platform_of(folder / name)
        if library_platform is None:
            raise RuntimeNotAdded(
                source=source, reason=tr("“{name}” in it is not a library.").format(name=name)
            )
        if library_platform != this_platform():
            raise RuntimeNotAdded(
                source=source,
                reason=tr("it is made for {needed}, and this computer is {present}.").format(
                    needed=platform_label(library_platform), present=platform_label(this_platform())
                ),
            )
