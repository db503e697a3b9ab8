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

from fireside.core.errors import RuntimeBuildError, RuntimeNotAdded
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

if TYPE_CHECKING:  # Slow to import, and only needed to add a runtime.
    from fireside.engine.runtimes.archive_extraction import OnProgress

_TEMPORARY_PREFIX: Final = ".adding-"
_NOT_IN_SLUG: Final = re.compile(r"[^a-z0-9.]+")
_MAX_NAME: Final = 48
_COMMON_FOLDERS: Final = frozenset({"bin", "lib", "lib64", "build", "release"})

log = logging.getLogger(__name__)


class RuntimeStore:
    """The added runtimes. Every method blocks on the disk; any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()

    @property
    def folder(self) -> Path:
        """The folder that contains the runtimes."""
        return self._folder

    def runtimes(self) -> tuple[Runtime, ...]:
        """Return the added runtimes, sorted by name. A folder with an invalid manifest is left out."""
        history = self.history()
        runtimes = []
        for folder in sorted(self._folders()):
            try:
                manifest = read_manifest(folder)
            except RuntimeNotAdded as exc:
                log.warning("%s", exc)
                continue
            if manifest is not None:
                runtimes.append(_runtime(folder, manifest, history=history))
        return tuple(runtimes)

    def find(self, name: str) -> Runtime:
        """Return an added runtime. Raises ``runtime_not_found``."""
        for runtime in self.runtimes():
            if runtime.name == name:
                return runtime
        raise RuntimeBuildError.of("runtime_not_found", name=name)

    def history(self) -> RuntimeHistory:
        """Return the history as it is stored now; other processes of the program write it too."""
        return read_history(self._folder)

    def update_history(self, change: Callable[[RuntimeHistory], RuntimeHistory]) -> RuntimeHistory:
        """Replace the history by what ``change`` returns, and return that. Raises ``runtime_unwritable``."""
        with self._lock:
            before = self.history()
            after = change(before)
            if after != before:
                write_history(self._folder, after)
            return after

    def usable_folder(self, name: str) -> Path | None:
        """Return the folder of a runtime that passed its test; ``None`` stands for the built-in runtime."""
        # A name from the settings may be anything, such as a path; an added runtime's name is its own slug.
        if name == BUILT_IN or _slug(name) != name:
            return None
        test = self.history().tests.get(name)
        folder = self._folder / name
        return folder if test is not None and test.works and folder.is_dir() else None

    @contextlib.contextmanager
    def unpacked(self, source: Path, *, on_progress: OnProgress) -> Iterator[Path]:
        """Yield a folder with the checked files of ``source``, deleted after the block unless it is added.

        Raises ``RuntimeNotAdded``, ``runtime_unwritable``, or what ``on_progress`` raises.
        """
        from fireside.engine.runtimes.archive_extraction import unpack

        with self._writing():
            make_private_folder(self._folder)
            for leftover in self._folder.glob(f"{_TEMPORARY_PREFIX}*"):
                shutil.rmtree(leftover, ignore_errors=True)
            folder = self._folder / f"{_TEMPORARY_PREFIX}{_slug(_stem(source.name))}"
            folder.mkdir(mode=0o700)
        try:
            with self._writing():
                unpack(source, target=folder, on_progress=on_progress)
                check_libraries(folder, source=source.name)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def add(self, folder: Path, *, source: Path, llama_cpp: str, binding: str) -> Runtime:
        """Add the runtime in ``folder``, see ``unpacked``. Raises ``RuntimeBuildError``."""
        packed = read_manifest(folder)
        if packed is not None and (changed := changed_file(folder, packed)) is not None:
            raise RuntimeNotAdded(
                source=source.name, reason=tr("“{changed}” in it is damaged.").format(changed=changed)
            )
        with self._writing(), self._lock:
            name = self._free_name(packed.name if packed is not None else _name_for(source))
            manifest = make_manifest(folder, name=name, llama_cpp=llama_cpp, binding=binding)
            if packed is not None and packed.licence:
                manifest = msgspec.structs.replace(manifest, licence=packed.licence[:200])
            write_manifest(folder, manifest)
            folder.rename(self._folder / name)
        # An earlier runtime with this name has another history.
        self.update_history(lambda history: history.without(name))
        return self.find(name)

    def changed_file(self, name: str) -> str | None:
        """Return the name of a file that has changed since the runtime was added, if there is one."""
        manifest = read_manifest(self._folder / name)
        return None if manifest is None else changed_file(self._folder / name, manifest)

    def note_test(self, name: str, test: RuntimeTest) -> Runtime:
        """Record a test result, and return the runtime. Raises ``runtime_not_found``."""
        self.find(name)
        self.update_history(lambda history: history.with_test(name, test))
        return self.find(name)

    def remove(self, name: str) -> None:
        """Delete a runtime's files.

        Raises ``runtime_not_found``, ``runtime_refused`` or ``runtime_unwritable``.
        """
        if name == BUILT_IN:
            raise RuntimeBuildError.of(
                "runtime_refused", name=name, reason=tr("Part of Fireside; cannot be removed.")
            )
        folder = Path(self.find(name).folder)
        with self._writing(), self._lock:
            # Renamed first, so that no incomplete runtime is ever found under its name.
            removed = self._folder / f"{_TEMPORARY_PREFIX}removed-{name}"
            shutil.rmtree(removed, ignore_errors=True)
            folder.rename(removed)
            shutil.rmtree(removed, ignore_errors=True)
        self.update_history(lambda history: history.without(name))

    def _folders(self) -> list[Path]:
        try:
            return [
                entry for entry in self._folder.iterdir() if entry.is_dir() and not entry.name.startswith(".")
            ]
        except OSError:
            return []

    def _free_name(self, name: str) -> str:
        base = _slug(name)
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
            raise RuntimeBuildError.of(
                "runtime_unwritable", path=str(self._folder), reason=render_os_error(exc)
            ) from exc


def _runtime(folder: Path, manifest: RuntimeManifest, *, history: RuntimeHistory) -> Runtime:
    test = history.tests.get(folder.name)
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
    """Return the size of the files in a folder in bytes; hard links of one file count once."""
    sizes = {}
    with contextlib.suppress(OSError):
        for file in folder.iterdir():
            status = file.stat()
            sizes[status.st_dev, status.st_ino] = status.st_size
    return sum(sizes.values())


def _name_for(source: Path) -> str:
    """Return the name of ``source``, or of its parent for a folder with a common name such as “bin”."""
    name = _stem(source.name)
    return source.parent.name if name.lower() in _COMMON_FOLDERS and source.parent.name else name


def _stem(file_name: str) -> str:
    for suffix in RUNTIME_ARCHIVES:
        if file_name.lower().endswith(suffix):
            return file_name[: -len(suffix)]
    return file_name


def _slug(name: str) -> str:
    return _NOT_IN_SLUG.sub("-", name.lower()).strip("-.")[:_MAX_NAME].strip("-.") or "runtime"
