"""The settings file: read whatever its state, replaced atomically, with one backup."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from pathlib import Path

from fireside.core.errors import SettingsDamaged, SettingsUnwritable
from fireside.core.i18n import render
from fireside.core.ids import ModelId
from fireside.core.os_errors import render_os_error
from fireside.files.atomic_replace import WriteFile, remove_leftovers, replace_file
from fireside.files.json_file import Unusable, read_regular_file, set_aside, unused_name
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


class SettingsFile:
    """The settings on disk, and the edits that could not be written yet.

    Any thread. Several programs may write: each edit is applied to the current file, so that only edits of
    the same key overwrite each other.
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
        """The document in force: the file, with the edits that could not be written."""
        return self._document

    def load(self) -> SettingsDamaged | None:
        """Read the file; if it is missing, this is the first start.

        A damaged file is renamed and replaced by the backup, if there is one. Returns the problem to show
        and never raises: the program starts with what could be read.
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
        """Apply ``edit`` in memory and on disk.

        Raises ``SettingsUnwritable`` if it cannot be written: it then applies in memory, and is written with
        the next change that succeeds.
        """
        with self._lock:
            self._unsaved[edit.model_id, edit.key] = edit
            try:
                self._document = apply(self._document, edit)
                self._save()
            except OSError as exc:
                raise SettingsUnwritable(path=str(self._path), reason=render_os_error(exc)) from exc

    def _save(self) -> None:
        """Apply the unsaved edits to the file, which another program may have changed, and write it."""
        content: bytes | None = None
        document = self._document
        try:
            content = self._read(self._path)
            if content is not None:
                document = self._decoded(content)
        except DocumentDamaged:
            content = None  # the document in memory replaces it
            set_aside(self._path)
        for edit in self._unsaved.values():
            document = apply(document, edit)
        self._document = document
        if content is not None:
            if self._backup.exists() and not self._backup.is_file():
                set_aside(self._backup)
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
        """Rename the damaged file and write ``replacement`` in its place.

        It is linked before it is replaced, so that there is a file at every moment; without one, the next
        start would be a first start. Returns the new name, or ``None`` if that failed and nothing changed.
        """
        try:
            aside = unused_name(self._path)
            if replacement is None:
                self._path.rename(aside)
                return aside
            try:
                if self._path.is_symlink() or not self._path.is_file():
                    raise NotImplementedError  # what a link points to would be replaced
                aside.hardlink_to(self._path)
            except (OSError, NotImplementedError):
                self._path.rename(aside)  # FAT has no hard links
        except OSError:
            return None
        try:
            self._write(self._path, encode(replacement))
        except OSError:
            with contextlib.suppress(OSError):
                if self._path.exists():
                    aside.unlink()  # only a link to the file
                else:
                    aside.rename(self._path)
            return None
        return aside

    def _decoded(self, content: bytes | None) -> Document:
        if content is None:
            return empty(migrations=self._migrations)
        return decode(content, migrations=self._migrations)

    @staticmethod
    def _read(path: Path) -> bytes | None:
        """Return the content of a file; ``None`` if it is missing. Raises ``DocumentDamaged``."""
        try:
            return read_regular_file(path, limit=SIZE_LIMIT)
        except Unusable as exc:
            raise DocumentDamaged(render(str(exc))) from exc
