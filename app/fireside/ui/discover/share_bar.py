"""Show how much of each device's free memory a model would take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.core.errors import format_bytes
from fireside.core.fit import DeviceShare
from fireside.core.i18n import tr
from fireside.ui.theme import Theme
from fireside.ui.widgets.memory_bar import MemoryBar
from fireside.ui.widgets.memory_segment import Hue, Segment
from fireside.ui.widgets.text import one_line, plain_tooltip

_WIDTH: Final = 44
_HEIGHT: Final = 6


def share_words(share: DeviceShare) -> str:
    """Return one device's share as words: what is taken of what is free."""
    return tr("{name}: {size} of {free} free").format(
        name=one_line(share.name),
        size=format_bytes(share.n_bytes),
        free=format_bytes(share.free_bytes),
    )


def shares_words(shares: Sequence[DeviceShare]) -> str:
    return "; ".join(share_words(share) for share in shares)


def share_bar(share: DeviceShare, *, theme: Theme) -> MemoryBar:
    """Return a small bar as long as what is free, and longer where the model takes more."""
    bar = MemoryBar(theme=theme, height=_HEIGHT)
    bar.setFixedWidth(_WIDTH)
    segment = Segment(words=share.name, n_bytes=share.n_bytes, hue=Hue.FIRST)
    bar.show_memory(share.name, (segment,), total_bytes=share.free_bytes)
    bar.setAccessibleName(share_words(share))
    bar.setToolTip(plain_tooltip(share_words(share)))
    return bar
