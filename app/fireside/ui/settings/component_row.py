"""Row of the settings page for a component: what it is for, and a button to download or delete it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from fireside.core.components import (
    CHARTS,
    COMPONENTS,
    DATA,
    MEDIA,
    MERMAID,
    SPEECH,
    WEB,
    Component,
    ComponentProgressed,
    ComponentsChanged,
)
from fireside.core.errors import FiresideError, format_bytes
from fireside.core.events import AppEvent
from fireside.core.i18n import number, tr, tr_noop
from fireside.ui.kit.layout import boxed, row
from fireside.ui.kit.removal_confirmation import RemovalConfirmation
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L, SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext

_TEXT_MIN_PX = 160


class ComponentRow(ExtraRow):
    """Says what the component is for, and how far its download is."""

    def __init__(
        self,
        label: str,
        *,
        search_terms: str,
        on_click: Callable[[], object],
        on_delete: Callable[[], object],
    ) -> None:
        """``on_click`` downloads, or stops that; ``on_delete`` is called once the user has confirmed."""
        super().__init__()
        self._component: Component | None = None
        self.label, self.search_terms = label, search_terms
        self.state = WrappedLabel(tr("Loading…"), role="small")
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.button = Button(tr("Download"), on_click=on_click)
        self.button.setEnabled(False)
        self.delete = Button(tr("Delete"))
        self.confirmation = RemovalConfirmation(
            "", tr("Delete"), name="", remove=self.delete, on_confirmed=on_delete
        )
        self.delete.clicked.connect(self._show_loss)
        self.confirmation.keep.clicked.connect(self._show_facts)
        left = boxed(self.titled(self.state, self.error))
        buttons, _ = flow_row(*self.confirmation.parts, self.delete, self.button, spacing=SPACE_S)
        content = ResponsiveRow(left, buttons, min_first_width=_TEXT_MIN_PX, spacing=SPACE_L)
        row(content, margins=INSIDE, on=self)
        self.confirmation.hide()
        self.delete.hide()

    def show_component(self, component: Component) -> None:
        """Show whether it is installed, and what it occupies or would; no question is asked any more."""
        self._component = component
        name = tr("Delete {name}").format(name=tr(component.name))
        for button in (self.delete, self.confirmation.confirm):
            button.setAccessibleName(name)
        self.confirmation.hide()
        self.delete.setVisible(component.is_installed)
        self.delete.setEnabled(True)
        self.button.setVisible(not component.is_installed)
        self.button.setText(tr("Download"))
        self.button.setAccessibleName(f"{self.button.text()}, {tr(component.name)}")
        self.button.setEnabled(component.download_bytes > 0)
        self._show_facts()

    @Slot()
    def _show_loss(self) -> None:
        if self._component is not None:
            self.state.setText(tr(COMPONENTS[self._component.id].loss))

    @Slot()
    def _show_facts(self) -> None:
        component = self._component
        if component is None:
            return
        size = component.disk_bytes if component.is_installed else component.download_bytes
        about = tr(component.purpose)
        if not component.is_installed and not component.download_bytes:
            facts = tr("Not available for this computer.")
        elif component.is_installed:
            facts = tr("Installed, {size} on the disk.").format(size=format_bytes(size))
        else:
            facts = tr("{size} to download. Licences: {licences}.").format(
                size=format_bytes(size), licences=component.licence
            )
        self.state.setText(f"{about} {facts}")

    def show_progress(self, fraction: float) -> None:
        """Show a download that runs, which the button stops."""
        self.error.hide()
        percent = number(100 * fraction)
        self.state.setText(tr("Downloading, {percent}%").format(percent=percent))
        self.button.setText(tr("Stop"))
        self.button.setEnabled(True)
        self.button.show()


class ComponentController(QObject):
    """Owns the row of one component. GUI thread only."""

    def __init__(
        self, id_: str, context: WindowContext, *, label: str, search_terms: str, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._id = id_
        self._client = context.client.components
        self._tasks = context.tasks
        self._component: Component | None = None
        self._download: asyncio.Task[None] | None = None
        self.row = ComponentRow(
            label, search_terms=search_terms, on_click=self._on_clicked, on_delete=self._remove
        )
        self.row.shown.connect(self.refresh)
        context.client.frame.connect(self._on_frame)

    def _on_error(self, error: FiresideError) -> None:
        self.row.error.show_text(error.sentence())

    @task
    async def refresh(self) -> None:
        """Show what is there now."""
        components = await self._client.components()
        self._component = next(each for each in components if each.id == self._id)
        if self._download is None:
            self.row.show_component(self._component)

    def _on_clicked(self) -> None:
        if self._download is not None:
            self._download.cancel()
        else:
            self.row.show_progress(0.0)
            self._download = self._install()

    @task
    async def _install(self) -> None:
        try:
            await self._client.install(self._id)
        finally:
            self._download = None
            self.refresh()

    @task
    async def _remove(self) -> None:
        self.row.confirmation.hide()
        self.row.delete.setEnabled(False)
        self.row.delete.show()
        try:
            await self._client.remove(self._id)
        finally:
            self.refresh()

    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        for event in events:
            match event:
                case ComponentProgressed() if event.id == self._id and self._download is not None:
                    self.row.show_progress(event.fraction)
                case ComponentsChanged() if self.row.isVisible():
                    self.refresh()
                case _:
                    pass


def media_formats(context: WindowContext, *, parent: QObject) -> ComponentController:
    """Return the row of what reads videos."""
    return ComponentController(
        MEDIA,
        context,
        label=tr_noop("Media formats"),
        search_terms=tr_noop("media formats video audio sound m4a mp4 attachments component download"),
        parent=parent,
    )


def data_packages(context: WindowContext, *, parent: QObject) -> ComponentController:
    """Return the row of the packages for code in chats."""
    return ComponentController(
        DATA,
        context,
        label=tr_noop("Data packages"),
        search_terms=tr_noop("data packages python pandas numpy matplotlib openpyxl code component download"),
        parent=parent,
    )


def previews(context: WindowContext, *, parent: QObject) -> tuple[ComponentRow, ...]:
    """Return the rows of what shows pages, diagrams and charts."""
    labels = {
        WEB: (tr_noop("Web preview"), tr_noop("web preview html page browser mermaid component download")),
        MERMAID: (tr_noop("Mermaid"), tr_noop("mermaid diagram preview browser component download")),
        CHARTS: (tr_noop("Charts"), tr_noop("charts vega lite plot diagram preview component download")),
    }
    return tuple(
        ComponentController(id_, context, label=label, search_terms=terms, parent=parent).row
        for id_, (label, terms) in labels.items()
    )


def speech_component(context: WindowContext, *, parent: QObject) -> ComponentController:
    """Return the row of the component for speech."""
    return ComponentController(
        SPEECH,
        context,
        label=tr_noop("Speech component"),
        search_terms=tr_noop("speech component dictation read aloud talk download remove"),
        parent=parent,
    )
