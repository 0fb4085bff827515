"""
The ways to fail, each with where, a code, one sentence and how to mend it.

    AigovError            every failure that a user can mend; the CLI prints it and exits 2
    +-- InputError        a transcript, scenario, config or option that cannot be read
    +-- PackError         a rule, detector, lexicon or context file that is not valid
    +-- DetectorError     a detector that could not run (missing model, time-out)
    +-- TargetError       a target that did not answer
    +-- EvidenceError     an evidence pack that cannot be read or does not verify

Nothing else may reach a user: any other exception is a defect of ours.
"""

from __future__ import annotations


class AigovError(Exception):
    """
    A failure that its reader can mend: one line of what, one line of help.

    `code` is for programs: the code of that very fault, or else `family`, the code of its class, which is
    not shown because the words say as much. `where` is a place in what was given, or empty.
    """

    family = "AE000"

    def __init__(self, text: str, *, where: str = "", code: str = "", help: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.where = where
        self.own_code = code
        self.help = help

    def __str__(self) -> str:
        return f"{self.head}\n  help: {self.help}" if self.help else self.head

    @property
    def code(self) -> str:
        """The code of the fault, never empty."""
        return self.own_code or self.family

    @property
    def head(self) -> str:
        """Where, the fault's own code, and what, in one line."""
        return " ".join(part for part in (self.where, self.own_code, self.text) if part)


class InputError(AigovError):
    """A transcript, scenario, config or option that cannot be read."""

    family = "AE100"


class PackError(AigovError):
    """A rule, detector, lexicon or context file that is not valid."""

    family = "AE200"


class DetectorError(AigovError):
    """A detector that could not run; the run ends, so that a miss never looks like a pass."""

    family = "AE300"


class TargetError(AigovError):
    """A target that did not answer, or answered with something that is not a reply."""

    family = "AE400"


class EvidenceError(AigovError):
    """An evidence pack that cannot be read or does not verify."""

    family = "AE500"
