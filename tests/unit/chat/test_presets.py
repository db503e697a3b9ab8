"""The preset library is stored, checked and reported; presets become settings of a chat."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from fakes.app_harness import AppHarness, app_harness
from fakes.children import rule_checks
from fakes.engine import conversation_of
from fakes.raised import refuses
from fireside.chat.built_in_presets import BUILT_IN
from fireside.chat.presets import check_preset
from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.errors import RecordNotFound, SettingInvalid
from fireside.core.events import PresetsChanged
from fireside.core.ids import ConversationId
from fireside.core.options import SettingValue
from fireside.core.preset import (
    PRESET_NAME_KEY,
    SYSTEM_PROMPT_KEY,
    AppliedPreset,
    Preset,
    PresetKind,
    apply_preset,
    prompted_variables,
)
from fireside.core.task import GbnfConstraint, JsonSchemaConstraint
from fireside.core.transfer import ExportFormat
from fireside.engine.processes.guarded_process import ProcessLimits
from fireside.settings.values import ConversationLayer

CALM = Preset(name="Calm", text="Speak calmly.", settings={"sampling.temperature": 0.1})


async def chat(harness: AppHarness, **settings: SettingValue) -> ConversationId:
    spec = harness.app.models.entries[0].spec
    assert spec is not None
    sent = await harness.app.generations.send(None, text="Hello", model_id=spec.id, settings=settings)
    await harness.app.generations.settled(sent)
    return sent


def names(presets: tuple[Preset, ...]) -> list[str]:
    return [preset.name for preset in presets]


# The library


async def test_a_new_library_has_the_presets_that_come_with_the_program_once(harness: AppHarness) -> None:
    assert names(await harness.app.presets.presets()) == [preset.name for preset in BUILT_IN]
    assert len(await harness.app.presets.presets()) == len(BUILT_IN)


async def test_a_deleted_one_stays_away_can_be_restored_and_brought_back(harness: AppHarness) -> None:
    presets = harness.app.presets
    first, second, *_ = await presets.presets()
    await presets.delete(first.id)
    assert first.id not in [preset.id for preset in await presets.presets()]
    await presets.restore(first.id)
    assert (await presets.presets())[0] == first
    await presets.delete(second.id)
    assert await presets.restore_built_in() == 1
    assert names(await presets.presets())[-1] == second.name
    with pytest.raises(RecordNotFound):
        await presets.delete(second.id)


async def test_a_preset_is_stored_changed_moved_and_reported(harness: AppHarness) -> None:
    presets = harness.app.presets
    await presets.presets()
    stored = await presets.save(CALM)
    await presets.save(replace(stored, name="Calmer"))
    await presets.move(stored.id, position=0)
    assert (await presets.presets())[0] == replace(stored, name="Calmer")
    events = [event for event in harness.events if isinstance(event, PresetsChanged)]
    assert events[-1].presets[0].name == "Calmer"


async def test_values_of_variables_are_remembered_and_survive_a_change(harness: AppHarness) -> None:
    presets = harness.app.presets
    stored = await presets.save(replace(CALM, text="{{mood}}"))
    await presets.remember(stored.id, values={"mood": "tired"})
    changed = await presets.save(replace(stored, about="Other words"))
    assert changed.remembered == {"mood": "tired"}


async def test_a_library_outlives_the_program_without_what_was_deleted(
    tmp_path: Path, starter_model_path: Path
) -> None:
    file = tmp_path / "chats.db"
    async with app_harness(tmp_path, starter=starter_model_path, database=file) as place:
        gone = (await place.app.presets.presets())[0]
        await place.app.presets.save(CALM)
        await place.app.presets.delete(gone.id)
    async with app_harness(tmp_path, starter=starter_model_path, database=file) as place:
        assert names(await place.app.presets.presets()) == [
            *(preset.name for preset in BUILT_IN[1:]),
            "Calm",
        ]
        with pytest.raises(RecordNotFound):
            await place.app.presets.restore(gone.id)


@pytest.mark.parametrize("preset", BUILT_IN, ids=lambda preset: preset.name)
def test_built_in_presets_pass_the_check(preset: Preset) -> None:
    assert check_preset(preset) == preset
    assert set(preset.defaults) <= set(prompted_variables(preset.text))
    if preset.kind is PresetKind.CHAT:
        assert set(prompted_variables(preset.text)) == set(preset.defaults), "a click is enough to begin"


@pytest.mark.parametrize(
    ("preset", "why"),
    [
        (Preset(name="  "), "needs a name"),
        (Preset(name="x" * 81), "80 characters"),
        (Preset(name="x", text="y" * 100_001), "100,000 characters"),
        (Preset(name="x", text="a\0b"), "NUL"),
        (Preset(name="x", text="\ud800"), "an invalid character"),
    ],
)
def test_an_invalid_preset_is_refused_with_an_explanation(preset: Preset, why: str) -> None:
    with refuses("preset_invalid") as caught:
        check_preset(preset)
    assert why in caught.value.sentence()


@pytest.mark.parametrize(
    "settings",
    [
        {"hub.token": "x"},
        {"folders.data": "/"},
        {"sampling.temperature": 99},
        {"sampling.nothing": 1},
        {PRESET_NAME_KEY: "x"},
        {"load.n_ctx": 512},
    ],
)
def test_a_preset_holds_settings_of_answers_alone_and_within_their_bounds(
    settings: dict[str, SettingValue],
) -> None:
    with pytest.raises(SettingInvalid):
        check_preset(Preset(name="x", settings=settings))


# Chats


async def test_a_new_chat_begins_with_the_given_settings(harness: AppHarness) -> None:
    own: dict[str, SettingValue] = {"sampling.seed": 7, SYSTEM_PROMPT_KEY: "Be brief."}
    sent = await chat(harness, **own)
    assert await harness.store.conversations.overrides(sent) == own
    (request,) = [r for r in harness.engine.requests if r.task.sampling.seed == 7]
    assert conversation_of(request)[0].text == "Be brief."


async def test_settings_that_will_not_do_are_refused_before_anything_is_stored(harness: AppHarness) -> None:
    with pytest.raises(SettingInvalid):
        await chat(harness, **{"sampling.seed": -5})
    assert await harness.store.conversations.all() == ()


async def test_a_chat_takes_a_preset_and_leaves_it(harness: AppHarness) -> None:
    sent = await chat(harness)
    presets = harness.app.presets
    await presets.apply(sent, apply_preset(CALM, {}))
    resolved = await harness.app.preferences.resolved(model_id=None, conversation_id=sent)
    values = {setting.definition.key: setting.value for setting in resolved}
    assert (values[SYSTEM_PROMPT_KEY], values["sampling.temperature"]) == ("Speak calmly.", 0.1)
    assert values[PRESET_NAME_KEY] == "Calm"
    await presets.unapply(sent)
    assert await harness.store.conversations.overrides(sent) == {}


async def test_a_setting_that_a_user_changes_is_no_longer_the_presets(harness: AppHarness) -> None:
    sent = await chat(harness)
    presets, layer = harness.app.presets, ConversationLayer(conversation_id=sent)
    await presets.apply(sent, apply_preset(CALM, {}))
    await harness.app.preferences.change(layer, key="sampling.temperature", value=0.9)
    await presets.unapply(sent)
    assert await harness.store.conversations.overrides(sent) == {"sampling.temperature": 0.9}


async def test_a_preset_with_invalid_settings_does_not_change_the_chat(harness: AppHarness) -> None:
    sent = await chat(harness)
    with pytest.raises(SettingInvalid):
        await harness.app.presets.apply(sent, AppliedPreset(name="x", settings={"sampling.seed": "no"}))
    assert await harness.store.conversations.overrides(sent) == {}


async def test_an_exported_chat_keeps_the_effect_of_its_preset(harness: AppHarness, tmp_path: Path) -> None:
    sent = await chat(harness)
    await harness.app.presets.apply(sent, apply_preset(CALM, {}))
    file = tmp_path / "chat.json"
    await harness.app.transfer.export([sent], form=ExportFormat.JSON, target=str(file))
    written = json.loads(file.read_text())["conversations"][0]["overrides"]
    assert written[SYSTEM_PROMPT_KEY] == "Speak calmly."
    assert written[PRESET_NAME_KEY] == "Calm"


# Files


async def test_an_exported_file_is_imported_once_and_without_values_of_variables(
    harness: AppHarness, tmp_path: Path
) -> None:
    presets, file = harness.app.presets, tmp_path / "presets.json"
    stored = await presets.save(replace(CALM, text="{{mood}} “é”", defaults={"mood": "calm"}))
    await presets.remember(stored.id, values={"mood": "a secret"})
    await presets.export(str(file), ids=[stored.id])
    assert "a secret" not in file.read_text()
    await presets.delete(stored.id)
    read = await presets.import_file(str(file))
    assert read.names == ("Calm",)
    back = (await presets.presets())[-1]
    assert (back.text, back.settings, back.defaults) == (stored.text, stored.settings, stored.defaults)
    again = await presets.import_file(str(file))
    assert (again.names, again.n_existing) == ((), 1)


HEAD = {"format": "fireside-presets", "version": 1}
HOSTILE = {
    "nothing": b"",
    "no JSON": b"\xff\xfe{",
    "another file": b'{"format": "fireside-conversations", "version": 1, "presets": []}',
    "a newer file": b'{"format": "fireside-presets", "version": 2, "presets": []}',
    "a version that never was": b'{"format": "fireside-presets", "version": 0, "presets": []}',
    "nested without end": b"[" * 200_000,
    "far too many": json.dumps({**HEAD, "presets": [{"name": "x"}] * 501}).encode(),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_a_file_without_presets_is_refused_with_an_explanation(
    harness: AppHarness, tmp_path: Path, text: bytes
) -> None:
    file = tmp_path / "presets.json"
    file.write_bytes(text)
    before = await harness.app.presets.presets()
    with refuses("import_unreadable"):
        await harness.app.presets.import_file(str(file))
    assert await harness.app.presets.presets() == before


async def test_a_pipe_is_no_file_of_presets(harness: AppHarness, tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("there are no pipes in folders")
    os.mkfifo(tmp_path / "pipe")
    with refuses("import_unreadable"):
        await harness.app.presets.import_file(str(tmp_path / "pipe"))


async def test_one_bad_preset_in_a_file_does_not_keep_the_others_out(
    harness: AppHarness, tmp_path: Path
) -> None:
    file = tmp_path / "presets.json"
    bad: list[object] = [
        {"name": 7},
        {"name": "Thief", "settings": {"hub.endpoint": "http://evil"}},
        {"name": "  "},
    ]
    deep: object = 1
    for _ in range(60):
        deep = [deep]
    bad.append({"name": "Deep", "settings": {"sampling.seed": deep}})
    file.write_text(json.dumps({**HEAD, "presets": [*bad, {"name": "Fine", "text": "Be fine."}]}))
    read = await harness.app.presets.import_file(str(file))
    assert read.names == ("Fine",)
    assert len(read.skipped) == len(bad)
    assert any("Thief" in words for words in read.skipped)


# Rules


async def test_a_rule_is_checked_by_the_program_that_runs_it(harness: AppHarness) -> None:
    check = harness.app.presets.check_rule
    assert await check(JsonSchemaConstraint(schema='{"type": "object"}')) == ""
    assert "JSON" in await check(JsonSchemaConstraint(schema='{"type": '))
    assert await check(GbnfConstraint(grammar='root ::= "yes" | "no"')) == ""
    assert await check(GbnfConstraint(grammar="root ::= other")) != ""


def test_a_constraint_that_takes_too_long_is_reported() -> None:
    check = rule_checks(limits=ProcessLimits(time_s=0.0))
    assert check(JsonSchemaConstraint(schema="{}")) == "it takes too long."


async def test_the_built_in_schema_is_valid(harness: AppHarness) -> None:
    rules = [p.settings["answer.format_rule"] for p in BUILT_IN if "answer.format_rule" in p.settings]
    assert rules
    for rule in rules:
        assert await harness.app.presets.check_rule(JsonSchemaConstraint(schema=str(rule))) == ""


async def test_a_preset_attaches_collections_and_no_file_names_them(
    harness: AppHarness, tmp_path: Path
) -> None:
    presets = harness.app.presets
    stored = await presets.save(replace(CALM, settings={**CALM.settings, COLLECTIONS_KEY: ("private-id",)}))
    assert stored.settings[COLLECTIONS_KEY] == ("private-id",)
    file = tmp_path / "presets.json"
    await presets.export(str(file), ids=[stored.id])
    assert "private-id" not in file.read_text()
    file.write_text(file.read_text().replace('"sampling.temperature": 0.1', f'"{COLLECTIONS_KEY}": ["x"]'))
    await presets.import_file(str(file))
    assert (await presets.presets())[-1].settings == {}
