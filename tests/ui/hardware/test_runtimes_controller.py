"""The list of llama.cpp builds, as the user sees it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.runtimes import small_runtime
from fakes.window import window_context
from fireside.core.errors import RuntimeBuildError, UpdateError
from fireside.core.events import AppEvent
from fireside.core.runtime import (
    BUILT_IN,
    Runtime,
    RuntimeOffer,
    RuntimeProgressed,
    RuntimesChanged,
    RuntimeState,
    RuntimeStep,
    RuntimeTest,
)
from fireside.ui.hardware.hardware_page import HardwarePage
from fireside.ui.hardware.runtime_text import about_text, result_text
from fireside.ui.hardware.runtimes_controller import RuntimeRow, RuntimesBox, RuntimesController
from fireside.ui.tasks import TaskRunner

WORKS = RuntimeTest(works=True, tested_at_s=1.0, devices=("NVIDIA RTX 4090",))
FAILS = RuntimeTest(works=False, tested_at_s=1.0, reason="Crashed: signal 11.")


class Harness:
    """The box with its controller, on a window that can be seen."""

    def __init__(self, *, tasks: TaskRunner, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(900, 800)
        self.client = client = AppClient()
        client.frame.connect(self._on_frame)
        self.used: list[bool] = []
        context = window_context(client, tasks=tasks, window=self.window)
        self.toast = context.toast
        self.controller = RuntimesController(
            context, on_runtime_changed=lambda: self.used.append(True), parent=self.window
        )
        self.box = self.controller.box
        self.box.setParent(self.window)
        self.box.resize(880, 780)
        self.window.show()

    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        for event in events:
            self.controller.handle(event)

    def row(self, name: str) -> RuntimeRow:
        return next(row for row in self.box.rows if row.runtime.name == name)


@pytest.fixture
def harness(tasks: TaskRunner, qtbot: QtBot) -> Harness:
    made = Harness(tasks=tasks, qtbot=qtbot)
    made.client.add_runtime("vulkan", "vulkan", test=WORKS)
    made.client.add_runtime("broken", test=FAILS)
    made.client.add_runtime("new", test=None)
    made.controller.refresh()
    settled()
    return made


def click(button: QWidget, qtbot: QtBot) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_each_says_what_it_is_and_how_it_stands(harness: Harness) -> None:
    assert [row.badge.text() for row in harness.box.rows] == ["Active", "Failed", "Not tested", "Tested"]
    assert harness.row("broken").result.text() == "Crashed: signal 11."
    assert "RTX 4090" in harness.row("vulkan").result.text()
    assert harness.row(BUILT_IN).accessibleName() == "Included with Fireside: Active"


def test_only_what_can_be_done_is_offered(harness: Harness) -> None:
    assert [row.use.isVisible() for row in harness.box.rows] == [False, False, False, True]
    assert [row.remove.isVisible() for row in harness.box.rows] == [False, True, True, True]
    assert all(row.test.isVisible() for row in harness.box.rows)
    assert not harness.box.roll_back.isVisible()


def test_one_click_uses_a_runtime_and_one_goes_back(harness: Harness, qtbot: QtBot) -> None:
    click(harness.row("vulkan").use, qtbot)
    settled()
    assert harness.used == [True]
    assert harness.client.called("runtimes.use") == [("vulkan",)]
    assert harness.row("vulkan").badge.text() == "Active"
    assert "vulkan" in harness.toast.text
    assert "Included with Fireside" in harness.box.roll_back.text()
    click(harness.box.roll_back, qtbot)
    settled()
    assert harness.row(BUILT_IN).badge.text() == "Active"


def test_a_test_shows_that_it_runs_and_what_came_of_it(harness: Harness, qtbot: QtBot) -> None:
    harness.client.hold("runtimes.test")
    click(harness.row("new").test, qtbot)
    assert harness.box.busy.isVisible()
    assert not harness.box.add.isEnabled()
    assert not any(row.use.isEnabled() for row in harness.box.rows)
    harness.client.release("runtimes.test")
    settled()
    assert not harness.box.busy.isVisible()
    assert harness.box.add.isEnabled()
    assert harness.row("new").badge.text() == "Tested"
    assert "works" in harness.toast.text


def progress(harness: Harness, step: RuntimeStep, *, fraction: float | None = None) -> None:
    harness.client.publish(RuntimeProgressed(name="vulkan.tar.xz", step=step, fraction=fraction))


def test_an_addition_shows_how_far_it_is_and_can_be_cancelled(harness: Harness, qtbot: QtBot) -> None:
    harness.client.hold("runtimes.add")
    harness.controller.add("/tmp/vulkan.tar.xz")
    progress(harness, RuntimeStep.UNPACKING, fraction=0.5)
    assert "Unpacking “vulkan.tar.xz”" in harness.box.busy_text.text()
    assert harness.box.bar.isVisible()
    assert harness.box.bar.value() == 500
    progress(harness, RuntimeStep.TESTING)
    assert not harness.box.bar.isVisible()
    click(harness.box.cancel, qtbot)
    settled()
    assert not harness.box.busy.isVisible()
    assert not harness.box.notices.texts
    assert [row.runtime.name for row in harness.box.rows] == [BUILT_IN, "broken", "new", "vulkan"]


def test_what_cannot_be_added_is_said_in_words(harness: Harness, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Buy milk.")
    harness.controller.add(str(notes))
    settled()
    (notice,) = harness.box.notices.texts
    assert "notes.txt" in notice
    harness.controller.add(str(small_runtime(tmp_path / "sycl", "sycl")))
    assert list(harness.box.notices.texts) == []
    settled()
    assert harness.row("sycl").badge.text() == "Tested"


def test_a_list_that_cannot_be_had_is_said_until_it_can(harness: Harness) -> None:
    error = RuntimeBuildError.of("runtime_unwritable", path="/data/runtimes", reason="Permission denied")
    harness.client.fail("runtimes.choice", error)
    harness.controller.refresh()
    settled()
    assert harness.box.notices.texts == (error.sentence(),)
    harness.controller.refresh()
    settled()
    assert list(harness.box.notices.texts) == []


def test_removing_asks_once_more_in_the_same_place(harness: Harness, qtbot: QtBot) -> None:
    row = harness.row("broken")
    click(row.remove, qtbot)
    assert row.removal.question.isVisible()
    assert row.focusWidget() is row.removal.keep
    click(row.removal.keep, qtbot)
    assert not row.removal.question.isVisible()
    click(row.remove, qtbot)
    click(row.removal.confirm, qtbot)
    settled()
    assert harness.client.called("runtimes.remove") == [("broken",)]
    assert "broken" not in {each.runtime.name for each in harness.box.rows}


def test_what_is_refused_is_said_and_stays(harness: Harness, qtbot: QtBot) -> None:
    harness.client.app.runtimes._store.note_test("vulkan", FAILS)  # by another window of the program
    click(harness.row("vulkan").use, qtbot)
    settled()
    (notice,) = harness.box.notices.texts
    assert "Test failed: Crashed: signal 11." in notice


def test_a_runtime_that_was_given_up_is_told_on_the_page(harness: Harness) -> None:
    note = "“vulkan” is not used any more."
    harness.client.app.runtimes._store.update_history(
        lambda history: msgspec.structs.replace(history, note=note)
    )
    harness.client.publish(RuntimesChanged(note=note))
    settled()
    assert note in harness.box.notices.texts


def drop(box: RuntimesBox, *names: str) -> bool:
    """Drag files over the box and let go; return whether the box took them."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(Path("/tmp") / name)) for name in names])
    entering = QDragEnterEvent(
        QPoint(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    entering.ignore()
    box.dragEnterEvent(entering)
    if entering.isAccepted():
        box.dropEvent(
            QDropEvent(
                QPoint(5, 5),
                Qt.DropAction.CopyAction,
                data,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
            )
        )
    return entering.isAccepted()


@pytest.mark.parametrize(
    ("names", "is_taken"),
    [(("a.tar.xz",), True), (("a.ZIP",), True), (("a.gguf",), False), (("a.zip", "b.zip"), False)],
)
def test_an_archive_can_be_dropped(harness: Harness, names: tuple[str, ...], is_taken: bool) -> None:
    assert drop(harness.box, *names) is is_taken
    settled()
    assert bool(harness.client.called("runtimes.add")) is is_taken


def test_nothing_is_dropped_on_a_busy_list(harness: Harness) -> None:
    harness.client.hold("runtimes.add")
    assert drop(harness.box, "a.zip")
    assert not drop(harness.box, "b.zip")
    harness.client.release("runtimes.add")
    settled()
    assert len(harness.client.called("runtimes.add")) == 1


VULKAN = RuntimeOffer(
    name="vulkan-of-release", llama_cpp="0.5.0", backends=("Vulkan", "CPU"), n_bytes=34_000_000, fits=True
)


def offer(harness: Harness, *offers: RuntimeOffer) -> None:
    """Have the releases be asked, and answer with ``offers``."""
    choice = harness.client.result(harness.client.app.runtimes.choice())
    choice_with_offers = msgspec.structs.replace(choice, is_published=True, offers=offers)
    harness.client.reply("runtimes.check_for_updates", choice_with_offers)
    harness.client.reply("runtimes.choice", choice_with_offers)
    harness.controller.find()
    settled()


def test_a_copy_without_an_address_offers_no_search(harness: Harness) -> None:
    harness.box.show_suitable(("Vulkan",))
    assert not harness.box.find_more.isVisible()
    assert list(harness.box.notices.texts) == []


def test_a_gpu_that_is_not_used_is_told_which_runtime_suits_it_and_how_to_get_that(
    harness: Harness, qtbot: QtBot
) -> None:
    choice = harness.client.result(harness.client.app.runtimes.choice())
    published = msgspec.structs.replace(choice, is_published=True)
    harness.client.reply("runtimes.choice", published)
    harness.controller.refresh()
    settled()
    assert harness.box.find_more.isVisible()
    assert list(harness.box.notices.texts) == [], "without such a GPU nothing is advised"
    harness.box.show_suitable(("CUDA", "Vulkan"))
    (advice,) = harness.box.notices.texts
    assert "a runtime with CUDA or Vulkan" in advice
    assert harness.client.called("runtimes.check_for_updates") == []

    harness.client.reply("runtimes.check_for_updates", published)
    click(harness.box.find_more, qtbot)
    settled()
    assert harness.client.called("runtimes.check_for_updates") == [()]
    other = msgspec.structs.replace(VULKAN, name="later", llama_cpp="9.0", fits=False)
    offer(harness, VULKAN, other)
    assert [(row.offer.name, row.badge.text()) for row in harness.box.offers] == [
        ("vulkan-of-release", "Suits your GPU"),
        ("later", "Not downloaded"),
    ]
    # Qt shows what is added to a visible layout with its next events.
    qtbot.waitUntil(lambda: [row.download.isVisible() for row in harness.box.offers] == [True, False])
    assert "another version" in harness.box.offers[1].problem.text()
    assert harness.box.offers[0].download.accessibleName() == "Download vulkan-of-release"
    assert list(harness.box.notices.texts) == []


def test_one_click_downloads_and_tests_it(harness: Harness, qtbot: QtBot) -> None:
    offer(harness, VULKAN)
    harness.client.hold("runtimes.install")
    harness.client.reply("runtimes.install", harness.row("vulkan").runtime)
    click(harness.box.offers[0].download, qtbot)
    assert not harness.box.offers[0].download.isEnabled()
    assert not harness.box.find_more.isEnabled()
    event = RuntimeProgressed(name="vulkan-of-release", step=RuntimeStep.DOWNLOADING, fraction=0.25)
    harness.client.publish(event)
    assert harness.box.busy_text.text() == "Downloading “vulkan-of-release”…"
    assert harness.box.bar.value() == 250
    harness.client.release("runtimes.install")
    settled()
    assert harness.client.called("runtimes.install") == [("vulkan-of-release",)]
    assert "works" in harness.toast.text
    assert harness.box.offers[0].download.isEnabled()


@pytest.mark.parametrize(
    ("offers", "notice"), [((), "no further runtime"), ((VULKAN,), "None of the runtimes")]
)
def test_a_search_that_does_not_help_is_said(
    harness: Harness, offers: tuple[RuntimeOffer, ...], notice: str
) -> None:
    harness.box.show_suitable(("CUDA",))
    offer(harness, *offers)
    (advice,) = harness.box.notices.texts
    assert notice in advice


def test_a_release_that_is_refused_is_said(harness: Harness) -> None:
    error = UpdateError.of("update_untrusted", reason="its signature is wrong.")
    harness.client.fail("runtimes.check_for_updates", error)
    harness.controller.find()
    settled()
    assert harness.box.notices.texts == (error.sentence(),)


def test_a_chosen_file_is_added(harness: Harness) -> None:
    dialog = harness.box.choose_archive()
    dialog.fileSelected.emit("/tmp/a.tar.xz")
    dialog.close()
    settled()
    assert harness.client.called("runtimes.add") == [("/tmp/a.tar.xz",)]


def test_words_of_others_are_shown_as_one_line() -> None:
    odd = Runtime(
        name="odd",
        llama_cpp="0.5.0-dev",
        backends=("CPU\n<b>",),
        platform="linux-x86_64",
        folder="/data/runtimes/odd",
        n_bytes=31_000_000,
        licence="MIT",
        state=RuntimeState.FAILED,
        test=RuntimeTest(works=False, tested_at_s=1.0, reason="bad\u202e\nnews"),
    )
    assert "\n" not in about_text(odd)
    assert result_text(odd) == "bad news"


def test_every_button_has_a_name_that_says_of_which_runtime(harness: Harness) -> None:
    row = harness.row("vulkan")
    names = {button.accessibleName() for button in (row.use, row.test, row.remove, row.removal.confirm)}
    assert names == {"Use vulkan", "Test vulkan", "Remove vulkan", "Delete vulkan"}


def test_the_page_of_this_computer_asks_when_it_comes_up_and_looks_again_after_a_choice(
    tasks: TaskRunner, qtbot: QtBot
) -> None:
    client, window = AppClient(), QWidget()
    qtbot.addWidget(window)
    client.add_runtime("vulkan", "vulkan")
    context = window_context(client, tasks=tasks, window=window)
    page = HardwarePage(context, parent=window)
    window.show()
    settled()
    assert [row.runtime.name for row in page.runtimes.box.rows] == [BUILT_IN, "vulkan"]
    n_looks = len(client.called("hardware.hardware"))
    page.runtimes.use("vulkan")
    settled()
    assert len(client.called("hardware.hardware")) == n_looks + 1
