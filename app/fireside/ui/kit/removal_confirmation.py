"""Ask once more, in the place of the button, before what cannot be brought back goes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.ui.theme import Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label


class RemovalConfirmation:
    """``parts`` belong into the layout of ``remove``, before it. The keyboard goes to what keeps all."""

    def __init__(
        self,
        question: str,
        confirm_label: str,
        *,
        name: str,
        remove: Button,
        on_confirmed: Callable[[], object],
        theme: Theme,
        alternatives: tuple[QWidget, ...] = (),
    ) -> None:
        """Take ``confirm_label`` as what the button says that does it, ``name`` as what a screen reader says of it,
        and ``alternatives`` as what is not offered while this is asked."""
        self._remove = remove
        self._others = (remove, *alternatives)
        self.question = Label(question, role="body")
        self.confirm = Button(confirm_label, theme=theme, kind="danger", on_click=on_confirmed)
        self.confirm.setAccessibleName(name)
        self.keep = Button(tr("Keep"), theme=theme, kind="quiet", on_click=self._cancel)
        self.parts = (self.question, self.confirm, self.keep)
        remove.clicked.connect(self._ask)

    def hide(self) -> None:
        """Show nothing of it; once the layout has its widget."""
        for part in self.parts:
            part.hide()

    @Slot()
    def _ask(self) -> None:
        self._show(is_asked=True)
        self.keep.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _cancel(self) -> None:
        self._show(is_asked=False)
        self._remove.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, *, is_asked: bool) -> None:
        for part in self.parts:
            part.setVisible(is_asked)
        for other in self._others:
            other.setVisible(not is_asked)
