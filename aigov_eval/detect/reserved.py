"""
Values that belong to nobody: ranges reserved for tests, documentation and fiction.

Comes in: the ranges that a detector's file names, a subtype and the words found. Goes out: whether the value is reserved. It stays
a mention; the rules decide what a test value means (design, section 5.8).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from types import MappingProxyType

from aigov_eval.detect.check_digits import compact

_DOCUMENTATION = tuple(
    ip_network(block)
    for block in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20")
)


def address_of(value: str) -> IPv4Address | IPv6Address | None:
    """The network address that the words name, brackets, prefix length and zone left out; None for anything else."""
    try:
        return ip_address(value.strip("[]").split("/")[0].split("%")[0])
    except ValueError:
        return None


def for_documentation(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is of a block reserved for documentation (RFC 5737, 3849, 9637)."""
    return any(address in block for block in _DOCUMENTATION if block.version == address.version)


_RESERVED_DOMAIN = re.compile(
    r"(?:^|[@.])(?:example\.(?:com|org|net|edu)|[^@\s]+\.(?:test|example|invalid|localhost)|test|example|invalid|localhost)$",
    re.IGNORECASE,
)
# Ofcom, numbers for drama; NANPA 555-0100 to 0199 (and 555 as an area code, which is none); ARCEP decision 2018-0881; Bundesnetzagentur, numbers for fiction; ACMA
_RESERVED_PHONE = r"""(?x)^(?:
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


def reserved_phone(text: str) -> str | None:
    """The digits of a telephone number that is reserved for fiction, else None."""
    digits = re.sub(r"\D", "", text.split("x", maxsplit=1)[0])
    digits = digits[2:] if digits.startswith("00") else digits
    return digits if re.match(_RESERVED_PHONE, digits) else None


def _domain(value: str, _: str) -> bool:
    """RFC 2606 and 6761."""
    return bool(_RESERVED_DOMAIN.search(value.strip().rstrip(".").rpartition("@")[2]))


def _phone(value: str, _: str) -> bool:
    return reserved_phone(value) is not None


def _card(value: str, _: str) -> bool:
    """4000 00 is no bank's: payment services number their test cards so."""
    text = compact(value)
    return text in _TEST_CARDS or text.startswith("400000")


def _iban(value: str, _: str) -> bool:
    return compact(value) in _TEST_IBANS


def _ip(value: str, _: str) -> bool:
    """RFC 5737 and 3849."""
    address = address_of(value)
    return address is not None and for_documentation(address)


def _key(value: str, subtype: str) -> bool:
    return value.strip().upper() in _TEST_KEYS or "EXAMPLE" in value or subtype.startswith("test_")


def _mac(value: str, _: str) -> bool:
    """RFC 7042, section 2.1.2."""
    return compact(value).startswith("00005E0053")


def _number(value: str, _: str) -> bool:
    return compact(value) in _TEST_NUMBERS


# the ranges that a detector's file can name (`reserved:`); sources stand beside the tables
RESERVED: Mapping[str, Callable[[str, str], bool]] = MappingProxyType(
    {
        "domain": _domain,
        "phone": _phone,
        "card": _card,
        "iban": _iban,
        "ip": _ip,
        "key": _key,
        "mac": _mac,
        "number": _number,
    }
)


def synthetic(ranges: str, subtype: str, value: str) -> bool:
    """
    Whether a value lies in ranges (`RESERVED`, "" for none) that are reserved for tests, documentation or fiction, so that it belongs to nobody.

    It stays a mention: seeded audit data is synthetic by construction (design, section 5.8).
    """
    return bool(ranges) and RESERVED[ranges](value, subtype)
