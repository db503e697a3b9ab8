"""Names of files that a hub could give, and that must do no harm on any system."""

from __future__ import annotations

HOSTILE = [
    "../x.gguf", "../../x.gguf", "a/../../x.gguf", "/etc/x.gguf", "//host/share/x.gguf", "\\\\host\\x.gguf",
    "C:\\x.gguf", "C:/x.gguf", "c:x.gguf", "a/./x.gguf", "a//x.gguf", "a/ /x.gguf", "..\\x.gguf",
    "a\\..\\x.gguf",
    "a/..\\..\\x.gguf", "x\0.gguf", "\0", "", ".", "..", "...", "a/...", ".gguf", "..gguf", ".hidden.gguf",
    "~/x.gguf", "~root.gguf", "con.gguf", "CON", "nul.gguf", "aux.x.gguf", "com1.gguf", "LPT9.gguf",
    "com¹.gguf",
    "conin$.gguf", "x.gguf ", "x.gguf.", "x.gguf. .", " x.gguf", "a:b.gguf", "x.gguf:stream", "x.gguf::$DATA",
    "x?.gguf", "x*.gguf", "x|y.gguf", "<x>.gguf", 'x".gguf', "x\n.gguf", "x\r\ny.gguf", "x\x1b[2J.gguf",
    "x\x7f.gguf", "x\u202egguf.exe", "x\u200b.gguf", "\ufeffx.gguf", "x\u2028.gguf", "x\u2215y.gguf",
    "\uff0e\uff0e/x.gguf", "\uff0fx.gguf", "x" * 300 + ".gguf", "é" * 200 + ".gguf", "🦙" * 100 + ".gguf",
    "x\ud800.gguf", "a" * 100 + "/" + "b" * 100 + "/x.gguf", "desktop.ini", "x.gguf\t", "\u00a0.gguf",
]  # fmt: skip
