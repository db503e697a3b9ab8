"""What a person wants to know of a model first: facts in words, where it is, whether it is whole."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.core.library import ModelDetail, ModelPlace, ModelPreset
from fireside.core.options import Purpose
from fireside.ui.library.dates import stamp_words
from fireside.ui.library.detail.cards import Box, FactGrid, PathLine, empty
from fireside.ui.library.detail.soundness import SoundnessBox
from fireside.ui.library.detail.tags import TagEditor
from fireside.ui.library.rows import (
    ModelRow,
    last_used_words,
    place_words,
    quant_label,
    quant_meaning,
    trained_context_words,
)
from fireside.ui.library.wishes import Wishes
from fireside.ui.model_words import count_words
from fireside.ui.theme import SPACE_M, SPACE_S, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import WrappedLabel, one_line

_PURPOSES = {
    Purpose.GENERATE: "Chat and writing",
    Purpose.EMBED: "Embeddings: it turns texts into numbers, for searching, and cannot chat",
    Purpose.RERANK: "Reranking: it compares texts, for searching, and cannot chat",
}


class Overview(QWidget):
    """Boxes from the most to the least wanted."""

    def __init__(self, *, wishes: Wishes, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wishes = wishes
        self._theme = theme
        self._row: ModelRow | None = None
        self._files: tuple[str, ...] = ()
        self.facts = FactGrid()
        self.origin = FactGrid()
        self.preset = FactGrid()
        self.soundness = SoundnessBox(wishes=wishes, theme=theme)
        self.tags = TagEditor(theme=theme)
        self.tags.changed.connect(self._on_tags_changed)
        self._tags_box = self._boxed("Tags", self.tags)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_M)
        for box in (
            self._make_update(),
            self._boxed("About this model", self.facts),
            self._tags_box,
            self._make_file_box(),
            self._make_places(),
            self._make_preset(),
        ):
            column.addWidget(box)
        column.addStretch()

    def show_row(self, row: ModelRow, *, now: datetime) -> None:
        """Show a model as it is now; what only its header says comes with ``show_detail``."""
        if self._row is None or row.entry.path != self._row.entry.path:
            self._files = ()
            self._preset_box.hide()
        self._row = row
        self.facts.show_facts(fact_lines(row, now=now))
        self.tags.show_tags(row.entry.personal.tags)
        self._tags_box.setVisible(row.entry.spec is not None)
        self.soundness.show_row(row, now=now)
        self.origin.show_facts(origin_lines(row, now=now))
        self.origin.setVisible(bool(self.origin.facts))
        self._show_places(row)
        self._update_box.setVisible(row.update is not None)
        if row.update is not None:
            self._update_words.setText(
                f"{one_line(row.update.repo)} has another version of this file: "
                f"{format_bytes(row.update.size_bytes)} to download. The file that you have stays until then."
            )

    def show_detail(self, detail: ModelDetail) -> None:
        """Add what the header says."""
        self._files = detail.files
        if self._row is not None:
            self._show_places(self._row)
        preset = detail.preset
        self._preset_box.setVisible(preset is not None)
        if preset is not None:
            self.preset.show_facts(preset_lines(preset))

    def _boxed(self, title: str, part: QWidget) -> Box:
        box = Box(title)
        box.column.addWidget(part)
        return box

    def _make_update(self) -> Box:
        self._update_box = Box("A newer version is there")
        self._update_words = WrappedLabel(role="body")
        self.download = Button(
            "Download it", theme=self._theme, icon="download", kind="primary", tint="on_accent"
        )
        self.download.clicked.connect(self._on_download)
        self._update_box.column.addWidget(self._update_words)
        self._update_box.column.addWidget(self.download, 0, Qt.AlignmentFlag.AlignLeft)
        return self._update_box

    def _make_file_box(self) -> Box:
        box = Box("The file")
        box.column.addWidget(self.soundness)
        box.column.addWidget(self.origin)
        return box

    def _make_places(self) -> Box:
        box = Box("Where it is")
        self._places = QVBoxLayout()
        self._places.setSpacing(SPACE_S)
        box.column.addLayout(self._places)
        show = Button("Show in folder", theme=self._theme, icon="folder-open")
        show.clicked.connect(self._on_show)
        self.show_in_folder = show
        box.column.addWidget(show, 0, Qt.AlignmentFlag.AlignLeft)
        self._shown_places: tuple[tuple[str, str], ...] = ()
        return box

    def _make_preset(self) -> Box:
        self._preset_box = Box("What the other application sets for it")
        self._preset_box.column.addWidget(self.preset)
        self._preset_box.hide()
        return self._preset_box

    def _show_places(self, row: ModelRow) -> None:
        lines = place_lines(row, files=self._files)
        if lines == self._shown_places:
            return
        self._shown_places = lines
        empty(self._places)
        for title, path in lines:
            self._places.addWidget(PathLine(path, title=title, theme=self._theme))

    def _on_tags_changed(self, tags: tuple[str, ...]) -> None:
        if self._row is not None and self._row.entry.spec is not None:
            self._wishes.tag.emit(self._row.entry.spec.id, tags)

    def _on_download(self) -> None:
        if self._row is not None and self._row.update is not None:
            self._wishes.update.emit(self._row.update)

    def _on_show(self) -> None:
        if self._row is not None:
            self._wishes.reveal.emit(self._row.entry.path)


def fact_lines(row: ModelRow, *, now: datetime) -> list[tuple[str, str]]:
    """Return what a model is, in words."""
    spec = row.entry.spec
    if spec is None:
        return [
            ("File", row.entry.file_name),
            ("Size", format_bytes(row.entry.size_bytes)),
            ("Lives in", place_words(row)),
        ]
    meaning = quant_meaning(row)
    context = trained_context_words(row)
    template = "It says how a conversation is written for it"
    if not spec.has_chat_template:
        template = "None in the file; a common form is used"
    is_chat = spec.purpose is Purpose.GENERATE
    return [
        ("Made for", _PURPOSES[spec.purpose]),
        ("Size", format_bytes(row.entry.size_bytes)),
        ("Parameters", f"{count_words(spec.n_params)} ({spec.n_params:,})" if spec.n_params > 0 else ""),
        ("Precision", f"{quant_label(row)}: {meaning}" if meaning else quant_label(row)),
        ("Context", f"Trained for {context} tokens ({spec.n_ctx_train:,})" if context else ""),
        ("Family", f"{spec.architecture}, {spec.n_layers} layers of {spec.n_embd:,}"),
        ("Vocabulary", f"{spec.n_vocab:,} tokens" if spec.n_vocab else ""),
        ("Pictures", f"It sees them, with {spec.projector_path}" if spec.projector_path else ""),
        ("Chat template", template if is_chat else ""),
        ("Licence", spec.licence or "The file names none"),
        ("Last used", last_used_words(row, now=now)),
        ("Lives in", place_words(row)),
    ]


def origin_lines(row: ModelRow, *, now: datetime) -> list[tuple[str, str]]:
    """Return where a file was downloaded from."""
    origin = row.entry.origin
    made = [("Fingerprint", row.entry.sha256 or (origin.digest if origin is not None else ""))]
    if origin is None:
        return made
    return [
        ("Downloaded from", origin.repo),
        ("File there", origin.path),
        ("Version", origin.commit),
        ("On", stamp_words(origin.downloaded_at, now=now)),
        *made,
    ]


def place_lines(row: ModelRow, *, files: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return every path of a model with what it is."""
    entry = row.entry
    lines = [(one_line(entry.source), entry.path)]
    others = [path for path in files if path != entry.path]
    projector = entry.spec.projector_path if entry.spec is not None else None
    lines += [("Sees pictures with it" if path == projector else "Another part", path) for path in others]
    lines += [(_place_title(place, "The same content in"), place.path) for place in entry.places]
    lines += [(_place_title(place, "Looks the same, in"), place.path) for place in entry.probable_copies]
    return tuple(lines)


def _place_title(place: ModelPlace, words: str) -> str:
    size = f", {format_bytes(place.size_bytes)} more" if place.size_bytes else ", takes no further space"
    return f"{words} {one_line(place.source)}{size}"


def preset_lines(preset: ModelPreset) -> list[tuple[str, str]]:
    """Return what another application sets, leaving out what it leaves open."""
    numbers: tuple[tuple[str, float | int | None], ...] = (
        ("Temperature", preset.temperature),
        ("Top K", preset.top_k),
        ("Top P", preset.top_p),
        ("Min P", preset.min_p),
        ("Repeat penalty", preset.repeat_penalty),
        ("Context", preset.n_ctx),
    )
    return [
        ("System prompt", preset.system),
        ("Stop words", ", ".join(f"“{word}”" for word in preset.stop)),
        *((name, f"{value:g}" if value is not None else "") for name, value in numbers),
    ]
