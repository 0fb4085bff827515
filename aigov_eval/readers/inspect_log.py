"""
Inspect logs: JSON, and `.eval` archives (zip, entries compressed with deflate or Zstandard).

Comes in: the log object, or the bytes of an archive. Goes out: one Transcript a sample and epoch.
`attachment://` references are put back in place. Zstandard needs Python 3.14 or the `inspect` extra.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import decode, values
from aigov_eval.readers.conversation import Conversation, id_of, side, subject_in
from aigov_eval.readers.shape import Format, a_list, an_object

if TYPE_CHECKING:
    import zipfile

_NAME = "inspect"
_ZSTANDARD = 93
_MOST = 1 << 30


def is_archive(head: bytes) -> bool:
    """Whether the first bytes are those of a zip archive."""
    return head.startswith(b"PK\x03\x04")


def read_archive(data: bytes) -> Iterator[tuple[str, list[Transcript]]]:
    """
    The samples of an `.eval` archive, as (entry, transcripts), in the order of their names.

    Raises InputError for an archive that is no Inspect log or cannot be read.
    """
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            if "header.json" not in names:
                raise InputError(
                    "a zip archive without header.json is no Inspect log",
                    help="unpack it and give its files.",
                )
            samples = sorted(name for name in names if name.startswith("samples/") and name.endswith(".json"))
            if not samples:
                raise InputError(
                    "the log holds no samples", help="the run may have been cut off before the first."
                )
            for name in samples:
                sample = decode.json_value(_entry(archive, data, archive.getinfo(name)))
                yield name, _sample(sample, "")
    except (
        zipfile.BadZipFile,
        EOFError,
        ValueError,
        NotImplementedError,
        RuntimeError,
        KeyError,
        OSError,
    ) as error:
        raise InputError(
            f"the archive cannot be read: {error}", help="copy the log again; it may be cut off."
        ) from None


def _entry(archive: zipfile.ZipFile, data: bytes, info: zipfile.ZipInfo) -> bytes:
    if info.file_size > _MOST:
        raise InputError(f"{info.filename} is larger than 1 GiB", help="split the log by samples.")
    if info.compress_type != _ZSTANDARD:
        return archive.read(info)
    # the local header: 30 bytes, then the name and the extra field, whose lengths stand at 26 and 28
    start = info.header_offset
    lengths = int.from_bytes(data[start + 26 : start + 28], "little") + int.from_bytes(
        data[start + 28 : start + 30], "little"
    )
    packed = data[start + 30 + lengths : start + 30 + lengths + info.compress_size]
    return _unzstd(packed, info.file_size)


def _unzstd(packed: bytes, size: int) -> bytes:
    try:
        import zstandard
    except ImportError:
        raise InputError(
            "this log is compressed with Zstandard, and no library for it is installed",
            help="pip install 'aigov-eval[inspect]', or write the log as JSON: inspect log convert --to json.",
        ) from None
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
            out: bytes = reader.read(size + 1)
    except zstandard.ZstdError as error:
        raise InputError(
            f"the archive cannot be read: {error}", help="copy the log again; it may be cut off."
        ) from None
    if len(out) != size:
        raise InputError("the archive cannot be read: a length is wrong", help="copy the log again.")
    return out


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    out = [
        one
        for index, sample in enumerate(value["samples"])
        for one in _sample(sample, f"{pointer}/samples/{index}")
    ]
    if not out:
        raise InputError(
            "the log holds no samples", where=f"{pointer}/samples", help="give a log with samples."
        )
    return out


def _sample(value: object, pointer: str) -> list[Transcript]:
    if not isinstance(value, dict):
        raise values.wrong(value, "a sample", pointer)
    attachments = value.get("attachments")
    sample: dict[str, Any] = value
    if isinstance(attachments, dict) and attachments:
        sample = _resolved(value, attachments)
    conversation = Conversation()
    if sample.get("messages"):
        conversation.extend(sample["messages"], f"{pointer}/messages")
    else:
        if sample.get("input") is not None:
            side(conversation, "user", sample["input"], f"{pointer}/input")
        output = sample.get("output")
        if isinstance(output, dict) and (output.get("choices") or output.get("completion")):
            side(conversation, "assistant", output, f"{pointer}/output")
    given = id_of(sample)
    epoch = sample.get("epoch")
    if type(epoch) is int and epoch > 1:
        given = f"{given}#{epoch}"
    about = subject_in(sample.get("metadata"))
    return [conversation.transcript(_NAME, None, pointer, id=given, about=about)]


def _resolved(value: Any, attachments: dict[str, Any]) -> Any:
    """The sample with each `attachment://` text replaced by what it stands for."""
    if isinstance(value, str) and value.startswith("attachment://"):
        return attachments.get(value.removeprefix("attachment://"), value)
    if isinstance(value, list):
        return [_resolved(item, attachments) for item in value]
    if isinstance(value, dict):
        return {
            key: _resolved(item, attachments) if key != "attachments" else item for key, item in value.items()
        }
    return value


FORMATS = (
    Format(_NAME, (an_object("/eval"), a_list("/samples")), _read),
    Format(_NAME, (a_list("/messages"), an_object("/output"), a_list("/events")), _sample),
)
