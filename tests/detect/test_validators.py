"""The validators: what they accept, what they refuse, what they cost."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aigov_eval.detect.check_digits import compact, icao_check, luhn
from aigov_eval.detect.reserved import synthetic
from aigov_eval.detect.validators import VALIDATORS, validate

# validator: values made for this table that it accepts, values one character away that it refuses
TABLE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "luhn": (("8940 0211 5873 0049 4",), ("8940 0211 5873 0049 5", "0000000000")),
    "card": (
        ("4929 6183 0745 5526", "3782-910446-21505", "3623 401877 5299", "6763881244005"),
        ("4929 6183 0745 5527", "9929 6183 0745 5526", "378291044621506"),
    ),
    "iban": (
        ("RO49 AAAA 1B31 0075 9384 0000",),
        ("RO48 AAAA 1B31 0075 9384 0000", "RO49 AAAA 1B31 0075 9384"),
    ),
    "iso7064": (("26548172422",), ("26548172423",)),
    "bitcoin": (
        ("1G53gZGr32vHPBxhCvbH1JPNc4oYyfsZhG", "bc1qrerwzgj6f8ntxvhxyrdlm5aahn0t09nl6a2v0x"),
        ("1G53gZGr32vHPBxhCvbH1JPNc4oYyfsZhH", "bc1qrerwzgj6f8ntxvhxyrdlm5aahn0t09nl6a2v0y"),
    ),
    "ethereum": (("0xae923d5a4fd12aabfe228f219e9cb0eb53f16947",), ("0x" + "0" * 40, "0xae92")),
    "ip": (
        ("81.196.44.213", "2a02:2f0e:c1:7700::30f", "203.0.113.77"),
        ("192.168.4.20", "127.0.0.1", "fe80::1", "::", "256.1.1.1", "10.0.0.0/8", "224.0.0.1"),
    ),
    "ip_internal": (
        ("192.168.4.20", "10.0.0.0/8", "fe80::77%eth1", "::ffff:10.4.8.1"),
        ("81.196.44.213", "256.1.1.1"),
    ),
    "mac": (("3C:22:FB:0A:91:7E", "3c22.fb0a.917e"), ("FF:FF:FF:FF:FF:FF", "00-00-00-00-00-00", "3C:22:FB")),
    "imei": (("35-294110-883017-4",), ("35-294110-883017-5",)),
    "phone": (("+40 723 418 065", "0161 418 0652", "(312) 555-0147", "07700 900 417"), ("0015108", "12")),
    "phone.trunk_zero": (("0161 418 0652",), ("0074 833 7887",)),
    "phone.mobile": (("07482418065", "0723418065"), ("0212418065",)),
    "phone.north_american": (("(212) 418-0652",), ("(999) 955-0147",)),
    "phone.es": (("612 41 80 65",), ("770 61 28 40",)),
    "phone.it": (("347 418 0652",), ("306 457 5822",)),
    "date": (
        (
            "14.08.1971",
            "1971-08-14",
            "8/14/1971",
            "14 August 1971",
            "August 1971",
            "14081971",
            "14.08.71",
            "29 février 1996",
        ),
        ("31.02.1971", "14.18.1971", "14.08.1871", "2071-08-14", "34 August", "14 August 1771", "words"),
    ),
    "coordinates": (("46.770432, 23.589917",), ("96.770432, 23.589917", "0.0000, 0.0000")),
    "mrz": (
        ("XK44178205ROU6802147F3106305<<<<<<<<<<<<<<00", "IDROURX55182070<<<<<<<<<<<<<<<"),
        ("XK44178206ROU6802147F3106305<<<<<<<<<<<<<<00", "IDROURX55182073<<<<<<<<<<<<<<<"),
    ),
    "fr_rib": (("30004 00821 00012467153 53",), ("30004 00821 00012467153 54",)),
    "it_bban": (("E 05428 11101 000000481273",), ("F 05428 11101 000000481273",)),
    "pl_nrb": (("28 1140 2004 0000 3002 5588 1203",), ("29 1140 2004 0000 3002 5588 1203",)),
    "hu_giro": (("11773016-20143053",), ("11773016-20143054", "11773017-20143053")),
    "uk_nino": (
        ("AB 48 17 70 C", "ab481770c"),
        ("BG 48 17 70 C", "QQ 48 17 70 C", "AB 48 17 70 E", "AO 48 17 70 C"),
    ),
    "uk_driving_licence": (("QUILL758120B99KT",), ("QUILL799120B99KT", "QUILL758990B99KT", "QUILL")),
    "de_document": (("T48177201", "L48X177T26"), ("L48X177T27", "481772011", "AEIOU1234")),
    "de_kvnr": (("Q481778197",), ("Q481778198", "1481778197")),
    "de_rvnr": (("53140871Q604",), ("53140871Q605", "53141371Q604")),
    "ro_ci": (("CJ nr. 481770", "seria RX 481770"), ("QQ 481770", "CJ 4817")),
    "lu_matricule": (("1971081412056",), ("1971081412057", "1971131412056")),
    "es_dni": (("48177062C", "4817706-B"), ("48177062A",)),
    "fi_hetu": (("140871-481A",), ("140871-481B", "310271-481A")),
    "us_ssn": (("481-07-7206",), ("000-07-7206", "666-07-7206", "078-05-1120")),
    "us_itin": (("912-70-4817",), ("912-89-4817", "812-70-4817")),
    "us_mbi": (("4HT7-M94-PX26",), ("4ST7-M94-PX26", "0HT7-M94-PX26")),
    "us_routing": (("2110-0056-9",), ("2110-0056-8", "990000000")),
    "ca_sin": (("481 706 554",), ("481-706 554", "481 706 555", "081 706 554")),
    "tw_id": (("H248172729",), ("H248172720",)),
    "hk_id": (("K481770(2)",), ("K481770(3)",)),
    "sg_nric": (("S4817706I",), ("S4817706J",)),
    "kr_rrn": (("710814-2048177",), ("711348-2048177", "710814-9048177", "1111111111111")),
    "th_pin": (("4817706121769",), ("4817706121768", "9817706121769")),
    "za_id": (("7108144817081",), ("7108144817082", "7113144817081")),
    "eg_id": (("27108140148177",), ("27113480148177", "27108149948177")),
    "au_medicare": (("3481 77044 1",), ("3481 77054 1", "1481 77044 1")),
    "stdnum.ro.cnp": (("2710814125174",), ("2710814125175", "1111111111111")),
    "stdnum.es.nie": (("Y4817706W",), ("Y4817706X",)),
    "stdnum.ch.ssn": (("756.4817.7061.02",), ("756.4817.7061.03",)),
}
ACCEPTED = [(name, value) for name, (good, _) in TABLE.items() for value in good]
REFUSED = [(name, value) for name, (_, bad) in TABLE.items() for value in bad]


@pytest.mark.parametrize(("name", "value"), ACCEPTED)
def test_accepts(name: str, value: str) -> None:
    """A value with the right check digit, range or date is accepted, in any printed grouping."""
    assert validate(name, value)


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_refuses(name: str, value: str) -> None:
    """A value one character away, or outside the ranges, is refused."""
    assert not validate(name, value)


def test_a_name_outside_the_table_is_an_error() -> None:
    """The table is closed: no module is imported because a file names it."""
    with pytest.raises(KeyError):
        validate("stdnum.os", "1")


def test_every_validator_says_where_its_rule_comes_from() -> None:
    """Each has a docstring with a source or a statement of the rule."""
    assert [name for name, function in VALIDATORS.items() if not function.__doc__] == []


@pytest.mark.parametrize("name", sorted(VALIDATORS))
@given(text=st.text(max_size=40))
def test_never_fails_on_any_text(name: str, text: str) -> None:
    """Whatever a pattern lets through, a validator answers yes or no."""
    assert validate(name, text) in (True, False)


@given(st.from_regex(r"[1-9][0-9]{11,18}", fullmatch=True), st.data())
def test_luhn_notices_every_single_wrong_digit(digits: str, data: st.DataObject) -> None:
    """One digit changed never passes (ISO/IEC 7812-1)."""
    if not luhn(digits):
        return
    place = data.draw(st.integers(0, len(digits) - 1))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != digits[place]]))
    assert not luhn(digits[:place] + other + digits[place + 1 :])


@given(st.from_regex(r"[0-9A-Z]{9}", fullmatch=True))
def test_icao_check_is_one_digit(text: str) -> None:
    """ICAO Doc 9303 check digits are 0 to 9."""
    assert 0 <= icao_check(text) <= 9


def test_compact_drops_printing_only() -> None:
    """Spaces, dots, hyphens, slashes and colons go; letters and digits stay, in capitals."""
    assert compact(" a1-b2.c3/d4:e5_f6,g7 ") == "A1B2C3D4E5F6G7"


@pytest.mark.parametrize(
    ("ranges", "subtype", "value", "reserved"),
    [
        ("domain", "address", "ana@example.com", True),
        ("domain", "address", "ana@post.example", True),
        ("domain", "address", "ana@sub.mill.test", True),
        ("domain", "address", "ana@examples.com", False),
        ("phone", "national", "020 7946 0417", True),
        ("phone", "national", "+44 7700 900417", True),
        ("phone", "national", "(212) 555-0147", True),
        ("phone", "national", "01 99 00 48 17", True),
        ("phone", "national", "0161 418 0652", False),
        ("card", "groups_of_four", "4242 4242 4242 4242", True),
        ("card", "groups_of_four", "4929 6183 0745 5526", False),
        ("iban", "length_24", "RO49 AAAA 1B31 0075 9384 0000", True),
        ("iban", "length_22", "GB82 WEST 1234 5698 7654 32", True),
        ("iban", "length_22", "DE02481770617061481770", False),
        ("ip", "v4", "198.51.100.7", True),
        ("ip", "v6", "2001:db8::7", True),
        ("ip", "v4", "81.196.44.213", False),
        ("key", "aws_access_key", "AKIAIOSFODNN7EXAMPLE", True),
        ("key", "test_stripe_key", "anything", True),
        ("key", "password_told", "Heron48!weir", False),
        ("mac", "colons", "00:00:5E:00:53:17", True),
        ("number", "uk_nino", "QQ 12 34 56 C", True),
        ("number", "ro_cnp", "2710814125174", False),
        ("", "told", "example.com", False),
    ],
)
def test_marks_reserved_values(ranges: str, subtype: str, value: str, reserved: bool) -> None:
    """Ranges reserved for tests, documentation and fiction are marked, and nothing else is."""
    assert synthetic(ranges, subtype, value) is reserved


def test_the_table_costs_nothing_until_used() -> None:
    """Importing the validators imports neither python-stdnum nor phonenumbers."""
    code = "import json, sys, aigov_eval.detect.validators; print(json.dumps(sorted({m.split('.')[0] for m in sys.modules})))"
    loaded = json.loads(
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    )
    assert not {"stdnum", "phonenumbers", "spacy", "presidio_analyzer", "regex"} & set(loaded)
