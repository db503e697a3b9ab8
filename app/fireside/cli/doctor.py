"""``fireside doctor``: the report of the diagnostics."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any, Final

from fireside.cli.screen import json_text
from fireside.core.diagnostics import DiagnosticReport, Finding, Health

DOCTOR_COMMAND: Final = "doctor"

_MARKS: Final = {Health.OK: "OK", Health.NOTE: "NOTE", Health.BROKEN: "WRONG"}
_MARK_WIDTH: Final = 6
_MIN_WIDTH: Final = 40


def add_doctor_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``doctor`` to the commands."""
    doctor = commands.add_parser(
        DOCTOR_COMMAND,
        help="check that everything works on this computer",
        description="Check this computer, its devices, runtime, folders, database and keyring, and suggest "
        "fixes. Makes no connections and no changes.",
    )
    doctor.add_argument("--json", action="store_true", dest="as_json", help="print as JSON")


def report_text(report: DiagnosticReport, *, width: int) -> str:
    """Return each finding in one or more lines, then a summary; ``width`` is that of the terminal."""
    name_width = max((len(finding.name) for finding in report.findings), default=0) + 2
    lines = [_finding_lines(each, name_width=name_width, width=width) for each in report.findings]
    n_broken = sum(finding.health is Health.BROKEN for finding in report.findings)
    summary = "Everything works."
    if n_broken:
        summary = "1 problem found." if n_broken == 1 else f"{n_broken} problems found."
    return "".join(lines) + f"\n{summary}\n"


def report_json(report: DiagnosticReport) -> str:
    """Return the report as JSON: ``works``, ``findings`` and ``hardware``."""
    return json_text({"works": report.works, "findings": report.findings, "hardware": report.hardware})


def _finding_lines(finding: Finding, *, name_width: int, width: int) -> str:
    head = f"{_MARKS[finding.health]:<{_MARK_WIDTH}}{finding.name:<{name_width}}"
    text_width = max(_MIN_WIDTH, width - len(head) - 1)
    lines = textwrap.wrap(finding.text, text_width) or [""]
    if finding.next_step:
        lines += [f"→ {line}" if not number else f"  {line}" for number, line in enumerate(
            textwrap.wrap(finding.next_step, text_width - 2)
        )]  # fmt: skip
    prefixes = (head, *([" " * len(head)] * (len(lines) - 1)))
    return "".join(f"{prefix}{line}".rstrip() + "\n" for prefix, line in zip(prefixes, lines, strict=True))
