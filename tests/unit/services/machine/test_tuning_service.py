"""Applying and reverting a tuning, and when its figures are stale."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from fakes.app_harness import AppHarness
from fakes.raised import refuses
from fakes.tuning import tuning_of
from fireside.core.ids import ModelId
from fireside.core.tuning import MeasurementContext, Tuning
from fireside.engine.tuning.records import TuningRecords
from fireside.services.machine.tuning_service import TuningService, _stamp_of
from fireside.settings.values import ModelLayer, by_key


@pytest.fixture
def model_id(harness: AppHarness) -> ModelId:
    return harness.model_id


@pytest.fixture
async def tunings(harness: AppHarness, tmp_path: Path, model_id: ModelId) -> TuningService:
    """The service of an app whose starter model was tuned on this computer."""
    ground = await harness.app.tuning._context("built-in")
    tuning = replace(tuning_of(model_id), file=_stamp_of(harness.app.models.spec(model_id)), ground=ground)
    TuningRecords(tmp_path / "tunings.json").put(tuning)
    return harness.app.tuning


async def values_of(harness: AppHarness, model_id: ModelId) -> dict[str, object]:
    resolved = await harness.app.preferences.resolved(model_id=model_id, conversation_id=None)
    return dict(by_key(resolved))


async def test_applying_changes_the_models_own_settings(
    harness: AppHarness, tunings: TuningService, model_id: ModelId
) -> None:
    report = await tunings.apply(model_id)
    values = await values_of(harness, model_id)
    assert values["load.n_threads"] == 4
    assert values["load.n_ubatch"] == 512
    assert report.tuning.kept == report.tuning.best_trial.changes
    # Other models are left alone.
    assert (await values_of(harness, ModelId("other")))["load.n_threads"] == 0


async def test_reverting_restores_the_earlier_settings(
    harness: AppHarness, tunings: TuningService, model_id: ModelId
) -> None:
    layer = ModelLayer(model_id=model_id)
    await harness.app.preferences.change(layer, key="load.n_threads", value=2)
    await tunings.apply(model_id)
    report = await tunings.revert(model_id)
    values = await values_of(harness, model_id)
    assert values["load.n_threads"] == 2
    assert values["load.n_ubatch"] == 0
    assert report.tuning.kept is None


async def test_reverting_after_two_tunings_restores_the_first_settings(
    harness: AppHarness, tunings: TuningService, model_id: ModelId
) -> None:
    await tunings.apply(model_id)
    await tunings.apply(model_id)
    await tunings.revert(model_id)
    assert (await values_of(harness, model_id))["load.n_threads"] == 0


async def test_reverting_leaves_what_the_user_changed_since(
    harness: AppHarness, tunings: TuningService, model_id: ModelId
) -> None:
    await tunings.apply(model_id)
    layer = ModelLayer(model_id=model_id)
    await harness.app.preferences.change(layer, key="load.n_threads", value=7)
    report = await tunings.report(model_id)
    assert report is not None
    assert report.tuning.kept is not None
    assert "load.n_threads" not in report.tuning.kept
    await tunings.revert(model_id)
    values = await values_of(harness, model_id)
    assert values["load.n_threads"] == 7
    assert values["load.n_ubatch"] == 0


async def test_a_model_that_was_never_tuned_has_nothing_to_apply(
    harness: AppHarness, model_id: ModelId
) -> None:
    assert await harness.app.tuning.report(model_id) is None
    for change in (harness.app.tuning.apply, harness.app.tuning.revert):
        with refuses("tuning_refused"):
            await change(model_id)


async def test_figures_are_current_while_nothing_changed(tunings: TuningService, model_id: ModelId) -> None:
    report = await tunings.report(model_id)
    assert report is not None
    assert report.stale == ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda ground: replace(ground, build="older"), "another build"),
        (lambda ground: replace(ground, runtime="vulkan"), "another build"),
        (lambda ground: replace(ground, driver="NVIDIA 1.0"), "another GPU driver"),
        (lambda ground: replace(ground, processor="Z80"), "another computer"),
    ],
)
async def test_figures_of_another_context_are_stale(
    tunings: TuningService,
    model_id: ModelId,
    change: Callable[[MeasurementContext], MeasurementContext],
    said: str,
) -> None:
    known = tunings._parts.records.get(model_id)
    assert known is not None
    tunings._parts.records.put(replace(known, ground=change(known.ground)))
    report = await tunings.report(model_id)
    assert report is not None
    assert said in report.stale


def test_records_survive_a_restart_and_a_damaged_file_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "tunings.json"
    tuning: Tuning = tuning_of(ModelId("a"))
    TuningRecords(path).put(tuning)
    assert TuningRecords(path).get(ModelId("a")) == tuning
    path.write_bytes(b"{ damaged")
    assert TuningRecords(path).get(ModelId("a")) is None
    TuningRecords(path).put(tuning)
    assert TuningRecords(path).get(ModelId("a")) == tuning
