"""The texts under evaluation on a command line, each given directly or as a file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer


def _text(help: str) -> Any:
    return typer.Option(help=help, show_default=False)


Output = Annotated[str | None, _text("The text to score.")]
OutputFile = Annotated[Path | None, _text("Read the output from a file; `-` is standard input.")]
Expected = Annotated[list[str] | None, _text("A reference text; give it again for several.")]
ExpectedFile = Annotated[list[Path] | None, _text("Read a reference from a file; may be given again.")]
Input = Annotated[str | None, _text("What the output replies to, or the source of a translation.")]
Criteria = Annotated[str | None, _text("What a judge holds the output against.")]
Conversation = Annotated[str | None, _text('Turns before the output: JSON, or lines such as "user: …".')]
InputFile = Annotated[Path | None, _text("Read the input from a file.")]
CriteriaFile = Annotated[Path | None, _text("Read the criteria from a file.")]
ConversationFile = Annotated[Path | None, _text("Read the conversation from a file.")]
Judge = Annotated[
    str | None,
    _text("Who answers: heuristic, recorded:FILE, systemone or chat. Default: JEVAL_JUDGE, else word overlap."),
]


def fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a row. `given` has each field as text and, under its name with `_file`, as a file.

    Raises BadInput and MissingField.
    """
    from jeval_core import BadInput, MissingField

    expected, expected_file = given["expected"], given["expected_file"]
    names = ("output", "input", "criteria", "conversation")
    files = [given[f"{name}_file"] for name in names if given[f"{name}_file"] is not None]
    if [str(path) for path in (*files, *(expected_file or []))].count("-") > 1:
        raise BadInput("Standard input can be read only once.", field="file", hint="Give one of the texts as a file.")
    found: dict[str, Any] = {}
    for name in names:
        text, file = given[name], given[f"{name}_file"]
        if text is not None and file is not None:
            raise BadInput(f"--{name} and --{name}-file exclude each other.", field=name)
        if text is not None or file is not None:
            found[name] = text if file is None else _read(file)
    if "output" not in found:
        raise MissingField("There is no output to score.", field="output", hint="Give --output or --output-file.")
    references = [*(expected or []), *(_read(path) for path in expected_file or [])]
    if references:
        found["expected"] = references[0] if len(references) == 1 else references
    return found


def _read(path: Path) -> str:
    from jeval_core import BadInput

    try:
        if str(path) == "-" and sys.stdin is None:
            raise BadInput("Standard input is closed.", field="file")
        return (sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()).decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}.", field="file") from None
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{path} is not UTF-8: byte {error.start} cannot be read.", field="file", hint="Save it as UTF-8."
        ) from None
