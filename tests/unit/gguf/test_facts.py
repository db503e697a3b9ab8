"""The interpretation of a header: kind of file, properties of a model, names."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest

from fakes import gguf_files as files
from fakes.gguf_files import ArrayOf, GgufFile, Tensor, Typed, Value, model_file
from fireside.core.errors import ModelFileInvalid
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec, ToolAbility, tool_ability
from fireside.core.options import Purpose
from fireside.gguf import (
    FileKind,
    GgufHeader,
    chat_template,
    file_kind,
    model_spec,
    parse_split_name,
    quantization_in_name,
    read_header_from,
)
from fireside.gguf.file_names import model_name_in
from fireside.gguf.format_constants import FILE_TYPES, TENSOR_TYPES


def header_of(file: GgufFile) -> GgufHeader:
    content = file.to_bytes()
    return read_header_from(io.BytesIO(content), size_bytes=len(content), path="m.gguf")


def spec_of(changes: dict[str, Value | None] | None = None, *, path: str = "/models/m.gguf") -> ModelSpec:
    return model_spec(header_of(model_file(changes=changes)), path=path, id=ModelId("m"))


def test_a_model_has_its_properties() -> None:
    content = model_file().to_bytes()
    spec = spec_of(path="/models/model.gguf")
    assert spec.layout is not None
    assert spec == ModelSpec(
        id=ModelId("m"),
        name="Tiny Test",
        path="/models/model.gguf",
        size_bytes=len(content),
        architecture="llama",
        quantization="F32",
        n_params=64 * 100 + 64 * 64 + 64,
        n_ctx_train=512,
        n_layers=2,
        n_embd=64,
        n_vocab=100,
        has_chat_template=True,
        calls_tools=False,
        n_head_kv=2,
        head_dim=16,
        licence="mit",
        layout=spec.layout,
        tokenizer="gpt2",
    )


def test_the_parts_of_a_split_model_count_together() -> None:
    first, second = header_of(model_file()), header_of(GgufFile(tensors=[Tensor("more", (64, 10))]))
    spec = model_spec(first, path="m.gguf", id=ModelId("m"), parts=(second,))
    assert spec.n_params == spec_of().n_params + 640
    assert spec.size_bytes == first.size_bytes + second.size_bytes


@pytest.mark.parametrize(
    ("file_type", "label"),
    [(15, "Q4_K_M"), (15 + 1024, "Q4_K_M"), (30, "IQ4_XS"), (38, "MXFP4"), (32, "BF16")],
)
def test_the_quantization_is_the_one_in_the_header(file_type: int, label: str) -> None:
    assert spec_of({"general.file_type": file_type}).quantization == label


@pytest.mark.parametrize("file_type", [None, 999, Typed(files.STRING, "Q4_0")])
def test_without_a_file_type_the_quantization_is_that_of_most_weights(file_type: Value | None) -> None:
    file = model_file(changes={"general.file_type": file_type})
    tensors = (Tensor("few", (64,)), Tensor("most", (64, 64), type=3), Tensor("some", (64, 32), type=8))
    header = header_of(GgufFile(metadata=file.metadata, tensors=tensors))
    assert model_spec(header, path="m.gguf", id=ModelId("m")).quantization == "Q4_1"


def test_heads_may_differ_by_layer() -> None:
    spec = spec_of({"llama.attention.head_count_kv": ArrayOf(files.I32, [0, 8, 4])})
    assert spec.n_head_kv == 8


def test_without_grouped_heads_all_heads_count() -> None:
    assert spec_of({"llama.attention.head_count_kv": None}).n_head_kv == 4


def test_a_key_length_in_the_header_is_the_head_size() -> None:
    assert spec_of({"llama.attention.key_length": 128}).head_dim == 128


def test_no_heads_do_not_divide_by_zero() -> None:
    assert spec_of({"llama.attention.head_count": 0}).head_dim == 0


def test_the_vocabulary_size_is_that_of_the_tokens_or_the_header() -> None:
    assert spec_of({"llama.vocab_size": 5}).n_vocab == 100
    assert spec_of({"llama.vocab_size": 5, "tokenizer.ggml.tokens": None}).n_vocab == 5


@pytest.mark.parametrize("template", [None, "", 7, True])
def test_an_invalid_template_counts_as_none(template: Value | None) -> None:
    header = header_of(model_file(changes={"tokenizer.chat_template": template}))
    assert chat_template(header) is None
    assert not model_spec(header, path="m.gguf", id=ModelId("m")).has_chat_template


def test_a_template_is_kept_unless_it_is_too_long() -> None:
    header = header_of(model_file(changes={"tokenizer.chat_template": "{{ x }}"}))
    assert chat_template(header) == "{{ x }}"
    header = header_of(model_file(changes={"tokenizer.chat_template": "x" * 300_000}))
    assert chat_template(header) is None
    assert model_spec(header, path="m.gguf", id=ModelId("m")).has_chat_template


@pytest.mark.parametrize(
    ("template", "reasons"),
    [
        ("{{ x }}", False),
        ("{{ 'I think so' }}", False),
        ("{% if enable_thinking %}<think>{% endif %}", True),
        ("{{ message.content.split('</think>')[-1] }}", True),
        ("{% set reasoning_effort = 'medium' %}", True),
        ("<|start|>assistant<|channel|>analysis", True),
    ],
)
def test_a_model_reasons_if_its_template_supports_it(template: str, reasons: bool) -> None:
    assert spec_of({"tokenizer.chat_template": template}).reasons is reasons


@pytest.mark.parametrize(
    ("changes", "calls_tools"),
    [
        ({"tokenizer.chat_template": "{% if tools %}{{ tools }}{% endif %}{{ messages }}"}, True),
        ({"tokenizer.chat_template": "{{ messages }}{# my_tools #}"}, False),
        ({"tokenizer.chat_template": None}, False),
        ({"tokenizer.chat_template.tool_use": "{{ x }}"}, True),
        ({"tokenizer.chat_template": "x" * 300_000}, None),
    ],
)
def test_a_model_calls_tools_if_its_template_has_a_place_for_them(
    changes: dict[str, Value | None], calls_tools: bool | None
) -> None:
    assert spec_of(changes).calls_tools is calls_tools


@pytest.mark.parametrize(
    ("calls_tools", "n_params", "template", "ability"),
    [
        (True, 100_000_000, "", ToolAbility.CALLS),
        (None, 100_000_000, "", ToolAbility.CALLS),
        (False, 100_000_000, "", ToolAbility.NONE),
        (False, 100_000_000, "{{ tools }}", ToolAbility.CALLS),
        (True, 100_000_000, "{{ messages }}", ToolAbility.NONE),
        (False, 12_000_000_000, "", ToolAbility.SELDOM),
    ],
)
def test_a_small_model_without_a_place_for_tools_gets_none(
    calls_tools: bool | None, n_params: int, template: str, ability: ToolAbility
) -> None:
    spec = msgspec.structs.replace(spec_of(), calls_tools=calls_tools, n_params=n_params)
    assert tool_ability(spec, template=template) is ability


BROKEN_MODELS: dict[str, tuple[dict[str, Value | None], str]] = {
    "no architecture": ({"general.architecture": None}, "does not say which architecture"),
    "architecture is a number": ({"general.architecture": 7}, "does not say which architecture"),
    "no layers": ({"llama.block_count": None}, "lacks the property “llama.block_count”"),
    "layers as text": ({"llama.block_count": "2"}, "lacks the property “llama.block_count”"),
    "zero layers": ({"llama.block_count": 0}, "“llama.block_count” is 0"),
    "too many layers": ({"llama.block_count": 513}, "“llama.block_count” is 513"),
    "zero context": ({"llama.context_length": 0}, "“llama.context_length” is 0"),
    "absurd context": ({"llama.context_length": 2**31}, "“llama.context_length” is 2147483648"),
    "negative width": ({"llama.embedding_length": Typed(files.I32, -1)}, "“llama.embedding_length” is -1"),
}


@pytest.mark.parametrize("kind", BROKEN_MODELS)
def test_a_model_without_required_properties_is_refused(kind: str) -> None:
    changes, expected = BROKEN_MODELS[kind]
    with pytest.raises(ModelFileInvalid, match=expected.replace("(", r"\(")):
        spec_of(changes)


KINDS: dict[FileKind, tuple[str, dict[str, Value | None], str]] = {
    FileKind.PROJECTOR: ("clip", {}, "projector"),
    FileKind.ADAPTER: ("llama", {"general.type": "adapter"}, "adapter"),
    FileKind.PICTURES: ("flux", {}, "image or video"),
    FileKind.IMPORTANCE_MATRIX: ("llama", {"general.type": "imatrix"}, "importance matrix"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_other_kinds_are_refused_by_name(kind: FileKind) -> None:
    architecture, changes, expected = KINDS[kind]
    header = header_of(model_file(architecture=architecture, changes=changes))
    assert file_kind(header) is kind
    with pytest.raises(ModelFileInvalid, match=expected):
        model_spec(header, path="m.gguf", id=ModelId("m"))


@pytest.mark.parametrize(
    ("architecture", "pooling", "purpose"),
    [("nomic-bert", 1, Purpose.EMBED), ("bert", 4, Purpose.RERANK), ("qwen3", 3, Purpose.EMBED)],
)
def test_embedding_and_ranking_models_have_their_purpose(
    architecture: str, pooling: int, purpose: Purpose
) -> None:
    file = model_file(architecture=architecture, changes={f"{architecture}.pooling_type": pooling})
    assert model_spec(header_of(file), path="m.gguf", id=ModelId("m")).purpose is purpose


def test_a_file_with_only_a_vocabulary_is_no_model() -> None:
    header = header_of(GgufFile(metadata=model_file().metadata))
    with pytest.raises(ModelFileInvalid, match="only a vocabulary"):
        model_spec(header, path="m.gguf", id=ModelId("m"))


def test_a_first_part_without_weights_is_a_model() -> None:
    changes: dict[str, Value | None] = {"split.count": Typed(files.U16, 2)}
    assert file_kind(header_of(GgufFile(metadata=model_file(changes=changes).metadata))) is FileKind.MODEL


@pytest.mark.parametrize(("pooling", "kind"), [(0, FileKind.MODEL), (3, FileKind.EMBEDDING)])
def test_a_model_that_pools_its_output_is_for_embeddings(pooling: int, kind: FileKind) -> None:
    assert file_kind(header_of(model_file(changes={"llama.pooling_type": pooling}))) is kind


NAMES = {
    "SmolLM2-135M-Instruct.Q4_1.gguf": ("SmolLM2 135M Instruct", "Q4_1"),
    "Llama-3.2-1B-Instruct-Q4_K_M.gguf": ("Llama 3.2 1B Instruct", "Q4_K_M"),
    "gemma-3-27b-it-UD-Q4_K_XL.gguf": ("gemma 3 27b it", "UD-Q4_K_XL"),
    "gpt-oss-120b-mxfp4-00001-of-00003.gguf": ("gpt oss 120b", "MXFP4"),
    "phi-4-fp16.GGUF": ("phi 4", "FP16"),
    "Qwen_Qwen3-8B-IQ2_XXS.gguf": ("Qwen Qwen3 8B", "IQ2_XXS"),
    "bitnet-TQ2_0.gguf": ("bitnet", "TQ2_0"),
    "mistral-7b.gguf": ("mistral 7b", None),
    "Q8.gguf": ("Q8", None),
    "model.gguf": (None, None),
    "ggml-model-f16.gguf": (None, "F16"),
    "sha256-6a0746a1ec1aef3e7ec53868f220ff6e389f6f8ef87a01d77c96807de94ca2aa": (None, None),
}


@pytest.mark.parametrize("file_name", NAMES)
def test_model_and_quantization_are_parsed_from_a_file_name(file_name: str) -> None:
    assert (model_name_in(file_name), quantization_in_name(file_name)) == NAMES[file_name]


def test_a_name_from_the_header_is_made_printable() -> None:
    name = spec_of({"general.name": "\n a\u202eb\x00" + "c" * 200}, path="model.gguf").name
    assert name.isprintable()
    assert len(name) == 120


def test_a_model_without_a_name_is_named_after_its_file() -> None:
    assert spec_of({"general.name": None}, path=str(Path("dir") / "model.gguf")).name == "model.gguf"


def test_split_names_count_from_one() -> None:
    split = parse_split_name("big-model-00002-of-00003.gguf")
    assert split is not None
    assert (split.stem, split.number, split.count) == ("big-model", 2, 3)
    assert split.sibling(1) == "big-model-00001-of-00003.gguf"


@pytest.mark.parametrize(
    "name",
    [
        "m-00000-of-00002.gguf",
        "m-00003-of-00002.gguf",
        "m-00001-of-00001.gguf",
        "m-00001-of-99999.gguf",
        "m-1-of-2.gguf",
        "m.gguf",
        "m-00001-of-00002.gguf.part",
    ],
)
def test_other_names_are_no_split_names(name: str) -> None:
    assert parse_split_name(name) is None


def test_every_quantization_mix_has_an_existing_type() -> None:
    formats = {tensor_type.name for tensor_type in TENSOR_TYPES.values()}
    sizes = {f"{name}_{size}" for name in formats | {"IQ2", "IQ3"} for size in ("XS", "S", "M", "L")}
    assert set(FILE_TYPES.values()) <= formats | sizes


def test_a_template_for_tools_may_be_the_only_one() -> None:
    changes: dict[str, Value | None] = {
        "tokenizer.chat_template": None,
        "tokenizer.chat_template.tool_use": "{{ tools }}",
    }
    assert chat_template(header_of(model_file(changes=changes))) == "{{ tools }}"
    assert spec_of(changes).has_chat_template


def test_recommended_sampling_parameters_are_read() -> None:
    changes: dict[str, Value | None] = {
        "general.sampling.temp": 0.6,
        "general.sampling.top_k": 20,
        "general.sampling.sequence": "top_k;temperature",
        "general.sampling.stop": ["a", "b"],
    }
    assert spec_of(changes).sampling == (("temp", 0.6), ("top_k", 20), ("sequence", "top_k;temperature"))
