"""The page of one hub model: facts, files with their fit, and the model card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from fireside.core.discovery import Access, CatalogueModel, HubAdvice, HubModel
from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.ui.discover.availability import Availability
from fireside.ui.discover.discover_text import (
    PURPOSE_NOTES,
    badges,
    catalogue_accessible_text,
    licence_text,
    model_facts,
    name_of,
    owner_of,
)
from fireside.ui.discover.offer_note import opens_settings, token_actions
from fireside.ui.discover.quant_table import QuantTable
from fireside.ui.discover.readme import ReadmeView
from fireside.ui.discover.state_pane import OFFLINE_CODES, Action, StateNote, StatePane, error_note
from fireside.ui.downloads.recovery_actions import licence_page
from fireside.ui.kit.layout import at_top, boxed, card, column, destroy, row, space, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS, theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController


class ModelHead(QWidget):
    """Shows the facts, and who may download the model."""

    def __init__(self, model: HubModel, *, actions: DiscoverController, now: datetime) -> None:
        super().__init__()
        self._actions = actions
        self._model = model
        layout = column(self._make_title(), spacing=SPACE_M, on=self)
        if labels := badges(model.found):
            badge_row, _ = flow_row(*(Label(tr(label), role="badge") for label in labels), spacing=SPACE_XS)
            layout.addWidget(badge_row)
        layout.addWidget(self._make_facts(now))
        if note := PURPOSE_NOTES.get(model.found.purpose):
            layout.addWidget(self._make_note("info", tr(note)))
        if model.found.access is Access.GATED:
            layout.addWidget(self._make_gate())

    def _make_title(self) -> QHBoxLayout:
        self.on_hub = Button(tr("Open on Hugging Face"), icon="external-link", kind="quiet")
        self.on_hub.clicked.connect(lambda: self._actions.open_link(self._model.address))
        return row(
            stretch(ElidedLabel(tr("by {owner}").format(owner=owner_of(self._model.repo)), role="mute")),
            self.on_hub,
            spacing=SPACE_M,
        )

    def _make_facts(self, now: datetime) -> QWidget:
        facts, line = flow_row(spacing=SPACE_L)
        line.addWidget(self._make_licence())
        for name, value in model_facts(self._model, now=now):
            line.addWidget(_fact(name, ElidedLabel(value, role="strong")))
        return facts

    def _make_licence(self) -> QWidget:
        text = licence_text(self._model.found.licence) or tr("Not specified")
        self.licence: QWidget = ElidedLabel(text, role="strong")
        if self._model.licence_address:
            link = Button(text, kind="link")
            link.setAccessibleName(tr("Read licence: {words}").format(words=text))
            link.clicked.connect(lambda: self._actions.open_link(self._model.licence_address))
            self.licence = link
        return _fact(tr("Licence"), self.licence)

    def _make_gate(self) -> QFrame:
        owner = owner_of(self._model.repo)
        if self._model.has_access:
            return self._make_note(
                "check",
                tr("Gated by {owner}; you have access.").format(owner=owner),
            )
        text = tr(
            "Gated model: accept {owner}’s terms on the model’s page, then set an access token "
            "in the settings."
        ).format(owner=owner)
        buttons, line = flow_row(spacing=SPACE_S)
        self.accept = Button(tr("Open licence page"), icon="external-link")
        self.accept.clicked.connect(lambda: self._actions.open_link(self._model.address))
        self.token = Button(tr("Set access token"), icon="settings")
        self.token.clicked.connect(self._actions.open_hub_settings)
        line.addWidget(self.accept)
        line.addWidget(self.token)
        return self._make_note("lock", text, buttons)

    def _make_note(self, icon: str, text: str, *below: QWidget) -> QFrame:
        picture = Picture(icon, size=16)
        return card(row(at_top(picture), stretch(WrappedLabel(text, role="body"))), *below)


def _fact(name: str, value: QWidget) -> QWidget:
    return boxed(column(Label(name, role="small"), value, spacing=2))


_NARROW: Final = 880
"""Width in pixels below which each file is shown in two lines."""


class ModelPage(QWidget):
    """Shows a model of the hub, or why it cannot be shown."""

    def __init__(self, actions: DiscoverController, *, go_back: Callable[[], None]) -> None:
        super().__init__()
        self._actions = actions
        self._go_back = go_back
        self.model: HubModel | None = None
        """The model shown; ``None`` while it is loading."""
        self.has_failed = False
        """Whether an error is shown in place of a model."""
        self.head: ModelHead | None = None
        self.table: QuantTable | None = None
        self.readme: ReadmeView | None = None
        self._scroll = PageScroll()
        self.state = StatePane(self._scroll)
        column(self._make_top(), stretch(self.state), spacing=0, on=self)
        theme().changed.connect(self._fold)

    def focus_back_button(self) -> None:
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _show_name(self, name: str) -> None:
        self.name.set_full_text(name)
        self.setWindowTitle(name)

    def show_loading(self, name: str) -> None:
        self._clear()
        self._show_name(one_line(name))
        self.state.show_note(StateNote(icon="box", title=tr("Loading {name}…").format(name=one_line(name))))

    def show_error(self, name: str, error: ErrorInfo, *, known: CatalogueModel | None = None) -> None:
        """Show why the model ``name`` cannot be shown, and what the catalogue knows of it."""
        self._clear()
        self.has_failed = True
        self._show_name(one_line(name))
        actions: list[Action] = []
        if page := licence_page(error):
            actions.append((tr("Open licence page"), lambda: self._actions.open_link(page)))
        if opens_settings(error):
            actions.append((tr("Open settings"), self._actions.open_hub_settings))
        actions += token_actions(error, self._actions, again=self._actions.reopen_model)
        if error.retryable or error.code == "hub_offline":
            actions.append((tr("Try again"), self._actions.reopen_model))
        if error.code in OFFLINE_CODES:
            actions.append((tr("Add a file you have…"), self._actions.add_own_files))
        actions.append((tr("Back"), self._go_back))
        note = error_note(error, title=tr("Model unavailable"))
        if known is not None:
            text = f"{catalogue_accessible_text(known)}\n\n{error.sentence}"
            note = StateNote(icon=note.icon, title=known.name, text=text)
        self.state.show_note(note, actions=actions)

    def show_model(self, model: HubModel, *, now: datetime) -> None:
        """Show the model; the advice follows later."""
        self._clear()
        self.model = model
        self._show_name(name_of(model.repo))
        self.head = ModelHead(model, actions=self._actions, now=now)
        self.table = QuantTable(model, actions=self._actions)
        layout = column(self.head, space(SPACE_S), self.table, spacing=SPACE_M)
        if model.card.strip():
            layout.addSpacing(SPACE_L)
            layout.addWidget(Label(tr("Model card"), role="heading"))
            self.readme = ReadmeView(self._actions.open_link)
            layout.addWidget(self.readme)
        layout.addStretch()
        self._scroll.setWidget(centred(layout, bottom=SPACE_XL, in_page_scroll=True))
        self._scroll.verticalScrollBar().setValue(0)
        self.state.show_content()
        self._fold()
        if self.readme is not None:
            self.readme.set_card(model.card)

    def show_advice(self, advice: HubAdvice) -> None:
        if self.table is not None:
            self.table.show_advice(advice)

    def show_no_advice(self, error: ErrorInfo) -> None:
        """Show that it is unknown which file fits; all can still be downloaded."""
        if self.table is not None:
            self.table.show_no_advice(error)

    def show_availability(
        self,
        availability: Mapping[str, Availability],
        *,
        requested: frozenset[str],
        problems: Mapping[str, ErrorInfo],
    ) -> None:
        """Show the availability of each file, by its path."""
        if self.table is not None:
            self.table.show_availability(availability, requested=requested, problems=problems)

    def _make_top(self) -> QWidget:
        self.back = IconButton("arrow-left", name=tr("Back"), on_click=self._go_back)
        self.name = ElidedLabel(role="title")
        return centred(row(self.back, stretch(self.name)), top=SPACE_M, bottom=SPACE_S)

    def _fold(self) -> None:
        # Measured here: a row never gets narrower than the minimum width of its widgets.
        if self.table is not None:
            self.table.fold(folded=self.width() < theme().scaled(_NARROW))

    def _clear(self) -> None:
        self.model, self.head, self.table, self.readme = None, None, None, None
        self.has_failed = False
        if (content := self._scroll.takeWidget()) is not None:
            destroy(content)
