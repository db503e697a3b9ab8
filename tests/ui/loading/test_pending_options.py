"""Which settings are automatic or pending, and to which layer a change is written."""

from __future__ import annotations

import msgspec
import pytest

from fakes.model_entries import loaded_state, starter_spec
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import GPU_LAYERS_AUTO
from fireside.core.status import Unloaded
from fireside.settings.definitions import BY_KEY, DEFINITIONS
from fireside.settings.values import ConversationLayer, ModelLayer, Origin, ResolvedSetting
from fireside.ui.loading.pending_options import PendingOptions, settings_pending_reload

MODEL = ModelId("m")
N_CTX, LAYERS = "load.n_ctx", "load.n_gpu_layers"


def wanted(**origins: Origin) -> PendingOptions:
    """Return the defaults; ``n_ctx=Origin.MODEL`` says that the user chose them."""
    return PendingOptions(
        settings=tuple(
            ResolvedSetting(
                definition=definition,
                value=definition.default,
                origin=origins.get(definition.key.removeprefix("load."), Origin.DEFAULT),
            )
            for definition in DEFINITIONS
        )
    )


def test_what_nobody_chose_is_left_to_fireside() -> None:
    assert wanted().is_auto(N_CTX)
    assert wanted().is_auto(LAYERS)
    assert not wanted(n_ctx=Origin.MODEL).is_auto(N_CTX)


def test_what_is_chosen_is_held_fast_even_if_it_is_the_default() -> None:
    pinned = wanted().with_changes({N_CTX: BY_KEY[N_CTX].default})
    assert pinned.changes == {N_CTX: BY_KEY[N_CTX].default}
    assert not pinned.is_auto(N_CTX)


def test_letting_go_of_what_was_not_held_is_no_change() -> None:
    assert wanted().with_changes({N_CTX: 4096}).with_changes({N_CTX: None}).changes == {}
    assert wanted().with_changes({LAYERS: 12}).with_changes({LAYERS: GPU_LAYERS_AUTO}).changes == {}


def test_letting_go_of_what_a_model_has_is_a_change() -> None:
    free = wanted(n_ctx=Origin.MODEL).with_changes({N_CTX: None})
    assert free.changes == {N_CTX: None}
    assert free.is_auto(N_CTX)
    (n_ctx,) = [setting for setting in free.resolved() if setting.definition.key == N_CTX]
    assert (n_ctx.value, n_ctx.origin) == (BY_KEY[N_CTX].default, Origin.DEFAULT)


@pytest.mark.parametrize("origin", [Origin.FILE, Origin.ENVIRONMENT, Origin.COMMAND_LINE])
def test_what_is_settled_for_every_model_cannot_be_let_go_here(origin: Origin) -> None:
    assert not wanted(n_ctx=origin).can_be_auto(N_CTX)
    assert wanted(n_ctx=Origin.MODEL).can_be_auto(N_CTX)
    assert wanted(n_gpu_layers=origin).can_be_auto(LAYERS)


def test_a_change_goes_where_it_has_an_effect() -> None:
    chat = ConversationId(3)
    own = wanted(n_ctx=Origin.CONVERSATION)
    in_chat = own.layer_of(N_CTX, model_id=MODEL, conversation_id=chat)
    assert in_chat == ConversationLayer(conversation_id=chat)
    assert own.layer_of(N_CTX, model_id=MODEL, conversation_id=None) == ModelLayer(model_id=MODEL)
    assert wanted().layer_of(N_CTX, model_id=MODEL, conversation_id=chat) == ModelLayer(model_id=MODEL)


def test_only_a_loaded_model_waits_for_a_reload() -> None:
    changed = wanted().with_changes({N_CTX: 4096}).resolved()
    spec = starter_spec()
    loaded = loaded_state(spec)
    assert N_CTX in settings_pending_reload(changed, state=loaded, spec=spec)
    assert not settings_pending_reload(changed, state=Unloaded(), spec=spec)


def test_more_context_than_a_model_was_trained_for_is_no_reason_to_reload() -> None:
    changed = wanted().with_changes({N_CTX: 131_072}).resolved()
    spec = msgspec.structs.replace(starter_spec(), n_ctx_train=8192)
    assert N_CTX not in settings_pending_reload(changed, state=loaded_state(spec), spec=spec)
