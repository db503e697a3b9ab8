"""Say what works and what does not, in the terminal."""

from __future__ import annotations

import argparse
import textwrap
from typing import Final, TypeVar

import msgspec

from fireside.core.diagnostics import DiagnosticReport, Finding, Health

DOCTOR_COMMAND: Final = "doctor"

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)
_MARKS: Final = {Health.OK: "OK", Health.NOTE: "NOTE", Health.BROKEN: "WRONG"}
_MARK_WIDTH: Final = 6
_MIN_WIDTH: Final = 40


def add_doctor_command(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the command that looks at everything."""
    doctor = commands.add_parser(
        DOCTOR_COMMAND,
        help="check that everything works on this computer",
        description="Check this computer, its devices, runtime, folders, database and keyring, and suggest "
        "fixes. Makes no connections and no changes.",
    )
    doctor.add_argument("--json", action="store_true", dest="as_json", help="print as JSON")


def report_text(checkup: DiagnosticReport, *, width: int) -> str:
    """Return a line or more for each finding, and one about all of them. ``width`` is the terminal's."""
    name_width = max((len(finding.name) for finding in checkup.findings), default=0) + 2
    lines = [_finding_lines(each, name_width=name_width, width=width) for each in checkup.findings]
    n_broken = sum(finding.health is Health.BROKEN for finding in checkup.findings)
    end = "Everything works."
    if n_broken:
        end = "1 problem found." if n_broken == 1 else f"{n_broken} problems found."
    return "".join(lines) + f"\n{end}\n"


def report_json(checkup: DiagnosticReport) -> str:
    """Return the same as JSON: ``works``, ``findings`` and ``hardware``."""
    whole = {"works": checkup.works, "findings": checkup.findings, "hardware": checkup.hardware}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _finding_lines(finding: Finding, *, name_width: int, width: int) -> str:
    head = f"{_MARKS[finding.health]:<{_MARK_WIDTH}}{finding.name:<{name_width}}"
    room = max(_MIN_WIDTH, width - len(head) - 1)
    lines = textwrap.wrap(finding.text, room) or [""]
    if finding.next_step:
        lines += [f"→ {line}" if not number else f"  {line}" for number, line in enumerate(
            textwrap.wrap(finding.next_step, room - 2)
        )]  # fmt: skip
    before = (head, *([" " * len(head)] * (len(lines) - 1)))
    return "".join(f"{start}{line}".rstrip() + "\n" for start, line in zip(before, lines, strict=True))
