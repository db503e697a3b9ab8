"""What every presentation has beside its slides: theme, master, one layout."""

from __future__ import annotations

from typing import Final

from fireside.services.transfer.office_package import NAMESPACES as _COMMON
from fireside.services.transfer.office_package import OfficePackage

NAMESPACES: Final = f'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" {_COMMON}'
MASTER: Final = "ppt/slideMasters/slideMaster1.xml"
LAYOUT: Final = "ppt/slideLayouts/slideLayout1.xml"
_THEME: Final = "ppt/theme/theme1.xml"


def emu(points: float) -> int:
    """Return a length in the units of the format, 12,700 a point."""
    return round(points * 12_700)


def frame(left: float, top: float, width: float, height: float) -> str:
    """Return a place on a slide, in points."""
    size = f'<a:ext cx="{max(1, emu(width))}" cy="{max(1, emu(height))}"/>'
    return f'<a:off x="{emu(left)}" y="{emu(top)}"/>{size}'


def add_master(package: OfficePackage) -> None:
    """Add the parts that slides with the layout ``LAYOUT`` build on."""
    package.add(_THEME, _THEME_XML, kind="theme")
    package.relate(MASTER, _THEME, kind="theme")
    layout = package.relate(MASTER, LAYOUT, kind="slideLayout")
    package.relate(LAYOUT, MASTER, kind="slideMaster")
    package.add(LAYOUT, _LAYOUT_XML, kind="presentationml.slideLayout")
    package.add(MASTER, _MASTER_XML.replace("LAYOUT", layout), kind="presentationml.slideMaster")


def _tree(shapes: str) -> str:
    return (
        '<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr/>{shapes}</p:spTree></p:cSld>"
    )


def _placeholder(number: int, kind: str, place: str, body: str = "") -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Placeholder {number}"/><p:cNvSpPr/><p:nvPr>'
        f"<p:ph {kind}/>"
        f'</p:nvPr></p:nvSpPr><p:spPr><a:xfrm>{place}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        f"</p:spPr><p:txBody><a:bodyPr{body}><a:normAutofit/></a:bodyPr><a:p><a:endParaRPr/></a:p>"
        f"</p:txBody></p:sp>"
    )


def _level(tag: str, size: int, before: int, extra: str = "") -> str:
    return (
        f'<a:{tag}><a:spcBef><a:spcPts val="{before}"/></a:spcBef><a:buNone/><a:defRPr sz="{size}"{extra}>'
        '<a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/>'
        '<a:ea typeface="+mn-ea"/>'
        f'<a:cs typeface="+mn-cs"/></a:defRPr></a:{tag}>'
    )


def _shapes(body: str) -> str:
    title = _placeholder(2, 'type="title"', frame(54, 30, 852, 72), ' anchor="b"')
    return title + _placeholder(3, f'type="{body}" idx="1"', frame(54, 112, 852, 398))


SLIDE: Final = (
    f'<p:sld {NAMESPACES} xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
    f"{_tree('{shapes}')}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>"
)
"""A slide, for ``str.format`` with ``shapes``."""
_LAYOUT_XML: Final = (
    f'<p:sldLayout {NAMESPACES} type="obj">{_tree(_shapes("obj"))}'
    "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
)
_COLOURS: Final = {
    "dk1": "1F1B16",
    "lt1": "FFFFFF",
    "dk2": "645B52",
    "lt2": "F6F2EE",
    "accent1": "AF3E09",
    "accent2": "17764A",
    "accent3": "825400",
    "accent4": "2B5F9E",
    "accent5": "B0083F",
    "accent6": "7A4FA3",
    "hlink": "AF3E09",
    "folHlink": "8A3207",
}
_MAP: Final = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"} | {
    name: name for name in _COLOURS if name.startswith(("accent", "hlink", "fol"))
}
_BOLD: Final = ' b="1"'
_MASTER_XML: Final = (
    f"<p:sldMaster {NAMESPACES}>{_tree(_shapes('body'))}"
    + "<p:clrMap "
    + " ".join(f'{name}="{colour}"' for name, colour in _MAP.items())
    + "/>"
    '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="LAYOUT"/></p:sldLayoutIdLst><p:txStyles>'
    f"<p:titleStyle>{_level('lvl1pPr', 2800, 0, _BOLD)}</p:titleStyle>"
    f"<p:bodyStyle>{_level('lvl1pPr', 1800, 600)}</p:bodyStyle>"
    f"<p:otherStyle>{_level('lvl1pPr', 1800, 0)}</p:otherStyle></p:txStyles></p:sldMaster>"
)
_FILL: Final = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
_OUTLINE: Final = f'<a:ln w="6350">{_FILL}</a:ln>'
_FONT: Final = '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface="Arial"/>'
_THEME_XML: Final = (
    '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Fireside">'
    "<a:themeElements>"
    '<a:clrScheme name="Fireside">'
    + "".join(f'<a:{name}><a:srgbClr val="{colour}"/></a:{name}>' for name, colour in _COLOURS.items())
    + f'</a:clrScheme><a:fontScheme name="Fireside"><a:majorFont>{_FONT}</a:majorFont><a:minorFont>{_FONT}'
    f'</a:minorFont></a:fontScheme><a:fmtScheme name="Fireside"><a:fillStyleLst>{_FILL * 3}</a:fillStyleLst>'
    f"<a:lnStyleLst>{_OUTLINE * 3}</a:lnStyleLst><a:effectStyleLst>"
    f"{'<a:effectStyle><a:effectLst/></a:effectStyle>' * 3}</a:effectStyleLst><a:bgFillStyleLst>{_FILL * 3}"
    "</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
)
