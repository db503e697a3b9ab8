"""How a conversation is written for a model: its template, and an example as the model sees it."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.library import ModelDetail
from fireside.ui.chat.highlight import Lexers
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.library.source_view import SourceView
from fireside.ui.theme import Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.segmented_control import Segments
from fireside.ui.widgets.text import WrappedLabel

_NONE = tr_noop("The file has no template. A common form is used.")


class TemplatePart(QWidget):
    """Two texts, one at a time."""

    def __init__(self, *, theme: Theme, lexers: Lexers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts = {"example": "", "template": ""}
        self.segments = Segments(
            (("example", tr("Example")), ("template", tr("Template"))), name=tr("Show"), theme=theme
        )
        self.segments.chosen.connect(self._show)
        self.copy = Button(tr("Copy"), theme=theme, icon="copy", kind="quiet")
        self.copy.clicked.connect(self._on_copy)
        self.note = WrappedLabel(role="mute")
        self.example = SourceView(name=tr("A conversation as the model sees it"), theme=theme, lexers=lexers)
        self.template = SourceView(name=tr("Chat template"), theme=theme, lexers=lexers, language="jinja")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.example)
        self._stack.addWidget(self.template)
        column(row(self.segments, stretch(factor=1), self.copy), self.note, stretch(self._stack), on=self)

    def show_detail(self, detail: ModelDetail) -> None:
        self._texts = {"example": detail.rendered_example, "template": detail.chat_template}
        note = detail.template_problem or ("" if detail.chat_template else tr(_NONE))
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.example.show_text(detail.rendered_example)
        self.template.show_text(detail.chat_template)

    def _show(self, key: str) -> None:
        self._stack.setCurrentWidget(self.example if key == "example" else self.template)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._texts[self.segments.taken])
