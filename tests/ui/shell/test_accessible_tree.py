"""The window for assistive technology: every object with an action or text has a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QTextEdit, QWidget

from fakes.client import AppClient, settled
from fakes.model_entries import STARTER_ID, broken_entry, loaded_state, starter_spec
from fireside.settings.window_state import WindowState
from fireside.ui.commands import Command
from fireside.ui.kit.sheet import Sheet
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow

ANSWER = (
    "A **list**:\n\n- one\n- two\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    "```python\nx = 1\n```\n\n$$x^2$$\n\nThe end.[^1]\n\n[^1]: A note.\n"
)
SHEETS = (
    Command.ABOUT,
    Command.ANSWER_FORMAT,
    Command.BACKUPS,
    Command.BRANCHES,
    Command.EXPORT_CHAT,
    Command.PRESETS,
    Command.SHORTCUTS,
)
_Role = QAccessible.Role
ACTED_ON = frozenset(
    {
        _Role.Button,
        _Role.ButtonDropDown,
        _Role.ButtonMenu,
        _Role.CheckBox,
        _Role.ComboBox,
        _Role.EditableText,
        _Role.Link,
        _Role.List,
        _Role.ListItem,
        _Role.MenuItem,
        _Role.PageTab,
        _Role.RadioButton,
        _Role.Slider,
        _Role.SpinBox,
        _Role.Table,
        _Role.Tree,
        _Role.TreeItem,
    }
)


@pytest.fixture
def full(client: AppClient, show_window: Callable[..., MainWindow]) -> MainWindow:
    """A window with something everywhere, and answers of every kind of text in front."""
    chat = client.add_conversation("Bread", turns=("Why?\n" * 100, ANSWER, "And?", "Because `x`."))
    client.add_conversation("Rope", pinned=True)
    client.add_folder("Work")
    client.add_entries(broken_entry(path="/m/bad.gguf", problem="It is empty."))
    client.states[STARTER_ID] = loaded_state(starter_spec())
    window = show_window(state=WindowState(last_conversation=chat))
    settled()
    window.sidebar.filter.setText("b")
    window.chat.transcript.finder.open()
    window.chat.composer.insert_text("x" * 6_000)
    return window


def tree(interface: QAccessibleInterface | None) -> Iterator[QAccessibleInterface]:
    """Every object that is shown, the outermost first."""
    if interface is None or not interface.isValid() or interface.state().invisible:
        return
    yield interface
    for index in range(interface.childCount()):
        yield from tree(interface.child(index))


def nameless(root: QWidget) -> list[str]:
    """The objects that are acted on and have no name, each with the way to it."""
    without = []
    for interface in tree(QAccessible.queryAccessibleInterface(root)):
        is_wanted = interface.role() in ACTED_ON or isinstance(interface.object(), QTextEdit)
        if is_wanted and not interface.text(QAccessible.Text.Name).strip():
            path: list[str] = []
            ancestor: QObject | None = interface.object()
            while ancestor is not None:
                path.append(f"{type(ancestor).__name__}#{ancestor.objectName()}")
                ancestor = ancestor.parent()
            without.append(f"{interface.role().name} " + " < ".join(path[:4]))
    return without


def test_everything_on_a_page_has_a_name(full: MainWindow) -> None:
    problems = {}
    for page in Page:
        full.show_page(page)
        settled()
        assert len(list(tree(QAccessible.queryAccessibleInterface(full)))) > 30, page
        problems[page] = nameless(full)
    assert problems == {page: [] for page in Page}


def test_everything_in_a_sheet_has_a_name(full: MainWindow) -> None:
    problems = {}
    for command in SHEETS:
        full.commands.actions[command].trigger()
        settled()
        (sheet,) = [sheet for sheet in full.findChildren(Sheet) if sheet.isVisible()]
        problems[command] = nameless(sheet)
        sheet.reject()
        settled()
    assert problems == {command: [] for command in SHEETS}


def test_the_accessible_tree_contains_the_text_of_answers(full: MainWindow) -> None:
    """Else the walk above would see nothing and be content."""
    texts = [
        text.text(0, text.characterCount())
        for interface in tree(QAccessible.queryAccessibleInterface(full.chat.transcript))
        if (text := interface.textInterface()) is not None
    ]
    assert "The end." in "".join(texts)
