"""What one token of a constraint may cost is bounded; grammars that people write stay far below."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from string import ascii_lowercase
from typing import ClassVar

import llguidance
import pytest

from fireside.core.errors import ConstraintInvalid
from fireside.core.task import Constraint, GbnfConstraint, LarkConstraint
from fireside.runner.sampling.grammar_preparation import GrammarCompiler

GRAMMARS = Path(__file__).parent / "grammars"
TEXTS = {
    "c": "int main(){int x = 1+2;" + "while(x<9){x = x*2;}" * 60 + "return x;}",
    "chess": "1. e4 e5\n" + "".join(f"{n}. Nf3 Nc6\n" for n in range(2, 99)),
    "english": "A plain sentence, with commas; and more. " * 40,
    "json_arr": "[\n" + ",\n".join('{"a":[1,{"b":null}]}' for _ in range(150)),
}
OURS: dict[str, tuple[Constraint, str]] = {
    "a list that contains itself at its end": (
        GbnfConstraint(grammar='root ::= line root | line\nline ::= [a-z ]+ "\\n"'),
        "one more line\n" * 300,
    ),
    "sums in brackets": (
        LarkConstraint(
            grammar='start: sum\nsum: term (("+"|"-") term)*\nterm: atom (("*"|"/") atom)*\n'
            'atom: /[0-9]+/ | "-" atom | "(" sum ")"'
        ),
        "(" * 150 + "1+2" + "*3)" * 150,
    ),
}
AMBIGUOUS = [
    'root ::= s\ns ::= s s s s | [a-z ] | ""',
    "root ::= s\ns ::= s s | [a-z ]",
    'root ::= s+\ns ::= "a" s "a" | "a" s | s "a" | s s | [a-z]',
]


class Letters:
    """A vocabulary of all bytes, and of all pairs of letters, as llguidance takes it."""

    bos_token_id = None
    eos_token_id = 256
    special_token_ids: ClassVar = [256]
    tokens: ClassVar = [
        *(bytes([byte]) for byte in range(256)),
        b"\xff<end>",
        *("".join(word).encode() for word in product(ascii_lowercase, repeat=2)),
    ]

    def __call__(self, text: str | bytes) -> list[int]:
        return list(text.encode() if isinstance(text, str) else text)


TOKENIZER = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Letters()))


def follow(constraint: Constraint, text: str) -> bool:
    """Whether all tokens of ``text`` are allowed; after each, all that may come next are looked up."""
    matcher = GrammarCompiler(TOKENIZER).compile(constraint).matcher(ends_answer=True)
    for token in TOKENIZER.greedy_tokenize(text):
        is_taken = matcher.consume(token)
        if not matcher.is_complete:
            matcher.allowed()
        if not is_taken:
            return False
    return True


@pytest.mark.parametrize("name", TEXTS)
def test_published_grammars_are_followed_to_the_end(name: str) -> None:
    text = TEXTS[name]
    constraint = GbnfConstraint(grammar=(GRAMMARS / f"{name}.gbnf").read_text("utf-8"))
    assert follow(constraint, text)


@pytest.mark.parametrize("name", OURS)
def test_recursive_rules_are_followed_to_the_end(name: str) -> None:
    constraint, text = OURS[name]
    assert follow(constraint, text)


@pytest.mark.parametrize("grammar", AMBIGUOUS)
def test_ambiguous_grammar_ends_in_words_before_it_costs_time(grammar: str) -> None:
    """By llguidance's own limit it would be followed further, ever more slowly."""
    with pytest.raises(ConstraintInvalid) as failed:
        follow(GbnfConstraint(grammar=grammar), "a" * 1500)
    assert "Make the rules unambiguous." in str(failed.value)
