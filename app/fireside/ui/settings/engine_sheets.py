"""Sheets to add an engine, to choose the models it offers, and to change its key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.core.pairing import FoundFireside, parse_pairing_link
from fireside.core.remote import KIND_WORDS, NewEngine, RemoteEngine, ServerKind
from fireside.ui.kit.layout import at_left, boxed, clear, column, form
from fireside.ui.kit.line_fields import line_field, secret_field
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.settings.engine_text import fingerprint_text, model_text
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import Label, WrappedLabel, one_line

_LIST_PX: Final = 120
"""Width in pixels of a drop-down list, however long its entries are."""
_MAX_LENGTH: Final = 2000
_MAX_ROWS: Final = 200
"""More models than this are found by search only."""


_line = partial(line_field, max_length=_MAX_LENGTH)


class AddEngineSheet(Sheet):
    """Asks for address, key and name of an engine; stays open until the engine has answered."""

    def __init__(
        self,
        on_add: Callable[[AddEngineSheet, NewEngine], object],
        on_closed: Callable[[], object],
        *,
        parent: QWidget,
        found: FoundFireside | None = None,
    ) -> None:
        """``found`` is what was announced on the network, to be filled in."""
        super().__init__(tr("Add model server"), parent=parent)
        self._on_add_requested = on_add
        optional = tr("Optional")
        self.address = _line(tr("Address"), placeholder="https://gpu.example.org:8000")
        self.address.setToolTip(tr("A URL, or the link of another Fireside"))
        self.dialect = ComboBox(name=tr("API"))
        self.dialect.setMinimumWidth(_LIST_PX)
        self.dialect.addItems([tr("OpenAI-compatible"), KIND_WORDS[ServerKind.ANTHROPIC]])
        self.key = secret_field(tr("API key"), max_length=_MAX_LENGTH, placeholder=optional)
        self.name = _line(tr("Name"), placeholder=optional)
        self.fingerprint = _line(tr("Certificate fingerprint"), placeholder="SHA-256")
        self.ca_file = _line(tr("Certificate file"), placeholder=optional)
        self.plain = CheckBox(tr("Send unencrypted within my network"))
        self.plain.hide()
        self.more = Button(tr("Advanced settings"), kind="link", on_click=self._on_more)
        self._advanced = boxed(
            form(
                (tr("Certificate fingerprint"), self.fingerprint),
                (tr("Certificate file"), self.ca_file),
                horizontal_spacing=SPACE_L,
            )
        )
        self._advanced.hide()
        self.add = self.make_button(tr("Add"), self._on_add, kind="primary", is_default=True)
        self.add.setEnabled(False)
        self.address.textChanged.connect(self._on_typed)
        self.finished.connect(on_closed)
        fields = form(
            (tr("Address"), self.address),
            (tr("API"), self.dialect),
            (tr("API key"), self.key),
            (tr("Name"), self.name),
            horizontal_spacing=SPACE_L,
        )
        self.set_content(
            fields,
            self.plain,
            at_left(self.more),
            self._advanced,
            about=_about(found),
            buttons=(self.make_cancel(), self.add),
        )
        if found is not None:
            self._fill(found.address, name=found.name, fingerprint=found.fingerprint)
            label = tr("Certificate fingerprint")
            self.show_status(f"{label}: {fingerprint_text(found.fingerprint)}", role="small")
        self.address.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_error(self, error: FiresideError) -> None:
        """Show why the engine was not added; the input stays."""
        self.plain.setVisible(error.code == "remote_not_encrypted" or not self.plain.isHidden())
        self.show_status(error.sentence())
        self._set_busy(busy=False)

    def _fill(self, address: str, *, name: str, fingerprint: str, key: str = "") -> None:
        """Fill in another Fireside, with its fingerprint in sight."""
        self.address.setText(address)
        self.name.setText(name)
        self.fingerprint.setText(fingerprint)
        self.fingerprint.setCursorPosition(0)
        if key:
            self.key.setText(key)
        self._advanced.show()

    def _on_typed(self) -> None:
        if (link := parse_pairing_link(self.address.text())) is not None:
            self._fill(link.address, name=link.name, fingerprint=link.fingerprint, key=link.token)
            self.show_status(
                tr("Filled in from the link of {name}").format(name=one_line(link.name)), role="small"
            )
            return
        self.plain.setChecked(False)  # it was confirmed for another address
        self.plain.hide()
        self.show_status("")
        self._set_busy(busy=False)

    def _on_more(self) -> None:
        self._advanced.setVisible(self._advanced.isHidden())

    def _on_add(self) -> None:
        self.show_status(tr("Checking…"), role="small")
        self._set_busy(busy=True)
        new = NewEngine(
            address=self.address.text(),
            name=self.name.text(),
            key=self.key.text(),
            allows_plain=self.plain.isChecked(),
            fingerprint=self.fingerprint.text(),
            ca_file=self.ca_file.text(),
            is_anthropic=self.dialect.currentIndex() == 1,
        )
        self._on_add_requested(self, new)

    def _set_busy(self, *, busy: bool) -> None:
        self.add.setEnabled(not busy and bool(self.address.text().strip()))


def _about(found: FoundFireside | None) -> str:
    if found is None:
        return tr(
            "A server with an OpenAI-compatible API, such as vLLM, SGLang, llama-server, LM Studio, "
            "Ollama or another Fireside, or a provider. Messages are sent there only when you choose one "
            "of its models."
        )
    return tr(
        "On {name}, open Settings → Local API → Other devices → Pair device. Paste its link as "
        "address, or its access token as API key, and compare the certificate fingerprint: anyone on the "
        "network can announce a name."
    ).format(name=one_line(found.name))


class _ModelListSheet(Sheet):
    """A searchable list of models."""

    def __init__(self, title: str, names: Sequence[str], *, about: str, parent: QWidget) -> None:
        super().__init__(title, parent=parent)
        self._names = names
        self.filter = SearchField(tr("Search models"))
        self.filter.textChanged.connect(self._rebuild)
        self._list = column(spacing=SPACE_M)
        self._body = boxed(self._list)
        self.close_button = self.make_close(is_default=True)
        self.set_content(
            self._body,
            above=self.filter,
            about=about,
            buttons=(self.close_button,),
        )

    def _rebuild(self) -> None:
        clear(self._list)
        terms = self.filter.text().casefold().split()
        matching = [name for name in self._names if all(term in name.casefold() for term in terms)]
        for name in matching[:_MAX_ROWS]:
            self._list.addWidget(self._row(name))
        if len(matching) > _MAX_ROWS:
            more = tr("{count} more; type to filter").format(count=len(matching) - _MAX_ROWS)
            self._list.addWidget(Label(more, role="small"))
        boxes = (box for box in self._body.findChildren(CheckBox) if not box.isHidden())
        for first, second in pairwise((self.filter, *boxes, self.close_button)):
            QWidget.setTabOrder(first, second)

    def _row(self, name: str) -> QWidget:
        raise NotImplementedError


class ModelsSheet(_ModelListSheet):
    """Checkboxes for the models of an engine; each change is applied at once."""

    def __init__(
        self,
        engine: RemoteEngine,
        on_allowed: Callable[[str, bool], object],
        *,
        parent: QWidget,
    ) -> None:
        super().__init__(
            tr("Models of {name}").format(name=one_line(engine.name)),
            [model.name for model in engine.models],
            about=tr("Ticked models appear in the list of models."),
            parent=parent,
        )
        self._models = {model.name: model for model in engine.models}
        self._is_allowed = {model.name: model.is_allowed for model in engine.models}
        self._on_allowed = on_allowed
        self.boxes: dict[str, CheckBox] = {}
        self._rebuild()

    def _row(self, name: str) -> QWidget:
        about = model_text(self._models[name])
        box = CheckBox(name)
        box.setChecked(self._is_allowed[name])
        box.setAccessibleDescription(about)
        box.toggled.connect(lambda is_on: self._on_toggled(name, is_on))
        self.boxes[name] = box
        return boxed(column(box, WrappedLabel(about, role="small"), spacing=SPACE_XS))

    def _on_toggled(self, name: str, is_on: bool) -> None:
        self._is_allowed[name] = is_on
        self._on_allowed(name, is_on)


class KeySheet(Sheet):
    """Asks for another API key of an engine."""

    def __init__(self, engine: RemoteEngine, on_save: Callable[[str], object], *, parent: QWidget) -> None:
        title = tr("API key of {name}").format(name=one_line(engine.name))
        super().__init__(title, parent=parent, size=SheetSize.SMALL)
        self._on_save_requested = on_save
        self.key = secret_field(tr("API key"), max_length=_MAX_LENGTH)
        self.save = self.make_button(tr("Save"), self._on_save, kind="primary", is_default=True)
        self.set_content(self.key, buttons=(self.make_cancel(), self.save))
        self.key.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_save(self) -> None:
        if key := self.key.text().strip():
            self.accept()
            self._on_save_requested(key)
