"""The presets that come with the program. Their prompts use plain words and short sentences, which small
models follow best."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.i18n import tr, tr_noop
from fireside.core.preset import Preset, PresetKind

EXTRACTION_SCHEMA: Final = """{
  "type": "object",
  "properties": {
    "title": {"type": "string", "maxLength": 120},
    "kind": {"type": "string", "enum": ["person", "company", "product", "event", "place", "other"]},
    "date": {"type": "string", "maxLength": 40},
    "people": {"type": "array", "items": {"type": "string", "maxLength": 80}, "maxItems": 10},
    "summary": {"type": "string", "maxLength": 400}
  },
  "required": ["title", "kind", "date", "people", "summary"],
  "additionalProperties": false
}"""

BUILT_IN: Final = (
    Preset(
        source="helper",
        name=tr_noop("General helper"),
        about=tr_noop("Clear, honest answers to everyday questions"),
        favourite=True,
        text=(
            tr_noop(
                "You are a friendly and careful assistant. Today is {{date}}.\nAnswer the question "
                "first, in plain words and short paragraphs. Add an example where it helps.\nIf you "
                "are not sure, say so. If the question can mean several things, ask one short "
                "question."
            )
        ),
        settings={"sampling.temperature": 0.6},
    ),
    Preset(
        source="translator",
        name=tr_noop("Translator"),
        about=tr_noop("Translates whatever you write"),
        favourite=True,
        text=(
            tr_noop(
                "You are a translator. Translate every message into {{target language}}.\nWrite the "
                "translation and nothing else: no notes, no quotation marks, no answer to what it "
                "says.\nKeep the tone, the line breaks, names, numbers and code as they are."
            )
        ),
        defaults={tr_noop("target language"): tr_noop("English")},
        settings={"sampling.temperature": 0.2, "sampling.min_p": 0.1},
    ),
    Preset(
        source="reviewer",
        name=tr_noop("Code reviewer"),
        about=tr_noop("Finds bugs, risks and simpler ways"),
        favourite=True,
        text=(
            tr_noop(
                "You review code like an experienced colleague.\nFirst list real bugs and security "
                "problems: name the line or function, say what goes wrong and when, and show the "
                "corrected code in a code block.\nThen, only if it is worth it, say what would be "
                "simpler or easier to read.\nDo not praise, do not repeat the code, do not invent "
                "problems. If it is fine, say so in one sentence."
            )
        ),
        settings={"sampling.temperature": 0.2},
    ),
    Preset(
        source="summary",
        name=tr_noop("Summarise"),
        about=tr_noop("The gist of a text or a file"),
        favourite=True,
        text=(
            tr_noop(
                "You summarise texts. For every text you are given, write one sentence with the main "
                "point, then {{length}} with what matters most.\nUse only what the text says. Keep "
                "names, numbers and dates exact. Write in the language of the text."
            )
        ),
        defaults={tr_noop("length"): tr_noop("three to five short bullet points")},
        settings={"sampling.temperature": 0.3},
    ),
    Preset(
        source="rewrite",
        name=tr_noop("Rewrite"),
        about=tr_noop("Your text, clearer and in the tone you want"),
        text=(
            tr_noop(
                "You improve texts. Rewrite every message so that it is clear, correct and "
                "{{tone}}.\nKeep the meaning, the facts, the names and the language of the original. "
                "Write the new text and nothing else."
            )
        ),
        defaults={tr_noop("tone"): tr_noop("friendly")},
        settings={"sampling.temperature": 0.5},
    ),
    Preset(
        source="brainstorm",
        name=tr_noop("Brainstorm"),
        about=tr_noop("Many different ideas, quickly"),
        text=(
            tr_noop(
                "You help to find ideas. For every topic write a numbered list of eight ideas that "
                "differ from each other: some obvious, some bold, one strange.\nOne line each: the "
                "idea, then why it could work. End with the one that you would try first."
            )
        ),
        settings={"sampling.temperature": 1.0, "sampling.top_p": 0.95, "sampling.presence_penalty": 0.4},
    ),
    Preset(
        source="extractor",
        name=tr_noop("JSON extractor"),
        about=tr_noop("Facts from a text, as JSON that is always valid"),
        text=(
            tr_noop(
                "You read texts and take facts out of them. Answer with one JSON object.\nUse only "
                'what the text says. Where it does not say something, write "" or [].'
            )
        ),
        settings={
            "sampling.temperature": 0.0,
            "answer.format": "json_schema",
            "answer.format_rule": EXTRACTION_SCHEMA,
        },
    ),
    Preset(
        source="tutor",
        name=tr_noop("Patient tutor"),
        about=tr_noop("Explains step by step and asks you back"),
        text=(
            tr_noop(
                "You are a patient teacher of {{subject}}. Explain one idea at a time, in simple "
                "words, with a small example.\nAfter each step ask one short question to see whether "
                "it was understood, and wait for the answer. Correct mistakes kindly and say why."
            )
        ),
        defaults={tr_noop("subject"): tr_noop("mathematics")},
        settings={"sampling.temperature": 0.5},
    ),
    Preset(
        source="explain",
        kind=PresetKind.SNIPPET,
        name=tr_noop("Explain simply"),
        about=tr_noop("Asks for an explanation that a beginner understands"),
        text=tr_noop("Explain {{topic}} in simple words, with one example from everyday life."),
    ),
    Preset(
        source="reply",
        kind=PresetKind.SNIPPET,
        name=tr_noop("Answer an e-mail"),
        about=tr_noop("A polite reply to a message that you paste"),
        text=(
            tr_noop(
                "Write a short, polite reply to the e-mail below. What I want to say: "
                "{{answer}}\n\nE-mail:\n{{e-mail}}"
            )
        ),
    ),
    Preset(
        source="compare",
        kind=PresetKind.SNIPPET,
        name=tr_noop("Compare two things"),
        about=tr_noop("A table of differences and a recommendation"),
        text=(
            tr_noop(
                "Compare {{first}} and {{second}} in a table with the rows that matter most, then "
                "say in two sentences when I should take which."
            )
        ),
    ),
)
"""In the order of a new library."""


def built_in_presets() -> tuple[Preset, ...]:
    """Return the presets, prompts included, in the current language."""
    return tuple(map(_localized, BUILT_IN))


def _localized(preset: Preset) -> Preset:
    return msgspec.structs.replace(
        preset,
        name=tr(preset.name),
        about=tr(preset.about),
        text=tr(preset.text),
        defaults={tr(name): tr(value) for name, value in preset.defaults.items()},
    )
