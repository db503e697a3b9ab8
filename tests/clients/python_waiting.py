"""Wait for whole answers that take long, as clients of OpenAI, Anthropic and Ollama; search a collection.

Prints what they got as JSON: ``python_waiting.py ADDRESS MODEL TOKEN``.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import anthropic
import ollama
import openai

ADDRESS, MODEL, TOKEN = sys.argv[1:]
SAID: list[Any] = [{"role": "user", "content": "Say hello"}]


def whole_answers() -> list[Any]:
    """Return one answer of each route, none of them streamed."""
    of_openai = openai.OpenAI(base_url=f"{ADDRESS}/v1", api_key=TOKEN, max_retries=0)
    of_anthropic = anthropic.Anthropic(base_url=ADDRESS, api_key=TOKEN, max_retries=0)
    of_ollama = ollama.Client(ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"})
    return [
        of_openai.chat.completions.create(model=MODEL, messages=SAID).choices[0].message.content,
        of_openai.completions.create(model=MODEL, prompt="Say hello").choices[0].text,
        of_openai.responses.create(model=MODEL, input="Say hello").output_text,
        of_anthropic.messages.create(model=MODEL, max_tokens=9, messages=SAID).content[0].text,
        of_ollama.chat(MODEL, SAID).message.content,
        of_ollama.generate(MODEL, "Say hello").response,
    ]


def found_passages() -> dict[str, Any]:
    """Return the stores that there are, and what is found in the first."""
    client = openai.OpenAI(base_url=f"{ADDRESS}/v1", api_key=TOKEN, max_retries=0)
    (store,) = client.vector_stores.list()
    again = client.vector_stores.retrieve(store.id)
    found = list(client.vector_stores.search(store.id, query="queen eggs", max_num_results=3))
    return {
        "names": [store.name, again.name],
        "n_files": again.file_counts.completed,
        "files": [each.filename for each in found],
        "text": found[0].content[0].text,
    }


json.dump({"answers": whole_answers(), "found": found_passages()}, sys.stdout)
