"""The folder of the runtimes that the user added, one flat folder each, and their history."""

from __future__ import annotations

import contextlib
import logging
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.core.errors import RuntimeNotAdded, RuntimeNotFound, RuntimeRefused, RuntimeUnwritable
from fireside.core.i18n import tr
from fireside.core.os_errors import render_os_error
from fireside.core.runtime import BUILT_IN, RUNTIME_ARCHIVES, Runtime, RuntimeState, RuntimeTest
from fireside.engine.runtimes.manifest import (
    RuntimeManifest,
    changed_file,
    check_libraries,
    make_manifest,
    read_manifest,
    write_manifest,
)
from fireside.engine.runtimes.runtime_history import RuntimeHistory, read_history, write_history
from fireside.files.private_files import make_private_folder

if TYPE_CHECKING:  # With all that reads archives, which few users ever add.
    from fireside.engine.runtimes.archive_extraction import OnProgress

_NEW: Final = ".adding-"
_NO_NAME: Final = re.compile(r"[^a-z0-9.]+")
_MAX_NAME: Final = 48
_COMMON_FOLDERS: Final = frozenset({"bin", "lib", "lib64", "build", "release"})

log = logging.getLogger(__name__)


class RuntimeStore:
    """Keeps runtimes. Every method blocks for the disk; any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()

    @property
    def folder(self) -> Path:
        """Where the runtimes lie."""
        return self._folder

    def runtimes(self) -> tuple[Runtime, ...]:
        """Return those that were added, by name. A folder that makes no sense is left out."""
        marks = self.marks()
        found = []
        for folder in sorted(self._folders()):
            try:
                manifest = read_manifest(folder)
            except RuntimeNotAdded as exc:
                log.warning("%s", exc)
                continue
            if manifest is not None:
                found.append(_runtime(folder, manifest, marks=marks))
        return tuple(found)

    def find(self, name: str) -> Runtime:
        """Return one that was added. Raises ``RuntimeNotFound``."""
        for runtime in self.runtimes():
            if runtime.name == name:
                return runtime
        raise RuntimeNotFound(name=name)

    def marks(self) -> RuntimeHistory:
        """Return what is remembered now, also by another process of the program."""
        return read_history(self._folder)

    def remember(self, change: Callable[[RuntimeHistory], RuntimeHistory]) -> RuntimeHistory:
        """Change what is remembered and return it. Raises ``RuntimeUnwritable``."""
        with self._lock:
            before = self.marks()
            after = change(before)
            if after != before:
                write_history(self._folder, after)
            return after

    def usable_folder(self, name: str) -> Path | None:
        """Return the folder of a runtime that may be used; ``None`` means the built-in one is to be used."""
        # A name that was given here is never a way out of the folder; one from the settings may be anything.
        if name == BUILT_IN or _slug(name) != name:
            return None
        test = self.marks().tests.get(name)
        folder = self._folder / name
        return folder if test is not None and test.works and folder.is_dir() else None

    @contextlib.contextmanager
    def unpacked(self, source: Path, *, on_progress: OnProgress) -> Iterator[Path]:
        """Give the checked files of ``source`` in a folder that goes at the end of the block, unless kept.

        Raises ``RuntimeNotAdded``, ``RuntimeUnwritable``, or what ``on_progress`` raises.
        """
        from fireside.engine.runtimes.archive_extraction import unpack

        with self._writing():
            make_private_folder(self._folder)
            for leftover in self._folder.glob(f"{_NEW}*"):
                shutil.rmtree(leftover, ignore_errors=True)
            new = self._folder / f"{_NEW}{_slug(_stem(source.name))}"
            new.mkdir(mode=0o700)
        try:
            with self._writing():
                unpack(source, target=new, on_progress=on_progress)
                check_libraries(new, source=source.name)
            yield new
        finally:
            shutil.rmtree(new, ignore_errors=True)

    def keep(self, new: Path, *, source: Path, llama_cpp: str, binding: str) -> Runtime:
        """Give an unpacked runtime its name and its place. Raises ``RuntimeNotAdded``."""
        theirs = read_manifest(new)
        if theirs is not None and (changed := changed_file(new, theirs)) is not None:
            raise RuntimeNotAdded(
                source=source.name, reason=tr("“{changed}” in it is damaged.").format(changed=changed)
            )
        with self._writing(), self._lock:
            name = self._free_name(theirs.name if theirs is not None else _name_for(source))
            manifest = make_manifest(new, name=name, llama_cpp=llama_cpp, binding=binding)
            if theirs is not None and theirs.licence:
                manifest = msgspec.structs.replace(manifest, licence=theirs.licence[:200])
            write_manifest(new, manifest)
            new.rename(self._folder / name)
        # What is remembered of an earlier one of this name is not of this one.
        self.remember(lambda marks: marks.without(name))
        return self.find(name)

    def changed_file(self, name: str) -> str | None:
        """Return the name of a file that is not as it was when the runtime was added, if there is one."""
        manifest = read_manifest(self._folder / name)
        return None if manifest is None else changed_file(self._folder / name, manifest)

    def note_test(self, name: str, test: RuntimeTest) -> Runtime:
        """Remember how a runtime did, and return it. Raises ``RuntimeNotFound``."""
        self.find(name)
        self.remember(lambda marks: marks.with_test(name, test))
        return self.find(name)

    def remove(self, name: str) -> None:
        """Delete a runtime's files.

        Raises ``RuntimeNotFound``, ``RuntimeRefused`` or ``RuntimeUnwritable``.
        """
        if name == BUILT_IN:
            raise RuntimeRefused(name=name, reason=tr("Part of Fireside; cannot be removed."))
        folder = Path(self.find(name).folder)
        with self._writing(), self._lock:
            # Out of the way in one step: half a runtime is never seen under its name.
            gone = self._folder / f"{_NEW}removed-{name}"
            shutil.rmtree(gone, ignore_errors=True)
            folder.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
        self.remember(lambda marks: marks.without(name))

    def _folders(self) -> list[Path]:
        try:
            return [
                entry for entry in self._folder.iterdir() if entry.is_dir() and not entry.name.startswith(".")
            ]
        except OSError:
            return []

    def _free_name(self, wanted: str) -> str:
        base = _slug(wanted)
        taken = {folder.name for folder in self._folders()} | {BUILT_IN}
        name, number = base, 2
        while name in taken:
            name, number = f"{base}-{number}", number + 1
        return name

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as exc:
            raise RuntimeUnwritable(path=str(self._folder), reason=render_os_error(exc)) from exc


def _runtime(folder: Path, manifest: RuntimeManifest, *, marks: RuntimeHistory) -> Runtime:
    test = marks.tests.get(folder.name)
    state = RuntimeState.UNTESTED
    if test is not None:
        state = RuntimeState.WORKS if test.works else RuntimeState.FAILED
    return Runtime(
        name=folder.name,
        llama_cpp=manifest.llama_cpp,
        backends=manifest.backends,
        platform=manifest.platform,
        folder=str(folder),
        n_bytes=size_of(folder),
        licence=manifest.licence,
        state=state,
        test=test,
    )


def size_of(folder: Path) -> int:
    """Return the bytes that a folder's files take on the disk; several names of one file count once."""
    sizes = {}
    with contextlib.suppress(OSError):
        for file in folder.iterdir():
            status = file.stat()
            sizes[status.st_dev, status.st_ino] = status.st_size
    return sum(sizes.values())


def _name_for(source: Path) -> str:
    """A folder such as “bin” is named by the one that it is in: alone it says nothing."""
    name = _stem(source.name)
    return source.parent.name if name.lower() in _COMMON_FOLDERS and source.parent.name else name


def _stem(file_name: str) -> str:
    for suffix in RUNTIME_ARCHIVES:
        if file_name.lower().endswith(suffix):
            return file_name[: -len(suffix)]
    return file_name


def _slug(name: str) -> str:
    return _NO_NAME.sub("-", name.lower()).strip("-.")[:_MAX_NAME].strip("-.") or "runtime"
