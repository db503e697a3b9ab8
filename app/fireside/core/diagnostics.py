"""Results of the self-diagnosis of ``fireside doctor`` and the window."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.hardware import Hardware


class Health(StrEnum):
    """Result of one check."""

    OK = "ok"
    NOTE = "note"
    """It works, but could be better."""
    BROKEN = "broken"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Result of one check, with its text."""

    name: str
    """``Graphics``, ``Models folder``"""
    health: Health
    text: str = msgspec.field(name="words")
    """The result, or what is wrong."""
    next_step: str = ""
    """What the user can do; empty for nothing."""


class DiagnosticReport(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of all checks, in their order."""

    findings: tuple[Finding, ...]
    hardware: Hardware

    @property
    def works(self) -> bool:
        """Whether no check found something broken."""
        return all(finding.health is not Health.BROKEN for finding in self.findings)
