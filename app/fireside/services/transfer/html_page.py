"""Export the active branch as one self-contained HTML page: no script, no external resource."""

from __future__ import annotations

import base64
from html import escape
from typing import Final, assert_never

from pygments.formatters import HtmlFormatter
from pygments.style import Style

from fireside.core.attachment import clock_time
from fireside.core.i18n import language_code, tr
from fireside.core.message import (
    AudioPart,
    ContentPart,
    DocumentPart,
    ImagePart,
    PassagesPart,
    ReasoningPart,
    Role,
    TextPart,
    VideoPart,
)
from fireside.core.tool_calls import ShownCall, shown_parts
from fireside.markup.code_colours import PaperStyle, code_style
from fireside.services.transfer.export_text import (
    date_text,
    model_names,
    passages_text,
    problem_text,
    reasoning_title,
    speaker_name,
    title_text,
)
from fireside.services.transfer.markdown_html import FormulaHtml, MarkdownHtml
from fireside.storage.transcripts import ConversationTranscript, TranscriptMessage

# In case of an escaping bug, the browser is told to fetch and run nothing.
_POLICY: Final = "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'"
_IMAGE_TYPES: Final = frozenset({"image/png", "image/jpeg"})


def html_page(transcript: ConversationTranscript) -> str:
    """Return the HTML file, which follows the reader's light or dark mode."""
    title = escape(title_text(transcript))
    branch = transcript.branch()
    writer = MarkdownHtml(formulas=FormulaHtml())
    facts = (date_text(transcript.created_at), *model_names(branch))
    return f"""<!DOCTYPE html>
<html lang="{language_code().replace("_", "-")}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Fireside">
<title>{title}</title>
<style>{page_style()}</style>
</head>
<body>
<main>
<header><h1 dir="auto">{title}</h1><p class="facts">{escape(" · ".join(filter(None, facts)))}</p></header>
{"".join(_message(message, writer) for message in branch)}</main>
</body>
</html>
"""


def _message(message: TranscriptMessage, writer: MarkdownHtml) -> str:
    role = message.message.role
    body = "".join(_part(part, message, writer) for part in shown_parts(message.message.parts))
    return (
        f'<article class="{role.value}">\n<h2>{escape(speaker_name(message))}</h2>\n'
        f'<div class="body" dir="auto">{body}{status_text(message)}</div>\n</article>\n'
    )


def _part(part: ContentPart | ShownCall, message: TranscriptMessage, writer: MarkdownHtml) -> str:
    match part:
        case TextPart() if message.message.role is Role.USER:
            return f'<p class="typed">{escape(part.text)}</p>'
        case TextPart():
            return writer.render(part.text)
        case ReasoningPart():
            title = escape(reasoning_title(message))
            return f"<details><summary>{title}</summary>{writer.render(part.text)}</details>"
        case ImagePart():
            return image_html(part)
        case AudioPart():
            return audio_html(part)
        case VideoPart():
            return video_html(part)
        case DocumentPart():
            return f"<details><summary>{escape(part.name)}</summary><pre>{escape(part.text)}</pre></details>"
        case PassagesPart():
            passages = "\n\n".join(passages_text(part))
            title = escape(tr("Passages"))
            return f"<details><summary>{title}</summary><pre>{escape(passages)}</pre></details>"
        case ShownCall():
            return _call(part, writer)
        case _:
            assert_never(part)


def _call(call: ShownCall, writer: MarkdownHtml) -> str:
    sections = "".join(
        f"<p>{escape(each.heading)}</p>"
        f"<pre><code>{writer.coloured(each.text, language=each.language)}</code></pre>"
        for each in call.sections
    )
    return sections + "".join(map(image_html, call.images))


def status_text(message: TranscriptMessage) -> str:
    """Return a message's status besides its parts: that it was stopped, or failed."""
    note = problem_text(message)
    return f'<p class="note">{escape(note)}</p>' if note else ""


def image_html(part: ImagePart) -> str:
    """Return an image with its data embedded."""
    if part.media_type not in _IMAGE_TYPES:
        unknown = tr("image of unknown type")
        return f"<p><em>[{unknown}]</em></p>"
    alt = escape(part.name or tr("Image"))
    data = base64.b64encode(part.data).decode()
    return f'<p class="picture"><img alt="{alt}" src="data:{part.media_type};base64,{data}"></p>'


def audio_html(part: AudioPart) -> str:
    """Return a sound with its data embedded, and a player."""
    title = _media_title(part.name or tr("Audio"), part.seconds)
    return f"<figure><figcaption>{title}</figcaption>{_player(part, title=title)}</figure>"


def video_html(part: VideoPart) -> str:
    """Return the images of a video, each with its time, and its sound, with their data embedded."""
    title = _media_title(part.name or tr("Video"), part.seconds)
    frames = "".join(
        f'<img alt="{clock_time(frame.at_s)}" title="{clock_time(frame.at_s)}" '
        f'src="data:image/jpeg;base64,{base64.b64encode(frame.data).decode()}">'
        for frame in part.frames
    )
    player = _player(part.sound, title=title) if part.sound is not None else ""
    return f'<figure><figcaption>{title}</figcaption><div class="frames">{frames}</div>{player}</figure>'


def _media_title(name: str, seconds: float) -> str:
    return f"{escape(name)} · {clock_time(seconds)}"


def _player(sound: AudioPart, *, title: str) -> str:
    data = base64.b64encode(sound.data).decode()
    return f'<audio controls aria-label="{title}" src="data:audio/wav;base64,{data}"></audio>'


LIGHT_CODE: Final = PaperStyle
DARK_CODE: Final = code_style("github-dark")

_PAGE: Final = """
:root { color-scheme: light dark; --bg: #fefcfa; --text: #1f1b16; --mute: #645b52; --line: #e9e3dd;
  --code: #f9f5f2; --user: #f8ebe1; --accent: #af3e09; --warn: #825400;
  --ok: #17764a; --danger: #b0083f; }
@media (prefers-color-scheme: dark) { :root { --bg: #1b1816; --text: #ebe6e2; --mute: #a8a099;
  --line: #35302c; --code: #24201d; --user: #3a2c22; --accent: #ee8754; --warn: #e6be62;
  --ok: #4ec98a; --danger: #f48593; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); overflow-wrap: anywhere;
  font: 16px/1.6 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  font-variant-ligatures: no-contextual; }
main { max-width: 48rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .3rem; }
.facts { color: var(--mute); margin: 0 0 2rem; font-size: .875rem; }
article { margin: 0 0 1.75rem; }
h2 { font-size: .875rem; color: var(--mute); margin: 0 0 .4rem; font-weight: 600; }
.user .body { background: var(--user); border-radius: 16px 16px 5px 16px; padding: .7rem 1rem; }
.typed { white-space: pre-wrap; margin: 0; }
.typed, .body p, .body li, .body h1, .body h2, .body h3, .body h4, .body blockquote {
  unicode-bidi: plaintext; text-align: start; }
code, a, .formula { unicode-bidi: isolate; }
pre { direction: ltr; text-align: left; }
.task { list-style: none; margin-inline-start: -1.2em; }
.body > :first-child { margin-top: 0; } .body > :last-child { margin-bottom: 0; }
.body h1, .body h2, .body h3, .body h4 { font-size: 1.1rem; color: var(--text); margin: 1.3rem 0 .5rem; }
.body h1 { font-size: 1.3rem; } .body h2 { font-size: 1.2rem; }
a { color: var(--accent); }
code, kbd, pre { font-family: "JetBrains Mono", ui-monospace, Menlo, Consolas, monospace; font-size: .875em;
  font-variant-ligatures: none; }
code, kbd { background: var(--code); border-radius: 4px; padding: .1em .3em; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 10px; padding: .8rem 1rem;
  overflow-x: auto; line-height: 1.5; white-space: pre; overflow-wrap: normal; }
pre code { background: none; padding: 0; font-size: 1em; }
.formula svg { max-width: 100%; } .formula text { direction: ltr; }
div.formula { margin: 1rem 0; text-align: center; overflow-x: auto; }
.footnote { color: var(--mute); font-size: .875rem; } .footnote p { display: inline; }
.language { color: var(--mute); font-size: .8rem; margin: 1rem 0 -.6rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; max-width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding-block: .4rem; padding-inline: 0 1rem; text-align: left;
  overflow-wrap: normal; }
table[dir=rtl] :is(td, th) { text-align: right; padding-inline: 1rem 0; }
table[dir=rtl] [dir=rtl] { padding-inline: 0 1rem; }
th { color: var(--mute); }
blockquote { margin: 1rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line);
  color: var(--mute); }
.alert { font-weight: 600; margin-bottom: .3rem; }
.alert-note, .alert-important { border-color: var(--accent); } .alert-tip { border-color: var(--ok); }
.alert-warning { border-color: var(--warn); } .alert-caution { border-color: var(--danger); }
.alert-note > .alert, .alert-important > .alert { color: var(--accent); }
.alert-tip > .alert { color: var(--ok); } .alert-warning > .alert { color: var(--warn); }
.alert-caution > .alert { color: var(--danger); }
details { color: var(--mute); margin: 0 0 .8rem; font-size: .94em; }
summary { cursor: pointer; }
img { max-width: 100%; height: auto; border-radius: 10px; }
figure { margin: 0 0 .8rem; } figcaption { color: var(--mute); font-size: .875rem; margin: 0 0 .3rem; }
audio { display: block; width: 100%; max-width: 26rem; }
.frames { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 0 .4rem; } .frames img { width: 8rem; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
.note { color: var(--warn); border-inline-start: 3px solid var(--warn); padding-inline-start: .7rem; }
@media print { article { break-inside: auto; } pre { white-space: pre-wrap; } main { padding: 0; } }
"""


def page_style() -> str:
    light = _code_style(LIGHT_CODE)
    dark = _code_style(DARK_CODE)
    return f"{_PAGE}{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def _code_style(style: type[Style]) -> str:
    """Return the colours of code only: the background is the page's."""
    rules = HtmlFormatter(style=style).get_token_style_defs("pre")  # type: ignore[no-untyped-call]
    return "\n".join(rule.split(" /*")[0] for rule in rules)
