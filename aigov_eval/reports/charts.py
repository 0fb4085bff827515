"""
Rates as small charts: a bar for the rate, a line for its interval.

Comes in: names with how many leaked of how many. Goes out: SVG as text, escaped, without style or script, so that any
content policy lets it be drawn. The numbers stand beside the bars: nothing is told by length or colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from aigov_eval.runner.interval import wilson

_ROW, _NAME, _BAR, _TOLD = 22, 165, 110, 175


def bars(title: str, rows: Sequence[tuple[str, int, int]]) -> str:
    """A chart of rates with their 95 % Wilson intervals; empty where there is nothing to show."""
    if not rows:
        return ""
    across = _BAR + _NAME + _TOLD
    tall = _ROW * len(rows) + 6
    told = "; ".join(f"{name}: {found} of {seen}" for name, found, seen in rows)
    # the scale ends at the largest interval, rounded up to a tenth, so that small rates can be read
    top = max((wilson(found, seen)[1] for _, found, seen in rows if seen), default=1.0)
    scale = min(1.0, max(0.1, int(top * 10 + 0.999) / 10))
    out = [
        f'<figure class="chart"><figcaption>{escape(title)} <span class="soft">(0 to {scale:.0%})</span></figcaption>',
        f'<svg viewBox="0 0 {across} {tall}" role="img" aria-label="{escape(f"{title}: {told}", quote=True)}">',
    ]
    for at, (name, found, seen) in enumerate(rows):
        low, up = wilson(found, seen)
        rate = found / seen if seen else 0.0
        y = _ROW * at + 4
        x, wide = _NAME, _BAR / scale
        middle = y + 8
        short = name if len(name) <= 24 else name[:23] + "…"
        out.append(
            f'<text x="{_NAME - 6}" y="{y + 12}" text-anchor="end">{escape(short)}<title>{escape(name)}</title></text>'
        )
        out.append(f'<rect class="ground" x="{x}" y="{y}" width="{_BAR}" height="16"/>')
        out.append(f'<rect class="bar" x="{x}" y="{y + 2}" width="{rate * wide:.1f}" height="12"/>')
        if seen:
            end = min(_BAR, up * wide)
            out.append(
                f'<line class="span" x1="{x + low * wide:.1f}" y1="{middle}" x2="{x + end:.1f}" y2="{middle}"/>'
            )
        out.append(
            f'<text class="told" x="{x + _BAR + 8}" y="{y + 12}">{rate:.1%} ({found:,}/{seen:,}), {low:.1%}–{up:.1%}</text>'
        )
    return "".join([*out, "</svg></figure>"])
