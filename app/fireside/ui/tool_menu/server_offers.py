"""Resources to attach and prompts to fill in, offered by the MCP servers of the chat in front."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject

from fireside.core.attachment import Attachment
from fireside.core.events import AppEvent, ToolServersChanged
from fireside.core.graphemes import without_invisible
from fireside.core.i18n import tr
from fireside.core.tool_servers import (
    SEPARATOR,
    FilledPrompt,
    ResourceContent,
    ServerPrompt,
    ServerResource,
)
from fireside.settings.definitions_tools import SERVERS
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.palette.targets import Target, TargetKind
from fireside.ui.presets.chat_settings import ChatSettings
from fireside.ui.theme import theme
from fireside.ui.widgets.popup import Menu
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.tool_menu.offer_sheets import FieldsSheet, ResourceSheet

_GROUP = "servers"


class ServerOffers(QObject):
    """Requests resources and prompts, and starts servers, only for servers that the chat uses and on demand.

    GUI thread only.
    """

    def __init__(self, context: WindowContext, *, chat: ChatPane, settings: ChatSettings) -> None:
        super().__init__(chat)
        self._context = context
        self._client = context.client
        self._chat = chat
        self._settings = settings
        self._names: tuple[str, ...] = ()
        self._prompts: Mapping[str, tuple[ServerPrompt, ...]] = {}
        self.sheet: ResourceSheet | FieldsSheet | None = None
        """The sheet that was opened last."""
        settings.changed.connect(self._on_settings)

    def handle(self, event: AppEvent) -> None:
        """Apply an event of the engine thread."""
        if isinstance(event, ToolServersChanged) and self._names:
            self._refresh()

    def targets(self) -> tuple[Target, ...]:
        """Return the prompts of the servers that the chat uses, as last listed."""
        return tuple(
            Target(
                kind=TargetKind.PROMPT,
                key=f"{server}{SEPARATOR}{prompt.name}",
                label=prompt.name,
                location=server,
                icon="wrench",
                keywords=prompt.description,
                action=partial(self.fill, server, prompt),
            )
            for server, prompts in self._prompts.items()
            for prompt in prompts
        )

    def fill(self, server: str, prompt: ServerPrompt) -> None:
        """Ask for a prompt's arguments, and insert the server's text into the message."""
        from fireside.ui.tool_menu.offer_sheets import ArgumentForm, FieldsSheet

        def on_submitted(arguments: Mapping[str, str]) -> None:
            sheet.wait_for(
                self._context.tasks.run(
                    self._client.tool_servers.fill_prompt(server, prompt.name, arguments),
                    on_done=partial(self._insert_prompt, sheet, server),
                    on_error=sheet.show_error,
                )
            )

        about = tr("Prompt of the MCP server {server}. You can change the text before you send it.").format(
            server=server
        )
        argument_form = ArgumentForm(
            title=prompt.name,
            about="\n".join(filter(None, (prompt.description, about))),
            arguments=prompt.arguments,
            action=tr("Insert"),
        )
        self.sheet = sheet = FieldsSheet(server, argument_form, on_submitted, parent=self._context.window)
        sheet.open()
        sheet.show_waiting()

    def choose_resource(self, server: str) -> None:
        """Show a server's resources; the selected one is attached."""
        from fireside.ui.tool_menu.offer_sheets import ResourceSheet

        self.sheet = sheet = ResourceSheet(
            server, partial(self._on_chosen, server), parent=self._context.window
        )
        sheet.open()
        sheet.wait_for(
            self._context.tasks.run(
                self._client.tool_servers.resources(server),
                on_done=sheet.show_resources,
                on_error=sheet.show_error,
            )
        )

    def _on_chosen(self, server: str, resource: ServerResource) -> None:
        if not resource.arguments:
            self._attach(server, resource, {})
            return
        from fireside.ui.tool_menu.offer_sheets import ArgumentForm, FieldsSheet

        def on_submitted(arguments: Mapping[str, str]) -> None:
            sheet.accept()
            self._attach(server, resource, arguments)

        argument_form = ArgumentForm(
            title=resource.name,
            about="\n".join(filter(None, (resource.description, resource.uri))),
            arguments=resource.arguments,
            action=tr("Attach"),
        )
        self.sheet = sheet = FieldsSheet(server, argument_form, on_submitted, parent=self._context.window)
        sheet.open()

    def _attach(self, server: str, resource: ServerResource, arguments: Mapping[str, str]) -> None:
        name = " ".join((resource.name, *arguments.values()))

        async def read() -> Attachment:
            contents = await self._client.tool_servers.read_resource(server, resource.uri, arguments)
            return await self._client.attachments.read_contents(contents, name=name, server=server)

        self._chat.attachments.add(name, read())

    def _insert_prompt(self, sheet: FieldsSheet, server: str, filled: FilledPrompt) -> None:
        sheet.accept()
        self._chat.composer.insert_text(without_invisible(filled.text))
        for content in filled.contents:
            self._attach_content(server, content)
        self._chat.focus_composer()

    def _attach_content(self, server: str, content: ResourceContent) -> None:
        name = content.uri.rpartition("/")[2] or server
        request = self._client.attachments.read_contents((content,), name=name, server=server)
        self._chat.attachments.add(name, request)

    def _on_settings(self) -> None:
        value = msgspec.convert(self._settings.value(SERVERS) or (), tuple[str, ...])
        names = tuple(dict.fromkeys(name.partition(SEPARATOR)[0] for name in value))
        if names == self._names:
            return
        self._names, self._prompts = names, {}
        self._chat.attach_menu.set_group(_GROUP, self._fill_menu if names else None)
        if names:
            self._refresh()

    def _refresh(self) -> None:
        def apply(names: tuple[str, ...], prompts: Mapping[str, tuple[ServerPrompt, ...]]) -> None:
            if names == self._names:
                self._prompts = prompts

        request = self._client.tool_servers.prompts(self._names)
        self._context.tasks.run(
            request, on_done=partial(apply, self._names), on_error=self._context.show_error
        )

    def _fill_menu(self, menu: Menu) -> None:
        for name in self._names:
            menu.addAction(
                theme().icon("wrench", "mute", 16),
                tr("Resource of {name}…").format(name=name),
                partial(self.choose_resource, name),
            )
