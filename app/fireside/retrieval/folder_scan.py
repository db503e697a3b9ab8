"""List the documents in a root without reading them."""

from __future__ import annotations

import os
import re
import stat
import string
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.collection import SkippedFiles
from fireside.core.i18n import tr_noop
from fireside.documents.media_signatures import N_BYTES, is_media
from fireside.documents.messages import MAX_FILE_BYTES
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
LEFT_OUT: Final = tr_noop("removed by you")

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
_NO_DOCUMENT_ENDINGS: Final = word_list(
    """
    .7z .a .aac .aif .apk .appimage .avi .avif .bak .bin .bz2 .cab .class .com .cur .dat .db .dll .dmg .dylib
    .eot .exe .flac .flv .gguf .gz .heic .icns .ico .iso .jar .lib .lock .m4a .m4v .mkv .mo .mov .mp3 .mp4
    .mpg .msi .npy .npz .o .obj .ogg .onnx .opus .otf .parquet .pdb .pickle .pkl .psd .pt .pth .pyc .pyd .pyo
    .qm .rar .raw .rpm .safetensors .so .sqlite .sqlite3 .svg .svgz .swf .tar .tgz .tif .tiff .ttf .vdi .vhd
    .vmdk .war .wasm .wav .webm .wma .wmv .woff .woff2 .xcf .xz .zip .zst
    """
)
_NO_DOCUMENT_FOLDERS: Final = frozenset(
    ("node_modules", "__pycache__", "$RECYCLE.BIN", "System Volume Information")
)


class FoundFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that may be a document; a change of any field but the path means a changed file."""

    path: str
    size: int
    mtime_ns: int
    """0 while the file is not readable, so that it counts as changed once it is."""
    inode: int


class FolderScan(msgspec.Struct, frozen=True, kw_only=True):
    """The files in a root."""

    files: tuple[FoundFile, ...] = ()
    skipped: tuple[SkippedFiles, ...] = ()
    failed: tuple[str, ...] = ()
    """Folders that could not be opened; their files are unknown."""
    device: int = 0
    is_there: bool = True

    def is_below_failed(self, path: str) -> bool:
        """Return whether a path is in a folder that could not be opened."""
        return any(path.startswith(folder + os.sep) for folder in self.failed)


def scan_root(
    root: str, *, should_continue: Callable[[], bool] = lambda: True, max_files: int = MAX_FILES
) -> FolderScan:
    """Return the files in a folder, or the file that ``root`` is. Blocks; thread-safe; never raises.

    Links are not followed. A scan that ``should_continue`` ends is reported as one of a missing root.
    """
    try:
        status = Path(root).stat()
    except OSError:
        return FolderScan(is_there=False)
    if stat.S_ISREG(status.st_mode):
        too_large = status.st_size > MAX_FILE_BYTES and not is_recording(root)
        skipped = (SkippedFiles(reason=TOO_LARGE, n_files=1),) if too_large else ()
        files = () if too_large else (_facts(root, status),)
        return FolderScan(files=files, skipped=skipped, device=status.st_dev)
    if not stat.S_ISDIR(status.st_mode):
        return FolderScan(is_there=False)
    walk = _Walk(root, should_continue=should_continue, max_files=max_files)
    walk.run()
    if walk.is_cancelled or root in walk.failed:
        return FolderScan(is_there=False)
    return FolderScan(
        files=tuple(sorted(walk.files, key=lambda file: file.path)),
        skipped=tuple(SkippedFiles(reason=reason, n_files=n) for reason, n in walk.skipped.most_common()),
        failed=tuple(walk.failed),
        device=status.st_dev,
    )


def is_recording(path: str) -> bool:
    """Return whether a file is sound or a video: a root that is one is transcribed, of any size. Blocks."""
    try:
        with Path(path).open("rb") as file:
            return is_media(file.read(N_BYTES))
    except OSError:
        return False


class _Walk:
    def __init__(self, root: str, *, should_continue: Callable[[], bool], max_files: int) -> None:
        self._root = root
        self._should_continue = should_continue
        self._max_files = max_files
        self.files: list[FoundFile] = []
        self.skipped: Counter[str] = Counter()
        self.failed: list[str] = []
        self.is_cancelled = False

    def run(self) -> None:
        # Folders with their path relative to the root, ending in "/", and the rules of their parents.
        pending: list[tuple[str, str, IgnoreRules | None]] = [(self._root, "", None)]
        while pending:
            if not self._should_continue():
                self.is_cancelled = True
                return
            folder, relative, parent_rules = pending.pop()
            try:
                with os.scandir(folder) as entries:
                    children = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                self.failed.append(folder)
                self.skipped[CLOSED] += 1
                continue
            rules = _rules_in(folder, relative, parent_rules)
            pending += [
                (entry.path, f"{relative}{entry.name}/", rules)
                for entry in self._folders(children, relative, rules)
                if relative.count("/") < _MAX_DEPTH
            ]

    def _folders(
        self, entries: list[os.DirEntry[str]], relative: str, rules: IgnoreRules | None
    ) -> Iterator[os.DirEntry[str]]:
        """Collect the files, and return the folders to scan."""
        for entry in entries:
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                reason = self._skip_reason(entry, f"{relative}{entry.name}", is_folder=is_folder, rules=rules)
                if reason == "" and not is_folder:
                    self.files.append(_facts(entry.path, entry.stat(follow_symlinks=False)))
            except OSError:  # removed meanwhile
                continue
            if reason:
                self.skipped[reason] += not is_folder or reason in (HIDDEN, IGNORED)
            elif is_folder:
                yield entry

    def _skip_reason(
        self, entry: os.DirEntry[str], path: str, *, is_folder: bool, rules: IgnoreRules | None
    ) -> str:
        """Return why an entry is skipped, or an empty text."""
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
            return NO_DOCUMENT if entry.name in _NO_DOCUMENT_FOLDERS else ""
        ending = os.path.splitext(name)[1]  # noqa: PTH122  # a name, many times
        if ending in _KEY_ENDINGS or name in _KEY_NAMES:
            return KEYS
        if ending in _NO_DOCUMENT_ENDINGS or not entry.is_file(follow_symlinks=False):
            return NO_DOCUMENT
        if entry.stat(follow_symlinks=False).st_size > MAX_FILE_BYTES:
            return TOO_LARGE
        return TOO_MANY if len(self.files) >= self._max_files else ""


def _facts(path: str, status: os.stat_result) -> FoundFile:
    # Unsigned 64 bits; SQLite's integers are signed.
    inode = status.st_ino & 0x7FFF_FFFF_FFFF_FFFF
    mtime_ns = status.st_mtime_ns if os.access(path, os.R_OK) else 0
    return FoundFile(path=path, size=status.st_size, mtime_ns=mtime_ns, inode=inode)


def _rules_in(folder: str, relative: str, parent: IgnoreRules | None) -> IgnoreRules | None:
    path = Path(folder, FILE_NAME)
    try:
        if not path.is_file() or path.is_symlink():
            return parent
        with path.open("rb") as file:
            text = file.read(MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return parent
    return IgnoreRules(text, folder=relative, parent=parent)


def without(scan: FolderScan, left_out: frozenset[str]) -> FolderScan:
    """Return a scan without files that the user does not want."""
    files = tuple(file for file in scan.files if file.path not in left_out)
    n_left_out = len(scan.files) - len(files)
    if not n_left_out:
        return scan
    skipped = (*scan.skipped, SkippedFiles(reason=LEFT_OUT, n_files=n_left_out))
    return msgspec.structs.replace(scan, files=files, skipped=skipped)


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
    """Return whether a file has the hidden attribute of Windows or macOS."""
    if sys.platform == "win32":
        return bool(entry.stat(follow_symlinks=False).st_file_attributes & stat.FILE_ATTRIBUTE_HIDDEN)
    if sys.platform == "darwin":
        return bool(entry.stat(follow_symlinks=False).st_flags & stat.UF_HIDDEN)
    return False


# Which files a ``.gitignore`` excludes, by the rules of its manual (gitignore(5))


FILE_NAME: Final = ".gitignore"
MAX_BYTES: Final = 256_000
_MAX_RULES: Final = 2_000
_MAX_CHARS: Final = 1_000
"""Characters of one pattern; longer ones are skipped."""
_TOKEN: Final = re.compile(r"(\*+)|(\?)|\[([!^]?)(\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]|\\?(.)", re.DOTALL)
_IN_BRACKETS: Final = re.compile(r"\[:([a-z]+):\]|\\(.)|([\[\]^&~|])", re.DOTALL)
_CLASSES: Final = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": re.escape(string.punctuation), "space": "\\s",
    "upper": "A-Z", "xdigit": "0-9a-fA-F",
}  # fmt: skip


class _Rule(msgspec.Struct, frozen=True):
    pattern: re.Pattern[str]
    is_negated: bool
    folders_only: bool


class IgnoreRules:
    """The rules of one folder, then those of its parents up to the root."""

    def __init__(self, text: str, *, folder: str, parent: IgnoreRules | None = None) -> None:
        """Parse a file's ``text``; ``folder`` is its path below the root, with a ``/`` at its end."""
        self._folder = folder
        self._parent = parent
        self._rules = tuple(_rules(text))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Return whether ``path``, relative to the root, is excluded: the last matching rule decides."""
        relative = path[len(self._folder) :]
        for rule in reversed(self._rules):
            if (is_folder or not rule.folders_only) and rule.pattern.fullmatch(relative):
                return not rule.is_negated
        return self._parent is not None and self._parent.ignores(path, is_folder=is_folder)


def _rules(text: str) -> Iterator[_Rule]:
    for line in text.splitlines()[:_MAX_RULES]:
        if line.startswith("#"):
            continue
        is_negated = line.startswith("!")
        glob = re.sub(r"(?<!\\)[ \t]+$", "", line[is_negated:])
        folders_only = glob.endswith("/")
        glob = glob.rstrip("/")
        if not glob or len(glob) > _MAX_CHARS:
            continue
        try:
            pattern = re.compile(_expression(glob))
        except re.error:
            continue
        yield _Rule(pattern, is_negated, folders_only)


def _expression(glob: str) -> str:
    """Return a glob as a regular expression over paths relative to the folder of its file.

    Behind ``**`` and ``*`` the first match of what follows is as good as any later one, so it is never tried
    again (``(?>…)``): the time stays linear in the path, whatever the pattern.
    """
    parts = glob.removeprefix("/").split("/")
    if "/" not in glob:
        parts.insert(0, "**")
    last_wildcard = max((index for index, part in enumerate(parts[:-1]) if part == "**"), default=-1)
    expression, closing = "", ""
    for index, part in enumerate(parts[:-1]):
        if part == "**":
            expression += closing + ("(?:" if index == last_wildcard else "(?>") + "(?:[^/]*/)*?"
            closing = ")"
        else:
            expression += _component(part) + "/"
    return expression + (".+" if parts[-1] == "**" else _component(parts[-1])) + closing


def _component(glob: str) -> str:
    """Return the expression for the name of one file or folder."""
    pieces = [""]  # between the stars
    for star, any_char, negation, brackets, char in _TOKEN.findall(glob):
        if star:
            pieces.append("")
        elif any_char:
            pieces[-1] += "[^/]"
        elif brackets:
            chars = _IN_BRACKETS.sub(_in_brackets, brackets)
            pieces[-1] += f"[^/{chars}]" if negation else f"[{chars}]"
        else:
            pieces[-1] += re.escape(char)
    if len(pieces) == 1:
        return pieces[0]
    first, *middle, last = pieces
    return first + "".join(f"(?>[^/]*?{piece})" for piece in middle) + f"[^/]*{last}"


def _in_brackets(match: re.Match[str]) -> str:
    return _CLASSES.get(match[1], "") if match[1] else f"\\{match[2] or match[3]}"
