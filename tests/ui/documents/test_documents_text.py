"""What is said of the documents of a chat."""

from __future__ import annotations

import pytest

from fireside.core.message import PassagesPart
from fireside.ui.documents.documents_text import cost_words


@pytest.mark.parametrize(("question", "words"), [("Where is it?", "no passages"), (" \n", ""), ("", "")])
def test_nothing_is_missing_before_there_is_a_question(question: str, words: str) -> None:
    assert cost_words(PassagesPart(question=question)) == words
