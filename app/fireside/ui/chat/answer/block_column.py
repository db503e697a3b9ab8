"""The column of an answer's block widgets, updated incrementally while its Markdown streams."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.core.tool_calls import interleave_calls
from fireside.markup.block_stream import Block, BlockKind, MarkdownStream
from fireside.markup.citation_links import with_citations
from fireside.markup.list_numbers import ListNumbers, list_numbers
from fireside.ui.chat.answer.blocks import MathView, ProseView, QuoteView, RuleView, quote_bars, quote_inset
from fireside.ui.chat.answer.code import CodeView
from fireside.ui.chat.answer.sticky import Span, StickyParts
from fireside.ui.chat.answer.tables import TableView
from fireside.ui.chat.answer.text_view import RichText, TextWidget
from fireside.ui.chat.answer.tool_card import ToolCard
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.theme import theme

_GAPS: dict[BlockKind, tuple[int, int]] = {
    BlockKind.PROSE: (0, 10),
    BlockKind.QUOTE: (2, 12),
    BlockKind.TABLE: (0, 14),
    BlockKind.CODE: (4, 14),
    BlockKind.MATH: (2, 12),
    BlockKind.RULE: (4, 10),
}
"""Free pixels above and below each kind at the normal text size; Qt drops the margins above a document's
first paragraph and below its last."""
_ABOVE_HEADING = 10
"""More of them above a heading, which belongs to what follows."""
_BETWEEN_ITEMS = 4
_LISTS = ("ul", "ol")

_BELOW_CARD = 10

_CITING = frozenset({BlockKind.PROSE, BlockKind.QUOTE, BlockKind.TABLE})
"""Kinds of blocks that have sentences and so may contain citations."""

_View = ProseView | QuoteView | TableView | MathView | CodeView | RuleView
_VIEWS: dict[BlockKind, type[_View]] = {
    BlockKind.PROSE: ProseView,
    BlockKind.QUOTE: QuoteView,
    BlockKind.TABLE: TableView,
    BlockKind.MATH: MathView,
    BlockKind.CODE: CodeView,
    BlockKind.RULE: RuleView,
}

_BUILD_S = 0.025
"""Seconds for which views are made at once; the rest follows in later event loop iterations."""
_OPEN_PROSE = 8_000
"""Characters of one unfinished paragraph, list item or table of a stored answer; more is shown on request."""
_ALLOWED = 500
"""Views of one answer, until the user asks for more."""


class BlockColumn:
    """Owns the widgets of one growing text, children of ``parent``. GUI thread only.

    ``append`` parses; ``build`` makes and updates views for a bounded time; ``layout`` sets their geometry.
    """

    def __init__(
        self,
        style: TranscriptStyle,
        parent: QWidget,
        *,
        clock: Callable[[], float] = time.perf_counter,
        on_resized: Callable[[], None] = lambda: None,
        on_run: Callable[[str, int], None] | None = None,
        on_open: Callable[[int], None] | None = None,
    ) -> None:
        """``clock`` returns seconds; it bounds how long ``build`` works at once.

        Call ``on_resized`` when the user has changed the height of a block, and ``on_run`` to run a block of
        Python, with the code and where the block ends in the text; without it none can be run. Call
        ``on_open`` to open an artifact beside the chat, with where its block begins.
        """
        self._on_resized = on_resized
        self._on_run = on_run
        self._on_open = on_open
        self._clock = clock
        self._style = style
        self._parent = parent
        self._stream = MarkdownStream()
        self._views: list[tuple[Block, _View]] = []
        self._width = 0
        self._stale = 0
        """Index of the first block whose view is missing or outdated."""
        self._allowed = _ALLOWED
        self._finished = False
        self._cited: frozenset[int] | None = None
        self._heights: dict[int, tuple[int, tuple[int, bool] | None, int]] = {}
        """Width, revision and height of blocks that cannot have changed since they were measured."""
        self._cards: Sequence[tuple[int, ToolCard]] = ()
        self._bars: list[QFrame] = []
        """Bars beside quotations of several views."""
        self._numbers: Sequence[ListNumbers] = ()
        """For each block of the stream, once it is built."""
        self._has_numbers = False
        self._spans: list[Span] = []
        """Where code and tables are."""
        self._sticky = StickyParts(style, parent)

    def set_cards(self, cards: Sequence[tuple[int, ToolCard]]) -> None:
        """Set the cards of tool calls between the blocks, top down, each with its offset in the text.

        Text after a call must be appended after this.
        """
        self._cards = cards
        self._stream.breaks = [offset for offset, _ in cards]

    @property
    def _items(self) -> Iterator[tuple[Block, _View] | ToolCard]:
        """Blocks with their views, and cards, top down."""
        return interleave_calls(((item[0].start, item) for item in self._views), self._cards)

    @property
    def _texts(self) -> Iterator[tuple[TextWidget, Block | CodeView]]:
        """Text widgets, top down, each with the block or the card's code that it shows."""
        for item in self._items:
            if isinstance(item, ToolCard):
                yield from ((code.text_view, code) for code in item.codes if code.text_view is not None)
            elif (text_view := item[1].text_view) is not None:
                yield text_view, item[0]

    @property
    def text_views(self) -> Sequence[TextWidget]:
        return [text_view for text_view, _ in self._texts]

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        """The widgets that Tab visits, top down."""
        stops: list[QWidget] = []
        for item in self._items:
            if isinstance(item, ToolCard):
                stops += item.tab_stops
            elif isinstance(item[1], CodeView):
                stops += item[1].buttons
        return stops

    def source_of(self, index: int) -> str:
        """Return the Markdown of ``text_views[index]``; of a card's code, the code."""
        content = [content for _, content in self._texts][index]
        if isinstance(content, CodeView):
            return content.source
        return self._stream.source[content.start : content.end].rstrip("\n")

    def continues(self, index: int) -> bool:
        """Return whether ``text_views[index]`` continues the table of the one before."""
        content = [content for _, content in self._texts][index]
        return isinstance(content, Block) and content.continues

    def code_of(self, text_view: TextWidget) -> str | None:
        """Return the code shown in ``text_view``; ``None`` where that shows none."""
        for block, view in self._views:
            if view.text_view is text_view and block.kind is BlockKind.CODE:
                return block.body
        return None

    @property
    def is_built(self) -> bool:
        """Whether every block has its view, or as many as are allowed."""
        return self._stale >= self._n_target

    @property
    def n_hidden(self) -> int:
        """Characters of blocks that are not allowed to have a view yet."""
        blocks = self._stream.blocks
        return len(self._stream.source) - blocks[self._allowed].start if len(blocks) > self._allowed else 0

    @property
    def is_heavy(self) -> bool:
        """Whether the last block is so long that appending to it would block the GUI thread."""
        return self._stream.open_prose > _OPEN_PROSE

    @property
    def _n_target(self) -> int:
        return min(len(self._stream.blocks), self._allowed)

    def append(self, text: str) -> None:
        """Append text; ``build`` shows it."""
        self._finished = self._has_numbers = False
        self._stale = min(self._stale, self._stream.append(text))

    def finish(self) -> None:
        """End the text; ``build`` shows the last block as complete."""
        self._finished, self._has_numbers = True, False
        self._stale = min(self._stale, max(0, len(self._stream.blocks) - 1), self._stream.finish())

    def set_citations(self, numbers: frozenset[int] | None) -> None:
        """Set the passages whose numbers become links; ``None`` where none were sent. ``build`` shows it."""
        if numbers != self._cited:
            self._cited = numbers
            self._stale = 0

    def allow_more(self) -> None:
        """Let more blocks have a view."""
        self._allowed += _ALLOWED

    def clear(self) -> None:
        """Remove all text and blocks."""
        self._drop_from(0)
        self._stream = MarkdownStream()
        self.set_cards(self._cards)
        self._stale, self._allowed = 0, _ALLOWED
        self._finished = self._has_numbers = False

    def build(self) -> None:
        """Make and update views for at most ``_BUILD_S``; call again until ``is_built``."""
        deadline = self._clock() + _BUILD_S
        blocks, n_target = self._stream.blocks, self._n_target
        self._drop_from(n_target)
        self._fit_numbers()
        while self._stale < n_target:
            index, self._stale = self._stale, self._stale + 1
            self._show_block(index, blocks[index])
            self._heights.pop(index, None)
            if self._finished or self._stale < len(blocks):
                view = self._views[index][1]
                view.finish()
                if isinstance(view, CodeView):
                    self._offer(view)
            if self._clock() > deadline:
                break

    def _offer(self, view: CodeView) -> None:
        """Offer what can be done with code that is complete."""
        if self._on_run is not None:
            view.offer_run(tr("Run"))
        if self._on_open is not None:
            view.offer_open()

    def _fit_numbers(self) -> None:
        """Indent lists whose later parts have wider numbers than those that were shown before."""
        if self._has_numbers:
            return
        self._numbers, self._has_numbers = list_numbers(self._stream.blocks), True
        for index, (_, view) in enumerate(self._views):
            if isinstance(view, ProseView) and view.set_widest_numbers(self._numbers[index].widest):
                self._heights.pop(index, None)

    def _shift(self, block: Block, index: int) -> int:
        """Return how far a block is indented, in the item of a list, in pixels."""
        return block.indent and block.indent * self._style.item_indent(self._numbers[index].around)

    def _available(self, block: Block, index: int, width: int) -> int:
        """Return the pixels that a block has of ``width``."""
        return width - self._shift(block, index) - quote_inset(block)

    def restyle(self, style: TranscriptStyle) -> None:
        self._style = style
        self._heights.clear()
        self._sticky.restyle(style)
        for _, view in self._views:
            view.restyle(style)

    def update_formulas(self) -> bool:
        """Show formulas that have been drawn since; return whether a height may have changed."""
        changed = False
        for index, (_, view) in enumerate(self._views):
            text_view = view.text_view
            if isinstance(text_view, RichText) and text_view.update_formulas():
                self._heights.pop(index, None)
                changed = True
        return changed

    def layout(self, *, x: int, y: int, width: int) -> int:
        """Set the geometry of blocks and cards from ``y`` down; return the bottom."""
        self._width = width
        while self._measure(width):
            pass  # a part of a table may have widened the columns of those above it
        index = 0
        self._spans.clear()
        placed: list[tuple[Block, QRect, bool]] = []
        for item in self._items:
            if isinstance(item, ToolCard):
                height = item.height_for(width)
                item.setGeometry(x, y, width, height)
                y += height + _BELOW_CARD
                continue
            block, view = item
            shift, inset = self._shift(block, index), quote_inset(block)
            height = self._heights[index][2]
            is_mirrored = isinstance(view, QuoteView | TableView) and view.is_mirrored
            left = x if self._numbers[index].is_mirrored else x + shift
            view.setGeometry(left if is_mirrored else left + inset, y, width - shift - inset, height)
            self._add_span(block, view)
            placed.append((block, QRect(left, y, width - shift, height), is_mirrored))
            index += 1
            following = self._views[index][0] if index < len(self._views) else None
            y += height + theme().scaled(_gap(block, following))
        self._show_bars(quote_bars(placed))
        return y

    def _add_span(self, block: Block, view: _View) -> None:
        if not isinstance(view, CodeView | TableView):
            return
        box = view.geometry()
        if block.continues and self._spans:
            self._spans[-1].views.append(view)
            self._spans[-1].bottom = box.bottom()
        else:
            self._spans.append(Span(views=[view], top=box.top(), bottom=box.bottom()))

    def show_edges(self, *, top: int, bottom: int) -> None:
        """Keep heading and scroll bar of code and tables between the edges of the view, in pixels."""
        self._sticky.show(self._spans, top=top, bottom=bottom)

    def _show_bars(self, boxes: Sequence[QRect]) -> None:
        while len(self._bars) < len(boxes):
            bar = QFrame(self._parent)
            bar.setObjectName("quoteBar")
            bar.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._bars.append(bar)
        for bar, box in zip(self._bars, boxes, strict=False):
            bar.setGeometry(box)
        for index, bar in enumerate(self._bars):
            bar.setVisible(index < len(boxes))

    def _measure(self, width: int) -> bool:
        """Measure blocks that may have changed; return whether there were any."""
        measured = False
        for index, (block, view) in enumerate(self._views):
            cached, available = self._heights.get(index), self._available(block, index, width)
            if cached is None or cached[:2] != (available, _revision(view)):
                self._heights[index] = (available, _revision(view), view.height_for(available))
                measured = True
        return measured

    def _show_block(self, index: int, block: Block) -> None:
        if self._cited is not None and block.kind in _CITING:
            block = replace(block, body=with_citations(block.body, self._cited))
        if index < len(self._views):
            previous = self._views[index][0]
            if (previous.kind, previous.continues) != (block.kind, block.continues):
                self._drop_from(index)
        if index < len(self._views):
            view = self._views[index][1]
            self._views[index] = (block, view)
            view.show_block(block)
            return
        view = _VIEWS[block.kind](self._style, self._parent)
        if isinstance(view, CodeView):
            view.height_changed.connect(lambda: self._on_height_changed(view))
            view.run_requested.connect(lambda: self._on_run_requested(view))
            view.open_requested.connect(lambda: self._on_open_requested(view))
        above = self._views[-1][1] if self._views else None
        self._views.append((block, view))
        if self._width:  # before there is text, else Qt lays it out twice
            view.height_for(self._available(block, index, self._width))
        if isinstance(view, ProseView):
            view.set_widest_numbers(self._numbers[index].widest)
        view.show_block(block)
        if block.continues and isinstance(view, TableView) and isinstance(above, TableView):
            view.join(above)
        view.show()

    def _on_open_requested(self, wanted: CodeView) -> None:
        start = next((block.start for block, view in self._views if view is wanted), None)
        if self._on_open is not None and start is not None:
            self._on_open(start)

    def _on_run_requested(self, wanted: CodeView) -> None:
        block = next(block for block, view in self._views if view is wanted)
        if self._on_run is not None:
            self._on_run(wanted.source, len(self._stream.source[: block.end].rstrip("\n")))

    def _on_height_changed(self, changed: QWidget) -> None:
        for index, (_, view) in enumerate(self._views):
            if view is changed:
                self._heights.pop(index, None)
                self._on_resized()

    def _drop_from(self, first: int) -> None:
        if first < len(self._views):
            self._spans.clear()
            self._sticky.release()
        for _, view in self._views[first:]:
            if isinstance(view, TableView):
                view.detach()
            view.hide()
            view.deleteLater()
        del self._views[first:]
        for index in [index for index in self._heights if index >= first]:
            del self._heights[index]


def _gap(block: Block, following: Block | None) -> int:
    """Return the free pixels between two blocks, or below the last one."""
    above, below = _GAPS[following.kind if following else block.kind][0], _GAPS[block.kind][1]
    if following is None:
        return below
    if following.continues:
        return 0
    if any(block.body.endswith(f"</{tag}>") and following.body.startswith(f"<{tag}") for tag in _LISTS):
        return _BETWEEN_ITEMS
    is_heading = following.body.startswith('<p class="h')
    return above + below + (_ABOVE_HEADING if is_heading else 0)


def _revision(view: _View) -> tuple[int, bool] | None:
    return view.revision if isinstance(view, TableView) else None
