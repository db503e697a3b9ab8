"""Read the skills of a chat for its model."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.core.errors import FiresideError
from fireside.core.graphemes import without_invisible
from fireside.core.skills import Skill
from fireside.services.skills.skill_service import SkillService
from fireside.tools.skills import SkillAccess
from fireside.tools.tool import ToolFailed


def chat_skills(service: SkillService, skills: Sequence[Skill], *, has_python: bool) -> SkillAccess | None:
    """Return what the tool of a chat reads; ``None`` without skills. ``has_python`` is whether the chat runs
    code."""
    if not skills:
        return None
    by_key = {skill.key: skill for skill in skills}

    async def read(key: str, file: str) -> str:
        skill = by_key.get(key)
        if skill is None:
            raise ToolFailed(f"name: there is no skill “{key}”. There are: {', '.join(by_key)}.")
        return await skill_text(service, skill, file, has_python=has_python)

    return SkillAccess(skills=tuple(skills), read=read)


async def skill_text(service: SkillService, skill: Skill, path: str, *, has_python: bool) -> str:
    """Return the instructions of a skill, or of one of its files, for a model. Raises ``ToolFailed``."""
    from fireside.services.skills.skill_folders import files_text, instructions, python_hint

    wanted = path.removeprefix("./") or skill.files[0].path
    if all(file.path != wanted for file in skill.files):
        raise ToolFailed(f"file: the skill has no “{path}”. It has:\n{files_text(skill)}")
    try:
        text = await service.read(skill, wanted)
    except FiresideError as exc:
        raise ToolFailed(exc.sentence()) from exc
    if text is None:
        raise ToolFailed(f"file: “{path}” is not text.{python_hint(skill) if has_python else ''}")
    if wanted != skill.files[0].path:
        return without_invisible(text)
    return instructions(skill, text, has_python=has_python)
