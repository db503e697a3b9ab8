"""Tuning a model and comparing several, as the user sees it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.cut_off import cut_off
from fakes.library_models import GEMMA_PATH, QWEN_ID, library_entry, one_of_each
from fakes.model_entries import STARTER_ID, entry_of, loaded_state, starter_spec
from fakes.tuning import compared, tuning_of
from fakes.window import window_context
from fireside.core.errors import TuningRefused
from fireside.core.ids import ModelId
from fireside.core.tuning import (
    MAX_COMPARED,
    ComparingProgressed,
    Outcome,
    Trial,
    Tuning,
    TuningOptions,
    TuningProgressed,
    TuningStep,
)
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme, ThemeChoice
from fireside.ui.tuning import TuningController
from fireside.ui.tuning.compare_sheet import ComparisonSheet
from fireside.ui.tuning.exporting import export_text
from fireside.ui.tuning.panel import TuningPanel
from fireside.ui.tuning.plot import SpeedPlot, bars_of_trials
from fireside.ui.widgets.buttons import Button

Settled = Callable[[], None]
GEMMA = ModelId(GEMMA_PATH)


class Place:
    """A model's page with the controller behind it, on a window that can be seen."""

    def __init__(self, *, theme: Theme, tasks: TaskRunner, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(1000, 900)
        models = ModelsView()
        starter = entry_of(starter_spec())
        others = [library_entry(name, path=f"/lib/{name}.gguf") for name in ("Mistral", "Phi")]
        self.client = client = AppClient(models=(starter, *one_of_each(), *others))
        models.set_entries(client.entries)
        context = window_context(client, tasks=tasks, theme=theme, window=self.window, models=models)
        self.controller = TuningController(context)
        self.panel = self.controller.panel
        self.panel.setParent(self.window)
        self.panel.resize(980, 880)
        self._qtbot = qtbot
        self.window.show()
        self.panel.show_model(starter_spec())

    @property
    def sheet(self) -> ComparisonSheet:
        assert self.controller.sheet is not None
        return self.controller.sheet

    def load(self, model_id: ModelId, *, n_active: int = 0) -> None:
        self.client.set_state(model_id, loaded_state(starter_spec(), n_active=n_active))

    def progress(self, model_id: ModelId) -> None:
        """Let a tuning come further: two trials are done."""
        self.client.publish(
            TuningProgressed(
                model_id=model_id,
                now=Trial(number=2, step=TuningStep.THREADS, varied={"load.n_threads": 4}),
                trials=tuning_of(model_id).trials[:2],
                best=1,
                elapsed_s=30,
                limit_s=110.0,
            )
        )

    def click(self, button: Button) -> None:
        assert button.isVisible()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def wait_for(self, name: str) -> None:
        """Wait until the client has been asked, which keeps it waiting."""
        self._qtbot.waitUntil(lambda: bool(self.client.called(name)))


@pytest.fixture
def place(theme: Theme, tasks: TaskRunner, qtbot: QtBot, settled: Settled) -> Place:
    made = Place(theme=theme, tasks=tasks, qtbot=qtbot)
    settled()
    return made


@pytest.fixture
def tuned(place: Place, settled: Settled) -> Place:
    """The page after a tuning."""
    place.click(place.panel.tune)
    settled()
    return place


def notice(panel: TuningPanel) -> str:
    return panel.notices.findChildren(QWidget)[0].accessibleName() if panel.notices.has("problem") else ""


def test_a_model_that_was_never_tuned_offers_it(place: Place) -> None:
    assert place.client.called("tuning.report") == [(STARTER_ID,)]
    assert place.panel.tune.isVisible()
    for widget in (place.panel.table, place.panel.apply_button, place.panel.export, place.panel.cancel):
        assert not widget.isVisible()


def test_tuning_begins_at_once_when_nothing_is_loaded(place: Place, settled: Settled) -> None:
    place.client.hold("tuning.tune")
    place.click(place.panel.tune)
    place.wait_for("tuning.tune")
    assert place.client.called("tuning.tune") == [(STARTER_ID, TuningOptions())]
    assert place.panel.cancel.isVisible()
    assert place.panel.cancel.hasFocus()
    assert not place.panel.tune.isVisible()
    place.client.release("tuning.tune")
    settled()


def test_loaded_models_are_named_and_asked_about_first(place: Place, settled: Settled) -> None:
    place.load(GEMMA)
    place.load(QWEN_ID, n_active=1)
    place.click(place.panel.tune)
    settled()
    question = place.panel.question
    assert "Gemma 3 4B, Qwen3 8B" in question.text.text()
    assert "Unloading stops the answers of Qwen3 8B." in question.text.text()
    assert not place.client.called("tuning.tune")
    place.click(question.keep_loaded)
    settled()
    assert place.client.called("tuning.tune") == [(STARTER_ID, TuningOptions(unload=False))]


@pytest.mark.parametrize("width", [560, 860, 980])
def test_no_title_of_the_results_is_cut_off(tuned: Place, width: int) -> None:
    tuned.panel.resize(width, 880)
    assert cut_off(tuned.panel) == []


def test_the_model_itself_is_unloaded_for_its_tuning_without_a_question(
    place: Place, settled: Settled
) -> None:
    place.load(STARTER_ID)
    place.click(place.panel.tune)
    settled()
    assert place.client.called("tuning.tune") == [(STARTER_ID, TuningOptions(unload=True))]


def test_the_model_itself_is_asked_about_while_it_answers(place: Place, settled: Settled) -> None:
    place.load(STARTER_ID, n_active=1)
    place.click(place.panel.tune)
    settled()
    assert "Unloading stops the answers" in place.panel.question.text.text()
    assert not place.client.called("tuning.tune")


def test_a_user_can_decide_not_to_tune_now(place: Place, settled: Settled) -> None:
    place.load(GEMMA)
    place.click(place.panel.tune)
    settled()
    place.click(place.panel.question.later)
    assert not place.client.called("tuning.tune")
    assert place.panel.tune.isVisible()
    assert place.panel.tune.hasFocus()


def test_progress_says_what_is_tried_the_best_so_far_and_the_time_left(
    place: Place, settled: Settled
) -> None:
    place.client.hold("tuning.tune")
    place.click(place.panel.tune)
    place.wait_for("tuning.tune")
    place.progress(STARTER_ID)
    panel = place.panel
    assert panel.current_trial.text() == "Measuring: 4 threads"
    assert "Best so far: 4 threads, typical turn" in panel.best_trial.text()
    assert panel.remaining.text().startswith("At most ")
    assert len(panel.table.row_model.rows) == 2
    assert panel.bar.value() > 0
    place.client.release("tuning.tune")
    settled()


def test_progress_of_another_model_is_not_shown_here(place: Place, settled: Settled) -> None:
    place.client.hold("tuning.tune")
    place.click(place.panel.tune)
    place.wait_for("tuning.tune")
    place.progress(ModelId("other"))
    assert place.panel.table.row_model.rows == ()
    place.client.release("tuning.tune")
    settled()


def test_cancelling_ends_it_and_says_that_nothing_changed(place: Place, settled: Settled) -> None:
    place.client.hold("tuning.tune")
    place.click(place.panel.tune)
    place.wait_for("tuning.tune")
    place.click(place.panel.cancel)
    settled()
    assert not place.panel.is_running
    assert place.panel.notices.has("problem")
    assert place.panel.tune.isVisible()
    place.client.release("tuning.tune")


def test_a_model_that_cannot_be_measured_says_why_and_can_be_tried_again(
    place: Place, settled: Settled
) -> None:
    place.client.fail("tuning.tune", TuningRefused(reason="A benchmark is already running."))
    place.click(place.panel.tune)
    settled()
    assert place.panel.notices.has("problem")
    place.click(place.panel.tune)
    settled()
    assert not place.panel.notices.has("problem")
    assert place.panel.report is not None


def test_the_result_is_a_sentence_a_table_and_a_plot(tuned: Place) -> None:
    panel = tuned.panel
    assert panel.summary.text() == (
        "A typical turn takes 28% less time with: 4 threads, Micro-batch of 512 tokens."
    )
    facts = panel.table.row_model.rows
    assert [fact.cells[0] for fact in facts[:3]] == [
        "Current settings",
        "4 threads",
        "Flash attention on",
    ]
    assert [line.name for line in panel.plot.lines if line.is_best] == ["Micro-batch of 512 tokens"]
    assert "fastest" in panel.plot.accessibleDescription()
    planned = [fact.cells[5] for fact in facts]
    assert planned[0] == "300 MB, fits"
    assert planned[4] == "9.0 GB, does not fit"
    # The trial that crashed has no bar, and says why.
    assert len(panel.plot.lines) == 4
    assert "SIGKILL" in panel.problems.text()


def test_keeping_and_taking_back_are_one_click_each(tuned: Place, settled: Settled) -> None:
    panel = tuned.panel
    tuned.click(panel.apply_button)
    settled()
    assert "Applied from tuning: 4 threads" in panel.applied_text.text()
    assert not panel.apply_button.isVisible()
    tuned.click(panel.revert_button)
    settled()
    assert not panel.applied_text.isVisible()
    assert panel.apply_button.isVisible()
    assert not panel.revert_button.isVisible()


def test_nothing_is_to_be_kept_where_nothing_was_faster(place: Place, settled: Settled) -> None:
    same = tuning_of(STARTER_ID)
    trials = tuple(replace(each, outcome=Outcome.NOT_FASTER) for each in same.trials)
    place.client.benchmarks.tuned = replace(place.client.benchmarks.tuned, best=0, gain=0, trials=trials)
    place.click(place.panel.tune)
    settled()
    assert place.panel.summary.text().startswith("No settings were measurably faster")
    assert not place.panel.apply_button.isVisible()


def test_figures_of_another_file_say_so_and_offer_to_tune_again(place: Place, settled: Settled) -> None:
    place.client.app.tuning._parts.records.put(tuning_of(STARTER_ID))
    place.panel.show_model(msgspec.structs.replace(starter_spec(), id=QWEN_ID))
    place.panel.show_model(starter_spec())
    settled()
    assert place.panel.notices.has("stale")
    again = [each for each in place.panel.notices.findChildren(Button) if each.text() == "Tune again"]
    place.click(again[0])
    settled()
    assert place.client.called("tuning.tune")
    assert not place.panel.notices.has("stale")


@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_the_plot_tells_its_bars_apart_in_both_themes(
    theme: Theme, qtbot: QtBot, choice: ThemeChoice
) -> None:
    theme.set_choice(choice)
    plot = SpeedPlot(theme=theme)
    qtbot.addWidget(plot)
    plot.resize(640, 200)
    plot.show_lines(bars_of_trials(tuning_of(STARTER_ID).trials, best=3))
    plot.show()
    image = plot.grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(0, 640, 2) for y in range(image.height())}
    for token in ("series1", "series2"):
        assert theme.colour(token).name() in seen


def test_every_control_has_a_name(tuned: Place) -> None:
    for button in tuned.panel.findChildren(Button):
        assert button.text() or button.accessibleName()
    assert tuned.panel.table.accessibleName()
    assert tuned.panel.bar.accessibleName()


def test_a_tuning_is_exported_whole() -> None:
    tuning = tuning_of(STARTER_ID)
    assert msgspec.json.decode(export_text(tuning, suffix="json"), type=Tuning) == tuning
    rows = list(csv.reader(io.StringIO(export_text(tuning, suffix="csv"))))
    assert rows[0][0] == "Settings"
    assert len(rows) == 1 + len(tuning.trials)
    text = export_text(tuning, suffix="md")
    assert text.startswith("## SmolLM2\n")
    # With the line below the head.
    assert text.count("\n| ") == 2 + len(tuning.trials)


def test_the_export_is_written_where_a_user_says(tuned: Place, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = tuned.panel.export.save_as("csv")
    assert dialog is not None
    target = tmp_path / "figures.csv"
    dialog.fileSelected.emit(str(target))
    dialog.close()
    qtbot.waitUntil(target.exists)
    qtbot.waitUntil(lambda: target.read_text(encoding="utf-8").startswith("Settings,"))


def test_models_are_chosen_and_compared(place: Place, settled: Settled) -> None:
    place.click(place.panel.compare)
    sheet = place.sheet
    assert not sheet.compare.isEnabled() or sheet.selected_models
    for box in list(sheet.boxes.values())[:2]:
        box.setChecked(True)
    place.click(sheet.compare)
    settled()
    (asked,) = place.client.called("tuning.compare")
    assert asked == (sheet.selected_models, True, False)
    facts = sheet.table.row_model.rows
    assert len(facts) == 2
    assert "20.00" in facts[0].cells
    assert len(sheet.plot.lines) == 2
    assert sheet.export.isVisible()
    sheet.close_button.click()
    settled()


def test_too_many_models_cannot_be_compared(place: Place, settled: Settled) -> None:
    place.controller.compare()
    sheet = place.sheet
    assert sheet.compare.isEnabled()
    for box in sheet.boxes.values():
        box.setChecked(True)
    assert len(sheet.selected_models) == MAX_COMPARED + 1
    assert not sheet.compare.isEnabled()
    sheet.close_button.click()
    settled()


def test_closing_the_sheet_ends_the_comparison(place: Place, settled: Settled) -> None:
    place.client.hold("tuning.compare")
    place.controller.compare()
    sheet = place.sheet
    next(iter(sheet.boxes.values())).setChecked(True)
    place.click(sheet.compare)
    place.wait_for("tuning.compare")
    place.client.publish(ComparingProgressed(name="Qwen", n_done=0, n_models=1, done=()))
    assert sheet.now.text() == "Measuring Qwen: 1 of 1"
    sheet.reject()
    settled()
    place.client.release("tuning.compare")
    settled()
    assert place.controller.sheet is None


def test_a_cancelled_comparison_can_be_begun_again(place: Place, settled: Settled) -> None:
    place.client.hold("tuning.compare")
    place.controller.compare()
    sheet = place.sheet
    next(iter(sheet.boxes.values())).setChecked(True)
    place.click(sheet.compare)
    place.wait_for("tuning.compare")
    place.click(sheet.cancel)
    settled()
    assert sheet.compare.isVisible()
    place.client.release("tuning.compare")
    place.click(sheet.compare)
    settled()
    assert len(sheet.table.row_model.rows) == 1
    sheet.close_button.click()
    settled()


def test_a_model_that_could_not_be_measured_has_no_bar_and_a_reason(place: Place, settled: Settled) -> None:
    good = compared(ModelId("a"), "Good")
    bad = compared(ModelId("b"), "Bad")
    failed = replace(bad.trial, prefill=None, decode=None, problem="“Bad” needs 80 GB.")
    trials = iter((good, replace(bad, trial=failed, perplexity=None)))
    place.client.benchmarks.compared = lambda _id, _name: next(trials)
    place.controller.compare()
    sheet = place.sheet
    for box in list(sheet.boxes.values())[:2]:
        box.setChecked(True)
    place.click(sheet.compare)
    settled()
    assert [line.name for line in sheet.plot.lines] == ["Good Q4_1"]
    assert sheet.problems.text() == "Bad: “Bad” needs 80 GB."
    sheet.close_button.click()
    settled()
