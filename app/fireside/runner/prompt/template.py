"""Word a conversation the way its model was taught: the model's own template, or one that suits it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import msgspec

from fireside.core.errors import InvalidParameter, TemplateFailed
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.message import ChatMessage, Role, text_message
from fireside.core.prompt_input import ChatInput
from fireside.runner.prompt.capabilities import Entries, find_out
from fireside.runner.prompt.content_modes import AsWritten, WithPlaceholders
from fireside.runner.prompt.control_token_guard import Guard
from fireside.runner.prompt.conversation_turns import REPAIRS, Messages
from fireside.runner.prompt.fallbacks import fallback_template
from fireside.runner.prompt.openai_messages import Request, entries_of, texts_of_request
from fireside.runner.prompt.placeholders import LookedInside, Placeholders, choose_marks, move_seams
from fireside.runner.prompt.reasoning import SWITCHES, reasoning_variables
from fireside.runner.prompt.rendering import SandboxedTemplate, TemplateBroken, TemplateEndless
from fireside.runner.prompt.sandbox import TemplateRefused
from fireside.runner.prompt.segments import Prompt, Segment, prompt_of
from fireside.runner.prompt.text_checks import check_messages
from fireside.runner.prompt.tools import (
    template_arguments,
    template_tools,
    with_calls_in_words,
    with_results_in_words,
    with_tools_in_words,
)


def _local_now() -> datetime:
    return datetime.now().astimezone()


class ChatTemplate:
    """The chat template of one model. Used by one thread at a time.

    Args:
        source: Jinja source from the model file; ``None`` or blank for a model without one.
        tool_source: the one for conversations with tools, where the file has two; or its only one.
        architecture: ``general.architecture`` of the file; chooses a template where there is none.
        bos_token, eos_token: texts of those tokens, empty where the model has none.
        control_tokens: texts of all control tokens of the vocabulary.
        now: the time that a template may print.

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
        """Texts that end an answer besides the model's own end tokens."""
        self.fallback: str = ""
        """Name of the template that stands in for a missing one; empty for the model's own."""
        if source is None or not source.strip():
            source, tool_source = tool_source, None
        if source is None or not source.strip():
            fallback = fallback_template(architecture=architecture, control_tokens=control_tokens)
            source, self.stop, self.fallback = fallback.source, fallback.stop, fallback.name
        self.source = source
        self._variables = {"bos_token": bos_token, "eos_token": eos_token, "documents": None}
        self._guard = Guard(control_tokens)
        self._now = now
        self._is_endless = False
        try:
            self._template = SandboxedTemplate(source)
        except TemplateBroken as exc:
            raise TemplateFailed(reason=_reason(exc)) from exc
        self.capabilities = find_out(self._attempt)
        """What the template can word, found out by a few small renderings."""
        self.for_tools = self
        """The template that words conversations with tools."""
        if tool_source is not None and tool_source.strip():
            self.for_tools = ChatTemplate(
                tool_source,
                architecture=architecture,
                bos_token=bos_token,
                eos_token=eos_token,
                control_tokens=control_tokens,
                now=now,
            )

    @property
    def knows_reasoning_switch(self) -> bool:
        """Whether reasoning can be turned on and off, or up and down."""
        return bool(self._template.variables & SWITCHES)

    @property
    def takes_system(self) -> bool:
        """Whether a system prompt has a place of its own; else it goes in front of the first question."""
        return self.capabilities.takes_system

    @property
    def takes_tools(self) -> bool:
        """Whether the model was taught a way to call tools; else it is told one in words."""
        return self.capabilities.takes_tools

    def render(self, chat: ChatInput) -> Prompt:
        """Return the prompt for the next answer in ``chat``.

        Where the template refuses the order of roles or the system role, messages are joined the way other
        programs do it, as little as it takes. One conversation is always worded alike, whatever was rendered
        before, so that it finds its cache again.

        Raises:
            InvalidText: a text holds NUL or half a character.
            InvalidParameter: tools, their choice, or arguments of calls are not what they must be, or there
                is no answer to go on with.
            TemplateFailed: the template refused every wording, or is broken, or did not end.
        """
        check_messages(chat.messages)
        if chat.continue_final:
            _check_continuable(chat)
        if self.for_tools is not self and (chat.tools or _has_calls(chat)):
            return self.for_tools.render(chat)
        failure: TemplateFailed | None = None
        for request in self._requests(chat):
            try:
                return self._first_accepted(request)
            except TemplateFailed as exc:
                failure = failure or exc
            if chat.continue_final:
                return self._continued(request)
        raise failure or TemplateFailed(reason=tr_noop("it produces no text."))

    def render_as_taught(self, chat: ChatInput) -> Prompt:
        """Return the prompt as ``render`` does, and never with tools or calls in plain words.

        Raises:
            TemplateFailed: the template does not word it.
        """
        return self._first_accepted(next(self._requests(chat)))

    def _requests(self, chat: ChatInput) -> Iterator[Request]:
        """Ways to word ``chat``: with what the template knows of tools, if anything, then in plain words.

        A template that knows tools may still fail with some, such as those without descriptions.
        """
        tools = template_tools(chat)
        has_calls = _has_calls(chat)
        can = self.capabilities
        if can.takes_tools or not tools:
            messages = chat.messages
            if has_calls and not can.takes_calls:
                messages = with_calls_in_words(messages)
            if has_calls and not can.takes_results:
                messages = with_results_in_words(messages)
            yield self._request(chat, messages, tools=tools)
        if tools or has_calls:
            messages = with_results_in_words(with_calls_in_words(chat.messages))
            yield self._request(chat, with_tools_in_words(messages, chat) if tools else messages, tools=[])

    def _request(self, chat: ChatInput, messages: Messages, *, tools: list[dict[str, Any]]) -> Request:
        return Request(
            messages=messages,
            tools=tuple(tools),
            variables=reasoning_variables(chat.reasoning, names=self._template.variables, source=self.source)
            | template_arguments(chat),
            continue_final=chat.continue_final,
        )

    def _first_accepted(self, request: Request) -> Prompt:
        refusal: Exception | None = None
        for repair in REPAIRS:
            candidate = msgspec.structs.replace(request, messages=repair(request.messages))
            if refusal is not None and candidate.messages == request.messages:
                continue
            try:
                prompt = self._word(candidate)
            except TemplateRefused as exc:
                refusal = refusal or exc
                continue
            except TemplateBroken as exc:
                raise TemplateFailed(reason=_reason(exc)) from exc
            return prompt
        raise TemplateFailed(reason=_reason(refusal)) from refusal

    def _continued(self, request: Request) -> Prompt:
        """Write the unfinished answer behind the prompt that led to it, whatever the template makes of it."""
        *before, final = request.messages
        if not before:
            before = [text_message(Role.USER, "(The conversation begins.)")]
        prompt = self._first_accepted(
            msgspec.structs.replace(request, messages=tuple(before), continue_final=False)
        )
        words = _unfinished_words(final, message=len(before), opening=prompt.opening)
        return prompt_of([*prompt.segments, *words], images=prompt.images)

    def _word(self, request: Request) -> Prompt:
        """Render with placeholders; with the real texts where the template must see them."""
        try:
            return self._with_stand_ins(request)
        except LookedInside:
            return self._with_texts(request)

    def _with_stand_ins(self, request: Request) -> Prompt:
        stand_ins = Placeholders(choose_marks(texts_of_request(request)))
        wording = WithPlaceholders(stand_ins, self._guard)
        entries = entries_of(request, wording=wording, can=self.capabilities)
        tools = wording.data(list(request.tools))
        rendered = self._run(request, entries, tools, n_chars=0, stand_ins=stand_ins)
        prompt, counts = stand_ins.put_back(rendered)
        wording.check(counts)
        if not _shows_all_images(prompt):
            raise LookedInside
        return move_seams(prompt)

    def _with_texts(self, request: Request) -> Prompt:
        """Render with the real texts, in which only what reads like a control token has a placeholder."""
        texts = texts_of_request(request)
        stand_ins = Placeholders(choose_marks(texts))
        wording = AsWritten(stand_ins, self._guard)
        entries = entries_of(request, wording=wording, can=self.capabilities)
        tools = wording.data(list(request.tools))
        try:
            rendered = self._run(request, entries, tools, n_chars=sum(map(len, texts)), stand_ins=stand_ins)
        except LookedInside as exc:
            raise TemplateBroken(tr_noop("it cannot be followed")) from exc
        prompt, _ = stand_ins.put_back(rendered)
        if not _shows_all_images(prompt):
            raise TemplateRefused(tr_noop("it leaves an image out"))
        return prompt

    def _run(
        self,
        request: Request,
        entries: list[dict[str, Any]],
        tools: object,
        *,
        n_chars: int,
        stand_ins: Placeholders,
    ) -> str:
        variables = {
            **self._variables,
            **request.variables,
            "messages": entries,
            **self._tool_variables(
                tools or ([] if self.capabilities.iterates_no_tools else None), dumped=stand_ins.dumped
            ),
            "add_generation_prompt": not request.continue_final,
        }
        rendered = self._template.render(
            variables, n_content_chars=n_chars, now=self._now, dumped=stand_ins.dumped
        )
        if not request.continue_final:
            return rendered
        cut = stand_ins.cut_at_end(rendered)
        if cut is None:
            raise TemplateRefused(tr_noop("it cannot leave an answer unfinished"))
        return cut

    def _tool_variables(self, tools: Any, *, dumped: Callable[[str], str] = str) -> dict[str, object]:
        """SmolLM3 knows its tools by another name, and a second kind of them under the usual one.

        FireFunction takes them as JSON text, and the date.
        """
        known = self._template.variables
        if "functions" in known and "tools" not in known:
            text = dumped(json.dumps(tools, ensure_ascii=False, indent=2)) if tools else ""
            return {"functions": text, "datetime": self._now().strftime("%b %d %Y")}
        name = "xml_tools" if "xml_tools" in known else "tools"
        return {"tools": None, name: tools}

    def _attempt(self, entries: Entries, tools: Entries | None) -> str | None:
        """Render a small conversation of our own; ``None`` if the template does not."""
        if self._is_endless:
            return None
        variables = {
            **self._variables,
            **self._tool_variables(tools),
            "messages": entries,
            "add_generation_prompt": True,
        }
        try:
            return self._template.render(variables, n_content_chars=0, now=self._now)
        except TemplateEndless:
            # Once is enough to wait for it.
            self._is_endless = True
        except (TemplateBroken, TemplateRefused):
            pass
        return None


def _has_calls(chat: ChatInput) -> bool:
    return any(message.role is Role.TOOL or message.tool_calls for message in chat.messages)


def _reason(failure: Exception | None) -> Phrase:
    """Return what a template stumbled over, as the end of a sentence."""
    why = failure.args[0] if failure is not None and failure.args else str(failure)
    return Phrase(tr_noop("{why}."), {"why": why if isinstance(why, Phrase) else Phrase(str(why))})


def _check_continuable(chat: ChatInput) -> None:
    """Raise ``InvalidParameter`` unless the last message is an answer that can be gone on with."""
    final = chat.messages[-1] if chat.messages else None
    if final is None or final.role is not Role.ASSISTANT:
        reason = tr_noop("the last message is not an answer to continue.")
    elif final.tool_calls:
        reason = tr_noop("the last message ends with a complete tool call.")
    else:
        return
    raise InvalidParameter(name="continue_final", reason=reason)


def _shows_all_images(prompt: Prompt) -> bool:
    shown = [segment.image for segment in prompt.segments if segment.image is not None]
    return shown == list(range(len(prompt.images)))


def _unfinished_words(final: ChatMessage, *, message: int, opening: str) -> list[Segment]:
    """Return what of an unfinished answer stands behind the scaffold ``opening``.

    Its reasoning only where the scaffold opens some: elsewhere it is not known how the model would write it.
    """

    def words(text: str) -> Segment:
        return Segment(text=text, special=False, role=Role.ASSISTANT, message=message)

    if not opening.rstrip().endswith("<think>"):
        return [words(final.text)]
    if not final.text.strip():
        return [words(final.reasoning)]
    return [words(final.reasoning), Segment(text="\n</think>\n\n", special=True), words(final.text)]


_N_REMEMBERED: Final = 16


class TemplateChoice:
    """Keeps the templates that requests brought. Used by one thread at a time.

    Args:
        make: compiles a template of the same model. Raises ``TemplateFailed``.
    """

    def __init__(self, own: ChatTemplate, *, make: Callable[[str], ChatTemplate]) -> None:
        self._own = own
        self.compiled = lru_cache(maxsize=_N_REMEMBERED)(make)
        """Returns the template of a source."""

    def render(self, chat: ChatInput) -> Prompt:
        """Return the prompt of a conversation. Raises as ``ChatTemplate.render`` and ``make`` do."""
        return (self.compiled(chat.template) if chat.template.strip() else self._own).render(chat)
