"""`aigov-eval new`: the skeleton of a category, a detector or a language."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.say import say
from aigov_eval.errors import InputError

app = new_app(
    no_args_is_help=True,
    help="Write the skeleton of a category, a detector or a language into a pack of yours.",
    epilog="Example: aigov-eval new category UNION_MEMBERSHIP --pack my-pack",
)

Pack = Annotated[Path, typer.Option(help="Folder of your pack; made if it is not there.")]
Alone = Annotated[bool, typer.Option("--only-pack", help="The pack stands alone, without the stock pack.")]

_DEFAULT = Path()


@app.command(epilog="Example: aigov-eval new category UNION_MEMBERSHIP --pack my-pack")
def category(
    name: Annotated[str, typer.Argument(help="The category, in capitals.")],
    pack: Pack = _DEFAULT,
    *,
    only_pack: Alone = False,
) -> int:
    """Write a rule file, a detector, a word list and two scenarios."""
    from aigov_eval.controls.new import category_files

    _write(pack, category_files(name, _checked(pack), _known(pack, alone=only_pack)), only_pack)
    return 0


@app.command(epilog="Example: aigov-eval new detector union_membership --pack my-pack")
def detector(
    name: Annotated[str, typer.Argument(help="The detector, in small letters.")],
    pack: Pack = _DEFAULT,
    *,
    only_pack: Alone = False,
) -> int:
    """Write a detector and its word list."""
    from aigov_eval.controls.new import detector_files

    _checked(pack)
    _write(pack, detector_files(name, _known(pack, alone=only_pack)), only_pack)
    return 0


@app.command(epilog="Example: aigov-eval new language pt --pack my-pack")
def language(
    code: Annotated[str, typer.Argument(help="The code of the language (ISO 639), such as nl.")],
    pack: Pack = _DEFAULT,
    *,
    only_pack: Alone = False,
) -> int:
    """Write a folder for the language and its word lists, empty but for what the other languages have."""
    from aigov_eval.controls.new import language_files, write

    _checked(pack)
    for path in write(pack, language_files(code, _known(pack, alone=only_pack))):
        say(f"wrote {path}")
    option = "" if pack == _DEFAULT else f" --pack {pack}"
    say(
        "\nNext: docs/languages.md tells in which order to fill them in.\n"
        f"What is still missing: aigov-eval lint{option}{' --only-pack' if only_pack else ''}"
    )
    return 0


def _checked(folder: Path) -> Path:
    """The folder; the current one only where it is a pack already, so that no pack is strewn about."""
    if folder == _DEFAULT and not any((folder / part).is_dir() for part in ("rules", "detectors")):
        raise InputError("the current folder is no pack", help="name the folder of your pack with --pack DIR")
    return folder


def _known(folder: Path, *, alone: bool):  # type: ignore[no-untyped-def]  # Pack, without importing it at start
    """The pack that the new files will be part of: the stock pack with the author's, as far as it is there."""
    from aigov_eval.pack.compile import compile_pack
    from aigov_eval.pack.files import FOLDERS, stock_root
    from aigov_eval.pack.load import load_pack

    is_stock = folder.resolve() == stock_root()
    roots = [] if alone or is_stock else [stock_root()]
    if any((folder / part).is_dir() for part in FOLDERS):
        roots.append(folder)
    return load_pack(roots) if roots else compile_pack(())


def _write(folder: Path, files: Mapping[str, str], alone: bool) -> None:
    from aigov_eval.controls.new import write

    for path in write(folder, files):
        say(f"wrote {path}")
    words = next(path for path in files if path.startswith("detectors/lists/"))
    option = "" if folder == _DEFAULT else f" --pack {folder}"
    say(
        f"\nNext: write your words into {folder / words}, and put one of them wherever EXAMPLE stands.\n"
        f"What is still missing: aigov-eval check{option}{' --only-pack' if alone else ''}"
    )
