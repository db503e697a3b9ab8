"""“How it loads”: the bars follow the controls, the latest question is answered, and loads are shown."""

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
from fakes.library_models import QWEN_ID
from fakes.load_plans import made_record
from fakes.local_app import done
from fakes.model_entries import loaded_state
from fakes.played_machine import CARD, GIB, MIB
from fireside.core.errors import LoadFailed, OutOfMemory, SettingInvalid
from fireside.core.events import SettingsChanged
from fireside.core.hardware import MemoryBar
from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_ALL
from fireside.core.plan import LoadPlan
from fireside.core.runtime import RUNTIME_KEY, RuntimesChanged, RuntimeTest
from fireside.core.status import Broken, LoadingModel
from fireside.settings.values import ModelLayer
from fireside.ui.loading.controls import CACHE_K, CACHE_V, KEEP_ALIVE, N_CTX, N_GPU_LAYERS
from fireside.ui.loading.load_text import CHATS_KEPT, CHATS_REPROCESSED
from fireside.ui.loading.panel import LoadPanel
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


def test_the_verdict_is_one_sentence_before_anything_is_loaded(shown: LoadPanel) -> None:
    assert shown.verdict.text() == "Fits"
    assert shown.sentence.text() == "Runs fully on Radeon RX 7600."
    assert len(shown.bars.bars) == 2


def test_a_bar_has_what_others_take_and_what_the_model_would(shown: LoadPanel) -> None:
    card = shown.bars.bars[1]
    others, *own = card.segments
    assert (others.n_bytes, others.is_predicted) == (GIB, False)
    assert shown.plan is not None
    assert sum(part.n_bytes for part in own) == shown.plan.n_bytes_on(CARD.name)
    assert all(part.is_predicted for part in own)
    assert card.excess_bytes == 0


def test_moving_the_context_moves_the_bars(shown: LoadPanel, client: AppClient, planned: Planned) -> None:
    before = shown.bars.bars[1].used_bytes
    context = slider(shown, N_CTX).slider
    QTest.keyClick(context, Qt.Key.Key_Home)
    planned()
    assert plans(client)[-1] == {N_CTX: 512}
    assert shown.bars.bars[1].used_bytes < before
    assert slider(shown, N_CTX).value_text.text() == "512 tokens, about 1 page"


def test_only_where_the_slider_rests_is_asked_about(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    n_asked = len(plans(client))
    for _ in range(5):
        QTest.keyClick(slider(shown, N_CTX).slider, Qt.Key.Key_Left)
    planned()
    assert len(plans(client)) == n_asked + 1


def test_an_older_question_is_called_off(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    shown: LoadPanel,
    client: AppClient,
    planned: Planned,
) -> None:
    seen: list[int] = []
    show_plan = shown.show_plan

    def note(plan: LoadPlan, held: tuple[MemoryBar, ...]) -> None:
        seen.append(plan.options.n_ctx)
        show_plan(plan, held)

    monkeypatch.setattr(shown, "show_plan", note)
    client.hold("load_plans.plan")
    n_asked = len(plans(client))
    shown.loading.edit({N_CTX: 1024})
    qtbot.waitUntil(lambda: len(plans(client)) == n_asked + 1)
    shown.loading.edit({N_CTX: 2048})
    qtbot.waitUntil(lambda: len(plans(client)) == n_asked + 2)
    client.release("load_plans.plan")
    planned()
    assert seen == [2048]


def test_the_last_picture_stays_while_it_is_worked_out(
    qtbot: QtBot, shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    before = shown.bars.bars[1].segments
    client.hold("load_plans.plan")
    shown.loading.edit({N_CTX: 1024})
    qtbot.waitUntil(shown.planning.isVisible)
    assert shown.bars.bars[1].segments == before
    assert shown.bars.isVisible()
    client.release("load_plans.plan")
    planned()
    assert not shown.planning.isVisible()


def test_partly_and_not_are_said_with_what_is_missing(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.machine.card_free_bytes = 3 * GIB
    shown.loading.edit({N_CTX: 4096})
    planned()
    assert shown.verdict.text() == "Fits partly"
    client.machine.card_free_bytes, client.machine.memory_free_bytes = GIB, 3 * GIB
    shown.loading.edit({N_CTX: 6144})
    planned()
    assert shown.verdict.text() == "Does not fit"
    assert shown.missing.text().startswith("Missing: ")
    assert shown.bars.bars[0].excess_bytes > 0
    assert shown.load.text() == "Load anyway"


def test_a_question_without_an_answer_says_why_and_keeps_the_bars(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.fail(
        "load_plans.plan", SettingInvalid(key="V cache quantization", reason="It needs flash attention.")
    )
    shown.loading.edit({N_CTX: 4096})
    planned()
    assert "It needs flash attention." in shown.problem.text()
    assert shown.problem.isVisible()
    assert shown.verdict.text() == "Fit unknown"
    assert shown.bars.isVisible()
    shown.loading.edit({N_CTX: 2048})
    planned()
    assert not shown.problem.isVisible()
    assert shown.verdict.text() == "Fits"


# Auto


def test_auto_shows_what_was_fitted(shown: LoadPanel) -> None:
    layers = slider(shown, N_GPU_LAYERS)
    assert layers.auto.isChecked()
    assert layers.value_text.text() == "all"
    assert slider(shown, N_CTX).value_text.text() == "8,192 tokens, about 12 pages"


def test_one_click_holds_the_fitted_number_and_one_lets_it_go(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    layers = slider(shown, N_GPU_LAYERS)
    layers.auto.click()
    planned()
    assert plans(client)[-1] == {N_GPU_LAYERS: GPU_LAYERS_ALL}
    layers.auto.click()
    planned()
    assert plans(client)[-1] == {}
    assert layers.auto.isChecked()


def test_moving_a_slider_holds_it(shown: LoadPanel, planned: Planned) -> None:
    layers = slider(shown, N_GPU_LAYERS)
    QTest.keyClick(layers.slider, Qt.Key.Key_Left)
    planned()
    assert not layers.auto.isChecked()
    assert layers.value_text.text() == "29 of 30"


def test_the_precision_of_the_context_is_one_choice_for_keys_and_values(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    cache = shown.controls.controls[CACHE_K]
    assert isinstance(cache, ChoiceControl)
    assert cache.select.currentText() == "Auto"
    cache.select.setCurrentIndex(2)
    cache.select.activated.emit(2)
    planned()
    assert plans(client)[-1] == {CACHE_K: "q8_0", CACHE_V: "q8_0"}
    assert cache.select.currentIndex() == 2


def test_a_computer_without_a_graphics_card_has_no_layers_to_share(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.machine.has_card = False
    shown.loading.edit({N_CTX: 4096})
    planned()
    assert not slider(shown, N_GPU_LAYERS).isVisible()
    assert len(shown.bars.bars) == 1


# Load, save, put back


def test_a_model_is_loaded_with_what_was_changed_without_saving_it(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    assert shown.load.text() == "Load"
    shown.loading.edit({N_CTX: 4096})
    planned()
    assert shown.load.text() == "Load"
    shown.load.click()
    planned()
    assert client.called("load_plans.load_once") == [(QWEN_ID, None, {N_CTX: 4096})]
    assert client.called("settings.change") == []
    assert client.called("models.load") == []
    assert shown.save.isVisible()


def test_what_was_loaded_this_time_is_not_asked_for_again_until_it_is_put_back(
    shown: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    shown.loading.edit({N_CTX: 4096})
    planned()
    client.set_state(QWEN_ID, loaded_state(spec, n_ctx=4096, n_gpu_layers=33))
    planned()
    assert not shown.load.isVisible()
    assert shown.save.isVisible()
    shown.revert.click()
    planned()
    assert shown.load.text() == "Reload"
    shown.load.click()
    planned()
    assert client.called("models.load") == [(QWEN_ID, None)]


def test_what_was_fitted_is_held_fast_without_a_reload(
    shown: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    loaded = loaded_state(spec, n_gpu_layers=12)
    placed = msgspec.structs.replace(loaded.options, n_gpu_layers=12, n_threads=3)
    client.set_state(QWEN_ID, msgspec.structs.replace(loaded, placed=placed))
    planned()
    shown.loading.edit({N_GPU_LAYERS: 12})
    planned()
    assert not shown.load.isVisible()
    assert not shown.reload_note.isVisible()
    assert shown.save.isVisible()


def test_memory_that_ran_short_is_said_with_an_offer(
    shown: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    assert not shown.load_note.isVisible()
    loaded = loaded_state(spec, n_gpu_layers=33)
    note = "Other programs have taken 2 GB of the computer’s memory."
    client.set_state(QWEN_ID, msgspec.structs.replace(loaded, note=note, is_memory_short=True))
    planned()
    assert shown.load_note.text.text() == note
    shown.load_note.smaller.click()
    planned()
    assert client.called("load_plans.load_smaller") == [(QWEN_ID, None)]
    client.set_state(QWEN_ID, msgspec.structs.replace(loaded, note="Loaded otherwise."))
    assert shown.load_note.isVisible()
    assert not shown.load_note.smaller.isVisible()


# Its own runtime


def test_with_one_runtime_there_is_nothing_to_choose(shown: LoadPanel) -> None:
    assert not shown.runtime.isVisible()


def test_a_model_gets_a_runtime_of_its_own_and_loses_it_again(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.add_runtime("vulkan", "vulkan")
    client.add_runtime("broken", test=RuntimeTest(works=False, tested_at_s=1.0, reason="It crashed."))
    client.publish(RuntimesChanged(note=""))
    planned()
    select = shown.runtime.select
    assert shown.runtime.isVisible()
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


def test_saving_loads_nothing(shown: LoadPanel, client: AppClient, planned: Planned) -> None:
    shown.loading.edit({N_GPU_LAYERS: 12})
    shown.save.click()
    planned()
    assert client.layers[ModelLayer(model_id=QWEN_ID)] == {N_GPU_LAYERS: 12}
    assert client.called("models.load") == []
    assert not shown.save.isVisible()


def test_what_was_saved_can_be_let_go(shown: LoadPanel, client: AppClient, planned: Planned) -> None:
    shown.loading.edit({N_CTX: 4096})
    shown.save.click()
    planned()
    slider(shown, N_CTX).auto.click()
    shown.save.click()
    planned()
    assert client.layers[ModelLayer(model_id=QWEN_ID)] == {}


def test_putting_back_asks_about_the_settings_in_force(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    shown.loading.edit({N_CTX: 4096})
    shown.revert.click()
    planned()
    assert plans(client)[-1] == {}
    assert not shown.revert.isVisible()


def test_a_change_that_needs_a_reload_says_so_before(
    shown: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    client.set_state(QWEN_ID, loaded_state(spec, n_gpu_layers=33))
    planned()
    assert not shown.reload_note.isVisible()
    assert not shown.load.isVisible()
    shown.loading.edit({N_CTX: 4096})
    planned()
    assert shown.reload_note.text().startswith("Requires reload, about 1 s.")
    assert shown.reload_note.isVisible()
    assert shown.reload_note.text().endswith(CHATS_KEPT)
    assert shown.load.text() == "Reload"
    shown.loading.edit({CACHE_K: "q8_0", CACHE_V: "q8_0"})
    planned()
    assert shown.reload_note.text().endswith(CHATS_REPROCESSED)


def test_what_is_loaded_already_is_drawn_solid(
    shown: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    client.set_state(QWEN_ID, loaded_state(spec, n_gpu_layers=33))
    planned()
    assert not any(part.is_predicted for part in shown.bars.bars[1].segments)


def test_a_load_shows_how_far_it_is_and_can_be_cancelled(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.set_state(QWEN_ID, LoadingModel(fraction=0.42))
    assert shown.progress.isVisible()
    assert shown.progress.text.text() == "Reading model… 42%"
    assert shown.progress.bar.value() == 420
    assert not shown.load.isVisible()
    shown.progress.cancel.click()
    planned()
    assert client.called("models.unload") == [(QWEN_ID,)]
    assert not shown.progress.isVisible()


def test_a_load_that_failed_says_why(shown: LoadPanel, client: AppClient, planned: Planned) -> None:
    error = OutOfMemory(model="Qwen3 8B", needed_bytes=9 * GIB, available_bytes=4 * GIB)
    client.fail_load(error)
    shown.load.click()
    planned()
    assert shown.problem.text() == error.sentence()
    assert shown.load.isVisible()


def test_a_refused_value_is_said_and_nothing_loads(
    shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    client.fail("settings.change", SettingInvalid(key="Context length", reason="It is too small."))
    shown.loading.edit({N_CTX: 512})
    planned()
    shown.save.click()
    planned()
    assert "It is too small." in shown.problem.text()
    assert client.called("models.load") == []


def test_what_needs_no_reload_takes_effect_at_once(
    shown: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    client.set_state(QWEN_ID, loaded_state(spec, n_gpu_layers=33))
    planned()
    keep = shown.controls.controls[KEEP_ALIVE]
    assert isinstance(keep, ChoiceControl)
    assert keep.select.currentText() == "15 minutes"
    keep.select.activated.emit(4)
    planned()
    assert client.layers[ModelLayer(model_id=QWEN_ID)] == {KEEP_ALIVE: -1}
    assert keep.select.currentText() == "Always"
    assert not shown.reload_note.isVisible()
    assert client.called("models.load") == []


# After a load


def test_predicted_stands_beside_measured_after_a_load(
    shown: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    assert not shown.measured.isVisible()
    done(client.store.load_records.add(made_record(QWEN_ID)))
    client.set_state(QWEN_ID, loaded_state(spec, n_gpu_layers=33))
    planned()
    assert shown.measured.sentence.text() == "Uses 6.9 GB, as predicted; loaded in 2.4 s."
    assert not shown.measured.smaller.isVisible()
    shown.measured.fold.click()
    assert ("The model", "Radeon RX 7600", "4,294,967,296", "4,294,967,296") in shown.measured.cells


def test_a_shortfall_offers_to_reload_smaller(
    shown: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    done(client.store.load_records.add(made_record(QWEN_ID, excess_bytes=900 * MIB)))
    client.set_state(QWEN_ID, loaded_state(spec, n_gpu_layers=33))
    planned()
    assert shown.measured.smaller.isVisible()
    assert "15 of 31 layers run on Radeon RX 7600" in shown.measured.offer.text()
    shown.measured.smaller.click()
    planned()
    assert client.called("load_plans.load_smaller") == [(QWEN_ID, None)]


def test_another_model_starts_from_its_own_settings(
    shown: LoadPanel, client: AppClient, models: ModelsView, planned: Planned
) -> None:
    shown.loading.edit({N_CTX: 4096})
    other = next(e.spec for e in models.usable if e.spec is not None and e.spec.id != QWEN_ID)
    shown.show_model(other, models.state(other.id))
    planned()
    assert client.called("load_plans.plan")[-1] == (other.id, None, {})
    assert not shown.save.isVisible()


def test_a_setting_changed_elsewhere_is_taken_over(
    qtbot: QtBot, shown: LoadPanel, client: AppClient, planned: Planned
) -> None:
    layer = ModelLayer(model_id=QWEN_ID)
    client.layers[layer] = {N_CTX: 2048}
    n_asked = len(plans(client))
    client.publish(SettingsChanged(keys=(N_CTX,)))
    qtbot.waitUntil(lambda: len(plans(client)) > n_asked)
    planned()
    assert slider(shown, N_CTX).value_text.text() == "2,048 tokens, about 3 pages"
    assert not slider(shown, N_CTX).auto.isChecked()


def test_the_context_goes_beyond_training_where_positions_are_scaled(
    qtbot: QtBot, shown: LoadPanel, client: AppClient, spec: ModelSpec, planned: Planned
) -> None:
    assert slider(shown, N_CTX).slider._values[-1] == spec.n_ctx_train
    client.layers[ModelLayer(model_id=QWEN_ID)] = {"load.rope_scaling": "yarn"}
    n_asked = len(plans(client))
    client.publish(SettingsChanged(keys=("load.rope_scaling",)))
    qtbot.waitUntil(lambda: len(plans(client)) > n_asked)
    planned()
    assert slider(shown, N_CTX).slider._values[-1] == 4 * spec.n_ctx_train


# Keyboard and screen reader


def test_every_control_has_a_name_and_is_reached_by_tab(shown: LoadPanel) -> None:
    found = [
        widget
        for kind in (QAbstractButton, QSlider, QComboBox)
        for widget in shown.findChildren(kind)
        if widget.isVisible()
    ]
    assert len(found) >= 6
    for widget in found:
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface.text(QAccessible.Text.Name), widget
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus, widget


def test_a_screen_reader_hears_amounts_and_not_places(shown: LoadPanel, planned: Planned) -> None:
    context = slider(shown, N_CTX).slider
    interface = QAccessible.queryAccessibleInterface(context)
    assert interface.text(QAccessible.Text.Name) == "Context: 8,192 tokens, about 12 pages, Auto"
    QTest.keyClick(context, Qt.Key.Key_Home)
    assert interface.text(QAccessible.Text.Name) == "Context: 512 tokens, about 1 page"
    planned()


def test_the_bars_say_what_they_show(shown: LoadPanel) -> None:
    name = QAccessible.queryAccessibleInterface(shown.bars.bars[1]).text(QAccessible.Text.Name)
    assert name.startswith("Radeon RX 7600: ")


@pytest.mark.parametrize("width", [360, 560])
def test_the_panel_fits_a_narrow_window(shown: LoadPanel, width: int) -> None:
    shown.window().resize(width, 700)
    shown.window().grab()
    assert shown.minimumSizeHint().width() <= width


def test_errors_of_loading_stay_with_the_model(shown: LoadPanel, client: AppClient, planned: Planned) -> None:
    client.fail_load(LoadFailed(model="Qwen3 8B", reason="no."))
    shown.load.click()
    planned()
    assert isinstance(client.states[QWEN_ID], Broken)
