"""The menu of the attach button: files, and groups that other features add."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QToolButton

from fireside.core.i18n import tr
from fireside.ui.chat.composer.composer import Composer
from fireside.ui.theme import theme
from fireside.ui.widgets.popup import Menu

Fill = Callable[[Menu], None]


class AttachMenu(QObject):
    """Gives the button a menu while a group is set; without one a click opens the file dialog."""

    def __init__(self, composer: Composer, *, choose_files: Callable[[], object]) -> None:
        super().__init__(composer)
        self._button = composer.attach_button
        self._choose_files = choose_files
        self._fills: dict[str, Fill] = {}
        self._menu = Menu(composer)
        self._menu.setAccessibleName(tr("Attach"))
        self._menu.aboutToShow.connect(self._on_about_to_show)

    def set_group(self, group: str, fill: Fill | None) -> None:
        """Have ``fill`` add a group's actions each time the menu opens; ``None`` removes the group."""
        self._fills.pop(group, None)
        if fill is not None:
            self._fills[group] = fill
        if (self._button.menu() is not None) != bool(self._fills):
            self._button.setMenu(self._menu if self._fills else None)  # type: ignore[arg-type]  # None removes the menu
            self._button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    @Slot()
    def _on_about_to_show(self) -> None:
        self._menu.clear()
        icon = theme().icon("paperclip", "mute", 16)
        self._menu.addAction(icon, tr("Attach files…"), self._choose_files)
        for _, fill in sorted(self._fills.items()):
            self._menu.addSeparator()
            fill(self._menu)
