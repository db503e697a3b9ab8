"""Show text that others wrote (model names, titles, paths) as text and nothing else."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOptionFrame, QWidget

from fireside.markup.escape import escape

_LONGEST = 400
"""Characters of a name that are looked at: more cannot be seen and costs layout time."""
_NAME_PX = 150
_ABSOLUTE = Qt.AlignmentFlag.AlignAbsolute
_UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def one_line(text: str) -> str:
    """Return ``text`` as one short line: control and text-direction characters become spaces."""
    return _UNSHOWABLE.sub(" ", text[:_LONGEST]).strip()


def truncate_text(text: str, *, length: int) -> str:
    """Return ``text``, or its beginning with “…”, at most ``length`` characters."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def isolate_direction(text: str) -> str:
    """Return ``text`` for a painter: what begins with Arabic or Hebrew is set from right to left, whatever
    stands around it, so that its last question mark stands at its end."""
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def escape_mnemonic(text: str) -> str:
    """Return ``text`` for a button or menu, which would read ``&`` as the mark of a shortcut letter."""
    return one_line(text).replace("&", "&&")


def plain_tooltip(text: str) -> str:
    """Return ``text`` for a tool tip, which would read it as HTML if it looked like any."""
    return f"<p style='white-space:pre-wrap'>{escape(text[: 4 * _LONGEST])}</p>"


class Label(QLabel):
    """A label that never reads its text as markup. ``role`` picks its style."""

    def __init__(self, text: str = "", *, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if (
            self.isRightToLeft()
        ):  # else Qt goes by the words alone, and English ones stand apart from the rest
            self.setAlignment(Qt.AlignmentFlag.AlignRight | _ABSOLUTE | Qt.AlignmentFlag.AlignVCenter)
        self.setText(text)
        if role:
            self.setProperty("role", role)

    def set_role(self, role: str) -> None:
        set_style_property(self, "role", role)

    def show_text(self, text: str) -> None:
        """Show ``text``; take no room where it is empty."""
        self.setText(text)
        self.setVisible(bool(text))


def plain_label(text: str, *, name: str, parent: QWidget) -> Label:
    """Return a label that the style sheet knows by ``name``."""
    label = Label(text, parent=parent)
    label.setObjectName(name)
    return label


class WrappedLabel(Label):
    """A label of several lines."""

    def __init__(self, text: str = "", *, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, role=role, parent=parent)
        self.setWordWrap(True)
        # A path without a space must not make the window wider than the screen.
        self.setMinimumWidth(40)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)


class NameLabel(WrappedLabel):
    """The name of a field that stands beside it: on one line where there is room, else on several.

    Short names take as much room as usual ones, so that the fields of several forms begin at one place.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text, role="mute")
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Preferred)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        width = max(_NAME_PX, self.fontMetrics().horizontalAdvance(self.text()) + 1)
        return QSize(width, self.heightForWidth(width))


class ElidedLabel(Label):
    """A label of one line that ends in “…” where there is no room; the tool tip then has the whole."""

    def __init__(
        self,
        text: str = "",
        *,
        role: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        separator: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Take ``separator`` as what stands between parts of which the last go as a whole, rather than to be
        cut; of the first at least half is shown, or nothing."""
        self._separator = separator
        self._whole = ""
        self._mode = mode
        super().__init__(role=role, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_full_text(text)

    def set_full_text(self, text: str) -> None:
        """Show ``text``, cut to the room there is."""
        self._whole = one_line(text)
        self.setText(self._whole)
        self.setToolTip(plain_tooltip(text))

    def text_for_width(self, px: int) -> str:
        """Return what is shown where there is so much room."""
        metrics, whole = self.fontMetrics(), self._whole
        while self._separator and self._separator in whole and metrics.horizontalAdvance(whole) > px:
            whole = whole.rpartition(self._separator)[0]
        # Words that end in “…” themselves are cut behind it, too.
        shown = metrics.elidedText(whole, self._mode, px).replace("……", "…")
        return "" if self._separator and len(shown) < len(whole) / 2 else shown

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        # One pixel more than measured, else rounding at fractional scales cuts text that fits.
        return QSize(hint.width() + 1, hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        style = self.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        # The style sheet's padding is not part of contentsRect().
        room = style.subElementRect(QStyle.SubElement.SE_ShapedFrameContents, option, self)
        shown = self.text_for_width(room.width())
        painter.setPen(option.palette.color(QPalette.ColorRole.WindowText))
        painter.drawText(room, int(self.alignment()), isolate_direction(shown))
        painter.end()


def set_style_property(widget: QWidget, name: str, value: str | bool) -> None:
    """Set a property that the style sheet looks at, and have the sheet look again."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):  # else the sheet is yet to look at it
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()
