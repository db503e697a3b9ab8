"""The sheet in which MCP servers are tried, and the controller of the tools page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, ToolCallProgressed, ToolServersChanged
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId
from fireside.core.tool_arguments import argument_fields
from fireside.core.tool_servers import Grants, NewServer, ToolOutput, ToolServer, ToolServerInfo
from fireside.core.tools import Permission, ToolInfo
from fireside.settings.conversions import tool_options
from fireside.settings.definitions_tools import FOLDERS, SERVERS
from fireside.settings.secrets import KeepIn
from fireside.settings.values import AppLayer
from fireside.ui.chat.answer.elicitation_sheet import FieldEditor
from fireside.ui.chat.answer.links import confirm_open
from fireside.ui.chat.answer.result_pictures import ResultPictures
from fireside.ui.chat.composer.attachment_sheet import preview_text
from fireside.ui.kit.layout import clear, column, long_form
from fireside.ui.kit.sheet import Sheet
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_M, theme
from fireside.ui.tool_servers.add_server_sheet import AddServerSheet
from fireside.ui.tool_servers.grants_form import GrantsForm
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.tool_servers.tools_page import ToolsPage

# Call a tool of a server by hand: a field for each argument, and the result.


class TrySheet(Sheet):
    """Stays open after a call, for the next one. Closing it cancels the call that runs."""

    def __init__(
        self,
        tool: ToolInfo,
        *,
        on_call: Callable[[TrySheet, str], None],
        on_cancel: Callable[[], None],
        parent: QWidget,
    ) -> None:
        """``on_call`` calls the tool with the JSON of the arguments, and then ``show_output``, ``show_error``
        or ``show_cancelled``; ``on_cancel`` cancels that."""
        super().__init__(tr("Try {tool}").format(tool=tool.name), parent=parent)
        self.tool = tool
        self._on_call = on_call
        fields = argument_fields(tool.parameters)
        self.editors = {field.name: FieldEditor(field) for field in fields}
        self.call = self.make_button(tr("Call"), self._on_call_clicked, kind="primary", is_default=True)
        self.cancel = self.make_button(tr("Cancel call"), on_cancel)
        self.cancel.hide()
        self.shown = QPlainTextEdit()
        self.shown.setReadOnly(True)
        self.shown.setAccessibleName(tr("Result"))
        self.shown.setFont(theme().mono_font(12.5))
        self.shown.setTabChangesFocus(True)
        self.shown.setMinimumHeight(theme().scaled(120))
        self.shown.hide()
        self._pictures = column()
        lines = long_form(*((editor.label, editor.widget) for editor in self.editors.values()))
        self.set_content(
            lines,
            self.shown,
            self._pictures,
            about=tool.description,
            buttons=(self.make_close(), self.cancel, self.call),
            spacing=SPACE_M,
        )
        self.finished.connect(lambda _: on_cancel())

    def show_progress(self, text: str) -> None:
        """Show what the server says of the call that runs."""
        self.show_status(text, role="small")

    def show_output(self, output: ToolOutput) -> None:
        """Show the result of the call, or its error."""
        texts = [output.text]
        if output.structured and output.structured != output.text:
            texts.append(msgspec.json.format(output.structured, indent=2))
        self.shown.setPlainText(preview_text("\n\n".join(texts)))
        self.shown.show()
        if output.images:
            pictures = ResultPictures(output.images, parent=self)
            pictures.setFixedHeight(pictures.height_for(self.shown.width()))
            self._pictures.addWidget(pictures)
            pictures.show()
        self._end(tr("The tool says that the call failed.") if output.is_error else "")
        self.page.apply_layout()
        self.page.verticalScrollBar().setValue(self.page.top_of(self.shown))

    def show_error(self, error: FiresideError) -> None:
        """Show why there is no result. The input is kept."""
        self._end(error.sentence())

    def show_cancelled(self) -> None:
        """Show that the call was cancelled."""
        self._end(tr("Cancelled"))

    def _end(self, status: str) -> None:
        self.show_status(status)
        self.cancel.hide()
        self.call.setEnabled(True)

    def _on_call_clicked(self) -> None:
        arguments: dict[str, Any] = {}
        for name, editor in self.editors.items():
            value, problem = editor.read()
            if problem:
                self.show_status(problem)
                editor.first.setFocus()
                self.page.ensureWidgetVisible(editor.first)
                return
            if value is not None:
                arguments[name] = value
        clear(self._pictures)
        self.shown.hide()
        self.call.setEnabled(False)
        self.cancel.show()
        self.show_progress(tr("Calling…"))
        self._on_call(self, msgspec.json.encode(arguments).decode())


class AccessSheet(Sheet):
    """Collects the new grants; changes nothing itself."""

    def __init__(
        self,
        server: ToolServer,
        *,
        on_submitted: Callable[[AccessSheet, str, Grants], object],
        parent: QWidget,
    ) -> None:
        """``on_submitted`` makes the change, and closes the sheet or calls ``show_error``."""
        super().__init__(tr("Access of {name}").format(name=server.name), parent=parent)
        self._server = server
        self._on_submitted = on_submitted
        self.form = GrantsForm()
        self.form.show_grants(server.grants)
        self.save = self.make_button(tr("Save"), self._on_save, kind="primary", is_default=True)
        self.set_content(
            self.form,
            about=tr("The server stops, and starts again only once you confirm the change."),
            buttons=(self.make_cancel(), self.save),
        )
        self.form.readable.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_error(self, error: FiresideError) -> None:
        """Show why nothing was changed. The input is kept."""
        self.show_status(error.sentence())
        self.save.setEnabled(True)

    def _on_save(self) -> None:
        self.show_status("")
        self.save.setEnabled(False)
        # Permission to start without a sandbox was given when the server was added, and is kept.
        without_sandbox = self._server.grants.without_sandbox
        grants = msgspec.structs.replace(self.form.grants, without_sandbox=without_sandbox)
        self._on_submitted(self, self._server.name, grants)


class ToolsController(QObject):
    """The controller of the ``ToolsPage``. GUI thread only."""

    def __init__(self, context: WindowContext, *, page: ToolsPage, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._client = context.client
        self._tasks = context.tasks
        self._page = page
        self._servers: tuple[ToolServerInfo, ...] = ()
        self._tools: tuple[ToolInfo, ...] = ()
        self._used: tuple[str, ...] = ()
        self._busy: dict[str, asyncio.Task[Any]] = {}
        self._adding: asyncio.Task[Any] | None = None
        self._is_refreshing = False
        self._refresh_again = False
        self.sheet: AddServerSheet | None = None
        """The sheet for adding servers that was opened last."""
        self.access: AccessSheet | None = None
        """The sheet for changing grants that is open."""
        self.attempt: TrySheet | None = None
        """The sheet for calling a tool that is open."""
        self._calling: asyncio.Task[Any] | None = None

    def handle(self, event: AppEvent) -> None:
        """Show the progress of the call by hand."""
        if isinstance(event, ToolCallProgressed):
            self._show_progress(event)

    def handle_in_front(self, event: AppEvent) -> None:
        """Show changed servers; the page asks for them whenever it is shown."""
        if isinstance(event, ToolServersChanged):
            self.refresh()

    def refresh(self) -> None:
        """Request the servers and their states. One request at a time."""
        if self._is_refreshing:
            self._refresh_again = True
            return
        self._is_refreshing = True
        self._refresh()

    def add(self) -> None:
        """Open the sheet for adding a server."""
        self.sheet = AddServerSheet(
            on_submitted=self._prepare,
            on_confirmed=self._add,
            on_file=self._open_bundle,
            on_closed=self._end_adding,
            parent=self._context.window,
        )
        self.sheet.open()

    def test(self, name: str) -> None:
        """Restart a server."""
        self._do(name, self._client.tool_servers.test(name), busy_text=tr("Starting…"))

    def stop(self, name: str) -> None:
        """Stop a server, or cancel its start."""
        if (starting := self._busy.get(name)) is not None:
            starting.cancel()
            return
        self._do(name, self._client.tool_servers.stop(name), busy_text=tr("Stopping…"))

    def sign_in(self, name: str) -> None:
        """Begin signing in to a server; its card shows the address to open."""
        self._do(name, self._client.tool_servers.sign_in(name), busy_text=tr("Starting…"))

    def open_sign_in(self, name: str) -> None:
        """Show the sign-in address, and open it in the browser."""
        info = self._info(name)
        if info is not None and info.sign_in_url:
            confirm_open(info.sign_in_url, open_url=self._context.open_url, parent=self._context.window)

    def sign_out(self, name: str) -> None:
        """Delete the sign-in of a server."""
        self._do(name, self._client.tool_servers.sign_out(name), busy_text=tr("Stopping…"))

    def confirm(self, name: str) -> None:
        """Accept a changed server as the confirmed one."""
        self._do(name, self._client.tool_servers.confirm(name), busy_text=tr("Confirm"))

    def change_access(self, name: str) -> None:
        """Open the sheet for what a server may access."""
        info = self._info(name)
        if info is not None:
            window = self._context.window
            self.access = AccessSheet(info.server, on_submitted=self._grant, parent=window)
            self.access.finished.connect(self._end_access)
            self.access.open()

    def remove(self, name: str) -> None:
        """Remove a server."""
        self._do(name, self._client.tool_servers.remove(name), busy_text=tr("Stopping…"))

    @task
    async def use_in_chats(self, name: str, is_used: bool) -> None:
        """Set whether chats without a choice of their own use the tools of a server."""
        others = tuple(other for other in self._used if other != name)
        used = (*others, name) if is_used else others
        await self._client.settings.change(AppLayer(), key=SERVERS, value=used)
        self.refresh()

    @task
    async def choose_built_in(self, key: str, choice: Permission) -> None:
        """Set whether new chats have the tools of a switch, and whether their calls ask."""
        names = [(tool.name, tool.prompts_each_time) for tool in self._tools if tool.setting == key]
        client = self._client
        try:
            if choice is not Permission.NEVER:
                for name, is_asked in names:
                    await client.tools.permit(name, Permission.ASK if is_asked else choice)
            await client.settings.change(AppLayer(), key=key, value=choice is not Permission.NEVER)
        finally:
            self.refresh()  # where it is refused, what is in force is shown

    @task
    async def change_folders(self, paths: tuple[str, ...]) -> None:
        """Set the folders that the tools for files may use."""
        try:
            await self._client.settings.change(AppLayer(), key=FOLDERS, value=paths)
        finally:
            self.refresh()

    @task
    async def revoke(self, conversation_id: ConversationId) -> None:
        """End what a chat was allowed."""
        await self._client.tools.revoke(conversation_id)
        self.refresh()

    @task
    async def permit(self, tool: str, permission: Permission) -> None:
        """Set the permission for all calls of a tool."""
        await self._client.tools.permit(tool, permission)
        self.refresh()

    def try_tool(self, tool: ToolInfo) -> None:
        """Open the sheet for calling a tool by hand."""
        self.attempt = TrySheet(
            tool, on_call=self._call, on_cancel=self._cancel_call, parent=self._context.window
        )
        self.attempt.finished.connect(self._end_attempt)
        self.attempt.open()

    def _show_progress(self, event: ToolCallProgressed) -> None:
        if self.attempt is not None and self._calling is not None and self.attempt.tool.name == event.tool:
            self.attempt.show_progress(event.text)

    def _call(self, sheet: TrySheet, arguments: str) -> None:
        request = self._client.tool_servers.call_tool(sheet.tool.name, arguments)
        self._calling = running = self._tasks.run(
            request, on_done=sheet.show_output, on_error=sheet.show_error
        )
        if running is not None:
            running.add_done_callback(lambda done: self._end_call(done, sheet))

    def _cancel_call(self) -> None:
        if self._calling is not None:
            self._calling.cancel()

    def _end_call(self, done: asyncio.Task[Any], sheet: TrySheet) -> None:
        self._calling = None
        if done.cancelled() and sheet is self.attempt:
            sheet.show_cancelled()

    @Slot()
    def _end_attempt(self) -> None:
        if self.attempt is not None:
            self._page.focus_tool(self.attempt.tool.name)
        self.attempt = None

    def _info(self, name: str) -> ToolServerInfo | None:
        return next((info for info in self._servers if info.server.name == name), None)

    @task
    async def _refresh(self) -> None:
        try:
            await self._show_all()
        finally:
            self._is_refreshing = False
            if self._refresh_again:
                self._refresh_again = False
                self.refresh()

    async def _show_all(self) -> None:
        resolved = await self._client.settings.resolved(model_id=None, conversation_id=None)
        settings = {setting.definition.key: setting for setting in resolved}
        servers = await self._client.tool_servers.servers()
        tools = await self._client.tools.tools()
        grants = await self._client.tools.chat_grants()
        self._servers, self._tools = servers, tools
        self._used = tool_options(resolved).servers
        self._page.show_built_in([tool for tool in tools if not tool.server], settings)
        self._page.show_servers(servers, [tool for tool in tools if tool.server], used=self._used)
        self._page.show_chats(grants)
        for name in self._busy:
            self._page.set_busy(name, tr("Starting…"))

    def _do(self, name: str, work: Coroutine[object, object, Any], *, busy_text: str) -> None:
        if name in self._busy:
            work.close()
            return
        self._page.set_busy(name, busy_text)
        running = self._tasks.run(work, on_error=self._on_error)
        if running is not None:
            self._busy[name] = running
            running.add_done_callback(lambda _: self._end(name))

    def _end(self, name: str) -> None:
        self._busy.pop(name, None)
        self.refresh()

    def _prepare(self, sheet: AddServerSheet, new: tuple[NewServer, ...]) -> None:
        async def prepare() -> tuple[ToolServer, ...]:
            return tuple([await self._client.tool_servers.prepare(server) for server in new])

        self._adding = self._tasks.run(prepare(), on_done=sheet.show_prepared, on_error=sheet.show_error)

    def _open_bundle(self, sheet: AddServerSheet, path: str) -> None:
        request = self._client.tool_servers.open_bundle(path)
        self._adding = self._tasks.run(request, on_done=sheet.show_bundle, on_error=sheet.show_error)

    def _add(self, sheet: AddServerSheet, new: tuple[NewServer, ...], location: KeepIn) -> None:
        existing = {info.server.name for info in self._servers}

        async def add_all() -> None:
            for server in new:
                if server.name not in existing:  # otherwise it was added before another one failed
                    await self._client.tool_servers.add(server, location=location)

        def on_done(_: None) -> None:
            sheet.accept()
            for server in new:
                self.test(server.name)

        self._adding = self._tasks.run(add_all(), on_done=on_done, on_error=sheet.show_error)

    @task
    async def _grant(self, sheet: AccessSheet, name: str, grants: Grants) -> None:
        try:
            await self._client.tool_servers.grant(name, grants)
        except FiresideError as error:
            if self.access is not sheet:
                raise
            sheet.show_error(error)
        else:
            if self.access is sheet:
                sheet.accept()

    def _end_access(self) -> None:
        self.access = None

    def _end_adding(self) -> None:
        """The sheet was closed: cancel its request."""
        if self._adding is not None:
            self._adding.cancel()
            self._adding = None

    def _on_error(self, error: FiresideError) -> None:
        self._page.show_problem(error.sentence())
