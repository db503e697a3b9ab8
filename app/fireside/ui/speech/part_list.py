"""The component and the models of speech as rows: what each is, with its download, use and removal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.speech import SpeechTask
from fireside.ui.kit.layout import add, at_left, boxed, card, clear, column, row, stretch
from fireside.ui.kit.removal_confirmation import RemovalConfirmation
from fireside.ui.model_text import SEPARATOR
from fireside.ui.speech.speech_view import SpeechPart, SpeechView
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel

_TEXT_MIN_PX: Final = 220
_MOST_LANGUAGES: Final = 4
_HEADINGS: Final = {
    None: "",
    SpeechTask.RECOGNITION: tr_noop("Speech recognition"),
    SpeechTask.VOICE: tr_noop("Voices"),
}


class _PartRow(QWidget):
    def __init__(self, part: SpeechPart, view: SpeechView, *, has_download: bool) -> None:
        super().__init__()
        self._has_download = has_download
        self.setAccessibleName(part.name)
        self.badge = Label(tr("In use"), role="badge")
        self.facts = WrappedLabel(role="small")
        self.problem = WrappedLabel(role="error")
        self.bar = ProgressBar(name=part.name)
        self.download = self._button(tr("Download"), part, view.download)
        self.cancel = self._button(tr("Cancel"), part, view.cancel)
        self.use = self._button(tr("Use"), part, view.use)
        remove = tr("Remove")
        self.remove = Button(remove)
        self.remove.setAccessibleName(f"{remove}: {part.name}")
        self.confirmation = RemovalConfirmation(
            tr("Remove it from this computer?"),
            remove,
            name=self.remove.accessibleName(),
            remove=self.remove,
            on_confirmed=partial(_call, view.remove, part.id),
            alternatives=(self.use,),
        )
        name = row(ElidedLabel(part.name, role="strong"), self.badge, stretch())
        about = WrappedLabel(part.about, role="body") if part.about else None
        texts = boxed(column(name, about, self.facts, self.problem, spacing=SPACE_XS))
        asked = self.confirmation.parts
        buttons, _ = flow_row(self.use, *asked, self.remove, self.download, self.cancel, spacing=SPACE_S)
        content = ResponsiveRow(texts, buttons, min_first_width=_TEXT_MIN_PX, spacing=SPACE_M)
        column(content, self.bar, spacing=SPACE_XS, margins=(0, SPACE_S), on=self)
        self.confirmation.hide()
        self.show_part(part)

    def show_part(self, part: SpeechPart) -> None:
        is_loading = part.fraction is not None
        focused = self.window().focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        self.bar.set_fraction(part.fraction or 0.0)
        self.bar.setVisible(is_loading)
        self.badge.setVisible(part.is_in_use)
        languages = ", ".join(part.languages[:_MOST_LANGUAGES])
        more = "…" if len(part.languages) > _MOST_LANGUAGES else ""
        self.facts.setText(SEPARATOR.join(text for text in (f"{languages}{more}", part.facts) if text))
        self.problem.show_text(part.problem)
        self.download.setVisible(self._has_download and not part.is_installed and not is_loading)
        self.cancel.setVisible(is_loading)
        can_use = part.is_installed and not is_loading and not part.is_in_use and part.task is not None
        can_remove = part.is_installed and not is_loading
        if not can_remove or self.confirmation.confirm.isHidden():
            self.confirmation.hide()
            self.use.setVisible(can_use and not part.problem)
            self.remove.setVisible(can_remove)
        buttons = (self.download, self.cancel, self.use, self.remove)
        if had_focus and not any(button.hasFocus() for button in buttons):
            next((button for button in buttons if not button.isHidden()), self.download).setFocus()

    def _button(self, label: str, part: SpeechPart, on_click: Callable[[str], object]) -> Button:
        button = Button(label, on_click=partial(_call, on_click, part.id))
        button.setAccessibleName(f"{label}: {part.name}")
        return button


def _call(action: Callable[[str], object], part_id: str) -> None:
    action(part_id)


class PartList(QWidget):
    """The rows of those parts that ``shows`` returns true for."""

    def __init__(
        self, view: SpeechView, *, shows: Callable[[SpeechPart], bool] = lambda _: True, is_whole: bool
    ) -> None:
        """With ``is_whole`` there are headings, and each row has its own button to download it."""
        super().__init__()
        self._view = view
        self._shows = shows
        self._is_whole = is_whole
        self.rows: dict[str, _PartRow] = {}
        self._column = column(spacing=0, on=self)
        view.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        parts = [part for part in self._view.parts if self._shows(part)]
        if list(self.rows) != [part.id for part in parts]:
            clear(self._column)
            self.rows = {}
            before: SpeechTask | None = None
            for part in parts:
                if self._is_whole and part.task is not before and part.task is not None:
                    heading = WrappedLabel(tr(_HEADINGS[part.task]), role="heading")
                    add(self._column, boxed(column(heading, margins=(0, SPACE_M, 0, 0))))
                before = part.task
                self.rows[part.id] = _PartRow(part, self._view, has_download=self._is_whole)
                add(self._column, self.rows[part.id])
        for part in parts:
            self.rows[part.id].show_part(part)


class SpeechSection(QWidget):
    """All parts of speech; by default those for one language."""

    def __init__(self, view: SpeechView) -> None:
        super().__init__()
        self._view = view
        self._has_all = False
        about = tr("Dictate, listen and talk, on this computer alone. Recommended for your language:")
        self.list = PartList(view, shows=self._shows, is_whole=True)
        self.all = Button(tr("Show all languages"), kind="link", on_click=self._show_all)
        column(
            WrappedLabel(about, role="mute"),
            card(self.list),
            at_left(self.all),
            on=self,
        )
        view.refresh()

    def _shows(self, part: SpeechPart) -> bool:
        is_general = part.task is None or part.is_installed or not part.languages
        return self._has_all or is_general or self._view.language in part.languages

    def _show_all(self) -> None:
        self._has_all = True
        self.all.hide()
        self._view.refresh()
