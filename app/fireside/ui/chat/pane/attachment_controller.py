"""The controller of attachments: reads files, holds them per draft until sent, counts their tokens."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Any, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from fireside.core.attachment import (
    MAX_ATTACHED,
    Attachment,
    TokenCost,
    as_attachment,
    attachment_limit_problem,
    unread_attachment,
)
from fireside.core.errors import AttachmentUnreadable, FiresideError, NextStep
from fireside.core.i18n import render_sentence, tr, tr_noop
from fireside.core.ids import ConversationId, DraftId, DraftKey, ModelId
from fireside.core.message import AttachedPart, AudioPart, DocumentPart, ImagePart, VideoPart
from fireside.core.model import ModelEntry, ModelSpec, display_name
from fireside.core.status import ModelStatus, Ready
from fireside.ui.chat.composer.attachment_chip import ChipFacts, facts_of_part
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.chat.composer.attachment_text import (
    READING,
    SILENT_VIDEO,
    TOO_LONG,
    WAITING,
    facts_of,
    kind_of,
    limit_message,
    takes,
    too_long_message,
    unreadable_text,
    unsupported_line,
    unsupported_message,
)
from fireside.ui.chat.pane.pane_context import PaneContext
from fireside.ui.kit.dropped_files import DropArea, could_be_models
from fireside.ui.kit.file_dialogs import choose_files, choose_save_path
from fireside.ui.model_text import AUDIO, VISION
from fireside.ui.window_context import MEDIA_ROW

PASTED_IMAGE: Final = tr_noop("Pasted image.png")
_SOUNDS: Final = (
    *(".wav", ".mp3", ".flac", ".ogg", ".opus", ".aiff"),
    *(".m4a", ".mp4", ".mov", ".webm", ".mkv"),
)
_PATTERNS: Final = (
    "*.pdf *.docx *.xlsx *.pptx *.odt *.ods *.odp *.rtf *.epub *.eml *.html *.htm *.txt *.md *.csv *.tsv "
    "*.json *.xml *.ipynb *.srt *.log *.py *.js *.ts *.c *.cpp *.h *.rs *.go *.java "
    "*.png *.jpg *.jpeg *.webp *.gif *.bmp "
) + " ".join(f"*{each}" for each in _SOUNDS)
_SUFFIXES: Final = {"image/png": ".png", "image/jpeg": ".jpg", "audio/wav": ".wav"}


@dataclass(kw_only=True, eq=False)
class AttachedFile:
    """One attached file, from its selection on: being read, read, or unreadable."""

    name: str
    path: str = ""
    """Empty for what was pasted."""
    attachment: Attachment | None = None
    problem: str = ""
    needs_component: bool = False
    """Whether it is read once the component for media formats is installed."""
    cost: TokenCost | None = None
    is_transcribed: bool = False
    """Whether its transcription is under way."""
    transcription: str = ""
    """How far its transcription is, or why it failed, in a few words."""
    recording: Attachment | None = None
    """What ``attachment`` is the transcript of; gone after a restart."""

    @property
    def is_being_read(self) -> bool:
        return self.attachment is None and not self.problem

    @property
    def kept(self) -> Attachment | None:
        """What its draft keeps of it; ``None`` for what cannot be read, also not later."""
        if self.attachment is None and self.path and (self.is_being_read or self.needs_component):
            return unread_attachment(self.name, path=self.path)
        return self.attachment

    @property
    def part(self) -> AttachedPart | None:
        return None if self.attachment is None else self.attachment.part

    @property
    def sound(self) -> str | bytes:
        """What can be transcribed: the sound as it was read, else the path of a recording that is too long to
        be attached; empty for other files."""
        match self.part:
            case AudioPart(data=data) | VideoPart(sound=AudioPart(data=data)):
                return data
            case None if self.problem and not self.needs_component:
                return self.path if self.path.lower().endswith(_SOUNDS) else ""
            case _:
                return ""


class AttachmentController(QObject):
    """Holds the files of each draft, also while another conversation is shown. GUI thread only."""

    changed = Signal()
    """The files changed, or whether they can be sent, or their token counts."""

    draft_changed = Signal(object, object)
    """``DraftKey`` and what is to be saved of its files."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.pane)
        self._client = context.client.attachments
        self._run = context.run
        self._tasks = context.tasks
        self._composer = context.composer
        self._pane = context.pane
        self.drop_area = DropArea(
            context.pane, icon="paperclip", describe=_describe_drop, on_dropped=self.add_files
        )
        self._draft_key: DraftKey = DraftId("")
        self._files: list[AttachedFile] = []
        self._other_drafts: dict[DraftKey, list[AttachedFile]] = {}
        self._model_id: ModelId | None = None
        self._model_name = ""
        self._spec: ModelSpec | None = None
        self._n_ctx: int | None = None
        self._composer.attach_button.clicked.connect(self.choose)
        self._composer.editor.files_pasted.connect(self.add_files)
        self._composer.editor.image_pasted.connect(self.add_image)
        self._composer.tray.opened.connect(self.open_file)
        self._composer.tray.removed.connect(self.remove_file)
        self._composer.tray.cleared.connect(self.remove_all)
        self._composer.model_button.clicked.connect(context.prompt_for_model)
        self._composer.component_button.clicked.connect(partial(context.show_setting, MEDIA_ROW))

    # Attachments

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files that were read successfully."""
        return tuple(file.attachment for file in self._files if file.attachment is not None)

    @property
    def kept(self) -> tuple[Attachment, ...]:
        """What the draft keeps over a restart: these, and those that can be read later."""
        return _kept(self._files)

    @property
    def parts(self) -> tuple[AttachedPart, ...]:
        """The message parts of the files that were read."""
        return tuple(attachment.part for attachment in self.attachments)

    @property
    def searchable_paths(self) -> tuple[str, ...]:
        """Paths of the documents to search where the message does not fit: those that are longer than the
        model's context, else all."""
        documents = [
            file
            for file in self._files
            if file.path and file.recording is None and isinstance(file.part, DocumentPart)
        ]
        return tuple(file.path for file in [*filter(self._is_too_long, documents)] or documents)

    def reason_not_to_send(self) -> str:
        """Return why the message cannot be sent with these files, as a sentence; empty where it can."""
        if any(file.is_being_read for file in self._files):
            return tr("Still reading a file")
        if any(file.is_transcribed for file in self._files):
            return tr("Still transcribing a recording")
        if (unsupported := self.unsupported) is not None:
            return unsupported_message(unsupported, model=self._model_name)
        return render_sentence(attachment_limit_problem(self.parts))

    @property
    def unsupported(self) -> AttachedPart | None:
        """The first file that the model does not take; ``None`` where it takes all."""
        return next((part for part in self.parts if not self._takes(part)), None)

    @property
    def wanted_ability(self) -> str:
        """What a model must take for the files of the message, as the model picker calls it; empty where the
        chosen one takes them."""
        if (part := self.unsupported) is None:
            return ""
        return tr(AUDIO if isinstance(part, AudioPart) else VISION)

    def _takes(self, part: AttachedPart) -> bool:
        return self._spec is None or takes(self._spec, part)

    def remove_sent(self, sent: Sequence[AttachedPart], *, to: ConversationId) -> None:
        """Remove the files that were sent with a message of ``to``; what was attached since stays there.

        Unreadable files are removed too: the user was told that they would not be sent. Those that wait for a
        component stay.
        """
        self._draft_key = to
        self._composer.show_info("")
        sent_ids = {id(part) for part in sent}
        self._files = [
            file
            for file in self._files
            if file.is_being_read
            or file.needs_component
            or (file.attachment is not None and id(file.attachment.part) not in sent_ids)
        ]
        if self.kept:
            self.draft_changed.emit(to, self.kept)
        self._show()

    @Slot(object)
    def restore(self, parts: Sequence[AttachedPart]) -> None:
        """Attach the files of a withdrawn message again."""
        for part in parts:
            file = AttachedFile(name=part.name, attachment=as_attachment(part))
            self._files.append(file)
            self._count_tokens(file)
        self.draft_changed.emit(self._draft_key, self.kept)
        self._show()

    # Drafts and model

    def switch_to(self, draft_key: DraftKey, *, attached: Sequence[Attachment]) -> None:
        """Show the files of another draft, of which ``attached`` are those that are stored; what was not read
        yet is tried again."""
        self._other_drafts[self._draft_key] = self._files
        kept = [
            file
            for file in self._other_drafts.pop(draft_key, [])
            if file.attachment is None or file.is_transcribed
        ]
        known = [file.attachment for file in kept if file.attachment is not None]
        paths = {file.path for file in kept}
        self._files = [
            *(
                AttachedFile(name=each.name, path=each.path, attachment=each)
                for each in attached
                if each not in known and not each.is_unread
            ),
            *kept,
        ]
        self._draft_key = draft_key
        self._composer.show_info("")
        self._count_all()
        self.add_files([each.path for each in attached if each.is_unread and each.path not in paths])
        self._show()

    def set_model(self, model: ModelEntry | None, status: ModelStatus | None) -> None:
        """Set the model that answers; call again when it was loaded or unloaded."""
        spec = None if model is None else model.spec
        self._model_id = None if spec is None else spec.id
        self._model_name = "" if spec is None or model is None else display_name(model)
        self._spec = spec
        ready = status.state if status is not None and isinstance(status.state, Ready) else None
        self._n_ctx = None if ready is None else ready.loaded.n_ctx
        self._count_all()
        self._show()

    # Adding

    @Slot()
    def choose(self) -> QFileDialog:
        """Open the file dialog, which does not block the event loop."""
        filters = [
            tr("Documents, text, images, audio and videos") + f" ({_PATTERNS})",
            tr("All files (*)"),
        ]
        return choose_files(self._pane, tr("Attach files"), self.add_files, filters=filters)

    @Slot(object)
    def add_files(self, paths: Sequence[str]) -> None:
        n_free = max(0, MAX_ATTACHED - len(self._files))
        for path in paths[:n_free]:
            self._read(PurePath(path).name or path, self._client.read_file(path), path=path)
        self._composer.show_info(limit_message(len(paths) - n_free))

    @Slot(object)
    def add_image(self, data: bytes) -> None:
        """Attach an image that was pasted, encoded in any format."""
        self.add(tr(PASTED_IMAGE), self._client.read_data(data, name=tr(PASTED_IMAGE)))

    def add(self, name: str, reading: Coroutine[Any, Any, Attachment]) -> None:
        """Attach what ``reading`` returns; at the limit of files, close it without running it."""
        if len(self._files) >= MAX_ATTACHED:
            reading.close()
            self._composer.show_info(limit_message(1))
            return
        self._read(name, reading)

    def _read(self, name: str, reading: Coroutine[Any, Any, Attachment], *, path: str = "") -> None:
        file = AttachedFile(name=name, path=path)
        self._files.append(file)

        def on_read(attachment: Attachment) -> None:
            file.attachment = replace(attachment, path=path)
            self._count_tokens(file)
            self._save_draft_with(file)
            self._show()

        self._tasks.run(reading, on_done=on_read, on_error=self._failing(file))
        self._show()

    def read_refused(self) -> None:
        """Read the files of the current draft that waited for the component again."""
        for file in [each for each in self._files if each.needs_component and each.path]:
            self._files.remove(file)
            self.add_files((file.path,))

    def _failing(self, file: AttachedFile) -> Callable[[FiresideError], None]:
        def on_error(error: FiresideError) -> None:
            if isinstance(error, AttachmentUnreadable):  # the chip has the name already
                file.problem = render_sentence(error.reason)
            else:
                file.problem = error.sentence()
            file.needs_component = error.next_step is NextStep.ADD_COMPONENT
            self._save_draft_with(file)
            self._show()

        return on_error

    def _save_draft_with(self, changed: AttachedFile) -> None:
        """Report the draft that a file belongs to, which may not be the current one."""
        for draft_key, files in ((self._draft_key, self._files), *self._other_drafts.items()):
            if any(file is changed for file in files):
                self.draft_changed.emit(draft_key, _kept(files))

    # Transcripts

    @property
    def files(self) -> tuple[AttachedFile, ...]:
        """The files of the current draft."""
        return tuple(self._files)

    def holds(self, file: AttachedFile) -> bool:
        """Whether a file is still attached, to whatever draft."""
        return any(file in files for files in (self._files, *self._other_drafts.values()))

    def show_transcription(self, file: AttachedFile, text: str, *, is_under_way: bool) -> None:
        """Show how far the transcription of a recording is, or why it failed."""
        if (file.transcription, file.is_transcribed) != (text, is_under_way):
            file.transcription, file.is_transcribed = text, is_under_way
            self._show()

    def take_transcript(self, file: AttachedFile, transcript: Attachment) -> None:
        """Attach a transcript in the place of its recording, or beside a video that the model takes."""
        file.transcription, file.is_transcribed = "", False
        if isinstance(file.part, VideoPart) and self._takes(file.part):
            self.add_transcript(file, transcript)
            return
        file.recording, file.attachment, file.cost = file.attachment, transcript, None
        file.problem, file.name = "", transcript.name
        self._count_tokens(file)
        self._save_draft_with(file)
        self._show()

    def add_transcript(self, file: AttachedFile, transcript: Attachment) -> None:
        """Attach what was recognised of a recording beside it."""
        added = AttachedFile(name=transcript.name, attachment=transcript)
        for files in (self._files, *self._other_drafts.values()):
            if file in files:
                files.insert(files.index(file) + 1, added)
        self._count_tokens(added)
        self._save_draft_with(added)
        self._show()

    def has_usable_recording(self, file: AttachedFile) -> bool:
        """Whether a transcript has a recording that the model takes."""
        return file.recording is not None and self._takes(file.recording.part)

    def take_recording(self, file: AttachedFile) -> None:
        """Attach a recording again in place of its transcript."""
        if file.recording is not None:
            file.attachment, file.recording, file.cost = file.recording, None, None
            file.name = file.attachment.name
            self._count_tokens(file)
            self._save_draft_with(file)
            self._show()

    # Token counts

    def _count_all(self) -> None:
        for file in self._files:
            self._count_tokens(file)

    def _count_tokens(self, file: AttachedFile) -> None:
        if file.attachment is None:
            return
        model_id = self._model_id

        def on_counted(cost: TokenCost) -> None:
            if model_id == self._model_id:
                file.cost = cost
                self._show()

        def on_error(_error: FiresideError) -> None:
            file.cost = None  # an error shows when the message is sent

        work = self._client.count(file.attachment.part, model_id=model_id)
        self._tasks.run(work, on_done=on_counted, on_error=on_error)

    # Display

    def _show(self) -> None:
        self._composer.tray.show_files([self._facts_of(file) for file in self._files])
        self._composer.model_button.setVisible(self.unsupported is not None)
        self._composer.component_button.setVisible(any(file.needs_component for file in self._files))
        any_attached = any(not file.problem for file in self._files)
        self._composer.set_files(any_attached=any_attached, reason=self.reason_not_to_send())
        self.changed.emit()

    def _facts_of(self, file: AttachedFile) -> ChipFacts:
        if file.attachment is None and file.is_transcribed:
            return ChipFacts(name=file.name, line=file.transcription, icon="audio-lines")
        if file.needs_component:
            tip = unreadable_text(file.problem)
            return ChipFacts(name=file.name, line=tr(WAITING), tone="warn", tooltip=tip, icon="clock")
        if file.problem:
            line = file.transcription or unreadable_text(file.problem)
            return ChipFacts(name=file.name, line=line, tone="danger")
        if file.attachment is None:
            return ChipFacts(name=file.name, line=tr(READING), icon="clock")
        attachment = file.attachment
        part = attachment.part
        line = facts_of(attachment, cost=file.cost)
        tone, tip = "", "\n".join(attachment.warnings)
        if file.transcription:
            line, tone, tip = file.transcription, "" if file.is_transcribed else "warn", file.transcription
        elif not self._takes(part):
            line, tone = unsupported_line(part), "warn"
            tip = unsupported_message(part, model=self._model_name)
        elif file.cost is not None and self._n_ctx is not None and self._is_too_long(file):
            line, tone, tip = tr(TOO_LONG), "warn", too_long_message(file.cost, n_ctx=self._n_ctx)
        elif isinstance(part, VideoPart) and part.sound and self._spec and not self._spec.hears_audio:
            line, tone = tr(SILENT_VIDEO), "warn"
        elif attachment.warnings:
            line, tone = attachment.warnings[0], "warn"
        return replace(facts_of_part(part, line), tone=tone, tooltip=tip)

    def _is_too_long(self, file: AttachedFile) -> bool:
        return file.cost is not None and self._n_ctx is not None and file.cost.n_tokens > self._n_ctx

    def open_file(self, index: int) -> None:
        """Show what the model is sent of a file."""
        file = self._files[index]
        if file.attachment is not None:
            AttachmentSheet(file.attachment.part, parent=self._pane, save=self.save).open()

    @Slot(object)
    def save(self, part: ImagePart | AudioPart) -> QFileDialog:
        """Ask where to save an image or sound, and save it there."""
        suffix = _SUFFIXES.get(part.media_type, ".bin")
        stem = PurePath(part.name or kind_of(part)).stem

        def on_chosen(target: str) -> None:
            self._run(self._client.save(part, target=target))

        return choose_save_path(self._pane, tr("Save as"), on_chosen, name=f"{stem}{suffix}")

    def remove_all(self) -> None:
        """Remove all files."""
        had_any = bool(self.kept)
        self._files = []
        self._composer.show_info("")
        if had_any:
            self.draft_changed.emit(self._draft_key, ())
        self._show()

    def remove_paths(self, paths: Sequence[str]) -> None:
        """Remove the files with these paths."""
        for index in reversed(range(len(self._files))):
            if self._files[index].path in paths:
                self.remove_file(index)

    def remove_file(self, index: int) -> None:
        """Remove a file."""
        removed = self._files.pop(index)
        self._composer.show_info("")
        if _kept((removed,)):
            self.draft_changed.emit(self._draft_key, self.kept)
        self._show()


def _describe_drop(paths: list[str]) -> tuple[str, str] | None:
    """Return title and text of the drop overlay; ``None`` for models and folders, left to the window."""
    if could_be_models(paths):
        return None
    about = tr("Images, audio, videos, text, code, PDF, Word and web pages, read on this computer")
    return tr("Drop to attach"), about


def _kept(files: Sequence[AttachedFile]) -> tuple[Attachment, ...]:
    return tuple(kept for file in files if (kept := file.kept) is not None)
