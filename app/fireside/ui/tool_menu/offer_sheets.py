"""Sheets for what MCP servers offer: select a resource to attach, fill in the arguments of a prompt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from fireside.core.errors import FiresideError
from fireside.core.graphemes import with_invisible_named
from fireside.core.i18n import tr
from fireside.core.tool_servers import PromptArgument, ServerResource
from fireside.ui.kit.layout import form, stretch
from fireside.ui.kit.line_fields import line_field
from fireside.ui.kit.list_model import ListModel
from fireside.ui.kit.result_list import ResultList
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.palette.matching import make_haystack, match
from fireside.ui.theme import SPACE_L
from fireside.ui.widgets.search_field import SearchField


class WaitingSheet(Sheet):
    """Shows what it waits for; closing it cancels the request."""

    def __init__(self, title: str, *, server: str, parent: QWidget, size: SheetSize) -> None:
        super().__init__(title, parent=parent, size=size)
        self.server = server
        self._request: asyncio.Task[Any] | None = None
        self.finished.connect(self._on_finished)

    def wait_for(self, task: asyncio.Task[Any] | None) -> None:
        """Show that the server has been asked, until ``task`` ends."""
        self._request = task
        self.show_status(tr("Waiting for {server}…").format(server=self.server), role="small")

    def finish_waiting(self) -> None:
        """Clear the waiting message: the reply has arrived."""
        self._request = None
        self.show_status("")

    def show_error(self, error: FiresideError) -> None:
        """Show why there is no reply."""
        self._request = None
        self.show_status(error.sentence())

    def _on_finished(self) -> None:
        if self._request is not None:
            self._request.cancel()
            self._request = None


_MAX_LENGTH = 100_000


class ArgumentForm(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt or address template with arguments to fill in."""

    title: str
    about: str
    arguments: Sequence[PromptArgument]
    action: str
    """The text of the button."""


class FieldsSheet(WaitingSheet):
    """A field for each argument."""

    def __init__(
        self,
        server: str,
        argument_form: ArgumentForm,
        on_submitted: Callable[[Mapping[str, str]], None],
        *,
        parent: QWidget,
    ) -> None:
        """``on_submitted`` is called with the arguments, by name."""
        super().__init__(
            with_invisible_named(argument_form.title), server=server, parent=parent, size=SheetSize.SMALL
        )
        self._arguments = argument_form.arguments
        self._on_submitted = on_submitted
        self.fields: dict[str, QLineEdit] = {}
        lines = []
        for argument in argument_form.arguments:
            label = with_invisible_named(argument.name)
            field = line_field(
                label, max_length=_MAX_LENGTH, placeholder=with_invisible_named(argument.description)
            )
            self.fields[argument.name] = field
            lines.append((f"{label} *" if argument.is_required else label, field))
        self.submit = self.make_button(argument_form.action, self._on_submit, kind="primary", is_default=True)
        self.set_content(
            form(*lines, horizontal_spacing=SPACE_L),
            about=with_invisible_named(argument_form.about),
            buttons=(self.make_cancel(), self.submit),
        )
        for field in tuple(self.fields.values())[:1]:
            field.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_waiting(self) -> None:
        """Send the request at once where there is nothing to fill in."""
        if not self.fields:
            self._on_submit()

    def show_error(self, error: FiresideError) -> None:
        super().show_error(error)
        self.submit.setEnabled(True)

    def _on_submit(self) -> None:
        values = {name: field.text() for name, field in self.fields.items() if field.text()}
        missing = [
            argument.name
            for argument in self._arguments
            if argument.is_required and argument.name not in values
        ]
        if missing:
            self.show_status(tr("{name}: needs a value.").format(name=with_invisible_named(missing[0])))
            self.fields[missing[0]].setFocus()
            return
        self.submit.setEnabled(False)
        self._on_submitted(values)


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
