"""The blocks of one answer, kept equal to its Markdown while it streams."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QTextEdit, QWidget

from fireside.ui.chat.blocks import LIST_INDENT, BlockView, ProseView, QuoteView, RuleView, TableView
from fireside.ui.chat.code import CodeView
from fireside.ui.chat.look import Look
from fireside.ui.chat.markdown import Block, BlockKind, MarkdownStream

_GAPS: dict[BlockKind, tuple[int, int]] = {
    BlockKind.PROSE: (0, 9),
    BlockKind.QUOTE: (2, 11),
    BlockKind.TABLE: (0, 14),
    BlockKind.CODE: (4, 14),
    BlockKind.RULE: (2, 8),
}
"""Free pixels above and below each kind; Qt drops the margin below a document's last paragraph."""

_VIEWS: dict[BlockKind, type[ProseView | QuoteView | TableView | CodeView | RuleView]] = {
    BlockKind.PROSE: ProseView,
    BlockKind.QUOTE: QuoteView,
    BlockKind.TABLE: TableView,
    BlockKind.CODE: CodeView,
    BlockKind.RULE: RuleView,
}

_Placed = tuple[Block, BlockView, QWidget]


class BlockColumn:
    """Widgets for a growing text, children of ``parent``. GUI thread only."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        self._look = look
        self._parent = parent
        self._stream = MarkdownStream()
        self._views: list[_Placed] = []
        self._heights: dict[int, tuple[int, int]] = {}
        """Width and height of blocks that cannot have changed since they were measured."""

    @property
    def edits(self) -> Sequence[QTextEdit]:
        return [edit for _, view, _ in self._views if (edit := view.edit) is not None]

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        """What Tab goes through, top down."""
        return [view.copy_button for _, view, _ in self._views if isinstance(view, CodeView)]

    def source_of(self, index: int) -> str:
        """Markdown of the block whose text is ``edits[index]``."""
        block = [block for block, view, _ in self._views if view.edit is not None][index]
        return self._stream.source[block.start : block.end].rstrip("\n")

    def code_of(self, edit: QTextEdit) -> str | None:
        """The code shown in ``edit``, if it shows code."""
        for block, view, _ in self._views:
            if view.edit is edit and block.kind is BlockKind.CODE:
                return block.body
        return None

    def append(self, text: str) -> None:
        """Show more text."""
        self._show_from(self._stream.append(text))

    def finish(self) -> None:
        """No more text will come."""
        self._show_from(self._stream.finish())
        for _, view, _ in self._views[-1:]:
            view.settle()

    def clear(self) -> None:
        """Forget everything."""
        self._drop_from(0)
        self._stream = MarkdownStream()

    def restyle(self, look: Look) -> None:
        self._look = look
        self._heights.clear()
        for _, view, _ in self._views:
            view.restyle(look)

    def layout(self, *, x: int, y: int, width: int) -> int:
        """Place the blocks from ``y`` down; return where they end."""
        for index, (block, view, widget) in enumerate(self._views):
            shift = block.indent * LIST_INDENT
            above, below = _GAPS[block.kind]
            known = self._heights.get(index)
            if known is not None and known[0] == width:
                height = known[1]
            else:
                height = view.height_for(width - shift)
                self._heights[index] = (width, height)
            y += above if index else 0
            widget.setGeometry(x + shift, y, width - shift, height)
            y += height + below
        return y

    def _show_from(self, first: int) -> None:
        blocks = self._stream.blocks
        for index in range(first, len(blocks)):
            self._put(index, blocks[index])
            self._heights.pop(index, None)
        self._drop_from(len(blocks))
        for _, view, _ in self._views[first:-1]:
            view.settle()

    def _put(self, index: int, block: Block) -> None:
        if index < len(self._views) and self._views[index][0].kind is not block.kind:
            self._drop_from(index)
        if index == len(self._views):
            made = _VIEWS[block.kind](self._look, self._parent)
            self._views.append((block, made, made))
            made.put(block)
            made.show()
            return
        _, view, widget = self._views[index]
        self._views[index] = (block, view, widget)
        view.put(block)

    def _drop_from(self, index: int) -> None:
        for _, _, widget in self._views[index:]:
            widget.hide()
            widget.deleteLater()
        del self._views[index:]
        for known in [known for known in self._heights if known >= index]:
            del self._heights[known]
