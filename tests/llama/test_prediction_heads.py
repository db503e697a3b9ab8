"""Drafts by the model's own heads: the same answers as without, whatever the drafts are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from fireside.core.generation import WhenFull
from fireside.core.options import LoadOptions, SamplingParams, Speculation
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask, RegexConstraint
from llama.runner_process import Answer, RunnerProcess, assistant, exact_options, user
from llama.seeing import PLAIN, pixels, sees
from llama.tiny_heads import Shape, write_with_heads
from llama.tiny_models import write_gemma3
from llama.tiny_projectors import write_qwen2vl

GREEDY = SamplingParams(temperature=0, max_tokens=60, guard_repetition=False)
SAMPLED = SamplingParams(
    temperature=1.2, top_k=0, top_p=1, min_p=0, max_tokens=60, seed=3, guard_repetition=False
)
TEXT = "abc abd abe abf abg"
Scenario = Callable[[RunnerProcess], Sequence[Answer]]


def options(**changes: object) -> LoadOptions:
    return exact_options(**{"n_seq_max": 3, **changes})


def compare(path: Path, scenario: Scenario, **changes: object) -> list[Answer]:
    """Return what ``scenario`` asks with drafts, which is the same as without."""
    with RunnerProcess() as plain:
        plain.load(path, options(**changes))
        expected = scenario(plain)
    with RunnerProcess(is_eager=True) as runner:
        loaded = runner.load(path, options(speculation=Speculation.MTP, **changes))
        assert loaded.speculation is Speculation.MTP, runner.log
        answers = list(scenario(runner))
    for answer, wanted in zip(answers, expected, strict=True):
        assert answer.text == wanted.text
        assert answer.finished.reason == wanted.finished.reason
        assert answer.finished.usage.n_completion == wanted.finished.usage.n_completion
    return answers


def n_drafted(answer: Answer) -> tuple[int, int]:
    usage = answer.finished.usage
    return usage.n_drafted, usage.n_draft_accepted


def everything(runner: RunnerProcess) -> list[Answer]:
    """Greedy, sampled, with probabilities, with a stop string, constrained; alone and beside each other."""
    greedy = runner.ask(TEXT, GREEDY)
    constrained = GenerationTask(
        prompt=ChatInput(messages=(user(TEXT),)),
        sampling=GREEDY,
        constraint=RegexConstraint(pattern="[a-zA-Z ]{40}!"),
    )
    together = [
        runner.start("cba cbd", SAMPLED),
        runner.start(TEXT, msgspec.structs.replace(GREEDY, top_logprobs=3)),
        runner.start_task(constrained),
        runner.start(TEXT, msgspec.structs.replace(GREEDY, stop=(greedy.text[20:23],))),
    ]
    turn = [user(TEXT), assistant(greedy.text), user("and so on")]
    return [greedy, *map(runner.finish, together), runner.ask(turn, GREEDY)]


@pytest.mark.parametrize("architecture", ["qwen35", "glm4moe"])
def test_answers_are_the_same(architecture: str, tmp_path: Path) -> None:
    """The head drafts from states alone, and so only as long as it gets the right ones."""
    path = write_with_heads(tmp_path / "model.gguf", architecture, head="states")
    answers = compare(path, everything)
    drafted = [n_drafted(answer) for answer in answers]
    assert all(n_accepted <= n for n, n_accepted in drafted)
    # Of the sampled one all drafts may be refused, by which steps it shared with the others.
    assert all(drafted[place][1] > 20 for place in (0, 2))
    assert drafted[-1][1] > 20, "the cached turn and the new one belong together"


@pytest.mark.parametrize(
    ("head", "n_accepted"),
    [
        ("tokens tokens tokens", range(41, 46)),
        ("tokens tokens random", range(31, 41)),
        ("random tokens tokens", range(1)),
    ],
)
def test_each_of_several_heads_drafts_its_token(head: str, n_accepted: range, tmp_path: Path) -> None:
    """Of 60 tokens, with two drafts in a step at most 40 were drafted; a head that is not sure ends them."""
    path = write_with_heads(tmp_path / "model.gguf", "hy_v3", head=head)
    (answer, *_) = compare(path, everything)
    assert n_drafted(answer)[1] in n_accepted


def test_random_head_changes_nothing(tmp_path: Path) -> None:
    path = write_with_heads(tmp_path / "model.gguf", "glm4moe", head="random")
    compare(path, everything)


def test_heads_go_on_behind_a_shifted_context_and_another_chat(tmp_path: Path) -> None:
    endless = GenerationTask(
        prompt=ChatInput(messages=(user(TEXT),)),
        sampling=msgspec.structs.replace(GREEDY, max_tokens=300, ignore_eos=True),
        when_full=WhenFull.SHIFT,
    )

    def chats(runner: RunnerProcess) -> list[Answer]:
        texts = (TEXT, "zyx zyw " * 20, TEXT, "zyx zyw " * 20)
        return [runner.finish(runner.start_task(endless)), *(runner.ask(text, GREEDY) for text in texts)]

    path = write_with_heads(tmp_path / "model.gguf", head="states")
    answers = compare(path, chats, n_ctx=256, n_seq_max=1)
    assert answers[0].finished.truncation is not None
    assert n_drafted(answers[0])[1] > 100
    assert all(n_drafted(answer)[1] > 20 for answer in answers)


def test_answers_about_images_are_the_same(tmp_path: Path) -> None:
    """The head sees no image; it begins behind it."""
    path = write_with_heads(tmp_path / "qwen.gguf", head="states", chat_template=PLAIN)
    projector = write_qwen2vl(tmp_path / "mmproj.gguf", n_out=128)
    question = [sees("abc ", pixels(1), " abd abe")]
    (answer,) = compare(
        path, lambda runner: [runner.ask(question, GREEDY)], n_ctx=1024, projector_path=str(projector)
    )
    assert n_drafted(answer)[1] > 20


def test_sampled_answers_are_distributed_alike(tmp_path: Path) -> None:
    """Of 150 answers with drafts and as many without, all of other seeds, the fourth letters are as frequent.

    By Pearson's test; false less than once in a hundred thousand runs.
    """
    path = write_with_heads(tmp_path / "model.gguf")
    sampling = msgspec.structs.replace(SAMPLED, temperature=4, max_tokens=5, top_k=8)
    fourths = []
    for seed, speculation in ((1, Speculation.OFF), (1001, Speculation.MTP)):
        with RunnerProcess(is_eager=True) as runner:
            runner.load(path, options(speculation=speculation))
            running = [
                runner.start(TEXT, msgspec.structs.replace(sampling, seed=seed + n)) for n in range(150)
            ]
            answers = [runner.finish(request) for request in running]
        assert (sum(n_drafted(answer)[1] for answer in answers) > 50) is (speculation is Speculation.MTP)
        fourths.append(Counter(answer.text.replace(" ", "")[3] for answer in answers))
    plain, drafted = fourths
    frequent = [letter for letter in plain | drafted if plain[letter] + drafted[letter] >= 10]
    counts = [(plain[letter], drafted[letter]) for letter in frequent]
    counts.append((150 - sum(n for n, _ in counts), 150 - sum(n for _, n in counts)))
    statistic = sum((n - m) ** 2 / (n + m) for n, m in counts)
    # The mean of the statistic, and six of its deviations.
    assert statistic < len(counts) + 6 * (2 * len(counts)) ** 0.5


def test_heads_in_a_file_of_their_own_draft_as_well(tmp_path: Path) -> None:
    trunk = write_with_heads(tmp_path / "model.gguf", part="trunk")
    heads = write_with_heads(tmp_path / "mtp-model.gguf", head="states", part="heads")
    other = write_with_heads(tmp_path / "mtp-other.gguf", shape=Shape(n_embd=64), part="heads")
    with RunnerProcess() as plain:
        plain.load(trunk, options(speculation=Speculation.OFF))
        wanted = plain.ask(TEXT, GREEDY).text
    for path, speculation in ((heads, Speculation.MTP), (other, Speculation.OFF)):
        with RunnerProcess(is_eager=True) as runner:
            loaded = runner.load(trunk, options(speculation=Speculation.MTP, draft_path=str(path)))
            assert loaded.speculation is speculation
            answer = runner.ask(TEXT, GREEDY)
            assert answer.text == wanted
            assert (n_drafted(answer)[1] > 20) is (speculation is Speculation.MTP)
    assert "they belong to another model" in runner.log


@pytest.mark.parametrize("fault", ["vocabulary", "truncated", "gone"])
def test_a_file_of_heads_that_cannot_draft_leaves_the_answers_alone(tmp_path: Path, fault: str) -> None:
    """Of another model beside it, damaged, or removed after the plan was made."""
    trunk = write_with_heads(tmp_path / "model.gguf", part="trunk")
    n_more = 7 if fault == "vocabulary" else 0
    heads = write_with_heads(
        tmp_path / "mtp.gguf", head="states", shape=Shape(n_more_tokens=n_more), part="heads"
    )
    if fault == "truncated":
        heads.write_bytes(heads.read_bytes()[: heads.stat().st_size // 2])
    elif fault == "gone":
        heads.unlink()
    with RunnerProcess(is_eager=True) as runner:
        loaded = runner.load(trunk, options(speculation=Speculation.MTP, draft_path=str(heads)))
        assert loaded.speculation is Speculation.OFF
        assert n_drafted(runner.ask(TEXT, GREEDY))[1] == 0
        assert "answers without its heads" in runner.log


def test_heads_of_a_model_without_a_way_back_or_without_heads_are_left_alone(
    fresh_runner: RunnerProcess, tmp_path: Path
) -> None:
    path = write_gemma3(tmp_path / "model.gguf")
    loaded = fresh_runner.load(path, options(speculation=Speculation.MTP))
    assert loaded.speculation is Speculation.OFF
    assert fresh_runner.ask(TEXT, GREEDY).finished.usage.n_drafted == 0
    assert "answers without its heads: its file has none" in fresh_runner.log


def test_library_without_the_functions_answers_without_drafts(tmp_path: Path) -> None:
    model = write_with_heads(tmp_path / "model.gguf")
    with RunnerProcess(environment={"FIRESIDE_TEST_WITHOUT_HEADS": "1"}, is_eager=True) as runner:
        assert runner.load(model, options(speculation=Speculation.MTP)).speculation is Speculation.OFF
        assert runner.ask(TEXT, GREEDY).finished.usage.n_drafted == 0
        assert "this build of llama.cpp lacks the functions for them" in runner.log
