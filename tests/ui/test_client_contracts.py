"""The fakes that window tests use keep the promises of the real services."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from fakes.client import AppClient
from fakes.library_files import library_files
from fakes.library_models import one_of_each
from fakes.raised import refuses
from fireside.core.errors import ModelFileMissing
from fireside.core.events import LibraryChanged
from fireside.core.model import ModelEntry


class Asked:
    """A client, and its replies at once."""

    def __init__(self, client: AppClient) -> None:
        self.client = client
        self.get = client.result

    def refuses(self, work: Coroutine[Any, Any, object], code: str) -> None:
        with refuses(code):
            self.get(work)


@pytest.fixture(params=["files", "listed"])
def librarian(request: pytest.FixtureRequest, loop: asyncio.AbstractEventLoop, tmp_path: Path) -> Asked:
    """A client over files, and one over lines that a test lists."""
    client = AppClient(models=library_files(tmp_path).library if request.param == "files" else one_of_each())
    return Asked(client)


def test_of_a_model_that_is_not_there_nothing_is_known(librarian: Asked) -> None:
    models, nowhere = librarian.client.models, "/nowhere.gguf"
    for work in (
        models.removal(nowhere),
        models.detail(nowhere),
        models.remove(nowhere),
        librarian.client.verification.start(nowhere, repair=False),
    ):
        librarian.refuses(work, ModelFileMissing.code)
    librarian.get(librarian.client.verification.cancel(nowhere))


def test_what_is_noted_of_a_model_stands_in_its_line(librarian: Asked) -> None:
    models = librarian.client.models

    def line() -> ModelEntry:
        return next(entry for entry in librarian.client.entries if entry.path == path)

    path = next(entry.path for entry in librarian.client.entries if entry.can_chat)
    spec = line().spec
    assert spec is not None
    librarian.get(models.rename(spec.id, name="Mine"))
    librarian.get(models.set_tags(spec.id, tags=("home", "HOME", "fast")))
    librarian.get(models.set_favourite(spec.id, favourite=True))
    librarian.get(models.rescan())
    assert (line().spec.name, line().own_name) == ("Mine", spec.name)  # type: ignore[union-attr]
    assert (line().user_metadata.tags, line().user_metadata.favourite) == (("home", "fast"), True)
    librarian.get(models.rename(spec.id, name=""))
    assert (line().spec.name, line().own_name) == (spec.name, "")  # type: ignore[union-attr]
    librarian.refuses(models.rename(spec.id, name="W" * 300), "model_note_invalid")
    librarian.refuses(models.set_tags(spec.id, tags=("W" * 300,)), "model_note_invalid")
    changes = [event for event in librarian.client.seen if isinstance(event, LibraryChanged)]
    assert changes[-1].entries == librarian.client.entries


def test_a_file_that_is_not_there_cannot_be_added(librarian: Asked) -> None:
    before = librarian.client.entries
    (failure,) = librarian.get(librarian.client.models.add(["/nowhere.gguf"]))
    assert failure.path == "/nowhere.gguf"
    assert librarian.client.entries == before


def test_the_library_does_not_move_to_a_part_of_a_path(librarian: Asked) -> None:
    librarian.refuses(librarian.client.library_move.start("models"), "library_not_moved")
    librarian.get(librarian.client.library_move.cancel())
