"""Render conversations with the model's own chat template, or a fallback that suits it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, assert_never

import msgspec

from fireside.core.errors import InvalidParameter, TemplateFailed
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.message import ChatMessage, PerceivedPart, Role, text_message
from fireside.core.prompt_input import ChatInput, ReasoningEffort
from fireside.runner.prompt.capabilities import TemplateMessages, probe_capabilities
from fireside.runner.prompt.conversation_turns import REPAIRS, Messages, begin_with_user
from fireside.runner.prompt.fallbacks import fallback_template
from fireside.runner.prompt.openai_messages import (
    ContentInfo,
    RenderRequest,
    request_texts,
    template_messages,
)
from fireside.runner.prompt.placeholders import (
    ContentInspected,
    Placeholders,
    choose_delimiters,
    move_trailing_spaces,
)
from fireside.runner.prompt.rendering import SandboxedTemplate, TemplateBroken, TemplateTimeout
from fireside.runner.prompt.sandbox import TemplateRefused
from fireside.runner.prompt.segments import Prompt, PromptSegment, prompt_of
from fireside.runner.prompt.text_checks import check_messages, check_text
from fireside.runner.prompt.tools import (
    template_arguments,
    template_tools,
    with_calls_as_text,
    with_lone_results_as_text,
    with_results_as_text,
    with_tools_as_text,
)

# Prevent user data from being read as control tokens where a template must see the text itself.
#
# Names, schemas and arguments of tools are data that templates iterate over, so they cannot be placeholders
# as messages are. Only what could be read as a control token is replaced by one: a whole token in a text,
# and the beginning or end of one at the edge of a text, which the template's own text around it could
# complete.

Add = Callable[[str], str]
"""Registers a text and returns its placeholder."""


class ControlTokenGuard:
    """Replaces the control tokens of one vocabulary in texts and JSON data by placeholders."""

    def __init__(self, control_tokens: Sequence[str]) -> None:
        tokens = sorted({token for token in control_tokens if token}, key=len, reverse=True)
        self._tokens = re.compile("|".join(map(re.escape, tokens))) if tokens else None
        self._heads = frozenset(token[:n] for token in tokens for n in range(1, len(token)))
        self._tails = frozenset(token[-n:] for token in tokens for n in range(1, len(token)))
        self._all = tuple(tokens)
        self._longest = len(tokens[0]) if tokens else 0

    def text(self, text: str, add: Add) -> str:
        """Return ``text`` with placeholders for all control tokens in it."""
        return self._tokens.sub(lambda match: add(match[0]), text) if self._tokens else text

    def data(self, value: object, add: Add) -> object:
        """Return JSON data with placeholders in all strings, keys included.

        Raises:
            InvalidText: a string contains NUL or a lone surrogate.
        """
        match value:
            case str():
                check_text(value)
                return self._edged(value, add)
            case dict():
                return {self.data(key, add): self.data(item, add) for key, item in value.items()}
            case list():
                return [self.data(item, add) for item in value]
            case _:
                return value

    def _edged(self, text: str, add: Add) -> str:
        if self._tokens is None or not text:
            return text
        if self._is_inside(text):
            return add(text)
        longest = range(min(self._longest, len(text)) - 1, 0, -1)
        n_head = next((n for n in longest if text[:n] in self._tails), 0)
        n_tail = next((n for n in longest if text[-n:] in self._heads), 0)
        n_head, n_tail = _unless_word(text[:n_head]), _unless_word(text[len(text) - n_tail :])
        if n_head + n_tail > len(text):
            return add(text)
        head, middle, tail = text[:n_head], text[n_head : len(text) - n_tail], text[len(text) - n_tail :]
        return (add(head) if head else "") + self.text(middle, add) + (add(tail) if tail else "")

    def _is_inside(self, text: str) -> bool:
        """Whether a control token is ``text`` with something around it, or ``text`` itself."""
        if len(text) > self._longest or not _unless_word(text):
            return False
        return any(text in token for token in self._all)


def _unless_word(edge: str) -> int:
    """Return the length of ``edge``; 0 for a plain word, which no template completes to a control token."""
    return 0 if edge.replace("_", "").isalnum() else len(edge)


def _local_now() -> datetime:
    return datetime.now().astimezone()


class ChatTemplate:
    """The chat template of one model. Used by one thread at a time.

    Args:
        source: Jinja source from the model file; ``None`` or blank for a model without one.
        tool_source: source for conversations with tools, where the file has a second one; or its only one.
        architecture: ``general.architecture`` of the file; chooses the fallback.
        bos_token, eos_token: texts of those tokens, empty where the model has none.
        control_tokens: texts of all control tokens of the vocabulary.
        now: returns the time that a template may print.

    Raises:
        TemplateFailed: the source cannot be compiled.
    """

    def __init__(
        self,
        source: str | None,
        *,
        architecture: str,
        tool_source: str | None = None,
        bos_token: str = "",
        eos_token: str = "",
        control_tokens: Sequence[str] = (),
        now: Callable[[], datetime] = _local_now,
    ) -> None:
        self.stop: tuple[str, ...] = ()
        """Stop strings in addition to the model's end-of-generation tokens."""
        self.fallback: str = ""
        """Name of the fallback template; empty for the model's own."""
        if source is None or not source.strip():
            source, tool_source = tool_source, None
        if source is None or not source.strip():
            fallback = fallback_template(architecture=architecture, control_tokens=control_tokens)
            source, self.stop, self.fallback = fallback.source, fallback.stop, fallback.name
        # An editor's byte order mark is not a part of the prompt.
        self.source = source = source.removeprefix("\ufeff")
        self._variables = {"bos_token": bos_token, "eos_token": eos_token, "documents": None}
        self._guard = ControlTokenGuard(control_tokens)
        self._now = now
        self._timed_out = False
        try:
            self._template = SandboxedTemplate(source)
        except TemplateBroken as exc:
            raise TemplateFailed(reason=_reason(exc)) from exc
        self.capabilities = probe_capabilities(self._attempt)
        """What the template supports, as probed by a few small renderings."""
        self.tool_template = self
        """The template for conversations with tools."""
        if tool_source is not None and tool_source.strip():
            self.tool_template = ChatTemplate(
                tool_source,
                architecture=architecture,
                bos_token=bos_token,
                eos_token=eos_token,
                control_tokens=control_tokens,
                now=now,
            )

    @property
    def has_reasoning_switch(self) -> bool:
        """Whether the template can turn reasoning on and off, or change its effort."""
        return bool(self._template.variables & SWITCHES)

    def render(self, chat: ChatInput) -> Prompt:
        """Return the prompt for the next answer in ``chat``.

        Where the template refuses the order of roles or the system role, messages are joined as in other
        programs, as few as possible. The same conversation is always rendered alike, whatever was rendered
        before, so that it hits the prompt cache.

        Raises:
            InvalidText: a text contains NUL or a lone surrogate.
            InvalidParameter: invalid tools, tool choice or call arguments, or no answer to continue.
            TemplateFailed: the template refused every variant, is broken, or timed out.
        """
        check_messages(chat.messages)
        if chat.continue_final:
            _check_continuable(chat)
        if self.tool_template is not self and (chat.tools or _has_calls(chat)):
            return self.tool_template.render(chat)
        failure: TemplateFailed | None = None
        for request in self._requests(chat):
            try:
                return self._first_accepted(request)
            except TemplateFailed as exc:
                is_as_sent = len(request.messages) == len(chat.messages)
                failure = failure or (exc if is_as_sent else TemplateFailed(reason=exc.reason))
            if chat.continue_final:
                return self._continued(request)
        raise failure or TemplateFailed(reason=tr_noop("it produces no text."))

    def render_natively(self, chat: ChatInput) -> Prompt:
        """Return the prompt as ``render`` does, but never with tools or calls as plain text.

        Raises:
            TemplateFailed: the template does not support it.
        """
        return self._first_accepted(next(self._requests(chat)))

    def _requests(self, chat: ChatInput) -> Iterator[RenderRequest]:
        """Yield variants of ``chat``: with the template's own tool support, if any, then as plain text.

        A template with tool support may still fail for some tools, such as those without descriptions.
        """
        tools = template_tools(chat)
        has_calls = _has_calls(chat)
        capabilities = self.capabilities
        if capabilities.supports_tools or not tools:
            messages = chat.messages
            if has_calls and not capabilities.supports_calls:
                messages = with_calls_as_text(messages)
            if has_calls and not capabilities.supports_results:
                messages = with_results_as_text(messages)
            elif has_calls and not capabilities.supports_lone_results:
                messages = with_lone_results_as_text(messages)
            if has_calls and capabilities.calls_need_user:
                messages = begin_with_user(messages)
            yield self._request(chat, messages, tools=tools)
        if tools or has_calls:
            messages = with_results_as_text(with_calls_as_text(chat.messages))
            yield self._request(chat, with_tools_as_text(messages, chat) if tools else messages, tools=[])

    def _request(self, chat: ChatInput, messages: Messages, *, tools: list[dict[str, Any]]) -> RenderRequest:
        return RenderRequest(
            messages=messages,
            tools=tuple(tools),
            variables=reasoning_variables(chat.reasoning, names=self._template.variables, source=self.source)
            | template_arguments(chat),
            continue_final=chat.continue_final,
        )

    def _first_accepted(self, request: RenderRequest) -> Prompt:
        try:
            return self._repaired(request)
        except TemplateRefused as exc:
            raise TemplateFailed(reason=_reason(exc), index=self._refused_index(request)) from exc

    def _refused_index(self, request: RenderRequest) -> int | None:
        """Return the first message with which the template refuses what it accepts before; ``None`` if it
        accepts nothing."""

        def accepts(n: int) -> bool:
            beginning = msgspec.structs.replace(request, messages=request.messages[:n], continue_final=False)
            try:
                self._repaired(beginning)
            except (TemplateRefused, TemplateFailed):
                return False
            return True

        refused = len(request.messages)
        accepted = next((n for n in (1, 2) if n < refused and accepts(n)), None)
        while accepted is not None and refused - accepted > 1:
            middle = (accepted + refused) // 2
            accepted, refused = (middle, refused) if accepts(middle) else (accepted, middle)
        return accepted

    def _repaired(self, request: RenderRequest) -> Prompt:
        refusal: Exception | None = None
        for repair in REPAIRS:
            candidate = msgspec.structs.replace(request, messages=repair(request.messages))
            if refusal is not None and candidate.messages == request.messages:
                continue
            try:
                return self._render(candidate)
            except TemplateRefused as exc:
                refusal = refusal or exc
            except TemplateBroken as exc:
                # Templates take the system messages out, and then look at the last of none.
                if any(message.role is not Role.SYSTEM for message in candidate.messages):
                    raise TemplateFailed(reason=_reason(exc)) from exc
                refusal = refusal or exc
        raise TemplateRefused(*(refusal.args if refusal is not None else ())) from refusal

    def _continued(self, request: RenderRequest) -> Prompt:
        """Append the unfinished answer to the prompt that led to it, without the template's help."""
        *before, final = request.messages
        if not before:
            before = [text_message(Role.USER, "(The conversation begins.)")]
        prompt = self._first_accepted(
            msgspec.structs.replace(request, messages=tuple(before), continue_final=False)
        )
        segments = _unfinished_segments(
            final, message=len(before), generation_prompt=prompt.generation_prompt
        )
        return prompt_of([*prompt.segments, *segments], images=prompt.images)

    def _render(self, request: RenderRequest) -> Prompt:
        """Render with placeholders, or with the real texts where the template inspects them."""
        try:
            return self._render_with_placeholders(request)
        except ContentInspected:
            return self._render_with_texts(request)

    def _render_with_placeholders(self, request: RenderRequest) -> Prompt:
        placeholders = Placeholders(choose_delimiters(request_texts(request)))
        mode = PlaceholderContent(placeholders, self._guard)
        entries = template_messages(request, mode=mode, capabilities=self.capabilities)
        tools = mode.data(list(request.tools))
        rendered = self._render_source(request, entries, tools, n_chars=0, placeholders=placeholders)
        prompt, counts = placeholders.restore(rendered)
        mode.check(counts)
        if not _shows_all_images(prompt):
            raise ContentInspected
        return move_trailing_spaces(prompt)

    def _render_with_texts(self, request: RenderRequest) -> Prompt:
        """Render with the real texts, in which only what reads like a control token is a placeholder."""
        texts = request_texts(request)
        placeholders = Placeholders(choose_delimiters(texts))
        mode = LiteralContent(placeholders, self._guard)
        entries = template_messages(request, mode=mode, capabilities=self.capabilities)
        tools = mode.data(list(request.tools))
        try:
            rendered = self._render_source(
                request, entries, tools, n_chars=sum(map(len, texts)), placeholders=placeholders
            )
        except ContentInspected as exc:
            raise TemplateBroken(tr_noop("it cannot be followed")) from exc
        prompt, _ = placeholders.restore(rendered)
        if not _shows_all_images(prompt):
            raise TemplateRefused(tr_noop("it leaves an image out"))
        return prompt

    def _render_source(
        self,
        request: RenderRequest,
        entries: list[dict[str, Any]],
        tools: object,
        *,
        n_chars: int,
        placeholders: Placeholders,
    ) -> str:
        variables = {
            **self._variables,
            **request.variables,
            "messages": entries,
            **self._tool_variables(
                tools or ([] if self.capabilities.needs_tool_list else None),
                escape_json=placeholders.escape_json,
            ),
            "add_generation_prompt": not request.continue_final,
        }
        rendered = self._template.render(
            variables, n_content_chars=n_chars, now=self._now, escape_json=placeholders.escape_json
        )
        if not request.continue_final:
            return rendered
        cut = placeholders.cut_at_end(rendered)
        if cut is None:
            raise TemplateRefused(tr_noop("it cannot leave an answer unfinished"))
        return cut

    def _tool_variables(self, tools: Any, *, escape_json: Callable[[str], str] = str) -> dict[str, object]:
        """Return the variables for ``tools``.

        SmolLM3 names them ``xml_tools``, and has a second kind under the usual name. FireFunction expects
        JSON text, and the date.
        """
        variables = self._template.variables
        if "functions" in variables and "tools" not in variables:
            text = escape_json(json.dumps(tools, ensure_ascii=False, indent=2)) if tools else ""
            return {"functions": text, "datetime": self._now().strftime("%b %d %Y")}
        name = "xml_tools" if "xml_tools" in variables else "tools"
        return {"tools": None, name: tools}

    def _attempt(self, entries: TemplateMessages, tools: TemplateMessages | None) -> str | None:
        """Render a small probe conversation; ``None`` if the template refuses or fails."""
        if self._timed_out:
            return None
        variables = {
            **self._variables,
            **self._tool_variables(tools),
            "messages": entries,
            "add_generation_prompt": True,
        }
        try:
            return self._template.render(variables, n_content_chars=0, now=self._now)
        except TemplateTimeout:
            # Wait for the timeout only once.
            self._timed_out = True
        except (TemplateBroken, TemplateRefused):
            pass
        return None


def _has_calls(chat: ChatInput) -> bool:
    return any(message.role is Role.TOOL or message.tool_calls for message in chat.messages)


def _reason(failure: Exception | None) -> Phrase:
    """Return why a template failed, as the end of a sentence."""
    reason = failure.args[0] if failure is not None and failure.args else str(failure)
    return Phrase(tr_noop("{why}."), {"why": reason if isinstance(reason, Phrase) else Phrase(str(reason))})


def _check_continuable(chat: ChatInput) -> None:
    """Raise ``InvalidParameter`` unless the last message is an answer that can be continued."""
    final = chat.messages[-1] if chat.messages else None
    if final is None or final.role is not Role.ASSISTANT:
        reason = tr_noop("the last message is not an answer to continue.")
    elif final.tool_calls:
        reason = tr_noop("the last message ends with a complete tool call.")
    else:
        return
    raise InvalidParameter(name="continue_final", reason=reason)


def _shows_all_images(prompt: Prompt) -> bool:
    indices = [segment.image for segment in prompt.segments if segment.image is not None]
    return indices == list(range(len(prompt.images)))


def _unfinished_segments(final: ChatMessage, *, message: int, generation_prompt: str) -> list[PromptSegment]:
    """Return the segments of an unfinished answer after the scaffold ``generation_prompt``.

    Its reasoning only where the scaffold opens some: elsewhere the model's format is not known.
    """

    def plain(text: str) -> PromptSegment:
        return PromptSegment(text=text, special=False, role=Role.ASSISTANT, message=message)

    if not generation_prompt.rstrip().endswith("<think>"):
        return [plain(final.text)]
    if not final.text.strip():
        return [plain(final.reasoning)]
    return [plain(final.reasoning), PromptSegment(text="\n</think>\n\n", special=True), plain(final.text)]


_MAX_TEMPLATES: Final = 16


class TemplateCache:
    """Cache of templates that came with requests. Used by one thread at a time.

    Args:
        make: compiles a template of the same model. Raises ``TemplateFailed``.
    """

    def __init__(self, own: ChatTemplate, *, make: Callable[[str], ChatTemplate]) -> None:
        self._own = own
        self.compiled = lru_cache(maxsize=_MAX_TEMPLATES)(make)
        """Returns the compiled template of a source."""

    def render(self, chat: ChatInput) -> Prompt:
        """Return the prompt of a conversation. Raises as ``ChatTemplate.render`` and ``make`` do."""
        return (self.compiled(chat.template) if chat.template.strip() else self._own).render(chat)


SWITCHES: Final = frozenset(
    {"enable_thinking", "thinking", "reasoning_effort", "thinking_budget", "skip_thinking", "thinking_mode"}
)
"""Reasoning variables of published templates: Qwen3, GLM 4.5, SmolLM3, Hunyuan, Gemma 4 and many more;
DeepSeek 3.1, Granite 3, Kimi; gpt-oss and Solar; Seed; Command; MiniMax."""

_NO_EFFORT: Final = ("no_think", "none", "minimal")
_KNOWS_UNSET: Final = re.compile(r"\benable_thinking\s*(is\s+(not\s+)?defined|\|\s*d(efault)?\b)")


def reasoning_variables(mode: ReasoningEffort, *, names: Collection[str], source: str) -> dict[str, object]:
    """Return the values for those of the template's variables ``names`` that select ``mode``.

    Nothing for ``DEFAULT`` where the template has its own default. A template that only tests whether
    ``enable_thinking`` is true (DeepSeek R1's distillates, QwQ, Command R7B) was written for programs that
    set it, as llama.cpp's server does; unset, it would close the reasoning of a model that always reasons.
    Where a template cannot turn reasoning off, the lowest effort that it names is selected.
    """
    values: dict[str, object]
    match mode:
        case ReasoningEffort.DEFAULT:
            is_open = "enable_thinking" in names and _KNOWS_UNSET.search(source) is None
            return {"enable_thinking": True} if is_open else {}
        case ReasoningEffort.OFF:
            values = {"enable_thinking": False, "thinking": False, "thinking_budget": 0}
            values |= {"skip_thinking": True, "thinking_mode": "disabled"}
        case ReasoningEffort.ON | ReasoningEffort.LOW | ReasoningEffort.MEDIUM | ReasoningEffort.HIGH:
            values = {"enable_thinking": True, "thinking": True}
            values |= {"skip_thinking": False, "thinking_mode": "enabled"}
        case _:
            assert_never(mode)
    if effort := _effort(mode, source):
        values["reasoning_effort"] = effort
    return {name: value for name, value in values.items() if name in names}


def _effort(mode: ReasoningEffort, source: str) -> str | None:
    """Return the value of ``reasoning_effort``, as spelled in the template if it lists its levels."""
    off_value = next((effort for effort in _NO_EFFORT if _quotes(source, effort)), None)
    match mode:
        case ReasoningEffort.OFF:
            return off_value or "low"
        case ReasoningEffort.ON:
            # Where reasoning can be turned off, off may be the default.
            return "high" if off_value else None
        case ReasoningEffort.MEDIUM if _quotes(source, "low") and not _quotes(source, "medium"):
            return "high"
        case _:
            return mode.value


def _quotes(source: str, value: str) -> bool:
    return re.search(f"(['\"]){value}\\1", source) is not None


# The two ways to pass message contents to a template: as placeholders, or literally but guarded


class PlaceholderContent:
    """Every content is a placeholder, and must appear exactly once in the output."""

    def __init__(self, placeholders: Placeholders, guard: ControlTokenGuard) -> None:
        self._placeholders = placeholders
        self._guard = guard
        self._expected: dict[int, Role] = {}
        self._optional: set[int] = set()

    def text(self, text: str, info: ContentInfo) -> str:
        index = self._placeholders.n_placeholders
        make = self._placeholders.unfinished if info.is_unfinished else self._placeholders.content
        content = make(text, role=info.role, message=info.message)
        if text.strip():
            if info.is_optional:
                self._optional.add(index)
            else:
                self._expected[index] = info.role
        return content

    def image(self, image: PerceivedPart) -> str:
        return self._placeholders.add_image(image)

    def data(self, value: object) -> Any:
        return self._guard.data(value, self._placeholders.add)

    def check(self, counts: list[int]) -> None:
        """Check that every content was rendered.

        Raises:
            TemplateRefused: a system prompt was not.
            ContentInspected: another was not, or one several times: the template processed it.
        """
        if any(counts[index] == 0 for index, role in self._expected.items() if role is Role.SYSTEM):
            raise TemplateRefused(tr_noop("it leaves the system prompt out"))
        if any(counts[index] != 1 for index in self._expected):
            raise ContentInspected
        if any(counts[index] > 1 for index in self._optional):
            raise ContentInspected


class LiteralContent:
    """Every content is the real text, in which only what reads like a control token is a placeholder."""

    def __init__(self, placeholders: Placeholders, guard: ControlTokenGuard) -> None:
        self._placeholders = placeholders
        self._guard = guard

    def text(self, text: str, info: ContentInfo) -> str:
        guarded = self._guard.text(text, self._placeholders.add)
        return guarded + self._placeholders.end_marker if info.is_unfinished else guarded

    def image(self, image: PerceivedPart) -> str:
        return self._placeholders.add_image(image)

    def data(self, value: object) -> Any:
        return self._guard.data(value, self._placeholders.add)
