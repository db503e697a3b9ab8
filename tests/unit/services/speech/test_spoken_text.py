"""What is read aloud of Markdown, however it arrives."""

from __future__ import annotations

import pytest

from fireside.services.speech.spoken_text import SpokenSentence, SpokenText

ANSWER = """# A title

Hello **world**, said Dr. Smith at 3.5 km. It is `x`, see [the page](https://a.b/c.d) (z. B. here)! 你好。再见

- one item
- another: it has $x$ and $\\frac{a}{b}$

```python
print("never. spoken.")
```

| a | b |
|---|---|
| 1. | 2. |

$$\\sum_i x_i$$

1. The end
"""
SPOKEN = [
    "A title",
    "Hello world, said Dr. Smith at 3.5 km.",
    "It is x, see the page (z. B. here)!",
    "你好。",
    "再见",
    "one item",
    "another: it has x and a formula",
    "Code.",
    "A table.",
    "A formula.",
    "The end",
]


@pytest.mark.parametrize("size", [1, 7, 40, 10_000])
def test_sentences_are_the_same_in_whatever_pieces_the_text_comes(size: int) -> None:
    text = SpokenText()
    sentences: list[SpokenSentence] = []
    for first in range(0, len(ANSWER), size):
        sentences += text.append(ANSWER[first : first + size])
    sentences += text.finish()
    assert [each.spoken for each in sentences] == SPOKEN
    assert [each.text for each in sentences if each.spoken.endswith("la.")] == [""]


def test_a_sentence_is_spoken_before_the_next_is_written() -> None:
    text = SpokenText()
    assert [each.spoken for each in text.append("First. Second is not co")] == ["First."]
    assert text.append("mplete") == ()
    assert [each.spoken for each in text.append(". Third")] == ["Second is not complete."]
    assert [each.spoken for each in text.finish()] == ["Third"]


def test_a_sentence_without_end_is_cut_and_nothing_is_lost() -> None:
    text = SpokenText()
    words = [f"word{n}" for n in range(500)]
    pieces = [*text.append(" ".join(words)), *text.finish()]
    assert " ".join(each.spoken for each in pieces).split() == words
    assert max(len(each.spoken) for each in pieces) <= 400
    assert SpokenText().finish() == []
    assert [*SpokenText().append("***\n\n. . .\n"), *SpokenText().finish()] == []


@pytest.mark.parametrize("size", [1, 7, 40, 10_000])
def test_a_sentence_without_an_end_is_spoken_while_it_is_written(size: int) -> None:
    written = ", ".join(f"the house number {n}" for n in range(60))
    text = SpokenText()
    early: list[str] = []
    for first in range(0, len(written), size):
        early += [each.spoken for each in text.append(written[first : first + size])]
    assert early
    assert len(early[0]) <= 400
    assert " ".join([*early, *(each.spoken for each in text.finish())]) == written
