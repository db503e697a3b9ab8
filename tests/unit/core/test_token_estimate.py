"""What a text is estimated to take, beside what models take for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fireside.core.token_estimate import estimated_tokens

PROSE = Path(__file__).parents[3] / "resources" / "texts" / "measured.txt"
CHINESE = (
    "人工智能是计算机科学的一个分支,它企图了解智能的实质,并生产出一种新的能以人类智能相似的方式做出反应的智能机器。"
    "该领域的研究包括机器人、语言识别、图像识别、自然语言处理和专家系统等。"
)
GERMAN = "Der Schornsteinfeger überprüft jährlich die Feuerstätte und misst, ob Werte eingehalten werden. "
CODE = (
    "def total(prices: list[float], *, tax: float = 0.19) -> float:\n"
    '    """Return the sum with tax."""\n'
    "    return sum(price * (1 + tax) for price in prices)\n"
)
# What SmolLM2, Qwen2, Llama 3, Gemma 3 and Phi 3 make of each: the fewest and the most.
COUNTED = {
    "prose": (PROSE.read_text("utf-8")[:8000], 706, 795),
    "numbers": (",".join(str(n * 7919 % 100_000) for n in range(1000)), 2987, 5883),
    "rows": (
        "\n".join(
            f"2024-{n % 12 + 1:02}-{n % 28 + 1:02};Order {n * 37 % 9000 + 1000};{n * 1.37:.2f};paid"
            for n in range(200)
        ),
        3599,
        5519,
    ),
    "Chinese": ((CHINESE * 30)[:900], 504, 1522),
    "German": (GERMAN * 20, 421, 761),
    "code": (CODE * 10, 440, 530),
}


@pytest.mark.parametrize("kind", COUNTED)
def test_estimates_are_within_the_range_of_models(kind: str) -> None:
    text, fewest, most = COUNTED[kind]
    assert fewest <= estimated_tokens(text) <= most


def test_estimates_of_parts_add_up() -> None:
    texts = [text for text, _, _ in COUNTED.values()]
    together = estimated_tokens("".join(texts))
    assert together <= sum(map(estimated_tokens, texts)) <= together + len(texts)


@pytest.mark.parametrize(("text", "n_tokens"), [("", 0), ("a", 1), ("\ud800", 1)])
def test_any_text_has_an_estimate(text: str, n_tokens: int) -> None:
    assert estimated_tokens(text) == n_tokens
