"""A collection is embedded and searched by meaning with a model that the program's own scheduler loads."""

from __future__ import annotations

from pathlib import Path

import gguf

from fireside.core.errors import ModelNotFound
from fireside.core.ids import ModelId
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import load_context
from llama.tiny_bert import write_bert


async def test_a_collection_is_embedded_and_searched_by_a_model_of_the_library(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in (
        ("a.txt", "a b c d a b c d"),
        ("z.txt", "x y z w x y z w"),
        ("long.txt", "q " * 3_000),
    ):
        (docs / name).write_text(text)
    models = [
        write_bert(tmp_path / f"{pooling.name}.gguf", pooling=pooling)
        for pooling in (gguf.PoolingType.MEAN, gguf.PoolingType.CLS)
    ]
    app = await build_app(
        load_context({"FIRESIDE_HOME": str(tmp_path / "home")}, command_line={}),
        emit=lambda _: None,
        persistence=Persistence.NOTHING,
        added=tuple(map(str, models)),
    )
    try:
        ids = {each.path: each.spec.id for each in app.models.entries if each.spec}
        collection = await app.collections.create(name="A", roots=[str(docs)])
        for model in models:
            await app.collections.choose_model(collection.id, model_id=ids[str(model)])
            await app.collections.catch_up(collection.id)
            state = await app.collections.state(collection.id)
            assert (state.n_searchable, state.n_embedded) == (3, 3)
            result = await app.collections.search("a.txt\na b c d a b c d", collection_ids=[collection.id])
            assert result.by_meaning
            assert not result.problem
            scores = result.passages[0].scores
            assert scores is not None
            assert scores.meaning is not None
            assert (result.passages[0].name, round(scores.meaning, 1)) == ("a.txt", 1.0)
        await app.collections.choose_model(collection.id, model_id=ModelId("gone"))
        try:
            await app.collections.catch_up(collection.id)
        except ModelNotFound:
            result = await app.collections.search("a b c d", collection_ids=[collection.id])
        assert result.by_meaning, "what the model before made is searched until there is something new"
    finally:
        await app.close()
