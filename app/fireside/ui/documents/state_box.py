"""The indexing state of a collection: counts, current activity, problems."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame

from fireside.core.collection import Activity, CollectionState
from fireside.core.i18n import tr
from fireside.ui.documents.documents_text import (
    activity_text,
    fraction,
    offline_text,
    problems_text,
    scans_text,
    searchable_text,
)
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.theme import SPACE_M
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel


class StateBox(QFrame):
    """Shows one ``CollectionState``; the owner connects ``pause_button``, ``problems`` and ``speech``."""

    def __init__(self) -> None:
        super().__init__()
        self.is_paused = False
        self.searchable = Label(tr("Loading…"), role="mute")
        self.problems = Button("", kind="link")
        self.speech = Button(tr("Speech models…"), kind="link")
        """Shown where recordings wait for speech recognition."""
        self.offline = Label(role="warning")
        self.scans = WrappedLabel(role="mute")
        self.activity = ElidedLabel(role="small")
        self.bar = ProgressBar(name=tr("Indexing"))
        self.pause_button = IconButton("pause", name=tr("Pause indexing"), size=16)
        self._progress = boxed(
            row(stretch(column(self.activity, self.bar)), self.pause_button, spacing=SPACE_M)
        )
        self.problem = WrappedLabel(role="warning")
        counts, _ = flow_row(self.searchable, self.problems, self.speech, self.offline, spacing=SPACE_M)
        column(counts, self.scans, self._progress, self.problem, on=self)
        for part in (self.problems, self.speech, self.offline, self.scans, self._progress, self.problem):
            part.hide()

    def show_state(self, state: CollectionState) -> None:
        """Show the indexing state; lines without content are hidden."""
        self.is_paused = state.activity is Activity.PAUSED
        self.searchable.setText(searchable_text(state))
        problems = problems_text(state)
        self.problems.set_label(f"{problems} ›")
        self.problems.setAccessibleName(problems)
        self.problems.setVisible(bool(problems))
        self.speech.setVisible(state.n_unheard > 0)
        self.offline.show_text(offline_text(state))
        self.scans.show_text(scans_text(state))
        activity, done = activity_text(state), fraction(state)
        self.activity.set_full_text(activity)
        self.bar.setVisible(done is not None)
        self.bar.set_fraction(done or 0.0)
        self.pause_button.set_icon("play" if self.is_paused else "pause")
        self.pause_button.set_name(tr("Resume indexing") if self.is_paused else tr("Pause indexing"))
        self._progress.setVisible(bool(activity))
        self.problem.show_text(state.problem)
