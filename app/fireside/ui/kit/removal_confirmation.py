"""An inline confirmation that replaces a button before something is deleted permanently."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label


class RemovalConfirmation:
    """A question, a confirming button and “Keep”, shown in place of ``remove`` when it is clicked.

    The owner adds ``parts`` to the layout of ``remove``, before it. “Keep” gets the focus.
    """

    def __init__(
        self,
        question: str,
        confirm_label: str,
        *,
        name: str,
        remove: Button,
        on_confirmed: Callable[[], object],
        alternatives: tuple[QWidget, ...] = (),
    ) -> None:
        """Label the confirming button ``confirm_label``, with the accessible name ``name``; ``alternatives``
        are hidden with ``remove`` while the question is visible."""
        self._remove = remove
        self._others = (remove, *alternatives)
        self.question = Label(question, role="body")
        self.confirm = Button(confirm_label, kind="danger", on_click=on_confirmed)
        self.confirm.setAccessibleName(name)
        self.keep = Button(tr("Keep"), kind="quiet", on_click=self._cancel)
        self.parts = (self.question, self.confirm, self.keep)
        remove.clicked.connect(self._ask)

    def hide(self) -> None:
        """Hide all parts; call it once the layout has its widget."""
        for part in self.parts:
            part.hide()

    @Slot()
    def _ask(self) -> None:
        self._show(is_asking=True)
        self.keep.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _cancel(self) -> None:
        self._show(is_asking=False)
        self._remove.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, *, is_asking: bool) -> None:
        for part in self.parts:
            part.setVisible(is_asking)
        for other in self._others:
            other.setVisible(not is_asking)
