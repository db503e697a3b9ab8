"""The prefixes that embedding models were trained with for questions and passages."""

from __future__ import annotations

from typing import Final, NamedTuple


class Prefixes(NamedTuple):
    """What precedes a question, and a passage."""

    question: str = ""
    passage: str = ""


_QWEN: Final = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
_E5_INSTRUCT: Final = f"{_QWEN} "
_REPRESENT: Final = "Represent this sentence for searching relevant passages: "
_REPRESENT_ZH: Final = "为这个句子生成表示以用于检索相关文章："
_KNOWN: Final = (
    # By a part of the model's name, as their model cards say; the first match counts.
    ("nomic-embed", Prefixes("search_query: ", "search_document: ")),
    ("embeddinggemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    ("embedding-gemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    ("qwen3-embedding", Prefixes(_QWEN)),
    ("e5-large-instruct", Prefixes(_E5_INSTRUCT)),
    ("e5-mistral", Prefixes(_E5_INSTRUCT)),
    ("e5-", Prefixes("query: ", "passage: ")),
    ("arctic-embed-l-v2", Prefixes("query: ")),
    ("arctic-embed-m-v2", Prefixes("query: ")),
    ("arctic-embed", Prefixes(_REPRESENT)),
    ("bge-m3", Prefixes()),
    ("bge-small-zh", Prefixes(_REPRESENT_ZH)),
    ("bge-base-zh", Prefixes(_REPRESENT_ZH)),
    ("bge-large-zh", Prefixes(_REPRESENT_ZH)),
    ("bge-", Prefixes(_REPRESENT)),
    ("mxbai-embed", Prefixes(_REPRESENT)),
)


def prefixes_of(*names: str) -> Prefixes:
    """Return the prefixes of a model by its names; empty ones for an unknown model."""
    text = " ".join(names).lower().replace(" ", "-").replace("_", "-")
    return next((prefixes for part, prefixes in _KNOWN if part in text), Prefixes())
