"""Answers match schemas, patterns and grammars, with a real vocabulary and generated logits."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from fireside.core.errors import ConstraintInvalid
from fireside.core.options import SamplingParams
from fireside.core.task import (
    Constraint,
    GbnfConstraint,
    JsonSchemaConstraint,
    LarkConstraint,
    RegexConstraint,
)
from fireside.runner.decoder import NotReady, SamplerRequest
from fireside.runner.sampling.constraint import ConstraintMatcher
from fireside.runner.sampling.sampler_factory import SamplerFactory, TokenSampler, dry_run_grammar
from fireside.runner.sampling.shortlist import Ids, Logits
from fireside.runner.tokens import Tokens
from llama.bare_vocab import BareVocab

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 8, "pattern": r"^\w+$"},
            "child": {"$ref": "#"},
            "size": {"type": "integer", "minimum": 1, "maximum": 40},
            "kind": {"enum": ["a", "b"]},
        },
        "required": ["name", "size"],
        "additionalProperties": False,
    }
)
JSON_GBNF = r"""
# as llama.cpp has it
root   ::= object
value  ::= object | array | string | number | ("true" | "false" | "null") ws
object ::= "{" ws ( string ":" ws value ("," ws string ":" ws value)* )? "}" ws
array  ::= "[" ws ( value ("," ws value)* )? "]" ws
string ::= "\"" ( [^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4}) )* "\"" ws
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws
ws ::= | " " | "\n" [ \t]{0,20}
"""


class Noise:
    """Random logits, of which every other row strongly prefers other text."""

    def __init__(self, vocab: BareVocab, *, seed: int = 5) -> None:
        rng = np.random.default_rng(seed)
        self.rows = [rng.normal(0, 2, vocab.n_tokens).astype(np.float32) for _ in range(64)]
        # Every answer comes to its end: space is rare and closing marks are likely in every other row.
        pieces = [vocab.piece(token) for token in range(vocab.n_tokens)]
        space = [token for token, piece in enumerate(pieces) if piece and not piece.strip()]
        likely = [token for token, piece in enumerate(pieces) if piece in (b'"', b"}", b"5")]
        for row in self.rows:
            row[space] -= 20
        for row in self.rows[::2]:
            row[likely] += 9

    def logits(self, index: int) -> Logits:
        return self.rows[index % len(self.rows)]


@pytest.fixture(scope="module")
def vocab(starter_model_path: Path) -> Iterator[BareVocab]:
    with BareVocab(starter_model_path) as vocab:
        yield vocab


@pytest.fixture(scope="module")
def factory(vocab: BareVocab) -> SamplerFactory:
    return SamplerFactory(source=Noise(vocab), vocab=vocab, n_ctx=512)


@pytest.fixture(autouse=True)
def no_leftover_threads() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name == "constraint compiler":
            thread.join(30)


def sampler_of(factory: SamplerFactory, *, seed: int = 3, **changes: object) -> TokenSampler:
    params = SamplingParams(**changes)  # type: ignore[arg-type]
    return factory(SamplerRequest(params=params, seed=seed, prompt=np.empty(0, np.int32)))


def constrain(
    sampler: TokenSampler,
    constraint: Constraint,
    *,
    prefix: str = "",
    ends_answer: bool = True,
    alternatives: Sequence[Tokens] = (),
) -> None:
    """Constrain what follows to ``constraint``, once it is compiled."""
    try:
        sampler.constrain(constraint, prefix=prefix, ends_answer=ends_answer, alternatives=alternatives)
    except NotReady as not_ready:
        not_ready.ready.wait(30)
        sampler.constrain(constraint, prefix=prefix, ends_answer=ends_answer, alternatives=alternatives)


def write(vocab: BareVocab, sampler: TokenSampler, *, n_max: int = 300) -> tuple[str, bool]:
    """Return the sampled text, and whether the answer ended by itself."""
    text = b""
    for index in range(n_max):
        token = sampler.sample(index).token
        if vocab.is_eog(token):
            return text.decode(), True
        text += vocab.piece(token)
    return text.decode("utf-8", "replace"), False


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "changes",
    [
        {"temperature": 0.0},
        {},
        {"top_k": 0, "top_p": 1.0, "min_p": 0.0},
        {"mirostat": 2},
        {"ignore_eos": True},
    ],
    ids=["greedy", "default", "uncut", "mirostat", "ignore_eos"],
)
def test_answer_matches_its_schema(
    vocab: BareVocab, factory: SamplerFactory, changes: dict[str, object], seed: int
) -> None:
    sampler = sampler_of(factory, seed=seed, **changes)
    constrain(sampler, JsonSchemaConstraint(schema=SCHEMA))
    text, ended = write(vocab, sampler)
    assert ended
    value = json.loads(text)
    assert set(value) <= {"name", "child", "size", "kind"}
    assert 1 <= value["size"] <= 40
    assert len(value["name"]) <= 8


@pytest.mark.parametrize(
    ("constraint", "fits"),
    [
        (RegexConstraint(pattern=r"[a-c]{3}-\d+/x"), r"[a-c]{3}-\d+/x"),
        (LarkConstraint(grammar='start: A "!" B\nA: /[xy]{2,4}/\nB: "yes" | "no"'), r"[xy]{2,4}!(yes|no)"),
        (GbnfConstraint(grammar='root ::= "is " word+\nword ::= [a-z]{2} "."'), r"is ([a-z]{2}\.)+"),
    ],
    ids=["regex", "lark", "gbnf"],
)
def test_answer_matches_its_pattern(
    vocab: BareVocab, factory: SamplerFactory, constraint: Constraint, fits: str
) -> None:
    import re

    sampler = sampler_of(factory)
    constrain(sampler, constraint)
    text, ended = write(vocab, sampler)
    assert re.fullmatch(fits, text) or not ended
    assert text


def test_llama_cpp_s_json_grammar_is_supported(vocab: BareVocab, factory: SamplerFactory) -> None:
    sampler = sampler_of(factory)
    constrain(sampler, GbnfConstraint(grammar=JSON_GBNF), prefix='{"a":')
    text, ended = write(vocab, sampler)
    if ended:
        json.loads('{"a":' + text)
    assert text


@pytest.mark.parametrize("mirostat", [0, 2])
@pytest.mark.parametrize("wants_to_think", [True, False])
def test_alternative_lifts_the_constraint(
    vocab: BareVocab, factory: SamplerFactory, wants_to_think: bool, mirostat: int
) -> None:
    logits = np.zeros(vocab.n_tokens, np.float32)
    opens, word, digit = (
        next(token for token in range(vocab.n_tokens) if vocab.piece(token) == piece)
        for piece in (b"<", b"think", b"7")
    )
    logits[opens] = 40 if wants_to_think else -40
    sampler = sampler_of(factory, mirostat=mirostat)
    sampler._shared = dataclasses.replace(sampler._shared, source=_Always(logits))
    rule = RegexConstraint(pattern="7{3}")
    constrain(sampler, rule, alternatives=[np.array([opens, word])])
    if wants_to_think:
        assert [sampler.sample(0).token for _ in range(3)] == [opens, word, opens]
    else:
        assert sampler.sample(0).token == digit


class _Always:
    """The same logits for every token."""

    def __init__(self, row: Logits) -> None:
        self._row = row

    def logits(self, _index: int) -> Logits:
        return self._row.copy()


def test_constraint_continues_after_its_prefix(vocab: BareVocab, factory: SamplerFactory) -> None:
    sampler = sampler_of(factory)
    constrain(sampler, RegexConstraint(pattern="hello world"), prefix="hello wo")
    assert write(vocab, sampler) == ("rld", True)


def test_prefix_may_contain_special_tokens(vocab: BareVocab, factory: SamplerFactory) -> None:
    sampler = sampler_of(factory)
    rule = LarkConstraint(grammar='start: "ab" <repo_name> "cd"')
    constrain(sampler, rule, prefix="ab<repo_name>")
    assert write(vocab, sampler) == ("cd", True)


def test_constraint_violated_by_the_prefix_is_dropped(
    vocab: BareVocab, factory: SamplerFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    bound, free = sampler_of(factory), sampler_of(factory)
    constrain(bound, RegexConstraint(pattern="hello"), prefix="goodbye")
    assert write(vocab, bound, n_max=20) == write(vocab, free, n_max=20)
    assert "constraint was dropped" in capsys.readouterr().err


def test_invalid_constraint_is_dropped_if_it_does_not_end_the_answer(
    vocab: BareVocab, factory: SamplerFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    bound, free = sampler_of(factory), sampler_of(factory)
    constrain(bound, LarkConstraint(grammar="start: nothing"), ends_answer=False)
    assert write(vocab, bound, n_max=20) == write(vocab, free, n_max=20)
    assert "constraint was dropped" in capsys.readouterr().err


def test_too_complex_constraint_is_dropped_if_it_does_not_end_the_answer(
    vocab: BareVocab, factory: SamplerFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failed(rule: ConstraintMatcher) -> Ids:
        raise ConstraintInvalid(kind="grammar", reason="it could not be followed any further.")

    bound, free = sampler_of(factory, temperature=0.0), sampler_of(factory, temperature=0.0)
    constrain(bound, RegexConstraint(pattern="ZQ[a-z]{30}"), ends_answer=False)
    monkeypatch.setattr(ConstraintMatcher, "allowed", failed)
    assert write(vocab, bound, n_max=20) == write(vocab, free, n_max=20)


def test_answer_continues_after_a_constraint_that_does_not_end_it(
    vocab: BareVocab, factory: SamplerFactory
) -> None:
    sampler = sampler_of(factory)
    constrain(sampler, RegexConstraint(pattern="abc"), ends_answer=False)
    text, _ = write(vocab, sampler, n_max=20)
    assert text.startswith("abc")
    assert len(text) > 3


def test_forced_token_that_violates_the_constraint_drops_it(
    vocab: BareVocab, factory: SamplerFactory
) -> None:
    sampler = sampler_of(factory)
    constrain(sampler, RegexConstraint(pattern="hello"))
    forced = next(token for token in range(vocab.n_tokens) if vocab.piece(token) == b"Z")
    sampler.force(np.array([forced], np.int32))
    text, _ = write(vocab, sampler, n_max=20)
    assert text.startswith("Z")
    assert "hello" not in text


def test_forced_token_advances_the_constraint(vocab: BareVocab, factory: SamplerFactory) -> None:
    sampler = sampler_of(factory)
    constrain(sampler, RegexConstraint(pattern="[hj]ello"))
    forced = next(token for token in range(vocab.n_tokens) if vocab.piece(token) == b"j")
    sampler.force(np.array([forced], np.int32))
    assert write(vocab, sampler) == ("jello", True)


def test_answers_with_the_same_constraint_are_independent(vocab: BareVocab, factory: SamplerFactory) -> None:
    rule = RegexConstraint(pattern="(one|two) words")
    first, second = sampler_of(factory), sampler_of(factory)
    constrain(first, rule, prefix="o")
    constrain(second, rule, prefix="t")
    assert write(vocab, first) == ("ne words", True)
    assert write(vocab, second) == ("wo words", True)


def test_grammar_may_name_a_special_token(vocab: BareVocab, factory: SamplerFactory) -> None:
    sampler = sampler_of(factory)
    constrain(sampler, LarkConstraint(grammar='start: "a" <repo_name> "b"'))
    tokens = [sampler.sample(index).token for index in range(4)]
    special = next(
        token for token in range(vocab.n_tokens) if vocab._read_piece(token, special=True) == b"<repo_name>"
    )
    assert tokens[1] == special
    assert vocab.is_eog(tokens[3])


def test_constraints_are_compiled_in_another_thread(factory: SamplerFactory) -> None:
    request = SamplerRequest(
        params=SamplingParams(),
        seed=1,
        prompt=np.empty(0, np.int32),
        constraints=(RegexConstraint(pattern="prepared"),),
    )
    with pytest.raises(NotReady) as not_ready:
        factory(request)
    assert not_ready.value.ready.wait(30)
    factory(request).close()


@pytest.mark.parametrize(
    ("constraint", "named"),
    [
        (JsonSchemaConstraint(schema='{"not":{"type":"string"}}'), "not"),
        (JsonSchemaConstraint(schema='{"items":{"contains":{}}}'), "“contains” at /items"),
        (JsonSchemaConstraint(schema='{"properties":{"a":{"$ref":"http://127.0.0.1/x"}}}'), "/properties/a"),
        (JsonSchemaConstraint(schema='{"$ref":"#"}'), "ref” at / cannot"),
        (RegexConstraint(pattern="a("), "unclosed group"),
        (LarkConstraint(grammar="start: <|nope|>"), "nope"),
        (LarkConstraint(grammar='other: "a"'), "start"),
        (GbnfConstraint(grammar='root ::= "a" missing'), "missing"),
        (GbnfConstraint(grammar='main ::= "a"'), "root"),
        (GbnfConstraint(grammar='root ::= "a'), "end of input"),
        (GbnfConstraint(grammar="root ::= [a"), "end of input"),
    ],
)
def test_unsupported_feature_is_named(factory: SamplerFactory, constraint: Constraint, named: str) -> None:
    with pytest.raises(ConstraintInvalid, match=named):
        constrain(sampler_of(factory), constraint)


def test_grammar_that_crashes_the_compiler_is_refused() -> None:
    rules = "\n".join(f"x{n}: x{n + 1} x{n + 1}" for n in range(3000))
    with pytest.raises(ConstraintInvalid, match="too complex"):
        dry_run_grammar(LarkConstraint(grammar=f'start: x0\n{rules}\nx3000: "a"'))


def test_schema_whose_compilation_hangs_is_refused() -> None:
    patterns = [{"type": "string", "pattern": f".*{letter}.*"} for letter in "abcdefghijklmnopqrst"]
    with pytest.raises(ConstraintInvalid, match="too long"):
        dry_run_grammar(JsonSchemaConstraint(schema=json.dumps({"allOf": patterns})), limit_s=1)


def test_white_space_in_json_is_bounded(vocab: BareVocab, factory: SamplerFactory) -> None:
    space = [token for token in range(vocab.n_tokens) if vocab.piece(token).isspace()]
    sampler = sampler_of(
        factory, temperature=0.0, logit_bias=tuple((token, 100.0) for token in space), top_k=0
    )
    constrain(sampler, JsonSchemaConstraint(schema=SCHEMA), prefix="{")
    text, _ = write(vocab, sampler, n_max=60)
    assert text.strip()
