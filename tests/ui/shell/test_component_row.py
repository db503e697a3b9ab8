"""The row of a component on the settings page: download, progress, stop."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from fireside.core.components import Component
from fireside.ui.settings.component_row import ComponentRow

PACKAGES = Component(
    id="data",
    name="Data packages",
    purpose="For code.",
    licence="MIT",
    version="1",
    download_bytes=50_000_000,
)


def test_a_row_says_what_its_button_does(qtbot: QtBot) -> None:
    clicks: list[str] = []
    row = ComponentRow(
        "Data packages",
        search_terms="pandas",
        on_click=lambda: clicks.append("clicked"),
        on_delete=lambda: clicks.append("deleted"),
    )
    qtbot.addWidget(row)
    row.show()
    assert not row.button.isEnabled()
    row.show_component(PACKAGES)
    assert "50.0 MB to download" in row.state.text()
    assert row.button.accessibleName() == "Download, Data packages"
    QTest.mouseClick(row.button, Qt.MouseButton.LeftButton)
    assert clicks == ["clicked"]
    row.error.show_text("No network.")
    row.show_progress(0.25)
    assert (row.state.text(), row.button.text()) == ("Downloading, 25%", "Stop")
    assert row.error.isHidden()
    clicks.clear()
    row.show_component(replace(PACKAGES, is_installed=True, disk_bytes=150_000_000))
    facts = row.state.text()
    assert "150 MB on the disk" in facts
    QTest.mouseClick(row.delete, Qt.MouseButton.LeftButton)
    assert "goes without them" in row.state.text(), "it says what ends before anything is deleted"
    QTest.mouseClick(row.confirmation.keep, Qt.MouseButton.LeftButton)
    assert (row.state.text(), clicks) == (facts, [])
    QTest.mouseClick(row.delete, Qt.MouseButton.LeftButton)
    QTest.mouseClick(row.confirmation.confirm, Qt.MouseButton.LeftButton)
    assert clicks == ["deleted"]
