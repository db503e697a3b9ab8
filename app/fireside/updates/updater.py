"""Check for a newer version, download it, test it and activate it."""

from __future__ import annotations

import contextlib
import hashlib
import lzma
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from fireside.core.about import Release, UpdateStep
from fireside.core.errors import UpdateError
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.runtime import this_platform
from fireside.files.digest import digest_of
from fireside.files.private_files import make_private_folder
from fireside.hub.cancel_token import CancelToken
from fireside.updates.manifest import Layer, Manifest, numbers
from fireside.updates.release_repository import ReleaseRepository
from fireside.updates.trial import RunTrial
from fireside.updates.version_folders import VersionFolders

Report = Callable[[UpdateStep, float | None], None]
"""Called with the current step and its progress, 0 to 1, or ``None`` if that is not known. Any thread."""


class Updater:
    """Updates the program. Blocks; one call at a time, any thread.

    Whenever the program is killed, the current version stays active until another has passed its test, and a
    partial download is resumed. Raises ``UpdateError`` or ``Stopped``.
    """

    def __init__(
        self, folders: VersionFolders, *, releases: ReleaseRepository, running: str, trial: RunTrial
    ) -> None:
        """``running`` is the version of this process."""
        self.folders = folders
        self._releases = releases
        self._running = running
        self._trial = trial

    def check(self, cancel: CancelToken) -> Release | None:
        """Return the newest release; ``None`` if this version is up to date."""
        manifest = self._releases.manifest(cancel)
        if numbers(manifest.version) <= numbers(self._running):
            return None
        return Release(
            version=manifest.version,
            released=manifest.released,
            notes=manifest.notes,
            n_bytes=sum(layer.n_bytes for layer in self._missing(self._layers(manifest), cancel)),
        )

    def install(self, cancel: CancelToken, report: Report) -> str:
        """Download, test and activate the newest version for the next start, and return it.

        The manifest is fetched again, since a release may have been withdrawn.
        """
        manifest = self._releases.manifest(cancel)
        layers = self._layers(manifest)
        if numbers(manifest.version) <= numbers(self._running):
            raise UpdateError.of(
                "update_unavailable",
                version=manifest.version,
                reason=tr_noop("it is not newer than this one."),
            )
        try:
            missing = self._missing(layers, cancel)
            make_private_folder(self.folders.downloads)
            self._releases.fetch(
                [(layer, self._archive(layer)) for layer in missing],
                cancel,
                lambda fraction: report(UpdateStep.DOWNLOADING, fraction),
            )
            report(UpdateStep.UNPACKING, None)
            tree = self._assemble(manifest.version, layers, missing, cancel)
            report(UpdateStep.TESTING, None)
            self._trial(tree, manifest.version, cancel)
            self.folders.commit(manifest.version)
            self.folders.activate(manifest.version)
            self.folders.clean_up(running=self._running)
        except OSError as exc:
            raise self._unwritable(exc) from exc
        return manifest.version

    def roll_back(self) -> str:
        """Activate the previous version for the next start, and return it."""
        try:
            return self.folders.roll_back()
        except OSError as exc:
            raise self._unwritable(exc) from exc

    def _layers(self, manifest: Manifest) -> tuple[Layer, ...]:
        layers = manifest.targets.get(this_platform())
        if layers is None:
            raise UpdateError.of(
                "update_unavailable",
                version=manifest.version,
                reason=tr_noop("there is none for this kind of computer."),
            )
        return layers

    def _missing(self, layers: Sequence[Layer], cancel: CancelToken) -> tuple[Layer, ...]:
        return missing_layers(layers, tree=self.folders.tree(self._running), cancel=cancel)

    def _assemble(
        self, version: str, layers: Sequence[Layer], missing: Sequence[Layer], cancel: CancelToken
    ) -> Path:
        part = self.folders.create_partial(version)
        for layer in layers:
            cancel.check()
            if layer in missing:
                try:
                    unpack(self._archive(layer), target=part / layer.path, cancel=cancel)
                except lzma.LZMAError as exc:
                    raise UpdateError.of("update_damaged", name=layer.name) from exc
            else:
                reuse_layer(layer, layers, source=self.folders.tree(self._running), target=part)
        return part

    def _unwritable(self, exc: OSError) -> UpdateError:
        path = str(exc.filename or self.folders.root)
        return UpdateError.of("update_unwritable", path=path, reason=f"{render_os_error(exc)}.")

    def _archive(self, layer: Layer) -> Path:
        return self.folders.downloads / layer.sha256


# The layers of a version's tree: digest them, link them from another version, unpack them


_MAX_FILES: Final = 200_000
_MAX_BYTES: Final = 6 << 30
"""Limits of an unpacked layer: far above any."""
_HAS_MODES: Final = sys.platform != "win32"


def layer_digest(tree: Path, path: str, *, others: Iterable[str], with_modes: bool = _HAS_MODES) -> str:
    """Return a digest of the names and contents of a layer's files and links in ``tree``.

    Args:
        path: the layer's folder in the tree.
        others: the folders of the other layers, which are left out.
        with_modes: whether the executable bit counts. Windows has none.
    """
    digest = hashlib.sha256()
    for inside in layer_files(tree, path, others=others):
        file = tree / inside
        if file.is_symlink():
            content = f"link {file.readlink()}"
        else:
            is_program = with_modes and bool(file.stat().st_mode & 0o100)
            content = f"{'program' if is_program else 'file'} {digest_of(file)}"
        digest.update(f"{inside}\0{content}\0".encode())
    return digest.hexdigest()


def missing_layers(layers: Sequence[Layer], *, tree: Path, cancel: CancelToken) -> tuple[Layer, ...]:
    """Return the layers that are missing or different in ``tree``. Reads all of it. Raises ``Stopped``."""
    missing = []
    for layer in layers:
        cancel.check()
        present = ""
        with contextlib.suppress(OSError):  # what cannot be read is downloaded
            present = layer_digest(tree, layer.path, others=_others(layer, layers))
        if present != layer.contents:
            missing.append(layer)
    return tuple(missing)


def reuse_layer(layer: Layer, layers: Sequence[Layer], *, source: Path, target: Path) -> None:
    """Hard-link the files of ``layer`` from ``source`` to ``target``, or copy them. Raises ``OSError``."""
    for inside in layer_files(source, layer.path, others=_others(layer, layers)):
        path, copy = source / inside, target / inside
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            copy.symlink_to(path.readlink())
        else:
            _link(path, copy)


def layer_files(tree: Path, path: str, *, others: Iterable[str]) -> list[str]:
    """Return the sorted paths of a layer's files and links, relative to ``tree``; see ``layer_digest``."""
    other_folders = map(PurePosixPath, others)
    nested = {other for other in other_folders if PurePosixPath(path) in other.parents}
    files = []
    for top, folders, names in os.walk(tree / path):
        links = [name for name in folders if Path(top, name).is_symlink()]
        for name in (*names, *links):
            inside = PurePosixPath(Path(top, name).relative_to(tree).as_posix())
            if nested.isdisjoint((inside, *inside.parents)):
                files.append(str(inside))
    return sorted(files)


def unpack(archive: Path, *, target: Path, cancel: CancelToken) -> None:
    """Unpack files, folders and links within the archive into ``target``.

    Raises ``update_untrusted`` for anything else, and ``OSError``.
    """
    from fireside.files.archive import ArchiveRefused, open_archive  # only needed once there is an update

    try:
        with open_archive(archive, is_zip=False, max_files=_MAX_FILES, max_bytes=_MAX_BYTES) as files:
            for file in files:
                path = target / file.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.unlink(missing_ok=True)  # it may be a hard link to a file of the running version
                if file.link:
                    path.symlink_to(file.link)
                else:
                    file.copy_to(path, on_bytes=lambda _: cancel.check())
                    path.chmod(0o755 if file.is_program else 0o644)
    except ArchiveRefused as exc:
        raise UpdateError.of(
            "update_untrusted", reason=tr_noop("its archive holds what does not belong there.")
        ) from exc


def _others(layer: Layer, layers: Iterable[Layer]) -> list[str]:
    return [other.path for other in layers if other is not layer]


def _link(path: Path, copy: Path) -> None:
    try:
        copy.hardlink_to(path)
    except OSError:
        shutil.copy2(path, copy)  # another disk, or one without hard links; otherwise this raises too
