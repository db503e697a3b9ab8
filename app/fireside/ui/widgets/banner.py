"""Notices across the top of the window that stay until they are resolved or dismissed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.ui.theme import SPACE_L, SPACE_S
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import WrappedLabel


class Tone(StrEnum):
    INFO = "info"
    WARN = "warn"
    DANGER = "danger"


_ICONS = {
    Tone.INFO: ("info", "accent"),
    Tone.WARN: ("triangle-alert", "warn"),
    Tone.DANGER: ("circle-alert", "danger"),
}

Action = tuple[str, Callable[[], None]]
"""Label of a button, and what a click does."""


class Banner(QFrame):
    """One notice with its buttons."""

    def __init__(
        self,
        text: str,
        *,
        tone: Tone,
        actions: Sequence[Action],
        on_close: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setProperty("tone", str(tone))
        self.setAccessibleName(text)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_L, SPACE_S, SPACE_S, SPACE_S)
        row.setSpacing(SPACE_S)
        icon, tint = _ICONS[tone]
        row.addWidget(Picture(icon, tint=tint, size=16), 0, Qt.AlignmentFlag.AlignVCenter)
        self.label = WrappedLabel(text)
        row.addWidget(self.label, 1)
        for label, act in actions:
            button = Button(label, on_click=act)
            row.addWidget(button)
        close = IconButton("x", name=tr("Dismiss"), size=15, on_click=on_close)
        row.addWidget(close)


class BannerArea(QWidget):
    """Holds at most one notice for each key; hidden while it is empty."""

    def __init__(self) -> None:
        super().__init__()
        self._banners: dict[str, Banner] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.hide()

    @property
    def texts(self) -> tuple[str, ...]:
        """The notices shown now, oldest first."""
        return tuple(banner.label.text() for banner in self._banners.values())

    def has(self, key: str) -> bool:
        return key in self._banners

    def show_banner(self, key: str, text: str, *, tone: Tone, actions: Sequence[Action] = ()) -> None:
        """Show a notice, in place of the one with the same ``key``."""
        self.remove(key)
        banner = Banner(text, tone=tone, actions=actions, on_close=lambda: self.remove(key), parent=self)
        self._banners[key] = banner
        self._column.addWidget(banner)
        self.show()

    def remove(self, key: str) -> None:
        """Remove the notice with this key, if there is one."""
        banner = self._banners.pop(key, None)
        if banner is not None:
            self._column.removeWidget(banner)
            banner.hide()
            banner.deleteLater()
        self.setVisible(bool(self._banners))
