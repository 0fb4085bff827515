"""`aigov-eval completion`: what a shell needs to complete our commands, and the answers when it asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError
from aigov_eval.model import SEVERITIES, STRENGTHS

app = new_app()

EXAMPLE = """Examples:

  aigov-eval completion bash > ~/.local/share/bash-completion/completions/aigov-eval

  aigov-eval completion zsh > ~/.zfunc/_aigov-eval

  aigov-eval completion fish > ~/.config/fish/completions/aigov-eval.fish

For this shell alone: eval "$(aigov-eval completion bash)"."""

# each asks for the answers with the words so far; none means that the shell completes files
_SCRIPTS = {
    "bash": """\
_aigov_eval() {
    local IFS=$'\\n'
    COMPREPLY=($(aigov-eval completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -o bashdefault -F _aigov_eval aigov-eval
""",
    "zsh": """\
#compdef aigov-eval
_aigov_eval() {
    local -a found
    found=("${(@f)$(aigov-eval completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "${found[1]}" ]]; then
        compadd -- "${found[@]}"
    else
        _files
    fi
}
if [[ "${funcstack[1]}" = "_aigov-eval" ]]; then
    _aigov_eval "$@"
else
    compdef _aigov_eval aigov-eval
fi
""",
    "fish": """\
function __aigov_eval
    set -l before (commandline -opc)
    aigov-eval completion fish -- $before[2..-1] (commandline -ct) 2>/dev/null
end
complete -c aigov-eval -a '(__aigov_eval)'
""",
}


@app.command(epilog=EXAMPLE)
def completion(
    shell: Annotated[str, typer.Argument(help="bash, zsh or fish.")],
    words: Annotated[
        list[str] | None, typer.Argument(help="What was typed so far: the shell asks with it, after --.")
    ] = None,
) -> int:
    """Print the script that lets a shell complete commands, options and their values."""
    if shell not in _SCRIPTS:
        raise InputError(f'unknown shell "{shell}"', help="known: " + ", ".join(_SCRIPTS))
    if not words:
        say(_SCRIPTS[shell], end="")
        return 0
    for one in candidates(words):
        say(one)
    return 0


def candidates(words: Sequence[str]) -> list[str]:
    """What the last of these words may become: commands, options, or an option's values; none where a file stands there."""
    from aigov_eval.cli.main import COMMANDS
    from aigov_eval.cli.main import app as root

    *before, last = words
    if not before and not last.startswith("-"):
        return _beginning(COMMANDS, last)
    command: Any = None if before else typer.main.get_command(root)
    group: Any = typer.main.get_command(root)
    for word in before:
        found = group.get_command(None, word) if hasattr(group, "get_command") else None
        if found is None:
            break
        command = group = found
    if command is None:
        return []
    if before and any(before[-1] in one.opts and not one.is_flag for one in command.params if one.opts):
        return _beginning(_values(before[0], before[-1]), last)
    if last.startswith("-"):
        return _beginning(
            (option for one in command.params for option in one.opts + one.secondary_opts), last
        )
    return _beginning(getattr(command, "commands", {}), last)


def _values(command: str, option: str) -> Iterable[str]:
    """The values that an option may have; none where it takes a file or anything else."""
    if option == "--format":
        from aigov_eval.cli.outputs import FORMATS
        from aigov_eval.reports.kinds import FORMATS as REPORTS

        return {"score": tuple(FORMATS), "report": REPORTS}.get(command, ("table", "json"))
    if option == "--category":
        from aigov_eval.pack.files import stock_root

        files = sorted((stock_root() / "rules").glob("*.yaml"))
        return (path.stem.upper() for path in files if path.stem != "pack")
    return {"--fail-on": SEVERITIES, "--min-strength": STRENGTHS}.get(option, ())


def _beginning(names: Iterable[str], start: str) -> list[str]:
    return [
        name for name in names if name.startswith(start) and name.startswith("--" if start == "-" else "")
    ]
