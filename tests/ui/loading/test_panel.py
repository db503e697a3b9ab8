"""The panel of load settings: bars follow the controls, only the latest plan counts, loads are displayed."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QSlider
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.fake_machine import CARD, GIB, MIB
from fakes.library_models import QWEN_ID
from fakes.load_plans import made_record
from fakes.local_app import done
from fakes.model_entries import loaded_state
from fireside.core.errors import LoadError, OutOfMemory, SettingInvalid
from fireside.core.events import SettingsChanged
from fireside.core.hardware import MemoryBreakdown
from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_ALL
from fireside.core.plan import LoadPlan
from fireside.core.runtime import RUNTIME_KEY, RuntimesChanged, RuntimeTest
from fireside.core.status import Broken, LoadingModel
from fireside.settings.values import ModelLayer
from fireside.ui.loading.load_text import CHATS_KEPT, CHATS_REPROCESSED
from fireside.ui.loading.panel import CACHE_K, CACHE_V, KEEP_ALIVE, N_CTX, N_GPU_LAYERS, LoadPanel
from fireside.ui.loading.setting_controls import ChoiceControl, SliderControl
from fireside.ui.models_view import ModelsView

Planned = Callable[[], None]


def slider(panel: LoadPanel, key: str) -> SliderControl:
    control = panel.controls.controls[key]
    assert isinstance(control, SliderControl)
    return control


def plans(client: AppClient) -> list[object]:
    """Return the changes that each plan was asked with."""
    return [arguments[2] for arguments in client.called("load_plans.plan")]


def test_nothing_is_asked_before_the_panel_is_in_view(panel: LoadPanel, client: AppClient) -> None:
    assert client.called("load_plans.plan") == []
    assert panel.plan is None


def test_the_verdict_is_one_sentence_before_anything_is_loaded(open_panel: LoadPanel) -> None:
    assert open_panel.verdict.text() == "Fits"
    assert open_panel.sentence.text() == "Runs fully on Radeon RX 7600."
    assert len(open_panel.bars.bars) == 2


def test_a_bar_has_what_others_take_and_what_the_model_would(open_panel: LoadPanel) -> None:
    card = open_panel.bars.bars[1]
    others, *own = card.segments
    assert (others.n_bytes, others.is_predicted) == (GIB, False)
    assert open_panel.plan is not None
    assert sum(part.n_bytes for part in own) == open_panel.plan.n_bytes_on(CARD.name)
    assert all(part.is_predicted for part in own)
    assert card.excess_bytes == 0


def test_moving_the_context_moves_the_bars(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    before = open_panel.bars.bars[1].used_bytes
    context = slider(open_panel, N_CTX).slider
    QTest.keyClick(context, Qt.Key.Key_Home)
    planned()
    assert plans(client)[-1] == {N_CTX: 512}
    assert open_panel.bars.bars[1].used_bytes < before
    assert slider(open_panel, N_CTX).value_text.text() == "512 tokens, about 1 page"


def test_only_where_the_slider_rests_is_asked_about(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    n_asked = len(plans(client))
    for _ in range(5):
        QTest.keyClick(slider(open_panel, N_CTX).slider, Qt.Key.Key_Left)
    planned()
    assert len(plans(client)) == n_asked + 1


def test_an_older_question_is_called_off(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    open_panel: LoadPanel,
    client: AppClient,
    planned: Planned,
) -> None:
    seen: list[int] = []
    show_plan = open_panel.show_plan

    def note(plan: LoadPlan, held: tuple[MemoryBreakdown, ...]) -> None:
        seen.append(plan.options.n_ctx)
        show_plan(plan, held)

    monkeypatch.setattr(open_panel, "show_plan", note)
    client.hold("load_plans.plan")
    n_asked = len(plans(client))
    open_panel.loading.edit({N_CTX: 1024})
    qtbot.waitUntil(lambda: len(plans(client)) == n_asked + 1)
    open_panel.loading.edit({N_CTX: 2048})
    qtbot.waitUntil(lambda: len(plans(client)) == n_asked + 2)
    client.release("load_plans.plan")
    planned()
    assert seen == [2048]


def test_the_last_picture_stays_while_it_is_worked_out(
    qtbot: QtBot, open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    before = open_panel.bars.bars[1].segments
    client.hold("load_plans.plan")
    open_panel.loading.edit({N_CTX: 1024})
    qtbot.waitUntil(open_panel.planning.isVisible)
    assert open_panel.bars.bars[1].segments == before
    assert open_panel.bars.isVisible()
    client.release("load_plans.plan")
    planned()
    assert not open_panel.planning.isVisible()


def test_partly_and_not_are_said_with_what_is_missing(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.machine.card_free_bytes = 3 * GIB
    open_panel.loading.edit({N_CTX: 4096})
    planned()
    assert open_panel.verdict.text() == "Fits partly"
    client.machine.card_free_bytes, client.machine.memory_free_bytes = GIB, 3 * GIB
    open_panel.loading.edit({N_CTX: 6144})
    planned()
    assert open_panel.verdict.text() == "Does not fit right now"
    assert open_panel.missing.text().startswith("Missing: ")
    assert open_panel.bars.bars[0].excess_bytes > 0
    assert open_panel.load.text() == "Load anyway"


def test_a_question_without_an_answer_says_why_and_keeps_the_bars(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.fail(
        "load_plans.plan", SettingInvalid(key="V cache quantization", reason="It needs flash attention.")
    )
    open_panel.loading.edit({N_CTX: 4096})
    planned()
    assert "It needs flash attention." in open_panel.problem.text()
    assert open_panel.problem.isVisible()
    assert open_panel.verdict.text() == "Fit unknown"
    assert open_panel.bars.isVisible()
    open_panel.loading.edit({N_CTX: 2048})
    planned()
    assert not open_panel.problem.isVisible()
    assert open_panel.verdict.text() == "Fits"


# Auto


def test_auto_shows_what_was_fitted(open_panel: LoadPanel) -> None:
    layers = slider(open_panel, N_GPU_LAYERS)
    assert layers.auto.isChecked()
    assert layers.value_text.text() == "all"
    assert slider(open_panel, N_CTX).value_text.text() == "8,192 tokens, about 12 pages"


def test_one_click_holds_the_fitted_number_and_one_lets_it_go(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    layers = slider(open_panel, N_GPU_LAYERS)
    layers.auto.click()
    planned()
    assert plans(client)[-1] == {N_GPU_LAYERS: GPU_LAYERS_ALL}
    layers.auto.click()
    planned()
    assert plans(client)[-1] == {}
    assert layers.auto.isChecked()


def test_moving_a_slider_holds_it(open_panel: LoadPanel, planned: Planned) -> None:
    layers = slider(open_panel, N_GPU_LAYERS)
    QTest.keyClick(layers.slider, Qt.Key.Key_Left)
    planned()
    assert not layers.auto.isChecked()
    assert layers.value_text.text() == "29 of 30"


def test_the_precision_of_the_context_is_one_choice_for_keys_and_values(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    cache = open_panel.controls.controls[CACHE_K]
    assert isinstance(cache, ChoiceControl)
    assert cache.select.currentText() == "Auto"
    cache.select.setCurrentIndex(2)
    cache.select.activated.emit(2)
    planned()
    assert plans(client)[-1] == {CACHE_K: "q8_0", CACHE_V: "q8_0"}
    assert cache.select.currentIndex() == 2


def test_a_computer_without_a_graphics_card_has_no_layers_to_share(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.machine.has_card = False
    open_panel.loading.edit({N_CTX: 4096})
    planned()
    assert not slider(open_panel, N_GPU_LAYERS).isVisible()
    assert len(open_panel.bars.bars) == 1


# Load, save, put back


def test_a_model_is_loaded_with_what_was_changed_without_saving_it(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    assert open_panel.load.text() == "Load"
    open_panel.loading.edit({N_CTX: 4096})
    planned()
    assert open_panel.load.text() == "Load"
    open_panel.load.click()
    planned()
    assert client.called("load_plans.load_once") == [(QWEN_ID, None, {N_CTX: 4096})]
    assert client.called("settings.change") == []
    assert client.called("models.load") == []
    assert open_panel.save.isVisible()


def test_what_was_loaded_this_time_is_not_asked_for_again_until_it_is_put_back(
    open_panel: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    open_panel.loading.edit({N_CTX: 4096})
    planned()
    client.set_state(QWEN_ID, loaded_state(spec, n_ctx=4096, n_gpu_layers=33))
    planned()
    assert not open_panel.load.isVisible()
    assert open_panel.save.isVisible()
    open_panel.revert.click()
    planned()
    assert open_panel.load.text() == "Reload"
    open_panel.load.click()
    planned()
    assert client.called("models.load") == [(QWEN_ID, None)]


def test_what_was_fitted_is_held_fast_without_a_reload(
    open_panel: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    loaded = loaded_state(spec, n_gpu_layers=12)
    placed = msgspec.structs.replace(loaded.options, n_gpu_layers=12, n_threads=3)
    client.set_state(QWEN_ID, msgspec.structs.replace(loaded, placed=placed))
    planned()
    open_panel.loading.edit({N_GPU_LAYERS: 12})
    planned()
    assert not open_panel.load.isVisible()
    assert not open_panel.reload_note.isVisible()
    assert open_panel.save.isVisible()


def test_memory_that_ran_short_is_said_with_an_offer(
    open_panel: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    assert not open_panel.load_note.isVisible()
    loaded = loaded_state(spec, n_gpu_layers=33)
    note = "Other programs have taken 2 GB of the computer’s memory."
    client.set_state(QWEN_ID, msgspec.structs.replace(loaded, note=note, is_memory_short=True))
    planned()
    assert open_panel.load_note.text.text() == note
    open_panel.load_note.smaller.click()
    planned()
    assert client.called("load_plans.load_smaller") == [(QWEN_ID, None)]
    client.set_state(QWEN_ID, msgspec.structs.replace(loaded, note="Loaded otherwise."))
    assert open_panel.load_note.isVisible()
    assert not open_panel.load_note.smaller.isVisible()


# Its own runtime


def test_with_one_runtime_there_is_nothing_to_choose(open_panel: LoadPanel) -> None:
    assert not open_panel.runtime.isVisible()


def test_a_model_gets_a_runtime_of_its_own_and_loses_it_again(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.add_runtime("vulkan", "vulkan")
    client.add_runtime("broken", test=RuntimeTest(works=False, tested_at_s=1.0, reason="It crashed."))
    client.publish(RuntimesChanged(note=""))
    planned()
    select = open_panel.runtime.select
    assert open_panel.runtime.isVisible()
    assert [select.itemText(place) for place in range(select.count())] == [
        "Default (Included with Fireside)",
        "Included with Fireside",
        "vulkan",
    ]
    assert select.currentIndex() == 0
    select.activated.emit(2)
    planned()
    assert client.called("runtimes.use") == [("vulkan", QWEN_ID)]
    assert client.layers[ModelLayer(model_id=QWEN_ID)] == {RUNTIME_KEY: "vulkan"}
    assert select.currentIndex() == 2
    select.activated.emit(0)
    planned()
    assert client.layers[ModelLayer(model_id=QWEN_ID)] == {}
    assert select.currentIndex() == 0


def test_saving_loads_nothing(open_panel: LoadPanel, client: AppClient, planned: Planned) -> None:
    open_panel.loading.edit({N_GPU_LAYERS: 12})
    open_panel.save.click()
    planned()
    assert client.layers[ModelLayer(model_id=QWEN_ID)] == {N_GPU_LAYERS: 12}
    assert client.called("models.load") == []
    assert not open_panel.save.isVisible()


def test_what_was_saved_can_be_let_go(open_panel: LoadPanel, client: AppClient, planned: Planned) -> None:
    open_panel.loading.edit({N_CTX: 4096})
    open_panel.save.click()
    planned()
    slider(open_panel, N_CTX).auto.click()
    open_panel.save.click()
    planned()
    assert client.layers[ModelLayer(model_id=QWEN_ID)] == {}


def test_putting_back_asks_about_the_settings_in_force(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    open_panel.loading.edit({N_CTX: 4096})
    open_panel.revert.click()
    planned()
    assert plans(client)[-1] == {}
    assert not open_panel.revert.isVisible()


def test_a_change_that_needs_a_reload_says_so_before(
    open_panel: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    client.set_state(QWEN_ID, loaded_state(spec, n_gpu_layers=33))
    planned()
    assert not open_panel.reload_note.isVisible()
    assert not open_panel.load.isVisible()
    open_panel.loading.edit({N_CTX: 4096})
    planned()
    assert open_panel.reload_note.text().startswith("Requires reload, about 1 s.")
    assert open_panel.reload_note.isVisible()
    assert open_panel.reload_note.text().endswith(CHATS_KEPT)
    assert open_panel.load.text() == "Reload"
    open_panel.loading.edit({CACHE_K: "q8_0", CACHE_V: "q8_0"})
    planned()
    assert open_panel.reload_note.text().endswith(CHATS_REPROCESSED)


def test_what_is_loaded_already_is_drawn_solid(
    open_panel: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    client.set_state(QWEN_ID, loaded_state(spec, n_gpu_layers=33))
    planned()
    assert not any(part.is_predicted for part in open_panel.bars.bars[1].segments)


def test_a_load_shows_how_far_it_is_and_can_be_cancelled(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.set_state(QWEN_ID, LoadingModel(fraction=0.42))
    assert open_panel.progress.isVisible()
    assert open_panel.progress.text.text() == "Reading model… 42%"
    assert open_panel.progress.bar.value() == 420
    assert not open_panel.load.isVisible()
    open_panel.progress.cancel.click()
    planned()
    assert client.called("models.unload") == [(QWEN_ID,)]
    assert not open_panel.progress.isVisible()


def test_a_load_that_failed_says_why(open_panel: LoadPanel, client: AppClient, planned: Planned) -> None:
    error = OutOfMemory(model="Qwen3 8B", needed_bytes=9 * GIB, available_bytes=4 * GIB)
    client.fail_load(error)
    open_panel.load.click()
    planned()
    assert open_panel.problem.text() == error.sentence()
    assert open_panel.load.isVisible()


def test_a_refused_value_is_said_and_nothing_loads(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.fail("settings.change", SettingInvalid(key="Context length", reason="It is too small."))
    open_panel.loading.edit({N_CTX: 512})
    planned()
    open_panel.save.click()
    planned()
    assert "It is too small." in open_panel.problem.text()
    assert client.called("models.load") == []


def test_what_needs_no_reload_takes_effect_at_once(
    open_panel: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    client.set_state(QWEN_ID, loaded_state(spec, n_gpu_layers=33))
    planned()
    keep = open_panel.controls.controls[KEEP_ALIVE]
    assert isinstance(keep, ChoiceControl)
    assert keep.select.currentText() == "15 minutes"
    keep.select.activated.emit(4)
    planned()
    assert client.layers[ModelLayer(model_id=QWEN_ID)] == {KEEP_ALIVE: -1}
    assert keep.select.currentText() == "Always"
    assert not open_panel.reload_note.isVisible()
    assert client.called("models.load") == []


# After a load


def test_predicted_stands_beside_measured_after_a_load(
    open_panel: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    assert not open_panel.measured.isVisible()
    done(client.store.load_records.add(made_record(QWEN_ID)))
    client.set_state(QWEN_ID, loaded_state(spec, n_gpu_layers=33))
    planned()
    assert open_panel.measured.sentence.text() == "Uses 6.9 GB, as predicted; loaded in 2.4 s."
    assert not open_panel.measured.smaller.isVisible()
    open_panel.measured.fold.click()
    assert ("The model", "Radeon RX 7600", "4,294,967,296", "4,294,967,296") in open_panel.measured.cells


def test_a_shortfall_offers_to_reload_smaller(
    open_panel: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    done(client.store.load_records.add(made_record(QWEN_ID, excess_bytes=900 * MIB)))
    client.set_state(QWEN_ID, loaded_state(spec, n_gpu_layers=33))
    planned()
    assert open_panel.measured.smaller.isVisible()
    assert "15 of 31 layers run on Radeon RX 7600" in open_panel.measured.offer.text()
    open_panel.measured.smaller.click()
    planned()
    assert client.called("load_plans.load_smaller") == [(QWEN_ID, None)]


def test_another_model_starts_from_its_own_settings(
    open_panel: LoadPanel, client: AppClient, models: ModelsView, planned: Planned
) -> None:
    open_panel.loading.edit({N_CTX: 4096})
    other = next(e.spec for e in models.usable if e.spec is not None and e.spec.id != QWEN_ID)
    open_panel.show_model(other, models.state(other.id))
    planned()
    assert client.called("load_plans.plan")[-1] == (other.id, None, {})
    assert not open_panel.save.isVisible()


def test_a_setting_changed_elsewhere_is_taken_over(
    qtbot: QtBot, open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    layer = ModelLayer(model_id=QWEN_ID)
    client.layers[layer] = {N_CTX: 2048}
    n_asked = len(plans(client))
    client.publish(SettingsChanged(keys=(N_CTX,)))
    qtbot.waitUntil(lambda: len(plans(client)) > n_asked)
    planned()
    assert slider(open_panel, N_CTX).value_text.text() == "2,048 tokens, about 3 pages"
    assert not slider(open_panel, N_CTX).auto.isChecked()


def test_the_context_goes_beyond_training_where_positions_are_scaled(
    qtbot: QtBot, open_panel: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    assert slider(open_panel, N_CTX).slider._values[-1] == spec.n_ctx_train
    client.layers[ModelLayer(model_id=QWEN_ID)] = {"load.rope_scaling": "yarn"}
    n_asked = len(plans(client))
    client.publish(SettingsChanged(keys=("load.rope_scaling",)))
    qtbot.waitUntil(lambda: len(plans(client)) > n_asked)
    planned()
    assert slider(open_panel, N_CTX).slider._values[-1] == 4 * spec.n_ctx_train


# Keyboard and screen reader


def test_every_control_has_a_name_and_is_reached_by_tab(open_panel: LoadPanel) -> None:
    found = [
        widget
        for kind in (QAbstractButton, QSlider, QComboBox)
        for widget in open_panel.findChildren(kind)
        if widget.isVisible()
    ]
    assert len(found) >= 6
    for widget in found:
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface.text(QAccessible.Text.Name), widget
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus, widget


def test_a_screen_reader_hears_amounts_and_not_places(open_panel: LoadPanel, planned: Planned) -> None:
    context = slider(open_panel, N_CTX).slider
    interface = QAccessible.queryAccessibleInterface(context)
    assert interface.text(QAccessible.Text.Name) == "Context: 8,192 tokens, about 12 pages, Auto"
    QTest.keyClick(context, Qt.Key.Key_Home)
    assert interface.text(QAccessible.Text.Name) == "Context: 512 tokens, about 1 page"
    planned()


def test_the_bars_say_what_they_show(open_panel: LoadPanel) -> None:
    name = QAccessible.queryAccessibleInterface(open_panel.bars.bars[1]).text(QAccessible.Text.Name)
    assert name.startswith("Radeon RX 7600: ")


@pytest.mark.parametrize("width", [360, 560])
def test_the_panel_fits_a_narrow_window(open_panel: LoadPanel, width: int) -> None:
    open_panel.window().resize(width, 700)
    open_panel.window().grab()
    assert open_panel.minimumSizeHint().width() <= width


def test_errors_of_loading_stay_with_the_model(
    open_panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.fail_load(LoadError.of("load_failed", model="Qwen3 8B", reason="no."))
    open_panel.load.click()
    planned()
    assert isinstance(client.states[QWEN_ID], Broken)


def test_controls_of_gpus_wait_until_a_gpu_is_known(
    qtbot: QtBot, panel: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.hold("load_plans.plan")
    panel.window().show()
    qtbot.waitUntil(lambda: N_CTX in panel.controls.controls and slider(panel, N_CTX).isVisible())
    assert not slider(panel, N_GPU_LAYERS).isVisible()
    client.release("load_plans.plan")
    planned()
    assert slider(panel, N_GPU_LAYERS).isVisible()
