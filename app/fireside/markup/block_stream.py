"""Split an answer into blocks that can be shown one by one, whole or while it streams. Pure: no Qt.

Once a new block has begun in CommonMark, the blocks before it cannot change. So while text streams in, only
the last open block is parsed again. Two things need care:

* an unfinished line can look like the start of a block and turn out not to be one (``#`` before ``#tag``),
  so only complete lines close a block;
* a link definition may follow its use, so ``finish`` renders everything once more where there were any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fireside.markup.block_units import Block, BlockKind, PlacedBlock, place_blocks, units
from fireside.markup.markdown import make_parser
from fireside.markup.rich_text import Env, HtmlWriter, clean

if TYPE_CHECKING:
    from markdown_it.token import Token

__all__ = ["Block", "BlockKind", "MarkdownStream", "split_blocks"]


class MarkdownStream:
    """Blocks of a text that grows. ``blocks`` is always right for the text so far.

    After ``append`` only blocks from the returned index on differ from before.
    """

    def __init__(self) -> None:
        self.breaks: Sequence[int] = ()
        """Characters of the source behind which a block begins, if Markdown lets it; heard by ``append``."""
        self._parser = make_parser()
        self._source = ""
        self._blocks: list[Block] = []
        self._n_closed = 0
        self._offset = 0
        self._ordinal: int | None = None
        self._head = ""
        """Of the table in whose midst the open part begins."""
        self._references: dict[str, object] = {}
        self._known: dict[tuple[str, int], str] = {}
        self._defined = False
        self._held_return = False

    @property
    def source(self) -> str:
        """The text so far, with line ends and unusable characters made plain."""
        return self._source

    @property
    def open_prose(self) -> int:
        """Characters that are parsed again with each addition; 0 for code, which costs little."""
        if not self._blocks or self._blocks[-1].kind is BlockKind.CODE:
            return 0
        return len(self._source) - self._offset

    @property
    def blocks(self) -> Sequence[Block]:
        return self._blocks

    def append(self, text: str) -> int:
        """Add ``text`` and return the index of the first block that may have changed."""
        added = self._normalised(text)
        self._source += added
        first = self._n_closed
        if "\n" in added:
            self._close_finished()
        self._blocks[self._n_closed :] = [item.block for item in self._parse(self._source[self._offset :])]
        return first

    def finish(self) -> int:
        """Say that no more text will come. Returns the index of the first block that may have changed."""
        if self._held_return:
            self._held_return = False
            self.append("\n")
        if not self._defined:
            return len(self._blocks)
        env: Env = {}
        self._parser.block.parse(self._source, self._parser, env, [])
        self._references = env.get("references", {})
        self._n_closed, self._offset, self._ordinal, self._head = 0, 0, None, ""
        self._blocks = [item.block for item in self._parse(self._source)]
        return 0

    def _normalised(self, text: str) -> str:
        if self._held_return:
            text = "\r" + text
        self._held_return = text.endswith("\r")
        if self._held_return:
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
        env: Env = {"references": dict(self._references)}
        tokens: list[Token] = []
        self._parser.block.parse(text, self._parser, env, tokens)
        self._defined = self._defined or bool(env["references"])
        if keep_references:
            self._references = env["references"]
        found = list(units(tokens, first_ordinal=self._ordinal))
        writer = HtmlWriter(self._parser, env, known=self._known)
        base = self._offset - len(self._head)
        return place_blocks(found, writer, text=text, base=base, head=self._head, breaks=self.breaks)


def split_blocks(source: str, *, breaks: Sequence[int] = ()) -> Sequence[Block]:
    """Return the blocks of a finished text."""
    stream = MarkdownStream()
    stream.breaks = breaks
    stream.append(source)
    stream.finish()
    return stream.blocks
