"""The base of every sheet: a window-modal dialog that never blocks."""

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

_MARGIN = 40
"""Pixels of the window behind that stay visible around a sheet."""


class Sheet(QDialog):
    """Heading, explanation, parts, a status line and buttons.

    Open it with ``open()``; it is deleted when it closes. Escape closes it, Enter presses the button made
        with ``is_default``, if there is one. A subclass makes its parts and calls ``set_content`` once.
    """

    def __init__(self, title: str, *, theme: Theme, parent: QWidget, size: tuple[int, int]) -> None:
        """``size`` is in pixels at the normal text size, and limited to that of ``parent``."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        width, height = (theme.scaled(px) for px in size)
        self.resize(min(width, parent.width() - _MARGIN), min(height, parent.height() - _MARGIN))
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
        """Lay the sheet out, from the top: ``heading`` (else the window's title), ``about``, ``parts``, the
        status line and ``buttons``: at the right, those before ``stretch()`` at the left, wrapped where the
        sheet is too narrow."""
        if isinstance(heading, str):
            heading = WrappedLabel(heading or self.windowTitle(), role="title")
        stretch_indexes = [index for index, part in enumerate(buttons) if isinstance(part, Placement)]
        widgets = [part for part in buttons if isinstance(part, QWidget)]
        foot, _ = flow_row(*widgets, spacing=SPACE_S, n_at_start=stretch_indexes[0] if stretch_indexes else 0)
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
                # Set again now that the button has a dialog: otherwise Qt makes the first button the default.
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
        """Make a button of this sheet; Enter presses the one with ``is_default``."""
        button = Button(label, theme=self.theme, kind=kind, icon=icon, on_click=on_click)
        button.setAutoDefault(is_default)
        button.setDefault(is_default)
        return button

    def make_cancel(self) -> Button:
        return self.make_button(tr("Cancel"), self.reject)

    def make_close(self, *, is_default: bool = False) -> Button:
        return self.make_button(tr("Close"), self.accept, is_default=is_default)

    def show_status(self, text: str, *, role: str = "error") -> None:
        """Show a status, by default an error; an empty text hides the line."""
        self.status.set_role(role)
        self.status.show_text(text)
