"""Documents in base64 are shown as their text, in each dialect that has them."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from fakes.api_harness import ApiHarness
from fakes.pdf_files import pdf_file
from fireside.api.documents import MAX_DOCUMENTS
from fireside.core.message import TextPart, ToolResultPart
from fireside.core.prompt_input import ChatInput

PDF = base64.b64encode(pdf_file([["Water is wet."], ["Fire is hot."]])).decode()
BROKEN = base64.b64encode(b"%PDF-1.4 nothing").decode()
QUESTION = {"role": "user", "content": "What is wet?"}


def anthropic(data: str, *, kind: str = "base64") -> tuple[str, dict[str, Any], str]:
    source = {"type": kind, "media_type": "application/pdf", "data": data}
    block = {"type": "document", "source": source, "title": "facts.pdf"}
    body = {"max_tokens": 9, "messages": [{"role": "user", "content": [block]}, QUESTION]}
    return "/v1/messages", body, "messages[0].content[0].source"


def chat(data: str) -> tuple[str, dict[str, Any], str]:
    part = {"type": "file", "file": {"filename": "facts.pdf", "file_data": data}}
    body = {"messages": [{"role": "user", "content": [part]}, QUESTION]}
    return "/v1/chat/completions", body, "messages[0].content[0].file"


def responses(data: str) -> tuple[str, dict[str, Any], str]:
    part = {"type": "input_file", "filename": "facts.pdf", "file_data": data}
    body = {"input": [{"role": "user", "content": [part]}, QUESTION]}
    return "/v1/responses", body, "input[0].content[0]"


FORMS = pytest.mark.parametrize("form", [anthropic, chat, responses])


@FORMS
async def test_the_text_of_a_document_is_shown(harness: ApiHarness, form: Any) -> None:
    for data in (PDF,) if form is anthropic else (PDF, f"data:application/pdf;base64,{PDF}"):
        path, body, _ = form(data)
        answer = await harness.ask(path, body)
        assert answer.status == 200, answer.body
        prompt = harness.engine.requests[-1].task.prompt
        assert isinstance(prompt, ChatInput)
        shown = "".join(part.text for part in prompt.messages[0].parts if isinstance(part, TextPart))
        assert shown.startswith("facts.pdf\n\n")
        assert "Water is wet." in shown
        assert "Fire is hot." in shown
        assert shown.endswith("\n\n"), "else it runs on into the question behind it"


@FORMS
async def test_one_that_cannot_be_read_is_refused_with_its_place(harness: ApiHarness, form: Any) -> None:
    for data in (BROKEN, "%%%", base64.b64encode(b" ").decode()):
        path, body, place = form(data)
        refused = await harness.ask(path, body)
        assert refused.status == 400
        told = refused.json["error"]
        assert told.get("param", place) == place
        assert harness.engine.requests == []


async def test_documents_in_results_of_tools_are_shown(harness: ApiHarness) -> None:
    path, body, _ = anthropic(PDF)
    result = {"type": "tool_result", "tool_use_id": "t", "content": body["messages"][0]["content"]}
    body["messages"][0]["content"] = [result]
    assert (await harness.ask(path, body)).status == 200
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    (part,) = prompt.messages[0].parts
    assert isinstance(part, ToolResultPart)
    assert "Water is wet." in part.text


async def test_too_many_are_refused(harness: ApiHarness) -> None:
    path, body, _ = chat(base64.b64encode(b"text").decode())
    body["messages"][0]["content"] *= MAX_DOCUMENTS + 1
    refused = await harness.ask(path, body)
    assert (refused.status, refused.json["error"]["param"]) == (400, "messages[0].content[32].file")


async def test_a_file_that_is_not_sent_is_refused(harness: ApiHarness) -> None:
    path, body, place = chat("")
    body["messages"][0]["content"][0]["file"] = {"file_id": "file-1"}
    refused = await harness.ask(path, body)
    assert (refused.status, refused.json["error"]["param"]) == (400, place)
