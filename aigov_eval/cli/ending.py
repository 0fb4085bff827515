"""
How a command ends: the one place that decides the exit code.

Comes in: what a command found, or whatever stopped it. Goes out: 0 where nothing was found, 1 where findings
were (or controls that fail), 2 where the run itself is not valid, with one line of what and one of help on standard
error. A crash, a killed worker, a full disk, a text that cannot be shown: none of them looks like a pass or like findings.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from aigov_eval.cli.say import say, say_error
from aigov_eval.errors import AigovError

# what a wrong option raises; typer exports its subclass only
UsageError: Any = typer.BadParameter.__mro__[2]
DEBUG = "AIGOV_EVAL_DEBUG"  # set, a defect of ours is shown with its traceback


def exit_code(*, findings: bool = False, valid: bool = True) -> int:
    """0 nothing found, 1 findings, 2 the run itself is not valid, whatever it found."""
    if not valid:
        return 2
    return 1 if findings else 0


def ended(work: Callable[[], object]) -> int:
    """Run a command to its end, whatever that is, and return the exit code."""
    try:
        _require_output()
        code = _code_of(work())
        sys.stdout.flush()  # a full disk shows here at the latest
    except BaseException as error:  # noqa: BLE001  # the last one to see it: nothing may end as a pass, or as findings
        return _stopped(error)
    return code


def _require_output() -> None:
    if sys.stdout is None:
        raise AigovError("standard output is closed", help="the result has nowhere to go; open it.")


def _code_of(result: object) -> int:
    """What a command returned; one that returns nothing has nothing to find."""
    if result is None:
        return exit_code()
    if result in (0, 1, 2) and isinstance(result, int):
        return int(result)
    raise RuntimeError(f"a command ended with {result!r}")


def _stopped(error: BaseException) -> int:
    """Say what stopped a command; the exit code is 2 for all but a plain exit of the command line's own (--help)."""
    unwritten = _unwritten()
    if isinstance(error, typer.Exit) and unwritten is None:
        return exit_code(valid=error.exit_code == 0)
    if isinstance(error, typer.Exit):
        assert unwritten is not None
        error = unwritten
    if isinstance(error, SystemExit) and isinstance(error.__context__, BrokenPipeError):
        error = error.__context__  # the command line's own way to end there
    if isinstance(error, BrokenPipeError):
        pass  # the reader of our output went away; nothing more can be said there
    elif isinstance(error, AigovError):
        _told(error)
    elif isinstance(error, UsageError):
        with contextlib.suppress(OSError, ValueError):
            error.show(sys.stderr)
    elif isinstance(error, OSError):
        what = f"cannot be written or read: {error.strerror or error}"
        _told(AigovError(what, where=_name_of(error), help="make room, or check the path and its rights."))
    else:
        _told(_as_error(error))
    return exit_code(valid=False)


def _as_error(error: BaseException) -> AigovError:
    if isinstance(error, typer.Abort | KeyboardInterrupt):
        return AigovError("interrupted", help="run it again.")
    if isinstance(error, UnicodeEncodeError):
        what = (
            f"standard output cannot show {error.object[error.start : error.start + 1]!a} in {error.encoding}"
        )
        return AigovError(what, help="set PYTHONIOENCODING=utf-8, or write into a file where there is --out.")
    if isinstance(error, MemoryError):
        return AigovError("there is not enough memory", help="give fewer or smaller files, or fewer --jobs.")
    if isinstance(error, RecursionError):
        return AigovError("what was given is nested too deep", help="give the conversation itself.")
    import traceback

    if os.environ.get(DEBUG):
        with contextlib.suppress(OSError, ValueError):
            say("".join(traceback.format_exception(error)), file=sys.stderr)
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    what = f"this is a defect of aigov-eval, nothing was decided: {type(error).__name__}: {error}{at}"
    return AigovError(what, help=f"report it with what was given; {DEBUG}=1 shows the traceback.")


def _told(error: AigovError) -> None:
    """Say an error where somebody can still read it; the exit code says it anyway."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        say_error(error)
        sys.stderr.flush()


def _name_of(error: OSError) -> str:
    return str(error.filename) if error.filename is not None else "standard output"


def _unwritten() -> OSError | None:
    """Write what is waiting for standard output; where that fails, point it at nothing, so that it is not tried again."""
    try:
        sys.stdout.flush()
    except OSError as error:
        with contextlib.suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, sys.stdout.fileno())
            os.close(null)
        return error
    except (ValueError, AttributeError):
        return None  # closed, or there is none
    return None
