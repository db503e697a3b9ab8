"""Keep the line about how a model fits up to date with its settings."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer

from fireside.bridge.hardware_client import LoadPlanClient
from fireside.core.errors import FiresideError
from fireside.core.plan import LoadPlan
from fireside.ui.settings.plan_line import PlanLine
from fireside.ui.settings.scope import Subject
from fireside.ui.tasks import TaskRunner

_PAUSE_MS: Final = 120


class PlanAsking(QObject):
    """Of several questions only the latest is answered. GUI thread only."""

    def __init__(self, line: PlanLine, *, load_plans: LoadPlanClient, tasks: TaskRunner) -> None:
        super().__init__(line)
        self._line = line
        self._load_plans = load_plans
        self._tasks = tasks
        self._subject = Subject()
        self._asked: asyncio.Task[Any] | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._ask)

    def ask(self, subject: Subject) -> None:
        """Settings were read or the subject changed: look again, in a moment."""
        if self._asked is not None:
            self._asked.cancel()
            self._asked = None
        self._subject = subject
        self._line.show_model(subject.model_id, name=subject.model_name)
        self._pause.start()

    def _ask(self) -> None:
        subject = self._subject
        if subject.model_id is None:
            return

        def on_plan(plan: LoadPlan) -> None:
            if subject == self._subject:
                self._line.show_plan(plan, name=subject.model_name)

        def on_error(error: FiresideError) -> None:
            if subject == self._subject:
                self._line.show_problem(error.sentence())

        work = self._load_plans.plan(subject.model_id, conversation_id=subject.conversation_id, changes={})
        self._asked = self._tasks.run(work, on_done=on_plan, on_error=on_error)
