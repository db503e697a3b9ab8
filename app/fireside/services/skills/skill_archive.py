"""Unpack skills from zip archives, which are not trusted. Blocks."""

from __future__ import annotations

import contextlib
import os
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fireside.core.i18n import Phrase, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.skills import Skill, SkillState
from fireside.files.archive import ArchiveRefused, open_archive
from fireside.hub.safe_filenames import RESERVED_NAME
from fireside.services.skills.skill_folders import (
    MAX_BYTES,
    MAX_FILES,
    Place,
    SkillCache,
    SkillRefused,
    find_skills,
    named,
)

ENDINGS: Final = (".zip", ".skill")
_NOT_UNPACKED: Final = tr_noop("It cannot be unpacked: {reason}")
_NOT_PORTABLE: Final = tr_noop("“{name}” in it is a link, or has a name that not every system can have.")
_NOT_ON_WINDOWS: Final = frozenset('<>:"|?*')


def unpack_skills(source: Path, *, below: Path) -> tuple[str, ...]:
    """Unpack all skills of an archive into folders below ``below``; return these.

    A skill that is there already is replaced. Links are refused, and names that some system cannot have.
    Raises ``SkillRefused``; nothing has changed then.
    """
    try:
        below.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _scratch_folder(below) as unpacked:
            _unpack(source, unpacked / "new")
            place = Place(folder=unpacked / "new", is_added=True)
            skills = find_skills((place,), SkillCache())
            unusable = next((skill for skill in skills if skill.state is SkillState.UNUSABLE), None)
            if unusable is not None:
                raise SkillRefused(unusable.problem)
            if not skills:
                raise SkillRefused(tr_noop("There is no SKILL.md in it."))
            return tuple(_put(skill, below=below, old=unpacked) for skill in skills)
    except ArchiveRefused as exc:
        reason = exc.reason if isinstance(exc.reason, Phrase) else Phrase(exc.reason)
        raise SkillRefused(Phrase(_NOT_UNPACKED, {"reason": reason})) from exc
    except OSError as exc:
        raise SkillRefused(Phrase(_NOT_UNPACKED, {"reason": f"{render_os_error(exc)}."})) from exc


@contextlib.contextmanager
def _scratch_folder(below: Path) -> Iterator[Path]:
    folder = below / f".unpacking-{os.getpid()}"  # hidden: no skills are looked for in it
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _put(skill: Skill, *, below: Path, old: Path) -> str:
    target = below / (f"{skill.key}-skill" if RESERVED_NAME.match(skill.key) else skill.key)
    if os.path.lexists(target):
        target.rename(old / f"old-{skill.key}")
    Path(skill.folder).rename(target)
    return str(target.resolve())


def _unpack(source: Path, target: Path) -> None:
    seen: set[str] = set()
    with open_archive(source, is_zip=True, max_files=MAX_FILES, max_bytes=MAX_BYTES) as files:
        for file in list(files):
            if file.path.parts[0] == "__MACOSX":
                continue
            name = unicodedata.normalize("NFKC", str(file.path)).casefold()
            if file.link or any(map(_is_reserved, file.path.parts)):
                raise _refused(_NOT_PORTABLE, file.path.name)
            if name in seen:
                raise _refused(tr_noop("“{name}” is in it twice."), file.path.name)
            seen.add(name)
            path = target / file.path
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file.copy_to(path)


def _is_reserved(part: str) -> bool:
    has_control = any(ord(char) < 0x20 for char in part)
    return has_control or part[-1] in " ." or bool(_NOT_ON_WINDOWS & {*part} or RESERVED_NAME.match(part))


def _refused(sentence: str, name: str) -> ArchiveRefused:
    return ArchiveRefused(Phrase(sentence, {"name": named(name)}))
