"""Head of a hub model's page: name, facts, licence, and access to it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from fireside.core.discovery import Access, HubModel
from fireside.core.i18n import tr
from fireside.ui.discover.discover_text import (
    PURPOSE_NOTES,
    badges,
    licence_text,
    model_facts,
    owner_of,
)
from fireside.ui.kit.layout import at_top, boxed, card, column, row, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel

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
