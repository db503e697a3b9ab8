"""What lines and cards have in common: their parts that can be clicked, and the editor of a name."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.row_painter import RowPainter
from fireside.ui.library.rows import ModelRow, name_of, problem_of, soundness_mark, state_mark
from fireside.ui.library.table_model import ROW_ROLE, Index
from fireside.ui.theme import SPACE_S, Theme
from fireside.ui.widgets.text import one_line

STAR_PX: Final = 16
_NAME_LIMIT: Final = 120


class Part(StrEnum):
    """What of a line was clicked."""

    BODY = "body"
    STAR = "star"
    CHAT = "chat"
    MORE = "more"


class RowDelegate(QStyledItemDelegate):
    """Draws without widgets, as thousands of lines need it. A subclass says where its parts are."""

    def __init__(self, *, theme: Theme, view: QAbstractItemView) -> None:
        super().__init__(view)
        self.theme = theme
        self.view = view

    def part_at(self, index: Index, pos: QPoint) -> Part:
        """Return which part of a line is at ``pos`` of the viewport."""
        row = index.data(ROW_ROLE)
        if row is None:
            return Part.BODY
        for part, box in self.parts(index).items():
            if box.contains(pos):
                return part
        return Part.BODY

    def parts(self, index: Index) -> dict[Part, QRect]:
        """Return where the parts that can be clicked are, in the viewport."""
        raise NotImplementedError

    def name_box(self, index: Index) -> QRect:
        """Return where the name is edited."""
        raise NotImplementedError

    def star(self, brush: RowPainter, row: ModelRow, at: QRect, *, lively: bool) -> None:
        """Draw whether the model is a favourite, or why it is none; an empty star where one may click."""
        if row.entry.spec is None:
            mark = soundness_mark(row)
            brush.icon(mark.icon, at=at, tint=mark.tint, px=STAR_PX)
        elif row.entry.personal.favourite:
            brush.icon("star-filled", at=at, tint="accent", px=STAR_PX)
        elif lively:
            brush.icon("star", at=at, tint="dim", px=STAR_PX)

    def second_line(self, brush: RowPainter, row: ModelRow, within: QRect, *, otherwise: str) -> None:
        """Draw what is worth knowing first: state, newer version, tags; else a plain fact."""
        left = within.left()

        def rest() -> QRect:
            return QRect(left, within.top(), within.right() - left + 1, within.height())

        if mark := state_mark(row):
            left = brush.dot(at=rest(), tint=mark.tint, px=7) + 5
            left = brush.words(mark.words, within=rest(), px=12, tint="mute") + SPACE_S
        if row.update is not None:
            left = brush.badge(tr("Newer version"), within=rest(), tint="accent", ground="accent_soft")
        for tag in row.entry.personal.tags:
            left = brush.badge(one_line(tag), within=rest())
        if left == within.left():
            brush.words(otherwise, within=within, px=12, tint="dim")

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:  # noqa: ARG002 - Qt's signature
        editor = QLineEdit(parent)
        editor.setAccessibleName(tr("New name of the model"))
        editor.setMaxLength(_NAME_LIMIT)
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


def paint_problem(brush: RowPainter, row: ModelRow, within: QRect) -> bool:
    """Draw what is wrong with a file, on one line; return whether anything is."""
    problem = problem_of(row)
    tint = "warn" if row.entry.is_growing else "danger"
    brush.words(problem.replace("\n", " "), within=within, px=12, tint=tint)
    return bool(problem)
