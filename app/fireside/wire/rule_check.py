"""What the program and the process that checks a rule for answers tell each other, as JSON."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.i18n import Words

CHECK_RULE: Final = "--check-rule"
"""Makes the program of a runner compile one rule, and end."""


class RuleRequest(msgspec.Struct, frozen=True, kw_only=True):
    constraint: Constraint


class RuleReply(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a rule, as the end of a sentence; empty where answers can be held to it."""

    problem: Words = ""
