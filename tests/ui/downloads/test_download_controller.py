"""Actions reach the client, and the user is notified of what needs attention."""

from __future__ import annotations

import pytest

from fakes.client import settled
from fakes.downloads import download_of
from fakes.pointer import click
from fireside.core.errors import DownloadError, HubTokenRefused
from fireside.core.hub import DownloadState
from fireside.ui.downloads.download_row import CONFIRM_FROM_BYTES
from fireside.ui.page import Page
from ui.downloads.conftest import Harness


def test_cancelling_shows_a_note_and_removes_the_row(harness: Harness) -> None:
    harness.fill(download_of("a", n_bytes=CONFIRM_FROM_BYTES - 1))
    click(harness.row("a").cancel)
    settled()
    assert harness.view.downloads == ()
    assert harness.toast.text == "Download of a cancelled"


def test_removing_a_finished_download_shows_no_note(harness: Harness) -> None:
    harness.fill(download_of("a", state=DownloadState.DONE))
    assert harness.row("a").cancel.accessibleName() == "Remove from list: a"
    click(harness.row("a").cancel)
    settled()
    assert harness.view.downloads == ()
    assert not harness.toast.isVisible()


def test_only_finished_downloads_are_cleared(harness: Harness) -> None:
    harness.fill(download_of("a", state=DownloadState.DONE), download_of("b"))
    click(harness.page.queue.clear)
    settled()
    assert list(harness.states()) == ["b"]


def test_a_move_reaches_the_client_and_the_list_follows(harness: Harness) -> None:
    harness.fill(*(download_of(name, state=DownloadState.QUEUED) for name in "abc"))
    harness.page.move_by("c", -1)
    settled()
    assert [row.download.id for row in harness.page.queue.rows] == ["a", "c", "b"]


def test_pausing_all_pauses_queued_downloads_first(harness: Harness) -> None:
    harness.fill(
        download_of("a"),
        download_of("b", state=DownloadState.QUEUED),
        download_of("c", state=DownloadState.PAUSED),
        download_of("d", state=DownloadState.WAITING_FOR_NETWORK),
    )
    click(harness.page.pause_all_button)
    settled()
    assert harness.client.called("downloads.pause") == [("b",), ("a",), ("d",)]


def test_resuming_all_leaves_failed_downloads(harness: Harness) -> None:
    harness.fill(
        download_of("a", state=DownloadState.PAUSED),
        download_of("b", state=DownloadState.FAILED),
        download_of("c", state=DownloadState.PAUSED),
    )
    assert harness.page.pause_all_button.accessibleName() == "Resume all"
    click(harness.page.pause_all_button)
    settled()
    assert harness.client.called("downloads.resume") == [("a",), ("c",)]


def test_a_removed_download_does_not_stop_pausing_all(harness: Harness) -> None:
    harness.fill(download_of("a"), download_of("b"))
    harness.client.app.downloads._list.remove(download_of("a").id)
    click(harness.page.pause_all_button)
    settled()
    assert harness.client.called("downloads.pause") == [("a",), ("b",)]
    assert harness.page.notices.texts == ()


def test_a_click_on_a_removed_download_shows_no_error(harness: Harness) -> None:
    harness.view.set_initial((download_of("a"),))
    harness.controller.pause("a")
    settled()
    assert harness.page.notices.texts == ()


def test_a_failed_action_is_shown_on_the_page(harness: Harness) -> None:
    harness.fill(download_of("a"))
    error = DownloadError.of("download_unwritable", path="/x", reason="it is read-only.")
    harness.client.fail("downloads.pause", error)
    harness.controller.pause("a")
    settled()
    assert harness.page.notices.texts == (error.sentence(),)


def test_a_download_can_continue_without_a_refused_token(harness: Harness) -> None:
    harness.fill(download_of("a", state=DownloadState.FAILED, error=HubTokenRefused().info()))
    steps = harness.row("a").recovery
    assert steps.tokenless.isVisible()
    click(steps.tokenless)
    settled()
    assert harness.client.called("token.suspend") == [()]
    assert harness.client.called("downloads.resume") == [("a",)]


# What the user is told


def test_a_finished_download_offers_the_chat(harness: Harness) -> None:
    harness.fill(download_of("a"))
    harness.store(download_of("a"))
    harness.tell(download_of("a", state=DownloadState.DONE))
    assert harness.toast.text == "a is ready"
    harness.toast.trigger_action()
    assert harness.asked == [("use_model", "arrived")]
    assert harness.n_alerts == 1


def test_a_finished_download_outside_the_library_links_to_the_downloads(harness: Harness) -> None:
    harness.fill(download_of("a"))
    harness.tell(download_of("a", state=DownloadState.DONE))
    harness.toast.trigger_action()
    assert harness.asked == [("show_page", Page.DOWNLOADS)]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (DownloadState.FAILED, "Download of a failed"),
        (DownloadState.WAITING_FOR_SPACE, "Not enough disk space for a"),
    ],
)
def test_failures_are_notified_while_the_page_is_hidden(
    harness: Harness, state: DownloadState, words: str
) -> None:
    harness.fill(download_of("a"))
    harness.page.hide()
    harness.tell(download_of("a", state=state))
    assert harness.toast.text == words
    harness.toast.trigger_action()
    assert harness.asked == [("show_page", Page.DOWNLOADS)]
    assert harness.n_alerts == 1


def test_the_visible_page_shows_a_failure_only_in_its_row(harness: Harness) -> None:
    harness.fill(download_of("a"))
    harness.page.show()
    harness.tell(download_of("a", state=DownloadState.FAILED))
    assert not harness.toast.isVisible()


# After a start


def test_resumed_downloads_are_notified_at_the_start(harness: Harness) -> None:
    harness.fill(download_of("a", state=DownloadState.QUEUED))
    harness.controller.start()
    assert harness.toast.text == "Interrupted downloads resume"


@pytest.mark.parametrize(
    "states", [(), (DownloadState.DONE,), (DownloadState.FAILED,), (DownloadState.PAUSED,)]
)
def test_a_start_without_downloads_is_silent(harness: Harness, states: tuple[DownloadState, ...]) -> None:
    harness.fill(*(download_of("a", state=state) for state in states))
    harness.controller.start()
    assert not harness.toast.isVisible()
