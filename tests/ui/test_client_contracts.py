"""What the real services promise, the fakes of those that window tests still play keep too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID
from fireside.bridge.client import EngineClient
from fireside.bridge.thread_client import ThreadEngineClient
from fireside.core.discovery import TokenPlace
from fireside.core.errors import (
    DownloadNotFound,
    FiresideError,
    ModelFileMissing,
    RuntimeNotFound,
    RuntimeRefused,
    TuningRefused,
)
from fireside.core.hub import DownloadId
from fireside.core.runtime import BUILT_IN

T = TypeVar("T")
Work = Coroutine[Any, Any, T]


class Asked:
    """A client, and its replies at once."""

    def __init__(self, client: EngineClient, *, played: AppClient) -> None:
        self.client = client
        self._played = played

    def get(self, work: Work[T]) -> T:
        """Return what the client replies."""
        task = asyncio.ensure_future(work)
        self._played.wait_until(task.done)
        return task.result()

    def refuses(self, work: Work[object], error: type[FiresideError]) -> None:
        with pytest.raises(error):
            self.get(work)


@pytest.fixture
def played(loop: asyncio.AbstractEventLoop) -> AppClient:
    return AppClient()


@pytest.fixture(params=["real", "played"])
def asked(request: pytest.FixtureRequest, played: AppClient) -> Asked:
    real = ThreadEngineClient(played.engine_thread)
    return Asked(played if request.param == "played" else real, played=played)


def test_the_built_in_runtime_is_there_and_stays(asked: Asked) -> None:
    choice = asked.get(asked.client.runtimes.choice())
    assert BUILT_IN in [runtime.name for runtime in choice.runtimes]
    assert choice.in_use == BUILT_IN
    asked.refuses(asked.client.runtimes.remove(BUILT_IN), RuntimeRefused)


@pytest.mark.parametrize("request_of", ["test", "use", "remove"])
def test_a_runtime_that_is_not_there_is_not_found(asked: Asked, request_of: str) -> None:
    ask: Callable[[str], Work[object]] = getattr(asked.client.runtimes, request_of)
    asked.refuses(ask("nowhere"), RuntimeNotFound)


def test_there_is_no_runtime_to_go_back_to_at_first(asked: Asked) -> None:
    asked.refuses(asked.client.runtimes.roll_back(), RuntimeRefused)


def test_a_download_that_is_not_there_is_not_found(asked: Asked) -> None:
    downloads, nowhere = asked.client.downloads, DownloadId("nowhere")
    for work in (
        downloads.pause(nowhere),
        downloads.resume(nowhere),
        downloads.cancel(nowhere),
        downloads.move(nowhere, position=0),
    ):
        asked.refuses(work, DownloadNotFound)
    asked.get(downloads.clear_done())


def test_a_token_is_where_it_is_said_to_be_until_it_is_forgotten(asked: Asked) -> None:
    token = asked.client.token
    assert asked.get(token.place()) is TokenPlace.NONE
    assert asked.get(token.keep("hf_" + "x" * 34, place=TokenPlace.FILE)) is TokenPlace.FILE
    assert asked.get(token.place()) is TokenPlace.FILE
    asked.get(token.forget())
    assert asked.get(token.place()) is TokenPlace.NONE


def test_of_a_model_that_is_not_there_nothing_is_known(asked: Asked) -> None:
    asked.refuses(asked.client.models.removal("/nowhere.gguf"), ModelFileMissing)
    asked.refuses(asked.client.models.detail("/nowhere.gguf"), ModelFileMissing)


def test_nothing_runs_and_nothing_was_loaded_at_first(asked: Asked) -> None:
    assert asked.get(asked.client.load_plans.running()) == ()
    assert asked.get(asked.client.load_plans.load_records(STARTER_ID)) == ()


def test_no_memory_holds_more_than_it_has(asked: Asked) -> None:
    computer, *_cards = asked.get(asked.client.hardware.memory_bars())
    held = sum(holder.n_bytes for holder in computer.holders)
    assert 0 < held + computer.free_bytes <= computer.total_bytes


def test_what_was_not_tuned_cannot_be_kept(asked: Asked) -> None:
    assert asked.get(asked.client.tuning.report(STARTER_ID)) is None
    asked.refuses(asked.client.tuning.keep(STARTER_ID), TuningRefused)
    asked.refuses(asked.client.tuning.take_back(STARTER_ID), TuningRefused)
