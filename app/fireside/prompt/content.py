"""Stand-ins for message contents while a template runs.

A template sees ``<whitespace><open>index<close><whitespace>`` in place of a message, with the message's own
whitespace outside, so that a template that trims, trims what it would have trimmed. Afterwards the stand-ins
are put back, and what a person wrote can never become a control token.

A template that looks into a message and would see something else there than in the stand-in (``'</think>' in
content``, a slice, a length) cannot be served that way. ``Content`` notices, and the caller renders again
with the real text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from fireside.prompt.segments import Prompt, Segment, prompt_of

_FIRST_MARK = 0xF0000
"""Plane 15 is private use: no tokenizer and no template gives these characters a meaning."""


class LookedInside(Exception):
    """A template examined a message's text, and the stand-in would have misled it."""


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """Three characters that occur in none of the texts of one rendering."""

    open: str
    open_json: str
    close: str


def choose_marks(texts: Sequence[str]) -> Marks:
    """Return marks that occur in none of ``texts``."""
    used = {char for text in texts if not text.isascii() for char in text if ord(char) >= _FIRST_MARK}
    free: Iterator[str] = (chr(code) for code in range(_FIRST_MARK, 0x10FFFE) if chr(code) not in used)
    return Marks(open=next(free), open_json=next(free), close=next(free))


class Content(str):
    """A stand-in that behaves like the text it stands for, or raises ``LookedInside``."""

    __slots__ = ("_core", "_mark", "_real")

    _real: str
    _core: str
    _mark: str

    @classmethod
    def of(cls, real: str, *, core: str, mark: str) -> Content:
        """Stand in for ``real``, whose stripped text ``core`` is replaced by ``mark``."""
        start = real.index(core)
        self = cls(real[:start] + mark + real[start + len(core) :])
        self._real, self._core, self._mark = real, core, mark
        return self

    def _stripped(self, strip: Callable[[str], str]) -> Content:
        stand_in, real = strip(str(self)), strip(self._real)
        if stand_in.replace(self._mark, self._core) != real:
            raise LookedInside
        return Content.of(real, core=self._core, mark=self._mark)

    def __str__(self) -> str:
        return str.__str__(self)

    def strip(self, chars: str | None = None, /) -> Content:
        return self._stripped(lambda text: text.strip(chars))

    def lstrip(self, chars: str | None = None, /) -> Content:
        return self._stripped(lambda text: text.lstrip(chars))

    def rstrip(self, chars: str | None = None, /) -> Content:
        return self._stripped(lambda text: text.rstrip(chars))

    def _only_without(self, needle: str | None) -> None:
        if needle is None or needle in self._real:
            raise LookedInside

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
        self._only_without(args[0] if args else named.get("sep"))
        return [self]

    rsplit = split

    def replace(self, *args: Any) -> Content:
        self._only_without(args[0])
        return self

    def __getitem__(self, key: Any, /) -> str:
        raise LookedInside

    def __iter__(self) -> Iterator[str]:
        # Lazily, because the test ``is iterable`` asks for an iterator and never uses it.
        return (self._refuse() for _ in (None,))

    def __len__(self) -> int:
        return len(self._real)

    def _refuse(self, *_args: Any, **_named: Any) -> Any:
        raise LookedInside

    upper = lower = title = capitalize = casefold = swapcase = _refuse
    partition = rpartition = splitlines = count = index = rfind = rindex = _refuse
    removeprefix = removesuffix = translate = _refuse


class StandIns:
    """The stand-ins of one rendering, by index."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._texts: list[str] = []
        self._pattern = re.compile(
            f"([{marks.open}{marks.open_json}])([0-9]+){marks.close}", re.ASCII | re.DOTALL
        )

    def add(self, text: str) -> str:
        """Return the marked index to write for ``text``."""
        self._texts.append(text)
        return f"{self._marks.open}{len(self._texts) - 1}{self._marks.close}"

    def content(self, text: str) -> str:
        """Return what a template is given for a message: a stand-in, or nothing but whitespace as it is."""
        core = text.strip()
        return Content.of(text, core=core, mark=self.add(core)) if core else text

    def dumped(self, encoded: str) -> str:
        """Mark the stand-ins in JSON text as inside a JSON string, to be escaped when put back."""
        return encoded.replace(self._marks.open, self._marks.open_json)

    def put_back(self, rendered: str) -> tuple[Prompt, list[int]]:
        """Return the prompt with all texts in place, and how often each stand-in came back.

        A damaged stand-in leaves a mark behind; it counts as not having come back.
        """
        counts = [0] * len(self._texts)
        segments: list[Segment] = []
        position = 0
        for match in self._pattern.finditer(rendered):
            index = int(match[2])
            if index >= len(counts):
                continue
            counts[index] += 1
            text = self._texts[index]
            if match[1] == self._marks.open_json:
                text = json.dumps(text, ensure_ascii=False)[1:-1]
            segments.append(Segment(text=rendered[position : match.start()], special=True))
            segments.append(Segment(text=text, special=False))
            position = match.end()
        segments.append(Segment(text=rendered[position:], special=True))
        return prompt_of(self._clean(segments)), counts

    def _clean(self, segments: list[Segment]) -> Iterator[Segment]:
        """Remove marks that were left alone."""
        marks = {ord(mark): None for mark in (self._marks.open, self._marks.open_json, self._marks.close)}
        for segment in segments:
            yield (
                msgspec.structs.replace(segment, text=segment.text.translate(marks))
                if segment.special
                else segment
            )


def move_seams(prompt: Prompt) -> Prompt:
    """Give spaces that end a scaffold to the content after it.

    Tokenizers write a word with the space before it, so ``[INST] `` + ``Hello`` must become ``[INST]`` +
    `` Hello`` to read as the model was taught.
    """
    moved: list[Segment] = []
    for segment in prompt.segments:
        if segment.special or not moved or not moved[-1].special:
            moved.append(segment)
            continue
        scaffold = moved.pop().text
        bare = scaffold.rstrip(" ")
        moved.append(Segment(text=bare, special=True))
        moved.append(Segment(text=scaffold[len(bare) :] + segment.text, special=False))
    return prompt_of(moved)
