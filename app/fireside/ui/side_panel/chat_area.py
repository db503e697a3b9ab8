"""The chat, and alongside it its settings, created when they are first opened, or what it cites."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from fireside.ui.kit.side_area import SideArea, SidePanel

if TYPE_CHECKING:
    from fireside.ui.documents.reader import Reader
    from fireside.ui.side_panel.panel import ChatSettingsPanel


class ChatArea(SideArea):
    """A document that is read takes the place of the settings, which come back when it is closed."""

    panel_toggled = Signal(bool)
    """Carries whether the settings are now shown."""

    def __init__(
        self,
        *,
        make_chat: Callable[[QWidget], QWidget],
        make_panel: Callable[[QWidget], ChatSettingsPanel],
        make_reader: Callable[[QWidget], Reader],
        parent: QWidget,
    ) -> None:
        """``make_…`` create the three within a parent widget."""
        super().__init__(make_page=make_chat, parent=parent)
        self._make_panel = make_panel
        self._make_reader = make_reader
        self.panel: ChatSettingsPanel | None = None
        """The settings; ``None`` until they are first opened."""
        self._reader: Reader | None = None
        self._restored_width = SidePanel.USUAL_WIDTH
        self.is_requested = False
        """Whether the user has the settings open, though there may be no space for them."""

    @property
    def is_open(self) -> bool:
        """Whether the settings are shown."""
        return self.panel is not None and self.shown is self.panel

    @property
    def preferred_width(self) -> int:
        """The preferred width of the settings, in pixels at the normal text size."""
        return self._restored_width if self.panel is None else self.panel.preferred_width

    @property
    def reader(self) -> Reader:
        """The panel in which a document is read, created when it is first wanted."""
        if self._reader is None:
            self._reader = self._make_reader(self)
            self.connect_panel(self._reader)
        return self._reader

    def open(self) -> ChatSettingsPanel:
        """Show the settings and return them."""
        self.is_requested = True
        if self.panel is None:
            self.panel = self._make_panel(self)
            self.panel.preferred_width = self._restored_width
            self.connect_panel(self.panel)
        self.show_panel(self.panel)
        return self.panel

    def show_panel(self, panel: SidePanel) -> None:
        was_open = self.is_open
        super().show_panel(panel)
        if was_open is not self.is_open:
            self.panel_toggled.emit(self.is_open)

    def close_panel(self) -> None:
        if self.is_open:
            self.is_requested = False
            self._hide_settings()
        else:
            super().close_panel()
            self._show_requested()

    def close_reader(self) -> None:
        """Close the document that is read: another chat is shown."""
        if self.shown is not None and not self.is_open:
            self.close_panel()

    def restore(self, *, is_open: bool, width: int) -> None:
        """Restore the settings as they were when the window was closed."""
        self._restored_width = min(max(width, SidePanel.MIN_WIDTH), SidePanel.MAX_WIDTH)
        self.is_requested = is_open
        if is_open and not self._is_too_narrow:
            self.open()

    def resizeEvent(self, event: QResizeEvent) -> None:
        was_over = self._is_too_narrow_at(event.oldSize().width())
        if self.is_open and self._is_too_narrow and not was_over:
            self._hide_settings()
        elif self.shown is None:
            self._show_requested()
        super().resizeEvent(event)

    def _hide_settings(self) -> None:
        super().close_panel()
        self.panel_toggled.emit(False)

    def _show_requested(self) -> None:
        """Show the settings again where the user has them open and there is space for them."""
        if self.is_requested and self.panel is not None and not self._is_too_narrow:
            self.show_panel(self.panel)

    @property
    def _is_too_narrow(self) -> bool:
        return self._is_too_narrow_at(self.width())

    def _is_too_narrow_at(self, width: int) -> bool:
        """Return whether the settings would lie over the chat in an area of ``width`` pixels."""
        return width < self._least_width(self.preferred_width)
