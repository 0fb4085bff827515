"""Signatures: an in-toto statement in a DSSE envelope that any tool can check."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.errors import EvidenceError, InputError
from aigov_eval.evidence import sign
from aigov_eval.evidence.redact import redacted
from aigov_eval.evidence.sign import read_signer, signed
from aigov_eval.evidence.values import finder_of
from aigov_eval.evidence.verify import Against, verify_pack
from aigov_eval.scoring import Engine
from tests.evidence.conftest import Verify, part_of, said

FORMS = serialization


def pem(key: Any) -> bytes:
    """A private key in PEM."""
    return bytes(key.private_bytes(FORMS.Encoding.PEM, FORMS.PrivateFormat.PKCS8, FORMS.NoEncryption()))


def public(key: Any) -> bytes:
    """Its public half in PEM."""
    return bytes(key.public_key().public_bytes(FORMS.Encoding.PEM, FORMS.PublicFormat.SubjectPublicKeyInfo))


KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))


@pytest.fixture
def signer(tmp_path: Path) -> sign.Signer:
    """A signer with a key of this test."""
    (tmp_path / "key.pem").write_bytes(pem(KEY))
    return read_signer(tmp_path / "key.pem")


def test_a_signed_pack_verifies_with_its_key_and_no_other(
    value: Any, signer: sign.Signer, verify: Verify
) -> None:
    """Without a key it says only that some key signed."""
    pack = signed(value, signer)
    assert verify(pack, key=public(KEY)).signature.state == "good"
    assert verify(pack).verifies and verify(pack).signature.state == "intact"
    wrong = verify(pack, key=public(OTHER))
    assert not wrong.verifies and "not of the key you gave" in said(wrong)


def test_an_unsigned_pack_does_not_verify_with_a_key(value: Any, verify: Verify) -> None:
    """Who asks for a signature is not content with none."""
    report = verify(value, key=public(KEY))
    assert "the pack is not signed" in said(report)


def test_the_envelope_is_dsse_and_the_payload_an_in_toto_test_result(value: Any, signer: sign.Signer) -> None:
    """Checked with nothing of ours, as the two specifications say it."""
    envelope = signed(value, signer)["signature"]
    body = base64.b64decode(envelope["payload"])
    kind = envelope["payloadType"]
    pae = f"DSSEv1 {len(kind)} {kind} {len(body)} ".encode() + body
    KEY.public_key().verify(base64.b64decode(envelope["signatures"][0]["sig"]), pae)
    with pytest.raises(InvalidSignature):
        OTHER.public_key().verify(base64.b64decode(envelope["signatures"][0]["sig"]), pae)
    statement = json.loads(body)
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    assert statement["subject"][0]["digest"] == {"sha256": value["integrity"]["root"]}
    assert statement["predicate"]["result"] == "FAILED"
    assert statement["predicate"]["failedTests"] == ["PII_DISCLOSURE"]


def test_the_signature_stands_for_the_redacted_copy(
    value: Any, signer: sign.Signer, miniengine: Engine, verify: Verify
) -> None:
    """It is about the root; and it holds no value, also where the scenario's id does."""
    for part in (value["scenario"], value["run_meta"]):
        part["scenario_id"] = "mara-teodorescu-1"
    from tests.evidence.test_redact import sealed

    pack = signed(sealed(value), signer)
    copy = redacted(pack, finder_of(miniengine, pack, []), "2026-01-01T00:00:00.000Z")
    report = verify(copy, key=public(KEY))
    assert (said(report), report.signature.state) == ("", "good")
    assert b"mara" not in base64.b64decode(copy["signature"]["payload"])
    assert "mara" not in json.dumps(copy)


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_one_byte_flipped_in_the_signature_is_found(pack_bytes: bytes, data: st.DataObject) -> None:
    """Payload, key, signature, also the unused bits of base64; without the key as well."""
    der, keyid = sign._public(sign._cryptography(), KEY.public_key())
    pack = signed(json.loads(pack_bytes), sign.Signer(KEY, der, keyid))
    content = part_of(pack).data
    start = content.index(b'"signature"')
    at = data.draw(st.integers(start, len(content) - 1))
    flipped = content[:at] + bytes([content[at] ^ (1 << data.draw(st.integers(0, 7)))]) + content[at + 1 :]
    try:
        report = verify_pack(part_of(flipped), Against())
    except EvidenceError as error:
        assert error.where
        return
    assert not report.verifies


def test_a_signature_of_another_pack_is_refused(value: Any, signer: sign.Signer, verify: Verify) -> None:
    """It is about another root."""
    from tests.evidence.test_redact import sealed

    other = signed(sealed({**value, "limitations": ["Another."]}), signer)
    report = verify({**value, "signature": other["signature"]}, key=public(KEY))
    assert "is about another root" in said(report)


NO_KEYS = {
    "a text": b"hello",
    "another curve": pem(ec.generate_private_key(ec.SECP256R1())),
    "a public key": public(KEY),
    "with a password": bytes(KEY.private_bytes(FORMS.Encoding.PEM, FORMS.PrivateFormat.PKCS8, FORMS.BestAvailableEncryption(b"x"))),
}  # fmt: skip


@pytest.mark.parametrize("case", NO_KEYS)
def test_what_is_no_key_is_told_with_how_to_make_one(tmp_path: Path, case: str) -> None:
    """Before anything is sent."""
    (tmp_path / "key.pem").write_bytes(NO_KEYS[case])
    with pytest.raises(InputError) as caught:
        read_signer(tmp_path / "key.pem")
    assert "openssl genpkey" in caught.value.help


def test_without_the_package_a_key_is_an_error_and_no_silent_pass(
    value: Any, signer: sign.Signer, verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And without a key it is said that nothing was checked."""
    pack = signed(value, signer)

    def missing() -> Any:
        raise EvidenceError("signatures need the package cryptography", help="install it.")

    monkeypatch.setattr(sign, "_cryptography", missing)
    report = verify(pack)
    assert report.signature.state == "unchecked" and "was not checked" in " ".join(report.notes)
    with pytest.raises(EvidenceError, match="need the package"):
        verify(pack, key=public(KEY))
