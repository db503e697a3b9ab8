"""Skills: folders of instructions in the format of other programs (`SKILL.md`, agentskills.io)."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

import msgspec

from fireside.core.i18n import Translatable

SKILL_FILE: Final = "SKILL.md"
PYTHON_ENDING: Final = ".py"
SCRIPT_ENDINGS: Final = frozenset(
    {PYTHON_ENDING, ".sh", ".bash", ".zsh", ".ps1", ".bat", ".cmd", ".js", ".ts", ".rb"}
)
"""Names of files that other programs run. Of these, code in a chat can run those of Python alone."""


class SkillState(StrEnum):
    """Whether a skill may be used."""

    NEW = "new"
    """The user has not reviewed it."""
    READY = "ready"
    """It is what the user reviewed."""
    CHANGED = "changed"
    """Some file differs from what the user reviewed."""
    UNUSABLE = "unusable"
    """See ``Skill.problem``."""


class SkillFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a skill."""

    path: str
    """Within the folder of the skill, with slashes."""
    n_bytes: int
    digest: str
    """SHA-256 in hexadecimal digits."""

    @property
    def ending(self) -> str:
        """The end of the name, in lower case."""
        return PurePosixPath(self.path).suffix.lower()


class Skill(msgspec.Struct, frozen=True, kw_only=True):
    """A skill as it was found. Its texts are by others; invisible characters in them are named."""

    key: str
    """The name by which models and slash commands call it; unique among those that are not unusable."""
    name: str
    description: str = ""
    licence: str = ""
    compatibility: str = ""
    allowed_tools: str = ""
    """As it claims; it grants nothing."""
    folder: str
    """Absolute, without links."""
    origin: str = ""
    """The program to whose folder it belongs; empty for Fireside's own and those that the user added."""
    is_own: bool = False
    """Whether it is in Fireside's own folder, so that removing it deletes its files."""
    state: SkillState
    problem: Translatable = ""
    """Why it is unusable, or what was not understood; a sentence."""
    files: tuple[SkillFile, ...] = ()
    """By path; ``SKILL_FILE`` is the first."""
    left_out: tuple[str, ...] = ()
    """Links and other entries that are no files, which no one gets to read."""
    fingerprint: str = ""
    """Of all files."""
    n_tokens: int = 0
    """The estimated tokens of name and description, which each prompt contains while it is on."""
    n_instruction_tokens: int = 0
    """The estimated tokens of the instructions, which a model gets when it uses the skill."""

    @property
    def n_bytes(self) -> int:
        """Of all files."""
        return sum(file.n_bytes for file in self.files)

    @property
    def has_python(self) -> bool:
        """Whether there are scripts that code in a chat can run."""
        return any(file.ending == PYTHON_ENDING for file in self.files)


class SkillChange(msgspec.Struct, frozen=True, kw_only=True):
    """How a file of a skill differs from the one that the user reviewed."""

    path: str
    diff: str
    """Lines that begin with ``-``, ``+`` or a space; empty for a file whose text is not known."""
    is_added: bool = False
    is_removed: bool = False
