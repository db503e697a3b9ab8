"""The page of the model files."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from fakes.model_entries import STARTER_ID, broken_entry, entry_of, loaded_state, starter_spec
from fireside.core.ids import ModelId
from fireside.core.model import LibraryFailure, ModelEntry
from fireside.core.status import LoadingModel, ModelStatus
from fireside.ui.library import LibraryPage
from fireside.ui.library.card import ModelCard
from fireside.ui.models_view import ModelsView
from fireside.ui.theme import Theme

BROKEN = broken_entry(path="/m/half.gguf", problem="The file ends in the middle of its header.")


@pytest.fixture
def models() -> ModelsView:
    made = ModelsView()
    made.set_entries([BROKEN, entry_of(starter_spec())])
    return made


@pytest.fixture
def revealed() -> list[str]:
    return []


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, models: ModelsView, revealed: list[str]) -> LibraryPage:
    made = LibraryPage(models=models, theme=theme, reveal=revealed.append)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    qtbot.waitExposed(made)
    return made


def words_of(card: ModelCard) -> str:
    return "\n".join(label.text() for label in card.findChildren(QLabel) if label.isVisible())


def choose(card: ModelCard, words: str) -> None:
    menu = card.open_menu(QPoint(0, 0))
    next(action for action in menu.actions() if action.text() == words).trigger()
    menu.close()


def test_a_model_is_listed_with_its_facts(page: LibraryPage) -> None:
    words = words_of(page.cards[0])
    for fact in ("SmolLM2 135M Instruct", "Q4_1", "135M", "98.0 MB", "llama", "8k context", "Library"):
        assert fact in words
    assert "No chat template" not in words


def test_a_model_without_a_template_says_so(page: LibraryPage, models: ModelsView) -> None:
    models.set_entries([entry_of(msgspec.structs.replace(starter_spec(), has_chat_template=False))])
    assert "No chat template" in words_of(page.cards[0])


def test_a_broken_file_comes_last_with_its_reason_and_without_load(page: LibraryPage) -> None:
    card = page.cards[-1]
    assert "half.gguf" in words_of(card)
    assert "The file ends in the middle of its header." in words_of(card)
    assert card.power.parentWidget() is None or not card.power.isVisible()


def test_hostile_names_and_paths_are_shown_as_text(page: LibraryPage, models: ModelsView) -> None:
    hostile = "<b>x</b>&amp;\u202e"
    models.set_entries([broken_entry(path=f"/m/{hostile}", problem=hostile)])
    for label in page.cards[0].findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert "<b>" not in label.toolTip()
    assert "<b>x</b>&amp;" in words_of(page.cards[0])


def test_load_unload_and_use_carry_the_models_id(qtbot: QtBot, page: LibraryPage, models: ModelsView) -> None:
    card = page.cards[0]
    with qtbot.waitSignal(page.load_wanted) as loaded:
        card.power.click()
    models.set_status(ModelStatus(model_id=STARTER_ID, state=loaded_state(starter_spec())))
    with qtbot.waitSignal(page.unload_wanted) as unloaded:
        card.power.click()
    with qtbot.waitSignal(page.use_wanted) as used:
        card.use.click()
    assert loaded.args == unloaded.args == used.args == [STARTER_ID]


def test_a_card_follows_the_models_state(page: LibraryPage, models: ModelsView) -> None:
    models.set_status(ModelStatus(model_id=STARTER_ID, state=LoadingModel(fraction=0.3)))
    assert "Loading 30 %" in words_of(page.cards[0])
    assert not page.cards[0].power.isEnabled()


def test_removing_asks_in_the_card_and_only_then_removes(qtbot: QtBot, page: LibraryPage) -> None:
    removed: list[str] = []
    page.remove_wanted.connect(removed.append)
    card = page.cards[-1]
    choose(card, "Move to the trash…")
    assert "Move “half.gguf” (1.2 MB) to the trash?" in words_of(card)
    assert card.keep.hasFocus(), "the harmless answer is the one that Return gives"
    card.keep.click()
    assert not removed
    choose(card, "Move to the trash…")
    card.confirm.click()
    assert removed == ["/m/half.gguf"]


def test_a_file_outside_the_library_is_only_taken_off_the_list(page: LibraryPage, models: ModelsView) -> None:
    models.set_entries([entry_of(starter_spec(), source="/home/ada/models")])
    choose(page.cards[0], "Take off the list…")
    assert "The file stays where it is." in words_of(page.cards[0])


def test_what_comes_with_fireside_cannot_be_removed(page: LibraryPage, models: ModelsView) -> None:
    models.set_entries([entry_of(starter_spec(), source="Comes with Fireside", removable=False)])
    menu = page.cards[0].open_menu(QPoint(0, 0))
    assert [action.text() for action in menu.actions()] == ["Show in folder"]
    menu.close()


def test_show_in_folder_hands_over_the_path(page: LibraryPage, revealed: list[str]) -> None:
    choose(page.cards[-1], "Show in folder")
    assert revealed == ["/m/half.gguf"]


@pytest.mark.parametrize("which", ["choose_files", "choose_folder"])
def test_adding_opens_a_dialog_that_does_not_block(qtbot: QtBot, page: LibraryPage, which: str) -> None:
    dialog: QFileDialog = getattr(page, which)()
    with qtbot.waitSignal(page.add_wanted) as added:
        dialog.filesSelected.emit(["/m/new.gguf"])
    assert added.args == [["/m/new.gguf"]]
    dialog.close()


def test_what_could_not_be_added_is_named_with_its_reason(page: LibraryPage) -> None:
    page.show_failures([LibraryFailure(path=f"/m/{n}.gguf", reason="It is empty.") for n in range(7)])
    (text,) = page.notices.texts
    assert "0.gguf: It is empty." in text
    assert text.endswith("and 2 more.")
    page.show_failures([])
    assert page.notices.texts == ()


def test_an_empty_library_explains_itself(page: LibraryPage, models: ModelsView) -> None:
    models.set_entries([])
    assert page.empty.isVisible()


def test_the_filter_narrows_the_list(qtbot: QtBot, page: LibraryPage) -> None:
    qtbot.keyClicks(page.filter, "smol")
    assert [card.entry.path for card in page.cards] == [starter_spec().path]


def test_hundreds_of_files_are_shown_in_portions(page: LibraryPage, models: ModelsView) -> None:
    models.set_entries([many(n) for n in range(230)])
    assert len(page.cards) == 100
    page._on_more()
    assert len(page.cards) == 200


def many(number: int) -> ModelEntry:
    spec = msgspec.structs.replace(starter_spec(), id=ModelId(str(number)), path=f"/m/{number:03}.gguf")
    return entry_of(spec)


@pytest.mark.parametrize("px", [13, 20])
def test_no_card_is_wider_than_the_page(page: LibraryPage, models: ModelsView, theme: Theme, px: int) -> None:
    theme.set_text_size(px)
    spec = msgspec.structs.replace(
        starter_spec(), name="W" * 200, has_chat_template=False, path="/" + "x" * 300
    )
    models.set_entries([entry_of(spec), BROKEN])
    page.resize(600, 600)
    page.grab()
    assert page._scroll.widget().width() <= page._scroll.viewport().width()
