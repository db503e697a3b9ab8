"""What the user has reviewed of each skill, so that a change is seen and shown. Blocks."""

from __future__ import annotations

import difflib
import hashlib
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.skills import Skill, SkillChange, SkillState
from fireside.files.json_file import JsonFile
from fireside.services.skills.skill_folders import SkillRefused, decoded, named, read_bytes, visible

_LIMIT: Final = 16_000_000
_MAX_TEXT_BYTES: Final = 2_000_000
"""Of the texts that are kept of a skill, to show what changed in them."""
_MAX_LINES: Final = 10_000
"""Of both texts that are compared."""


class _Review(msgspec.Struct, frozen=True, kw_only=True):
    folder: str
    fingerprint: str
    digests: dict[str, str]
    """By path."""
    texts: dict[str, str] = {}
    """As many as fit, by path."""


class Reviews:
    """One file a skill, named after its folder. One caller at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[int, _Review | None]] = {}

    def with_state(self, skill: Skill) -> Skill:
        """Return a usable skill with its state."""
        review = self._review(skill.folder)
        if skill.state is SkillState.UNUSABLE or review is None:
            return skill
        is_same = review.fingerprint == skill.fingerprint
        return msgspec.structs.replace(skill, state=SkillState.READY if is_same else SkillState.CHANGED)

    def add(self, skill: Skill) -> None:
        """Store that the user has reviewed a skill as it is. Raises ``SkillRefused`` if it changes meanwhile,
        or ``OSError``."""
        review = _Review(
            folder=skill.folder,
            fingerprint=skill.fingerprint,
            digests={file.path: file.digest for file in skill.files},
            texts=_texts_of(skill),
        )
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file(skill.folder).write(review)

    def forget(self, folder: str) -> None:
        """Remove what is known of a folder, if anything is. Raises ``OSError``."""
        self._file(folder).path.unlink(missing_ok=True)

    def changes(self, skill: Skill) -> tuple[SkillChange, ...]:
        """Return how the files of a skill differ from what was reviewed. Raises ``OSError`` or
        ``SkillRefused``."""
        review = self._review(skill.folder)
        if review is None:
            return ()
        new = {file.path: file for file in skill.files}
        changes: list[SkillChange] = []
        first = skill.files[0].path
        for path in sorted(review.digests.keys() | new.keys(), key=lambda path: (path != first, path)):
            before = review.texts.get(path)
            if path not in new:
                changes.append(_change(path, before, "", is_removed=True))
            elif review.digests.get(path) != new[path].digest:
                is_added = path not in review.digests
                after = _text_of(skill, path)
                changes.append(_change(path, "" if is_added else before, after, is_added=is_added))
        return tuple(changes)

    def _review(self, folder: str) -> _Review | None:
        file = self._file(folder)
        try:
            changed_at = file.path.stat().st_mtime_ns
        except OSError:
            return None
        known = self._known.get(folder)
        if known is None or known[0] != changed_at:  # another program may have written it
            known = self._known[folder] = (changed_at, file.read())
        return known[1]

    def _file(self, folder: str) -> JsonFile[_Review]:
        name = hashlib.sha256(folder.encode()).hexdigest()[:32]
        return JsonFile(self._folder / f"{name}.json", _Review, limit=_LIMIT)


def _texts_of(skill: Skill) -> dict[str, str]:
    texts: dict[str, str] = {}
    n_bytes = 0
    for file in skill.files:
        if n_bytes + file.n_bytes <= _MAX_TEXT_BYTES and (text := _text_of(skill, file.path)) is not None:
            texts[file.path] = text
            n_bytes += file.n_bytes
    return texts


def _text_of(skill: Skill, path: str) -> str | None:
    file = next(file for file in skill.files if file.path == path)
    try:
        return decoded(read_bytes(Path(skill.folder), file))
    except SkillRefused:  # too large
        return None


def _change(
    path: str, before: str | None, after: str | None, *, is_added: bool = False, is_removed: bool = False
) -> SkillChange:
    diff = ""
    if before is not None and after is not None:
        old, new = before.splitlines(), after.splitlines()
        if len(old) + len(new) <= _MAX_LINES:
            lines = tuple(difflib.unified_diff(old, new, lineterm="", n=2))[2:]
            diff = "\n".join(map(visible, lines))
    return SkillChange(path=named(path), diff=diff, is_added=is_added, is_removed=is_removed)
