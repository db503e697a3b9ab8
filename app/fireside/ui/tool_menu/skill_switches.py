"""What turns a tool, an MCP server or a skill on in the tool menu."""

from __future__ import annotations

from typing import Final

from fireside.core.skills import Skill, SkillState
from fireside.core.tools import USE_SKILL_NAME, Permission, ToolInfo

_SKILL: Final = "skill:"
"""Before the name of a skill, which may be that of a server too."""


def switch_of(tool: ToolInfo) -> str:
    """Return what turns a tool on: a key of ``SWITCHES``, the name of its server, or the key of a skill."""
    return tool.server or tool.setting


def skill_key(name: str) -> str:
    """Return the key of the switch of a skill."""
    return f"{_SKILL}{name}"


def skill_of(key: str) -> str:
    """Return the skill of a switch; empty for another switch."""
    return key.removeprefix(_SKILL) if key.startswith(_SKILL) else ""


def skill_info(skill: Skill) -> ToolInfo | None:
    """Return a skill as a use of the one tool of all skills; ``None`` for one that was never reviewed."""
    if skill.state not in (SkillState.READY, SkillState.CHANGED):
        return None
    is_changed = skill.state is SkillState.CHANGED
    return ToolInfo(
        name=USE_SKILL_NAME,
        description=skill.description,
        setting=skill_key(skill.key),
        n_tokens=0 if is_changed else skill.n_tokens,
        permission=Permission.ALWAYS,
        changed=is_changed,
    )
