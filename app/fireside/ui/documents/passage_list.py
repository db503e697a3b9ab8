"""The passages that a search found, the best first; each opens the reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.collection import CollectionSearchResult, Passage
from fireside.core.i18n import tr
from fireside.ui.documents.documents_text import headings_text, read_by_text, snippet
from fireside.ui.kit.layout import clear, column, make_card, row, stretch
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel


class PassageCard(QFrame):
    """A passage: file and position, which open the reader, the headings above it and how it begins."""

    def __init__(self, passage: Passage, on_open: Callable[[], object]) -> None:
        super().__init__()
        self.passage = passage
        self.open = Button(passage.location_text, kind="link", on_click=lambda: on_open())  # noqa: PLW0108 - without "checked"
        headings = headings_text(passage)
        make_card(
            self,
            row(
                self.open,
                stretch(),
                Label(tr("Hidden text"), role="warning") if passage.is_hidden else None,
                ElidedLabel(read_by_text(passage), role="warning") if passage.read_by else None,
            ),
            ElidedLabel(headings, role="small") if headings else None,
            WrappedLabel(snippet(passage), role="body"),
            WrappedLabel(" ".join(passage.warnings), role="warning") if passage.warnings else None,
        )
        self.setAccessibleName(passage.location_text)


class PassageList(QWidget):
    """The passages found, below a note on how they were searched for."""

    def __init__(self, on_open: Callable[[Sequence[Passage], int], object]) -> None:
        """Call ``on_open`` with all passages and the index of the one to read."""
        super().__init__()
        self._on_open = on_open
        self.note = WrappedLabel(role="mute")
        self.note.hide()
        self._cards = column()
        column(self.note, self._cards, on=self)
        self.hide()

    @property
    def cards(self) -> tuple[PassageCard, ...]:
        """The cards, the best passage first."""
        widgets = (
            item.widget() for index in range(self._cards.count()) if (item := self._cards.itemAt(index))
        )
        return tuple(widget for widget in widgets if isinstance(widget, PassageCard))

    def show_nothing(self) -> None:
        """Clear the list: there is no search."""
        clear(self._cards)
        self.note.hide()
        self.hide()

    def show_result(self, result: CollectionSearchResult) -> None:
        """Show the search results, or that nothing was found."""
        clear(self._cards)
        self.show()
        for index, passage in enumerate(result.passages):
            on_open = partial(self._on_open, result.passages, index)
            self._cards.addWidget(PassageCard(passage, on_open))
        if result.problem:
            note = result.problem
        elif not result.passages:
            note = tr("No matching passages")
        else:
            note = tr("Keywords and embeddings") if result.by_meaning else tr("Keywords only")
        self.note.set_role("warning" if result.problem else "mute")
        self.note.show_text(note)

    def show_problem(self, sentence: str) -> None:
        """Show why the search failed."""
        clear(self._cards)
        self.show()
        self.note.set_role("error")
        self.note.show_text(sentence)
