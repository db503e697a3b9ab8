"""Other devices on the settings page: where they connect, pairing with a QR code, revoking."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.window import window_context
from fireside.core.errors import FiresideError
from fireside.core.local_api import ApiCall, ApiFailure, DeviceAddress, DevicesStatus
from fireside.core.pairing import FoundFireside, parse_pairing_link
from fireside.services.collections.collection_service import CollectionService
from fireside.services.local_api import LocalApiParts, RunningApi
from fireside.services.service_context import ServiceContext
from fireside.settings.api_tokens import ApiTokens
from fireside.settings.values import AppLayer
from fireside.ui.settings.devices_row import DevicesController
from fireside.ui.settings.engine_sheets import AddEngineSheet
from fireside.ui.tasks import TaskRunner

ON = DevicesStatus(
    is_on=True,
    port=3474,
    addresses=(
        DeviceAddress(interface="wlan0", address="192.168.1.5"),
        DeviceAddress(interface="eth0", address="10.0.0.2"),
    ),
    names=("desk.local",),
    fingerprint="0123abcd" * 8,
    is_announced=True,
)


class FakeServer:
    """Stands for a server: it listens nowhere."""

    address = ""
    device_pem = "-----BEGIN CERTIFICATE-----\n"

    def __init__(self) -> None:
        self.status = ON
        self.ended: list[str] = []

    def devices(self) -> DevicesStatus:
        return self.status

    def calls(self) -> tuple[ApiCall, ...]:
        return ()

    def failures(self) -> tuple[ApiFailure, ...]:
        return ()

    async def end_client(self, token_id: str) -> None:
        self.ended.append(token_id)

    async def stop(self) -> None:
        pass


class Scene:
    """The row with its controller, over a client in memory."""

    def __init__(self, qtbot: QtBot, *, folder: Path, tasks: TaskRunner) -> None:
        self.client = AppClient()
        self.server = FakeServer()
        self.tokens = ApiTokens(folder / "tokens.json")
        parts = LocalApiParts(tokens=self.tokens, start=self._start)
        self.client.app.local_api._parts = parts
        self.settled = settled
        self.around = QWidget()
        qtbot.addWidget(self.around)
        context = window_context(self.client, tasks=tasks, window=self.around)
        self.controller = DevicesController(context, parent=self.around)
        self.row = self.controller.row
        QVBoxLayout(self.around).addWidget(self.row)
        self.around.resize(700, 900)
        self.around.show()
        settled()

    async def _start(self, _: ServiceContext, __: CollectionService) -> RunningApi:
        return self.server

    def turn_on(self) -> None:
        self.client.result(self.client.settings.change(AppLayer(), key="api.devices", value=True))
        self.client.result(self.client.app.local_api.follow_settings())
        self.refresh()

    def refresh(self) -> None:
        self.row.shown.emit()
        self.settled()

    def buttons(self, name: str) -> list[QPushButton]:
        return [each for each in self.row.findChildren(QPushButton) if name in each.accessibleName()]


@pytest.fixture
def scene(qtbot: QtBot, tmp_path: Path, tasks: TaskRunner) -> Scene:
    return Scene(qtbot, folder=tmp_path, tasks=tasks)


def test_off_on_and_what_goes_wrong(scene: Scene) -> None:
    assert scene.row.state.text().startswith("Off: nothing listens")
    assert not scene.row.pair.isVisible()
    scene.turn_on()
    assert "https://192.168.1.5:3474" in scene.row.state.text()
    facts = scene.row.facts.facts
    assert facts["Listens on"] == "192.168.1.5 (wlan0), 10.0.0.2 (eth0)"
    assert facts["Certificate fingerprint"].replace(" ", "") == ON.fingerprint
    assert scene.row.pair.isEnabled()
    problem = FiresideError.of("devices_not_served", reason="Port 3474 is in use.").info()
    scene.server.status = replace(ON, addresses=(), problem=problem)
    scene.refresh()
    assert scene.row.error.text() == "Other devices cannot connect: Port 3474 is in use."
    assert not scene.row.pair.isEnabled()
    scene.server.status = replace(ON, addresses=())
    scene.refresh()
    assert "no local network" in scene.row.state.text()
    assert not scene.row.error.isVisible()


def test_a_device_is_paired_with_a_code_that_is_shown_once(scene: Scene) -> None:
    scene.turn_on()
    scene.row.pair.click()
    sheet = scene.controller.sheet
    assert sheet is not None
    assert not sheet.pair.isEnabled()
    sheet.name.setText(" Jo’s phone ")
    sheet.pair.click()
    scene.settled()
    link = parse_pairing_link(sheet.lines["link"].text())
    assert link is not None
    assert (link.address, link.fingerprint, link.name) == ("https://192.168.1.5:3474", ON.fingerprint, "desk")
    assert sheet.lines["url"].text() == "https://192.168.1.5:3474/v1"
    client = scene.tokens.client_of(link.token, is_device=True)
    assert client is not None
    assert client.name == "Jo’s phone"
    picture = sheet.qr.grab().toImage()
    assert picture.pixelColor(1, 1) == QColor("white")  # its margin, in every theme
    dark = [
        picture.pixelColor(x, y) == QColor("black")
        for y in range(0, picture.height(), 4)
        for x in range(0, picture.width(), 4)
    ]
    assert 0.2 < sum(dark) / len(dark) < 0.6
    sheet.accept()
    scene.refresh()
    (revoke,) = scene.buttons("Revoke Jo’s phone")
    revoke.click()
    scene.settled()
    assert scene.tokens.all() == ()
    assert scene.server.ended == [client.id]
    assert not scene.buttons("Revoke")


def test_without_an_address_no_token_is_made_and_what_was_typed_stays(scene: Scene) -> None:
    scene.turn_on()
    scene.row.pair.click()
    sheet = scene.controller.sheet
    assert sheet is not None
    sheet.name.setText("phone")
    scene.server.status = replace(ON, addresses=())
    sheet.pair.click()
    scene.settled()
    assert "no address on a local network" in sheet.status.text()
    assert (sheet.name.text(), sheet.pair.isEnabled()) == ("phone", True)
    assert scene.tokens.all() == ()


def test_a_pasted_link_or_what_was_found_fills_in_a_server(scene: Scene) -> None:
    scene.turn_on()
    found = FoundFireside(name="Desk", address="https://10.0.0.9:3474", fingerprint="ab" * 32)
    sheet = AddEngineSheet(lambda *_: None, lambda: None, parent=scene.around, found=found)
    assert (sheet.address.text(), sheet.fingerprint.text()) == (found.address, found.fingerprint)
    assert not sheet.key.text()
    link = f"fireside://10.0.0.7:3474?token=fs-x&fingerprint={'cd' * 32}&name=Attic"
    sheet.address.setText(link)
    assert sheet.address.text() == "https://10.0.0.7:3474"
    assert (sheet.key.text(), sheet.fingerprint.text(), sheet.name.text()) == ("fs-x", "cd" * 32, "Attic")
    assert sheet.add.isEnabled()
