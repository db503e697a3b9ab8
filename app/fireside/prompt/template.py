"""Word a conversation the way its model was taught: the model's own template, or one that suits it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime

from fireside.core.errors import TemplateFailed
from fireside.core.message import ChatMessage, ReasoningPart, Role, texts_of
from fireside.prompt.checks import check_messages
from fireside.prompt.content import LookedInside, StandIns, choose_marks, move_seams
from fireside.prompt.fallbacks import fallback_template
from fireside.prompt.rendering import SandboxedTemplate, TemplateBroken
from fireside.prompt.sandbox import TemplateRefused
from fireside.prompt.segments import Prompt
from fireside.prompt.turns import REPAIRS, Messages


def _local_now() -> datetime:
    return datetime.now().astimezone()


class ChatTemplate:
    """The chat template of one model. Used by one thread at a time.

    Args:
        source: Jinja source from the model file; ``None`` or blank for a model without one.
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
        bos_token: str = "",
        eos_token: str = "",
        control_tokens: Sequence[str] = (),
        now: Callable[[], datetime] = _local_now,
    ) -> None:
        self.stop: tuple[str, ...] = ()
        """Texts that end an answer besides the model's own end tokens."""
        if source is None or not source.strip():
            fallback = fallback_template(architecture=architecture, control_tokens=control_tokens)
            source, self.stop = fallback.source, fallback.stop
        self._variables = {"bos_token": bos_token, "eos_token": eos_token, "tools": None, "documents": None}
        self._control_text = _any_of(control_tokens)
        self._now = now
        self._order = list(REPAIRS)
        try:
            self._template = SandboxedTemplate(source)
        except TemplateBroken as exc:
            raise TemplateFailed(reason=f"{exc}.") from exc

    def render(self, messages: Sequence[ChatMessage]) -> Prompt:
        """Return the prompt for the next answer to ``messages``.

        Where the template refuses the order of roles or the system role, messages are joined the way other
        programs do it. What worked is tried first the next time, so that a growing conversation keeps its
        beginning, and with it its cache.

        Raises:
            InvalidText: a message holds NUL or half a character.
            TemplateFailed: the template refused every wording, or is broken, or did not end.
        """
        check_messages(messages)
        refusal: Exception | None = None
        for repair in list(self._order):
            candidate = repair(tuple(messages))
            if refusal is not None and candidate == tuple(messages):
                continue
            try:
                prompt = self._word(candidate)
            except TemplateRefused as exc:
                refusal = refusal or exc
                continue
            except TemplateBroken as exc:
                raise TemplateFailed(reason=f"{exc}.") from exc
            self._order.remove(repair)
            self._order.insert(0, repair)
            return prompt
        raise TemplateFailed(reason=f"{refusal}.") from refusal

    def _word(self, messages: Messages) -> Prompt:
        """Render with stand-ins; with the real texts where the template must see them."""
        try:
            return self._with_stand_ins(messages)
        except LookedInside:
            return self._with_texts(messages)

    def _with_stand_ins(self, messages: Messages) -> Prompt:
        texts = [text for message in messages for part in message.parts for text in texts_of(part)]
        stand_ins = StandIns(choose_marks(texts))
        optional: set[int] = set()
        expected: dict[int, Role] = {}
        entries: list[dict[str, object]] = []
        n_marked = 0
        for message in messages:
            entry: dict[str, object] = {
                "role": message.role.value,
                "content": stand_ins.content(message.text),
            }
            if message.text.strip():
                expected[n_marked] = message.role
                n_marked += 1
            if reasoning := _reasoning(message):
                entry["reasoning_content"] = stand_ins.content(reasoning)
                optional.add(n_marked)
                n_marked += 1
            entries.append(entry)
        rendered = self._run(entries, n_chars=0, dumped=stand_ins.dumped)
        prompt, counts = stand_ins.put_back(rendered)
        if any(counts[index] == 0 for index, role in expected.items() if role is Role.SYSTEM):
            raise TemplateRefused("it leaves the system prompt out")
        if any(counts[index] != 1 for index in expected) or any(counts[index] > 1 for index in optional):
            raise LookedInside
        return move_seams(prompt)

    def _with_texts(self, messages: Messages) -> Prompt:
        """Render with the real texts, in which only what reads like a control token has a stand-in."""
        texts = [text for message in messages for part in message.parts for text in texts_of(part)]
        stand_ins = StandIns(choose_marks(texts))

        def guarded(text: str) -> str:
            if self._control_text is None:
                return text
            return self._control_text.sub(lambda match: stand_ins.add(match[0]), text)

        entries: list[dict[str, object]] = []
        for message in messages:
            entry: dict[str, object] = {"role": message.role.value, "content": guarded(message.text)}
            if reasoning := _reasoning(message):
                entry["reasoning_content"] = guarded(reasoning)
            entries.append(entry)
        try:
            rendered = self._run(entries, n_chars=sum(map(len, texts)), dumped=stand_ins.dumped)
        except LookedInside as exc:
            raise TemplateBroken("it cannot be followed") from exc
        return stand_ins.put_back(rendered)[0]

    def _run(self, entries: list[dict[str, object]], *, n_chars: int, dumped: Callable[[str], str]) -> str:
        return self._template.render(
            {**self._variables, "messages": entries, "add_generation_prompt": True},
            n_content_chars=n_chars,
            now=self._now,
            dumped=dumped,
        )


def _reasoning(message: ChatMessage) -> str:
    text = "".join(part.text for part in message.parts if isinstance(part, ReasoningPart))
    return text if text.strip() else ""


def _any_of(tokens: Sequence[str]) -> re.Pattern[str] | None:
    """A pattern for any of ``tokens``, the longest first; ``None`` for none."""
    longest_first = sorted({token for token in tokens if token}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
