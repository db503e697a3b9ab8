"""Parse how a model is split between GPUs: ``3, 1``."""

from __future__ import annotations

import math
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import number, tr, tr_noop

SHARES_LABEL: Final = tr_noop("Tensor split")
MAX_DEVICES: Final = 16
MAX_SHARE: Final = 1e6


def read_shares(text: str) -> tuple[float, ...]:
    """Return the shares in order; none for an empty text. Raises ``SettingInvalid``."""
    shares = tuple(map(_read, text.split(","))) if text.strip() else ()
    if len(shares) > MAX_DEVICES:
        raise SettingInvalid(
            key=SHARES_LABEL,
            reason=tr("At most {most} GPUs.").format(most=MAX_DEVICES),
        )
    if shares and not any(shares):
        raise SettingInvalid(key=SHARES_LABEL, reason=tr_noop("At least one GPU must have a share."))
    return shares


def _read(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= MAX_SHARE:
        raise SettingInvalid(
            key=SHARES_LABEL,
            reason=tr("“{text}” is not a number from 0 to {most}.").format(
                text=text.strip()[:40], most=number(MAX_SHARE)
            ),
        )
    return share
