"""Skills in a folder, and the parts of a service that finds them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from fireside.services.skills.skill_service import SkillParts


def skill_parts(folder: Path) -> SkillParts:
    """Return parts whose home, own folder and trash are in ``folder``."""
    return SkillParts(
        own=folder / "skills",
        reviews=folder / "skills-reviewed",
        home=folder / "home",
        environ={},
        trash=shutil.rmtree,
    )


def write_skill(
    folder: Path,
    *,
    name: str = "tables",
    description: str = "Makes tables of sums.",
    body: str = "Add the numbers, then say the sum.",
    files: Mapping[str, str | bytes] | None = None,
) -> Path:
    """Write a skill into ``folder`` and return that."""
    folder.mkdir(parents=True, exist_ok=True)
    text = f"---\nname: {name}\ndescription: {description}\n---\n\n{body}\n"
    (folder / "SKILL.md").write_text(text, encoding="utf-8")
    for path, content in (files or {}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder
