"""The frame of every sheet: a window over another one that never makes it wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import Margins, Part, Placement, at_bottom, column
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import WrappedLabel

_AROUND = 40
"""Pixels of the window below that a sheet leaves to be seen."""


class Sheet(QDialog):
    """Title, words about it, parts, a line that says how things stand, and buttons.

    Open it with ``open()``; Escape closes it, and then it is gone. Enter presses the one button that was
    made with ``is_default``, if there is one. A subclass makes its parts and calls ``set_content`` once.
    """

    def __init__(self, title: str, *, theme: Theme, parent: QWidget, size: tuple[int, int]) -> None:
        """Take ``title`` as the window's, and ``size`` at the normal text size; it fits into ``parent``."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        width, height = (theme.scaled(px) for px in size)
        self.resize(min(width, parent.width() - _AROUND), min(height, parent.height() - _AROUND))
        self.theme = theme
        self.status = WrappedLabel(parent=self)
        self.status.hide()

    def set_content(
        self,
        *parts: Part,
        buttons: Sequence[QWidget | Placement],
        heading: str | QWidget = "",
        about: str = "",
        spacing: int = SPACE_M,
        margins: Margins = (SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L),
    ) -> None:
        """Put everything in its place, from the top: ``heading`` (else the window's title), ``about``,
        ``parts``, the status line and ``buttons``, at the right but for those before ``stretch()``; they take
        several lines where there is no room."""
        if isinstance(heading, str):
            heading = WrappedLabel(heading or self.windowTitle(), role="title")
        places = [place for place, part in enumerate(buttons) if isinstance(part, Placement)]
        widgets = [part for part in buttons if isinstance(part, QWidget)]
        foot, _ = flow_row(*widgets, spacing=SPACE_S, n_at_start=places[0] if places else 0)
        column(
            heading,
            WrappedLabel(about, role="mute") if about else None,
            *parts,
            self.status,
            at_bottom(foot),
            spacing=spacing,
            margins=margins,
            on=self,
        )
        for button in widgets:
            if isinstance(button, QPushButton) and button.isDefault():
                # Said again, now that there is a dialog to hear it: else Qt takes the first button there is.
                button.setDefault(False)
                button.setDefault(True)

    def make_button(
        self,
        label: str,
        on_click: Callable[[], object],
        *,
        kind: str = "",
        icon: str = "",
        is_default: bool = False,
    ) -> Button:
        """Make a button of this sheet; ``is_default`` is what Enter presses."""
        made = Button(label, theme=self.theme, kind=kind, icon=icon, on_click=on_click)
        made.setAutoDefault(is_default)
        made.setDefault(is_default)
        return made

    def make_cancel(self) -> Button:
        return self.make_button(tr("Cancel"), self.reject)

    def make_close(self, *, is_default: bool = False) -> Button:
        return self.make_button(tr("Close"), self.accept, is_default=is_default)

    def show_status(self, text: str, *, role: str = "error") -> None:
        """Say how things stand, by default what is wrong; empty takes it back."""
        self.status.set_role(role)
        self.status.show_text(text)
