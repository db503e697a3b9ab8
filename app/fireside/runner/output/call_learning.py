"""Learn a model's tool-call format from its chat template, by comparing rendered conversations.

The template renders small conversations that differ in names, arguments and the number of calls. The text
around these is the format that the model was trained on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from fireside.core.errors import FiresideError
from fireside.core.message import ChatMessage, Role, ToolCallPart, ToolResultPart, text_message
from fireside.core.prompt_input import ChatInput, ToolDefinition
from fireside.runner.output.call_marks import CallMarks, common_prefix
from fireside.runner.output.tagged_json import JsonTags
from fireside.runner.prompt.template import ChatTemplate

RenderCalls = Callable[[Sequence[ToolCallPart]], str | None]
"""Returns the text of an answer that makes these calls, without the rest of the conversation."""

_OTHER_VALUES: Final[dict[str, Any]] = {
    "integer": 4711,
    "number": 4711.5,
    "boolean": True,
    "array": [4711],
    "object": {"inner": 4711},
}
_FIRST, _SECOND, _KEY, _KEY_2, _TEXT, _TEXT_2 = "first_tool", "other_tool", "kone", "ktwo", "vone", "vtwo"
_PROPERTIES: Final = {
    _KEY: {"type": "string", "description": "One."},
    _KEY_2: {"type": "string", "description": "Two."},
    **{kind: {"type": kind, "description": "More."} for kind in _OTHER_VALUES},
}
PROBE_TOOLS: Final = tuple(
    ToolDefinition(
        name=name,
        description="Does something.",
        parameters=json.dumps({"type": "object", "properties": _PROPERTIES, "required": []}),
    )
    for name in (_FIRST, _SECOND)
)
"""The tools of the probe calls."""

_MARKUP: Final = re.compile(r"[<>\[\]{}|｜]")
"""A marker must contain one of these; otherwise it could be prose."""


def _call(name: str = _FIRST, *, n: int = 0, **arguments: object) -> ToolCallPart:
    return ToolCallPart(
        id=f"call0000{n}", name=name, arguments=json.dumps(arguments or {_KEY: _TEXT, _KEY_2: _TEXT_2})
    )


PROBES: Final = (
    (_call(),),
    (_call(), _call(_SECOND, n=1)),
    (_call(**{_KEY: "a <b> & c\nd", **_OTHER_VALUES}),),
)
"""A call format is accepted if it parses these."""


def learn_call_format(render_calls: RenderCalls) -> CallMarks | JsonTags | None:
    """Return the format of calls; ``None`` if it cannot be determined."""
    rendered = render_calls(PROBES[0])
    if (
        rendered is None
        or rendered.count(_FIRST) != 1
        or not all(map(rendered.__contains__, (_KEY, _KEY_2, _TEXT, _TEXT_2)))
    ):
        return None
    json_arguments = _json_arguments(rendered)
    start, end = (
        json_arguments.span()
        if json_arguments
        else (rendered.index(_KEY), rendered.index(_TEXT_2) + len(_TEXT_2))
    )
    head, tail = rendered[: rendered.index(_FIRST)], rendered[end:]
    if not head.strip() or rendered.index(_FIRST) > start:
        return None
    marks = _surrounding_marks(head, tail, render_calls(PROBES[1]), json_arguments=json_arguments is not None)
    if marks is None or not _MARKUP.search(marks.opens):
        return None
    after_name = rendered[len(head) + len(_FIRST) : start]
    if json_arguments is None:
        return _tagged(marks, rendered, after_name, render_calls)
    if re.search(r'\{\s*("[^"]*"\s*:\s*"[^"]*"\s*,\s*)*("[^"]*"\s*:\s*)?"$', head):
        return _json_tags(rendered)
    return _call_marks(marks, name_ends=after_name)


class _Marks(NamedTuple):
    section: str
    opens: str
    closes: str
    between: str
    ends: str
    named_by: str


def _call_marks(marks: _Marks, **more: Any) -> CallMarks:
    return CallMarks(**{name: text.strip() for name, text in marks._asdict().items()}, **more)


def _json_arguments(text: str) -> re.Match[str] | None:
    return re.search(rf'\{{\s*"{_KEY}"\s*:\s*"{_TEXT}"\s*,\s*"{_KEY_2}"\s*:\s*"{_TEXT_2}"\s*\}}', text)


def _surrounding_marks(
    head: str, tail: str, rendered_two: str | None, *, json_arguments: bool
) -> _Marks | None:
    """Separate the markers around each call from those around all of them."""
    named_by = ""
    ids = re.compile(r"call0000\d")
    if (call_id := ids.search(head)) is not None:
        head, named_by = head[: call_id.start()], head[call_id.end() :]
    if rendered_two is None or rendered_two.count(_SECOND) != 1:
        return _Marks("", head, tail, "", "", named_by)
    middle = rendered_two[: rendered_two.index(_SECOND)]
    if (call_id := ids.search(middle, middle.find(_TEXT_2))) is not None:
        middle = middle[: call_id.start()]
    json_match = _json_arguments(middle)
    if _TEXT_2 not in middle:
        return None
    middle = middle[
        json_match.end() if json_arguments and json_match else middle.rindex(_TEXT_2) + len(_TEXT_2) :
    ]
    opens = _common_end(head, middle)
    between = middle[: len(middle) - len(opens)]
    closes = _common_start(between, tail)
    if not json_arguments and not closes:
        return None
    section = head[: len(head) - len(opens)]
    return _Marks(section, opens, closes, between[len(closes) :], tail[len(closes) :], named_by)


def _tagged(marks: _Marks, rendered: str, before_key: str, render_calls: RenderCalls) -> CallMarks | None:
    """Separate the markers around the name, the keys and the values."""
    key_ends = rendered[rendered.index(_KEY) + len(_KEY) : rendered.index(_TEXT)]
    between = rendered[rendered.index(_TEXT) + len(_TEXT) : rendered.index(_KEY_2)]
    after_values = rendered[rendered.index(_TEXT_2) + len(_TEXT_2) :]
    key_opens = _common_end(before_key, between)
    value_ends = between[: len(between) - len(key_opens)]
    if not value_ends.strip() or not key_opens.strip() or not after_values.startswith(value_ends):
        return None
    if _KEY in value_ends or _KEY in key_ends:  # the key is a tag of its own
        return None
    closes = marks.closes.removeprefix(value_ends)
    ends = {}
    for kind, value in _OTHER_VALUES.items():
        rendered_other = render_calls((_call(**{_KEY: value}),)) or ""
        from_key = rendered_other.partition(_KEY)[2]
        end = next((from_key.find(text) for text in ("4711", "rue") if text in from_key), 0)
        ends[kind] = from_key[: end - {"boolean": 1, "array": 1}.get(kind, 0)]
        if kind == "object":
            ends[kind] = from_key[: from_key.find("{")]
    return _call_marks(
        marks._replace(closes=closes),
        name_ends=before_key[: len(before_key) - len(key_opens)].strip(),
        key_opens=key_opens.strip(),
        key_ends=key_ends.strip(),
        other_key_ends=tuple(
            (kind, end.strip()) for kind, end in ends.items() if end.strip() != key_ends.strip()
        ),
        value_ends=value_ends.strip(),
        is_padded=key_ends.endswith("\n") and value_ends.startswith("\n"),
    )


def _json_tags(rendered: str) -> JsonTags | None:
    """Return the tags around JSON calls."""
    opening = re.search(r"\[\s*\{|\{", rendered)
    start = opening.start() if opening else -1
    try:
        value, end = json.JSONDecoder().raw_decode(rendered, start)
    except ValueError:
        return None
    in_list = isinstance(value, list)
    call = value[0] if in_list else value
    opens = rendered[:start].strip()
    if not opens or not isinstance(call, dict):
        return None
    keys = {json.dumps(item): key for key, item in call.items()}
    arguments = json.dumps({_KEY: _TEXT, _KEY_2: _TEXT_2})
    function = call.get("function")
    if isinstance(function, dict):
        return None
    is_keyed = list(call) == [_FIRST]
    return JsonTags(
        opens=(opens,),
        closes=rendered[end:].strip(),
        in_list=in_list,
        is_keyed=is_keyed,
        name_key=keys.get(json.dumps(_FIRST), "name"),
        arguments_key=keys.get(arguments, "arguments"),
        id_key=None,
    )


def _common_start(first: str, second: str) -> str:
    """Return the common prefix, without a tag that it ends in the middle of."""
    common = common_prefix((first, second))
    tag = common.rfind("<")
    is_cut = tag > common.rfind(">") and any(">" in text[len(common) :] for text in (first, second))
    return common[:tag] if is_cut else common


def _common_end(first: str, second: str) -> str:
    """Return the common suffix, without a tag that it begins in the middle of."""
    common = common_prefix((first[::-1], second[::-1]))[::-1]
    heads = (text[: len(text) - len(common)] for text in (first, second))
    is_cut = any(head.rfind("<") > head.rfind(">") for head in heads) and ">" in common
    return common[common.index(">") + 1 :] if is_cut else common


# Render tool calls with a chat template, and extract them from the rest of the conversation


_NEEDLE: Final = "Zneedle."
_QUESTION: Final = text_message(Role.USER, "Zquestion?")
_ANSWER: Final = text_message(Role.ASSISTANT, _NEEDLE)
_FIRST_MARK: Final = re.compile(r"\s*(<[^<>]*>|\[[^\[\]]*\]|\S+)")


def call_renderer(
    template: ChatTemplate, *, tools: tuple[ToolDefinition, ...] = PROBE_TOOLS
) -> RenderCalls | None:
    """Return a function that renders calls of ``tools`` with ``template``; ``None`` without tool support."""
    if not template.capabilities.supports_tools or not template.capabilities.supports_calls:
        return None

    def rendered(*messages: ChatMessage) -> str:
        try:
            return template.render_natively(ChatInput(messages=(_QUESTION, *messages), tools=tools)).text
        except FiresideError:
            return ""

    def render_calls(calls: Sequence[ToolCallPart]) -> str | None:
        message = ChatMessage(role=Role.ASSISTANT, parts=tuple(calls))
        answer, text = rendered(_ANSWER), rendered(message)
        if answer.count(_NEEDLE) == 1 and calls[0].name in text[text.rfind(_QUESTION.text) :]:
            return _difference(text, answer)
        # Some templates render calls only together with their results.
        results = [
            ChatMessage(role=Role.TOOL, parts=(ToolResultPart(call_id=call.id, name=call.name, text="R"),))
            for call in calls
        ]
        return _through_end_mark(rendered(message, *results), rendered(_ANSWER, _QUESTION))

    return render_calls


def _difference(text: str, answer: str) -> str | None:
    """Return the part of ``text`` that is in place of the needle in ``answer``."""
    start = _start(text, answer)
    if start is None:
        return None
    rest, after_needle = text[start:], answer[answer.index(_NEEDLE) + len(_NEEDLE) :]
    end = len(rest) - len(common_prefix((rest[::-1], after_needle[::-1])))
    if rest.rfind("<", 0, end) > rest.rfind(">", 0, end) and ">" in rest[end:]:
        end = rest.index(">", end) + 1
    return rest[:end]


def _through_end_mark(text: str, answer: str) -> str | None:
    """Return the part of ``text`` in place of the needle in ``answer``, up to the mark that ends answers."""
    start = _start(text, answer)
    if start is None:
        return None
    mark = _FIRST_MARK.match(answer, answer.index(_NEEDLE) + len(_NEEDLE))
    end = text.find(mark[1], start) if mark else -1
    return text[start:end] if end >= 0 else None


def _start(text: str, answer: str) -> int | None:
    """Return where an answer begins; ``None`` where more differs than the answer."""
    head, needle, _ = answer.partition(_NEEDLE)
    start = len(common_prefix((text, head)))
    if not needle or start < answer.find(_QUESTION.text):
        return None
    # Not from the middle of a tag.
    tag = text.rfind("<", 0, start)
    return tag if tag > text.rfind(">", 0, start) else start
