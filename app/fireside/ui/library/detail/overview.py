"""The first tab of a model's page: facts, locations, integrity, tags."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.library import ModelDetail, ModelLocation, ModelPreset
from fireside.core.options import Purpose
from fireside.ui.kit.fact_grid import FactGrid
from fireside.ui.kit.layout import at_left, card, clear, column, row, stretch
from fireside.ui.library.check_results import Check
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.rows import (
    OWN_FOLDER,
    Integrity,
    ModelRow,
    integrity,
    integrity_badge,
    last_used_text,
    location_text,
    quant_label,
    quant_meaning,
    source_text,
    trained_context_text,
)
from fireside.ui.model_text import abbreviate_count, media_of
from fireside.ui.theme import SPACE_M, SPACE_S, theme
from fireside.ui.time_text import format_iso_day
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

MAX_TAG = 40
_MAX_CHIP_PX = 220


class TagEditor(QWidget):
    """Enter or a comma adds the typed tag; Backspace in the empty field removes the last one."""

    changed = Signal(object)
    """Carries the new tags as a tuple."""

    def __init__(self) -> None:
        super().__init__()
        self._tags: tuple[str, ...] = ()
        self._chips: list[QWidget] = []
        body, self._flow = flow_row(spacing=6)
        self.field = _TagField()
        self.field.setObjectName("tagField")
        self.field.setAccessibleName(tr("Add tag"))
        self.field.setPlaceholderText(tr("Add tag"))
        self.field.setMaxLength(MAX_TAG)
        self.field.setFixedWidth(theme().scaled(150))
        self.field.returnPressed.connect(self._add)
        self.field.textEdited.connect(lambda text: self._add() if text.endswith(",") else None)
        self.field.emptied.connect(self._remove_last)
        self._flow.addWidget(self.field)
        column(body, on=self)

    @property
    def crosses(self) -> dict[str, IconButton]:
        """The button of each tag that removes it."""
        buttons = (chip.findChild(IconButton) for chip in self._chips)
        return {tag: cross for tag, cross in zip(self._tags, buttons, strict=True) if cross is not None}

    def show_tags(self, tags: tuple[str, ...]) -> None:
        """Show the tags of a model; unsaved input in the field stays."""
        if tags == self._tags and self._chips:
            return
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._tags = tags
        self._chips = [self._make_chip(tag) for tag in tags]
        for index, chip in enumerate(self._chips):
            self._flow.insertWidget(index, chip)

    def _make_chip(self, tag: str) -> QWidget:
        chip = QFrame()
        chip.setObjectName("tagChip")
        label = ElidedLabel(tag)
        label.setMaximumWidth(theme().scaled(_MAX_CHIP_PX))
        cross = IconButton("x", name=tr("Remove tag {tag}").format(tag=one_line(tag)), size=12)
        cross.clicked.connect(partial(self._remove, tag))
        row(label, cross, spacing=2, margins=(SPACE_S, 1, 2, 1), on=chip)
        return chip

    def _add(self) -> None:
        tag = " ".join(self.field.text().replace(",", " ").split())
        self.field.clear()
        if tag and tag.casefold() not in {other.casefold() for other in self._tags}:
            self.changed.emit((*self._tags, tag))

    def _remove(self, tag: str) -> None:
        # The focused chip is removed: the field takes the focus.
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit(tuple(other for other in self._tags if other != tag))

    def _remove_last(self) -> None:
        if self._tags:
            self.changed.emit(self._tags[:-1])


class _TagField(QLineEdit):
    emptied = Signal()
    """Backspace was pressed with nothing to delete."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Backspace and not self.text():
            self.emptied.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


_PURPOSES = {
    Purpose.GENERATE: tr_noop("Chat"),
    Purpose.EMBED: tr_noop("Embeddings for search; cannot chat"),
    Purpose.RERANK: tr_noop("Reranking for search; cannot chat"),
}


class Overview(QWidget):
    """Boxes in order of importance."""

    def __init__(self, *, library: LibraryController) -> None:
        super().__init__()
        self._library = library
        self._row: ModelRow | None = None
        self._files: tuple[str, ...] = ()
        self.facts = FactGrid()
        self.origin = FactGrid()
        self.preset = FactGrid()
        self.integrity = IntegrityBox(library=library)
        self.tags = TagEditor()
        self.tags.changed.connect(self._on_tags_changed)
        self._tags_box = card(self.tags, title=tr("Tags"))
        self._preset_box = card(self.preset, title=tr("Settings from the other app"))
        self._preset_box.hide()
        column(
            self._make_update(),
            card(self.facts, title=tr("Model")),
            self._tags_box,
            card(self.integrity, self.origin, title=tr("File")),
            self._make_locations(),
            self._preset_box,
            stretch(),
            spacing=SPACE_M,
            on=self,
        )

    def show_row(self, row: ModelRow, *, now: datetime) -> None:
        """Show a model and its current state; facts of the header come with ``show_detail``."""
        if self._row is None or row.entry.path != self._row.entry.path:
            self._files = ()
            self._preset_box.hide()
        self._row = row
        self.facts.show_facts(fact_lines(row, now=now))
        self.tags.show_tags(row.entry.user_metadata.tags)
        self._tags_box.setVisible(row.entry.spec is not None)
        self.integrity.show_row(row, now=now)
        self.origin.show_facts(origin_lines(row, now=now))
        self.origin.setVisible(bool(self.origin.facts))
        self._show_locations(row)
        self._update_box.setVisible(row.update is not None)
        if row.update is not None:
            self._update_text.setText(
                tr(
                    "{repo} has a newer file ({size_bytes}). Your file is kept until the "
                    "download is complete."
                ).format(repo=one_line(row.update.repo), size_bytes=format_bytes(row.update.size_bytes))
            )

    def show_detail(self, detail: ModelDetail) -> None:
        """Add the facts of the header."""
        self._files = detail.files
        if self._row is not None:
            self._show_locations(self._row)
        preset = detail.preset
        self._preset_box.setVisible(preset is not None)
        if preset is not None:
            self.preset.show_facts(preset_lines(preset))

    def _make_update(self) -> QFrame:
        self._update_text = WrappedLabel(role="body")
        self.download = Button(tr("Download"), icon="download", kind="primary", tint="on_accent")
        self.download.clicked.connect(self._on_download)
        self._update_box = card(self._update_text, at_left(self.download), title=tr("Update available"))
        return self._update_box

    def _make_locations(self) -> QFrame:
        self._location_lines = column()
        self._shown_locations: tuple[tuple[str, str], ...] = ()
        self.show_in_folder = Button(tr("Show in folder"), icon="folder-open")
        self.show_in_folder.clicked.connect(self._on_show)
        return card(self._location_lines, at_left(self.show_in_folder), title=tr("Path"))

    def _show_locations(self, row: ModelRow) -> None:
        lines = location_lines(row, files=self._files)
        if lines == self._shown_locations:
            return
        self._shown_locations = lines
        clear(self._location_lines)
        for title, path in lines:
            self._location_lines.addWidget(PathLine(path, title=title))

    def _on_tags_changed(self, tags: tuple[str, ...]) -> None:
        if self._row is not None and self._row.entry.spec is not None:
            self._library.tag(self._row.entry.spec.id, tags)

    def _on_download(self) -> None:
        if self._row is not None and self._row.update is not None:
            self._library.download_update(self._row.update)

    def _on_show(self) -> None:
        if self._row is not None:
            self._library.reveal(self._row.entry.path)


def fact_lines(row: ModelRow, *, now: datetime) -> list[tuple[str, str]]:
    """Return the facts of a model as pairs of title and text."""
    spec = row.entry.spec
    if spec is None:
        return [
            (tr("File"), row.entry.file_name),
            (tr("Size"), format_bytes(row.entry.size_bytes)),
            (tr("Location"), location_text(row)),
        ]
    meaning = quant_meaning(row)
    context = trained_context_text(row)
    template = tr("Defines how chats are formatted for the model")
    if not spec.has_chat_template:
        template = tr("None; a common one is used")
    is_chat = spec.purpose is Purpose.GENERATE
    return [
        (tr("Use"), tr(_PURPOSES[spec.purpose])),
        (tr("Size"), format_bytes(row.entry.size_bytes)),
        (
            tr("Parameters"),
            f"{abbreviate_count(spec.n_params)} ({number(spec.n_params)})" if spec.n_params > 0 else "",
        ),
        (tr("Quantization"), f"{quant_label(row)}: {meaning}" if meaning else quant_label(row)),
        (
            tr("Context"),
            tr("Trained for {context} ({n_ctx_train} tokens)").format(
                context=context, n_ctx_train=number(spec.n_ctx_train)
            )
            if context
            else "",
        ),
        (
            tr("Architecture"),
            tr("{architecture}, {n_layers} layers, embedding length {n_embd}").format(
                architecture=spec.architecture, n_layers=spec.n_layers, n_embd=number(spec.n_embd)
            ),
        ),
        (
            tr("Vocabulary"),
            tr("%n token|%n tokens", "", spec.n_vocab) if spec.n_vocab else "",
        ),
        (
            tr("Abilities"),
            tr("{media}, with {projector_path}").format(
                media=", ".join(map(tr, media_of(spec))), projector_path=spec.projector_path
            )
            if spec.projector_path
            else "",
        ),
        (tr("Chat template"), template if is_chat else ""),
        (tr("Licence"), spec.licence or tr("Not specified")),
        (tr("Last used"), last_used_text(row, now=now)),
        (tr("Location"), location_text(row)),
    ]


def origin_lines(row: ModelRow, *, now: datetime) -> list[tuple[str, str]]:
    """Return where a file was downloaded from."""
    origin = row.entry.origin
    facts = [(tr("Checksum"), row.entry.sha256 or (origin.digest if origin is not None else ""))]
    if origin is None:
        return facts
    return [
        (tr("Downloaded from"), origin.repo),
        (tr("Original file"), origin.path),
        (tr("Version"), origin.commit),
        (tr("On", "this day"), format_iso_day(origin.downloaded_at, now=now)),
        *facts,
    ]


def location_lines(row: ModelRow, *, files: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return every path of a model, each with a title."""
    entry = row.entry
    lines = [(source_text(entry.source), entry.path)]
    others = [path for path in files if path != entry.path]
    projector = entry.spec.projector_path if entry.spec is not None else None
    lines += [(tr("Projector") if path == projector else tr("Another part"), path) for path in others]
    lines += [(_copy_title(location), location.path) for location in entry.places]
    lines += [(_probable_title(location), location.path) for location in entry.probable_copies]
    return tuple(lines)


def _copy_title(location: ModelLocation) -> str:
    if location.size_bytes:
        title = tr("Duplicate in {place}, {size} extra")
    else:
        title = tr("Duplicate in {place}, no extra space")
    return title.format(place=source_text(location.source), size=format_bytes(location.size_bytes))


def _probable_title(location: ModelLocation) -> str:
    if location.size_bytes:
        title = tr("Likely duplicate in {place}, {size} extra")
    else:
        title = tr("Likely duplicate in {place}, no extra space")
    return title.format(place=source_text(location.source), size=format_bytes(location.size_bytes))


def preset_lines(preset: ModelPreset) -> list[tuple[str, str]]:
    """Return the settings that another application has for the model, without those it leaves unset."""
    numbers: tuple[tuple[str, float | int | None], ...] = (
        (tr("Temperature"), preset.temperature),
        (tr("Top K"), preset.top_k),
        (tr("Top P"), preset.top_p),
        (tr("Min P"), preset.min_p),
        (tr("Repeat penalty"), preset.repeat_penalty),
        (tr("Context"), preset.n_ctx),
    )
    return [
        (tr("System prompt"), preset.system),
        (tr("Stop sequences"), ", ".join(tr("“{word}”").format(word=word) for word in preset.stop)),
        *((name, _format_number(value) if value is not None else "") for name, value in numbers),
    ]


def _format_number(value: float) -> str:
    """Return the exact number without trailing zeros, with the decimal separator of the language."""
    integer, _, fraction = f"{value:g}".partition(".")
    return number(value, decimals=len(fraction)) if fraction.isdigit() and len(integer) < 4 else f"{value:g}"


class PathLine(QWidget):
    """A path with its title and a button that copies it."""

    def __init__(self, path: str, *, title: str) -> None:
        super().__init__()
        label = ElidedLabel(path, mode=Qt.TextElideMode.ElideMiddle)
        label.setObjectName("pathLabel")
        name = tr("Copy path {path}").format(path=one_line(path))
        copy = IconButton("copy", name=name, size=15)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(path))
        heading = ElidedLabel(title, role="small") if title else None
        column(heading, row(stretch(label), copy), spacing=0, on=self)


# File integrity of one model: what is known, verifying and repairing the file


class IntegrityBox(QWidget):
    """The integrity of a file: icon, sentence, progress bar, and the buttons to verify and repair."""

    def __init__(self, *, library: LibraryController) -> None:
        super().__init__()
        self._path = ""
        self._picture = Picture("shield", tint="dim")
        self._title = Label(role="strong")
        self.text = WrappedLabel(role="mute")
        self.bar = ProgressBar(name=tr("Progress"))
        self.check = Button(tr("Verify file"), on_click=lambda: library.check(self._path))
        self.repair = Button(tr("Repair"), kind="primary")
        self.repair.setAccessibleDescription(tr("Downloads the damaged parts again"))
        self.repair.clicked.connect(lambda: library.check(self._path, repair=True))
        self.cancel = Button(tr("Cancel"), on_click=lambda: library.cancel_check(self._path))
        column(
            row(self._picture, stretch(self._title), self.check, self.repair, self.cancel),
            self.text,
            self.bar,
            on=self,
        )

    def show_row(self, row: ModelRow, *, now: datetime) -> None:
        """Show the integrity of a model's file; relative times count from ``now``."""
        self._path = row.entry.path
        state = integrity(row)
        badge = integrity_badge(row)
        self._picture.set_icon(badge.icon, tint=badge.tint)
        self._title.setText(badge.text)
        self.text.setText(integrity_sentence(row, now=now))
        is_busy = state is Integrity.BUSY
        self.bar.setVisible(is_busy)
        if is_busy and row.check is not None:
            self.bar.set_fraction(row.check.fraction)
        is_away = state is Integrity.AWAY
        may_check = not is_away and (state is not Integrity.UNUSABLE or row.entry.source == OWN_FOLDER)
        self.check.setVisible(not is_busy and may_check and state is not Integrity.GROWING)
        self.repair.setVisible(state is Integrity.DAMAGED or (may_check and _is_known_damage(row)))
        self.cancel.setVisible(is_busy)


def integrity_sentence(row: ModelRow, *, now: datetime) -> str:
    """Return a sentence on what is known of a file's content, and since when."""
    check = row.check
    match integrity(row):
        case Integrity.BUSY if check is not None:
            return _busy_text(check)
        case Integrity.DAMAGED if check is not None:
            return _damage_text(check)
        case Integrity.FAILED if check is not None and check.error is not None:
            return check.error.sentence
        case Integrity.READ:
            return tr("Readable without errors; no checksum to compare with.")
        case Integrity.VERIFIED:
            return _verified_text(row, now=now)
        case Integrity.CHANGED if check is not None and check.error is not None:
            return check.error.sentence
        case Integrity.CHANGED:
            return tr("The file has changed since its download. “Verify file” compares it with the original.")
        case Integrity.UNUSABLE if _is_known_damage(row):
            return tr(
                "The file has changed since its download and cannot be used. “Repair” downloads only what "
                "is damaged."
            )
        case Integrity.UNUSABLE:
            return tr("Its header is unreadable, so it cannot be loaded.")
        case Integrity.GROWING:
            return tr("Still being copied.")
        case Integrity.AWAY:
            return row.entry.problem or ""
        case _:
            return tr("Not downloaded with Fireside. Verifying reads the whole file and stores its checksum.")


def _is_known_damage(row: ModelRow) -> bool:
    """Return whether the file is unusable and was downloaded by us, so that it can be repaired."""
    return integrity(row) is Integrity.UNUSABLE and row.entry.origin is not None


def _busy_text(check: Check) -> str:
    if not check.size_bytes:
        return tr("Queued; another file is being verified.")
    text = (
        tr("Downloaded and verified {done} of {all}.")
        if check.is_repairing
        else tr("Verified {done} of {all}.")
    )
    return text.format(done=format_bytes(check.n_bytes), all=format_bytes(check.size_bytes))


def _damage_text(check: Check) -> str:
    if check.error is not None:
        return tr("Not repaired: {reason}").format(reason=check.error.sentence)
    bad = sum(len(result.bad_blocks) for result in check.results)
    total = sum(result.n_blocks for result in check.results)
    if not total:
        return tr("Differs from the original. “Repair” downloads only the damaged parts.")
    return tr("{bad} of {whole} parts differ from the original. “Repair” downloads only those again.").format(
        bad=number(bad), whole=number(total)
    )


def _verified_text(row: ModelRow, *, now: datetime) -> str:
    check = row.check
    if check is not None and check.has_repaired:
        fetched = sum(result.fetched_bytes for result in check.results)
        return tr("Repaired: {fetched} downloaded again.").format(fetched=format_bytes(fetched))
    if check is not None and check.error is not None:
        return check.error.sentence
    if check is not None:
        return tr("Verified just now: the checksum matches.")
    day = format_iso_day(row.entry.origin.downloaded_at, now=now) if row.entry.origin is not None else ""
    if not day:
        return tr("Checksum verified when downloaded; unchanged since.")
    return tr("Checksum verified when downloaded on {day}; unchanged since.").format(day=day)
