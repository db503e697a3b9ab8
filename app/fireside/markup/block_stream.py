"""Split an answer into blocks that are displayed separately, as a whole or while it streams. Pure: no Qt.

In CommonMark, the start of a new block fixes the blocks before it. So while text streams in, only the last,
open block is parsed again. Two cases need care:

* an incomplete line can look like the start of a block and turn out not to be one (``#`` before ``#tag``),
  so only complete lines close a block;
* a link definition may follow its use, or have none and be text. So each is text until ``finish``, which
  renders everything again if a link uses one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fireside.markup.block_units import Block, BlockKind, PlacedBlock, place_blocks, units
from fireside.markup.markdown import make_parser, used_labels
from fireside.markup.rich_text import Env, HtmlWriter, clean

if TYPE_CHECKING:
    from markdown_it.token import Token

__all__ = ["Block", "BlockKind", "MarkdownStream", "split_blocks"]


class MarkdownStream:
    """The blocks of a growing text. ``blocks`` is always complete for the text so far.

    After ``append``, only blocks from the returned index on have changed.
    """

    def __init__(self) -> None:
        self.breaks: Sequence[int] = ()
        """Offsets in the source at which a new block begins if Markdown allows it; used by ``append``."""
        self._parser = make_parser()
        self._source = ""
        self._blocks: list[Block] = []
        self._n_closed = 0
        self._offset = 0
        self._ordinal: int | None = None
        self._head = ""
        """Source of the table's head, if the open part begins within a table."""
        self._references: dict[str, object] = {}
        self._used_labels: dict[str, bool] = {}
        self._html_cache: dict[tuple[str, int], str] = {}
        self._has_definitions = False
        self._has_pending_return = False

    @property
    def source(self) -> str:
        """The text so far, with normalized line ends and without unusable characters."""
        return self._source

    @property
    def open_prose(self) -> int:
        """Characters that are parsed again at each ``append``; 0 for code, which is cheap."""
        if not self._blocks or self._blocks[-1].kind is BlockKind.CODE:
            return 0
        return len(self._source) - self._offset

    @property
    def blocks(self) -> Sequence[Block]:
        return self._blocks

    def append(self, text: str) -> int:
        """Add ``text`` and return the index of the first block that may have changed."""
        added = self._normalized(text)
        self._source += added
        first = self._n_closed
        if "\n" in added:
            self._close_finished()
        self._blocks[self._n_closed :] = [item.block for item in self._parse(self._source[self._offset :])]
        return first

    def finish(self) -> int:
        """End the text, and return the index of the first block that may have changed."""
        if self._has_pending_return:
            self._has_pending_return = False
            self.append("\n")
        if not self._has_definitions:
            return len(self._blocks)
        self._used_labels = used_labels(self._parser, self._source)
        env: Env = {"used": self._used_labels}
        self._parser.block.parse(self._source, self._parser, env, [])
        self._references = env.get("references", {})
        if not self._references:
            return len(self._blocks)
        self._n_closed, self._offset, self._ordinal, self._head = 0, 0, None, ""
        self._blocks = [item.block for item in self._parse(self._source)]
        return 0

    def _normalized(self, text: str) -> str:
        if self._has_pending_return:
            text = "\r" + text
        self._has_pending_return = text.endswith("\r")
        if self._has_pending_return:
            text = text[:-1]
        return clean(text.replace("\r\n", "\n").replace("\r", "\n"))

    def _close_finished(self) -> None:
        tail = self._source[self._offset :]
        parsed = self._parse(tail[: tail.rfind("\n") + 1], keep_references=True)
        last = max((index for index, item in enumerate(parsed) if item.resumable), default=0)
        if last == 0:
            return
        self._blocks[self._n_closed :] = [item.block for item in parsed]
        self._n_closed += last
        self._offset = parsed[last].block.start
        self._ordinal, self._head = parsed[last].ordinal, parsed[last].head

    def _parse(self, tail: str, *, keep_references: bool = False) -> list[PlacedBlock]:
        text = self._head + tail
        env: Env = {"references": dict(self._references), "used": self._used_labels}
        tokens: list[Token] = []
        self._parser.block.parse(text, self._parser, env, tokens)
        self._has_definitions = self._has_definitions or bool(env["references"]) or "n_definitions" in env
        if keep_references:
            self._references = env["references"]
        parsed = list(units(tokens, first_ordinal=self._ordinal))
        writer = HtmlWriter(self._parser, env, cache=self._html_cache)
        base = self._offset - len(self._head)
        return place_blocks(parsed, writer, text=text, base=base, head=self._head, breaks=self.breaks)


def split_blocks(source: str, *, breaks: Sequence[int] = ()) -> Sequence[Block]:
    """Return the blocks of a finished text."""
    stream = MarkdownStream()
    stream.breaks = breaks
    stream.append(source)
    stream.finish()
    return stream.blocks
