"""``fireside doctor``: check everything and print a report."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Final

from fireside.cli.command_parser import CommandParser
from fireside.cli.screen import Screen, json_text
from fireside.core.diagnostics import DiagnosticReport, Finding, Health

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext

_DEFAULT_SIZE: Final = (100, 24)
_MARKS: Final = {Health.OK: "OK", Health.NOTE: "NOTE", Health.BROKEN: "WRONG"}
_MARK_WIDTH: Final = 6
_MIN_WIDTH: Final = 40


def define(command: CommandParser) -> None:
    """Add what may be typed after ``doctor``."""
    command.description = (
        "Check this computer, its devices, runtime, folders, database and keyring, and suggest fixes. Makes "
        "no connections and no changes."
    )
    command.does(examine)
    command.add_argument("--json", action="store_true", dest="as_json", help="print as JSON")


def examine(context: StartupContext, *, as_json: bool) -> int:
    """Check everything and print a report. Returns the exit status: 1 if something does not work."""
    from fireside.cli.doctor import make_doctor

    report = make_doctor(context).examine()
    screen = Screen(output=sys.stdout, status=sys.stderr)
    width = shutil.get_terminal_size(_DEFAULT_SIZE).columns
    screen.write(report_json(report) if as_json else report_text(report, width=width))
    return 0 if report.works else 1


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
