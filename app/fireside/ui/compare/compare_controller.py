"""The controller of comparisons: sends a question to several models, shows the answers, keeps one."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from fireside.core.chat import ComparedColumn, Comparison
from fireside.core.events import AppEvent
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import Role
from fireside.core.tool_calls import CallAnswer
from fireside.settings.values import ResolvedSetting
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.commands import Command
from fireside.ui.tasks import Result
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.compare.compare_view import CompareView
    from fireside.ui.compare.setup_sheet import SetupSheet

OnColumnsChosen = Callable[[tuple[ComparedColumn, ...]], None]


class CompareController(QObject):
    """Handles the comparison actions of one chat pane. GUI thread only."""

    def __init__(self, context: WindowContext, *, chat: ChatPane) -> None:
        super().__init__(context.window)
        self._context = context
        self._client = context.client
        self._models = context.models
        self._chat = chat
        self.setup: SetupSheet | None = None
        self.view: CompareView | None = None
        actions = chat.transcript.message_actions
        actions.register(MessageAction.COMPARE, lambda entry: self._compare_again(entry.message.id))
        actions.register(MessageAction.SIDE_BY_SIDE, self._show_side_by_side)
        chat.composer.compare_button.clicked.connect(self.compare)
        context.commands.triggered.connect(self._on_command)
        self._client.frame.connect(self._on_frame)

    # Set-up

    @Slot(object)
    def _on_command(self, command: Command) -> None:
        if command is Command.COMPARE:
            self.compare()

    @Slot()
    def compare(self) -> None:
        """Compare answers to the composer's text, or where that is empty to the last question."""
        text = self._chat.composer.text()
        entries = self._chat.transcript.entries
        if text.strip() or self._chat.attachments.parts:
            self._set_up(text, lambda columns: self._send(text, columns))
        elif entries:
            self._compare_again(entries[-1].message.id)
        else:
            self._context.toast.show_message(tr("Type a message to compare answers"))
            self._chat.focus_composer()

    def _show_side_by_side(self, entry: Entry) -> None:
        self._run(self._client.comparison.open(entry.message.id), self.show)

    def _compare_again(self, message_id: MessageId) -> None:
        messages = [entry.message for entry in self._chat.transcript.entries]
        place = next((place for place, each in enumerate(messages) if each.id == message_id), -1)
        before = (each.message for each in messages[: place + 1][::-1])
        question = next((message.text for message in before if message.role is Role.USER), "")
        self._set_up(question, lambda columns: self._regenerate(message_id, columns))

    def _set_up(self, prompt: str, begin: OnColumnsChosen) -> None:
        """Open the sheet that selects models and settings, which calls ``begin`` with them."""
        model = self._chat.model
        if model is None or model.spec is None:
            self._chat.prompt_for_model()
            return
        model_id = model.spec.id

        def on_read(settings: tuple[ResolvedSetting, ...]) -> None:
            from fireside.ui.compare.setup_sheet import SetupSheet

            self.setup = SetupSheet(
                self._models.usable,
                begin,
                model_id=model_id,
                settings=settings,
                prompt=prompt,
                parent=self._context.window,
            )
            self.setup.finished.connect(self._on_setup_finished)
            self.setup.open()

        self._run(
            self._client.settings.resolved(model_id=model_id, conversation_id=self._chat.conversation_id),
            on_read,
        )

    def _on_setup_finished(self, _code: int) -> None:
        self.setup = None

    def _send(self, text: str, columns: tuple[ComparedColumn, ...]) -> None:
        conversation_id, attached = self._chat.conversation_id, self._chat.attachments.parts

        def on_started(comparison: Comparison) -> None:
            self._chat.send_controller.on_comparison_started(
                text, attached=attached, conversation_id=comparison.conversation_id
            )
            self.show(comparison, columns=columns)

        work = self._client.comparison.ask(
            conversation_id, text=text, columns=columns, attached=attached, draft_id=self._chat.draft_id
        )
        self._run(work, on_started)

    def _regenerate(self, message_id: MessageId, columns: tuple[ComparedColumn, ...]) -> None:
        work = self._client.comparison.answer(message_id, columns=columns)
        self._run(work, lambda comparison: self.show(comparison, columns=columns))

    # Results

    def show(self, comparison: Comparison, *, columns: Sequence[ComparedColumn] = ()) -> None:
        """Show answers side by side."""
        from fireside.ui.compare.column import CompareColumn
        from fireside.ui.compare.compare_view import CompareView

        settings = [column.settings for column in columns] or [{} for _ in comparison.answers]
        views = []
        for answer, own_settings in zip(comparison.answers, settings, strict=True):
            record = answer.generation
            entry = None if record is None else self._models.entry(record.model_id)
            view = CompareColumn(answer, entry=entry, settings=own_settings, open_url=self._context.open_url)
            if record is not None:
                view.set_model_state(self._models.state(record.model_id))
            view.stop.clicked.connect(lambda _checked=False, id_=answer.id: self._stop(id_))
            view.transcript.call_answered.connect(self._on_call_answered)
            views.append(view)
        self.view = CompareView(
            views,
            lambda id_: self._keep(id_, comparison.conversation_id),
            question=comparison.question.message.text,
            parent=self._context.window,
        )
        self.view.finished.connect(self._on_view_finished)
        self.view.open()

    def _on_view_finished(self, _code: int) -> None:
        self.view = None

    def _stop(self, message_id: MessageId) -> None:
        self._run(self._client.comparison.stop(message_id))

    def _on_call_answered(self, message_id: MessageId, call_id: str, answer: CallAnswer) -> None:
        self._run(self._client.tools.answer_call(message_id, call_id, answer))

    def _keep(self, message_id: MessageId, conversation_id: ConversationId) -> None:
        self._run(self._client.branches.choose_branch(message_id))
        if conversation_id == self._chat.conversation_id:
            self._chat.focus_composer()

    @Slot(object)
    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        for event in events:
            if self.view is not None:
                self.view.handle(event)

    def _run(
        self, work: Coroutine[Any, Any, Result], on_done: Callable[[Result], None] | None = None
    ) -> None:
        self._context.tasks.run(work, on_done=on_done, on_error=self._context.show_error)
