"""Add MCP servers by form or from another application's configuration, and confirm the exact commands."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from fireside.core.errors import FiresideError, SecretsError, ToolServerInvalid
from fireside.core.graphemes import with_invisible_named
from fireside.core.i18n import tr
from fireside.core.secret_location import SecretLocation
from fireside.core.tool_servers import (
    BundleQuestion,
    NewServer,
    QuestionKind,
    ServerBundle,
    ToolServer,
    downloader,
    starts_container,
)
from fireside.settings.secrets import KeepIn
from fireside.settings.server_bundles import bundled_server
from fireside.settings.server_shapes import read_servers, server_name
from fireside.ui.kit.file_dialogs import choose_file
from fireside.ui.kit.layout import at_left, boxed, clear, column, form, long_form, stacked, stretch
from fireside.ui.kit.line_fields import line_field, secret_field
from fireside.ui.kit.path_list import PathList
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import SPACE_L, SPACE_M
from fireside.ui.tool_servers.grants_form import GrantsForm, few_lines
from fireside.ui.tool_servers.server_text import access_text, unpinned_text
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.text import Label, NameLabel, WrappedLabel

_MAX_VALUE_LENGTH: Final = 100_000


class BundleForm(QWidget):
    """Empty until a file has been selected and read."""

    def __init__(self, on_chosen: Callable[[str], None]) -> None:
        """``on_chosen`` reads a file and calls ``show_bundle``."""
        super().__init__()
        self._on_chosen = on_chosen
        self.bundle: ServerBundle | None = None
        self.fields: dict[str, QLineEdit | CheckBox | PathList] = {}
        self.choose = Button(tr("Choose file…"), icon="file-plus", on_click=self._on_choose)
        self._about = column(spacing=SPACE_M)
        column(at_left(self.choose), boxed(self._about), stretch(), spacing=SPACE_M, on=self)

    def show_bundle(self, bundle: ServerBundle) -> None:
        """Show what a bundle declares, with a field for each value that is not secret."""
        self.bundle = bundle
        self.fields = {
            question.name: self._field(question) for question in bundle.questions if not question.is_secret
        }
        titles = {question.name: _title(question) for question in bundle.questions}
        clear(self._about)
        self._about.addWidget(Label(with_invisible_named(bundle.title), role="strong"))
        self._about.addWidget(WrappedLabel(_facts(bundle), role="small"))
        lines = long_form(*((titles[name], field) for name, field in self.fields.items()))
        self._about.addWidget(boxed(lines))

    @property
    def answers(self) -> Mapping[str, tuple[str, ...]]:
        """The values entered, by the names of the questions."""
        answers: dict[str, tuple[str, ...]] = {}
        for name, field in self.fields.items():
            match field:
                case PathList():
                    answers[name] = field.paths
                case CheckBox():
                    answers[name] = ("true" if field.isChecked() else "false",)
                case _:
                    answers[name] = (field.text(),) if field.text() else ()
        return answers

    def _field(self, question: BundleQuestion) -> QLineEdit | CheckBox | PathList:
        title = with_invisible_named(question.title)
        field: QLineEdit | CheckBox | PathList
        match question.kind:
            case QuestionKind.FOLDER | QuestionKind.FILE as kind:
                field = PathList(title, of_folders=kind is QuestionKind.FOLDER)
                field.show_paths(tuple(str(Path(path).expanduser()) for path in question.default))
            case QuestionKind.SWITCH:
                field = CheckBox(title)
                field.setChecked(question.default == ("true",))
            case _:
                field = line_field(title, max_length=_MAX_VALUE_LENGTH)
                field.setText(" ".join(question.default))
        field.setToolTip(with_invisible_named(question.description))
        return field

    def _on_choose(self) -> None:
        choose_file(self, tr("Add MCP server"), self._on_chosen, filters=[tr("MCP bundles (*.mcpb *.dxt)")])


def _title(question: BundleQuestion) -> str:
    title = with_invisible_named(question.title)
    return f"{title} *" if question.is_required else title


def _facts(bundle: ServerBundle) -> str:
    facts = " · ".join(filter(None, (bundle.version, bundle.author)))
    notice = tr("The file says this about itself. Nothing in it has run.")
    return "\n".join(with_invisible_named(line) for line in (facts, bundle.description, notice) if line)


FORM, JSON, BUNDLE = "form", "json", "bundle"
_MAX_LENGTH: Final = 200_000
_ADDRESSES: Final = ("https://", "http://")


class AddServerSheet(Sheet):
    """Step one is the input, step two the exact commands; nothing starts before the second is confirmed."""

    def __init__(
        self,
        *,
        on_submitted: Callable[[AddServerSheet, tuple[NewServer, ...]], None],
        on_confirmed: Callable[[AddServerSheet, tuple[NewServer, ...], KeepIn], None],
        on_file: Callable[[AddServerSheet, str], None],
        on_closed: Callable[[], None],
        parent: QWidget,
    ) -> None:
        """The callbacks prepare and add the servers.

        ``on_submitted`` checks servers and calls ``show_prepared``. ``on_confirmed`` adds and starts them and
        stores their values in the given location. ``on_file`` reads a bundle and calls ``show_bundle``.
        ``on_closed`` is called when the sheet closes.
        """
        super().__init__(tr("Add MCP server"), parent=parent)
        self._on_submitted = on_submitted
        self._on_confirmed = on_confirmed
        self._new: tuple[NewServer, ...] = ()
        self.kinds = SegmentedControl(
            ((FORM, tr("Form")), (JSON, tr("JSON")), (BUNDLE, tr("File"))), name=tr("Add by")
        )
        self.name = line_field(tr("Name"), max_length=_MAX_LENGTH, placeholder="time")
        self.command = line_field(
            tr("Command or address"), max_length=_MAX_LENGTH, placeholder="uvx mcp-server-time"
        )
        self.values = few_lines(tr("Variables or headers"), example="API_KEY=…")
        self.grants = GrantsForm()
        self.json = _text_edit(tr("Configuration"), example='{"mcpServers": {…}}')
        self.bundle = BundleForm(lambda path: on_file(self, path))
        self._typed = stacked(self._make_form(), self.json, self.bundle)
        self._confirmation = column(spacing=SPACE_M)
        self._inputs: dict[str, QLineEdit] = {}
        self._networks: dict[str, CheckBox] = {}
        first = boxed(column(self.kinds, stretch(self._typed), self.grants, spacing=SPACE_M))
        self.confirmation = boxed(column(self._confirmation, stretch()))
        self.pages = stacked(first, self.confirmation)
        self.next = self.make_button(tr("Continue"), self._on_next, kind="primary", is_default=True)
        self.back = self.make_button(tr("Back"), self._on_back)
        self.back.hide()
        self.save_to_file = self.make_button(tr("Save to file"), self._on_save_to_file)
        self.save_to_file.hide()
        self.kinds.key_selected.connect(
            lambda kind: self._typed.setCurrentIndex((FORM, JSON, BUNDLE).index(kind))
        )
        for changed in (self.kinds.key_selected, self.command.textChanged):
            changed.connect(self._label_next)
        self.finished.connect(on_closed)
        self.set_content(
            stretch(self.pages),
            about=tr("A program that offers tools to models. Add only servers you trust."),
            buttons=(self.make_cancel(), self.back, self.save_to_file, self.next),
        )
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_prepared(self, servers: Sequence[ToolServer]) -> None:
        """Show exactly what is to be confirmed: whole commands, and what they may access. An address that
        was typed starts nothing here, and is added as it is."""
        if self._has_address and not any(new.inputs for new in self._new):
            self._confirm(SecretLocation.KEYRING)
            return
        clear(self._confirmation)
        self._inputs = {}
        self._networks = {}
        for new, server in zip(self._new, servers, strict=True):
            command = WrappedLabel(server.command_or_url, role="code")
            command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            access = WrappedLabel(_access_text(server), role="small")
            self._confirmation.addWidget(Label(server.name, role="strong"))
            self._confirmation.addWidget(command)
            self._confirmation.addWidget(access)
            if (program := downloader(server.command)) and not server.grants.network:
                self._ask_for_network(server, program, access=access)
            if warning := unpinned_text(server.command):
                self._confirmation.addWidget(WrappedLabel(warning, role="error"))
            for name, question in new.inputs.items():
                field = secret_field(question, max_length=_MAX_LENGTH)
                self._inputs[f"{server.name} {name}"] = field
                self._confirmation.addWidget(boxed(long_form((question, field))))
        self.pages.setCurrentIndex(1)
        self.back.show()
        self.next.set_label(tr("Add and start"))
        self._set_busy(busy=False)
        self.show_status("")

    def _ask_for_network(self, server: ToolServer, program: str, *, access: WrappedLabel) -> None:
        """Ask for what a server cannot start without, which the user may not know."""
        reason = tr("{program} downloads it when it starts, which needs the network.").format(program=program)
        box = CheckBox(tr("Allow network"))
        box.setAccessibleName(tr("Allow {name} the network").format(name=server.name))
        box.toggled.connect(lambda is_on: access.setText(_access_text(server, network=is_on)))
        self._networks[server.name] = box
        self._confirmation.addWidget(WrappedLabel(reason, role="error"))
        self._confirmation.addWidget(box)

    def show_bundle(self, bundle: ServerBundle) -> None:
        """Show what a bundle declares about its server."""
        self.bundle.show_bundle(bundle)
        self.show_status("")

    def show_error(self, error: FiresideError) -> None:
        """Show the error. The input is kept. Where there is no keyring, saving to a file is offered."""
        has_keyring = not isinstance(error, SecretsError)
        hint = "" if has_keyring else tr("“Save to file” keeps the values in a file that is not encrypted.")
        self.show_status(" ".join(filter(None, (error.sentence(), hint))))
        self.save_to_file.setVisible(not has_keyring)
        self._set_busy(busy=False)

    def _make_form(self) -> QWidget:
        return boxed(
            form(
                (tr("Name"), self.name),
                (NameLabel(self.command.accessibleName()), self.command),
                (NameLabel(self.values.accessibleName()), self.values),
                horizontal_spacing=SPACE_L,
            )
        )

    @property
    def _has_address(self) -> bool:
        return self.kinds.selected_key == FORM and self.command.text().strip().startswith(_ADDRESSES)

    @Slot()
    def _label_next(self) -> None:
        self.next.set_label(tr("Add and start") if self._has_address else tr("Continue"))

    @Slot()
    def _on_next(self) -> None:
        self._set_busy(busy=True)
        if self.pages.currentIndex() == 1:
            self._confirm(SecretLocation.KEYRING)
            return
        try:
            self._new = self._read()
        except ToolServerInvalid as exc:
            self.show_error(exc)
            return
        self._on_submitted(self, self._new)

    @Slot()
    def _on_save_to_file(self) -> None:
        self._set_busy(busy=True)
        self._confirm(SecretLocation.FILE)

    def _confirm(self, location: KeepIn) -> None:
        self.show_status(tr("Starting…"), role="small")
        self._on_confirmed(self, tuple(self._with_inputs(new) for new in self._new), location)

    @Slot()
    def _on_back(self) -> None:
        self.save_to_file.hide()
        self.pages.setCurrentIndex(0)
        self.back.hide()
        self._label_next()
        self.show_status("")

    def _read(self) -> tuple[NewServer, ...]:
        """Return the servers that were entered. Raises ``ToolServerInvalid``."""
        grants = self.grants.grants
        if self.kinds.selected_key == BUNDLE:
            if self.bundle.bundle is None:
                raise ToolServerInvalid(reason=tr("choose a file first."))
            return (bundled_server(self.bundle.bundle, self.bundle.answers, grants),)
        if self.kinds.selected_key == JSON:
            servers = read_servers(self.json.toPlainText())
            return tuple(msgspec.structs.replace(new, grants=grants) for new in servers)
        typed = self.command.text().strip()
        values = dict(line.split("=", 1) for line in self.values.toPlainText().splitlines() if "=" in line)
        name = self.name.text().strip()
        if self._has_address:
            return (NewServer(name=name or server_name(typed), url=typed, headers=values, grants=grants),)
        try:
            command_line = shlex.split(typed, posix=sys.platform != "win32")
        except ValueError as exc:
            raise ToolServerInvalid(reason=tr("the command has an open quotation mark.")) from exc
        if not command_line:
            raise ToolServerInvalid(reason=tr("it needs a command or an address."))
        command, *args = command_line
        return (NewServer(name=name, command=command, args=tuple(args), env=values, grants=grants),)

    def _with_inputs(self, new: NewServer) -> NewServer:
        inputs = {name: self._inputs[f"{new.name} {name}"].text() for name in new.inputs}
        network = self._networks.get(new.name)
        grants = msgspec.structs.replace(
            new.grants,
            network=new.grants.network or (network is not None and network.isChecked()),
            without_sandbox=new.grants.without_sandbox or starts_container((new.command, *new.args)),
        )
        return msgspec.structs.replace(new, inputs=inputs, grants=grants)

    def _set_busy(self, *, busy: bool) -> None:
        for button in (self.next, self.back, self.save_to_file):
            button.setEnabled(not busy)


def _access_text(server: ToolServer, *, network: bool = False) -> str:
    grants = msgspec.structs.replace(server.grants, network=server.grants.network or network)
    is_confined = sys.platform == "linux" and not starts_container(server.command)
    return access_text(msgspec.structs.replace(server, grants=grants), is_confined=is_confined)


def _text_edit(name: str, *, example: str = "") -> QPlainTextEdit:
    field = QPlainTextEdit()
    field.setAccessibleName(name)
    field.setPlaceholderText(example)
    field.setTabChangesFocus(True)
    field.setMinimumHeight(44)
    return field
