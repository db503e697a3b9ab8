"""Record what the reference renderer, ``transformers``, makes of the cases with each template.

Run by hand where ``transformers`` is installed:

    python tests/unit/runner/prompt/record_templates.py            # records templates/*.jinja
    python tests/unit/runner/prompt/record_templates.py FOLDER     # compares with all templates of a folder
"""

from __future__ import annotations

import json
import sys
from datetime import datetime, tzinfo
from pathlib import Path

TESTS = Path(__file__).parents[3]
sys.path.insert(0, str(TESTS))

from transformers.utils import chat_template_utils  # noqa: E402

from fakes.template_cases import (  # noqa: E402
    CASES,
    Case,
    chat_input,
    shows,
    texts_that_must_show,
    with_arguments_as_text,
    with_contents_as_lists,
)
from fireside.core.errors import FiresideError  # noqa: E402
from fireside.core.prompt_input import ReasoningEffort  # noqa: E402
from fireside.runner.prompt.template import ChatTemplate, reasoning_variables  # noqa: E402

TEMPLATES = Path(__file__).parent / "templates"
_SWITCHES: dict[ReasoningEffort, dict[str, object]] = {
    ReasoningEffort.ON: {"enable_thinking": True, "thinking": True},
    ReasoningEffort.OFF: {"enable_thinking": False, "thinking": False, "reasoning_effort": "low"},
    ReasoningEffort.HIGH: {"enable_thinking": True, "thinking": True, "reasoning_effort": "high"},
}


class _Clock(datetime):
    """The time that templates print."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> _Clock:
        return cls(2026, 3, 1, 12, 0, tzinfo=tz)


def _switches(mode: ReasoningEffort, source: str) -> dict[str, object]:
    if mode is ReasoningEffort.DEFAULT:  # which templates leave open is ours to say
        return reasoning_variables(mode, names={"enable_thinking"}, source=source)
    return _SWITCHES[mode]


def reference(source: str, case: Case) -> str | None:
    """Return the reference's prompt, or ``None`` where it refuses or leaves something out."""
    shapes = (case.messages, with_arguments_as_text(case.messages), with_contents_as_lists(case.messages))
    for messages in shapes:
        try:
            rendered, _ = chat_template_utils.render_jinja_template(
                [messages],
                tools=case.tools,
                chat_template=source,
                continue_final_message=case.continue_final,
                add_generation_prompt=not case.continue_final,
                bos_token="<s>",
                eos_token="</s>",
                **_switches(case.reasoning, source),
            )
        except Exception:  # noqa: BLE001  # a template can raise anything
            continue
        text = str(rendered[0])
        printed_by_python = "'city'" in text or "{'type'" in text
        if not printed_by_python and all(
            shows(text, text_to_show) for text_to_show in texts_that_must_show(case)
        ):
            return text
    return None


def record() -> None:
    recorded = {
        path.stem: {name: reference(path.read_text("utf-8"), case) for name, case in CASES.items()}
        for path in sorted(TEMPLATES.glob("*.jinja"))
    }
    text = json.dumps(recorded, ensure_ascii=False, indent=1)
    (TEMPLATES / "recorded.json").write_text(text + "\n", "utf-8", newline="\n")


def compare(folder: Path) -> None:
    counts = {"equal": 0, "not by the reference": 0, "different": 0, "failed": 0}
    for path in sorted(folder.glob("*.jinja")):
        source = path.read_text("utf-8")
        template = ChatTemplate(
            source, architecture="llama", bos_token="<s>", eos_token="</s>", now=_Clock.now
        )
        for name, case in CASES.items():
            expected = reference(source, case)
            try:
                got = template.render(chat_input(case)).text
            except FiresideError as exc:
                got = f"{type(exc).__name__}: {exc}"
                kind = "failed"
            else:
                kind = "not by the reference" if expected is None else "different"
            kind = "equal" if got == expected else kind
            counts[kind] += 1
            if kind in ("different", "failed"):
                sys.stdout.write(f"{path.stem} / {name}: {kind}\n  wanted {expected!r}\n  got    {got!r}\n")
    sys.stdout.write(f"{counts}\n")


if __name__ == "__main__":
    chat_template_utils.datetime = _Clock
    if len(sys.argv) > 1:
        compare(Path(sys.argv[1]))
    else:
        record()
