"""The strongest layer decides, and a change goes where it was meant to go."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fakes.model_entries import starter_spec
from fireside.core.errors import SettingInvalid, SettingsUnwritable
from fireside.core.ids import ModelId
from fireside.core.options import CacheType, FlashAttention, SettingValue
from fireside.settings.conversions import (
    added_paths,
    default_model,
    keep_alive_s,
    load_options,
    sampling_params,
    system_prompt,
    text_size_px,
    theme,
)
from fireside.settings.definitions import DEFINITIONS
from fireside.settings.document import Edit
from fireside.settings.file import SettingsFile
from fireside.settings.layers import resolve
from fireside.settings.service import Settings
from fireside.settings.values import AppLayer, ModelLayer, Origin, ResolvedSetting, by_key

APP = AppLayer()
MODEL_ID = ModelId("org/model:Q4_1")
MODEL = ModelLayer(model_id=MODEL_ID)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.json"


@pytest.fixture
def service(path: Path) -> Settings:
    return _open(path)


def _open(
    path: Path,
    *,
    environ: dict[str, str] | None = None,
    command_line: dict[str, SettingValue] | None = None,
) -> Settings:
    opened = Settings(file=SettingsFile(path), environ=environ or {}, command_line=command_line or {})
    opened.load()
    return opened


def _one(resolved: tuple[ResolvedSetting, ...], key: str) -> tuple[SettingValue, Origin]:
    setting = next(setting for setting in resolved if setting.definition.key == key)
    return setting.value, setting.origin


def _write(path: Path, document: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")


def test_each_layer_is_stronger_than_the_one_before() -> None:
    origins = [o for o in Origin if o is not Origin.DEFAULT]
    layers = [(origin, {"load.n_ctx": 1000 + n}) for n, origin in enumerate(origins)]
    values = [_one(resolve(layers[:n]), "load.n_ctx") for n in range(len(layers) + 1)]
    assert values == [
        (8192, Origin.DEFAULT),
        (1000, Origin.MAKERS),
        (1001, Origin.MODEL_FILE),
        (1002, Origin.FILE),
        (1003, Origin.ENVIRONMENT),
        (1004, Origin.COMMAND_LINE),
        (1005, Origin.MODEL),
        (1006, Origin.PROJECT),
        (1007, Origin.CONVERSATION),
    ]


@given(
    layers=st.lists(
        st.tuples(
            st.sampled_from([o for o in Origin if o is not Origin.DEFAULT]),
            st.dictionaries(st.sampled_from([d.key for d in DEFINITIONS]), st.integers()),
        )
    )
)
def test_resolving_gives_every_setting_once_in_page_order(
    layers: list[tuple[Origin, dict[str, SettingValue]]],
) -> None:
    assert tuple(setting.definition for setting in resolve(layers)) == DEFINITIONS


def test_a_layer_counts_only_where_it_is_allowed(service: Settings) -> None:
    stored: dict[str, SettingValue] = {"load.n_threads": 3, "appearance.theme": "dark", "load.n_ctx": 512}
    values = by_key(service.resolved(conversation=stored))
    assert (values["load.n_threads"], values["appearance.theme"], values["load.n_ctx"]) == (0, "system", 512)


def test_all_layers_meet_in_the_service(path: Path) -> None:
    _write(
        path,
        {
            "settings": {
                "load.n_ctx": 300,
                "sampling.top_k": 1,
                "sampling.top_p": 0.1,
                "sampling.seed": 1,
                "sampling.min_p": 0.1,
            },
            "models": {MODEL_ID: {"sampling.seed": 4, "load.n_ctx": 400}},
        },
    )
    opened = _open(
        path,
        environ={"FIRESIDE_SAMPLING_TOP_K": "2", "FIRESIDE_SAMPLING_TOP_P": "0.2"},
        command_line={"sampling.top_p": 0.3},
    )
    resolved = opened.resolved(model_id=MODEL_ID, conversation={"load.n_ctx": 500})
    keys = ("sampling.min_p", "sampling.top_k", "sampling.top_p", "sampling.seed", "load.n_ctx")
    assert [_one(resolved, key) for key in keys] == [
        (0.1, Origin.FILE),
        (2, Origin.ENVIRONMENT),
        (0.3, Origin.COMMAND_LINE),
        (4, Origin.MODEL),
        (500, Origin.CONVERSATION),
    ]


def test_recommendations_in_a_models_file_are_the_weakest_layer(path: Path) -> None:
    _write(path, {"settings": {"sampling.top_p": 0.5}})
    opened = _open(path)
    sampling = (
        *(("temp", 0.6), ("top_p", 0.9), ("penalty_repeat", 1.1), ("top_k", -5), ("mirostat", 2)),
        ("sequence", "top_k;typ_p;new_one;temperature"),
    )
    opened.set_models([replace(starter_spec(), id=MODEL_ID, sampling=sampling)])
    keys = ("temperature", "top_p", "repeat_penalty", "top_k", "mirostat", "samplers")
    assert [_one(opened.resolved(model_id=MODEL_ID), f"sampling.{key}") for key in keys] == [
        (0.6, Origin.MODEL_FILE),
        (0.5, Origin.FILE),
        (1.1, Origin.MODEL_FILE),
        (40, Origin.DEFAULT),
        ("2", Origin.MODEL_FILE),
        (("top_k", "typical_p", "temperature"), Origin.MODEL_FILE),
    ]
    assert _one(opened.resolved(), "sampling.temperature") == (0.8, Origin.DEFAULT)


def test_a_change_is_there_after_a_restart(service: Settings, path: Path) -> None:
    service.change(APP, key="load.n_ctx", value=4096)
    assert _one(_open(path).resolved(), "load.n_ctx") == (4096, Origin.FILE)


def test_a_model_keeps_its_own_value(service: Settings, path: Path) -> None:
    service.change(MODEL, key="load.n_ctx", value=2048)
    again = _open(path)
    assert [by_key(again.resolved(model_id=model))["load.n_ctx"] for model in (MODEL_ID, None)] == [
        2048,
        8192,
    ]


def test_clearing_lets_the_weaker_layer_decide(service: Settings) -> None:
    service.change(APP, key="load.n_ctx", value=4096)
    service.change(MODEL, key="load.n_ctx", value=2048)
    service.clear(MODEL, key="load.n_ctx")
    assert _one(service.resolved(model_id=MODEL_ID), "load.n_ctx") == (4096, Origin.FILE)


def test_a_refused_change_changes_nothing(service: Settings, path: Path) -> None:
    with pytest.raises(SettingInvalid):
        service.change(APP, key="load.n_ctx", value=1)
    assert (_one(service.resolved(), "load.n_ctx"), path.exists()) == ((8192, Origin.DEFAULT), False)


def test_an_unknown_key_is_refused(service: Settings) -> None:
    with pytest.raises(SettingInvalid, match="Unknown setting"):
        service.change(APP, key="load.nctx", value=512)


def test_a_model_cannot_have_its_own_theme(service: Settings) -> None:
    with pytest.raises(SettingInvalid, match="Cannot be set per model"):
        service.change(MODEL, key="appearance.theme", value="dark")


def test_a_conversation_cannot_have_its_own_threads(service: Settings) -> None:
    with pytest.raises(SettingInvalid, match="Cannot be set per chat"):
        service.validate("load.n_threads", 2)


def test_a_conversations_value_comes_back_normalised(service: Settings) -> None:
    assert service.validate("sampling.stop", ["###"]) == ("###",)


def test_an_invalid_value_of_a_conversation_is_ignored(service: Settings) -> None:
    assert _one(service.resolved(conversation={"load.n_ctx": 7}), "load.n_ctx") == (8192, Origin.DEFAULT)


def test_bad_values_in_the_file_are_problems_and_stay_there(path: Path) -> None:
    _write(path, {"settings": {"load.n_ctx": "big"}, "models": {"m": {"load.n_batch": 1}}})
    opened = _open(path)
    opened.change(APP, key="sampling.top_k", value=5)
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert (len(opened.problems()), stored["settings"]["load.n_ctx"]) == (2, "big")


def test_a_bad_variable_does_not_stop_the_start(path: Path) -> None:
    opened = _open(path, environ={"FIRESIDE_LOAD_N_CTX": "lots"})
    assert ([problem.info().data["key"] for problem in opened.problems()], len(opened.resolved())) == (
        ["FIRESIDE_LOAD_N_CTX"],
        len(DEFINITIONS),
    )


def test_a_compressed_value_cache_is_refused_without_flash_attention(service: Settings) -> None:
    service.change(APP, key="load.flash_attn", value="off")
    with pytest.raises(SettingInvalid, match="Set flash attention to Auto or On first"):
        service.change(APP, key="load.cache_type_v", value="q8_0")


def test_flash_attention_stays_on_while_the_value_cache_needs_it(service: Settings) -> None:
    service.change(MODEL, key="load.cache_type_v", value="q8_0")
    with pytest.raises(SettingInvalid, match="Set the V cache to F16, BF16 or F32 first"):
        service.change(MODEL, key="load.flash_attn", value="off")


def test_a_conversation_is_checked_against_its_model(service: Settings) -> None:
    service.change(MODEL, key="load.cache_type_v", value="q4_0")
    with pytest.raises(SettingInvalid):
        service.validate("load.flash_attn", "off", model_id=MODEL_ID)


def test_speculation_with_a_draft_model_needs_its_file_first(service: Settings) -> None:
    with pytest.raises(SettingInvalid, match="Choose a file under “Draft model” first"):
        service.change(MODEL, key="load.speculation", value="draft_model")


def test_a_draft_model_is_kept_while_it_is_in_use(service: Settings, tmp_path: Path) -> None:
    draft = tmp_path / "draft.gguf"
    draft.touch()
    service.change(MODEL, key="load.draft_path", value=str(draft))
    service.change(MODEL, key="load.speculation", value="draft_model")
    with pytest.raises(SettingInvalid, match="Needed by “Speculative decoding”"):
        service.change(MODEL, key="load.draft_path", value="")


def test_a_stored_conflict_does_not_block_other_changes(path: Path) -> None:
    service = _open(path, environ={"FIRESIDE_LOAD_SPECULATION": "draft_model"})
    assert service.change(APP, key="load.n_ctx", value=1024) == 1024


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("sampling.logit_bias", ["7=often"], "is invalid"),
        ("load.lora_scales", "much", "is not a number"),
    ],
)
def test_an_invalid_text_is_refused_when_it_is_set(
    service: Settings, key: str, value: object, message: str
) -> None:
    with pytest.raises(SettingInvalid, match=message):
        service.change(APP, key=key, value=value)


def test_layers_that_disagree_are_refused_before_the_load(service: Settings) -> None:
    service.change(MODEL, key="load.cache_type_v", value="q8_0")
    service.change(APP, key="load.flash_attn", value="off")
    with pytest.raises(SettingInvalid, match="V cache quantization"):
        load_options(service.resolved(model_id=MODEL_ID))


def test_a_micro_batch_larger_than_the_batch_is_refused(service: Settings) -> None:
    with pytest.raises(SettingInvalid, match="Must not exceed the batch size"):
        service.change(APP, key="load.n_ubatch", value=4096)


def test_the_micro_batch_follows_a_smaller_batch(service: Settings) -> None:
    service.change(APP, key="load.n_ubatch", value=128)
    service.change(APP, key="load.n_batch", value=64)
    assert load_options(service.resolved()).n_ubatch == 64


def test_typed_values_follow_the_settings(service: Settings) -> None:
    for key, value in {
        "load.cache_type_v": "q8_0",
        "load.flash_attn": "on",
        "sampling.seed": 7,
        "sampling.max_tokens": 99,
        "engine.keep_alive_minutes": -1,
        "chat.system_prompt": "Be brief.",
        "chat.default_model": "m",
        "appearance.theme": "dark",
        "appearance.text_size": 16,
    }.items():
        service.change(APP, key=key, value=value)
    resolved = service.resolved()
    options, params = load_options(resolved), sampling_params(resolved)
    assert (
        (options.cache_type_v, options.flash_attn),
        (params.seed, params.max_tokens),
        keep_alive_s(resolved),
        (system_prompt(resolved), default_model(resolved), theme(resolved), text_size_px(resolved)),
    ) == (
        (CacheType.Q8_0, FlashAttention.ON),
        (7, 99),
        None,
        ("Be brief.", "m", "dark", 16),
    )


def test_added_paths_come_back_in_order(service: Settings, tmp_path: Path) -> None:
    paths = [str(tmp_path / "b"), str(tmp_path / "a")]
    service.change(APP, key="library.added", value=paths)
    assert added_paths(service.resolved()) == tuple(paths)


def test_a_data_folder_that_is_not_there_is_refused(service: Settings, tmp_path: Path) -> None:
    with pytest.raises(SettingInvalid, match="Folder not found"):
        service.change(APP, key="folders.data", value=str(tmp_path / "gone"))


def test_a_data_folder_that_is_there_is_kept(service: Settings, tmp_path: Path) -> None:
    assert service.change(APP, key="folders.data", value=str(tmp_path)) == str(tmp_path)


def test_a_change_that_cannot_be_written_holds_in_memory(path: Path) -> None:
    def full_disk(path: Path, content: bytes, /) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    opened = Settings(file=SettingsFile(path, write=full_disk), environ={})
    opened.load()
    with pytest.raises(SettingsUnwritable):
        opened.change(APP, key="load.n_ctx", value=4096)
    assert _one(opened.resolved(), "load.n_ctx") == (4096, Origin.FILE)


def test_another_programs_change_shows_after_the_next_own(service: Settings, path: Path) -> None:
    SettingsFile(path).change(Edit(key="sampling.top_k", value=3))
    service.change(APP, key="load.n_ctx", value=4096)
    assert _one(service.resolved(), "sampling.top_k") == (3, Origin.FILE)
