"""Verifying, repairing, deleting and adding files, and checking for updates."""

from __future__ import annotations

import asyncio
import errno
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_hub import FakeHub
from fakes.library_files import BLOCK, REPO, LibraryFiles, newer_qwen_repo, qwen_bytes, qwen_repo
from fireside.core.errors import HubOffline, HubTokenRefused, ModelFileMissing
from fireside.core.hub import CheckEnded, CheckProgressed
from fireside.settings.values import AppLayer
from fireside.ui.library.detail.overview import IntegrityBox
from fireside.ui.library.filter_sort import QuickFilter
from fireside.ui.library.library_controller import RemovalSheet
from fireside.ui.library.library_page import LibraryPage
from fireside.ui.widgets.toast import Toast


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, files: LibraryFiles, hub: FakeHub) -> AppClient:
    hub.repos[REPO] = qwen_repo()
    return AppClient(models=files.library, hub=hub.endpoint)


@pytest.fixture
def box(page: LibraryPage, files: LibraryFiles) -> IntegrityBox:
    """What the page of Qwen says of its file."""
    page.show_model(files.qwen)
    settled()
    return page.detail.overview.integrity


def damage(files: LibraryFiles) -> None:
    """Change a byte of Qwen, as a disk does: its time stays."""
    path = Path(files.qwen)
    before = path.stat()
    content = bytearray(path.read_bytes())
    content[3 * BLOCK + 7] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def check(page: LibraryPage, client: AppClient, path: str) -> None:
    """Have a file checked, and return when that has ended."""
    page.controller.check(path)
    client.wait_until(lambda: any(isinstance(event, CheckEnded) for event in client.seen))


def all_text(box: IntegrityBox) -> str:
    return "\n".join(label.text() for label in box.findChildren(QLabel) if label.isVisible())


# Checking


def test_a_verified_file_says_since_when(box: IntegrityBox) -> None:
    assert "Verified" in all_text(box)
    assert "3 Oct 2026" in all_text(box)
    assert not box.repair.isVisible()


def test_a_check_begins_at_once_and_waits_for_its_turn(
    box: IntegrityBox, client: AppClient, files: LibraryFiles
) -> None:
    client.hold("verification.start")
    box.check.click()
    assert "Queued; another file is being verified." in all_text(box)
    assert not box.check.isVisible()
    client.release("verification.start")
    settled()
    assert client.called("verification.start") == [(files.qwen, False)]


def test_a_check_shows_how_far_it_is(box: IntegrityBox, client: AppClient, files: LibraryFiles) -> None:
    client.publish(CheckProgressed(path=files.qwen, n_bytes=2_500_000_000, size_bytes=5_000_000_000))
    assert "Verified 2.5 GB of 5.0 GB." in all_text(box)
    assert box.bar.value() == box.bar.maximum() // 2


def test_a_check_can_be_cancelled(qtbot: QtBot, box: IntegrityBox, client: AppClient) -> None:
    being_moved = client.app.verification._files_lock
    client.wait_until(asyncio.ensure_future(being_moved.acquire()).done)
    box.check.click()
    settled()
    box.cancel.click()
    qtbot.waitUntil(box.check.isVisible)
    being_moved.release()
    assert not box.bar.isVisible()


def test_a_sound_file_says_that_it_was_checked_just_now(
    page: LibraryPage, box: IntegrityBox, client: AppClient, files: LibraryFiles
) -> None:
    check(page, client, files.qwen)
    assert "Verified just now: the checksum matches." in all_text(box)


def test_a_damaged_file_is_a_problem_in_the_list_and_can_be_repaired(
    qtbot: QtBot, page: LibraryPage, box: IntegrityBox, client: AppClient, files: LibraryFiles
) -> None:
    page.list.toolbar.chips[QuickFilter.PROBLEMS].setChecked(True)
    assert files.qwen not in [row.entry.path for row in page.list.model.rows]
    damage(files)
    check(page, client, files.qwen)
    assert "1 of 15 parts differ" in all_text(box)
    assert files.qwen in [row.entry.path for row in page.list.model.rows]
    box.repair.click()
    qtbot.waitUntil(lambda: "Repaired: 4 kB downloaded again" in all_text(box))
    assert not box.repair.isVisible()
    assert Path(files.qwen).read_bytes() == qwen_bytes()


def test_a_repair_that_fails_leaves_the_file_damaged_and_says_why(
    page: LibraryPage, box: IntegrityBox, client: AppClient, files: LibraryFiles
) -> None:
    damage(files)
    check(page, client, files.qwen)
    client.publish(CheckProgressed(path=files.qwen, n_bytes=1, size_bytes=4, is_repairing=True))
    refused = HubTokenRefused()
    client.publish(CheckEnded(path=files.qwen, error=refused.info()))
    assert "Damaged" in all_text(box)
    assert f"Not repaired: {refused.sentence()}" in all_text(box)
    assert box.repair.isVisible()


def test_the_page_stays_while_its_file_is_mended(
    page: LibraryPage, box: IntegrityBox, client: AppClient, files: LibraryFiles
) -> None:
    client.publish(CheckProgressed(path=files.qwen, n_bytes=1, size_bytes=4, is_repairing=True))
    Path(files.qwen).rename(f"{files.qwen}.part")
    client.wait_until(asyncio.ensure_future(client.models.rescan()).done)
    settled()
    assert page.shows_model(files.qwen)
    assert box.bar.isVisible()


def test_a_repair_shows_what_it_fetches(box: IntegrityBox, client: AppClient, files: LibraryFiles) -> None:
    client.publish(CheckProgressed(path=files.qwen, n_bytes=1, size_bytes=4, is_repairing=True))
    assert "Repairing 25%" in all_text(box)


def test_a_check_that_fails_says_why(
    page: LibraryPage, box: IntegrityBox, client: AppClient, files: LibraryFiles
) -> None:
    Path(files.qwen).unlink()
    check(page, client, files.qwen)
    assert ModelFileMissing(path=files.qwen).sentence() in all_text(box)


def test_a_check_that_cannot_begin_says_why_and_leaves_no_trace(
    page: LibraryPage, box: IntegrityBox, client: AppClient, files: LibraryFiles
) -> None:
    client.app.models._entries = ()
    box.check.click()
    settled()
    assert page.notices.texts == (ModelFileMissing(path=files.qwen).sentence(),)
    assert "Verified" in all_text(box)


def test_the_end_of_a_check_is_told_where_its_page_is_not_in_front(
    page: LibraryPage, box: IntegrityBox, client: AppClient, files: LibraryFiles, toast: Toast
) -> None:
    check(page, client, files.qwen)
    assert not toast.isVisible()
    page.show_list()
    damage(files)
    client.seen.clear()
    check(page, client, files.qwen)
    assert toast.text == "“Qwen3 8B” is damaged"
    toast.trigger_action()
    assert page.shows_model(files.qwen)


# Deleting


def ask(page: LibraryPage, *, path: str) -> RemovalSheet:
    page.controller.confirm_removal(path)
    settled()
    (sheet,) = [sheet for sheet in page.window().findChildren(RemovalSheet) if sheet.isVisible()]
    return sheet


def sheet_text(sheet: RemovalSheet) -> str:
    return "\n".join(label.text() for label in sheet.findChildren(QLabel) if label.isVisible())


def test_the_sheet_says_what_happens_and_what_goes(page: LibraryPage, files: LibraryFiles) -> None:
    sheet = ask(page, path=files.qwen)
    text = sheet_text(sheet)
    for expected in ("Delete “Qwen3 8B”?", "Emptying it frees 58 kB.", files.qwen):
        assert expected in text
    sheet.reject()


def test_a_confirmed_deletion_is_done_and_told(page: LibraryPage, files: LibraryFiles, toast: Toast) -> None:
    ask(page, path=files.broken).confirm.click()
    settled()
    assert toast.text == "“half.gguf” moved to trash; emptying it frees 100 bytes"
    assert not page.list.model.index_of(files.broken).isValid()
    assert not Path(files.broken).exists()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_enter_and_escape_keep_the_model(page: LibraryPage, files: LibraryFiles, key: Qt.Key) -> None:
    sheet = ask(page, path=files.qwen)
    QTest.keyClick(sheet, key)
    settled()
    assert page.list.model.index_of(files.qwen).isValid()
    assert Path(files.qwen).exists()


def test_what_cannot_be_deleted_says_why_and_offers_nothing(page: LibraryPage, files: LibraryFiles) -> None:
    sheet = ask(page, path=files.gemma)
    assert "Managed by Ollama." in sheet_text(sheet)
    assert not sheet.confirm.isVisible()
    sheet.reject()


def test_an_added_folder_is_only_taken_off_the_list(
    page: LibraryPage, files: LibraryFiles, toast: Toast
) -> None:
    sheet = ask(page, path=files.embedder)
    assert sheet.confirm.text() == "Remove from list"
    sheet.confirm.click()
    settled()
    assert toast.text == "“nomic embed text” removed from the list; its files stay"
    assert Path(files.embedder).exists()


def test_a_deletion_that_fails_says_why(page: LibraryPage, files: LibraryFiles, toast: Toast) -> None:
    files.harness.trash.error = PermissionError(errno.EACCES, "Permission denied")
    ask(page, path=files.qwen).confirm.click()
    settled()
    (text,) = page.notices.texts
    assert text.startswith("This model file could not be removed: it cannot be moved to the trash")
    assert not toast.isVisible()


# Adding


def test_what_was_added_is_counted(page: LibraryPage, files: LibraryFiles, toast: Toast) -> None:
    for number in range(3):
        files.harness.write(f"more/new{number}.gguf", **{"general.name": f"New {number}"})
    page.controller.add([str(files.harness.root / "more")])
    settled()
    assert toast.text == "3 models added"


def test_adding_what_is_there_says_so(page: LibraryPage, files: LibraryFiles, toast: Toast) -> None:
    page.controller.add([files.embedder])
    settled()
    assert toast.text.startswith("No new models")


def test_what_could_not_be_added_is_named_with_its_reason(page: LibraryPage, files: LibraryFiles) -> None:
    paths = [files.harness.root / f"{number}.gguf" for number in range(7)]
    for path in paths:
        path.write_bytes(b"")
    page.controller.add([*map(str, paths), str(files.harness.root / "missing.gguf")])
    settled()
    (text,) = page.notices.texts
    assert "0.gguf: It is empty." in text
    assert text.endswith("and 3 more.")


def test_a_look_for_new_files_can_be_asked_for_once_at_a_time(page: LibraryPage, client: AppClient) -> None:
    page.list.toolbar.rescan.click()
    assert not page.list.toolbar.rescan.isEnabled()
    settled()
    assert client.called("models.rescan") == [()]
    assert page.list.toolbar.rescan.isEnabled()


# Newer versions


def test_newer_versions_are_told_and_can_be_filtered(
    qtbot: QtBot, page: LibraryPage, hub: FakeHub, files: LibraryFiles, toast: Toast
) -> None:
    hub.repos[REPO] = newer_qwen_repo()
    page.list.find_updates.click()
    settled()
    assert toast.text == "1 update available"
    chip = page.list.toolbar.chips[QuickFilter.UPDATES]
    qtbot.waitUntil(chip.isVisible)
    chip.click()
    assert [row.entry.path for row in page.list.model.rows] == [files.qwen]


def test_no_newer_version_is_told_too(page: LibraryPage, toast: Toast) -> None:
    page.list.find_updates.click()
    settled()
    assert toast.text == "All models are up to date"


def test_without_a_network_the_reason_is_told(page: LibraryPage, client: AppClient) -> None:
    client.layers[AppLayer()] = {"hub.offline": True}
    client.app._access.apply_settings()
    page.list.find_updates.click()
    settled()
    assert page.notices.texts == (HubOffline().sentence(),)
    assert page.list.find_updates.isEnabled()


def test_what_was_learned_of_a_file_goes_with_it(
    page: LibraryPage, client: AppClient, hub: FakeHub, files: LibraryFiles
) -> None:
    hub.repos[REPO] = newer_qwen_repo()
    page.list.find_updates.click()
    check(page, client, files.qwen)
    settled()
    assert page.check_results.updates
    assert page.check_results.check(files.qwen) is not None
    Path(files.qwen).unlink()
    page.list.toolbar.rescan.click()
    settled()
    assert page.check_results.updates == ()
    assert page.check_results.check(files.qwen) is None
