"""Map the hub's file names to local ones: safe on every system, and always inside the folder. Pure."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from fireside.core.errors import HubError
from fireside.core.i18n import tr_noop
from fireside.gguf import parse_split_name
from fireside.gguf.header import printable

MAX_NAME_BYTES: Final = 200
"""File systems allow 255; partial files and journals have longer names."""

_SHOWN_CHARACTERS: Final = 120
RESERVED_NAME: Final = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)")
"""Names that are devices on Windows, with any ending."""
_FORBIDDEN: Final = frozenset('<>:"|?*\\/')
_TAIL_CHARACTERS: Final = 40
"""Characters kept at the end of a name that is too long: quantization and part number."""


def local_names(repo: str, paths: Iterable[str]) -> dict[str, str]:
    """Return a name below the library folder, with ``/``, for each of a repository's ``paths``.

    All are in ``owner/repo``, whatever their folders on the hub, so that the files of a model are together;
    only where two would get the same name they keep their folders. Raises ``hub_file_unsafe`` for a path that
    leads elsewhere, or where two names cannot be distinguished.
    """
    parts = {path: _parts(path) for path in paths}
    flat = [_collision_key(components[-1]) for components in parts.values()]
    names: dict[str, str] = {}
    taken: dict[str, str] = {}
    folder = "/".join(_clean(part, path=repo) for part in repo.split("/"))
    for path, components in parts.items():
        kept_parts = components if flat.count(_collision_key(components[-1])) > 1 else components[-1:]
        name = "/".join((folder, *kept_parts))
        if taken.setdefault(_collision_key(name), path) != path:
            raise HubError.of(
                "hub_file_unsafe",
                name=printable(path, limit=_SHOWN_CHARACTERS),
                reason=tr_noop("another file of this model would get the same name."),
            )
        names[path] = name
    return names


def is_safe(path: str) -> bool:
    """Whether ``local_names`` has a name for a file of the hub."""
    try:
        _parts(path)
    except HubError:
        return False
    return True


def path_below(folder: Path, name: str) -> Path:
    """Return the path of the file ``name`` below ``folder``.

    Raises ``hub_file_unsafe`` if it would be elsewhere: a stored name is no more trusted than the hub's.
    """
    pure = PurePosixPath(name)
    if pure.is_absolute() or not pure.parts or any(_clean(part, path=name) != part for part in pure.parts):
        raise _points_outside(name)
    return folder.joinpath(*pure.parts)


def _parts(path: str) -> tuple[str, ...]:
    if not path or path.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", path):
        raise _points_outside(path)
    return tuple(_clean(part, path=path) for part in path.split("/"))


def _clean(part: str, *, path: str) -> str:
    if not part.strip(" .") or ".." in re.split(r"[\\/]", part) or "\0" in part:
        raise _points_outside(path)
    text = unicodedata.normalize("NFC", part)
    text = "".join(
        "_" if character in _FORBIDDEN or not character.isprintable() else character for character in text
    )
    text = text.rstrip(" .").lstrip(" ")
    if text.startswith((".", "~")) or RESERVED_NAME.match(text):
        text = f"_{text.lstrip('.')}"
    return _shortened(text)


def _shortened(name: str) -> str:
    """Shorten a name in the middle, with a few hash digits that keep it unique."""
    if len(name.encode()) <= MAX_NAME_BYTES:
        return name
    split = parse_split_name(name)
    # The parts of a split model must keep a common name.
    stem = name if split is None else split.stem
    marker = f"-{hashlib.sha256(stem.encode()).hexdigest()[:8]}-"
    tail = name[-_TAIL_CHARACTERS:]
    head = name[:-_TAIL_CHARACTERS].encode()[: MAX_NAME_BYTES - len((marker + tail).encode())]
    return head.decode(errors="ignore") + marker + tail


def _collision_key(name: str) -> str:
    """Return a key that is equal for names that some file system takes for the same."""
    return unicodedata.normalize("NFKC", name).casefold()


def _points_outside(name: str) -> HubError:
    shown_name = printable(name, limit=_SHOWN_CHARACTERS)
    return HubError.of(
        "hub_file_unsafe", name=shown_name, reason=tr_noop("its name points outside the library.")
    )
