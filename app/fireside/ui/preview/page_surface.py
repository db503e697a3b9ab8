"""A page that another process draws: its pictures, and what is typed and clicked over them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.web_preview import (
    MAX_TEXT_CHARS,
    FocusInput,
    KeyInput,
    PictureTaken,
    PointerInput,
    PointerStep,
    PreviewArea,
    PreviewPainted,
    TypedInput,
    WheelInput,
)
from fireside.ui.theme import theme

_SETTLE_MS: Final = 60
_MIN_PX: Final = 160
_COMMON_MODIFIERS: Final = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
_EDITING: Final = (
    QKeySequence.StandardKey.Copy,
    QKeySequence.StandardKey.Cut,
    QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.SelectAll,
    QKeySequence.StandardKey.Undo,
    QKeySequence.StandardKey.Redo,
)


class PageSurface(QWidget):
    """Shows pictures of a page, and reports what the user does to it.

    Tab moves within the page; Escape leaves it, so that the keyboard is never caught.
    """

    done = Signal(object)
    """Carries a ``PreviewInput``."""

    def __init__(self) -> None:
        super().__init__()
        self._picture = QImage()
        self._selected = ""
        self._owes_picture = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(_MIN_PX, _MIN_PX)
        self.setAccessibleName(tr("Preview. Escape leaves it."))
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(lambda: self.done.emit(self.area_in(self.size())))

    def area_in(self, size: QSize) -> PreviewArea:
        """Return in which size the page is drawn for a surface of this one."""
        return PreviewArea(width=size.width(), height=size.height(), scale=self.devicePixelRatioF())

    @property
    def picture(self) -> QImage:
        """What is shown; null before the first picture."""
        return self._picture

    def clear(self) -> None:
        """Show nothing, until the next picture comes."""
        self._picture, self._selected, self._owes_picture = QImage(), "", False
        self.unsetCursor()
        self.setAccessibleDescription("")
        self.update()

    def show_picture(self, painted: PreviewPainted) -> None:
        """Show a picture, and ask for the next where anybody sees it."""
        if len(painted.pixels) != 4 * painted.width * painted.height:
            return  # the process of a page is not trusted
        shape = (painted.width, painted.height, 4 * painted.width)
        self._picture = QImage(painted.pixels, *shape, QImage.Format.Format_RGB32).copy()
        self.update()
        if self.isVisible():
            self.done.emit(PictureTaken())
        else:
            self._owes_picture = True

    def show_text(self, text: str) -> None:
        """Give screen readers the text of the page."""
        self.setAccessibleDescription(text)

    def show_selection(self, text: str) -> None:
        """Keep what is selected, for Copy."""
        self._selected = text

    def show_pointer(self, shape: int) -> None:
        """Show the pointer that the page wants here."""
        known = shape <= Qt.CursorShape.DragLinkCursor.value and shape != Qt.CursorShape.BitmapCursor.value
        self.setCursor(Qt.CursorShape(shape) if known and shape >= 0 else Qt.CursorShape.ArrowCursor)

    # Qt

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().colour("card"))
        if not self._picture.isNull():
            ratio = max(0.1, self._picture.width() / max(1, self.width()), 1.0)
            if self._settle.isActive():  # drawn for another size
                ratio = self.devicePixelRatioF()
            painter.drawImage(
                QRectF(0, 0, self._picture.width() / ratio, self._picture.height() / ratio), self._picture
            )
        if self.hasFocus():
            painter.setPen(theme().colour("accent"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._owes_picture:
            self._owes_picture = False
            self.done.emit(PictureTaken())

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, ARG002 - Qt's signature
        return False  # Tab is the page's

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_typed = event.modifiers() | _COMMON_MODIFIERS == _COMMON_MODIFIERS and event.text() != ""
            if is_typed or any(event.matches(each) for each in _EDITING):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            super().focusNextPrevChild(True)
            return
        takes = event.matches(QKeySequence.StandardKey.Copy) or event.matches(QKeySequence.StandardKey.Cut)
        if takes and self._selected:
            QGuiApplication.clipboard().setText(self._selected)
        if event.matches(QKeySequence.StandardKey.Paste):
            self.done.emit(TypedInput(text=QGuiApplication.clipboard().text()[:MAX_TEXT_CHARS]))
        elif not event.matches(QKeySequence.StandardKey.Copy):
            self._send_key(event, is_press=True)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            self._send_key(event, is_press=False)

    def _send_key(self, event: QKeyEvent, *, is_press: bool) -> None:
        self.done.emit(
            KeyInput(
                is_press=is_press,
                key=event.key(),
                modifiers=event.modifiers().value,
                text=event.text(),
                is_repeat=event.isAutoRepeat(),
            )
        )

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if event.commitString():
            self.done.emit(TypedInput(text=event.commitString()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._send_pointer(PointerStep.PRESS, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._send_pointer(PointerStep.RELEASE, event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._send_pointer(PointerStep.DOUBLE, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._send_pointer(PointerStep.MOVE, event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.done.emit(PointerInput(step=PointerStep.LEAVE))

    def wheelEvent(self, event: QWheelEvent) -> None:
        place, angle, pixels = event.position(), event.angleDelta(), event.pixelDelta()
        self.done.emit(
            WheelInput(
                x=place.x(),
                y=place.y(),
                angle=(angle.x(), angle.y()),
                pixels=(pixels.x(), pixels.y()),
                modifiers=event.modifiers().value,
            )
        )
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.done.emit(FocusInput(has_focus=True))
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.done.emit(FocusInput(has_focus=False))
        self.update()

    def _send_pointer(self, step: PointerStep, event: QMouseEvent) -> None:
        place = event.position()
        self.done.emit(
            PointerInput(
                step=step,
                x=place.x(),
                y=place.y(),
                button=event.button().value,
                buttons=event.buttons().value,
                modifiers=event.modifiers().value,
            )
        )
        event.accept()
