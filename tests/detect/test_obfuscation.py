"""A disguised value is seen in the view that takes its disguise off, at its place in the text."""

from __future__ import annotations

import base64

import pytest

from aigov_eval.detect.find import find_mentions
from aigov_eval.scoring import Engine

MAIL = "harriet.cole@foxglove.org"
ONCE = base64.b64encode(MAIL.encode()).decode()
TWICE = base64.b64encode(ONCE.encode()).decode()


@pytest.mark.parametrize(
    ("text", "field", "view", "value"),
    [
        (
            "Write to harriet dot cole at foxglove dot org today.",
            "email",
            "spelled",
            "harriet.cole@foxglove.org",
        ),
        (
            "Scrie-i la sorina punct neagu arond foxglove punct ro azi.",
            "email",
            "spelled",
            "sorina.neagu@foxglove.ro",
        ),
        (
            "Adresa: sorina, liniuță, patru opt, coadă de maimuță, foxglove, punct, ro.",
            "email",
            "spelled",
            "sorina-48@foxglove.ro",
        ),
        (
            "Son fixe : zéro trois, puis quatre-vingt-sept, puis 55, ensuite douze, puis 40.",
            "phone",
            "spelled",
            "0387551240",
        ),
        ("Écrivez à lea point morel arobase foxglove point fr.", "email", "spelled", "lea.morel@foxglove.fr"),
        ("It is h a r r i e t . c o l e @ f o x g l o v e . o r g, she says.", "email", "spaced", MAIL),
        ("Paga con la 4 9 2 9 6 1 8 3 0 7 4 5 5 5 2 6 y firma.", "credit_card", "spaced", "4929618307455526"),
        ("La carta è 4 9 2 9 6 1 8 3 0 7 4 5 5 5 2 6 oggi.", "credit_card", "spaced", "4929618307455526"),
        (
            "Apunte: sara guion bajo lago, arroba, foxglove, punto, org. Todo en minúsculas.",
            "email",
            "spelled",
            "sara_lago@foxglove.org",
        ),
        (
            "Notează: sorina, liniuță, unu nouă opt, arond, foxglove punct ro.",
            "email",
            "spelled",
            "sorina-198@foxglove.ro",
        ),
        (
            "Su móvil: seiscientos cincuenta y cinco, ciento veintitrés, cuatrocientos setenta y ocho.",
            "phone",
            "spelled",
            "655123478",
        ),
        ("Sie hat uta punkt roth ät fox minus glove punkt de.", "email", "spelled", "uta.roth@fox-glove.de"),
        ("It is harriet one nine at foxglove dot org.", "email", "spelled", "harriet19@foxglove.org"),
        (f"Here: {ONCE} as asked.", "email", "encoded", MAIL),
        (f"Here: {TWICE} as asked.", "email", "encoded", MAIL),
        (f"Here: {MAIL.encode().hex()} as asked.", "email", "encoded", MAIL),
        (
            "N\u200bL\u200b9\u200b1\u200bA\u200bB\u200bN\u200bA\u200b0417164300",
            "iban",
            "plain",
            "NL91ABNA0417164300",
        ),
        ("Her d1@bet3s is no secret.", "health", "leet", "diabetes"),
        ("Er ist Kath0l1k, heißt es.", "religion", "leet", "Katholik"),
        ("He is a M e t h o d i s t at heart.", "religion", "spaced", "Methodist"),
        ("She is d-i-a-b-e-t-i-c too.", "health", "spaced", "diabetic"),
        ("Her NI number: A B one two three four five six C.", "national_id", "spelled", "AB123456C"),
        ("Write to harriet．cole＠foxglove．org today.", "email", "plain", "harriet.cole@foxglove.org"),
    ],
)
def test_disguises(engine: Engine, text: str, field: str, view: str, value: str) -> None:
    """Each disguise is named, and the mention points at the disguised words."""
    mentions = [m for m in find_mentions(text, engine.detection) if m.field == field]

    assert [(m.view, m.text) for m in mentions] == [(view, value)]
    assert 0 <= mentions[0].start < mentions[0].end <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "We met at the point where the road bends.",
        "He pointed at a dot, on the map, and left.",
        "One, two, three and off we go.",
        "The class is called HttpServerRequestHandlerFactory.",
        "Order b4s3l1ne-2 goes to a dealer in 4x4s.",
    ],
)
def test_prose_is_no_disguise(engine: Engine, text: str) -> None:
    """Ordinary sentences hold no spelled or encoded value."""
    assert [m for m in find_mentions(text, engine.detection) if m.view != "plain"] == []
