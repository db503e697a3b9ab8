"""Texts of a row of the library."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from fakes.library_models import BROKEN_REASON, broken, embedder, gemma, newer_qwen, qwen
from fakes.model_entries import loaded_state, starter_spec
from fireside.core.errors import ErrorInfo, NextStep
from fireside.core.hub import VerifyOutcome, VerifyResult
from fireside.core.model import ModelEntry
from fireside.core.status import Broken, LoadingModel
from fireside.ui.library.check_results import Check
from fireside.ui.library.rows import (
    Integrity,
    ModelRow,
    accessible_text,
    integrity,
    integrity_badge,
    list_badge,
    location_text,
    name_of,
    problem_of,
    problem_tint,
)
from fireside.ui.time_text import format_iso_day, last_used_label, last_used_phrase

NOW = datetime(2026, 11, 21, 12, 0).astimezone()
OOM = ErrorInfo(code="x", sentence="Not enough memory.", retryable=True, next_step=NextStep.NONE)


def check(outcome: VerifyOutcome) -> Check:
    result = VerifyResult(path="/x", outcome=outcome, n_blocks=4, bad_blocks=(1,))
    return Check(path="/x", is_running=False, results=(result,))


def changed_qwen() -> ModelEntry:
    """Return a model whose file is another one since it was downloaded."""
    entry = qwen()
    assert entry.origin is not None
    return msgspec.structs.replace(entry, origin=msgspec.structs.replace(entry.origin, is_changed=True))


def test_a_line_is_said_as_a_sentence() -> None:
    text = accessible_text(ModelRow(entry=qwen(), update=newer_qwen()), now=NOW)
    assert text == (
        "Qwen3 8B, favourite, Q4_K_M 4-bit, good balance, 5.0 GB, 8.19B parameters, 40k context, "
        "qwen3, last used: 9 Sep 2001, Verified, update available, tags: work fast, in: Library "
        "and 1 more"
    )


def test_an_unreadable_file_is_said_with_its_reason() -> None:
    text = accessible_text(ModelRow(entry=broken()), now=NOW)
    assert text == f"half.gguf, unusable: {BROKEN_REASON}, 1.2 MB, in: Library"


def test_a_model_on_a_drive_that_is_not_connected_is_said_calmly() -> None:
    away = msgspec.structs.replace(broken(), problem="Its drive is not connected.", is_disconnected=True)
    row = ModelRow(entry=away)
    assert accessible_text(row, now=NOW) == "half.gguf, Its drive is not connected., 1.2 MB, in: Library"
    mark = integrity_badge(row)
    assert (mark.text, mark.tint, problem_tint(row)) == ("Not connected", "dim", "dim")
    assert problem_tint(ModelRow(entry=broken())) == "danger"


def test_lists_say_nothing_of_a_file_that_nobody_has_verified() -> None:
    assert list_badge(ModelRow(entry=gemma())) is None
    verified = list_badge(ModelRow(entry=qwen()))
    assert verified is not None
    assert verified.text == "Verified"


def test_a_loaded_model_is_said_to_be_ready() -> None:
    row = ModelRow(entry=qwen(), state=loaded_state(starter_spec()))
    assert "Ready" in accessible_text(row, now=NOW)


@pytest.mark.parametrize(
    ("entry", "found", "known"),
    [
        (qwen(), None, Integrity.VERIFIED),
        (gemma(), None, Integrity.UNKNOWN),
        (broken(), None, Integrity.UNUSABLE),
        (qwen(), check(VerifyOutcome.DAMAGED), Integrity.DAMAGED),
        (qwen(), check(VerifyOutcome.REPAIRED), Integrity.VERIFIED),
        (changed_qwen(), None, Integrity.CHANGED),
        (changed_qwen(), check(VerifyOutcome.SOUND), Integrity.VERIFIED),
        (changed_qwen(), Check(path="/x", is_running=False, error=OOM), Integrity.CHANGED),
        (gemma(), check(VerifyOutcome.SOUND), Integrity.READ),
        (gemma(), Check(path="/x", is_running=False, error=OOM), Integrity.FAILED),
        (qwen(), Check(path="/x", is_running=True), Integrity.BUSY),
        (msgspec.structs.replace(broken(), is_growing=True), None, Integrity.GROWING),
    ],
)
def test_what_is_known_of_a_files_content(entry: ModelEntry, found: Check | None, known: Integrity) -> None:
    assert integrity(ModelRow(entry=entry, check=found)) is known


def test_a_running_check_says_how_far_it_is() -> None:
    running = Check(path="/x", is_running=True, n_bytes=1, size_bytes=4)
    assert integrity_badge(ModelRow(entry=qwen(), check=running)).text == "Verifying 25%"


def test_a_check_that_waits_for_its_turn_says_so() -> None:
    assert integrity_badge(ModelRow(entry=qwen(), check=Check(path="/x", is_running=True))).text == "Queued"


def test_the_reason_of_a_failed_load_is_a_problem() -> None:
    assert problem_of(ModelRow(entry=qwen(), state=Broken(error=OOM))) == "Not enough memory."


def test_a_model_that_loads_has_no_problem() -> None:
    assert problem_of(ModelRow(entry=qwen(), state=LoadingModel(fraction=0.5))) == ""


def test_a_hostile_name_is_shown_as_one_line() -> None:
    assert "\u202e" not in name_of(ModelRow(entry=named("a\u202eb\nc")))


@pytest.mark.parametrize("nothing", ["", "\u202e", "\n"])
def test_a_name_of_nothing_becomes_the_files(nothing: str) -> None:
    assert name_of(ModelRow(entry=named(nothing))) == "embed.gguf"


def named(name: str) -> ModelEntry:
    entry = embedder()
    assert entry.spec is not None
    return msgspec.structs.replace(entry, spec=msgspec.structs.replace(entry.spec, name=name))


def test_other_places_of_the_same_content_are_counted() -> None:
    assert location_text(ModelRow(entry=qwen())) == "Library and 1 more"


DAY_S = 86_400


@pytest.mark.parametrize(
    ("age_s", "text"),
    [
        (None, "Never"),
        (10, "Today"),
        (-500, "Today"),
        (DAY_S, "Yesterday"),
        (5 * DAY_S, "5 days ago"),
        (400 * DAY_S, "17 Oct 2025"),
    ],
)
def test_the_last_use_is_said_as_a_user_would(age_s: float | None, text: str) -> None:
    at_s = None if age_s is None else NOW.timestamp() - age_s
    assert last_used_label(at_s, now=NOW) == text


@pytest.mark.parametrize(
    ("age_days", "text"),
    [
        (None, "never used"),
        (0, "used today"),
        (1, "used yesterday"),
        (5, "used 5 days ago"),
        (40, "used 12 Oct 2026"),
    ],
)
def test_a_card_says_the_last_use_within_its_line(age_days: int | None, text: str) -> None:
    at_s = None if age_days is None else NOW.timestamp() - age_days * 86_400
    assert last_used_phrase(at_s, now=NOW) == text


@pytest.mark.parametrize("impossible", [float("inf"), float("nan"), 1e300, -1e300])
def test_an_impossible_time_is_no_time(impossible: float) -> None:
    assert last_used_label(impossible, now=NOW) == "Never"


def test_the_day_of_a_download() -> None:
    noon = datetime(2026, 10, 3, 12).astimezone()
    assert format_iso_day(noon.astimezone(UTC).isoformat(), now=NOW) == "3 Oct 2026"
    assert format_iso_day("soon", now=NOW) == ""
