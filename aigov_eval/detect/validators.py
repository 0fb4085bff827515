"""
What the words found must satisfy: check digits, calendars, ranges; and which values are reserved for tests.

Comes in: the words found. Goes out: yes or no. `VALIDATORS` is the closed table of names that a
detector file may use; python-stdnum and phonenumbers are imported only when one of theirs is asked.
Chance pass rates, which decide whether a number may stand without a label: detection.md, section 2.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from types import MappingProxyType
from typing import Any

from aigov_eval.detect import personal_numbers as own

Validator = Callable[[str], bool]

# ------------------------------------------------------------------ python-stdnum

# module -> the same name in the table, with the prefix `stdnum.`
_STDNUM = (
    "al.nipt ar.cuit ar.dni at.tin at.vnr au.tfn be.bis be.eid be.nn bg.egn bg.pnf bitcoin br.cpf ca.bc_phn ch.ssn cl.rut "
    "cn.ric cr.cpf cu.ni cz.rc de.idnr de.stnr dk.cpr do.cedula ec.ci ee.ik es.ccc es.nie es.nif fr.nif fr.nir "
    "gb.nhs gb.utr gr.amka gr.vat hr.oib id.nik ie.pps il.idnr imei in_.aadhaar in_.epic in_.pan "
    "is_.kennitala it.codicefiscale lt.asmens lv.pvn md.idno mx.curp mx.rfc my.nric nl.bsn no.fodselsnummer "
    "no.kontonr nz.bankaccount nz.ird pe.cui pk.cnic pl.nip pl.pesel pt.cc pt.nif ro.cnp ru.inn se.personnummer si.ddv si.emso "
    "sk.rc tr.tckimlik ua.rntrc us.atin uy.rut verhoeff"
).split()


@lru_cache(maxsize=128)
def _stdnum_module(name: str) -> Any:
    return import_module(f"stdnum.{name}")


def _stdnum(name: str) -> Validator:
    def valid(value: str) -> bool:
        # their compact() functions know hyphens and spaces, not every printed mark
        module = _stdnum_module(name)
        if len(set(own.compact(value))) == 1:
            return False  # one digit repeated passes many a check and is nobody's number
        return bool(module.is_valid(value) or module.is_valid(own.compact(value)))

    valid.__doc__ = f"python-stdnum, module {name}."
    return valid


# ------------------------------------------------------------------ accounts and cards


def iban(value: str) -> bool:
    """Length and structure of the country in the SWIFT registry, and modulo 97 (ISO 13616)."""
    return bool(_stdnum_module("iban").is_valid(own.compact(value), check_country=False))


# issuer ranges and lengths (ISO/IEC 7812; the schemes' own pages): prefix from, prefix to, lengths
_IIN: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("1", "1", (15,)),  # UATP
    ("4", "4", (13, 16, 19)),  # Visa
    ("34", "34", (15,)),  # American Express
    ("37", "37", (15,)),
    ("300", "305", (14, 16)),  # Diners Club
    ("3095", "3095", (14, 16)),
    ("38", "39", (14, 16)),
    ("36", "36", (14, 16, 19)),
    ("3528", "3589", (16, 17, 18, 19)),  # JCB
    ("51", "55", (16,)),  # Mastercard
    ("2221", "2720", (16,)),
    ("2200", "2204", (16, 17, 18, 19)),  # Mir
    ("5019", "5019", (16,)),  # Dankort
    ("5018", "5020", (12, 13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("5038", "5038", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("56", "58", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("6304", "6304", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("6390", "6390", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("67", "67", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("6011", "6011", (16, 17, 18, 19)),  # Discover
    ("644", "65", (16, 17, 18, 19)),
    ("62", "62", (16, 17, 18, 19)),  # UnionPay
    ("60", "60", (16,)),  # RuPay
    ("81", "82", (16,)),
    ("9792", "9792", (16,)),  # Troy
)


def card(value: str) -> bool:
    """A payment card number: range and length of an issuer, and the Luhn digit (ISO/IEC 7812-1)."""
    digits = own.compact(value)
    if not (digits.isascii() and digits.isdigit()):
        return False
    for low, high, lengths in _IIN:
        # a range such as 644-65 compares as text: 644 <= 649 and 649 begins with 64 < 65
        if len(digits) in lengths and digits[: len(low)] >= low and digits[: len(high)] <= high:
            return own.luhn(digits)
    return False


def iso7064(value: str) -> bool:
    """ISO 7064 Mod 11, 10, the check digit of the German tax number."""
    return bool(_stdnum_module("iso7064.mod_11_10").is_valid(own.compact(value)))


def bitcoin(value: str) -> bool:
    """A Bitcoin address: Base58Check (P2PKH, P2SH), Bech32 or Bech32m (BIP 173, BIP 350)."""
    if value[:3].lower() == "bc1":
        return _bech32(value)
    return bool(_stdnum_module("bitcoin").is_valid(value))


def _bech32(value: str) -> bool:
    if value not in {value.lower(), value.upper()}:
        return False
    human, _, data = value.lower().rpartition("1")
    alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    if human != "bc" or not 6 <= len(data) <= 87 or any(c not in alphabet for c in data):
        return False
    check = 1
    spread = [ord(c) >> 5 for c in human] + [0] + [ord(c) & 31 for c in human]
    for number in [*spread, *(alphabet.index(c) for c in data)]:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ number
        for i, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= generator if top >> i & 1 else 0
    return check in {1, 0x2BC830A3}


def ethereum(value: str) -> bool:
    """0x and forty hexadecimal digits, not all alike (EIP-55's capitals are not demanded: many tools drop them)."""
    return bool(re.fullmatch(r"0[xX][0-9a-fA-F]{40}", value)) and len(set(value[2:].lower())) > 4


# ------------------------------------------------------------------ devices and networks

_DOCUMENTATION = tuple(
    ip_network(block)
    for block in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20")
)


def _address(value: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(value.strip("[]").split("/")[0].split("%")[0])
    except ValueError:
        return None


def _documentation(address: IPv4Address | IPv6Address) -> bool:
    return any(address in block for block in _DOCUMENTATION if block.version == address.version)


def ip(value: str) -> bool:
    """An address that can lead to one line: public, or of a block reserved for documentation (RFC 5737, 3849, 9637)."""
    address = _address(value)
    if address is None:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    address = mapped or address
    return _documentation(address) or (address.is_global and not address.is_multicast)


def ip_internal(value: str) -> bool:
    """An address of a private, loopback, link-local, multicast or unspecified block (RFC 6890): the same in every house."""
    return _address(value) is not None and not ip(value)


def mac(value: str) -> bool:
    """A hardware address (IEEE 802): six bytes, neither broadcast nor null."""
    text = own.compact(value)
    return bool(re.fullmatch(r"[0-9A-F]{12}", text)) and len(set(text)) > 1


def imei(value: str) -> bool:
    """A mobile device number: fifteen digits with a Luhn digit (3GPP TS 23.003), or sixteen with the software version."""
    digits = own.compact(value)
    if len(digits) == 16 and digits.isdigit():
        return digits[:2] in {"01", "35", "86", "99"}
    return len(digits) == 15 and own.luhn(digits)


# where national forms are read: the countries of the six languages first
_REGIONS = (
    "GB US RO DE FR ES IT AT CH BE IE LU MD CA AU NZ MX AR CO PE CL EC UY VE IN ZA PT BR NL PL CZ SK HU BG GR HR SI RS DK SE "
    "NO FI IS EE LV LT TR IL UA CN JP KR SG HK MY PH NG KE MA TN DZ CI SN MC LI SM"
).split()
# whose national numbers begin with 0 and are printed so without a label
_TRUNK_ZERO = "GB RO DE FR AT CH BE IE IT NL SE AU NZ ZA TR PH JP IL".split()
# whose mobile numbers are told by their first digits even where nothing groups them
_MOBILE = "GB RO DE FR AT CH BE IE AU TR PH".split()


@lru_cache(maxsize=4096)
def _in_plan(text: str, regions: tuple[str, ...], *, mobile: bool = False) -> bool:
    import phonenumbers

    for region in regions:
        try:
            number = phonenumbers.parse(text, region)
        except phonenumbers.NumberParseException:
            continue
        if (
            phonenumbers.is_valid_number_for_region(number, region)
            if mobile
            else phonenumbers.is_valid_number(number)
        ):
            kinds = (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE_OR_MOBILE)
            if not mobile or phonenumbers.number_type(number) in kinds:
                return True
    return False


def phone(value: str) -> bool:
    """A number of the plan of its country code, or of a country whose national forms are read (ITU E.164), or reserved for fiction."""
    text = value.strip()
    text = "+" + text[2:] if text.startswith("00") else text
    return _in_plan(text, tuple(_REGIONS)) or _reserved_phone(value) is not None


def _phone_of(regions: list[str], *, mobile: bool = False) -> Validator:
    def valid(value: str) -> bool:
        return _in_plan(value.strip(), tuple(regions), mobile=mobile) or _reserved_phone(value) is not None

    valid.__doc__ = (
        f"A national number{' of a mobile' if mobile else ''} in the plan of {' '.join(regions)} (ITU E.164)."
    )
    return valid


# ------------------------------------------------------------------ dates

# no clock: the same words must give the same answer next year. A birth later than this bound is none of a living person.
_LAST_BIRTH_YEAR = 2035
_MONTHS: dict[str, int] = {}
for _number, _names in enumerate(
    (
        "january jan ianuarie ian januar jänner jaenner janvier janv enero ene gennaio gen",
        "february feb februarie februar feber février fevrier févr fevr febrero febbraio febb",
        "march mar martie märz maerz mrz mars marzo",
        "april apr aprilie avril avr abril abr aprile",
        "may mai mayo maggio mag",
        "june jun iunie iun juni juin junio giugno giu",
        "july jul iulie iul juli juillet juil julio luglio lug",
        "august aug aout août agosto ago",
        "september sep sept septembrie septembre septiembre setiembre settembre set",
        "october oct octombrie oktober okt octobre octubre ottobre ott",
        "november nov noiembrie noi novembre noviembre",
        "december dec decembrie dezember dez décembre déc decembre diciembre dic dicembre",
    ),
    start=1,
):
    for _name in _names.split():
        _MONTHS[_name] = _number


def date(value: str) -> bool:
    """A day of the calendar on which a living person can be born: 1900 to 2035, in figures or with a month's name."""
    numbers = [int(n) for n in re.findall(r"\d+", value)]
    named = next((m for w in re.findall(r"[^\W\d_]+", value.lower()) if (m := _MONTHS.get(w))), 0)
    if re.fullmatch(r"\d{8}", value):
        year_first = 1900 <= int(value[:4]) <= _LAST_BIRTH_YEAR
        cuts = ((0, 4), (4, 6), (6, 8)) if year_first else ((0, 2), (2, 4), (4, 8))
        numbers = [int(value[a:b]) for a, b in cuts]
    if named:
        return _named_date(named, numbers)
    if len(numbers) != 3:
        return False
    first, second, third = numbers
    if first > 31:
        return _plausible(first, second, third)
    year = third if third > 99 else (2000 if third <= _LAST_BIRTH_YEAR % 100 else 1900) + third
    return _plausible(year, second, first) or _plausible(year, first, second)


def _named_date(month: int, numbers: list[int]) -> bool:
    if len(numbers) == 1:  # a day without a year, or a month with one
        return 1 <= numbers[0] <= 31 or 1900 <= numbers[0] <= _LAST_BIRTH_YEAR
    if len(numbers) != 2:
        return False
    day, year = (numbers[1], numbers[0]) if numbers[0] > 31 else (numbers[0], numbers[1])
    return _plausible(year if year > 99 else 1900 + year, month, day)


def _plausible(year: int, month: int, day: int) -> bool:
    return 1900 <= year <= _LAST_BIRTH_YEAR and own.is_date(year, month, day)


def coordinates(value: str) -> bool:
    """A latitude and a longitude in degrees, not the null point."""
    numbers = [float(n.replace(",", ".")) for n in re.findall(r"-?\d{1,3}[.,]\d+", value)]
    return len(numbers) != 2 or (abs(numbers[0]) <= 90 and abs(numbers[1]) <= 180 and any(numbers))


# ------------------------------------------------------------------ the closed table

VALIDATORS: MappingProxyType[str, Validator] = MappingProxyType(
    {f"stdnum.{name}": _stdnum(name) for name in _STDNUM}
    | {
        "phone.trunk_zero": _phone_of(_TRUNK_ZERO),
        "phone.mobile": _phone_of(_MOBILE, mobile=True),
        "phone.north_american": _phone_of(["US", "CA"]),
        "phone.es": _phone_of(["ES"]),
        "phone.it": _phone_of(["IT"]),
    }
    | {
        function.__name__: function
        for function in (
            iban, card, iso7064, bitcoin, ethereum, ip, ip_internal, mac, imei, phone, date, coordinates,
            own.luhn, own.mrz, own.fr_rib, own.it_bban, own.pl_nrb, own.hu_giro,
            own.uk_nino, own.uk_chi, own.uk_driving_licence,
            own.de_document, own.de_rvnr, own.de_kvnr,
            own.hu_taj, own.hu_personal, own.hu_tax,
            own.ro_ci, own.lu_matricule, own.pt_niss, own.es_dni, own.es_nuss, own.pl_id_card, own.fi_hetu,
            own.us_ssn, own.us_itin, own.us_mbi, own.us_routing, own.ca_sin,
            own.sg_nric, own.hk_id, own.tw_id, own.kr_rrn, own.th_pin, own.jp_my_number,
            own.ae_eid, own.sa_id, own.eg_id, own.au_medicare, own.za_id, own.ru_snils,
        )
    }
)  # fmt: skip


def validate(name: str, value: str) -> bool:
    """Whether the validator of that name accepts the words found. Raises KeyError for a name outside the table."""
    return VALIDATORS[name](value)


# ------------------------------------------------------------------ values reserved for tests

_RESERVED_DOMAIN = re.compile(
    r"(?:^|[@.])(?:example\.(?:com|org|net|edu)|[^@\s]+\.(?:test|example|invalid|localhost)|test|example|invalid|localhost)$",
    re.IGNORECASE,
)
# Ofcom, numbers for drama; NANPA 555-0100 to 0199 (and 555 as an area code, which is none); ARCEP decision 2018-0881; Bundesnetzagentur, numbers for fiction; ACMA
_RESERVED_PHONE = re.compile(
    r"""(?x)^(?:
      (?:44|0)(?:
        7700900 | 1632960 | 2079460 | 1134960 | 1144960 | 1154960 | 1164960 | 1174960 | 1184960 | 1214960 |
        1314960 | 1414960 | 1514960 | 1614960 | 1914980 | 2890180 | 2890496 | 2920180 | 8081570 | 9098790 | 3069990
      )\d{3}
      | 1?[2-9]\d\d55501\d\d | 55501\d\d | 1?555\d{7}
      | (?:33|0)(?:19900|26191|35301|46571|53649|63998)\d{4}
      | (?:49|0)(?:3023125|6990009|4066969|22146991|8999998|171392|172992|173312|174991|176040690|15228817|15228895|15310023)\d{2,5}
      | (?:61|0)(?:255501|255701|355501|355701|755501|755701|855501|855701)\d{2} | (?:61|0)49157\d{4}
      | (?:353|0)2091[05]\d{4}
    )$"""
)
_TEST_CARDS = frozenset(
    # the card schemes' and payment services' published test numbers
    "4111111111111111 4242424242424242 4012888888881881 4222222222222 4000056655665556 4000000000000002 4000000000000077 "
    "4000000000009995 5555555555554444 5105105105105100 5200828282828210 2223003122003222 2223000048400011 "
    "378282246310005 371449635398431 378734493671000 6011111111111117 6011000990139424 6011981111111113 "
    "30569309025904 38520000023237 3056930009020004 36227206271667 3530111333300000 3566002020360505 6200000000000005 "
    "6759649826438453 6304000000000000 5019717010103742 4917300800000000 4484070000000000 3528000700000000 5500000000000004 "
    "340000000000009 6011000000000004 30000000000004 4000000000000000".split()
)
_TEST_IBANS = frozenset(
    # the SWIFT registry's printed examples, and those of vendors' manuals
    "RO49AAAA1B31007593840000 GB82WEST12345698765432 GB29NWBK60161331926819 GB33BUKB20201555555555 DE89370400440532013000 "
    "FR1420041010050500013M02606 ES9121000418450200051332 IT60X0542811101000000123456 NL91ABNA0417164300 BE68539007547034 "
    "AT611904300234573201 CH9300762011623852957 IE29AIBK93115212345678 PT50000201231234567890154 PL61109010140000071219812874 "
    "LU280019400644750000 DK5000400440116243 SE4550000000058398257466 NO9386011117947 FI2112345600000785 GR1601101250000000012300695 "
    "HU42117730161111101800000000 CZ6508000000192000145399 SK3112000000198742637541 BG80BNBG96611020345678 HR1210010051863000160 "
    "SI56263300012039086 EE382200221020145685 LV80BANK0000435195001 LT121000011101001000 MT84MALT011000012345MTLCAST001S "
    "CY17002001280000001200527600 LI21088100002324013AA MD24AG000225100013104168 TR330006100519786457841326".split()
)
_TEST_NUMBERS = frozenset(
    # numbers that authorities print in their guidance or advertised once
    "QQ123456C AB123456C 078051120 219099999 457555462 123456789 12345678Z 00000000T X0000000T 9434765919 9999999999 "
    "36574261809 65929970489 L01X00T471 L01X00T47 T220001293 T22000129 C01X00T478 C01X00T47 1234567890 0123456789 1111111111111".split()
)
_TEST_KEYS = frozenset({"AKIAIOSFODNN7EXAMPLE", "WJALRXUTNFEMI/K7MDENG/BPXRFICYEXAMPLEKEY"})


def _reserved_phone(text: str) -> str | None:
    digits = re.sub(r"\D", "", text.split("x", maxsplit=1)[0])
    digits = digits[2:] if digits.startswith("00") else digits
    return digits if _RESERVED_PHONE.match(digits) else None


def synthetic(field: str, subtype: str, value: str) -> bool:
    """
    Whether a value is reserved for tests, documentation or fiction, so that it belongs to nobody.

    It stays a mention: seeded audit data is synthetic by construction (design, section 5.8). Sources stand
    beside the tables; domains: RFC 2606 and 6761; addresses: RFC 5737 and 3849.
    """
    text = own.compact(value)
    if field == "email":
        return bool(_RESERVED_DOMAIN.search(value.strip().rstrip(".").rpartition("@")[2]))
    if field == "phone":
        return _reserved_phone(value) is not None
    if field == "credit_card":
        # 4000 00 is no bank's: payment services number their test cards so
        return text in _TEST_CARDS or text.startswith("400000")
    if field == "iban":
        return text in _TEST_IBANS
    if field == "ip_address":
        address = _address(value)
        return address is not None and _documentation(address)
    if field == "credential":
        return value.strip().upper() in _TEST_KEYS or "EXAMPLE" in value or subtype.startswith("test_")
    if field == "mac_address":
        return text.startswith("00005E0053")  # RFC 7042, section 2.1.2
    return field in {"national_id", "passport", "driver_licence", "bank_account"} and text in _TEST_NUMBERS
