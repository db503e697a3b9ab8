"""The texts for collections, their files and passages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from fireside.core.collection import Activity, Collection, CollectionState, Passage, Source, SourceState
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.message import PassagesPart
from fireside.core.token_estimate import estimated_tokens
from fireside.ui.chat.transcript.plain_copy import markdown_to_text
from fireside.ui.widgets.text import truncate_text

_ACTIVITIES: Final = {
    Activity.IDLE: "",
    Activity.SCANNING: tr_noop("Looking for changes…"),
    Activity.READING: tr_noop("Reading files…"),
    Activity.EMBEDDING: tr_noop("Embedding…"),
    Activity.READING_SCANS: tr_noop("Reading images…"),
    Activity.WAITING: tr_noop("Waiting: a chat is answering"),
    Activity.PAUSED: tr_noop("Paused"),
}
_SNIPPET_CHARS: Final = 420
_SNIPPET_SOURCE_CHARS: Final = 4 * _SNIPPET_CHARS
"""The number of characters of a passage that a snippet is made from."""
MARKDOWN: Final = frozenset({".md", ".markdown", ".mdx", ".html", ".htm", ".xhtml", ".docx", ".epub"})
"""Suffixes of files that are Markdown, or whose text extraction yields Markdown headings and lists."""


def searchable_text(state: CollectionState) -> str:
    """Return how many of the files are searchable: ``412 of 430 files searchable``."""
    if not state.n_files:
        return tr("Looking for files…") if state.activity is Activity.SCANNING else tr("No files")
    text = tr("{searchable} of %n file searchable|{searchable} of %n files searchable", "", state.n_files)
    return text.format(searchable=number(state.n_searchable))


def problems_text(state: CollectionState) -> str:
    """Return how many files are not searchable, or only in part, each counted once; empty for none."""
    n_unreadable = state.n_unreadable - state.n_textless - state.n_unheard
    parts = (
        tr("%n without text|%n without text", "", state.n_textless) if state.n_textless else "",
        tr("%n needs speech recognition|%n need speech recognition", "", state.n_unheard)
        if state.n_unheard
        else "",
        tr("%n cannot be read|%n cannot be read", "", n_unreadable) if n_unreadable else "",
        tr("%n read in part|%n read in part", "", state.n_warned) if state.n_warned else "",
    )
    return " · ".join(part for part in parts if part)


def has_problem(source: Source) -> bool:
    """Return whether a file is not searchable, or only in part."""
    return source.state is SourceState.UNREADABLE or bool(source.warnings)


def file_state(source: Source) -> str:
    """Return the one state of a file, in a word or two."""
    match source.state:
        case SourceState.WAITING:
            return tr("Waiting")
        case SourceState.OFFLINE:
            return tr("Drive not connected")
        case SourceState.UNREADABLE:
            return tr("Without text") if source.n_scans else tr("Cannot be read")
        case SourceState.SEARCHABLE:
            return tr("Read in part") if source.warnings else tr("Searchable")


def file_help(source: Source) -> str:
    """Return what is wrong with a file and what helps, as sentences; empty for nothing."""
    match source.state:
        case SourceState.WAITING:
            return tr("It is read soon.")
        case SourceState.OFFLINE:
            return tr("What was read of it is still searched.")
        case SourceState.UNREADABLE if source.n_scans:
            return tr("It is an image of text. A vision model can read it: choose one below.")
        case SourceState.UNREADABLE:
            return source.error
        case SourceState.SEARCHABLE:
            return " ".join(source.warnings)


def offline_text(state: CollectionState) -> str:
    """Return how many files are on a drive that is not connected; empty for none."""
    return tr("%n offline|%n offline", "", state.n_offline) if state.n_offline else ""


def scans_text(state: CollectionState) -> str:
    """Return how many pages without text a model has read; empty where none has."""
    if not state.n_scans_read:
        return ""
    if state.n_scans_read < state.n_scans:
        text = tr("{read} of %n page read by {model}|{read} of %n pages read by {model}", "", state.n_scans)
    else:
        text = tr("%n page read by {model}|%n pages read by {model}", "", state.n_scans)
    return text.format(read=number(state.n_scans_read), model=state.read_by)


def activity_text(state: CollectionState) -> str:
    """Return the current activity; empty for none."""
    match state.activity:
        case Activity.READING | Activity.READING_SCANS if state.working_on:
            return tr("Reading {name}").format(name=state.working_on)
        case Activity.EMBEDDING:
            return tr("Embedding: {done} of {files}").format(
                done=number(state.n_embedded), files=number(state.n_searchable)
            )
        case activity:
            return tr(_ACTIVITIES[activity]) if _ACTIVITIES[activity] else ""


def fraction(state: CollectionState) -> float | None:
    """Return the progress of the current activity, 0 to 1; ``None`` where there is none to wait for."""
    if state.n_waiting and state.n_files:
        return (state.n_files - state.n_waiting) / state.n_files
    if state.activity is Activity.EMBEDDING and state.n_searchable:
        return state.n_embedded / state.n_searchable
    if state.activity is Activity.READING_SCANS and state.n_scans:
        return state.n_scans_read / state.n_scans
    return None


def skipped_text(state: CollectionState) -> str:
    """Return what was skipped and why; empty for nothing."""
    kinds = (f"{number(skipped.n_files)} {skipped.reason}" for skipped in state.skipped)
    skipped_files = " · ".join(kinds)
    return tr("Skipped: {files}").format(files=skipped_files) if skipped_files else ""


def suggested_name(paths: Sequence[str]) -> str:
    """Return a suggested name for a collection of these files and folders: that of the first."""
    if not paths:
        return ""
    path = PurePath(paths[0])
    return path.stem or path.name


def snippet(passage: Passage) -> str:
    """Return the beginning of a passage as one paragraph, without Markdown syntax."""
    text = passage.text[:_SNIPPET_SOURCE_CHARS]
    if PurePath(passage.name).suffix.lower() in MARKDOWN:
        text = markdown_to_text(text)
    text = " ".join(text.split())
    return truncate_text(text, length=_SNIPPET_CHARS)


def headings_text(passage: Passage) -> str:
    """Return the headings above a passage."""
    return " › ".join(passage.headings)


def read_by_text(passage: Passage) -> str:
    """Return which vision model read a passage from an image; empty for text of the file itself."""
    return tr("Read by {model}").format(model=passage.read_by) if passage.read_by else ""


def attached_text(collection: Collection, state: CollectionState | None, part: PassagesPart | None) -> str:
    """Return what an attached collection gives the next question: that it is being read, or cannot be, or
    what is sent of it; empty where that is not known yet."""
    if state is not None and collection.roots:
        if not state.n_files or state.n_waiting:
            return tr("being read…")
        if not state.n_searchable:
            return tr("cannot be read")
    return "" if part is None else attached_cost_text(part)


def attached_cost_text(part: PassagesPart) -> str:
    """Return what is sent with a question and its cost: ``6 passages · about 1,900 tokens``.

    Empty where there is no question yet and nothing is sent with every question.
    """
    if not part.citations:
        return tr("no passages") if part.question.strip() else ""
    n_tokens = estimated_tokens(part.prompt_text)
    tokens = tr("about %n token|about %n tokens", "", n_tokens)
    passages = tr("%n passage|%n passages", "", len(part.citations))
    return " · ".join((tr("whole documents") if part.is_whole else passages, tokens))
