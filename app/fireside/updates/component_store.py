"""Download components from a package index into a folder, and find them there."""

from __future__ import annotations

import functools
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple
from urllib.parse import urljoin

import msgspec
from msgspec import Meta

from fireside.core.components import COMPONENTS, Component, ComponentKind
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import DownloadError
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error
from fireside.files.private_files import make_private_folder
from fireside.hub.cancel_token import CancelToken
from fireside.hub.hub_connection import host_of
from fireside.updates.manifest import PublishedFile

if TYPE_CHECKING:  # needed for a download alone
    from packaging.tags import Tag

    from fireside.updates.release_client import ReleaseClient
    from fireside.updates.release_repository import OnProgress

LIST_NAME: Final = "components.json"
_PYPI: Final = "https://pypi.org/simple"
_INDEX_FORMAT: Final = "application/vnd.pypi.simple.v1+json"
"""The simple repository API in JSON, PEP 691."""
_MAX_INDEX_BYTES: Final = 32 << 20
_MAX_FILES: Final = 5_000
_MAX_BYTES: Final = 1 << 30
"""Of the unpacked files of one wheel."""
_DOWNLOADS: Final = ".downloads"
_UNPACKING: Final = ".unpacking"


class Wheel(NamedTuple):
    """A file of the index."""

    name: str
    """``project-version-python-abi-platform.whl``"""
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    n_bytes: int

    @property
    def project(self) -> str:
        return self.name.partition("-")[0]


class _Listed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    version: str
    wheels: tuple[Wheel, ...]


class _List(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: int
    components: dict[str, _Listed]


class _IndexFile(msgspec.Struct, frozen=True):
    url: str
    hashes: dict[str, str] = {}


class _Project(msgspec.Struct, frozen=True):
    files: tuple[_IndexFile, ...]


class ComponentStore:
    """The components in one folder. Every method blocks on the disk; any thread."""

    def __init__(
        self, folder: Path, *, listed: Path, client: ReleaseClient, index: Callable[[], str]
    ) -> None:
        """``listed`` is the list that comes with the program, ``index`` returns the address in the
        settings; empty for PyPI."""
        self._folder = folder
        self._listed = listed
        self._client = client
        self._index = index

    def components(self) -> tuple[Component, ...]:
        """Return every component, with what it occupies."""
        return tuple(self._component(id_, listed) for id_, listed in self._list().items())

    def folder_of(self, id_: str) -> Path | None:
        """Return the folder that a process adds to ``sys.path``; ``None`` if it is not installed."""
        folder = self.place_of(id_)
        return folder if folder.is_dir() else None

    def place_of(self, id_: str) -> Path:
        """Return where that folder is once it is installed."""
        return self._target(id_, self._list()[id_])

    def install(self, id_: str, cancel: CancelToken, on_progress: OnProgress) -> None:
        """Download the files of a component, verify and unpack them. A partial download is resumed.

        Raises ``DownloadError``, ``UpdateError``, ``Stopped``, or ``OSError``.
        """
        kind, listed = COMPONENTS[id_], self._list()[id_]
        wheels = _wheels_here(listed.wheels)
        if missing := set(kind.needs) - {wheel.project for wheel in wheels}:
            raise DownloadError.of("component_unavailable", name=kind.name, value=", ".join(sorted(missing)))
        total, n_done = sum(wheel.n_bytes for wheel in wheels), 0

        def on_bytes(n_bytes: int) -> None:
            nonlocal n_done
            n_done += n_bytes
            on_progress(min(1.0, n_done / total))

        downloads, unpacking = self._folder / _DOWNLOADS, self._folder / _UNPACKING
        shutil.rmtree(unpacking, ignore_errors=True)
        make_private_folder(unpacking)
        make_private_folder(downloads)
        for wheel in wheels:
            file = downloads / wheel.sha256
            published = PublishedFile(name=wheel.project, url="", n_bytes=wheel.n_bytes, sha256=wheel.sha256)
            url = self._address_of(wheel, name=kind.name, cancel=cancel)
            self._client.fetch(published, url, to=file, cancel=cancel, on_bytes=on_bytes)
            _unpack(file, unpacking, kind=kind, cancel=cancel)
        self._remove_folders(id_)
        unpacking.rename(self._target(id_, listed))
        shutil.rmtree(downloads, ignore_errors=True)

    def remove(self, id_: str) -> None:
        """Delete a component, also of another version, and partial downloads.

        Raises ``component_unwritable``.
        """
        self._remove_folders(id_)
        for leftover in (_DOWNLOADS, _UNPACKING):
            shutil.rmtree(self._folder / leftover, ignore_errors=True)

    def _list(self) -> Mapping[str, _Listed]:
        return decode_json(self._listed.read_bytes(), kind=_List).components

    def _component(self, id_: str, listed: _Listed) -> Component:
        kind, wheels = COMPONENTS[id_], _wheels_here(listed.wheels)
        is_here = set(kind.needs) <= {wheel.project for wheel in wheels}
        return Component(
            id=id_,
            name=kind.name,
            purpose=kind.purpose,
            licence=kind.licence,
            version=listed.version,
            download_bytes=sum(wheel.n_bytes for wheel in wheels) if is_here else 0,
            disk_bytes=sum(
                file.stat().st_size
                for folder in self._folders(id_)
                for file in folder.rglob("*")
                if file.is_file()
            ),
            is_installed=self._target(id_, listed).is_dir(),
        )

    def _target(self, id_: str, listed: _Listed) -> Path:
        """The folder changes with Python, since most files are for one version of it."""
        return self._folder / f"{id_}-{listed.version}-{_python_tag()}"

    def _folders(self, id_: str) -> tuple[Path, ...]:
        return tuple(self._folder.glob(f"{id_}-*"))

    def _remove_folders(self, id_: str) -> None:
        for folder in self._folders(id_):
            try:
                # Renamed first: where a process uses its files, this fails before anything is gone.
                removed = self._folder / f".removed-{folder.name}"
                shutil.rmtree(removed, ignore_errors=True)
                shutil.rmtree(folder.rename(removed))
            except OSError as exc:
                reason = render_os_error(exc)
                raise DownloadError.of("component_unwritable", path=str(folder), reason=reason) from exc

    def _address_of(self, wheel: Wheel, *, name: str, cancel: CancelToken) -> str:
        """Return the URL under which the index has the file with the digest of ``wheel``."""
        project = wheel.project.replace("_", "-")
        address = f"{(self._index() or _PYPI).rstrip('/')}/{project}/"
        content = self._client.read(address, limit=_MAX_INDEX_BYTES, cancel=cancel, accept=_INDEX_FORMAT)
        try:
            files = decode_json(content, kind=_Project).files
        except JsonInvalid as exc:
            raise DownloadError.of(
                "component_not_found",
                name=name,
                host=host_of(address),
                reason=tr_noop("it does not answer in JSON (PEP 691)."),
            ) from exc
        for file in files:
            if file.hashes.get("sha256") == wheel.sha256:
                return urljoin(address, file.url)
        reason = tr_noop("it does not have the file that this version needs.")
        raise DownloadError.of("component_not_found", name=name, host=host_of(address), reason=reason)


def _unpack(wheel: Path, target: Path, *, kind: ComponentKind, cancel: CancelToken) -> None:
    """Unpack what the component needs of a wheel, and nothing over a file of an earlier one."""
    from fireside.files.archive import ArchiveRefused, open_archive  # slow to import, and seldom needed

    keeps = re.compile(kind.keeps, re.VERBOSE) if kind.keeps else None
    try:
        with open_archive(wheel, is_zip=True, max_files=_MAX_FILES, max_bytes=_MAX_BYTES) as files:
            for file in files:
                cancel.check()
                if file.link:
                    raise ArchiveRefused(tr_noop("it contains names that point outside its folder."))
                path = target / file.path
                if path.exists() or not (keeps is None or keeps.fullmatch(str(file.path))):
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                file.copy_to(path, on_bytes=lambda _: cancel.check())
                if file.is_program:
                    path.chmod(0o700)
    except ArchiveRefused as exc:
        raise DownloadError.of("component_damaged", name=kind.name, reason=exc.reason) from exc


def _wheels_here(wheels: tuple[Wheel, ...]) -> tuple[Wheel, ...]:
    """Return the last wheel of each project that works on this computer, in the order of the list."""
    here = {wheel.project: wheel for wheel in wheels if is_for_this_computer(wheel.name)}
    return tuple(here.values())


def is_for_this_computer(name: str) -> bool:
    """Whether a wheel's tags allow this Python, system and processor."""
    from packaging.utils import parse_wheel_filename  # slow to import, and seldom needed

    return not parse_wheel_filename(name)[3].isdisjoint(tags_here())


@functools.cache
def tags_here() -> frozenset[Tag]:
    """Return the tags of wheels that work on this computer: some thousand, and a tenth of a second."""
    from packaging.tags import sys_tags

    return frozenset(sys_tags())


def _python_tag() -> str:
    return f"cp{sys.version_info.major}{sys.version_info.minor}"
