"""Make requests that no sensible program would send, the same ones for the same number."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

import msgspec

from abuse.runner.strange_values import (
    GBNFS,
    IMAGES,
    INTS,
    LARKS,
    NAMES,
    OWNERS,
    PATTERNS,
    SCHEMAS,
    STOPS,
    STRANGE_FLOATS,
    TEXTS,
)
from fireside.core.generation import Overflow, Priority, WhenFull
from fireside.core.message import (
    ChatMessage,
    ImagePart,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.options import PARAMETERS, Parameter, SamplerKind, SamplingParams
from fireside.core.prompt_input import (
    ChatInput,
    EmbeddingInput,
    InfillInput,
    PromptInput,
    ReasoningEffort,
    RerankInput,
    TextInput,
    ToolChoice,
    ToolDefinition,
    ToolMode,
)
from fireside.core.task import (
    Constraint,
    GbnfConstraint,
    GenerationTask,
    JsonSchemaConstraint,
    LarkConstraint,
    RegexConstraint,
)

SEED = 20_261
MAX_TOKENS = 6


def strange_task(number: int) -> GenerationTask:
    """Return the task of this number: ordinary but for a few fields, and now and then all of them."""
    chance = random.Random(f"{SEED}/{number}")
    n_strange = chance.choice((1, 1, 2, 2, 3, 7))
    task = GenerationTask(
        prompt=ChatInput(messages=(_message(Role.USER, "Name a colour."),)),
        sampling=SamplingParams(
            temperature=chance.choice((0, 0.8)), max_tokens=MAX_TOKENS, seed=number % 2**31
        ),
    )
    for change in chance.sample(_CHANGES, n_strange):
        task = msgspec.structs.replace(task, **change(chance, task))
    return task


def _message(role: Role, text: str) -> ChatMessage:
    return ChatMessage(role=role, parts=(TextPart(text=text),))


def _text(chance: random.Random) -> str:
    if chance.random() < 0.2:
        return "".join(chance.choice(TEXTS)[:300] for _ in range(chance.randint(2, 5)))
    return chance.choice(TEXTS)


# Prompts


def _prompt(chance: random.Random, _task: GenerationTask) -> dict[str, Any]:
    makers: Sequence[Callable[[random.Random], PromptInput]] = (
        _chat,
        _chat,
        _chat,
        _raw,
        _gap,
        _vectors,
        _rank,
    )
    return {"prompt": chance.choice(makers)(chance)}


def _chat(chance: random.Random) -> ChatInput:
    roles = tuple(Role)
    return ChatInput(
        messages=tuple(
            ChatMessage(
                role=chance.choice(roles),
                parts=tuple(_part(chance) for _ in range(chance.choice((0, 1, 1, 1, 2, 4)))),
            )
            for _ in range(chance.choice((0, 1, 1, 2, 3, 5, 40)))
        ),
        reasoning=chance.choice(tuple(ReasoningEffort)),
        continue_final=chance.random() < 0.3,
    )


def _part(chance: random.Random) -> MessagePart:
    match chance.choice(("text", "text", "text", "reasoning", "image", "call", "result")):
        case "reasoning":
            return ReasoningPart(text=_text(chance))
        case "image":
            return ImagePart(data=chance.choice(IMAGES), media_type=chance.choice(("image/png", "", "a/b\0")))
        case "call":
            return ToolCallPart(
                id=_text(chance)[:50],
                name=chance.choice(NAMES),
                arguments=chance.choice((*SCHEMAS, *TEXTS)),
            )
        case "result":
            return ToolResultPart(call_id=_text(chance)[:50], name=chance.choice(NAMES), text=_text(chance))
        case _:
            return TextPart(text=_text(chance))


def _raw(chance: random.Random) -> TextInput:
    return TextInput(text=_text(chance), parse_special=chance.random() < 0.5)


def _gap(chance: random.Random) -> InfillInput:
    return InfillInput(prefix=_text(chance), suffix=_text(chance))


def _vectors(chance: random.Random) -> EmbeddingInput:
    return EmbeddingInput(texts=tuple(_text(chance) for _ in range(chance.randrange(4))))


def _rank(chance: random.Random) -> RerankInput:
    return RerankInput(query=_text(chance), documents=(_text(chance),))


def _tools(chance: random.Random, task: GenerationTask) -> dict[str, Any]:
    chat = task.prompt if isinstance(task.prompt, ChatInput) else _chat(chance)
    tools = tuple(
        ToolDefinition(
            name=chance.choice(NAMES) if chance.random() < 0.6 else "look",
            description=_text(chance)[:100],
            parameters=chance.choice(SCHEMAS),
        )
        for _ in range(chance.choice((1, 1, 2, 5)))
    )
    choice = ToolChoice(
        mode=chance.choice((*ToolMode, ToolMode.REQUIRED, ToolMode.REQUIRED)),
        name=chance.choice((None, None, None, "look", "none", *NAMES)),
    )
    return {"prompt": msgspec.structs.replace(chat, tools=tools, tool_choice=choice)}


# Everything else


def _numbers(chance: random.Random, task: GenerationTask) -> dict[str, Any]:
    """Make one to three numbers strange; as many as possible stay where llama.cpp must compute with them."""
    changes: dict[str, Any] = {}
    for name in chance.sample(_NUMBER_FIELDS, chance.choice((1, 1, 2, 3))):
        default = getattr(SamplingParams(), name)
        values: Sequence[float] = STRANGE_FLOATS if isinstance(default, float) else INTS
        changes[name] = chance.choice(values)
    if (changes.get("max_tokens") or 0) > MAX_TOKENS:
        changes["max_tokens"] = MAX_TOKENS
    return {"sampling": msgspec.structs.replace(task.sampling, **changes)}


_NUMBER_FIELDS = tuple(name for name, row in PARAMETERS.items() if row.type in (int, float))


def _limits(row: Parameter) -> list[float]:
    return [row.type(row.low), row.type(row.high), *filter(_is_number, (row.default, *row.special.values()))]


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float)


def _legal_numbers(chance: random.Random, task: GenerationTask) -> dict[str, Any]:
    """Many allowed values at their limits together: nothing here may be refused, and nothing may break."""
    limits: dict[str, Any] = {
        name: chance.choice(_limits(row))
        for name, row in PARAMETERS.items()
        if row.as_is and row.type in (int, float)
    }
    limits |= {
        "temperature": chance.choice((0.0, 1e-9, 0.01, 1.0, 5.0)),
        "top_k": chance.choice((0, 1, 2, 10_000)),
        "top_p": chance.choice((0.0, 1e-9, 0.5, 1.0)),
        "top_n_sigma": chance.choice((-1.0, 0.0, 1e-9, 10.0)),
        "mirostat": chance.choice((0, 0, 1, 2)),
        "adaptive_p_target": chance.choice((0.0, 0.0, 1e-9, 0.5, 1.0)),
    }
    sampling = msgspec.structs.replace(
        task.sampling,
        samplers=tuple(chance.sample(tuple(SamplerKind), chance.randint(0, len(SamplerKind)))),
        ignore_eos=chance.random() < 0.3,
        guard_repetition=chance.random() < 0.5,
        **limits,
    )
    return {"sampling": sampling}


def _lists(chance: random.Random, task: GenerationTask) -> dict[str, Any]:
    bias_ids = (0, 1, 2, 100, 49_151, 49_152, 2**31 - 1, 2**31, -1, 2**63 - 1)
    biases = (0.0, -1000.0, 1000.0, 1000.1, math.nan, -math.inf)
    sampling = msgspec.structs.replace(
        task.sampling,
        stop=tuple(chance.choice(STOPS) for _ in range(chance.choice((0, 1, 2, 8, 65)))),
        logit_bias=tuple(
            (chance.choice(bias_ids), chance.choice(biases)) for _ in range(chance.choice((0, 1, 2, 5)))
        ),
        dry_multiplier=chance.choice((0.0, 1.0)),
        dry_sequence_breakers=tuple(chance.choice(STOPS)[:60] for _ in range(chance.choice((0, 1, 4, 40)))),
        top_logprobs=chance.choice((None, 0, 1, 20, 21, -1)),
    )
    return {"sampling": sampling}


def _forbid_everything(chance: random.Random, task: GenerationTask) -> dict[str, Any]:
    """Forbid as many tokens as a request may name."""
    first = chance.choice((0, 10_000, 45_056))
    bias = tuple((token, -1000.0) for token in range(first, first + int(PARAMETERS["logit_bias"].high)))
    return {"sampling": msgspec.structs.replace(task.sampling, logit_bias=bias, ignore_eos=True)}


def _probabilities(chance: random.Random, task: GenerationTask) -> dict[str, Any]:
    sampling = msgspec.structs.replace(
        task.sampling,
        top_logprobs=chance.choice((0, 3, 20)),
        stop=tuple(chance.choice(("e", " the", "\n", "😀")) for _ in range(chance.choice((0, 1, 2)))),
        ignore_eos=chance.random() < 0.5,
    )
    return {"sampling": sampling}


def _rule(chance: random.Random, _task: GenerationTask) -> dict[str, Any]:
    constraint: Constraint
    match chance.choice(("schema", "schema", "regex", "lark", "gbnf")):
        case "schema":
            constraint = JsonSchemaConstraint(schema=chance.choice(SCHEMAS))
        case "regex":
            constraint = RegexConstraint(pattern=chance.choice(PATTERNS))
        case "lark":
            constraint = LarkConstraint(grammar=chance.choice(LARKS))
        case _:
            constraint = GbnfConstraint(grammar=chance.choice(GBNFS))
    return {"constraint": constraint}


def _room(chance: random.Random, task: GenerationTask) -> dict[str, Any]:
    return {
        "overflow": chance.choice(tuple(Overflow)),
        "when_full": chance.choice(tuple(WhenFull)),
        "sampling": msgspec.structs.replace(
            task.sampling, max_tokens=chance.choice((1, MAX_TOKENS, 20)), ignore_eos=True
        ),
    }


def _outgrow(chance: random.Random, _task: GenerationTask) -> dict[str, Any]:
    """Begin with a context that is nearly full, so that the answer meets its end."""
    words = "one two three four five six seven " * chance.randint(24, 36)
    return {
        "prompt": ChatInput(
            messages=(
                *((_message(Role.SYSTEM, "Count."),) if chance.random() < 0.5 else ()),
                _message(Role.USER, words),
            )
        ),
        "overflow": chance.choice(tuple(Overflow)),
        "when_full": chance.choice(tuple(WhenFull)),
        "sampling": SamplingParams(temperature=0, max_tokens=30, ignore_eos=True, guard_repetition=False),
    }


def _whose(chance: random.Random, _task: GenerationTask) -> dict[str, Any]:
    return {"owner": chance.choice(OWNERS), "priority": chance.choice(tuple(Priority))}


def _thinking(chance: random.Random, task: GenerationTask) -> dict[str, Any]:
    """Let the answer begin in the middle of reasoning."""
    opened = ChatInput(
        messages=(
            _message(Role.USER, "Why?"),
            _message(Role.ASSISTANT, chance.choice(("<think>", "<think>\nI ", "<think>a</think>", ""))),
        ),
        continue_final=True,
    )
    budget = chance.choice((None, 0, 1, 5, -1, 2**31, 2**63 - 1))
    return {"prompt": opened if chance.random() < 0.7 else task.prompt, "thinking_budget": budget}


def _adapters(chance: random.Random, _task: GenerationTask) -> dict[str, Any]:
    return {"lora_scales": chance.choice(((), (), (1.0,), (math.nan,), (1e300,) * 100))}


_CHANGES = (
    *(_prompt, _prompt, _tools, _tools, _numbers, _legal_numbers, _legal_numbers, _probabilities),
    *(_lists, _forbid_everything, _rule, _rule, _room, _outgrow, _whose, _whose, _thinking, _thinking),
    _adapters,
)
