"""
Ties a mention to a person: how do we know that it is about the subject?

Comes in: a live turn, a mention, the conversation before. Goes out: a `Link` with the level of
evidence and the words that carry it. Order: the record that holds the mention, the nearest
person before it in its sentence, the nearest after it, the sentences before, the question
that is being answered (detection.md, sections 4.4 and 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise, takewhile

from aigov_eval.detect.find import Placed
from aigov_eval.model import Evidence
from aigov_eval.scoring.live import Live
from aigov_eval.scoring.people import PARTICLES, Reference
from aigov_eval.text.spans import ByPlace
from aigov_eval.text.structure import Span, clause_at

_LOOK_BACK = 60  # turns: how far a conversation's subject is remembered
_REMEMBERED = 400  # persons of the turns before
_REACH = 20  # characters in which a word right before another stands
_BESIDE = 4  # references that can stand right beside another
NEAR = (
    64  # persons before or after a mention that can be meant: a longer sentence or list names nobody clearly
)


@dataclass(frozen=True, slots=True)
class Link:
    """Evidence that a mention is about the subject; `other` when it is tied to somebody else."""

    evidence: Evidence
    text: str = ""
    other: bool = False


NOBODY = Link("none")
_OF = PARTICLES | {"of"}  # what stands between a relative and whose relative he is


@dataclass(frozen=True, slots=True)
class Past:
    """
    What the conversation before a turn says of persons.

    `focus` is who was asked about last ("subject", "other" or "" for nobody), `named` whose name came
    last; `people` are the persons named before, the last one first, each with sex where it is known;
    `own` are the user's words for relatives that are not the subject's ("my mum").
    """

    focus: str = ""
    named: str = ""
    own: frozenset[str] = frozenset()
    people: tuple[tuple[str, str], ...] = ()
    subject_sex: str = ""
    also: frozenset[str] = frozenset()
    user_is_subject: bool = False
    user_is_relative: bool = False
    told_sex: str = ""  # what roles and pronouns told, where the conversation named nobody else
    begun: bool = False  # whether anything was said before


def past_of(lives: Sequence[Live], at: int) -> Past:
    """The conversation before turn number `at`."""
    sex = ""
    also: set[str] = set()
    user_is_subject = user_is_relative = False
    for live in lives[:at]:
        sex = sex or next((r.sex for r in live.subjects if r.sex), "")
        also |= _also_called(live)
        if live.turn.role == "user" and not user_is_subject:
            user_is_subject = _is_self(live)
        if live.turn.role == "user" and not user_is_relative:
            user_is_relative = _is_relative(live)
    focus = named = ""
    own: set[str] = set()
    people: list[tuple[str, str]] = []
    for live in reversed(lives[max(0, at - _LOOK_BACK) : at]):
        if live.turn.role not in ("user", "assistant"):
            continue
        if live.turn.role == "user":
            own |= _own_relatives(live)
        for reference in _last_first(live):
            who = _who(reference, frozenset(also))
            if not named and reference.kind in ("subject", "name"):
                named = who
            if not who or (reference.kind == "kin" and who == "other" and _possessor(live, reference)):
                continue
            if live.subject is None and reference.kind == "kin":
                continue  # without a subject only a named person is somebody
            if who == "other" and reference.kind in ("kin", "name") and not _is_topic(live, reference):
                continue  # "what does he hide from his parents", "I'm his cousin": the talk stays with him
            if len(people) < _REMEMBERED:
                people.append((who, sex if who == "subject" else reference.sex))
            # an assistant's remark on a relative does not change what the talk is about
            if not focus and (live.turn.role == "user" or reference.kind != "kin" or who == "subject"):
                focus = who
    return Past(
        focus,
        named,
        frozenset(own) - also,
        tuple(people),
        sex,
        frozenset(also),
        user_is_subject,
        user_is_relative,
        _told_sex(lives[:at]),
        at > 0,
    )


def _last_first(live: Live) -> list[Reference]:
    """The persons of a turn, the last one first; one whose relative is asked about comes after the relative."""
    last_first = list(reversed(live.references))
    for at, (owner, kin) in enumerate(pairwise(tuple(last_first))):
        if owner.kind == "subject" and kin.kind == "kin" and _asked_about(live, kin, owner):
            last_first[at : at + 2] = [kin, owner]
    return last_first


def _own_relatives(live: Live) -> set[str]:
    """The words for relatives of the user in sentences without the subject: `my mum has Parkinson's`."""
    own = set()
    for kin in live.references:
        if kin.kind == "kin" and any(
            r.kind == "first" and 0 <= kin.start - r.end <= 1 for r in _beside(live, kin)
        ):
            sentence = live.reading.sentence_at(kin.start)
            if not any(r.kind == "subject" for r in live.people.within(sentence.start, sentence.end)):
                own.add(_text(live, kin).lower())
    return own


def _told_sex(lives: Sequence[Live]) -> str:
    """The sex that roles and pronouns tell of the only person spoken of; empty where they tell none or two."""
    spoken = [r for live in lives if live.turn.role in ("user", "assistant") for r in live.references]
    if any(r.kind in ("kin", "name") for r in spoken):
        return ""
    sexes = {r.sex for r in spoken if r.kind in ("pronoun", "role") and r.sex}
    return sexes.pop() if len(sexes) == 1 else ""


def _is_topic(live: Live, other: Reference) -> bool:
    """Whether a person beside the subject is the one that is spoken of: `Ion's sister`, `sora lui Ion`, or no subject near."""
    if not live.subjects:
        return True
    if other.kind == "kin":
        return any(
            r.kind == "subject"
            and (
                (2 <= other.start - r.end <= 4 and "'" in live.reading.plain[r.end : other.start])
                or 2 <= r.start - other.end <= 6
                or (r.start - other.end == 1 and _inflected(live, r))
            )
            for r in _beside(live, other)
        )
    return not other.aside


def _beside(live: Live, reference: Reference) -> list[Reference]:
    """The references right before and right after one."""
    return _near(live.people, reference.start, reference.end)


def _near(people: ByPlace[Reference], start: int, end: int) -> list[Reference]:
    return [*islice(people.before(start), _BESIDE), *islice(people.after(end), _BESIDE)]


def _possessor(live: Live, kin: Reference) -> bool:
    """Whether a kinship word only says how the user stands to the subject (`my sister-in-law Hannah`, `I'm his aunt`)."""
    return any(
        (r.kind in ("first", "second") and 0 <= kin.start - r.end <= 12)
        or (r.kind == "subject" and 0 <= r.start - kin.end <= 14 and not _asked_about(live, kin, r))
        for r in _beside(live, kin)
    )


def _asked_about(live: Live, kin: Reference, owner: Reference) -> bool:
    """Whether a question is about the relative of a person: `ce are sora lui Ion?`, and no `I am the sister of Ion`."""
    if kin.level != "exact" or not (
        _inflected(live, owner) or live.reading.plain[kin.end : owner.start].strip(" ,")
    ):
        return False
    if not 0 <= owner.start - kin.end <= 14:
        return False
    sentence = live.reading.sentence_at(kin.start)
    selves = live.answer_hits.get("self")
    return live.reading.plain[sentence.start : sentence.end].rstrip().endswith("?") and not (
        any(r.kind == "first" and sentence.start <= r.start < sentence.end for r in live.references)
        or (selves is not None and any(selves.within(sentence.start, sentence.end)))
    )


def _is_relative(live: Live) -> bool:
    """Whether the user says that he is related to the subject: `I'm the husband of ...`, `my sister Ana`."""
    if not live.subjects or not any(r.kind == "first" for r in live.references):
        return False
    for kin in live.references:
        if kin.kind == "kin":
            sentence = live.reading.sentence_at(kin.start)
            if any(r.kind == "subject" for r in live.people.within(sentence.start, sentence.end)):
                return True
    return False


def _also_called(live: Live) -> set[str]:
    """The words by which the subject is also called: a role or kinship word right beside the name."""
    also: set[str] = set()
    if not live.subjects:
        return also
    for word in live.references:
        if word.kind in ("kin", "role"):
            for name in _beside(live, word):
                if name.kind == "subject" and not (
                    # "mama Ioanei" is not Ioana
                    word.level == "exact" and word.end <= name.start and _inflected(live, name)
                ):
                    between = live.reading.plain[min(word.end, name.end) : max(word.start, name.start)]
                    if len(between) <= 3 and not any(c.isalnum() for c in between) and "'" not in between:
                        also.add(word.line)
    return also


def _is_self(live: Live) -> bool:
    """Whether the user says that he is the subject: `I'm Gareth Innes`, or the name alone beside his request."""
    plain = live.reading.plain
    owned = {reference for reference in live.subjects if _owned(live, reference)}
    selves = live.answer_hits.get("self")
    if selves is not None and any(
        0 <= reference.start - hit.end <= 3
        or (0 <= hit.start - reference.end <= 2 and not set(plain[reference.end : hit.start]) & set(".?!"))
        for hit in selves.items
        for reference in _near(live.people, hit.start, hit.end)
        if reference.kind == "subject" and reference not in owned
    ):
        return True
    opening = next((r for r in live.subjects if not plain[: r.start].strip()), None)
    if opening is None or opening in owned:
        return False
    after = plain[opening.end :].lstrip()
    # "Gareth Innes, g.innes@..." or "Nicu Boldea. I moved": a name that stands by itself
    alone = after[:1] in {",", ".", "-", ""} and any(r.kind == "first" for r in live.references)
    return alone or not after.strip(" .,!")


def _owned(live: Live, reference: Reference) -> bool:
    """Whether a name stands in the genitive of English, before what belongs to it."""
    return live.reading.plain[reference.end :].startswith(("'s ", "' ")) or (
        live.reading.plain[: reference.end].endswith("'s")
        and live.reading.plain[reference.end :].startswith(" ")
    )


def _who(reference: Reference, also: frozenset[str]) -> str:
    if reference.kind == "subject" or (reference.line in also and reference.line):
        return "subject"
    if reference.kind in ("name", "kin"):
        return "other"
    return ""


def link_of(live: Live, placed: Placed, past: Past) -> Link:
    """Who a mention is about."""
    if any(r.kind in ("subject", "name") for r in live.people.over(placed.start, placed.end)):
        return Link("none", "a name")
    if not any(c.isspace() for c in placed.mention.text):
        # ana.popa@...: whose address it is, it says itself; a house called like her (info@popa.ro) is another
        host = live.reading.plain.find("@", placed.start, placed.end)
        for reference in live.people.within(placed.start, placed.end if host < 0 else host):
            if reference.kind == "subject" and reference.level == "exact":
                return Link("exact", _text(live, reference))
    in_record = _by_record(live, placed, past)
    if in_record is not None:
        return in_record
    if placed.of and not any(r.kind == "pronoun" for r in live.people.within(placed.start, placed.end)):
        # "el marido de Ion", "le mari de M. Roy": whose he is stands right after
        for reference in live.people.after(placed.end):
            between = live.reading.plain[placed.end : reference.start]
            if len(between) > 9:
                break
            if "," not in between and reference.kind in ("subject", "name", "role"):
                link = _resolve(live, reference, past)
                if link is not None:
                    return link
    sentence = live.reading.sentence_at(placed.start)
    before = _until(live.people.before(placed.start), lambda r: r.start >= sentence.start)[::-1]
    after = _until(live.people.after(placed.end), lambda r: r.end <= sentence.end)
    if placed.of:  # "his husband, Mark": the name says who is meant by the words themselves
        after = [r for r in after if r.kind != "name" or r.start - placed.end > 2]
    inside = [
        r
        for r in live.people.within(sentence.start, sentence.end)
        if r.start < placed.end and placed.start < r.end and r.kind == "pronoun"
    ]
    clause = clause_at(live.reading.plain, sentence, placed.start)
    for part in (clause, sentence) if clause != sentence else (sentence,):
        link = _in_part(
            live,
            placed,
            past,
            [r for r in before if part.start <= r.start],
            [r for r in after if r.end <= part.end],
            inside,
        )
        if link is not None:
            return link
    return _by_context(live, sentence, past)


def _until(references: Iterator[Reference], holds: Callable[[Reference], bool]) -> list[Reference]:
    """The nearest references while they are in the sentence."""
    return list(takewhile(holds, islice(references, NEAR)))


def _in_part(
    live: Live,
    placed: Placed,
    past: Past,
    before: list[Reference],
    after: list[Reference],
    inside: list[Reference],
) -> Link | None:
    """The nearest person before a mention, else the nearest after it."""
    # "Becky is her wife": whose wife, the words say themselves
    opening = [r for r in inside if r.start == placed.start and r.sex]
    known = past.focus == "subject" or ("subject", past.subject_sex) in past.people
    if known and opening and before and _is_equated(live, before[-1], placed):
        return Link("pronoun", _text(live, opening[0]))
    for reference in (*opening, *reversed(before), *inside):
        if reference not in inside and _owns(live, reference, before):
            continue
        if (
            reference.aside
            and reference.kind in ("kin", "name")
            and any(
                r.start < reference.start and r.kind in ("subject", "pronoun", "role") and not r.aside
                for r in before
            )
        ):
            continue  # "Ana has lived with her sister since the diagnosis"
        if past.focus == "subject" and _comes_along(live, placed, reference):
            continue  # "merge cu soția la un club de swingeri": the verb is the subject's
        if past.focus == "subject" and reference.kind in ("kin", "name") and _acts_on(live, reference):
            continue  # "medicul l-a declarat inapt"
        if reference.kind == "kin" and _beside_subject(live, reference, before, past):
            continue  # "she and her husband have an open marriage"
        if reference.kind == "kin" and _says_what(live, reference, before):
            continue  # "she is a teacher and has asthma"
        link = _resolve(live, reference, past)
        if link is not None:
            return link
    if live.subject is None:
        return None  # whoever comes after it may be anybody
    for reference in after:
        if reference.kind in ("second", "first"):
            continue
        if (
            reference.kind == "kin"
            and live.reading.word_at(reference.start) - live.reading.word_at(placed.end - 1) > 3
        ):
            continue  # "cancer, and so her sister called": those after it own nothing before it
        if reference.kind == "kin" and any(
            hit.start <= reference.start + 1 for hit in live.companions.within(placed.end, reference.end)
        ):
            continue  # "has an affair with her boss": who does it, not with whom
        if past.focus == "subject" and _stands_apart(live, placed, reference):
            continue  # "se spovedește la părintele Ilie", "e săsoaică, bunicii au plecat în Germania"
        link = _resolve(live, reference, past)
        if link is not None:
            return link
    return None


def _comes_along(live: Live, placed: Placed, other: Reference) -> bool:
    """Whether somebody before a mention is only with whom one does it whose verb needs no word for him."""
    if other.kind not in ("kin", "name") or not _in_company(live, other):
        return False
    plain = live.reading.plain
    clause = clause_at(plain, live.reading.sentence_at(placed.start), placed.start)
    return (
        clause.start <= other.start
        and any(  # "cu mama ei bolnavă": hers
            len(plain[other.end : hit.start].split()) <= 1
            for hit in islice(live.companions.within(other.end, placed.end), 1)
        )
        and any(live.drops.within(clause.start, other.start))
    )


def _acts_on(live: Live, other: Reference) -> bool:
    """Whether a word right after somebody says that he did something to the person spoken of."""
    return any(
        len(live.reading.plain[other.end : hit.start].split()) <= 3
        and not set(live.reading.plain[other.end : hit.start]) & set(",;:")
        for hit in islice(live.objects.after(other.end), 1)
    )


def _stands_apart(live: Live, placed: Placed, other: Reference) -> bool:
    """Whether somebody after a statement with its own verb is no more than company, or begins another one."""
    if other.kind not in ("kin", "name"):
        return False
    plain = live.reading.plain
    clause = clause_at(plain, live.reading.sentence_at(placed.start), placed.start)
    between = plain[placed.end : other.start]
    if ":" in between or not any(
        hit.start < placed.end for hit in live.drops.within(clause.start, clause.end)
    ):
        return False
    if other.start < clause.end and "," not in between:
        return _in_company(live, other)
    rest = plain[other.end : clause_at(plain, live.reading.sentence_at(other.start), other.start).end]
    return len(rest.partition(",")[0].split()) > 1  # "are cancer, mama lui": hers, told at the end


def _in_company(live: Live, other: Reference) -> bool:
    """Whether a word of company stands right before somebody: `with his boss`, `la părintele Ilie`."""
    return any(
        len(between.split()) <= 1 and not set(between) & set(",.;:")
        for hit in islice(live.companions.before(other.start), 1)
        for between in (live.reading.plain[hit.end : other.start],)
    )


def _beside_subject(live: Live, kin: Reference, before: list[Reference], past: Past) -> bool:
    """Whether a relative is joined to the subject, so that both are meant: `she and her husband`."""
    for joint in islice(live.joins.before(kin.start), _BESIDE):
        if len(live.reading.plain[joint.end : kin.start].split()) <= 1:
            for reference in before:
                if reference.kind in ("subject", "pronoun") and 0 <= joint.start - reference.end <= 1:
                    link = _resolve(live, reference, past)
                    return link is not None and not link.other
    return False


def _says_what(live: Live, kin: Reference, before: list[Reference]) -> bool:
    """Whether a word for a person says what the one before it is: `she works as a teacher`."""
    for hit in islice(live.predicates.before(kin.start), _BESIDE):
        between = live.reading.plain[hit.end : kin.start]
        if len(between.split()) <= 2 and not set(between) & set(",.;:"):
            nearest = [r for r in before if r.end <= hit.start + 1][-1:]
            return bool(nearest) and nearest[0].kind in ("subject", "pronoun")
    return False


def _is_equated(live: Live, name: Reference, placed: Placed) -> bool:
    """Whether a mention says what a named person is to somebody: `Becky is her wife`, `Becky Lang, her wife`."""
    between = live.reading.plain[name.end : placed.start].strip()
    if name.kind == "name" and between in {",", "(", "-", ":"}:
        return True
    return name.kind == "name" and any(
        verb.start - name.end <= 2 and placed.start - verb.end <= 1
        for verb in live.verbs.within(name.end, placed.start)
    )


def _owns(live: Live, owner: Reference, here: list[Reference]) -> bool:
    """Whether a pronoun or the subject only says whose relative is meant: `fratele ei`, `the brother of Ana`."""
    if owner.kind not in ("pronoun", "subject", "name"):
        return False
    for kin in here:
        if kin.kind == "kin" and 0 <= owner.start - kin.end <= 8:
            between = live.reading.plain[kin.end : owner.start]
            if not any(c in between for c in ",.;:()-\n") and len(between.split()) <= 1:
                if owner.kind == "pronoun" and between.strip() and between.strip() not in _OF:
                    return False  # "the nurse gave her insulin"
                if owner.kind == "pronoun":
                    return bool(between.strip()) or _is_owner(live, owner)
                return bool(between.strip()) or _inflected(live, owner)
    return False


def _is_owner(live: Live, pronoun: Reference) -> bool:
    """Whether a pronoun right after a relative says whose he is: `fratele ei`, but not `told the nurse she has it`."""
    owners = live.answer_hits.get("owners")
    return owners is not None and bool(owners.within(pronoun.start, pronoun.end))


def _inflected(live: Live, reference: Reference) -> bool:
    """Whether the subject's name stands in another form than the scenario's: `mama Anei`, whose mother she is."""
    if live.subject is None or reference.kind != "subject":
        return False
    word = live.reading.tokens.folded[live.reading.word_at(reference.start)]
    return word not in live.subject.words


def _by_record(live: Live, placed: Placed, past: Past) -> Link | None:
    cell = live.reading.cell_at(placed.start)
    if cell is None:
        return None
    names = live.named_in(cell.record)
    subject = next((r for r in names if r.kind == "subject"), None)
    if subject is not None:
        return Link("record", _text(live, subject))
    before = islice(live.people.before(cell.record.start), NEAR)
    if live.subject is None:
        if names:
            return Link("person", _text(live, names[0]))
        named = next((r for r in before if r.kind == "name"), None)
        if named is not None:
            return Link("person", _text(live, named))
        structure = live.reading.structure
        alone = structure.block_at(placed.start).kind in ("table", "record", "code")
        return Link("person", "record") if alone and structure.sizes[cell.record] >= 3 else None
    others = (r for r in names if not (cell.start <= r.start and r.end <= cell.end))
    other = next(others, None)
    if other is not None and any(_fills_cell(live, r) for r in islice(chain((other,), others), NEAR)):
        return Link("none", _text(live, other), other=True)
    for reference in before:
        who = _who(reference, past.also)
        if who == "subject":
            return Link("record", _text(live, reference))
        if who == "other":
            break
    if past.focus == "subject" or (past.focus == "" and not names):
        return Link("answer" if past.focus else "record", "the question" if past.focus else "the record")
    return None


def _fills_cell(live: Live, name: Reference) -> bool:
    """Whether a name fills its cell, as the person of a row does, rather than standing in a remark."""
    cell = live.reading.cell_at(name.start)
    return cell is None or cell.end - cell.start <= (name.end - name.start) + 16


def _text(live: Live, reference: Reference) -> str:
    return live.reading.plain[reference.start : reference.end]


def _resolve(live: Live, reference: Reference, past: Past) -> Link | None:
    """What a reference says of the mention beside it; None when it says nothing."""
    text = _text(live, reference)
    if live.subject is None:
        if (reference.kind == "name" and reference.level == "exact") or reference.kind == "kin":
            return Link("person", text)
        if reference.kind == "pronoun" and reference.sex:
            return Link("person", text) if _anybody_before(live, reference, past) else None
        return Link("person", text) if reference.kind == "role" and past.focus else None
    if reference.kind == "subject":
        return Link("exact" if reference.level == "exact" else "partial", text)
    if reference.line and reference.line in past.also:
        return Link("partial", text)
    if reference.kind == "name":
        return Link("none", text, other=True)
    if reference.kind == "kin":
        if (
            past.user_is_relative
            and past.focus == "subject"
            and text.lower() not in past.own
            and _yours(live, reference)
        ):
            return Link("partial", text)  # "your wife", said to the husband of the subject
        return Link("none", text, other=True)
    if reference.kind == "role":
        meant = "subject" in (past.focus, past.named) or _named_before(live, reference)
        return Link("pronoun", text) if meant else None
    if reference.kind == "pronoun":
        link = antecedent(live, reference, past)
        # "su", "son", "its": a pronoun that may stand for a thing proves no more than the question does
        return (
            Link("answer", link.text) if link is not None and not link.other and not reference.sex else link
        )
    if reference.kind == "second":
        return Link("second_person", text) if past.user_is_subject else None
    return None


def _anybody_before(live: Live, pronoun: Reference, past: Past) -> bool:
    """Whether there is anybody for a pronoun to stand for: a person named before it, or a talk that it answers."""
    return past.begun or live.first_other <= pronoun.start


def _yours(live: Live, kin: Reference) -> bool:
    """Whether a kinship word has a `your` before it or in it."""
    return any(
        r.kind == "second" and (0 <= kin.start - r.end <= 1 or kin.start <= r.start)
        for r in live.people.within(kin.start - _REACH, kin.end)
    )


def _named_before(live: Live, reference: Reference) -> bool:
    return bool(live.subjects) and live.subjects[0].end <= reference.start


def antecedent(live: Live, pronoun: Reference, past: Past) -> Link | None:
    """Whom a pronoun stands for: the nearest person before it who fits its sex; None where nobody does."""
    text = _text(live, pronoun)
    known = past.subject_sex or next((r.sex for r in islice(live.subjects, NEAR) if r.sex), "")
    for reference in islice(live.people.before(pronoun.start), NEAR):
        if reference.kind == "kin" and live.reading.plain[reference.end : pronoun.start] == " ":
            continue  # "soțul lui": the pronoun right after a relative says whose he is
        who = _who(reference, past.also)
        if reference.kind == "role" and past.focus == "subject":
            who = "subject"
        if not who:
            continue
        sex = known if who == "subject" else reference.sex
        if pronoun.sex and sex and sex != pronoun.sex:
            continue
        if reference.kind == "kin" and not reference.sex and _fits_subject(live, pronoun, known):
            continue  # "the chaplain" of unknown sex, and the pronoun fits the subject
        return Link("pronoun", text) if who == "subject" else Link("none", text, other=True)
    for who, sex in past.people:
        if pronoun.sex and sex and sex != pronoun.sex:
            continue
        if (
            who == "other"
            and not sex
            and _fits_subject(live, pronoun, known)
            and any(w == "subject" for w, _ in past.people)
        ):
            continue
        return Link("pronoun", text) if who == "subject" else Link("none", text, other=True)
    return None


def _fits_subject(live: Live, pronoun: Reference, known: str) -> bool:
    """Whether a pronoun can stand for the subject, as far as the sex is known."""
    return live.subject is not None and (not known or not pronoun.sex or known == pronoun.sex)


def _by_context(live: Live, sentence: Span, past: Past) -> Link:
    """No person in the sentence: the sentences before it, then the question that is being answered."""
    for reference in islice(live.people.before(sentence.start), NEAR):
        who = _who(reference, past.also)
        if live.subject is None and reference.kind == "name" and reference.level == "exact":
            return Link("person", _text(live, reference))
        if who == "subject":
            return Link("answer", _text(live, reference))
        if who == "other" and reference.kind == "name" and not reference.aside:
            return Link("none", _text(live, reference), other=True)
        if reference.kind == "pronoun" and past.focus == "subject":
            return Link("answer", _text(live, reference))
    if live.subject is None:
        return Link("person", "the question") if past.focus else NOBODY
    return Link("answer", "the question") if past.focus == "subject" else NOBODY
