"""
The pages made from the pack: docs/rules/<id>.md, their index, and docs/lint.md.

Comes in: a pack. Goes out: texts by path below docs/. `python -m aigov_eval.controls.docs` writes
them into the checkout; a test fails where they are stale.
"""

from __future__ import annotations

from pathlib import Path

from aigov_eval.controls.codes import CODES
from aigov_eval.controls.describe import rule_lines
from aigov_eval.model import Pack

_MADE = "<!-- Made from the pack by `python -m aigov_eval.controls.docs`; edit the pack, not this page. -->"
_KINDS = {
    "1": "Reading, names and words",
    "2": "Controls",
    "3": "Patterns",
    "4": "What is useless",
    "5": "What people must be told",
}


def pages(pack: Pack) -> dict[str, str]:
    """Every page, by its path below docs/."""
    rules = [rule for category in pack.categories.values() for rule in category.rules]
    made = {
        f"rules/{rule.id}.md": "\n".join((_MADE, "", f"# {rule.id}", "", *rule_lines(pack, rule), ""))
        for rule in rules
    }
    return {"lint.md": _lint_page(), "rules/README.md": _index(pack), **made}


def _index(pack: Pack) -> str:
    lines = [_MADE, "", "# Rules", ""]
    for category in pack.categories.values():
        lines += [f"## {category.name}", "", f"{category.title}. Law: {'; '.join(category.legal)}.", ""]
        lines += ["| rule | severity | fields | sentence |", "|---|---|---|---|"]
        lines += [
            f"| [{rule.id}]({rule.id}.md) | {rule.severity}{' (note)' if rule.effect == 'note' else ''} "
            f"| {', '.join(rule.detects)} | {rule.says} |"
            for rule in category.rules
        ]
        lines.append("")
    return "\n".join(lines)


def _lint_page() -> str:
    lines = [
        _MADE.replace("the pack by", "the table of codes by").replace("the pack, not", "the table, not"),
        "",
    ]
    lines += [
        "# Lint codes",
        "",
        "`aigov-eval lint` prints them with the place and the line. Errors fail the run, warnings do not.",
        "",
    ]
    kind = ""
    for code in CODES:
        if code.code[2] != kind:
            kind = code.code[2]
            lines += [f"## {_KINDS[kind]}", ""]
        warning = " (warning)" if code.level == "warning" else ""
        lines += [
            f"### {code.code}{warning}",
            "",
            f"{code.title}.",
            "",
            f"Why: {code.why}",
            "",
            f"Mend: {code.mend}",
            "",
        ]
    return "\n".join(lines)


def stale(pack: Pack, docs: Path) -> list[str]:
    """The pages below `docs` that are not as the pack would make them, and those of rules that are gone."""
    wanted = pages(pack)
    there = {f"rules/{path.name}" for path in (docs / "rules").glob("*.md")}
    changed = [
        path
        for path, text in wanted.items()
        if not (docs / path).exists() or (docs / path).read_text("utf-8") != text
    ]
    return sorted([*changed, *(there - set(wanted))])


def write_pages(pack: Pack, docs: Path) -> list[str]:
    """Write the pages that are stale and delete those of rules that are gone; the paths touched."""
    wanted = pages(pack)
    touched = stale(pack, docs)
    for path in touched:
        target = docs / path
        if path in wanted:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(wanted[path], encoding="utf-8")
        else:
            target.unlink()
    return touched


def main() -> None:
    """Write the pages of the stock pack into the checkout's docs/."""
    from aigov_eval.pack.files import stock_root
    from aigov_eval.pack.load import load_pack

    for path in write_pages(load_pack(), stock_root() / "docs"):
        print(f"docs/{path}")


if __name__ == "__main__":
    main()
