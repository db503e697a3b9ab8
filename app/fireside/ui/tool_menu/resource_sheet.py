"""Select a resource of an MCP server to attach."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.invisible import with_invisible_named
from fireside.core.tool_servers import ServerResource
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.list_model import ListModel
from fireside.ui.kit.result_list import ResultList
from fireside.ui.kit.sheet import SheetSize
from fireside.ui.palette.matching import make_haystack, match
from fireside.ui.tool_menu.waiting_sheet import WaitingSheet
from fireside.ui.widgets.search_field import SearchField


class ResourceSheet(WaitingSheet):
    """The list of a server's resources, with a field that filters it."""

    def __init__(self, server: str, on_chosen: Callable[[ServerResource], None], *, parent: QWidget) -> None:
        super().__init__(
            tr("Resources of {server}").format(server=server),
            server=server,
            parent=parent,
            size=SheetSize.MEDIUM,
        )
        self._on_chosen = on_chosen
        self._resources: tuple[ServerResource, ...] = ()
        self.search = SearchField(tr("Search resources"))
        self.model = ListModel[ServerResource](resource_label, parent=self)
        self.list = ResultList(name=tr("Resources"), model=self.model)
        self.list.setObjectName("rows")
        self.list.picked.connect(self._on_picked)
        self.list.focus_field_requested.connect(self.search.setFocus)
        self.list.cancelled.connect(self.reject)
        self.attach = self.make_button(tr("Attach"), self._on_attach, kind="primary", is_default=True)
        self.attach.setEnabled(False)
        self.search.textChanged.connect(self._show_matching)
        self.set_content(
            self.search,
            stretch(self.list),
            about=tr("What the server sends counts as text by others."),
            buttons=(self.make_cancel(), self.attach),
        )
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_resources(self, resources: Sequence[ServerResource]) -> None:
        """Show these resources."""
        self.finish_waiting()
        self._resources = tuple(resources)
        if not resources:
            self.show_status(tr("This server has no resources."), role="small")
        self._show_matching()

    @Slot()
    def _show_matching(self) -> None:
        query = self.search.text()
        matches = [
            (match_.score, resource)
            for resource in self._resources
            if (match_ := match(query, make_haystack(resource_label(resource), hint=resource.description)))
            is not None
        ]
        matches.sort(key=lambda pair: -pair[0])
        self.model.replace([resource for _, resource in matches])
        self.attach.setEnabled(bool(matches))
        if matches:
            self.list.setCurrentIndex(self.model.index(0, 0))

    @Slot(QModelIndex)
    def _on_picked(self, index: QModelIndex) -> None:
        self.list.setCurrentIndex(index)
        self._on_attach()

    def _on_attach(self) -> None:
        resource = self.model.item(self.list.currentIndex())
        if resource is not None:
            self.accept()
            self._on_chosen(resource)


def resource_label(resource: ServerResource) -> str:
    """Return the text of a row: the name, and the address where it differs."""
    name, uri = with_invisible_named(resource.name), with_invisible_named(resource.uri)
    return name if name == uri else f"{name} · {uri}"
