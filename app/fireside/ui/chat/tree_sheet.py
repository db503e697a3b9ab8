"""All branches of a conversation, drawn; Enter goes to a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from fireside.core.chat import MessageState, TreeNode
from fireside.core.i18n import number, tr
from fireside.core.ids import MessageId
from fireside.core.message import Role
from fireside.ui.chat.tree_rows import TreeRow, branch_after, branch_before, tree_rows
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label, WrappedLabel, one_line

_ROW: Final = 34
_LANE: Final = 20
_LEFT: Final = 18
_DOT: Final = 4.5
_ROLE_ROW: Final = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex


def row_words(row: TreeRow) -> str:
    """What a line says: ``You: Why?``."""
    node = row.node
    who = tr("You") if node.role is Role.USER else (node.model_name or tr("Answer"))
    text = one_line(node.excerpt) or _silence(node)
    return f"{who}: {text}"


def spoken_words(row: TreeRow, *, at: int, n_rows: int) -> str:
    """What a screen reader says of a line."""
    facts = [row_words(row)]
    if row.begins:
        facts.append(tr("another branch begins here"))
    if row.node.pinned:
        facts.append(tr("pinned"))
    if row.node.active:
        facts.append(tr("in the branch that is shown"))
    return tr("{facts}. {place} of {n_rows}").format(
        facts=", ".join(facts), place=number(at + 1), n_rows=number(n_rows)
    )


def _silence(node: TreeNode) -> str:
    if node.state is MessageState.STREAMING:
        return tr("being written")
    return tr("failed") if node.state is MessageState.FAILED else tr("no text")


class _TreeModel(QAbstractListModel):
    def __init__(self, rows: Sequence[TreeRow]) -> None:
        super().__init__()
        self.rows = tuple(rows)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == _ROLE_ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row_words(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken_words(row, at=index.row(), n_rows=len(self.rows))
        return None


class _TreeDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: ARG002 - Qt's signature
        return QSize(100, self._theme.scaled(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = index.data(_ROLE_ROW)
        assert isinstance(row, TreeRow)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(option.rect)
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("accent_soft"))
            painter.drawRoundedRect(area.adjusted(2, 1, -2, -1), 8, 8)
        self._draw_lines(painter, area, row)
        self._draw_words(painter, area, row)
        painter.restore()

    def _draw_lines(self, painter: QPainter, area: QRect, row: TreeRow) -> None:
        middle = area.center().y() + 0.5
        for lane in row.passing:
            self._pen(painter, active=lane == 0 and row.passes_active)
            painter.drawLine(QPointF(_x(lane), area.top()), QPointF(_x(lane), area.bottom() + 1))
        x = _x(row.lane)
        self._pen(painter, active=row.node.active)
        if row.begins and row.node.parent_id is not None:
            path = QPainterPath(QPointF(_x(row.lane - 1), area.top()))
            path.cubicTo(
                QPointF(_x(row.lane - 1), middle), QPointF(_x(row.lane - 1), middle), QPointF(x, middle)
            )
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)
        elif row.node.parent_id is not None:
            painter.drawLine(QPointF(x, area.top()), QPointF(x, middle))
        if not row.ends:
            painter.drawLine(QPointF(x, middle), QPointF(x, area.bottom() + 1))
        accent = self._theme.colour("accent" if row.node.active else "edge")
        painter.setPen(QPen(accent, 1.6))
        painter.setBrush(accent if row.node.role is Role.ASSISTANT else self._theme.colour("card"))
        painter.drawEllipse(QPointF(x, middle), _DOT, _DOT)

    def _draw_words(self, painter: QPainter, area: QRect, row: TreeRow) -> None:
        left = area.left() + round(_x(row.lane)) + 14
        right = area.right() - 10
        if row.node.pinned:
            pixmap = self._theme.pixmap("pin", "accent", 14, ratio=painter.device().devicePixelRatio())
            painter.drawPixmap(right - 14, area.center().y() - 7, pixmap)
            right -= 22
        font = self._theme.ui_font(13)
        painter.setFont(font)
        painter.setPen(self._theme.colour("text" if row.node.active else "mute"))
        words = painter.fontMetrics().elidedText(
            row_words(row), Qt.TextElideMode.ElideRight, max(20, right - left)
        )
        place = QRect(left, area.top(), max(20, right - left), area.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)

    def _pen(self, painter: QPainter, *, active: bool) -> None:
        painter.setPen(QPen(self._theme.colour("accent" if active else "edge"), 1.6))


def _x(lane: int) -> float:
    return _LEFT + lane * _LANE + 0.5


class TreeView(QListView):
    """The drawing: Up and Down go from line to line, Left and Right from branch to branch."""

    chosen = Signal(object)
    """``MessageId``."""

    def __init__(self, nodes: Sequence[TreeNode], *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("branchTree")
        self.setAccessibleName(tr("Branches of this chat"))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows = tree_rows(nodes)
        self._model = _TreeModel(self._rows)
        self.setModel(self._model)
        self.setItemDelegate(_TreeDelegate(theme, self))
        self.activated.connect(self._on_activated)
        last = max((at for at, row in enumerate(self._rows) if row.node.active), default=0)
        self.select(last)

    @property
    def rows(self) -> tuple[TreeRow, ...]:
        return self._rows

    @property
    def at(self) -> int:
        """The line that is marked."""
        return self.currentIndex().row()

    def select(self, at: int) -> None:
        """Mark a line and show it."""
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
            self.chosen.emit(MessageId(self._rows[index.row()].node.id))


class TreeSheet(QDialog):
    """Open it with ``open()``."""

    chosen = Signal(object)
    """``MessageId`` to go to."""

    def __init__(self, nodes: Sequence[TreeNode], *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Branches"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.tree = TreeView(nodes, theme=theme, parent=self)
        self.tree.chosen.connect(self._on_chosen)
        n_branches = sum(1 for row in self.tree.rows if row.ends)
        close = Button(tr("Close"), theme=theme)
        close.clicked.connect(self.reject)
        go = Button(tr("Show this branch"), theme=theme, kind="primary")
        go.clicked.connect(lambda: self._on_chosen(self.tree.rows[self.tree.at].node.id))
        go.setEnabled(bool(nodes))
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(close)
        row.addWidget(go)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(Label(tr("Branches"), role="title"))
        words = tr(
            "This chat has one branch."
            "|This chat has %n branches. Arrow keys go through them, Return shows one.",
            "",
            max(1, n_branches),
        )
        column.addWidget(WrappedLabel(words, role="mute"))
        column.addWidget(self.tree, 1)
        column.addLayout(row)
        self.resize(min(640, parent.width() - 40), min(620, parent.height() - 40))
        self.tree.setFocus()

    def _on_chosen(self, message_id: MessageId) -> None:
        self.accept()  # first, so that the keyboard goes to the message and not back to where it was
        self.chosen.emit(message_id)
