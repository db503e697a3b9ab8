"""Plans of the real starter model, made by real dry runs, and the loads that follow them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import gguf
import pytest

from fireside.chat.app import App
from fireside.core.errors import ModelNotFound, SettingInvalid
from fireside.core.ids import ModelId
from fireside.core.load_sizes import n_kv_cells
from fireside.core.options import CacheType, Purpose
from fireside.core.plan import LoadPlan, MemoryKind, Verdict
from fireside.core.shortfall import shortfalls
from fireside.core.status import Ready
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import load_context
from fireside.settings.values import ModelLayer
from llama.tiny_bert import write_bert

STARTER = ModelId("SmolLM2-135M-Instruct.Q4_1")

pytestmark = pytest.mark.usefixtures("starter_model_path")


@asynccontextmanager
async def program(home: Path) -> AsyncIterator[App]:
    """The whole program but its window, at home in a folder of its own."""
    context = load_context({"FIRESIDE_HOME": str(home)}, command_line={})
    app = await build_app(context, emit=lambda _: None, persistence=Persistence.NOTHING)
    try:
        yield app
    finally:
        await app.close()


def sums(plan: LoadPlan) -> dict[MemoryKind, int]:
    return {use.kind: use.n_bytes for use in plan.uses}


async def planned(app: App, **changes: object) -> LoadPlan:
    keys = {f"load.{name}": value for name, value in changes.items()}
    return await app.load_plans.plan(STARTER, conversation_id=None, changes=keys)  # type: ignore[arg-type]


async def test_a_plan_is_exact_and_moves_with_the_context(tmp_path: Path) -> None:
    async with program(tmp_path) as app:
        small, large = await planned(app, n_ctx=2048), await planned(app, n_ctx=8192)
        assert small.is_exact
        assert large.is_exact
        assert (small.verdict, small.options.n_ctx) == (Verdict.FITS, 2048)
        tokens = [n_kv_cells(plan.options, n_ctx=plan.options.n_ctx or 0) for plan in (small, large)]
        caches = [sums(plan)[MemoryKind.CACHE] for plan in (small, large)]
        assert caches[1] * tokens[0] == caches[0] * tokens[1]
        assert caches[1] > caches[0]
        assert sums(large)[MemoryKind.WEIGHTS] == sums(small)[MemoryKind.WEIGHTS]


async def test_a_model_for_vectors_is_planned_as_it_is_loaded_for_them(tmp_path: Path) -> None:
    path = write_bert(tmp_path / "vectors.gguf", pooling=gguf.PoolingType.MEAN)
    context = load_context({"FIRESIDE_HOME": str(tmp_path / "home")}, command_line={})
    app = await build_app(context, emit=lambda _: None, persistence=Persistence.NOTHING, added=(str(path),))
    try:
        plan = await app.load_plans.plan(ModelId("vectors"), conversation_id=None, changes={})
    finally:
        await app.close()
    assert plan.is_exact
    assert plan.options.purpose is Purpose.EMBED


async def test_a_plan_of_another_run_is_remembered(tmp_path: Path) -> None:
    async with program(tmp_path) as app:
        first = await planned(app, n_ctx=1024)
    assert (tmp_path / "data" / "measured.json").exists()
    async with program(tmp_path) as app:
        assert (await planned(app, n_ctx=1024)).uses == first.uses


async def test_what_is_no_setting_or_no_value_of_it_is_refused(tmp_path: Path) -> None:
    async with program(tmp_path) as app:
        for changes in ({"n_ctx": 3}, {"nonsense": 1}, {"tensor_split": "x"}):
            with pytest.raises(SettingInvalid):
                await planned(app, **changes)
        with pytest.raises(ModelNotFound):
            await app.load_plans.plan(ModelId("unknown"), conversation_id=None, changes={})


async def test_a_load_takes_what_was_planned_and_is_remembered(tmp_path: Path) -> None:
    async with program(tmp_path) as app:
        await app.preferences.change(ModelLayer(model_id=STARTER), key="load.n_ctx", value=1024)
        plan = await planned(app)
        await app.models.load(STARTER, conversation_id=None)
        (status,) = app._engine.statuses()
        assert isinstance(status.state, Ready)
        assert status.state.loaded.n_ctx == plan.options.n_ctx == 1024
        await app.load_plans.close()
        record = (await app.load_plans.load_records(STARTER))[0]
        assert record.predicted == plan.uses
        assert shortfalls(record) == ()
        measured = {use.kind: use.n_bytes for use in record.measured}
        assert measured[MemoryKind.CACHE] == sums(plan)[MemoryKind.CACHE]
        assert measured[MemoryKind.COMPUTE] == sums(plan)[MemoryKind.COMPUTE]


async def test_a_smaller_load_holds_until_the_settings_change(tmp_path: Path) -> None:
    async with program(tmp_path) as app:
        await app.preferences.change(ModelLayer(model_id=STARTER), key="load.n_ctx", value=1024)
        await app.models.load(STARTER, conversation_id=None)
        offered = await app.load_plans.smaller_plan(STARTER)
        assert offered is not None
        assert offered.options.n_ctx == 1024
        assert offered.options.cache_type_k is CacheType.Q8_0
        await app.load_plans.load_smaller(STARTER, conversation_id=None)
        assert (await planned(app)).options == offered.options
        await app.models.load(STARTER, conversation_id=None)
        latest = (await latest_measured(app))[MemoryKind.CACHE]
        assert latest == sums(offered)[MemoryKind.CACHE]
        await app.preferences.change(ModelLayer(model_id=STARTER), key="load.n_ctx", value=1280)
        assert (await planned(app)).options.cache_type_k is CacheType.F16


async def test_where_nothing_is_smaller_nothing_is_offered(tmp_path: Path) -> None:
    async with program(tmp_path) as app:
        layer = ModelLayer(model_id=STARTER)
        for key, value in (("n_ctx", 1024), ("cache_type_k", "q8_0"), ("cache_type_v", "q8_0")):
            await app.preferences.change(layer, key=f"load.{key}", value=value)
        await app.models.load(STARTER, conversation_id=None)
        assert await app.load_plans.smaller_plan(STARTER) is None


async def latest_measured(app: App) -> dict[MemoryKind, int]:
    await app.load_plans.close()
    record = (await app.load_plans.load_records(STARTER))[0]
    return {use.kind: use.n_bytes for use in record.measured}


async def test_a_model_loads_otherwise_this_time_and_its_settings_stay(tmp_path: Path) -> None:
    async with program(tmp_path) as app:
        await app.preferences.change(ModelLayer(model_id=STARTER), key="load.n_ctx", value=1024)
        await app.load_plans.load_once(STARTER, conversation_id=None, changes={"load.n_ctx": 512})
        assert ready(app).loaded.n_ctx == 512
        pid = pid_of(app)
        held = await app.load_plans.plan(STARTER, conversation_id=None, changes={})
        assert held.options.n_ctx == 1024
        await app.models.load(STARTER, conversation_id=None)
        assert ready(app).loaded.n_ctx == 1024
        assert pid_of(app) != pid
        with pytest.raises(SettingInvalid):
            await app.load_plans.load_once(STARTER, conversation_id=None, changes={"load.n_ctx": 3})


async def test_the_number_that_was_fitted_can_be_held_fast_without_a_load(tmp_path: Path) -> None:
    async with program(tmp_path) as app:
        await app.models.load(STARTER, conversation_id=None)
        before, placed = pid_of(app), ready(app).placed
        assert placed is not None
        for name, value in (("n_ctx", placed.n_ctx), ("n_threads", placed.n_threads)):
            await app.preferences.change(ModelLayer(model_id=STARTER), key=f"load.{name}", value=value)
            await app.models.load(STARTER, conversation_id=None)
        assert pid_of(app) == before


def pid_of(app: App) -> int | None:
    """Return the process of the one model that is loaded."""
    (model,) = app._engine.running_models()
    return model.pid


def ready(app: App) -> Ready:
    """Return how the one model that is loaded stands."""
    (status,) = app._engine.statuses()
    assert isinstance(status.state, Ready)
    return status.state
