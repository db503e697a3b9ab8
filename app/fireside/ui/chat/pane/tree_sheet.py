"""The sheet that draws the tree of a conversation's branches; Enter goes to a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from PySide6.QtCore import QModelIndex, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem, QWidget

from fireside.core.chat import MessageState, TreeNode
from fireside.core.i18n import number, tr
from fireside.core.ids import MessageId
from fireside.core.message import Role
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.list_model import ITEM_ROLE, Index, ListModel
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import theme
from fireside.ui.widgets.text import one_line

_ROW: Final = 34
_LANE: Final = 20
_LEFT: Final = 18
_DOT: Final = 4.5


def row_text(row: TreeRow) -> str:
    """Return the text of a row: ``You: Why?``."""
    node = row.node
    who = tr("You") if node.role is Role.USER else (node.model_name or tr("Answer"))
    text = one_line(node.excerpt) or _silence(node)
    return f"{who}: {text}"


def accessible_row_text(row: TreeRow, *, at: int, n_rows: int) -> str:
    """Return the accessible text of row ``at`` of ``n_rows``."""
    facts = [row_text(row)]
    if row.begins:
        facts.append(tr("another branch starts here"))
    if row.node.pinned:
        facts.append(tr("pinned"))
    if row.node.active:
        facts.append(tr("in the current branch"))
    return tr("{facts}. {place} of {n_rows}").format(
        facts=", ".join(facts), place=number(at + 1), n_rows=number(n_rows)
    )


def _silence(node: TreeNode) -> str:
    if node.state is MessageState.STREAMING:
        return tr("generating")
    return tr("failed") if node.state is MessageState.FAILED else tr("no text")


class _TreeDelegate(RowDelegate):
    def row_height(self, index: Index) -> float:  # noqa: ARG002 - every row has one height
        return _ROW

    def draw(self, row: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        tree_row = index.data(ITEM_ROLE)
        assert isinstance(tree_row, TreeRow)
        if option.state & QStyle.StateFlag.State_Selected:
            row.fill(QRectF(box.adjusted(2, 1, -2, -1)), "accent_soft", radius=8)
        self._draw_lines(row.painter, box, tree_row)
        text_rect = box.adjusted(round(_x(tree_row.lane)) + 14, 0, -10, 0)
        if tree_row.node.pinned:
            text_rect.setRight(row.draw_icon("pin", at=text_rect, tint="accent", px=14, at_right=True) - 8)
        text_rect.setWidth(max(20, text_rect.width()))
        row.draw_text(
            row_text(tree_row), within=text_rect, px=13, tint="text" if tree_row.node.active else "mute"
        )

    def _draw_lines(self, painter: QPainter, area: QRect, row: TreeRow) -> None:
        middle = area.center().y() + 0.5
        for lane in row.passing:
            self._pen(painter, active=lane == 0 and row.passes_active)
            painter.drawLine(QPointF(_x(lane), area.top()), QPointF(_x(lane), area.bottom() + 1))
        x = _x(row.lane)
        self._pen(painter, active=row.node.active)
        if row.begins and row.node.parent_id is not None:
            corner = QPointF(_x(row.lane - 1), middle)
            path = QPainterPath(QPointF(_x(row.lane - 1), area.top()))
            path.cubicTo(corner, corner, QPointF(x, middle))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)
        elif row.node.parent_id is not None:
            painter.drawLine(QPointF(x, area.top()), QPointF(x, middle))
        if not row.ends:
            painter.drawLine(QPointF(x, middle), QPointF(x, area.bottom() + 1))
        accent = theme().colour("accent" if row.node.active else "edge")
        painter.setPen(QPen(accent, 1.6))
        painter.setBrush(accent if row.node.role is Role.ASSISTANT else theme().colour("card"))
        painter.drawEllipse(QPointF(x, middle), _DOT, _DOT)

    def _pen(self, painter: QPainter, *, active: bool) -> None:
        painter.setPen(QPen(theme().colour("accent" if active else "edge"), 1.6))


def _x(lane: int) -> float:
    return _LEFT + lane * _LANE + 0.5


class TreeView(QListView):
    """The tree: Up and Down go from row to row, Left and Right from branch to branch."""

    message_selected = Signal(object)
    """``MessageId``."""

    def __init__(self, nodes: Sequence[TreeNode], *, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("branchTree")
        self.setAccessibleName(tr("Branches"))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows = tree_rows(nodes)
        positions = {row.node.id: at for at, row in enumerate(self._rows)}
        self._model = ListModel(
            row_text,
            accessible_text=lambda row: accessible_row_text(
                row, at=positions[row.node.id], n_rows=len(positions)
            ),
            parent=self,
        )
        self._model.replace(self._rows)
        self.setModel(self._model)
        self.setItemDelegate(_TreeDelegate(view=self))
        self.activated.connect(self._on_activated)
        last = max((at for at, row in enumerate(self._rows) if row.node.active), default=0)
        self.select(last)

    @property
    def rows(self) -> tuple[TreeRow, ...]:
        return self._rows

    @property
    def at(self) -> int:
        """The selected row."""
        return self.currentIndex().row()

    def select(self, at: int) -> None:
        """Select a row and scroll to it."""
        index = self._model.index(at)
        self.setCurrentIndex(index)
        self.scrollTo(index, QListView.ScrollHint.PositionAtCenter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_activated(self.currentIndex())
        elif key is Qt.Key.Key_Left and self.at >= 0:
            self._go(branch_before(self._rows, self.at))
        elif key is Qt.Key.Key_Right and self.at >= 0:
            self._go(branch_after(self._rows, self.at))
        else:
            super().keyPressEvent(event)

    def _go(self, at: int | None) -> None:
        if at is not None:
            self.select(at)

    def _on_activated(self, index: QModelIndex) -> None:
        if index.isValid():
            self.message_selected.emit(MessageId(self._rows[index.row()].node.id))


class TreeSheet(Sheet):
    """Open it with ``open()``."""

    def __init__(
        self, nodes: Sequence[TreeNode], on_chosen: Callable[[MessageId], None], *, parent: QWidget
    ) -> None:
        super().__init__(tr("Branches"), parent=parent, size=SheetSize.LARGE)
        self._on_chosen = on_chosen
        self.tree = TreeView(nodes, parent=self)
        self.tree.message_selected.connect(self._choose)
        n_branches = sum(1 for row in self.tree.rows if row.ends)
        go = self.make_button(
            tr("Open branch"),
            lambda: self._choose(self.tree.rows[self.tree.at].node.id),
            kind="primary",
        )
        go.setEnabled(bool(nodes))
        self.set_content(
            stretch(self.tree),
            about=tr(
                "1 branch|%n branches · Enter to open",
                "",
                max(1, n_branches),
            ),
            buttons=(self.make_close(), go),
        )
        self.tree.setFocus()

    def _choose(self, message_id: MessageId) -> None:
        self.accept()  # first, so that the focus goes to the message and not back to where it was
        self._on_chosen(message_id)


# Rows and lanes of the tree of a conversation's branches. Pure: no Qt.
#
# The branch that is shown goes straight down in the first lane. A side branch is one lane further right,
# below the message at which it begins and above what follows there.


class TreeRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the tree: a message, its lane, and the lines that pass it."""

    node: TreeNode
    lane: int
    """0 is the first."""
    begins: bool
    """A side branch begins here, from the lane to the left."""
    ends: bool
    """Nothing follows in this lane."""
    passing: tuple[int, ...]
    """Lanes to the left whose lines pass this row."""
    passes_active: bool = False
    """The passing line in the first lane is that of the branch that is shown."""


def tree_rows(nodes: Sequence[TreeNode]) -> tuple[TreeRow, ...]:
    """Return the rows, top down. ``nodes`` are in the order of their creation."""
    children: dict[MessageId | None, list[TreeNode]] = {}
    known = {node.id for node in nodes}
    for node in nodes:
        parent = node.parent_id if node.parent_id in known else None
        children.setdefault(parent, []).append(node)
    newest = _newest_below(nodes)
    rows: list[TreeRow] = []
    # A stack instead of recursion: a conversation may be thousands of messages deep.
    stack: list[tuple[TreeNode, int, bool, frozenset[int]]] = []

    def push(siblings: Sequence[TreeNode], lane: int, passing: frozenset[int], *, is_root: bool) -> None:
        if not siblings:
            return
        main = next((node for node in siblings if node.active), None)
        if main is None:
            main = max(siblings, key=lambda node: newest[node.id])
        sides = [node for node in siblings if node is not main]
        stack.append((main, lane, False, passing))
        for side in reversed(sides):
            side_passing = passing if is_root else passing | {lane}
            stack.append((side, lane + 1, True, side_passing))

    push(children.get(None, ()), 0, frozenset(), is_root=True)
    while stack:
        node, lane, begins, passing = stack.pop()
        below = children.get(node.id, ())
        rows.append(
            TreeRow(node=node, lane=lane, begins=begins, ends=not below, passing=tuple(sorted(passing)))
        )
        push(below, lane, passing, is_root=False)
    last_active = max((at for at, row in enumerate(rows) if row.node.active), default=-1)
    first_active = min((at for at, row in enumerate(rows) if row.node.active), default=0)
    return tuple(
        msgspec.structs.replace(row, passes_active=first_active < at < last_active)
        for at, row in enumerate(rows)
    )


def _newest_below(nodes: Sequence[TreeNode]) -> dict[MessageId, MessageId]:
    newest = {node.id: node.id for node in nodes}
    for node in sorted(nodes, key=lambda node: node.id, reverse=True):
        parent = node.parent_id
        if parent is not None and parent in newest:
            newest[parent] = max(newest[parent], newest[node.id])
    return newest


def branch_before(rows: Sequence[TreeRow], at: int) -> int | None:
    """Return the row of the parent of row ``at``; ``None`` for the first message."""
    parent_id = rows[at].node.parent_id
    return next((index for index in range(at - 1, -1, -1) if rows[index].node.id == parent_id), None)


def branch_after(rows: Sequence[TreeRow], at: int) -> int | None:
    """Return the next side branch below row ``at``."""
    return next((index for index in range(at + 1, len(rows)) if rows[index].begins), None)
