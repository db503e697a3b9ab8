"""What lines and cards have in common: their parts that can be clicked, and the editor of a name."""

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
from fireside.ui.theme import SPACE_S
from fireside.ui.widgets.text import one_line

STAR_PX: Final = 16


def name_tint(row: ModelRow) -> str:
    """Return the colour of a model's name: grey while its drive is not connected."""
    return "dim" if row.entry.is_disconnected else "text"


class Part(StrEnum):
    """What of a line was clicked."""

    BODY = "body"
    STAR = "star"
    CHAT = "chat"
    MORE = "more"


class ModelDelegate(RowDelegate):
    """Draws a ``ModelRow``. A subclass says where its parts are."""

    @property
    def star_px(self) -> int:
        """How wide a star is."""
        return self.theme.scaled_up(STAR_PX)

    def part_at(self, index: Index, pos: QPoint) -> Part:
        """Return which part of a line is at ``pos`` of the viewport."""
        return next((part for part, box in self.parts(index).items() if box.contains(pos)), Part.BODY)

    def parts(self, index: Index) -> dict[Part, QRect]:
        """Return where the parts that can be clicked are, in the viewport."""
        raise NotImplementedError

    def name_box(self, index: Index) -> QRect:
        """Return where the name is edited."""
        raise NotImplementedError

    def paint_star(self, painter: RowPainter, row: ModelRow, at: QRect, *, is_active: bool) -> None:
        """Draw whether the model is a favourite, or why it is none; an empty star where one may click."""
        if row.entry.spec is None:
            mark = integrity_badge(row)
            painter.draw_icon(mark.icon, at=at, tint=mark.tint, px=STAR_PX)
        elif row.entry.user_metadata.favourite:
            painter.draw_icon("star-filled", at=at, tint="accent", px=STAR_PX)
        elif is_active:
            painter.draw_icon("star", at=at, tint="dim", px=STAR_PX)

    def paint_second_line(self, painter: RowPainter, row: ModelRow, within: QRect, *, otherwise: str) -> None:
        """Draw what is worth knowing first: state, newer version, tags; else a plain fact."""
        left = within.left()

        def rest() -> QRect:
            return QRect(left, within.top(), within.right() - left + 1, within.height())

        if mark := state_badge(row):
            left = painter.draw_dot(at=rest(), tint=mark.tint, px=7) + 5
            left = painter.draw_text(mark.text, within=rest(), px=12, tint="mute") + SPACE_S
        if row.update is not None:
            left = painter.draw_badge(
                tr("Update available"), within=rest(), tint="accent", background="accent_soft"
            )
        for tag in row.entry.user_metadata.tags:
            left = painter.draw_badge(one_line(tag), within=rest())
        if left == within.left():
            painter.draw_text(otherwise, within=within, px=12, tint="dim")

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
            # The line changed meanwhile, for a load reports itself often; what is being typed stays.
            return
        row = index.data(ROW_ROLE)
        editor.setText(name_of(row) if isinstance(row, ModelRow) else "")
        editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: ARG002 - Qt's signature
        editor.setGeometry(self.name_box(index))


def paint_problem(painter: RowPainter, row: ModelRow, within: QRect) -> bool:
    """Draw what is wrong with a file, on one line; return whether anything is."""
    problem = problem_of(row)
    painter.draw_text(problem.replace("\n", " "), within=within, px=12, tint=problem_tint(row))
    return bool(problem)
