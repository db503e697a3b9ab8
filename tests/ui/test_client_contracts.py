"""What the real services promise, the fakes of those that window tests still play keep too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from fakes.client import AppClient
from fakes.library_files import library_files
from fakes.library_models import one_of_each
from fakes.model_entries import STARTER_ID
from fireside.bridge.client import EngineClient
from fireside.bridge.thread_client import ThreadEngineClient
from fireside.core.errors import (
    FiresideError,
    LibraryNotMoved,
    ModelFileMissing,
    ModelNoteInvalid,
    RuntimeNotFound,
    RuntimeRefused,
    TuningRefused,
)
from fireside.core.events import LibraryChanged
from fireside.core.model import ModelEntry
from fireside.core.runtime import BUILT_IN

T = TypeVar("T")
Work = Coroutine[Any, Any, T]


class Asked:
    """A client, and its replies at once."""

    def __init__(self, client: EngineClient, *, played: AppClient) -> None:
        self.client = client
        self.played = played

    def get(self, work: Work[T]) -> T:
        """Return what the client replies."""
        task = asyncio.ensure_future(work)
        self.played.wait_until(task.done)
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


@pytest.fixture(params=["files", "listed"])
def librarian(request: pytest.FixtureRequest, loop: asyncio.AbstractEventLoop, tmp_path: Path) -> Asked:
    """A client over files, and one over lines that a test lists."""
    made = AppClient(models=library_files(tmp_path).library if request.param == "files" else one_of_each())
    return Asked(made, played=made)


def test_of_a_model_that_is_not_there_nothing_is_known(librarian: Asked) -> None:
    models, nowhere = librarian.client.models, "/nowhere.gguf"
    for work in (
        models.removal(nowhere),
        models.detail(nowhere),
        models.remove(nowhere),
        librarian.client.verification.begin(nowhere, repair=False),
    ):
        librarian.refuses(work, ModelFileMissing)
    librarian.get(librarian.client.verification.cancel(nowhere))


def test_what_is_noted_of_a_model_stands_in_its_line(librarian: Asked) -> None:
    models = librarian.client.models

    def line() -> ModelEntry:
        return next(entry for entry in librarian.played.entries if entry.path == path)

    path = next(entry.path for entry in librarian.played.entries if entry.chats)
    spec = line().spec
    assert spec is not None
    librarian.get(models.rename(spec.id, name="Mine"))
    librarian.get(models.tag(spec.id, tags=("home", "HOME", "fast")))
    librarian.get(models.mark_favourite(spec.id, favourite=True))
    librarian.get(models.rescan())
    assert (line().spec.name, line().own_name) == ("Mine", spec.name)  # type: ignore[union-attr]
    assert (line().personal.tags, line().personal.favourite) == (("home", "fast"), True)
    librarian.get(models.rename(spec.id, name=""))
    assert (line().spec.name, line().own_name) == (spec.name, "")  # type: ignore[union-attr]
    librarian.refuses(models.rename(spec.id, name="W" * 300), ModelNoteInvalid)
    librarian.refuses(models.tag(spec.id, tags=("W" * 300,)), ModelNoteInvalid)
    told = [event for event in librarian.played.seen if isinstance(event, LibraryChanged)]
    assert told[-1].entries == librarian.played.entries


def test_a_file_that_is_not_there_cannot_be_added(librarian: Asked) -> None:
    before = librarian.played.entries
    (failure,) = librarian.get(librarian.client.models.add(["/nowhere.gguf"]))
    assert failure.path == "/nowhere.gguf"
    assert librarian.played.entries == before


def test_the_library_does_not_move_to_a_part_of_a_path(librarian: Asked) -> None:
    librarian.refuses(librarian.client.library_move.begin("models"), LibraryNotMoved)
    librarian.get(librarian.client.library_move.cancel())


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
