"""Texts of a row in the list of models: a file, and what the window knows of it. Pure."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.core.library import ModelUpdate
from fireside.core.model import ModelEntry, display_name
from fireside.core.options import Purpose
from fireside.core.quants import quant_description
from fireside.core.status import Broken, ModelState, Unloaded
from fireside.ui.library.check_results import Check, CheckResults
from fireside.ui.model_text import abbreviate_count, format_context_size, media_of, state_label
from fireside.ui.models_view import ModelsView
from fireside.ui.time_text import last_used_label
from fireside.ui.widgets.text import one_line

NAME_LIMIT: Final = 120
"""Maximum characters of a name that the user gives."""
OWN_FOLDER: Final = tr_noop("Library")
"""``ModelEntry.source`` of files in the library's own folder."""
_PURPOSE_NAMES: Final = {Purpose.EMBED: tr_noop("Embeddings"), Purpose.RERANK: tr_noop("Reranking")}


class ModelRow(msgspec.Struct, frozen=True, kw_only=True):
    """A model file with its state, check and update."""

    entry: ModelEntry
    state: ModelState = Unloaded()
    check: Check | None = None
    update: ModelUpdate | None = None


def make_row(entry: ModelEntry, *, models: ModelsView, check_results: CheckResults) -> ModelRow:
    """Return the row of a file."""
    return ModelRow(
        entry=entry,
        state=models.state(entry.spec.id) if entry.spec is not None else Unloaded(),
        check=check_results.check(entry.path),
        update=check_results.update(entry.path),
    )


class Integrity(StrEnum):
    """What is known of a file's content. The order is the sort order of the column."""

    VERIFIED = "verified"
    READ = "read"
    """Read completely in this session, without a checksum to compare with."""
    UNKNOWN = "unknown"
    BUSY = "busy"
    CHANGED = "changed"
    """Changed since it was downloaded."""
    DAMAGED = "damaged"
    FAILED = "failed"
    """The last check failed with an error."""
    UNUSABLE = "unusable"
    GROWING = "growing"
    AWAY = "away"
    """Its drive is not connected."""


class StatusBadge(msgspec.Struct, frozen=True, kw_only=True):
    """A short text with its icon and colour."""

    text: str
    icon: str
    tint: str


def name_of(row: ModelRow) -> str:
    """Return the name as one line without control characters."""
    return one_line(display_name(row.entry)) or one_line(row.entry.file_name) or tr("Unnamed")


def quant_label(row: ModelRow) -> str:
    return one_line(row.entry.spec.quantization) if row.entry.spec is not None else ""


def quant_meaning(row: ModelRow) -> str:
    """Return what the quantization means; empty if its label is unknown."""
    return quant_description(row.entry.spec.quantization) if row.entry.spec is not None else ""


def params_text(row: ModelRow) -> str:
    spec = row.entry.spec
    return abbreviate_count(spec.n_params) if spec is not None and spec.n_params > 0 else ""


def trained_context_text(row: ModelRow) -> str:
    spec = row.entry.spec
    return format_context_size(spec.n_ctx_train) if spec is not None and spec.n_ctx_train > 0 else ""


def last_used_text(row: ModelRow, *, now: datetime) -> str:
    return last_used_label(row.entry.user_metadata.last_used_s, now=now) if row.entry.spec is not None else ""


def location_text(row: ModelRow) -> str:
    """Return the location of the file, and the number of copies elsewhere."""
    others = len(row.entry.places)
    location = source_text(row.entry.source)
    return (
        tr("{place} and %n more|{place} and %n more", "", others).format(place=location)
        if others
        else location
    )


def source_text(source: str) -> str:
    """Return the display text of a ``ModelEntry.source``."""
    return one_line(tr(source))


def kind_text(row: ModelRow) -> str:
    """Return the architecture, and the purpose where that is not chatting: ``qwen3``, ``bert ·
    Embeddings``."""
    spec = row.entry.spec
    if spec is None:
        return ""
    parts = [one_line(spec.architecture), tr(_PURPOSE_NAMES.get(spec.purpose, ""))]
    parts += map(tr, media_of(spec))
    return " · ".join(part for part in parts if part)


def is_damaged(row: ModelRow) -> bool:
    """Return whether the last check of this session found damage."""
    return row.check is not None and not row.check.is_running and row.check.has_found_damage


def problem_of(row: ModelRow) -> str:
    """Return why the model is unusable or its last load failed; empty if there is no problem."""
    if row.entry.problem is not None:
        return row.entry.problem
    if isinstance(row.state, Broken):
        return row.state.error.sentence
    return tr("Damaged; can be repaired") if is_damaged(row) else ""


def problem_tint(row: ModelRow) -> str:
    """Return the colour of ``problem_of``: grey or yellow for what resolves itself, else red."""
    if row.entry.is_disconnected:
        return "dim"
    return "warn" if row.entry.is_growing else "danger"


def integrity(row: ModelRow) -> Integrity:
    check = row.check
    if check is not None and check.is_running:
        return Integrity.BUSY
    if row.entry.spec is None:
        if row.entry.is_disconnected:
            return Integrity.AWAY
        return Integrity.GROWING if row.entry.is_growing else Integrity.UNUSABLE
    if is_damaged(row):
        return Integrity.DAMAGED
    origin = row.entry.origin
    if origin is not None:
        has_passed = check is not None and check.error is None
        return Integrity.CHANGED if origin.is_changed and not has_passed else Integrity.VERIFIED
    if check is not None:
        return Integrity.READ if check.error is None else Integrity.FAILED
    return Integrity.UNKNOWN


_INTEGRITY_BADGES: Final = {
    Integrity.VERIFIED: StatusBadge(text=tr_noop("Verified"), icon="shield-check", tint="ok"),
    Integrity.READ: StatusBadge(text=tr_noop("Readable"), icon="shield", tint="mute"),
    Integrity.UNKNOWN: StatusBadge(text=tr_noop("Not verified"), icon="shield", tint="dim"),
    Integrity.CHANGED: StatusBadge(text=tr_noop("Changed since download"), icon="shield-alert", tint="warn"),
    Integrity.DAMAGED: StatusBadge(text=tr_noop("Damaged"), icon="shield-alert", tint="danger"),
    Integrity.FAILED: StatusBadge(text=tr_noop("Not verified"), icon="shield", tint="dim"),
    Integrity.UNUSABLE: StatusBadge(text=tr_noop("Unusable"), icon="circle-alert", tint="danger"),
    Integrity.GROWING: StatusBadge(text=tr_noop("Copying"), icon="download", tint="warn"),
    Integrity.AWAY: StatusBadge(text=tr_noop("Not connected"), icon="hard-drive", tint="dim"),
}


def integrity_badge(row: ModelRow) -> StatusBadge:
    """Return the integrity of the file as a badge."""
    state = integrity(row)
    if state is not Integrity.BUSY:
        badge = _INTEGRITY_BADGES[state]
        return msgspec.structs.replace(badge, text=tr(badge.text))
    assert row.check is not None
    percent = round(row.check.fraction * 100)
    if not row.check.size_bytes:
        text = tr("Queued")
    elif row.check.is_repairing:
        text = tr("Repairing {percent}%").format(percent=percent)
    else:
        text = tr("Verifying {percent}%").format(percent=percent)
    return StatusBadge(text=text, icon="shield", tint="warn")


def list_badge(row: ModelRow) -> StatusBadge | None:
    """Return what lists say of the file; ``None`` where nobody has looked, which is nothing to warn of."""
    return None if integrity(row) is Integrity.UNKNOWN else integrity_badge(row)


def state_badge(row: ModelRow) -> StatusBadge | None:
    """Return the load state as a badge; ``None`` for an unloaded model."""
    if row.entry.spec is None or isinstance(row.state, Unloaded):
        return None
    label = state_label(row.state)
    return StatusBadge(text=label.text, icon="", tint=label.tint)


def size_text(row: ModelRow) -> str:
    """Return the size of a file; empty for a folder whose drive is not connected."""
    return (
        "" if row.entry.is_disconnected and not row.entry.size_bytes else format_bytes(row.entry.size_bytes)
    )


def accessible_text(row: ModelRow, *, now: datetime) -> str:
    """Return the row as a sentence for screen readers."""
    parts = [name_of(row)]
    if row.entry.user_metadata.favourite:
        parts.append(tr("favourite"))
    if state := state_badge(row):
        parts.append(state.text)
    if problem := problem_of(row):
        is_unusable = integrity(row) is Integrity.UNUSABLE
        parts.append(tr("unusable: {problem}").format(problem=problem) if is_unusable else problem)
    if quant_label(row):
        parts.append(" ".join(filter(None, (quant_label(row), quant_meaning(row)))))
    parts.append(size_text(row))
    if params := params_text(row):
        parts.append(tr("{params} parameters").format(params=params))
    if context := trained_context_text(row):
        parts.append(tr("{context} context").format(context=context))
    parts.append(kind_text(row))
    if row.entry.spec is not None:
        parts.append(tr("last used: {when}").format(when=last_used_text(row, now=now)))
        parts.append(integrity_badge(row).text)
    if row.update is not None:
        parts.append(tr("update available"))
    if row.entry.user_metadata.tags:
        parts.append(tr("tags: {tags}").format(tags=" ".join(map(one_line, row.entry.user_metadata.tags))))
    parts.append(tr("in: {place}").format(place=location_text(row)))
    return ", ".join(part for part in parts if part)
