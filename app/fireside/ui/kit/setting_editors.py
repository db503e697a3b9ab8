"""An editor for each kind of setting: shows a value and reports the user's changes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Final, assert_never

from PySide6.QtCore import QEvent, QObject, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLineEdit, QPlainTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.core.options import SettingValue
from fireside.settings.values import Kind, Look, SettingDefinition
from fireside.ui.kit.file_dialogs import choose_file, choose_folder
from fireside.ui.kit.layout import add, row, stretch
from fireside.ui.kit.number_field import NumberField, NumberSlider, slider_values
from fireside.ui.kit.path_list import PathList
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import Button, show_tip
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import plain_tooltip, set_style_property

_SIDE_PX: Final = 30
_DOT_PX: Final = 18


class Swatch(QAbstractButton):
    """A disc in the colour; a ring around it marks the chosen one."""

    def __init__(self, name: str, *, colour: Callable[[], QColor], parent: QWidget | None = None) -> None:
        """``colour`` is asked at each paint, since the scheme may change."""
        super().__init__(parent)
        self._colour = colour
        self.setToolTip(plain_tooltip(name))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme().changed.connect(self._fit)
        self._fit()

    def sizeHint(self) -> QSize:
        side = theme().scaled_up(_SIDE_PX)
        return QSize(side, side)

    def event(self, event: QEvent) -> bool:
        return show_tip(self, event) or super().event(event)

    def _fit(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        px = theme().scaled_up(_DOT_PX)
        disc = QRectF(0, 0, px, px)
        disc.moveCenter(QRectF(self.rect()).center())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colour())
        painter.drawEllipse(disc)
        if self.isChecked() or self.property("ring"):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme().colour("accent" if self.property("ring") else "text"), 2))
            painter.drawEllipse(disc.adjusted(-4, -4, 4, 4))
        painter.end()


_TYPING_MS: Final = 900
_MIN_SELECT_WIDTH: Final = 200


class Editor(QWidget):
    """Base of the editors: ``show_value`` sets the value, ``edited`` carries a value the user entered."""

    edited = Signal(object)
    is_wide = False
    """Whether it is placed below its label, not beside it."""
    is_compact = False
    """Whether it fits beside its label where space is short."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = row(on=self)

    @abstractmethod
    def show_value(self, value: SettingValue) -> None:
        """Show ``value`` without a signal."""

    @abstractmethod
    def fields(self) -> tuple[QWidget, ...]:
        """Return the parts that can have the focus, the main one first."""

    def set_valid(self, valid: bool) -> None:
        for field in self.fields():
            set_style_property(field, "invalid", "false" if valid else "true")


class SwitchEditor(Editor):
    is_compact = True

    def __init__(self, definition: SettingDefinition) -> None:
        super().__init__()
        self._switch = Switch(name=tr(definition.label))
        self._switch.clicked.connect(lambda checked: self.edited.emit(bool(checked)))
        add(self.row, stretch(), self._switch)

    def show_value(self, value: SettingValue) -> None:
        self._switch.setChecked(bool(value))

    def fields(self) -> tuple[QWidget, ...]:
        return (self._switch,)


class ChoiceEditor(Editor):
    def __init__(self, definition: SettingDefinition) -> None:
        super().__init__()
        self._values = [value for value, _ in definition.choices]
        self._select = ComboBox(name=tr(definition.label))
        self._select.addItems([tr(label) for _, label in definition.choices])
        self._select.setMinimumWidth(_MIN_SELECT_WIDTH)
        self._select.activated.connect(lambda index: self.edited.emit(self._values[index]))
        self.row.addWidget(self._select)

    def show_value(self, value: SettingValue) -> None:
        self._select.setCurrentIndex(self._values.index(value) if value in self._values else -1)

    def fields(self) -> tuple[QWidget, ...]:
        return (self._select,)


class SegmentEditor(Editor):
    """All choices side by side, by their names or their colours."""

    def __init__(self, definition: SettingDefinition) -> None:
        super().__init__()
        self._control = SegmentedControl(
            [(str(value), tr(label)) for value, label in definition.choices],
            name=tr(definition.label),
            wraps=True,
            make=partial(_swatch) if definition.look is Look.SWATCHES else None,
        )
        self._keys = [str(value) for value, _ in definition.choices]
        self._control.key_selected.connect(self.edited.emit)
        add(self.row, stretch(), self._control)

    def show_value(self, value: SettingValue) -> None:
        if value in self._keys:
            self._control.select(str(value))

    def fields(self) -> tuple[QWidget, ...]:
        selected = self._control.selected_key
        keys = sorted(self._keys, key=lambda key: key != selected)
        return tuple(self._control.button(key) for key in keys)


def _swatch(accent: str, label: str) -> Swatch:
    return Swatch(label, colour=lambda: theme().accent_colour(accent))


class NumberEditor(Editor):
    """A field, with a slider where that helps, or with the special values by name."""

    def __init__(self, definition: SettingDefinition) -> None:
        super().__init__()
        self._definition = definition
        self._field = NumberField(definition)
        self._field.committed.connect(self._on_settled)
        self._special = [value for value, _ in definition.choices]
        self._select: ComboBox | None = None
        self._slider: NumberSlider | None = None
        if definition.choices:
            self._select = ComboBox(name=tr(definition.label))
            self._select.addItems([*(tr(label) for _, label in definition.choices), tr("Number")])
            self._select.activated.connect(self._on_choice)
            add(self.row, stretch(self._select), self._field)
        elif values := slider_values(definition):
            self._slider = NumberSlider(values, name=tr("{label}, slider").format(label=tr(definition.label)))
            self._slider.moved.connect(self._field.show_number)
            self._slider.committed.connect(self._on_settled)
            add(self.row, stretch(self._slider), self._field)
        else:
            self.is_compact = True
            add(self.row, stretch(), self._field)

    def show_value(self, value: SettingValue) -> None:
        if self._select is not None:
            special = value in self._special
            self._select.setCurrentIndex(self._special.index(value) if special else len(self._special))
            self._field.setVisible(not special)
            if special:
                return
        if isinstance(value, int | float):
            self._field.show_number(value)
            if self._slider is not None and not self._slider.isSliderDown():
                self._slider.show_number(value)

    def fields(self) -> tuple[QWidget, ...]:
        extra = [part for part in (self._select, self._slider) if part is not None]
        return (self._field, *extra)

    def _on_settled(self, number: float) -> None:
        is_integer = self._definition.kind is Kind.INTEGER
        self.edited.emit(round(number) if is_integer else round(number, 6))

    def _on_choice(self, index: int) -> None:
        if index < len(self._special):
            self._field.hide()
            self.edited.emit(self._special[index])
            return
        start = self._first_number()
        self._field.show_number(start)
        self._field.show()
        self._field.setFocus(Qt.FocusReason.TabFocusReason)
        self._field.selectAll()
        self._on_settled(start)

    def _first_number(self) -> float:
        """Return an initial number that is none of the special values."""
        step = self._definition.step or 1
        start = max(self._definition.minimum or 0, 0)
        while start in self._special:
            start += step
        return start


class LineEditor(Editor):
    def __init__(self, definition: SettingDefinition) -> None:
        super().__init__()
        self._committed = ""
        self._field = QLineEdit()
        self._field.setAccessibleName(tr(definition.label))
        self._field.editingFinished.connect(self._on_finished)
        self.row.addWidget(self._field)

    def show_value(self, value: SettingValue) -> None:
        is_typing = self._field.hasFocus() and self._field.text() != self._committed
        self._committed = str(value)
        # A text being typed is newer than the stored one.
        if not is_typing and self._field.text() != self._committed:
            self._field.setText(self._committed)

    def fields(self) -> tuple[QWidget, ...]:
        return (self._field,)

    def _on_finished(self) -> None:
        if self._field.text() != self._committed:
            self._committed = self._field.text()
            self.edited.emit(self._committed)


class TextEditor(Editor):
    """Several lines; applied a moment after the last key, and when the field loses the focus."""

    is_wide = True

    def __init__(self, definition: SettingDefinition) -> None:
        super().__init__()
        self._is_list = definition.kind is Kind.LINES
        self._committed = ""
        self._field = QPlainTextEdit()
        self._field.setAccessibleName(tr(definition.label))
        self._field.setTabChangesFocus(True)
        self._fit()
        theme().changed.connect(self._fit)
        if self._is_list:
            self._field.setPlaceholderText(tr("One per line"))
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self.apply_typed)
        self._field.textChanged.connect(self._typing.start)
        self._field.blockCountChanged.connect(self._fit)
        self._field.installEventFilter(self)
        self.row.addWidget(self._field)

    def show_value(self, value: SettingValue) -> None:
        text = "\n".join(value) if isinstance(value, tuple) else str(value)
        if self._typing.isActive():
            # A text being typed is newer than the stored one.
            return
        self._committed = text
        if self._typed_text() != text:
            with QSignalBlocker(self._field):
                self._field.setPlainText(text)
            self._fit()

    def fields(self) -> tuple[QWidget, ...]:
        return (self._field,)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusOut:
            self.apply_typed()
        return super().eventFilter(watched, event)

    @Slot()
    def _fit(self) -> None:
        text_px = (self._field.blockCount() + 1) * self._field.fontMetrics().lineSpacing()
        lowest, highest = (theme().scaled(px) for px in ((72, 160) if self._is_list else (110, 320)))
        self._field.setFixedHeight(min(max(text_px, lowest), highest))

    def _typed_text(self) -> str:
        text = self._field.toPlainText()
        return "\n".join(line for line in text.split("\n") if line) if self._is_list else text

    @Slot()
    def apply_typed(self) -> None:
        """Report what is typed now, if it was not reported yet."""
        self._typing.stop()
        text = self._typed_text()
        if text != self._committed:
            self._committed = text
            self.edited.emit(
                tuple(text.split("\n")) if self._is_list and text else () if self._is_list else text
            )


class ButtonEditor(Editor):
    """A value that is chosen elsewhere: the button looks as a field, shows it and opens that place."""

    def __init__(
        self,
        definition: SettingDefinition,
        *,
        text_for: Callable[[SettingValue], str],
        on_click: Callable[[], object],
    ) -> None:
        super().__init__()
        self._label = tr(definition.label)
        self._text_for = text_for
        self._button = Button("", kind="value", on_click=on_click)
        self.row.addWidget(self._button)

    def show_value(self, value: SettingValue) -> None:
        text = self._text_for(value)
        self._button.set_label(f"{text}…")
        self._button.setAccessibleName(f"{self._label}: {text}")

    def fields(self) -> tuple[QWidget, ...]:
        return (self._button,)


class PathEditor(Editor):
    """A folder or a file, typed or chosen."""

    is_wide = True

    def __init__(self, definition: SettingDefinition) -> None:
        super().__init__()
        self._definition = definition
        self._line = LineEditor(definition)
        self._line.edited.connect(self.edited)
        field = self._line.fields()[0]
        assert isinstance(field, QLineEdit)
        field.setPlaceholderText(tr("Default location") if definition.kind is Kind.FOLDER else tr("None"))
        self._choose = Button(tr("Choose…"), icon="folder-open", on_click=self.choose)
        self._choose.setAccessibleName(tr("Choose: {label}").format(label=tr(definition.label)))
        add(self.row, stretch(self._line), self._choose)

    def show_value(self, value: SettingValue) -> None:
        self._line.show_value(value)

    def fields(self) -> tuple[QWidget, ...]:
        return (*self._line.fields(), self._choose)

    def choose(self) -> QFileDialog:
        """Ask for a folder or file, without waiting."""
        ask = choose_folder if self._definition.kind is Kind.FOLDER else choose_file
        return ask(self, tr(self._definition.label), self.edited.emit)


class PathsEditor(Editor):
    """Folders or files, chosen in a dialog."""

    is_wide = True

    def __init__(self, definition: SettingDefinition) -> None:
        super().__init__()
        self.list = PathList(tr(definition.label), of_folders=definition.of_folders)
        self.list.changed.connect(self.edited)
        self.row.addWidget(self.list)

    def show_value(self, value: SettingValue) -> None:
        self.list.show_paths(value if isinstance(value, tuple) else ())

    def fields(self) -> tuple[QWidget, ...]:
        return (self.list.add,)


def make_editor(definition: SettingDefinition) -> Editor:
    """Return the editor for a setting's kind."""
    match definition.kind:
        case Kind.SWITCH:
            return SwitchEditor(definition)
        case Kind.CHOICE if definition.look is not Look.LIST:
            return SegmentEditor(definition)
        case Kind.CHOICE:
            return ChoiceEditor(definition)
        case Kind.INTEGER | Kind.NUMBER:
            return NumberEditor(definition)
        case Kind.LINE:
            return LineEditor(definition)
        case Kind.TEXT | Kind.LINES:
            return TextEditor(definition)
        case Kind.PATHS:
            return PathsEditor(definition)
        case Kind.FILE | Kind.FOLDER:
            return PathEditor(definition)
        case _:
            assert_never(definition.kind)
