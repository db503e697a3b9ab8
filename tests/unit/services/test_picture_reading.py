"""Images of a collection in the whole app: read by the model that was chosen, as a request behind all chats."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from fakes.app_place import Place, Run
from fakes.engine import conversation_of, says
from fireside.core.errors import ImagesUnsupported
from fireside.core.generation import Priority
from fireside.core.message import ImagePart
from fireside.core.model import ModelSpec
from llama.seeing import FAMILIES, write_seeing


async def seeing_model(place: Place, folder: Path) -> ModelSpec:
    folder.mkdir()
    files = write_seeing(folder, FAMILIES[0])
    await place.app.models.add([str(files.model.parent)])
    return next(
        entry.spec for entry in place.app.models.entries if entry.spec is not None and entry.spec.sees
    )


def test_an_image_is_read_by_the_model_that_was_chosen(run: Run, tmp_path: Path) -> None:
    async def scenario(place: Place) -> None:
        spec = await seeing_model(place, tmp_path / "seeing")
        docs = tmp_path / "docs"
        docs.mkdir()
        Image.new("RGB", (60, 40), "teal").save(docs / "photo.png")
        made = await place.app.collections.create(name="Photos", roots=[str(docs)])
        await place.app.collections.catch_up(made.id)
        assert place.engine.requests == []
        await place.app.collections.choose_vision_model(made.id, model_id=spec.id)
        await place.app.collections.catch_up(made.id)
        (request,) = place.engine.requests
        assert request.options.projector_path == spec.projector_path
        assert request.task.priority is Priority.BACKGROUND
        (message,) = conversation_of(request)
        picture, words = message.parts
        assert isinstance(picture, ImagePart)
        assert "word for word" in message.text
        assert words is message.parts[-1], (
            "the picture comes first: its tokens are the same for all questions"
        )
        found = await place.app.collections.search("tiles", collection_ids=[made.id])
        assert [(each.name, each.read_by) for each in found.passages] == [("photo.png", spec.name)]

    run(says("The roof ", "has red tiles."), scenario)


def test_a_model_without_eyes_reads_none(run: Run, tmp_path: Path) -> None:
    async def scenario(place: Place) -> None:
        docs = tmp_path / "docs"
        docs.mkdir()
        Image.new("RGB", (60, 40), "teal").save(docs / "photo.png")
        made = await place.app.collections.create(name="Photos", roots=[str(docs)])
        await place.app.collections.choose_vision_model(made.id, model_id=place.model_id)
        with pytest.raises(ImagesUnsupported):
            await place.app.collections.catch_up(made.id)
        assert place.engine.requests == []

    run(says("Nothing"), scenario)
