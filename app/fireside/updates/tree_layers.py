"""Put a version together: what the running one has already is taken from there, the rest from archives."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.core.errors import UpdateUntrusted
from fireside.core.i18n import tr_noop
from fireside.hub.cancel_token import CancelToken
from fireside.updates.manifest import Layer

if TYPE_CHECKING:  # Only needed once there is an update.
    import tarfile

LAYERS_NAME: Final = "share/fireside/layers.json"
"""In a tree that was put together here: the digest of each layer, by its name."""
_BLOCK_BYTES: Final = 1 << 20


def layers_of(tree: Path) -> dict[str, str]:
    """Return the digests of the layers that ``tree`` was put together from; empty where that is not known."""
    with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return msgspec.json.decode((tree / LAYERS_NAME).read_bytes(), type=dict[str, str])
    return {}


def missing_layers(layers: Iterable[Layer], *, tree: Path) -> tuple[Layer, ...]:
    """Return those that ``tree`` does not have just so."""
    there = layers_of(tree)
    return tuple(layer for layer in layers if there.get(layer.name) != layer.sha256)


def take_over(layer: Layer, layers: Iterable[Layer], *, source: Path, target: Path) -> None:
    """Have the files of ``layer`` in ``source`` be in ``target`` too; they take no room twice where the disk
    can do that. Raises ``OSError``."""
    others = {PurePosixPath(other.path) for other in layers if other is not layer and other.path}
    top = PurePosixPath(layer.path)
    for path in _files(source / top):
        inside = PurePosixPath(path.relative_to(source).as_posix())
        if others.isdisjoint((inside, *inside.parents)) and inside != PurePosixPath(LAYERS_NAME):
            copy = target / inside
            copy.parent.mkdir(parents=True, exist_ok=True)
            if path.is_symlink():
                copy.symlink_to(path.readlink())
            else:
                _link(path, copy)


def unpack(archive: Path, *, target: Path, cancel: CancelToken) -> None:
    """Unpack files, folders and links within the archive into ``target``.

    Raises ``UpdateUntrusted`` for anything else, and ``OSError``.
    """
    import tarfile

    try:
        with tarfile.open(archive, "r:*") as tar:
            for member in tar:
                cancel.check()
                path = target / _inside(member.name)
                path.parent.mkdir(parents=True, exist_ok=True)
                if member.isdir():
                    path.mkdir(exist_ok=True)
                elif member.issym():
                    path.symlink_to(_link_inside(member))
                elif member.isfile():
                    source = tar.extractfile(member)
                    assert source is not None
                    path.unlink(missing_ok=True)  # never into a file that the running version has too
                    with source, path.open("wb") as file:
                        shutil.copyfileobj(source, file, _BLOCK_BYTES)
                    path.chmod(0o755 if member.mode & 0o100 else 0o644)
                else:
                    raise _odd()
    except (tarfile.TarError, EOFError, ValueError) as exc:
        raise _odd() from exc


def note_layers(layers: Iterable[Layer], *, tree: Path) -> None:
    """Write down what ``tree`` was put together from."""
    path = tree / LAYERS_NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode({layer.name: layer.sha256 for layer in layers}))


def _files(folder: Path) -> Iterator[Path]:
    for top, folders, names in os.walk(folder):
        yield from (Path(top, name) for name in names)
        yield from (Path(top, name) for name in folders if Path(top, name).is_symlink())


def _link(path: Path, copy: Path) -> None:
    try:
        copy.hardlink_to(path)
    except OSError:
        shutil.copy2(path, copy)  # another disk, or one that knows no links; else this says what is wrong


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise _odd()
    return path


def _link_inside(member: tarfile.TarInfo) -> str:
    depth = len(_inside(member.name).parts) - 1
    for part in PurePosixPath(member.linkname).parts:
        depth += -1 if part == ".." else 1
        if depth < 0 or part == "/":
            raise _odd()
    return member.linkname


def _odd() -> UpdateUntrusted:
    return UpdateUntrusted(reason=tr_noop("its archive holds what does not belong there."))
