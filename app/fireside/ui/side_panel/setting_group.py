"""A group of a chat's settings that folds to its heading, which then tells what the chat has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtWidgets import QWidget

from fireside.core.i18n import number, tr
from fireside.core.options import SettingValue
from fireside.settings.definitions_sampling import SAMPLING_KEYS
from fireside.settings.values import Origin, ResolvedSetting, SettingDefinition
from fireside.ui.kit.layout import at_left, boxed, column, row, stretch
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import ElidedLabel

_SEPARATOR = " · "


class SettingGroup(QWidget):
    """Its rare settings are made when they are first asked for."""

    def __init__(
        self,
        title: str,
        *parts: QWidget,
        make_more: Callable[[], Sequence[QWidget]] | None = None,
        on_toggled: Callable[[], object],
    ) -> None:
        """``make_more`` makes the rows of rare settings; ``on_toggled`` is called when the user folds or
        unfolds the group."""
        super().__init__()
        self._title = title
        self._make_more = make_more
        self._on_toggled = on_toggled
        self._changes = ""
        self.head = Button(title, icon="chevron-right", kind="quiet", on_click=self._on_clicked)
        self.head.setProperty("folds", True)
        self.head.setCheckable(True)
        self.summary = ElidedLabel(role="small", separator=_SEPARATOR)
        self.more = Button(tr("More"), kind="link", on_click=self._show_more, parent=self)
        self.more.hide()
        self.more.setCheckable(True)
        self.more.setAccessibleDescription(title)
        self._more_rows = column(spacing=SPACE_M)
        self._more_box = boxed(self._more_rows)
        self._more_box.hide()
        self._body = boxed(
            column(
                *parts,
                at_left(self.more) if make_more is not None else None,
                self._more_box,
                spacing=SPACE_M,
                margins=(SPACE_S, 0),
            )
        )
        self._body.hide()
        self.more.setVisible(make_more is not None)
        head = row(self.head, stretch(self.summary), spacing=SPACE_XS)
        column(head, self._body, spacing=SPACE_S, on=self)

    @property
    def is_open(self) -> bool:
        return self.head.isChecked()

    def set_open(self, *, is_open: bool) -> None:
        """Fold or unfold the group."""
        self.head.setChecked(is_open)
        self.head.set_icon("chevron-down" if is_open else "chevron-right")
        self._show()

    def show_all(self) -> None:
        """Unfold the group with its rare settings."""
        self.set_open(is_open=True)
        if self._make_more is not None:
            self.more.setChecked(True)
            self._show_more()

    def show_changes(self, settings: Iterable[ResolvedSetting], *, of: Origin = Origin.CONVERSATION) -> None:
        """Tell what the chat itself, or the layer ``of``, has set, where the group is folded."""
        own = (setting for setting in settings if setting.origin is of)
        self._changes = _SEPARATOR.join(change_text(each.definition, each.value) for each in own)
        self._show()

    def _show(self) -> None:
        self._body.setVisible(self.is_open)
        self.summary.set_full_text("" if self.is_open else self._changes)
        self.head.set_label(self._title)
        self.head.setAccessibleDescription(self._changes)

    def _on_clicked(self) -> None:
        self.set_open(is_open=self.is_open)
        self._on_toggled()

    def _show_more(self) -> None:
        if self.more.isChecked() and self._more_rows.count() == 0 and self._make_more is not None:
            for made in self._make_more():
                self._more_rows.addWidget(made)
        self._more_box.setVisible(self.more.isChecked())
        self.more.set_label(tr("Show less") if self.more.isChecked() else tr("More"))


def change_text(definition: SettingDefinition, value: SettingValue) -> str:
    """Return a setting with its value, such as “Temperature 0.2”; without it where it is a long text."""
    label = tr(definition.label)
    choice = next((text for known, text in definition.choices if known == value), None)
    if choice is not None:
        return f"{label}: {tr(choice)}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return label
    if definition.key == f"{SAMPLING_KEYS}seed":  # a name rather than a quantity
        return f"{label} {value}"
    decimals = f"{value:.6f}".rstrip("0").partition(".")[2]
    return f"{label} {number(value, decimals=len(decimals))}"
