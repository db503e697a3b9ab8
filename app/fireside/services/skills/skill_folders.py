"""Find and read folders of skills, which are not trusted. Blocks; changes nothing."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from fireside.core.graphemes import cut, with_invisible_named, without_invisible
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.skills import PYTHON_ENDING, SCRIPT_ENDINGS, SKILL_FILE, Skill, SkillFile, SkillState
from fireside.core.token_estimate import estimated_tokens
from fireside.files.digest import digest_of_content
from fireside.services.skills.frontmatter import read_skill_text

MAX_TEXT_BYTES: Final = 1_000_000
"""Of ``SKILL.md``, and of any other file that a model reads."""
MAX_FILES: Final = 2_000
MAX_BYTES: Final = 100_000_000
"""Of all files of a skill."""
MAX_DESCRIPTION: Final = 1_024
"""Characters, as the format has it."""
_MAX_NAME: Final = 64
_MAX_DEPTH: Final = 12
_MAX_SKILLS: Final = 1_000
"""Of all folders together."""
_SEARCH_DEPTH: Final = 4
"""Folders below one that the user added, in which skills are looked for."""
_SKIPPED: Final = frozenset({".git", "node_modules", "__pycache__", ".venv", "venv", ".DS_Store", "__MACOSX"})
_SKILL_PARENTS: Final = frozenset(
    {".agents", ".claude", ".codex", ".cursor", ".gemini", ".github", ".opencode"}
)
"""Hidden folders of projects that have skills in them."""
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NOT_IN_KEY: Final = re.compile(r"[^\w]+")
_OPEN: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_SAME_NAME: Final = tr_noop("Another skill has this name: {folder}")
_NO_TEXT: Final = tr_noop("Its SKILL.md is not UTF-8 text.")
_LINE_BY_LINE: Final = tr_noop("Its frontmatter is not valid YAML, so it was read line by line.")


class SkillRefused(Exception):
    """``reason`` is a sentence."""

    def __init__(self, reason: Translatable) -> None:
        super().__init__(reason)
        self.reason = reason


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A folder in which skills are looked for."""

    folder: Path
    origin: str = ""
    """The program to which it belongs."""
    is_own: bool = False
    is_added: bool = False
    """Whether the user added it: skills may be deeper in it, and it may be one itself."""


_Content = tuple[Place, tuple[SkillFile, ...], tuple[str, ...]]


def usual_places(environ: Mapping[str, str], *, home: Path) -> tuple[Place, ...]:
    """Return the folders in which other programs keep the skills of a user, on every system alike.

    The first is the one that most of them read.
    """
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    claude = Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    codex = Path(environ.get("CODEX_HOME") or home / ".codex")
    folders = (
        ("Agent Skills", home / ".agents"),
        ("Claude Code", claude),
        ("Codex", codex),
        ("Gemini CLI", home / ".gemini"),
        ("GitHub Copilot", home / ".copilot"),
        ("Cursor", home / ".cursor"),
        ("OpenCode", config / "opencode"),
        ("Goose", config / "goose"),
    )
    return tuple(Place(folder=folder / "skills", origin=origin) for origin, folder in folders)


def find_skills(places: tuple[Place, ...], cache: SkillCache) -> tuple[Skill, ...]:
    """Return all skills, in the order of ``places``; one that several of them link to is found once.

    Of several with one name the first can be used, as in other programs. Their state is ``NEW``.
    """
    found: dict[str, Skill] = {}
    keys: dict[str, str] = {}
    for place in places:
        for folder in _skill_folders(place):
            if len(found) == _MAX_SKILLS:
                break
            if str(folder) in found:
                continue
            skill = read_skill(folder, cache, place=place)
            if skill.state is not SkillState.UNUSABLE:
                first = keys.setdefault(skill.key, skill.folder)
                if first != skill.folder:
                    skill = _unusable(skill, Phrase(_SAME_NAME, {"folder": first}))
            found[str(folder)] = skill
    return tuple(found.values())


def _skill_folders(place: Place) -> Iterator[Path]:
    """Yield the folders that have a ``SKILL.md``, without links; a skill itself may be a link to one."""
    waiting = [(place.folder, _SEARCH_DEPTH if place.is_added else 1)]
    seen: set[Path] = set()
    while waiting and len(seen) < _MAX_SKILLS * 20:
        folder, n_left = waiting.pop(0)
        try:
            folder = folder.resolve()
            names = sorted(path.name for path in folder.iterdir())
        except (OSError, ValueError, RuntimeError):  # RuntimeError: a link to itself
            continue
        if folder in seen or not _is_text(str(folder)):
            continue
        is_place = not seen
        seen.add(folder)
        if _skill_file_in(names) and (place.is_added or not is_place):
            yield folder
        elif n_left:
            waiting += ((folder / name, n_left - 1) for name in names if _is_searched(name))


def _is_searched(name: str) -> bool:
    return name not in _SKIPPED and (not name.startswith(".") or name in _SKILL_PARENTS)


def _skill_file_in(names: list[str]) -> str:
    """Return the name of the file with the instructions; empty if there is none."""
    return next((name for name in names if name.upper() == SKILL_FILE.upper()), "")


def read_skill(folder: Path, cache: SkillCache, *, place: Place) -> Skill:
    """Return the skill in a folder, which may be unusable. Never raises."""
    skill = Skill(
        key="",
        name=named(folder.name),
        folder=str(folder),
        origin=place.origin,
        is_own=place.is_own,
        state=SkillState.NEW,
    )
    try:
        files, left_out = _files_of(folder, cache)
        content = (place, files, left_out)
        if (known := cache.skill(str(folder), content)) is not None:
            return known
        main = next((file for file in files if file.path.upper() == SKILL_FILE.upper()), None)
        if main is None:
            raise SkillRefused(tr_noop("Its SKILL.md is a link, or no file."))
        text = decoded(read_bytes(folder, main))
        if text is None:
            raise SkillRefused(_NO_TEXT)
    except SkillRefused as exc:
        return _unusable(skill, exc.reason)
    except OSError as exc:
        return _unusable(
            skill, Phrase(tr_noop("It cannot be read: {reason}."), {"reason": render_os_error(exc)})
        )
    described = _described(skill, text, (main, *(file for file in files if file is not main)), left_out)
    cache.add(described, content)
    return described


def _described(skill: Skill, text: str, files: tuple[SkillFile, ...], left_out: tuple[str, ...]) -> Skill:
    parts = read_skill_text(text)
    fields = {key.lower(): named(value) for key, value in parts.fields.items()}
    name = cut(fields.get("name", ""), 2 * _MAX_NAME) or skill.name
    description = cut(fields.get("description") or named(_first_paragraph(parts.body)), MAX_DESCRIPTION)
    key = key_of(name) or key_of(Path(skill.folder).name)
    described = msgspec.structs.replace(
        skill,
        key=key,
        name=name,
        description=description,
        licence=cut(fields.get("license", ""), 200),
        compatibility=cut(fields.get("compatibility", ""), 500),
        allowed_tools=cut(fields.get("allowed-tools", ""), 500),
        problem="" if parts.is_yaml else _LINE_BY_LINE,
        files=files,
        left_out=left_out,
        fingerprint=fingerprint_of(files),
        n_tokens=estimated_tokens(f"{key}: {description}"),
        n_instruction_tokens=estimated_tokens(parts.body),
    )
    if not key:
        return _unusable(described, tr_noop("It has no name."))
    return described


def _first_paragraph(body: str) -> str:
    paragraphs = (part.strip() for part in body[:20_000].split("\n\n"))
    return next((part for part in paragraphs if part and not part.startswith(("#", "<!--", "```"))), "")


def _unusable(skill: Skill, reason: Translatable) -> Skill:
    return msgspec.structs.replace(skill, state=SkillState.UNUSABLE, problem=reason)


def key_of(name: str) -> str:
    """Return the name by which a skill is called: letters and digits of any script, and hyphens."""
    lowered = unicodedata.normalize("NFKC", name).lower()
    return _NOT_IN_KEY.sub("-", lowered).strip("-_")[:_MAX_NAME].strip("-_")


def named(text: str) -> str:
    """Return a text of a skill on one line, with its invisible and control characters named."""
    return visible(" ".join(text.split()))


def visible(text: str) -> str:
    """Return a text of a skill with its invisible and control characters named, but with its lines."""
    return _CONTROL.sub(lambda found: f"[U+{ord(found[0]):04X}]", with_invisible_named(text))


def fingerprint_of(files: tuple[SkillFile, ...]) -> str:
    """Return the fingerprint of a skill: it changes with any name and content."""
    pairs = sorted((file.path, file.digest) for file in files)
    return hashlib.sha256(msgspec.json.encode(pairs)).hexdigest()


def decoded(content: bytes) -> str | None:
    """Return the text of a file; ``None`` if it is not UTF-8 or has control characters of binary files."""
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def read_bytes(folder: Path, file: SkillFile) -> bytes:
    """Return the content of a file as it was listed. Raises ``SkillRefused``, also if it has changed since,
    or ``OSError``."""
    if file.n_bytes > MAX_TEXT_BYTES:
        sentence = tr_noop("“{name}” is larger than {size}.")
        raise SkillRefused(Phrase(sentence, {"name": named(file.path), "size": "1 MB"}))
    descriptor = os.open(folder / file.path, _OPEN)
    with os.fdopen(descriptor, "rb") as opened:
        content = opened.read(file.n_bytes + 1)
    if hashlib.sha256(content).hexdigest() != file.digest:
        raise SkillRefused(Phrase(tr_noop("“{name}” has just changed."), {"name": named(file.path)}))
    return content


class SkillCache:
    """Digests of files that have not changed since they were read, and the skills read from them."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, ...], str]] = {}
        self._skills: dict[str, tuple[_Content, Skill]] = {}

    def skill(self, folder: str, content: _Content) -> Skill | None:
        """Return the skill of a folder if it was read from this content; see ``add``."""
        known = self._skills.get(folder)
        return known[1] if known is not None and known[0] == content else None

    def add(self, skill: Skill, content: _Content) -> None:
        """Keep a skill with where and what it was read from: place, files, and what was left out."""
        self._skills[skill.folder] = (content, skill)

    def digest(self, path: Path, status: os.stat_result) -> str:
        """Return the SHA-256 of a file. Raises ``OSError``."""
        identity = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        known = self._known.get(str(path))
        if known is not None and known[0] == identity:
            return known[1]
        descriptor = os.open(path, _OPEN)
        with os.fdopen(descriptor, "rb") as file:
            digest = digest_of_content(file)
        self._known[str(path)] = (identity, digest)
        return digest


def _files_of(folder: Path, cache: SkillCache) -> tuple[tuple[SkillFile, ...], tuple[str, ...]]:
    """Return the files by path, and what is neither file nor folder. Raises ``SkillRefused`` or
    ``OSError``."""
    sizes: dict[str, os.stat_result] = {}
    left_out: list[str] = []
    n_bytes = 0
    for path, status in _walk(folder, "", depth=0):
        if not stat.S_ISREG(status.st_mode) or _is_reparse_point(status) or not _is_text(path):
            left_out.append(named(path.encode("utf-8", "replace").decode()))
        else:
            sizes[path] = status
            n_bytes += status.st_size
        if len(sizes) + len(left_out) > MAX_FILES or n_bytes > MAX_BYTES:
            raise SkillRefused(tr_noop("It has more than 2,000 files, or more than 100 MB."))
    files = (
        SkillFile(path=path, n_bytes=status.st_size, digest=cache.digest(folder / path, status))
        for path, status in sorted(sizes.items())
    )
    return tuple(files), tuple(sorted(left_out))


def _walk(folder: Path, prefix: str, *, depth: int) -> Iterator[tuple[str, os.stat_result]]:
    """Yield all entries but real folders. A link is an entry, and never followed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in _SKIPPED:
                continue
            status = os.lstat(entry.path)  # that of the entry has no number of the file on Windows
            if stat.S_ISDIR(status.st_mode) and not _is_reparse_point(status):
                if depth == _MAX_DEPTH:
                    raise SkillRefused(tr_noop("Its folders are nested too deeply."))
                yield from _walk(Path(entry.path), f"{prefix}{entry.name}/", depth=depth + 1)
            else:
                yield f"{prefix}{entry.name}", status


def _is_reparse_point(status: os.stat_result) -> bool:
    """Whether it is a link or a junction of Windows."""
    attributes = int(getattr(status, "st_file_attributes", 0))
    return bool(attributes & stat.FILE_ATTRIBUTE_REPARSE_POINT)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes that are no UTF-8
        return False
    return True


# What a model is given of a skill. Its texts are in English


_MAX_NAMED: Final = 200
"""Files of a skill that are listed with its instructions."""


def instructions(skill: Skill, text: str, *, has_python: bool) -> str:
    """Return the instructions of a skill, whose ``SKILL.md`` is ``text``, with the names of its files."""
    parts = (read_skill_text(text).body, _about_files(skill, has_python=has_python))
    return without_invisible("\n\n".join(filter(None, parts)))


def _about_files(skill: Skill, *, has_python: bool) -> str:
    if len(skill.files) == 1:
        return ""
    lines = [f"[Files of the skill, to be read with file:\n{files_text(skill)}"]
    scripts = {file.ending for file in skill.files} & SCRIPT_ENDINGS
    if scripts:
        lines.append(
            f"Scripts in Python are run with the tool python only.{python_hint(skill)}"
            if has_python and PYTHON_ENDING in scripts
            else "Scripts can be read, but not run here."
        )
    if scripts - {PYTHON_ENDING}:
        lines.append("There is no shell: other scripts are not run.")
    return "\n".join(lines) + "]"


def python_hint(skill: Skill) -> str:
    """Return where code finds the files of a skill, and how it runs a script."""
    return (
        f" There its folder is {skill.folder}, read-only. Set sys.argv, then "
        "runpy.run_path(…, run_name='__main__')."
    )


def files_text(skill: Skill) -> str:
    """Return the files of a skill besides its instructions, one a line."""
    files = [file for file in skill.files if PurePosixPath(file.path).name.upper() != SKILL_FILE.upper()]
    lines = [f"{file.path} ({file.n_bytes} bytes)" for file in files[:_MAX_NAMED]]
    if (n_more := len(files) - len(lines)) > 0:
        lines.append(f"… and {n_more} more")
    return "\n".join(lines)
