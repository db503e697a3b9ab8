"""Call a tool of a server by hand: a field for each argument, and the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.core.tool_arguments import argument_fields
from fireside.core.tool_servers import ToolOutput
from fireside.core.tools import ToolInfo
from fireside.ui.chat.answer.elicitation_sheet import FieldEditor
from fireside.ui.chat.answer.result_pictures import ResultPictures
from fireside.ui.chat.composer.attachment_sheet import preview_text
from fireside.ui.kit.layout import clear, column, long_form
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import SPACE_M, theme


class TrySheet(Sheet):
    """Stays open after a call, for the next one. Closing it cancels the call that runs."""

    def __init__(
        self,
        tool: ToolInfo,
        *,
        on_call: Callable[[TrySheet, str], None],
        on_cancel: Callable[[], None],
        parent: QWidget,
    ) -> None:
        """``on_call`` calls the tool with the JSON of the arguments, and then ``show_output``, ``show_error``
        or ``show_cancelled``; ``on_cancel`` cancels that."""
        super().__init__(tr("Try {tool}").format(tool=tool.name), parent=parent)
        self.tool = tool
        self._on_call = on_call
        fields = argument_fields(tool.parameters)
        self.editors = {field.name: FieldEditor(field) for field in fields}
        self.call = self.make_button(tr("Call"), self._on_call_clicked, kind="primary", is_default=True)
        self.cancel = self.make_button(tr("Cancel call"), on_cancel)
        self.cancel.hide()
        self.shown = QPlainTextEdit()
        self.shown.setReadOnly(True)
        self.shown.setAccessibleName(tr("Result"))
        self.shown.setFont(theme().mono_font(12.5))
        self.shown.setTabChangesFocus(True)
        self.shown.setMinimumHeight(theme().scaled(120))
        self.shown.hide()
        self._pictures = column()
        lines = long_form(*((editor.label, editor.widget) for editor in self.editors.values()))
        self.set_content(
            lines,
            self.shown,
            self._pictures,
            about=tool.description,
            buttons=(self.make_close(), self.cancel, self.call),
            spacing=SPACE_M,
        )
        self.finished.connect(lambda _: on_cancel())

    def show_progress(self, text: str) -> None:
        """Show what the server says of the call that runs."""
        self.show_status(text, role="small")

    def show_output(self, output: ToolOutput) -> None:
        """Show the result of the call, or its error."""
        texts = [output.text]
        if output.structured and output.structured != output.text:
            texts.append(msgspec.json.format(output.structured, indent=2))
        self.shown.setPlainText(preview_text("\n\n".join(texts)))
        self.shown.show()
        if output.images:
            pictures = ResultPictures(output.images, parent=self)
            pictures.setFixedHeight(pictures.height_for(self.shown.width()))
            self._pictures.addWidget(pictures)
            pictures.show()
        self._end(tr("The tool says that the call failed.") if output.is_error else "")
        self.page.apply_layout()
        self.page.verticalScrollBar().setValue(self.page.top_of(self.shown))

    def show_error(self, error: FiresideError) -> None:
        """Show why there is no result. The input is kept."""
        self._end(error.sentence())

    def show_cancelled(self) -> None:
        """Show that the call was cancelled."""
        self._end(tr("Cancelled"))

    def _end(self, status: str) -> None:
        self.show_status(status)
        self.cancel.hide()
        self.call.setEnabled(True)

    def _on_call_clicked(self) -> None:
        arguments: dict[str, Any] = {}
        for name, editor in self.editors.items():
            value, problem = editor.read()
            if problem:
                self.show_status(problem)
                editor.first.setFocus()
                self.page.ensureWidgetVisible(editor.first)
                return
            if value is not None:
                arguments[name] = value
        clear(self._pictures)
        self.shown.hide()
        self.call.setEnabled(False)
        self.cancel.show()
        self.show_progress(tr("Calling…"))
        self._on_call(self, msgspec.json.encode(arguments).decode())
