"""What a look at everything that Fireside needs found out."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.hardware import Hardware


class Health(StrEnum):
    """Whether what a check looked at works."""

    OK = "ok"
    NOTE = "note"
    """It works, and could be better."""
    BROKEN = "broken"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    name: str
    """``Graphics``, ``Models folder``"""
    health: Health
    text: str = msgspec.field(name="words")
    """What it is, or what is wrong with it."""
    next_step: str = ""
    """What the user can do; empty where there is nothing to do."""


class DiagnosticReport(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of all checks, in their order."""

    findings: tuple[Finding, ...]
    hardware: Hardware

    @property
    def works(self) -> bool:
        """Whether no check found something broken."""
        return all(finding.health is not Health.BROKEN for finding in self.findings)
