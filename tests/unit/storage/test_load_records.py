"""Records of loads in the database."""

from __future__ import annotations

from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions
from fireside.core.plan import LoadRecord, MemoryKind, MemoryUse
from fireside.storage.load_records import MAX_RECORDS
from fireside.storage.store import Store


def record(model: str, number: int) -> LoadRecord:
    use = MemoryUse(device="CPU", kind=MemoryKind.WEIGHTS, n_bytes=number)
    return LoadRecord(
        model_id=ModelId(model),
        loaded_at=float(number),
        options=LoadOptions(n_ctx=256 + number),
        predicted=(use,),
        measured=(use, use),
        rss_bytes=1,
        load_s=0.5,
    )


async def test_a_models_loads_come_back_with_the_latest_first(store: Store) -> None:
    for number in range(3):
        await store.load_records.add(record("a", number))
    await store.load_records.add(record("b", 7))
    assert await store.load_records.of_model(ModelId("a")) == (
        record("a", 2),
        record("a", 1),
        record("a", 0),
    )
    assert await store.load_records.of_model(ModelId("b")) == (record("b", 7),)
    assert await store.load_records.of_model(ModelId("c")) == ()


async def test_only_the_latest_of_each_model_are_kept(store: Store) -> None:
    await store.load_records.add(record("b", 0))
    for number in range(MAX_RECORDS + 3):
        await store.load_records.add(record("a", number))
    kept = await store.load_records.of_model(ModelId("a"))
    assert [round(each.loaded_at) for each in kept] == list(range(MAX_RECORDS + 2, 2, -1))
    assert len(await store.load_records.of_model(ModelId("b"))) == 1


async def test_a_load_that_cannot_be_understood_is_left_out(store: Store) -> None:
    await store.load_records.add(record("a", 1))
    sql = "INSERT INTO load_record (model_id, loaded_at, body) VALUES ('a', 2, '{\"from\": \"later\"}')"
    await store.run(lambda: store._database.rows(sql))
    assert await store.load_records.of_model(ModelId("a")) == (record("a", 1),)
