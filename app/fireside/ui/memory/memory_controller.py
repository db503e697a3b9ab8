"""The controller of the memory page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from fireside.core.errors import FiresideError
from fireside.core.events import (
    AppEvent,
    ConversationChanged,
    ConversationDeleted,
    FactsChanged,
    FoldersChanged,
    MessageReplaced,
)
from fireside.core.facts import (
    EVERYWHERE,
    FactFormat,
    FactPlace,
    FactScope,
    ProposedFact,
    RememberedFact,
    scope_choices,
)
from fireside.core.i18n import tr
from fireside.core.tools import MEMORY_NAME, AllowEdited, ConsentAnswer
from fireside.ui.kit.file_dialogs import choose_save_path
from fireside.ui.memory.fact_sheet import FactSheet
from fireside.ui.tasks import task
from fireside.ui.widgets.toast import UNDO
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.memory.memory_page import MemoryPage


class MemoryController(QObject):
    """Reads and changes facts. GUI thread only."""

    def __init__(self, context: WindowContext, *, page: MemoryPage, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._client = context.client.facts
        self._tasks = context.tasks
        self._page = page
        self._places: tuple[FactPlace, ...] = (EVERYWHERE,)
        self.sheet: FactSheet | None = None

    def handle_in_front(self, event: AppEvent) -> None:
        """Read again what an event may have changed."""
        match event:
            case FactsChanged() | FoldersChanged() | ConversationDeleted() | ConversationChanged():
                self.refresh()
            case MessageReplaced(message=message) if MEMORY_NAME in (
                call.name for call in message.message.tool_calls
            ):
                self.refresh()
            case _:
                pass

    @task
    async def refresh(self) -> None:
        """Request the facts, and where they can hold."""
        self._places = await self._client.places()
        self._page.show_places(self._places)
        self._page.show_facts(await self._client.facts())
        self._page.show_proposed(await self._client.proposed())

    # Facts

    def add(self) -> None:
        """Ask for a fact."""
        self._open(tr("Add fact"), "", self._labelled(()), chosen=EVERYWHERE).submitted.connect(self._add)

    def edit(self, fact: RememberedFact) -> None:
        """Ask for another wording or place of a fact."""
        sheet = self._open(tr("Edit fact"), fact.text, self._labelled((fact.place,)), chosen=fact.place)
        sheet.submitted.connect(lambda text, place: self._change(fact, text, place))

    @task
    async def _add(self, text: str, place: FactPlace) -> None:
        await self._client.add(text, place=place)
        self._close_sheet()

    @task
    async def _change(self, fact: RememberedFact, text: str, place: FactPlace) -> None:
        await self._client.change(fact.id, text=text, place=place)
        self._close_sheet()

    @task
    async def delete(self, fact: RememberedFact) -> None:
        """Delete a fact and offer to undo that."""
        await self._client.forget(fact.id)

        def undo() -> None:
            self._restore(fact)

        self._context.toast.show_message(tr("Fact deleted"), action=tr(UNDO), on_action=undo)

    @task
    async def _restore(self, fact: RememberedFact) -> None:
        await self._client.restore((fact,))

    def export(self, form: FactFormat, facts: Sequence[RememberedFact]) -> None:
        """Ask for a file, and write the facts to it."""
        name = tr("Remembered facts")
        choose_save_path(
            self._page,
            tr("Export facts"),
            lambda path: self._export(path, form, tuple(facts)),
            name=f"{name}.{form.value}",
        )

    @task
    async def _export(self, path: str, form: FactFormat, facts: tuple[RememberedFact, ...]) -> None:
        await self._client.export(path, form=form, facts=facts)
        self._context.toast.show_message(tr("Facts exported"))

    def open_source(self, fact: RememberedFact) -> None:
        """Open the message that a fact is from."""
        if fact.conversation_id is not None:
            self._context.router.open_message(fact.conversation_id, fact.message_id, "")

    # Suggestions

    def open_proposal(self, fact: ProposedFact) -> None:
        """Open the message that suggests a fact."""
        self._context.router.open_message(fact.conversation_id, fact.message_id, "")

    def accept(self, fact: ProposedFact) -> None:
        """Remember a fact as it is suggested."""
        self._answer(fact, AllowEdited(text=fact.text, scope=fact.scope))

    def deny(self, fact: ProposedFact) -> None:
        """Refuse a fact."""
        self._answer(fact, ConsentAnswer.DENY)

    def review(self, fact: ProposedFact) -> None:
        """Ask for another wording or place of a suggested fact."""
        choices = [
            (label, scope) for scope, label in scope_choices(proposed=fact.scope, project=fact.project)
        ]
        sheet = self._open(tr("Change fact"), fact.text, choices, chosen=fact.scope)

        def submit(text: str, scope: FactScope) -> None:
            self._answer(fact, AllowEdited(text=text, scope=scope))
            self._close_sheet()

        sheet.submitted.connect(submit)

    @task
    async def _answer(self, fact: ProposedFact, answer: AllowEdited | ConsentAnswer) -> None:
        await self._context.client.tools.answer_call(fact.message_id, fact.call_id, answer)

    # Internals

    def _labelled(self, own: tuple[FactPlace, ...]) -> list[tuple[str, FactPlace]]:
        return [(place.label, place) for place in dict.fromkeys((*self._places, *own))]

    def _open(
        self, title: str, text: str, choices: Sequence[tuple[str, object]], *, chosen: object
    ) -> FactSheet:
        self.sheet = FactSheet(title, text, choices, chosen=chosen, parent=self._page)
        self.sheet.finished.connect(self._forget_sheet)
        self.sheet.open()
        return self.sheet

    def _forget_sheet(self) -> None:
        self.sheet = None

    def _close_sheet(self) -> None:
        if self.sheet is not None:
            self.sheet.accept()

    def _on_error(self, error: FiresideError) -> None:
        if self.sheet is not None:
            self.sheet.show_status(error.sentence())
        else:
            self._page.show_problem(error.sentence())
