"""A model file's metadata, and an example of its chat template."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fakes.app_harness import app_harness
from fakes.children import template_examples
from fakes.gguf_files import ArrayOf, GgufFile, Tensor, model_file, model_metadata
from fireside.core.errors import ModelFileInvalid, ModelFileMissing
from fireside.core.library import MetadataLine, ModelDetail
from fireside.services.library.model_detail import EXAMPLE_CONVERSATION, read_model_detail
from fireside.settings.values import ModelLayer

UINT8, STRING = 0, 8


def read(path: Path) -> ModelDetail:
    return read_model_detail(str(path), render_example=template_examples())


def detail_of(tmp_path: Path, **changes: object) -> ModelDetail:
    keys = {key.replace("__", "."): value for key, value in changes.items()}
    return read(model_file(changes=keys).write(tmp_path / "m.gguf"))  # type: ignore[arg-type]


def line(detail: ModelDetail, key: str) -> MetadataLine:
    return next(line for line in detail.metadata if line.key == key)


def test_the_starter_model_has_metadata_and_an_example(starter_model_path: Path) -> None:
    detail = read(starter_model_path)
    assert detail.files == (str(starter_model_path),)
    assert line(detail, "llama.context_length").value == "8192"
    assert detail.rendered_example.startswith("<|im_start|>system\n")
    assert all(message.text in detail.rendered_example for message in EXAMPLE_CONVERSATION)
    assert detail.rendered_example.endswith("<|im_start|>assistant\n")
    assert detail.template_problem == ""
    assert [use.kind for use in detail.tensor_kinds] == ["Q4_1", "Q8_0", "F32"]
    assert sum(use.n_tensors for use in detail.tensor_kinds) == len(detail.tensors) == 272


def test_every_property_has_its_type_and_long_lists_their_length(tmp_path: Path) -> None:
    detail = detail_of(tmp_path, a__list=ArrayOf(UINT8, [1, 2, 3]), a__flag=True, a__number=0.25)
    assert line(detail, "a.list") == MetadataLine(
        key="a.list", kind="array of uint8", value="1, 2, 3", n_items=3
    )
    assert line(detail, "a.flag").value == "true"
    assert line(detail, "a.number").value == "0.25"
    tokens = line(detail, "tokenizer.ggml.tokens")
    assert (tokens.kind, tokens.value, tokens.n_items) == ("array of string", "", 100)


def test_misleading_characters_are_replaced_and_long_values_truncated(tmp_path: Path) -> None:
    detail = detail_of(tmp_path, general__name="a\u202eb\0", general__description="x" * 5000)
    assert line(detail, "general.name").value == "a\ufffdb\ufffd"
    assert len(line(detail, "general.description").value) == 2000


def test_the_template_gets_the_bos_and_eos_tokens(tmp_path: Path) -> None:
    detail = detail_of(
        tmp_path,
        tokenizer__ggml__bos_token_id=7,
        tokenizer__chat_template="{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}"
        "{{ eos_token }}",
    )
    assert detail.rendered_example.startswith("t7You are")
    assert detail.rendered_example.endswith("t1")


def test_the_fallback_for_a_missing_template_is_named(tmp_path: Path) -> None:
    tokens = [f"t{n}" for n in range(99)]
    detail = detail_of(
        tmp_path, tokenizer__chat_template=None, tokenizer__ggml__tokens=["<|im_start|>", *tokens]
    )
    assert detail.chat_template == ""
    assert "<|im_start|>user" in detail.rendered_example
    assert "ChatML" in detail.template_problem


@pytest.mark.parametrize(
    "source",
    [
        "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
        "{{ 'x' * 1000000000 }}",
        "{{ ''.__class__.__mro__ }}",
        "{% if %}",
        "{{ raise_exception('no') }}",
    ],
)
def test_a_harmful_template_is_an_error_message(tmp_path: Path, source: str) -> None:
    detail = detail_of(tmp_path, tokenizer__chat_template=source)
    assert detail.chat_template == source
    assert "class" not in detail.rendered_example
    assert len(detail.rendered_example) < 100_000
    assert detail.rendered_example or detail.template_problem


def test_a_model_that_cannot_chat_has_no_example(tmp_path: Path) -> None:
    detail = detail_of(tmp_path, general__type="mmproj")
    assert (detail.rendered_example, detail.template_problem) == ("", "Not a chat model.")


def test_all_parts_of_a_split_model_count(tmp_path: Path) -> None:
    for number in (1, 2):
        GgufFile(
            metadata=model_metadata() if number == 1 else [("split.no", 1)],
            tensors=(Tensor(f"part{number}.weight", (64,)),),
        ).write(tmp_path / f"m-0000{number}-of-00002.gguf")
    detail = read(tmp_path / "m-00001-of-00002.gguf")
    assert [tensor.name for tensor in detail.tensors] == ["part1.weight", "part2.weight"]
    assert len(detail.files) == 2


def test_a_missing_or_damaged_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelFileMissing):
        read(tmp_path / "gone.gguf")
    (tmp_path / "bad.gguf").write_bytes(b"GGUF" + bytes(10))
    with pytest.raises(ModelFileInvalid):
        read(tmp_path / "bad.gguf")


async def test_only_models_of_the_library_have_details(tmp_path: Path, starter_model_path: Path) -> None:
    async with app_harness(tmp_path, starter=starter_model_path) as place:
        detail = await place.app.models.detail(str(starter_model_path))
        assert detail.path == str(starter_model_path)
        model_file().write(tmp_path / "elsewhere.gguf")
        with pytest.raises(ModelFileMissing):
            await place.app.models.detail(str(tmp_path / "elsewhere.gguf"))


def test_the_example_is_rendered_by_the_users_template(tmp_path: Path, starter_model_path: Path) -> None:
    async def scenario() -> ModelDetail:
        async with app_harness(tmp_path, starter=starter_model_path) as place:
            template = "{{ mood }}:{% for message in messages %} {{ message.content }}{% endfor %}"
            layer = ModelLayer(model_id=place.model_id)
            change = place.app.preferences.change
            await change(layer, key="answer.template", value=template)
            await change(layer, key="answer.template_arguments", value='{"mood": "calm"}')
            return await place.app.models.detail(place.app.models.spec(place.model_id).path)

    detail = asyncio.run(scenario())
    assert detail.rendered_example == " ".join(["calm:", *(message.text for message in EXAMPLE_CONVERSATION)])
    assert detail.chat_template.startswith("{%")


def test_a_template_can_be_tried_without_being_used(tmp_path: Path, starter_model_path: Path) -> None:
    async def scenario() -> tuple[ModelDetail, ModelDetail, ModelDetail]:
        async with app_harness(tmp_path, starter=starter_model_path) as place:
            path = place.app.models.spec(place.model_id).path
            detail = place.app.models.detail
            good = "{% for message in messages %}{{ message.content }}{% endfor %}"
            bad = await detail(path, with_template="{% for %}")
            return await detail(path, with_template=good), bad, await detail(path)

    good, bad, now = asyncio.run(scenario())
    assert good.rendered_example == "".join(message.text for message in EXAMPLE_CONVERSATION)
    assert bad.rendered_example == ""
    assert bad.template_problem
    assert now.own_template == ""
    assert "<|im_start|>" in now.rendered_example


def test_named_templates_are_listed(tmp_path: Path) -> None:
    detail = detail_of(tmp_path, tokenizer__chat_template__tool_use="{{ tools }}")
    assert detail.named_templates == (("tool_use", "{{ tools }}"),)
