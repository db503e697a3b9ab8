"""Placeholders for message contents while a template runs.

A template sees ``<whitespace><open>index<close><whitespace>`` in place of a message, with the message's own
whitespace outside, so that trimming has its usual effect. Afterwards the placeholders are replaced by the
texts, so that what the user wrote can never become a control token.

This does not work for a template that inspects a message where the placeholder differs from the text
(``'</think>' in content``, a slice, a length). ``Content`` detects that, and the caller renders again with
the real text.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from fireside.core.message import PerceivedPart, Role
from fireside.runner.prompt.segments import Prompt, PromptSegment, prompt_of

_FIRST_MARK = 0xF0000
"""Plane 15 is a private use area: no tokenizer and no template gives these characters a meaning."""

_PRIVATE = re.compile(f"[{chr(_FIRST_MARK)}-{chr(sys.maxunicode)}]")


class ContentInspected(Exception):
    """A template inspected a message's text where the placeholder would have given a wrong result."""


class Delimiters(msgspec.Struct, frozen=True, kw_only=True):
    """Characters that occur in none of the texts of one rendering."""

    open: str
    open_json: str
    close: str
    image: str
    """In place of ``open``, for an image."""
    end: str
    """Where the answer continues: what follows it is cut off."""


def choose_delimiters(texts: Sequence[str]) -> Delimiters:
    """Return delimiters that occur in none of ``texts``."""
    used = set().union(*(_PRIVATE.findall(text) for text in texts if not text.isascii()))
    free: Iterator[str] = (chr(code) for code in range(_FIRST_MARK, 0x10FFFE) if chr(code) not in used)
    return Delimiters(
        open=next(free), open_json=next(free), close=next(free), image=next(free), end=next(free)
    )


class Content(str):
    """A placeholder that behaves like the text it stands for, or raises ``ContentInspected``."""

    __slots__ = ("_core", "_mark", "_real")

    _real: str
    _core: str
    _mark: str

    @classmethod
    def of(cls, real: str, *, core: str, mark: str) -> Content:
        """Return the placeholder for ``real``, whose stripped text ``core`` is replaced by ``mark``."""
        start = real.index(core)
        self = cls(real[:start] + mark + real[start + len(core) :])
        self._real, self._core, self._mark = real, core, mark
        return self

    def _stripped(self, strip: Callable[[str], str]) -> Content:
        placeholder, real = strip(str(self)), strip(self._real)
        if placeholder.replace(self._mark, self._core) != real:
            raise ContentInspected
        return Content.of(real, core=self._core, mark=self._mark)

    def __str__(self) -> str:
        return str.__str__(self)

    def strip(self, chars: str | None = None, /) -> Content:
        return self._stripped(lambda text: text.strip(chars))

    def lstrip(self, chars: str | None = None, /) -> Content:
        return self._stripped(lambda text: text.lstrip(chars))

    def rstrip(self, chars: str | None = None, /) -> Content:
        return self._stripped(lambda text: text.rstrip(chars))

    def _require_absent(self, needle: str | None) -> None:
        if needle is None or needle in self._real:
            raise ContentInspected

    def __contains__(self, needle: str, /) -> bool:  # type: ignore[override]  # templates pass strings only
        return needle in self._real

    def __eq__(self, other: object) -> bool:
        return self._real == (other._real if isinstance(other, Content) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._real)

    def startswith(self, *args: Any) -> bool:
        return self._real.startswith(*args)

    def endswith(self, *args: Any) -> bool:
        return self._real.endswith(*args)

    def find(self, *args: Any) -> int:
        return self._real.find(*args)

    def split(self, *args: Any, **named: Any) -> list[Any]:
        self._require_absent(args[0] if args else named.get("sep"))
        return [self]

    rsplit = split

    def replace(self, *args: Any) -> Content:
        self._require_absent(args[0])
        return self

    def __getitem__(self, key: Any, /) -> str:
        if isinstance(key, str):  # no text has it: a template asks whether the content is an object
            raise TypeError(key)
        raise ContentInspected

    def __iter__(self) -> Iterator[str]:
        # Lazily, because the test ``is iterable`` asks for an iterator and never uses it.
        return (self._refuse() for _ in (None,))

    def __len__(self) -> int:
        return len(self._real)

    def _refuse(self, *_args: Any, **_named: Any) -> Any:
        raise ContentInspected

    upper = lower = title = capitalize = casefold = swapcase = _refuse
    partition = rpartition = splitlines = count = index = rfind = rindex = _refuse
    removeprefix = removesuffix = translate = _refuse


class _Original(msgspec.Struct, frozen=True):
    """The text behind a placeholder, and the message it belongs to."""

    text: str
    role: Role | None
    message: int | None


class Placeholders:
    """The placeholders of one rendering, by index."""

    def __init__(self, delimiters: Delimiters) -> None:
        self._delimiters = delimiters
        self._originals: list[_Original] = []
        self._images: list[PerceivedPart] = []
        self._pattern = re.compile(
            f"([{delimiters.open}{delimiters.open_json}])([0-9]+){delimiters.close}", re.ASCII | re.DOTALL
        )
        self._image_pattern = re.compile(f"{delimiters.image}([0-9]+){delimiters.close}", re.ASCII)
        self._delimiter_table = {ord(mark): None for mark in msgspec.structs.astuple(delimiters)}

    @property
    def n_placeholders(self) -> int:
        """Number of placeholders; the index of the next one."""
        return len(self._originals)

    @property
    def end_marker(self) -> str:
        """The marker after an unfinished text.

        The space at its end shows afterwards whether the template trims: only then is trailing space of the
        text trimmed as well.
        """
        return self._delimiters.end + " "

    def add(self, text: str, *, role: Role | None = None, message: int | None = None) -> str:
        """Register ``text`` and return its placeholder."""
        self._originals.append(_Original(text, role, message))
        return f"{self._delimiters.open}{len(self._originals) - 1}{self._delimiters.close}"

    def add_image(self, image: PerceivedPart) -> str:
        """Register an image and return its placeholder, to be used within a text or by itself."""
        self._images.append(image)
        return f"{self._delimiters.image}{len(self._images) - 1}{self._delimiters.close}"

    def content(self, text: str, *, role: Role, message: int) -> str:
        """Return what a template gets for a message: a placeholder, or whitespace-only text as it is."""
        core = text.strip()
        if not core:
            return text
        return Content.of(text, core=core, mark=self.add(core, role=role, message=message))

    def unfinished(self, text: str, *, role: Role, message: int) -> str:
        """Return ``content`` followed by the end marker, where the answer continues."""
        core, tail = text.strip(), self.end_marker
        if not core:
            return text + tail
        return Content.of(text + tail, core=core, mark=self.add(core, role=role, message=message))

    def cut_at_end(self, rendered: str) -> str | None:
        """Return ``rendered`` up to the end marker; ``None`` if the template omitted it."""
        head, mark, tail = rendered.rpartition(self._delimiters.end)
        if not mark:
            return None
        return head if tail.startswith(" ") else head.rstrip()

    def escape_json(self, encoded: str) -> str:
        """Mark the placeholders in JSON text as being inside a JSON string, to be escaped when restored."""
        return encoded.replace(self._delimiters.open, self._delimiters.open_json)

    def restore(self, rendered: str) -> tuple[Prompt, list[int]]:
        """Return the prompt with all texts restored, and how often each placeholder occurred.

        A damaged placeholder counts as missing; its delimiters are removed.
        """
        counts = [0] * len(self._originals)
        segments: list[PromptSegment] = []
        position = 0
        for match in self._pattern.finditer(rendered):
            index = int(match[2])
            if index >= len(counts):
                continue
            counts[index] += 1
            original = self._originals[index]
            text = original.text
            if match[1] == self._delimiters.open_json:
                text = json.dumps(text, ensure_ascii=False)[1:-1]
            segments += self._with_images(rendered[position : match.start()], special=True)
            segments += self._with_images(text, special=False, role=original.role, message=original.message)
            position = match.end()
        segments += self._with_images(rendered[position:], special=True)
        return prompt_of(segments, images=tuple(self._images)), counts

    def _with_images(
        self, text: str, *, special: bool, role: Role | None = None, message: int | None = None
    ) -> Iterator[PromptSegment]:
        """Split ``text`` at image placeholders, and remove stray delimiters from scaffolds."""

        def piece(part: str) -> PromptSegment:
            clean = part.translate(self._delimiter_table) if special else part
            return PromptSegment(text=clean, special=special, role=role, message=message)

        position = 0
        for match in self._image_pattern.finditer(text) if self._images else ():
            if int(match[1]) >= len(self._images):
                continue
            yield piece(text[position : match.start()])
            yield PromptSegment(text="", special=False, role=role, message=message, image=int(match[1]))
            position = match.end()
        yield piece(text[position:])


def move_trailing_spaces(prompt: Prompt) -> Prompt:
    """Move spaces at the end of a scaffold to the content after it.

    Tokenizers join a word with the space before it, so ``[INST] `` + ``Hello`` must become ``[INST]`` +
    `` Hello`` to be tokenized as in training.
    """
    moved: list[PromptSegment] = []
    for segment in prompt.segments:
        if segment.special or segment.image is not None or not moved or not moved[-1].special:
            moved.append(segment)
            continue
        scaffold = moved.pop().text
        trimmed = scaffold.rstrip(" ")
        moved.append(PromptSegment(text=trimmed, special=True))
        moved.append(msgspec.structs.replace(segment, text=scaffold[len(trimmed) :] + segment.text))
    return prompt_of(moved, images=prompt.images)
