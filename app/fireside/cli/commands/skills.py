"""``fireside skills``: list, show, add, confirm and remove skills."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from fireside.cli.command_app import CommandApp, command_app
from fireside.cli.command_parser import CommandParser, not_blank
from fireside.cli.inputs import confirms
from fireside.cli.screen import columns, one_line, printable
from fireside.core.errors import ToolServerError, format_bytes
from fireside.core.i18n import render
from fireside.core.skills import Skill, SkillState

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext

_DESCRIPTION: Final = """\
Manage skills: folders of instructions (SKILL.md) that a model reads when a request needs them. Those of other
programs are found in their folders, such as ~/.agents/skills and ~/.claude/skills. None is used before you
have confirmed it as it is; one that changes is off until you confirm it again.
"""
_EXAMPLES: Final = """\
examples:
  fireside skills list
  fireside skills add ~/Downloads/pdf.zip
  fireside skills show pdf                   its instructions, or what changed in it
  fireside skills confirm pdf
  fireside run --skill pdf "Which forms does a PDF file have?"
  fireside skills remove pdf
"""


def define(command: CommandParser) -> None:
    """Add what may be typed after ``skills``."""
    command.description = _DESCRIPTION
    command.epilog = _EXAMPLES
    command.add_action("list", list_skills, help="list skills, their states and what they cost")
    show = command.add_action(
        "show", show_skill, help="print the instructions of a skill, or what changed in it"
    )
    add = command.add_action("add", add_skill, help="add a folder in place, or unpack a .zip or .skill file")
    add.add_argument("path", help="the folder or file")
    confirm = command.add_action("confirm", confirm_skill, help="let models use a skill as it is now")
    remove = command.add_action("remove", remove_skill, help="move a skill that was unpacked to the trash")
    for action in (show, confirm, remove):
        action.add_argument("name", type=not_blank, help="the skill")
    confirm.add_argument("--yes", dest="is_sure", action="store_true", help="do not ask")


def list_skills(context: StartupContext) -> int:
    """Print all skills. Raises ``FiresideError``."""
    with command_app(context) as program:
        program.screen.write(skills_table(program.wait(program.app.skills.skills())))
    return 0


def show_skill(context: StartupContext, *, name: str) -> int:
    """Print what a skill is, and its instructions or what changed. Raises ``FiresideError``."""
    with command_app(context) as program:
        _show(program, _skill(program, name))
    return 0


def add_skill(context: StartupContext, *, path: str) -> int:
    """Add the skills of a folder or archive; they are not confirmed. Raises ``FiresideError``."""
    with command_app(context) as program:
        source = str(Path(path).expanduser().absolute())
        program.screen.write(skills_table(program.wait(program.app.skills.add(source))))
    return 0


def confirm_skill(context: StartupContext, *, name: str, is_sure: bool) -> int:
    """Confirm a skill as it is, once the user agrees. Returns 1 if not; raises ``FiresideError``."""
    with command_app(context) as program:
        skill = _skill(program, name)
        if not is_sure:
            _show(program, skill)
            if not confirms("Let models use this skill as it is now?"):
                program.screen.say("Not confirmed.\n")
                return 1
        program.wait(program.app.skills.confirm(skill.folder, skill.fingerprint))
        program.screen.write(f"“{one_line(name)}” confirmed.\n")
    return 0


def remove_skill(context: StartupContext, *, name: str) -> int:
    """Move a skill of Fireside's own folder to the trash. Raises ``FiresideError``."""
    with command_app(context) as program:
        program.wait(program.app.skills.remove(_skill(program, name).folder))
        program.screen.write(f"“{one_line(name)}” removed.\n")
    return 0


def skills_table(skills: tuple[Skill, ...]) -> str:
    """Return a table of skills; of an unusable one, why it is that."""
    if not skills:
        return "There are no skills.\n"
    rows = [("SKILL", "STATE", "TOKENS", "SIZE", "FOLDER")]
    for skill in skills:
        cost = f"{skill.n_tokens}+{skill.n_instruction_tokens}" if skill.files else "-"
        name = one_line(skill.key or skill.name)
        rows.append((name, skill.state.value, cost, format_bytes(skill.n_bytes), one_line(skill.folder)))
    table = columns(rows)
    problems = (skill for skill in skills if skill.state is SkillState.UNUSABLE)
    return table + "".join(f"{one_line(each.folder)}: {render(each.problem)}\n" for each in problems)


def _skill(program: CommandApp, name: str) -> Skill:
    for skill in program.wait(program.app.skills.skills()):
        if skill.key == name and skill.state is not SkillState.UNUSABLE:
            return skill
    raise ToolServerError.of("skill_not_found", name=name)


def _show(program: CommandApp, skill: Skill) -> None:
    screen = program.screen
    screen.write(f"{one_line(skill.name)}: {one_line(skill.description)}\n{one_line(skill.folder)}\n")
    if skill.allowed_tools:
        screen.write(f"Asks for these tools, which is not granted: {one_line(skill.allowed_tools)}\n")
    for file in skill.files:
        screen.write(f"  {one_line(file.path)}  {format_bytes(file.n_bytes)}\n")
    if skill.state is not SkillState.CHANGED:
        text = program.wait(program.app.skills.text(skill.folder, skill.files[0].path))
        screen.write(f"\n{printable(text)}\n")
        return
    for change in program.wait(program.app.skills.changes(skill.folder)):
        how = " (added)" if change.is_added else " (removed)" if change.is_removed else ""
        screen.write(f"\n{one_line(change.path)}{how}\n{printable(change.diff)}\n")
