"""
What the words found must satisfy: check digits, calendars, ranges.

Comes in: the words found. Goes out: yes or no. `VALIDATORS` is the closed table of names that a
detector file may use; python-stdnum and phonenumbers are imported only when one of theirs is asked.
Chance pass rates, which decide whether a number may stand without a label: detection.md, section 2.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from aigov_eval.detect import accounts
from aigov_eval.detect import overseas_numbers as overseas
from aigov_eval.detect import personal_numbers as own
from aigov_eval.detect.check_digits import compact, is_date, luhn
from aigov_eval.detect.reserved import address_of, for_documentation, reserved_phone

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
        if len(set(compact(value))) == 1:
            return False  # one digit repeated passes many a check and is nobody's number
        return bool(module.is_valid(value) or module.is_valid(compact(value)))

    valid.__doc__ = f"python-stdnum, module {name}."
    return valid


# ------------------------------------------------------------------ devices and networks


def ip(value: str) -> bool:
    """An address that can lead to one line: public, or of a block reserved for documentation (RFC 5737, 3849, 9637)."""
    address = address_of(value)
    if address is None:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    address = mapped or address
    return for_documentation(address) or (address.is_global and not address.is_multicast)


def ip_internal(value: str) -> bool:
    """An address of a private, loopback, link-local, multicast or unspecified block (RFC 6890): the same in every house."""
    return address_of(value) is not None and not ip(value)


def mac(value: str) -> bool:
    """A hardware address (IEEE 802): six bytes, neither broadcast nor null."""
    text = compact(value)
    return bool(re.fullmatch(r"[0-9A-F]{12}", text)) and len(set(text)) > 1


def imei(value: str) -> bool:
    """A mobile device number: fifteen digits with a Luhn digit (3GPP TS 23.003), or sixteen with the software version."""
    digits = compact(value)
    if len(digits) == 16 and digits.isdigit():
        return digits[:2] in {"01", "35", "86", "99"}
    return len(digits) == 15 and luhn(digits)


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
    return _in_plan(text, tuple(_REGIONS)) or reserved_phone(value) is not None


def _phone_of(regions: list[str], *, mobile: bool = False) -> Validator:
    def valid(value: str) -> bool:
        return _in_plan(value.strip(), tuple(regions), mobile=mobile) or reserved_phone(value) is not None

    valid.__doc__ = (
        f"A national number{' of a mobile' if mobile else ''} in the plan of {' '.join(regions)} (ITU E.164)."
    )
    return valid


# ------------------------------------------------------------------ dates

# no clock: the same words must give the same answer next year. A birth later than this bound is none of a living person.
_LAST_BIRTH_YEAR = 2035
_A_MONTH = re.compile(r"[^\W\d_]{3}")  # letters of its name


def date(value: str) -> bool:
    """A day of the calendar on which a living person can be born: 1900 to 2035, in figures or with a month's name."""
    numbers = [int(n) for n in re.findall(r"\d+", value)]
    if re.fullmatch(r"\d{8}", value):
        year_first = 1900 <= int(value[:4]) <= _LAST_BIRTH_YEAR
        cuts = ((0, 4), (4, 6), (6, 8)) if year_first else ((0, 2), (2, 4), (4, 8))
        numbers = [int(value[a:b]) for a, b in cuts]
    if _A_MONTH.search(value):
        return _named_date(numbers)
    if len(numbers) != 3:
        return False
    first, second, third = numbers
    if first > 31:
        return _plausible(first, second, third)
    year = third if third > 99 else (2000 if third <= _LAST_BIRTH_YEAR % 100 else 1900) + third
    return _plausible(year, second, first) or _plausible(year, first, second)


def _named_date(numbers: list[int]) -> bool:
    """A day, a year or both beside the name of a month, which the pattern knows and we do not."""
    if len(numbers) == 1:  # a day without a year, or a month with one
        return 1 <= numbers[0] <= 31 or 1900 <= numbers[0] <= _LAST_BIRTH_YEAR
    if len(numbers) != 2:
        return False
    day, year = (numbers[1], numbers[0]) if numbers[0] > 31 else (numbers[0], numbers[1])
    return _plausible(year if year > 99 else 1900 + year, 1, day)


def _plausible(year: int, month: int, day: int) -> bool:
    return 1900 <= year <= _LAST_BIRTH_YEAR and is_date(year, month, day)


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
            accounts.iban, accounts.card, accounts.iso7064, accounts.bitcoin, accounts.ethereum, ip, ip_internal, mac, imei, phone, date, coordinates,
            luhn, own.mrz, accounts.fr_rib, accounts.it_bban, accounts.pl_nrb, accounts.hu_giro,
            own.uk_nino, own.uk_chi, own.uk_driving_licence,
            own.de_document, own.de_rvnr, own.de_kvnr,
            own.hu_taj, own.hu_personal, own.hu_tax,
            own.ro_ci, own.lu_matricule, own.pt_niss, own.es_dni, own.es_nuss, own.pl_id_card, own.fi_hetu,
            overseas.us_ssn, overseas.us_itin, overseas.us_mbi, accounts.us_routing, overseas.ca_sin,
            overseas.sg_nric, overseas.hk_id, overseas.tw_id, overseas.kr_rrn, overseas.th_pin, overseas.jp_my_number,
            overseas.ae_eid, overseas.sa_id, overseas.eg_id, overseas.au_medicare, overseas.za_id, own.ru_snils,
        )
    }
)  # fmt: skip


def validate(name: str, value: str) -> bool:
    """Whether the validator of that name accepts the words found. Raises KeyError for a name outside the table."""
    return VALIDATORS[name](value)
