"""The prompt cache's state files: their names, and how those of one conversation or all are deleted."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
from pathlib import Path
from typing import Final, NamedTuple

from fireside.files.private_files import make_private_file, make_private_folder

SUFFIX: Final = ".state"
TEMPORARY_SUFFIX: Final = ".tmp"
DELETED_SUFFIX: Final = ".forgotten"
ENCRYPTED_MARK: Final = "encrypted"
"""A file in the folder that says that only encrypted states may be written."""
_PART_BYTES: Final = 10
_N_PARTS: Final = 4


class CacheFileName(NamedTuple):
    """The parts of a state file's name, each a hash in hexadecimal."""

    owner: str
    model: str
    options: str
    content: str

    def __str__(self) -> str:
        return "-".join(self) + SUFFIX


def hash_part(*values: bytes) -> str:
    """Return a part of a name: the hash of ``values``."""
    digest = hashlib.blake2b(digest_size=_PART_BYTES)
    for value in values:
        digest.update(len(value).to_bytes(8, "little"))
        digest.update(value)
    return digest.hexdigest()


def owner_part(owner: str) -> str:
    """Return the prefix of the names of an owner's files."""
    return hash_part(owner.encode("utf-8", "surrogatepass"))


def parse_name(name: str) -> CacheFileName | None:
    """Return the parts of a file's name; ``None`` if it is not a state file."""
    parts = name.removesuffix(SUFFIX).split("-")
    if not name.endswith(SUFFIX) or len(parts) != _N_PARTS:
        return None
    if any(len(part) != 2 * _PART_BYTES for part in parts):
        return None
    return CacheFileName(*parts)


def delete_owner_states(folder: str | os.PathLike[str], owner: str) -> int:
    """Delete all states of a conversation and return the number of deleted files. Missing files are ignored.

    A marker file stays, so that a runner that still has the conversation in memory writes no new file. Owners
    are never reused.

    Raises:
        OSError: a file exists and cannot be deleted.
    """
    cache = Path(folder)
    if not cache.is_dir():
        return 0
    part = owner_part(owner)
    (cache / (part + DELETED_SUFFIX)).touch(mode=0o600)
    n_deleted = 0
    failure: OSError | None = None
    for file in cache.glob(f"{part}-*"):
        try:
            file.unlink()
        except FileNotFoundError:
            continue
        except OSError as exc:
            failure = exc
        else:
            n_deleted += 1
    if failure is not None:
        raise failure
    return n_deleted


def is_owner_deleted(folder: str | os.PathLike[str], owner: str) -> bool:
    """Whether ``delete_owner_states`` was called for this owner."""
    with contextlib.suppress(OSError):
        return (Path(folder) / (owner_part(owner) + DELETED_SUFFIX)).exists()
    return False


logger = logging.getLogger(__name__)


class SavedStatePurge:
    """The prompt cache's files of all runners, in one folder. Any thread.

    Args:
        folder: contains the files; ``None`` if there is no cache on disk.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def delete_owner(self, owner: str) -> None:
        """Delete the files of ``owner``. Raises ``OSError`` if one cannot be deleted."""
        if self._folder is not None:
            delete_owner_states(self._folder, owner)

    def mark(self, *, is_encrypted: bool) -> None:
        """Say in the folder whether states must be encrypted, for runners that do not know. Raises
        ``OSError``."""
        if self._folder is None:
            return
        if is_encrypted:
            make_private_folder(self._folder)
            make_private_file(self._folder / ENCRYPTED_MARK)
        else:
            (self._folder / ENCRYPTED_MARK).unlink(missing_ok=True)

    def delete_all(self) -> None:
        """Delete all files. One that cannot be deleted is logged; no runner reads it."""
        if self._folder is None:
            return
        try:
            paths = list(self._folder.iterdir())
        except FileNotFoundError:
            return
        except OSError as exc:
            logger.warning("the prompt cache's files are not deleted: %s", exc)
            return
        for path in paths:
            if path.suffix in (SUFFIX, TEMPORARY_SUFFIX):
                try:
                    path.unlink(missing_ok=True)
                except OSError as exc:
                    logger.warning("%s is not deleted: %s", path.name, exc)
