"""Tuning a model and comparing several, as the user sees it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.clipped_text import cut_off
from fakes.library_models import GEMMA_PATH, QWEN_ID, library_entry, one_of_each
from fakes.model_entries import STARTER_ID, entry_of, loaded_state, starter_spec
from fakes.tuning import compared, tuning_of
from fakes.window import window_context
from fireside.core.errors import RequestError
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
from fireside.ui.tuning.exporting import export_text
from fireside.ui.tuning.panel import TuningPanel
from fireside.ui.tuning.plot import Bars, SpeedPlot, bars_of_trials
from fireside.ui.tuning.tuning_controller import ComparisonSheet
from fireside.ui.widgets.buttons import Button

GEMMA = ModelId(GEMMA_PATH)


class Harness:
    """A model's page with the controller behind it, on a window that can be seen."""

    def __init__(self, *, tasks: TaskRunner, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(1000, 900)
        models = ModelsView()
        starter = entry_of(starter_spec())
        others = [library_entry(name, path=f"/lib/{name}.gguf") for name in ("Mistral", "Phi")]
        self.client = client = AppClient(models=(starter, *one_of_each(), *others))
        models.set_entries(client.entries)
        context = window_context(client, tasks=tasks, window=self.window, models=models)
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
def harness(tasks: TaskRunner, qtbot: QtBot) -> Harness:
    made = Harness(tasks=tasks, qtbot=qtbot)
    settled()
    return made


@pytest.fixture
def tuned(harness: Harness) -> Harness:
    """The page after a tuning."""
    harness.click(harness.panel.tune)
    settled()
    return harness


def notice(panel: TuningPanel) -> str:
    return panel.notices.findChildren(QWidget)[0].accessibleName() if panel.notices.has("problem") else ""


def test_a_model_that_was_never_tuned_offers_it(harness: Harness) -> None:
    assert harness.client.called("tuning.report") == [(STARTER_ID,)]
    assert harness.panel.tune.isVisible()
    for widget in (
        harness.panel.table,
        harness.panel.apply_button,
        harness.panel.export,
        harness.panel.cancel,
    ):
        assert not widget.isVisible()


def test_tuning_begins_at_once_when_nothing_is_loaded(harness: Harness) -> None:
    harness.client.hold("tuning.tune")
    harness.click(harness.panel.tune)
    harness.wait_for("tuning.tune")
    assert harness.client.called("tuning.tune") == [(STARTER_ID, TuningOptions())]
    assert harness.panel.cancel.isVisible()
    assert harness.panel.cancel.hasFocus()
    assert not harness.panel.tune.isVisible()
    harness.client.release("tuning.tune")
    settled()


def test_loaded_models_are_named_and_asked_about_first(harness: Harness) -> None:
    harness.load(GEMMA)
    harness.load(QWEN_ID, n_active=1)
    harness.click(harness.panel.tune)
    settled()
    question = harness.panel.question
    assert "Gemma 3 4B, Qwen3 8B" in question.text.text()
    assert "Unloading stops the answers of Qwen3 8B." in question.text.text()
    assert not harness.client.called("tuning.tune")
    harness.click(question.keep_loaded)
    settled()
    assert harness.client.called("tuning.tune") == [(STARTER_ID, TuningOptions(unload=False))]


@pytest.mark.parametrize("width", [560, 860, 980])
def test_no_title_of_the_results_is_cut_off(tuned: Harness, width: int) -> None:
    tuned.panel.resize(width, 880)
    assert cut_off(tuned.panel) == []


def test_the_model_itself_is_unloaded_for_its_tuning_without_a_question(harness: Harness) -> None:
    harness.load(STARTER_ID)
    harness.click(harness.panel.tune)
    settled()
    assert harness.client.called("tuning.tune") == [(STARTER_ID, TuningOptions(unload=True))]


def test_the_model_itself_is_asked_about_while_it_answers(harness: Harness) -> None:
    harness.load(STARTER_ID, n_active=1)
    harness.click(harness.panel.tune)
    settled()
    assert "Unloading stops the answers" in harness.panel.question.text.text()
    assert not harness.client.called("tuning.tune")


def test_a_user_can_decide_not_to_tune_now(harness: Harness) -> None:
    harness.load(GEMMA)
    harness.click(harness.panel.tune)
    settled()
    harness.click(harness.panel.question.later)
    assert not harness.client.called("tuning.tune")
    assert harness.panel.tune.isVisible()
    assert harness.panel.tune.hasFocus()


def test_progress_says_what_is_tried_the_best_so_far_and_the_time_left(harness: Harness) -> None:
    harness.client.hold("tuning.tune")
    harness.click(harness.panel.tune)
    harness.wait_for("tuning.tune")
    harness.progress(STARTER_ID)
    panel = harness.panel
    assert panel.current_trial.text() == "Measuring: 4 threads"
    assert "Best so far: 4 threads, typical turn" in panel.best_trial.text()
    assert panel.remaining.text().startswith("At most ")
    assert len(panel.table.row_model.rows) == 2
    assert panel.bar.value() > 0
    harness.client.release("tuning.tune")
    settled()


@pytest.mark.parametrize("width", [480, 980])
def test_cancel_stays_under_the_pointer_while_results_come(harness: Harness, width: int) -> None:
    harness.panel.resize(width, 880)
    harness.client.hold("tuning.tune")
    harness.click(harness.panel.tune)
    harness.wait_for("tuning.tune")
    panel = harness.panel
    QApplication.processEvents()
    before = panel.cancel.mapTo(panel, QPoint(0, 0))
    harness.progress(STARTER_ID)
    QApplication.processEvents()
    assert panel.table.isVisible()
    assert panel.cancel.mapTo(panel, QPoint(0, 0)) == before
    harness.client.release("tuning.tune")
    settled()


def test_bars_of_one_group_are_as_long_as_their_numbers(qtbot: QtBot, theme: Theme) -> None:
    plot = SpeedPlot()
    qtbot.addWidget(plot)
    plot.resize(640, 200)
    plot.show_lines([Bars(name="a", prefill=40, decode=10), Bars(name="b", prefill=20, decode=10)])
    image = plot.grab().toImage()
    fill = theme.colour("series1").name()
    columns = [
        sum(image.pixelColor(x, y).name() == fill for x in range(image.width()))
        for y in range(image.height())
    ]
    lengths = sorted({round(n, -1) for n in columns if n > 20})
    assert lengths[-1] == pytest.approx(2 * lengths[0], rel=0.15)


def test_progress_of_another_model_is_not_shown_here(harness: Harness) -> None:
    harness.client.hold("tuning.tune")
    harness.click(harness.panel.tune)
    harness.wait_for("tuning.tune")
    harness.progress(ModelId("other"))
    assert harness.panel.table.row_model.rows == ()
    harness.client.release("tuning.tune")
    settled()


def test_cancelling_ends_it_and_says_that_nothing_changed(harness: Harness) -> None:
    harness.client.hold("tuning.tune")
    harness.click(harness.panel.tune)
    harness.wait_for("tuning.tune")
    harness.click(harness.panel.cancel)
    settled()
    assert not harness.panel.is_running
    assert harness.panel.notices.has("problem")
    assert harness.panel.tune.isVisible()
    harness.client.release("tuning.tune")


def test_a_model_that_cannot_be_measured_says_why_and_can_be_tried_again(harness: Harness) -> None:
    harness.client.fail(
        "tuning.tune", RequestError.of("tuning_refused", reason="A benchmark is already running.")
    )
    harness.click(harness.panel.tune)
    settled()
    assert harness.panel.notices.has("problem")
    harness.click(harness.panel.tune)
    settled()
    assert not harness.panel.notices.has("problem")
    assert harness.panel.report is not None


def test_the_result_is_a_sentence_a_table_and_a_plot(tuned: Harness) -> None:
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


def test_keeping_and_taking_back_are_one_click_each(tuned: Harness) -> None:
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


def test_nothing_is_to_be_kept_where_nothing_was_faster(harness: Harness) -> None:
    same = tuning_of(STARTER_ID)
    trials = tuple(replace(each, outcome=Outcome.NOT_FASTER) for each in same.trials)
    harness.client.benchmarks.tuned = replace(harness.client.benchmarks.tuned, best=0, gain=0, trials=trials)
    harness.click(harness.panel.tune)
    settled()
    assert harness.panel.summary.text().startswith("No settings were measurably faster")
    assert not harness.panel.apply_button.isVisible()


def test_figures_of_another_file_say_so_and_offer_to_tune_again(harness: Harness) -> None:
    harness.client.app.tuning._parts.records.put(tuning_of(STARTER_ID))
    harness.panel.show_model(msgspec.structs.replace(starter_spec(), id=QWEN_ID))
    harness.panel.show_model(starter_spec())
    settled()
    assert harness.panel.notices.has("stale")
    again = [each for each in harness.panel.notices.findChildren(Button) if each.text() == "Tune again"]
    harness.click(again[0])
    settled()
    assert harness.client.called("tuning.tune")
    assert not harness.panel.notices.has("stale")


@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_the_plot_tells_its_bars_apart_in_both_themes(
    theme: Theme, qtbot: QtBot, choice: ThemeChoice
) -> None:
    theme.set_choice(choice)
    plot = SpeedPlot()
    qtbot.addWidget(plot)
    plot.resize(640, 200)
    plot.show_lines(bars_of_trials(tuning_of(STARTER_ID).trials, best=3))
    plot.show()
    image = plot.grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(0, 640, 2) for y in range(image.height())}
    for token in ("series1", "series2"):
        assert theme.colour(token).name() in seen


def test_every_control_has_a_name(tuned: Harness) -> None:
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


def test_the_export_is_written_where_a_user_says(tuned: Harness, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = tuned.panel.export.save_as("csv")
    assert dialog is not None
    target = tmp_path / "figures.csv"
    dialog.fileSelected.emit(str(target))
    dialog.close()
    qtbot.waitUntil(target.exists)
    qtbot.waitUntil(lambda: target.read_text(encoding="utf-8").startswith("Settings,"))


def test_models_are_chosen_and_compared(harness: Harness) -> None:
    harness.click(harness.panel.compare)
    sheet = harness.sheet
    assert not sheet.compare.isEnabled() or sheet.selected_models
    for box in list(sheet.boxes.values())[:2]:
        box.setChecked(True)
    harness.click(sheet.compare)
    settled()
    (asked,) = harness.client.called("tuning.compare")
    assert asked == (sheet.selected_models, True, False, False, ())
    assert not sheet.answers.isVisible()
    facts = sheet.table.row_model.rows
    assert len(facts) == 2
    assert "20.00" in facts[0].cells
    assert len(sheet.plot.lines) == 2
    assert sheet.export.isVisible()
    sheet.close_button.click()
    settled()


def test_models_are_asked_questions_if_the_user_wants_that(harness: Harness, tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    lines = [json.dumps({"question": f"2 + {n}?", "answers": [str(2 + n)]}) for n in range(203)]
    own.write_text("\n".join([*lines, "not a question", "nor this"]))
    harness.controller.compare()
    sheet = harness.sheet
    assert not sheet.question_files.isVisible()
    sheet.quality.setChecked(True)
    sheet.question_files.show_paths((str(own),))
    assert sheet.question_files.isVisible()
    for box in list(sheet.boxes.values())[:2]:
        box.setChecked(True)
    harness.click(sheet.compare)
    settled()
    told = sheet.answers.text().splitlines()
    assert len(told) == 7
    assert told[0].endswith("Fireside: 30 of 60 right, 50% (38–62%).")
    assert told[1].endswith("own: 100 of 200 right, 50% (43–57%).")
    assert told[4:6] == [
        "Of own, 2 entries have no known form and were not asked.",
        "Of own, 3 more questions were not asked.",
    ]
    assert "cannot be told apart" in told[6]
    sheet.close_button.click()
    settled()


def test_too_many_models_cannot_be_compared(harness: Harness) -> None:
    harness.controller.compare()
    sheet = harness.sheet
    assert sheet.compare.isEnabled()
    for box in sheet.boxes.values():
        box.setChecked(True)
    assert len(sheet.selected_models) == MAX_COMPARED + 1
    assert not sheet.compare.isEnabled()
    sheet.close_button.click()
    settled()


def test_closing_the_sheet_ends_the_comparison(harness: Harness) -> None:
    harness.client.hold("tuning.compare")
    harness.controller.compare()
    sheet = harness.sheet
    next(iter(sheet.boxes.values())).setChecked(True)
    harness.click(sheet.compare)
    harness.wait_for("tuning.compare")
    harness.client.publish(ComparingProgressed(name="Qwen", n_done=0, n_models=1, done=()))
    assert sheet.now.text() == "Measuring Qwen: 1 of 1"
    sheet.reject()
    settled()
    harness.client.release("tuning.compare")
    settled()
    assert harness.controller.sheet is None


def test_a_cancelled_comparison_can_be_begun_again(harness: Harness) -> None:
    harness.client.hold("tuning.compare")
    harness.controller.compare()
    sheet = harness.sheet
    next(iter(sheet.boxes.values())).setChecked(True)
    harness.click(sheet.compare)
    harness.wait_for("tuning.compare")
    harness.click(sheet.cancel)
    settled()
    assert sheet.compare.isVisible()
    harness.client.release("tuning.compare")
    harness.click(sheet.compare)
    settled()
    assert len(sheet.table.row_model.rows) == 1
    sheet.close_button.click()
    settled()


def test_a_model_that_could_not_be_measured_has_no_bar_and_a_reason(harness: Harness) -> None:
    good = compared(ModelId("a"), "Good")
    bad = compared(ModelId("b"), "Bad")
    failed = replace(bad.trial, prefill=None, decode=None, problem="“Bad” needs 80 GB.")
    trials = iter((good, replace(bad, trial=failed, perplexity=None)))
    harness.client.benchmarks.compared = lambda _id, _name: next(trials)
    harness.controller.compare()
    sheet = harness.sheet
    for box in list(sheet.boxes.values())[:2]:
        box.setChecked(True)
    harness.click(sheet.compare)
    settled()
    assert [line.name for line in sheet.plot.lines] == ["Good Q4_1"]
    assert sheet.problems.text() == "Bad: “Bad” needs 80 GB."
    sheet.close_button.click()
    settled()
