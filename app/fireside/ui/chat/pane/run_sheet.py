"""The sheet that shows Python code before it runs, for the user to change, and what it can reach."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import theme
from fireside.ui.widgets.text import WrappedLabel


class _Editor(QPlainTextEdit):
    def __init__(self, code: str, *, on_submit: Callable[[], None]) -> None:
        super().__init__(code)
        self._on_submit = on_submit

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._on_submit()
        else:
            super().keyPressEvent(event)


class RunSheet(Sheet):
    """Open it with ``open()``. Ctrl+Enter runs the code; Tab indents nothing, it leaves the editor."""

    def __init__(
        self,
        code: str,
        *,
        reach: str,
        on_run: Callable[[str], None],
        on_left: Callable[[str], None],
        parent: QWidget,
    ) -> None:
        """Call ``on_run`` with the code as it is then, or ``on_left`` where it is left without running;
        ``reach`` is empty where the code is confined."""
        super().__init__(tr("Run Python code"), parent=parent, size=SheetSize.LARGE, fills=True)
        self._on_run = on_run
        self._on_left = on_left
        self.editor = _Editor(code, on_submit=self._on_clicked)
        self.editor.setFont(theme().mono_font(13))
        self.editor.setTabChangesFocus(True)
        self.editor.setAccessibleName(tr("Python code"))
        self.run = self.make_button(tr("Run"), self._on_clicked, kind="primary")
        warning = (WrappedLabel(reach, role="warning"),) if reach else ()
        confined = tr(
            "It has no network, and reads only the files of this chat and the folders of its tools."
        )
        about = "" if reach else confined
        self.set_content(*warning, stretch(self.editor), about=about, buttons=(self.make_cancel(), self.run))
        self.editor.setFocus()

    def reject(self) -> None:
        self._on_left(self.editor.toPlainText())
        super().reject()

    def _on_clicked(self) -> None:
        code = self.editor.toPlainText()
        if code.strip():
            self.accept()
            self._on_run(code)
