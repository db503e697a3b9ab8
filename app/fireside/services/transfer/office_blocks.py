"""Chats and answers as the blocks that files of Office programs are made of.

Block tokens are those of ``markup.markdown``; what is within a line is what ``HtmlWriter`` makes of it, so
links, images and limits are those of the window.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html.parser import HTMLParser
from itertools import count, pairwise
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.core.attachment import clock_time
from fireside.core.i18n import tr
from fireside.core.message import (
    AudioPart,
    ContentPart,
    DocumentPart,
    ImagePart,
    PassagesPart,
    ReasoningPart,
    Role,
    TextPart,
    VideoPart,
)
from fireside.core.tool_calls import ShownCall, shown_parts
from fireside.markup.direction import is_rtl
from fireside.markup.markdown import make_parser, nests_too_deep, used_labels
from fireside.markup.rich_text import MAX_COLUMNS, Env, HtmlWriter, clean, code_info, formula_source
from fireside.services.transfer.export_text import (
    passages_text,
    problem_text,
    reasoning_title,
    speaker_name,
)
from fireside.storage.transcripts import TranscriptMessage

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_CHARACTERS: Final = 1_000_000
"""A longer text is exported as source."""
_MAX_LEVEL: Final = 6
_QUOTES: Final = frozenset({"blockquote", "details"})
_BOLD: Final = frozenset({"heading", "summary", "alert_title", "th"})


class Run(msgspec.Struct, frozen=True):
    """A piece of a line in one style."""

    text: str
    """For a formula its source with delimiters; a line feed is a line break."""
    marks: frozenset[str] = frozenset()
    """Names of elements of HTML: ``em``, ``strong``, ``code``…"""
    url: str = ""
    is_formula: bool = False


Runs = tuple[Run, ...]


class ListPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where an item of a list stands."""

    list_number: int
    """Of its list, in its file; nested ones have their own."""
    depth: int
    """0 for an item of a list that is in no other."""
    ordinal: int | None
    """``None`` for a bullet."""


class ProseBlock(msgspec.Struct, frozen=True, kw_only=True):
    runs: Runs
    level: int = 0
    """Of a heading, from 1 to 6; 0 for other text."""
    quotes: int = 0
    """Quotations around it."""
    item: ListPlace | None = None
    """For the first line of an item."""
    depth: int = 0
    """Lists around it."""

    @property
    def text(self) -> str:
        return text_of(self.runs)

    @property
    def is_rtl(self) -> bool:
        return is_rtl("".join(run.text for run in self.runs if not run.is_formula)) is True


class CodeBlock(msgspec.Struct, frozen=True, kw_only=True):
    lines: tuple[str, ...]
    language: str = ""


class TableBlock(msgspec.Struct, frozen=True, kw_only=True):
    rows: tuple[tuple[Runs, ...], ...]
    """All as long as the first, which has the names of the columns."""
    sides: tuple[str, ...]
    """``left``, ``center`` or ``right``, for each column."""

    def widths(self, total: float) -> list[int]:
        """Share a width between the columns by what is in their first rows."""
        sample = self.rows[:50]
        sizes = [
            max(4, *(min(40, len(text_of(row[column]))) for row in sample))
            for column in range(len(self.sides))
        ]
        return [int(total * size / sum(sizes)) for size in sizes]


class PictureBlock(msgspec.Struct, frozen=True, kw_only=True):
    part: ImagePart

    @property
    def name(self) -> str:
        return self.part.name or tr("Image")


class RuleBlock(msgspec.Struct, frozen=True):
    pass


OfficeBlock = ProseBlock | CodeBlock | TableBlock | PictureBlock | RuleBlock


def text_of(runs: Runs) -> str:
    return "".join(run.text for run in runs)


def unknown_picture() -> str:
    """Return what stands for a picture that Office programs do not show."""
    unknown = tr("image of unknown type")
    return f"[{unknown}]"


def plain(text: str, *marks: str, level: int = 0, quotes: int = 0) -> ProseBlock:
    """Return a text as it is."""
    return ProseBlock(runs=(Run(clean(text), frozenset(marks)),), level=level, quotes=quotes)


def blocks_of(
    messages: Iterable[TranscriptMessage], *, is_whole: bool, has_speakers: bool
) -> Iterator[OfficeBlock]:
    """Yield messages.

    Args:
        is_whole: also what is beside their texts and pictures: reasoning, tool calls, files, passages.
        has_speakers: begin each with its author, as a heading above those within.
    """
    lists = count(1)
    for message in messages:
        yield from _message(message, lists, is_whole=is_whole, has_speaker=has_speakers)


def _message(
    message: TranscriptMessage, lists: Iterator[int], *, is_whole: bool, has_speaker: bool
) -> Iterator[OfficeBlock]:
    if has_speaker:
        yield plain(speaker_name(message), level=1)
    for part in shown_parts(message.message.parts):
        match part:
            case TextPart() if message.message.role is Role.USER:
                yield from map(plain, part.text.splitlines())
            case TextPart():
                yield from _markdown(part.text, lists, deeper=int(has_speaker))
            case ImagePart():
                yield PictureBlock(part=part)
            case ShownCall():
                if is_whole:
                    for section in part.sections:
                        yield plain(f"{section.heading}:", "strong")
                        yield code(section.text, language=section.language)
                yield from (PictureBlock(part=image) for image in part.images)
            case _ if is_whole:
                yield from _beside(part, message)
    if has_speaker and (note := problem_text(message)):
        yield plain(note, "strong", quotes=1)


def _beside(part: ContentPart, message: TranscriptMessage) -> Iterator[OfficeBlock]:
    match part:
        case ReasoningPart():
            yield plain(reasoning_title(message), "strong", quotes=1)
            yield from (plain(line, quotes=1) for line in part.text.splitlines() if line.strip())
        case AudioPart() | VideoPart():
            kind = tr("Audio") if isinstance(part, AudioPart) else tr("Video")
            yield plain(f"[{', '.join(filter(None, (kind, part.name, clock_time(part.seconds))))}]", "em")
        case DocumentPart():
            yield plain(tr("Attached file {name}:").format(name=part.name), "strong")
            yield code(part.text)
        case PassagesPart():
            yield plain(tr("Passages") + ":", "strong")
            yield code("\n\n".join(passages_text(part)))
        case _:
            pass


def code(text: str, *, language: str = "") -> CodeBlock:
    lines = clean(text).rstrip("\n").split("\n")
    return CodeBlock(lines=tuple(line.expandtabs(4) for line in lines), language=language)


def _markdown(text: str, lists: Iterator[int], *, deeper: int) -> Iterator[OfficeBlock]:
    """Yield the blocks of Markdown, its headings by ``deeper`` levels below their own."""
    text = clean(text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) > MAX_CHARACTERS:
        yield code(text)
        return
    parser = make_parser()
    env: Env = {"used": used_labels(parser, text)}
    tokens = parser.block.parse(text, parser, env, []) or []
    if nests_too_deep(tokens):
        yield code(text)
        return
    yield from _BlockReader(HtmlWriter(parser, env), text.split("\n"), lists, deeper=deeper).blocks(tokens)


class _BlockReader:
    """Makes blocks of block tokens; ``lists`` numbers the lists."""

    def __init__(
        self, writer: HtmlWriter, lines: Sequence[str], lists: Iterator[int], *, deeper: int
    ) -> None:
        self._writer = writer
        self._lines = lines
        self._deeper = deeper
        self._quotes = 0
        self._numbers = lists
        self._lists: list[tuple[int, int | None]] = []
        """Number and next ordinal of the lists around what is read."""
        self._item: ListPlace | None = None
        """The item whose first line is not read yet."""
        self._label = ""

    def blocks(self, tokens: Sequence[Token]) -> Iterator[OfficeBlock]:
        table_end = -1
        for index, token in enumerate(tokens):
            if index <= table_end:
                continue
            match token.type:
                case "inline":
                    yield self._text(tokens[index - 1], token.content)
                case "fence" | "code_block":
                    yield from self._unfinished_item()
                    yield code(token.content, language=(code_info(token).split() or [""])[0])
                case "math_block":
                    yield self._place((Run(token.content, is_formula=bool(token.meta["closed"])),))
                case "table_open":
                    yield from self._unfinished_item()
                    table_end = next(k for k in range(index, len(tokens)) if tokens[k].type == "table_close")
                    yield self._table(tokens[index : table_end + 1])
                case "hr":
                    yield RuleBlock()
                case "list_item_close":
                    yield from self._unfinished_item()
                case _:
                    self._enter(token)

    def _enter(self, token: Token) -> None:
        """Note where the next blocks stand."""
        kind = token.type.removesuffix("_open").removesuffix("_close")
        if kind in _QUOTES:
            self._quotes += token.nesting
        elif kind in {"bullet_list", "ordered_list"}:
            if token.nesting < 0:
                self._lists.pop()
                return
            start = int(token.attrs.get("start", 1)) if kind == "ordered_list" else None
            self._lists.append((next(self._numbers), start))
        elif token.type == "list_item_open":
            number, ordinal = self._lists[-1]
            self._lists[-1] = number, None if ordinal is None else ordinal + 1
            self._item = ListPlace(list_number=number, depth=len(self._lists) - 1, ordinal=ordinal)
            self._label = {"x": "☑ ", " ": "☐ "}.get(token.meta.get("task", ""), "")
        elif token.type == "footnote_reference_open":
            self._label = f"[{token.meta['label']}] "

    def _unfinished_item(self) -> Iterator[ProseBlock]:
        """Yield the line of an item that has no text at its beginning."""
        if self._item is not None:
            yield self._place(())

    def _place(self, runs: Runs, *, level: int = 0) -> ProseBlock:
        if self._label:
            runs = (Run(self._label), *runs)
        block = ProseBlock(
            runs=runs, level=level, quotes=self._quotes, item=self._item, depth=len(self._lists)
        )
        self._item, self._label = None, ""
        return block

    def _text(self, opener: Token, content: str) -> ProseBlock:
        runs = self._runs(content)
        kind = opener.type.removesuffix("_open")
        if kind == "heading":
            return self._place(runs, level=min(_MAX_LEVEL, int(opener.tag[1:]) + self._deeper))
        if kind in _BOLD:
            runs = tuple(msgspec.structs.replace(run, marks=run.marks | {"strong"}) for run in runs)
        return self._place(runs)

    def _runs(self, content: str) -> Runs:
        return _RunReader().runs(self._writer.inline(content))

    def _table(self, tokens: Sequence[Token]) -> OfficeBlock:
        n_columns = sum(token.type == "th_open" for token in tokens)
        if n_columns > MAX_COLUMNS and tokens[0].map is not None:
            return code("\n".join(self._lines[slice(*tokens[0].map)]))
        rows: list[list[Runs]] = []
        sides: list[str] = []
        for opener, token in pairwise(tokens):
            if opener.type == "tr_open":
                rows.append([])
            if opener.type == "th_open":
                style = str(opener.attrs.get("style", ""))
                sides.append(style.rpartition(":")[2] if style else "left")
            if token.type == "inline":
                rows[-1].append(self._runs(token.content))
        return TableBlock(
            rows=tuple(tuple((*row, *((),) * n_columns)[:n_columns]) for row in rows), sides=tuple(sides)
        )


class _RunReader(HTMLParser):
    """Makes runs of what ``HtmlWriter.inline`` has written."""

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[Run] = []
        self._open: list[str] = []
        self._url = ""

    def runs(self, html: str) -> Runs:
        """Return the runs of the text of one paragraph."""
        if not {"<", "&"} & set(html):
            return (Run(html),) if html else ()
        self.feed(html)
        self.close()
        return tuple(self._runs)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "br":
            self.handle_data("\n")
        elif tag == "img":
            source = formula_source(values.get("src") or "")
            self._runs.append(Run(source or "", frozenset(self._open), self._url, source is not None))
        elif tag == "a":
            self._url = values.get("href") or ""
        else:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._url = ""
        elif tag in self._open:
            self._open.reverse()
            self._open.remove(tag)
            self._open.reverse()

    def handle_data(self, data: str) -> None:
        if "code" in self._open:
            data = data.replace("\xa0", " ")
        self._runs.append(Run(data, frozenset(self._open), self._url))
