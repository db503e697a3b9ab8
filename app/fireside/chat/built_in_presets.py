"""The presets that come with the program. Plain words and short sentences: small models follow those best."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.preset import Preset, PresetKind
from fireside.core.wording import marked, tr

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
        name=marked("General helper"),
        about=marked("Clear, honest answers to everyday questions"),
        favourite=True,
        text=(
            marked(
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
        name=marked("Translator"),
        about=marked("Translates whatever you write"),
        favourite=True,
        text=(
            marked(
                "You are a translator. Translate every message into {{target language}}.\nWrite the "
                "translation and nothing else: no notes, no quotation marks, no answer to what it "
                "says.\nKeep the tone, the line breaks, names, numbers and code as they are."
            )
        ),
        defaults={marked("target language"): marked("English")},
        settings={"sampling.temperature": 0.2, "sampling.min_p": 0.1},
    ),
    Preset(
        source="reviewer",
        name=marked("Code reviewer"),
        about=marked("Finds bugs, risks and simpler ways"),
        favourite=True,
        text=(
            marked(
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
        name=marked("Summarise"),
        about=marked("The gist of a text or a file"),
        favourite=True,
        text=(
            marked(
                "You summarise texts. For every text you are given, write one sentence with the main "
                "point, then {{length}} with what matters most.\nUse only what the text says. Keep "
                "names, numbers and dates exact. Write in the language of the text."
            )
        ),
        defaults={marked("length"): marked("three to five short bullet points")},
        settings={"sampling.temperature": 0.3},
    ),
    Preset(
        source="rewrite",
        name=marked("Rewrite"),
        about=marked("Your text, clearer and in the tone you want"),
        text=(
            marked(
                "You improve texts. Rewrite every message so that it is clear, correct and "
                "{{tone}}.\nKeep the meaning, the facts, the names and the language of the original. "
                "Write the new text and nothing else."
            )
        ),
        defaults={marked("tone"): marked("friendly")},
        settings={"sampling.temperature": 0.5},
    ),
    Preset(
        source="brainstorm",
        name=marked("Brainstorm"),
        about=marked("Many different ideas, quickly"),
        text=(
            marked(
                "You help to find ideas. For every topic write a numbered list of eight ideas that "
                "differ from each other: some obvious, some bold, one strange.\nOne line each: the "
                "idea, then why it could work. End with the one that you would try first."
            )
        ),
        settings={"sampling.temperature": 1.0, "sampling.top_p": 0.95, "sampling.presence_penalty": 0.4},
    ),
    Preset(
        source="extractor",
        name=marked("JSON extractor"),
        about=marked("Facts from a text, as JSON that is always valid"),
        text=(
            marked(
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
        name=marked("Patient tutor"),
        about=marked("Explains step by step and asks you back"),
        text=(
            marked(
                "You are a patient teacher of {{subject}}. Explain one idea at a time, in simple "
                "words, with a small example.\nAfter each step ask one short question to see whether "
                "it was understood, and wait for the answer. Correct mistakes kindly and say why."
            )
        ),
        defaults={marked("subject"): marked("mathematics")},
        settings={"sampling.temperature": 0.5},
    ),
    Preset(
        source="explain",
        kind=PresetKind.SNIPPET,
        name=marked("Explain simply"),
        about=marked("Asks for an explanation that a beginner understands"),
        text=marked("Explain {{topic}} in simple words, with one example from everyday life."),
    ),
    Preset(
        source="reply",
        kind=PresetKind.SNIPPET,
        name=marked("Answer an e-mail"),
        about=marked("A polite reply to a message that you paste"),
        text=(
            marked(
                "Write a short, polite reply to the e-mail below. What I want to say: "
                "{{answer}}\n\nE-mail:\n{{e-mail}}"
            )
        ),
    ),
    Preset(
        source="compare",
        kind=PresetKind.SNIPPET,
        name=marked("Compare two things"),
        about=marked("A table of differences and a recommendation"),
        text=(
            marked(
                "Compare {{first}} and {{second}} in a table with the rows that matter most, then "
                "say in two sentences when I should take which."
            )
        ),
    ),
)
"""In the order in which a new library has them."""


def built_in_presets() -> tuple[Preset, ...]:
    """Return them in the language in force, with what they tell the model."""
    return tuple(map(_said, BUILT_IN))


def _said(preset: Preset) -> Preset:
    return msgspec.structs.replace(
        preset,
        name=tr(preset.name),
        about=tr(preset.about),
        text=tr(preset.text),
        defaults={tr(name): tr(value) for name, value in preset.defaults.items()},
    )
