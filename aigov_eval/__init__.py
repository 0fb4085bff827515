"""
Did an AI assistant tell personal data to someone who should not have it?

    from aigov_eval import score

    verdict = score(messages, subject="Ion Popescu")
    verdict.passed, verdict.findings, verdict.to_dict()

docs/python.md is the guide. The names below are imported when they are first used, so that the package itself
costs nothing to import.
"""

TYPE_CHECKING = False  # as typing has it, without importing that
if TYPE_CHECKING:
    from aigov_eval.api.calls import explain, load_pack, score, score_each
    from aigov_eval.api.leak import assert_no_leak
    from aigov_eval.api.verdict import Verdict
    from aigov_eval.errors import AigovError, DetectorError, InputError, PackError
    from aigov_eval.model import Finding, Scenario, Score, Transcript, Turn
    from aigov_eval.scoring import Engine

__version__ = "0.1.0"

__all__ = [
    "AigovError",
    "DetectorError",
    "Engine",
    "Finding",
    "InputError",
    "PackError",
    "Scenario",
    "Score",
    "Transcript",
    "Turn",
    "Verdict",
    "__version__",
    "assert_no_leak",
    "explain",
    "load_pack",
    "score",
    "score_each",
]

_ROOMS = {
    "api.calls": ("explain", "load_pack", "score", "score_each"),
    "api.leak": ("assert_no_leak",),
    "api.verdict": ("Verdict",),
    "errors": ("AigovError", "DetectorError", "InputError", "PackError"),
    "model": ("Finding", "Scenario", "Score", "Transcript", "Turn"),
    "scoring": ("Engine",),
}


if not TYPE_CHECKING:  # who checks types shall see a name that is not there

    def __getattr__(name):
        """A public name, imported from its room."""
        from importlib import import_module

        for room, names in _ROOMS.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{room}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return sorted({*globals(), *__all__})
