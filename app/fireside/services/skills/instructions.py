"""What a model is given of a skill. Its texts are in English."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from fireside.core.graphemes import without_invisible
from fireside.core.skills import PYTHON_ENDING, SCRIPT_ENDINGS, SKILL_FILE, Skill
from fireside.services.skills.frontmatter import read_skill_text

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
