"""Moving the library to another folder: confirmation, progress, result."""

from __future__ import annotations

from typing import assert_never

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QFrame

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.library import MovePhase, MoveProgress, MoveResult
from fireside.ui.kit.file_dialogs import choose_folder
from fireside.ui.kit.layout import make_card, row, stretch
from fireside.ui.library.check_results import CheckResults, Move
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.theme import SPACE_L, SPACE_M
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

_MAX_NAMED = 3


class MovePanel(QFrame):
    """A card that shows the button to move, then a confirmation, a progress bar, a result."""

    def __init__(self, *, check_results: CheckResults, library: LibraryController) -> None:
        super().__init__()
        self.setAccessibleName(tr("Move library"))
        self._check_results = check_results
        self._library = library
        self._pending_folder = ""
        self.title = Label(tr("Download location"), role="heading")
        self.text = WrappedLabel(role="body")
        self.bar = ProgressBar(name=tr("Progress"))
        self.file = ElidedLabel(role="small")
        self.choose = Button(tr("Move library…"), icon="hard-drive")
        self.choose.clicked.connect(self.choose_folder)
        self.start = Button(tr("Move"), kind="primary", on_click=self._on_start)
        self.cancel = Button(tr("Cancel"), on_click=self._on_cancel)
        self.done = Button(tr("Done"), on_click=check_results.clear_move)
        make_card(
            self,
            self.title,
            self.text,
            self.bar,
            self.file,
            row(self.choose, self.start, self.cancel, self.done, stretch()),
            margins=(SPACE_L, SPACE_M, SPACE_L, SPACE_L),
        )
        self._folder = ""
        check_results.move_changed.connect(self._show)
        self._show()

    def show_folder(self, path: str) -> None:
        """Show the current folder of the library."""
        self._folder = path
        self._show()

    @Slot()
    def choose_folder(self) -> QFileDialog:
        """Open a dialog to choose the new folder."""
        return choose_folder(self, tr("Move library to"), self.confirm)

    @Slot(str)
    def confirm(self, folder: str) -> None:
        """Ask the user to confirm a move to ``folder``."""
        self._pending_folder = folder
        self._show()

    @Slot()
    def _show(self) -> None:
        move = self._check_results.move
        is_running = move is not None and move.is_running
        is_over = move is not None and not move.is_running
        is_asking = bool(self._pending_folder) and not is_running
        self.choose.setVisible(bool(self._folder) and move is None and not is_asking)
        self.start.setVisible(is_asking)
        self.cancel.setVisible(is_asking or is_running)
        self.done.setVisible(is_over and not is_asking)
        self.bar.setVisible(is_running)
        progress = move.progress if move is not None and is_running else None
        self.file.setVisible(progress is not None and bool(progress.file_name))
        if progress is not None:
            self.bar.set_fraction(move_fraction(progress))
            self.file.set_full_text(progress.file_name)
        elif is_running:
            self.bar.set_fraction(0)
        if is_asking:
            self.text.setText(
                tr(
                    "All library models are copied to {asked} and verified before the originals "
                    "are removed. Models from other apps stay in place."
                ).format(asked=one_line(self._pending_folder))
            )
        elif move is not None:
            self.text.setText(move_text(move))
        elif self._folder:
            self.text.setText(
                tr(
                    "Downloaded models are stored in {folder}. You can move them to another folder or drive."
                ).format(folder=one_line(self._folder))
            )
        else:
            self.text.setText(tr("Nothing to move: no models downloaded yet."))

    def _on_start(self) -> None:
        folder, self._pending_folder = self._pending_folder, ""
        self._library.move(folder)
        self._show()

    def _on_cancel(self) -> None:
        if self._pending_folder:
            self._pending_folder = ""
            self._show()
        else:
            self._library.cancel_move()


def move_fraction(progress: MoveProgress) -> float:
    """Return the progress from 0 to 1; bytes count twice, once copied and once verified."""
    return progress.n_bytes_done / (2 * progress.n_bytes) if progress.n_bytes else 0.0


def move_text(move: Move) -> str:
    """Return the progress of a move, or its result."""
    folder = one_line(move.folder) or tr("the new folder")
    if move.is_running:
        return _progress_text(move.progress, folder=folder)
    if move.error is not None:
        return move.error.sentence
    if move.result is not None:
        return _result_text(move.result)
    return tr("Move cancelled; nothing changed.")


def _progress_text(progress: MoveProgress | None, *, folder: str) -> str:
    if progress is None:
        return tr("Preparing to move to {folder}…").format(folder=folder)
    match progress.phase:
        case MovePhase.COPYING | MovePhase.CHECKING:
            if progress.phase is MovePhase.COPYING:
                text = tr("Copying: {n_done} of {n_files} files, {done} of {all}.")
            else:
                text = tr("Verifying copies: {n_done} of {n_files} files, {done} of {all}.")
            return text.format(
                n_done=number(progress.n_files_done),
                n_files=number(progress.n_files),
                done=format_bytes(round(progress.n_bytes_done / 2)),
                all=format_bytes(progress.n_bytes),
            )
        case MovePhase.REMOVING:
            return tr("Moved to {folder}. Removing old files…").format(folder=folder)
        case _:
            assert_never(progress.phase)


def _result_text(result: MoveResult) -> str:
    text = tr(
        "Library moved to {folder}: %n file, {size}.|Library moved to {folder}: %n files, {size}.",
        "",
        result.n_files,
    ).format(folder=one_line(result.folder), size=format_bytes(result.n_bytes))
    if not result.left_behind:
        return text
    named = ", ".join(one_line(path) for path in result.left_behind[:_MAX_NAMED])
    more = len(result.left_behind) - _MAX_NAMED
    if more > 0:
        named = tr("{names} and %n more|{names} and %n more", "", more).format(names=named)
    left = tr("Some old files could not be removed: {names}.").format(names=named)
    return f"{text} {left}"
