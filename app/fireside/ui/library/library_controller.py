"""Do what is asked of the library: note, check, mend, remove, move, add, look for newer versions."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from fireside.bridge.client import EngineClient
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent
from fireside.core.hub import CheckEnded, CheckProgressed
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.library import ModelUpdate, MoveEnded, MoveProgressed, Removal
from fireside.core.model import LibraryFailure, ModelEntry, display_name
from fireside.ui.library.library_page import LibraryPage
from fireside.ui.library.removal_sheet import removed_words
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import TaskRunner
from fireside.ui.widgets.text import one_line
from fireside.ui.widgets.toast import Toast


class LibraryController(QObject):
    """Asks the client on behalf of the library's pages. GUI thread only."""

    downloads_wanted = Signal()
    """A download was queued, and a person wants to see it."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        page: LibraryPage,
        models: ModelsView,
        toast: Toast,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._page = page
        self._models = models
        self._toast = toast
        self._findings = page.findings
        wishes = page.wishes
        wishes.rename.connect(self._on_rename)
        wishes.tag.connect(self._on_tag)
        wishes.favourite.connect(self._on_favourite)
        wishes.check.connect(self._on_check)
        wishes.cancel_check.connect(self._on_cancel_check)
        wishes.removal.connect(self._on_removal)
        wishes.detail.connect(self._on_detail)
        wishes.update.connect(self._on_update)
        wishes.add.connect(self.add)
        wishes.rescan.connect(self._on_rescan)
        wishes.find_updates.connect(self._on_find_updates)
        wishes.disk_use.connect(self._on_disk_use)
        wishes.move.connect(self._on_move)
        wishes.cancel_move.connect(self._on_cancel_move)

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread."""
        match event:
            case CheckProgressed():
                self._findings.check_progressed(event)
            case CheckEnded():
                self._findings.check_ended(event)
                self._say_check(event)
            case MoveProgressed():
                self._findings.move_progressed(event)
            case MoveEnded():
                self._findings.move_ended(event)
                if self._page.shows_disk_use:
                    self._on_disk_use()
            case _:
                pass

    def add(self, paths: Sequence[str]) -> None:
        """Add files and folders in place; say how many models that brought, and what could not be added."""
        before = {entry.path for entry in self._models.entries}

        def on_done(failures: tuple[LibraryFailure, ...]) -> None:
            self._page.show_failures(failures)
            if len(failures) < len(paths):
                self._say_added(before)

        self._run(self._client.models.add(paths), on_done=on_done)

    # Notes

    def _on_rename(self, model_id: str, name: str) -> None:
        self._run(self._client.models.rename(ModelId(model_id), name=name))

    def _on_tag(self, model_id: str, tags: tuple[str, ...]) -> None:
        self._run(self._client.models.tag(ModelId(model_id), tags=tags))

    def _on_favourite(self, model_id: str, favourite: bool) -> None:
        self._run(self._client.models.mark_favourite(ModelId(model_id), favourite=favourite))

    # Files

    def _on_detail(self, path: str) -> None:
        self._run(
            self._client.models.detail(path),
            on_done=self._page.show_detail,
            on_error=lambda error: self._page.show_detail_failure(path, error.sentence()),
        )

    def _on_check(self, path: str, repair: bool) -> None:
        def on_error(error: FiresideError) -> None:
            self._findings.forget_check(path)
            self._on_error(error)

        self._findings.begin_check(path, repair=repair)
        self._run(self._client.verification.begin(path, repair=repair), on_error=on_error)

    def _on_cancel_check(self, path: str) -> None:
        self._run(self._client.verification.cancel(path))

    def _on_removal(self, path: str) -> None:
        entry = self._entry(path)
        if entry is None:
            return

        def on_done(removal: Removal) -> None:
            name = one_line(display_name(entry))
            words = removed_words(removal, name=name)
            sheet = self._page.ask_removal(removal, name=name)
            sheet.confirmed.connect(lambda: self._remove(path, words=words))

        self._run(self._client.models.removal(path), on_done=on_done)

    def _remove(self, path: str, *, words: str) -> None:
        self._run(self._client.models.remove(path), on_done=lambda _none: self._toast.show_note(words))

    def _on_rescan(self) -> None:
        self._page.rescan.setEnabled(False)
        task = self._run(self._client.models.rescan())
        if task is not None:
            task.add_done_callback(lambda _task: self._page.rescan.setEnabled(True))

    # Newer versions

    def _on_find_updates(self) -> None:
        button = self._page.list.find_updates
        button.setEnabled(False)
        task = self._run(self._client.hub.find_updates(), on_done=self._on_updates)
        if task is not None:
            task.add_done_callback(lambda _task: button.setEnabled(True))

    def _on_updates(self, updates: tuple[ModelUpdate, ...]) -> None:
        self._findings.set_updates(updates)
        n = len(updates)
        words = tr("One model has a newer version.|%n models have a newer version.", "", n)
        self._toast.show_note(words if n else tr("Every downloaded model is the newest version."))

    def _on_update(self, update: ModelUpdate) -> None:
        def on_done(_id: object) -> None:
            self._toast.show_note(
                tr("The newer version is in the queue."),
                action=tr("Show"),
                on_action=self.downloads_wanted.emit,
            )

        self._run(self._client.hub.download_named(f"{update.repo}/{update.file}"), on_done=on_done)

    # Disk

    def _on_disk_use(self) -> None:
        self._run(
            self._client.models.disk_use(),
            on_done=self._page.show_use,
            on_error=lambda error: self._page.disk.show_failure(error.sentence()),
        )

    def _on_move(self, folder: str) -> None:
        def on_error(error: FiresideError) -> None:
            self._findings.move_ended(MoveEnded(error=error.info()))

        self._findings.begin_move(folder)
        self._run(self._client.library_move.begin(folder), on_error=on_error)

    def _on_cancel_move(self) -> None:
        self._run(self._client.library_move.cancel())

    # Inside

    def _run(
        self,
        work: Coroutine[Any, Any, Any],
        *,
        on_done: Callable[[Any], None] | None = None,
        on_error: Callable[[FiresideError], None] | None = None,
    ) -> Any:
        return self._tasks.run(work, on_done=on_done, on_error=on_error or self._on_error)

    def _entry(self, path: str) -> ModelEntry | None:
        return next((entry for entry in self._models.entries if entry.path == path), None)

    def _say_added(self, before: set[str]) -> None:
        n = len({entry.path for entry in self._models.entries} - before)
        if n:
            self._toast.show_note(tr("Added one model.|Added %n models.", "", n))
        else:
            self._toast.show_note(tr("There is nothing new in it: its models are listed already."))

    def _say_check(self, event: CheckEnded) -> None:
        """Say how a check ended where the page itself does not show it."""
        entry, check = self._entry(event.path), self._findings.check(event.path)
        if entry is None or check is None or self._page.shows_model(event.path):
            return
        name = one_line(display_name(entry))
        if check.error is not None:
            self._toast.show_note(f"“{name}”: {check.error.sentence}")
        elif check.has_found_damage:
            self._toast.show_note(
                tr("“{name}” is damaged.").format(name=name),
                action=tr("Show"),
                on_action=lambda: self._page.show_model(event.path),
            )
        else:
            words = tr("“{name}” is whole again.") if check.has_repaired else tr("“{name}” is whole.")
            self._toast.show_note(words.format(name=name))

    def _on_error(self, error: FiresideError) -> None:
        self._page.show_problem(error.sentence())
