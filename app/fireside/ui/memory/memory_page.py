"""The memory page and its controller: suggested facts, and remembered ones by where they hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QWidget

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
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import FolderId
from fireside.core.tools import MEMORY_NAME, AllowEdited, ConsentAnswer
from fireside.ui.kit.file_dialogs import choose_save_path
from fireside.ui.kit.layout import boxed, card, clear, column, make_card, row, stretch
from fireside.ui.kit.sub_page import SearchPage
from fireside.ui.memory.fact_sheet import FactSheet
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S
from fireside.ui.time_text import format_day
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.text import Label, WrappedLabel, breakable, one_line, truncate_text
from fireside.ui.widgets.toast import UNDO
from fireside.ui.window_context import WindowContext

# The controller of the memory page.


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


_MAX_TITLE: Final = 60
"""Characters of a chat's title on a button."""
_FILTERS: Final = (
    (None, tr_noop("All places")),
    (FactScope.EVERYWHERE, tr_noop("Everywhere")),
    (FactScope.PROJECT, tr_noop("Projects")),
    (FactScope.CHAT, tr_noop("Single chats")),
)
_FORMATS: Final = ((FactFormat.MARKDOWN, "Markdown"), (FactFormat.JSON, "JSON"), (FactFormat.CSV, "CSV"))


class MemoryPage(SearchPage):
    """A view: what it shows comes from its controller, which does what its buttons say."""

    def __init__(self, context: WindowContext, *, parent: QWidget | None = None) -> None:
        super().__init__(search=tr("Search facts"), parent=parent)
        self.controller = MemoryController(context, page=self, parent=self)
        self._facts: tuple[RememberedFact, ...] = ()
        self._proposed: tuple[ProposedFact, ...] = ()
        self._offered: list[tuple[str, FolderId]] = []
        """The label and id of each project in the filter."""
        self._chosen: FolderId | None = None
        """A project to show as soon as the filter offers it."""
        self.deletes: list[IconButton] = []
        """The delete button of each fact that is listed."""
        self.search.textChanged.connect(self._show_matching)
        self.filter = ComboBox(name=tr("Where facts hold"))
        for scope, label in _FILTERS:
            self.filter.addItem(tr(label), scope)
        self.filter.currentIndexChanged.connect(self._show_matching)
        self.add = Button(tr("Add fact…"), on_click=self.controller.add)
        self.export = Button(tr("Export"), icon="export")
        menu = Menu(self.export)
        for form, name in _FORMATS:
            menu.addAction(name, partial(self._on_export, form))
        self.export.setMenu(menu)
        self.about = WrappedLabel(
            tr(
                "What models are told where “Remember facts” is on. Facts that hold everywhere are known in "
                "chats that begin later; those of a project or chat at once."
            ),
            role="mute",
        )
        self.empty = EmptyState(
            "brain",
            title=tr("Nothing remembered yet"),
            text=tr(
                "Where “Remember facts” is on, a model suggests some in a chat, and you confirm them. You "
                "can add some here."
            ),
        )
        self.nothing = Label(tr("No matching facts"), role="mute")
        self.suggested = QFrame()
        self._suggestions = column(spacing=SPACE_L)
        make_card(self.suggested, self._suggestions, title=tr("Suggested"))
        self.suggested.hide()
        self._places = column(spacing=SPACE_M)
        self._arrange()

    def _arrange(self) -> None:
        buttons, _ = flow_row(self.filter, self.add, self.export, spacing=SPACE_S)
        body = column(
            self.about,
            self.suggested,
            self.nothing,
            boxed(self._places),
            # In a box, which takes the free height also where there are facts.
            stretch(boxed(column(stretch(self.empty)))),
            spacing=SPACE_L,
        )
        self.arrange(body, tools=buttons)
        self._show_matching()

    @property
    def listed(self) -> tuple[RememberedFact, ...]:
        """The facts that match search and filter."""
        words, wanted = self.search.text().casefold().split(), self.filter.currentData()
        return tuple(
            fact
            for fact in self._facts
            if wanted in (None, fact.place.scope, fact.place.folder_id)
            and all(word in f"{fact.text} {fact.title} {fact.place.name}".casefold() for word in words)
        )

    def show_project(self, folder_id: FolderId) -> None:
        """Show the facts of one project alone; the filter offers it from now on."""
        self._chosen = folder_id
        self.search.clear()
        self._choose()

    def show_places(self, places: Sequence[FactPlace]) -> None:
        """Offer the projects in the filter, which stays as it is where that still exists."""
        offered = [(place.label, place.folder_id) for place in places if place.folder_id is not None]
        if offered != self._offered:
            self._offered = offered
            current = self.filter.currentData()
            self.filter.blockSignals(True)
            while self.filter.count() > len(_FILTERS):
                self.filter.removeItem(len(_FILTERS))
            for label, folder_id in offered:
                self.filter.addItem(truncate_text(one_line(label), length=_MAX_TITLE), folder_id)
            self.filter.setCurrentIndex(max(0, self.filter.findData(current)))
            self.filter.blockSignals(False)
            self._show_matching()
        self._choose()

    def _choose(self) -> None:
        if (index := self.filter.findData(self._chosen)) >= len(_FILTERS):
            self._chosen = None
            self.filter.setCurrentIndex(index)

    def show_facts(self, facts: tuple[RememberedFact, ...]) -> None:
        """Show the remembered facts, by place."""
        if facts != self._facts:
            had_focus = any(button.hasFocus() for button in self.deletes)
            self._facts = facts
            self._show_matching()
            if had_focus:
                (self.deletes[0] if self.deletes else self.search).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_proposed(self, proposed: Sequence[ProposedFact]) -> None:
        """Show the facts that wait for the user."""
        if tuple(proposed) != self._proposed:
            self._proposed = tuple(proposed)
            clear(self._suggestions)
            for each in proposed:
                self._suggestions.addWidget(self._suggestion(each))
            self.suggested.setVisible(bool(proposed))
            self._show_whether_empty()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.controller.refresh()

    @Slot()
    def _show_matching(self) -> None:
        listed = self.listed
        self.deletes = []
        clear(self._places)
        for label in dict.fromkeys(fact.place.label for fact in listed):
            rows = [self._line(fact) for fact in listed if fact.place.label == label]
            self._places.addWidget(card(*rows, title=label, spacing=SPACE_M))
        self._show_whether_empty()
        self.nothing.setVisible(bool(self._facts) and not listed)
        self.export.setEnabled(bool(listed))

    def _show_whether_empty(self) -> None:
        self.empty.setVisible(not self._facts and not self._proposed)

    def _line(self, fact: RememberedFact) -> QWidget:
        edit = IconButton("pencil", name=tr("Edit fact"), on_click=partial(self.controller.edit, fact))
        delete = IconButton("trash-2", name=tr("Delete fact"), on_click=partial(self.controller.delete, fact))
        for button in (edit, delete):
            button.setAccessibleDescription(fact.text)
        self.deletes.append(delete)
        day = Label(format_day(datetime.fromtimestamp(fact.created_at)), role="small")
        source = self._source(fact.title, partial(self.controller.open_source, fact))
        origin = row(*(() if not fact.title else (source,)), day, stretch(), spacing=SPACE_S)
        texts = column(WrappedLabel(breakable(fact.text)), origin, spacing=0)
        return boxed(row(stretch(boxed(texts)), edit, delete, spacing=SPACE_S))

    def _source(self, title: str, on_click: Callable[[], object]) -> Button:
        source = Button(truncate_text(one_line(title), length=_MAX_TITLE), kind="link", on_click=on_click)
        source.setAccessibleName(tr("Open chat “{title}”").format(title=one_line(title)))
        return source

    def _suggestion(self, fact: ProposedFact) -> QWidget:
        ((_, label), *_others) = scope_choices(proposed=fact.scope, project=fact.project)
        accept = Button(label, kind="primary", on_click=partial(self.controller.accept, fact))
        change = Button(tr("Change…"), on_click=partial(self.controller.review, fact))
        deny = Button(tr("Deny"), kind="quiet", on_click=partial(self.controller.deny, fact))
        for button in (accept, change, deny):
            button.setAccessibleDescription(fact.text)
        warning = tr("Text by others in this chat may have suggested it.") if fact.after_untrusted else ""
        buttons, _ = flow_row(accept, change, deny, spacing=SPACE_S)
        source = self._source(fact.title or tr("New chat"), partial(self.controller.open_proposal, fact))
        return boxed(
            column(
                WrappedLabel(breakable(fact.text)),
                row(source, stretch(), spacing=0),
                WrappedLabel(warning, role="warn") if warning else None,
                buttons,
                spacing=SPACE_S,
            )
        )

    def _on_export(self, form: FactFormat) -> None:
        self.controller.export(form, self.listed)
