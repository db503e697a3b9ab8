"""The list of builds of llama.cpp, and its controller: find, install, test, use, remove."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, TypeVar

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QWidget

from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.i18n import tr
from fireside.core.runtime import (
    RUNTIME_ARCHIVES,
    RUNTIME_KEY,
    Runtime,
    RuntimeChoice,
    RuntimeOffer,
    RuntimeProgressed,
    RuntimesChanged,
    RuntimeState,
)
from fireside.ui.hardware.runtime_text import (
    ABOUT,
    about_text,
    advice_text,
    badge_text,
    progress_text,
    result_text,
    runtime_name,
    suits,
)
from fireside.ui.kit.dropped_files import dropped_paths
from fireside.ui.kit.file_dialogs import choose_file, choose_folder
from fireside.ui.kit.layout import boxed, column, destroy, in_middle, make_card, row, stretch
from fireside.ui.kit.removal_confirmation import RemovalConfirmation
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line
from fireside.ui.window_context import WindowContext

# The list of builds of llama.cpp, and the operation that runs on one.

_MIN_NAME_WIDTH: Final = 200


class OfferRow(QFrame):
    """A card of a runtime that can be downloaded."""

    def __init__(self, offer: RuntimeOffer, *, suits: bool, actions: RuntimesController) -> None:
        super().__init__()
        self.offer = offer
        name = one_line(offer.name)
        self.badge = Label(tr("Suits your GPU") if suits else tr("Not downloaded"), role="badge")
        self.badge.setProperty("tone", "ok" if suits else "")
        self.setAccessibleName(f"{name}: {self.badge.text()}")
        self.problem = WrappedLabel(role="small")
        self.download = Button(
            tr("Download"), kind="primary" if suits else "", on_click=lambda: actions.install(offer.name)
        )
        self.download.setAccessibleName(tr("Download {name}").format(name=name))
        _arrange_card(
            self,
            name,
            self.badge,
            buttons=(self.download,),
            details=(WrappedLabel(about_text(offer), role="mute"), self.problem),
        )
        self.download.setVisible(offer.fits)
        self.problem.show_text("" if offer.fits else tr("For another version of Fireside."))

    def set_busy(self, *, busy: bool) -> None:
        """Enable or disable the buttons: one operation at a time."""
        self.download.setEnabled(not busy)


class RuntimeRow(QFrame):
    """The card of an installed runtime. Removal asks for confirmation in place, as files skip the trash."""

    def __init__(
        self, runtime: Runtime, *, in_use: bool, actions: RuntimesController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.runtime = runtime
        name = runtime_name(runtime.name)
        label, tone = badge_text(runtime, in_use=in_use)
        self.setAccessibleName(f"{name}: {label}")
        self.badge = Label(label, role="badge")
        self.badge.setProperty("tone", tone)
        self.result = WrappedLabel(
            result_text(runtime), role="error" if runtime.state is RuntimeState.FAILED else "small"
        )
        self.use = Button(tr("Use"), on_click=lambda: actions.use(runtime.name))
        self.use.setAccessibleName(tr("Use {name}").format(name=name))
        self.test = Button(tr("Test"), kind="quiet", on_click=lambda: actions.test(runtime.name))
        self.test.setAccessibleName(tr("Test {name}").format(name=name))
        self.remove = Button(tr("Remove"), kind="quiet")
        self.remove.setAccessibleName(tr("Remove {name}").format(name=name))
        self.removal = RemovalConfirmation(
            tr("Delete files?"),
            tr("Delete"),
            name=tr("Delete {name}").format(name=name),
            remove=self.remove,
            on_confirmed=lambda: actions.remove(runtime.name),
            alternatives=(self.test,),
        )
        _arrange_card(
            self,
            name,
            self.badge,
            buttons=(*self.removal.parts, self.remove, self.test, self.use),
            details=(WrappedLabel(about_text(runtime), role="mute"), self.result),
        )
        self.result.setVisible(bool(self.result.text()))
        self.use.setVisible(not in_use and (runtime.state is RuntimeState.WORKS or runtime.is_built_in))
        self.remove.setVisible(not in_use and not runtime.is_built_in)
        self.removal.hide()

    def set_busy(self, *, busy: bool) -> None:
        """Enable or disable the buttons: one operation at a time."""
        for button in (self.use, self.test, self.remove, self.removal.confirm):
            button.setEnabled(not busy)


def _arrange_card(
    card: QFrame, name: str, badge: Label, *, buttons: Sequence[QWidget], details: Sequence[QWidget]
) -> None:
    """Lay out a card: name, badge and buttons, with ``details`` below."""
    head = row(
        Picture("box", tint="mute"),
        ElidedLabel(name, role="strong"),
        in_middle(badge),
        stretch(factor=1),
    )
    actions = boxed(row(*map(in_middle, buttons)))
    make_card(
        card,
        ResponsiveRow(boxed(head), actions, min_first_width=_MIN_NAME_WIDTH, spacing=SPACE_S),
        *details,
        spacing=SPACE_XS,
        margins=(SPACE_L, SPACE_M, SPACE_M, SPACE_M),
    )


def could_be_runtime(paths: list[str]) -> bool:
    """Return whether the file names suggest a single archive."""
    return len(paths) == 1 and paths[0].lower().endswith(RUNTIME_ARCHIVES)


class RuntimesBox(QWidget):
    """Lists all runtimes, and shows the running operation."""

    def __init__(self, actions: RuntimesController, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._is_busy = False
        self._choice: RuntimeChoice | None = None
        self._suitable: tuple[str, ...] = ()
        self.setAcceptDrops(True)
        self.rows: list[RuntimeRow] = []
        self.offers: list[OfferRow] = []
        self.notices = BannerArea()
        self.add = Button(tr("Add…"), icon="file-plus")
        self.add.setToolTip(tr("Archive (tar.xz, tar.gz, zip) or folder. You can also drop an archive here."))
        menu = Menu(self.add)
        menu.addAction(tr("Archive…"), self.choose_archive)
        menu.addAction(tr("Folder…"), self.choose_folder)
        self.add.setMenu(menu)
        self.find_more = Button(tr("Find runtimes"), icon="search", on_click=actions.find)
        self.find_more.setToolTip(tr("Asks Fireside’s releases; nothing is asked until you click."))
        self.find_more.hide()
        self.roll_back = Button(tr("Roll back"), icon="undo-2", on_click=actions.roll_back)
        self.roll_back.hide()
        self.busy = QFrame()
        self.busy_text = WrappedLabel(role="body")
        self.bar = ProgressBar(name=tr("Progress"))
        self.cancel = Button(tr("Cancel"), kind="quiet", on_click=actions.cancel)
        self._list = column()
        self._offer_list = column()
        self._arrange()

    def show_choice(self, choice: RuntimeChoice) -> None:
        """Show all runtimes, and which one is used."""
        focused = self._focused_name()
        self.notices.remove("list")
        destroy(*self.rows)
        self.rows = [
            RuntimeRow(runtime, in_use=runtime.name == choice.in_use, actions=self._actions)
            for runtime in choice.runtimes
        ]
        for row_widget in self.rows:
            row_widget.set_busy(busy=self._is_busy)
            self._list.addWidget(row_widget)
            if row_widget.runtime.name == focused:
                row_widget.test.setFocus(Qt.FocusReason.OtherFocusReason)
        previous = choice.previous
        self.roll_back.setVisible(previous is not None and previous != choice.in_use)
        if previous is not None:
            self.roll_back.set_label(tr("Roll back to “{previous}”").format(previous=runtime_name(previous)))
        if choice.note:
            self.notices.show_banner("note", choice.note, tone=Tone.WARN)
        else:
            self.notices.remove("note")
        self._choice = choice
        self._show_offers(choice)

    def show_suitable(self, backends: Sequence[str]) -> None:
        """Set the ``backends`` that an unused GPU needs."""
        self._suitable = tuple(backends)
        if self._choice is not None:
            self._show_offers(self._choice)

    def show_problem(self, sentence: str) -> None:
        """Show the error of an operation until the next one starts."""
        self.notices.show_banner("problem", sentence, tone=Tone.DANGER)

    def hide_problem(self) -> None:
        """Hide the error: another operation starts."""
        self.notices.remove("problem")

    def show_list_error(self, sentence: str) -> None:
        """Show why the list of runtimes is missing."""
        self.notices.show_banner("list", sentence, tone=Tone.DANGER)

    def show_progress(self, event: RuntimeProgressed) -> None:
        """Show the progress of an installation or test."""
        self.busy_text.setText(progress_text(event))
        self.bar.setVisible(event.fraction is not None)
        if event.fraction is not None:
            self.bar.set_fraction(event.fraction)

    def set_busy(self, text: str) -> None:
        """Show the running operation and disable all others; empty ends that."""
        had_focus = self.cancel.hasFocus()
        self._is_busy = bool(text)
        self.busy_text.setText(text)
        self.bar.hide()
        self.busy.setVisible(self._is_busy)
        self.add.setEnabled(not self._is_busy)
        self.roll_back.setEnabled(not self._is_busy)
        self.find_more.setEnabled(not self._is_busy)
        for row_widget in self.rows:
            row_widget.set_busy(busy=self._is_busy)
        for offer_row in self.offers:
            offer_row.set_busy(busy=self._is_busy)
        if not self._is_busy and had_focus:
            self.add.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def choose_archive(self) -> QFileDialog:
        """Open a dialog to choose an archive."""
        patterns = " ".join(f"*{suffix}" for suffix in RUNTIME_ARCHIVES)
        filters = (tr("Archives ({patterns})").format(patterns=patterns), tr("All files (*)"))
        return choose_file(self, tr("Add runtime"), self._actions.add, filters=filters)

    @Slot()
    def choose_folder(self) -> QFileDialog:
        """Open a dialog to choose a folder."""
        return choose_folder(self, tr("Add runtime from folder"), self._actions.add)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not self._is_busy and could_be_runtime(dropped_paths(event.mimeData())):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = dropped_paths(event.mimeData())
        if not self._is_busy and could_be_runtime(paths):
            event.acceptProposedAction()
            self._actions.add(paths[0])

    def _focused_name(self) -> str:
        focused = self.window().focusWidget()
        names = (
            row_widget.runtime.name
            for row_widget in self.rows
            if focused and row_widget.isAncestorOf(focused)
        )
        return next(names, "")

    def _show_offers(self, choice: RuntimeChoice) -> None:
        destroy(*self.offers)
        self.offers = [
            OfferRow(offer, suits=suits(offer, self._suitable), actions=self._actions)
            for offer in choice.offers or ()
        ]
        for offer_row in self.offers:
            offer_row.set_busy(busy=self._is_busy)
            self._offer_list.addWidget(offer_row)
        self.find_more.setVisible(choice.is_published)
        if advice := advice_text(choice, self._suitable):
            self.notices.show_banner("advice", advice, tone=Tone.INFO)
        else:
            self.notices.remove("advice")

    def _arrange(self) -> None:
        busy_row = row(stretch(column(self.busy_text, self.bar)), self.cancel, spacing=SPACE_M)
        make_card(self.busy, busy_row, margins=(SPACE_L, SPACE_M, SPACE_M, SPACE_M))
        self.busy.hide()
        buttons, _ = flow_row(self.find_more, self.add, self.roll_back, spacing=SPACE_S)
        column(
            WrappedLabel(tr(ABOUT), role="mute"),
            self.notices,
            self._list,
            self._offer_list,
            self.busy,
            buttons,
            spacing=SPACE_M,
            on=self,
        )


T = TypeVar("T")


class RuntimesController(QObject):
    """Owns ``box``. One operation at a time. GUI thread only."""

    def __init__(
        self, context: WindowContext, *, on_runtime_changed: Callable[[], None], parent: QObject
    ) -> None:
        """``on_runtime_changed`` is called when models use another runtime from now on."""
        super().__init__(parent)
        self._client = context.client.runtimes
        self._tasks = context.tasks
        self._toast = context.toast
        self._on_runtime_changed = on_runtime_changed
        self._running: asyncio.Task[Any] | None = None
        self.box = RuntimesBox(self)

    def refresh(self) -> None:
        """Request the list of runtimes."""
        self._tasks.run(
            self._client.choice(),
            on_done=self.box.show_choice,
            on_error=lambda error: self.box.show_list_error(error.sentence()),
        )

    def handle(self, event: AppEvent) -> None:
        """Handle one event of the engine thread."""
        match event:
            case RuntimeProgressed():
                if self._running is not None:
                    self.box.show_progress(event)
            case RuntimesChanged():
                if self.box.isVisible():
                    self.refresh()
            case SettingsChanged(keys=keys):
                if RUNTIME_KEY in keys and self.box.isVisible():
                    self.refresh()
            case _:
                pass

    def find(self) -> None:
        """Request the runtimes on offer."""
        self._run(
            self._client.check_for_updates(),
            text=tr("Asking Fireside’s releases…"),
            on_done=self.box.show_choice,
        )

    def install(self, name: str) -> None:
        """Download a runtime and test it."""
        self._run(
            self._client.install(name),
            text=tr("Downloading “{name}”…").format(name=runtime_name(name)),
            on_done=self._show_tested_note,
        )

    def add(self, path: str) -> None:
        """Add a runtime from a file or folder and test it."""
        self._run(self._client.add(path), text=tr("Loading…"), on_done=self._show_tested_note)

    def test(self, name: str) -> None:
        """Test a runtime: the starter model answers with it."""
        self._run(
            self._client.test(name),
            text=tr("Testing “{name}”…").format(name=runtime_name(name)),
            on_done=self._show_tested_note,
        )

    @task
    async def use(self, name: str) -> None:
        """Use a runtime for all models."""
        self.box.hide_problem()
        await self._client.use(name)
        self._show_used_note(name)

    @task
    async def roll_back(self) -> None:
        """Use the previous runtime again."""
        self.box.hide_problem()
        self._show_used_note(await self._client.roll_back())

    @task
    async def remove(self, name: str) -> None:
        """Delete the files of a runtime."""
        self.box.hide_problem()
        await self._client.remove(name)
        self._toast.show_message(tr("“{name}” removed").format(name=runtime_name(name)))

    def cancel(self) -> None:
        """Cancel the running operation."""
        if self._running is not None:
            self._running.cancel()

    def _run(self, work: Coroutine[object, object, T], *, text: str, on_done: Callable[[T], None]) -> None:
        if self._running is not None:
            work.close()
            return
        self.box.hide_problem()
        self.box.set_busy(text)
        running = self._tasks.run(work, on_done=on_done, on_error=self._on_error)
        if running is not None:
            self._running = running
            running.add_done_callback(self._end)

    def _end(self, _task: asyncio.Task[Any]) -> None:
        self._running = None
        self.box.set_busy("")
        self.refresh()

    def _show_tested_note(self, runtime: Runtime) -> None:
        if runtime.test is None or not runtime.test.works:
            self._toast.show_message(
                tr("“{name}” failed on this computer").format(name=runtime_name(runtime.name))
            )
        else:
            self._toast.show_message(
                tr("“{name}” works on this computer").format(name=runtime_name(runtime.name))
            )

    def _show_used_note(self, name: str) -> None:
        self._on_runtime_changed()
        self._toast.show_message(tr("“{name}” is used from the next load").format(name=runtime_name(name)))

    def _on_error(self, error: FiresideError) -> None:
        self.box.show_problem(error.sentence())
