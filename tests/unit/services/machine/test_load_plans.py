"""Load plans use the settings in force with changes on top of them."""

from __future__ import annotations

import pytest

from fireside.core.errors import SettingInvalid
from fireside.core.options import AutoAdjustable, SettingValue
from fireside.services.machine.load_plans import with_changes
from fireside.settings.conversions import load_options
from fireside.settings.definitions import DEFINITIONS
from fireside.settings.values import Origin, ResolvedSetting

N_CTX = "load.n_ctx"


def settings(*, n_ctx: int | None = None) -> tuple[ResolvedSetting, ...]:
    """Return the defaults; with ``n_ctx`` a model has that of its own."""
    return tuple(
        ResolvedSetting(definition=definition, value=n_ctx, origin=Origin.MODEL)
        if definition.key == N_CTX and n_ctx is not None
        else ResolvedSetting(definition=definition, value=definition.default, origin=Origin.DEFAULT)
        for definition in DEFINITIONS
    )


def test_a_changed_setting_is_not_adjusted_automatically() -> None:
    options = load_options(with_changes(settings(), {N_CTX: 4096}))
    assert options.n_ctx == 4096
    assert AutoAdjustable.CONTEXT not in options.auto_adjustable


def test_a_choice_that_is_taken_back_gives_way_again() -> None:
    chosen = settings(n_ctx=4096)
    assert AutoAdjustable.CONTEXT not in load_options(chosen).auto_adjustable
    free = load_options(with_changes(chosen, {N_CTX: None}))
    assert free.n_ctx == load_options(settings()).n_ctx
    assert AutoAdjustable.CONTEXT in free.auto_adjustable


@pytest.mark.parametrize("changes", [{"load.nothing": 1}, {N_CTX: "many"}])
def test_a_change_that_is_none_is_refused(changes: dict[str, SettingValue]) -> None:
    with pytest.raises(SettingInvalid):
        with_changes(settings(), changes)
