"""A server from a bundle file: the file, its description of itself, and the values it asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QLineEdit, QWidget

from fireside.core.i18n import tr
from fireside.core.invisible import with_invisible_named
from fireside.core.tool_servers import BundleQuestion, QuestionKind, ServerBundle
from fireside.ui.kit.file_dialogs import choose_file
from fireside.ui.kit.layout import at_left, boxed, clear, column, long_form, stretch
from fireside.ui.kit.line_fields import line_field
from fireside.ui.theme import SPACE_M
from fireside.ui.tool_servers.folder_field import FolderField
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.text import Label, WrappedLabel

_MAX_LENGTH: Final = 100_000


class BundleForm(QWidget):
    """Empty until a file has been selected and read."""

    def __init__(self, on_chosen: Callable[[str], None]) -> None:
        """``on_chosen`` reads a file and calls ``show_bundle``."""
        super().__init__()
        self._on_chosen = on_chosen
        self.bundle: ServerBundle | None = None
        self.fields: dict[str, QLineEdit | CheckBox | FolderField] = {}
        self.choose = Button(tr("Choose file…"), icon="file-plus", on_click=self._on_choose)
        self._about = column(spacing=SPACE_M)
        column(at_left(self.choose), boxed(self._about), stretch(), spacing=SPACE_M, on=self)

    def show_bundle(self, bundle: ServerBundle) -> None:
        """Show what a bundle declares, with a field for each value that is not secret."""
        self.bundle = bundle
        self.fields = {
            question.name: self._field(question) for question in bundle.questions if not question.is_secret
        }
        titles = {question.name: _title(question) for question in bundle.questions}
        clear(self._about)
        self._about.addWidget(Label(with_invisible_named(bundle.title), role="strong"))
        self._about.addWidget(WrappedLabel(_facts(bundle), role="small"))
        lines = long_form(*((titles[name], field) for name, field in self.fields.items()))
        self._about.addWidget(boxed(lines))

    @property
    def answers(self) -> Mapping[str, tuple[str, ...]]:
        """The values entered, by the names of the questions."""
        answers: dict[str, tuple[str, ...]] = {}
        for name, field in self.fields.items():
            match field:
                case FolderField():
                    answers[name] = tuple(str(Path(path).expanduser()) for path in field.paths)
                case CheckBox():
                    answers[name] = ("true" if field.isChecked() else "false",)
                case _:
                    answers[name] = (field.text(),) if field.text() else ()
        return answers

    def _field(self, question: BundleQuestion) -> QLineEdit | CheckBox | FolderField:
        title = with_invisible_named(question.title)
        field: QLineEdit | CheckBox | FolderField
        match question.kind:
            case QuestionKind.FOLDER | QuestionKind.FILE as kind:
                field = FolderField(title, is_file=kind is QuestionKind.FILE)
                for path in question.default:
                    field.add_path(str(Path(path).expanduser()))
            case QuestionKind.SWITCH:
                field = CheckBox(title)
                field.setChecked(question.default == ("true",))
            case _:
                field = line_field(title, max_length=_MAX_LENGTH)
                field.setText(" ".join(question.default))
        field.setToolTip(with_invisible_named(question.description))
        return field

    def _on_choose(self) -> None:
        choose_file(self, tr("Add MCP server"), self._on_chosen, filters=[tr("MCP bundles (*.mcpb *.dxt)")])


def _title(question: BundleQuestion) -> str:
    title = with_invisible_named(question.title)
    return f"{title} *" if question.is_required else title


def _facts(bundle: ServerBundle) -> str:
    facts = " · ".join(filter(None, (bundle.version, bundle.author)))
    notice = tr("The file says this about itself. Nothing in it has run.")
    return "\n".join(with_invisible_named(line) for line in (facts, bundle.description, notice) if line)
