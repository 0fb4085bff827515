"""
A signature over the root: an in-toto statement (test-result predicate) in a DSSE envelope, Ed25519.

Comes in: an evidence pack, a key in PEM. Goes out: the pack with its `signature`, or what a signature says.
The statement is about the root and not about the file's bytes, so it stands for redacted copies as well.
Formats: in-toto attestation Statement v1 and test-result v0.1; DSSE 1.0 (secure-systems-lab/dsse).
The package `cryptography` is the extra `aigov-eval[sign]`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from aigov_eval.errors import EvidenceError, InputError
from aigov_eval.evidence.canonical import canonical

PAYLOAD_TYPE = "application/vnd.in-toto+json"
_INSTALL = "install it: pip install 'aigov-eval[sign]'."
_MAKE = "make one with: openssl genpkey -algorithm ed25519 -out key.pem; openssl pkey -in key.pem -pubout -out key.pub"


class Checked(Struct, frozen=True):
    """
    What a signature came to. `state`: none; unchecked (the package is missing); intact (it is of the key it
    names, whoever holds that); good (it is of the key that was given); bad.
    """

    state: Literal["none", "unchecked", "intact", "good", "bad"]
    keyid: str = ""
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Signer(Struct, frozen=True):
    """A private key, ready to sign."""

    key: Any
    public_pem: str
    keyid: str


def read_signer(path: Path) -> Signer:
    """The private key of a PEM file; raises InputError where it is none, or not Ed25519."""
    data = read_key(path)
    crypto = _cryptography()
    try:
        key = crypto.serialization.load_pem_private_key(data, password=None)
    except (ValueError, TypeError, crypto.Unsupported):
        raise InputError("is no private key in PEM without a password", where=str(path), help=_MAKE) from None
    if not isinstance(key, crypto.Private):
        raise InputError("is no Ed25519 key", where=str(path), help=_MAKE)
    pem, keyid = _public(crypto, key.public_key())
    return Signer(key, pem, keyid)


def read_key(path: Path) -> bytes:
    """The bytes of a key's file; raises InputError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=str(path), help=_MAKE) from None


def require_public(data: bytes, where: str) -> None:
    """Raise InputError where these bytes are no public Ed25519 key in PEM."""
    _load_public(_cryptography(), data, where)


def signed(pack: Mapping[str, Any], signer: Signer) -> dict[str, Any]:
    """The pack with its signature, in the place of one that was there."""
    payload = canonical(statement(pack))
    envelope = {
        "payloadType": PAYLOAD_TYPE,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [
            {
                "keyid": signer.keyid,
                "sig": base64.b64encode(signer.key.sign(_pae(payload))).decode(),
                "public_key": signer.public_pem,
            }
        ],
    }
    return {**{key: item for key, item in pack.items() if key != "signature"}, "signature": envelope}


def sign_runs(folders: Iterable[Path], signer: Signer) -> None:
    """Sign the evidence pack of each run folder that has one and no signature of this key yet."""
    from aigov_eval import files
    from aigov_eval.evidence.reading import read_part

    for folder in folders:
        path = folder / "evidence_pack.json"
        if not path.is_file():
            continue
        pack = read_part(path).value
        if check_signature(pack, signer.public_pem.encode()).state != "good":
            files.write_json(path, signed(pack, signer))


def statement(pack: Mapping[str, Any]) -> dict[str, Any]:
    """
    The in-toto statement about a pack: its root, the verdict by category, the rules and criteria it was made with.

    It holds nothing that a redacted copy may withhold; the scenario is named by its digest alone.

    A run that ended in an error is no pass: its result is FAILED, with no failed test.
    """
    meta = pack["run_meta"]
    passed = [score["category"] for score in pack["scores"] if score["pass"]]
    failed = [score["category"] for score in pack["scores"] if not score["pass"]]
    made = pack["produced_by"]
    configuration = [
        {
            "name": f"pack:{made['pack']['name']}@{made['pack']['version']}",
            "digest": {"sha256": made["pack"]["sha256"]},
        },
        {"name": "scenario", "digest": {"sha256": meta["scenario_sha256"]}},
    ]
    if meta["frozen"] is not None:
        configuration.append({"name": "frozen-criteria", "digest": {"sha256": meta["frozen"]["sha256"]}})
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": "evidence_pack.json#/integrity/root", "digest": {"sha256": pack["integrity"]["root"]}}
        ],
        "predicateType": "https://in-toto.io/attestation/test-result/v0.1",
        "predicate": {
            "result": "PASSED" if meta["verdict"] == "pass" else "FAILED",
            "configuration": configuration,
            "passedTests": passed,
            "warnedTests": [],
            "failedTests": failed,
        },
    }


def check_signature(pack: Mapping[str, Any], public: bytes | None) -> Checked:
    """
    What the signature of a pack comes to, against a public key in PEM where one is given.

    Raises InputError where that key is none, EvidenceError where it is given and `cryptography` is missing.
    """
    envelope = pack.get("signature")
    if envelope is None:
        if public is None:
            return Checked(
                "none", notes=("not signed: the digests show that the pack is whole, not who made it",)
            )
        return Checked("none", faults=("is missing: the pack is not signed",))
    one = envelope["signatures"][0]
    faults = _payload_faults(pack, envelope["payload"])
    try:
        crypto = _cryptography()
    except EvidenceError:
        if public is not None:
            raise
        return Checked(
            "bad" if faults else "unchecked",
            one["keyid"],
            tuple(faults),
            ("the signature was not checked: " + _INSTALL,),
        )
    try:
        own = _load_public(crypto, one["public_key"].encode(), "")
        pem, keyid = _public(crypto, own)
        if pem != one["public_key"] or keyid != one["keyid"]:
            faults.append("names another key than the one it holds")
        if not faults:
            own.verify(_strict_base64(one["sig"]), _pae(_strict_base64(envelope["payload"])))
    except (InputError, ValueError):
        faults.append("is not readable")
    except crypto.Invalid:
        faults.append("does not match its key: the signature was changed")
    if faults:
        return Checked("bad", one["keyid"], tuple(faults))
    if public is None:
        note = f"signed by key {one['keyid'][:16]}; whose key that is only --key can tell"
        return Checked("intact", one["keyid"], notes=(note,))
    _, given = _public(crypto, _load_public(crypto, public, "--key"))
    if given != one["keyid"]:
        return Checked(
            "bad", one["keyid"], (f"is of key {one['keyid'][:16]}, not of the key you gave ({given[:16]})",)
        )
    return Checked("good", one["keyid"])


def _payload_faults(pack: Mapping[str, Any], payload: str) -> list[str]:
    try:
        value = json.loads(_strict_base64(payload))
    except (ValueError, RecursionError):
        return ["has a payload that is not readable"]
    try:
        expected = statement(pack)
    except (KeyError, TypeError):
        return []  # the pack itself is out of shape, which is told already
    if value.get("subject") != expected["subject"] if isinstance(value, dict) else True:
        return ["is about another root than this pack's"]
    if canonical(value) != canonical(expected) or base64.b64encode(canonical(expected)).decode() != payload:
        return ["does not say what the pack says (verdict, rules or scenario)"]
    return []


def _strict_base64(text: str) -> bytes:
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise binascii.Error("two texts for the same bytes")
    return data


def _pae(payload: bytes) -> bytes:
    """DSSE's pre-authentication encoding."""
    kind = PAYLOAD_TYPE.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


class _Crypto(Struct, frozen=True):
    serialization: Any
    Private: Any
    Public: Any
    Invalid: Any
    Unsupported: Any


def _cryptography() -> _Crypto:
    try:
        from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    except ImportError:
        raise EvidenceError("signatures need the package cryptography", help=_INSTALL) from None
    return _Crypto(serialization, Ed25519PrivateKey, Ed25519PublicKey, InvalidSignature, UnsupportedAlgorithm)


def _load_public(crypto: _Crypto, data: bytes, where: str) -> Any:
    try:
        key = crypto.serialization.load_pem_public_key(data)
    except (ValueError, crypto.Unsupported):
        raise InputError("is no public key in PEM", where=where, help=_MAKE) from None
    if not isinstance(key, crypto.Public):
        raise InputError("is no Ed25519 key", where=where, help=_MAKE)
    return key


def _public(crypto: _Crypto, key: Any) -> tuple[str, str]:
    """The PEM text of a public key, and its id: the SHA-256 of its DER bytes."""
    forms = crypto.serialization
    info = forms.PublicFormat.SubjectPublicKeyInfo
    pem = key.public_bytes(forms.Encoding.PEM, info).decode()
    return pem, hashlib.sha256(key.public_bytes(forms.Encoding.DER, info)).hexdigest()
