"""Own the settings file: read it whatever its state, replace it whole, keep one backup."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fireside.core.errors import SettingsDamaged, SettingsUnwritable
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.os_errors import render_os_error
from fireside.files.atomic_replace import WriteFile, remove_leftovers, replace_file
from fireside.settings.document import (
    MIGRATIONS,
    SIZE_LIMIT,
    Document,
    DocumentDamaged,
    Edit,
    Migration,
    apply,
    decode,
    empty,
    encode,
)

_KEPT_LIMIT: Final = 100


class SettingsFile:
    """The settings as they are on disk, and what could not be written yet.

    Any thread. Two programs may write: each change is made to the file as it is at that moment, so the later
    one wins a key and none loses another.
    """

    def __init__(
        self,
        path: Path,
        *,
        write: WriteFile = replace_file,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self._path = path
        self._backup = path.with_name(f"{path.name}.backup")
        self._write = write
        self._migrations = migrations
        self._lock = threading.Lock()
        self._document = empty(migrations=migrations)
        self._unsaved: dict[tuple[ModelId | None, str], Edit] = {}

    @property
    def document(self) -> Document:
        """What holds now: the file, with every change on top that could not be written."""
        return self._document

    def load(self) -> SettingsDamaged | None:
        """Read the file; a missing one is a first start.

        A damaged one is kept under another name and the backup, else nothing, takes its place. Returns that
        as a problem to show and never raises: the program starts with whatever could be read.
        """
        with self._lock:
            remove_leftovers(self._path)
            try:
                content = self._read(self._path)
                self._document = self._decoded(content)
            except DocumentDamaged as exc:
                return self._restore(str(exc))
            except OSError as exc:
                self._document = empty(migrations=self._migrations)
                return SettingsDamaged(path=str(self._path), reason=render_os_error(exc))
            return None

    def change(self, edit: Edit) -> None:
        """Make ``edit`` in memory and on disk.

        Raises ``SettingsUnwritable`` if the disk does not take it: it holds in memory and is written with the
        next change that works.
        """
        with self._lock:
            self._unsaved[edit.model_id, edit.key] = edit
            try:
                self._document = apply(self._document, edit)
                self._save()
            except OSError as exc:
                raise SettingsUnwritable(path=str(self._path), reason=render_os_error(exc)) from exc

    def _save(self) -> None:
        """Write the file as another program may have left it, with our changes on top."""
        content: bytes | None = None
        document = self._document
        try:
            content = self._read(self._path)
            if content is not None:
                document = self._decoded(content)
        except DocumentDamaged:
            content = None  # ours is whole and replaces it
            self._path.rename(self._free_name())
        for edit in self._unsaved.values():
            document = apply(document, edit)
        self._document = document
        if content is not None:
            self._write(self._backup, content)
        self._write(self._path, encode(document))
        self._unsaved.clear()

    def _restore(self, reason: str) -> SettingsDamaged:
        try:
            backup = self._read(self._backup)
            document = None if backup is None else self._decoded(backup)
        except (OSError, DocumentDamaged):
            document = None
        self._document = empty(migrations=self._migrations) if document is None else document
        kept_as = self._set_aside(replacement=document)
        return SettingsDamaged(
            path=str(self._path),
            reason=reason,
            kept_as=None if kept_as is None else str(kept_as),
            restored=None if document is None else str(self._backup),
        )

    def _set_aside(self, *, replacement: Document | None) -> Path | None:
        """Give the damaged file another name and put ``replacement`` in its place.

        The second name comes before the replacement, so that at no moment is there no file, which would
        read as a first start. Returns the new name, ``None`` if the disk refuses: the file is then as it was.
        """
        try:
            aside = self._free_name()
            if replacement is None:
                self._path.rename(aside)
                return aside
            try:
                aside.hardlink_to(self._path)
            except (OSError, NotImplementedError):
                self._path.rename(aside)  # FAT knows no second names
        except OSError:
            return None
        try:
            self._write(self._path, encode(replacement))
        except OSError:
            with contextlib.suppress(OSError):
                if self._path.exists():
                    aside.unlink()  # a second name only: the file itself is still there
                else:
                    aside.rename(self._path)
            return None
        return aside

    def _free_name(self) -> Path:
        names = (self._path.with_name(f"{self._path.name}.damaged-{n}") for n in range(1, _KEPT_LIMIT))
        free = next((name for name in names if not name.exists()), None)
        if free is None:
            raise FileExistsError(tr("{count} damaged files are kept already").format(count=_KEPT_LIMIT - 1))
        return free

    def _decoded(self, content: bytes | None) -> Document:
        if content is None:
            return empty(migrations=self._migrations)
        return decode(content, migrations=self._migrations)

    @staticmethod
    def _read(path: Path) -> bytes | None:
        """Return the file's bytes, one more than the limit at most; ``None`` if there is none."""
        try:
            with path.open("rb") as file:
                return file.read(SIZE_LIMIT + 1)
        except FileNotFoundError:
            return None
