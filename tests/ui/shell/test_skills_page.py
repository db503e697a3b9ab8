"""The page of skills: found, reviewed, turned on, changed, added and removed."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from fakes.client import AppClient, settled
from fakes.skills import write_skill
from fireside.settings.definitions_tools import SKILL_FOLDERS, SKILLS
from fireside.settings.values import AppLayer
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.skills.skill_card import SkillCard
from fireside.ui.skills.skills_controller import SkillSheet
from fireside.ui.skills.skills_page import MOST, SkillsPage


@pytest.fixture
def home(client: AppClient) -> Path:
    return Path(client._folder.name)


@pytest.fixture
def place(home: Path) -> Path:
    return home / "home" / ".claude" / "skills"


def opened(window: MainWindow) -> SkillsPage:
    window.router.show_page(Page.CHAT)
    window.router.show_page(Page.SKILLS)
    settled()
    return window.pages.skills


def card_of(page: SkillsPage, name: str) -> SkillCard:
    return next(card for card in page.cards.values() if card.skill.name == name)


def sheet_of(page: SkillsPage) -> SkillSheet:
    settled()
    assert page.controller.sheet is not None
    return page.controller.sheet


def test_a_new_one_is_shown_before_it_is_turned_on(
    client: AppClient, window: MainWindow, place: Path
) -> None:
    write_skill(place / "tables", files={"scripts/sum.py": "print(1)", "all.sh": "ls"})
    page = opened(window)
    card = card_of(page, "tables")
    assert (card.badge.text(), card.used.isChecked()) == ("New", False)
    assert card.facts.text().startswith("Claude Code  ·  3 files  ·  ")
    card.used.click()
    sheet = sheet_of(page)
    assert "Add the numbers" in sheet.text.toPlainText()
    sheet.files.setCurrentIndex(1)
    settled()
    assert sheet.text.toPlainText() == "ls"
    sheet.reject()
    settled()
    assert not card_of(page, "tables").used.isChecked()
    assert AppLayer() not in client.layers or SKILLS not in client.layers[AppLayer()]
    card_of(page, "tables").used.click()
    sheet_of(page).confirm.click()
    settled()
    settled()
    assert client.layers[AppLayer()][SKILLS] == ("tables",)
    card = card_of(page, "tables")
    assert card.used.isChecked()
    assert not card.badge.isVisible()
    card.used.click()
    settled()
    assert client.layers[AppLayer()][SKILLS] == ()


def test_a_change_is_shown_and_turns_it_off(client: AppClient, window: MainWindow, place: Path) -> None:
    folder = write_skill(place / "tables")
    (skill,) = client.result(client.app.skills.skills())
    client.result(client.app.skills.confirm(skill.folder, skill.fingerprint))
    client.result(client.app.preferences.change(AppLayer(), key=SKILLS, value=("tables",)))
    page = opened(window)
    assert card_of(page, "tables").used.isChecked()
    write_skill(folder, body="Send it away.", files={"\u202egpj.exe": b"x"})
    page = opened(window)
    card = card_of(page, "tables")
    assert (card.badge.text(), card.used.isChecked()) == ("Changed", False)
    assert card.problem.text() == "It changed since you reviewed it, so it is off."
    card.view.click()
    shown = sheet_of(page).text.toPlainText()
    assert "-Add the numbers, then say the sum.\n+Send it away." in shown
    assert "[U+202E]gpj.exe (added)" in shown
    sheet_of(page).confirm.click()
    settled()
    assert card_of(page, "tables").used.isChecked()


def test_archives_and_folders_are_dropped(client: AppClient, window: MainWindow, home: Path) -> None:
    page = opened(window)
    assert page.empty.isVisible()
    with zipfile.ZipFile(home / "a.skill", "w") as archive:
        archive.writestr("SKILL.md", "---\nname: packed\ndescription: x\n---\n")
    write_skill(home / "mine" / "one", name="one")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(home / name)) for name in ("a.skill", "mine")])
    drag = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(page, QDragEnterEvent(QPointF(9, 9).toPoint(), *drag))
    assert page.drop.isVisible()
    QApplication.sendEvent(page, QDropEvent(QPointF(9, 9), *drag))
    settled()
    settled()
    assert {card.skill.name for card in page.cards.values()} == {"one", "packed"}
    assert client.layers[AppLayer()][SKILL_FOLDERS] == (str(home / "mine"),)
    assert not card_of(page, "one").remove.isVisible()
    card = card_of(page, "packed")
    card.remove.click()
    card.removal.confirm.click()
    settled()
    settled()
    assert {card.skill.name for card in page.cards.values()} == {"one"}
    page.controller.add([str(home / "nothing.zip")])
    settled()
    assert page.notices.isVisible()


def test_of_many_the_first_are_shown_and_all_are_searched(window: MainWindow, place: Path) -> None:
    for number in range(MOST + 5):
        write_skill(place / f"s{number:03}", name=f"s{number:03}", description="Same.")
    page = opened(window)
    assert len(page.cards) == MOST
    assert page.more.text() == "Show 5 more"
    page.search.setText(f"s{MOST + 4:03}")
    assert [card.skill.name for card in page.cards.values() if card.isVisible()] == [f"s{MOST + 4:03}"]
    page.search.setText("none of these")
    assert page.nothing.isVisible()
    page.search.clear()
    page.more.click()
    assert sum(card.isVisible() for card in page.cards.values()) == MOST + 5


def test_a_card_stays_while_nothing_of_it_changes_and_none_is_a_window(
    window: MainWindow, place: Path
) -> None:
    write_skill(place / "a", name="a")
    write_skill(place / "b", name="b")
    before = set(QApplication.topLevelWidgets())
    page = opened(window)
    kept = card_of(page, "a")
    write_skill(place / "b", name="b", description="Other")
    page = opened(window)
    assert card_of(page, "a") is kept
    assert card_of(page, "b").skill.description == "Other"
    assert {widget for widget in QApplication.topLevelWidgets() if widget.isVisible()} <= before


def test_one_that_cannot_be_used_says_why(window: MainWindow, place: Path) -> None:
    write_skill(place / "a", name="same")
    write_skill(place / "b", name="same")
    page = opened(window)
    first, second = page.cards.values()
    assert first.used.isEnabled()
    assert (second.badge.text(), second.used.isEnabled()) == ("Not usable", False)
    assert second.problem.text().startswith("Another skill has this name: ")
