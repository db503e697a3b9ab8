"""The layers of a version's tree: digest them, link them from another version, unpack them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from fireside.core.errors import UpdateUntrusted
from fireside.core.i18n import tr_noop
from fireside.files.digest import digest_of
from fireside.hub.cancel_token import CancelToken
from fireside.updates.manifest import Layer

if TYPE_CHECKING:  # Only needed once there is an update.
    import tarfile

_BLOCK_BYTES: Final = 1 << 20
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

    Raises ``UpdateUntrusted`` for anything else, and ``OSError``.
    """
    import tarfile

    try:
        with tarfile.open(archive, "r:*") as tar:
            for member in tar:
                cancel.check()
                path = target / _relative_path(member.name)
                path.parent.mkdir(parents=True, exist_ok=True)
                if member.isdir():
                    path.mkdir(exist_ok=True)
                elif member.issym():
                    path.symlink_to(_link_target(member))
                elif member.isfile():
                    source = tar.extractfile(member)
                    assert source is not None
                    path.unlink(missing_ok=True)  # it may be a hard link to a file of the running version
                    with source, path.open("wb") as file:
                        shutil.copyfileobj(source, file, _BLOCK_BYTES)
                    path.chmod(0o755 if member.mode & 0o100 else 0o644)
                else:
                    raise _untrusted_archive()
    except (tarfile.TarError, EOFError, ValueError) as exc:
        raise _untrusted_archive() from exc


def _others(layer: Layer, layers: Iterable[Layer]) -> list[str]:
    return [other.path for other in layers if other is not layer]


def _link(path: Path, copy: Path) -> None:
    try:
        copy.hardlink_to(path)
    except OSError:
        shutil.copy2(path, copy)  # another disk, or one without hard links; otherwise this raises too


def _relative_path(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise _untrusted_archive()
    return path


def _link_target(member: tarfile.TarInfo) -> str:
    depth = len(_relative_path(member.name).parts) - 1
    for part in PurePosixPath(member.linkname).parts:
        depth += -1 if part == ".." else 1
        if depth < 0 or part == "/":
            raise _untrusted_archive()
    return member.linkname


def _untrusted_archive() -> UpdateUntrusted:
    return UpdateUntrusted(reason=tr_noop("its archive holds what does not belong there."))
