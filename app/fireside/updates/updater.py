"""Find a newer version, fetch it, try it and have it be the one that starts."""

from __future__ import annotations

import lzma
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

from fireside.core.about import Release, UpdateStep
from fireside.core.errors import UpdateDamaged, UpdateUnavailable, UpdateUnwritable
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error
from fireside.files.private_files import make_private_folder
from fireside.hub.cancel_token import CancelToken
from fireside.updates.manifest import (
    MANIFEST_NAME,
    MAX_MANIFEST_BYTES,
    MAX_SIGNATURE_BYTES,
    SIGNATURE_NAME,
    Layer,
    Manifest,
    check_age,
    numbers,
    read_manifest,
    this_target,
)
from fireside.updates.minisign import PublicKey, check_signature
from fireside.updates.release_client import ReleaseClient
from fireside.updates.tree_layers import missing_layers, note_layers, take_over, unpack
from fireside.updates.trial import Trial
from fireside.updates.version_folders import VersionFolders

Report = Callable[[UpdateStep, float | None], None]
"""Hears what is being done and how much of that, 0 to 1, where it is known. Any thread."""

_SHARE_STEP: Final = 0.01


class Updater:
    """Blocks; one call at a time, from any thread.

    Whatever happens, and whenever the program is killed: the version in use stays the one that starts until
    another has proven itself, and what was fetched is gone on from. Raises ``UpdateError`` or ``Stopped``.
    """

    def __init__(
        self,
        folders: VersionFolders,
        *,
        address: str,
        keys: Sequence[PublicKey],
        running: str,
        client: ReleaseClient,
        trial: Trial,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        """``address`` is the folder of the release, ending in a slash; ``running`` is this version."""
        self.folders = folders
        self._address = address
        self._keys = tuple(keys)
        self._running = running
        self._client = client
        self._trial = trial
        self._now_s = now_s

    def look(self, cancel: CancelToken) -> Release | None:
        """Ask for the newest version; ``None`` where this is it."""
        manifest = self._manifest(cancel)
        if numbers(manifest.version) <= numbers(self._running):
            return None
        return Release(
            version=manifest.version,
            released=manifest.released,
            notes=manifest.notes,
            n_bytes=sum(layer.n_bytes for layer in self._missing(self._layers(manifest))),
        )

    def install(self, cancel: CancelToken, report: Report) -> str:
        """Have the newest version be the one that starts next, and return it.

        It is asked for anew: what was found before may have been withdrawn.
        """
        manifest = self._manifest(cancel)
        layers = self._layers(manifest)
        if numbers(manifest.version) <= numbers(self._running):
            raise UpdateUnavailable(
                version=manifest.version, reason=tr_noop("it is not newer than this one.")
            )
        try:
            self._fetch(self._missing(layers), cancel, report)
            report(UpdateStep.UNPACKING, None)
            tree = self._put_together(manifest.version, layers, cancel)
            report(UpdateStep.TESTING, None)
            self._trial(tree, version=manifest.version, cancel=cancel)
            self.folders.adopt(manifest.version)
            self.folders.switch(manifest.version)
            self.folders.sweep(running=self._running)
        except OSError as exc:
            raise self._unwritable(exc) from exc
        return manifest.version

    def go_back(self) -> str:
        """Have the next start use the version before, and return it."""
        try:
            return self.folders.go_back()
        except OSError as exc:
            raise self._unwritable(exc) from exc

    def _manifest(self, cancel: CancelToken) -> Manifest:
        signature = self._client.read(
            urljoin(self._address, SIGNATURE_NAME), limit=MAX_SIGNATURE_BYTES, cancel=cancel
        )
        content = self._client.read(
            urljoin(self._address, MANIFEST_NAME), limit=MAX_MANIFEST_BYTES, cancel=cancel
        )
        key = check_signature(content, signature, keys=self._keys)
        manifest = read_manifest(content)
        check_age(manifest, now_s=self._now_s(), seen=self.folders.seen(key.id))
        try:
            self.folders.note_seen(key.id, manifest.version)
        except OSError as exc:
            raise self._unwritable(exc) from exc
        return manifest

    def _layers(self, manifest: Manifest) -> tuple[Layer, ...]:
        layers = manifest.targets.get(this_target())
        if layers is None:
            raise UpdateUnavailable(
                version=manifest.version, reason=tr_noop("there is none for this kind of computer.")
            )
        return layers

    def _missing(self, layers: Sequence[Layer]) -> tuple[Layer, ...]:
        return missing_layers(layers, tree=self.folders.tree(self._running))

    def _fetch(self, layers: Sequence[Layer], cancel: CancelToken, report: Report) -> None:
        make_private_folder(self.folders.downloads)
        n_all = sum(layer.n_bytes for layer in layers)
        n_there, told = 0, -1.0

        def on_bytes(n: int) -> None:
            nonlocal n_there, told
            n_there += n
            if abs(n_there / n_all - told) >= _SHARE_STEP:
                told = n_there / n_all
                report(UpdateStep.DOWNLOADING, told)

        for layer in layers:
            url = urljoin(self._address, layer.url)
            self._client.fetch(layer, url, to=self._archive(layer), cancel=cancel, on_bytes=on_bytes)

    def _put_together(self, version: str, layers: Sequence[Layer], cancel: CancelToken) -> Path:
        part = self.folders.begin(version)
        missing = self._missing(layers)
        for layer in layers:
            cancel.check()
            if layer in missing:
                try:
                    unpack(self._archive(layer), target=part / layer.path, cancel=cancel)
                except lzma.LZMAError as exc:
                    raise UpdateDamaged(name=layer.name) from exc
            else:
                take_over(layer, layers, source=self.folders.tree(self._running), target=part)
        note_layers(layers, tree=part)
        return part

    def _unwritable(self, exc: OSError) -> UpdateUnwritable:
        path = str(exc.filename or self.folders.root)
        return UpdateUnwritable(path=path, reason=f"{render_os_error(exc)}.")

    def _archive(self, layer: Layer) -> Path:
        return self.folders.downloads / layer.sha256
