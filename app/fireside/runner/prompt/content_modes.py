"""The two ways to pass message contents to a template: as placeholders, or literally but guarded."""

from __future__ import annotations

from typing import Any

from fireside.core.i18n import tr_noop
from fireside.core.message import PerceivedPart, Role
from fireside.runner.prompt.control_token_guard import ControlTokenGuard
from fireside.runner.prompt.openai_messages import ContentInfo
from fireside.runner.prompt.placeholders import ContentInspected, Placeholders
from fireside.runner.prompt.sandbox import TemplateRefused


class PlaceholderContent:
    """Every content is a placeholder, and must appear exactly once in the output."""

    def __init__(self, placeholders: Placeholders, guard: ControlTokenGuard) -> None:
        self._placeholders = placeholders
        self._guard = guard
        self._expected: dict[int, Role] = {}
        self._optional: set[int] = set()

    def text(self, text: str, info: ContentInfo) -> str:
        index = self._placeholders.n_placeholders
        make = self._placeholders.unfinished if info.is_unfinished else self._placeholders.content
        content = make(text, role=info.role, message=info.message)
        if text.strip():
            if info.is_optional:
                self._optional.add(index)
            else:
                self._expected[index] = info.role
        return content

    def image(self, image: PerceivedPart) -> str:
        return self._placeholders.add_image(image)

    def data(self, value: object) -> Any:
        return self._guard.data(value, self._placeholders.add)

    def check(self, counts: list[int]) -> None:
        """Check that every content was rendered.

        Raises:
            TemplateRefused: a system prompt was not.
            ContentInspected: another was not, or one several times: the template processed it.
        """
        if any(counts[index] == 0 for index, role in self._expected.items() if role is Role.SYSTEM):
            raise TemplateRefused(tr_noop("it leaves the system prompt out"))
        if any(counts[index] != 1 for index in self._expected):
            raise ContentInspected
        if any(counts[index] > 1 for index in self._optional):
            raise ContentInspected


class LiteralContent:
    """Every content is the real text, in which only what reads like a control token is a placeholder."""

    def __init__(self, placeholders: Placeholders, guard: ControlTokenGuard) -> None:
        self._placeholders = placeholders
        self._guard = guard

    def text(self, text: str, info: ContentInfo) -> str:
        guarded = self._guard.text(text, self._placeholders.add)
        return guarded + self._placeholders.end_marker if info.is_unfinished else guarded

    def image(self, image: PerceivedPart) -> str:
        return self._placeholders.add_image(image)

    def data(self, value: object) -> Any:
        return self._guard.data(value, self._placeholders.add)
