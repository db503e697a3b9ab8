"""The user's metadata of models: names, tags, favourites, and last use."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ModelError, StorageUnwritable
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.library import UserMetadata
from fireside.core.os_errors import render_os_error
from fireside.files.json_file import JsonFile, OnDamaged

FORMAT: Final = 1
_SIZE_LIMIT: Final = 64_000_000
_LOSS: Final = tr_noop("Names, tags and favourites of models are missing.")
MAX_NAME: Final = 120
MAX_TAGS: Final = 20
MAX_TAG: Final = 40


class _File(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    models: dict[str, msgspec.Raw]


class UserMetadataFile:
    """Metadata by model id, in one small file that is replaced atomically.

    It stays when a model is removed, which may come back. What cannot be read is kept unchanged, one model or
    the whole file. Not thread-safe; ``Library`` holds the lock.
    """

    def __init__(self, path: Path, *, on_damaged: OnDamaged = lambda _: None) -> None:
        self._file = JsonFile(path, _File, limit=_SIZE_LIMIT, loss=_LOSS, on_damaged=on_damaged)
        self._facts: dict[str, UserMetadata] = {}
        self._undecoded: dict[str, msgspec.Raw] = {}
        self._restore()

    def of(self, model_id: ModelId) -> UserMetadata:
        return self._facts.get(model_id, UserMetadata())

    def rename(self, model_id: ModelId, name: str) -> None:
        """Set a model's display name; an empty one restores its own. Raises ``model_note_invalid``."""
        name = " ".join(name.split())
        _check(name, what=tr("This name"), limit=MAX_NAME)
        self._change(model_id, msgspec.structs.replace(self.of(model_id), name=name))

    def set_tags(self, model_id: ModelId, tags: tuple[str, ...]) -> None:
        """Set the tags of a model, each once, ignoring case. Raises ``model_note_invalid``."""
        unique: dict[str, str] = {}
        for tag in tags:
            cleaned = " ".join(tag.split())
            _check(cleaned, what=tr("This tag"), limit=MAX_TAG)
            if cleaned:
                unique.setdefault(cleaned.casefold(), cleaned)
        if len(unique) > MAX_TAGS:
            raise ModelError.of(
                "model_note_invalid",
                what=tr("This list of tags"),
                reason=tr("a model can have at most {most}.").format(most=MAX_TAGS),
            )
        self._change(model_id, msgspec.structs.replace(self.of(model_id), tags=tuple(unique.values())))

    def set_favourite(self, model_id: ModelId, *, favourite: bool) -> None:
        self._change(model_id, msgspec.structs.replace(self.of(model_id), favourite=favourite))

    def record_use(self, model_id: ModelId, *, at_s: float) -> None:
        self._change(model_id, msgspec.structs.replace(self.of(model_id), last_used_s=at_s))

    def _change(self, model_id: ModelId, facts: UserMetadata) -> None:
        """Write the file, then apply the change. Raises ``StorageUnwritable``."""
        if facts == self.of(model_id):
            return
        changed = {**self._facts, model_id: facts}
        models = {name: msgspec.Raw(msgspec.json.encode(value)) for name, value in changed.items()}
        try:
            self._file.write(_File(format=FORMAT, models={**self._undecoded, **models}))
        except OSError as exc:
            reason = render_os_error(exc)
            raise StorageUnwritable(path=str(self._file.path), reason=f"{reason}.") from exc
        self._facts = changed
        self._undecoded.pop(model_id, None)

    def _restore(self) -> None:
        stored = self._file.read()
        for model_id, raw in ({} if stored is None else stored.models).items():
            try:
                self._facts[model_id] = decode_json(raw, kind=UserMetadata)
            except JsonInvalid:
                self._undecoded[model_id] = raw
        if self._undecoded:
            self._file.report(tr_noop("some of its entries are not valid"))


def _check(text: str, *, what: str, limit: int) -> None:
    if len(text) > limit:
        raise ModelError.of(
            "model_note_invalid",
            what=what,
            reason=tr("it can be at most {limit} characters long.").format(limit=limit),
        )
    if not text.isprintable():
        raise ModelError.of(
            "model_note_invalid", what=what, reason=tr_noop("it holds characters that cannot be shown.")
        )
