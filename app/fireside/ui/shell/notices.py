"""Banners for errors of the whole program, each with the action that helps."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFileDialog, QWidget

from fireside.bridge.client import EngineClient
from fireside.core.about import Release
from fireside.core.errors import ErrorInfo, FileDamaged, FiresideError, NextStep
from fireside.core.events import AppEvent, MessageReplaced
from fireside.core.i18n import tr
from fireside.core.transfer import BackupState
from fireside.settings.values import AppLayer
from fireside.ui.page import Page
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import theme
from fireside.ui.time_text import format_day
from fireside.ui.widgets.banner import Action, BannerArea, Tone
from fireside.ui.widgets.toast import Toast
from fireside.ui.window_context import UPDATE_ROW, Router

_STORAGE = "storage"
_SESSION = "session"
_UPDATE = "update"
_DATA_FOLDER = "folders.data"
READ_ONLY_CODES = frozenset({"storage_read_only", "storage_write_protected"})
"""Why earlier chats can be read, and nothing be written."""
_WARNING_CODES = READ_ONLY_CODES | {
    "storage_locked",
    "settings_damaged",
    "settings_unwritable",
    FileDamaged.code,
}
_CJK_RANGE = range(0x2E80, 0xD7B0)
_EMOJI_RANGE = range(0x1F300, 0x1FB00)
_JOINED_CODES = frozenset({FileDamaged.code, "service_failed"})


class FontHint:
    """Says once that the system has no font for what an answer is written in, as a small Linux may not."""

    def __init__(self, *, toast: Toast) -> None:
        self._toast = toast
        self._was_shown = False

    def handle(self, event: AppEvent) -> None:
        if self._was_shown or not isinstance(event, MessageReplaced):
            return
        metrics = QFontMetrics(theme().ui_font())
        codes = {ord(char) for char in event.message.message.text}
        missing = {code for code in codes if code >= _CJK_RANGE.start and not metrics.inFontUcs4(code)}
        if any(code in _CJK_RANGE for code in missing):
            text = tr("Missing font for Chinese, Japanese, Korean (fonts-noto-cjk)")
        elif any(code in _EMOJI_RANGE for code in missing):
            text = tr("Missing font for emoji (fonts-noto-color-emoji)")
        else:
            return
        self._was_shown = True
        self._toast.show_message(text)


class WindowNotices(QObject):
    """Shows session problems, storage failures, updates, and errors that no other part shows. GUI thread
    only."""

    def __init__(
        self,
        *,
        area: BannerArea,
        toast: Toast,
        client: EngineClient,
        tasks: TaskRunner,
        router: Router,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._area = area
        self._toast = toast
        self._client = client
        self._tasks = tasks
        self._router = router
        self._window = window
        self._joined: dict[str, list[str]] = {}
        """Warnings that are shown together, by their code."""

    def show_session_problem(self, problem: ErrorInfo) -> None:
        """Show why this session cannot save, or not everything."""
        if problem.code in READ_ONLY_CODES:
            # Each attempt to write reports the same code, so that its banner replaces this one.
            self.show_warning(problem)
            return
        if problem.next_step is NextStep.RESTORE_BACKUP:

            def on_listed(state: BackupState) -> None:
                self._show_session(
                    problem, newest=max((each.made_at for each in state.backups), default=None)
                )

            # Without the list, or until it is known, the bar says what is wrong.
            self._tasks.run(self._client.backups.state(), on_done=on_listed, on_error=lambda _: None)
        self._show_session(problem, newest=None)

    def _show_session(self, problem: ErrorInfo, *, newest: float | None) -> None:
        """``newest`` is when the newest backup was made, in seconds since the epoch."""
        lines = [problem.sentence]
        if newest is not None:
            day = format_day(datetime.fromtimestamp(newest).astimezone())
            lines.append(tr("There is a backup of {day}.").format(day=day))
        lines.append(tr("Temporary session: chats are not saved."))
        has_remedy = newest is not None or problem.next_step is not NextStep.RESTORE_BACKUP
        actions = self._actions(problem) if has_remedy else ()
        self._area.show_banner(_SESSION, "\n".join(lines), tone=_tone(problem), actions=actions)

    def show_storage_failure(self, error: ErrorInfo) -> None:
        """Show that saving fails at present."""
        self._area.show_banner(_STORAGE, error.sentence, tone=_tone(error), actions=self._actions(error))

    def show_storage_recovery(self) -> None:
        """Show that saving works again, if a failure was shown."""
        if self._area.has(_STORAGE):
            self._area.remove(_STORAGE)
            self._toast.show_message(tr("Saving works again"))

    def show_update(self, release: Release) -> None:
        """Show that a newer version is available."""
        text = tr("Fireside {version} is available.").format(version=release.version)
        self._area.show_banner(_UPDATE, text, tone=Tone.INFO, actions=((tr("Show"), self._show_updates),))

    def show_error(self, error: FiresideError) -> None:
        """Show an error that no other part of the window shows."""
        self.show_warning(error.info())

    def show_warning(self, info: ErrorInfo) -> None:
        """Show a warning; a later one of the same code replaces it, or joins it where each is about something
        else."""
        text = info.sentence
        if info.code in _JOINED_CODES:
            known = self._joined.setdefault(info.code, [])
            if text not in known:
                known.append(text)
            text = "\n".join(known)
        self._area.show_banner(info.code, text, tone=_tone(info), actions=self._actions(info))

    def choose_data_folder(self) -> QFileDialog:
        """Open a non-modal dialog to choose the data folder."""
        dialog = QFileDialog(self._window, tr("Choose a folder for your data"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._on_folder_chosen)
        dialog.open()
        return dialog

    def _actions(self, error: ErrorInfo) -> tuple[Action, ...]:
        match error.next_step:
            case NextStep.CHOOSE_DATA_FOLDER:
                return ((tr("Choose folder…"), self._on_choose_folder),)
            case NextStep.UPDATE:
                return ((tr("Updates"), self._show_updates),)
            case NextStep.RESTORE_BACKUP:
                return ((tr("Restore backup…"), self._router.show_backups),)
            case NextStep.ADD_COMPONENT:
                return ((tr("Download…"), self._router.show_speech_models),)
            case NextStep.OPEN_SETTINGS | NextStep.OPEN_MODEL_SETTINGS:
                return ((tr("Open settings"), self._open_settings),)
            case _:
                return ()

    def _open_settings(self) -> None:
        self._router.show_page(Page.SETTINGS)

    def _show_updates(self) -> None:
        self._router.show_setting(UPDATE_ROW)

    def _on_choose_folder(self) -> None:
        self.choose_data_folder()

    def _on_folder_chosen(self, path: str) -> None:
        request = self._client.settings.change(AppLayer(), key=_DATA_FOLDER, value=path)
        self._tasks.run(
            request, on_done=lambda _none: self._show_restart_notice(path), on_error=self.show_error
        )

    def _show_restart_notice(self, path: str) -> None:
        text = tr("Data folder changes to {path} after a restart.").format(path=path)
        self._area.show_banner(_SESSION, text, tone=Tone.INFO, actions=((tr("Quit now"), self._router.quit),))


def _tone(error: ErrorInfo) -> Tone:
    return Tone.WARN if error.code in _WARNING_CODES else Tone.DANGER
