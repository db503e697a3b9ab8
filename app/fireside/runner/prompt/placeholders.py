"""Placeholders for message contents while a template runs.

A template sees ``<whitespace><open>index<close><whitespace>`` in place of a message, with the message's own
whitespace outside, so that a template that trims, trims what it would have trimmed. Afterwards the
placeholders are put back, and what the user wrote can never become a control token.

A template that looks into a message and would see something else there than in the placeholder (``'</think>'
in content``, a slice, a length) cannot be served that way. ``Content`` notices, and the caller renders again
with the real text.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from fireside.core.message import ImagePart, Role
from fireside.runner.prompt.segments import Prompt, Segment, prompt_of

_FIRST_MARK = 0xF0000
"""Plane 15 is private use: no tokenizer and no template gives these characters a meaning."""

_PRIVATE = re.compile(f"[{chr(_FIRST_MARK)}-{chr(sys.maxunicode)}]")


class LookedInside(Exception):
    """A template examined a message's text, and the placeholder would have misled it."""


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """Characters that occur in none of the texts of one rendering."""

    open: str
    open_json: str
    close: str
    image: str
    """In place of ``open``, for a picture."""
    end: str
    """Where the answer goes on: what comes behind it is cut off."""


def choose_marks(texts: Sequence[str]) -> Marks:
    """Return marks that occur in none of ``texts``."""
    used = set().union(*(_PRIVATE.findall(text) for text in texts if not text.isascii()))
    free: Iterator[str] = (chr(code) for code in range(_FIRST_MARK, 0x10FFFE) if chr(code) not in used)
    return Marks(open=next(free), open_json=next(free), close=next(free), image=next(free), end=next(free))


class Content(str):
    """A placeholder that behaves like the text it stands for, or raises ``LookedInside``."""

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


class _Words(msgspec.Struct, frozen=True):
    """A text that has a placeholder, and whose it is."""

    text: str
    role: Role | None
    message: int | None


class Placeholders:
    """The placeholders of one rendering, by index."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._words: list[_Words] = []
        self._images: list[ImagePart] = []
        self._pattern = re.compile(
            f"([{marks.open}{marks.open_json}])([0-9]+){marks.close}", re.ASCII | re.DOTALL
        )
        self._image_pattern = re.compile(f"{marks.image}([0-9]+){marks.close}", re.ASCII)
        self._left_alone = {ord(mark): None for mark in msgspec.structs.astuple(marks)}

    @property
    def n_words(self) -> int:
        """How many placeholders there are; the index of the next."""
        return len(self._words)

    @property
    def end_mark(self) -> str:
        """What stands behind an unfinished text.

        The space at its end shows afterwards whether the template trims: only then is the space that ends the
        text trimmed as well.
        """
        return self._marks.end + " "

    def add(self, text: str, *, role: Role | None = None, message: int | None = None) -> str:
        """Return the marked index to write for ``text``."""
        self._words.append(_Words(text, role, message))
        return f"{self._marks.open}{len(self._words) - 1}{self._marks.close}"

    def add_image(self, image: ImagePart) -> str:
        """Return what to write where a picture stands, as part of a text or by itself."""
        self._images.append(image)
        return f"{self._marks.image}{len(self._images) - 1}{self._marks.close}"

    def content(self, text: str, *, role: Role, message: int) -> str:
        """Return what a template is given for a message: a placeholder, or nothing but whitespace as it
        is."""
        core = text.strip()
        if not core:
            return text
        return Content.of(text, core=core, mark=self.add(core, role=role, message=message))

    def unfinished(self, text: str, *, role: Role, message: int) -> str:
        """Return ``content`` with the mark behind it where the answer goes on."""
        core, tail = text.strip(), self.end_mark
        if not core:
            return text + tail
        return Content.of(text + tail, core=core, mark=self.add(core, role=role, message=message))

    def cut_at_end(self, rendered: str) -> str | None:
        """Return ``rendered`` up to where the answer goes on; ``None`` if the template left that out."""
        head, mark, tail = rendered.rpartition(self._marks.end)
        if not mark:
            return None
        return head if tail.startswith(" ") else head.rstrip()

    def dumped(self, encoded: str) -> str:
        """Mark the placeholders in JSON text as inside a JSON string, to be escaped when put back."""
        return encoded.replace(self._marks.open, self._marks.open_json)

    def put_back(self, rendered: str) -> tuple[Prompt, list[int]]:
        """Return the prompt with all texts in place, and how often each placeholder came back.

        A damaged placeholder leaves a mark behind; it counts as not having come back.
        """
        counts = [0] * len(self._words)
        segments: list[Segment] = []
        position = 0
        for match in self._pattern.finditer(rendered):
            index = int(match[2])
            if index >= len(counts):
                continue
            counts[index] += 1
            words = self._words[index]
            text = words.text
            if match[1] == self._marks.open_json:
                text = json.dumps(text, ensure_ascii=False)[1:-1]
            segments += self._with_images(rendered[position : match.start()], special=True)
            segments += self._with_images(text, special=False, role=words.role, message=words.message)
            position = match.end()
        segments += self._with_images(rendered[position:], special=True)
        return prompt_of(segments, images=tuple(self._images)), counts

    def _with_images(
        self, text: str, *, special: bool, role: Role | None = None, message: int | None = None
    ) -> Iterator[Segment]:
        """Cut ``text`` where pictures stand, and remove marks that were left alone from scaffolds."""

        def piece(part: str) -> Segment:
            clean = part.translate(self._left_alone) if special else part
            return Segment(text=clean, special=special, role=role, message=message)

        position = 0
        for match in self._image_pattern.finditer(text) if self._images else ():
            if int(match[1]) >= len(self._images):
                continue
            yield piece(text[position : match.start()])
            yield Segment(text="", special=False, role=role, message=message, image=int(match[1]))
            position = match.end()
        yield piece(text[position:])


def move_seams(prompt: Prompt) -> Prompt:
    """Give spaces that end a scaffold to the content after it.

    Tokenizers write a word with the space before it, so ``[INST] `` + ``Hello`` must become ``[INST]`` +
    `` Hello`` to read as the model was taught.
    """
    moved: list[Segment] = []
    for segment in prompt.segments:
        if segment.special or segment.image is not None or not moved or not moved[-1].special:
            moved.append(segment)
            continue
        scaffold = moved.pop().text
        bare = scaffold.rstrip(" ")
        moved.append(Segment(text=bare, special=True))
        moved.append(msgspec.structs.replace(segment, text=scaffold[len(bare) :] + segment.text))
    return prompt_of(moved, images=prompt.images)
