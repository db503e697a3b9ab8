"""The pages that show what a model wrote, whole in one text, and under a policy that allows no connection."""

from __future__ import annotations

import json
import re
from typing import Final

from fireside.core.web_preview import PreviewSource
from fireside.markup.escape import escape

_RULES: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:;"
    " font-src data:; media-src data: blob:; base-uri 'none'; form-action 'none'"
)
PAGE_POLICY: Final = f"{_RULES}; frame-src 'none'; sandbox allow-scripts"
"""Of a page in the preview: its scripts run, as nobody’s, and everything else is refused."""
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
_START: Final = (
    "<script>(()=>{"
    # Pages that keep something expect these two; in a sandbox each use of the real ones would be an error.
    "const store=()=>{const kept=new Map();return new Proxy({"
    "getItem:k=>kept.has(k=String(k))?kept.get(k):null,"
    "setItem:(k,v)=>void kept.set(String(k),String(v)),removeItem:k=>void kept.delete(String(k)),"
    "clear:()=>kept.clear(),key:n=>[...kept.keys()][n]??null,get length(){return kept.size}},"
    "{get:(o,k)=>k in o?o[k]:kept.get(k),set:(o,k,v)=>(kept.set(k,String(v)),true),"
    "deleteProperty:(o,k)=>(kept.delete(k),true),ownKeys:()=>[...kept.keys()],"
    "getOwnPropertyDescriptor:(o,k)=>kept.has(k)?{value:kept.get(k),enumerable:true,configurable:true}:undefined})};"
    "for(const name of['localStorage','sessionStorage'])"
    "Object.defineProperty(window,name,{value:store(),configurable:true});"
    # What reaches others without being a request that a policy stops.
    "for(const name of['RTCPeerConnection','webkitRTCPeerConnection','WebTransport'])"
    "try{Object.defineProperty(window,name,{value:undefined})}catch{}"
    "})()</script>"
)
_HINT: Final = re.compile(
    r"(\brel\s*[=:]\s*[\"'`]?[^\"'`<>]{0,100}?)\b(preconnect|dns-prefetch)\b", re.IGNORECASE
)
"""Hints to browsers, which no policy covers: Chromium connects at once, sending nothing. It does that
too where a script composes such a word, or goes elsewhere, before it refuses; the preview’s engine cannot."""
_PLAIN: Final = "margin:0;padding:16px;box-sizing:border-box;"


def page_of(source: PreviewSource, *, library: str = "") -> str:
    """Return the page. The first line of an HTML source is the first of the page too.

    Args:
        library: the text of Mermaid’s script, for a diagram.
    """
    if source.kind == "mermaid":
        return _diagram(source, library=library)
    if source.kind == "html":
        return f"<!doctype html>{_START}{source.text}"
    return _around(source, f"<div style='display:flex;justify-content:center'>{source.text}</div>")


def standalone_page(source: PreviewSource, *, title: str, library: str = "") -> str:
    """Return a page for a browser: the page within a frame that may load nothing and go nowhere.

    A policy of a page does not bind where it goes; that of a page around it does.
    """
    inner = escape(_HINT.sub(r"\1no-\2", page_of(source, library=library)))
    policy = escape(_RULES)
    return (
        f'<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="{policy};'
        ' frame-src about:"><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        '<meta http-equiv="x-dns-prefetch-control" content="off">'
        f"<title>{escape(title)}</title><style>html,body{{margin:0;height:100%;overflow:hidden}}"
        "iframe{border:0;width:100%;height:100%;display:block;background:#fff}</style></head><body>"
        f'<iframe sandbox="allow-scripts" srcdoc="{inner}"></iframe></body></html>'
    )


def _around(source: PreviewSource, body: str) -> str:
    colour = source.background if _COLOUR.fullmatch(source.background) else "#ffffff"
    scheme = "dark" if source.is_dark else "light"
    style = f"{_PLAIN}background:{colour};color-scheme:{scheme};font-family:sans-serif"
    return f'<!doctype html><meta charset="utf-8">{_START}<body style="{style}">{body}</body>'


def _diagram(source: PreviewSource, *, library: str) -> str:
    text = json.dumps(source.text).replace("<", "\\u003c")
    theme = "dark" if source.is_dark else "default"
    script = (
        f"mermaid.initialize({{startOnLoad:false,securityLevel:'strict',theme:'{theme}'}});"
        f"const drawn=document.getElementById('drawn');mermaid.render('diagram',{text})"
        ".then(r=>{drawn.innerHTML=r.svg},e=>{"
        "document.querySelectorAll('#ddiagram,#diagram').forEach(n=>n.remove());"
        "const p=document.createElement('pre');p.style='white-space:pre-wrap';p.textContent=e.message;"
        "drawn.replaceChildren(p);console.error(e.message)})"
    )
    library = library.replace("</script", "<\\/script")
    drawn = "<div id='drawn' style='display:flex;justify-content:center'></div>"
    return _around(source, f"{drawn}<script>{library}</script><script>{script}</script>")
