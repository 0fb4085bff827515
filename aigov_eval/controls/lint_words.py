"""
Lint of word lists, cues and frames: doubles, covered entries, false friends without a foe, headers.

Comes in: a `View`. Goes out: issues AG106, AG110, AG112, AG128, AG139, AG140, AG405, AG406, AG409, AG410 and AG502.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from aigov_eval.controls.view import View, issue
from aigov_eval.documents.issues import Issue
from aigov_eval.model import Lexicon, Location, Term, Word
from aigov_eval.pack.entry_items import CLASS
from aigov_eval.pack.patterns import classes_in, joined

# the engine lets these stand between the words of an entry; any other sign in an entry is dropped
_SILENT = re.compile(r"[^\w\s()|*~.'’\-/&\"…]")
_PARADIGM = re.compile(r"~([^\s|()~]+)")
_LIST_PARADIGM = re.compile(r"#\s*inflection\s*:\s*(\S+)")
_PRONOUNS = ("pronouns_m", "pronouns_f", "pronouns_n")
_PRONOUN, _REST = 3, 4  # letters of a pronoun, and of the word after it, at least
_GLUED = 3  # such words on a line: one alone is mostly a word of the language


def check(view: View) -> Iterator[Issue]:
    """Every issue of the pack's words."""
    classes = list(_flat(view.pack.classes.values()))
    lists = [*_flat(view.pack.lexicons.values()), *_flat(view.pack.cues.values()), *classes]
    common = {form for lexicon in view.pack.lexicons.get("common", ()) for form in _forms(lexicon.terms)}
    for lexicon in lists:
        yield from _header(lexicon)
        if not lexicon.terms:
            yield issue(lexicon.where, "AG128", "the list has no entry yet", "write one entry a line")
        yield from _signs(lexicon)
        yield from _doubles(lexicon.terms)
        yield from _covered(lexicon.terms)
        yield from _friends(lexicon, view)
        yield from _brackets(lexicon)
        yield from _glued(lexicon, view, common)
    yield from _lines(view)
    yield from _unused(view, classes)
    for frame in view.pack.frames.values():
        for terms in frame.terms.values():
            yield from _doubles(terms)
    yield from _paradigms(view, lists)


def _flat(groups: Iterable[tuple[Lexicon, ...]]) -> Iterator[Lexicon]:
    for group in groups:
        yield from group


def _header(lexicon: Lexicon) -> Iterator[Issue]:
    values = {"what": lexicon.what, "source": lexicon.source, "licence": lexicon.licence}
    missing = [key for key, value in values.items() if not value]
    if missing:
        text = "the header does not say " + ", ".join(missing)
        yield issue(lexicon.where, "AG502", text, "start the file with `# " + missing[0] + ": ...`")


def _lines(view: View) -> Iterator[Issue]:
    numbered = (
        (path, number, line)
        for path, lines in view.lines.items()
        for number, line in enumerate(lines, start=1)
    )
    for path, number, line in numbered:
        if line != line.rstrip():
            yield issue(
                Location(path, number, len(line.rstrip()) + 1),
                "AG110",
                "spaces at the end of the line",
                "delete them",
            )
        if "\t" in line:
            yield issue(Location(path, number, line.index("\t") + 1), "AG110", "a tab", "write a space")
        if not unicodedata.is_normalized("NFC", line):
            yield issue(
                Location(path, number), "AG110", "letters that are not composed (NFC)", "save the file as NFC"
            )


def _signs(lexicon: Lexicon) -> Iterator[Issue]:
    seen: set[int] = set()
    for term in (*lexicon.terms, *lexicon.exclusions):
        # vowel signs of other scripts part words here and in texts alike
        sign = next(
            (one for one in _SILENT.findall(CLASS.sub("", term.line)) if unicodedata.category(one)[0] != "M"),
            "",
        )
        if sign and term.where.line not in seen:
            seen.add(term.where.line)
            text = f'the sign "{sign}" is not matched: "{term.line}" finds its words alone'
            yield issue(term.where, "AG112", text, "leave the sign out, or make the entry longer")


def _doubles(terms: Iterable[Term]) -> Iterator[Issue]:
    """Entries of different lines that compile to the very same words."""
    first: dict[tuple[tuple[Word, ...], str], Term] = {}
    told: set[Location] = set()
    for term in terms:
        earlier = first.setdefault((term.words, term.line if term.exact else ""), term)
        if earlier.where != term.where and term.where not in told:
            told.add(term.where)
            in_section = "" if earlier.section == term.section else f" in [{earlier.section}]"
            text = f'"{term.line}" stands on line {earlier.where.line} already{in_section}'
            yield issue(term.where, "AG106", text, "delete one of the two")


def _covered(terms: Iterable[Term]) -> Iterator[Issue]:
    """Entries of one word that a stem or an ending of the same section covers."""
    single = [term for term in terms if len(term.words) == 1 and not term.exact]
    stems = [(stem, term) for term in single for stem in term.words[0].stems]
    ends: dict[str, tuple[str, ...]] = {}
    for term in single:
        ends[term.section] = (*ends.get(term.section, ()), *term.words[0].ends)
    for term in single:
        if term.words[0].ends or term.words[0].phrases:
            continue
        forms = [*term.words[0].forms, *term.words[0].stems]
        own = ends.get(term.section, ())
        if own and not term.words[0].stems and all(form.endswith(own) for form in forms):
            text = f'"{term.line}" is covered by the endings of this list'
            yield issue(term.where, "AG406", text, "delete it")
            continue
        for stem, owner in stems:
            if (
                owner.where != term.where
                and owner.section == term.section
                and all(form.startswith(stem) for form in forms)
            ):
                yield issue(
                    term.where,
                    "AG406",
                    f'"{term.line}" is covered by "{owner.line}" on line {owner.where.line}',
                    "delete it",
                )
                break


def _friends(lexicon: Lexicon, view: View) -> Iterator[Issue]:
    if not lexicon.exclusions:
        return
    group = [*view.pack.lexicons.get(lexicon.name, ()), *view.pack.cues.get(lexicon.name, ())]
    words = [word for other in group for term in other.terms for word in _whole(term.words)]
    forms = frozenset().union(*(word.forms for word in words))
    stems = tuple({stem for word in words for stem in word.stems})
    ends = tuple({end for word in words for end in word.ends})
    told: set[Location] = set()
    for friend in lexicon.exclusions:
        if friend.where in told or any(_meets(word, forms, stems, ends) for word in _whole(friend.words)):
            continue
        told.add(friend.where)
        text = f'the false friend "{friend.line}" shares no word with any entry of this list'
        yield issue(friend.where, "AG405", text, "delete it, or write the entry that it should cancel")


def _whole(words: Iterable[Word]) -> Iterator[Word]:
    """The slots, and those of their phrases."""
    for word in words:
        yield word
        for phrase in word.phrases:
            yield from _whole(phrase)


def _forms(terms: Iterable[Term]) -> Iterator[str]:
    for term in terms:
        for word in _whole(term.words):
            yield from word.forms


def _brackets(lexicon: Lexicon) -> Iterator[Issue]:
    """Brackets around one alternative: what stands there must stand, though it looks as if it might be absent."""
    told: set[Location] = set()
    for term in (*lexicon.terms, *lexicon.exclusions):
        if term.where in told:
            continue
        told.add(term.where)
        for inside in _alone(term.line):
            text = f'"({inside})" is one alternative alone: it must stand'
            help = f"write ({inside.strip()}|) if it may be absent, else leave out the brackets"
            yield issue(term.where, "AG139", text, help)
            break


def _alone(line: str) -> Iterator[str]:
    """What stands in brackets without a `|` of their own, and not to be inflected."""
    opened: list[tuple[int, bool]] = []
    for at, sign in enumerate(line):
        if sign == "(":
            opened.append((at, False))
        elif sign == "|" and opened:
            opened[-1] = (opened[-1][0], True)
        elif sign == ")" and opened:
            start, several = opened.pop()
            if not several and line[at + 1 : at + 2] != "~":
                yield line[start + 1 : at]


def _glued(lexicon: Lexicon, view: View, common: set[str]) -> Iterator[Issue]:
    """Lines with words that are a pronoun and another word of the list without the space between, as a replacement leaves them."""
    frame = view.pack.frames.get(lexicon.language)
    if frame is None:
        return
    slots = [term for slot in _PRONOUNS for term in frame.terms.get(slot, ())]
    pronouns = {form for form in _forms(slots) if len(form) >= _PRONOUN}
    own = set(_forms(lexicon.terms))
    found: dict[Location, dict[str, str]] = {}
    for term in (*lexicon.terms, *lexicon.exclusions):
        for form in _forms([term]):
            for pronoun in pronouns if form not in common else ():
                rest = form.removeprefix(pronoun)
                if rest != form and len(rest) >= _REST and rest in own:
                    found.setdefault(term.where, {})[form] = f"{pronoun} {rest}"
    for where, glued in found.items():
        if len(glued) >= _GLUED:
            form = min(glued)
            text = f'"{form}" looks like "{glued[form]}" without its space'
            yield issue(where, "AG140", text, f'write "{glued[form]}", or delete it')


_CLASSES = "/classes.txt"  # given names are classes too, used or not


def _unused(view: View, classes: Iterable[Lexicon]) -> Iterator[Issue]:
    """Classes that no entry names."""
    used = {name for lines in view.lines.values() for line in lines for name in CLASS.findall(line)}
    used |= {
        name
        for frame in view.pack.frames.values()
        for terms in frame.terms.values()
        for term in terms
        for name in CLASS.findall(term.line)
    }
    used |= {
        name
        for grammar in view.pack.grammar.values()
        for terms in grammar.classes.values()
        for term in terms
        for name in CLASS.findall(term.line)
    }
    for document in view.documents.values():
        for part in (*document.data.get("find", ()), *document.data.get("ignore", ())):
            used.update(classes_in(joined(part.get("regex", ""))))
        for one in (*document.data.get("parts", {}).values(), *document.data.get("value", ())):
            used.update(classes_in(joined(one)))
    for lexicon in classes:
        if lexicon.name not in used and lexicon.where.path.endswith(_CLASSES):
            yield issue(
                lexicon.where,
                "AG410",
                f'no entry names the class "<{lexicon.name}>"',
                "use it, or delete the file",
            )


def _meets(word: Word, forms: frozenset[str], stems: tuple[str, ...], ends: tuple[str, ...]) -> bool:
    return (
        not word.forms.isdisjoint(forms)
        or (bool(ends) and any(form.endswith(ends) for form in (*word.forms, *word.stems)))
        or any(form.endswith(word.ends) for form in forms if word.ends)
        or any(one.endswith(other) or other.endswith(one) for one in word.ends for other in ends)
        or bool(word.stems and ends)
        or any(form.startswith(stems) for form in word.forms if stems)
        or any(form.startswith(stem) for stem in word.stems for form in forms)
        or any(one.startswith(other) or other.startswith(one) for one in word.stems for other in stems)
    )


def _paradigms(view: View, lists: Iterable[Lexicon]) -> Iterator[Issue]:
    used: dict[str, set[str]] = {}
    for lexicon in lists:
        for term in (*lexicon.terms, *lexicon.exclusions):
            used.setdefault(lexicon.language, set()).update(_PARADIGM.findall(term.line))
        for line in view.lines.get(lexicon.where.path, ()):
            used.setdefault(lexicon.language, set()).update(_LIST_PARADIGM.findall(line))
    for frame in view.pack.frames.values():
        for terms in frame.terms.values():
            for term in terms:
                used.setdefault(frame.language, set()).update(_PARADIGM.findall(term.line))
    for path, document in view.documents.items():
        if path.endswith("/paradigms.yaml"):
            language = document.data["language"]
            for name in document.data.get("paradigms") or {}:
                if name not in used.get(language, set()):
                    where = document.at_key("paradigms", name)
                    yield issue(
                        where, "AG409", f'no entry in "{language}" uses the paradigm "{name}"', "delete it"
                    )
