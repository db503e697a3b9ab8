"""Base class of the delegates of table and cards: clickable parts, and the editor of a name."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QLineEdit, QStyleOptionViewItem, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.library.rows import (
    NAME_LIMIT,
    ModelRow,
    integrity_badge,
    name_of,
    problem_of,
    problem_tint,
    state_badge,
)
from fireside.ui.library.table_model import ROW_ROLE
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.text import one_line

STAR_PX: Final = 16


def name_tint(row: ModelRow) -> str:
    """Return the colour of a model's name: grey while its drive is not connected."""
    return "dim" if row.entry.is_disconnected else "text"


class Part(StrEnum):
    """The clickable parts of a row or card."""

    BODY = "body"
    STAR = "star"
    CHAT = "chat"
    MORE = "more"


class ModelDelegate(RowDelegate):
    """Draws a ``ModelRow``; a subclass arranges its parts."""

    @property
    def star_px(self) -> int:
        """Width of a star in pixels."""
        return theme().scaled_up(STAR_PX)

    def part_at(self, index: Index, pos: QPoint) -> Part:
        """Return the part of a row at ``pos``, in viewport coordinates."""
        return next((part for part, box in self.parts(index).items() if box.contains(pos)), Part.BODY)

    def parts(self, index: Index) -> dict[Part, QRect]:
        """Return the rectangles of the clickable parts, in viewport coordinates."""
        raise NotImplementedError

    def name_box(self, index: Index) -> QRect:
        """Return the rectangle of the name's editor, in viewport coordinates."""
        raise NotImplementedError

    def paint_star(self, painter: RowPainter, row: ModelRow, at: QRect, *, is_active: bool) -> None:
        """Draw the favourite star; an outline where a click would set it, the problem's icon for an unusable
        file."""
        if row.entry.spec is None:
            badge = integrity_badge(row)
            painter.draw_icon(badge.icon, at=at, tint=badge.tint, px=STAR_PX)
        elif row.entry.user_metadata.favourite:
            painter.draw_icon("star-filled", at=at, tint="accent", px=STAR_PX)
        elif is_active:
            painter.draw_icon("star", at=at, tint="dim", px=STAR_PX)

    def paint_second_line(self, painter: RowPainter, row: ModelRow, within: QRect, *, fallback: str) -> None:
        """Draw state, available update and tags; ``fallback`` where there are none."""
        left = within.left()

        def rest() -> QRect:
            return QRect(left, within.top(), within.right() - left + 1, within.height())

        if badge := state_badge(row):
            left = painter.draw_dot(at=rest(), tint=badge.tint, px=7) + 5
            left = painter.draw_text(badge.text, within=rest(), px=12, tint="mute") + SPACE_S
        if row.update is not None:
            left = painter.draw_badge(
                tr("Update available"), within=rest(), tint="accent", background="accent_soft"
            )
        for tag in row.entry.user_metadata.tags:
            left = painter.draw_badge(one_line(tag), within=rest())
        if left == within.left():
            painter.draw_text(fallback, within=within, px=12, tint="dim")

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:  # noqa: ARG002 - Qt's signature
        editor = QLineEdit(parent)
        editor.setAccessibleName(tr("Model name"))
        editor.setMaxLength(NAME_LIMIT)
        row = index.data(ROW_ROLE)
        if isinstance(row, ModelRow) and row.entry.own_name:
            editor.setPlaceholderText(one_line(row.entry.own_name))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        if editor.isModified():
            # The row changed while the user types, as loads report progress often: keep what is typed.
            return
        row = index.data(ROW_ROLE)
        editor.setText(name_of(row) if isinstance(row, ModelRow) else "")
        editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: ARG002 - Qt's signature
        editor.setGeometry(self.name_box(index))


def paint_problem(painter: RowPainter, row: ModelRow, within: QRect) -> bool:
    """Draw the problem of a file on one line; return whether there is one."""
    problem = problem_of(row)
    painter.draw_text(problem.replace("\n", " "), within=within, px=12, tint=problem_tint(row))
    return bool(problem)
