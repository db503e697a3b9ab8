"""Texts of downloads."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.downloads import download_of
from fireside.core.errors import DownloadError
from fireside.core.hub import Download, DownloadState
from fireside.ui.downloads.download_text import (
    Totals,
    button_text,
    bytes_done_text,
    line_text,
    speed_text,
    title_of,
    totals,
    totals_text,
)
from fireside.ui.time_text import format_remaining

GB = 1_000_000_000


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "a few seconds"),
        (9.9, "a few seconds"),
        (12, "about 10 seconds"),
        (44, "about 40 seconds"),
        (59, "about 1 minute"),
        (236, "about 4 minutes"),
        (2_990, "about 50 minutes"),
        (3_300, "about 1 hour"),
        (5_400, "about 1½ hours"),
        (7_300, "about 2 hours"),
        (10 * 3600 + 100, "about 10 hours"),
        (23 * 3600, "about 1 day"),
        (3 * 86_400, "about 3 days"),
        (1e9, "more than 10 days"),
    ],
)
def test_time_left_is_worded_naturally(seconds: float, text: str) -> None:
    assert format_remaining(seconds) == text


@given(seconds=st.floats(min_value=0, max_value=1e12))
def test_any_time_left_has_no_zero_unit(seconds: float) -> None:
    text = format_remaining(seconds)
    assert text
    assert " 0 " not in f"{text} "


@pytest.mark.parametrize(
    ("n_bytes", "of", "text"),
    [
        (1_200_000_000, 4_900_000_000, "1.2 of 4.9 GB"),
        (340_000_000, 4_900_000_000, "340 MB of 4.9 GB"),
        (0, 4_900_000_000, "0 bytes of 4.9 GB"),
        (5_000_000_000, 4_900_000_000, "4.9 of 4.9 GB"),
        (3, 900, "3 of 900 bytes"),
    ],
)
def test_a_common_unit_is_named_once(n_bytes: int, of: int, text: str) -> None:
    assert bytes_done_text(n_bytes, of=of) == text


@pytest.mark.parametrize(
    ("bytes_per_s", "text"),
    [(14_200_000, "14 MB/s"), (1_400_000, "1.4 MB/s"), (85_000, "85 kB/s"), (0.0, ""), (0.5, "")],
)
def test_a_speed_is_short_and_empty_when_stalled(bytes_per_s: float, text: str) -> None:
    assert speed_text(bytes_per_s) == text


def test_a_title_has_the_models_name_and_its_quantization() -> None:
    title = title_of(download_of("x", title="bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M"))
    assert (title.name, title.label) == ("Llama-3.2-3B-Instruct", "Q4_K_M")


@pytest.mark.parametrize("text", ["", ":", "/", "GGUF", "-GGUF", "a:b:c", "\u202egnp.exe", "x" * 5000])
def test_any_title_can_be_shown(text: str) -> None:
    title = title_of(download_of("x", title=text or " "))
    assert "\u202e" not in title.name
    assert len(title.name) <= 400


def test_a_running_download_shows_bytes_speed_and_time() -> None:
    text = line_text(download_of("x", bytes_per_s=14.2e6, seconds_left=221))
    assert text.line == "1.0 of 4.0 GB  ·  14 MB/s  ·  about 4 minutes left"


def test_a_new_download_shows_that_it_is_downloading() -> None:
    assert line_text(download_of("x", n_bytes=0)).line == "Downloading  ·  4.0 GB"


def test_a_stalled_download_shows_no_speed() -> None:
    text = line_text(download_of("x", bytes_per_s=3.0, seconds_left=9e9, is_stalled=True))
    assert text.line == "Stalled  ·  1.0 of 4.0 GB"
    assert text.tint == "warn"


@pytest.mark.parametrize("state", DownloadState)
def test_each_state_has_its_own_text(state: DownloadState) -> None:
    text = line_text(download_of("x", state=state))
    others = {line_text(download_of("x", state=other)).state for other in DownloadState if other is not state}
    assert text.state
    assert text.state not in others


def test_waiting_for_the_network_shows_why_and_that_it_resumes() -> None:
    waiting = download_of("x", state=DownloadState.WAITING_FOR_NETWORK, note="The hub cannot be reached.")
    assert line_text(waiting).problem == "The hub cannot be reached. Resumes automatically."


def test_waiting_for_space_is_shown_once() -> None:
    """The note ends with the promise already."""
    note = "There is not enough room. Resumes when there is space."
    assert line_text(download_of("x", state=DownloadState.WAITING_FOR_SPACE, note=note)).problem == note
    assert line_text(download_of("x", state=DownloadState.WAITING_FOR_SPACE)).problem


def test_a_failed_download_shows_the_errors_sentence() -> None:
    error = DownloadError.of("download_damaged", name="x.gguf")
    text = line_text(download_of("x", state=DownloadState.FAILED, error=error.info()))
    assert text.problem == error.sentence()
    assert text.tint == "danger"


# All together


def some() -> tuple[Download, ...]:
    return (
        download_of("a", size_bytes=4 * GB, n_bytes=GB, bytes_per_s=10e6),
        download_of("b", size_bytes=2 * GB, n_bytes=GB, bytes_per_s=4e6),
        download_of("c", state=DownloadState.QUEUED, size_bytes=4 * GB, n_bytes=0),
        download_of("d", state=DownloadState.PAUSED, size_bytes=9 * GB, n_bytes=GB),
        download_of("e", state=DownloadState.DONE, size_bytes=9 * GB),
    )


def test_totals_count_only_unfinished_downloads() -> None:
    everything = totals(some())
    assert everything.bytes_remaining == 8 * GB
    assert everything.fraction == pytest.approx(0.2)
    assert everything.n_in_progress == 3


def test_the_summary_is_short() -> None:
    assert totals_text(totals(some())) == "2 active, 1 queued, 14 MB/s, 8.0 GB left"


def test_the_summary_separates_waiting_from_queued() -> None:
    everything = msgspec.structs.replace(totals(some()), n_active=3, n_waiting=1)
    assert totals_text(everything).startswith("2 active, 1 waiting, 1 queued")


def test_without_active_downloads_the_summary_shows_paused_ones() -> None:
    resting = (download_of("a", state=DownloadState.PAUSED), download_of("b", state=DownloadState.FAILED))
    assert totals_text(totals(resting)) == "1 paused, 1 failed"
    assert totals_text(Totals()) == ""


@pytest.mark.parametrize(
    ("states", "held_up"),
    [
        ((DownloadState.WAITING_FOR_NETWORK, DownloadState.QUEUED), True),
        ((DownloadState.WAITING_FOR_SPACE, DownloadState.RUNNING), False),
        ((DownloadState.QUEUED,), False),
    ],
)
def test_totals_are_held_up_only_if_all_wait(states: tuple[DownloadState, ...], held_up: bool) -> None:
    queue = [download_of(str(n), state=state) for n, state in enumerate(states)]
    assert totals(queue).is_held_up is held_up


def test_the_buttons_name_has_what_its_ring_shows() -> None:
    text = button_text(totals((*some(), download_of("f", state=DownloadState.FAILED))))
    assert text == "Downloads: 3 active, 20%, 1 paused, 1 failed"
    assert button_text(Totals()) == "Downloads"


def test_progress_is_rounded_down() -> None:
    nearly = totals((download_of("a", size_bytes=1000, n_bytes=999),))
    assert "99%" in button_text(nearly)
