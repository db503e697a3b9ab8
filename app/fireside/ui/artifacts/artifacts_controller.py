"""Opens the artifacts of the chat in front, and does what their panel asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import PurePath

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QTextCursor

from fireside.core.artifacts import Artifact, ArtifactPlace, ArtifactText
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, BranchChanged, MessageReplaced
from fireside.core.i18n import tr
from fireside.core.transfer import FILE_ENDINGS, ExportFormat
from fireside.ui.artifacts.artifact_panel import ArtifactPanel
from fireside.ui.artifacts.artifact_text import change_request, fix_request
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.kit.file_dialogs import choose_save_path
from fireside.ui.kit.side_area import SideArea
from fireside.ui.tasks import LatestRequest, task
from fireside.ui.window_context import WindowContext


class ArtifactsController(QObject):
    """Works behind the panel, which it makes when it is first wanted. GUI thread only."""

    def __init__(self, context: WindowContext, *, chat: ChatPane, area: SideArea) -> None:
        """The panel is shown in ``area``, beside the chat."""
        super().__init__(context.window)
        self._context = context
        self._client = context.client.artifacts
        self._tasks = context.tasks
        self._on_error = context.show_error
        self._chat = chat
        self._area = area
        self._request = LatestRequest(context.tasks)
        self._comparison = LatestRequest(context.tasks)
        self.panel = ArtifactPanel(context, controller=self, parent=area)
        area.connect_panel(self.panel)

    @Slot(object)
    def open(self, place: ArtifactPlace) -> None:
        """Show the version of an artifact that an answer has at ``place``."""
        self._area.show_panel(self.panel)
        self._refresh(place)
        self.panel.focus_content()

    def open_list(self) -> None:
        """Show the list of the chat's artifacts."""
        self._area.show_panel(self.panel)
        self.panel.show_list()
        self.panel.focus_content()
        self._refresh()

    def handle(self, event: AppEvent) -> None:
        """Apply an event of the engine thread: answers that end have new versions."""
        match event:
            case MessageReplaced(message=message) if message.conversation_id == self._chat.conversation_id:
                self._refresh_if_shown()
            case BranchChanged(conversation_id=id_) if id_ == self._chat.conversation_id:
                self._refresh_if_shown()
            case _:
                pass

    def _refresh_if_shown(self) -> None:
        if self.panel.isVisible():
            self._refresh()

    def _refresh(self, place: ArtifactPlace | None = None) -> None:
        if (conversation_id := self._chat.conversation_id) is None:
            self.panel.show_artifacts((), place=None)
            return
        self._request.run(
            self._client.of_chat(conversation_id),
            on_done=lambda artifacts: self.panel.show_artifacts(artifacts, place=place),
            on_error=self._on_error,
        )

    # Changes

    @task
    async def save_draft(self, place: ArtifactPlace, text: str | None) -> None:
        """Store what is written of a version."""
        await self._client.save_draft(place, text=text)

    @task
    async def save_version(self, place: ArtifactPlace, text: str) -> None:
        """Store a version of the user, and show it."""
        try:
            await self._client.save(place, text=text)
        except FiresideError:
            self.panel.item_page.save.setEnabled(True)
            raise
        self.panel.item_page.end_edit()
        self._refresh()

    @task
    async def rename(self, place: ArtifactPlace, title: str) -> None:
        """Name an artifact."""
        await self._client.rename(place, title=title)
        self._refresh()

    def compare(self, work: Callable[[], str], on_done: Callable[[str], None]) -> None:
        """Compare two versions in a thread."""
        self._comparison.run(asyncio.to_thread(work), on_done=on_done, on_error=self._on_error)

    # To the chat

    def ask_to_change(self, artifact: Artifact, *, text: str, selected: str, is_known: bool) -> None:
        """Begin a message that asks for a change."""
        self._write(change_request(artifact, text=text, selected=selected, is_known=is_known))

    def ask_to_fix(self, artifact: Artifact, errors: tuple[tuple[str, int], ...]) -> None:
        """Send the errors of a preview; with a message that is being written, only add them to it."""
        request = fix_request(artifact, errors)
        if self._chat.composer.is_blank and not self._chat.is_running:
            self._chat.send_controller.send(request)
        else:
            self._write(request)

    def _write(self, text: str) -> None:
        composer = self._chat.composer
        composer.editor.moveCursor(QTextCursor.MoveOperation.End)
        typed = composer.editor.toPlainText()
        composer.insert_text(f"{'' if not typed.strip() else chr(10)}{text}")
        self._chat.focus_composer()

    def show_in_chat(self, place: ArtifactPlace) -> None:
        """Show the answer that has a version."""
        self._chat.show_message(place.message_id)

    # Files

    def save_file(self, shown: ArtifactText, form: ExportFormat | None, name: str) -> None:
        """Ask where to save an artifact, as it is or in another format, and write it there."""
        if form is not None:
            name = PurePath(name.removesuffix(".vl.json")).stem + FILE_ENDINGS[form]
        window = self._context.window
        choose_save_path(
            window, tr("Save artifact as"), lambda path: self._save(shown, form, path), name=name
        )

    @task
    async def _save(self, shown: ArtifactText, form: ExportFormat | None, path: str) -> None:
        await self._context.client.transfer.export_artifact(shown, form=form, target=path)
        self._context.toast.show_message(
            tr("Saved as {name}").format(name=PurePath(path).name),
            action=tr("Show in folder"),
            icon="folder-open",
            on_action=lambda: self._context.reveal(path),
        )
