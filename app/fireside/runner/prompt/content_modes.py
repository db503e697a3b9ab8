"""The two ways to show a template what users wrote: by placeholders, or as it is but guarded."""

from __future__ import annotations

from typing import Any

from fireside.core.i18n import tr_noop
from fireside.core.message import ImagePart, Role
from fireside.runner.prompt.control_token_guard import Guard
from fireside.runner.prompt.openai_messages import Place
from fireside.runner.prompt.placeholders import LookedInside, Placeholders
from fireside.runner.prompt.sandbox import TemplateRefused


class WithPlaceholders:
    """Every content is a placeholder, and must come back once."""

    def __init__(self, stand_ins: Placeholders, guard: Guard) -> None:
        self._stand_ins = stand_ins
        self._guard = guard
        self._expected: dict[int, Role] = {}
        self._optional: set[int] = set()

    def text(self, text: str, place: Place) -> str:
        index = self._stand_ins.n_words
        make = self._stand_ins.unfinished if place.is_unfinished else self._stand_ins.content
        content = make(text, role=place.role, message=place.message)
        if text.strip():
            if place.is_optional:
                self._optional.add(index)
            else:
                self._expected[index] = place.role
        return content

    def image(self, image: ImagePart) -> str:
        return self._stand_ins.add_image(image)

    def data(self, value: object) -> Any:
        return self._guard.data(value, self._stand_ins.add)

    def check(self, counts: list[int]) -> None:
        """Look whether every content came back.

        Raises:
            TemplateRefused: a system prompt did not.
            LookedInside: another did not, or one did several times: the template did something with it.
        """
        if any(counts[index] == 0 for index, role in self._expected.items() if role is Role.SYSTEM):
            raise TemplateRefused(tr_noop("it leaves the system prompt out"))
        if any(counts[index] != 1 for index in self._expected):
            raise LookedInside
        if any(counts[index] > 1 for index in self._optional):
            raise LookedInside


class AsWritten:
    """Every content is the real text, in which only what reads like a control token has a placeholder."""

    def __init__(self, stand_ins: Placeholders, guard: Guard) -> None:
        self._stand_ins = stand_ins
        self._guard = guard

    def text(self, text: str, place: Place) -> str:
        guarded = self._guard.text(text, self._stand_ins.add)
        return guarded + self._stand_ins.end_mark if place.is_unfinished else guarded

    def image(self, image: ImagePart) -> str:
        return self._stand_ins.add_image(image)

    def data(self, value: object) -> Any:
        return self._guard.data(value, self._stand_ins.add)
