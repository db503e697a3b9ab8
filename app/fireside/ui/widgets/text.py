"""Show untrusted text (model names, titles, paths) as plain text."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOptionFrame, QWidget

from fireside.core.graphemes import cut
from fireside.markup.escape import escape

_MAX_CHARS = 400
"""Maximum length of a displayed name: more cannot be seen and costs layout time."""
_MAX_TIP_LINE = 72
"""Maximum length of a tool tip in characters that is not broken into lines."""
_MIN_NAME_PX = 150
_ABSOLUTE = Qt.AlignmentFlag.AlignAbsolute
_LONG_RUN = re.compile(r"\S{24}")
_UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def one_line(text: str) -> str:
    """Return ``text`` as one short line: control and text-direction characters become spaces."""
    return _UNSHOWABLE.sub(" ", cut(text, _MAX_CHARS)).strip()


def truncate_text(text: str, *, length: int) -> str:
    """Return ``text``, or its beginning with “…”, at most ``length`` characters."""
    return text if len(text) <= length else f"{cut(text, length - 1).rstrip()}…"


def isolate_direction(text: str) -> str:
    """Return ``text`` for a painter, with its direction taken from its own first letter: a question in Arabic
    or Hebrew then ends with its question mark, whatever the direction of the window."""
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def escape_mnemonic(text: str) -> str:
    """Return ``text`` for a button or menu, where a single ``&`` would mark a mnemonic."""
    return one_line(text).replace("&", "&&")


def plain_tooltip(text: str) -> str:
    """Return ``text`` for a tool tip, which would render text that looks like HTML as HTML.

    A short one stays on one line; Qt breaks it to make the tip less wide.
    """
    white_space = "pre" if len(text) <= _MAX_TIP_LINE else "pre-wrap"
    return f"<p style='margin:0;white-space:{white_space}'>{escape(cut(text, 4 * _MAX_CHARS))}</p>"


def breakable(text: str) -> str:
    """Return a text whose long words may be broken: a label would cut them off."""
    return _LONG_RUN.sub("\\g<0>\u200b", text)


class Label(QLabel):
    """A label that never renders its text as markup. ``role`` selects its style."""

    def __init__(self, text: str = "", *, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if self.isRightToLeft():  # Qt aligns by the text alone
            self.setAlignment(Qt.AlignmentFlag.AlignRight | _ABSOLUTE | Qt.AlignmentFlag.AlignVCenter)
        self.setText(text)
        if role:
            self.setProperty("role", role)

    def set_role(self, role: str) -> None:
        set_style_property(self, "role", role)

    def show_text(self, text: str) -> None:
        """Show ``text``; hide the label if it is empty."""
        self.setText(text)
        self.setVisible(bool(text))


def plain_label(text: str, *, name: str, parent: QWidget) -> Label:
    """Return a label with the object name ``name``, for the style sheet."""
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
    """The name of a field beside it: on one line if it fits, else wrapped.

    Short names have a minimum width, so that the fields of several forms align.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text, role="mute")
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Preferred)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        width = max(_MIN_NAME_PX, self.fontMetrics().horizontalAdvance(self.text()) + 1)
        return QSize(width, self.heightForWidth(width))


class ElidedLabel(Label):
    """A label of one line that ends in “…” where it does not fit; its tool tip has the full text."""

    def __init__(
        self,
        text: str = "",
        *,
        role: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        separator: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """With ``separator``, parts that do not fit are dropped from the end rather than cut; if less than
        half of the first part fits, nothing is shown."""
        self._separator = separator
        self._full_text = ""
        self._mode = mode
        super().__init__(role=role, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_full_text(text)

    def set_full_text(self, text: str) -> None:
        """Show ``text``, elided to the available width."""
        self._full_text = one_line(text)
        self.setText(self._full_text)
        self.setToolTip(plain_tooltip(text))

    def text_for_width(self, px: int) -> str:
        """Return the text displayed at a width of ``px``."""
        metrics, text = self.fontMetrics(), self._full_text
        while self._separator and self._separator in text and metrics.horizontalAdvance(text) > px:
            text = text.rpartition(self._separator)[0]
        # A text that ends in “…” itself may be cut just behind it.
        elided = metrics.elidedText(text, self._mode, px).replace("……", "…")
        return "" if self._separator and len(elided) < len(text) / 2 else elided

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
        rect = style.subElementRect(QStyle.SubElement.SE_ShapedFrameContents, option, self)
        elided = self.text_for_width(rect.width())
        painter.setPen(option.palette.color(QPalette.ColorRole.WindowText))
        painter.drawText(rect, int(self.alignment()), isolate_direction(elided))
        painter.end()


def set_style_property(widget: QWidget, name: str, value: str | bool) -> None:
    """Set a property that the style sheet selects by, and apply the style sheet again."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    if widget.testAttribute(
        Qt.WidgetAttribute.WA_WState_Polished
    ):  # otherwise the sheet is applied later anyway
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()
