"""Our sampling equals llama.cpp's own samplers, on generated logits."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from fireside.core.errors import ModelOutputInvalid
from fireside.core.options import SamplerKind, SamplingParams
from fireside.runner.decoder import SamplerRequest
from fireside.runner.sampling.sampler_factory import SamplerFactory, TokenSampler
from fireside.runner.sampling.shortlist import Logits
from llama.bare_vocab import BareVocab, lib

SEED = 7
PROMPT = np.arange(100, 180, dtype=np.int32)
PENALTIES: dict[str, Any] = {"repeat_penalty": 1.2, "frequency_penalty": 0.3, "presence_penalty": 0.2}


@pytest.fixture(scope="module")
def vocab(starter_model_path: Path) -> Iterator[BareVocab]:
    with BareVocab(starter_model_path) as vocab:
        yield vocab


class Rows:
    """Logits by index, as of a context."""

    def __init__(self, rows: list[Logits]) -> None:
        self.rows = rows

    def logits(self, index: int) -> Logits:
        return self.rows[index]


def random_rows(n_vocab: int, *, n_rows: int = 60, spread: float = 3) -> Rows:
    rng = np.random.default_rng(11)
    return Rows([rng.normal(0, spread, n_vocab).astype(np.float32) for _ in range(n_rows)])


def make(vocab: BareVocab, rows: Rows, **changes: object) -> TokenSampler:
    factory = SamplerFactory(source=rows, vocab=vocab, n_ctx=512)
    params = SamplingParams(**changes)  # type: ignore[arg-type]
    return factory(SamplerRequest(params=params, seed=SEED, prompt=PROMPT))


def own_choices(vocab: BareVocab, rows: Rows, **changes: object) -> list[int]:
    sampler = make(vocab, rows, **changes)
    tokens = [sampler.sample(index).token for index in range(len(rows.rows))]
    sampler.close()
    return tokens


def native_choices(rows: Rows, samplers: list[object], *, accepts: bool = True) -> list[int]:
    """The choice of a native sampler chain from the whole vocabulary, as in ``llama_sampler_sample``."""
    chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
    for sampler in samplers:
        lib.llama_sampler_chain_add(chain, sampler)
    for token in PROMPT:
        lib.llama_sampler_accept(chain, int(token))
    tokens: list[int] = []
    for row in rows.rows:
        records = (lib.llama_token_data * len(row))()
        view = np.ctypeslib.as_array(records)
        view["id"], view["logit"] = np.arange(len(row)), row
        array = lib.llama_token_data_array(records, len(row), -1, False)
        lib.llama_sampler_apply(chain, ctypes.byref(array))
        chosen = int(array.data[array.selected].id)
        if accepts:
            lib.llama_sampler_accept(chain, chosen)
        tokens.append(chosen)
    lib.llama_sampler_free(chain)
    return tokens


def cuts() -> list[object]:
    """The chain of the default parameters."""
    return [
        lib.llama_sampler_init_top_k(40),
        lib.llama_sampler_init_top_p(0.95, 1),
        lib.llama_sampler_init_min_p(0.05, 1),
        lib.llama_sampler_init_temp(0.8),
        lib.llama_sampler_init_dist(SEED),
    ]


def native_penalties(vocab: BareVocab) -> object:
    return lib.llama_sampler_init_penalties(vocab.n_tokens, 64, 1.2, 0.3, 0.2)


def test_default_chain_equals_llama_cpp(vocab: BareVocab) -> None:
    rows = random_rows(vocab.n_tokens)
    assert own_choices(vocab, rows) == native_choices(rows, cuts())


def test_penalties_equal_llama_cpp(vocab: BareVocab) -> None:
    rows = random_rows(vocab.n_tokens)
    assert own_choices(vocab, rows, **PENALTIES) == native_choices(rows, [native_penalties(vocab), *cuts()])


def test_greedy_with_penalties_equals_llama_cpp(vocab: BareVocab) -> None:
    row = random_rows(vocab.n_tokens, n_rows=1).rows[0]
    rows = Rows([row.copy() for _ in range(100)])  # so that what was taken is penalised and comes again
    expected = native_choices(rows, [native_penalties(vocab), lib.llama_sampler_init_greedy()])
    assert own_choices(vocab, rows, temperature=0.0, **PENALTIES) == expected


@pytest.mark.parametrize(
    ("changes", "samplers"),
    [
        ({"typical_p": 0.7}, lambda: [lib.llama_sampler_init_typical(0.7, 1)]),
        ({"top_n_sigma": 1.5}, lambda: [lib.llama_sampler_init_top_n_sigma(1.5)]),
        (
            {"xtc_probability": 0.7, "xtc_threshold": 0.02},
            lambda: [lib.llama_sampler_init_xtc(0.7, 0.02, 1, SEED)],
        ),
        ({"min_p": 0.2}, lambda: [lib.llama_sampler_init_min_p(0.2, 1)]),
        ({"top_p": 0.6}, lambda: [lib.llama_sampler_init_top_p(0.6, 1)]),
        ({"top_k": 5}, lambda: [lib.llama_sampler_init_top_k(5)]),
    ],
    ids=["typical", "top_n_sigma", "xtc", "min_p", "top_p", "top_k"],
)
def test_each_truncation_equals_llama_cpp(
    vocab: BareVocab, changes: dict[str, float], samplers: object
) -> None:
    rows = random_rows(vocab.n_tokens, n_rows=20)
    neutral = {"top_k": 0, "top_p": 1.0, "min_p": 0.0, **changes}
    last = [lib.llama_sampler_init_temp(0.8), lib.llama_sampler_init_dist(SEED)]
    assert own_choices(vocab, rows, **neutral) == native_choices(rows, [*samplers(), *last])  # type: ignore[operator]


@pytest.mark.parametrize("version", [1, 2])
def test_mirostat_equals_llama_cpp(vocab: BareVocab, version: int) -> None:
    rows = random_rows(vocab.n_tokens, n_rows=20)
    last = (
        lib.llama_sampler_init_mirostat(vocab.n_tokens, SEED, 4.0, 0.2, 100)
        if version == 1
        else lib.llama_sampler_init_mirostat_v2(SEED, 4.0, 0.2)
    )
    expected = native_choices(rows, [lib.llama_sampler_init_temp(0.8), last])
    assert own_choices(vocab, rows, mirostat=version, mirostat_tau=4.0, mirostat_eta=0.2) == expected


@pytest.mark.parametrize("decay", [0.0, 0.95])
def test_adaptive_p_equals_llama_cpp(vocab: BareVocab, decay: float) -> None:
    rows = random_rows(vocab.n_tokens)
    expected = native_choices(rows, [*cuts()[:4], lib.llama_sampler_init_adaptive_p(0.3, decay, SEED)])
    assert own_choices(vocab, rows, adaptive_p_target=0.3, adaptive_p_decay=decay) == expected
    assert expected != native_choices(rows, cuts())


def test_adaptive_p_continues_from_the_sampled_tokens(vocab: BareVocab) -> None:
    sure = np.zeros(vocab.n_tokens, np.float32)
    sure[[9, 10]] = 100, 19.5  # one token within reach, then again a choice
    rows = random_rows(vocab.n_tokens)
    rows.rows[::2] = [sure] * len(rows.rows[::2])
    expected = native_choices(rows, [*cuts()[:4], lib.llama_sampler_init_adaptive_p(0.5, 0.9, SEED)])
    assert own_choices(vocab, rows, adaptive_p_target=0.5) == expected


def in_order(vocab: BareVocab, kinds: Sequence[SamplerKind]) -> list[object]:
    """The chain of the default cuts, penalties and a dynamic temperature, in another order."""
    samplers: dict[SamplerKind, Callable[[], object]] = {
        SamplerKind.PENALTIES: lambda: native_penalties(vocab),
        SamplerKind.TOP_K: lambda: lib.llama_sampler_init_top_k(12),
        SamplerKind.TOP_P: lambda: lib.llama_sampler_init_top_p(0.8, 1),
        SamplerKind.MIN_P: lambda: lib.llama_sampler_init_min_p(0.02, 1),
        SamplerKind.TEMPERATURE: lambda: lib.llama_sampler_init_temp_ext(1.5, 0.5, 1.0),
    }
    return [*(samplers[kind]() for kind in kinds if kind in samplers), lib.llama_sampler_init_dist(SEED)]


@pytest.mark.parametrize(
    "kinds",
    [
        (SamplerKind.TEMPERATURE, SamplerKind.TOP_K, SamplerKind.MIN_P),
        (SamplerKind.MIN_P, SamplerKind.TOP_K, SamplerKind.TEMPERATURE, SamplerKind.TOP_P),
        (SamplerKind.TOP_P, SamplerKind.TOP_K),
        (SamplerKind.TOP_K, SamplerKind.PENALTIES, SamplerKind.TEMPERATURE, SamplerKind.TOP_P),
        (SamplerKind.TOP_P, SamplerKind.TEMPERATURE, SamplerKind.PENALTIES),
        (SamplerKind.PENALTIES, SamplerKind.TOP_P),
        (),
    ],
    ids=lambda kinds: "-".join(kinds) or "none",
)
def test_samplers_are_in_the_requested_order(vocab: BareVocab, kinds: tuple[SamplerKind, ...]) -> None:
    rows = random_rows(vocab.n_tokens, n_rows=20)
    chosen = {"top_k": 12, "top_p": 0.8, "min_p": 0.02, "temperature": 1.5, "dynatemp_range": 0.5}
    expected = native_choices(rows, in_order(vocab, kinds))
    assert own_choices(vocab, rows, samplers=kinds, **chosen, **PENALTIES) == expected


def test_greedy_applies_penalties_at_any_position(vocab: BareVocab) -> None:
    row = random_rows(vocab.n_tokens, n_rows=1).rows[0]
    rows = Rows([row.copy() for _ in range(100)])
    expected = own_choices(vocab, rows, temperature=0.0, **PENALTIES)
    last = (*(kind for kind in SamplerKind if kind is not SamplerKind.PENALTIES), SamplerKind.PENALTIES)
    assert own_choices(vocab, rows, temperature=0.0, samplers=last, **PENALTIES) == expected


def test_dynamic_temperature_equals_llama_cpp(vocab: BareVocab) -> None:
    rows = random_rows(vocab.n_tokens, n_rows=20)
    samplers = [
        *cuts()[:3],
        lib.llama_sampler_init_temp_ext(0.8, 0.5, 1.3),
        lib.llama_sampler_init_dist(SEED),
    ]
    assert own_choices(vocab, rows, dynatemp_range=0.5, dynatemp_exponent=1.3) == native_choices(
        rows, samplers
    )


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_dry_prevents_a_repeated_sequence(vocab: BareVocab, temperature: float) -> None:
    row = np.zeros(vocab.n_tokens, np.float32)
    row[100], row[50] = 20, 10  # the prompt is to be said once more, for ever
    rows = Rows([np.roll(row, step) for step in range(30)])
    with_dry = own_choices(vocab, rows, temperature=temperature, dry_sequence_breakers=())
    broken = own_choices(vocab, rows, temperature=temperature, dry_multiplier=4.0, dry_sequence_breakers=())
    assert with_dry == list(range(100, 130))
    assert broken != with_dry


def test_temperature_near_zero_is_greedy(vocab: BareVocab) -> None:
    rows = random_rows(vocab.n_tokens, n_rows=5)
    assert own_choices(vocab, rows, temperature=1e-30) == [int(row.argmax()) for row in rows.rows]


def test_wide_dynamic_temperature_does_not_overflow(vocab: BareVocab) -> None:
    row = np.zeros(vocab.n_tokens, np.float32)
    row[9] = 79
    rows = Rows([row] * 10)
    assert own_choices(vocab, rows, temperature=0.5, dynatemp_range=0.5, top_k=0) == [9] * 10


def test_token_frequencies_equal_their_probabilities(vocab: BareVocab) -> None:
    row = np.full(vocab.n_tokens, -60, np.float32)
    probabilities = {5: 0.5, 6: 0.3, 7: 0.2}
    for token, probability in probabilities.items():
        row[token] = np.log(probability)
    n_draws = 2000
    counts = Counter(
        own_choices(vocab, Rows([row] * n_draws), temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)
    )
    chi_square = sum((counts[token] - n_draws * p) ** 2 / (n_draws * p) for token, p in probabilities.items())
    assert sum(counts[token] for token in probabilities) == n_draws
    assert chi_square < 13.8  # two degrees of freedom: 999 of 1,000 fair generators pass


def test_sampling_does_not_change_the_logits(vocab: BareVocab) -> None:
    rows = random_rows(vocab.n_tokens, n_rows=3)
    before = [row.copy() for row in rows.rows]
    own_choices(vocab, rows, ignore_eos=True, logit_bias=((3, 5.0),), **PENALTIES)
    np.testing.assert_array_equal(rows.rows, before)


def test_seeds_determine_the_tokens(vocab: BareVocab) -> None:
    rows = random_rows(vocab.n_tokens, spread=1)
    factory = SamplerFactory(source=rows, vocab=vocab, n_ctx=512)

    def sample(seed: int) -> list[int]:
        sampler = factory(SamplerRequest(params=SamplingParams(), seed=seed, prompt=PROMPT))
        return [sampler.sample(index).token for index in range(len(rows.rows))]

    assert sample(1) == sample(1)
    assert sample(1) != sample(2)


def test_samplers_are_independent(vocab: BareVocab) -> None:
    rows = random_rows(vocab.n_tokens, n_rows=30)
    factory = SamplerFactory(source=rows, vocab=vocab, n_ctx=512)
    plain = SamplingParams()
    penalised = replace(plain, **PENALTIES)
    pair = [factory(SamplerRequest(params=p, seed=SEED, prompt=PROMPT)) for p in (plain, penalised)]
    both = [[sampler.sample(index).token for sampler in pair] for index in range(30)]
    assert [tokens[0] for tokens in both] == own_choices(vocab, rows)
    assert [tokens[1] for tokens in both] == own_choices(vocab, rows, **PENALTIES)


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_ignore_eos_forbids_the_end_tokens(vocab: BareVocab, temperature: float) -> None:
    row = np.zeros(vocab.n_tokens, np.float32)
    ends = [token for token in range(vocab.n_tokens) if vocab.is_eog(token)]
    row[ends] = 50
    row[77] = 40
    assert own_choices(vocab, Rows([row]), temperature=temperature, ignore_eos=True) == [77]
    assert own_choices(vocab, Rows([row]), temperature=temperature)[0] in ends


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_non_finite_logits_are_an_error(vocab: BareVocab, temperature: float) -> None:
    row = np.zeros(vocab.n_tokens, np.float32)
    row[300] = np.nan
    with pytest.raises(ModelOutputInvalid):
        own_choices(vocab, Rows([row]), temperature=temperature)


def test_forced_tokens_come_first_and_count_for_penalties(vocab: BareVocab) -> None:
    row = np.zeros(vocab.n_tokens, np.float32)
    row[9], row[10] = 2, 1
    sampler = make(vocab, Rows([row]), temperature=0.0, presence_penalty=2.0)
    sampler.force(np.array([9, 3], np.int32))
    assert [sampler.sample(0).token for _ in range(3)] == [9, 3, 10]


def test_logprobs_are_those_of_the_raw_logits(vocab: BareVocab) -> None:
    rows = random_rows(vocab.n_tokens, n_rows=5)
    sampler = make(vocab, rows, temperature=0.0, top_logprobs=20, **PENALTIES)
    for index, row in enumerate(rows.rows):
        choice = sampler.sample(index)
        exact = row.astype(np.float64) - np.logaddexp.reduce(row.astype(np.float64))
        assert choice.logprobs is not None
        assert choice.logprobs.chosen.token == choice.token
        assert choice.logprobs.chosen.logprob == pytest.approx(exact[choice.token], abs=1e-5)
        order = np.argsort(-exact, kind="stable")[:20]
        assert [entry.token for entry in choice.logprobs.top] == order.tolist()
        assert [entry.logprob for entry in choice.logprobs.top] == pytest.approx(exact[order], abs=1e-5)
        assert choice.logprobs.top[0].piece == vocab.piece(int(order[0]))
