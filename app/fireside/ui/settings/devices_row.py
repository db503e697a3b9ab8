"""Row of the settings page about other devices: where they connect, who is paired; the sheet that pairs
one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr, tr_noop
from fireside.core.local_api import ApiToken, DevicesStatus, LocalApiStatus
from fireside.core.pairing import PairingInvite
from fireside.ui.kit.fact_grid import FactGrid
from fireside.ui.kit.file_dialogs import choose_save_path
from fireside.ui.kit.layout import boxed, clear, column, form, in_centre, row, stretch
from fireside.ui.kit.line_fields import line_field
from fireside.ui.kit.sheet import Sheet
from fireside.ui.settings.engine_text import fingerprint_text
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.settings.local_api_row import SCOPES, add_scopes
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.time_text import format_relative_time
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel, one_line
from fireside.ui.window_context import WindowContext

_MAX_NAME_LENGTH: Final = 60
_QUIET: Final = 4
"""Modules of margin around a QR code (ISO/IEC 18004)."""
_MODULE_PX: Final = 4
_CERTIFICATE_NAME: Final = "fireside-certificate.pem"


class QrCode(QWidget):
    """A QR code, dark on light in every theme: not every camera reads the opposite."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[bytes, ...] = ()
        self.setAccessibleName(tr("QR code of the new device"))

    def show_rows(self, rows: tuple[bytes, ...]) -> None:
        """Show these modules."""
        self._rows = rows
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        side = (len(self._rows) + 2 * _QUIET) * _MODULE_PX
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(Qt.GlobalColor.white))
        for y, modules in enumerate(self._rows):
            for x, is_dark in enumerate(modules):
                if is_dark:
                    place = QRectF(
                        (x + _QUIET) * _MODULE_PX, (y + _QUIET) * _MODULE_PX, _MODULE_PX, _MODULE_PX
                    )
                    painter.fillRect(place, QColor(Qt.GlobalColor.black))
        painter.end()


class PairSheet(Sheet):
    """Asks for a device's name and permissions; then shows its QR code, once."""

    def __init__(
        self, on_pair: Callable[[PairSheet, str, tuple[str, ...]], object], *, parent: QWidget
    ) -> None:
        super().__init__(tr("Pair device"), parent=parent)
        self._on_pair_requested = on_pair
        self.name = line_field(tr("Name of the device"), max_length=_MAX_NAME_LENGTH)
        self.name.textChanged.connect(self._on_changed)
        self.scopes = Button(tr("Permissions"))
        self.scopes.setAccessibleName(tr("Permissions of the device"))
        self._scope_actions = add_scopes(self.scopes, self._on_changed)
        self._question = boxed(
            column(
                form((tr("Name of the device"), self.name), horizontal_spacing=SPACE_L),
                row(self.scopes, stretch()),
            )
        )
        self.qr = QrCode()
        self.lines = {
            name: self._line(label)
            for name, label in (
                ("url", tr("Base URL")),
                ("token", tr("Access token")),
                ("fingerprint", tr("Certificate fingerprint")),
                ("link", tr("Link for another Fireside")),
            )
        }
        note = WrappedLabel(
            tr(
                "The code and the lines hold this device’s token: show them to nobody else. They are not "
                "shown again."
            ),
            role="small",
        )
        self._answer = boxed(
            column(
                in_centre(self.qr),
                form(
                    *((line.accessibleName(), self._with_copy(line)) for line in self.lines.values()),
                    horizontal_spacing=SPACE_L,
                ),
                note,
                spacing=SPACE_M,
            )
        )
        self._answer.hide()
        self.pair = self.make_button(tr("Pair"), self._on_pair, kind="primary", is_default=True)
        self.pair.setEnabled(False)
        self.close_button = self.make_button(tr("Close"), self.accept)
        self.set_content(
            self._question,
            self._answer,
            about=tr("Each device gets a token of its own, which you can revoke at any time."),
            buttons=(self.close_button, self.pair),
        )
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_invite(self, invite: PairingInvite) -> None:
        """Show the code of the new device."""
        link = invite.link
        self.qr.show_rows(invite.qr)
        for name, text in (
            ("url", f"{link.address}/v1"),
            ("token", link.token),
            ("fingerprint", link.fingerprint),
            ("link", link.uri),
        ):
            self.lines[name].setText(text)
            self.lines[name].setCursorPosition(0)
        self.show_status("")
        self._question.hide()
        self.pair.hide()
        self._answer.show()
        self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_error(self, error: FiresideError) -> None:
        """Show why no token was made; what was typed stays."""
        self.show_status(error.sentence())
        self._on_changed()

    def _line(self, label: str) -> QLineEdit:
        field = line_field(label, max_length=_MAX_NAME_LENGTH * 100)
        field.setReadOnly(True)
        return field

    def _with_copy(self, field: QLineEdit) -> QWidget:
        copy = Button(tr("Copy"), on_click=lambda: QGuiApplication.clipboard().setText(field.text()))
        copy.setAccessibleName(tr("Copy: {name}").format(name=field.accessibleName()))
        return boxed(row(stretch(field), copy, spacing=SPACE_S))

    def _scopes(self) -> tuple[str, ...]:
        return tuple(scope for scope, action in self._scope_actions.items() if action.isChecked())

    def _on_changed(self) -> None:
        self.pair.setEnabled(bool(self.name.text().strip() and self._scopes()))

    def _on_pair(self) -> None:
        if self.pair.isEnabled():
            self.pair.setEnabled(False)
            self._on_pair_requested(self, self.name.text().strip(), self._scopes())


class DevicesRow(ExtraRow):
    """Shows where other devices connect, and the paired ones."""

    label = tr_noop("Other devices")
    search_terms = tr_noop(
        "other devices phone tablet network lan wifi tls https certificate fingerprint qr code pair paired "
        "revoke mdns"
    )

    def __init__(self, actions: DevicesController) -> None:
        super().__init__()
        self._actions = actions
        self._paired: tuple[ApiToken, ...] | None = None
        self.state = WrappedLabel(role="small")
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.note = WrappedLabel(role="success")
        self.note.hide()
        self.facts = FactGrid()
        self.hint = WrappedLabel(role="small")
        self.pair = Button(tr("Pair device…"), kind="primary", on_click=actions.pair)
        self.save = Button(tr("Save certificate…"), on_click=actions.save_certificate)
        self._buttons, _ = flow_row(self.pair, self.save, spacing=SPACE_S)
        self._lines = column(spacing=SPACE_S)
        self._lines_box = boxed(self._lines)
        column(
            self.titled(self.state, self.error, self.note),
            self.facts,
            self._buttons,
            self._lines_box,
            self.hint,
            spacing=SPACE_M,
            margins=INSIDE,
            on=self,
        )
        self.show_state(LocalApiStatus())

    def show_state(self, status: LocalApiStatus) -> None:
        """Show the state of the listener, and the paired devices."""
        devices = status.devices
        self.state.show_text(_state_text(devices))
        self.error.show_text(devices.problem.sentence if devices.problem is not None else "")
        self.facts.show_facts(_facts(devices))
        self.facts.setVisible(bool(devices.addresses))
        self._buttons.setVisible(devices.is_on)
        self.pair.setEnabled(bool(devices.addresses))
        self.save.setEnabled(bool(devices.fingerprint))
        self.hint.show_text(_hint(devices))
        if status.paired != self._paired:
            self._paired = status.paired
            self._show_paired(status.paired)

    def show_error(self, sentence: str) -> None:
        """Show an error."""
        self.note.hide()
        self.error.show_text(sentence)

    def show_note(self, text: str) -> None:
        """Show what was done."""
        self.note.show_text(text)

    def _show_paired(self, paired: tuple[ApiToken, ...]) -> None:
        clear(self._lines)
        self._lines_box.setVisible(bool(paired))
        now = datetime.now().astimezone()
        for token in paired:
            name = one_line(token.name)
            revoke = Button(tr("Revoke"), kind="quiet")
            revoke.setAccessibleName(tr("Revoke {name}").format(name=name))
            revoke.clicked.connect(partial(self._actions.revoke, token.id))
            permissions = " · ".join(tr(label) for scope, label in SCOPES.items() if scope in token.scopes)
            seen = (
                tr("Never seen")
                if token.seen_at is None
                else tr("Last seen: {time}").format(time=format_relative_time(token.seen_at, now=now))
            )
            about = column(
                ElidedLabel(name),
                WrappedLabel(" · ".join(filter(None, (seen, token.seen_from))), role="small"),
                WrappedLabel(permissions, role="small"),
                spacing=SPACE_XS,
            )
            self._lines.addWidget(boxed(row(stretch(boxed(about)), revoke, spacing=SPACE_S)))


def _state_text(devices: DevicesStatus) -> str:
    if not devices.is_on:
        return tr(
            "Off: nothing listens on the network. Turn on “{setting}” to use your models from a phone or "
            "another computer."
        ).format(setting=tr("Serve other devices"))
    if devices.addresses:
        return tr(
            "Paired devices connect to {address}, encrypted with this computer’s own certificate."
        ).format(address=devices.address)
    if devices.problem is not None:
        return ""
    return tr("This computer is on no local network. Its address appears here once it is.")


def _facts(devices: DevicesStatus) -> list[tuple[str, str]]:
    listens = ", ".join(f"{each.address} ({one_line(each.interface)})" for each in devices.addresses)
    found = tr("Other Firesides find it under “Look on this network”.") if devices.is_announced else tr("No")
    return [
        (tr("Listens on"), listens),
        (tr("Port"), str(devices.port)),
        (tr("Name"), ", ".join(devices.names)),
        (tr("Certificate fingerprint"), fingerprint_text(devices.fingerprint)),
        (tr("Announced"), found),
    ]


def _hint(devices: DevicesStatus) -> str:
    if not devices.addresses:
        return ""
    return tr(
        "If a device finds nothing, allow Fireside at port {port} (TCP) in this computer’s firewall. Apps "
        "that check certificates need this one installed and trusted on the device. Nothing is offered "
        "without encryption: others on the network could read token and messages."
    ).format(port=devices.port)


class DevicesController(QObject):
    """Owns the row, and keeps it current while it is visible. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._client = context.client
        self._tasks = context.tasks
        self.row = DevicesRow(self)
        self.row.poll(self.refresh)
        self.sheet: PairSheet | None = None
        """The sheet opened last."""

    @task
    async def refresh(self) -> None:
        """Request the state."""
        self.row.show_state(await self._client.local_api.status())

    def pair(self) -> None:
        self.row.note.hide()
        self.sheet = PairSheet(self._on_pair, parent=self._context.window)
        self.sheet.open()

    def save_certificate(self) -> None:
        choose_save_path(
            self._context.window,
            tr("Save certificate"),
            self._save_certificate,
            name=_CERTIFICATE_NAME,
        )

    @task
    async def revoke(self, token_id: str) -> None:
        await self._client.local_api.revoke_token(token_id)
        self.refresh()

    @task
    async def _save_certificate(self, path: str) -> None:
        await self._client.local_api.save_certificate(path)
        self.row.show_note(tr("Saved to {path}").format(path=path))

    def _on_pair(self, sheet: PairSheet, name: str, scopes: tuple[str, ...]) -> None:
        self._pair(sheet, name, scopes)

    @task
    async def _pair(self, sheet: PairSheet, name: str, scopes: tuple[str, ...]) -> None:
        try:
            invite = await self._client.local_api.pair(name, scopes=scopes)
        except FiresideError as error:
            sheet.show_error(error)
            return
        sheet.show_invite(invite)
        self.refresh()

    def _on_error(self, error: FiresideError) -> None:
        self.row.show_error(error.sentence())
