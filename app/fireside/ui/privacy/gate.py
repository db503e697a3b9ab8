"""The window while the data is locked, encrypted or decrypted: nothing else of the program runs meanwhile."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.ui.kit.layout import boxed, column, in_centre, row, space, stretch
from fireside.ui.kit.line_fields import secret_field
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XL, theme
from fireside.ui.widgets.app_mark import AppMark
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel

MAX_CHARS: Final = 1000
"""Of a passphrase."""
_WIDTH_PX: Final = 380
_MARK_PX: Final = 52
_SIZE_PX: Final = (900, 640)


class GateWindow(QWidget):
    """Asks for the passphrase, shows progress, and says what failed. Views only; ``main`` does the work."""

    passphrase_entered = Signal(str)
    cancelled = Signal()
    """The user wants the conversion undone."""
    retried = Signal()
    quit_requested = Signal()

    def __init__(self, *, geometry: bytes = b"") -> None:
        """``geometry`` is that of the last window, in whose place this one stands."""
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle("Fireside")
        self._is_done = False
        self.title = WrappedLabel(role="title")
        self.about = WrappedLabel(role="mute")
        for label in (self.title, self.about):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.error = WrappedLabel(role="error")
        self.error.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.error.hide()
        self.field = secret_field(tr("Passphrase"), max_length=MAX_CHARS, placeholder=tr("Passphrase"))
        self.field.returnPressed.connect(self._on_unlock)
        self.field.textChanged.connect(self._on_typed)
        self.unlock = Button(tr("Unlock"), kind="primary", on_click=self._on_unlock)
        self.bar = ProgressBar(name=tr("Progress"))
        self.cancel = Button(tr("Cancel"), on_click=self._on_cancel)
        self.retry = Button(tr("Try again"), kind="primary", on_click=self.retried.emit)
        self.undo = Button(tr("Undo"), on_click=self.cancelled.emit)
        self.quit = Button(tr("Quit"), kind="quiet", on_click=self.quit_requested.emit)
        self._parts: tuple[tuple[QWidget, ...], ...] = (
            (self.field, self.unlock),
            (self.bar, self.cancel),
            (self.retry, self.undo),
        )
        content = boxed(
            column(
                in_centre(AppMark(size=_MARK_PX)),
                space(SPACE_S),
                self.title,
                self.about,
                space(SPACE_S),
                self.field,
                self.unlock,
                self.bar,
                in_centre(self.cancel),
                self.error,
                row(stretch(), self.retry, self.undo, stretch()),
                in_centre(self.quit),
                spacing=SPACE_M,
            )
        )
        content.setFixedWidth(theme().scaled(_WIDTH_PX))
        column(stretch(None, 2), in_centre(content), stretch(None, 3), margins=SPACE_XL, on=self)
        self.resize(*_SIZE_PX)
        if geometry:
            self.restoreGeometry(geometry)
        self.ask()

    def ask(self) -> None:
        """Show the field for the passphrase."""
        self.title.setText(tr("Fireside is locked"))
        self.about.setText(tr("Enter your passphrase to read your chats."))
        self._show(0)
        self.set_checking(is_checking=False)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_checking(self, *, is_checking: bool) -> None:
        """Show that the passphrase is being tried, which takes about a second."""
        self.field.setReadOnly(is_checking)  # disabled, it would pass the focus on to “Quit”
        self.unlock.setText(tr("Unlocking…") if is_checking else tr("Unlock"))
        self.unlock.setEnabled(not is_checking and bool(self.field.text()))

    def show_wrong(self, error: FiresideError) -> None:
        """Say that the passphrase is wrong; it stays in the field, selected."""
        self.set_checking(is_checking=False)
        self.error.show_text(error.sentence())
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def show_progress(self, fraction: float) -> None:
        """Show how much is done, 0 to 1."""
        self.bar.set_fraction(fraction)

    def show_conversion(self, *, is_removal: bool, is_undoing: bool = False) -> None:
        """Show that the data is encrypted or decrypted."""
        self.title.setText(tr("Decrypting your data") if is_removal else tr("Encrypting your data"))
        self.about.setText(
            tr("Putting everything back as it was.")
            if is_undoing
            else tr("You can quit at any time: it continues at the next start, and nothing is lost.")
        )
        self.field.clear()
        self.bar.set_fraction(0.0)
        self.cancel.setEnabled(True)
        self.cancel.setText(tr("Cancel"))
        self._show(1)
        self.cancel.setVisible(not is_undoing)

    def show_failure(self, error: FiresideError, *, can_undo: bool) -> None:
        """Say what failed; nothing is lost."""
        self.title.setText(tr("This did not work"))
        self.about.setText(tr("Nothing is lost."))
        self._show(2)
        self.undo.setVisible(can_undo)
        self.error.show_text(error.sentence())
        self.retry.setFocus(Qt.FocusReason.OtherFocusReason)

    def come_to_front(self) -> None:
        """Show and raise the window, as a second start asks for."""
        self.showNormal() if self.isMinimized() else self.show()
        self.raise_()
        self.activateWindow()

    def finish(self) -> None:
        """Close without asking to quit."""
        self._is_done = True
        self.field.clear()
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_done:
            self.quit_requested.emit()
        super().closeEvent(event)

    def _show(self, index: int) -> None:
        for number, widgets in enumerate(self._parts):
            for widget in widgets:
                widget.setVisible(number == index)
        self.error.hide()

    def _on_typed(self, text: str) -> None:
        self.unlock.setEnabled(bool(text))
        self.error.hide()

    def _on_unlock(self) -> None:
        if self.field.text() and not self.field.isReadOnly():
            self.error.hide()
            self.set_checking(is_checking=True)
            self.passphrase_entered.emit(self.field.text())

    def _on_cancel(self) -> None:
        self.cancel.setEnabled(False)
        self.cancel.setText(tr("Cancelling…"))
        self.cancelled.emit()
