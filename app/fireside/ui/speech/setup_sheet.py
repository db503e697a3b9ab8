"""The sheets for what speech needs: what it lacks, and all there is; with sizes, licences and progress."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.speech.part_list import PartList, SpeechSection
from fireside.ui.speech.speech_view import NEED, SpeechView


class SpeechSetupSheet(Sheet):
    """Downloads the component and the recommended models; then its button begins what was wanted."""

    def __init__(
        self,
        view: SpeechView,
        *,
        need: NEED,
        start: str,
        on_ready: Callable[[], object],
        choose: Callable[[], object],
        parent: QWidget,
    ) -> None:
        """Without ``need``, audio is to be played. ``start`` labels the button that calls ``on_ready``;
        ``choose`` leads to the other models."""
        self._wanted = tuple(part.id for part in view.missing(need))
        title = tr("Speech needs a download|Speech needs %n downloads", "", len(self._wanted))
        if not need:
            title = tr("Playing audio needs a download")
        super().__init__(title, parent=parent)
        self._view = view
        self._on_ready = on_ready
        self._choose = choose
        self.list = PartList(view, shows=lambda part: part.id in self._wanted, is_whole=False)
        self.more = self.make_button(tr("Other models…"), self._on_choose)
        self.more.setVisible(bool(need))
        self.close_button = self.make_close()
        self.start = self.make_button("", self._on_start, kind="primary", is_default=True)
        self._start_label = start
        about = tr("Speech is understood and spoken on this computer alone; no sound leaves it.")
        self.set_content(
            self.list, about=about, buttons=(self.more, stretch(), self.close_button, self.start)
        )
        view.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        parts = [part for part in self._view.parts if part.id in self._wanted]
        is_ready = all(part.is_installed for part in parts)
        is_loading = any(part.fraction is not None for part in parts)
        self.start.set_label(self._start_label if is_ready else tr("Download"))
        self.start.setEnabled(is_ready or not is_loading)

    def _on_start(self) -> None:
        parts = [part for part in self._view.parts if part.id in self._wanted]
        if all(part.is_installed for part in parts):
            for part in parts:
                if part.task is not None and not part.is_in_use:
                    self._view.use(part.id)
            self.accept()
            self._on_ready()
        else:
            for part in parts:
                if not part.is_installed:
                    self._view.download(part.id)

    def _on_choose(self) -> None:
        self.reject()
        self._choose()


class SpeechModelsSheet(Sheet):
    """The component and all models of speech."""

    def __init__(self, view: SpeechView, *, parent: QWidget) -> None:
        super().__init__(tr("Speech models"), parent=parent, size=SheetSize.LARGE)
        self.section = SpeechSection(view)
        self.set_content(self.section, buttons=(self.make_close(is_default=True),))
