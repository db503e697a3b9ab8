"""Presets as a file: JSON that users may send to each other.

The file is one object::

    {"format": "fireside-presets", "version": 1, "presets": [ … ]}

A preset has the fields of ``core.preset.Preset`` except its id and the remembered values of its variables.
Fields that a reader does not know are ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import FiresideError
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import PresetId
from fireside.core.os_errors import render_os_error
from fireside.core.preset import MOST_PRESETS, Preset
from fireside.files.atomic_replace import replace_file

FORMAT: Final = "fireside-presets"
VERSION: Final = 1
MAX_BYTES: Final = 20_000_000


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    version: int
    presets: list[msgspec.Raw]


class PresetFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file's readable presets, not yet checked, and a sentence for each unreadable one."""

    presets: tuple[Preset, ...]
    skipped: tuple[str, ...] = ()


def write_presets(path: Path, presets: Sequence[Preset]) -> None:
    """Write ``presets`` to ``path``, whole or not at all. Blocks. Raises ``export_unwritable``."""
    plain = [_without_private(msgspec.to_builtins(_without_collections(preset))) for preset in presets]
    head = {"format": FORMAT, "version": VERSION, "presets": plain}
    text = json.dumps(head, indent=2, ensure_ascii=False) + "\n"
    try:
        replace_file(path, text.encode())
    except OSError as exc:
        raise FiresideError.of(
            "export_unwritable", path=str(path), reason=f"{render_os_error(exc)}."
        ) from exc


def read_presets(path: Path) -> PresetFile:
    """Read a file from anywhere; its contents are not trusted. Blocks. Raises ``import_unreadable``."""
    try:
        head = decode_json(_read(path), kind=_Head)
    except JsonInvalid as exc:
        raise _unreadable(path, tr_noop("it is not a preset file.")) from exc
    if head.format != FORMAT:
        raise _unreadable(path, tr_noop("it is not a preset file."))
    if head.version > VERSION:
        raise _unreadable(
            path, tr_noop("it is from a newer version of Fireside. Update Fireside to import it.")
        )
    if head.version < 1 or len(head.presets) > MOST_PRESETS:
        raise _unreadable(
            path,
            tr("it has more than {most} presets, or an unknown version.").format(most=MOST_PRESETS),
        )
    presets: list[Preset] = []
    skipped: list[str] = []
    for index, raw in enumerate(head.presets):
        try:
            preset = decode_json(raw, kind=Preset)
        except JsonInvalid:
            skipped.append(tr("Preset {place} cannot be read.").format(place=index + 1))
            continue
        presets.append(
            msgspec.structs.replace(_without_collections(preset), id=PresetId(0), remembered={}, source="")
        )
    return PresetFile(presets=tuple(presets), skipped=tuple(skipped))


def _without_collections(preset: Preset) -> Preset:
    """Return a preset without its document collections, which exist on one computer only."""
    settings = {key: value for key, value in preset.settings.items() if key != COLLECTIONS_KEY}
    return msgspec.structs.replace(preset, settings=settings)


def _without_private(fields: dict[str, object]) -> dict[str, object]:
    """Return the fields to export: neither private ones nor those with their default."""
    private = {"id", "remembered", "source"}
    return {key: value for key, value in fields.items() if key not in private and value not in ("", {}, None)}


def _read(path: Path) -> bytes:
    try:
        # Reading a pipe may block forever, and a device may never end.
        if not path.is_file():
            raise _unreadable(path, tr_noop("it is not a file."))
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as exc:
        raise _unreadable(path, f"{render_os_error(exc)}.") from exc
    if len(data) > MAX_BYTES:
        raise _unreadable(path, tr("it is larger than {most} MB.").format(most=MAX_BYTES // 1_000_000))
    return data


def _unreadable(path: Path, reason: str) -> FiresideError:
    return FiresideError.of("import_unreadable", path=os.fspath(path), reason=reason)
