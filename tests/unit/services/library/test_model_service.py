"""The models of the app: the default one, metadata, reports of changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.gguf_files import model_file
from fireside.chat import external_changes
from fireside.core.events import LibraryChanged
from fireside.core.ids import ModelId
from fireside.core.library import RemovalKind
from fireside.core.model import ModelEntry
from fireside.services.library import model_service
from fireside.services.polling import Poller
from fireside.settings.conversions import sampling_params


def reported(harness: AppHarness) -> list[tuple[ModelEntry, ...]]:
    return [event.entries for event in harness.events if isinstance(event, LibraryChanged)]


async def test_the_starter_model_is_the_default(tmp_path: Path, starter_model_path: Path) -> None:
    model_file().write(tmp_path / "models" / "A model of any size.gguf")
    async with app_harness(tmp_path, starter=starter_model_path) as place:
        assert place.app.models.entries[0].source == "Library"
        assert place.model_id.startswith("SmolLM2")


async def test_a_rename_is_reported_at_once(harness: AppHarness) -> None:
    harness.events.clear()
    await harness.app.models.rename(harness.model_id, name="Smol")
    await harness.app.models.set_tags(harness.model_id, tags=["small"])
    await harness.app.models.set_favourite(harness.model_id, favourite=True)
    (entry,) = reported(harness)[-1]
    assert entry.spec is not None
    assert (entry.spec.name, entry.user_metadata.tags, entry.user_metadata.favourite) == (
        "Smol",
        ("small",),
        True,
    )
    assert len(reported(harness)) == 3


async def test_an_answer_records_the_use_of_its_model(harness: AppHarness) -> None:
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    await harness.app.models.close()
    assert harness.app.models.entries[0].user_metadata.last_used_s is not None
    assert reported(harness)[-1][0].user_metadata.last_used_s is not None


async def test_an_answer_does_not_fail_if_its_use_cannot_be_stored(
    tmp_path: Path, starter_model_path: Path
) -> None:
    (tmp_path / "models.notes.json").mkdir()
    async with app_harness(tmp_path, starter=starter_model_path) as place:
        conversation = await place.app.generations.send(None, text="Hello", model_id=place.model_id)
        assert (await place.settled(conversation)).message.text == "Hi"


async def test_a_long_scan_reports_intermediate_results(tmp_path: Path, starter_model_path: Path) -> None:
    for number in range(250):
        model_file(changes={"general.name": f"m{number}"}).write(tmp_path / "models" / f"m{number}.gguf")
    async with app_harness(tmp_path, starter=starter_model_path) as place:
        counts = [len(entries) for entries in reported(place)]
        assert counts[-1] == 251
        assert 0 < counts[0] < 251
        assert counts == sorted(counts)
        assert len(counts) < 12


async def test_new_files_are_noticed_by_polling(harness: AppHarness, tmp_path: Path) -> None:
    await harness.app.models.close()
    model_file().write(tmp_path / "models" / "New.gguf")
    harness.events.clear()
    harness.app.models.start_watching(has_window=True)
    await harness.until(LibraryChanged)
    assert {Path(entry.path).name for entry in reported(harness)[-1]} > {"New.gguf"}


async def test_without_a_window_files_are_polled_less_often_and_chats_never(
    tmp_path: Path, starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched: dict[str, float] = {}

    class Seen(Poller):
        def __init__(self, *args: Any, name: str, interval_s: float, **more: Any) -> None:
            super().__init__(*args, name=name, interval_s=interval_s, **more)
            self._seen = (name, interval_s)

        def start(self) -> None:
            watched.update([self._seen])

    for place in (model_service, external_changes):
        monkeypatch.setattr(place, "Poller", Seen)
    async with app_harness(tmp_path / "served", starter=starter_model_path, goes_on=False):
        assert watched == {"the library": 10.0}
    async with app_harness(tmp_path / "shown", starter=starter_model_path):
        assert watched == {"the library": 3.0, "the database": 2.0}


async def test_the_effect_of_a_removal_can_be_asked_for(tmp_path: Path, starter_model_path: Path) -> None:
    path = model_file().write(tmp_path / "models" / "m.gguf")
    async with app_harness(tmp_path, starter=starter_model_path) as place:
        removal = await place.app.models.removal(str(path))
        assert removal.kind is RemovalKind.TRASH
        use = await place.app.models.disk_use()
        assert ModelId("m") in [model.id for model in use.models]


async def test_the_defaults_of_a_model_are_the_weakest_layer(
    tmp_path: Path, starter_model_path: Path
) -> None:
    model_file(changes={"general.sampling.temp": 0.25}).write(tmp_path / "models" / "cool.gguf")
    async with app_harness(tmp_path, starter=starter_model_path) as place:
        spec = await place.app.models.find("cool")
        resolved = await place.app.preferences.resolved(model_id=spec.id, conversation_id=None)
        assert sampling_params(resolved).temperature == 0.25
