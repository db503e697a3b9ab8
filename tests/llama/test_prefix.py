"""A continued conversation evaluates few tokens and gives the same answer, on every kind of memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from fireside.core.generation import CacheMiss, CacheUse
from fireside.core.ids import RequestId
from fireside.core.message import ChatMessage
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.wire.cache_files import delete_owner_states
from fireside.wire.messages import CacheOptions, Shutdown
from llama.runner_process import Answer, RunnerProcess, assistant, small_options, system, user
from llama.tiny_models import write_gemma3, write_lfm2, write_llama, write_mamba

GREEDY = SamplingParams(temperature=0, max_tokens=12, ignore_eos=True, top_logprobs=3, guard_repetition=False)
MEMORY_BYTES = 64 << 20
DISK_BYTES = 64 << 20
CHECKED = {"FIRESIDE_RUNNER_CHECK": "1"}
N_TURN = 150
"""A new turn and the markup around it have fewer tokens, the conversation has many more."""
TOLERANCE = 1e-3
"""Of a log probability. Reading in other portions sums in another order."""

WRITERS: dict[str, Callable[[Path], Path]] = {
    "full attention": write_llama,
    "sliding window": write_gemma3,
    "hybrid": write_lfm2,
    "recurrent": write_mamba,
}


@pytest.fixture(scope="module", params=list(WRITERS))
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model of each kind of memory."""
    return WRITERS[request.param](tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(scope="module")
def fresh(model: Path) -> Iterator[Callable[[Sequence[ChatMessage]], Answer]]:
    """Answers of a runner without caches."""
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options(n_seq_max=1))

        def ask(messages: Sequence[ChatMessage]) -> Answer:
            runner.ask("?")  # shares nothing with what follows but the first token
            return talk(runner, messages)

        yield ask


def options(**changes: object) -> LoadOptions:
    # The cells of a sliding window grow with the micro-batch; so many hold two of the conversations.
    return small_options(**{"n_ctx": 1024, "n_threads": 1, "n_ubatch": 512, **changes})


def talk(runner: RunnerProcess, messages: Sequence[ChatMessage], *, owner: str | None = None) -> Answer:
    return runner.finish(begin(runner, messages, owner=owner))


def begin(runner: RunnerProcess, messages: Sequence[ChatMessage], *, owner: str | None = None) -> RequestId:
    return runner.start_task(
        GenerationTask(prompt=ChatInput(messages=tuple(messages)), sampling=GREEDY, owner=owner)
    )


def conversation(name: str, *, n_words: int = 150) -> list[ChatMessage]:
    """A first turn of some 700 tokens, well beyond the window of the tiny models."""
    return [system("be brief"), user(" ".join([name] * n_words)), assistant("yes"), user(f"and {name}")]


def n_read(answer: Answer) -> int:
    """Prompt tokens that were evaluated; here each letter of the markup is one."""
    usage = answer.finished.usage
    return usage.n_prompt - usage.n_cached


def assert_same(answer: Answer, expected: Answer) -> None:
    """Compare text, and probabilities within floating-point accuracy."""
    assert answer.text == expected.text
    logprobs = [token.chosen.logprob for piece in answer.pieces for token in piece.logprobs]
    reference = [token.chosen.logprob for piece in expected.pieces for token in piece.logprobs]
    assert logprobs == pytest.approx(reference, abs=TOLERANCE)


def use(answer: Answer) -> CacheUse:
    return answer.finished.usage.cache


def test_next_turn_evaluates_only_new_tokens(
    model: Path, fresh: Callable[[Sequence[ChatMessage]], Answer]
) -> None:
    first = conversation("ann")
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options())
        answer = talk(runner, first, owner="a")
        longer = [*first, assistant(answer.text), user("more")]
        second = talk(runner, longer, owner="a")
        assert n_read(second) < N_TURN
        assert use(second).miss is None
        assert_same(second, fresh(longer))


def test_another_answer_to_the_same_prompt_evaluates_almost_nothing(
    model: Path, fresh: Callable[[Sequence[ChatMessage]], Answer]
) -> None:
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options(n_seq_max=1))
        talk(runner, conversation("bob"), owner="b")
        repeated = talk(runner, conversation("bob"), owner="b")
        assert n_read(repeated) < N_TURN
        assert use(repeated).miss is None
        assert_same(repeated, fresh(conversation("bob")))


def test_edited_question_keeps_everything_before_it(
    model: Path, fresh: Callable[[Sequence[ChatMessage]], Answer]
) -> None:
    edited = [*conversation("cleo")[:3], user("something else altogether, if you please, and much longer")]
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options(n_seq_max=1))
        talk(runner, conversation("cleo"), owner="c")
        answer = talk(runner, edited, owner="c")
        assert n_read(answer) < N_TURN
        assert_same(answer, fresh(edited))


def test_evicted_conversation_is_restored_from_memory(
    model: Path, fresh: Callable[[Sequence[ChatMessage]], Answer]
) -> None:
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options(n_seq_max=1), cache=CacheOptions(memory_bytes=MEMORY_BYTES))
        first = talk(runner, conversation("dora"), owner="d")
        talk(runner, conversation("eric"), owner="e")
        longer = [*conversation("dora"), assistant(first.text), user("more")]
        back = talk(runner, longer, owner="d")
        assert use(back).n_memory == back.finished.usage.n_cached
        assert n_read(back) < N_TURN
        assert use(back).miss is None
        assert_same(back, fresh(longer))


def test_eviction_is_reported_without_a_memory_cache(model: Path) -> None:
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options(n_seq_max=1))
        talk(runner, conversation("dora"), owner="d")
        talk(runner, conversation("eric"), owner="e")
        assert use(talk(runner, conversation("dora"), owner="d")).miss is CacheMiss.EVICTED


def test_two_answers_to_one_prompt_evaluate_it_once(
    model: Path, fresh: Callable[[Sequence[ChatMessage]], Answer]
) -> None:
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options())
        requests = [begin(runner, conversation("fred")) for _ in range(2)]
        answers = [runner.finish(request) for request in requests]
        assert min(map(n_read, answers)) < N_TURN
        for answer in answers:
            assert_same(answer, fresh(conversation("fred")))


def end(runner: RunnerProcess) -> None:
    """Unload as the engine does."""
    runner.send(Shutdown())
    runner.close_input()
    assert runner.wait() == 0


def test_conversation_is_restored_from_disk_after_a_restart(
    model: Path, fresh: Callable[[Sequence[ChatMessage]], Answer], tmp_path: Path
) -> None:
    cache = CacheOptions(folder=str(tmp_path / "states"), disk_bytes=DISK_BYTES)
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options(), cache=cache)
        first = talk(runner, conversation("gina"), owner="g")
        end(runner)
    longer = [*conversation("gina"), assistant(first.text), user("more")]
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options(), cache=cache)
        back = talk(runner, longer, owner="g")
        assert use(back).n_disk == back.finished.usage.n_cached
        assert n_read(back) < N_TURN
        assert use(back).miss is None
        assert_same(back, fresh(longer))
        end(runner)
    (file,) = (tmp_path / "states").iterdir()
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options(), cache=cache)
        damaged = talk(runner, longer, owner="g")
        assert use(damaged) == CacheUse(miss=CacheMiss.DAMAGED)
        assert_same(damaged, fresh(longer))


def test_changed_options_between_two_runs_are_reported(tmp_path: Path) -> None:
    cache = CacheOptions(folder=str(tmp_path / "states"), disk_bytes=DISK_BYTES)
    models = [write_llama(tmp_path / "one.gguf"), write_gemma3(tmp_path / "two.gguf")]
    runs = [
        (models[0], options(), None),
        (models[1], options(), CacheMiss.OTHER_MODEL),
        (models[0], options(n_seq_max=3), CacheMiss.OPTIONS_CHANGED),
        (models[1], options(), None),
    ]
    for model, load_options, miss in runs:
        with RunnerProcess(environment=CHECKED) as runner:
            runner.load(model, load_options, cache=cache)
            assert use(talk(runner, conversation("hugo"), owner="h")).miss is miss
            end(runner)


def test_edit_outside_the_window_is_reported(tmp_path: Path) -> None:
    terms = ["ina"] * 150
    with RunnerProcess(environment=CHECKED) as runner:
        # The cache of a window also has room for one micro-batch.
        small = options(n_seq_max=1, n_batch=64, n_ubatch=64)
        runner.load(write_gemma3(tmp_path / "tiny.gguf"), small)
        talk(runner, [user(" ".join(terms))], owner="i")
        terms[30] = "eve"
        answer = talk(runner, [user(" ".join(terms))], owner="i")
        assert use(answer).miss is CacheMiss.WINDOW_PASSED


def test_cancel_within_a_step_does_not_change_other_answers(
    model: Path, fresh: Callable[[Sequence[ChatMessage]], Answer]
) -> None:
    with RunnerProcess(environment=CHECKED) as runner:
        runner.load(model, options(n_batch=64, n_ubatch=64))
        for _ in range(3):
            stopped = begin(runner, conversation("jack"))
            going_on = begin(runner, conversation("kate"))
            while not runner.answers[going_on].progress:
                runner.receive()
            runner.cancel(stopped)
            assert_same(runner.finish(going_on), fresh(conversation("kate")))
            runner.finish(stopped)


def test_deleted_conversation_leaves_nothing_on_disk(tmp_path: Path) -> None:
    folder = tmp_path / "states"
    with RunnerProcess(environment=CHECKED) as runner:
        cache = CacheOptions(folder=str(folder), disk_bytes=DISK_BYTES, memory_bytes=MEMORY_BYTES)
        runner.load(write_llama(tmp_path / "tiny.gguf"), options(), cache=cache)
        folder.mkdir()
        talk(runner, conversation("lena"), owner="l")
        delete_owner_states(folder, "l")
        end(runner)
    assert not list(folder.glob("*.state"))


def test_runner_killed_while_saving_leaves_no_damaged_state(tmp_path: Path) -> None:
    path = write_llama(tmp_path / "tiny.gguf")
    cache = CacheOptions(folder=str(tmp_path / "states"), disk_bytes=DISK_BYTES)
    texts = []
    for _ in range(4):
        with RunnerProcess(environment=CHECKED) as runner:
            runner.load(path, options(), cache=cache)
            answer = talk(runner, conversation("mia"), owner="m")
            assert use(answer).miss is None
            texts.append(answer.text)
            runner.send(Shutdown())  # and killed at the end of the block
    assert len(set(texts)) == 1
