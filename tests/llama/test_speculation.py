"""Speculative decoding with the real runner: the same answers, and correct counts of drafts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from fakes.gguf_files import GgufFile, Metadata, Tensor
from fireside.core.generation import FinishReason
from fireside.core.options import CacheType, LoadOptions, SamplingParams, Speculation
from llama.runner_process import GREEDY, RunnerProcess, assistant, exact_options, user
from llama.tiny_models import write_gemma3, write_lfm2, write_llama, write_mamba

TEXT = (
    "The quick brown fox jumps over the lazy dog near the river bank, while seven small birds watch from "
    "the old oak tree and sing. Every morning the baker opens her shop at six."
)
COPY = f"Repeat this text exactly, word for word:\n\n{TEXT}"
STORY = "Tell me a story about a dragon and a princess."
LONGER = msgspec.structs.replace(GREEDY, max_tokens=32)


def options(**changes: object) -> LoadOptions:
    return exact_options(n_seq_max=3, **changes)


def draft_options(path: Path, **changes: object) -> LoadOptions:
    return options(speculation=Speculation.DRAFT_MODEL, draft_path=str(path), **changes)


@pytest.fixture(scope="module")
def plain(short_model_path: Path) -> Iterator[RunnerProcess]:
    """A runner without speculation."""
    with RunnerProcess() as runner:
        runner.load(short_model_path, options())
        yield runner


@contextmanager
def looking_up(path: Path) -> Iterator[RunnerProcess]:
    """Start a runner with prompt lookup, whose costs are not measured yet."""
    with RunnerProcess() as runner:
        loaded = runner.load(path, options(speculation=Speculation.PROMPT_LOOKUP))
        assert loaded.speculation is Speculation.PROMPT_LOOKUP
        yield runner


@pytest.fixture(scope="module")
def lookup(short_model_path: Path) -> Iterator[RunnerProcess]:
    """One runner for all tests that do not count drafts: on a busy machine it may have paused drafting."""
    with looking_up(short_model_path) as runner:
        yield runner


@pytest.fixture(scope="module")
def plain_float(starter_model_path: Path) -> Iterator[RunnerProcess]:
    """A runner without speculation, with a model large enough for drafts to pay."""
    with RunnerProcess() as runner:
        runner.load(starter_model_path, options())
        yield runner


@pytest.fixture
def drafting(starter_model_path: Path) -> Iterator[RunnerProcess]:
    """A new runner whose model is its own draft model; draft costs are not measured yet."""
    with RunnerProcess() as runner:
        runner.load(starter_model_path, draft_options(starter_model_path, n_draft=4))
        yield runner


def test_copied_text_is_drafted_from_the_prompt_and_unchanged(
    plain_float: RunnerProcess, starter_model_path: Path
) -> None:
    with looking_up(starter_model_path) as runner:
        answer = runner.ask(COPY, LONGER)
    assert answer.text == plain_float.ask(COPY, LONGER).text
    usage = answer.finished.usage
    assert 0 < usage.n_draft_accepted <= usage.n_drafted


def test_model_as_its_own_draft_model_is_nearly_always_accepted(
    plain_float: RunnerProcess, drafting: RunnerProcess
) -> None:
    answer = drafting.ask(COPY, LONGER)
    assert answer.text == plain_float.ask(COPY, LONGER).text
    usage = answer.finished.usage
    assert 0 < usage.n_draft_accepted == usage.n_drafted


@pytest.mark.parametrize("seed", [1, 2])
def test_sampled_answers_equal_those_of_the_same_seed(
    plain: RunnerProcess, lookup: RunnerProcess, seed: int
) -> None:
    """The random generator advances once per token, not once per draft token."""
    sampling = SamplingParams(temperature=0.7, repeat_penalty=1.1, seed=seed, max_tokens=32)
    assert lookup.ask(COPY, sampling).text == plain.ask(COPY, sampling).text


def test_streams_with_and_without_drafts_run_together(plain: RunnerProcess, lookup: RunnerProcess) -> None:
    questions = [COPY, STORY, f"Say it again: {TEXT}"]
    alone = [plain.ask(question, LONGER).text for question in questions]
    together = [lookup.start(question, LONGER) for question in questions]
    assert [lookup.finish(request_id).text for request_id in together] == alone


def test_stop_string_within_a_draft_ends_the_answer_and_the_conversation_continues(
    plain: RunnerProcess, lookup: RunnerProcess
) -> None:
    full = plain.ask(COPY, LONGER).text
    for stop in (full[60:68], full[81:86]):
        sampling = msgspec.structs.replace(LONGER, stop=(stop,))
        stopped = lookup.ask(COPY, sampling)
        assert stopped.text == full[: full.index(stop)]
        assert stopped.finished.reason is FinishReason.STOP
        conversation = [user(COPY), assistant(stopped.text), user("Go on.")]
        assert lookup.ask(conversation).text == plain.ask(conversation).text


def test_cancelled_answer_leaves_a_valid_cache(plain: RunnerProcess, lookup: RunnerProcess) -> None:
    for n_pieces in (5, 11):
        request_id = lookup.start(COPY, LONGER)
        while len(lookup.answers[request_id].pieces) < n_pieces and not lookup.answers[request_id].end:
            lookup.receive()
        lookup.cancel(request_id)
        cancelled = lookup.finish(request_id)
        conversation = [user(COPY), assistant(cancelled.text), user("Go on.")]
        assert lookup.ask(conversation).text == plain.ask(conversation).text


def test_full_context_ends_the_answer_at_the_same_token(tmp_path: Path) -> None:
    path = write_llama(tmp_path / "llama.gguf")
    sampling = SamplingParams(temperature=0, max_tokens=None, guard_repetition=False, ignore_eos=True)
    answers = []
    for speculation in (Speculation.OFF, Speculation.PROMPT_LOOKUP):
        with RunnerProcess() as runner:
            runner.load(path, options(n_ctx=256, speculation=speculation))
            answers.append(runner.ask("abc abd abe " * 15, sampling))
    plain, drafted = answers
    assert drafted.text == plain.text
    assert drafted.finished.context_full
    assert drafted.finished.usage.n_drafted > 0
    assert drafted.finished.usage.n_prompt + drafted.finished.usage.n_completion == 256 + 1


@pytest.mark.parametrize("write", [write_gemma3, write_lfm2], ids=["sliding window", "hybrid"])
def test_rejected_drafts_are_rolled_back_in_every_kind_of_memory(
    tmp_path: Path, write: Callable[[Path], Path]
) -> None:
    """A sliding window of 64 tokens moves with every draft; a recurrent state rolls back to a copy."""
    done = subprocess.run(
        [
            sys.executable,
            "-P",
            str(Path(__file__).with_name("take_back.py")),
            str(write(tmp_path / "m.gguf")),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    outcome = json.loads(done.stdout)
    assert outcome["taken_back"]
    # Sums in another order; a token too many or too few changes the first digit.
    assert outcome["difference"] < 1e-3


@pytest.mark.parametrize("write", [write_gemma3, write_lfm2], ids=["sliding window", "hybrid"])
def test_drafts_do_not_change_answers_in_every_kind_of_memory(
    tmp_path: Path, write: Callable[[Path], Path]
) -> None:
    path = write(tmp_path / "model.gguf")
    sampling = SamplingParams(temperature=1.5, seed=3, max_tokens=200, guard_repetition=False)
    answers = []
    for speculation in (Speculation.OFF, Speculation.PROMPT_LOOKUP):
        with RunnerProcess() as runner:
            assert runner.load(path, options(speculation=speculation)).speculation is speculation
            answers.append(runner.ask("abc abd abe abc abd abc abd abe", sampling).text)
    assert answers[0] == answers[1]


def test_model_without_rollback_has_no_speculation_and_logs_it(
    fresh_runner: RunnerProcess, tmp_path: Path
) -> None:
    path = write_mamba(tmp_path / "mamba.gguf")
    loaded = fresh_runner.load(path, options(speculation=Speculation.PROMPT_LOOKUP))
    assert loaded.speculation is Speculation.OFF
    answer = fresh_runner.ask("abc abc abc abc", GREEDY)
    assert answer.finished.usage.n_drafted == 0
    assert "Speculative decoding is off" in fresh_runner.log


def test_draft_model_memory_is_reported_separately(
    fresh_runner: RunnerProcess, short_model_path: Path
) -> None:
    loaded = fresh_runner.load(short_model_path, draft_options(short_model_path))
    assert loaded.speculation is Speculation.DRAFT_MODEL
    drafts = [report for report in loaded.memory if report.buffer.startswith("draft ")]
    assert sum(report.kv_bytes for report in drafts) > 0


def test_draft_model_has_its_own_options(
    plain_float: RunnerProcess, fresh_runner: RunnerProcess, starter_model_path: Path
) -> None:
    shorter = {"draft_n_ctx": 256, "draft_cache_type_k": CacheType.Q8_0, "draft_cache_type_v": CacheType.Q8_0}
    loaded = fresh_runner.load(starter_model_path, draft_options(starter_model_path, n_draft=4, **shorter))
    large, small = (
        sum(report.kv_bytes for report in loaded.memory if report.buffer.startswith("draft ") is is_small)
        for is_small in (False, True)
    )
    # Half the context, and eight bits with a scale for every 32 numbers in place of 32.
    assert small == large * 34 // 256
    answer = fresh_runner.ask(COPY, LONGER)
    assert answer.text == plain_float.ask(COPY, LONGER).text
    assert answer.finished.usage.n_draft_accepted > 0
    long_text = " ".join([COPY] * 5)
    drafted = fresh_runner.ask(long_text, LONGER)
    assert drafted.text == plain_float.ask(long_text, LONGER).text
    assert drafted.finished.usage.n_prompt > 256
    assert drafted.finished.usage.n_drafted == 0


def test_draft_model_with_another_vocabulary_is_refused(
    fresh_runner: RunnerProcess, short_model_path: Path, tmp_path: Path
) -> None:
    other = write_llama(tmp_path / "other.gguf")
    error = fresh_runner.rejected(short_model_path, draft_options(other)).error
    assert error.code == "load_failed"
    assert "other.gguf" in error.sentence
    assert "same family" in error.sentence


def test_missing_draft_model_is_refused(
    fresh_runner: RunnerProcess, short_model_path: Path, tmp_path: Path
) -> None:
    error = fresh_runner.rejected(short_model_path, draft_options(tmp_path / "no.gguf")).error
    assert error.code == "model_file_missing"


def test_unnamed_draft_model_is_refused(fresh_runner: RunnerProcess, short_model_path: Path) -> None:
    load_options = options(speculation=Speculation.DRAFT_MODEL)
    assert fresh_runner.rejected(short_model_path, load_options).error.code == "invalid_parameter"


@pytest.mark.parametrize(
    ("architecture", "kind", "lacks"),
    [
        ("eagle3", "EAGLE-3", "llama_get_embeddings_layer_inp"),
        ("gemma4-assistant", "Gemma 4 assistant", "reads the KV cache of the model it drafts for"),
    ],
)
def test_drafter_of_another_kind_is_refused_with_what_it_lacks(
    fresh_runner: RunnerProcess,
    short_model_path: Path,
    tmp_path: Path,
    architecture: str,
    kind: str,
    lacks: str,
) -> None:
    metadata: Metadata = [("general.architecture", architecture), (f"{architecture}.block_count", 1)]
    path = GgufFile(metadata=metadata, tensors=(Tensor("fc.weight"),)).write(tmp_path / "drafter.gguf")
    error = fresh_runner.rejected(short_model_path, draft_options(path)).error
    assert kind in error.sentence
    assert lacks in error.sentence
