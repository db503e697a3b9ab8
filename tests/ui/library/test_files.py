"""Checking, mending, deleting and adding files, and looking for newer versions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.library_models import (
    EMBED_PATH,
    GEMMA_PATH,
    QWEN_PATH,
    detail_of,
    library_entry,
    newer_qwen,
    one_of_each,
)
from fireside.core.errors import FileUnverifiable, HubOffline, ModelFileNotRemoved
from fireside.core.hub import VerifyOutcome, VerifyResult
from fireside.core.library import Removal, RemovalKind
from fireside.core.model import LibraryFailure
from fireside.ui.library import LibraryPage
from fireside.ui.library.detail.integrity import IntegrityBox
from fireside.ui.library.filter_sort import QuickFilter
from fireside.ui.library.removal_sheet import RemovalSheet
from fireside.ui.widgets.toast import Toast

Settled = Callable[[], None]


@pytest.fixture
def box(page: LibraryPage, client: AppClient, settled: Settled) -> IntegrityBox:
    """What the page of Qwen says of its file."""
    for entry in one_of_each():
        client.library.details[entry.path] = detail_of(entry.path)
    page.show_model(QWEN_PATH)
    settled()
    return page.detail.overview.integrity


def result(outcome: VerifyOutcome, *bad_blocks: int, fetched_bytes: int = 0) -> VerifyResult:
    return VerifyResult(
        path=QWEN_PATH, outcome=outcome, n_blocks=600, bad_blocks=bad_blocks, fetched_bytes=fetched_bytes
    )


def words_of(box: IntegrityBox) -> str:
    return "\n".join(label.text() for label in box.findChildren(QLabel) if label.isVisible())


# Checking


def test_a_verified_file_says_since_when(box: IntegrityBox) -> None:
    assert "Verified" in words_of(box)
    assert "3 Oct 2026" in words_of(box)
    assert not box.repair.isVisible()


def test_a_check_begins_at_once_and_waits_for_its_turn(
    box: IntegrityBox, client: AppClient, settled: Settled
) -> None:
    box.check.click()
    assert "It begins once no other file is being checked." in words_of(box)
    settled()
    assert client.library.called("check_model") == [(QWEN_PATH, False)]
    assert not box.check.isVisible()


def test_a_check_shows_how_far_it_is(box: IntegrityBox, client: AppClient) -> None:
    client.library.check_progress(QWEN_PATH, n_bytes=2_500_000_000, size_bytes=5_000_000_000)
    assert "Read 2.5 GB of 5.0 GB." in words_of(box)
    assert box.bar.value() == box.bar.maximum() // 2


def test_a_check_can_be_cancelled(box: IntegrityBox, client: AppClient, settled: Settled) -> None:
    box.check.click()
    settled()
    box.cancel.click()
    settled()
    assert client.library.called("cancel_check") == [(QWEN_PATH,)]
    assert box.check.isVisible()
    assert not box.bar.isVisible()
    assert "just now" not in words_of(box)


def test_a_sound_file_says_that_it_was_checked_just_now(box: IntegrityBox, client: AppClient) -> None:
    client.library.end_check(QWEN_PATH, results=[result(VerifyOutcome.SOUND)])
    assert "Checked just now: it is what was downloaded, byte for byte." in words_of(box)


def test_a_damaged_file_offers_to_be_repaired(box: IntegrityBox, client: AppClient, settled: Settled) -> None:
    client.library.end_check(QWEN_PATH, results=[result(VerifyOutcome.DAMAGED, 3, 9)])
    assert "2 of 600 parts differ" in words_of(box)
    box.repair.click()
    settled()
    assert client.library.called("check_model") == [(QWEN_PATH, True)]


def test_a_damaged_file_is_a_problem_in_the_list(
    page: LibraryPage, box: IntegrityBox, client: AppClient
) -> None:
    page.list.tools.chips[QuickFilter.PROBLEMS].setChecked(True)
    assert QWEN_PATH not in [row.entry.path for row in page.list.model.rows]
    client.library.end_check(QWEN_PATH, results=[result(VerifyOutcome.DAMAGED, 3)])
    assert QWEN_PATH in [row.entry.path for row in page.list.model.rows]


def test_a_repair_shows_what_it_fetches(box: IntegrityBox, client: AppClient) -> None:
    client.library.check_progress(QWEN_PATH, n_bytes=1, size_bytes=4, is_repairing=True)
    assert "Repairing 25 %" in words_of(box)


def test_a_repaired_file_says_what_was_fetched(box: IntegrityBox, client: AppClient) -> None:
    client.library.end_check(QWEN_PATH, results=[result(VerifyOutcome.REPAIRED, 3, fetched_bytes=8_400_000)])
    assert "whole again: 8.4 MB were fetched anew" in words_of(box)
    assert not box.repair.isVisible()


def test_a_check_that_fails_says_why(box: IntegrityBox, client: AppClient) -> None:
    error = FileUnverifiable(path=QWEN_PATH, reason="it is gone.")
    client.library.end_check(QWEN_PATH, error=error.info())
    assert error.sentence() in words_of(box)


def test_a_check_that_cannot_begin_says_why_and_leaves_no_trace(
    page: LibraryPage, box: IntegrityBox, client: AppClient, settled: Settled
) -> None:
    error = FileUnverifiable(path=QWEN_PATH, reason="it is gone.")
    client.library.fail("check_model", error)
    box.check.click()
    settled()
    assert page.notices.texts == (error.sentence(),)
    assert "Verified" in words_of(box)


def test_the_end_of_a_check_is_told_where_its_page_is_not_in_front(
    page: LibraryPage, box: IntegrityBox, client: AppClient, toast: Toast
) -> None:
    client.library.end_check(QWEN_PATH, results=[result(VerifyOutcome.SOUND)])
    assert not toast.isVisible()
    page.show_list()
    client.library.end_check(QWEN_PATH, results=[result(VerifyOutcome.DAMAGED, 1)])
    assert toast.words == "“Qwen3 8B” is damaged."
    toast.act()
    assert page.shows_model(QWEN_PATH)


# Deleting


def ask(page: LibraryPage, settled: Settled, *, path: str = QWEN_PATH) -> RemovalSheet:
    page.controller.ask_removal(path)
    settled()
    (sheet,) = [sheet for sheet in page.window().findChildren(RemovalSheet) if sheet.isVisible()]
    return sheet


def sheet_words(sheet: RemovalSheet) -> str:
    return "\n".join(label.text() for label in sheet.findChildren(QLabel) if label.isVisible())


def trash(**facts: object) -> Removal:
    return Removal(
        kind=RemovalKind.TRASH,
        words="“Qwen3 8B” goes to the trash. Emptying it frees 5.0 GB.",
        files=(QWEN_PATH, "/lib/mmproj.gguf"),
        freed_bytes=5_000_000_000,
        **facts,
    )


def test_the_sheet_says_what_happens_and_what_goes(
    page: LibraryPage, client: AppClient, settled: Settled
) -> None:
    client.library.removals[QWEN_PATH] = trash()
    sheet = ask(page, settled)
    words = sheet_words(sheet)
    for expected in ("Delete “Qwen3 8B”?", "Emptying it frees 5.0 GB.", QWEN_PATH, "/lib/mmproj.gguf"):
        assert expected in words
    sheet.reject()


def test_a_confirmed_deletion_is_done_and_told(
    page: LibraryPage, client: AppClient, toast: Toast, settled: Settled
) -> None:
    client.library.removals[QWEN_PATH] = trash()
    ask(page, settled).confirm.click()
    settled()
    assert client.called("models.remove") == [(QWEN_PATH,)]
    assert toast.words == "“Qwen3 8B” is in the trash. Emptying it frees 5.0 GB."
    assert not page.list.model.index_of(QWEN_PATH).isValid()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_enter_and_escape_keep_the_model(
    qtbot: QtBot, page: LibraryPage, client: AppClient, settled: Settled, key: Qt.Key
) -> None:
    sheet = ask(page, settled)
    QTest.keyClick(sheet, key)
    settled()
    assert client.called("models.remove") == []
    assert page.list.model.index_of(QWEN_PATH).isValid()


def test_what_cannot_be_deleted_says_why_and_offers_nothing(
    page: LibraryPage, client: AppClient, settled: Settled
) -> None:
    client.library.removals[GEMMA_PATH] = Removal(
        kind=RemovalKind.NOT_POSSIBLE, words="It belongs to Ollama. It can only be deleted there."
    )
    sheet = ask(page, settled, path=GEMMA_PATH)
    assert "It belongs to Ollama." in sheet_words(sheet)
    assert not sheet.confirm.isVisible()
    sheet.reject()


def test_an_added_folder_is_only_taken_off_the_list(
    page: LibraryPage, client: AppClient, toast: Toast, settled: Settled
) -> None:
    client.library.removals[EMBED_PATH] = Removal(
        kind=RemovalKind.FORGET_FOLDER, words="The folder /added is no longer listed. Its files stay."
    )
    sheet = ask(page, settled, path=EMBED_PATH)
    assert sheet.confirm.text() == "Take off the list"
    sheet.confirm.click()
    settled()
    assert toast.words == "“nomic-embed-text” is no longer listed. Its files stay."


def test_a_deletion_that_fails_says_why(
    page: LibraryPage, client: AppClient, toast: Toast, settled: Settled
) -> None:
    client.fail("models.remove", ModelFileNotRemoved(path=QWEN_PATH, reason="it is in use."))
    ask(page, settled).confirm.click()
    settled()
    assert page.notices.texts == ("This model file could not be removed: it is in use.",)
    assert not toast.isVisible()


# Adding


def test_what_was_added_is_counted(
    qtbot: QtBot, page: LibraryPage, client: AppClient, toast: Toast, settled: Settled
) -> None:
    page.controller.add(["/m"])
    client.set_models([*client.entries, *(library_entry(f"New {n}", path=f"/m/{n}") for n in range(3))])
    settled()
    qtbot.waitUntil(lambda: toast.words == "Added 3 models.")


def test_adding_what_is_there_says_so(
    qtbot: QtBot, page: LibraryPage, toast: Toast, settled: Settled
) -> None:
    page.controller.add(["/m"])
    settled()
    qtbot.waitUntil(lambda: toast.words.startswith("There is nothing new in it"))


def test_what_could_not_be_added_is_named_with_its_reason(
    page: LibraryPage, client: AppClient, settled: Settled
) -> None:
    client.add_failures = tuple(LibraryFailure(path=f"/m/{n}.gguf", reason="It is empty.") for n in range(7))
    page.controller.add([f"/m/{n}.gguf" for n in range(7)])
    settled()
    (text,) = page.notices.texts
    assert "0.gguf: It is empty." in text
    assert text.endswith("and 2 more.")


def test_a_look_for_new_files_can_be_asked_for_once_at_a_time(
    page: LibraryPage, client: AppClient, settled: Settled
) -> None:
    page.list.tools.rescan.click()
    assert not page.list.tools.rescan.isEnabled()
    settled()
    assert client.called("models.rescan") == [()]
    assert page.list.tools.rescan.isEnabled()


# Newer versions


def test_newer_versions_are_told_and_can_be_filtered(
    qtbot: QtBot, page: LibraryPage, client: AppClient, toast: Toast, settled: Settled
) -> None:
    client.hub.updates = (newer_qwen(),)
    page.list.find_updates.click()
    settled()
    assert toast.words == "One model has a newer version."
    chip = page.list.tools.chips[QuickFilter.UPDATES]
    qtbot.waitUntil(chip.isVisible)
    chip.click()
    assert [row.entry.path for row in page.list.model.rows] == [QWEN_PATH]


def test_no_newer_version_is_told_too(page: LibraryPage, toast: Toast, settled: Settled) -> None:
    page.list.find_updates.click()
    settled()
    assert toast.words == "Every downloaded model is the newest version."


def test_without_a_network_the_reason_is_told(page: LibraryPage, client: AppClient, settled: Settled) -> None:
    client.hub.fail("find_updates", HubOffline())
    page.list.find_updates.click()
    settled()
    assert page.notices.texts == (HubOffline().sentence(),)
    assert page.list.find_updates.isEnabled()


def test_what_was_learned_of_a_file_goes_with_it(page: LibraryPage, client: AppClient) -> None:
    page.findings.set_updates([newer_qwen()])
    client.library.end_check(QWEN_PATH, results=[result(VerifyOutcome.DAMAGED, 1)])
    client.set_models(one_of_each()[2:])
    assert page.findings.updates == ()
    assert page.findings.check(QWEN_PATH) is None
