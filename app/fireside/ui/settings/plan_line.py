"""One line that says whether a model fits with the current settings."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.core.plan import LoadPlan
from fireside.core.remote import is_remote
from fireside.ui.kit.layout import row, stretch
from fireside.ui.loading.load_text import VERDICT_TINTS, short_verdict
from fireside.ui.settings.scope import Subject
from fireside.ui.theme import SPACE_L, SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.picture import Dot
from fireside.ui.widgets.text import WrappedLabel, one_line
from fireside.ui.window_context import WindowContext

_PAUSE_MS: Final = 120


class PlanLine(QWidget):
    """Requests the load plan of the latest subject; hidden without a model of this computer."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._subject = Subject()
        self._request: asyncio.Task[Any] | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._request_plan)
        self._dot = Dot(tint="dim")
        self.text = WrappedLabel(role="body")
        self.details = Button(tr("Load settings…"), kind="link")
        self.details.clicked.connect(self._show_details)
        row(self._dot, stretch(self.text), self.details, margins=(SPACE_L, SPACE_S), on=self)
        self.hide()

    def show_subject(self, subject: Subject) -> None:
        """Request the plan again after a pause: settings or subject have changed."""
        if subject.model_id is not None and is_remote(subject.model_id):
            subject = Subject()
        if self._request is not None:
            self._request.cancel()
            self._request = None
        if subject.model_id != self._subject.model_id:
            self._show("", tint="dim")
        self._subject = subject
        self.details.setAccessibleName(
            tr("Load settings of {name}").format(name=one_line(subject.model_name))
        )
        self.setVisible(subject.model_id is not None)
        self._pause.start()

    def _request_plan(self) -> None:
        subject = self._subject
        if subject.model_id is None:
            return

        def on_plan(plan: LoadPlan) -> None:
            if subject == self._subject:
                verdict = short_verdict(plan)
                text = f"{one_line(subject.model_name)} {verdict[0].lower()}{verdict[1:]}"
                text = "; ".join((text, *plan.notes))
                self._show(text, tint=VERDICT_TINTS[plan.verdict])

        def on_error(error: FiresideError) -> None:
            if subject == self._subject:
                self._show(error.sentence(), tint="dim")

        work = self._context.client.load_plans.plan(
            subject.model_id, conversation_id=subject.conversation_id, changes={}
        )
        self._request = self._context.tasks.run(work, on_done=on_plan, on_error=on_error)

    def _show(self, text: str, *, tint: str) -> None:
        self._dot.set_tint(tint)
        self.text.setText(text)

    def _show_details(self) -> None:
        if self._subject.model_id is not None:
            self._context.router.show_load_details(self._subject.model_id)
