"""Look which files lie in a root, without reading any of them."""

from __future__ import annotations

import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.collection import SkippedFiles
from fireside.core.i18n import tr_noop
from fireside.documents.messages import MAX_FILE_BYTES
from fireside.retrieval.ignore_rules import FILE_NAME, MAX_BYTES, IgnoreRules
from fireside.retrieval.word_lists import word_list

MAX_FILES: Final = 50_000
"""Of one root."""
_MAX_DEPTH: Final = 40

HIDDEN: Final = tr_noop("hidden")
IGNORED: Final = tr_noop("left out by .gitignore")
LINK: Final = tr_noop("a link")
KEYS: Final = tr_noop("a store of keys or passwords")
NO_DOCUMENT: Final = tr_noop("not a document")
TOO_LARGE: Final = tr_noop("larger than 50 MB")
TOO_MANY: Final = tr_noop("over the limit of 50,000 files")
BAD_NAME: Final = tr_noop("a name that is no text")
CLOSED: Final = tr_noop("a folder that cannot be opened")

_KEY_ENDINGS: Final = word_list(
    """
    .asc .cer .crt .der .gpg .jks .kdb .kdbx .key .keychain .keychain-db .keystore .ovpn .p12 .pem .pfx .pgp
    .pkcs12 .ppk .rdp
    """
)

_KEY_NAMES: Final = word_list(
    """
    id_rsa id_dsa id_ecdsa id_ed25519 wallet.dat login.json logins.json key3.db key4.db secrets.json
    credentials credentials.json htpasswd shadow
    """
)
_OTHER_ENDINGS: Final = word_list(
    """
    .7z .a .aac .aif .apk .appimage .avi .avif .bak .bin .bz2 .cab .class .com .cur .dat .db .dll .dmg .dylib
    .eot .exe .flac .flv .gguf .gz .heic .icns .ico .iso .jar .lib .lock .m4a .m4v .mkv .mo .mov .mp3 .mp4
    .mpg .msi .npy .npz .o .obj .ogg .onnx .opus .otf .parquet .pdb .pickle .pkl .psd .pt .pth .pyc .pyd .pyo
    .qm .rar .raw .rpm .safetensors .so .sqlite .sqlite3 .svg .svgz .swf .tar .tgz .tif .tiff .ttf .vdi .vhd
    .vmdk .war .wasm .wav .webm .wma .wmv .woff .woff2 .xcf .xz .zip .zst
    """
)
_OTHER_FOLDERS: Final = frozenset(
    ("node_modules", "__pycache__", "$RECYCLE.BIN", "System Volume Information")
)


class FoundFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that may be a document; by these facts a change is seen."""

    path: str
    size: int
    mtime_ns: int
    """0 while it may not be opened."""
    inode: int


class FolderScan(msgspec.Struct, frozen=True, kw_only=True):
    """What lies in a root."""

    files: tuple[FoundFile, ...] = ()
    skipped: tuple[SkippedFiles, ...] = ()
    failed: tuple[str, ...] = ()
    """Folders that could not be looked into: nothing is known of what is in them."""
    device: int = 0
    is_there: bool = True

    def is_below_failed(self, path: str) -> bool:
        """Tell whether a path lies in a folder that could not be looked into."""
        return any(path.startswith(folder + os.sep) for folder in self.failed)


def scan_root(
    root: str, *, should_continue: Callable[[], bool] = lambda: True, most: int = MAX_FILES
) -> FolderScan:
    """Return what lies in a folder, or the file that ``root`` is. Blocks; any thread. Never raises.

    Links are not followed. A scan that is not wanted any more counts as one of a root that is not there.
    """
    try:
        status = Path(root).stat()
    except OSError:
        return FolderScan(is_there=False)
    if stat.S_ISREG(status.st_mode):
        too_large = status.st_size > MAX_FILE_BYTES
        skipped = (SkippedFiles(reason=TOO_LARGE, n_files=1),) if too_large else ()
        files = () if too_large else (_facts(root, status),)
        return FolderScan(files=files, skipped=skipped, device=status.st_dev)
    if not stat.S_ISDIR(status.st_mode):
        return FolderScan(is_there=False)
    walk = _Walk(root, should_continue=should_continue, most=most)
    walk.run()
    if walk.is_given_up or root in walk.failed:
        return FolderScan(is_there=False)
    return FolderScan(
        files=tuple(sorted(walk.files, key=lambda file: file.path)),
        skipped=tuple(SkippedFiles(reason=reason, n_files=n) for reason, n in walk.skipped.most_common()),
        failed=tuple(walk.failed),
        device=status.st_dev,
    )


class _Walk:
    def __init__(self, root: str, *, should_continue: Callable[[], bool], most: int) -> None:
        self._root = root
        self._should_continue = should_continue
        self._most = most
        self.files: list[FoundFile] = []
        self.skipped: Counter[str] = Counter()
        self.failed: list[str] = []
        self.is_given_up = False

    def run(self) -> None:
        # Each with its path below the root, parted by "/", and the rules of the folder around it.
        waiting: list[tuple[str, str, IgnoreRules | None]] = [(self._root, "", None)]
        while waiting:
            if not self._should_continue():
                self.is_given_up = True
                return
            folder, below, around = waiting.pop()
            try:
                with os.scandir(folder) as entries:
                    listed = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                self.failed.append(folder)
                self.skipped[CLOSED] += 1
                continue
            rules = _rules_in(folder, below, around)
            waiting += [
                (entry.path, f"{below}{entry.name}/", rules)
                for entry in self._folders(listed, below, rules)
                if below.count("/") < _MAX_DEPTH
            ]

    def _folders(
        self, entries: list[os.DirEntry[str]], below: str, rules: IgnoreRules | None
    ) -> Iterator[os.DirEntry[str]]:
        """Take the files, and return the folders that are looked into."""
        for entry in entries:
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                why = self._why_not(entry, f"{below}{entry.name}", is_folder=is_folder, rules=rules)
                if why == "" and not is_folder:
                    self.files.append(_facts(entry.path, entry.stat(follow_symlinks=False)))
            except OSError:  # it has gone since
                continue
            if why:
                self.skipped[why] += not is_folder or why in (HIDDEN, IGNORED)
            elif is_folder:
                yield entry

    def _why_not(
        self, entry: os.DirEntry[str], path: str, *, is_folder: bool, rules: IgnoreRules | None
    ) -> str:
        """Return why an entry is left out; empty where it is not."""
        name = entry.name.lower()
        if not _is_text(entry.path):
            return BAD_NAME
        if entry.is_symlink() or _is_junction(entry):
            return LINK
        if name.startswith(".") or _is_marked_hidden(entry):
            return HIDDEN
        if rules is not None and rules.ignores(path, is_folder=is_folder):
            return IGNORED
        if is_folder:
            return NO_DOCUMENT if entry.name in _OTHER_FOLDERS else ""
        ending = os.path.splitext(name)[1]  # noqa: PTH122  # a name, many times
        if ending in _KEY_ENDINGS or name in _KEY_NAMES:
            return KEYS
        if ending in _OTHER_ENDINGS or not entry.is_file(follow_symlinks=False):
            return NO_DOCUMENT
        if entry.stat(follow_symlinks=False).st_size > MAX_FILE_BYTES:
            return TOO_LARGE
        return TOO_MANY if len(self.files) >= self._most else ""


def _facts(path: str, status: os.stat_result) -> FoundFile:
    # Of 64 bits without a sign; SQLite's numbers have one.
    inode = status.st_ino & 0x7FFF_FFFF_FFFF_FFFF
    # One that may not be opened is seen as changed once it may.
    mtime_ns = status.st_mtime_ns if os.access(path, os.R_OK) else 0
    return FoundFile(path=path, size=status.st_size, mtime_ns=mtime_ns, inode=inode)


def _rules_in(folder: str, below: str, around: IgnoreRules | None) -> IgnoreRules | None:
    path = Path(folder, FILE_NAME)
    try:
        if not path.is_file() or path.is_symlink():
            return around
        with path.open("rb") as file:
            text = file.read(MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return around
    return IgnoreRules(text, folder=below, parent=around)


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_junction(entry: os.DirEntry[str]) -> bool:
    if sys.platform == "win32":
        return entry.stat(follow_symlinks=False).st_reparse_tag == stat.IO_REPARSE_TAG_MOUNT_POINT
    return False


def _is_marked_hidden(entry: os.DirEntry[str]) -> bool:
    """Windows and macOS hide files by a mark, whatever their names."""
    if sys.platform == "win32":
        return bool(entry.stat(follow_symlinks=False).st_file_attributes & stat.FILE_ATTRIBUTE_HIDDEN)
    if sys.platform == "darwin":
        return bool(entry.stat(follow_symlinks=False).st_flags & stat.UF_HIDDEN)
    return False
