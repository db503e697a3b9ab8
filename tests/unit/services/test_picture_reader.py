"""Images of a collection are read by the chosen model at background priority."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from fakes.app_harness import AppHarness
from fakes.engine import conversation_of, says
from fakes.raised import refuses
from fireside.core.generation import Priority
from fireside.core.message import ImagePart
from llama.seeing import FAMILIES, write_vision_model


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A folder with a vision model."""
    folder = tmp_path / "seeing"
    folder.mkdir()
    write_vision_model(folder, FAMILIES[0])
    return folder


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    Image.new("RGB", (60, 40), "teal").save(folder / "photo.png")
    return folder


async def test_an_image_is_read_by_the_chosen_model(harness: AppHarness, models: Path, photos: Path) -> None:
    harness.engine.script = says("The roof ", "has red tiles.")
    await harness.app.models.add([str(models)])
    spec = next(each.spec for each in harness.app.models.entries if each.spec and each.spec.sees_images)
    collection = await harness.app.collections.create(name="Photos", roots=[str(photos)])
    await harness.app.collections.catch_up(collection.id)
    assert harness.engine.requests == []
    await harness.app.collections.choose_vision_model(collection.id, model_id=spec.id)
    await harness.app.collections.catch_up(collection.id)
    (request,) = harness.engine.requests
    assert request.options.projector_path == spec.projector_path
    assert request.task.priority is Priority.BACKGROUND
    (message,) = conversation_of(request)
    assert isinstance(message.parts[0], ImagePart)
    assert "word for word" in message.text
    found = await harness.app.collections.search("tiles", collection_ids=[collection.id])
    assert [(each.name, each.read_by) for each in found.passages] == [("photo.png", spec.name)]


async def test_a_model_without_vision_is_refused(harness: AppHarness, photos: Path) -> None:
    harness.engine.script = says("Nothing")
    collection = await harness.app.collections.create(name="Photos", roots=[str(photos)])
    await harness.app.collections.choose_vision_model(collection.id, model_id=harness.model_id)
    with refuses("images_unsupported"):
        await harness.app.collections.catch_up(collection.id)
    assert harness.engine.requests == []
