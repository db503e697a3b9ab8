"""Declares the settings of answers from collections of documents."""

from __future__ import annotations

from functools import partial
from typing import Final

from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.i18n import tr_noop
from fireside.settings.values import Group, Kind, SettingDefinition

_setting: Final = partial(SettingDefinition, group=Group.DOCUMENTS)

DOCUMENTS: Final = (
    _setting(
        key=COLLECTIONS_KEY,
        label=tr_noop("Collections"),
        help=tr_noop("The collections of documents that questions are answered from."),
        kind=Kind.LINES,
        default=(),
        maximum=20,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _setting(
        key="documents.passages",
        label=tr_noop("Passages per question"),
        help=tr_noop(
            "How many passages from collections are sent with a question. More take longer to read."
        ),
        kind=Kind.INTEGER,
        default=6,
        minimum=1,
        maximum=20,
        step=1,
    ),
    _setting(
        key="documents.whole_tokens",
        label=tr_noop("Whole documents up to"),
        help=tr_noop(
            "Collections with fewer tokens are sent whole if the context has room, not in passages."
        ),
        kind=Kind.INTEGER,
        default=6000,
        minimum=0,
        maximum=1_048_576,
        step=500,
        unit=tr_noop("tokens"),
    ),
)
