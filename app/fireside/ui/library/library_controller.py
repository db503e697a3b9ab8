"""Actions on the library: rename, tag, verify, repair, remove, move, add models, check for updates."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fireside.core.errors import FiresideError, format_bytes
from fireside.core.events import AppEvent
from fireside.core.hub import CheckEnded, CheckProgressed
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.library import (
    DiskUse,
    ModelDetail,
    ModelUpdate,
    MoveEnded,
    MoveProgressed,
    Removal,
    RemovalKind,
)
from fireside.core.model import display_name
from fireside.settings.values import ModelLayer
from fireside.ui.kit.layout import column
from fireside.ui.kit.sheet import Sheet
from fireside.ui.library.check_results import CheckResults
from fireside.ui.page import Page
from fireside.ui.tasks import Result, task
from fireside.ui.theme import SPACE_XS
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.library.library_page import LibraryPage


_MAX_FILES: Final = 6
_TITLES: Final = {
    RemovalKind.TRASH: tr_noop("Delete “{name}”?"),
    RemovalKind.FORGET_FILE: tr_noop("Remove “{name}” from the list?"),
    RemovalKind.FORGET_FOLDER: tr_noop("Remove this folder from the list?"),
    RemovalKind.NOT_POSSIBLE: tr_noop("“{name}” cannot be deleted here"),
}
_BUTTON_LABELS: Final = {
    RemovalKind.TRASH: tr_noop("Move to trash"),
    RemovalKind.FORGET_FILE: tr_noop("Remove from list"),
    RemovalKind.FORGET_FOLDER: tr_noop("Remove from list"),
}


class RemovalSheet(Sheet):
    """Enter and Escape cancel."""

    def __init__(
        self,
        removal: Removal,
        on_confirmed: Callable[[], object],
        *,
        name: str,
        parent: QWidget,
    ) -> None:
        window_title = tr("Delete model") if removal.kind is RemovalKind.TRASH else tr("Models")
        super().__init__(window_title, parent=parent)
        title = tr(_TITLES[removal.kind]).format(name=one_line(name))
        self.setAccessibleDescription(removal.text)
        confirm_label = _BUTTON_LABELS.get(removal.kind)
        self.cancel = self.make_button(
            tr("Keep") if confirm_label else tr("Close"), self.reject, is_default=True
        )
        self.confirm = self.make_button(
            tr(confirm_label) if confirm_label else "", self.accept, kind="danger"
        )
        self.set_content(
            WrappedLabel(removal.text, role="body"),
            _file_lines(removal) if removal.files else None,
            heading=title,
            buttons=(self.cancel, self.confirm),
        )
        self.confirm.setVisible(confirm_label is not None)
        self.accepted.connect(on_confirmed)
        self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)


def removed_text(removal: Removal, *, name: str) -> str:
    """Return the message after the removal."""
    match removal.kind:
        case RemovalKind.TRASH if removal.freed_bytes:
            return tr("“{name}” moved to trash; emptying it frees {freed_bytes}").format(
                name=name, freed_bytes=format_bytes(removal.freed_bytes)
            )
        case RemovalKind.TRASH:
            return tr("“{name}” moved to trash").format(name=name)
        case _:
            return tr("“{name}” removed from the list; its files stay").format(name=name)


def _file_lines(removal: Removal) -> QVBoxLayout:
    lines = column(spacing=SPACE_XS)
    for path in removal.files[:_MAX_FILES]:
        label = ElidedLabel(path, mode=Qt.TextElideMode.ElideMiddle)
        label.setObjectName("pathLabel")
        lines.addWidget(label)
    if (n_more := len(removal.files) - _MAX_FILES) > 0:
        lines.addWidget(Label(tr("and %n more|and %n more", "", n_more), role="small"))
    return lines


TEMPLATE_KEY: Final = "answer.template"


class LibraryController(QObject):
    """Sends requests of the library's pages to the client: a model by its id, a file by its path.

    Checks and moves are reported to ``check_results``. GUI thread only.
    """

    def __init__(self, context: WindowContext, *, view: LibraryPage, check_results: CheckResults) -> None:
        super().__init__(check_results)
        self.router = context.router
        self.reveal = context.reveal
        self._context = context
        self._client = context.client
        self._tasks = context.tasks
        self._models = context.models
        self._toast = context.toast
        self._view = view
        self._check_results = check_results

    def handle(self, event: AppEvent) -> None:
        """Handle one event of the engine thread."""
        match event:
            case CheckProgressed():
                self._check_results.check_progressed(event)
            case CheckEnded():
                self._check_results.check_ended(event)
                self._show_check_note(event)
            case MoveProgressed():
                self._check_results.move_progressed(event)
            case MoveEnded():
                self._check_results.move_ended(event)
            case _:
                pass

    @task
    async def add(self, paths: Sequence[str]) -> None:
        """Add files and folders in place; show how many models that added, and what could not be added."""
        before = {entry.path for entry in self._models.entries}
        failures = await self._client.models.add(paths)
        self._view.show_failures(failures)
        if len(failures) < len(paths):
            self._show_added_note(before)

    def open(self, path: str) -> None:
        """Show the page of one file."""
        self._view.show_model(path)

    def show_disk_use(self) -> None:
        """Show the page of disk use."""
        self._view.show_disk_use()

    # User metadata

    def rename(self, model_id: str, name: str) -> None:
        self._run(self._client.models.rename(ModelId(model_id), name=name))

    def tag(self, model_id: str, tags: tuple[str, ...]) -> None:
        self._run(self._client.models.set_tags(ModelId(model_id), tags=tags))

    def mark_favourite(self, model_id: str, favourite: bool) -> None:
        self._run(self._client.models.set_favourite(ModelId(model_id), favourite=favourite))

    # Files

    def read_detail(
        self, path: str, on_done: Callable[[ModelDetail], None], on_failed: Callable[[str], None]
    ) -> None:
        """Read the facts of the file's header; ``on_failed`` gets an error sentence."""
        work = self._client.models.detail(path)
        self._run(work, on_done=on_done, on_error=lambda error: on_failed(error.sentence()))

    @task
    async def use_template(
        self,
        model_id: ModelId,
        path: str,
        template: str,
        on_done: Callable[[ModelDetail], None],
        on_failed: Callable[[str], None],
    ) -> None:
        """Set a model's template if it renders the example; an empty one restores the file's own."""
        layer, client = ModelLayer(model_id=model_id), self._client
        try:
            if template.strip():
                tried = await client.models.detail(path, with_template=template)
                if not tried.rendered_example:
                    on_failed(tried.template_problem or tr("This template writes nothing."))
                    return
                await client.settings.change(layer, key=TEMPLATE_KEY, value=template)
            else:
                await client.settings.clear(layer, key=TEMPLATE_KEY)
            on_done(await client.models.detail(path))
        except FiresideError as error:
            on_failed(error.sentence())

    def check(self, path: str, *, repair: bool = False) -> None:
        """Compare a file with its checksum; with ``repair`` download the parts that differ again."""

        def on_error(error: FiresideError) -> None:
            self._check_results.clear_check(path)
            self._on_error(error)

        self._check_results.start_check(path, repair=repair)
        self._run(self._client.verification.start(path, repair=repair), on_error=on_error)

    def cancel_check(self, path: str) -> None:
        self._run(self._client.verification.cancel(path))

    @task
    async def confirm_removal(self, path: str) -> None:
        """Open the confirmation that says what removing a model does."""
        entry = self._models.entry_at(path)
        if entry is None:
            return
        removal = await self._client.models.removal(path)
        name = one_line(display_name(entry))
        message = removed_text(removal, name=name)
        context = self._context
        remove = partial(self._remove, path, text=message)
        RemovalSheet(removal, remove, name=name, parent=context.window).open()

    @task
    async def _remove(self, path: str, *, text: str) -> None:
        await self._client.models.remove(path)
        self._toast.show_message(text)

    def rescan(self) -> asyncio.Task[None] | None:
        """Scan for new files; return the running task."""
        return self._run(self._client.models.rescan())

    # Updates

    @task
    async def find_updates(self) -> None:
        """Ask the hub for newer versions."""
        updates = await self._client.hub.find_updates()
        self._check_results.set_updates(updates)
        n = len(updates)
        message = tr("1 update available|%n updates available", "", n)
        self._toast.show_message(message if n else tr("All models are up to date"))

    @task
    async def download_update(self, update: ModelUpdate) -> None:
        """Queue the download of a newer version."""
        await self._client.hub.download_named(f"{update.repo}/{update.file}")
        self._toast.show_message(
            tr("Update queued"),
            action=tr("Show"),
            on_action=lambda: self.router.show_page(Page.DOWNLOADS),
        )

    # Disk use

    def read_disk_use(self, on_done: Callable[[DiskUse], None], on_failed: Callable[[str], None]) -> None:
        """Calculate disk use; ``on_failed`` gets an error sentence."""
        work = self._client.models.disk_use()
        self._run(work, on_done=on_done, on_error=lambda error: on_failed(error.sentence()))

    def move(self, folder: str) -> None:
        """Move the library to another folder."""

        def on_error(error: FiresideError) -> None:
            self._check_results.move_ended(MoveEnded(error=error.info()))

        self._check_results.start_move(folder)
        self._run(self._client.library_move.start(folder), on_error=on_error)

    def cancel_move(self) -> None:
        self._run(self._client.library_move.cancel())

    # Inside

    def _run(
        self,
        work: Coroutine[Any, Any, Result],
        *,
        on_done: Callable[[Result], None] | None = None,
        on_error: Callable[[FiresideError], None] | None = None,
    ) -> asyncio.Task[Result] | None:
        return self._context.tasks.run(work, on_done=on_done, on_error=on_error or self._on_error)

    def _show_added_note(self, before: set[str]) -> None:
        n = len({entry.path for entry in self._models.entries} - before)
        if n:
            self._toast.show_message(tr("1 model added|%n models added", "", n))
        else:
            self._toast.show_message(tr("No new models; already listed"))

    def _show_check_note(self, event: CheckEnded) -> None:
        """Show a note of a finished check, unless the model's own page shows it."""
        entry, check = self._models.entry_at(event.path), self._check_results.check(event.path)
        if entry is None or check is None or self._view.shows_model(event.path):
            return
        name = one_line(display_name(entry))
        if check.error is not None:
            self._toast.show_message(f"“{name}”: {check.error.sentence}")
        elif check.has_found_damage:
            self._toast.show_message(
                tr("“{name}” is damaged").format(name=name),
                action=tr("Show"),
                on_action=lambda: self.open(event.path),
            )
        else:
            message = tr("“{name}” repaired") if check.has_repaired else tr("“{name}” verified")
            self._toast.show_message(message.format(name=name))

    def _on_error(self, error: FiresideError) -> None:
        self._view.show_problem(error.sentence())
